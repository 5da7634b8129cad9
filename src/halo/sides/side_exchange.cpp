// SPDX-License-Identifier: BSD-3-Clause
#include "halo/sides/side_exchange.hpp"

#include "base/fail.hpp"
#include "base/integers.hpp"
#include "base/numbers.hpp"
#include "halo/sums/negating.hpp"
#include "halocline/base/error.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace halocline::halo {
namespace {

using exchange::RoundPlan;

/// Which numbers of each element one side makes negative: all, or some.
struct OddNumbers {
  bool all = false;
  std::set<std::size_t> some;
};

OddNumbers odd_numbers(const Side& side, std::size_t field) {
  OddNumbers odd;
  for (const Side::Odd& one : side.odd) {
    if (one.field != Side::Odd::all && one.field != field) continue;
    if (one.number == Side::Odd::all)
      odd.all = true;
    else
      odd.some.insert(one.number);
  }
  return odd;
}

std::size_t count_of_numbers(const Numbers& numbers) {
  Count count = 0;
  for (const NumberRun& run : numbers.runs) count += run.count;
  return to_size(count);
}

std::vector<NumberRun> runs_of(const SideField& field, const OddNumbers& odd) {
  try {
    if (odd.all) return negated_runs(field.numbers);
    return negated_runs(field.numbers, {std::vector<std::size_t>(odd.some.begin(), odd.some.end())});
  } catch (const Error& error) {
    fail(error.fault(), "field ", field.number, error.what());
  }
}

Count bytes_of(const SidePiece& piece, const FieldView& field) {
  Count bytes = field.element().size();
  for (const Count count : piece.to.count) bytes = checked_multiply(bytes, count);
  return bytes;
}

/// What the owner reads, in the order in which it is written elsewhere.
compile::Part shown_part(const FieldView& field, const SidePiece& piece,
                         const std::vector<std::size_t>& order) {
  Layout points = field.element();
  for (std::size_t i = order.size(); i-- > 0;) {
    const std::size_t d = order[i];
    const Count stride = piece.reversed[d] ? -field.strides()[d] : field.strides()[d];
    points = Layout::hvector(piece.to.count[d], 1, stride, std::move(points));
  }
  return {std::move(points), 1, to_count(field.at(piece.from))};
}

compile::Part ghost_part(const FieldView& field, const SidePiece& piece,
                         const std::vector<std::size_t>& order) {
  return {field.layout(piece.to, order), 1, to_count(field.at(piece.to.first))};
}

}  // namespace

std::vector<NumberRun> odd_runs(const SideField& field, const Crossed& crossed) {
  OddNumbers odd;  // beyond two sides a number is itself again
  for (const Side* const side : crossed) {
    const OddNumbers its = odd_numbers(*side, field.number);
    if (its.all) {
      odd.all = !odd.all;
      continue;
    }
    for (const std::size_t number : its.some)
      if (!odd.some.insert(number).second) odd.some.erase(number);
  }
  if (!odd.all && odd.some.empty()) return {};
  if (odd.all && !odd.some.empty()) {
    odd.all = false;
    std::set<std::size_t> others;
    for (std::size_t i = 0; i < count_of_numbers(field.numbers); ++i)
      if (!odd.some.contains(i)) others.insert(i);
    odd.some = std::move(others);
  }
  return runs_of(field, odd);
}

void require_signs(const Sides& sides, const SideField& field) {
  for (const Side& side : sides.list())
    if (const OddNumbers odd = odd_numbers(side, field.number); odd.all || !odd.some.empty()) {
      (void)runs_of(field, {false, odd.some});
      if (odd.all) (void)runs_of(field, {true, {}});
    }
}

SideExchange::SideExchange(std::shared_ptr<exchange::Context> context, const SideMap& map,
                           std::vector<SideField> fields, const Orders& orders,
                           const exchange::Choice& choice, int tag)
    : context_(std::move(context)), fields_(std::move(fields)), timed_(choice.timed) {
  plan(map, orders, choice, tag);
}

void SideExchange::plan(const SideMap& map, const Orders& orders, const exchange::Choice& choice, int tag) {
  const Grid& grid = map.decomposition().grid();
  const Rank rank = context_->rank();
  const Cell cell = grid.cell(rank);
  std::map<Rank, RoundPlan> plans;
  std::set<Rank> readers;
  for (const SideField& field : fields_)
    for (const Cell& reader : map.may_get_from(cell, field.number, field.view.halo()))
      readers.insert(grid.index(reader));
  for (const Rank reader : readers)
    for (std::size_t f = 0; f < fields_.size(); ++f)
      for (const SidePiece& piece :
           map.pieces(grid.cell(reader), fields_[f].number, fields_[f].view.halo())) {
        if (piece.source != cell || reader == rank) continue;
        RoundPlan& plan = plans[reader];
        plan.to = to_int(reader);
        plan.sends.push_back(shown_part(fields_[f].view, piece, orders[f]));
      }
  for (std::size_t f = 0; f < fields_.size(); ++f) {
    const FieldView& field = fields_[f].view;
    for (const SidePiece& piece : map.pieces(cell, fields_[f].number, field.halo())) {
      const Rank source = grid.index(piece.source);
      if (source == rank) {
        copies_.emplace_back(shown_part(field, piece, orders[f]), ghost_part(field, piece, orders[f]));
        each_.self += Traffic{1, bytes_of(piece, field)};
      } else {
        RoundPlan& plan = plans[source];
        plan.from = to_int(source);
        plan.receives.push_back(ghost_part(field, piece, orders[f]));
      }
      std::vector<NumberRun> runs = odd_runs(fields_[f], piece.crossed);
      if (!runs.empty()) negations_.push_back({f, piece.to, std::move(runs)});
    }
  }
  std::vector<RoundPlan> list;
  for (auto& [peer, plan] : plans) {
    plan.tag = tag;
    list.push_back(std::move(plan));
    if (list.back().to == MPI_PROC_NULL) continue;
    Count bytes = 0;
    for (const compile::Part& part : list.back().sends) bytes = checked_add(bytes, part.layout.size());
    (context_->nodes()[peer] == context_->node() ? each_.node : each_.network) += Traffic{1, bytes};
  }
  const auto peer_of = [](const RoundPlan& plan) { return plan.to == MPI_PROC_NULL ? plan.from : plan.to; };
  std::sort(list.begin(), list.end(), [&](const RoundPlan& a, const RoundPlan& b) {
    return exchange::served_before(peer_of(a), peer_of(b), rank);
  });
  if (list.empty()) return;
  rounds_.emplace(list, choice.wire, choice.engine, context_->comm(), requests_);
  if (timed_) rounds_->time_copies(&watch_);
}

SideExchange::~SideExchange() {
  try {
    wait();
  } catch (const std::exception&) {  // nobody is left to tell
    return;
  }
}

void SideExchange::start() {
  exchange::Progress::Beginning beginning(context_->progress(), *this);
  if (rounds_) rounds_->begin();
  {
    const exchange::Lap lap(timed_ ? &watch_ : nullptr);
    for (const exchange::LocalCopy& copy : copies_) copy.copy();
  }
  if (!needs_messages_only() && advance()) beginning.is_complete();
}

bool SideExchange::advance() {
  if (!std::exchange(asked_, false)) requests_.poll();
  if (rounds_ && !rounds_->advance()) return false;
  const exchange::Lap lap(timed_ ? &watch_ : nullptr);
  for (const Negation& negation : negations_)
    negate(fields_[negation.field].view, negation.part, negation.runs);
  ++complete_starts_;
  return true;
}

bool SideExchange::needs_messages_only() const { return requests_.any_active(); }

void SideExchange::wait_for_message() {
  requests_.wait();
  asked_ = true;
}

bool SideExchange::test() { return at_rest() || context_->progress().test(*this); }

void SideExchange::wait() {
  if (!at_rest()) context_->progress().wait(*this);
}

ExchangeStatistics SideExchange::statistics() {
  ExchangeStatistics all = each_;
  Count exchanges = 0;
  context_->progress().hold(*this, [&] {
    exchanges = complete_starts_;
    all.pack_seconds = watch_.seconds;
  });
  for (Traffic* const traffic : {&all.self, &all.node, &all.network}) {
    traffic->messages *= exchanges;
    traffic->bytes *= exchanges;
  }
  return all;
}

SideTraffic side_traffic(const SideMap& map, const std::vector<SideField>& fields) {
  const Grid& grid = map.decomposition().grid();
  std::map<std::pair<Rank, Rank>, Count> between;
  SideTraffic all;
  for (Rank rank = 0; rank < grid.size(); ++rank) {
    const Cell cell = grid.cell(rank);
    for (const SideField& field : fields)
      for (const SidePiece& piece : map.pieces(cell, field.number, field.view.halo())) {
        const Count bytes = bytes_of(piece, field.view);
        if (piece.source == cell)
          all.self += Traffic{1, bytes};
        else
          between[{grid.index(piece.source), rank}] += bytes;
      }
  }
  std::map<Rank, Traffic> sent;
  for (const auto& [ends, bytes] : between) {
    sent[ends.first] += Traffic{1, bytes};
    all.others += Traffic{1, bytes};
  }
  for (const auto& [rank, traffic] : sent) {
    all.most.messages = std::max(all.most.messages, traffic.messages);
    all.most.bytes = std::max(all.most.bytes, traffic.bytes);
  }
  return all;
}

}  // namespace halocline::halo
