// Ratios of many cases: what is typical of them, and the extremes.
#pragma once

#include <cmath>
#include <string>

namespace halocline::bench {

class Ratios {
 public:
  void add(double ratio, const std::string& name = "") {
    if (count_ == 0 || ratio < least_) {
      least_ = ratio;
      least_name_ = name;
    }
    if (count_ == 0 || ratio > largest_) {
      largest_ = ratio;
      largest_name_ = name;
    }
    logarithms_ += std::log(ratio);
    below_one_ += ratio < 1 ? 1 : 0;
    ++count_;
  }

  [[nodiscard]] int count() const { return count_; }
  [[nodiscard]] int below_one() const { return below_one_; }
  /// The geometric one. @pre there is a ratio, as for the extremes
  [[nodiscard]] double mean() const { return std::exp(logarithms_ / count_); }
  [[nodiscard]] double least() const { return least_; }
  [[nodiscard]] double largest() const { return largest_; }
  [[nodiscard]] const std::string& least_name() const { return least_name_; }
  [[nodiscard]] const std::string& largest_name() const { return largest_name_; }

 private:
  double logarithms_ = 0, least_ = 0, largest_ = 0;
  int count_ = 0, below_one_ = 0;
  std::string least_name_, largest_name_;
};

}  // namespace halocline::bench
