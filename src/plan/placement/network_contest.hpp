// SPDX-License-Identifier: BSD-3-Clause
// Several placements on a network, the best of all their mappings taken: where the fullest link counts, the
// placement that sends least between nodes need not be the best.
#pragma once

#include "base/numbers.hpp"
#include "plan/placement/network_placement.hpp"
#include "plan/placement/placement_choice.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace halocline::plan {

/// Which placements take part if `wanted`, an algorithm or "best", has come to `placed`: that alone, unless
/// "best" is wanted and the aim of the variant is the fullest link. Then the other algorithms of
/// place::algorithms() but `random` follow, from the end of the table, with their cells placed inside the
/// nodes, too. Throws Error{invalid_argument} if there is no such variant.
[[nodiscard]] std::vector<Candidate> network_candidates(const place::Problem& problem, Candidate placed,
                                                        std::string_view wanted, std::string_view variant);

/// The mappings of all candidates, numbered from 0: for each its placement as it is, then its rotations.
class NetworkContest {
 public:
  /// Throws Error{invalid_argument} if there is no candidate; as NetworkProblem.
  NetworkContest(const place::Problem& problem, std::vector<Candidate> candidates,
                 const Allocation& allocation, const NetworkOptions& options = {});

  /// How many mappings there are, at least 2.
  [[nodiscard]] Count size() const { return count_of(problems_) * per_candidate_; }

  /// The least score of the mappings first..last - 1 and of placements as they are; its rotation is the
  /// number of the mapping, and the lower one wins among equals. One process's share of the work: any split,
  /// followed by a minimum, gives the same. @pre 0 <= first <= last <= size()
  [[nodiscard]] network::Score best(Count first, Count last) const;

  struct Winner {
    std::string algorithm;
    NetworkPlacement on_network;  ///< Before: the first candidate as it is.
  };
  /// @pre 0 <= mapping < size()
  [[nodiscard]] Winner winner(Count mapping) const;

 private:
  std::vector<Candidate> candidates_;
  std::vector<NetworkProblem> problems_;
  Count per_candidate_;
};

/// The best of all. Deterministic, no communication. Throws as NetworkContest.
[[nodiscard]] NetworkContest::Winner place_on_network(const place::Problem& problem,
                                                      std::vector<Candidate> candidates,
                                                      const Allocation& allocation,
                                                      const NetworkOptions& options = {});

/// A placement that `wanted`, an algorithm or "best", came to, fitted to the network: the best of all
/// mappings of those that take part. Deterministic, no communication. Throws as NetworkContest.
[[nodiscard]] NetworkContest::Winner fit_to_network(const place::Problem& problem, Candidate placed,
                                                    std::string_view wanted, const Allocation& allocation,
                                                    const NetworkOptions& options = {});

}  // namespace halocline::plan
