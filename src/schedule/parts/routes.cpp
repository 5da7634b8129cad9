// SPDX-License-Identifier: BSD-3-Clause
#include "schedule/parts/routes.hpp"

#include "base/index.hpp"
#include "base/numbers.hpp"
#include "schedule/parts/flat_offsets.hpp"
#include "schedule/parts/size_limit.hpp"

#include <algorithm>
#include <numeric>

namespace halocline::schedule {
namespace {

/// The index of each round's first move, and their number: the local round first, if there is one.
std::vector<std::int32_t> first_moves(const Routes& routes, std::size_t rounds, bool local,
                                      std::int32_t copies) {
  std::vector<std::int32_t> firsts(rounds + 1, 0);
  if (local) firsts[1] = copies;
  for (const std::int32_t step : routes.steps) ++firsts[to_index(step) + local + 1];
  std::partial_sum(firsts.begin(), firsts.end(), firsts.begin());
  return firsts;
}

/// A round that no block needs is none.
void drop_empty_rounds(ScheduleParts& parts) {
  std::size_t kept = 0;
  for (std::size_t r = 0; r + 1 < parts.first_moves.size(); ++r) {
    if (parts.first_moves[r] == parts.first_moves[r + 1]) continue;
    std::copy_n(&parts.peers[r * parts.dimensions], parts.dimensions, &parts.peers[kept * parts.dimensions]);
    parts.first_moves[kept++] = parts.first_moves[r];
  }
  parts.first_moves[kept] = parts.first_moves.back();
  parts.first_moves.resize(kept + 1);
  parts.peers.resize(kept * parts.dimensions);
}

}  // namespace

Schedule along(const Stencil& stencil, const Routes& routes) {
  const std::size_t dimensions = stencil.dimensions(), blocks = stencil.size();
  require_size("", "neighbours", to_count(blocks));
  std::int32_t copies = 0;
  for (std::size_t i = 0; i < blocks; ++i) copies += routes.firsts[i] == routes.firsts[i + 1];
  const bool local = copies > 0;

  ScheduleParts parts;
  parts.operation = Operation::alltoall;
  parts.dimensions = dimensions;
  parts.offsets = flat_offsets(stencil);
  parts.served.resize(blocks);
  std::iota(parts.served.begin(), parts.served.end(), 0);
  parts.peers.resize((local ? dimensions : 0) + routes.peers.size(), 0);
  std::copy(routes.peers.rbegin(), routes.peers.rend(), parts.peers.rbegin());
  const std::size_t rounds = parts.peers.size() / dimensions;
  parts.first_moves = first_moves(routes, rounds, local, copies);
  const auto moves = to_size(parts.first_moves.back());
  parts.moves.resize(moves);
  parts.travelled.resize(moves * dimensions);

  std::vector<std::int32_t> next(parts.first_moves.begin(), parts.first_moves.end() - 1);
  Offset position(dimensions);
  const auto add = [&](std::size_t round, std::size_t block, Slot from, Slot to) {
    const auto move = to_index(next[round]++);
    const auto served = to_int(block);
    parts.moves[move] = {from, to, served, served + 1};
    std::copy(position.begin(), position.end(), &parts.travelled[move * dimensions]);
  };
  for (std::size_t i = 0; i < blocks; ++i) {
    const auto block = to_int(i);
    const Slot receive{Slot::Buffer::receive, block};
    Slot scratch{Slot::Buffer::scratch, to_int(parts.scratch.size())};
    Slot from{Slot::Buffer::send, block};
    std::fill(position.begin(), position.end(), 0);
    const std::int32_t hops = routes.firsts[i + 1] - routes.firsts[i];
    if (hops == 0) add(0, i, from, receive);
    if (hops > 1) parts.scratch.push_back(block);
    for (std::int32_t hop = 0; hop < hops; ++hop) {
      const auto step = to_index(routes.firsts[i]) + to_index(hop);
      const std::size_t round = to_index(routes.steps[step]) + local;
      const Slot to = (hops - hop) % 2 == 1 ? receive : scratch;
      add(round, i, from, to);
      from = to;
      for (std::size_t d = 0; d < dimensions; ++d) position[d] += parts.peers[round * dimensions + d];
    }
  }
  drop_empty_rounds(parts);
  return Schedule(std::move(parts));
}

}  // namespace halocline::schedule
