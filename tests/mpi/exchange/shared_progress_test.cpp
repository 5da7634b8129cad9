// Threads that move together what is under way, and the thread of the library, in a program without MPI,
// which ThreadSanitizer watches in builds with sanitizers: it sees at once what two threads touch without an
// order.

#include "exchange/progress/shared_progress.hpp"
#include "exchange/progress/mpi_waiting.hpp"
#include "exchange/progress/progress_thread.hpp"
#include "exchange/threads/crew.hpp"
#include "exchange/watched.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <numeric>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace halocline::exchange {

// Instead of MPI: a request has completed when it was asked for often enough, and all work by chance.
namespace {
thread_local int asked = 0;
}
bool ask(MPI_Request& /*request*/) { return ++asked % 7 == 0; }
MpiWork::MpiWork() = default;
MpiWork::~MpiWork() = default;
/// One thread at a time: nothing here is atomic.
void MpiWork::go_on() {
  static int plain = 0;
  ++plain;
}

namespace {

using Random = std::mt19937_64;

/// What two operations have in common, as two processes have a channel: how far each has come.
struct Pair {
  std::array<std::atomic<int>, 2> rounds{};
};

/// Complete when it was moved some times and the other half has begun, too. All members are plain: who moves
/// it has it alone.
class Half : public Active {
 public:
  Half(Pair& pair, std::size_t side) : pair_(pair), side_(side) {
    crew_.serve(Crew::Serves::its_call);
    for (int item = 0; item < 3; ++item) load_.add(1000, 1);
  }
  Crew& crew() { return crew_; }
  Watched& watched() { return watched_; }

  void start(SharedProgress& progress, int moves, int fails) {
    const Crew::Call call(crew_);
    progress.begin(*this);
    left_ = moves;
    fails_ = fails;
    done_.assign(9, 0);
    ++round_;
    pair_.rounds[side_].store(round_, std::memory_order_release);
    progress.release(*this, moves % 3 == 0 && advance());
  }
  bool advance() override {
    EXPECT_EQ(inside_++, 0);
    crew_.share(load_, [this](std::size_t item, Share share) {
      for (Count i = share.begin(3); i < share.end(3); ++i) ++done_[item * 3 + static_cast<std::size_t>(i)];
    });
    ++moves_;
    --inside_;
    if (fails_ > 0 && --fails_ == 0) throw std::runtime_error("a move");
    left_ = std::max(left_ - 1, 0);
    return left_ == 0 && pair_.rounds[1 - side_].load(std::memory_order_acquire) >= round_;
  }
  [[nodiscard]] bool complete() const override { return at_rest(); }
  [[nodiscard]] bool needs_messages_only() const override { return false; }
  void wait_for_message() override { FAIL(); }

  /// In each move each part was copied once. @pre nobody moves it
  void expect_copies() {
    for (const int times : done_) EXPECT_EQ(times, moves_);
    moves_ = 0;
  }
  [[nodiscard]] int moves() const { return moves_; }

 private:
  Pair& pair_;
  std::size_t side_;
  Crew crew_;
  Watched watched_;
  Load load_;
  int round_ = 0, left_ = 0, fails_ = 0, moves_ = 0, inside_ = 0;
  std::vector<int> done_;
};

/// One that fails says so here, once for each time, and goes on.
template <class Step>
bool told(const Step& step, int& failures) {
  try {
    return step();
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "a move");
    ++failures;
    return false;
  }
}

void complete(SharedProgress& progress, Half& half, Random& random, int& failures) {
  const Watched::Lent lent(half.watched());
  const bool lends = random() % 2 == 0;
  if (lends) half.crew().lend(half.watched());
  const auto step = [&] {
    const Crew::Call call(half.crew());
    if (random() % 3 == 0) return progress.test(half);
    progress.wait(half);
    return true;
  };
  while (!told(step, failures)) {
    if (random() % 2 == 0 && progress.take(half)) {
      EXPECT_GE(half.moves(), 0);
      progress.release(half, false);
    }
  }
  half.crew().tell();
  if (lends) half.crew().give_back();
  half.expect_copies();
}

/// The halves of one thread, of which the others are those of its neighbours.
void live(SharedProgress& progress, std::vector<Pair>& pairs, std::size_t thread, std::size_t threads,
          std::uint64_t seed) {
  Random random(seed * 16 + thread);
  std::vector<std::unique_ptr<Half>> halves;
  const std::size_t each = pairs.size() / threads;
  for (std::size_t i = 0; i < each; ++i) {
    halves.push_back(std::make_unique<Half>(pairs[thread * each + i], 0));
    halves.push_back(std::make_unique<Half>(pairs[(thread + 1) % threads * each + i], 1));
  }
  for (const auto& half : halves)
    if (random() % 2 == 0) half->crew().employ(half->watched());
  int failures = 0, wanted = 0;
  std::vector<std::size_t> order(halves.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (int round = 0; round < 20; ++round) {
    std::shuffle(order.begin(), order.end(), random);
    for (const std::size_t i : order) {
      const Watched::Lent lent(halves[i]->watched());
      const int fails = random() % 5 == 0 ? 2 : 0;  // not while it begins
      wanted += fails > 0 ? 1 : 0;
      halves[i]->start(progress, 2 + static_cast<int>(random() % 5), fails);
    }
    if (random() % 4 == 0) progress.wait(MPI_REQUEST_NULL);
    std::shuffle(order.begin(), order.end(), random);
    for (const std::size_t i : order) complete(progress, *halves[i], random, failures);
  }
  EXPECT_EQ(failures, wanted);
  for (const auto& half : halves) EXPECT_EQ(half->watched().wrong(), 0);
}

void run(std::uint64_t seed, bool has_thread) {
  Random random(seed);
  const std::size_t threads = 2 + random() % 3;
  std::vector<Pair> pairs(threads * (1 + random() % 3));
  auto progress = std::make_shared<SharedProgress>();
  progress->expect_processes(1 + random() % 8);
  std::unique_ptr<ProgressThread> ours;
  if (has_thread) ours = std::make_unique<ProgressThread>(progress);
  std::vector<std::thread> all;
  for (std::size_t t = 0; t < threads; ++t)
    all.emplace_back([&, t] { live(*progress, pairs, t, threads, seed); });
  if (has_thread) {
    progress->employ(false);
    std::this_thread::yield();
    progress->employ(true);
  }
  for (std::thread& thread : all) thread.join();
}

TEST(SharedProgress, moves_everything_once_at_a_time) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) run(seed, false);
}

TEST(SharedProgress, has_a_thread_of_its_own) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) run(seed, true);
}

/// Nobody waits: whatever moves is the thread's.
TEST(SharedProgress, is_moved_while_nobody_waits) {
  auto progress = std::make_shared<SharedProgress>();
  const ProgressThread ours(progress);
  Pair pair;
  Half one(pair, 0), other(pair, 1);
  for (int round = 0; round < 20; ++round) {
    one.start(*progress, 4, 0);
    other.start(*progress, 5, 0);
    while (!one.at_rest() || !other.at_rest()) std::this_thread::yield();
    one.expect_copies();
    other.expect_copies();
    if (round % 5 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(2));  // it falls asleep
  }
  EXPECT_EQ(one.watched().calls() + other.watched().calls(), 0);
}

}  // namespace
}  // namespace halocline::exchange
