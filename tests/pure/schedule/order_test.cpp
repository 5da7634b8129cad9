// What waits for what: enough for any wire, and no more than the slots demand.
#include "base/fail.hpp"
#include "schedule/process/local.hpp"
#include "worlds.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace halocline::schedule {
namespace {

struct Touched {
  std::vector<Slot> reads, writes;
  std::vector<std::int32_t> after;
};

bool conflict(const Touched& a, const Touched& b) {
  const auto meet = [](const std::vector<Slot>& one, const std::vector<Slot>& other) {
    return std::ranges::any_of(one, [&](Slot slot) { return std::ranges::find(other, slot) != other.end(); });
  };
  return meet(a.reads, b.writes) || meet(a.writes, b.reads) || meet(a.writes, b.writes);
}

/// Rounds that touch the same slot are ordered, and every wait is for such a round.
void expect_right_order(const std::vector<Touched>& rounds) {
  std::vector<std::vector<bool>> before(rounds.size(), std::vector<bool>(rounds.size(), false));
  for (std::size_t r = 0; r < rounds.size(); ++r) {
    for (std::size_t i = 0; i < rounds[r].writes.size(); ++i) {
      const Slot slot = rounds[r].writes[i];
      EXPECT_NE(slot.buffer, Slot::Buffer::send);
      EXPECT_EQ(std::ranges::count(rounds[r].writes, slot), 1) << "round " << r;
      EXPECT_EQ(std::ranges::count(rounds[r].reads, slot), 0) << "round " << r;
    }
    EXPECT_TRUE(std::ranges::is_sorted(rounds[r].after));
    for (const std::int32_t earlier : rounds[r].after) {
      const auto e = static_cast<std::size_t>(earlier);
      ASSERT_LT(e, r);
      EXPECT_TRUE(conflict(rounds[e], rounds[r])) << "round " << r << " waits for " << e << " without need";
      before[r][e] = true;
      for (std::size_t k = 0; k < e; ++k)
        if (before[e][k]) before[r][k] = true;
    }
    for (std::size_t e = 0; e < r; ++e)
      EXPECT_TRUE(before[r][e] || !conflict(rounds[e], rounds[r])) << "round " << r << " must wait for " << e;
  }
}

std::vector<Touched> touched(const Schedule& schedule) {
  std::vector<Touched> rounds(schedule.rounds());
  for (std::size_t r = 0; r < rounds.size(); ++r) {
    const Schedule::Round round = schedule.round(r);
    for (const Move& move : round.moves) {
      rounds[r].reads.push_back(move.from);
      rounds[r].writes.push_back(move.to);
    }
    rounds[r].after.assign(round.after.begin(), round.after.end());
  }
  return rounds;
}

std::vector<Touched> touched(const LocalSchedule& schedule) {
  std::vector<Touched> rounds(schedule.rounds());
  for (std::size_t r = 0; r < rounds.size(); ++r) {
    const LocalSchedule::Round round = schedule.round(r);
    rounds[r].reads.assign(round.sends.begin(), round.sends.end());
    rounds[r].writes.assign(round.receives.begin(), round.receives.end());
    for (const LocalSchedule::Copy& copy : round.copies) {
      rounds[r].reads.push_back(copy.from);
      rounds[r].writes.push_back(copy.to);
    }
    rounds[r].after.assign(round.after.begin(), round.after.end());
  }
  return rounds;
}

TEST(Order, follows_from_the_slots) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    std::mt19937_64 random(seed);
    const std::size_t dimensions = 1 + random() % 3;
    const Stencil stencil = random_neighbourhood(dimensions, 15, random);
    const Grid grid = random_grid(dimensions, random);
    for (const Algorithm& algorithm : algorithms())
      for (const Operation operation : operations) {
        SCOPED_TRACE(concat("seed ", seed, " ", algorithm.name, " ", text(operation), " of ",
                            stencil.to_text(), " on ", grid.to_text()));
        expect_right_order(touched(algorithm.make(stencil, operation)));
        const Schedule merged = on(algorithm, stencil, operation, grid);
        expect_right_order(touched(merged));
        const Count cell = static_cast<Count>(random() % static_cast<std::uint64_t>(grid.size()));
        expect_right_order(touched(LocalSchedule(merged, grid, cell)));
        expect_right_order(touched(LocalSchedule(merged, grid, cell, random_travels(seed))));
      }
  }
}

TEST(Order, lets_directions_and_independent_dimensions_overlap) {
  const Schedule torus = algorithm("torus").make(Stencil::moore(2, 2), Operation::alltoall);
  // Rounds: two forwards and two backwards along dimension 0, then along dimension 1.
  ASSERT_EQ(torus.rounds(), 8u);
  const auto after = [&](std::size_t r) {
    const auto list = torus.round(r).after;
    return std::vector<std::int32_t>(list.begin(), list.end());
  };
  using List = std::vector<std::int32_t>;
  EXPECT_EQ(after(0), List{});
  EXPECT_EQ(after(1), List{0});
  EXPECT_EQ(after(2), List{});
  EXPECT_EQ(after(3), List{2});
  EXPECT_EQ(after(4), (List{0, 1, 2, 3}));
  EXPECT_EQ(after(5), List{4});
  const Schedule star = algorithm("torus").make(Stencil::star(3, 1), Operation::allgather);
  for (std::size_t r = 0; r < star.rounds(); ++r) EXPECT_TRUE(star.round(r).after.empty());
}

/// Every process on the way lies in the box between origin and target, so it exists where these do.
TEST(Order, ways_stay_in_the_box_of_their_target) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    std::mt19937_64 random(seed);
    const std::size_t dimensions = 1 + random() % 4;
    const Stencil stencil = random_neighbourhood(dimensions, 15, random);
    for (const Algorithm& algorithm : algorithms())
      for (const Operation operation : operations) {
        const Schedule schedule = algorithm.make(stencil, operation);
        for (std::size_t r = 0; r < schedule.rounds(); ++r) {
          const Schedule::Round round = schedule.round(r);
          for (std::size_t m = 0; m < round.moves.size(); ++m)
            for (const std::int32_t neighbour : schedule.served(round.moves[m]))
              for (std::size_t d = 0; d < dimensions; ++d) {
                const Count offset = schedule.offset(static_cast<std::size_t>(neighbour))[d];
                const Count sent = round.travelled[m * dimensions + d], received = sent + round.peer[d];
                for (const Count at : {sent, received})
                  EXPECT_TRUE(std::min(offset, Count{0}) <= at && at <= std::max(offset, Count{0}))
                      << algorithm.name << " of " << stencil.to_text();
              }
        }
      }
  }
}

}  // namespace
}  // namespace halocline::schedule
