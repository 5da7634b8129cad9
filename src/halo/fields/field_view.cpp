// SPDX-License-Identifier: BSD-3-Clause
#include "halocline/halo/field_view.hpp"

#include "base/fail.hpp"
#include "base/integers.hpp"
#include "base/join.hpp"
#include "base/numbers.hpp"
#include "compile/form/part_range.hpp"
#include "halo/fields/field_memory.hpp"
#include "halo/fields/whole_array.hpp"
#include "halocline/base/error.hpp"

#include <algorithm>
#include <numeric>

namespace halocline {
namespace {

void require_lengths(std::size_t dimensions, const Counts& list, const char* what) {
  if (list.size() != dimensions)
    fail(Fault::invalid_dimensions, list.size(), " ", what, " for a field of ", dimensions, " dimensions");
}

void require_widths(const HaloWidths& halo, std::size_t dimensions) {
  require_lengths(dimensions, halo.low, "halo widths");
  require_lengths(dimensions, halo.high, "halo widths");
  for (std::size_t d = 0; d < dimensions; ++d)
    if (halo.low[d] < 0 || halo.high[d] < 0)
      fail(Fault::invalid_dimensions, "a halo of ", std::min(halo.low[d], halo.high[d]),
           " points along dimension ", d, "; 0 is the least");
}

/// Throws unless all points, with all bytes of their elements, can lie in memory: so can any part of the
/// field then, as a halo takes them. @pre there are points
void require_addresses(const FieldView& field) {
  const HaloWidths& halo = field.halo();
  FieldView::Part all;
  std::vector<std::size_t> order(field.dimensions());
  std::iota(order.begin(), order.end(), std::size_t{0});
  Count address = to_count(field.origin());
  for (const std::size_t d : order) {
    all.first.push_back(-halo.low[d]);
    all.count.push_back(checked_add(checked_add(field.extents()[d], halo.low[d]), halo.high[d]));
    address = checked_add(address, checked_multiply(-halo.low[d], field.strides()[d]));
  }
  compile::require_memory(compile::Part{field.layout(all, order), 1, address});
}

[[noreturn]] void refuse_addresses(const Counts& own, const Counts& strides, const HaloWidths& halo,
                                   const Error& error) {
  fail(Fault::invalid_dimensions, "a field of ", join(own, "x"), " own points with halos of ",
       join(halo.low, ","), " and ", join(halo.high, ","), ", ", join(strides, ","),
       " bytes apart, lies outside all memory: ", error.what());
}

/// The address of the first own point, if that of the first of all is known.
Count own_address(const void* first, const Counts& strides, const HaloWidths& halo) {
  Count address = to_count(first);
  for (std::size_t d = 0; d < strides.size(); ++d)
    address = checked_add(address, checked_multiply(halo.low[d], strides[d]));
  return address;
}

void check(const FieldView& field) {
  const Counts &extents = field.extents(), &strides = field.strides();
  const HaloWidths& halo = field.halo();
  if (extents.empty()) fail(Fault::invalid_dimensions, "a field of no dimensions");
  require_lengths(extents.size(), strides, "strides");
  require_widths(halo, extents.size());
  for (std::size_t d = 0; d < extents.size(); ++d) {
    if (extents[d] < 1)
      fail(Fault::invalid_dimensions, "a field of ", extents[d], " own points along dimension ", d,
           "; there must be one at least");
    require(strides[d] != 0 || (extents[d] == 1 && halo.low[d] == 0 && halo.high[d] == 0),
            "all points along dimension ", d, " lie at the same address");
  }
  try {
    require_addresses(field);
  } catch (const Error& error) {
    refuse_addresses(extents, strides, halo, error);
  }
}

Counts dense_strides(const Counts& extents, Count bytes, Layout::Order order) {
  Counts strides(extents.size());
  if (std::any_of(extents.begin(), extents.end(), [](Count extent) { return extent < 1; }))
    return Counts(extents.size(), bytes);  // refused by whoever asks for them
  Count stride = bytes;
  for (std::size_t i = 0; i < extents.size(); ++i) {
    const std::size_t d = order == Layout::Order::fortran ? i : extents.size() - 1 - i;
    strides[d] = stride;
    if (__builtin_mul_overflow(stride, extents[d], &stride))
      fail(Fault::invalid_dimensions, "an array of ", join(extents, "x"), " points of ", bytes,
           " bytes is larger than all memory");
  }
  return strides;
}

}  // namespace

FieldView::FieldView(void* origin, Layout element, Counts extents, Counts strides, HaloWidths halo)
    : origin_(origin),
      element_(std::move(element)),
      extents_(std::move(extents)),
      strides_(std::move(strides)),
      halo_(std::move(halo)) {
  check(*this);
}

FieldView::FieldView() : origin_(nullptr), element_(Layout::named(Elementary::byte)) {}

void* FieldView::at(std::span<const Count> point) const {
  auto* address = static_cast<std::byte*>(origin_);
  for (std::size_t d = 0; d < point.size(); ++d) address += point[d] * strides_[d];
  return address;
}

Layout FieldView::layout(const Part& part, std::span<const std::size_t> order) const {
  Layout points = element_;
  for (std::size_t i = order.size(); i-- > 0;)
    points = Layout::hvector(part.count[order[i]], 1, strides_[order[i]], std::move(points));
  return points;
}

FieldView staggered(FieldView view, const std::vector<std::size_t>& dimensions) {
  std::vector<std::size_t> rising = dimensions;
  std::sort(rising.begin(), rising.end());
  for (std::size_t i = 0; i < rising.size(); ++i) {
    const std::size_t d = rising[i];
    if (d >= view.dimensions())
      fail(Fault::invalid_dimensions, "a field staggered along dimension ", d, "; it has ", view.dimensions(),
           ", counted from 0");
    require(i == 0 || rising[i - 1] != d, "a field staggered along dimension ", d, " twice");
    if (view.extents()[d] < 2)
      fail(Fault::invalid_dimensions, "a field of ", view.extents()[d], " point along dimension ", d,
           ", staggered along it; there must be two at least, the last of which is shared");
  }
  view.staggered_ = std::move(rising);
  return view;
}

FieldView kept_in(FieldView view, std::shared_ptr<FieldView::Memory> memory) {
  view.memory_ = std::move(memory);
  return view;
}

FieldView halo::whole_array(void* first, const Layout& element, const Counts& extents, const HaloWidths& halo,
                            Counts strides) {
  require_widths(halo, extents.size());
  require_lengths(extents.size(), strides, "strides");
  Counts own(extents.size());
  for (std::size_t d = 0; d < extents.size(); ++d) {
    // Widths may be as large as integers get: their sum need not be one.
    if (halo.low[d] >= extents[d] || halo.high[d] >= extents[d] - halo.low[d])
      fail(Fault::invalid_dimensions, "an array of ", extents[d], " points along dimension ", d,
           " with halos of ", halo.low[d], " and ", halo.high[d], " has no point of its own");
    own[d] = extents[d] - halo.low[d] - halo.high[d];
  }
  Count address = 0;
  try {
    if (first != nullptr) address = own_address(first, strides, halo);
  } catch (const Error& error) {
    refuse_addresses(own, strides, halo, error);
  }
  // As a number until now: an address outside all memory must not be a pointer.
  return FieldView(reinterpret_cast<void*>(address),  // NOLINT(performance-no-int-to-ptr)
                   element, std::move(own), std::move(strides), halo);
}

FieldView view(void* first, const Layout& element, const Counts& extents, const HaloWidths& halo,
               Layout::Order order) {
  return halo::whole_array(first, element, extents, halo, dense_strides(extents, element.extent(), order));
}

FieldView view(void* first, const Layout& element, const Counts& extents, const HaloWidths& halo,
               const Counts& strides) {
  Counts bytes;
  bytes.reserve(strides.size());
  for (const Count stride : strides) bytes.push_back(checked_multiply(stride, element.extent()));
  return halo::whole_array(first, element, extents, halo, std::move(bytes));
}

}  // namespace halocline
