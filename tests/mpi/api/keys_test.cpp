// Keys of MPI_Info that only some processes give: all are told the same.

#include "api/told_calls.hpp"
#include "base/fail.hpp"
#include "halocline/halo.h"
#include "halocline/halocline.h"
#include "support/scope.hpp"

#include <gtest/gtest.h>

#include <array>

namespace halocline::api_keys_tests {
namespace {

/// One key on one rank alone.
class OneKey {
 public:
  OneKey(const char* key, const std::string& value, bool here) {
    MPI_Info_create(&info_);
    if (here) MPI_Info_set(info_, key, value.c_str());
  }
  ~OneKey() { MPI_Info_free(&info_); }
  OneKey(const OneKey&) = delete;
  OneKey& operator=(const OneKey&) = delete;
  [[nodiscard]] MPI_Info get() const { return info_; }

 private:
  MPI_Info info_ = MPI_INFO_NULL;
};

/// What all functions with keys say.
std::string everything_with_keys(MPI_Info info) {
  const mpi::Comm comm = mpi::split(MPI_COMM_WORLD, 0, world_rank());
  MPI_Comm_set_errhandler(comm.get(), MPI_ERRORS_RETURN);
  const Count p = world_size();
  const std::array<std::int64_t, 2> mesh{8 * p, 8};
  const std::array<int, 2> periods{1, 0};
  std::string all = told([&] {
    std::array<int, 2> dims{0, 0};
    mpi::Comm cart;
    Calls()(HCL_Cart_mesh_create(comm.get(), 2, mesh.data(), nullptr, periods.data(), 1, 0, HCL_STENCIL_MOORE,
                                 nullptr, info, dims.data(), cart.put()));
    return concat("mesh ", dims[0], "x", dims[1]);
  });
  all += told([&] {
    const std::array<double, 2> weights{1, 2};
    std::array<int, 2> dims{0, 0};
    mpi::Comm cart;
    Calls()(HCL_Cart_weighted_create(comm.get(), 2, weights.data(), periods.data(), info, dims.data(),
                                     cart.put()));
    return concat("weighted ", dims[0], "x", dims[1]);
  });
  all += told([&] {
    const double coordinate = world_rank();
    int new_rank = 0;
    Calls()(HCL_Task_map(comm.get(), 1, &coordinate, 0, nullptr, nullptr, info, &new_rank));
    return std::string("tasks");
  });
  const mpi::Comm cart = ring(comm.get());
  const std::int64_t points = 4 * p;
  Calls()(HCL_Cart_mesh_attach(cart.get(), &points, nullptr));
  HCL_Field field = HCL_FIELD_NULL;
  all += told([&] {
    Calls()(HCL_Field_create(cart.get(), MPI_DOUBLE, nullptr, nullptr, MPI_ORDER_C, info, &field));
    return std::string("field");
  });
  if (field == HCL_FIELD_NULL) return all;
  all += told([&] {
    HCL_Halo halo = HCL_HALO_NULL;
    const int code = HCL_Halo_create(cart.get(), 1, &field, 0, HCL_DIRECTIONS_DEFAULT, info, &halo);
    HCL_Field_free(&field);
    Calls()(code);
    Calls()(HCL_Halo_verify(halo));
    Calls()(HCL_Halo_free(&halo));
    return std::string("halo");
  });
  return all;
}

TEST(Settings, keys_of_some_processes_lead_to_the_same_everywhere) {
  const std::vector<std::pair<const char*, std::vector<std::string>>> keys{
      {"halocline_place", {"kd-tree", "nonsense"}},  {"halocline_network", {"torus:1", "nonsense"}},
      {"halocline_allocation", {"/nowhere/at/all"}}, {"halocline_mapping", {"links", "nonsense"}},
      {"halocline_order", {"fortran", "nonsense"}},  {"halocline_shape", {"joint", "nonsense"}},
      {"halocline_ratios", {"7,1", "nonsense"}},     {"halocline_field", {"private", "nonsense"}},
      {"halocline_mesh", {"fields", "nonsense"}},    {"halocline_schedule", {"torus", "nonsense"}},
      {"halocline_wire", {"packed", "nonsense"}},    {"halocline_shared", {"off", "nonsense"}},
      {"halocline_statistics", {"on", "nonsense"}},  {"halocline_compile", {"kernels", "nonsense"}},
      {"halocline_reuse", {"10", "nonsense"}},       {"halocline_borders", {"carry", "nonsense"}}};
  for (const auto& [key, values] : keys)
    for (const std::string& value : values)
      for (const auto& chosen : choices()) {
        SCOPED_TRACE(concat(key, "=", value));
        const OneKey info(key, value, chosen(world_rank()));
        const std::string mine = everything_with_keys(info.get());
        EXPECT_EQ(mine, text_of_first(mine));
      }
}

}  // namespace
}  // namespace halocline::api_keys_tests
