// Ghost points beyond open borders that travel along: bit by bit what a program gets that exchanges one
// dimension after the other with plain MPI. Longer, with progress:
//   HALOCLINE_SECONDS=600 HALOCLINE_SEED=1 mpirun -n 4 build/release/bin/mpi_tests --files=halo/borders

#include "base/fail.hpp"
#include "expect_error.hpp"
#include "halo/dimension_by_dimension.hpp"
#include "halo/random_grounds.hpp"
#include "halocline/base/error.hpp"
#include "halocline/halo/field.hpp"
#include "halocline/halo/halo.hpp"
#include "halocline/mpi/cart.hpp"
#include "support/option_words.hpp"
#include "support/scope.hpp"
#include "support/trials.hpp"

namespace halocline::halo_borders_tests {
namespace {

/// A field of random values everywhere, halo included, in memory of the library or of this test.
struct Given {
  std::optional<FieldStorage> storage;
  std::vector<std::byte> memory;  ///< Unless the library has it.
  FieldView view;
};

struct Case {
  mpi::Comm cart;
  Decomposition decomposition;
  Cell cell;
  Stencil directions;
  bool carry;
  ExchangeOptions options;
  std::string text;
};

/// Neither the mesh nor the grid nor the widths are alike along dimensions. None on a process left over.
std::optional<Case> random_case(MPI_Comm processes, Random& common) {
  const bool lengthy = coin(common, 4);  // long messages are copied in other ways
  const auto dimensions = static_cast<std::size_t>(lengthy ? 2 : random_in(common, 1, 4));
  mpi::Comm cart = random_cart(processes, dimensions, common);
  if (!cart) return std::nullopt;
  const Grid grid = mpi::grid_of(cart.get());
  std::vector<Counts> slabs(dimensions);
  const bool even = coin(common, 3);
  for (std::size_t d = 0; d < dimensions; ++d) {
    const auto points = [&] { return lengthy && d == 1 ? 1500 : 3 + random_in(common, 0, 4); };
    const Count all = points();
    for (Count i = 0; i < grid.extents()[d]; ++i) slabs[d].push_back(even ? all : points());
  }
  const std::string schedule =
      any_of<std::string>({"auto", "direct", "node", "mixed", "torus", "basis"}, common);
  const std::string wire = any_of<std::string>({"auto", "packed", "datatype"}, common);
  const std::string shared = any_of<std::string>({"on", "on", "buffered", "off"}, common);
  const Stencil directions =
      coin(common, 3) ? random_directions(dimensions, common) : Stencil::moore(dimensions, 1);
  const bool carry = !coin(common, 5);
  Decomposition decomposition(grid, slabs);
  Cell cell = grid.cell(mpi::rank(cart.get()));
  std::string text =
      concat(decomposition.mesh().to_text(), " on ", grid.to_text(), carry ? " carry " : " keep ",
             directions.to_text(), " ", schedule, " ", wire, " ", shared);
  return Case{std::move(cart), std::move(decomposition),
              std::move(cell), directions,
              carry,           options_of_words(schedule, wire, shared),
              std::move(text)};
}

Given random_given(const Case& here, Random& common, Random& own) {
  const std::size_t dimensions = here.cell.size();
  HaloWidths halo;
  for (std::size_t d = 0; d < dimensions; ++d) {
    halo.low.push_back(random_in(common, 0, dimensions > 3 ? 2 : 3));
    halo.high.push_back(random_in(common, 0, dimensions > 3 ? 2 : 3));
  }
  // Several components, which need not be all that lies there.
  const Count bytes = any_of<Count>({1, 4, 8, 24}, common), gap = coin(common, 3) ? 4 : 0;
  const Layout element =
      Layout::resized(0, bytes + gap, Layout::contiguous(bytes, Layout::named(Elementary::byte)));
  const auto order = coin(common) ? Layout::Order::c : Layout::Order::fortran;
  const Counts extents = here.decomposition.box(here.cell).extents;
  if (coin(common)) {
    FieldStorage storage(here.cart.get(), here.decomposition, element,
                         {.halo = halo, .shared = !coin(common, 4), .order = order});
    FieldView view = storage.view();
    return {std::move(storage), {}, std::move(view)};
  }
  Counts strides(dimensions);
  Count pitch = bytes + gap, origin = 0;
  for (std::size_t i = 0; i < dimensions; ++i) {
    const std::size_t d = order == Layout::Order::c ? dimensions - 1 - i : i;
    strides[d] = pitch;
    origin += halo.low[d] * pitch;
    pitch *= extents[d] + halo.low[d] + halo.high[d] + random_in(own, 0, 2);  // padding
  }
  std::vector<std::byte> memory(static_cast<std::size_t>(pitch));
  std::byte* const first = memory.data() + origin;
  return {std::nullopt, std::move(memory), FieldView(first, element, extents, strides, halo)};
}

/// Points that are not what they must be: what the other exchange gives where this one fills, else as before.
Count wrong_points(const Case& here, const DimensionByDimension& before, const DimensionByDimension& after,
                   const FieldView& field) {
  Count wrong = 0;
  for_each_point(field.extents(), field.halo(), [&](const Cell& point) {
    const Offset side = side_of(point, field.extents());
    const bool beyond = !here.decomposition.grid().neighbor(here.cell, side);
    const auto& list = here.directions.offsets();
    const bool filled = std::find(list.begin(), list.end(), side) != list.end() && (here.carry || !beyond);
    const DimensionByDimension& expected = filled ? after : before;
    if (!expected.has_at(point, static_cast<const std::byte*>(field.at(point)))) ++wrong;
  });
  return wrong;
}

void compare(std::uint64_t seed) {
  Random common(seed * 7919 + static_cast<unsigned>(world_size())),
      own(seed * 104729 + static_cast<unsigned>(world_rank()));
  const DescribedMachine machine(random_nodes(common));
  const mpi::Comm world = shuffled_world(static_cast<unsigned>(seed));
  const std::optional<Case> made = random_case(world.get(), common);
  if (!made) return;
  const Case& here = *made;
  SCOPED_TRACE(here.text);
  std::vector<Given> fields;
  std::vector<FieldView> views;
  for (Count f = random_in(common, 1, 2); f > 0; --f) {
    fields.push_back(random_given(here, common, own));
    views.push_back(fields.back().view);
  }
  HaloOptions options{.directions = here.directions, .exchange = here.options};
  if (here.carry) options.borders = Borders::carry;
  Halo halo(here.cart.get(), here.decomposition, views, options);
  for (int time = 0; time < 2; ++time) {
    std::vector<DimensionByDimension> before, after;
    for (const FieldView& view : views) {
      before.emplace_back(view, own);
      before.back().copy_to(view);
      after.push_back(before.back());
      after.back().exchange(here.cart.get(), shuffled(here.cell.size(), common));
    }
    halo.exchange();
    for (std::size_t f = 0; f < views.size(); ++f)
      EXPECT_EQ(wrong_points(here, before[f], after[f], views[f]), 0) << "field " << f << ", time " << time;
  }
  halo.verify();
}

TEST(Borders, carry_what_one_dimension_after_the_other_does) {
  Trials trials("halos beside one dimension after the other", 20261118, 36);
  while (trials.next()) {
    SCOPED_TRACE(testing::Message() << trials);
    compare(trials.seed());
  }
}

/// A ghost point beyond the border of process 1 is a point of another field as well, and has its value when
/// the halo starts. Where it is carried, the corner of process 0 is wrong; otherwise that point alone.
TEST(Borders, the_verifier_finds_a_wrong_point_that_was_carried) {
  if (world_size() == 1) return;  // nobody carries
  const Cart cart(MPI_COMM_WORLD, Mesh({3 * world_size(), 3}), Stencil::moore(2, 1),
                  {.reorder = false, .fixed = {world_size(), 1}});
  std::vector<int> values(500), others(500);
  const FieldView field = view(values.data(), {5, 5}, HaloWidths({1, 1}));
  const Cell ghost{0, -1};
  // Its other points lie behind the first field.
  const FieldView intruder(cart.cell()[0] == 1 ? field.at(ghost) : others.data(), field.element(), {3, 3},
                           {400, 120}, HaloWidths({0, 0}));
  for (const Borders borders : {Borders::carry, Borders::keep}) {
    const bool carried = borders == Borders::carry;
    const std::string process = carried ? "process at (0,0)" : "process at (1,0)";
    const std::string point =
        carried ? "point (3,-1), which is (0,-1) of the process at (1,0), beyond an open border"
                : "point (0,-1), which should not have been touched";
    Halo halo(cart, {field, intruder}, {.borders = borders});
    expect_error(
        Fault::internal, [&] { halo.verify(); }, "field 0", process, point);
    const Variable wanted("HALOCLINE_VERIFY", "1");
    expect_error(
        Fault::internal,
        [&] {
          (void)Halo(cart, {field, intruder}, {.borders = borders});
        },
        "field 0", process, point);
    (void)Halo(cart, {field}, {.borders = borders});
  }
}

}  // namespace
}  // namespace halocline::halo_borders_tests
