// An exchange in which every process sends one block to its right, of the size that a test asks for.
#pragma once

#include "halocline/exchange/exchange.hpp"
#include "mpi/communicators/cart_comm.hpp"
#include "mpi/handles/handle.hpp"
#include "support/world.hpp"

#include <algorithm>
#include <optional>
#include <vector>

namespace halocline {

inline mpi::Comm ring_of_world() {
  return mpi::create_cart(MPI_COMM_WORLD, Grid({world_size()}, {true}), Cell{world_rank()});
}

class Ring {
 public:
  static constexpr Count long_bytes = Count{5} << 20;  ///< More than channels hold.

  /// On a communicator of ring_of_world(), or a duplicate. Collective.
  Ring(MPI_Comm cart, Count bytes, const ExchangeOptions& options = {})
      : out_(static_cast<std::size_t>(bytes)), in_(out_.size()) {
    const Neighborhood neighborhood(cart, Stencil(std::vector<Offset>{{1}}));
    const Layout byte = Layout::named(Elementary::byte);
    const std::vector<Block> send{{out_.data(), byte, bytes}}, receive{{in_.data(), byte, bytes}};
    exchange_.emplace(Exchange::alltoall(neighborhood, send, receive, options));
  }
  [[nodiscard]] Exchange& exchange() { return *exchange_; }

  void fill(int what) {
    what_ = what;
    std::fill(out_.begin(), out_.end(), value_of(world_rank()));
    std::fill(in_.begin(), in_.end(), std::byte{0xFF});
  }
  [[nodiscard]] bool arrived() const {
    return std::all_of(in_.begin(), in_.end(), [this](std::byte one) { return one == value_of(left()); });
  }
  /// Is the last byte there, whoever put it there? May be asked while that goes on.
  [[nodiscard]] bool last_arrived() const {
    return *static_cast<const volatile std::byte*>(&in_.back()) == value_of(left());
  }

 private:
  static int left() { return (world_rank() + world_size() - 1) % world_size(); }
  [[nodiscard]] std::byte value_of(int rank) const {
    return static_cast<std::byte>((rank * 31 + what_ * 7) % 255);
  }

  std::vector<std::byte> out_, in_;
  std::optional<Exchange> exchange_;
  int what_ = 0;
};

}  // namespace halocline
