// SPDX-License-Identifier: BSD-3-Clause
#include "halo/accumulation.hpp"

#include "base/fail.hpp"
#include "base/integers.hpp"
#include "base/numbers.hpp"
#include "exchange/neighborhood/neighborhood_state.hpp"
#include "exchange/planning/create.hpp"
#include "halo/ends.hpp"
#include "halo/in_common.hpp"
#include "halocline/base/error.hpp"
#include "mpi/handles/agree.hpp"

namespace halocline::halo {
namespace {

const char* word_for(Accumulate how) {
  return how == Accumulate::sum   ? "added"
         : how == Accumulate::min ? "compared for the least"
                                  : "compared for the largest";
}

/// The own points of one part that come along an offset.
compile::Part own_part(const FieldView& field, const FieldView::Part& part,
                       const std::vector<std::size_t>& order) {
  return {field.layout(part, order), 1, to_count(field.at(part.first))};
}

}  // namespace

KeptOptions::KeptOptions(const ExchangeOptions& options) : options_(options) {
  if (options.info == MPI_INFO_NULL) return;
  HALOCLINE_MPI(Info_dup, options.info, info_.put());
  options_.info = info_.get();
}

Accumulation::Accumulation(const exchange::Context& context, const std::vector<NamedMemory>& memories,
                           const std::vector<Turn>& turns, const Ground& ground) {
  Counts least;
  for (const NamedMemory& memory : memories) {
    Numbers numbers = known_numbers(memory.field.element());
    const auto print = static_cast<Count>(mpi::fingerprint(numbers.to_text()));
    least.insert(least.end(), {print, ~print});
    memories_.push_back({memory.name, std::move(numbers), true});
  }
  context.find_least(least);
  for (std::size_t m = 0; m < memories_.size(); ++m) memories_[m].alike = least[2 * m] == ~least[2 * m + 1];
  for (const Turn& turn : turns) ways_.push_back(way_of(memories, turn, ground));
}

Accumulation::~Accumulation() {
  try {
    wait();
  } catch (const std::exception&) {  // nobody is left to tell
    return;
  }
}

std::unique_ptr<Accumulation::Way> Accumulation::way_of(const std::vector<NamedMemory>& memories,
                                                        const Turn& turn, const Ground& ground) const {
  std::vector<FieldView> fields;
  for (const std::size_t memory : turn) fields.push_back(memories[memory].field);
  const Orders orders = agreed_orders(ground.comm, fields);
  const Stencil offsets = ground.filling.offsets(fields);
  const Neighborhood neighborhood(ground.comm, against(offsets));
  const DeviceFields none{nullptr, std::vector<std::optional<accelerate::DeviceMemory>>(fields.size())};
  const InCommon common = in_common(*state_of(neighborhood)->context, fields, none, ground.options);

  auto way = std::make_unique<Way>();
  way->memories = turn;
  std::vector<std::byte*> arrived(offsets.size());
  const auto read = [&] {
    Counts begins;
    Count bytes = 0;
    way->arrivals.clear();
    for (const Offset& offset : offsets.offsets()) {
      begins.push_back(bytes);
      if (!ground.decomposition.grid().neighbor(ground.cell, offset)) continue;
      for (std::size_t f = 0; f < fields.size(); ++f) {
        const Filling::Parts parts = ground.filling.sent(ground.cell, fields[f], offset);
        for (const FieldView::Part& part : parts)
          way->arrivals.push_back({addends_of(memories_[turn[f]].numbers, fields[f], part, orders[f], bytes),
                                   own_part(fields[f], part, orders[f]), bytes, std::nullopt});
        bytes = checked_add(bytes, bytes_of(fields[f], parts));
      }
    }
    way->arrived.resize(to_size(std::max(bytes, Count{1})));
    for (std::size_t i = 0; i < arrived.size(); ++i) arrived[i] = way->arrived.data() + begins[i];
    return ends_back_of(fields, orders, offsets, ground, common.seen, arrived);
  };
  way->exchange.emplace(exchange::create(neighborhood, Operation::alltoall, read, ground.options));
  return way;
}

void Accumulation::require_numbers(Accumulate how, const std::vector<std::size_t>& turns) const {
  if (how == Accumulate::replace) return;
  for (const std::size_t turn : turns)
    for (const std::size_t m : ways_[turn]->memories) {
      const Memory& memory = memories_[m];
      if (!memory.alike)
        fail(Fault::invalid_type, memory.name,
             " has elements of other numbers on some processes than on others; they cannot be ",
             word_for(how), ", only replaced");
      if (!memory.numbers.unknown.empty())
        fail(Fault::invalid_type, memory.name, " has elements that cannot be ", word_for(how),
             ", only replaced: ", memory.numbers.unknown, "; a layout of numbers tells which there are");
      if (how != Accumulate::sum && memory.numbers.complex())
        fail(Fault::invalid_type, memory.name, " has complex numbers, which cannot be ", word_for(how),
             ", only added or replaced");
    }
}

void Accumulation::start(Accumulate how, const std::vector<std::size_t>& turns) {
  for (const std::size_t turn : turns)
    for (Arrival& arrival : ways_[turn]->arrivals)
      if (how == Accumulate::replace && !arrival.packer) arrival.packer.emplace(arrival.own);
  for (const std::size_t turn : turns) ways_[turn]->exchange->start();
  how_ = how;
  current_ = turns;
}

bool Accumulation::test() {
  if (!how_) return true;
  bool complete = true;
  for (const std::size_t turn : current_) complete = ways_[turn]->exchange->test() && complete;
  if (complete) add();
  return complete;
}

void Accumulation::wait() {
  if (!how_) return;
  for (const std::size_t turn : current_) ways_[turn]->exchange->wait();
  add();
}

/// Arrivals are in the order of the offsets, whichever came first.
void Accumulation::add() {
  for (const std::size_t turn : current_) {
    const Way& way = *ways_[turn];
    for (const Arrival& arrival : way.arrivals) {
      if (*how_ == Accumulate::replace)
        arrival.packer->unpack(way.arrived.data() + arrival.from, nullptr);
      else
        for (const Addends& addends : arrival.addends) accumulate(addends, way.arrived.data(), *how_);
    }
  }
  how_.reset();
}

}  // namespace halocline::halo
