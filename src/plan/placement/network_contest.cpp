// SPDX-License-Identifier: BSD-3-Clause
#include "plan/placement/network_contest.hpp"

#include "base/fail.hpp"
#include "base/index.hpp"
#include "place/algorithms.hpp"
#include "place/levels.hpp"
#include "plan/options/option_names.hpp"

#include <algorithm>
#include <span>

namespace halocline::plan {
namespace {

/// One of a contest: a rotation of a candidate, or the candidate as it is.
struct Mapping {
  Count candidate;
  Count rotation;  ///< NetworkProblem::unmoved: as it is.
};
static_assert(NetworkProblem::unmoved == -1, "the number before that of the first rotation");

/// Candidates have so many mappings each, those as they are first.
Mapping mapping_of(Count number, Count per_candidate) {
  return {number / per_candidate, number % per_candidate + NetworkProblem::unmoved};
}

Count number_of(const Mapping& mapping, Count per_candidate) {
  return mapping.candidate * per_candidate + mapping.rotation - NetworkProblem::unmoved;
}

}  // namespace

std::vector<Candidate> network_candidates(const place::Problem& problem, Candidate placed,
                                          std::string_view wanted, std::string_view variant) {
  std::vector<Candidate> candidates{std::move(placed)};
  if (network::variant(variant).aim != network::Aim::fullest_link || wanted != best_placement)
    return candidates;
  const std::span<const place::Algorithm> table = place::algorithms();
  std::for_each(table.rbegin(), table.rend(), [&](const place::Algorithm& algorithm) {
    if (algorithm.name != "random" && algorithm.name != candidates.front().algorithm)
      candidates.push_back(
          {std::string(algorithm.name), place::place_inside_nodes(problem, algorithm.place(problem))});
  });
  return candidates;
}

NetworkContest::NetworkContest(const place::Problem& problem, std::vector<Candidate> candidates,
                               const Allocation& allocation, const NetworkOptions& options)
    : candidates_(std::move(candidates)) {
  require(!candidates_.empty(), "no placement is named that could be fitted to the network");
  for (const Candidate& candidate : candidates_)
    problems_.emplace_back(problem, candidate.placement, allocation, options);
  per_candidate_ = 1 + problems_.front().rotations();
}

network::Score NetworkContest::best(Count first, Count last) const {
  // Rotations come behind the placement as it is, which always takes part.
  const auto numbered = [&](Count candidate, Count from, Count to) {
    network::Score score = problems_[to_index(candidate)].best(from, to);
    score.rotation = number_of({candidate, score.rotation}, per_candidate_);
    return score;
  };
  network::Score least = numbered(0, 0, 0);
  for (Count candidate = first / per_candidate_; candidate * per_candidate_ < last; ++candidate) {
    const Count start = candidate * per_candidate_;
    least = std::min(least, numbered(candidate, std::max(first - start - 1, Count{0}),
                                     std::min(last - start, per_candidate_) - 1));
  }
  return least;
}

NetworkContest::Winner NetworkContest::winner(Count mapping) const {
  const auto [candidate, rotation] = mapping_of(mapping, per_candidate_);
  const std::size_t won = to_index(candidate);
  Winner winner{candidates_[won].algorithm, problems_[won].placed(rotation)};
  winner.on_network.score_before = problems_.front().best(0, 0);
  return winner;
}

NetworkContest::Winner place_on_network(const place::Problem& problem, std::vector<Candidate> candidates,
                                        const Allocation& allocation, const NetworkOptions& options) {
  const NetworkContest contest(problem, std::move(candidates), allocation, options);
  return contest.winner(contest.best(0, contest.size()).rotation);
}

NetworkContest::Winner fit_to_network(const place::Problem& problem, Candidate placed,
                                      std::string_view wanted, const Allocation& allocation,
                                      const NetworkOptions& options) {
  return place_on_network(problem,
                          network_candidates(problem, std::move(placed), wanted, name_of(options.variant)),
                          allocation, options);
}

}  // namespace halocline::plan
