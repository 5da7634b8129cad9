// What the C interface of halos refuses: with the same error class on every rank, through the error handler
// of the communicator, and never by waiting forever.

#include "api/halo_refusals.hpp"

#include <limits>

namespace halocline::api_halo_refusals_tests {
namespace {

TEST_F(HaloRefusals, null_handles_and_pointers) {
  HCL_Field none = HCL_FIELD_NULL;
  int flag = 0;
  expect_refused(HCL_Halo_start(HCL_HALO_NULL), MPI_ERR_REQUEST, "HCL_HALO_NULL");
  expect_refused(HCL_Halo_wait(HCL_HALO_NULL), MPI_ERR_REQUEST, "HCL_HALO_NULL");
  expect_refused(HCL_Halo_test(HCL_HALO_NULL, &flag), MPI_ERR_REQUEST, "HCL_HALO_NULL");
  expect_refused(HCL_Halo_exchange(HCL_HALO_NULL), MPI_ERR_REQUEST, "HCL_HALO_NULL");
  expect_refused(HCL_Halo_verify(HCL_HALO_NULL), MPI_ERR_REQUEST, "HCL_HALO_NULL");
  expect_refused(HCL_Halo_free(&halo_), MPI_ERR_REQUEST, "HCL_HALO_NULL");
  expect_refused(HCL_Halo_free(nullptr), MPI_ERR_ARG, "halo");
  expect_refused(HCL_Field_free(&none), MPI_ERR_ARG, "HCL_FIELD_NULL");
  expect_refused(HCL_Field_free(nullptr), MPI_ERR_ARG, "field");
  expect_refused(HCL_Field_get(none, 2, &flag, nullptr, nullptr), MPI_ERR_ARG, "HCL_FIELD_NULL");
  std::array<int64_t, 2> extents{6, 9};
  expect_refused(HCL_Field_get(field_, 1, nullptr, nullptr, extents.data()), MPI_ERR_ARG, "2 dimensions");
  expect_refused(HCL_Field_attach(nullptr, 2, extents.data(), nullptr, nullptr, MPI_ORDER_C, MPI_INT, &none),
                 MPI_ERR_ARG, "array");
  expect_refused(HCL_Field_attach(values_.data(), 2, nullptr, nullptr, nullptr, MPI_ORDER_C, MPI_INT, &none),
                 MPI_ERR_ARG, "extents");
  expect_refused(
      HCL_Field_attach_strided(values_.data(), 2, extents.data(), nullptr, nullptr, nullptr, MPI_INT, &none),
      MPI_ERR_ARG, "strides");
  expect_refused(
      HCL_Field_attach(values_.data(), 2, extents.data(), nullptr, nullptr, MPI_ORDER_C, MPI_INT, nullptr),
      MPI_ERR_ARG, "field");
}

TEST_F(HaloRefusals, arrays_that_are_none) {
  HCL_Field none = HCL_FIELD_NULL;
  const auto attach = [&](const Sizes& extents, const Sizes& low, int ndims = 2, int order = MPI_ORDER_C,
                          MPI_Datatype element = MPI_INT) {
    return HCL_Field_attach(values_.data(), ndims, extents.data(), low.data(), nullptr, order, element,
                            &none);
  };
  expect_refused(attach({6, 2}, {1, 1}), MPI_ERR_DIMS, "2 points along dimension 1");
  expect_refused(attach({6, 6}, {1, -3}), MPI_ERR_DIMS, "-3");
  expect_refused(attach({6, 6}, {1, 1}, 0), MPI_ERR_DIMS, "0 dimensions");
  expect_refused(attach({6, 6}, {1, 1}, 2, 4711), MPI_ERR_ARG, "4711");
  expect_refused(attach({6, 6}, {1, 1}, 2, MPI_ORDER_C, MPI_DATATYPE_NULL), MPI_ERR_TYPE, "NULL");
  const std::array<MPI_Aint, 2> strides{24, 0};
  const Sizes extents{6, 6};
  expect_refused(HCL_Field_attach_strided(values_.data(), 2, extents.data(), nullptr, nullptr, strides.data(),
                                          MPI_INT, &none),
                 MPI_ERR_ARG, "dimension 1");
  EXPECT_EQ(none, HCL_FIELD_NULL);
}

TEST_F(HaloRefusals, fields_that_cannot_be_staggered) {
  std::array<int, 3> dimensions{0, 1, 0};
  expect_refused(HCL_Field_stagger(HCL_FIELD_NULL, 1, dimensions.data()), MPI_ERR_ARG, "HCL_FIELD_NULL");
  expect_refused(HCL_Field_stagger(field_, 1, nullptr), MPI_ERR_ARG, "dimensions");
  expect_refused(HCL_Field_stagger(field_, -1, dimensions.data()), MPI_ERR_ARG, "-1 dimensions");
  expect_refused(HCL_Field_stagger(field_, 3, dimensions.data()), MPI_ERR_ARG, "dimension 0 twice");
  for (const int none : {2, -4}) {
    dimensions[1] = none;
    expect_refused(HCL_Field_stagger(field_, 2, dimensions.data()), MPI_ERR_DIMS,
                   "along dimension " + std::to_string(none));
  }
}

constexpr int64_t most = std::numeric_limits<int64_t>::max(), least = std::numeric_limits<int64_t>::min();

TEST_F(HaloRefusals, arrays_that_lead_out_of_all_memory) {
  HCL_Field none = HCL_FIELD_NULL;
  const std::array<MPI_Aint, 2> near{24, 4}, far{most, 4}, back{least, 4};
  const auto expect_both = [&](const Sizes& extents, const Sizes& low, const Sizes& high, const char* words) {
    for (const int order : {MPI_ORDER_C, MPI_ORDER_FORTRAN})
      expect_refused(
          HCL_Field_attach(values_.data(), 2, extents.data(), low.data(), high.data(), order, MPI_INT, &none),
          MPI_ERR_DIMS, words);
    expect_refused(HCL_Field_attach_strided(values_.data(), 2, extents.data(), low.data(), high.data(),
                                            near.data(), MPI_INT, &none),
                   MPI_ERR_DIMS, words);
  };
  expect_both({10, 10}, {1, most}, {1, most}, "no point of its own");
  expect_both({10, 10}, {1, most}, {1, 1}, "no point of its own");
  expect_both({10, 10}, {1, 1}, {1, most}, "no point of its own");
  expect_both({10, 10}, {1, least}, {1, 1}, std::to_string(least).c_str());
  expect_both({10, least}, {1, most}, {1, 1}, std::to_string(least).c_str());
  expect_both({most, most}, {1, 1}, {1, 1}, "memory");
  expect_both({most, 10}, {most - 2, 1}, {1, 1}, "memory");
  const Sizes extents{6, 6};
  for (const auto* strides : {&far, &back})
    expect_refused(HCL_Field_attach_strided(values_.data(), 2, extents.data(), nullptr, nullptr,
                                            strides->data(), MPI_INT, &none),
                   MPI_ERR_DIMS, "memory");
  // Elements whose bytes no memory has between them, which a halo would refuse.
  mpi::Datatype far_element;
  MPI_Type_create_hvector(2, 1, most / 2, MPI_INT, far_element.put());
  expect_refused(HCL_Field_attach_strided(values_.data(), 2, extents.data(), nullptr, nullptr, near.data(),
                                          far_element.get(), &none),
                 MPI_ERR_DIMS, ("byte 0 to " + std::to_string(most / 2 + 5 * 24 + 5 * 4 + 4)).c_str());
  EXPECT_EQ(none, HCL_FIELD_NULL);
}

TEST_F(HaloRefusals, meshes_and_fields_that_lead_out_of_all_memory) {
  HCL_Field none = HCL_FIELD_NULL;
  const bool bad = last_rank();
  const Sizes ones{1, 1};
  const auto create = [&](const Sizes& low, const Sizes& high) {
    return HCL_Field_create(cart_.get(), MPI_INT, low.data(), high.data(), MPI_ORDER_C, MPI_INFO_NULL, &none);
  };
  expect_refused(create(bad ? Sizes{1, most} : ones, ones), MPI_ERR_DIMS, std::to_string(most));
  expect_refused(create(ones, bad ? Sizes{most, most} : ones), MPI_ERR_DIMS, std::to_string(most));
  expect_refused(create(bad ? Sizes{1, most / 8} : ones, ones), MPI_ERR_DIMS, std::to_string(most / 8));
  const Sizes huge{most, most}, line{most, 1}, wide{1, most};
  expect_refused(HCL_Cart_mesh_attach(plain_.get(), huge.data(), nullptr), MPI_ERR_DIMS, "too large");
  // One dimension of a mesh may have any number of points; halos as wide as that fit no memory.
  ASSERT_EQ(HCL_Cart_mesh_attach(plain_.get(), line.data(), wide.data()), MPI_SUCCESS);
  int rank = -1;
  for (const int64_t x : {most, most - 1, least, least + 1, int64_t{-1}}) {
    const Sizes point{x, 0};
    ASSERT_EQ(HCL_Cart_owner(plain_.get(), point.data(), &rank), MPI_SUCCESS);
    // Around the periodic dimension, whose last point belongs to the last process.
    EXPECT_EQ(rank, x == most || x == least + 1 ? 0 : world_size() - 1) << x;
  }
  expect_refused(HCL_Field_create(plain_.get(), MPI_INT, nullptr, nullptr, MPI_ORDER_C, MPI_INFO_NULL, &none),
                 MPI_ERR_DIMS, std::to_string(most));
  std::array<int, 2> dims{}, periods{};
  MPI_Comm made = MPI_COMM_NULL;
  expect_refused(HCL_Cart_mesh_create(MPI_COMM_WORLD, 2, huge.data(), nullptr, periods.data(), 1, 0,
                                      HCL_STENCIL_NEAREST, nullptr, MPI_INFO_NULL, dims.data(), &made),
                 MPI_ERR_DIMS, "too large");
  EXPECT_EQ(none, HCL_FIELD_NULL);
}

TEST_F(HaloRefusals, communicators_without_mesh_or_grid) {
  int64_t mesh = 0;
  int rank = 0;
  HCL_Field none = HCL_FIELD_NULL;
  expect_refused(HCL_Cart_mesh_get(plain_.get(), 2, &mesh, nullptr), MPI_ERR_TOPOLOGY,
                 "HCL_Cart_mesh_attach");
  expect_refused(HCL_Cart_box(plain_.get(), 0, &mesh, nullptr), MPI_ERR_TOPOLOGY, "no mesh");
  expect_refused(HCL_Cart_owner(plain_.get(), mesh_.data(), &rank), MPI_ERR_TOPOLOGY, "no mesh");
  expect_refused(HCL_Field_create(plain_.get(), MPI_INT, nullptr, nullptr, MPI_ORDER_C, MPI_INFO_NULL, &none),
                 MPI_ERR_TOPOLOGY, "no mesh");
  expect_refused(HCL_Cart_mesh_attach(MPI_COMM_WORLD, mesh_.data(), nullptr), MPI_ERR_TOPOLOGY, "Cartesian");
  expect_refused(HCL_Halo_create(MPI_COMM_WORLD, 1, &field_, 0, nullptr, MPI_INFO_NULL, &halo_),
                 MPI_ERR_TOPOLOGY, "Cartesian");
  expect_refused(HCL_Halo_create(MPI_COMM_NULL, 1, &field_, 0, nullptr, MPI_INFO_NULL, &halo_), MPI_ERR_COMM,
                 "MPI_COMM_NULL");
  expect_refused(HCL_Cart_box(MPI_COMM_NULL, 0, nullptr, nullptr), MPI_ERR_COMM, "MPI_COMM_NULL");
  expect_refused(HCL_Cart_box(cart_.get(), world_size(), nullptr, nullptr), MPI_ERR_RANK,
                 std::to_string(world_size()));
  expect_refused(HCL_Cart_box(cart_.get(), -1, nullptr, nullptr), MPI_ERR_RANK, "-1");
  expect_refused(HCL_Cart_mesh_get(cart_.get(), 1, &mesh, nullptr), MPI_ERR_ARG, "2 dimensions");
}

TEST_F(HaloRefusals, meshes_that_do_not_fit) {
  const Sizes small{int64_t{world_size()} - 1, 3}, negative{1, -2};
  expect_refused(HCL_Cart_mesh_attach(plain_.get(), small.data(), nullptr), MPI_ERR_DIMS, "");
  expect_refused(HCL_Cart_mesh_attach(plain_.get(), mesh_.data(), negative.data()), MPI_ERR_DIMS, "-2");
  const Sizes mine{int64_t{4} * world_size(), last_rank() ? 8 : 7};
  expect_refused(HCL_Cart_mesh_attach(plain_.get(), last_rank() ? nullptr : mesh_.data(), nullptr),
                 MPI_ERR_ARG, "mesh");
  if (world_size() > 1)
    expect_refused(HCL_Cart_mesh_attach(plain_.get(), mine.data(), nullptr), MPI_ERR_ARG, "differs");
}

// What is wrong on the last rank alone is refused on all.

TEST_F(HaloRefusals, fields_of_the_library) {
  HCL_Field none = HCL_FIELD_NULL;
  const Sizes negative{1, -1}, ones{1, 1};
  mpi::Info info;
  MPI_Info_create(info.put());
  MPI_Info_set(info.get(), "halocline_field", "gibberish");
  const auto create = [&](MPI_Datatype element, const Sizes& widths, int order, MPI_Info how) {
    return HCL_Field_create(cart_.get(), element, widths.data(), nullptr, order, how, &none);
  };
  const bool bad = last_rank();
  expect_refused(create(bad ? MPI_DATATYPE_NULL : MPI_INT, ones, MPI_ORDER_C, MPI_INFO_NULL), MPI_ERR_TYPE,
                 "NULL");
  expect_refused(create(MPI_INT, bad ? negative : ones, MPI_ORDER_C, MPI_INFO_NULL), MPI_ERR_DIMS, "-1");
  expect_refused(create(MPI_INT, ones, bad ? 4711 : MPI_ORDER_C, MPI_INFO_NULL), MPI_ERR_ARG, "4711");
  expect_refused(create(MPI_INT, ones, MPI_ORDER_C, bad ? info.get() : MPI_INFO_NULL), MPI_ERR_ARG,
                 "gibberish");
  mpi::Datatype shifted;
  MPI_Type_create_resized(MPI_INT, -4, 8, shifted.put());
  expect_refused(create(bad ? shifted.get() : MPI_INT, ones, MPI_ORDER_C, MPI_INFO_NULL), MPI_ERR_TYPE, "-4");
  expect_refused(HCL_Field_create(cart_.get(), MPI_INT, nullptr, nullptr, MPI_ORDER_C, MPI_INFO_NULL,
                                  bad ? nullptr : &none),
                 MPI_ERR_ARG, "field");
  if (world_size() > 1) {
    expect_refused(create(MPI_INT, ones, bad ? MPI_ORDER_FORTRAN : MPI_ORDER_C, MPI_INFO_NULL), MPI_ERR_ARG,
                   "order");
    expect_refused(create(bad ? MPI_DOUBLE : MPI_INT, ones, MPI_ORDER_C, MPI_INFO_NULL), MPI_ERR_ARG, "type");
    // Other bytes of elements that have as many, as far apart.
    const int one = 1;
    const MPI_Aint behind = 4, front = 0;
    mpi::Datatype early, late, first, second;
    MPI_Type_create_hindexed(1, &one, &front, MPI_INT, early.put());
    MPI_Type_create_hindexed(1, &one, &behind, MPI_INT, late.put());
    MPI_Type_create_resized(early.get(), 0, 8, first.put());
    MPI_Type_create_resized(late.get(), 0, 8, second.put());
    expect_refused(create(bad ? second.get() : first.get(), ones, MPI_ORDER_C, MPI_INFO_NULL), MPI_ERR_ARG,
                   "type");
  }
  EXPECT_EQ(none, HCL_FIELD_NULL);
}

TEST_F(HaloRefusals, halos_of_wrong_fields) {
  const bool bad = last_rank();
  expect_refused(halo_of(bad ? HCL_FIELD_NULL : field_), MPI_ERR_ARG, "field 0 is HCL_FIELD_NULL");
  expect_refused(HCL_Halo_create(cart_.get(), bad ? 0 : 1, &field_, 0, nullptr, MPI_INFO_NULL, &halo_),
                 MPI_ERR_ARG, "0 fields");
  expect_refused(HCL_Halo_create(cart_.get(), 1, bad ? nullptr : &field_, 0, nullptr, MPI_INFO_NULL, &halo_),
                 MPI_ERR_ARG, "fields");
  expect_refused(HCL_Halo_create(cart_.get(), 1, &field_, 0, nullptr, MPI_INFO_NULL, bad ? nullptr : &halo_),
                 MPI_ERR_ARG, "halo");
  HCL_Field longer = attached({6, 10}), wide = attached({14, 9}, {5, 1});
  expect_refused(halo_of(bad ? longer : field_), MPI_ERR_DIMS, "4x8");
  expect_refused(halo_of(wide), MPI_ERR_DIMS, "5 points");
  if (world_size() > 1) {
    HCL_Field doubles = attached({6, 9}, {1, 1}, MPI_DOUBLE);
    expect_refused(halo_of(bad ? doubles : field_), MPI_ERR_ARG, "differ");
    HCL_Field_free(&doubles);
  }
  for (HCL_Field* field : {&longer, &wide}) HCL_Field_free(field);
}

TEST_F(HaloRefusals, directions_and_words_that_mean_nothing) {
  const bool bad = last_rank();
  const std::array<int, 2> far{2, 0}, fine{1, 0}, none{0, 0};
  const std::array<int, 4> twice{1, 0, 1, 0};
  expect_refused(halo_of(field_, bad ? far.data() : fine.data(), 1), MPI_ERR_ARG, "(2,0)");
  expect_refused(halo_of(field_, none.data(), 1), MPI_ERR_ARG, "(0,0)");
  expect_refused(halo_of(field_, twice.data(), 2), MPI_ERR_ARG, "twice");
  expect_refused(halo_of(field_, fine.data(), bad ? -1 : 1), MPI_ERR_ARG, "-1 directions");
  for (const char* key : {"halocline_schedule", "halocline_shared", "halocline_mesh", "halocline_borders",
                          "halocline_addresses"}) {
    mpi::Info info;
    MPI_Info_create(info.put());
    MPI_Info_set(info.get(), key, "gibberish");
    expect_refused(halo_of(field_, HCL_DIRECTIONS_ALL, 0, bad ? info.get() : MPI_INFO_NULL), MPI_ERR_ARG,
                   "gibberish");
  }
  if (world_size() == 1) return;
  expect_refused(halo_of(field_, bad ? HCL_DIRECTIONS_ALL : HCL_DIRECTIONS_FACES), MPI_ERR_ARG, "differ");
  mpi::Info info;
  MPI_Info_create(info.put());
  MPI_Info_set(info.get(), "halocline_mesh", "fields");
  expect_refused(halo_of(field_, HCL_DIRECTIONS_ALL, 0, bad ? info.get() : MPI_INFO_NULL), MPI_ERR_ARG,
                 "halocline_mesh");
  MPI_Info_delete(info.get(), "halocline_mesh");
  MPI_Info_set(info.get(), "halocline_borders", "carry");
  expect_refused(halo_of(field_, HCL_DIRECTIONS_ALL, 0, bad ? info.get() : MPI_INFO_NULL), MPI_ERR_ARG,
                 "beyond open borders");
}

TEST_F(HaloRefusals, orders_that_differ_are_not_waited_for) {
  mpi::Info info;
  MPI_Info_create(info.put());
  MPI_Info_set(info.get(), "halocline_order", last_rank() ? "gibberish" : "fortran");
  std::array<int, 2> dims{}, periods{};
  MPI_Comm made = MPI_COMM_NULL;
  const auto create = [&] {
    return HCL_Cart_mesh_create(MPI_COMM_WORLD, 2, mesh_.data(), nullptr, periods.data(), 1, 0,
                                HCL_STENCIL_NEAREST, nullptr, info.get(), dims.data(), &made);
  };
  expect_refused(create(), MPI_ERR_ARG, "gibberish");
  if (world_size() == 1) return;
  MPI_Info_set(info.get(), "halocline_order", last_rank() ? "c" : "fortran");
  expect_refused(create(), MPI_ERR_ARG, "halocline_order");
  EXPECT_EQ(made, MPI_COMM_NULL);
}

}  // namespace
}  // namespace halocline::api_halo_refusals_tests
