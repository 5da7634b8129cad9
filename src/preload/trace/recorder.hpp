// SPDX-License-Identifier: BSD-3-Clause
// What this process has sent so far. Every traced call ends in Recorder::add, which takes tens of
// nanoseconds; nothing here sends a message of its own.
#pragma once

#include "preload/trace/mpi_functions.hpp"
#include "preload/trace/ticks.hpp"
#include "trace/trace.hpp"

#include <array>
#include <atomic>
#include <deque>
#include <string>
#include <unordered_map>
#include <variant>
#include <vector>

#include <sched.h>

namespace halocline::recorder {

using trace::Activity;
using trace::Collective;
using trace::Volume;
using trace::Way;

/// A process with whom this one exchanges something, and what.
struct Partner {
  Count rank;  ///< Of the world, or trace::outside.
  std::array<Volume, trace::way_names.size()> sent{};
  std::array<Volume, trace::way_names.size()> got{};  ///< By this process's own calls: MPI_Get.
};

// What a call that went well has done.

struct Nothing {};
/// Bytes for a partner; for nobody if that is null.
struct SentMessage {
  Partner* partner;
  Way way;
  Count bytes;
};
struct SentMessages {
  std::vector<SentMessage> messages;
};
struct Contribution {
  Collective kind;
  Count bytes;
};
/// One-sided: what was put and what was got; nothing if it is below 0.
struct Access {
  Partner* partner;
  Count put;
  Count got;
};
using Deed = std::variant<Nothing, SentMessage, SentMessages, Contribution>;
/// Of a persistent request: what each start will do.
struct Prepared {
  MPI_Request request;
  Deed deed;
};
struct Started {
  MPI_Request request;
};
struct AllStarted {
  std::vector<MPI_Request> requests;
};
struct Freed {
  MPI_Request request;
};

class Recorder {
 public:
  /// Of a process of the world with MPI initialized.
  Recorder(Count rank, Count ranks, std::string node, bool several_threads);

  /// A call of one kind took so long and has done this.
  template <class Done>
  void add(Activity activity, Ticks ticks, const Done& done) {
    const Guard guard(*this);
    Spent& spent = spent_[to_index(activity)];
    ++spent.calls;
    if (ticks > 0) spent.ticks += ticks;  // counters of two processors may differ
    count(done);
  }
  /// Before anybody else can get the handle.
  void forget(const Freed& freed) {
    const Guard guard(*this);
    prepared_.erase(freed.request);
  }

  /// The one place for what is exchanged with this rank of the world.
  [[nodiscard]] Partner* partner(Count world_rank);

  [[nodiscard]] Count rank() const { return rank_; }
  [[nodiscard]] Count ranks() const { return ranks_; }
  /// What was recorded until now.
  [[nodiscard]] trace::Trace part() const;

  /// A lock that costs nothing in programs with one thread.
  class Guard {
   public:
    explicit Guard(const Recorder& recorder) : busy_(recorder.several_threads_ ? &recorder.busy_ : nullptr) {
      if (busy_ != nullptr)
        while (busy_->test_and_set(std::memory_order_acquire)) sched_yield();
    }
    ~Guard() {
      if (busy_ != nullptr) busy_->clear(std::memory_order_release);
    }
    Guard(const Guard&) = delete;
    Guard& operator=(const Guard&) = delete;

   private:
    std::atomic_flag* busy_;
  };

 private:
  struct Spent {
    Count calls = 0;
    Ticks ticks = 0;
  };

  static void count(const Nothing& /*nothing*/) {}
  static void count(const SentMessage& message) {
    if (message.partner == nullptr) return;
    Volume& sent = message.partner->sent[to_index(message.way)];
    ++sent.messages;
    sent.bytes += message.bytes;
  }
  static void count(const SentMessages& blocks) {
    for (const SentMessage& message : blocks.messages) count(message);
  }
  void count(const Contribution& contribution) {
    Volume& share = shares_[to_index(contribution.kind)];
    ++share.messages;
    share.bytes += contribution.bytes;
  }
  static void count(const Access& access);
  void count(const Prepared& prepared) { prepared_[prepared.request] = prepared.deed; }
  void count(const Started& started);
  void count(const AllStarted& started) {
    for (MPI_Request request : started.requests) count(Started{request});
  }

  Count rank_;
  Count ranks_;
  std::string node_;
  bool several_threads_;
  Stopwatch since_begin_;
  mutable std::atomic_flag busy_;
  std::deque<Partner> partners_;  ///< Whose places stay.
  std::unordered_map<Count, Partner*> partner_of_;
  std::array<Volume, trace::collective_names.size()> shares_{};
  std::array<Spent, trace::activity_names.size()> spent_{};
  std::unordered_map<MPI_Request, Deed> prepared_;
};

}  // namespace halocline::recorder
