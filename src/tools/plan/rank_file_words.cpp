// SPDX-License-Identifier: BSD-3-Clause
#include "tools/plan/rank_file_words.hpp"

#include "base/fail.hpp"
#include "base/join.hpp"
#include "base/scanner.hpp"
#include "plan/placement/seat_table.hpp"
#include "tools/common/output_file.hpp"
#include "tools/common/shared_options.hpp"

#include <algorithm>
#include <cstdlib>

namespace halocline::tools {
namespace {

constexpr const char* slurms_cores = "SLURM_CPUS_PER_TASK";

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

std::string RankFileWords::write_line(const Placement& placement, const Machine& machine,
                                      const std::vector<std::string>& hosts) const {
  const place::RankFile format = read_option("--rankfile", words_[0], place::rank_file);
  const Count cores = std::max(cores_, Count{1});
  write_file("--rankfile", words_[1], [&](std::ostream& file) {
    place::write_rank_file(format, {placement, machine, hosts, cores}, file);
  });
  return place::launch_line(format, words_[1], cores);
}

std::string RankFileWords::write(const Placement& placement, const Machine& machine,
                                 const std::vector<std::string>& hosts) const {
  return concat("\nTo place a program that makes a grid ", join(placement.grid().extents(), "x"),
                " without reordering: ", write_line(placement, machine, hosts), "\n");
}

std::string RankFileWords::write(const place::Order& order, const Machine& machine,
                                 const std::vector<std::string>& hosts) const {
  // To a launcher rank r owns cell r of a row.
  const Placement row = plan::seat_table(Grid({order.size()}), order.positions());
  return concat("\nTo start the program in this order: ", write_line(row, machine, hosts), "\n");
}

}  // namespace halocline::tools
