// SPDX-License-Identifier: BSD-3-Clause
// Who the ranks of a communicator or window are in the world. Worked out for those ranks that somebody asks
// for, once, and kept with the communicator.
#pragma once

#include "preload/trace/recorder.hpp"

#include <optional>
#include <unordered_map>
#include <vector>

namespace halocline::recorder {

class Peers {
 public:
  [[nodiscard]] static Peers* of_comm(Recorder& recorder, MPI_Comm comm);
  [[nodiscard]] static Peers* of_window(Recorder& recorder, MPI_Win window);
  ~Peers();
  Peers(const Peers&) = delete;
  Peers& operator=(const Peers&) = delete;

  /// Null for MPI_PROC_NULL and the like.
  [[nodiscard]] Partner* partner(int rank);
  /// To whom neighbourhood collectives send, in their order; null for MPI_PROC_NULL.
  [[nodiscard]] const std::vector<Partner*>& targets() const { return targets_; }

  [[nodiscard]] int rank() const { return rank_; }      ///< Of this process.
  [[nodiscard]] int size() const { return size_; }      ///< Of this process's own group.
  [[nodiscard]] int others() const { return others_; }  ///< Of the group that it sends to.
  [[nodiscard]] bool is_inter() const { return is_inter_; }

 private:
  explicit Peers(Recorder& recorder) : recorder_(&recorder) {}
  void look_at_comm(MPI_Comm comm);
  void look_at_window(MPI_Win window);
  void compare_with_world();
  void find_targets(MPI_Comm comm);
  [[nodiscard]] Count world_rank(int rank) const;

  Recorder* recorder_;
  MPI_Group group_{};      ///< Of those that it sends to.
  bool is_world_ = false;  ///< The ranks are those of the world.
  bool is_inter_ = false;
  int rank_ = 0;
  int size_ = 0;
  int others_ = 0;
  std::unordered_map<int, Partner*> known_;
  std::vector<Partner*> targets_;
};

}  // namespace halocline::recorder
