// SPDX-License-Identifier: BSD-3-Clause
// The grids that are worth placing, tried one by one: by one process, or by many that share the work.
#pragma once

#include "base/numbers.hpp"
#include "plan/placement/grid_choice.hpp"

#include <limits>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace halocline::plan {

/// What a grid is judged by once it is placed: what goes between nodes, then between processes. A grid that
/// was not tried has the largest numbers there are, so the least of what all processes found is what one
/// finds alone.
struct GridScore {
  static constexpr Count unknown = std::numeric_limits<Count>::max();

  Count between_nodes = unknown;  ///< As well if it is more than another grid sends that the process placed.
  Count between_ranks = unknown;
  Count planning_steps = unknown;

  [[nodiscard]] bool better_than(const GridScore& other) const {
    return std::tie(between_nodes, between_ranks) < std::tie(other.between_nodes, other.between_ranks);
  }
};
using GridScores = std::vector<GridScore>;

/// Deterministic, no communication.
class GridContest {
 public:
  /// Throws as choose_grid().
  GridContest(MeshProblem problem, const GridOptions& options);

  [[nodiscard]] Count size() const { return count_of(grids_); }

  /// One score for each grid. Known are those of the grids first, first + step and so on, as far as they take
  /// part: where planning takes long only the first ones do, and those that have to.
  /// @pre 0 <= first, 0 < step
  [[nodiscard]] GridScores scores(Count first, Count step);

  /// The number of the best by the scores of all grids.
  [[nodiscard]] std::size_t best(const GridScores& scores) const { return result(scores).best; }

  /// That grid, placed. The cost has no levels.
  [[nodiscard]] GridChoice winner(const GridScores& scores) const;
  /// The same where another process has placed it: by that algorithm, and `owners` has the rank of each cell.
  [[nodiscard]] GridChoice winner(const GridScores& scores, std::string algorithm,
                                  std::vector<Rank> owners) const;

 private:
  /// A grid worth placing.
  struct Entrant {
    Counts dims;
    bool has_to_be = false;  ///< The best by surface, and what the shape stage would choose by itself.
  };
  struct Result {
    std::size_t best;
    std::size_t candidates;  ///< That took part.
  };
  /// The best so far of those that this process has placed.
  struct Leader {
    std::size_t number;
    GridChoice choice;
    GridScore score;
  };

  /// The best by surface first.
  [[nodiscard]] std::vector<Entrant> entrants() const;
  [[nodiscard]] bool takes_part(std::size_t number, Count planning_steps) const;
  [[nodiscard]] Result result(const GridScores& scores) const;
  [[nodiscard]] GridScore score(std::size_t number);
  [[nodiscard]] GridChoice placed(std::size_t number) const;

  MeshProblem problem_;
  GridOptions options_;
  std::vector<Entrant> grids_;
  std::optional<Leader> leader_;
};

/// As choose_grid() for those who do not ask what it costs: the cost has no levels.
[[nodiscard]] GridChoice choose_uncosted_grid(const MeshProblem& problem, const GridOptions& options);

}  // namespace halocline::plan
