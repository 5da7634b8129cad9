#include "halocline/halo/field_view.hpp"

#include "base/integers.hpp"
#include "base/join.hpp"
#include "halocline/base/error.hpp"

#include <algorithm>

namespace halocline {
namespace {

void require_lengths(std::size_t dimensions, const Counts& list, const char* what) {
  if (list.size() != dimensions)
    fail(Fault::invalid_dimensions, list.size(), " ", what, " for a field of ", dimensions, " dimensions");
}

void check(const Counts& extents, const Counts& strides, const HaloWidths& halo) {
  if (extents.empty()) fail(Fault::invalid_dimensions, "a field of no dimensions");
  require_lengths(extents.size(), strides, "strides");
  require_lengths(extents.size(), halo.low, "halo widths");
  require_lengths(extents.size(), halo.high, "halo widths");
  for (std::size_t d = 0; d < extents.size(); ++d) {
    if (halo.low[d] < 0 || halo.high[d] < 0)
      fail(Fault::invalid_dimensions, "a halo of ", std::min(halo.low[d], halo.high[d]),
           " points along dimension ", d);
    if (extents[d] < 1)
      fail(Fault::invalid_dimensions, "a field of ", extents[d], " own points along dimension ", d,
           "; there must be one at least");
    require(strides[d] != 0 || extents[d] + halo.low[d] + halo.high[d] == 1, "all points along dimension ", d,
            " lie at the same address");
  }
}

Counts dense_strides(const Counts& extents, Count bytes, Layout::Order order) {
  Counts strides(extents.size());
  Count stride = bytes;
  for (std::size_t i = 0; i < extents.size(); ++i) {
    const std::size_t d = order == Layout::Order::fortran ? i : extents.size() - 1 - i;
    strides[d] = stride;
    stride = checked_multiply(stride, extents[d]);
  }
  return strides;
}

FieldView whole_array(void* first, const Layout& element, const Counts& extents, const HaloWidths& halo,
                      Counts strides) {
  require_lengths(extents.size(), halo.low, "halo widths");
  require_lengths(extents.size(), halo.high, "halo widths");
  require_lengths(extents.size(), strides, "strides");
  Counts own(extents.size());
  auto* origin = static_cast<std::byte*>(first);
  for (std::size_t d = 0; d < extents.size(); ++d) {
    own[d] = extents[d] - halo.low[d] - halo.high[d];
    if (own[d] < 1)
      fail(Fault::invalid_dimensions, "an array of ", extents[d], " points along dimension ", d,
           " with halos of ", halo.low[d], " and ", halo.high[d], " has no point of its own");
    origin += halo.low[d] * strides[d];
  }
  return FieldView(origin, element, std::move(own), std::move(strides), halo);
}

}  // namespace

FieldView::FieldView(void* origin, Layout element, Counts extents, Counts strides, HaloWidths halo)
    : origin_(origin),
      element_(std::move(element)),
      extents_(std::move(extents)),
      strides_(std::move(strides)),
      halo_(std::move(halo)) {
  check(extents_, strides_, halo_);
}

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

FieldView FieldView::in(std::shared_ptr<Memory> memory) const {
  FieldView kept = *this;
  kept.memory_ = std::move(memory);
  return kept;
}

FieldView view(void* first, const Layout& element, const Counts& extents, const HaloWidths& halo,
               Layout::Order order) {
  return whole_array(first, element, extents, halo, dense_strides(extents, element.extent(), order));
}

FieldView view(void* first, const Layout& element, const Counts& extents, const HaloWidths& halo,
               const Counts& strides) {
  Counts bytes;
  bytes.reserve(strides.size());
  for (const Count stride : strides) bytes.push_back(checked_multiply(stride, element.extent()));
  return whole_array(first, element, extents, halo, std::move(bytes));
}

}  // namespace halocline
