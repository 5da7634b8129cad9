// SPDX-License-Identifier: BSD-3-Clause
// What the exchanges of all processes have taken, as a table.

#include "base/fail.hpp"
#include "base/numbers.hpp"
#include "base/table.hpp"
#include "halo/halo_state.hpp"
#include "mpi/handles/comm.hpp"

#include <array>
#include <string>

namespace halocline {
namespace {

constexpr std::size_t rows = 9;
using Row = std::array<double, rows>;

constexpr std::array<const char*, rows> names{
    "messages to itself",     "bytes to itself",         "messages on the node",
    "bytes on the node",      "messages to other nodes", "bytes to other nodes",
    "us packing and copying", "us for late neighbours",  "us for data"};

Row per_exchange(const ExchangeStatistics& statistics) {
  const auto n = to_double(std::max(statistics.exchanges, Count{1}));
  const auto mean = [&](auto sum) { return static_cast<double>(sum) / n; };
  constexpr double us = 1e6;
  return {mean(statistics.self.messages),        mean(statistics.self.bytes),
          mean(statistics.node.messages),        mean(statistics.node.bytes),
          mean(statistics.network.messages),     mean(statistics.network.bytes),
          mean(statistics.pack_seconds * us),    mean(statistics.late_seconds * us),
          mean(statistics.transfer_seconds * us)};
}

void add(Traffic& sum, const Traffic& one) {
  sum.messages += one.messages;
  sum.bytes += one.bytes;
}

}  // namespace

ExchangeStatistics Halo::statistics() const {
  ExchangeStatistics all;
  for (const State::Turn& turn : state().turns) {
    const ExchangeStatistics one = turn.exchange.statistics();
    if (turn.counts) all.exchanges += one.exchanges;
    for (const ExchangeStatistics& part :
         {one, turn.beyond ? turn.beyond->statistics() : ExchangeStatistics{}}) {
      add(all.self, part.self);
      add(all.node, part.node);
      add(all.network, part.network);
      all.pack_seconds += part.pack_seconds;
    }
    all.timed = one.timed;
    all.late_seconds += one.late_seconds;
    all.transfer_seconds += one.transfer_seconds;
  }
  if (const halo::Stage* const stage = state().stage.get()) {
    all.self.messages += stage->to_itself().messages * all.exchanges;
    all.self.bytes += stage->to_itself().bytes * all.exchanges;
    all.pack_seconds += stage->copy_seconds();
  }
  return all;
}

std::string Halo::report() const {
  const ExchangeStatistics mine = statistics();
  const Row row = per_exchange(mine);
  Row sums{};
  struct Largest {
    double value;
    int rank;
  };
  std::array<Largest, rows> my_values{}, largest{};
  const int rank = mpi::rank(state_->comm);
  for (std::size_t i = 0; i < rows; ++i) my_values[i] = {row[i], rank};
  HALOCLINE_MPI(Allreduce, row.data(), sums.data(), to_int(rows), MPI_DOUBLE, MPI_SUM, state_->comm);
  HALOCLINE_MPI(Allreduce, my_values.data(), largest.data(), to_int(rows), MPI_DOUBLE_INT, MPI_MAXLOC,
                state_->comm);

  TextTable table({Column::left("for each of them", 24), Column::right("mean", 14), Column::right("most", 14),
                   Column::left("on rank", 0, "", "  ")});
  const std::size_t shown = mine.timed ? rows : rows - 3;
  for (std::size_t i = 0; i < shown; ++i)
    table.add({names[i], with_digits(sums[i] / mpi::size(state_->comm), 1), with_digits(largest[i].value, 1),
               std::to_string(largest[i].rank)});
  std::string text = concat(mine.exchanges, " exchanges by ", exchanged().schedule(),
                            state_->stage ? ", of fields at any address" : "", "\n", table.to_text());
  if (!mine.timed) text += "times are taken with HALOCLINE_STATISTICS=on\n";
  return text;
}

}  // namespace halocline
