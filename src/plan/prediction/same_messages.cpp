// SPDX-License-Identifier: BSD-3-Clause
#include "plan/prediction/same_messages.hpp"

#include "base/fail.hpp"
#include "base/join.hpp"
#include "plan/prediction/prediction.hpp"

#include <map>

namespace halocline::plan {
namespace {

/// By offset, of the process on a cell; what goes in one direction several times goes one after the other.
std::map<Offset, Counts> messages_from(const Problem& given, const Grid& grid, Count cell) {
  const Problem problem = ready(given);
  const Decomposition decomposition = problem.cut(grid);
  const BlockSizes sizes = sizes_of(problem, decomposition);
  std::map<Offset, Counts> messages;
  for (std::size_t i = 0; i < problem.stencil.size(); ++i)
    messages[problem.stencil.offsets()[i]].push_back(sizes.bytes(i, grid.cell(cell)));
  return messages;
}

}  // namespace

std::string why_other_messages(const Problem& planned, const Problem& here, const Grid& grid) {
  const bool gathers = planned.blocks == Operation::allgather;
  if (gathers != (here.blocks == Operation::allgather))
    return gathers ? "it gathers blocks, and here all are different"
                   : "its blocks are all different, and here they are gathered";
  for (const Count cell : {Count{0}, grid.size() - 1}) {
    const auto theirs = messages_from(planned, grid, cell), ours = messages_from(here, grid, cell);
    if (theirs.size() != ours.size())
      return concat("it has ", theirs.size(), " different neighbours, and here are ", ours.size());
    for (const auto& [offset, bytes] : ours) {
      const auto other = theirs.find(offset);
      if (other == theirs.end()) return concat("it has no neighbour at ", join(offset, ","));
      if (other->second != bytes)
        return concat("its block to the neighbour at ", join(offset, ","), " has ",
                      join(other->second, " and "), " bytes, and here ", join(bytes, " and "));
    }
  }
  return "";
}

}  // namespace halocline::plan
