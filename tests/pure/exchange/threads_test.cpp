// Executors, and what becomes of work that is shared by them.
#include "exchange/threads/crew.hpp"
#include "halocline/exchange/team.hpp"

#include "../expect_error.hpp"
#include "watched.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <mutex>
#include <numeric>
#include <random>
#include <stdexcept>
#include <thread>
#include <vector>

namespace halocline::exchange {
namespace {

/// An executor made of a function.
struct Made {
  int threads;
  std::function<void(int, const WorkParts&)> how;
  Count least = 1;
  [[nodiscard]] int width() const { return threads; }
  [[nodiscard]] Count least_bytes() const { return least; }
  void run(int tasks, const WorkParts& task) const { how(tasks, task); }
};

void in_order(int tasks, const WorkParts& task) {
  for (int part = 0; part < tasks; ++part) task(part);
}

/// Numbers written by parts, plainly: what is not in order is seen by ThreadSanitizer.
std::vector<int> counted(const std::function<void(int, const WorkParts&)>& run, int tasks) {
  std::vector<int> times(static_cast<std::size_t>(tasks), 0);
  run(tasks, WorkParts([](void* all, int part) { ++static_cast<int*>(all)[part]; }, times.data()));
  return times;
}

TEST(ThreadPool, runs_every_part_once) {
  for (const int threads : {1, 2, 3, 4}) {
    ThreadPool pool(threads);
    EXPECT_EQ(pool.width(), threads);
    for (int time = 0; time < 200; ++time) {
      const int tasks = time % 9;
      const auto times = counted([&](int n, const WorkParts& task) { pool.run(n, task); }, tasks);
      EXPECT_EQ(times, std::vector<int>(static_cast<std::size_t>(tasks), 1)) << threads << " threads";
    }
  }
}

TEST(ThreadPool, sleeps_and_wakes_up) {
  ThreadPool pool(3);
  for (int time = 0; time < 5; ++time) {
    std::this_thread::sleep_for(std::chrono::milliseconds(3));
    EXPECT_EQ(counted([&](int n, const WorkParts& task) { pool.run(n, task); }, 3), std::vector<int>(3, 1));
  }
}

TEST(ThreadPool, is_of_several_threads) {
  ThreadPool pool(4);
  struct Seen {
    std::mutex mutex;
    std::vector<std::thread::id> ids;
  } seen;
  pool.run(4, WorkParts(
                  [](void* all, int /*part*/) {
                    auto& its = *static_cast<Seen*>(all);
                    const std::scoped_lock lock(its.mutex);
                    its.ids.push_back(std::this_thread::get_id());
                  },
                  &seen));
  std::sort(seen.ids.begin(), seen.ids.end());
  EXPECT_EQ(std::unique(seen.ids.begin(), seen.ids.end()), seen.ids.end());
  EXPECT_EQ(seen.ids.size(), 4U);
}

TEST(ThreadPool, refuses_its_own_work) {
  ThreadPool pool(3);
  struct Both {
    ThreadPool& pool;
    std::atomic<int> refused = 0;
  } both{pool};
  pool.run(3, WorkParts(
                  [](void* all, int /*part*/) {
                    auto& its = *static_cast<Both*>(all);
                    try {
                      its.pool.run(1, WorkParts([](void*, int) {}, nullptr));
                    } catch (const Error& error) {
                      if (error.fault() == Fault::invalid_argument) ++its.refused;
                    }
                  },
                  &both));
  EXPECT_EQ(both.refused.load(), 3);
  EXPECT_EQ(counted([&](int n, const WorkParts& task) { pool.run(n, task); }, 4), std::vector<int>(4, 1));
}

TEST(ThreadPool, lets_a_second_thread_work_alone) {
  ThreadPool pool(3);
  std::vector<std::thread> callers;
  std::atomic<int> wrong = 0;
  for (int caller = 0; caller < 2; ++caller)
    callers.emplace_back([&] {
      for (int time = 0; time < 300; ++time)
        if (counted([&](int n, const WorkParts& task) { pool.run(n, task); }, 5) != std::vector<int>(5, 1))
          ++wrong;
    });
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(wrong.load(), 0);
}

TEST(ThreadPool, refuses_to_be_nobody) {
  expect_error(
      Fault::invalid_argument, [] { ThreadPool pool(0); }, "a pool of 0 threads");
  expect_error(
      Fault::invalid_argument, [] { Team team(-1); }, "a team of -1 threads");
  Team team(3);
  expect_error(
      Fault::invalid_argument, [&] { (void)team.member(3); }, "member 3", "team of 3 threads");
}

/// Calls work(number) by so many threads at once.
template <class Work>
void by_threads(int threads, const Work& work) {
  std::vector<std::thread> others;
  for (int number = 1; number < threads; ++number) others.emplace_back([&work, number] { work(number); });
  work(0);
  for (std::thread& other : others) other.join();
}

TEST(Team, works_together_and_sees_what_all_wrote) {
  for (const int threads : {1, 2, 3, 4}) {
    Team team(threads);
    std::vector<int> own(static_cast<std::size_t>(threads), 0);
    std::vector<int> sums(static_cast<std::size_t>(threads), 0);
    int led = 0;
    by_threads(threads, [&](int number) {
      for (int time = 0; time < 100; ++time) {
        own[static_cast<std::size_t>(number)] = time;  // no barrier before the call
        team.member(number).together([&](const Workers& workers) {
          ++led;
          EXPECT_EQ(workers.width(), threads);
          EXPECT_EQ(std::accumulate(own.begin(), own.end(), 0), time * threads);
          for (int job = 0; job < time % 3; ++job)
            workers.run(threads,
                        WorkParts([](void* all, int part) { ++static_cast<int*>(all)[part]; }, sums.data()));
        });
        EXPECT_EQ(led, time + 1) << "returns when it is done";
        team.member(number).together([](const Workers& /*workers*/) {});  // until all have looked
      }
    });
    EXPECT_EQ(sums, std::vector<int>(static_cast<std::size_t>(threads), 99));
  }
}

TEST(Team, throws_the_same_in_all_members) {
  Team team(3);
  std::atomic<int> thrown = 0;
  by_threads(3, [&](int number) {
    for (int time = 0; time < 50; ++time) {
      try {
        team.member(number).together([](const Workers&) { throw std::runtime_error("no"); });
      } catch (const std::runtime_error&) {
        ++thrown;
      }
      team.member(number).together([](const Workers&) {});  // goes on
    }
  });
  EXPECT_EQ(thrown.load(), 150);
}

TEST(Team, refuses_a_call_inside_of_a_call) {
  Team team(2);
  std::atomic<int> refused = 0;
  by_threads(2, [&](int number) {
    team.member(number).together([&](const Workers& /*workers*/) {
      expect_error(
          Fault::invalid_argument, [&] { team.member(0).together([](const Workers&) {}); }, "member 0",
          "already");
      ++refused;
    });
  });
  EXPECT_EQ(refused.load(), 1);
}

TEST(ForEach, hands_numbers_to_an_algorithm) {
  ForEach threads(5, [](auto first, auto last, auto f) { std::for_each(first, last, f); });
  EXPECT_EQ(Workers(threads).width(), 5);
  EXPECT_EQ(counted([&](int n, const WorkParts& task) { threads.run(n, task); }, 5), std::vector<int>(5, 1));
}

TEST(Workers, may_be_nobody_else) {
  EXPECT_EQ(Workers().width(), 1);
  EXPECT_EQ(counted([&](int n, const WorkParts& task) { Workers().run(n, task); }, 3),
            std::vector<int>(3, 1));
  const Serial serial;
  EXPECT_EQ(counted([&](int n, const WorkParts& task) { Workers(serial).run(n, task); }, 3),
            std::vector<int>(3, 1));
}

TEST(Share, cuts_without_gaps) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 2000; ++i) {
    const auto count = static_cast<Count>(random() % (i % 2 == 0 ? 20 : std::uint64_t{1} << 62));
    const int of = 1 + static_cast<int>(random() % 64);
    Count end = 0;
    for (int number = 0; number < of; ++number) {
      const Share share{number, of};
      EXPECT_EQ(share.begin(count), end);
      end = share.end(count);
      EXPECT_LE(end - share.begin(count), count / of + 1);
    }
    EXPECT_EQ(end, count);
  }
}

/// Every item of a load is done once, in parts that make it up.
void expect_all(Crew& crew, const Load& load, const std::string& what) {
  std::mutex mutex;
  std::vector<std::vector<Share>> done(load.works().size());
  crew.share(load, [&](std::size_t item, Share share) {
    const std::scoped_lock lock(mutex);
    done[item].push_back(share);
  });
  for (std::size_t item = 0; item < done.size(); ++item) {
    std::vector<int> numbers;
    for (const Share& share : done[item]) {
      EXPECT_EQ(share.of, static_cast<int>(done[item].size())) << what << ", item " << item;
      numbers.push_back(share.number);
    }
    std::sort(numbers.begin(), numbers.end());
    for (std::size_t i = 0; i < numbers.size(); ++i) EXPECT_EQ(numbers[i], static_cast<int>(i)) << what;
    EXPECT_FALSE(numbers.empty()) << what << ", item " << item;
  }
}

Load random_load(std::mt19937_64& random) {
  Load load;
  for (std::uint64_t items = random() % 30; items > 0; --items)
    load.add(static_cast<Count>(random() % 400000), static_cast<Count>(random() % 100));
  return load;
}

TEST(Crew, does_every_item_once) {
  std::mt19937_64 random(4);
  ThreadPool pool(3);
  for (int i = 0; i < 300; ++i) {
    const int width = 1 + static_cast<int>(random() % 70);
    Made made{width, [&](int tasks, const WorkParts& task) {
                if (tasks % 2 == 0) return in_order(tasks, task);
                pool.run(tasks, task);
              }};
    made.least = static_cast<Count>(random() % 200000);  // some items are cut by few, some by all
    Crew crew;
    crew.employ(made);
    expect_all(crew, random_load(random), std::to_string(width) + " workers, case " + std::to_string(i));
    crew.tell();
  }
}

TEST(Crew, does_alone_what_is_small) {
  Crew crew;
  int calls = 0;
  struct Counted {
    int& calls;
    [[nodiscard]] static int width() { return 4; }
    void run(int tasks, const WorkParts& task) const {
      ++calls;
      in_order(tasks, task);
    }
  } executor{calls};
  crew.employ(executor);
  Load small, large;
  small.add(1000, 10);
  large.add(4000000, 10);
  expect_all(crew, small, "small");
  EXPECT_EQ(calls, 0);
  expect_all(crew, large, "large");
  EXPECT_EQ(calls, 1);
}

TEST(Crew, ends_its_work_whatever_the_executor_does) {
  std::mt19937_64 random(5);
  Load load;
  for (int item = 0; item < 9; ++item) load.add(100000, 1);
  const auto with = [&](const Made& made, const std::vector<std::string>& words) {
    Crew crew;
    crew.lend(made);
    expect_all(crew, load, words.front());
    expect_all(crew, load, "alone, after " + words.front());
    crew.give_back();
    try {
      crew.tell();
      ADD_FAILURE() << words.front();
    } catch (const std::exception& error) {
      for (const std::string& word : words)
        EXPECT_NE(std::string(error.what()).find(word), std::string::npos) << error.what();
    }
    crew.tell();  // once
  };
  with({3, [](int, const WorkParts&) { throw std::runtime_error("at once"); }}, {"at once"});
  with({3,
        [](int, const WorkParts& task) {
          task(1);
          throw std::runtime_error("after a part");
        }},
       {"after a part"});
  with({3, [](int tasks, const WorkParts& task) { in_order(tasks - 1, task); }},
       {"did not run all of 3 parts"});
  const Workers nobody(0, nullptr, nullptr);
  Crew crew;
  expect_error(
      Fault::invalid_argument, [&] { crew.lend(nobody); }, "an executor of 0 workers");
  expect_error(
      Fault::invalid_argument, [&] { crew.employ(nobody); }, "an executor of 0 workers");
}

TEST(Crew, does_once_what_is_called_twice_or_does_not_exist) {
  Crew crew;
  const Made made{3, [](int tasks, const WorkParts& task) {
                    in_order(tasks, task);
                    in_order(tasks, task);
                    task(-1);
                    task(tasks);
                    task(1000);
                  }};
  crew.employ(made);
  Load load;
  load.add(100000, 1);
  expect_all(crew, load, "twice");
  crew.tell();
}

TEST(Crew, hands_on_what_a_copy_throws) {
  Crew crew;
  ThreadPool pool(2, 1);
  crew.employ(pool);
  EXPECT_THROW(crew.share(Count{1000},
                          [](Share share) {
                            if (share.number == 1) throw std::logic_error("a copy");
                          }),
               std::logic_error);
  crew.tell();
}

TEST(Crew, refuses_to_be_called_from_its_own_work) {
  Crew crew;
  int refused = 0;
  const Made made{2, [&](int tasks, const WorkParts& task) {
                    EXPECT_TRUE(crew.at_work());
                    const Made other{2, in_order};
                    expect_error(
                        Fault::invalid_argument, [&] { crew.lend(other); }, "its own executor");
                    ++refused;
                    in_order(tasks, task);
                  }};
  crew.lend(made);
  crew.share(Count{1000}, [](Share) {});
  crew.give_back();
  crew.tell();
  EXPECT_EQ(refused, 1);
  EXPECT_FALSE(crew.at_work());
}

/// What is moved by several threads in turn, as by a lock; whoever has it shares its copies.
class Moved {
 public:
  explicit Moved(Crew& crew) : crew_(crew) { load_.add(100000, 1), load_.add(10, 1), load_.add(50000, 1); }
  bool move(const std::string& what) {
    if (taken_.exchange(true, std::memory_order_acquire)) return false;
    expect_all(crew_, load_, what);
    taken_.store(false, std::memory_order_release);
    return true;
  }

 private:
  Crew& crew_;
  Load load_;
  std::atomic<bool> taken_ = false;
};

TEST(Crew, works_for_the_thread_of_a_call_and_for_no_other) {
  Crew crew;
  crew.serve(Crew::Serves::its_call);
  Moved moved(crew);
  Watched usual, lent;
  const Watched::Lent usual_is_ours(usual), lent_is_ours(lent);
  crew.employ(usual);
  std::atomic<bool> over = false;
  std::atomic<int> by_other = 0;
  std::thread other([&] {
    while (!over) {
      EXPECT_FALSE(crew.several());
      if (moved.move("by another")) ++by_other;
      std::this_thread::yield();
    }
  });
  for (int time = 0; time < 300 || by_other < 10; ++time) {
    EXPECT_FALSE(crew.several());  // in no call
    if (time % 3 != 0) {
      const Crew::Call call(crew);
      EXPECT_TRUE(crew.several());
      for (int again = 0; again < 3; ++again) (void)moved.move("in a call");
    } else {
      crew.lend(lent);
      const int before = lent.calls();
      {
        const Crew::Call call(crew);
        while (!moved.move("lent")) std::this_thread::yield();
      }
      EXPECT_TRUE(crew.several());
      EXPECT_GT(lent.calls(), before);
      crew.give_back();
    }
    crew.tell();
    std::this_thread::yield();
  }
  over = true;
  other.join();
  EXPECT_GT(usual.calls(), 0);
  EXPECT_EQ(usual.wrong() + lent.wrong(), 0);
}

TEST(Crew, has_the_threads_of_the_library_for_whoever_moves) {
  Crew crew;
  crew.serve(Crew::Serves::its_call);
  ThreadPool pool(2, 1);
  crew.employ_library(pool);
  Moved moved(crew);
  const auto move = [&] {
    for (int time = 0; time < 200; ++time) {
      EXPECT_TRUE(crew.several());
      (void)moved.move("by anybody");
      EXPECT_NO_THROW(crew.require_rest());
      std::this_thread::yield();
    }
  };
  std::thread one(move), another(move);
  one.join();
  another.join();
  crew.tell();
  crew.employ(pool);  // as one of the program's
  EXPECT_FALSE(crew.several());
}

TEST(Crew, works_for_nobody_if_it_is_told_so) {
  Crew crew;
  crew.serve(Crew::Serves::nobody);
  Watched watched;
  crew.lend(watched);
  const Crew::Call call(crew);
  Load load;
  load.add(100000, 1);
  expect_all(crew, load, "for nobody");
  EXPECT_EQ(watched.calls() + watched.wrong(), 0);
  crew.give_back();
}

}  // namespace
}  // namespace halocline::exchange
