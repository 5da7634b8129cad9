// SPDX-License-Identifier: BSD-3-Clause
// How simulated processes wait for memory. One that has nothing to do rests in MPI until one of its messages
// is complete, or until another process rings: by an empty message, sent when it moves a counter that the
// first one waits for. So a process sees what another wrote after the latency of its node.
#pragma once

#include <mpi.h>

#include <optional>
#include <span>
#include <vector>

namespace halocline::simulate {

/// That of one process. Processes take turns: between two calls into SimGrid nothing else happens.
class Bell {
 public:
  /// Of the process that asks.
  [[nodiscard]] static Bell& of_process();

  /// All processes ring by this communicator, which has no other messages. (Not MPI_COMM_WORLD: who looks for
  /// the receiver of a message does not find out whose world it is.)
  void put_up(MPI_Comm comm);
  /// Before the communicator is freed.
  void take_down();

  /// This process waits for what is there to move.
  void listen(const void* place);
  /// Rings for all that listen to it; they do no longer.
  static void ring_for(const void* place);

  /// A request that has completed, if there is one. Blocks if rest() said so, until there is one or the bell
  /// rings.
  [[nodiscard]] std::optional<int> completed(std::span<MPI_Request> requests);
  /// The process looked for something to do and found nothing. Blocks unless the bell has rung since
  /// it looked, or it has requests: then completed() shall.
  void rest();

  /// Between exchanges: nothing that was sent here is under way, and the next one is looked at first.
  void settle();

 private:
  void ring();
  /// Blocks; the number of the request that has completed, none if it is the bell.
  std::optional<int> block(std::span<MPI_Request> requests);
  void await_rings();

  MPI_Comm comm_ = MPI_COMM_NULL;
  int rank_ = 0;
  MPI_Request heard_ = MPI_REQUEST_NULL;  ///< The receive of a ring, once the process has rested.
  bool resting_ = false;
  bool rung_ = false;               ///< A ring is sent and not yet received.
  bool news_ = false;               ///< Something has moved since the process looked.
  bool asked_ = false;              ///< It has looked for requests since it rested.
  bool tired_ = false;              ///< Whoever looks for requests shall block.
  int vain_looks_ = 0;              ///< Without requests.
  std::vector<MPI_Request> rings_;  ///< Of other bells, by this process.
};

}  // namespace halocline::simulate
