// Random cases of a test: a few each time, or as many as there is time for.
#pragma once

#include "../../environment_number.hpp"
#include "support/world.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <ostream>
#include <string>

namespace halocline {

/// Cases have seeds, one after the other, so that any of them can be run alone:
///   HALOCLINE_SECONDS=600                 for ten minutes, with a line of progress now and then
///   HALOCLINE_SEED=4711                   from that seed on
///   HALOCLINE_SEED=4711 HALOCLINE_CASES=1 that one alone
///   HALOCLINE_SEED_FILE=path              keeps the seed at hand there, should the program not come back
/// The last line says how many there were, and which.
class Trials {
 public:
  using Clock = std::chrono::steady_clock;

  /// A test that is not alone in its program takes its `share` of HALOCLINE_SECONDS. More than four processes
  /// try a third of the cases: they share few cores.
  Trials(std::string what, std::uint64_t seed, int by_default, double share = 1)
      : what_(std::move(what)),
        seed_(environment_number<std::uint64_t>("HALOCLINE_SEED", seed, 0)),
        seconds_(share * environment_number("HALOCLINE_SECONDS", 0, 0)) {
    cases_ = seconds_ > 0
                 ? 0
                 : static_cast<std::uint64_t>(environment_number("HALOCLINE_CASES", cases_here(by_default)));
    if (world_rank() == 0) std::cout << what_ << ": from seed " << seed_ << " on" << std::endl;
  }

  /// Is there another case? Not after one that failed on any rank. Collective over the world.
  bool next() {
    const double passed = std::chrono::duration<double>(Clock::now() - begin_).count();
    const bool wanted = cases_ > 0 ? done_ < cases_ : passed < seconds_;
    int go_on = testing::Test::HasFailure() ? 0 : 1, all = 0, first = wanted ? 1 : 0;
    MPI_Bcast(&first, 1, MPI_INT, 0, MPI_COMM_WORLD);  // clocks differ
    MPI_Allreduce(&go_on, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (first == 0 || all == 0) {
      if (world_rank() == 0) end(all == 0);
      return false;
    }
    ++done_;
    if (world_rank() == 0) note(passed);
    return true;
  }

  /// Of the case that next() told of; the same on all ranks.
  [[nodiscard]] std::uint64_t seed() const { return seed_ + done_ - 1; }
  /// How many there were, this one included.
  [[nodiscard]] std::uint64_t done() const { return done_; }

  /// How to repeat the case at hand.
  friend std::ostream& operator<<(std::ostream& out, const Trials& trials) {
    return out << "HALOCLINE_SEED=" << trials.seed() << " HALOCLINE_CASES=1 ";
  }

 private:
  static constexpr double between_words = 10;

  static int cases_here(int by_default) {
    return world_size() <= 4 ? by_default : std::max(std::min(by_default, 3), by_default / 3);
  }

  void note(double passed) {
    if (const char* const path = std::getenv("HALOCLINE_SEED_FILE")) std::ofstream(path) << seed() << "\n";
    if (seconds_ <= 0 || passed < told_ + between_words) return;
    told_ = passed;
    std::cout << what_ << ": " << done_ - 1 << " cases in " << static_cast<int>(passed) << " of "
              << static_cast<int>(seconds_) << " s, now seed " << seed() << std::endl;
  }

  void end(bool failed) const {
    if (failed && done_ > 0) std::cout << what_ << ": seed " << seed() << " failed" << std::endl;
    std::cout << what_ << ": " << done_ << " cases, seeds " << seed_ << " to " << seed() << std::endl;
  }

  std::string what_;
  std::uint64_t seed_, cases_ = 0, done_ = 0;
  double seconds_, told_ = 0;
  Clock::time_point begin_ = Clock::now();
};

}  // namespace halocline
