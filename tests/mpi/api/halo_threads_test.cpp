// Threads for the halos of C programs: of the library, and by a function of the program.

#include "api/halo_refusals.hpp"

#include <array>
#include <thread>
#include <vector>

namespace halocline::api_halo_threads_tests {
namespace {

constexpr int points = 160, side = points + 2;

/// A halo of one field of doubles on a periodic column of processes, large enough to be shared.
class HaloThreads : public Refusals {
 protected:
  HaloThreads() : values_(static_cast<std::size_t>(side) * side * side) {
    const std::array<int, 3> dims{world_size(), 1, 1}, periods{1, 1, 1};
    const Sizes sizes(3, side), width(3, 1);
    MPI_Cart_create(MPI_COMM_WORLD, 3, dims.data(), periods.data(), 0, cart_.put());
    MPI_Comm_set_errhandler(cart_.get(), counting_.get());
    EXPECT_EQ(HCL_Field_attach(values_.data(), 3, sizes.data(), width.data(), width.data(), MPI_ORDER_C,
                               MPI_DOUBLE, &field_),
              MPI_SUCCESS);
  }
  ~HaloThreads() override {
    if (halo_ != HCL_HALO_NULL) HCL_Halo_free(&halo_);
    HCL_Field_free(&field_);
  }
  int create(MPI_Info info = MPI_INFO_NULL) {
    return HCL_Halo_create(cart_.get(), 1, &field_, 0, HCL_DIRECTIONS_ALL, info, &halo_);
  }

  [[nodiscard]] double& at(int x, int y, int z) {
    return values_[(static_cast<std::size_t>(x) * side + static_cast<std::size_t>(y)) * side +
                   static_cast<std::size_t>(z)];
  }
  [[nodiscard]] static double number(int x, int y, int z, int time) {
    const int all = points * world_size();
    const auto around = [](int i, int n) { return (i + n) % n; };
    return ((around(x, all) * 1000.0 + around(y, points)) * 1000.0 + around(z, points)) * 10 + time;
  }
  void fill(int time) {
    for (int x = 0; x < side; ++x)
      for (int y = 0; y < side; ++y)
        for (int z = 0; z < side; ++z) {
          const auto own = [](int i) { return i >= 1 && i <= points; };
          at(x, y, z) =
              own(x) && own(y) && own(z) ? number(x - 1 + points * world_rank(), y - 1, z - 1, time) : -1;
        }
    MPI_Barrier(MPI_COMM_WORLD);
  }
  void expect_right(int time) {
    int wrong = 0;
    for (int x = 0; x < side; ++x)
      for (int y = 0; y < side; ++y)
        for (int z = 0; z < side; ++z)
          if (at(x, y, z) != number(x - 1 + points * world_rank(), y - 1, z - 1, time)) ++wrong;
    EXPECT_EQ(wrong, 0);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  void exchange(int time) {
    fill(time);
    ASSERT_EQ(HCL_Halo_exchange(halo_), MPI_SUCCESS);
    expect_right(time);
  }

  mpi::Comm cart_;
  std::vector<double> values_;
  HCL_Field field_ = HCL_FIELD_NULL;
  HCL_Halo halo_ = HCL_HALO_NULL;
};

/// A thread for each part but the first.
void by_threads(void* context, int tasks, HCL_Part_function* task, void* argument) {
  ++*static_cast<int*>(context);
  std::vector<std::thread> others;
  for (int part = 1; part < tasks; ++part) others.emplace_back([=] { task(argument, part); });
  task(argument, 0);
  for (std::thread& other : others) other.join();
}

void half(void* /*context*/, int tasks, HCL_Part_function* task, void* argument) {
  for (int part = 0; part < tasks; part += 2) task(argument, part);
}

TEST_F(HaloThreads, of_the_library) {
  ASSERT_EQ(create(), MPI_SUCCESS);
  for (const int threads : {2, 3, 1}) {
    ASSERT_EQ(HCL_Halo_set_threads(halo_, threads), MPI_SUCCESS);
    exchange(threads);
  }
  EXPECT_EQ(times_called, 0);
}

TEST_F(HaloThreads, by_the_key_of_the_info) {
  mpi::Info info;
  MPI_Info_create(info.put());
  MPI_Info_set(info.get(), "halocline_threads", world_rank() == 0 ? "3" : "2");
  ASSERT_EQ(create(info.get()), MPI_SUCCESS);
  exchange(1);
}

TEST_F(HaloThreads, of_the_program) {
  ASSERT_EQ(create(), MPI_SUCCESS);
  int calls = 0;
  ASSERT_EQ(HCL_Halo_set_executor(halo_, 3, by_threads, &calls), MPI_SUCCESS);
  exchange(1);
  EXPECT_GT(calls, 0);
  const int before = calls;
  ASSERT_EQ(HCL_Halo_set_executor(halo_, 1, nullptr, nullptr), MPI_SUCCESS);
  exchange(2);
  EXPECT_EQ(calls, before);
}

TEST_F(HaloThreads, that_leave_work_out_are_an_error_and_all_is_done) {
  ASSERT_EQ(create(), MPI_SUCCESS);
  ASSERT_EQ(HCL_Halo_set_executor(halo_, 2, half, nullptr), MPI_SUCCESS);
  fill(4);
  expect_refused(HCL_Halo_exchange(halo_), MPI_ERR_ARG, "did not run all of 2 parts");
  expect_right(4);
}

TEST_F(HaloThreads, are_refused_where_they_make_no_sense) {
  mpi::Info info;
  MPI_Info_create(info.put());
  MPI_Info_set(info.get(), "halocline_threads", last_rank() ? "0" : "2");
  expect_refused(create(info.get()), MPI_ERR_ARG, "0 threads");
  ASSERT_EQ(create(), MPI_SUCCESS);
  expect_refused(HCL_Halo_set_threads(halo_, 0), MPI_ERR_ARG, "0 threads");
  expect_refused(HCL_Halo_set_executor(halo_, 0, by_threads, nullptr), MPI_ERR_ARG, "0 workers");
  expect_refused(HCL_Halo_set_executor(halo_, 2, nullptr, nullptr), MPI_ERR_ARG, "null pointer");
  ASSERT_EQ(HCL_Halo_start(halo_), MPI_SUCCESS);
  expect_refused(HCL_Halo_set_threads(halo_, 2), MPI_ERR_REQUEST, "under way");
  expect_refused(HCL_Halo_set_executor(halo_, 2, by_threads, nullptr), MPI_ERR_REQUEST, "under way");
  ASSERT_EQ(HCL_Halo_wait(halo_), MPI_SUCCESS);
}

}  // namespace
}  // namespace halocline::api_halo_threads_tests
