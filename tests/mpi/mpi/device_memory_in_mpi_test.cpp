// Whether MPI takes addresses of GPUs: by functions that stand for those of several MPIs, and by the one
// there is.
#include "mpi/discovery/device_memory_in_mpi.hpp"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <string_view>

namespace halocline::mpi {
namespace {

int yes() { return 1; }
int no() { return 0; }
int yes_to_cuda(int kind, int* is_supported) {
  *is_supported = kind == 0 ? 1 : 0;
  return 0;
}
int no_to_cuda(int kind, int* is_supported) {
  *is_supported = kind == 0 ? 0 : 1;
  return 0;
}
int failing(int, int* is_supported) {
  *is_supported = 1;
  return 16;
}

void* nothing(const char*) { return nullptr; }

template <const char* Name, auto* Function>
void* only(const char* name) {
  return std::string_view(name) == Name ? reinterpret_cast<void*>(Function) : nullptr;
}

constexpr char of_open_mpi[] = "MPIX_Query_cuda_support";
constexpr char of_mpich[] = "PMPIX_GPU_query_support";

TEST(DeviceMemoryInMpi, each_mpi_is_asked_by_its_own_function) {
  EXPECT_FALSE(device_memory_in_mpi(nothing).taken);
  EXPECT_TRUE((device_memory_in_mpi(only<of_open_mpi, yes>).taken));
  EXPECT_EQ((device_memory_in_mpi(only<of_open_mpi, yes>).said_by), of_open_mpi);
  EXPECT_FALSE((device_memory_in_mpi(only<of_open_mpi, no>).taken));
  EXPECT_TRUE((device_memory_in_mpi(only<of_mpich, yes_to_cuda>).taken));
  EXPECT_EQ((device_memory_in_mpi(only<of_mpich, yes_to_cuda>).said_by), of_mpich);
  EXPECT_FALSE((device_memory_in_mpi(only<of_mpich, no_to_cuda>).taken));
  EXPECT_FALSE((device_memory_in_mpi(only<of_mpich, failing>).taken));
}

TEST(DeviceMemoryInMpi, a_variable_turns_it_off) {
  setenv("MPIR_CVAR_ENABLE_GPU", "1", 1);
  EXPECT_TRUE((device_memory_in_mpi(only<of_mpich, yes_to_cuda>).taken));
  setenv("MPIR_CVAR_ENABLE_GPU", "0", 1);
  const DeviceMemoryInMpi off = device_memory_in_mpi(only<of_mpich, yes_to_cuda>);
  unsetenv("MPIR_CVAR_ENABLE_GPU");
  EXPECT_FALSE(off.taken);
  EXPECT_EQ(off.said_by, "MPIR_CVAR_ENABLE_GPU");
}

TEST(DeviceMemoryInMpi, the_mpi_of_this_process_is_found) {
  const DeviceMemoryInMpi told = device_memory_in_mpi();
  auto* const query = reinterpret_cast<int (*)()>(dlsym(RTLD_DEFAULT, "MPIX_Query_cuda_support"));
  if (query == nullptr) GTEST_SKIP() << "an MPI that does not tell";
  EXPECT_NE(told.said_by, "no function that MPI has");
  EXPECT_EQ(told.taken, query() != 0);
}

}  // namespace
}  // namespace halocline::mpi
