// SPDX-License-Identifier: BSD-3-Clause
// MPI_Type_commit only takes a note: a datatype is compiled when it is used first, since most never are, and
// some by other calls alone.

#include "preload/process/system.hpp"
#include "preload/process/takeover.hpp"
#include "preload/types/committed_types.hpp"

namespace halocline::preload {

std::array<std::atomic<std::uint64_t>, committed_words> committed_bits{};

void take_all_for_committed() {
  for (auto& bits : committed_bits) bits.store(~std::uint64_t{0}, std::memory_order_relaxed);
}

int type_commit(MPI_Datatype* datatype) {
  const int code = HALOCLINE_SYSTEM(Type_commit)(datatype);
  if (code == MPI_SUCCESS && datatype != nullptr) {
    const CommittedBit bit(*datatype);
    committed_bits[bit.word].fetch_or(bit.mask, std::memory_order_relaxed);
  }
  return code;
}

}  // namespace halocline::preload
