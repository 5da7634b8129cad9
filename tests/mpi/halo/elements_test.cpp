// What the elements of fields may be on each rank, and that long messages, which go straight from field to
// field on a node, carry the same bytes as short ones.

#include "expect_error.hpp"
#include "halo/fields/field_memory.hpp"
#include "halocline/halo/field.hpp"
#include "halocline/halo/halo.hpp"
#include "mpi/communicators/cart_comm.hpp"
#include "support/world.hpp"

#include <gtest/gtest.h>

#include <array>
#include <limits>

namespace halocline::halo_elements_tests {
namespace {

const Layout number = Layout::named(Elementary::double_);

/// Two numbers' room, of which one is data.
Layout one_of_two(Count first_byte) {
  return Layout::resized(0, 16, Layout::hindexed({1}, {first_byte}, number));
}
Layout both(Count first, Count second) {
  return Layout::resized(0, 16, Layout::hindexed({1, 1}, {first, second}, number));
}

/// Two rows for each process, which are longer than what goes through a buffer.
Cart slabs() {
  const Count p = world_size();
  return {MPI_COMM_WORLD, Mesh({2 * p, 5000}, periodic(1, 0)), Stencil::nearest(2), {.fixed = {p, 1}}};
}

bool odd_rank() { return world_rank() % 2 == 1; }

TEST(Elements, of_a_librarys_field_are_the_same_bytes_on_all_ranks) {
  const Cart cart = slabs();
  const FieldOptions options{.halo = HaloWidths({1, 1})};
  const auto create = [&](const Layout& mine, const Layout& others) {
    return FieldStorage(cart, odd_rank() ? mine : others, options);
  };
  // The same bytes, said in other words.
  const FieldStorage field = create(Layout::contiguous(2, number), Layout::vector(2, 1, 1, number));
  Halo halo(cart, field.view());
  halo.verify();
  if (world_size() == 1) return;
  for (const bool shared : {true, false}) {
    const FieldOptions as{.halo = HaloWidths({1, 1}), .shared = shared};
    const auto refuse = [&](const Layout& mine, const Layout& others) {
      expect_error(
          Fault::invalid_argument, [&] { (void)FieldStorage(cart, odd_rank() ? mine : others, as); }, "type",
          "differ");
    };
    refuse(one_of_two(0), one_of_two(8));
    refuse(both(0, 8), both(8, 0));
    refuse(number, Layout::resized(0, 16, number));
  }
}

TEST(Elements, of_a_librarys_field_lie_within_their_extent) {
  const Cart cart = slabs();
  const auto refuse = [&](const Layout& element, const char* words) {
    expect_error(
        Fault::invalid_type,
        [&] {
          (void)FieldStorage(cart, element, {.halo = HaloWidths({1, 1})});
        },
        words);
  };
  refuse(Layout::contiguous(0, number), "0");
  refuse(Layout::resized(0, 4, number), "4");
  refuse(Layout::resized(-4, 12, number), "-4");
  refuse(Layout::resized(0, 8, Layout::hindexed({1}, {-8}, number)), "-8");
}

TEST(Elements, of_arrays_may_lie_differently_on_every_rank) {
  const Cart cart = slabs();
  Counts all = cart.decomposition()->box(cart.cell()).extents;
  for (Count& extent : all) extent += 2;
  std::vector<double> values(static_cast<std::size_t>(all[0] * all[1] * 2), 0.5);
  const FieldView array = view(static_cast<void*>(values.data()), one_of_two(odd_rank() ? 8 : 0), all,
                               HaloWidths({1, 1}), Layout::Order::c);
  const Field<double> field(cart);
  Halo halo(cart, array, field);
  halo.verify();
  for (std::size_t i = odd_rank() ? 0 : 1; i < values.size(); i += 2)
    ASSERT_EQ(values[i], 0.5) << "a gap was touched";
}

/// A value behind the last own row.
double behind(const Field<double>& field) { return field(field.extent(0), 5); }

TEST(Elements, come_from_the_field_that_the_neighbour_listed) {
  if (world_size() % 2 == 1) GTEST_SKIP();
  const Cart cart = slabs();
  const bool turned = cart.cell()[0] % 2 == 1;  // neighbours list the two in different orders
  Field<double> u(cart), v(cart);
  for (const auto& [field, value] : {std::pair{&u, 1.0}, std::pair{&v, 2.0}})
    for (Count x = 0; x < field->extent(0); ++x)
      for (Count y = 0; y < field->extent(1); ++y) (*field)(x, y) = value;
  Halo halo(cart, turned ? std::vector<FieldView>{v, u} : std::vector<FieldView>{u, v});
  halo.exchange();
  EXPECT_EQ(behind(u), 2.0);
  EXPECT_EQ(behind(v), 1.0);
}

TEST(Elements, are_found_where_the_ranks_of_the_halo_are_not_those_of_the_field) {
  const int p = world_size();
  const Grid grid({p, 1}, {true, true});
  const Decomposition decomposition(Mesh({2 * p, 5000}, {true, true}), grid);
  const mpi::Comm turned = mpi::split(MPI_COMM_WORLD, 0, -world_rank());
  const mpi::Comm there = mpi::create_cart(MPI_COMM_WORLD, grid, grid.cell(world_rank()));
  const mpi::Comm here = mpi::create_cart(turned.get(), grid, grid.cell(mpi::rank(turned.get())));
  const FieldStorage field(there.get(), decomposition, number, {.halo = HaloWidths({1, 1})});
  Halo halo(here.get(), decomposition, {field.view()});
  halo.verify();
  mpi::Comm again;
  MPI_Comm_dup(there.get(), again.put());
  Halo as_made(again.get(), decomposition, {field.view()});
  as_made.verify();
}

TEST(Elements, of_a_part_of_a_field_are_those_of_the_part) {
  const Cart cart = slabs();
  const Field<std::array<double, 2>> field(cart);
  const FieldView& whole = field.view();
  // The second number of each point, in memory that the library knows otherwise.
  const FieldView part =
      kept_in(FieldView(static_cast<std::byte*>(whole.origin()) + 8, Layout::resized(0, 16, number),
                        whole.extents(), whole.strides(), whole.halo()),
              memory_of(whole));
  Halo halo(cart, part);
  halo.verify();
}

// ---- Sizes that leave 64 bits.

constexpr Count most = std::numeric_limits<Count>::max(), least = std::numeric_limits<Count>::min();

TEST(Sizes, of_views_are_checked_before_they_are_added_up) {
  std::vector<double> values(400);
  const auto refuse = [&](const Counts& extents, const HaloWidths& halo, const char* words) {
    for (const Layout::Order order : {Layout::Order::c, Layout::Order::fortran})
      expect_error(
          Fault::invalid_dimensions, [&] { (void)view(values.data(), extents, halo, order); }, words);
  };
  refuse({10, 10}, HaloWidths({1, most}), "no point of its own");
  refuse({10, 10}, HaloWidths({1, 1}, {1, most}), "no point of its own");
  refuse({10, 10}, HaloWidths({1, most - 1}, {1, most}), "no point of its own");
  refuse({10, 10}, HaloWidths({1, least}), std::to_string(least).c_str());
  refuse({10, least}, HaloWidths({1, 1}), std::to_string(least).c_str());
  refuse({10, least}, HaloWidths({1, most}), std::to_string(least).c_str());
  refuse({most, 10}, HaloWidths({1, 1}), "memory");
  refuse({most, most}, HaloWidths({most / 2, 1}), "memory");
  refuse({Count{1} << 60}, HaloWidths({1}), "memory");
}

TEST(Sizes, of_strides_are_checked_before_they_are_added_up) {
  std::vector<double> values(400);
  const auto refuse = [&](const Counts& extents, const Counts& strides, const HaloWidths& halo) {
    EXPECT_THROW((void)view(values.data(), extents, halo, strides), Error) << strides[0];
    expect_error(
        Fault::invalid_dimensions,
        [&] { (void)FieldView(values.data(), Layout::named(Elementary::byte), extents, strides, halo); },
        "memory");
  };
  refuse({4, 4}, {most, 8}, HaloWidths({1, 1}));
  refuse({4, 4}, {least, 8}, HaloWidths({1, 1}));
  refuse({4, 4}, {least, 8}, HaloWidths({0, 0}));
  refuse({4, 4}, {most / 2, most / 2}, HaloWidths({1, 1}));
  refuse({4, most}, {8, 8}, HaloWidths({1, most / 4}, {1, 0}));
}

TEST(Sizes, of_fields_are_checked_before_they_are_added_up) {
  const Cart cart = slabs();
  const auto refuse = [&](Fault fault, const HaloWidths& halo) {
    for (const bool shared : {true, false})
      expect_error(
          fault, [&] { (void)Field<double>(cart, {.halo = halo, .shared = shared}); },
          fault == Fault::out_of_memory ? "memory" : "a field of");
  };
  refuse(Fault::invalid_dimensions, HaloWidths({most, 1}));
  refuse(Fault::invalid_dimensions, HaloWidths({1, most}, {1, most}));
  refuse(Fault::invalid_dimensions, HaloWidths({1, Count{1} << 61}));
  refuse(Fault::invalid_dimensions, HaloWidths({1, (Count{1} << 57) - 80}));
  refuse(Fault::invalid_dimensions, HaloWidths({most / 2, most / 2}));
#ifndef __SANITIZE_ADDRESS__  // it ends processes that ask for as much
  refuse(Fault::out_of_memory, HaloWidths({1, Count{1} << 49}));
#endif
}

}  // namespace
}  // namespace halocline::halo_elements_tests
