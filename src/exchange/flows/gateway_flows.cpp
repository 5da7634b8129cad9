// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/flows/gateway_flows.hpp"

#include "exchange/flows/wire.hpp"

namespace halocline::exchange {

GatewaySender::GatewaySender(const Channel& channel, Requests& requests, const Remote& remote)
    : GatewayFlow(channel, requests) {
  const WireType type(channel.shape().chunk_bytes);
  for (std::size_t slot = 0; slot < 2; ++slot)
    request_of_slot_[slot] =
        requests.add_send(channel.slot(slot), type.count(), type.get(), remote.rank, remote.tag, remote.comm);
}

bool GatewaySender::advance() {
  while (next_ < end_) {
    if (!under_way_) {
      if (!channel_.readable(next_)) return false;
      requests_.start(request());
      under_way_ = true;
      return false;
    }
    if (!requests_.done(request())) return false;
    channel_.release(0, next_++);
    under_way_ = false;
  }
  return true;
}

GatewayReceiver::GatewayReceiver(const Channel& channel, Requests& requests, const Remote& remote)
    : GatewayFlow(channel, requests) {
  const WireType type(channel.shape().chunk_bytes);
  for (std::size_t slot = 0; slot < 2; ++slot)
    request_of_slot_[slot] = requests.add_receive(channel.slot(slot), type.count(), type.get(), remote.rank,
                                                  remote.tag, remote.comm);
}

void GatewayReceiver::begin() {
  GatewayFlow::begin();
  start_receiving();
}

void GatewayReceiver::start_receiving() {
  if (under_way_ || next_ == end_ || !channel_.writable(next_)) return;
  requests_.start(request());
  under_way_ = true;
}

bool GatewayReceiver::advance() {
  while (next_ < end_) {
    start_receiving();
    if (!under_way_ || !requests_.done(request())) return false;
    channel_.publish(0, next_++);
    under_way_ = false;
  }
  return true;
}

}  // namespace halocline::exchange
