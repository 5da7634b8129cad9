// SPDX-License-Identifier: BSD-3-Clause
#include "halocline/halo/array_view.hpp"

#include "base/fail.hpp"
#include "base/integers.hpp"
#include "base/join.hpp"
#include "base/numbers.hpp"
#include "halo/fields/whole_array.hpp"
#include "halocline/base/error.hpp"

#include <algorithm>

namespace halocline {

Layout members_as_element(const std::vector<MemberPlace>& members, Count structure_bytes) {
  for (std::size_t i = 0; i < members.size(); ++i)
    for (std::size_t before = 0; before < i; ++before) {
      const MemberPlace &one = members[before], &other = members[i];
      require(one.offset + one.bytes <= other.offset || other.offset + other.bytes <= one.offset, "members ",
              before, " and ", i, " of a structure have bytes in common, from ", one.offset, " and from ",
              other.offset, " on; each is named once");
    }
  Counts blocklengths(members.size(), 1), offsets;
  std::vector<Layout> layouts;
  for (const MemberPlace& member : members) {
    offsets.push_back(member.offset);
    layouts.push_back(member.layout);
  }
  return Layout::resized(0, structure_bytes, Layout::structure(blocklengths, offsets, layouts));
}

FieldView view_of_shape(const ArrayShape& array, const HaloWidths& halo, Components components) {
  const std::size_t rank = array.extents.size(), dimensions = halo.low.size();
  require(array.strided, "an array of ", join(array.extents, "x"),
          " whose layout has no strides; halos need one for each dimension");
  if (dimensions == 0 || dimensions > rank)
    fail(Fault::invalid_dimensions, "an array of ", rank, " dimensions (", join(array.extents, "x"),
         ") with halo widths for ", dimensions, "; there is one for each dimension of the mesh");
  const std::size_t others = rank - dimensions;
  const std::size_t first_point = components == Components::first ? others : 0;
  const std::size_t first_other = components == Components::first ? 0 : dimensions;
  Layout element = array.element;
  for (std::size_t i = others; i-- > 0;) {
    const std::size_t d = first_other + i;
    if (array.extents[d] < 1)
      fail(Fault::invalid_dimensions, "an array of ", join(array.extents, "x"), ", whose dimension ", d,
           " has components; there is one at least");
    element = Layout::hvector(array.extents[d], 1, checked_multiply(array.strides[d], array.element_bytes),
                              std::move(element));
  }
  Counts extents, stride_bytes;
  for (std::size_t i = 0; i < dimensions; ++i) {
    extents.push_back(array.extents[first_point + i]);
    stride_bytes.push_back(checked_multiply(array.strides[first_point + i], array.element_bytes));
  }
  return halo::whole_array(array.first, element, extents, halo, std::move(stride_bytes));
}

}  // namespace halocline
