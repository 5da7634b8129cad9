// Borders of meshes: what ghost points beyond described sides show, point by point. Longer, with progress:
//   HALOCLINE_SECONDS=600 HALOCLINE_SEED=1 mpirun -n 4 build/release/bin/mpi_tests --files=halo/random_sides

#include "halo/random_sides.hpp"
#include "base/fail.hpp"
#include "halo/points.hpp"
#include "halo/random_fields.hpp"
#include "halo/random_grounds.hpp"
#include "halo/sides_reference.hpp"
#include "halocline/base/error.hpp"
#include "halocline/halo/field.hpp"
#include "halocline/halo/halo.hpp"
#include "support/option_words.hpp"
#include "support/trials.hpp"

#include <complex>
#include <cstring>

namespace halocline::halo_random_sides_tests {
namespace {

using Which = Side::Which;

/// An element of numbers that the test can write and compare.
struct NumberedElement {
  struct Number {
    char type;  ///< i, d, f, c (two doubles) or s (short).
    Count offset;
  };
  Layout layout;
  std::vector<Number> numbers;
};

NumberedElement random_element(Random& random) {
  using L = Layout;
  const Layout number = L::named(Elementary::double_), integer = L::named(Elementary::int_);
  switch (random_in(random, 0, 5)) {
    case 0:
      return {integer, {{'i', 0}}};
    case 1:
      return {L::contiguous(3, number), {{'d', 0}, {'d', 8}, {'d', 16}}};
    case 2:
      return {L::named(Elementary::c_double_complex), {{'c', 0}}};
    case 3:  // with a gap, and the second before the first
      return {L::resized(0, 24, L::structure({1, 1}, {16, 4}, {number, integer})), {{'d', 16}, {'i', 4}}};
    case 4:
      return {L::structure({2, 1}, {0, 4}, {L::named(Elementary::short_), L::named(Elementary::float_)}),
              {{'s', 0}, {'s', 2}, {'f', 4}}};
    default:
      return {number, {{'d', 0}}};
  }
}

template <class T>
void put(std::byte* address, T value) {
  std::memcpy(address, &value, sizeof(T));
}
template <class T>
bool holds(const std::byte* address, T value) {
  T there;
  std::memcpy(&there, address, sizeof(T));
  return there == value;
}

/// Any small number that tells points apart, not zero.
Count value_of(Count index, std::size_t field, std::size_t number, Count time) {
  const auto mixed = static_cast<std::uint64_t>(index) * 7919 + field * 131 + number * 17 +
                     static_cast<std::uint64_t>(time) * 4099;
  return static_cast<Count>(mixed % 29989) + 1;
}

void write(std::byte* point, const NumberedElement& element, const std::vector<Count>& values) {
  for (std::size_t i = 0; i < element.numbers.size(); ++i) {
    std::byte* const at = point + element.numbers[i].offset;
    const Count value = values[i];
    switch (element.numbers[i].type) {
      case 'i':
        put(at, static_cast<int>(value));
        break;
      case 's':
        put(at, static_cast<short>(value));
        break;
      case 'f':
        put(at, static_cast<float>(value));
        break;
      case 'c':
        put(at, std::complex<double>(static_cast<double>(value), static_cast<double>(3 * value)));
        break;
      default:
        put(at, static_cast<double>(value));
    }
  }
}

bool has(const std::byte* point, const NumberedElement& element, const std::vector<Count>& values) {
  for (std::size_t i = 0; i < element.numbers.size(); ++i) {
    const std::byte* const at = point + element.numbers[i].offset;
    const Count value = values[i];
    bool same = true;
    switch (element.numbers[i].type) {
      case 'i':
        same = holds(at, static_cast<int>(value));
        break;
      case 's':
        same = holds(at, static_cast<short>(value));
        break;
      case 'f':
        same = holds(at, static_cast<float>(value));
        break;
      case 'c':
        same = holds(at, std::complex<double>(static_cast<double>(value), static_cast<double>(3 * value)));
        break;
      default:
        same = holds(at, static_cast<double>(value));
    }
    if (!same) return false;
  }
  return true;
}

struct OneField {
  NumberedElement element;
  HaloWidths halo;
  std::optional<FieldStorage> storage;  ///< One memory; arrays have two, of which one is exchanged.
  std::vector<RandomArray> arrays;
  std::vector<FieldView> memories;
};

struct Case {
  mpi::Comm cart;
  Decomposition decomposition;
  Cell cell;
  Stencil directions;
  Sides sides;
  ExchangeOptions options;
};

std::optional<Case> random_case(MPI_Comm processes, Random& common) {
  const auto dimensions = static_cast<std::size_t>(random_in(common, 1, coin(common, 5) ? 4 : 3));
  mpi::Comm cart = random_cart(processes, dimensions, common);
  if (!cart) return std::nullopt;
  const Grid grid = mpi::grid_of(cart.get());
  std::vector<Counts> slabs(dimensions);
  const Count most = dimensions > 3 ? 3 : coin(common, 6) && dimensions < 3 ? 90 : 6;
  for (std::size_t d = 0; d < dimensions; ++d) {
    const bool even = coin(common, 3);
    const Count all = random_in(common, 1, most);
    for (Count i = 0; i < grid.extents()[d]; ++i) slabs[d].push_back(even ? all : random_in(common, 1, most));
  }
  Decomposition decomposition(grid, slabs);
  const Sides sides = random_sides(decomposition.mesh(), common);
  const std::string schedule = any_of<std::string>({"auto", "direct", "node", "mixed"}, common);
  const std::string wire = any_of<std::string>({"auto", "packed", "datatype"}, common);
  const std::string shared = any_of<std::string>({"on", "buffered", "off"}, common);
  const Stencil directions =
      coin(common, 3) ? random_directions(dimensions, common) : Stencil::moore(dimensions, 1);
  Cell cell = grid.cell(mpi::rank(cart.get()));
  return Case{std::move(cart), std::move(decomposition),      std::move(cell),
              directions,      Sides::parse(sides.to_text()), options_of_words(schedule, wire, shared)};
}

/// As wide as may be.
Count widest(const Case& here, std::size_t dimension) {
  const Grid& grid = here.decomposition.grid();
  const Mesh& mesh = here.decomposition.mesh();
  const bool alone = grid.extents()[dimension] == 1 && !grid.periodic(dimension);
  Count most = alone ? 4 : here.decomposition.least_extent(dimension);
  const bool described =
      here.sides.find(dimension, Which::low) != nullptr || here.sides.find(dimension, Which::high) != nullptr;
  if (described) most = std::min(most, std::max(Count{0}, mesh.extents()[dimension] - 2));
  return std::min(most, here.cell.size() > 3 ? Count{2} : Count{4});
}

OneField random_field(const Case& here, Random& common, Random& own) {
  OneField field{random_element(common), {}, std::nullopt, {}, {}};
  for (std::size_t d = 0; d < here.cell.size(); ++d) {
    field.halo.low.push_back(random_in(common, 0, widest(here, d)));
    field.halo.high.push_back(random_in(common, 0, widest(here, d)));
  }
  const Counts extents = here.decomposition.box(here.cell).extents;
  const auto order = coin(common) ? Layout::Order::c : Layout::Order::fortran;
  if (coin(common)) {
    field.storage.emplace(here.cart.get(), here.decomposition, field.element.layout,
                          FieldOptions{.halo = field.halo, .shared = !coin(common, 4), .order = order});
    field.memories.push_back(field.storage->view());
    return field;
  }
  const int memories = coin(common, 3) ? 2 : 1;
  for (int m = 0; m < memories; ++m) {
    field.arrays.emplace_back(extents, field.halo, field.element.layout, own);
    const RandomArray& array = field.arrays.back();
    std::byte* origin = array.first;
    for (std::size_t d = 0; d < extents.size(); ++d) origin += field.halo.low[d] * array.strides[d];
    field.memories.emplace_back(origin, field.element.layout, extents, array.strides, field.halo);
  }
  return field;
}

/// Of a ghost point to which nothing comes.
Count nobody(const Cell& cell, const Cell& point) {
  Count seed = 77;
  for (const Count c : cell) seed = seed * 31 + c;
  for (const Count c : point) seed = seed * 31 + c + 100;
  return seed % 9973;
}

/// All values of one point: of a mesh point, or of nobody.
std::vector<Count> values_at(const OneField& field, std::size_t number, Count index, Count time,
                             const Shown* shown) {
  std::vector<Count> values;
  for (std::size_t i = 0; i < field.element.numbers.size(); ++i) {
    const Count value = value_of(index, number, i, time);
    values.push_back(shown != nullptr && shown->negative(number, i) ? -value : value);
  }
  return values;
}
std::vector<Count> values_of_nobody(const OneField& field, const Cell& cell, const Cell& point) {
  std::vector<Count> values;
  for (std::size_t i = 0; i < field.element.numbers.size(); ++i)
    values.push_back(nobody(cell, point) + static_cast<Count>(i));
  return values;
}

Cell wrapped(const Case& here, const Cell& point) {
  Cell mesh_point = here.decomposition.box(here.cell).first;
  for (std::size_t d = 0; d < point.size(); ++d) {
    const Count extent = here.decomposition.mesh().extents()[d];
    mesh_point[d] = (mesh_point[d] + point[d] + 8 * extent) % extent;
  }
  return mesh_point;
}

void fill(const Case& here, const OneField& field, std::size_t number, const FieldView& memory, Count time) {
  for_each_point(memory.extents(), field.halo, [&](const Cell& point) {
    const bool own = side_of(point, memory.extents()) == Offset(point.size(), 0);
    write(static_cast<std::byte*>(memory.at(point)), field.element,
          own ? values_at(field, number, here.decomposition.mesh().index(wrapped(here, point)), time, nullptr)
              : values_of_nobody(field, here.cell, point));
  });
}

Count wrong_points(const Case& here, const OneField& field, std::size_t number, const FieldView& memory,
                   Count time) {
  const SidesReference reference(here.sides, here.decomposition, here.directions);
  const Mesh& mesh = here.decomposition.mesh();
  const std::vector<Offset>& filled = here.directions.offsets();
  Count wrong = 0;
  for_each_point(memory.extents(), field.halo, [&](const Cell& point) {
    const Offset side = side_of(point, memory.extents());
    const bool own = side == Offset(point.size(), 0);
    const bool fills = std::find(filled.begin(), filled.end(), side) != filled.end();
    std::vector<Count> expected = values_of_nobody(field, here.cell, point);
    if (own || (fills && here.decomposition.grid().neighbor(here.cell, side)))
      expected = values_at(field, number, mesh.index(wrapped(here, point)), time, nullptr);
    else if (const auto shown = reference.shown(here.cell, number, side, point))
      expected = values_at(field, number, mesh.index(shown->point), time, &*shown);
    if (!has(static_cast<const std::byte*>(memory.at(point)), field.element, expected)) ++wrong;
  });
  return wrong;
}

/// Numbers that were to change their sign where there are none.
void leave_out_of_range(Case& here, const std::vector<OneField>& fields) {
  std::vector<Side> list = here.sides.list();
  for (Side& side : list)
    std::erase_if(side.odd, [&](const Side::Odd& odd) {
      return odd.field != Side::Odd::all && odd.field >= fields.size();
    });
  std::vector<std::vector<std::size_t>> at = here.sides.at();
  if (at.size() > fields.size()) at.resize(fields.size());
  here.sides = Sides(list, at);
}

void compare(std::uint64_t seed) {
  Random common(seed * 7919 + static_cast<unsigned>(world_size())),
      own(seed * 104729 + static_cast<unsigned>(world_rank()));
  const DescribedMachine machine(random_nodes(common));
  const mpi::Comm world = shuffled_world(static_cast<unsigned>(seed));
  std::optional<Case> made = random_case(world.get(), common);
  if (!made) return;
  Case& here = *made;
  std::vector<OneField> fields;
  for (Count f = random_in(common, 1, 3); f > 0; --f) fields.push_back(random_field(here, common, own));
  leave_out_of_range(here, fields);
  SCOPED_TRACE(concat(here.decomposition.mesh().to_text(), " on ", here.decomposition.grid().to_text(), " ",
                      here.directions.to_text(), " sides ", here.sides.to_text(), " seed ", seed));
  std::vector<HaloSlot> slots;
  for (const OneField& field : fields) {
    std::vector<HaloSlot> memories;
    for (const FieldView& memory : field.memories)
      memories.push_back(field.storage ? HaloSlot(*field.storage) : HaloSlot(memory));
    slots.push_back(HaloSlot::of(memories));
  }
  Halo halo(here.cart.get(), here.decomposition, slots,
            {.directions = here.directions, .exchange = here.options, .sides = here.sides});
  for (Count time = 0; time < 3; ++time) {
    std::vector<const void*> now;
    std::vector<FieldView> memories;
    for (std::size_t f = 0; f < fields.size(); ++f) {
      const auto which = static_cast<std::size_t>(time) % fields[f].memories.size();
      memories.push_back(fields[f].memories[which]);
      now.push_back(memories.back().origin());
      fill(here, fields[f], f, memories[f], time);
    }
    halo.start_with(now);
    EXPECT_TRUE(halo.active());
    if (coin(own))
      while (!halo.test()) EXPECT_TRUE(halo.active());
    else
      halo.wait();
    EXPECT_FALSE(halo.active());
    for (std::size_t f = 0; f < fields.size(); ++f)
      EXPECT_EQ(wrong_points(here, fields[f], f, memories[f], time), 0) << "field " << f << ", time " << time;
  }
  EXPECT_EQ(halo.statistics().exchanges, 3);
  halo.verify();
}

TEST(RandomSides, random_ones_show_what_a_reference_by_coordinates_says) {
  Trials trials("halos with described sides", 20261119, 45);
  while (trials.next()) compare(trials.seed());
}

}  // namespace
}  // namespace halocline::halo_random_sides_tests
