// SPDX-License-Identifier: BSD-3-Clause
#include "tools/traced/traced_advice.hpp"

#include "base/fail.hpp"

namespace halocline::tools {
namespace {

std::vector<std::string> by_themselves(const plan::Launchers& with, const std::string& before) {
  std::vector<std::string> lines;
  for (const std::string* const launcher : {&with.open_mpi, &with.hydra, &with.slurm})
    lines.push_back(concat(before, *launcher, " ./program"));
  return lines;
}

}  // namespace

std::vector<plan::Advice> how_to_start(const StartedOrder& order) {
  const plan::Launchers with = plan::launchers(order.machine);
  if (!order.choice.gains())
    return {{"Keep the ranks in their order, as Open MPI, MPICH or Slurm start them by themselves:",
             by_themselves(with, "")}};
  std::vector<plan::Advice> all{
      {concat("To give the processes new ranks, by the file that --order ", order.order_file, " writes:"),
       by_themselves(with, concat("halocline run --order ", order.order_file, " -- "))}};
  for (const RankFileLaunch& launch :
       order.rank_file.launches(order.choice.after.order, order.machine, order.by_name))
    all.push_back({concat("To have the launcher start each rank where it belongs, with --rankfile ",
                          launch.format, " ", launch.path, launch.note.empty() ? ":" : ". ", launch.note),
                   {launch.line + launch.rest}});
  return all;
}

}  // namespace halocline::tools
