// Numbers that all processes of a communicator give to the same thing.
#pragma once

#include <mpi.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace halocline::preload {

class AgreedNumbers {
 public:
  /// How many there are at once, from 0 on.
  static constexpr int most = 1024;

  AgreedNumbers() { free_.fill(~std::uint64_t{0}); }

  /// The lowest one that is free on all processes. Nothing if there is none, or if one process wants none:
  /// all get the same answer. Collective; one reduction.
  [[nodiscard]] std::optional<int> take(MPI_Comm comm, bool wanted);
  /// Processes give a number back when they like; it is free when all have done so. Local.
  void give_back(int number);

 private:
  static constexpr int bits = 64;
  using Set = std::array<std::uint64_t, most / bits>;
  Set free_{};
};

}  // namespace halocline::preload
