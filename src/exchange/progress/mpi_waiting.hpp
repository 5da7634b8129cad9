// SPDX-License-Identifier: BSD-3-Clause
// What depends on the MPI that messages go through: how it is asked what has completed, what goes on
// meanwhile, how long a message should be. The simulated processes of src/simulate bring their own: there
// time stands still for a process that asks again and again.
#pragma once

#include "halocline/base/count.hpp"
#include "mpi/handles/call.hpp"

#include <span>

namespace halocline::exchange {

/// Starts persistent requests in this order; those that send are marked.
void start_all(std::span<MPI_Request> requests, std::span<const char> sends);

/// Writes the numbers of active persistent requests that have completed to the front of `completed`, and
/// returns how many they are. Makes progress in MPI. @pre `completed` is as long as `requests`
[[nodiscard]] int ask(std::span<MPI_Request> requests, std::span<int> completed);
/// The same, but not before there is one. @pre one is active
[[nodiscard]] int await(std::span<MPI_Request> requests, std::span<int> completed);

/// Waits until all of them have completed, if that is cheaper than to hear of each; false if nothing was
/// done.
[[nodiscard]] bool await_all(std::span<MPI_Request> requests);

/// What a message costs the processor at either end: nothing beyond what MPI does itself, but for simulated
/// processes, whose time passes there.
void spend_on_send();
void spend_on_receive();

/// Does MPI let others of the node have the core while a process waits in it?
[[nodiscard]] bool waits_politely();

/// For a process that found nothing to do: until it is worth to look again, if it is simulated. Others look
/// again when they like: false, at once.
[[nodiscard]] bool rest();

/// Longer messages are better sent in pieces.
[[nodiscard]] Count longest_whole_message();

/// Begins to replace each number by the least of all processes, which goes on in the background.
[[nodiscard]] MPI_Request start_least(std::span<Count> numbers, MPI_Comm comm);

/// Has it completed? It is null then.
[[nodiscard]] bool ask(MPI_Request& request);

}  // namespace halocline::exchange
