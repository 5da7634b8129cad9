#include "graph/partitioners.hpp"

#include "base/numbers.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace halocline::bench {
namespace {

using place::MessageGraph;
using Number = std::int32_t;  // as Debian builds both

struct Rows {
  std::vector<Number> starts{0}, targets, weights;
};

Rows rows_of(const MessageGraph& graph) {
  Rows rows;
  for (Rank rank = 0; rank < graph.ranks(); ++rank) {
    for (const Rank other : graph.neighbours(rank)) rows.targets.push_back(to_int(other));
    for (const Count bytes : graph.bytes_with_neighbours(rank)) rows.weights.push_back(to_int(bytes));
    rows.starts.push_back(to_int(rows.targets.size()));
  }
  return rows;
}

std::vector<Number> sizes_of(const Runs& nodes) {
  std::vector<Number> sizes;
  for (Count node = 0; node < nodes.size(); ++node) sizes.push_back(to_int(nodes[node]));
  return sizes;
}

/// Moves one rank from a node that has too many to one with room, the pair that costs least.
void move_one(const MessageGraph& graph, std::vector<Count>& room, std::vector<Number>& node_of) {
  Count best_gain = 0;
  Rank best = -1;
  Number best_node = -1;
  std::vector<Count> near(room.size(), 0);
  for (Rank rank = 0; rank < graph.ranks(); ++rank) {
    const Number own = node_of[to_index(rank)];
    if (room[to_index(own)] >= 0) continue;
    std::fill(near.begin(), near.end(), 0);
    const auto others = graph.neighbours(rank);
    for (std::size_t i = 0; i < others.size(); ++i)
      near[to_index(node_of[to_index(others[i])])] += graph.bytes_with_neighbours(rank)[i];
    for (std::size_t node = 0; node < room.size(); ++node) {
      const Count gain = near[node] - near[to_index(own)];
      if (room[node] <= 0 || (best >= 0 && gain <= best_gain)) continue;
      best_gain = gain;
      best = rank;
      best_node = to_int(node);
    }
  }
  ++room[to_index(node_of[to_index(best)])];
  --room[to_index(best_node)];
  node_of[to_index(best)] = best_node;
}

Count crossing(const MessageGraph& graph, const std::vector<Number>& node_of) {
  Count sum = 0;
  for (Rank rank = 0; rank < graph.ranks(); ++rank) {
    const auto others = graph.neighbours(rank);
    for (std::size_t i = 0; i < others.size(); ++i)
      if (others[i] > rank && node_of[to_index(others[i])] != node_of[to_index(rank)])
        sum += graph.bytes_with_neighbours(rank)[i];
  }
  return sum;
}

void fill_exactly(const MessageGraph& graph, const Runs& nodes, std::vector<Number>& node_of) {
  std::vector<Count> room;
  for (const Number size : sizes_of(nodes)) room.push_back(size);
  for (const Number node : node_of) --room[to_index(node)];
  while (std::any_of(room.begin(), room.end(), [](Count free) { return free < 0; }))
    move_one(graph, room, node_of);
}

void keep_best(std::optional<PartitionerCrossing>& best, const MessageGraph& graph, const Runs& nodes,
               std::vector<Number> node_of) {
  const Count before = crossing(graph, node_of);
  fill_exactly(graph, nodes, node_of);
  const Count exact = crossing(graph, node_of);
  best = best ? PartitionerCrossing{std::min(best->exact, exact), std::min(best->before, before)}
              : PartitionerCrossing{exact, before};
}

template <class F>
F* symbol(void* library, const char* name) {
  return reinterpret_cast<F*>(dlsym(library, name));
}

/// Scotch's objects are a few hundred bytes.
struct alignas(std::max_align_t) Opaque {
  std::array<std::byte, 4096> bytes{};
};

std::optional<std::vector<Number>> scotch_parts(void* library, const Rows& rows,
                                                const std::vector<Number>& sizes, Number strategy_flags) {
  Opaque graph, machine, strategy;
  for (const auto& [name, object] :
       {std::pair{"SCOTCH_graphInit", &graph}, std::pair{"SCOTCH_archInit", &machine},
        std::pair{"SCOTCH_stratInit", &strategy}})
    symbol<int(void*)>(library, name)(object);
  const auto vertices = to_int(rows.starts.size() - 1);
  std::vector<Number> parts(to_size(vertices));
  const int code =
      symbol<int(void*, Number, Number, const Number*, const Number*, const Number*, const Number*, Number,
                 const Number*, const Number*)>(library, "SCOTCH_graphBuild")(
          &graph, 0, vertices, rows.starts.data(), nullptr, nullptr, nullptr, to_int(rows.targets.size()),
          rows.targets.data(), rows.weights.data()) |
      symbol<int(void*, Number, const Number*)>(library, "SCOTCH_archCmpltw")(&machine, to_int(sizes.size()),
                                                                              sizes.data()) |
      symbol<int(void*, Number, Number, double)>(library, "SCOTCH_stratGraphMapBuild")(
          &strategy, strategy_flags, to_int(sizes.size()), 0.001) |
      symbol<int(void*, void*, void*, Number*)>(library, "SCOTCH_graphMap")(&graph, &machine, &strategy,
                                                                            parts.data());
  symbol<void(void*)>(library, "SCOTCH_stratExit")(&strategy);
  symbol<void(void*)>(library, "SCOTCH_archExit")(&machine);
  symbol<void(void*)>(library, "SCOTCH_graphExit")(&graph);
  return code == 0 ? std::optional(parts) : std::nullopt;
}

}  // namespace

std::optional<PartitionerCrossing> crossing_by_scotch(const MessageGraph& graph, const Runs& nodes) {
  void* const library = dlopen("libscotch-7.0.so", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr || symbol<int()>(library, "SCOTCH_numSizeof")() != sizeof(Number))
    return std::nullopt;
  const Rows rows = rows_of(graph);
  std::optional<PartitionerCrossing> best;
  constexpr Number quality = 1, balance = 0x10;
  for (const Number flags : {0, quality, balance, quality | balance}) {
    const auto parts = scotch_parts(library, rows, sizes_of(nodes), flags);
    if (parts) keep_best(best, graph, nodes, *parts);
  }
  return best;
}

std::optional<PartitionerCrossing> crossing_by_metis(const MessageGraph& graph, const Runs& nodes) {
  using Set = int(Number*);
  using Cut = int(const Number*, const Number*, const Number*, const Number*, const Number*, const Number*,
                  const Number*, const Number*, const float*, const float*, const Number*, Number*, Number*);
  void* const library = dlopen("libmetis.so.5", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return std::nullopt;
  const Rows rows = rows_of(graph);
  const Number vertices = to_int(graph.ranks()), constraints = 1, parts = to_int(nodes.size());
  std::vector<float> shares;
  for (const Number size : sizes_of(nodes))
    shares.push_back(static_cast<float>(size) / static_cast<float>(vertices));
  std::optional<PartitionerCrossing> best;
  for (const char* const name : {"METIS_PartGraphRecursive", "METIS_PartGraphKway"}) {
    std::array<Number, 40> options{};
    symbol<Set>(library, "METIS_SetDefaultOptions")(options.data());
    options[7] = 4;   // METIS_OPTION_NCUTS
    options[16] = 1;  // METIS_OPTION_UFACTOR
    std::vector<Number> node_of(to_size(vertices));
    Number cut = 0;
    constexpr int ok = 1;
    if (symbol<Cut>(library, name)(&vertices, &constraints, rows.starts.data(), rows.targets.data(), nullptr,
                                   nullptr, rows.weights.data(), &parts, shares.data(), nullptr,
                                   options.data(), &cut, node_of.data()) != ok)
      continue;
    keep_best(best, graph, nodes, std::move(node_of));
  }
  return best;
}

std::optional<PartitionerCrossing> crossing_by_kahip(const MessageGraph& graph, const Runs& nodes) {
  using Cut = void(int*, int*, Number*, Number*, Number*, int*, double*, bool, bool, int, int, Number*, int*);
  void* const library = dlopen("libkahip.so", RTLD_NOW | RTLD_LOCAL);
  const std::vector<Number> sizes = sizes_of(nodes);
  const bool alike = std::ranges::adjacent_find(sizes, std::not_equal_to<>()) == sizes.end();
  if (library == nullptr || !alike || symbol<int()>(library, "kahip_sizeof_idx")() != sizeof(Number))
    return std::nullopt;
  Rows rows = rows_of(graph);
  int vertices = to_int(graph.ranks()), parts = to_int(sizes.size());
  std::optional<PartitionerCrossing> best;
  constexpr int eco = 1, strong = 2;
  for (const int mode : {eco, strong}) {
    double imbalance = 0;
    Number cut = 0;
    std::vector<int> node_of(to_size(vertices));
    constexpr bool exactly = true, silent = true;
    symbol<Cut>(library, "kaffpa_balance")(&vertices, nullptr, rows.starts.data(), rows.weights.data(),
                                           rows.targets.data(), &parts, &imbalance, exactly, silent, 1, mode,
                                           &cut, node_of.data());
    keep_best(best, graph, nodes, std::move(node_of));
  }
  return best;
}

}  // namespace halocline::bench
