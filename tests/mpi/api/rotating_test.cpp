// Fields that change places, through the C interface: nothing but the pointers of the program is swapped.

#include "halocline/halocline.h"
#include "support/refusals.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

namespace halocline::api_rotating_tests {
namespace {

constexpr int halo_width = 1;

/// Two arrays of the program or two fields of the library on a periodic mesh, and where they begin.
class RotatingInC : public Refusals {
 protected:
  void SetUp() override {
    Refusals::SetUp();
    mesh_ = {3 * world_size() + 1, 5 * world_size()};
    const std::array<int, 2> periods{1, 1};
    std::array<int, 2> dims{};
    ASSERT_EQ(HCL_Cart_mesh_create(MPI_COMM_WORLD, 2, mesh_.data(), nullptr, periods.data(), 1, 0,
                                   HCL_STENCIL_MOORE, nullptr, MPI_INFO_NULL, dims.data(), cart_.put()),
              MPI_SUCCESS);
    ASSERT_EQ(HCL_Cart_box(cart_.get(), mpi::rank(cart_.get()), first_.data(), extents_.data()), MPI_SUCCESS);
  }
  void TearDown() override {
    for (Memory& memory : memories_) EXPECT_EQ(HCL_Field_free(&memory.field), MPI_SUCCESS);
    Refusals::TearDown();
  }

  struct Memory {
    HCL_Field field;
    double* own;                ///< The first own point.
    MPI_Aint row;               ///< In values.
    std::vector<double> array;  ///< Empty if it is of the library.
  };

  Memory& add(bool of_library) {
    Memory& memory = memories_.emplace_back();
    if (of_library) {
      EXPECT_EQ(HCL_Field_create(cart_.get(), MPI_DOUBLE, nullptr, nullptr, MPI_ORDER_C, MPI_INFO_NULL,
                                 &memory.field),
                MPI_SUCCESS);
    } else {
      const std::array<std::int64_t, 2> all{extents_[0] + 2, extents_[1] + 2};
      memory.array.resize(static_cast<std::size_t>(all[0] * all[1]));
      EXPECT_EQ(HCL_Field_attach(memory.array.data(), 2, all.data(), nullptr, nullptr, MPI_ORDER_C,
                                 MPI_DOUBLE, &memory.field),
                MPI_SUCCESS);
    }
    std::array<MPI_Aint, 2> strides{};
    EXPECT_EQ(HCL_Field_get(memory.field, 2, static_cast<void*>(&memory.own), strides.data(), nullptr),
              MPI_SUCCESS);
    memory.row = strides[0] / static_cast<MPI_Aint>(sizeof(double));
    return memory;
  }

  [[nodiscard]] double value_at(std::int64_t i, std::int64_t j, double salt) const {
    const std::int64_t x = (first_[0] + i + mesh_[0]) % mesh_[0], y = (first_[1] + j + mesh_[1]) % mesh_[1];
    return static_cast<double>(x * mesh_[1] + y) + salt;
  }
  template <class Visit>
  void for_each_point(const Visit& visit) const {
    for (std::int64_t i = -halo_width; i < extents_[0] + halo_width; ++i)
      for (std::int64_t j = -halo_width; j < extents_[1] + halo_width; ++j)
        visit(i, j, i >= 0 && i < extents_[0] && j >= 0 && j < extents_[1]);
  }
  void fill(const Memory& memory, double salt) const {
    for_each_point([&](std::int64_t i, std::int64_t j, bool own) {
      memory.own[i * memory.row + j] = own ? value_at(i, j, salt) : -1;
    });
  }
  [[nodiscard]] int wrong(const Memory& memory, double salt) const {
    int wrong = 0;
    for_each_point([&](std::int64_t i, std::int64_t j, bool) {
      wrong += memory.own[i * memory.row + j] != value_at(i, j, salt);
    });
    return wrong;
  }

  mpi::Comm cart_;
  std::array<std::int64_t, 2> mesh_{}, first_{}, extents_{};
  std::vector<Memory> memories_ = [] {
    std::vector<Memory> list;
    list.reserve(8);  // they stay where they are
    return list;
  }();
};

TEST_F(RotatingInC, pointers_alone_are_swapped) {
  for (const bool of_library : {true, false})
    for (const char* shared : {"on", "buffered", "off"}) {
      memories_.clear();
      Memory *now = &add(of_library), *next = &add(of_library), *stays = &add(true);
      const std::array<HCL_Field, 3> fields{stays->field, now->field, next->field};
      const std::array<int, 2> counts{1, 2};
      mpi::Info info;
      MPI_Info_create(info.put());
      MPI_Info_set(info.get(), "halocline_shared", shared);
      HCL_Halo halo = HCL_HALO_NULL;
      ASSERT_EQ(HCL_Halo_create_rotating(cart_.get(), 2, counts.data(), fields.data(), 0,
                                         HCL_DIRECTIONS_DEFAULT, info.get(), &halo),
                MPI_SUCCESS);
      for (int step = 0; step < 5; ++step) {
        fill(*now, step);
        fill(*stays, 0.5);
        MPI_Barrier(MPI_COMM_WORLD);
        // Of an array either address will do.
        const void* address = step % 2 == 0 || of_library ? now->own : now->array.data();
        const std::array<const void*, 2> told{stays->own, address};
        if (step == 3) {
          EXPECT_EQ(HCL_Halo_start_with(halo, told.data()), MPI_SUCCESS);
          EXPECT_EQ(HCL_Halo_wait(halo), MPI_SUCCESS);
        } else {
          EXPECT_EQ(HCL_Halo_exchange_with(halo, told.data()), MPI_SUCCESS);
        }
        EXPECT_EQ(wrong(*now, step) + wrong(*stays, 0.5), 0) << shared << " " << step;
        fill(*now, step + 20);
        MPI_Barrier(MPI_COMM_WORLD);
        EXPECT_EQ(HCL_Halo_exchange(halo), MPI_SUCCESS);  // what it was told last
        EXPECT_EQ(wrong(*now, step + 20), 0) << shared << " " << step;
        MPI_Barrier(MPI_COMM_WORLD);
        std::swap(now, next);
      }
      EXPECT_EQ(HCL_Halo_verify(halo), MPI_SUCCESS);
      EXPECT_EQ(HCL_Halo_free(&halo), MPI_SUCCESS);
      for (Memory& memory : memories_) EXPECT_EQ(HCL_Field_free(&memory.field), MPI_SUCCESS);
      memories_.clear();
    }
}

TEST_F(RotatingInC, any_array_if_the_halo_allows_it) {
  for (const char* shared : {"on", "off"}) {
    const std::array<HCL_Field, 2> fields{add(true).field, add(false).field};
    mpi::Info info;
    MPI_Info_create(info.put());
    MPI_Info_set(info.get(), "halocline_shared", shared);
    MPI_Info_set(info.get(), "halocline_addresses", "any");
    HCL_Halo halo = HCL_HALO_NULL;
    ASSERT_EQ(HCL_Halo_create(cart_.get(), 2, fields.data(), 0, HCL_DIRECTIONS_DEFAULT, info.get(), &halo),
              MPI_SUCCESS);
    for (int step = 0; step < 5; ++step) {
      const Memory &stays = memories_[0], &now = add(false);
      fill(now, step);
      fill(stays, 0.5);
      std::array<const void*, 2> told{stays.own, now.array.data()};
      EXPECT_EQ(HCL_Halo_exchange_with(halo, told.data()), MPI_SUCCESS);
      EXPECT_EQ(wrong(now, step) + wrong(stays, 0.5), 0) << shared << " " << step;
      told[1] = nullptr;
      expect_refused(HCL_Halo_start_with(halo, told.data()), MPI_ERR_ARG, "field 1 begins at a null pointer");
      told[1] = told[0];
      expect_refused(HCL_Halo_exchange_with(halo, told.data()), MPI_ERR_ARG, "in common");
      EXPECT_EQ(HCL_Halo_exchange(halo), MPI_SUCCESS);  // what it was told last
      EXPECT_EQ(wrong(now, step), 0) << shared << " " << step;
    }
    EXPECT_EQ(HCL_Halo_verify(halo), MPI_SUCCESS);
    EXPECT_EQ(HCL_Halo_free(&halo), MPI_SUCCESS);
    for (Memory& memory : memories_) EXPECT_EQ(HCL_Field_free(&memory.field), MPI_SUCCESS);
    memories_.clear();
  }
}

TEST_F(RotatingInC, what_makes_no_sense_is_refused) {
  const Memory &now = add(true), &next = add(true), &other = add(true);
  const std::array<HCL_Field, 2> fields{now.field, next.field};
  const std::array<HCL_Field, 2> twice{now.field, now.field}, with_null{now.field, HCL_FIELD_NULL};
  const int two = 2, none = 0;
  HCL_Halo halo = HCL_HALO_NULL;
  const auto create = [&](const int* counts, const HCL_Field* list) {
    return HCL_Halo_create_rotating(cart_.get(), 1, counts, list, 0, HCL_DIRECTIONS_DEFAULT, MPI_INFO_NULL,
                                    &halo);
  };
  const bool bad = world_rank() == world_size() - 1;  // one is enough for all
  expect_refused(create(bad ? nullptr : &two, fields.data()), MPI_ERR_ARG, "nmemories");
  expect_refused(create(bad ? &none : &two, fields.data()), MPI_ERR_ARG, "field 0 has 0 memories");
  expect_refused(create(&two, bad ? twice.data() : fields.data()), MPI_ERR_ARG, "begins where");
  expect_refused(create(&two, bad ? with_null.data() : fields.data()), MPI_ERR_ARG,
                 "memory 1 of field 0 is HCL_FIELD_NULL");
  EXPECT_EQ(halo, HCL_HALO_NULL);
  ASSERT_EQ(create(&two, fields.data()), MPI_SUCCESS);
  const void *known = next.own, *unknown = other.own;
  expect_refused(HCL_Halo_start_with(HCL_HALO_NULL, &known), MPI_ERR_REQUEST, "HCL_HALO_NULL");
  expect_refused(HCL_Halo_start_with(halo, nullptr), MPI_ERR_ARG, "memories");
  expect_refused(HCL_Halo_start_with(halo, &unknown), MPI_ERR_ARG, "not made");
  expect_refused(HCL_Halo_exchange_with(halo, &unknown), MPI_ERR_ARG, "not made");
  fill(next, 3);
  MPI_Barrier(MPI_COMM_WORLD);
  EXPECT_EQ(HCL_Halo_start_with(halo, &known), MPI_SUCCESS);
  expect_refused(HCL_Halo_start_with(halo, &known), MPI_ERR_REQUEST, "not complete");
  expect_refused(HCL_Halo_exchange_with(halo, &known), MPI_ERR_REQUEST, "not complete");
  EXPECT_EQ(HCL_Halo_wait(halo), MPI_SUCCESS);
  EXPECT_EQ(wrong(next, 3), 0);
  EXPECT_EQ(HCL_Halo_verify(halo), MPI_SUCCESS);
  EXPECT_EQ(HCL_Halo_free(&halo), MPI_SUCCESS);
}

}  // namespace
}  // namespace halocline::api_rotating_tests
