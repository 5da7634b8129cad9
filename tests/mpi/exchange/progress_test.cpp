// Who waits for an exchange moves what MPI has to do in this process as well. The messages are long and
// scattered: MPI needs both sides to get them across.

#include "exchange/progress/progress.hpp"
#include "halocline/exchange/exchange.hpp"
#include "mpi/communicators/cart_comm.hpp"
#include "mpi/handles/handle.hpp"
#include "support/world.hpp"

#include <gtest/gtest.h>

#include <array>

namespace halocline::exchange_progress_tests {
namespace {

/// An exchange in which every process waits for its left neighbour, and a long message of the application.
class ProgressOfMpi : public testing::Test {
 protected:
  static constexpr int ints = 1 << 18;

  ProgressOfMpi() : data_(2 * static_cast<std::size_t>(ints), world_rank() + 1) {
    const Grid grid({world_size()}, {true});
    cart_ = mpi::create_cart(MPI_COMM_WORLD, grid, Cell{world_rank()});
    const Neighborhood neighborhood(cart_.get(), Stencil(std::vector<Offset>{{1}}));
    const Layout byte = Layout::named(Elementary::byte);
    const std::vector<Block> send{{&block_[0], byte, 1}}, receive{{&block_[1], byte, 1}};
    exchange_.emplace(Exchange::alltoall(neighborhood, send, receive));
    MPI_Type_vector(ints, 1, 2, MPI_INT, every_second_.put());
    MPI_Type_commit(every_second_.put());
  }

  void exchange() {
    exchange_->start();
    exchange_->wait();
  }
  [[nodiscard]] bool received_from(int rank) const {
    for (std::size_t i = 0; i < data_.size(); ++i)
      if (data_[i] != (i % 2 == 0 ? rank : world_rank()) + 1) return false;
    return true;
  }

  std::vector<int> data_;
  std::array<std::byte, 2> block_{};
  mpi::Comm cart_;
  mpi::Datatype every_second_;
  std::optional<Exchange> exchange_;
};

TEST_F(ProgressOfMpi, what_the_application_sends) {
  if (world_size() < 2) GTEST_SKIP();
  if (world_rank() == 0) {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Isend(data_.data(), 1, every_second_.get(), 1, 0, MPI_COMM_WORLD, &request);
    exchange();  // rank 1 begins only once it has the message
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    return;
  }
  if (world_rank() == 1) {
    MPI_Recv(data_.data(), 1, every_second_.get(), 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    EXPECT_TRUE(received_from(0));
  }
  exchange();
}

TEST_F(ProgressOfMpi, what_the_application_receives) {
  if (world_size() < 2) GTEST_SKIP();
  if (world_rank() == 1) {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Irecv(data_.data(), 1, every_second_.get(), 0, 0, MPI_COMM_WORLD, &request);
    exchange();  // rank 0 begins only once it got rid of the message
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    EXPECT_TRUE(received_from(0));
    return;
  }
  if (world_rank() == 0) MPI_Ssend(data_.data(), 1, every_second_.get(), 1, 0, MPI_COMM_WORLD);
  exchange();
}

TEST_F(ProgressOfMpi, while_an_unexpected_message_is_there) {
  if (world_size() < 2) GTEST_SKIP();
  // To itself and from the other: a look for messages that finds one must not be all that is done.
  // Each message is known by its number.
  const std::array<int, 3> sent{100 + world_rank(), 200 + world_rank(), 300 + world_rank()};
  std::array<int, 3> received{};
  mpi::Comm self;
  MPI_Comm_dup(MPI_COMM_SELF, self.put());
  std::array<MPI_Request, 3> early{MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  MPI_Isend(&sent[0], 1, MPI_INT, 0, 0, self.get(), &early[0]);
  MPI_Isend(&sent[1], 1, MPI_INT, 0, 0, MPI_COMM_SELF, &early[1]);
  if (world_rank() < 2) MPI_Isend(&sent[2], 1, MPI_INT, 1 - world_rank(), 1, MPI_COMM_WORLD, &early[2]);
  MPI_Barrier(MPI_COMM_WORLD);
  if (world_rank() == 0) {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Isend(data_.data(), 1, every_second_.get(), 1, 0, MPI_COMM_WORLD, &request);
    exchange();
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  } else {
    if (world_rank() == 1) {
      MPI_Recv(data_.data(), 1, every_second_.get(), 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      EXPECT_TRUE(received_from(0));
    }
    exchange();
  }
  MPI_Recv(&received[0], 1, MPI_INT, 0, 0, self.get(), MPI_STATUS_IGNORE);
  MPI_Recv(&received[1], 1, MPI_INT, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);
  if (world_rank() < 2)
    MPI_Recv(&received[2], 1, MPI_INT, 1 - world_rank(), 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Waitall(static_cast<int>(early.size()), early.data(), MPI_STATUSES_IGNORE);
  EXPECT_EQ(received[0], sent[0]);
  EXPECT_EQ(received[1], sent[1]);
  EXPECT_EQ(received[2], world_rank() < 2 ? 300 + 1 - world_rank() : 0);
}

/// Whoever creates the next exchange takes part in those under way: the others may wait for one first.
TEST(ProgressOfExchanges, goes_on_while_another_one_is_created) {
  const mpi::Comm cart = mpi::create_cart(MPI_COMM_WORLD, Grid({world_size()}, {true}), Cell{world_rank()});
  const Neighborhood neighborhood(cart.get(), Stencil(std::vector<Offset>{{1}}));
  constexpr Count bytes = Count{5} << 20;  // more than channels hold
  std::vector<std::byte> out(bytes, static_cast<std::byte>(world_rank() + 1)), in(bytes);
  const Layout byte = Layout::named(Elementary::byte);
  const auto created = [&] {
    const std::vector<Block> send{{out.data(), byte, bytes}}, receive{{in.data(), byte, bytes}};
    return Exchange::alltoall(neighborhood, send, receive);
  };
  Exchange first = created();
  first.start();
  if (world_rank() != 0) first.wait();
  const Exchange second = created();
  first.wait();
  const int left = (world_rank() + world_size() - 1) % world_size();
  EXPECT_EQ(in, std::vector<std::byte>(bytes, static_cast<std::byte>(left + 1)));
}

}  // namespace
}  // namespace halocline::exchange_progress_tests
