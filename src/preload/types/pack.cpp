// SPDX-License-Identifier: BSD-3-Clause
// MPI_Pack and MPI_Unpack: the same bytes as the system's, by our kernels. A datatype is compiled when it is
// packed for the first time, not in MPI_Type_commit: most are never packed.

#include "base/numbers.hpp"
#include "preload/process/journal.hpp"
#include "preload/process/system.hpp"
#include "preload/process/takeover.hpp"
#include "preload/types/device_pack.hpp"
#include "preload/types/packers.hpp"

namespace halocline::preload {
namespace {

/// The compiled type if all is as it should be and there is room; null if the system has to look at it.
/// MPI_BOTTOM is left to the system, too, since not every MPI accepts it here.
const mpi::CompiledType* usable(const void* data, int count, MPI_Datatype type, const void* packed, int room,
                                const int* position, MPI_Comm comm) {
  if (data == nullptr || packed == nullptr || position == nullptr || comm == MPI_COMM_NULL) return nullptr;
  if (count < 0 || *position < 0 || *position > room) return nullptr;
  const mpi::CompiledType* const known = compiled(type);
  if (known == nullptr || known->layout().size() > room || count > known->most_elements()) return nullptr;
  return known->layout().size() * count <= room - *position ? known : nullptr;
}

}  // namespace

int pack(const void* inbuf, int incount, MPI_Datatype datatype, void* outbuf, int outsize, int* position,
         MPI_Comm comm) {
  static Tally& tally = tally_of("MPI_Pack");
  try {
    if (const auto* const type = usable(inbuf, incount, datatype, outbuf, outsize, position, comm)) {
      std::byte* const wire = static_cast<std::byte*>(outbuf) + *position;
      const PackedElements elements{*type, datatype, incount, inbuf, wire};
      const WhoCopies who = who_copies(elements);
      if (who == WhoCopies::host) type->pack(static_cast<const std::byte*>(inbuf), incount, wire);
      if (who == WhoCopies::device) pack_on_device(elements);
      if (who != WhoCopies::system) {
        *position += to_int(elements.bytes());
        count_message(tally, true, "", incount, datatype);
        return MPI_SUCCESS;
      }
    }
  } catch (const std::exception&) {  // no memory, or a device refuses: nothing was written yet
  }
  count_message(tally, false, "datatype or arguments are unusual", incount, datatype);
  return HALOCLINE_SYSTEM(Pack)(inbuf, incount, datatype, outbuf, outsize, position, comm);
}

int unpack(const void* inbuf, int insize, int* position, void* outbuf, int outcount, MPI_Datatype datatype,
           MPI_Comm comm) {
  static Tally& tally = tally_of("MPI_Unpack");
  try {
    if (const auto* const type = usable(outbuf, outcount, datatype, inbuf, insize, position, comm)) {
      const std::byte* const wire = static_cast<const std::byte*>(inbuf) + *position;
      const PackedElements elements{*type, datatype, outcount, outbuf, wire};
      const WhoCopies who = who_copies(elements);
      if (who == WhoCopies::host) type->unpack(wire, static_cast<std::byte*>(outbuf), outcount);
      if (who == WhoCopies::device) unpack_on_device(elements);
      if (who != WhoCopies::system) {
        *position += to_int(elements.bytes());
        count_message(tally, true, "", outcount, datatype);
        return MPI_SUCCESS;
      }
    }
  } catch (const std::exception&) {
  }
  count_message(tally, false, "datatype or arguments are unusual", outcount, datatype);
  return HALOCLINE_SYSTEM(Unpack)(inbuf, insize, position, outbuf, outcount, datatype, comm);
}

}  // namespace halocline::preload
