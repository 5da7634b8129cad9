#include "preload/agreed_numbers.hpp"

#include "mpi/call.hpp"

#include <bit>

namespace halocline::preload {

std::optional<int> AgreedNumbers::take(MPI_Comm comm, bool wanted) {
  const Set mine = wanted ? free_ : Set{};
  Set everywhere{};
  HALOCLINE_MPI(Allreduce, mine.data(), everywhere.data(), static_cast<int>(mine.size()), MPI_UINT64_T,
                MPI_BAND, comm);
  for (std::size_t word = 0; word < everywhere.size(); ++word) {
    if (everywhere[word] == 0) continue;
    const int bit = std::countr_zero(everywhere[word]);
    free_[word] &= ~(std::uint64_t{1} << bit);
    return static_cast<int>(word) * bits + bit;
  }
  return std::nullopt;
}

void AgreedNumbers::give_back(int number) {
  free_[static_cast<std::size_t>(number / bits)] |= std::uint64_t{1} << (number % bits);
}

}  // namespace halocline::preload
