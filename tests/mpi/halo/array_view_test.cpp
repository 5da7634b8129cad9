// Arrays that know their shape, members of structures and memory of the program's: what compiles, and that
// every point gets what its owner has. Longer, with progress:
//   HALOCLINE_SECONDS=600 HALOCLINE_SEED=1 mpirun -n 4 build/release/bin/mpi_tests --files=halo/array_view

#include "halocline/halo/array_view.hpp"
#include "expect_error.hpp"
#include "halo/points.hpp"
#include "halo/random_grounds.hpp"
#include "halocline/halo/field.hpp"
#include "halocline/halo/halo.hpp"
#include "halocline/halo/member_layout.hpp"
#include "support/small_mdspan.hpp"
#include "support/trials.hpp"
#include "support/world.hpp"

namespace halocline::halo_array_view_tests {
namespace {

using small::Extents;
using small::LayoutLeft;
using small::LayoutRight;
using small::LayoutStride;
using small::Mdspan;

static_assert(StridedArray<Mdspan<double, 3>> && StridedArray<Mdspan<int, 1, LayoutLeft>> &&
              StridedArray<Mdspan<float, 2, LayoutStride>>);
static_assert(!StridedArray<Mdspan<const double, 3>>, "halos are written");
static_assert(!StridedArray<Mdspan<double, 3, LayoutRight, double>>, "an accessor makes other values of it");
static_assert(!StridedArray<FieldSpan<double, 3>>, "its extents are without the halo");
static_assert(!StridedArray<FieldView> && !StridedArray<std::vector<double>> && !StridedArray<double*>);

/// What a component of a point of the mesh has at a time; rubbish where there is no such point.
double value_of(const Mesh& mesh, const Box& box, const Cell& point, Count component, Count time) {
  const auto there = mesh.neighbor(box.first, point);
  return there ? static_cast<double>(mesh.index(*there) * 64 + component * 8 + time % 8) : -1;
}

/// Points of a box with a halo, which looks at each value by an index of its own.
struct Watched {
  const Mesh& mesh;
  Box box;
  HaloWidths halo;

  template <class At>
  void fill(Count components, Count time, const At& at) const {
    for_each_point(box.extents, halo, [&](const Cell& point) {
      for (Count c = 0; c < components; ++c)
        at(point, c) =
            side_of(point, box.extents) == Offset(point.size(), 0) ? value_of(mesh, box, point, c, time) : -1;
    });
  }
  template <class At>
  [[nodiscard]] Count wrong(Count components, Count time, const At& at) const {
    Count wrong = 0;
    for_each_point(box.extents, halo, [&](const Cell& point) {
      for (Count c = 0; c < components; ++c)
        if (at(point, c) != value_of(mesh, box, point, c, time)) ++wrong;
    });
    return wrong;
  }
};

/// A mesh, random widths, and what an array of `Rank` dimensions has along each of them.
struct Place {
  Place(Random& common, std::size_t dimensions)
      : cart(MPI_COMM_WORLD, mesh_for(common, dimensions), Stencil::moore(dimensions, 1)),
        box(cart.decomposition()->box(cart.cell())) {
    for (std::size_t d = 0; d < dimensions; ++d) {
      halo.low.push_back(random_in(common, 0, 2));
      halo.high.push_back(random_in(common, 0, 2));
    }
  }
  static Mesh mesh_for(Random& common, std::size_t dimensions) {
    Counts extents;
    std::vector<bool> open;
    for (std::size_t d = 0; d < dimensions; ++d) {
      extents.push_back(random_in(common, 2, 4) * world_size() + random_in(common, 0, 1));
      open.push_back(random_in(common, 0, 1) == 0);
    }
    return Mesh(extents, open);
  }
  [[nodiscard]] Watched watched() const { return {cart.decomposition()->mesh(), box, halo}; }

  Cart cart;
  Box box;
  HaloWidths halo;
};

template <std::size_t Rank>
struct RandomArray {
  std::vector<double> memory;
  Extents<Rank> extents;
  std::array<std::size_t, Rank> strides{};

  /// In a random order of dimensions, with gaps, or dense in one of the two usual orders.
  RandomArray(const Extents<Rank>& its_extents, Random& own) : extents(its_extents) {
    std::array<std::size_t, Rank> order{};
    for (std::size_t d = 0; d < Rank; ++d) order[d] = d;
    std::shuffle(order.begin(), order.end(), own);
    auto stride = static_cast<std::size_t>(random_in(own, 1, 2));
    for (const std::size_t d : order) {
      strides[d] = stride;
      stride = stride * static_cast<std::size_t>(extents.extent(d)) +
               static_cast<std::size_t>(random_in(own, 0, 3));
    }
    memory.assign(stride + 1, -7);
  }
  [[nodiscard]] Mdspan<double, Rank, LayoutStride> span() { return {memory.data(), extents, strides}; }
};

template <std::size_t Rank>
Extents<Rank> whole(const Place& ground, Count components, Components where) {
  Extents<Rank> extents;
  const std::size_t dimensions = ground.box.extents.size(), others = Rank - dimensions;
  const std::size_t shift = where == Components::first ? others : 0;
  extents.list.fill(static_cast<int>(components));
  for (std::size_t d = 0; d < dimensions; ++d)
    extents.list[shift + d] =
        static_cast<int>(ground.box.extents[d] + ground.halo.low[d] + ground.halo.high[d]);
  return extents;
}

/// The value of a component at a point that is counted from the first own one.
template <class Array>
auto access(const Array& array, const Place& ground, Components where) {
  return [&array, &ground, where](const Cell& point, Count component) -> double& {
    std::array<std::size_t, Array::rank()> at{};
    const std::size_t shift = where == Components::first ? at.size() - point.size() : 0;
    at.fill(static_cast<std::size_t>(component));
    for (std::size_t d = 0; d < point.size(); ++d)
      at[shift + d] = static_cast<std::size_t>(point[d] + ground.halo.low[d]);
    return array.at(at);
  };
}

template <class Array>
void expect_exchanged(const Place& ground, const Array& array, Count components, Components where, Halo& halo,
                      Count time) {
  const auto at = access(array, ground, where);
  ground.watched().fill(components, time, at);
  halo.exchange();
  EXPECT_EQ(ground.watched().wrong(components, time, at), 0);
}

template <std::size_t Dimensions>
void run_case(std::uint64_t seed) {
  Random common(seed), own(seed * 1000 + static_cast<std::uint64_t>(world_rank()));
  const Place ground(common, Dimensions);
  const Count components = random_in(common, 1, 3);
  const Components where = random_in(own, 0, 1) == 0 ? Components::last : Components::first;
  RandomArray<Dimensions> scalar(whole<Dimensions>(ground, 1, where), own);
  RandomArray<Dimensions + 1> vector(whole<Dimensions + 1>(ground, components, where), own);
  const auto scalars = scalar.span();
  const auto vectors = vector.span();
  Halo halo(ground.cart, HaloOptions{.directions = Stencil::moore(Dimensions, 1)}, view(scalars, ground.halo),
            view(vectors, ground.halo, where));
  for (Count time = 0; time < 2; ++time) {
    ground.watched().fill(1, time, access(scalars, ground, where));
    expect_exchanged(ground, vectors, components, where, halo, time);
    EXPECT_EQ(ground.watched().wrong(1, time, access(scalars, ground, where)), 0);
  }
}

TEST(Arrays, of_random_layouts_and_widths) {
  Trials trials("halos of arrays that know their shape", 20261120, 60);
  while (trials.next()) {
    SCOPED_TRACE(trials.seed());
    switch (trials.seed() % 3) {
      case 0:
        run_case<1>(trials.seed());
        break;
      case 1:
        run_case<2>(trials.seed());
        break;
      default:
        run_case<3>(trials.seed());
    }
  }
}

TEST(Arrays, of_the_reference_layouts) {
  Random common(7);
  Place ground(common, 2);
  ground.halo = HaloWidths({1, 2});
  const auto extents = whole<2>(ground, 1, Components::last);
  std::vector<double> right(static_cast<std::size_t>(extents.extent(0) * extents.extent(1))), left = right;
  const Mdspan<double, 2, LayoutRight> rows(right.data(), extents);
  const Mdspan<double, 2, LayoutLeft> columns(left.data(), extents);
  const HaloOptions all{.directions = Stencil::moore(2, 1)};
  Halo of_rows(ground.cart, all, view(rows, ground.halo));
  Halo of_columns(ground.cart, all, view(columns, ground.halo));
  expect_exchanged(ground, rows, 1, Components::last, of_rows, 1);
  expect_exchanged(ground, columns, 1, Components::last, of_columns, 2);
  const Counts counts{extents.extent(0), extents.extent(1)};
  EXPECT_EQ(view(rows, ground.halo).strides(), view(right.data(), counts, ground.halo).strides());
  EXPECT_EQ(view(columns, ground.halo).strides(),
            view(left.data(), counts, ground.halo, Layout::Order::fortran).strides());
  EXPECT_EQ(view(rows, ground.halo).origin(), view(right.data(), counts, ground.halo).origin());
}

TEST(Arrays, that_make_no_sense_are_refused) {
  std::vector<double> values(100);
  const Mdspan<double, 2> array(values.data(), Extents<2>{{5, 4}});
  expect_error(
      Fault::invalid_dimensions,
      [&] {
        (void)view(array, HaloWidths({1, 1, 1}));
      },
      "2 dimensions (5x4)", "widths for 3");
  expect_error(
      Fault::invalid_dimensions, [&] { (void)view(array, HaloWidths()); }, "widths for 0");
  expect_error(
      Fault::invalid_dimensions,
      [&] {
        (void)view(array, HaloWidths({1, 2}));
      },
      "no point of its own");
  expect_error(
      Fault::invalid_dimensions,
      [&] {
        (void)view(array, HaloWidths({1, 1}, {1}));
      },
      "1 halo widths");
  const Mdspan<double, 2> none(values.data(), Extents<2>{{5, 0}});
  expect_error(
      Fault::invalid_dimensions, [&] { (void)view(none, HaloWidths({1})); }, "5x0", "components");
  Mdspan<double, 2> tiled(values.data(), Extents<2>{{5, 4}});
  tiled.strided = false;
  expect_error(
      Fault::invalid_argument,
      [&] {
        (void)view(tiled, HaloWidths({1, 1}));
      },
      "5x4", "no strides");
}

struct Base {
  double mass;
};
struct Particle : Base {
  short kind;
  std::array<double, 3> velocity;
  float charge[2];
  double energy;
};

static_assert(MemberOf<double Particle::*, Particle> && MemberOf<double Base::*, Particle>);
static_assert(!MemberOf<double Base::*, Place> && !MemberOf<int, Particle> &&
              !MemberOf<void (Place::*)(), Place>);

TEST(Members, are_exchanged_and_nothing_else) {
  Random common(11);
  const Place ground(common, 2);
  const auto extents = whole<2>(ground, 1, Components::last);
  std::vector<Particle> particles(static_cast<std::size_t>(extents.extent(0) * extents.extent(1)));
  const Counts all{extents.extent(0), extents.extent(1)};
  const Mdspan<Particle, 2> array(particles.data(), extents);
  const auto at = [&](const Cell& point) -> Particle& {
    return array(point[0] + ground.halo.low[0], point[1] + ground.halo.low[1]);
  };
  const auto velocity = [&](const Cell& point, Count c) -> double& {
    return at(point).velocity[static_cast<std::size_t>(c)];
  };
  const auto mass = [&](const Cell& point, Count /*component*/) -> double& { return at(point).mass; };
  const HaloOptions options{.directions = Stencil::moore(2, 1)};
  std::vector<Halo> halos;
  halos.emplace_back(ground.cart, options,
                     view(particles.data(), all, ground.halo, &Particle::velocity, &Particle::mass));
  halos.emplace_back(ground.cart, options, view(array, ground.halo, &Base::mass, &Particle::velocity));
  halos.emplace_back(ground.cart, options, view(array, ground.halo, &Particle::velocity),
                     view(particles.data(), all, ground.halo, Layout::Order::c, &Particle::mass));
  halos.emplace_back(
      ground.cart, options,
      view(particles.data(), all, ground.halo, Counts{all[1], 1}, &Particle::mass, &Particle::velocity));
  Count time = 0;
  for (Halo& halo : halos) {
    for (Particle& particle : particles) particle.kind = 77, particle.energy = 0.5, particle.charge[1] = 3;
    ground.watched().fill(3, ++time, velocity);
    ground.watched().fill(1, time, mass);
    MPI_Barrier(MPI_COMM_WORLD);
    halo.exchange();
    EXPECT_EQ(ground.watched().wrong(3, time, velocity) + ground.watched().wrong(1, time, mass), 0);
    for_each_point(ground.box.extents, ground.halo, [&](const Cell& point) {
      EXPECT_EQ(at(point).kind, 77);
      EXPECT_EQ(at(point).energy, 0.5);
      EXPECT_EQ(at(point).charge[1], 3);
    });
    EXPECT_EQ(halo.statistics().exchanges, 1);
  }
}

TEST(Members, have_the_layout_that_the_compiler_gave_them) {
  const Layout one = member_layout<Particle>(&Particle::energy);
  EXPECT_EQ(one.extent(), static_cast<Count>(sizeof(Particle)));
  EXPECT_EQ(one.size(), 8);
  const Particle particle{};
  EXPECT_EQ(one.true_lb(),
            reinterpret_cast<const char*>(&particle.energy) - reinterpret_cast<const char*>(&particle));
  const Layout several = member_layout<Particle>(&Particle::charge, &Particle::velocity, &Base::mass);
  EXPECT_EQ(several.size(), 8 + 24 + 8);
  EXPECT_EQ(several.extent(), static_cast<Count>(sizeof(Particle)));
  EXPECT_EQ(several.true_lb(), 0);
  const Cart cart(MPI_COMM_WORLD, Mesh({2 * world_size(), 3}, periodic(1, 1)), Stencil::moore(2, 1));
  const FieldStorage field(cart, several, {});
  Halo(cart, field).verify();
  expect_error(
      Fault::invalid_argument, [] { (void)member_layout<Particle>(&Base::mass, &Particle::mass); },
      "members 0 and 1", "in common");
}

TEST(Members, can_be_added_to_the_owners) {
  const Count p = world_size();
  const Cart cart(MPI_COMM_WORLD, Mesh({2 * p, 3}, periodic(1, 1)), Stencil::moore(2, 1));
  const Counts own = cart.decomposition()->box(cart.cell()).extents;
  std::vector<Particle> particles(static_cast<std::size_t>((own[0] + 2) * (own[1] + 2)));
  for (Particle& particle : particles) particle.velocity = {1, 2, 3}, particle.energy = 5;
  Halo halo(cart, HaloOptions{.directions = Stencil::moore(2, 1)},
            view(particles.data(), {own[0] + 2, own[1] + 2}, HaloWidths({1, 1}), &Particle::velocity));
  Count halos = 0;
  MPI_Barrier(MPI_COMM_WORLD);
  halo.accumulate();
  double sum = 0;
  for (Count i = 1; i <= own[0]; ++i)
    for (Count j = 1; j <= own[1]; ++j) {
      const Particle& particle = particles[static_cast<std::size_t>(i * (own[1] + 2) + j)];
      sum += particle.velocity[2];
      EXPECT_EQ(particle.velocity[1], 2 * particle.velocity[0]);
      EXPECT_EQ(particle.energy, 5);
    }
  halos = (own[0] + 2) * (own[1] + 2);
  double all = 0;
  double points = static_cast<double>(3 * halos), all_points = 0;
  MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  MPI_Allreduce(&points, &all_points, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  EXPECT_EQ(all, all_points) << "what was there at first";
}

}  // namespace
}  // namespace halocline::halo_array_view_tests
