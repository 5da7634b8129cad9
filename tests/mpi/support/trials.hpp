// Random cases of a test: a few each time, or as many as there is time for.
#pragma once

#include "support/world.hpp"

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <string>

namespace halocline {

/// Cases have seeds, one after the other, so that any of them can be run alone:
///   HALOCLINE_SECONDS=600                 for ten minutes, with a line of progress now and then
///   HALOCLINE_SEED=4711                   from that seed on
///   HALOCLINE_SEED=4711 HALOCLINE_CASES=1 that one alone
class Trials {
 public:
  using Clock = std::chrono::steady_clock;

  Trials(std::string what, std::uint64_t seed, int by_default)
      : what_(std::move(what)),
        seed_(number("HALOCLINE_SEED", seed)),
        seconds_(number("HALOCLINE_SECONDS", 0)) {
    cases_ = seconds_ > 0 ? 0 : number("HALOCLINE_CASES", static_cast<std::uint64_t>(by_default));
    if (world_rank() == 0) std::cout << what_ << ": from seed " << seed_ << " on" << std::endl;
  }

  /// Is there another case? Not after one that failed on any rank. Collective over the world.
  bool next() {
    const double passed = std::chrono::duration<double>(Clock::now() - begin_).count();
    const bool wanted = cases_ > 0 ? done_ < cases_ : passed < static_cast<double>(seconds_);
    int go_on = testing::Test::HasFailure() ? 0 : 1, all = 0, first = wanted ? 1 : 0;
    MPI_Bcast(&first, 1, MPI_INT, 0, MPI_COMM_WORLD);  // clocks differ
    MPI_Allreduce(&go_on, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (done_ > 0 && all == 0 && world_rank() == 0)
      std::cout << what_ << ": seed " << seed() << " failed" << std::endl;
    if (first == 0 || all == 0) return false;
    ++done_;
    if (seconds_ > 0 && world_rank() == 0 && passed >= told_ + 10) {
      told_ = passed;
      std::cout << what_ << ": " << done_ - 1 << " cases in " << static_cast<int>(passed) << " of "
                << seconds_ << " s, now seed " << seed() << std::endl;
    }
    return true;
  }

  /// Of the case that next() told of; the same on all ranks.
  [[nodiscard]] std::uint64_t seed() const { return seed_ + done_ - 1; }

 private:
  static std::uint64_t number(const char* variable, std::uint64_t otherwise) {
    const char* const text = std::getenv(variable);
    return text != nullptr ? std::strtoull(text, nullptr, 10) : otherwise;
  }

  std::string what_;
  std::uint64_t seed_, seconds_, cases_ = 0, done_ = 0;
  double told_ = 0;
  Clock::time_point begin_ = Clock::now();
};

}  // namespace halocline
