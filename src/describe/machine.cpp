// SPDX-License-Identifier: BSD-3-Clause
#include "halocline/describe/machine.hpp"

#include "base/fail.hpp"
#include "base/scanner.hpp"

#include <algorithm>
#include <array>

namespace halocline {
namespace {

constexpr const char* machine_example = "\"node:4 core:8\", \"node:3 core:6,6,4\" or nodes:6,6,4";

/// The sizes of groups that hold `children[g]` consecutive subgroups each. Equal subgroups, the usual case,
/// are taken whole runs at a time, so that a million equal nodes cost no more than one.
Runs group_sizes(const Runs& children, const Runs& subgroup_sizes) {
  Runs sizes;
  Count subgroup = 0;
  for (const auto& [groups, arity] : children.runs()) {
    if (subgroup_sizes.uniform()) {
      sizes.append(arity * subgroup_sizes[0], groups);
      continue;
    }
    for (Count group = 0; group < groups; ++group, subgroup += arity)
      sizes.append(subgroup_sizes.start(subgroup + arity) - subgroup_sizes.start(subgroup));
  }
  return sizes;
}

std::string default_level_name(std::size_t level, std::size_t depth) {
  static constexpr std::array<const char*, 4> outer{"node", "package", "numa", "l3"};
  if (level == 0) return outer[0];
  if (level + 1 == depth) return "core";
  return level < outer.size() ? outer[level] : concat("level", level);
}

/// "2" for the same number in every group above, otherwise one number for each: "6,6,4".
Runs parse_children(const std::string& text, Count groups) {
  const Runs children = Runs::parse(text);
  return text.find_first_of(",x") == std::string::npos ? Runs::of(groups, children[0]) : children;
}

}  // namespace

Machine::Machine(std::vector<Level> levels) : levels_(std::move(levels)), sizes_(levels_.size()) {
  require(!levels_.empty(), "a machine needs at least one level");
  Count groups = 1;
  std::size_t node_levels = 0;
  for (std::size_t l = 0; l < levels_.size(); ++l) {
    const auto& [name, children] = levels_[l];
    require(children.size() == groups, "the machine's level ", name, " has ", children.size(),
            " entries for ", groups, " groups");
    groups = children.total();
    if (name == "node") {
      node_level_ = l;
      ++node_levels;
    }
    for (std::size_t above = 0; above < l; ++above)
      require(levels_[above].name != name, "the machine has two levels called ", name);
  }
  require(node_levels == 1, "a machine needs a level called node");
  sizes_.back() = Runs::of(groups, 1);
  for (std::size_t l = levels_.size() - 1; l-- > 0;)
    sizes_[l] = group_sizes(levels_[l + 1].children, sizes_[l + 1]);
}

Machine Machine::of_nodes(const Runs& sizes) {
  require(sizes.size() >= 1, "a machine needs at least one node");
  return Machine({{"node", Runs::of(1, sizes.size())}, {"core", sizes}});
}

Machine Machine::of_levels(const Counts& arities) {
  require(!arities.empty(), "a machine needs at least one level");
  std::vector<Level> levels;
  Count groups = 1;
  for (const Count arity : arities) {
    levels.push_back({default_level_name(levels.size(), arities.size()), Runs::of(groups, arity)});
    groups = levels.back().children.total();
  }
  return Machine(std::move(levels));
}

Machine Machine::parse(std::string_view text) {
  Scanner scan("machine", text, machine_example);
  scan.accept_blanks();
  if (scan.accept("nodes:")) {
    const Runs sizes = Runs::parse(scan.until_blank());
    scan.accept_blanks();
    scan.expect_end();
    return of_nodes(sizes);
  }
  std::vector<Level> levels;
  Count groups = 1;
  while (!scan.at_end()) {
    std::string name = scan.word();
    scan.expect(":");
    levels.push_back({std::move(name), parse_children(scan.until_blank(), groups)});
    groups = levels.back().children.total();
    if (!scan.accept_blanks()) break;
  }
  scan.expect_end();
  if (levels.empty()) scan.refuse("no level");
  return Machine(std::move(levels));
}

std::string Machine::to_text() const {
  std::string text;
  for (const auto& [name, children] : levels_) {
    if (!text.empty()) text += ' ';
    text += name + ':' + (children.uniform() ? std::to_string(children[0]) : children.to_text());
  }
  return text;
}

std::optional<Counts> Machine::arities() const {
  Counts arities;
  for (const Level& level : levels_) {
    if (!level.children.uniform()) return std::nullopt;
    arities.push_back(level.children[0]);
  }
  return arities;
}

Machine Machine::first(Rank ranks) const {
  std::vector<Level> levels;
  Count parents = 1;
  for (std::size_t l = 0; l < levels_.size(); ++l) {
    const Count groups = sizes_[l].find(ranks - 1) + 1;
    const Runs& all = levels_[l].children;
    Runs children;
    Count left = parents - 1;  // all but the last keep their children
    for (const auto& [repeats, value] : all.runs()) {
      children.append(value, std::min(left, repeats));
      left -= std::min(left, repeats);
    }
    children.append(groups - all.start(parents - 1));
    levels.push_back({levels_[l].name, std::move(children)});
    parents = groups;
  }
  return Machine(std::move(levels));
}

}  // namespace halocline
