// SPDX-License-Identifier: BSD-3-Clause
#include "compile/kernels/kernels.hpp"

#include "base/index.hpp"
#include "compile/kernels/divisor.hpp"
#include "compile/kernels/partial_step.hpp"
#include "compile/kernels/step.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <vector>

namespace halocline::compile {
namespace {

using Term = Canonical::Term;

/// A list of at most so many runs under a loop is copied column by column.
constexpr Count most_columns = 32;
constexpr Count least_rounds = 4;

class KernelProgram : public Code {
 public:
  explicit KernelProgram(const Canonical& canonical) : canonical_(canonical) {
    steps_.reserve(canonical.terms().size());
    for (const Term& term : canonical.terms()) {
      if (term.kind == Term::Kind::runs && term.dims == 0 && term.narrow)
        add_runs(term);
      else
        add(step_of(term));
    }
    choose_entry();
  }

  [[nodiscard]] std::string_view engine() const override { return "kernels"; }
  void pack(const std::byte* base, std::byte* wire, Count first, Count bytes) const override {
    copy<ToWire>(base, wire, first, bytes);
  }
  void unpack(const std::byte* wire, std::byte* base, Count first, Count bytes) const override {
    copy<FromWire>(base, wire, first, bytes);
  }

 private:
  void add(Step step) {
    step.wire = steps_.empty() ? 0 : steps_.back().wire + steps_.back().bytes;
    steps_.push_back(step);
  }

  /// A single step is called directly.
  void choose_entry() {
    if (steps_.size() == 1) {
      whole_ = {steps_.data(), steps_.front().kernel.pack, steps_.front().kernel.unpack};
      return;
    }
    whole_.context = this;
    whole_.pack = [](const void* self, const std::byte* base, std::byte* wire) {
      for (const Step& step : static_cast<const KernelProgram*>(self)->steps_)
        step.kernel.pack(&step, base, wire + step.wire);
    };
    whole_.unpack = [](const void* self, const std::byte* wire, std::byte* base) {
      for (const Step& step : static_cast<const KernelProgram*>(self)->steps_)
        step.kernel.unpack(&step, wire + step.wire, base);
    };
  }

  template <class Direction>
  void copy(typename Direction::Memory base, typename Direction::Wire wire, Count first, Count bytes) const {
    auto step = std::upper_bound(steps_.begin(), steps_.end(), first,
                                 [](Count at, const Step& s) { return at < s.wire + s.bytes; });
    for (const Count last = first + bytes; first < last; ++step) {
      const Count end = std::min(last, step->wire + step->bytes);
      copy_part<Direction>(*step, base, wire, first - step->wire, end - step->wire);
      wire += end - first;
      first = end;
    }
  }

  [[nodiscard]] Step step_of(const Term& term) {
    const std::span<const Canonical::Dim> dims = canonical_.dims(term);
    if (term.kind == Term::Kind::nest) {
      const std::size_t inner = std::min(dims.size(), std::tuple_size_v<decltype(Step::loops)>);
      return nested(strided(term, dims.last(inner)), dims.first(dims.size() - inner), term);
    }
    if (!dims.empty() && term.entries <= most_columns && dims.back().count >= least_rounds)
      return nested(columns(term, dims.back()), dims.first(dims.size() - 1), term);
    return nested(term.kind == Term::Kind::blocks ? blocks(term) : runs(term), dims, term);
  }

  /// The body under outer loops, if there are any.
  [[nodiscard]] Step nested(const Step& body, std::span<const Canonical::Dim> outer, const Term& term) {
    if (outer.empty()) return body;
    bodies_.push_back(std::make_unique<Step>(body));
    Step step;
    step.kind = Step::Kind::loops;
    step.kernel = loops_kernel();
    step.body = bodies_.back().get();
    step.outer = outer;
    step.bytes = term.bytes;
    return step;
  }

  [[nodiscard]] static Step strided(const Term& term, std::span<const Canonical::Dim> dims) {
    Step step;
    step.offset = term.offset;
    step.block = step.bytes = term.block;
    for (std::size_t i = 0; i < dims.size(); ++i) {
      step.loops[i] = dims[dims.size() - 1 - i];
      step.bytes *= step.loops[i].count;
    }
    step.kernel = strided_kernel(term.block, step.loops);
    return step;
  }

  [[nodiscard]] Step list(const Term& term) const {
    Step step;
    step.offset = term.offset;
    step.narrow = term.narrow;
    step.entries = term.narrow ? static_cast<const void*>(canonical_.narrow_entries(term).data())
                               : canonical_.wide_entries(term).data();
    step.entry_count = term.entries;
    return step;
  }

  [[nodiscard]] Step blocks(const Term& term) const {
    Step step = list(term);
    step.kind = Step::Kind::blocks;
    step.kernel = blocks_kernel(term.block, term.narrow);
    step.block = term.block;
    step.bytes = term.block * term.entries;
    return step;
  }

  [[nodiscard]] Step runs(const Term& term) {
    Step step = list(term);
    step.kind = Step::Kind::runs;
    step.kernel = runs_kernel(term.narrow);
    step.length_distance = term.entries;
    step.bytes = term.bytes;
    for (const Canonical::Dim& dim : canonical_.dims(term)) step.bytes /= dim.count;
    if (term.narrow)
      mark<std::int32_t>(step);
    else
      mark<std::int64_t>(step);
    return step;
  }

  template <class Entry>
  void mark(Step& step) {
    if (step.entry_count <= Step::marked_runs) return;
    const Entry* const lengths = static_cast<const Entry*>(step.entries) + step.length_distance;
    Counts marks;
    Count at = 0;
    for (Count i = 0; i < step.entry_count; ++i) {
      if (i % Step::marked_runs == 0) marks.push_back(at);
      at += lengths[i];
    }
    marks_.push_back(std::make_unique<Counts>(std::move(marks)));
    step.marks = marks_.back()->data();
  }

  /// A list of runs, cut where their lengths stop being multiples of one size: that is where one array of a
  /// structure ends and the next begins.
  void add_runs(const Term& term) {
    constexpr Count least_stretch = 64;
    const auto all = static_cast<std::size_t>(term.entries);
    const std::span<const std::int32_t> lengths = canonical_.narrow_entries(term).subspan(all);
    constexpr std::size_t at_once = 64;
    Stretch stretch(0, lengths.front());
    for (std::size_t i = 0; i < all;) {
      const auto next = lengths.subspan(i, std::min(at_once, all - i));
      if (stretch.unit.divides_all(next)) [[likely]] {
        stretch.bytes += std::accumulate(next.begin(), next.end(), Count{0});
        i += next.size();
        continue;
      }
      const auto here = static_cast<Count>(i);
      const std::int32_t length = lengths[i++];
      stretch.count = here - stretch.first;
      if (!stretch.unit.divides(length) && stretch.count >= least_stretch) {
        add(step_of(term, stretch));
        stretch = Stretch(here, length);
      } else {
        stretch.unit = Divisor(std::gcd(stretch.unit.value(), length));
      }
      stretch.bytes += length;
    }
    stretch.count = term.entries - stretch.first;
    add(step_of(term, stretch));
  }

  /// Some runs of a list; their lengths are multiples of `unit`.
  struct Stretch {
    Stretch(Count begin, std::int32_t length) : first(begin), unit(length) {}

    Count first;
    Count count = 0;
    Count bytes = 0;
    Divisor unit;
  };

  [[nodiscard]] Step step_of(const Term& term, const Stretch& stretch) {
    if (const std::optional<Step> step = as_blocks(term, stretch)) return *step;
    Step step = list(term);
    step.kind = Step::Kind::runs;
    step.kernel = runs_kernel(true);
    step.entries = static_cast<const std::int32_t*>(step.entries) + stretch.first;
    step.entry_count = stretch.count;
    step.length_distance = term.entries;
    step.bytes = stretch.bytes;
    mark<std::int32_t>(step);
    return step;
  }

  /// Runs that are a few blocks of one size each: as a list of those blocks, which has a faster kernel.
  [[nodiscard]] std::optional<Step> as_blocks(const Term& term, const Stretch& stretch) {
    constexpr std::int32_t least_unit = 4;
    constexpr Count most_blocks_a_run = 3;
    const std::int32_t unit = stretch.unit.value();
    const Count blocks = stretch.bytes / unit;
    if (unit < least_unit || blocks > most_blocks_a_run * stretch.count) return std::nullopt;
    const std::int32_t* const offsets = canonical_.narrow_entries(term).data() + stretch.first;
    const std::int32_t* const lengths = offsets + term.entries;
    const auto count = static_cast<std::size_t>(stretch.count);
    std::int32_t most_offset = 0;
    std::int32_t most_length = 0;
    for (std::size_t i = 0; i < count; ++i) {
      most_offset = std::max(most_offset, offsets[i]);
      most_length = std::max(most_length, lengths[i]);
    }
    if (most_offset > std::numeric_limits<std::int32_t>::max() - most_length) return std::nullopt;
    auto list = std::make_unique<std::vector<std::int32_t>>(static_cast<std::size_t>(blocks) + 1);
    std::int32_t* next = list->data();
    const Divisor by_unit = stretch.unit;
    for (std::size_t i = 0; i < count; ++i) {
      // Most runs are one or two blocks, in an order that nobody can predict: write two and keep what counts.
      next[0] = offsets[i];
      next[1] = offsets[i] + unit;
      const std::int32_t here = by_unit.quotient(lengths[i]);
      for (std::int32_t j = 2; j < here; ++j) next[j] = offsets[i] + j * unit;
      next += here;
    }
    Step step;
    step.kind = Step::Kind::blocks;
    step.kernel = blocks_kernel(unit, true);
    step.offset = term.offset;
    step.block = unit;
    step.bytes = stretch.bytes;
    step.entries = list->data();
    step.entry_count = blocks;
    lists_.push_back(std::move(list));
    return step;
  }

  [[nodiscard]] Step columns(const Term& term, const Canonical::Dim& rounds) {
    auto all = std::make_unique<std::vector<Column>>();
    Count wire = 0;
    const auto add = [&](auto entries) {
      for (std::size_t i = 0; i < static_cast<std::size_t>(term.entries); ++i) {
        const Count block =
            term.kind == Term::Kind::blocks ? term.block : Count{entries[i + to_index(term.entries)]};
        all->push_back(column(entries[i], wire, block));
        wire += block;
      }
    };
    if (term.narrow)
      add(canonical_.narrow_entries(term));
    else
      add(canonical_.wide_entries(term));
    Step step;
    step.kind = Step::Kind::columns;
    step.kernel = columns_kernel();
    step.offset = term.offset;
    step.block = wire;
    step.loops[0] = rounds;
    step.bytes = wire * rounds.count;
    step.entries = all->data();
    step.entry_count = term.entries;
    columns_.push_back(std::move(all));
    return step;
  }

  const Canonical& canonical_;
  std::vector<Step> steps_;  ///< One for each term.
  // What steps point to.
  std::vector<std::unique_ptr<Step>> bodies_;
  std::vector<std::unique_ptr<Counts>> marks_;
  std::vector<std::unique_ptr<std::vector<std::int32_t>>> lists_;
  std::vector<std::unique_ptr<std::vector<Column>>> columns_;
};

}  // namespace

std::unique_ptr<const Code> choose_kernels(const CodeUnit& unit) {
  return std::make_unique<KernelProgram>(unit.canonical);
}

}  // namespace halocline::compile
