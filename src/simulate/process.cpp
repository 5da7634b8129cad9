// SPDX-License-Identifier: BSD-3-Clause
#include "simulate/process.hpp"

#include "base/fail.hpp"
#include "base/hash.hpp"
#include "base/index.hpp"
#include "base/numbers.hpp"
#include "exchange/planning/create.hpp"
#include "exchange/planning/option_words.hpp"
#include "halocline/base/error.hpp"
#include "halocline/exchange/exchange.hpp"
#include "mpi/communicators/cart_comm.hpp"
#include "mpi/discovery/cached_discovery.hpp"
#include "mpi/handles/handle.hpp"
#include "plan/options/option_names.hpp"
#include "plan/prediction/prediction.hpp"
#include "schedule/algorithms.hpp"
#include "schedule/cost.hpp"
#include "simulate/bell.hpp"

#include <simgrid/s4u/Engine.hpp>

#include <algorithm>
#include <cstdint>
#include <cstring>

#include <unistd.h>

namespace halocline::simulate {
namespace {

/// What block `block` of the process on `cell` holds: a sequence that no other block has.
class Contents {
 public:
  Contents(Count cell, std::size_t block)
      : first_(split_mixed(static_cast<std::uint64_t>(cell) * golden_ratio + block + 1)) {}

  void write(std::byte* to, Count bytes) const {
    (void)visit(bytes, [&](Count at, std::uint64_t word, std::size_t length) {
      std::memcpy(to + at, &word, length);
      return true;
    });
  }
  [[nodiscard]] bool equal(const std::byte* found, Count bytes) const {
    return visit(bytes, [&](Count at, std::uint64_t word, std::size_t length) {
      return std::memcmp(found + at, &word, length) == 0;
    });
  }

 private:
  /// Until `act` says no.
  template <class Act>
  [[nodiscard]] bool visit(Count bytes, const Act& act) const {
    constexpr Count word_bytes = sizeof(std::uint64_t);
    std::uint64_t word = first_;
    for (Count at = 0; at < bytes; at += word_bytes, word += golden_ratio)
      if (!act(at, word, to_size(std::min(word_bytes, bytes - at)))) return false;
    return true;
  }

  std::uint64_t first_;
};

/// How large the blocks of one process are, and who sends those it receives.
class ProcessBlockSizes {
 public:
  ProcessBlockSizes(const Neighborhood& neighborhood, const BlockTable& table, Count cell) {
    const Grid& grid = neighborhood.grid();
    for (std::size_t i = 0; i < neighborhood.offsets().size(); ++i) {
      Offset back = neighborhood.offsets().offsets()[i];
      for (Count& component : back) component = -component;
      const std::optional<Cell> sender = grid.neighbor(grid.cell(cell), back);
      senders_.push_back(sender ? std::optional(grid.index(*sender)) : std::nullopt);
      sent_.push_back(table.bytes(cell, i));
      // What nobody sends is as large as what others get: schedules forward blocks of one size.
      received_.push_back(table.bytes(senders_.back().value_or(cell), i));
    }
  }

  [[nodiscard]] std::size_t size() const { return sent_.size(); }
  [[nodiscard]] Count sent(std::size_t block) const { return sent_[block]; }
  [[nodiscard]] Count received(std::size_t block) const { return received_[block]; }
  [[nodiscard]] std::optional<Count> sender(std::size_t block) const { return senders_[block]; }

 private:
  Counts sent_, received_;
  std::vector<std::optional<Count>> senders_;
};

/// The blocks of one process: sent ones with contents, received ones zero.
class SimulatedBlocks {
 public:
  SimulatedBlocks(const ProcessBlockSizes& sizes, Count cell) : sizes_(sizes), cell_(cell) {
    std::size_t bytes = 0;
    const auto take = [&](Count more) {
      first_.push_back(bytes);
      bytes += to_size(more);
    };
    for (std::size_t i = 0; i < sizes.size(); ++i) take(sizes.sent(i));
    for (std::size_t i = 0; i < sizes.size(); ++i) take(sizes.received(i));
    memory_.resize(bytes);
    for (std::size_t i = 0; i < sizes.size(); ++i) Contents(cell, i).write(sent(i), sizes.sent(i));
  }

  [[nodiscard]] std::byte* sent(std::size_t block) { return memory_.data() + first_[block]; }
  [[nodiscard]] std::byte* received(std::size_t block) {
    return memory_.data() + first_[sizes_.size() + block];
  }

  /// Throws Error{internal} if a block is not what its sender wrote, or was written though nobody sends it.
  void check() {
    for (std::size_t i = 0; i < sizes_.size(); ++i) {
      const std::byte* const found = received(i);
      const Count bytes = sizes_.received(i);
      const std::optional<Count> sender = sizes_.sender(i);
      const bool right =
          sender ? Contents(*sender, i).equal(found, bytes)
                 : std::all_of(found, found + bytes, [](std::byte b) { return b == std::byte{}; });
      if (!right)
        fail(Fault::internal, "the process on cell ", cell_, " received a wrong block ", i, " of ", bytes,
             " bytes");
    }
  }

 private:
  const ProcessBlockSizes& sizes_;
  Count cell_;
  std::vector<std::size_t> first_;  ///< Where each block begins, those sent first.
  std::vector<std::byte> memory_;
};

/// SimGrid copies datatypes element by element: large ones where it can be.
Block block_of(std::byte* data, Count bytes) {
  constexpr Count word_bytes = 8;
  const bool words = bytes % word_bytes == 0;
  return {data, Layout::named(words ? Elementary::uint64 : Elementary::byte),
          words ? bytes / word_bytes : bytes};
}

void time_exchange(Stage& stage, Exchange exchange) {
  stage.step();
  stage.meet();
  stage.begin_clock();
  exchange.start();
  exchange.wait();
  stage.arrive();
  Bell::of_process().settle();
  stage.step();
  stage.meet();
}

void run_exchange(Stage& stage, const Neighborhood& neighborhood, Rank cell, const std::string& schedule,
                  Count bytes) {
  const bool own = stage.blocks_fit(schedule, bytes);
  const BlockTable& table = stage.table(bytes);
  const ProcessBlockSizes sizes(neighborhood, table, cell);
  std::optional<SimulatedBlocks> blocks;
  if (own) blocks.emplace(sizes, cell);
  exchange::Ends ends;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    ends.send.push_back(block_of(own ? blocks->sent(i) : stage.common_block(), sizes.sent(i)));
    ends.receive.push_back(block_of(own ? blocks->received(i) : stage.common_block(), sizes.received(i)));
  }
  if (!table.even())
    ends.sizes = [&table](Rank writer, int block) { return table.bytes(writer, to_index(block)); };
  ExchangeOptions options;
  options.schedule = plan::schedule_named(schedule);
  options.shared = stage.job().shared ? SharedMemory::on : SharedMemory::off;
  options.costs = stage.prices();
  time_exchange(stage, exchange::create(
                           neighborhood, Operation::alltoall, [&] { return ends; }, options));
  if (own) blocks->check();
  if (cell == 0) stage.tell(schedule, bytes, own);
}

}  // namespace

Stage::Memory Stage::memory_of(const Job& job, const std::string& schedule, const Counts& blocks) {
  double sum = 0;
  for (const Count block : blocks) sum += to_double(block);
  Memory memory{2 * sum, 0};
  // A channel has room for two of what goes through it; by gateways there is one at either end.
  if (job.shared) memory.under_way = 2 * sum;
  const ScheduleChoice way = plan::schedule_named(schedule);
  if (plan::combines(way)) {
    // Blocks of a message of one block lie in place; those of others are packed, out and in.
    const Schedule made = schedule::algorithm(schedule).make(job.stencil, Operation::alltoall);
    const auto largest = to_double(*std::max_element(blocks.begin(), blocks.end()));
    memory.under_way +=
        2 * to_double(schedule::message_bytes(made, blocks)) + to_double(made.scratch().size()) * largest;
  } else if (plan::by_gateways(way)) {
    memory.under_way += 2 * sum;
  }
  return memory;
}

Stage::Stage(const Job& job, std::function<void(const Result&)> tell, std::function<void(int)> progress)
    : job_(job),
      placement_(job.placed().placement),
      prices_(job.prices()),
      tell_(std::move(tell)),
      progress_(std::move(progress)),
      barrier_(simgrid::s4u::Barrier::create(static_cast<unsigned int>(job.machine.ranks()))) {
  for (const Count bytes : job.bytes) tables_.emplace(bytes, BlockTable(job, bytes));
  for (const auto& [bytes, table] : tables_) {
    const Counts blocks = table.largest();
    common_bytes_ = std::max(common_bytes_, to_size(*std::max_element(blocks.begin(), blocks.end())));
    for (const std::string& name : job.schedules) memory_[{name, bytes}] = memory_of(job, name, blocks);
  }
}

bool Stage::blocks_fit(const std::string& schedule, Count bytes) const {
  const auto memory = 0.7 * to_double(sysconf(_SC_PHYS_PAGES)) * to_double(sysconf(_SC_PAGESIZE));
  const Memory& each = memory_.at({schedule, bytes});
  const auto processes = to_double(job_.machine.ranks());
  const double kept = processes * each.under_way;
  if (kept > memory)
    fail(Fault::out_of_memory, schedule, job_.mesh ? " with points of " : " with blocks of ", bytes,
         " bytes takes ", static_cast<Count>(kept / 1e9), " GB for the messages of ", job_.machine.ranks(),
         " processes; this machine has ", static_cast<Count>(memory / 1e9), " GB for it");
  return job_.checked && kept + processes * each.own <= memory;
}

std::byte* Stage::common_block() {
  if (common_.empty()) common_.resize(common_bytes_);
  return common_.data();
}

void Stage::begin_clock() { start_ = simgrid::s4u::Engine::get_clock(); }

void Stage::arrive() { end_ = std::max(end_, simgrid::s4u::Engine::get_clock()); }

void Stage::tell(const std::string& schedule, Count bytes, bool checked) {
  tell_({schedule, bytes, end_ - start_, checked});
}

Count Stage::steps(const Job& job) { return 2 + 2 * to_count(job.schedules.size() * job.bytes.size()); }

void Stage::step() {
  const auto percent = to_int(100 * ++steps_done_ / (steps(job_) * job_.machine.ranks()));
  if (percent > percent_) progress_(percent_ = percent);
}

void run_process(Stage& stage, Rank cell) {
  HALOCLINE_MPI(Init, nullptr, nullptr);
  stage.step();
  {
    const Job& job = stage.job();
    const std::vector<int> extents = mpi::int_extents(job.grid.extents());
    const std::vector<int> periods(job.grid.periodicity().begin(), job.grid.periodicity().end());
    mpi::Comm cart;
    HALOCLINE_MPI(Cart_create, MPI_COMM_WORLD, to_int(extents.size()), extents.data(), periods.data(), 0,
                  cart.put());
    Bell::of_process().put_up(cart.get());
    // What discovery would find.
    mpi::keep_discovery(cart.get(), {job.machine, stage.placement().rank(job.grid.cell(cell))});
    const Neighborhood neighborhood(cart.get(), job.stencil);
    stage.step();
    for (const std::string& schedule : job.schedules)
      for (const Count bytes : job.bytes) run_exchange(stage, neighborhood, cell, schedule, bytes);
    Bell::of_process().take_down();
  }
  HALOCLINE_MPI(Finalize);
}

}  // namespace halocline::simulate
