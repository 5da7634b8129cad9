// SPDX-License-Identifier: BSD-3-Clause
// One message from node to node: its gateway sends what the processes of its node wrote into a channel, and
// the gateway there receives it into a channel that those of that node read. A message is one chunk.
#pragma once

#include "exchange/flows/flow.hpp"
#include "exchange/flows/requests.hpp"
#include "exchange/memory/channel.hpp"
#include "mpi/handles/handle.hpp"

#include <array>

namespace halocline::exchange {

/// The other end of a message between nodes.
struct Remote {
  MPI_Comm comm;
  int rank;
  int tag;
};

/// The common part: a request for each slot of the channel, used in turns.
class GatewayFlow : public Flow {
 public:
  void begin() override { ++end_; }

 protected:
  explicit GatewayFlow(const Channel& channel, Requests& requests) : channel_(channel), requests_(requests) {}

  [[nodiscard]] std::size_t request() const { return request_of_slot_[next_ % request_of_slot_.size()]; }

  Channel channel_;
  Requests& requests_;
  std::array<std::size_t, 2> request_of_slot_{};
  Channel::Chunk next_ = 0, end_ = 0;
  bool under_way_ = false;
};

/// Reads the channel. @pre the channel has one reader and two slots
class GatewaySender : public GatewayFlow {
 public:
  GatewaySender(const Channel& channel, Requests& requests, const Remote& remote);
  [[nodiscard]] bool advance() override;
};

/// Writes the channel. @pre the channel has one writer and two slots
class GatewayReceiver : public GatewayFlow {
 public:
  GatewayReceiver(const Channel& channel, Requests& requests, const Remote& remote);
  void begin() override;
  [[nodiscard]] bool advance() override;

 private:
  void start_receiving();
};

}  // namespace halocline::exchange
