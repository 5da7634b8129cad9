// The C interface in several threads at once: neighbourhoods of one grid, their duplicates, halos, and the
// text of each thread's own last error.

#include "support/threads.hpp"
#include "halocline/halocline.h"
#include "halocline/iso.h"
#include "mpi/handles/handle.hpp"
#include "support/random_grids.hpp"
#include "support/trials.hpp"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

namespace halocline::api_threads_tests {
namespace {

using Random = RandomGrids::Random;
constexpr auto between = RandomGrids::between;

class CallsInThreads : public SeveralThreads {};

/// A ring of all processes in C, and those before and behind whom a block goes.
struct RingInC {
  RingInC() {
    const int processes = world_size(), periodic = 1;
    MPI_Cart_create(MPI_COMM_WORLD, 1, &processes, &periodic, 0, cart.put());
  }
  [[nodiscard]] mpi::Comm with(const std::vector<int>& offsets) const {
    mpi::Comm made;
    EXPECT_EQ(
        HCL_Neighborhood_create(cart.get(), static_cast<int>(offsets.size()), offsets.data(), made.put()),
        MPI_SUCCESS);
    return made;
  }
  mpi::Comm cart;
};

int number(int rank, std::size_t block, int time, std::size_t i) {
  return ((rank * 16 + static_cast<int>(block)) * 64 + time) * 4096 + static_cast<int>(i);
}

/// Blocks of a neighbourhood, filled and looked at.
class Blocks {
 public:
  Blocks(std::vector<int> offsets, std::size_t each)
      : offsets_(std::move(offsets)), each_(each), out_(offsets_.size() * each), in_(out_.size()) {}
  void fill(int time) {
    time_ = time;
    for (std::size_t b = 0; b < offsets_.size(); ++b)
      for (std::size_t i = 0; i < each_; ++i) out_[b * each_ + i] = number(world_rank(), b, time, i);
    std::fill(in_.begin(), in_.end(), -1);
  }
  void expect_right(const std::string& what) const {
    for (std::size_t b = 0; b < offsets_.size(); ++b) {
      const int from = ((world_rank() - offsets_[b]) % world_size() + world_size()) % world_size();
      for (std::size_t i = 0; i < each_; ++i)
        ASSERT_EQ(in_[b * each_ + i], number(from, b, time_, i)) << what << ", block " << b;
    }
  }
  [[nodiscard]] int each() const { return static_cast<int>(each_); }
  [[nodiscard]] const int* out() const { return out_.data(); }
  [[nodiscard]] int* in() { return in_.data(); }

 private:
  std::vector<int> offsets_;
  std::size_t each_;
  std::vector<int> out_, in_;
  int time_ = 0;
};

void live(MPI_Comm comm, const std::vector<int>& offsets, std::uint64_t seed, std::size_t thread) {
  Random common(seed * 64 + thread);
  const std::string what = "HALOCLINE_SEED=" + std::to_string(seed) + " thread " + std::to_string(thread);
  for (int time = 0; time < 8; ++time) {
    Blocks blocks(offsets, static_cast<std::size_t>(between(common, 1, 2000)));
    blocks.fill(time);
    const int each = blocks.each();
    switch (between(common, 0, 2)) {
      case 0:
        ASSERT_EQ(HCL_Neighbor_alltoall(blocks.out(), each, MPI_INT, blocks.in(), each, MPI_INT, comm),
                  MPI_SUCCESS);
        break;
      case 1: {
        HCL_Request request = HCL_REQUEST_NULL;
        ASSERT_EQ(
            HCL_Ineighbor_alltoall(blocks.out(), each, MPI_INT, blocks.in(), each, MPI_INT, comm, &request),
            MPI_SUCCESS);
        for (int done = 0; done == 0;) {
          ASSERT_EQ(HCL_Test(&request, &done), MPI_SUCCESS);
        }
        break;
      }
      default: {
        HCL_Request request = HCL_REQUEST_NULL;
        ASSERT_EQ(HCL_Neighbor_alltoall_init(blocks.out(), each, MPI_INT, blocks.in(), each, MPI_INT, comm,
                                             MPI_INFO_NULL, &request),
                  MPI_SUCCESS);
        for (int again = 0; again < 3; ++again) {
          blocks.fill(time + again);
          ASSERT_EQ(HCL_Start(&request), MPI_SUCCESS);
          ASSERT_EQ(HCL_Wait(&request), MPI_SUCCESS);
          blocks.expect_right(what);
        }
        ASSERT_EQ(HCL_Request_free(&request), MPI_SUCCESS);
      }
    }
    blocks.expect_right(what);
  }
}

TEST_F(CallsInThreads, on_neighbourhoods_of_one_grid_and_their_duplicates) {
  Trials trials("neighbourhoods in threads", 20261119, 8, 0.3);
  while (trials.next()) {
    Random common(trials.seed());
    const RingInC ring;
    const std::size_t threads = static_cast<std::size_t>(between(common, 2, 4));
    std::vector<std::vector<int>> offsets;
    std::vector<mpi::Comm> comms(threads);
    for (std::size_t t = 0; t < threads; ++t) {
      if (t > 0 && between(common, 0, 1) > 0) {
        offsets.push_back(offsets.back());
        MPI_Comm_dup(comms[t - 1].get(), comms[t].put());
        continue;
      }
      std::vector<int>& own = offsets.emplace_back();
      for (Count i = between(common, 1, 4); i > 0; --i)
        own.push_back(static_cast<int>(between(common, -2, 2)));
      comms[t] = ring.with(own);
    }
    at_once(threads, [&](std::size_t t) { live(comms[t].get(), offsets[t], trials.seed(), t); });
  }
}

TEST_F(CallsInThreads, on_halos) {
  Trials trials("halos of C in threads", 20261119, 6, 0.3);
  while (trials.next()) {
    Random common(trials.seed() + 77);
    std::vector<mpi::Comm> comms(static_cast<std::size_t>(between(common, 2, 4)));
    for (mpi::Comm& comm : comms) MPI_Comm_dup(MPI_COMM_WORLD, comm.put());
    at_once(comms.size(), [&](std::size_t t) {
      Random its(trials.seed() * 8 + t);
      for (int round = 0; round < 3; ++round) {
        const std::array<int64_t, 2> mesh{between(its, 8, 40), between(its, 8, 40)};
        const std::array<int, 2> periods{static_cast<int>(between(its, 0, 1)), 1};
        std::array<int, 2> dims{};
        mpi::Comm cart;
        ASSERT_EQ(HCL_Cart_mesh_create(comms[t].get(), 2, mesh.data(), nullptr, periods.data(), 1, 0,
                                       HCL_STENCIL_MOORE, nullptr, MPI_INFO_NULL, dims.data(), cart.put()),
                  MPI_SUCCESS);
        HCL_Field field = HCL_FIELD_NULL;
        HCL_Halo halo = HCL_HALO_NULL;
        ASSERT_EQ(
            HCL_Field_create(cart.get(), MPI_DOUBLE, nullptr, nullptr, MPI_ORDER_C, MPI_INFO_NULL, &field),
            MPI_SUCCESS);
        ASSERT_EQ(HCL_Halo_create(cart.get(), 1, &field, 0, HCL_DIRECTIONS_ALL, MPI_INFO_NULL, &halo),
                  MPI_SUCCESS);
        for (int again = 0; again < 4; ++again) {
          ASSERT_EQ(HCL_Halo_start(halo), MPI_SUCCESS);
          ASSERT_EQ(HCL_Halo_wait(halo), MPI_SUCCESS);
        }
        ASSERT_EQ(HCL_Halo_verify(halo), MPI_SUCCESS);  // looks at every point
        ASSERT_EQ(HCL_Field_free(&field), MPI_SUCCESS);
        ASSERT_EQ(HCL_Halo_free(&halo), MPI_SUCCESS);
      }
    });
  }
}

TEST_F(CallsInThreads, have_the_text_of_their_own_last_error) {
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  at_once(4, [](std::size_t t) {
    const int processes = -7 - static_cast<int>(t);
    const std::string words = "a grid of " + std::to_string(processes) + " processes";
    for (int time = 0; time < 300; ++time) {
      std::array<int, 2> dims{};
      const std::array<double, 2> weights{1, 1};
      const int code = HCL_Dims_weighted_create(processes, 2, weights.data(), dims.data());
      ASSERT_NE(code, MPI_SUCCESS);
      std::array<char, MPI_MAX_ERROR_STRING> text{};
      int length = 0;
      ASSERT_EQ(HCL_Error_string(code, text.data(), &length), MPI_SUCCESS);
      ASSERT_NE(std::string(text.data()).find(words), std::string::npos) << text.data();
    }
  });
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}

}  // namespace
}  // namespace halocline::api_threads_tests
