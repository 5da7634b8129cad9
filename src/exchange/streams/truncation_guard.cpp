// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/streams/truncation_guard.hpp"

#include "exchange/flows/wire.hpp"

#include <array>
#include <unordered_map>

namespace halocline::exchange {

mpi::Datatype type_with_gap(Count bytes) {
  const WireType but_one(bytes - 1);
  const std::array<int, 2> counts{but_one.count(), 1};
  const std::array<MPI_Aint, 2> places{0, bytes - 1 + gap_bytes};
  const std::array<MPI_Datatype, 2> types{but_one.get(), MPI_BYTE};
  mpi::Datatype made;
  HALOCLINE_MPI(Type_create_struct, 2, counts.data(), places.data(), types.data(), made.put());
  HALOCLINE_MPI(Type_commit, made.put());
  return made;
}

std::shared_ptr<const mpi::Datatype> known_type_with_gap(Count bytes) {
  constexpr std::size_t most = 256;
  // Lives as long as the process: MPI may be gone before it.
  static auto& known = *new std::unordered_map<Count, std::shared_ptr<const mpi::Datatype>>;
  if (const auto found = known.find(bytes); found != known.end()) return found->second;
  if (known.size() == most) known.clear();
  return known[bytes] = std::make_shared<const mpi::Datatype>(type_with_gap(bytes));
}

}  // namespace halocline::exchange
