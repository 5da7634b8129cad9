// How many random trees to try: HALOCLINE_TREES, or a number that takes a second.
#pragma once

#include "../describe/random_layouts.hpp"

#include <cstdlib>
#include <iostream>
#include <random>

namespace halocline {

/// Random layouts with their seed printed; HALOCLINE_SEED repeats a run.
class Trees {
 public:
  explicit Trees(int by_default) : count_(number("HALOCLINE_TREES", by_default)) {
    std::cout << count_ << " trees, seed " << seed_ << "\n";
  }

  [[nodiscard]] int count() const { return count_; }
  [[nodiscard]] RandomLayouts& layouts() { return layouts_; }
  [[nodiscard]] std::mt19937_64& random() { return random_; }

 private:
  static int number(const char* name, int by_default) {
    const char* const text = std::getenv(name);
    return text == nullptr ? by_default : std::atoi(text);
  }

  int seed_ = number("HALOCLINE_SEED", 2026);
  int count_;
  RandomLayouts layouts_{static_cast<std::uint64_t>(seed_)};
  std::mt19937_64 random_{static_cast<std::uint64_t>(seed_)};
};

}  // namespace halocline
