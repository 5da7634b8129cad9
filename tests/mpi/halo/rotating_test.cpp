// Halos of several memories: nothing but fields is swapped here, and every halo shows what they have then.

#include "expect_error.hpp"
#include "halo/rotating_fields.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

namespace halocline::halo_rotating_tests {
namespace {

using namespace rotating_fields;  // NOLINT(google-build-using-namespace): made for these tests

TEST(Rotating, fields_alone_are_swapped) {
  in_all_ways([](const Cart& cart, const HaloOptions& options, const FieldOptions& field) {
    Field<Count> now(cart, field), next(cart, field);
    Halo halo(cart, options, rotating(now, next));
    fill(cart, now, 0);
    for (Count step = 0; step < 6; ++step) {
      halo.exchange();
      EXPECT_EQ(wrong_points(cart, now, step % 64), 0) << step;
      fill(cart, next, step + 1);
      std::swap(now, next);
    }
    EXPECT_EQ(halo.statistics().exchanges, 6);
    EXPECT_EQ(touched_points(now), 0);
    halo.verify();
  });
}

TEST(Rotating, three_levels_and_a_field_that_stays) {
  in_all_ways([](const Cart& cart, const HaloOptions& options, const FieldOptions& field) {
    std::vector<Field<Count>> levels;
    for (int i = 0; i < 3; ++i) levels.emplace_back(cart, field);
    Field<Count> stays(cart, field);
    Halo halo(cart, options, stays, rotating(levels[0], levels[1], levels[2]));
    for (Count step = 0; step < 7; ++step) {
      fill(cart, stays, 40 + step);
      for (std::size_t i = 0; i < 3; ++i) fill(cart, levels[i], step + static_cast<Count>(i) * 10);
      MPI_Barrier(MPI_COMM_WORLD);
      halo.start();
      while (!halo.test()) {
      }
      EXPECT_EQ(wrong_points(cart, stays, 40 + step), 0);
      EXPECT_EQ(wrong_points(cart, levels[0], step), 0);
      EXPECT_EQ(touched_points(levels[1]) + touched_points(levels[2]), 0);
      MPI_Barrier(MPI_COMM_WORLD);
      if (step % 3 == 2)
        std::swap(levels[0], levels[2]);
      else
        std::rotate(levels.begin(), levels.begin() + 1, levels.end());
    }
  });
}

TEST(Rotating, fields_of_one_halo_change_places) {
  in_all_ways([](const Cart& cart, const HaloOptions& options, const FieldOptions& field) {
    Field<Count> u(cart, field), v(cart);  // whose widths go with their memory
    Halo halo(cart, options, u, v);
    for (Count step = 0; step < 4; ++step) {
      fill(cart, u, step);
      fill(cart, v, 10 + step);
      halo.exchange();
      EXPECT_EQ(wrong_points(cart, u, step) + wrong_points(cart, v, 10 + step), 0);
      std::swap(u, v);
    }
    halo.verify();
  });
}

/// As many slots as there are vectors, each of which rotates as its count of steps says.
void expect_rotation(const Cart& cart, Halo& halo, std::vector<std::vector<Field<Count>>>& slots,
                     Count step) {
  for (std::size_t s = 0; s < slots.size(); ++s)
    for (Field<Count>& field : slots[s]) fill(cart, field, step % 8 + static_cast<Count>(s) * 8);
  MPI_Barrier(MPI_COMM_WORLD);
  halo.exchange();
  for (std::size_t s = 0; s < slots.size(); ++s) {
    EXPECT_EQ(wrong_points(cart, slots[s][0], step % 8 + static_cast<Count>(s) * 8), 0) << s << " " << step;
    for (std::size_t i = 1; i < slots[s].size(); ++i) EXPECT_EQ(touched_points(slots[s][i]), 0);
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

/// Each slot rotates at its own pace, so that all ways of coming together are met; many more than are
/// exchanged in one message each.
TEST(Rotating, slots_at_their_own_pace) {
  for (const std::size_t slots_of_three : {std::size_t{0}, std::size_t{2}}) {
    in_all_ways([&](const Cart& cart, const HaloOptions& options, const FieldOptions& field) {
      std::vector<std::vector<Field<Count>>> slots(2 + slots_of_three);
      for (std::size_t s = 0; s < slots.size(); ++s)
        for (int i = 0; i < (s < 2 ? 2 : 3); ++i) slots[s].emplace_back(cart, field);
      std::vector<HaloSlot> rotated;
      for (auto& slot : slots)
        rotated.push_back(slot.size() == 2 ? rotating(slot[0], slot[1])
                                           : rotating(slot[0], slot[1], slot[2]));
      Halo halo(cart, rotated, options);
      const Count steps = 14;
      for (Count step = 0; step < steps; ++step) {
        expect_rotation(cart, halo, slots, step);
        for (std::size_t s = 0; s < slots.size(); ++s)
          if (step % static_cast<Count>(s + 1) == 0)
            std::rotate(slots[s].begin(), slots[s].begin() + 1, slots[s].end());
      }
      EXPECT_EQ(halo.statistics().exchanges, steps);
      std::swap(slots[0][0], slots[1][0]);  // from slot to slot
      expect_rotation(cart, halo, slots, 1);
    });
  }
}

TEST(Rotating, two_halos_may_be_swapped_with_their_fields) {
  const Cart cart = torus();
  Field<Count> now(cart), next(cart);
  Halo halo(cart, now), next_halo(cart, next);
  for (Count step = 0; step < 5; ++step) {
    fill(cart, now, step);
    halo.exchange();
    EXPECT_EQ(wrong_points(cart, now, step), 0);
    if (step % 2 == 0) std::swap(now, next);
    std::swap(halo, next_halo);
    if (step % 2 == 1) std::swap(now, next);
  }
  struct Level {
    Field<Count> u;
    Halo halo;
  };
  Level a{std::move(now), std::move(halo)}, b{std::move(next), std::move(next_halo)};
  for (Count step = 0; step < 4; ++step) {
    fill(cart, a.u, step);
    a.halo.exchange();
    EXPECT_EQ(wrong_points(cart, a.u, step), 0);
    std::swap(a, b);
  }
}

TEST(Rotating, a_memory_that_was_not_named_is_refused) {
  const Cart cart = torus();
  Field<Count> now(cart), next(cart), other(cart), third(cart);
  Halo plain(cart, now), two(cart, rotating(now, next)), rest(cart, rotating(next, now), third);
  const auto expect_refused = [](Halo& halo) {
    for (int time = 0; time < 2; ++time)
      expect_error(
          Fault::invalid_argument, [&] { halo.exchange(); }, "field 0", "rotating(now, next)");
    EXPECT_FALSE(halo.active());
  };
  std::swap(now, other);
  expect_refused(plain);
  expect_refused(two);
  expect_error(
      Fault::invalid_argument, [&] { two.verify(); }, "field 0");
  std::swap(now, other);
  std::swap(next, third);  // the third has a memory of another slot, and next the other's: as before
  for (Halo* halo : {&plain, &two, &rest}) {
    fill(cart, now, 5);
    fill(cart, next, 6);
    fill(cart, third, 7);
    MPI_Barrier(MPI_COMM_WORLD);
    halo->exchange();
    EXPECT_EQ(wrong_points(cart, halo == &rest ? next : now, halo == &rest ? 6 : 5), 0);
    EXPECT_EQ(halo == &rest ? wrong_points(cart, third, 7) : touched_points(third), 0);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  std::swap(now, next);  // both of its memories at once
  expect_error(
      Fault::invalid_argument, [&] { rest.exchange(); }, "field 1", "named together");
}

TEST(Rotating, who_is_refused_alone_sets_it_right_and_nobody_hangs) {
  const Cart cart = torus();
  Field<Count> now(cart), next(cart), other(cart);
  Halo halo(cart, rotating(now, next));
  for (Count step = 0; step < 4; ++step) {
    fill(cart, now, step);
    MPI_Barrier(MPI_COMM_WORLD);
    if (world_rank() == step % world_size()) {
      std::swap(now, other);
      expect_error(
          Fault::invalid_argument, [&] { halo.start(); }, "rotating");
      std::swap(now, other);
    }
    halo.exchange();
    EXPECT_EQ(wrong_points(cart, now, step), 0);
    MPI_Barrier(MPI_COMM_WORLD);
    std::swap(now, next);
  }
}

TEST(Rotating, the_verifier_finds_ranks_that_rotated_differently) {
  const Cart cart = torus();
  Field<Count> now(cart), next(cart), u(cart), v(cart);
  Halo two(cart, rotating(now, next)), plain(cart, u, v);
  const bool alone = world_rank() == world_size() - 1;
  if (alone) {
    std::swap(now, next);
    std::swap(u, v);
  }
  for (Halo* halo : {&two, &plain}) {
    if (world_size() == 1)
      halo->verify();
    else
      expect_error(
          Fault::invalid_argument, [&] { halo->verify(); }, "swapped or rotated", "differs");
  }
  if (!alone) {
    std::swap(now, next);
    std::swap(u, v);
  }
  two.verify();
  plain.verify();
  fill(cart, now, 3);
  two.exchange();
  EXPECT_EQ(wrong_points(cart, now, 3), 0);
}

TEST(Rotating, fields_that_differ_are_refused_alike) {
  const Cart cart = torus();
  Field<Count> u(cart), wide(cart, {.halo = widths});
  Field<char> small(cart);
  Field<double> real(cart);
  expect_error(
      Fault::invalid_dimensions, [&] { Halo(cart, rotating(u, wide)); }, "memory 1 of field 0", "2,1");
  expect_error(
      Fault::invalid_argument, [&] { Halo(cart, real, rotating(u, small)); }, "memory 1 of field 1",
      "1 bytes");
  expect_error(
      Fault::invalid_argument, [&] { Halo(cart, rotating(u, u)); }, "begins where", "memory 0 of field 0");
  expect_error(
      Fault::invalid_argument, [&] { Halo(cart, u, rotating(real, u)); },
      "memory 1 of field 1 begins where field 0");
  const Field<Count> v(std::move(u));
  expect_error(
      Fault::invalid_argument, [&] { Halo(cart, rotating(v, u)); }, "moved from", "memory 1 of field 0");
  if (world_size() > 1) {
    const HaloSlot one(v), two = rotating(v, real);
    expect_error(
        Fault::invalid_argument, [&] { Halo(cart, HaloSlots{world_rank() == 0 ? one : two}); }, "rotate",
        "differs");
  }
}

}  // namespace
}  // namespace halocline::halo_rotating_tests
