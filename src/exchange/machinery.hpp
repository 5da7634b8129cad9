// All that runs one exchange: its flows, their requests and their memory.
#pragma once

#include "exchange/blocks.hpp"
#include "exchange/channel.hpp"
#include "exchange/choice.hpp"
#include "exchange/context.hpp"
#include "exchange/flow.hpp"
#include "exchange/neighborhood_state.hpp"
#include "exchange/requests.hpp"
#include "exchange/rounds.hpp"
#include "exchange/start_signals.hpp"
#include "exchange/stopwatch.hpp"
#include "halocline/exchange/statistics.hpp"

#include <memory>
#include <string>
#include <vector>

namespace halocline::exchange {

class Machinery {
 public:
  /// Collective over the node whenever it has several processes. Local otherwise.
  Machinery(Neighborhood::State& neighborhood, const Blocks& blocks, const Choice& choice);
  Machinery(const Machinery&) = delete;
  Machinery& operator=(const Machinery&) = delete;
  /// @pre nothing is under way
  ~Machinery();

  /// Was there the shared memory that the choice asks for? If not it cannot be used, on this node.
  [[nodiscard]] bool usable() const { return usable_; }
  [[nodiscard]] bool shares_memory() const { return arena_ != nullptr; }

  /// What one start sends.
  [[nodiscard]] const ExchangeStatistics& traffic() const { return traffic_; }
  /// Null unless times are taken.
  [[nodiscard]] const StartSignals* start_signals() const { return start_signals_; }
  [[nodiscard]] double copy_seconds() const { return copying_.seconds; }

  void begin();
  [[nodiscard]] bool advance();

  /// Is it under way, with nothing left to do before a message of its own has come or gone?
  [[nodiscard]] bool needs_messages_only() const;
  /// Until one has. @pre needs_messages_only()
  void wait_for_message() {
    requests_.wait();
    asked_ = true;
  }

 private:
  std::shared_ptr<Context> context_;
  Requests requests_;
  std::unique_ptr<std::byte[]> scratch_;
  std::unique_ptr<NodeMemory::Arena> arena_;
  std::unique_ptr<Counter[]> private_arena_;  ///< Of a process that is alone on its node.
  std::vector<Channel> own_channels_;
  std::vector<std::unique_ptr<Flow>> flows_;
  std::vector<Flow*> open_;  ///< Those that are not done, of the current start.
  ExchangeStatistics traffic_;
  const StartSignals* start_signals_ = nullptr;  ///< One of the flows.
  Stopwatch copying_;
  std::uint64_t starts_ = 0;
  bool usable_ = true;
  bool asked_ = false;  ///< MPI, by who waited; advance() need not ask again.

  /// With nothing in it yet. Once this is through, what building throws leaves by the destructor, which gives
  /// the arena back.
  explicit Machinery(std::shared_ptr<Context> context);
  friend class MachineryBuilder;
};

}  // namespace halocline::exchange
