// SPDX-License-Identifier: BSD-3-Clause
#include "place/graph/coarsening.hpp"

#include "base/numbers.hpp"

#include <numeric>

namespace halocline::place {
namespace {

/// Pairs of vertices; who is alone is its own partner.
class Matching {
 public:
  Matching(const WorkGraph& graph, Count largest)
      : graph_(graph), largest_(largest), partner_(graph.vertices(), no_vertex) {}

  std::vector<Vertex> pairs(Dice& dice) {
    std::vector<Vertex> order(graph_.vertices());
    std::iota(order.begin(), order.end(), Vertex{0});
    dice.shuffle(order);
    for (const Vertex v : order)
      if (partner_[v] == no_vertex) match_with_neighbour(v, dice);
    match_what_is_left(order);
    return std::move(partner_);
  }

 private:
  void match(Vertex a, Vertex b) {
    partner_[a] = b;
    partner_[b] = a;
  }

  [[nodiscard]] bool may_match(Vertex a, Vertex b) const {
    return partner_[b] == no_vertex && graph_.sizes[a] + graph_.sizes[b] <= largest_;
  }

  /// Small vertices first: those of equal size stay so.
  void match_with_neighbour(Vertex v, Dice& dice) {
    double best_rating = 0;
    Vertex best = no_vertex;
    std::size_t equals = 1;
    graph_.for_edges(v, [&](Vertex u, Count weight) {
      if (!may_match(v, u)) return;
      const double rating = to_double(weight) * to_double(weight) / to_double(graph_.sizes[u]);
      if (rating > best_rating) {
        best_rating = rating;
        best = u;
        equals = 1;
      } else if (rating == best_rating && dice.below(++equals) == 0) {
        best = u;
      }
    });
    if (best != no_vertex) match(v, best);
  }

  [[nodiscard]] Vertex heaviest_neighbour(Vertex v) const {
    Vertex heaviest = no_vertex;
    Count most = 0;
    graph_.for_edges(v, [&](Vertex u, Count weight) {
      if (weight <= most) return;
      most = weight;
      heaviest = u;
    });
    return heaviest;
  }

  /// By a vertex that two of them talk with most; those that talk with none by each other.
  void match_what_is_left(const std::vector<Vertex>& order) {
    std::vector<Vertex> waiting(graph_.vertices() + 1, no_vertex);
    for (const Vertex v : order) {
      if (partner_[v] != no_vertex) continue;
      const Vertex heaviest = heaviest_neighbour(v);
      Vertex& other = waiting[heaviest == no_vertex ? graph_.vertices() : heaviest];
      if (other != no_vertex && other != v && may_match(v, other)) {
        match(v, other);
        other = no_vertex;
      } else {
        other = v;
      }
    }
    for (Vertex v = 0; v < partner_.size(); ++v)
      if (partner_[v] == no_vertex) partner_[v] = v;
  }

  const WorkGraph& graph_;
  Count largest_;
  std::vector<Vertex> partner_;
};

/// Adds up the edges of the vertices that become one.
class Contraction {
 public:
  Contraction(const WorkGraph& fine, const std::vector<Vertex>& partner) : fine_(fine), partner_(partner) {
    result_.vertex_of.resize(fine.vertices());
    Vertex next = 0;
    for (Vertex v = 0; v < fine.vertices(); ++v)
      result_.vertex_of[v] = partner[v] < v ? result_.vertex_of[partner[v]] : next++;
    place_.assign(next, 0);
  }

  CoarserGraph result() {
    result_.graph.targets.reserve(fine_.targets.size());
    result_.graph.weights.reserve(fine_.targets.size());
    for (Vertex v = 0; v < fine_.vertices(); ++v)
      if (partner_[v] >= v) add_vertex(v, partner_[v]);
    return std::move(result_);
  }

 private:
  void add_vertex(Vertex v, Vertex other) {
    WorkGraph& coarse = result_.graph;
    const Vertex own = result_.vertex_of[v];
    add_edges(own, v);
    if (other != v) add_edges(own, other);
    coarse.starts.push_back(coarse.targets.size());
    coarse.sizes.push_back(fine_.sizes[v] + (other == v ? 0 : fine_.sizes[other]));
  }

  void add_edges(Vertex own, Vertex v) {
    WorkGraph& coarse = result_.graph;
    fine_.for_edges(v, [&](Vertex u, Count weight) {
      const Vertex target = result_.vertex_of[u];
      if (target == own) return;
      // A place behind this row's start is one of this row: no need to clear between rows.
      std::size_t& place = place_[target];
      if (place >= coarse.starts.back() && place < coarse.targets.size() && coarse.targets[place] == target) {
        coarse.weights[place] += weight;
        return;
      }
      place = coarse.targets.size();
      coarse.targets.push_back(target);
      coarse.weights.push_back(weight);
    });
  }

  const WorkGraph& fine_;
  const std::vector<Vertex>& partner_;
  CoarserGraph result_;
  std::vector<std::size_t> place_;  ///< Where the edge to each coarse vertex was last put.
};

}  // namespace

CoarserGraph coarser(const WorkGraph& graph, Count largest, Dice& dice) {
  const std::vector<Vertex> partner = Matching(graph, largest).pairs(dice);
  return Contraction(graph, partner).result();
}

}  // namespace halocline::place
