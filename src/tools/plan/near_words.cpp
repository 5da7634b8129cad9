// SPDX-License-Identifier: BSD-3-Clause
#include "tools/plan/near_words.hpp"

#include "base/fail.hpp"
#include "base/numbers.hpp"
#include "base/split.hpp"
#include "mpi/discovery/node_topology.hpp"
#include "place/launch_wrapper.hpp"
#include "tools/common/output_file.hpp"
#include "tools/common/shared_options.hpp"
#include "tools/common/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace halocline::tools {
namespace {

/// The numbers that the system has for the processors of a seat.
std::string processors_of(const plan::NodeDevices& node, const plan::Seat& seat) {
  Counts all;
  for (const Count core : seat.cores) {
    const Counts& processors = node.processors[to_index(core)];
    all.insert(all.end(), processors.begin(), processors.end());
  }
  std::sort(all.begin(), all.end());
  return plan::ranges_text(all);
}

/// "4 ranks: cores 0-3 with cuda0"
nlohmann::ordered_json seats_json(const plan::NodeDevices& node, const plan::SeatedOrder& seated) {
  auto list = nlohmann::ordered_json::array();
  for (const auto& [size, seats] : seated.seats) {
    auto each = nlohmann::ordered_json::array();
    for (const plan::Seat& seat : seats) {
      nlohmann::ordered_json gpu = nullptr;
      if (seat.gpu != plan::no_gpu) gpu = node.devices[to_index(seat.gpu)].name();
      each.push_back({{"cores", plan::ranges_text(seat.cores)}, {"gpu", std::move(gpu)}});
    }
    list.push_back({{"ranks", size}, {"seats", std::move(each)}});
  }
  return list;
}

}  // namespace

void NearWords::declare(Options& options) {
  const Option near = options.add_option(
      "--near", near_,
      "let the ranks of a node change places: nic, those that have most to do with other "
      "nodes sit nearest to a NIC; gpu, ranks are dealt to GPUs and sit next to them; gpu,nic");
  options
      .add_option("--topology", topology_,
                  "with --near: the nodes are like the one in this file, written there by lstopo --of xml "
                  "(default: like this host)")
      .needs(near);
  options
      .add_option("--devices", devices_,
                  "with --near: of the GPUs and NICs only these count, such as cuda0,cuda1,mlx5_0")
      .needs(near);
  options
      .add_option(
          "--wrapper", wrapper_,
          "with --near: write a script to this file by which a launcher starts each rank on its cores "
          "and with its GPU")
      .needs(near);
}

plan::SeatedOrder NearWords::seated(const plan::MessageMatrix& matrix, const place::Order& order,
                                    Count cores_per_rank) {
  const plan::NearWhat near = read_option("--near", near_, plan::near_what);
  node_ = topology_.empty() ? mpi::node_topology()
                            : read_option("--topology", topology_,
                                          [](const std::string& path) { return mpi::node_topology(path); });
  if (!devices_.empty())
    node_ = read_option("--devices", devices_,
                        [&](const std::string& names) { return plan::only(node_, listed_words(names)); });
  return read_option("--near", near_, [&](const std::string&) {
    return plan::seated({matrix, node_, cores_per_rank, near}, order);
  });
}

place::SeatCores NearWords::cores_of(const plan::SeatedOrder& seated) {
  place::SeatCores cores;
  for (const auto& [size, seats] : seated.seats)
    for (const plan::Seat& seat : seats) cores[size].push_back(seat.cores);
  return cores;
}

void NearWords::tell(const plan::SeatedOrder& seated, Answer& answer) const {
  Table table({Column::left("near " + near_, 54, "what"), Column::right("before", 18, "before"),
               Column::right("after", 18, "after"), Column::hidden("key")});
  for (const auto& [what, key, before, after] : seated.figures) table.add({what, before, after, key});
  answer.text += "\n" + table.to_text();
  answer.json["near"] = {{"what", near_}, {"figures", table.to_json()}, {"seats", seats_json(node_, seated)}};
  if (wrapper_.empty()) return;
  write_wrapper(seated);
  const std::string words = concat("To start each rank on its cores: ", wrapper_,
                                   " before ./program; with srun --cpu-bind=none, Hydra -bind-to none");
  answer.json["near"]["wrapper"] = words;
  answer.text += concat("\n", words, "\n");
}

void NearWords::write_wrapper(const plan::SeatedOrder& seated) const {
  std::vector<place::WrappedSeat> wrapped;
  std::map<std::pair<Count, Count>, std::size_t> number_of;  // of a seat: by the node's size and the place
  std::size_t position = 0;
  for (Count node = 0; node < seated.order.nodes().size(); ++node) {
    const Count size = seated.order.nodes()[node];
    for (Count place = 0; place < size; ++place, ++position) {
      const auto [found, is_new] = number_of.try_emplace({size, place}, wrapped.size());
      if (is_new) {
        const plan::Seat& seat = seated.seats.at(size)[to_index(place)];
        place::WrappedSeat one{{}, processors_of(node_, seat), "", 0};
        if (seat.gpu != plan::no_gpu) {
          const plan::Device& gpu = node_.devices[to_index(seat.gpu)];
          one.variable = gpu.variable;
          one.gpu = gpu.number;
        }
        wrapped.push_back(std::move(one));
      }
      wrapped[found->second].ranks.push_back(seated.order.ranks()[position]);
    }
  }
  write_file("--wrapper", wrapper_, [&](std::ostream& file) { place::write_launch_wrapper(wrapped, file); });
  std::error_code ignored;  // sh FILE does as well
  std::filesystem::permissions(wrapper_,
                               std::filesystem::perms::owner_exec | std::filesystem::perms::group_exec |
                                   std::filesystem::perms::others_exec,
                               std::filesystem::perm_options::add, ignored);
}

}  // namespace halocline::tools
