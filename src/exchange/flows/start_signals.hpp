// SPDX-License-Identifier: BSD-3-Clause
// Who has started: an empty message from each process to its neighbours, so that time spent waiting for late
// ones can be told from time spent on data.
#pragma once

#include "exchange/flows/flow.hpp"
#include "exchange/flows/requests.hpp"
#include "exchange/progress/stopwatch.hpp"

#include <optional>
#include <span>
#include <vector>

namespace halocline::exchange {

class StartSignals : public Flow {
 public:
  StartSignals(std::span<const int> to, std::span<const int> from, int tag, MPI_Comm comm,
               Requests& requests);

  void begin() override;
  [[nodiscard]] bool advance() override;

  /// When it was seen that all neighbours had started; none if they have not.
  [[nodiscard]] const std::optional<Clock::time_point>& all_started() const { return all_started_; }

 private:
  std::vector<std::size_t> sends_, receives_;
  Requests& requests_;
  std::optional<Clock::time_point> all_started_;
};

}  // namespace halocline::exchange
