// SPDX-License-Identifier: BSD-3-Clause
#include "tools/plan/job_machine.hpp"

#include "base/fail.hpp"
#include "base/numbers.hpp"
#include "base/settings.hpp"
#include "base/split.hpp"
#include "exchange/neighborhood/context.hpp"
#include "halocline/mpi/discover.hpp"
#include "halocline/plan/explanation.hpp"
#include "mpi/communicators/cart_comm.hpp"
#include "mpi/handles/comm.hpp"
#include "tools/common/mpi_session.hpp"

#include <cstdlib>
#include <fstream>

namespace halocline::tools {
namespace {

std::string variable(const char* name) {
  const char* const text = std::getenv(name);
  return text == nullptr ? "" : text;
}

JobMachine of_hosts(JobHosts hosts, const char* source, const std::string& told_by) {
  return {Machine::of_nodes(Runs(hosts.slots)), std::move(hosts.names), source, told_by};
}

template <class Read>
JobHosts read_hosts(const char* what, const std::string& path, const Read& read) {
  std::ifstream file(path);
  require(file.good(), what, " ", path, ": cannot be read");
  return read_option(what, path, [&](const std::string&) { return read(file); });
}

/// Collective.
LevelCosts prices_of_job() {
  const Grid row({mpi::size(MPI_COMM_WORLD)});
  const mpi::Comm cart = mpi::create_cart(MPI_COMM_WORLD, row, row.cell(mpi::rank(MPI_COMM_WORLD)));
  return exchange::Context::of(cart.get())->prices();
}

}  // namespace

std::optional<ScheduledNodes> scheduled_nodes() {
  if (const std::string nodes = variable("SLURM_JOB_NODELIST"); !nodes.empty())
    return ScheduledNodes{"slurm", "Slurm", slurm_hosts(nodes, variable("SLURM_TASKS_PER_NODE"))};
  if (const std::string path = variable("PBS_NODEFILE"); !path.empty())
    return ScheduledNodes{"pbs", "PBS", read_hosts("PBS_NODEFILE", path, pbs_hosts)};
  return std::nullopt;
}

void JobMachineWords::declare(Options& options) {
  machine_.declare(options);
  options.add_option("--hostfile", host_file_, "hosts and slots as for Open MPI (n1 slots=4) or Hydra (n1:4)")
      .excludes(options.find("--nodes"))
      .excludes(options.find("--levels"));
  options.add_option("--ranks", ranks_, "use only so many processes (default: all that the machine takes)");
  options.add_option(
      "--hosts", hosts_,
      "names of the nodes for --rankfile (default: those of the host file or scheduler, or n0,n1,...)");
}

JobMachine JobMachineWords::found() const {
  if (machine_.given()) return {machine_.machine(), {}, "options", "as described"};
  if (!host_file_.empty())
    return of_hosts(read_hosts("--hostfile", host_file_, host_file), "hostfile",
                    "from the host file " + host_file_);
  if (launched_by_mpi())
    return {discover(MPI_COMM_WORLD).machine,
            {},
            plan::MachineSource::of_job().name,
            plan::MachineSource::of_job().told_by,
            prices_of_job()};
  if (const std::string text = variable(settings::machine.variable); !text.empty())
    return {read_option(settings::machine.variable, text, Machine::parse),
            {},
            "environment",
            "described by HALOCLINE_MACHINE"};
  if (std::optional<ScheduledNodes> job = scheduled_nodes())
    return of_hosts(
        std::move(job->hosts), job->scheduler,
        job->scheduler == std::string_view("slurm") ? "from Slurm's variables" : "from PBS_NODEFILE");
  return {this_host(), {}, "host", "this host, one rank a core"};
}

JobMachine JobMachineWords::job_machine() const {
  JobMachine job = found();
  if (ranks_ != 0) {
    require(ranks_ >= 1 && ranks_ <= job.machine.ranks(), "--ranks ", ranks_, " on a machine of ",
            job.machine.ranks(), " ranks; it takes 1 to ", job.machine.ranks());
    job.machine = job.machine.first(ranks_);
  }
  const auto nodes = to_size(job.machine.nodes());
  if (!hosts_.empty()) {
    job.hosts = listed_words(hosts_);
    require(job.hosts.size() == nodes, "--hosts ", hosts_, ": ", job.hosts.size(), " host names for ", nodes,
            " nodes");
  }
  if (job.hosts.size() > nodes) job.hosts.resize(nodes);
  return job;
}

}  // namespace halocline::tools
