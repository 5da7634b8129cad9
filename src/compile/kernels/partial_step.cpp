// SPDX-License-Identifier: BSD-3-Clause
#include "compile/kernels/partial_step.hpp"

#include <algorithm>

namespace halocline::compile {
namespace {

template <class Direction>
class PartOfStep {
 public:
  using Memory = typename Direction::Memory;
  using Wire = typename Direction::Wire;

  PartOfStep(const Step& step, Memory base, Wire wire) : step_(step), base_(base), wire_(wire) {}

  void copy(Count first, Count last) {
    switch (step_.kind) {
      case Step::Kind::strided:
        return nest(3, step_.offset, first, last);
      case Step::Kind::blocks:
        return blocks(first, last);
      case Step::Kind::runs:
        return runs(first, last);
      case Step::Kind::columns:
        return columns(first, last);
      case Step::Kind::loops:
        return loops(0, step_.bytes, base_, first, last);
    }
  }

 private:
  /// Cuts [first, last) into units: `cut(i, first, last)` gets what is not whole of unit i, `whole(i, count)`
  /// the others.
  template <class Cut, class Whole>
  static void split(Count unit, Count first, Count last, const Cut& cut, const Whole& whole) {
    Count i = first / unit;
    if (const Count begin = first % unit; begin > 0) {
      cut(i, begin, std::min(unit, begin + last - first));
      ++i;
    }
    const Count end = last / unit;
    if (end > i) whole(i, end - i);
    if (last % unit > 0 && end >= i) cut(end, Count{0}, last % unit);
  }

  void run(Count offset, Count bytes) {
    copy_run<Direction>(at(base_, offset), wire_, bytes);
    wire_ += bytes;
  }

  void kernel(const Step& step, Count bytes) {
    if constexpr (std::is_same_v<Direction, ToWire>)
      step.kernel.pack(&step, base_, wire_);
    else
      step.kernel.unpack(&step, wire_, base_);
    wire_ += bytes;
  }

  void nest(std::size_t level, Count offset, Count first, Count last) {
    if (level == 0) return run(offset + first, last - first);
    Count unit = step_.block;
    for (std::size_t i = 0; i + 1 < level; ++i) unit *= step_.loops[i].count;
    const Count stride = step_.loops[level - 1].stride;
    split(
        unit, first, last,
        [&](Count i, Count begin, Count end) { nest(level - 1, offset + i * stride, begin, end); },
        [&](Count i, Count count) {
          Step some = step_;
          some.offset = offset + i * stride;
          some.loops[level - 1].count = count;
          for (std::size_t above = level; above < 3; ++above) some.loops[above].count = 1;
          kernel(some, count * unit);
        });
  }

  [[nodiscard]] Count entry(Count i) const {
    return step_.narrow ? static_cast<const std::int32_t*>(step_.entries)[i]
                        : static_cast<const std::int64_t*>(step_.entries)[i];
  }

  void some_entries(Count i, Count count, Count bytes) {
    Step some = step_;
    some.entries = static_cast<const std::byte*>(step_.entries) + i * (step_.narrow ? 4 : 8);
    some.entry_count = count;
    kernel(some, bytes);
  }

  void blocks(Count first, Count last) {
    split(
        step_.block, first, last,
        [&](Count i, Count begin, Count end) { run(step_.offset + entry(i) + begin, end - begin); },
        [&](Count i, Count count) { some_entries(i, count, count * step_.block); });
  }

  void runs(Count first, Count last) {
    Count i = 0;
    Count begin = 0;  // of run i in the stream
    if (step_.marks != nullptr) {
      const Count marks = (step_.entry_count + Step::marked_runs - 1) / Step::marked_runs;
      const Count mark = std::upper_bound(step_.marks, step_.marks + marks, first) - step_.marks - 1;
      i = mark * Step::marked_runs;
      begin = step_.marks[mark];
    }
    const auto length = [&](Count run) { return entry(run + step_.length_distance); };
    for (; begin + length(i) <= first; ++i) begin += length(i);
    if (first > begin) {
      const Count end = std::min(begin + length(i), last);
      run(step_.offset + entry(i) + first - begin, end - first);
      if (end == last) return;
      begin += length(i++);
    }
    const Count whole = i;
    Count bytes = 0;
    for (; i < step_.entry_count && begin + bytes + length(i) <= last; ++i) bytes += length(i);
    if (i > whole) some_entries(whole, i - whole, bytes);
    if (begin + bytes < last) run(step_.offset + entry(i), last - begin - bytes);
  }

  void columns(Count first, Count last) {
    const Count stride = step_.loops[0].stride;
    const std::span all(static_cast<const Column*>(step_.entries),
                        static_cast<std::size_t>(step_.entry_count));
    split(
        step_.block, first, last,
        [&](Count i, Count begin, Count end) {
          for (const Column& column : all) {
            const Count from = std::max(begin, column.wire);
            const Count to = std::min(end, column.wire + column.block);
            if (from < to) run(step_.offset + i * stride + column.memory + from - column.wire, to - from);
          }
        },
        [&](Count i, Count count) {
          Step some = step_;
          some.offset += i * stride;
          some.loops[0].count = count;
          kernel(some, count * step_.block);
        });
  }

  void loops(std::size_t level, Count bytes, Memory base, Count first, Count last) {
    if (level == step_.outer.size()) {
      copy_part<Direction>(*step_.body, base, wire_, first, last);
      wire_ += last - first;
      return;
    }
    const auto [count, stride] = step_.outer[level];
    const Count unit = bytes / count;
    for (Count i = first / unit; i * unit < last; ++i)
      loops(level + 1, unit, at(base, i * stride), std::max<Count>(first - i * unit, 0),
            std::min(last - i * unit, unit));
  }

  const Step& step_;
  Memory base_;
  Wire wire_;
};

}  // namespace

template <class Direction>
void copy_part(const Step& step, typename Direction::Memory base, typename Direction::Wire wire, Count first,
               Count last) {
  if (first == last) return;
  PartOfStep<Direction> piece(step, base, wire);
  piece.copy(first, last);
}

template void copy_part<ToWire>(const Step&, const std::byte*, std::byte*, Count, Count);
template void copy_part<FromWire>(const Step&, std::byte*, const std::byte*, Count, Count);

}  // namespace halocline::compile
