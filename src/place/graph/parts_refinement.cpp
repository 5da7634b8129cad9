// SPDX-License-Identifier: BSD-3-Clause
#include "place/graph/parts_refinement.hpp"

#include "base/numbers.hpp"

#include <algorithm>
#include <array>

namespace halocline::place {
namespace {

constexpr int pair_passes = 3;
constexpr BisectionEffort anew{1, 2, 2};
constexpr std::size_t most_divided_anew = 4;
/// What takes time however small the parts are.
constexpr double steps_of_call = 300;

}  // namespace

PartsRefinement::PartsRefinement(const WorkGraph& graph, std::vector<Part> parts, std::size_t count)
    : graph_(graph),
      parts_(std::move(parts)),
      members_(count),
      cut_(cut_between(graph, parts_)),
      pieces_(graph),
      weight_to_(count, 0) {
  for (Vertex v = 0; v < parts_.size(); ++v) members_[parts_[v]].push_back(v);
}

void PartsRefinement::refine_pairs(int rounds, double& steps, Dice& dice) {
  std::vector<char> changed(members_.size(), 1);
  while (rounds-- > 0 && steps > 0) {
    std::vector<Pair> pairs = neighbouring_pairs(changed);
    if (pairs.empty()) return;
    std::fill(changed.begin(), changed.end(), 0);
    dice.shuffle(pairs);
    for (const Pair& pair : pairs)
      if (steps > 0 && refine(pair, steps)) changed[pair.first] = changed[pair.second] = 1;
  }
}

/// All pairs with something between them, and with at least one that has changed.
std::vector<PartsRefinement::Pair> PartsRefinement::neighbouring_pairs(const std::vector<char>& changed) {
  std::vector<Pair> pairs;
  for (Part a = 0; a < members_.size(); ++a)
    for (const auto& [b, weight] : weights_around(std::span(&a, 1)))
      if (a < b && (changed[a] != 0 || changed[b] != 0)) pairs.emplace_back(a, b);
  return pairs;
}

/// The parts that talk with some of `parts`, and how much.
std::vector<std::pair<Part, Count>> PartsRefinement::weights_around(std::span<const Part> parts) {
  std::vector<std::pair<Part, Count>> around;
  for (const Part part : parts)
    for (const Vertex v : members_[part])
      graph_.for_edges(v, [&](Vertex u, Count weight) {
        if (parts_[u] == part) return;
        if (weight_to_[parts_[u]] == 0) around.emplace_back(parts_[u], 0);
        weight_to_[parts_[u]] += weight;
      });
  for (auto& [part, weight] : around) weight = std::exchange(weight_to_[part], 0);
  std::erase_if(around, [&](const auto& other) {
    return std::find(parts.begin(), parts.end(), other.first) != parts.end();
  });
  return around;
}

std::vector<Vertex> PartsRefinement::members_of(std::span<const Part> parts) const {
  std::vector<Vertex> vertices;
  for (const Part part : parts) vertices.insert(vertices.end(), members_[part].begin(), members_[part].end());
  return vertices;
}

/// What it takes to look at all edges of some parts, which may be far more than those among them.
double PartsRefinement::reach_of(std::span<const Part> parts) const {
  std::size_t ends = 0;
  for (const Part part : parts)
    for (const Vertex v : members_[part]) ends += graph_.starts[v + 1] - graph_.starts[v];
  return to_double(ends);
}

void PartsRefinement::assign(std::span<const Vertex> vertices, std::span<const Part> now) {
  for (const Part part : now) members_[part].clear();
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    parts_[vertices[i]] = now[i];
    members_[now[i]].push_back(vertices[i]);
  }
}

bool PartsRefinement::refine(Pair pair, double& steps) {
  const std::array both{pair.first, pair.second};
  const std::vector<Vertex> vertices = members_of(both);
  const WorkGraph piece = pieces_.among(vertices);
  const std::size_t left = members_[pair.first].size();
  std::vector<Side> sides(vertices.size(), 1);
  std::fill_n(sides.begin(), left, 0);
  TwoSides state(piece, to_count(left), std::move(sides));
  const Count before = state.cut();
  state.refine(pair_passes);
  steps -= pair_passes * to_double(piece.extent()) + reach_of(both);
  if (state.cut() >= before) return false;
  cut_ -= before - state.cut();
  const std::vector<Side> better = std::move(state).take();
  std::vector<Part> now(vertices.size());
  for (std::size_t i = 0; i < now.size(); ++i) now[i] = better[i] == 0 ? pair.first : pair.second;
  assign(vertices, now);
  return true;
}

/// A part and some around it, each by chance as large as what it has to do with those before.
std::vector<Part> PartsRefinement::few_neighbours(Dice& dice) {
  std::vector<Part> parts{static_cast<Part>(dice.below(members_.size()))};
  const std::size_t wanted = 2 + dice.below(most_divided_anew - 1);
  while (parts.size() < wanted) {
    const auto around = weights_around(parts);
    double sum = 0;
    for (const auto& [part, weight] : around) sum += to_double(weight);
    if (sum == 0) break;
    double left = sum * to_double(dice.below(std::size_t{1} << 20)) / 0x1p20;
    Part chosen = around.back().first;
    for (const auto& [part, weight] : around) {
      left -= to_double(weight);
      if (left >= 0) continue;
      chosen = part;
      break;
    }
    parts.push_back(chosen);
  }
  return parts;
}

bool PartsRefinement::divide(std::span<const Part> parts, double& steps, Dice& dice) {
  const std::vector<Vertex> vertices = members_of(parts);
  const WorkGraph piece = pieces_.among(vertices);
  Counts sizes;
  std::vector<Part> old;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    sizes.push_back(count_of(members_[parts[i]]));
    old.insert(old.end(), members_[parts[i]].size(), static_cast<Part>(i));
  }
  const Count before = cut_between(piece, old);
  PartsRefinement fresh(piece, parts_by_bisection(piece, sizes, anew, dice), parts.size());
  steps -= anew.growings * anew.passes * to_double(piece.extent());
  if (parts.size() > 2) fresh.refine_pairs(4, steps, dice);
  if (fresh.cut() > before) return false;
  cut_ -= before - fresh.cut();
  std::vector<Part> now(vertices.size());
  for (std::size_t i = 0; i < now.size(); ++i) now[i] = parts[fresh.parts()[i]];
  assign(vertices, now);
  return fresh.cut() < before;
}

void PartsRefinement::divide_anew(double& steps, Dice& dice) {
  if (members_.size() < 2) return;
  const std::size_t most_in_vain = 200 + 60 * members_.size();
  for (std::size_t in_vain = 0; steps > 0 && cut_ > 0 && in_vain < most_in_vain; ++in_vain) {
    const std::vector<Part> parts = few_neighbours(dice);
    steps -= steps_of_call + reach_of(parts) * to_double(parts.size());
    if (parts.size() > 1 && divide(parts, steps, dice)) in_vain = 0;
  }
}

}  // namespace halocline::place
