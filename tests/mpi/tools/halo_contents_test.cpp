// The look that benchmarks take at a halo sees any point that is wrong.

#include "tools/bench/halo/halo_contents.hpp"

#include "halocline/halo/halo.hpp"
#include "support/world.hpp"

#include <gtest/gtest.h>

namespace halocline::tools {
namespace {

constexpr Count width = 2, local = 3, padded = local + 2 * width;

/// Two arrays on a grid of all processes, exchanged along a stencil.
struct CheckedHalo {
  explicit CheckedHalo(const Stencil& stencil)
      : cart(MPI_COMM_WORLD, Mesh({world_size() * local, local, local}, periodic(1, 1, 1)), stencil,
             {.reorder = false, .halo = Counts(3, width), .fixed = {world_size(), 1, 1}}),
        arrays(2, std::vector<double>(padded * padded * padded)),
        contents{*cart.decomposition(), cart.cell(), stencil} {
    for (std::vector<double>& array : arrays)
      fields.push_back(view(array.data(), Counts(3, padded), HaloWidths(Counts(3, width))));
    for (Count i = 0; i < 2; ++i) contents.write(fields[static_cast<std::size_t>(i)], i);
  }
  Cart cart;
  std::vector<std::vector<double>> arrays;
  std::vector<FieldView> fields;
  HaloContents contents;
};

TEST(HaloContents, are_right_after_an_exchange) {
  for (const Stencil& stencil : {Stencil::moore(3, 1), Stencil::nearest(3)}) {
    CheckedHalo checked(stencil);
    Halo(checked.cart, checked.fields).exchange();
    for (Count i = 0; i < 2; ++i)
      EXPECT_EQ(checked.contents.first_wrong(checked.fields[static_cast<std::size_t>(i)], i), std::nullopt);
  }
}

TEST(HaloContents, are_wrong_before_it) {
  const CheckedHalo checked(Stencil::moore(3, 1));
  EXPECT_EQ(checked.contents.first_wrong(checked.fields[0], 0), Cell(3, -width));
}

TEST(HaloContents, are_those_of_one_field) {
  CheckedHalo checked(Stencil::moore(3, 1));
  Halo(checked.cart, checked.fields).exchange();
  EXPECT_EQ(checked.contents.first_wrong(checked.fields[1], 0), Cell(3, -width));
}

TEST(HaloContents, are_looked_at_point_by_point) {
  CheckedHalo checked(Stencil::moore(3, 1));
  Halo(checked.cart, checked.fields).exchange();
  for (Count i = 0; i < padded * padded * padded; ++i) {
    double& value = checked.arrays[0][static_cast<std::size_t>(i)];
    value += 1;
    const Cell wrong{i / (padded * padded) - width, i / padded % padded - width, i % padded - width};
    EXPECT_EQ(checked.contents.first_wrong(checked.fields[0], 0), wrong);
    value -= 1;
  }
}

TEST(HaloContents, are_only_those_of_the_directions) {
  CheckedHalo checked(Stencil::nearest(3));
  Halo(checked.cart, checked.fields).exchange();
  checked.arrays[0].front() = 17;  // a corner
  EXPECT_EQ(checked.contents.first_wrong(checked.fields[0], 0), std::nullopt);
}

}  // namespace
}  // namespace halocline::tools
