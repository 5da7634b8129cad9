// Communicators, fields and datatypes for wrong calls, and a healthy exchange to be done after each of them.
#pragma once

#include "api/wrong_call.hpp"
#include "halo/random_fields.hpp"
#include "halo/random_grounds.hpp"
#include "halocline/halocline.h"

#include <array>

namespace halocline {

/// Two dimensions on all processes. Collective.
class Stage {
 public:
  Stage(std::uint64_t seed, MPI_Errhandler handler) : random_(seed * 7919 + 1) {
    const Counts grid = random_dims(world_size(), 2, random_);
    const Periodicity periodic = random_periods(2, random_);
    for (std::size_t d = 0; d < 2; ++d) {
      dims[d] = static_cast<int>(grid[d]);
      periods[d] = periodic[d] ? 1 : 0;
      mesh[d] = grid[d] * random_in(random_, 2, 4);
    }
    bare = plain_cart(MPI_COMM_WORLD, grid, periodic);
    told = plain_cart(MPI_COMM_WORLD, grid, periodic);
    cart = plain_cart(MPI_COMM_WORLD, grid, periodic);
    graph = ring_graph();
    if (world_size() > 1) between = two_groups();
    for (const mpi::Comm* comm : {&bare, &told, &cart, &graph, &between})
      if (*comm) MPI_Comm_set_errhandler(comm->get(), handler);
    EXPECT_EQ(HCL_Cart_mesh_attach(cart.get(), mesh.data(), nullptr), MPI_SUCCESS);
    const std::array<int, 4> offsets{1, 0, 0, -1};
    EXPECT_EQ(HCL_Neighborhood_create(cart.get(), 2, offsets.data(), neighbors.put()), MPI_SUCCESS);
    EXPECT_EQ(HCL_Cart_box(cart.get(), mpi::rank(cart.get()), nullptr, own.data()), MPI_SUCCESS);
    for (std::size_t d = 0; d < 2; ++d) extents[d] = own[d] + 2;
    make_datatypes();
    make_fields();
    EXPECT_EQ(HCL_Halo_create(cart.get(), 2, fields.data(), 0, HCL_DIRECTIONS_ALL, MPI_INFO_NULL, &healthy),
              MPI_SUCCESS);
  }
  ~Stage() {
    EXPECT_EQ(HCL_Halo_free(&healthy), MPI_SUCCESS);
    for (HCL_Field* field : {&fields[0], &fields[1], &longer, &line, &doubles, &narrow, &wide})
      EXPECT_EQ(HCL_Field_free(field), MPI_SUCCESS);
  }
  Stage(const Stage&) = delete;
  Stage& operator=(const Stage&) = delete;

  /// What was refused has changed nothing: bytes arrive where they should. Collective.
  void expect_healthy(Count time, const std::string& what) {
    MPI_Barrier(MPI_COMM_WORLD);
    const Decomposition decomposition(
        Mesh(Counts(mesh.begin(), mesh.end()), mpi::grid_of(cart.get()).periodicity()),
        mpi::grid_of(cart.get()));
    const Cell cell = decomposition.grid().cell(mpi::rank(cart.get()));
    for (const WatchedField& field : watched_) field.fill(decomposition, cell, time % 16);
    EXPECT_EQ(HCL_Halo_exchange(healthy), MPI_SUCCESS) << what;
    const FilledParts all{Stencil::moore(2, 1), false};
    for (const WatchedField& field : watched_)
      EXPECT_EQ(field.wrong(decomposition, cell, &all, time % 16), 0) << what << ": the halo after it";
    expect_healthy_neighbors(static_cast<int>(time), what);
    EXPECT_EQ(times_called, 0) << what;
  }

  std::array<int, 2> dims{}, periods{};
  std::array<int64_t, 2> mesh{}, own{}, extents{};
  mpi::Comm cart, bare, told, graph, between, neighbors;
  mpi::Datatype uncommitted, empty, shifted, far;  ///< The last reaches out of all memory.
  std::array<HCL_Field, 2> fields{};               ///< One of the program, one of the library.
  HCL_Field longer = HCL_FIELD_NULL, line = HCL_FIELD_NULL, doubles = HCL_FIELD_NULL, narrow = HCL_FIELD_NULL,
            wide = HCL_FIELD_NULL;
  bool wide_is_wrong = false;  ///< Has any dimension somebody to exchange with?
  HCL_Halo healthy = HCL_HALO_NULL;
  std::vector<int> values = std::vector<int>(4096);

 private:
  static mpi::Comm ring_graph() {
    const int next = (world_rank() + 1) % world_size(),
              before = (world_rank() + world_size() - 1) % world_size();
    mpi::Comm graph;
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &before, MPI_UNWEIGHTED, 1, &next, MPI_UNWEIGHTED,
                                   MPI_INFO_NULL, 0, graph.put());
    return graph;
  }
  static mpi::Comm two_groups() {
    const bool second = world_rank() >= world_size() / 2;
    const mpi::Comm half = mpi::split(MPI_COMM_WORLD, second ? 1 : 0, 0);
    mpi::Comm between;
    MPI_Intercomm_create(half.get(), 0, MPI_COMM_WORLD, second ? 0 : world_size() / 2, 4711, between.put());
    return between;
  }

  void make_datatypes() {
    MPI_Type_contiguous(1, MPI_INT, uncommitted.put());
    MPI_Type_contiguous(0, MPI_INT, empty.put());
    MPI_Type_create_resized(MPI_INT, -4, 8, shifted.put());
    MPI_Type_create_hvector(2, 1, std::numeric_limits<MPI_Aint>::max() / 2, MPI_INT, far.put());
    for (mpi::Datatype* type : {&empty, &shifted, &far}) {
      MPI_Datatype handle = type->get();
      MPI_Type_commit(&handle);
    }
  }

  HCL_Field attached(const std::vector<int64_t>& points, const std::vector<int64_t>& widths,
                     MPI_Datatype element) {
    HCL_Field field = HCL_FIELD_NULL;
    EXPECT_EQ(HCL_Field_attach(values.data(), static_cast<int>(points.size()), points.data(), widths.data(),
                               nullptr, MPI_ORDER_C, element, &field),
              MPI_SUCCESS);
    return field;
  }

  void make_fields() {
    const std::array<int64_t, 2> ones{1, 1};
    const HaloWidths one({1, 1});
    array_.emplace(Counts(own.begin(), own.end()), one, Layout::named(Elementary::int32), random_);
    const std::vector<MPI_Aint> strides(array_->strides.begin(), array_->strides.end());
    EXPECT_EQ(HCL_Field_attach_strided(array_->first, 2, extents.data(), ones.data(), nullptr, strides.data(),
                                       MPI_INT, &fields[0]),
              MPI_SUCCESS);
    EXPECT_EQ(HCL_Field_create(cart.get(), MPI_INT, ones.data(), nullptr, MPI_ORDER_FORTRAN, MPI_INFO_NULL,
                               &fields[1]),
              MPI_SUCCESS);
    for (std::size_t f = 0; f < 2; ++f) {
      std::byte* origin = nullptr;
      std::array<MPI_Aint, 2> apart{};
      EXPECT_EQ(HCL_Field_get(fields[f], 2, static_cast<void*>(&origin), apart.data(), nullptr), MPI_SUCCESS);
      watched_.emplace_back(origin, Counts(apart.begin(), apart.end()), Counts(own.begin(), own.end()), one,
                            element_of({4}, {0}, 0, 4), static_cast<Count>(f));
    }
    longer = attached({extents[0], extents[1] + 1}, {1, 1}, MPI_INT);
    line = attached({extents[0]}, {1}, MPI_INT);
    doubles = attached({extents[0], extents[1]}, {1, 1}, MPI_DOUBLE);
    narrow = attached({own[0], own[1]}, {0, 0}, MPI_INT);
    const std::size_t d = dims[0] > 1 || periods[0] != 0 ? 0 : 1;
    wide_is_wrong = dims[d] > 1 || periods[d] != 0;
    std::vector<int64_t> points(own.begin(), own.end()), widths{0, 0};
    widths[d] = mesh[d] + 1;
    points[d] += 2 * widths[d];
    wide = attached(points, widths, MPI_INT);
  }

  /// To the process at (1,0) and (0,-1), from those at (-1,0) and (0,1).
  void expect_healthy_neighbors(int time, const std::string& what) {
    std::array<int, 2> sent{}, received{-1, -1}, expected{};
    sent.fill(world_rank() * 1000 + time % 1000);
    EXPECT_EQ(HCL_Neighbor_alltoall(sent.data(), 1, MPI_INT, received.data(), 1, MPI_INT, neighbors.get()),
              MPI_SUCCESS)
        << what;
    int after = 0;
    MPI_Cart_shift(cart.get(), 0, 1, &expected[0], &after);
    MPI_Cart_shift(cart.get(), 1, -1, &expected[1], &after);
    for (std::size_t i = 0; i < 2; ++i)
      EXPECT_EQ(received[i], expected[i] == MPI_PROC_NULL ? -1 : expected[i] * 1000 + time % 1000)
          << what << ": the collective after it";
  }

  Random random_;
  std::optional<RandomArray> array_;
  std::vector<WatchedField> watched_;
};

/// Makes a communicator one that the call cannot use, on all ranks.
inline void add_wrong_comms(std::vector<Wrong>& wrongs, MPI_Comm& comm, const Stage& stage, bool cartesian) {
  wrongs.push_back({"MPI_COMM_NULL", {MPI_ERR_COMM}, [&comm] { comm = MPI_COMM_NULL; }, Where::on_all});
  if (stage.between)
    wrongs.push_back({"an intercommunicator",
                      {MPI_ERR_COMM},
                      [&comm, &stage] { comm = stage.between.get(); },
                      Where::on_all});
  if (!cartesian) return;
  wrongs.push_back({"the world", {MPI_ERR_TOPOLOGY}, [&comm] { comm = MPI_COMM_WORLD; }, Where::on_all});
  wrongs.push_back(
      {"a graph", {MPI_ERR_TOPOLOGY}, [&comm, &stage] { comm = stage.graph.get(); }, Where::on_all});
}

}  // namespace halocline
