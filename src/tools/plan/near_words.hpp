// SPDX-License-Identifier: BSD-3-Clause
// --near and what goes with it: ranks on the cores of their nodes that are next to GPUs and NICs.
#pragma once

#include "place/rank_file.hpp"
#include "plan/seats/seated_order.hpp"
#include "tools/common/command.hpp"
#include "tools/common/options.hpp"

#include <string>

namespace halocline::tools {

class NearWords {
 public:
  void declare(Options& options);
  [[nodiscard]] bool given() const { return !near_.empty(); }

  /// The ranks of an order on the seats of their nodes. Throws Error{invalid_argument} that names the option.
  /// @pre given()
  [[nodiscard]] plan::SeatedOrder seated(const plan::MessageMatrix& matrix, const place::Order& order,
                                         Count cores_per_rank);
  /// What rank files say of them.
  [[nodiscard]] static place::SeatCores cores_of(const plan::SeatedOrder& seated);
  /// Figures and, if it was asked for, the wrapper.
  void tell(const plan::SeatedOrder& seated, Answer& answer) const;

 private:
  void write_wrapper(const plan::SeatedOrder& seated) const;

  std::string near_;
  std::string topology_;
  std::string devices_;
  std::string wrapper_;
  plan::NodeDevices node_;
};

}  // namespace halocline::tools
