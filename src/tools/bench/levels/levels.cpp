// SPDX-License-Identifier: BSD-3-Clause
// halocline bench levels: what a message costs between processes that share a cache, a NUMA domain, a node or
// only the network, one pair at a time and all at once.

#include "accelerate/host/host_device.hpp"
#include "base/fail.hpp"
#include "base/index.hpp"
#include "base/numbers.hpp"
#include "exchange/neighborhood/machine_prices.hpp"
#include "halocline/mpi/discover.hpp"
#include "mpi/handles/agree.hpp"
#include "mpi/handles/comm.hpp"
#include "plan/prices/machine_prices.hpp"
#include "tools/bench/levels/bursts.hpp"
#include "tools/bench/levels/device_costs.hpp"
#include "tools/bench/levels/level_costs.hpp"
#include "tools/bench/measuring/clock.hpp"
#include "tools/bench/measuring/contest.hpp"
#include "tools/bench/measuring/contest_table.hpp"
#include "tools/common/command.hpp"
#include "tools/common/device_of_job.hpp"
#include "tools/common/mpi_session.hpp"
#include "tools/common/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <vector>

namespace halocline::tools {
namespace {

constexpr Count largest_bytes = 1 << 20;
constexpr int tag = 78;

struct LevelWords {
  int repetitions = 50;
  int pairs = 3;
  bool no_store = false;
  bool store_anyway = false;
  bool host_device = false;
};

/// Two ranks of the node-sorted order.
struct RankPair {
  Rank first, second;
};

/// Pairs whose innermost common group is of this level; -1 stands for none in common. At most `most`, each in
/// another group.
std::vector<RankPair> pairs_of(const Machine& machine, int level, int most) {
  std::vector<RankPair> pairs;
  const Runs& inner = machine.sizes(to_size(level) + 1);
  const Count groups = level < 0 ? 1 : machine.sizes(to_index(level)).size();
  Rank begin = 0;
  for (Count group = 0; group < groups && std::ssize(pairs) < most; ++group) {
    const Rank end = begin + (level < 0 ? machine.ranks() : machine.sizes(to_index(level))[group]);
    const Rank stranger = begin + inner[inner.find(begin)];
    if (stranger < end) pairs.push_back({begin, stranger});
    begin = end;
  }
  return pairs;
}

/// One message there and one back. Local to the two.
void ping_pong(MPI_Comm comm, bool begins, int partner, std::vector<std::byte>& data, Count bytes) {
  const int count = to_int(bytes);
  if (begins) HALOCLINE_MPI(Send, data.data(), count, MPI_BYTE, partner, tag, comm);
  HALOCLINE_MPI(Recv, data.data(), count, MPI_BYTE, partner, tag, comm, MPI_STATUS_IGNORE);
  if (!begins) HALOCLINE_MPI(Send, data.data(), count, MPI_BYTE, partner, tag, comm);
}

/// The median time of a message; what the process that begins returns counts.
double message_seconds(MPI_Comm comm, bool begins, int partner, Count bytes, int repetitions) {
  constexpr double budget_seconds = 0.25;
  constexpr int least = 5;
  std::vector<std::byte> data(to_size(bytes), std::byte{1});
  std::vector<double> times;
  const auto once = [&] {
    return seconds_of(wall_clock, [&] { ping_pong(comm, begins, partner, data, bytes); }) / 2;
  };
  (void)once();
  const double estimate = std::max(once(), 1e-9);
  // The clock of one of them decides for both.
  int number = static_cast<int>(
      std::clamp<double>(budget_seconds / 2 / estimate, std::min(least, repetitions), repetitions));
  if (begins)
    HALOCLINE_MPI(Send, &number, 1, MPI_INT, partner, tag, comm);
  else
    HALOCLINE_MPI(Recv, &number, 1, MPI_INT, partner, tag, comm, MPI_STATUS_IGNORE);
  times.reserve(to_size(number));
  for (int i = 0; i < number; ++i) times.push_back(once());
  return median(times);
}

/// The times of one pair over all sizes, on every process. Collective; who is not of the pair sleeps.
std::vector<MessageTime> measure_pair(MPI_Comm comm, int first, int second, int repetitions) {
  const int me = mpi::rank(comm);
  std::vector<MessageTime> samples;
  for (Count bytes = 1; bytes <= largest_bytes; bytes *= 4) {
    double seconds = 0;
    if (me == first || me == second)
      seconds = message_seconds(comm, me == first, me == first ? second : first, bytes, repetitions);
    samples.push_back({bytes, seconds});
  }
  wait_asleep(comm);
  for (MessageTime& sample : samples) HALOCLINE_MPI(Bcast, &sample.seconds, 1, MPI_DOUBLE, first, comm);
  return samples;
}

/// For each size the median over the pairs.
std::vector<MessageTime> typical(const std::vector<std::vector<MessageTime>>& of_pairs) {
  std::vector<MessageTime> result = of_pairs.front();
  for (std::size_t s = 0; s < result.size(); ++s) {
    std::vector<double> times;
    times.reserve(of_pairs.size());
    for (const auto& samples : of_pairs) times.push_back(samples[s].seconds);
    result[s].seconds = std::max(median(times), 1e-9);
  }
  return result;
}

std::vector<int> ranks_by_position(MPI_Comm comm, Rank position) {
  const auto processes = to_size(mpi::size(comm));
  std::vector<Rank> positions(processes);
  HALOCLINE_MPI(Allgather, &position, 1, MPI_INT64_T, positions.data(), 1, MPI_INT64_T, comm);
  std::vector<int> ranks(processes);
  for (std::size_t r = 0; r < processes; ++r) ranks[to_index(positions[r])] = to_int(r);
  return ranks;
}

nlohmann::ordered_json samples_json(const std::vector<MessageTime>& samples) {
  auto list = nlohmann::ordered_json::array();
  for (const MessageTime& sample : samples)
    list.push_back({{"bytes", sample.bytes}, {"seconds", sample.seconds}});
  return list;
}

nlohmann::ordered_json bursts_json(const std::vector<BurstTime>& times) {
  auto list = nlohmann::ordered_json::array();
  for (const BurstTime& time : times)
    list.push_back({{"messages", time.messages}, {"bytes", time.bytes}, {"seconds", time.seconds}});
  return list;
}

/// 0 where bytes cost nothing.
Entry gigabytes_per_second(double byte_seconds) {
  return decimal(byte_seconds > 0 ? 1e-9 / byte_seconds : 0, 3);
}

Table level_table() {
  return Table({Column::left("sharing", 10, "name"), Column::right("pairs", 6, "pairs"),
                Column::right("alpha [us]", 12, "alpha_seconds"),
                Column::right("beta [ns/KiB]", 14, "beta_seconds_per_byte"), Column::right("[GB/s]", 12),
                Column::right("off by up to", 11, "largest_error"), Column::hidden("samples")});
}

void add_level(Table& table, const std::string& name, std::size_t pairs,
               const std::vector<MessageTime>& samples) {
  const LinearTime line = fit(samples);
  table.add({name,
             pairs,
             decimal(line.alpha_seconds, 3, 1e6),
             decimal(line.beta_seconds_per_byte, 3, 1e9 * 1024),
             gigabytes_per_second(line.beta_seconds_per_byte),
             {fmt::format("{:.0f}%", 100 * line.largest_error), line.largest_error},
             {"", samples_json(samples)}});
}

Table price_table(const std::vector<MeasuredPrice>& measured) {
  Table table({Column::left("level", 11, "name"), Column::right("processes/node", 14, "processes"),
               Column::right("alpha [us]", 12, "alpha_seconds"),
               Column::right("beta [ns/KiB]", 14, "beta_seconds_per_byte"), Column::right("[GB/s]", 12),
               Column::right("latency [us]", 13, "latency_seconds"), Column::left("", 0, "latency_from", ""),
               Column::left("", 0, "doubt", ""), Column::hidden("largest_bytes"), Column::hidden("bursts")});
  for (const auto& [price, times, latency_of_bursts, doubt] : measured) {
    const schedule::LinearCost& cost = price.cost;
    table.add({price.level,
               price.measured.processes,
               decimal(cost.round_seconds, 3, 1e6),
               decimal(cost.byte_seconds, 3, 1e9 * 1024),
               gigabytes_per_second(cost.byte_seconds),
               decimal(cost.latency_seconds, 3, 1e6),
               {latency_of_bursts ? "*" : "", latency_of_bursts ? "bursts" : "alone"},
               doubt.empty() ? Entry{"", nullptr} : Entry{"  noise", doubt},
               price.largest_bytes,
               {"", bursts_json(times)}});
  }
  return table;
}

void add_prices(Answer& answer, const std::vector<MeasuredPrice>& measured) {
  const Table table = price_table(measured);
  answer.json["prices"] = table.to_json();
  if (measured.empty()) return;
  answer.text += "\nall send at once: each message occupies its process for alpha\n\n" + table.to_text();
  if (std::any_of(measured.begin(), measured.end(), [](const auto& each) { return each.latency_of_bursts; }))
    answer.text +=
        "* a message among many costs more than one alone takes, as where processes wait for processors: the "
        "latency is what bursts take besides\n";
  if (const auto& device = answer.json["device"]; !device.is_null())
    answer.text += fmt::format(
        "device: launches that write straight to another process of the node, on {}; device-host: to the "
        "host "
        "and back\n",
        device.get<std::string>());
}

/// Says on stderr which prices are noise. Returns those that may be stored.
std::vector<plan::Price> without_noise(MPI_Comm comm, const std::vector<MeasuredPrice>& measured,
                                       const LevelWords& words) {
  std::vector<plan::Price> kept;
  for (const MeasuredPrice& each : measured) {
    if (each.doubt.empty() || words.store_anyway) kept.push_back(each.price);
    if (each.doubt.empty() || mpi::rank(comm) != 0) continue;
    const char* const consequence = words.no_store       ? ""
                                    : words.store_anyway ? "; stored anyway"
                                                         : "; not stored (--store-anyway does)";
    fmt::print(stderr, "halocline: warning: the price of {} with {} processes a node is noise: {}{}\n",
               each.price.level, each.price.measured.processes, each.doubt, consequence);
  }
  return kept;
}

/// Where rank 0 would put prices, as text; nowhere if that is empty. Throws on all if it cannot. Collective.
std::string storing_place(MPI_Comm comm) {
  return mpi::broadcast(comm, mpi::agreed(comm, [&]() -> std::string {
                          if (mpi::rank(comm) != 0) return "";
                          const auto path = plan::price_place().path;
                          if (path)
                            (void)plan::price_file_with(*path, {});  // better now than after the measurements
                          return path ? path->string() : "";
                        }));
}

void keep(Answer& answer, MPI_Comm comm, const std::string& path, const std::vector<plan::Price>& prices) {
  if (path.empty()) {
    answer.text +=
        "\nnot stored: HALOCLINE_PRICES is none, or neither XDG_CONFIG_HOME nor HOME is an absolute path\n";
    return;
  }
  if (prices.empty()) {
    answer.text += "\nnot stored: there is nothing but noise\n";
    return;
  }
  mpi::agreed(comm, [&] {
    if (mpi::rank(comm) == 0) plan::store_prices(path, prices);
    return 0;
  });
  answer.json["stored"] = path;
  answer.text += fmt::format("\nstored in {}\n", path);
}

/// Between pairs of each level, innermost first, one after the other.
std::vector<AloneTimes> measure_levels(Table& table, MPI_Comm comm, const Discovery& here,
                                       const LevelWords& words) {
  const std::vector<int> ranks = ranks_by_position(comm, here.position);
  const int levels = to_int(here.machine.levels().size());
  std::vector<AloneTimes> alone;
  for (int level = levels - 2; level >= -1; --level) {
    const std::vector<RankPair> pairs = pairs_of(here.machine, level, words.pairs);
    if (pairs.empty()) continue;
    const std::string name = level < 0 ? "network" : here.machine.levels()[to_index(level)].name;
    show_progress(comm, "sharing " + name);
    std::vector<std::vector<MessageTime>> of_pairs;
    of_pairs.reserve(pairs.size());
    for (const RankPair& pair : pairs)
      of_pairs.push_back(
          measure_pair(comm, ranks[to_index(pair.first)], ranks[to_index(pair.second)], words.repetitions));
    alone.push_back({level, typical(of_pairs)});
    add_level(table, name, pairs.size(), alone.back().times);
  }
  return alone;
}

/// Of devices, where there are any: of those that the host plays only if somebody asks for it.
void add_device_prices(Answer& answer, std::vector<MeasuredPrice>& measured, MPI_Comm comm,
                       const LevelWords& words) {
  accelerate::Device& device = device_of_job(comm);
  const bool played = dynamic_cast<accelerate::HostDevice*>(&device) != nullptr;
  answer.json["device"] = nullptr;
  if (played && !words.host_device) return;
  show_progress(comm, "devices");
  for (MeasuredPrice& price : measure_device(comm, device, words.repetitions))
    measured.push_back(std::move(price));
  answer.json["device"] = told_of(device);
}

Answer answer_bench_levels(const LevelWords& words) {
  require(launched_by_mpi() && mpi::size(MPI_COMM_WORLD) >= 2,
          "bench levels needs two processes at least: mpirun -n 8 halocline bench levels");
  mpi::Comm comm;
  HALOCLINE_MPI(Comm_dup, MPI_COMM_WORLD, comm.put());
  const std::string place = words.no_store ? "" : storing_place(comm.get());
  const Discovery here = discover(comm.get());
  const std::string host = mpi::broadcast(comm.get(), plan::host_name());
  const std::string network = mpi::broadcast(comm.get(), plan::network_name(plan::look_at_network()));
  Answer answer;
  answer.json = {{"host", host},
                 {"mpi", mpi_vendor()},
                 {"network", network},
                 {"machine", here.machine.to_text()},
                 {"ranks", here.machine.ranks()},
                 {"levels", nlohmann::ordered_json::array()}};
  Table table = level_table();
  const std::vector<AloneTimes> alone = measure_levels(table, comm.get(), here, words);
  answer.json["levels"] = table.to_json();
  answer.text = fmt::format("{}, {}, {}: a message of n bytes takes alpha + beta n\n\n{}", mpi_vendor(),
                            network, here.machine.to_text(), table.to_text());
  show_progress(comm.get(), "all at once");
  std::vector<MeasuredPrice> measured = measure_bursts(comm.get(), here, alone, words.repetitions);
  add_device_prices(answer, measured, comm.get(), words);
  for (MeasuredPrice& each : measured)
    each.price.measured = {plan::pattern_of(host), exchange::mpi_name, network,
                           each.price.measured.processes};
  show_progress(comm.get(), "");
  add_prices(answer, measured);
  answer.json["stored"] = nullptr;
  const std::vector<plan::Price> kept = without_noise(comm.get(), measured, words);
  if (!words.no_store) keep(answer, comm.get(), place, kept);
  return answer;
}

}  // namespace

Action declare_bench_levels(Options& options) {
  auto words = std::make_shared<LevelWords>();
  options.add_option("--repetitions", words->repetitions, "of each message, at most")
      .capture_default_str()
      .positive();
  options.add_option("--pairs", words->pairs, "pairs of processes for each level, at most")
      .capture_default_str()
      .positive();
  options.add_flag("--no-store", words->no_store,
                   "do not put the result where the library and plan look for prices ($HALOCLINE_PRICES, or "
                   "$XDG_CONFIG_HOME/halocline/prices)");
  options.add_flag("--store-anyway", words->store_anyway, "put it there even if it is noise")
      .excludes(options.find("--no-store"));
  options.add_flag("--host-device", words->host_device,
                   "where there is no GPU, measure a device that the host plays");
  return [words] { return answer_bench_levels(*words); };
}

}  // namespace halocline::tools
