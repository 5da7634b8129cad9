#include "plan/node_links.hpp"

#include "halocline/schedule/on_grid.hpp"

#include <algorithm>

namespace halocline::plan {
namespace {

Count different(std::vector<std::uint32_t> cells) {
  std::sort(cells.begin(), cells.end());
  return std::unique(cells.begin(), cells.end()) - cells.begin();
}

}  // namespace

Schedule direct_on(const Placed& placed) {
  return schedule::on(schedule::algorithm("direct"), placed.problem.stencil, Operation::alltoall,
                      placed.placement.grid());
}

NodeLinks::NodeLinks(const Placed& placed, Count longest) : nodes_(placed.node_of_cell), longest_(longest) {
  MessageWalk walk(direct_on(placed), placed.sizes(), Carried::leaving, nodes_);
  for (Count row = 0; row < walk.rows(); ++row)
    walk.row(row, [&](Count cell, Count peer, Count bytes) { add(cell, peer, bytes); });
  if (longest != any_length)
    std::erase_if(links_, [](const auto& entry) {
      const auto& [traffic, writers, readers] = entry.second;
      return !schedule::pays_by_node(traffic.messages, different(writers), different(readers));
    });
  last_ = links_.end();
}

bool NodeLinks::contain(Count cell, Count peer, Count bytes) {
  if (bytes > longest_) return false;
  const Ends ends = ends_of(cell, peer);
  if (last_ == links_.end() || last_->first != ends) last_ = links_.find(ends);
  return last_ != links_.end();
}

NodeLinks::Ends NodeLinks::ends_of(Count cell, Count peer) const {
  return {nodes_[static_cast<std::size_t>(cell)], nodes_[static_cast<std::size_t>(peer)]};
}

void NodeLinks::add(Count cell, Count peer, Count bytes) {
  if (bytes > longest_) return;
  const Ends ends = ends_of(cell, peer);
  if (last_ == links_.end() || last_->first != ends) last_ = links_.try_emplace(ends).first;
  Link& link = last_->second;
  link.traffic += place::Traffic{1, bytes};
  if (longest_ == any_length) return;
  link.writers.push_back(static_cast<std::uint32_t>(cell));
  link.readers.push_back(static_cast<std::uint32_t>(peer));
}

}  // namespace halocline::plan
