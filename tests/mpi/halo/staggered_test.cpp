// Fields with one point more than there are cells: who owns which point, what an exchange brings, what a plan
// counts, what is refused. Random ones in flight are in halo/random_halo and api/random_halo, their sums in
// halo/accumulate. Longer, with progress:
//   HALOCLINE_SECONDS=600 HALOCLINE_SEED=1 mpirun -n 4 build/release/bin/mpi_tests --files=halo/staggered

#include "base/join.hpp"
#include "expect_error.hpp"
#include "halo/points.hpp"
#include "halo/random_grounds.hpp"
#include "halo/staggered_points.hpp"
#include "halocline/base/error.hpp"
#include "halocline/halo/field.hpp"
#include "halocline/halo/halo.hpp"
#include "halocline/plan/explanation.hpp"
#include "mpi/handles/handle.hpp"
#include "support/expect_refused_alike.hpp"
#include "support/option_words.hpp"
#include "support/scope.hpp"
#include "support/trials.hpp"

#include <memory>

namespace halocline::halo_staggered_tests {
namespace {

struct Grounds {
  static mpi::Comm mesh_comm(MPI_Comm comm, const Mesh& mesh, const Stencil& stencil) {
    return mpi::Comm(Cart(comm, mesh, stencil).release());
  }
  static void tell_mesh(MPI_Comm /*comm*/, const Mesh& /*mesh*/) {}
};

using Value = std::int64_t;
/// What nobody sent: another number on every process.
Value nobodys() { return -7 - world_rank(); }

/// A field of the library, cells or not, and what must be in it.
class Checked {
 public:
  Checked(const Ground& ground, Random& common, Value number)
      : ground_(ground), along_(random_staggered(ground.cell.size(), common)), number_(number) {
    for (std::size_t d = 0; d < ground.cell.size(); ++d) {
      widths_.low.push_back(random_in(common, 0, ground.widest));
      widths_.high.push_back(random_in(common, 0, ground.widest));
    }
    narrow(widths_, ground, along_);
    storage_.emplace(ground.comm.get(), ground.decomposition, element_layout<Value>(),
                     FieldOptions{.halo = widths_,
                                  .shared = !coin(common, 3),
                                  .order = coin(common) ? Layout::Order::c : Layout::Order::fortran,
                                  .staggered = along_});
  }

  [[nodiscard]] const FieldStorage& storage() const { return *storage_; }
  [[nodiscard]] const Staggered& along() const { return along_; }

  /// What another process owns looks different before an exchange.
  void fill() const {
    each_point([&](const Cell& point, Value& value) {
      value = side_of(point, owned()) == Offset(point.size(), 0) ? value_at(point) : nobodys();
    });
  }
  [[nodiscard]] Count wrong(const Stencil& directions) const {
    Count wrong = 0;
    each_point([&](const Cell& point, const Value& value) {
      const Offset side = side_of(point, owned());
      const auto& list = directions.offsets();
      const bool own = side == Offset(point.size(), 0);
      const bool comes = std::find(list.begin(), list.end(), side) != list.end() &&
                         ground_.decomposition.grid().neighbor(ground_.cell, side);
      wrong += value != (own || comes ? value_at(point) : nobodys());
    });
    return wrong;
  }
  void expect_boxes() const {
    const Box cells = ground_.decomposition.box(ground_.cell);
    EXPECT_EQ(storage_->box(), (Box{cells.first, local_points(ground_.decomposition, ground_.cell, along_)}));
    EXPECT_EQ(storage_->owned(), (Box{cells.first, owned()}));
    EXPECT_EQ(storage_->view().extents(), storage_->box().extents);
    Count mine = 1, all = 0, expected = 1;
    for (const Count extent : storage_->owned().extents) mine *= extent;
    for (std::size_t d = 0; d < cells.first.size(); ++d)
      expected *= mesh_points(ground_.decomposition.mesh(), along_, d);
    MPI_Allreduce(&mine, &all, 1, MPI_INT64_T, MPI_SUM, ground_.comm.get());
    EXPECT_EQ(all, expected) << "each point of the mesh has one owner";
  }
  [[nodiscard]] std::string to_text() const {
    return "; staggered along " + join(along_, ",") + " halo " + join(widths_.low, ",") + " and " +
           join(widths_.high, ",");
  }

 private:
  [[nodiscard]] Counts owned() const { return owned_points(ground_.decomposition, ground_.cell, along_); }
  /// By its coordinates in the mesh, which wrap around where it is periodic.
  [[nodiscard]] Value value_at(const Cell& point) const {
    const Mesh& mesh = ground_.decomposition.mesh();
    const Cell first = ground_.decomposition.box(ground_.cell).first;
    Value value = number_;
    for (std::size_t d = 0; d < point.size(); ++d) {
      const Count points = mesh_points(mesh, along_, d);
      value = value * 10007 + ((first[d] + point[d]) % points + points) % points;
    }
    return value;
  }
  template <class Visit>
  void each_point(const Visit& visit) const {
    const FieldView& view = storage_->view();
    for_each_point(view.extents(), widths_,
                   [&](const Cell& point) { visit(point, *static_cast<Value*>(view.at(point))); });
  }

  const Ground& ground_;
  Staggered along_;
  Value number_;
  HaloWidths widths_;
  std::optional<FieldStorage> storage_;
};

/// What all processes of a communicator sent.
std::array<Count, 3> bytes_of_all(const Halo& halo, MPI_Comm comm) {
  const ExchangeStatistics mine = halo.statistics();
  const std::array<Count, 3> own{mine.self.bytes, mine.node.bytes, mine.network.bytes};
  std::array<Count, 3> all{};
  MPI_Allreduce(own.data(), all.data(), 3, MPI_INT64_T, MPI_SUM, comm);
  return all;
}

/// Every message goes straight, so what a plan counts is what is sent.
void expect_counted(const Halo& halo, MPI_Comm comm) {
  const std::array<Count, 3> sent = bytes_of_all(halo, comm);
  const Count all = sent[0] + sent[1] + sent[2];
  if (all == 0) return;  // there is nothing to plan
  const plan::Explanation both = halo.plan();
  const plan::LevelTraffic& counted = both.plan.prediction.total;
  EXPECT_EQ(counted.self.bytes, sent[0]);
  EXPECT_EQ(counted.node.bytes, sent[1]);
  EXPECT_EQ(counted.network.bytes, sent[2]);
  EXPECT_EQ(plan::Explanation::parse(both.to_json()).to_text(), both.to_text());
}

void run_case(std::uint64_t seed) {
  Random common(seed * 7919 + static_cast<unsigned>(world_size()));
  const DescribedMachine machine(random_nodes(common));
  const mpi::Comm world = shuffled_world(static_cast<unsigned>(seed));
  const std::optional<Ground> ground = random_ground<Grounds>(world.get(), common);
  if (!ground) return;
  std::vector<std::unique_ptr<Checked>> fields;
  std::vector<HaloSlot> slots;
  std::string text = ground->decomposition.mesh().to_text() + " on " + ground->decomposition.grid().to_text();
  for (Count f = random_in(common, 1, 4); f > 0; --f) {
    fields.push_back(std::make_unique<Checked>(*ground, common, f));
    slots.emplace_back(fields.back()->storage());
    text += fields.back()->to_text();
  }
  const std::size_t dimensions = ground->cell.size();
  const Stencil directions =
      coin(common) ? random_directions(dimensions, common) : Stencil::moore(dimensions, 1);
  const auto schedule = any_of<std::string>({"auto", "direct", "direct", "torus", "basis"}, common);
  const auto shared = any_of<std::string>({"on", "on", "buffered", "off"}, common);
  SCOPED_TRACE(text + " directions " + directions.to_text() + " " + schedule + " shared " + shared);
  for (const auto& field : fields) field->expect_boxes();
  const HaloOptions options{.directions = directions,
                            .exchange = options_of_words(schedule, "auto", shared),
                            .addresses = coin(common, 4) ? Addresses::any : Addresses::fixed};
  Halo halo(ground->comm.get(), ground->decomposition, slots, options);
  for (const auto& field : fields) field->fill();
  MPI_Barrier(ground->comm.get());
  halo.exchange();
  for (const auto& field : fields) EXPECT_EQ(field->wrong(directions), 0) << field->to_text();
  if (schedule == "direct" && options.addresses == Addresses::fixed) expect_counted(halo, ground->comm.get());
  halo.verify();
}

TEST(Staggered, fields_show_the_points_of_their_owners) {
  Trials trials("staggered fields", 20261120, 45);
  while (trials.next()) {
    SCOPED_TRACE(testing::Message() << trials);
    run_case(trials.seed());
  }
}

/// Pressure in cells, velocities on faces, as a program has them.
TEST(Staggered, a_mac_grid) {
  const Cart cart(MPI_COMM_WORLD, Mesh({3 * world_size(), 5}, periodic(0, 1)), Stencil::moore(2, 1));
  Field<double, 2> p(cart), u(cart, {.staggered = {0}}), v(cart, {.staggered = {1}});
  EXPECT_EQ(u.extent(0), p.extent(0) + 1);
  EXPECT_EQ(u.extent(1), p.extent(1));
  EXPECT_EQ(v.extent(1), p.extent(1) + 1);
  Halo halo(cart, p, u, v);
  const auto face = [](Count i, Count j) { return static_cast<double>(100 * i + (j + 5) % 5); };
  for (Count i = 0; i < u.owned().extents[0]; ++i)
    for (Count j = 0; j < u.extent(1); ++j) u(i, j) = face(u.first(0) + i, u.first(1) + j);
  for (Count i = 0; i < v.extent(0); ++i)
    for (Count j = 0; j < v.owned().extents[1]; ++j) v(i, j) = face(v.first(0) + i, v.first(1) + j);
  halo.exchange();
  // All faces of the own cells, whoever owns them.
  for (Count i = 0; i <= p.extent(0); ++i)
    for (Count j = 0; j < p.extent(1); ++j) EXPECT_EQ(u(i, j), face(u.first(0) + i, u.first(1) + j));
  for (Count i = 0; i < p.extent(0); ++i)
    for (Count j = 0; j <= p.extent(1); ++j) EXPECT_EQ(v(i, j), face(v.first(0) + i, v.first(1) + j));
  halo.verify();
}

/// With no halo at all shared points are copied, and come back to their owner once each.
TEST(Staggered, shared_points_alone_are_copied_and_added_once) {
  const Cart cart(MPI_COMM_WORLD, Mesh({3 * world_size(), 4}, periodic(1, 0)), Stencil::moore(2, 1));
  Field<Value, 2> nodes(cart, {.halo = HaloWidths({0, 0}), .staggered = {1, 0}});
  Halo halo(cart, nodes);
  for (Count i = 0; i < nodes.extent(0); ++i)
    for (Count j = 0; j < nodes.extent(1); ++j) nodes(i, j) = 1;
  halo.accumulate();
  const Grid& grid = cart.grid();
  for (Count i = 0; i < nodes.owned().extents[0]; ++i)
    for (Count j = 0; j < nodes.owned().extents[1]; ++j) {
      // Those who have the node at a corner of their cells.
      const Count along0 = i == 0 ? 2 : 1, along1 = j == 0 && cart.cell()[1] > 0 ? 2 : 1;
      EXPECT_EQ(nodes(i, j), along0 * along1) << grid.to_text() << " at " << i << "," << j;
    }
  halo.exchange();
  Value sum = 0, all = 0;
  for (Count i = 0; i < nodes.owned().extents[0]; ++i)
    for (Count j = 0; j < nodes.owned().extents[1]; ++j) sum += nodes(i, j);
  MPI_Allreduce(&sum, &all, 1, MPI_INT64_T, MPI_SUM, cart.comm());
  Count local = nodes.extent(0) * nodes.extent(1), points = 0;
  MPI_Allreduce(&local, &points, 1, MPI_INT64_T, MPI_SUM, cart.comm());
  EXPECT_EQ(all, points);
}

TEST(StaggeredRefusals, fields_along_no_dimension_or_twice) {
  const Cart cart(MPI_COMM_WORLD, Mesh({3 * world_size(), 4}), Stencil::moore(2, 1));
  const auto made = [&](const Staggered& along) {
    return [&cart, along] { (void)Field<double, 2>(cart, {.staggered = along}); };
  };
  expect_refused_alike(Fault::invalid_dimensions, made({2}), "along dimension 2; the mesh has 2");
  expect_refused_alike(Fault::invalid_argument, made({1, 0, 1}), "along dimension 1 twice");
  if (world_size() > 1)
    expect_refused_alike(
        Fault::invalid_argument, [&] { made(world_rank() == 0 ? Staggered{0} : Staggered{})(); },
        "the dimensions it is staggered along");
  // On one rank alone.
  expect_refused_alike(
      Fault::invalid_dimensions, [&] { made({world_rank() == 0 ? 7U : 0U})(); }, "along dimension 7");
  std::vector<double> values(100);
  const FieldView array = view(values.data(), {10, 3}, HaloWidths({1, 1}));
  expect_error(
      Fault::invalid_dimensions, [&] { (void)staggered(array, {2}); }, "dimension 2; it has 2");
  expect_error(
      Fault::invalid_argument,
      [&] {
        (void)staggered(array, {0, 0});
      },
      "dimension 0 twice");
  expect_error(
      Fault::invalid_dimensions, [&] { (void)staggered(array, {1}); }, "1 point along dimension 1");
  EXPECT_EQ(staggered(staggered(array, {0}), {}).staggered(), Staggered{});
}

TEST(StaggeredRefusals, fields_that_do_not_fit_together) {
  const Cart cart(MPI_COMM_WORLD, Mesh({3 * world_size(), 4}), Stencil::nearest(2),
                  {.reorder = false, .fixed = {world_size(), 1}});
  const Field<double, 2> cells(cart), faces(cart, {.staggered = {0}}), others(cart, {.staggered = {1}});
  expect_refused_alike(
      Fault::invalid_dimensions, [&] { (void)Halo(cart, rotating(faces, cells)); },
      "fields that rotate have the same");
  expect_refused_alike(
      Fault::invalid_dimensions, [&] { (void)Halo(cart, rotating(faces, others)); },
      "fields that rotate have the same");
  std::vector<double> values(200);
  const FieldView like_cells = staggered(view(values.data(), {5, 6}, HaloWidths({1, 1})), {0});
  expect_refused_alike(
      Fault::invalid_dimensions, [&] { (void)Halo(cart, {like_cells}); },
      "a field of 3x4 points staggered along 0, which are 2x4 cells; of the mesh");
  expect_refused_alike(
      Fault::invalid_dimensions,
      [&] {
        (void)Halo(cart, {cells, like_cells});
      },
      "field 1 has 3x4 points staggered along 0, which are 2x4 cells, field 0 3x4 own points");
  const Field<double, 2> wide(cart, {.halo = HaloWidths({0, 0}, {3, 0}), .staggered = {0}});
  if (world_size() > 1)
    expect_refused_alike(
        Fault::invalid_dimensions, [&] { (void)Halo(cart, wide); },
        "a halo of 3 points and a shared one behind the last cell along dimension 0");
  else
    Halo(cart, wide).exchange();
  if (world_size() > 1)
    expect_refused_alike(
        Fault::invalid_argument,
        [&] { (void)Halo(cart, {world_rank() == 1 ? faces.storage() : cells.storage()}); },
        "staggered dimensions");
}

TEST(StaggeredRefusals, another_staggering_at_the_start) {
  const Cart cart(MPI_COMM_WORLD, Mesh({3 * world_size(), 4}), Stencil::nearest(2));
  const Field<double, 2> cells(cart), faces(cart, {.staggered = {0}});
  Halo halo(cart, HaloOptions{.addresses = Addresses::any}, faces);
  expect_error(
      Fault::invalid_dimensions, [&] { halo.start(cells); }, "field 0 has", "staggered along 0");
  halo.exchange(faces);
}

}  // namespace
}  // namespace halocline::halo_staggered_tests
