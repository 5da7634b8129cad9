// SPDX-License-Identifier: BSD-3-Clause
#include "plan/prediction/packing.hpp"

#include "base/integers.hpp"
#include "compile/form/canonical.hpp"

#include <algorithm>
#include <set>

namespace halocline::plan {
namespace {

constexpr std::size_t most_kinds = 16;

/// What a process with the largest share sends to the process at `offset`, of one field.
Layout message_layout(const Placed& placed, const Offset& offset) {
  Counts sizes, subsizes, starts;
  for (std::size_t d = 0; d < offset.size(); ++d) {
    const Count extent = placed.decomposition.largest_extent(d);
    const Count width = placed.problem.halo[d];
    const Count sent = offset[d] == 0 ? extent : std::min(width, extent);
    sizes.push_back(checked_add(extent, checked_multiply(2, width)));
    subsizes.push_back(sent);
    starts.push_back(offset[d] > 0 ? width + extent - sent : width);
  }
  return Layout::subarray(std::move(sizes), std::move(subsizes), std::move(starts), Layout::Order::c,
                          Layout::contiguous(placed.problem.value_bytes, Layout::named(Elementary::byte)));
}

Count pieces_of(const compile::Canonical& form) {
  Count pieces = 0;
  for (const auto& term : form.terms()) {
    Count of_term = std::max(term.entries, Count{1});
    for (const auto& dim : form.dims(term)) of_term = checked_multiply(of_term, dim.count);
    pieces = checked_add(pieces, of_term);
  }
  return pieces;
}

}  // namespace

std::vector<Packing> packing_of(const Placed& placed) {
  const Problem& problem = placed.problem;
  if (!problem.point_bytes.empty()) return {};  // of layouts that are not known
  std::set<std::vector<bool>> kinds;
  std::vector<Packing> packing;
  for (std::size_t i = 0; i < problem.stencil.size() && packing.size() < most_kinds; ++i) {
    const Offset& offset = problem.stencil.offsets()[i];
    std::vector<bool> kind;
    for (const Count component : offset) kind.push_back(component != 0);
    if (!kinds.insert(kind).second) continue;
    const compile::Canonical form(compile::Part{message_layout(placed, offset)});
    packing.push_back({offset, checked_multiply(form.bytes(), problem.fields),
                       checked_multiply(pieces_of(form), problem.fields), form.to_text()});
  }
  return packing;
}

}  // namespace halocline::plan
