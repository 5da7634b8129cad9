// SPDX-License-Identifier: BSD-3-Clause
// --rankfile and --cores-per-rank: a placement for a launcher.
#pragma once

#include "place/order.hpp"
#include "place/rank_file.hpp"
#include "tools/common/options.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace halocline::tools {

/// How to start a program with a rank file.
struct RankFileLaunch {
  std::string_view format;
  std::string path;  ///< FILE if none is given.
  std::string line;
  std::string rest;       ///< How the line goes on, with the program; nothing if it is no command.
  std::string_view note;  ///< What to know of it; mostly nothing.
};

class RankFileWords {
 public:
  void declare(Options& options);
  [[nodiscard]] bool given() const { return !words_.empty(); }
  [[nodiscard]] Count cores_per_rank() const { return cores_ == 0 ? 1 : cores_; }
  /// Throws Error{invalid_argument} that names the word, before anybody works. @pre given()
  void check() const;
  /// Ranks of the job that this runs in have so many cores by Slurm's word, where the command line has none.
  /// Throws as check().
  void take_slurms_cores();
  /// Writes the file, and says for people how to launch with it, or without it where Slurm has a word for
  /// that order; which of equal nodes is which counts only with `by_name`. @pre given()
  [[nodiscard]] std::string write(const Placement& placement, const Machine& machine,
                                  const std::vector<std::string>& hosts, bool by_name,
                                  const place::SeatCores* seats = nullptr) const;
  /// The same for ranks that shall be in an order. @pre given(); the machine has the order's nodes
  [[nodiscard]] std::string write(const place::Order& order, const Machine& machine,
                                  const std::vector<std::string>& hosts, bool by_name,
                                  const place::SeatCores* seats = nullptr) const;
  /// How to start in an order: with the file that is given, or with one of each format if none is.
  [[nodiscard]] std::vector<RankFileLaunch> launches(const place::Order& order, const Machine& machine,
                                                     bool by_name) const;

 private:
  [[nodiscard]] RankFileLaunch launch_with(const place::RankFile& format, const std::string& path,
                                           const Placement& placement, const Machine& machine,
                                           bool by_name) const;
  /// Writes the file; what serves the purpose is returned.
  [[nodiscard]] std::string launch(const std::string& purpose, const Placement& placement,
                                   const Machine& machine, const std::vector<std::string>& hosts,
                                   bool by_name, const place::SeatCores* seats) const;

  std::vector<std::string> words_;  ///< Format and path.
  Count cores_ = 0;                 ///< 0 if nobody said.
};

}  // namespace halocline::tools
