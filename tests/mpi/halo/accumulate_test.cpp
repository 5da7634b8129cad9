// What others have in their halos comes to the owners: random ones against what the rules say of each number,
// and the exchange as its adjoint. Longer, with progress:
//   HALOCLINE_SECONDS=600 HALOCLINE_SEED=1 mpirun -n 4 build/release/bin/mpi_tests --files=halo/accumulate

#include "expect_error.hpp"
#include "halo/random_sums.hpp"
#include "halo/rotating_fields.hpp"
#include "support/option_words.hpp"
#include "support/scope.hpp"
#include "support/trials.hpp"

#include <memory>

namespace halocline::halo_accumulate_tests {
namespace {

/// Grounds of C++.
struct CppGrounds {
  static mpi::Comm mesh_comm(MPI_Comm comm, const Mesh& mesh, const Stencil& stencil) {
    return mpi::Comm(Cart(comm, mesh, stencil).release());
  }
  static void tell_mesh(MPI_Comm /*comm*/, const Mesh& /*mesh*/) {}
};

/// Some fields with several halos made of them, which differ in directions and in how they are exchanged.
class RandomSums {
 public:
  RandomSums(const Ground& ground, Random& common, Random& own) : ground_(ground) {
    const Count fields = random_in(common, 1, 3);
    for (Count f = 0; f < fields; ++f) add_field(f, common, own);
    for (Count halos = random_in(common, 2, 4); halos > 0; --halos) add_halo(common);
  }

  void accumulate_each(Random& common, Random& own, const std::string& what) {
    for (Way& way : ways_)
      for (int twice = 0; twice < 2; ++twice) {
        const auto how =
            any_of<Accumulate>(complex_ ? std::vector{Accumulate::sum, Accumulate::replace}
                                        : std::vector{Accumulate::sum, Accumulate::sum, Accumulate::min,
                                                      Accumulate::max, Accumulate::replace},
                               common);
        const std::string which = what + way.text + " how " + std::to_string(static_cast<int>(how));
        for (const SummedField& field : fields_) field.fill(ground_.decomposition, ground_.cell, ++time_);
        time_ -= fields_.size();
        MPI_Barrier(ground_.comm.get());
        accumulate(*way.halo, how, own, which);
        expect_right(way, how, which);
        time_ += fields_.size();
        ++cases;
        MPI_Barrier(ground_.comm.get());
      }
  }

  static inline Count cases = 0;

 private:
  struct Way {
    Stencil directions;
    std::string text;
    std::unique_ptr<Halo> halo;
  };

  void add_field(Count number, Random& common, Random& own) {
    const Staggered staggered = random_staggered(ground_.cell.size(), common);
    const Counts extents = local_points(ground_.decomposition, ground_.cell, staggered);
    const Grid& grid = ground_.decomposition.grid();
    HaloWidths widths;
    for (std::size_t d = 0; d < extents.size(); ++d) {
      const bool alone = grid.extents()[d] == 1 && !grid.periodic(d) && coin(common, 4);
      const Count widest = alone ? 2 * ground_.widest + 3 : ground_.widest;
      widths.low.push_back(random_in(common, 0, widest));
      widths.high.push_back(random_in(common, 0, widest));
    }
    narrow(widths, ground_, staggered);
    const bool of_library = coin(common), shared = !coin(common, 4), twice = coin(common, 4);
    const auto order = coin(common) ? Layout::Order::c : Layout::Order::fortran;
    const std::vector<Elementary> types = random_types(common);
    NumberElement element = random_numbers(types, twice, of_library ? common : own);
    complex_ = complex_ || element.complex;
    const auto id = static_cast<std::uint64_t>(number);
    if (of_library) {
      storages_.push_back(std::make_unique<FieldStorage>(
          ground_.comm.get(), ground_.decomposition, element.layout,
          FieldOptions{.halo = widths, .shared = shared, .order = order, .staggered = staggered}));
      slots_.emplace_back(*storages_.back());
      const FieldView& view = storages_.back()->view();
      fields_.emplace_back(static_cast<std::byte*>(view.origin()), view.strides(), extents, widths,
                           std::move(element), id, staggered);
      arrays_.push_back(nullptr);
      return;
    }
    arrays_.push_back(std::make_unique<RandomArray>(extents, widths, element.layout, own));
    const RandomArray& array = *arrays_.back();
    std::byte* origin = array.first;
    for (std::size_t d = 0; d < extents.size(); ++d) origin += widths.low[d] * array.strides[d];
    slots_.emplace_back(
        halocline::staggered({origin, element.layout, extents, array.strides, widths}, staggered));
    fields_.emplace_back(origin, array.strides, extents, widths, std::move(element), id, staggered);
  }

  void add_halo(Random& common) {
    const std::size_t dimensions = ground_.cell.size();
    const Stencil directions =
        coin(common, 3) ? Stencil::moore(dimensions, 1) : random_directions(dimensions, common);
    const auto schedule =
        any_of<std::string>({"auto", "direct", "node", "mixed", "torus", "torus-direct", "basis"}, common);
    const auto wire = any_of<std::string>({"auto", "packed", "datatype"}, common);
    const std::string shared = coin(common, 4) ? "off" : coin(common, 4) ? "buffered" : "on";
    const bool carries = coin(common, 3);
    const HaloOptions options{
        .directions = directions,
        .borders = carries ? Borders::carry : Borders::keep,
        .exchange = options_of_words(schedule, wire, shared, coin(common, 6) ? "on" : "off")};
    MPI_Comm comm = ground_.comm.get();
    ways_.push_back({directions,
                     "; " + directions.to_text() + " " + schedule + " " + wire + " shared " + shared,
                     std::make_unique<Halo>(ground_.kind == CommKind::fields
                                                ? Halo(comm, slots_, options)
                                                : Halo(comm, ground_.decomposition, slots_, options))});
  }

  void accumulate(Halo& halo, Accumulate how, Random& own, const std::string& what) const {
    if (coin(own)) return halo.accumulate(how);
    halo.start_accumulate(how);
    EXPECT_TRUE(halo.active());
    for (std::size_t f = 0; f < fields_.size(); ++f)
      EXPECT_EQ(fields_[f].wrong(ground_.decomposition, ground_.cell, nullptr, how, time_of(f)), 0)
          << what << ": it was started, and own points have changed";
    if (coin(own)) {
      while (!halo.test()) {
      }
    } else {
      halo.wait();
    }
    EXPECT_FALSE(halo.active());
  }

  void expect_right(const Way& way, Accumulate how, const std::string& what) const {
    for (std::size_t f = 0; f < fields_.size(); ++f) {
      EXPECT_EQ(fields_[f].wrong(ground_.decomposition, ground_.cell, &way.directions, how, time_of(f)), 0)
          << what << ", field " << f << ": " << fields_[f].element().layout.to_text();
      if (arrays_[f] == nullptr) continue;
      EXPECT_EQ(fields_[f].touched(arrays_[f]->memory), 0) << what << ", around field " << f;
    }
  }
  [[nodiscard]] std::uint64_t time_of(std::size_t field) const { return time_ + field + 1; }

  const Ground& ground_;
  std::vector<std::unique_ptr<RandomArray>> arrays_;  ///< Null for fields of the library.
  std::vector<std::unique_ptr<FieldStorage>> storages_;
  std::vector<HaloSlot> slots_;
  std::vector<SummedField> fields_;
  std::vector<Way> ways_;
  bool complex_ = false;
  std::uint64_t time_ = 0;
};

void run_random_sums(std::uint64_t seed) {
  Random common(seed * 6029 + static_cast<unsigned>(world_size())),
      own(seed * 104729 + static_cast<unsigned>(world_rank()));
  const DescribedMachine machine(random_nodes(common));
  const mpi::Comm world = shuffled_world(static_cast<unsigned>(seed));
  const std::optional<Ground> ground = random_ground<CppGrounds>(world.get(), common);
  if (!ground) return;
  const std::string what = "HALOCLINE_SEED=" + std::to_string(seed) + ": " +
                           ground->decomposition.mesh().to_text() + " on " +
                           ground->decomposition.grid().to_text();
  RandomSums sums(*ground, common, own);
  sums.accumulate_each(common, own, what);
}

TEST(Accumulate, random_halos_come_to_their_owners) {
  // About six accumulations each.
  Trials trials("random sums", 20261119, 30);
  while (trials.next()) run_random_sums(trials.seed());
  if (world_rank() == 0) std::cout << RandomSums::cases << " accumulations" << std::endl;
}

TEST(Accumulate, is_the_adjoint_of_the_exchange) {
  Random common(77);
  for (int round = 0; round < 20; ++round) {
    const auto dimensions = static_cast<std::size_t>(random_in(common, 1, 3));
    const Count p = world_size();
    Counts extents;
    for (std::size_t d = 0; d < dimensions; ++d) extents.push_back(2 * p + random_in(common, 0, 3));
    const Cart cart(MPI_COMM_WORLD, Mesh(extents, random_periods(dimensions, common)),
                    Stencil::moore(dimensions, 1));
    HaloWidths widths;
    for (std::size_t d = 0; d < dimensions; ++d) {
      widths.low.push_back(random_in(common, 0, 2));
      widths.high.push_back(random_in(common, 0, 2));
    }
    const Field<std::int64_t> x(cart, {.halo = widths}), y(cart, {.halo = widths});
    const HaloOptions options{.directions = random_directions(dimensions, common)};
    Halo exchanged(cart, options, x), accumulated(cart, options, y);
    Random own(static_cast<std::uint64_t>(round * 1000 + world_rank()));
    const auto at = [](const Field<std::int64_t>& field, const Cell& point) -> std::int64_t& {
      return *static_cast<std::int64_t*>(field.view().at(point));
    };
    const auto is_own = [&](const Cell& point) {
      return side_of(point, x.view().extents()) == Offset(dimensions, 0);
    };
    std::vector<std::int64_t> before;  // of x, own points
    for_each_point(x.view().extents(), widths, [&](const Cell& point) {
      at(x, point) = is_own(point) ? random_in(own, -1000, 1000) : 0;
      at(y, point) = random_in(own, -1000, 1000);
    });
    MPI_Barrier(MPI_COMM_WORLD);
    exchanged.exchange();
    std::array<std::int64_t, 2> mine{}, all{};  // <E x, y> and <x, A y>
    const auto add = [&](std::size_t which, bool own_alone) {
      for_each_point(x.view().extents(), widths, [&](const Cell& point) {
        if (!own_alone || is_own(point)) mine[which] += at(x, point) * at(y, point);
      });
    };
    add(0, false);
    accumulated.accumulate();
    add(1, true);
    MPI_Allreduce(mine.data(), all.data(), 2, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    EXPECT_EQ(all[0], all[1]) << "round " << round;
    MPI_Barrier(MPI_COMM_WORLD);
  }
}

TEST(Accumulate, gives_the_same_bits_on_any_placement_by_any_schedule) {
  const Count p = world_size();
  const Mesh mesh({2 * p + 1, 3 * p, 5}, periodic(1, 0, 1));
  std::optional<std::uint64_t> first;
  Counts grid;
  for (const char* const nodes : {"node:1 core:64", "node:16 core:2", "node:64 core:1"})
    for (const char* const schedule : {"direct", "node", "torus", "basis"}) {
      const DescribedMachine machine(nodes);
      const mpi::Comm world = shuffled_world(static_cast<unsigned>(nodes[5]));
      const Cart cart(world.get(), mesh, Stencil::moore(3, 1), {.fixed = grid});
      grid = cart.grid().extents();
      const Field<double, 3> u(cart, {.halo = HaloWidths({1, 2, 1}, {2, 1, 1})});
      Halo halo(cart, {.exchange = options_of_words(schedule)}, u);
      // By the coordinates of the process in the grid, wherever it is.
      const auto cell = static_cast<std::uint64_t>(cart.grid().index(cart.cell()));
      std::uint64_t number = cell << 32;
      for_each_point(u.storage().view().extents(), u.storage().view().halo(), [&](const Cell& point) {
        *static_cast<double*>(u.storage().view().at(point)) = number_of<double>(++number);
      });
      MPI_Barrier(world.get());
      halo.accumulate();
      std::uint64_t print = 0, all = 0;
      for_each_point(u.storage().view().extents(), HaloWidths({0, 0, 0}), [&](const Cell& point) {
        std::uint64_t bits = 0;
        std::memcpy(&bits, u.storage().view().at(point), sizeof bits);
        for (std::size_t d = 0; d < point.size(); ++d)
          bits = (bits ^ static_cast<std::uint64_t>(u.box().first[d] + point[d])) * 0x9e3779b97f4a7c15ULL;
        print += bits;
      });
      MPI_Allreduce(&print, &all, 1, MPI_UINT64_T, MPI_SUM, world.get());
      if (!first) first = all;
      EXPECT_EQ(all, *first) << nodes << " " << schedule;
      MPI_Barrier(world.get());
    }
}

TEST(Accumulate, takes_the_memory_that_fields_have_now) {
  const Cart cart = rotating_fields::torus();
  Field<Count> now(cart), next(cart);
  Halo halo(cart, rotating(now, next));
  const auto set = [](Field<Count>& field, Count own, Count halo_value) {
    rotating_fields::for_each_point(
        field, [&](Count i, Count j, bool is_own) { field(i, j) = is_own ? own : halo_value; });
  };
  for (int step = 0; step < 4; ++step) {
    set(now, 100, 1);
    set(next, 7, 5);
    MPI_Barrier(MPI_COMM_WORLD);
    if (step % 2 == 0) {
      halo.accumulate();
    } else {
      halo.start_with(std::array<const void*, 1>{now.data()});
      halo.wait();
      set(now, 100, 1);
      MPI_Barrier(MPI_COMM_WORLD);
      halo.accumulate(Accumulate::sum);
    }
    Count least = 1000, others = 0;
    rotating_fields::for_each_point(now, [&](Count i, Count j, bool own) {
      if (own) least = std::min(least, now(i, j));
      others += !own && now(i, j) != 1;
    });
    EXPECT_EQ(others, 0);
    EXPECT_GE(least, 100);
    EXPECT_EQ(now(0, 0), 103) << "two sides and a corner on a torus";
    rotating_fields::for_each_point(next,
                                    [&](Count i, Count j, bool own) { EXPECT_EQ(next(i, j), own ? 7 : 5); });
    MPI_Barrier(MPI_COMM_WORLD);
    std::swap(now, next);
  }
}

TEST(Accumulate, fields_of_the_library_know_their_numbers) {
  const Cart cart = rotating_fields::torus();
  const Field<double, 2> a(cart);
  const Field<std::array<float, 3>, 2> b(cart);
  const Field<std::complex<double>, 2> c(cart);
  Halo halo(cart, a, b, c);
  halo.accumulate();
  expect_error(
      Fault::invalid_type, [&] { halo.accumulate(Accumulate::max); }, "field 2", "complex");
  halo.accumulate(Accumulate::replace);
}

}  // namespace
}  // namespace halocline::halo_accumulate_tests
