// SPDX-License-Identifier: BSD-3-Clause
#include "halocline/exchange/exchange.hpp"

#include "base/fail.hpp"
#include "base/inside.hpp"
#include "base/log.hpp"
#include "exchange/planning/choice.hpp"
#include "exchange/planning/create.hpp"
#include "exchange/planning/planned.hpp"
#include "exchange/progress/progress_thread.hpp"
#include "exchange/threads/process_pool.hpp"
#include "exchange/ways/machinery.hpp"
#include "halocline/base/error.hpp"
#include "mpi/handles/agree.hpp"
#include "mpi/settings/plan_in_use.hpp"
#include "plan/options/option_names.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <optional>

namespace halocline {

struct HALOCLINE_INSIDE Exchange::State : exchange::Active {
  std::shared_ptr<NeighborhoodState> neighborhood;
  exchange::Choice choice;
  std::unique_ptr<exchange::Machinery> machinery;
  Operation operation;
  std::optional<Counts> bytes;  ///< Of the blocks to each neighbour, if they are the same in all processes.
  /// Until it was waited for, or tested with success. Any thread may ask; it orders nothing.
  std::atomic<bool> started = false;
  Count complete_starts = 0;
  double late_seconds = 0, transfer_seconds = 0;
  std::shared_ptr<ThreadPool> pool = {};  ///< If it has threads of the library.

  State(std::shared_ptr<NeighborhoodState> its_neighborhood, exchange::Choice its_choice,
        std::unique_ptr<exchange::Machinery> its_machinery, Operation its_operation,
        std::optional<Counts> its_bytes)
      : neighborhood(std::move(its_neighborhood)),
        choice(its_choice),
        machinery(std::move(its_machinery)),
        operation(its_operation),
        bytes(std::move(its_bytes)) {}

  bool advance() override {
    if (!machinery->advance()) return false;
    ++complete_starts;
    return true;
  }
  /// Its data has come and gone, which may be while others are waited for.
  [[nodiscard]] bool complete() const override { return at_rest(); }
  [[nodiscard]] bool needs_messages_only() const override { return machinery->needs_messages_only(); }
  void wait_for_message() override { machinery->wait_for_message(); }
  /// Waits, and tells waiting for neighbours from waiting for data.
  void timed_wait() {
    using exchange::Clock;
    const Clock::time_point begin = Clock::now();
    double copied_before = 0;
    hold([&] { copied_before = machinery->copy_seconds(); });
    progress().wait(*this);
    const double waited = exchange::seconds_between(begin, Clock::now());
    const double copied = machinery->copy_seconds() - copied_before;
    const double late =
        std::clamp(exchange::seconds_between(begin, *machinery->start_signals()->all_started()), 0.0, waited);
    late_seconds += late;
    transfer_seconds += std::max(0.0, waited - late - copied);
  }
  void complete() {
    if (!at_rest()) {
      if (choice.timed)
        timed_wait();
      else
        progress().wait(*this);
    }
    started.store(false, std::memory_order_relaxed);
  }
  [[nodiscard]] exchange::Progress& progress() const { return neighborhood->context->progress(); }
  [[nodiscard]] exchange::Crew& crew() const { return machinery->crew(); }
  /// What moves change is looked at while nobody moves it, unless this is called from within such a move.
  template <class Look>
  void hold(const Look& look) {
    if (crew().at_work()) return look();
    progress().hold(*this, look);
  }
};
/// The class keeps the name of it to itself.
using ExchangeState = std::remove_cvref_t<decltype(state_of(std::declval<const Exchange&>()))>;

namespace {

using exchange::Blocks;
using exchange::Choice;
using exchange::Machinery;

struct BuildOrder {
  Blocks blocks;
  Choice choice;
  exchange::Described described;
  std::string why_not_by_plan;
  std::shared_ptr<ThreadPool> pool;
};

/// Null on all processes if one of them cannot use it.
std::unique_ptr<Machinery> built(NeighborhoodState& neighborhood, const Blocks& blocks,
                                 const Choice& choice) {
  const exchange::Context& context = *neighborhood.context;
  std::optional<Error> error;
  auto machinery = mpi::attempted(
      [&] {
        auto made = std::make_unique<Machinery>(neighborhood, blocks, choice);
        if (choice.has_thread) exchange::ProgressThread::begin();
        return made;
      },
      error);
  std::array<Count, 2> all{error ? 0 : 1, machinery && (*machinery)->usable() ? 1 : 0};
  context.find_least(all);
  if (all[0] == 0) mpi::agree(context.comm(), error);
  return all[1] != 0 ? std::move(*machinery) : nullptr;
}

std::uint64_t fingerprint_of(const BuildOrder& order) {
  return mpi::fingerprint(order.blocks.signature() + " " + order.choice.to_text());
}

/// As mpi::agreed_by_first(); but others may be about to come here only once what is under way has moved.
BuildOrder agreed_order(const exchange::Context& context,
                        const std::function<BuildOrder(const mpi::Environment&)>& read) {
  std::optional<Error> error;
  std::optional<BuildOrder> order = mpi::attempted([&] { return read({}); }, error);
  const auto print = static_cast<Count>(order ? fingerprint_of(*order) : 0);
  std::array<Count, 3> least{error ? 0 : 1, print, ~print};
  context.find_least(least);
  if (least[0] != 0 && least[1] == ~least[2]) return std::move(*order);
  const auto first = mpi::Environment::of_first(context.comm());
  return mpi::agreed(
      context.comm(), [&] { return read(first); }, fingerprint_of,
      "the operation, the sizes of the blocks, or the way to exchange them,");
}

std::unique_ptr<ExchangeState> created(const Neighborhood& neighborhood, Operation operation,
                                       const exchange::ReadEnds& read, const ExchangeOptions& options) {
  NeighborhoodState& state = *state_of(neighborhood);
  BuildOrder order = agreed_order(*state.context, [&](const mpi::Environment& environment) {
    const exchange::Ends ends = read();
    Blocks blocks = exchange::blocks_of(operation, neighborhood.size(), ends.send, ends.receive, ends.sizes,
                                        ends.seen_here);
    blocks.device = ends.device;
    exchange::require_memory(blocks, state.neighbours);
    exchange::Described described = ends.described;
    if (!described)
      described = [&state, operation, bytes = blocks.bytes_out](const Machine& machine) {
        return exchange::blocks_problem(state, operation, bytes, machine);
      };
    Choice choice = exchange::wanted(options, environment);
    std::string why_not = exchange::obey_plan(choice, environment, state, described);
    choice = exchange::decided(choice, state, blocks);
    return BuildOrder{std::move(blocks), choice, std::move(described), std::move(why_not),
                      exchange::pool_of_process(exchange::wanted_threads(options))};
  });
  std::unique_ptr<Machinery> machinery = built(state, order.blocks, order.choice);
  if (!machinery) {
    if (state.context->rank() == 0)
      log_line("shared memory cannot be had on all nodes: processes of a node send messages");
    order.choice.shared = false;
    order.choice.schedule = order.choice.asked;
    order.choice = exchange::decided(order.choice, state, order.blocks);
    machinery = built(state, order.blocks, order.choice);
  }
  // Devices that write to each other tell it there, whatever becomes of messages. The same on all processes.
  if (!machinery)
    fail(Fault::out_of_memory,
         "no memory that the processes of a node share, by which those with fields on devices tell each "
         "other when these may be written");
  if (state.context->is_first() && !order.why_not_by_plan.empty())
    say_once(concat("the plan of ", mpi::plan_use, " is not used for an exchange: ", order.why_not_by_plan));
  exchange::tell_plan(options, state, order.choice, order.described);
  std::optional<Counts> bytes;
  if (order.blocks.even()) bytes = std::move(order.blocks.bytes_out);
  auto made = std::make_unique<ExchangeState>(state_of(neighborhood), order.choice, std::move(machinery),
                                              operation, std::move(bytes));
  made->pool = std::move(order.pool);
  if (made->pool) made->crew().employ_library(*made->pool);
  return made;
}

}  // namespace

Exchange exchange_of(std::unique_ptr<Exchange::State> state) { return Exchange(std::move(state)); }
const Exchange::State& state_of(const Exchange& exchange) { return exchange.state(); }

Exchange exchange::create(const Neighborhood& neighborhood, Operation operation, const ReadEnds& read,
                          const ExchangeOptions& options) {
  return exchange_of(created(neighborhood, operation, read, options));
}

bool exchange::goes_on_stream(const Exchange& exchange) {
  return state_of(exchange).machinery->goes_on_stream();
}

bool exchange::has_device(const Exchange& exchange) { return state_of(exchange).machinery->has_device(); }

void exchange::require_stream(const Exchange& exchange, accelerate::Stream stream) {
  state_of(exchange).machinery->require_stream(stream);
}

void exchange::start_on(const Exchange& exchange, accelerate::Stream stream) {
  state_of(exchange).machinery->begin_on(stream);
}

void exchange::end_on(const Exchange& exchange, accelerate::Stream stream) {
  state_of(exchange).machinery->end_on(stream);
}

bool exchange::device_done(const Exchange& exchange, bool waits) {
  return state_of(exchange).machinery->device_done(waits);
}

void exchange::require_idle(const Exchange& exchange) { state_of(exchange).machinery->require_idle(); }

void exchange::begin_after(const Exchange& exchange, accelerate::Stream stream) {
  state_of(exchange).machinery->begin_after(stream);
}

exchange::Crew& exchange::crew_of(const Exchange& exchange) { return state_of(exchange).crew(); }

bool exchange::may_share_memory(const Exchange& exchange) { return state_of(exchange).choice.shared; }

plan::Explanation exchange::explained(const Exchange& exchange, const Described& described) {
  const ExchangeState& state = state_of(exchange);
  return explained(*state.neighborhood, state.choice, described);
}

plan::Explanation Exchange::plan() const {
  const State& state = this->state();
  if (!state.bytes)
    fail(Fault::unsupported,
         "the blocks of the exchange differ between processes; ask the halo for its plan");
  return exchange::explained(*this, [&](const Machine& machine) {
    return exchange::blocks_problem(*state.neighborhood, state.operation, *state.bytes, machine);
  });
}

Exchange Exchange::alltoall(const Neighborhood& neighborhood, std::span<const Block> send,
                            std::span<const Block> receive, const ExchangeOptions& options) {
  return exchange::create(
      neighborhood, Operation::alltoall,
      [&] {
        return exchange::Ends{{send.begin(), send.end()}, {receive.begin(), receive.end()}, {}, {}};
      },
      options);
}

Exchange Exchange::allgather(const Neighborhood& neighborhood, const Block& send,
                             std::span<const Block> receive, const ExchangeOptions& options) {
  return exchange::create(
      neighborhood, Operation::allgather,
      [&] {
        return exchange::Ends{{send}, {receive.begin(), receive.end()}, {}, {}};
      },
      options);
}

Exchange::Exchange(std::unique_ptr<State> state) : state_(std::move(state)) {}
Exchange::Exchange() noexcept = default;
Exchange::Exchange(Exchange&& other) noexcept = default;

Exchange& Exchange::operator=(Exchange&& other) noexcept {
  std::swap(state_, other.state_);
  return *this;
}

Exchange::~Exchange() {
  if (state_ && !state_->at_rest()) state_->complete();
}

Exchange::State& Exchange::state() const {
  require(state_ != nullptr,
          "the exchange is empty: it was made of nothing, or moved from; assign one to it");
  return *state_;
}

void Exchange::start() {
  State& state = this->state();
  state.crew().require_rest();
  require(!state.started.load(std::memory_order_relaxed),
          "the exchange was started and is not complete yet; wait for it first");
  state.started.store(true, std::memory_order_relaxed);
  {
    const exchange::Crew::Call call(state.crew());
    exchange::Progress::Beginning beginning(state.progress(), state);
    state.machinery->begin();
    // Messages that have just been sent are not yet here.
    if (!state.needs_messages_only() && state.advance()) beginning.is_complete();
  }
  state.crew().tell();
}

bool Exchange::test() {
  State& state = this->state();
  state.crew().require_rest();
  const exchange::Crew::Call call(state.crew());
  const bool done = state.at_rest() || state.progress().test(state);
  if (done) state.started.store(false, std::memory_order_relaxed);
  state.crew().tell();
  return done;
}

void Exchange::wait() {
  State& state = this->state();
  state.crew().require_rest();
  const exchange::Crew::Call call(state.crew());
  state.complete();
  state.crew().tell();
}

void Exchange::start(const Workers& workers) {
  exchange::with_workers(state().crew(), workers, [this] { start(); });
}

void Exchange::wait(const Workers& workers) {
  exchange::with_workers(state().crew(), workers, [this] { wait(); });
}

void Exchange::set_executor(const Workers& workers) {
  State& state = this->state();
  state.crew().require_rest();
  state.hold([&] { state.crew().employ(workers); });
}

bool Exchange::active() const { return state().started.load(std::memory_order_relaxed); }
const std::string& Exchange::schedule() const { return plan::name_of(state().choice.schedule); }
bool Exchange::shares_memory() const { return state().choice.shared && state().machinery->shares_memory(); }

ExchangeStatistics Exchange::statistics() const {
  State& state = this->state();
  ExchangeStatistics all;
  state.hold([&] {
    all = state.machinery->traffic();
    all.exchanges = state.complete_starts + state.machinery->on_stream();
    all.pack_seconds = state.machinery->copy_seconds();
  });
  for (Traffic* traffic : {&all.self, &all.node, &all.network}) {
    traffic->messages *= all.exchanges;
    traffic->bytes *= all.exchanges;
  }
  all.timed = state.choice.timed;
  all.late_seconds = state.late_seconds;
  all.transfer_seconds = state.transfer_seconds;
  return all;
}

}  // namespace halocline
