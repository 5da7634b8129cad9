// SPDX-License-Identifier: BSD-3-Clause
// Creation of exchanges whose blocks have to be read from somewhere first, which may fail on one rank alone.
#pragma once

#include "exchange/neighborhood/blocks.hpp"
#include "exchange/threads/crew.hpp"
#include "halocline/exchange/exchange.hpp"
#include "halocline/plan/plan.hpp"
#include "schedule/parts/schedule.hpp"

#include <functional>
#include <vector>

namespace halocline::exchange {

/// What is exchanged, for a plan.
using Described = std::function<plan::Problem(const Machine& machine)>;

/// The blocks of one process.
struct Ends {
  std::vector<Block> send, receive;
  SizeOfBlock sizes =
      {};  ///< For blocks that differ in size between processes, all of which must agree on it.
  BlockSeenHere seen_here = {};             ///< If processes of a node can copy straight from each other.
  Described described = {};                 ///< If there is more to be said about them than their sizes.
  std::shared_ptr<DeviceSide> device = {};  ///< If a part of them lies on a device.
};
using ReadEnds = std::function<Ends()>;

/// As Exchange::alltoall and allgather. What `read` throws on any rank is thrown on all. Collective.
[[nodiscard]] Exchange create(const Neighborhood& neighborhood, Operation operation, const ReadEnds& read,
                              const ExchangeOptions& options = {});

/// Does its device do it alone if it is started on a stream, so that the host waits for nothing? On this
/// process: others may differ. Local.
[[nodiscard]] bool goes_on_stream(const Exchange& exchange);
/// Does some of it lie on a device? On this process: others may differ. Local.
[[nodiscard]] bool has_device(const Exchange& exchange);
/// Throws Error{invalid_argument} if the stream is not one of the device that the exchange works on.
void require_stream(const Exchange& exchange, accelerate::Stream stream);
/// Begins such an exchange in the order of a stream; ended by one of the next two. Throws as above.
/// @pre goes_on_stream(exchange)
void start_on(const Exchange& exchange, accelerate::Stream stream);
/// What the stream gets from now on sees what was exchanged. Throws as above.
void end_on(const Exchange& exchange, accelerate::Stream stream);
/// Has the device done it? Waits for it, or looks.
[[nodiscard]] bool device_done(const Exchange& exchange, bool waits);
/// Throws Error{invalid_argument} if the default stream of its device, if it has one, is busy.
void require_idle(const Exchange& exchange);
/// What it does on its device at the next start waits for what the stream has now. Throws as above.
void begin_after(const Exchange& exchange, accelerate::Stream stream);

/// Who does its copies.
[[nodiscard]] Crew& crew_of(const Exchange& exchange);

/// May its processes share the memory of their nodes? The same on all. Local.
[[nodiscard]] bool may_share_memory(const Exchange& exchange);

/// The plan of an exchange that is there, if it is about this. Local.
[[nodiscard]] plan::Explanation explained(const Exchange& exchange, const Described& described);

}  // namespace halocline::exchange
