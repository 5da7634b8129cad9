// SPDX-License-Identifier: BSD-3-Clause
#include "tools/plan/rank_file_words.hpp"

#include "base/fail.hpp"
#include "base/join.hpp"
#include "base/scanner.hpp"
#include "place/slurm_distribution.hpp"
#include "plan/placement/seat_table.hpp"
#include "tools/common/output_file.hpp"
#include "tools/common/shared_options.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace halocline::tools {
namespace {

constexpr const char* slurms_cores = "SLURM_CPUS_PER_TASK";
constexpr const char* about_arbitrary =
    "With srun --mpi=pmi2 MPICH takes each rank of an arbitrary distribution for a node of its own "
    "(docs/slurm.md): measure once without the file.";

/// To a launcher rank r owns cell r of a row.
Placement row_of(const place::Order& order) {
  return plan::seat_table(Grid({order.size()}), order.positions());
}

/// How srun does it without a list; empty if it cannot.
std::string plain_srun(const Placement& placement, const Machine& machine, Count cores, bool by_name) {
  const std::string distribution = place::slurm_distribution(placement, machine, by_name);
  if (distribution.empty()) return {};
  return concat("srun --nodes=", machine.nodes(), " --ntasks-per-node=", machine.node_sizes()[0],
                " --distribution=", distribution, cores > 1 ? concat(" --cpus-per-task=", cores) : "");
}

}  // namespace

void RankFileWords::declare(Options& options) {
  const Option rank_file =
      options
          .add_option("--rankfile", words_,
                      "FORMAT FILE: write where a program without reordering should be launched; the format "
                      "is openmpi, mpich, slurm or hydra")
          .expected(2);
  options
      .add_option("--cores-per-rank", cores_,
                  "cores that each rank gets for its threads, by --rankfile (default: 1; plan in a job of "
                  "Slurm: SLURM_CPUS_PER_TASK)")
      .positive()
      .needs(rank_file);
}

void RankFileWords::check() const { (void)read_option("--rankfile", words_[0], place::rank_file); }

void RankFileWords::take_slurms_cores() {
  const char* const text = std::getenv(slurms_cores);
  if (cores_ != 0 || text == nullptr || *text == '\0') return;
  Scanner scan(slurms_cores, text, "4, or --cores-per-rank can say it");
  cores_ = scan.integer();
  scan.expect_end();
  if (cores_ < 1) scan.refuse("it has no core");
}

RankFileLaunch RankFileWords::launch_with(const place::RankFile& format, const std::string& path,
                                          const Placement& placement, const Machine& machine,
                                          bool by_name) const {
  const Count cores = cores_per_rank();
  const bool by_slurm = format.name == "slurm";
  std::string line = by_slurm ? plain_srun(placement, machine, cores, by_name) : "";
  if (!line.empty()) return {format.name, path, std::move(line), " ./program", ""};
  return {format.name, path, place::launch_line(format, path, cores),
          format.needs_hosts ? concat(" -n ", machine.ranks(), " ./program") : "",
          by_slurm ? about_arbitrary : ""};
}

std::string RankFileWords::launch(const std::string& purpose, const Placement& placement,
                                  const Machine& machine, const std::vector<std::string>& hosts, bool by_name,
                                  const place::SeatCores* seats) const {
  const place::RankFile format = read_option("--rankfile", words_[0], place::rank_file);
  const Count cores = cores_per_rank();
  write_file("--rankfile", words_[1], [&](std::ostream& file) {
    place::write_rank_file(format, {placement, machine, hosts, cores, seats}, file);
  });
  const RankFileLaunch launch = launch_with(format, words_[1], placement, machine, by_name);
  return concat(launch.note.empty() ? "" : "\n", launch.note, "\n", purpose, ": ", launch.line, "\n");
}

std::vector<RankFileLaunch> RankFileWords::launches(const place::Order& order, const Machine& machine,
                                                    bool by_name) const {
  const Placement row = row_of(order);
  if (given()) return {launch_with(place::rank_file(words_[0]), words_[1], row, machine, by_name)};
  std::vector<RankFileLaunch> all;
  for (const place::RankFile& format : place::rank_files())
    all.push_back(launch_with(format, "FILE", row, machine, by_name));
  return all;
}

std::string RankFileWords::write(const Placement& placement, const Machine& machine,
                                 const std::vector<std::string>& hosts, bool by_name,
                                 const place::SeatCores* seats) const {
  return launch(concat("To place a program that makes a grid ", join(placement.grid().extents(), "x"),
                       " without reordering"),
                placement, machine, hosts, by_name, seats);
}

std::string RankFileWords::write(const place::Order& order, const Machine& machine,
                                 const std::vector<std::string>& hosts, bool by_name,
                                 const place::SeatCores* seats) const {
  return launch("To start the program in this order", row_of(order), machine, hosts, by_name, seats);
}

}  // namespace halocline::tools
