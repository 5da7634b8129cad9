// How many random trees to try: HALOCLINE_TREES, or a number that takes a second.
#pragma once

#include "../../environment_number.hpp"
#include "../describe/random_layouts.hpp"

#include <cstdint>
#include <iostream>
#include <random>

namespace halocline {

/// Random layouts with their seed printed; HALOCLINE_SEED repeats a run.
class Trees {
 public:
  explicit Trees(int by_default) : count_(environment_number("HALOCLINE_TREES", by_default)) {
    std::cout << count_ << " trees, seed " << seed_ << "\n";
  }

  [[nodiscard]] int count() const { return count_; }
  [[nodiscard]] RandomLayouts& layouts() { return layouts_; }
  [[nodiscard]] std::mt19937_64& random() { return random_; }

 private:
  std::uint64_t seed_ = environment_number<std::uint64_t>("HALOCLINE_SEED", 2026, 0);
  int count_;
  RandomLayouts layouts_{seed_};
  std::mt19937_64 random_{seed_};
};

}  // namespace halocline
