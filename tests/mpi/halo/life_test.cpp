// The life of halos, fields and communicators: started and not waited for, moved from, destroyed in any
// order.

#include "expect_error.hpp"
#include "halocline/halo/field.hpp"
#include "halocline/halo/halo.hpp"
#include "halocline/plan/explanation.hpp"
#include "mpi/communicators/cart_comm.hpp"
#include "support/world.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <limits>
#include <optional>

namespace halocline::halo_life_tests {
namespace {

Cart ring() {
  const Count p = world_size();
  return {MPI_COMM_WORLD, Mesh({4 * p, 5}, periodic(1, 1)), Stencil::moore(2, 1), {.fixed = {p, 1}}};
}

/// Lets everything arrive that has been started on all ranks.
void let_arrive(Halo& other) {
  for (int i = 0; i < 5; ++i) other.exchange();  // which moves all that is under way
  MPI_Barrier(MPI_COMM_WORLD);
}

TEST(Started, halos_are_not_started_again_whether_data_has_come_or_not) {
  const Cart cart = ring();
  const Field<double> u(cart), v(cart);
  for (const SharedMemory shared : {SharedMemory::on, SharedMemory::off}) {
    HaloOptions options;
    options.exchange.shared = shared;
    Halo halo(cart, options, u), other(cart, options, v);
    for (const bool arrived : {false, true}) {
      halo.start();
      if (arrived) let_arrive(other);
      EXPECT_TRUE(halo.active());
      for (int time = 0; time < 2; ++time) {
        expect_error(
            Fault::invalid_argument, [&] { halo.start(); }, "started", "wait");
        expect_error(
            Fault::invalid_argument, [&] { halo.exchange(); }, "started", "wait");
        if (arrived)  // collective: it comes only after what is under way everywhere
          expect_error(
              Fault::invalid_argument, [&] { halo.verify(); }, "under way");
      }
      if (arrived)
        while (!halo.test()) {
        }
      else
        halo.wait();
      EXPECT_FALSE(halo.active());
      halo.exchange();
    }
    EXPECT_EQ(halo.statistics().exchanges, 4);
    halo.verify();
  }
}

TEST(Started, on_one_rank_is_enough_for_all_to_refuse_verification) {
  const Cart cart = ring();
  const Field<double> u(cart);
  Halo halo(cart, u);
  const bool first = cart.cell()[0] == 0;
  if (first) halo.start();
  expect_error(
      Fault::invalid_argument, [&] { halo.verify(); }, "under way");
  if (!first) halo.start();
  halo.wait();
  halo.verify();
}

TEST(Started, is_completed_by_destruction) {
  const Cart cart = ring();
  const Field<double> u(cart);
  for (int time = 0; time < 3; ++time) {
    Halo halo(cart, u);
    halo.start();
  }
  Halo assigned(cart, u);
  assigned.start();
  assigned = Halo(cart, u);
  assigned.verify();
}

TEST(MovedFrom, halos_say_what_they_are) {
  const Cart cart = ring();
  const Field<double> u(cart);
  Halo halo(cart, u);
  Halo other(std::move(halo));
  const auto refuse = [](const auto& use) { expect_error(Fault::invalid_argument, use, "halo is empty"); };
  // NOLINTBEGIN(bugprone-use-after-move)
  refuse([&] { halo.start(); });
  refuse([&] { halo.test(); });
  refuse([&] { halo.wait(); });
  refuse([&] { halo.exchange(); });
  refuse([&] { halo.verify(); });
  refuse([&] { (void)halo.active(); });
  refuse([&] { (void)halo.decomposition(); });
  refuse([&] { (void)halo.directions(); });
  refuse([&] { (void)halo.statistics(); });
  refuse([&] { (void)halo.report(); });
  refuse([&] { (void)halo.fields(); });
  refuse([&] { (void)halo.exchanged(); });
  refuse([&] { (void)halo.plan(); });
  refuse([&] { halo.start_with(std::vector<const void*>{u.data()}); });
  halo = std::move(other);
  halo.verify();
  refuse([&] { other.start(); });
  // NOLINTEND(bugprone-use-after-move)
}

TEST(MovedFrom, exchanges_say_what_they_are) {
  const mpi::Comm cart = mpi::create_cart(MPI_COMM_WORLD, Grid({world_size()}, {true}), Cell{world_rank()});
  Neighborhood neighborhood(cart.get(), Stencil(std::vector<Offset>{{1}}));
  const Neighborhood same(std::move(neighborhood));
  std::vector<std::byte> out(8), in(8);
  const Layout byte = Layout::named(Elementary::byte);
  const std::vector<Block> send{{out.data(), byte, 8}}, receive{{in.data(), byte, 8}};
  // NOLINTBEGIN(bugprone-use-after-move)
  EXPECT_EQ(neighborhood.size(), 1U) << "neighbourhoods are values";
  Exchange exchange = Exchange::alltoall(neighborhood, send, receive);
  Exchange other(std::move(exchange));
  const auto refuse = [](const auto& use) {
    expect_error(Fault::invalid_argument, use, "exchange is empty");
  };
  refuse([&] { exchange.start(); });
  refuse([&] { exchange.test(); });
  refuse([&] { exchange.wait(); });
  refuse([&] { (void)exchange.active(); });
  refuse([&] { (void)exchange.schedule(); });
  refuse([&] { (void)exchange.shares_memory(); });
  refuse([&] { (void)exchange.statistics(); });
  refuse([&] { (void)exchange.plan(); });
  // NOLINTEND(bugprone-use-after-move)
  other.start();
  other.wait();
}

TEST(MovedFrom, fields_and_carts_are_refused_by_name) {
  Cart cart = ring();
  Field<double> u(cart);
  Field<double> v(std::move(u));
  // NOLINTBEGIN(bugprone-use-after-move)
  expect_error(
      Fault::invalid_argument, [&] { (void)Halo(cart, v, u); }, "field 1 is empty");
  EXPECT_EQ(u.data(), nullptr);
  EXPECT_EQ(u.dimensions(), 0U);
  u = std::move(v);
  Halo(cart, u).verify();
  const Cart other(std::move(cart));
  const auto refuse = [](const auto& use) { expect_error(Fault::invalid_argument, use, "Cart is empty"); };
  refuse([&] { (void)Halo(cart, u); });
  refuse([&] { (void)Field<double>(cart); });
  refuse([&] { (void)cart.comm(); });
  refuse([&] { (void)cart.takes_part(); });
  refuse([&] { (void)cart.release(); });
  refuse([&] { (void)cart.grid(); });
  refuse([&] { (void)cart.cell(); });
  refuse([&] { (void)cart.decomposition(); });
  refuse([&] { (void)cart.halo(); });
  refuse([&] { (void)cart.stencil(); });
  refuse([&] { (void)cart.algorithm(); });
  refuse([&] { (void)cart.machine(); });
  refuse([&] { (void)cart.placement(); });
  refuse([&] { (void)cart.allocation(); });
  refuse([&] { (void)cart.plan(); });
  // NOLINTEND(bugprone-use-after-move)
  Halo(other, u).verify();
}

TEST(NullPointers, on_one_rank_are_refused_on_all) {
  const Cart cart = ring();
  const Counts own = cart.decomposition()->box(cart.cell()).extents;
  std::vector<double> values(static_cast<std::size_t>((own[0] + 2) * (own[1] + 2)));
  double* const mine = world_rank() == world_size() - 1 ? nullptr : values.data();
  const Counts all{own[0] + 2, own[1] + 2};
  expect_error(
      Fault::invalid_argument,
      [&] {
        (void)Halo(cart, view(mine, all, HaloWidths({1, 1})));
      },
      "field 0 begins at a null pointer");
  expect_error(
      Fault::invalid_argument,
      [&] {
        (void)Halo(cart, view(mine, all, HaloWidths({1, 1}), Counts{all[1], 1}));
      },
      "field 0 begins at a null pointer");
  const mpi::Comm line = mpi::create_cart(MPI_COMM_WORLD, Grid({world_size()}, {true}), Cell{world_rank()});
  const Neighborhood neighborhood(line.get(), Stencil(std::vector<Offset>{{1}}));
  const Layout byte = Layout::named(Elementary::byte);
  const auto exchange = [&](void* from, void* to, Count bytes) {
    const std::vector<Block> send{{from, byte, bytes}}, receive{{to, byte, bytes}};
    return Exchange::alltoall(neighborhood, send, receive);
  };
  expect_error(
      Fault::invalid_argument, [&] { (void)exchange(mine, values.data() + 1, 8); }, "block 0 sends 8",
      "null pointer");
  expect_error(
      Fault::invalid_argument, [&] { (void)exchange(values.data() + 1, mine, 8); }, "block 0 receives 8",
      "null pointer");
  Exchange empty = exchange(mine, nullptr, 0);
  empty.start();
  empty.wait();
}

TEST(NullPointers, are_fine_where_nobody_is) {
  const mpi::Comm line = mpi::create_cart(MPI_COMM_WORLD, Grid({world_size()}, {false}), Cell{world_rank()});
  const Neighborhood neighborhood(line.get(), Stencil(std::vector<Offset>{{1}}));
  const Layout byte = Layout::named(Elementary::byte);
  int out = world_rank(), in = -1;
  const bool first = world_rank() == 0, last = world_rank() == world_size() - 1;
  const std::vector<Block> send{{last ? nullptr : &out, byte, 4}}, receive{{first ? nullptr : &in, byte, 4}};
  Exchange exchange = Exchange::alltoall(neighborhood, send, receive);
  exchange.start();
  exchange.wait();
  EXPECT_EQ(in, first ? -1 : world_rank() - 1);
}

TEST(NeighbourhoodOffsets, may_be_as_large_as_integers_get) {
  constexpr Count most = std::numeric_limits<Count>::max();
  const int p = world_size();
  for (const bool around : {false, true}) {
    const mpi::Comm line = mpi::create_cart(MPI_COMM_WORLD, Grid({p}, {around}), Cell{world_rank()});
    const Neighborhood neighborhood(line.get(), Stencil(std::vector<Offset>{{most}, {-most}}));
    const Layout byte = Layout::named(Elementary::byte);
    std::array<int, 2> out{world_rank(), world_rank()}, in{-1, -1};
    const std::vector<Block> send{{&out[0], byte, 4}, {&out[1], byte, 4}};
    const std::vector<Block> receive{{&in[0], byte, 4}, {&in[1], byte, 4}};
    Exchange exchange = Exchange::alltoall(neighborhood, send, receive);
    exchange.start();
    exchange.wait();
    const auto step = static_cast<int>(most % p);
    EXPECT_EQ(in[0], around ? (world_rank() + p - step) % p : -1);
    EXPECT_EQ(in[1], around ? (world_rank() + step) % p : -1);
  }
}

/// Two communicators with a halo each, and the field of both, destroyed in every order.
class Orders : public testing::Test {
 protected:
  struct Together {
    std::optional<mpi::Comm> comms[2];
    std::optional<Halo> halos[2];
    std::optional<FieldStorage> field;

    void destroy(int part) {
      if (part < 2)
        comms[part].reset();
      else
        halos[part - 2].reset();
    }
    /// What lives works, what has lost its communicator says so.
    void expect_sound() {
      for (int i = 0; i < 2; ++i) {
        if (!halos[i]) continue;
        if (comms[i]) {
          halos[i]->exchange();
        } else {
          expect_error(
              Fault::invalid_argument, [&] { halos[i]->start(); }, "communicator", "freed");
          expect_error(
              Fault::invalid_argument, [&] { halos[i]->verify(); }, "communicator", "freed");
        }
      }
    }
  };

  /// Some of all orders of the two communicators and their halos, the field somewhere between: either
  /// communicator first, either halo before or after its own.
  template <class Make>
  static void run(const Make& make) {
    std::array<int, 4> order{0, 1, 2, 3};
    int number = 0;
    do {
      if (++number % (world_size() > 4 ? 7 : 3) != 0) continue;
      SCOPED_TRACE(testing::PrintToString(order));
      Together together;
      make(together);
      for (auto& halo : together.halos) halo->verify();
      for (std::size_t i = 0; i < order.size(); ++i) {
        together.expect_sound();
        if (static_cast<std::size_t>(number) % order.size() == i) together.field.reset();
        together.destroy(order[i]);
      }
    } while (!testing::Test::HasFailure() && std::next_permutation(order.begin(), order.end()));
  }

  static mpi::Comm duplicate(MPI_Comm comm) {
    mpi::Comm copy;
    MPI_Comm_dup(comm, copy.put());
    return copy;
  }
  static FieldStorage field_on(MPI_Comm comm) {
    const Grid grid = mpi::grid_of(comm);
    Counts extents;
    for (const Count processes : grid.extents()) extents.push_back(3 * processes);
    return {comm,
            Decomposition(Mesh(extents, grid.periodicity()), grid),
            Layout::named(Elementary::double_),
            {.halo = HaloWidths(Counts(grid.dimensions(), 1))}};
  }
};

TEST_F(Orders, of_a_duplicate_and_what_it_was_made_from) {
  run([](Together& made) {
    made.comms[0].emplace(plain_sheet());
    made.field.emplace(field_on(made.comms[0]->get()));
    made.halos[0].emplace(made.comms[0]->get(), std::vector<FieldView>{made.field->view()});
    made.comms[1].emplace(duplicate(made.comms[0]->get()));
    made.halos[1].emplace(made.comms[1]->get(), std::vector<FieldView>{made.field->view()});
  });
}

TEST_F(Orders, of_a_duplicate_that_has_a_halo_first) {
  run([](Together& made) {
    made.comms[0].emplace(plain_sheet());
    made.comms[1].emplace(duplicate(made.comms[0]->get()));
    made.field.emplace(field_on(made.comms[1]->get()));
    made.halos[1].emplace(made.comms[1]->get(), std::vector<FieldView>{made.field->view()});
    made.halos[0].emplace(made.comms[0]->get(), std::vector<FieldView>{made.field->view()});
  });
}

TEST_F(Orders, of_sub_communicators_and_their_duplicates) {
  const mpi::Comm whole = plain_sheet();
  const FieldStorage field = field_on(whole.get());
  Halo everywhere(whole.get(), {field.view()});
  run([&](Together& made) {
    const std::array<int, 2> kept{1, 0};
    mpi::Comm row;
    MPI_Cart_sub(whole.get(), kept.data(), row.put());
    made.comms[0].emplace(std::move(row));
    made.field.emplace(field_on(made.comms[0]->get()));
    made.halos[0].emplace(made.comms[0]->get(), std::vector<FieldView>{made.field->view()});
    made.comms[1].emplace(duplicate(made.comms[0]->get()));
    made.halos[1].emplace(made.comms[1]->get(), std::vector<FieldView>{made.field->view()});
  });
  everywhere.verify();
}

}  // namespace
}  // namespace halocline::halo_life_tests
