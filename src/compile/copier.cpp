// SPDX-License-Identifier: BSD-3-Clause
#include "halocline/compile/copier.hpp"

#include "base/fail.hpp"
#include "base/numbers.hpp"
#include "compile/kernels/address.hpp"
#include "compile/kernels/step.hpp"
#include "compile/packer_state.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

namespace halocline::compile {
namespace {

/// A quarter of the smallest first-level caches.
constexpr Count buffer_bytes = 8192;

using Term = Canonical::Term;
using Dims = std::span<const Canonical::Dim>;

/// Are both nests term by term, of the same blocks and counts?
bool have_same_loops(const Canonical& a, const Canonical& b) {
  const auto same_count = [](const Canonical::Dim& x, const Canonical::Dim& y) { return x.count == y.count; };
  const auto same_term = [&](const Term& x, const Term& y) {
    return x.kind == Term::Kind::nest && y.kind == Term::Kind::nest && x.block == y.block &&
           std::ranges::equal(a.dims(x), b.dims(y), same_count);
  };
  return std::ranges::equal(a.terms(), b.terms(), same_term);
}

/// The same loops on both sides.
void copy_nest(const Column& row, Dims from_dims, Dims to_dims, const std::byte* from, std::byte* to) {
  if (from_dims.empty()) return row.copy(1, from, 0, to, 0, row.block);
  const auto [count, from_stride] = from_dims.front();
  const Count to_stride = to_dims.front().stride;
  if (from_dims.size() == 1) return row.copy(count, from, from_stride, to, to_stride, row.block);
  for (Count i = 0; i < count; ++i)
    copy_nest(row, from_dims.subspan(1), to_dims.subspan(1), at(from, i * from_stride),
              at(to, i * to_stride));
}

/// The same loops on both sides, of their stream the bytes [first, end).
void copy_some(const Column& row, Dims from_dims, Dims to_dims, const std::byte* from, std::byte* to,
               Count first, Count end) {
  if (from_dims.empty()) {
    std::memcpy(at(to, first), at(from, first), to_size(end - first));
    return;
  }
  const Count from_stride = from_dims.front().stride, to_stride = to_dims.front().stride;
  Count unit = row.block;
  for (const Canonical::Dim& dim : from_dims.subspan(1)) unit *= dim.count;
  if (from_dims.size() == 1 && first % unit == 0 && end % unit == 0)
    return row.copy((end - first) / unit, at(from, first / unit * from_stride), from_stride,
                    at(to, first / unit * to_stride), to_stride, row.block);
  for (Count i = first / unit; i * unit < end; ++i)
    copy_some(row, from_dims.subspan(1), to_dims.subspan(1), at(from, i * from_stride), at(to, i * to_stride),
              std::max(first - i * unit, Count{0}), std::min(end - i * unit, unit));
}

/// So many for each part: they need not be cut.
constexpr Count enough_blocks = 4;

/// Where a part of so many things begins.
Count cut(Count count, int part, int parts) { return count / parts * part + count % parts * part / parts; }

/// The iterations of the outermost loop if all terms have as many, with another loop inside; otherwise 1.
Count outer_iterations(const Canonical& form) {
  Count common = 0;
  for (const Term& term : form.terms()) {
    const Dims dims = form.dims(term);
    if (dims.size() < 2 || (common != 0 && dims.front().count != common)) return 1;
    common = dims.front().count;
  }
  return std::max(common, Count{1});
}

}  // namespace

Copier::Copier(Packer from, Packer to)
    : from_(std::move(from)),
      to_(std::move(to)),
      same_loops_(have_same_loops(canonical_of(from_), canonical_of(to_))),
      slices_(same_loops_ ? outer_iterations(canonical_of(from_)) : 1),
      rows_(slices_ > 1 ? rows_of_slices() : std::vector<Rows>()) {
  require(from_.bytes() == to_.bytes(), "a source of ", from_.bytes(),
          " bytes does not fit a destination of ", to_.bytes(), " bytes");
}

void Copier::copy(const std::byte* from_base, std::byte* to_base) const {
  if (const auto source = from_.contiguous()) return to_.unpack(at(from_base, source->offset), to_base);
  if (const auto target = to_.contiguous()) return from_.pack(from_base, at(to_base, target->offset));
  if (same_loops_) {
    const Canonical& a = canonical_of(from_);
    const Canonical& b = canonical_of(to_);
    for (std::size_t i = 0; i < a.terms().size(); ++i) {
      const Term& x = a.terms()[i];
      const Term& y = b.terms()[i];
      copy_nest(column(0, 0, x.block), a.dims(x), b.dims(y), at(from_base, x.offset), at(to_base, y.offset));
    }
    return;
  }
  alignas(64) std::array<std::byte, buffer_bytes> buffer;
  if (bytes() <= buffer_bytes) {
    from_.pack(from_base, buffer.data());
    return to_.unpack(buffer.data(), to_base);
  }
  for (Count first = 0; first < bytes(); first += buffer_bytes) {
    const Count piece = std::min(buffer_bytes, bytes() - first);
    from_.pack(from_base, buffer.data(), first, piece);
    to_.unpack(buffer.data(), to_base, first, piece);
  }
}

Count Copier::runs() const { return std::max(canonical_of(from_).runs(), canonical_of(to_).runs()); }

void Copier::copy_bytes(const std::byte* from_base, std::byte* to_base, Count first, Count end) const {
  if (first == end) return;
  if (const auto source = from_.contiguous())
    return to_.unpack(at(from_base, source->offset + first), to_base, first, end - first);
  if (const auto target = to_.contiguous())
    return from_.pack(from_base, at(to_base, target->offset + first), first, end - first);
  alignas(64) std::array<std::byte, buffer_bytes> buffer;
  for (; first < end; first += buffer_bytes) {
    const Count piece = std::min(buffer_bytes, end - first);
    from_.pack(from_base, buffer.data(), first, piece);
    to_.unpack(buffer.data(), to_base, first, piece);
  }
}

void Copier::copy_part(const std::byte* from_base, std::byte* to_base, int part, int parts) const {
  const Canonical& a = canonical_of(from_);
  const Canonical& b = canonical_of(to_);
  if (!same_loops_ || a.contiguous() || b.contiguous())
    return copy_bytes(from_base, to_base, cut(bytes(), part, parts), cut(bytes(), part + 1, parts));
  for (std::size_t i = 0; i < a.terms().size(); ++i) {
    const Term& x = a.terms()[i];
    const Term& y = b.terms()[i];
    // Few blocks are long ones.
    const Count unit = x.bytes / x.block >= enough_blocks * parts ? x.block : 1;
    const Count first = cut(x.bytes / unit, part, parts) * unit,
                end = cut(x.bytes / unit, part + 1, parts) * unit;
    if (first < end)
      copy_some(column(0, 0, x.block), a.dims(x), b.dims(y), at(from_base, x.offset), at(to_base, y.offset),
                first, end);
  }
}

std::vector<Copier::Rows> Copier::rows_of_slices() const {
  const Canonical& a = canonical_of(from_);
  const Canonical& b = canonical_of(to_);
  std::vector<Rows> rows;
  for (std::size_t i = 0; i < a.terms().size(); ++i) {
    const Term& x = a.terms()[i];
    const Term& y = b.terms()[i];
    const Dims from_dims = a.dims(x), to_dims = b.dims(y);
    if (from_dims.size() != 2) return {};
    rows.push_back({column(0, 0, x.block).copy, from_dims[1].count, x.block, x.offset, from_dims[1].stride,
                    from_dims[0].stride, y.offset, to_dims[1].stride, to_dims[0].stride});
  }
  return rows;
}

void Copier::copy_slice(const std::byte* from_base, std::byte* to_base, Count slice) const {
  for (const Rows& rows : rows_)
    rows.copy(rows.count, at(from_base, rows.from + slice * rows.from_slice), rows.from_stride,
              at(to_base, rows.to + slice * rows.to_slice), rows.to_stride, rows.block);
  if (!rows_.empty()) return;
  const Canonical& a = canonical_of(from_);
  const Canonical& b = canonical_of(to_);
  for (std::size_t i = 0; i < a.terms().size(); ++i) {
    const Term& x = a.terms()[i];
    const Term& y = b.terms()[i];
    const Dims from_dims = a.dims(x), to_dims = b.dims(y);
    copy_nest(column(0, 0, x.block), from_dims.subspan(1), to_dims.subspan(1),
              at(from_base, x.offset + slice * from_dims.front().stride),
              at(to_base, y.offset + slice * to_dims.front().stride));
  }
}

}  // namespace halocline::compile
