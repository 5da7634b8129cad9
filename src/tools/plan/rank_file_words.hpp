// SPDX-License-Identifier: BSD-3-Clause
// --rankfile and --cores-per-rank: a placement for a launcher.
#pragma once

#include "place/rank_file.hpp"
#include "tools/common/options.hpp"

#include <string>
#include <vector>

namespace halocline::tools {

class RankFileWords {
 public:
  void declare(Options& options);
  [[nodiscard]] bool given() const { return !words_.empty(); }
  /// Throws Error{invalid_argument} that names the word, before anybody works. @pre given()
  void check() const;
  /// Ranks of the job that this runs in have so many cores by Slurm's word, where the command line has none.
  /// Throws as check().
  void take_slurms_cores();
  /// Writes the file, and says for people how to launch with it, or without it where Slurm has a word for
  /// that order; which of equal nodes is which counts only with `by_name`. @pre given()
  [[nodiscard]] std::string write(const Placement& placement, const Machine& machine,
                                  const std::vector<std::string>& hosts, bool by_name) const;

 private:
  std::vector<std::string> words_;  ///< Format and path.
  Count cores_ = 0;                 ///< 0 if nobody said.
};

}  // namespace halocline::tools
