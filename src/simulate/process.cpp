#include "simulate/process.hpp"

#include "halocline/base/error.hpp"
#include "halocline/exchange/exchange.hpp"
#include "halocline/schedule/algorithms.hpp"
#include "halocline/schedule/cost.hpp"
#include "mpi/cached_discovery.hpp"
#include "mpi/cart_comm.hpp"
#include "mpi/handle.hpp"

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
      : first_(mixed(static_cast<std::uint64_t>(cell) * 0x9e3779b97f4a7c15U + block + 1)) {}

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
  static std::uint64_t mixed(std::uint64_t x) {
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9U;
    x = (x ^ x >> 27) * 0x94d049bb133111ebU;
    return x ^ x >> 31;
  }

  /// Until `act` says no.
  template <class Act>
  [[nodiscard]] bool visit(Count bytes, const Act& act) const {
    constexpr Count word_bytes = sizeof(std::uint64_t);
    std::uint64_t word = first_;
    for (Count at = 0; at < bytes; at += word_bytes, word += 0x9e3779b97f4a7c15U)
      if (!act(at, word, static_cast<std::size_t>(std::min(word_bytes, bytes - at)))) return false;
    return true;
  }

  std::uint64_t first_;
};

/// The blocks of one process: sent ones with contents, received ones zero.
class Blocks {
 public:
  Blocks(const Neighborhood& neighborhood, Count bytes, Count cell)
      : neighborhood_(neighborhood),
        bytes_(bytes),
        cell_(cell),
        memory_(2 * neighborhood.offsets().size() * static_cast<std::size_t>(bytes)) {
    for (std::size_t i = 0; i < size(); ++i) Contents(cell, i).write(sent(i), bytes);
  }

  [[nodiscard]] std::byte* sent(std::size_t block) { return at(block); }
  [[nodiscard]] std::byte* received(std::size_t block) { return at(size() + block); }

  /// Throws Error{internal} if a block is not what its sender wrote, or was written though nobody sends it.
  void check() {
    const Grid& grid = neighborhood_.grid();
    for (std::size_t i = 0; i < size(); ++i) {
      Offset back = neighborhood_.offsets().offsets()[i];
      for (Count& component : back) component = -component;
      const std::optional<Cell> sender = grid.neighbour(grid.cell(cell_), back);
      const std::byte* const found = received(i);
      const bool right =
          sender ? Contents(grid.index(*sender), i).equal(found, bytes_)
                 : std::all_of(found, found + bytes_, [](std::byte b) { return b == std::byte{}; });
      if (!right)
        fail(Fault::internal, "the process on cell ", cell_, " received a wrong block ", i, " of ", bytes_,
             " bytes");
    }
  }

 private:
  [[nodiscard]] std::size_t size() const { return neighborhood_.offsets().size(); }
  [[nodiscard]] std::byte* at(std::size_t block) {
    return memory_.data() + block * static_cast<std::size_t>(bytes_);
  }

  const Neighborhood& neighborhood_;
  Count bytes_, cell_;
  std::vector<std::byte> memory_;
};

void time_exchange(Stage& stage, Exchange exchange) {
  stage.step();
  stage.meet();
  stage.begin_clock();
  exchange.start();
  exchange.wait();
  stage.arrive();
  stage.step();
  stage.meet();
}

void run_exchange(Stage& stage, const Neighborhood& neighborhood, Rank cell, const std::string& schedule,
                  Count bytes) {
  const bool own = stage.blocks_fit(schedule, bytes);
  std::optional<Blocks> blocks;
  if (own) blocks.emplace(neighborhood, bytes, cell);
  // SimGrid copies datatypes element by element.
  constexpr Count word_bytes = 8;
  const bool words = bytes % word_bytes == 0;
  const Layout layout = Layout::named(words ? Elementary::uint64 : Elementary::byte);
  const Count count = words ? bytes / word_bytes : bytes;
  std::vector<Block> send, receive;
  for (std::size_t i = 0; i < neighborhood.offsets().size(); ++i) {
    send.push_back({own ? blocks->sent(i) : stage.common_block(bytes), layout, count});
    receive.push_back({own ? blocks->received(i) : stage.common_block(bytes), layout, count});
  }
  ExchangeOptions options;
  options.schedule = schedule;
  options.shared = "off";
  time_exchange(stage, Exchange::alltoall(neighborhood, send, receive, options));
  if (own) blocks->check();
  if (cell == 0) stage.tell(schedule, bytes, own);
}

}  // namespace

Stage::Stage(const Job& job, std::function<void(const Result&)> tell, std::function<void(int)> progress)
    : job_(job),
      placement_(job.placed().placement),
      tell_(std::move(tell)),
      progress_(std::move(progress)),
      barrier_(simgrid::s4u::Barrier::create(static_cast<unsigned int>(job.machine.ranks()))) {
  for (const std::string& name : job.schedules) {
    const Schedule made = schedule::algorithm(name).make(job.stencil, Operation::alltoall);
    // Blocks of a message of one block lie in place; those of others are packed, out and in.
    blocks_under_way_[name] =
        name == "direct" ? 0 : 2 * schedule::cost(made).volume + static_cast<Count>(made.scratch().size());
  }
}

bool Stage::blocks_fit(const std::string& schedule, Count bytes) const {
  const auto memory =
      0.7 * static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
  const auto all = static_cast<double>(bytes) * static_cast<double>(job_.machine.ranks());
  const double kept = all * static_cast<double>(blocks_under_way_.at(schedule));
  if (kept > memory)
    fail(Fault::out_of_memory, schedule, " with blocks of ", bytes, " bytes takes ",
         static_cast<Count>(kept / 1e9), " GB for the messages of ", job_.machine.ranks(),
         " processes; this machine has ", static_cast<Count>(memory / 1e9), " GB for it");
  return job_.checked && kept + all * 2 * static_cast<double>(job_.stencil.size()) <= memory;
}

std::byte* Stage::common_block(Count bytes) {
  if (common_.size() < static_cast<std::size_t>(bytes)) common_.resize(static_cast<std::size_t>(bytes));
  return common_.data();
}

void Stage::begin_clock() { start_ = simgrid::s4u::Engine::get_clock(); }

void Stage::arrive() { end_ = std::max(end_, simgrid::s4u::Engine::get_clock()); }

void Stage::tell(const std::string& schedule, Count bytes, bool checked) {
  tell_({schedule, bytes, end_ - start_, checked});
}

Count Stage::steps(const Job& job) {
  return 2 + 2 * static_cast<Count>(job.schedules.size() * job.bytes.size());
}

void Stage::step() {
  const auto percent = static_cast<int>(100 * ++steps_done_ / (steps(job_) * job_.machine.ranks()));
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
    HALOCLINE_MPI(Cart_create, MPI_COMM_WORLD, static_cast<int>(extents.size()), extents.data(),
                  periods.data(), 0, cart.put());
    // What discovery would find.
    mpi::keep_discovery(cart.get(), {job.machine, stage.placement().rank(job.grid.cell(cell))});
    const Neighborhood neighborhood(cart.get(), job.stencil);
    stage.step();
    for (const std::string& schedule : job.schedules)
      for (const Count bytes : job.bytes) run_exchange(stage, neighborhood, cell, schedule, bytes);
  }
  HALOCLINE_MPI(Finalize);
}

}  // namespace halocline::simulate
