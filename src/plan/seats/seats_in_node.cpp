// SPDX-License-Identifier: BSD-3-Clause
#include "plan/seats/seats_in_node.hpp"

#include "base/index.hpp"
#include "base/numbers.hpp"

#include <algorithm>
#include <numeric>

namespace halocline::plan {
namespace {

constexpr int most_rounds = 8;
constexpr std::size_t nobody = static_cast<std::size_t>(-1);

/// The numbers from 0 on, in the order of `less`; of equals the lower one first.
template <class Less>
std::vector<std::size_t> sorted_numbers(std::size_t size, const Less& less) {
  std::vector<std::size_t> numbers(size);
  std::iota(numbers.begin(), numbers.end(), std::size_t{0});
  std::stable_sort(numbers.begin(), numbers.end(), less);
  return numbers;
}

/// Who may sit where is settled by NICs alone here: for each seat a rank. Most bytes get the nearest seats;
/// of ranks with equal bytes those stay that sit as near already, and on their own seats where they can.
std::vector<std::size_t> ranks_by_nic(const std::vector<Seat>& seats, const Counts& outside) {
  const auto nearer = [&](std::size_t a, std::size_t b) { return seats[a].nic_span < seats[b].nic_span; };
  const std::vector<std::size_t> places = sorted_numbers(seats.size(), nearer);
  const std::vector<std::size_t> ranks = sorted_numbers(seats.size(), [&](std::size_t a, std::size_t b) {
    return outside[a] != outside[b] ? outside[a] > outside[b] : nearer(a, b);
  });
  std::vector<std::size_t> rank_at(seats.size(), nobody);
  for (std::size_t begin = 0; begin < places.size();) {
    std::size_t end = begin;
    while (end < places.size() && !nearer(places[begin], places[end])) ++end;
    std::vector<std::size_t> movers;
    for (std::size_t i = begin; i < end; ++i) {
      const bool stays = seats[ranks[i]].nic_span == seats[places[begin]].nic_span;
      if (stays)
        rank_at[ranks[i]] = ranks[i];
      else
        movers.push_back(ranks[i]);
    }
    std::size_t next = 0;
    for (std::size_t i = begin; i < end; ++i)
      if (rank_at[places[i]] == nobody) rank_at[places[i]] = movers[next++];
    begin = end;
  }
  return rank_at;
}

/// Exchanges of two ranks that change nothing for NICs.
class Exchanges {
 public:
  Exchanges(const NodeDevices& node, const std::vector<Seat>& seats, const NodeTraffic& traffic,
            std::vector<std::size_t> rank_at)
      : seats_(seats), traffic_(traffic), rank_at_(std::move(rank_at)), seat_of_(rank_at_.size()) {
    for (std::size_t seat = 0; seat < seats.size(); ++seat) seat_of_[rank_at_[seat]] = to_count(seat);
    for (const Seat& a : seats)
      for (const Seat& b : seats) distance_.push_back(parts_between(node, a, b));
  }

  /// One try for each two; has anything become better?
  bool improve() {
    bool any = false;
    for (std::size_t a = 0; a < seats_.size(); ++a)
      for (std::size_t b = a + 1; b < seats_.size(); ++b)
        if (distance(a, b) > 0 && is_free(a, b) && gain(a, b) > 0) {
          std::swap(rank_at_[a], rank_at_[b]);
          std::swap(seat_of_[rank_at_[a]], seat_of_[rank_at_[b]]);
          any = true;
        }
    return any;
  }

  [[nodiscard]] Counts seats() const { return seat_of_; }

 private:
  [[nodiscard]] Count distance(std::size_t a, std::size_t b) const {
    return distance_[a * seats_.size() + b];
  }
  [[nodiscard]] bool is_free(std::size_t a, std::size_t b) const {
    return seats_[a].nic_span == seats_[b].nic_span ||
           traffic_.outside[rank_at_[a]] == traffic_.outside[rank_at_[b]];
  }
  /// Of a rank that goes from one seat to another, while its partner on the other one comes here.
  [[nodiscard]] double gain_of(std::size_t from, std::size_t to) const {
    double sum = 0;
    for (const auto& [partner, bytes] : traffic_.inside[rank_at_[from]]) {
      const std::size_t seat = to_index(seat_of_[to_index(partner)]);
      if (seat != to) sum += to_double(bytes) * to_double(distance(from, seat) - distance(to, seat));
    }
    return sum;
  }
  [[nodiscard]] double gain(std::size_t a, std::size_t b) const { return gain_of(a, b) + gain_of(b, a); }

  const std::vector<Seat>& seats_;
  const NodeTraffic& traffic_;
  std::vector<std::size_t> rank_at_;
  Counts seat_of_;
  Counts distance_;
};

}  // namespace

Count parts_between(const NodeDevices& node, const Seat& a, const Seat& b) {
  const auto is_apart = [&](const CoreLevel& level) {
    return level.part_of[to_index(a.cores.front())] != level.part_of[to_index(b.cores.front())];
  };
  return to_count(std::count_if(node.levels.begin(), node.levels.end(), is_apart)) + (a.gpu == b.gpu ? 0 : 1);
}

Counts seats_in_node(const NodeDevices& node, const std::vector<Seat>& seats, const NodeTraffic& traffic) {
  Exchanges exchanges(node, seats, traffic, ranks_by_nic(seats, traffic.outside));
  for (int round = 0; round < most_rounds && exchanges.improve(); ++round) {
  }
  return exchanges.seats();
}

}  // namespace halocline::plan
