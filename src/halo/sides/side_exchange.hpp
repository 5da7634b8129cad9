// SPDX-License-Identifier: BSD-3-Clause
// Fills the ghost points beyond the sides of a mesh, beside the exchange that fills all others: a message to
// each process that shows own points of this one there, and copies within the process.
#pragma once

#include "exchange/flows/requests.hpp"
#include "exchange/flows/rounds.hpp"
#include "exchange/neighborhood/context.hpp"
#include "exchange/planning/choice.hpp"
#include "exchange/progress/progress.hpp"
#include "halo/points/ground.hpp"
#include "halo/sides/side_map.hpp"
#include "halo/sums/numbers.hpp"
#include "halocline/exchange/statistics.hpp"

#include <memory>
#include <optional>
#include <vector>

namespace halocline::halo {

/// A field, its number among those of the halo, and what its elements are made of.
struct SideField {
  FieldView view;
  std::size_t number;
  Numbers numbers;
};

/// The numbers of its elements that have another sign beyond these sides. Throws Error{invalid_type} that
/// names the field if they have none.
[[nodiscard]] std::vector<NumberRun> odd_runs(const SideField& field, const Crossed& crossed);
/// Throws that for all sides, whether this process is at one or not.
void require_signs(const Sides& sides, const SideField& field);

class SideExchange : public exchange::Active {
 public:
  /// Of fields that are exchanged together. Every process makes it, with the same map and tag. Local.
  SideExchange(std::shared_ptr<exchange::Context> context, const SideMap& map, std::vector<SideField> fields,
               const Orders& orders, const exchange::Choice& choice, int tag);
  SideExchange(const SideExchange&) = delete;
  SideExchange& operator=(const SideExchange&) = delete;
  /// Completes what was started.
  ~SideExchange() override;

  /// @pre it is not under way
  void start();
  [[nodiscard]] bool test();
  void wait();

  /// Of all starts that are complete. Times are those of copying alone.
  [[nodiscard]] ExchangeStatistics statistics();

  bool advance() override;
  [[nodiscard]] bool complete() const override { return at_rest(); }
  [[nodiscard]] bool needs_messages_only() const override;
  void wait_for_message() override;

 private:
  struct Negation {
    std::size_t field;
    FieldView::Part part;
    std::vector<NumberRun> runs;
  };

  void plan(const SideMap& map, const Orders& orders, const exchange::Choice& choice, int tag);

  std::shared_ptr<exchange::Context> context_;
  std::vector<SideField> fields_;
  exchange::Requests requests_;
  std::optional<exchange::Rounds> rounds_;
  std::vector<exchange::LocalCopy> copies_;
  std::vector<Negation> negations_;
  ExchangeStatistics each_;  ///< Traffic of one start.
  exchange::Stopwatch watch_;
  bool timed_;
  bool asked_ = false;
  Count complete_starts_ = 0;
};

/// What all processes together send beyond the sides in one start, and the most that one sends to others.
struct SideTraffic {
  Traffic self, others, most;
};
[[nodiscard]] SideTraffic side_traffic(const SideMap& map, const std::vector<SideField>& fields);

}  // namespace halocline::halo
