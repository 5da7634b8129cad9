// SPDX-License-Identifier: BSD-3-Clause
// The C interface of packing.

#include "api/c/error.hpp"
#include "base/fail.hpp"
#include "base/numbers.hpp"
#include "compile/form/part_range.hpp"
#include "halocline/compile/packer.hpp"
#include "halocline/halocline.h"
#include "mpi/datatypes/compiled_type.hpp"
#include "mpi/datatypes/engine_choice.hpp"
#include "mpi/datatypes/recent_types.hpp"

#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

struct HCL_Packer_object {
  halocline::compile::Packer packer;
  halocline::Count bytes;  ///< Of the packed stream.
  bool absolute;           ///< All its data lies at addresses: it needs no buffer.
};

namespace halocline::api {
namespace {

void require_communicator(MPI_Comm comm) {
  if (comm == MPI_COMM_NULL) throw Error(Fault::mpi, "the communicator is MPI_COMM_NULL", MPI_ERR_COMM);
}

void require_count(MPI_Count count, const char* name) {
  require(count >= 0, "the argument ", name, " is ", count, "; 0 is the least");
}

/// It stands for no buffer of packing.
void require_own(const void* buffer, const char* name) {
  require(buffer != MPI_IN_PLACE, "the argument ", name,
          " is MPI_IN_PLACE; packing needs one buffer to read from and one to write to");
}

/// The packed buffer of an operation on `bytes` bytes: is there room for them?
void require_room(const void* buffer, const char* buffer_name, MPI_Count size, const char* size_name,
                  const MPI_Count* position, Count bytes) {
  require_pointer(position, "position");
  require_count(size, size_name);
  require(0 <= *position && *position <= size, "the position ", *position, " is outside ", buffer_name,
          ", which has ", size, " bytes");
  require(bytes <= size - *position, bytes, " bytes do not fit ", buffer_name, ", which has ",
          size - *position, " bytes from position ", *position, " on");
  require(buffer != nullptr || bytes == 0, "the argument ", buffer_name, " is a null pointer");
  require_own(buffer, buffer_name);
}

void require_data(const void* buffer, const char* name, bool absolute, Count bytes) {
  require(buffer != MPI_BOTTOM || absolute || bytes == 0, "the argument ", name,
          " is MPI_BOTTOM, but the data is not at absolute addresses");
  require_own(buffer, name);
}

const std::byte* as_bytes(const void* buffer) { return static_cast<const std::byte*>(buffer); }
std::byte* as_bytes(void* buffer) { return static_cast<std::byte*>(buffer); }

const HCL_Packer_object& valid(HCL_Packer packer) {
  require(packer != HCL_PACKER_NULL, "the packer is HCL_PACKER_NULL");
  return *packer;
}

/// Is there nothing that could be wrong with these buffers? If not, the checks above find out what is: for a
/// small type they would take longer than the copy.
[[gnu::always_inline]] inline bool are_plain(const void* data, const bool& absolute, const void* packed,
                                             MPI_Count size, const MPI_Count* position, Count bytes) {
  if ((data == MPI_BOTTOM || data == MPI_IN_PLACE) && !(data == MPI_BOTTOM && absolute)) [[unlikely]]
    return false;
  if (packed == nullptr || packed == MPI_IN_PLACE || position == nullptr) [[unlikely]]
    return false;
  // Two numbers that are not negative have a sum without a sign.
  return (*position | size) >= 0 &&
         static_cast<std::uint64_t>(*position) + static_cast<std::uint64_t>(bytes) <=
             static_cast<std::uint64_t>(size);
}

/// The type of a call for one element, if this thread used it lately and nothing can be wrong with the call,
/// as is the case for almost all of them. Otherwise null.
[[gnu::always_inline]] inline const mpi::CompiledType* plain_type(const void* data, MPI_Datatype datatype,
                                                                  const void* packed, MPI_Count size,
                                                                  const MPI_Count* position, MPI_Comm comm) {
  if (comm == MPI_COMM_NULL) [[unlikely]]
    return nullptr;
  const mpi::CompiledType* const type = mpi::recently_compiled(datatype);
  if (type == nullptr) [[unlikely]]
    return nullptr;
  return are_plain(data, type->absolute(), packed, size, position, type->needed_bytes()) ? type : nullptr;
}

/// As plain_type, for `count` elements that lie one after the other, so that all of them are one copy.
[[gnu::always_inline]] inline const mpi::CompiledType* plain_dense_type(const void* data, MPI_Count count,
                                                                        MPI_Datatype datatype,
                                                                        const void* packed, MPI_Count size,
                                                                        const MPI_Count* position,
                                                                        MPI_Comm comm) {
  if (comm == MPI_COMM_NULL) [[unlikely]]
    return nullptr;
  const mpi::CompiledType* const type = mpi::recently_compiled(datatype);
  if (type == nullptr || !type->dense() || !type->can_hold(count)) [[unlikely]]
    return nullptr;
  return are_plain(data, type->absolute(), packed, size, position, type->element_bytes() * count) ? type
                                                                                                  : nullptr;
}

HCL_Packer_object fused(int nparts, const MPI_Count counts[], const MPI_Aint displacements[],
                        const MPI_Datatype datatypes[], MPI_Info info) {
  require_count(nparts, "nparts");
  if (nparts > 0) {
    require_pointer(counts, "counts");
    require_pointer(displacements, "displacements");
    require_pointer(datatypes, "datatypes");
  }
  std::vector<compile::Part> parts;
  bool absolute = true;
  for (int i = 0; i < nparts; ++i) {
    require(counts[i] >= 0, "counts[", i, "] is ", counts[i], "; 0 is the least");
    const compile::Part& part =
        parts.emplace_back(compile::Part{mpi::committed_layout(datatypes[i]), counts[i], displacements[i]});
    compile::require_memory(part);
    if (part.layout.size() > 0 && part.count > 0)
      absolute = absolute && mpi::is_absolute(part.offset + part.layout.true_lb());
  }
  compile::Packer packer = mpi::chosen_engine(info).packer(parts);
  const Count bytes = packer.bytes();
  return {std::move(packer), bytes, absolute};
}

[[gnu::noinline]] int pack_with_checks(const void* inbuf, MPI_Count incount, MPI_Datatype datatype,
                                       void* outbuf, MPI_Count outsize, MPI_Count* position,
                                       MPI_Comm comm) noexcept {
  return guarded(
      comm,
      [&] {
        require_communicator(comm);
        require_count(incount, "incount");
        const mpi::CompiledType& type = mpi::compiled_type(datatype);
        const Count bytes = type.bytes_in_memory(incount);
        if (!are_plain(inbuf, type.absolute(), outbuf, outsize, position, bytes)) {
          require_room(outbuf, "outbuf", outsize, "outsize", position, bytes);
          require_data(inbuf, "inbuf", type.absolute(), bytes);
        }
        type.pack(as_bytes(inbuf), incount, as_bytes(outbuf) + *position);
        *position += bytes;
      },
      "HCL_Pack");
}

[[gnu::noinline]] int unpack_with_checks(const void* inbuf, MPI_Count insize, MPI_Count* position,
                                         void* outbuf, MPI_Count outcount, MPI_Datatype datatype,
                                         MPI_Comm comm) noexcept {
  return guarded(
      comm,
      [&] {
        require_communicator(comm);
        require_count(outcount, "outcount");
        const mpi::CompiledType& type = mpi::compiled_type(datatype);
        const Count bytes = type.bytes_in_memory(outcount);
        if (!are_plain(outbuf, type.absolute(), inbuf, insize, position, bytes)) {
          require_room(inbuf, "inbuf", insize, "insize", position, bytes);
          require_data(outbuf, "outbuf", type.absolute(), bytes);
        }
        type.unpack(as_bytes(inbuf) + *position, as_bytes(outbuf), outcount);
        *position += bytes;
      },
      "HCL_Unpack");
}

/// Any number of elements but one; a function of its own, so that one element needs nothing for them.
[[gnu::noinline]] int pack_several(const void* inbuf, MPI_Count incount, MPI_Datatype datatype, void* outbuf,
                                   MPI_Count outsize, MPI_Count* position, MPI_Comm comm) noexcept {
  const mpi::CompiledType* const type =
      plain_dense_type(inbuf, incount, datatype, outbuf, outsize, position, comm);
  if (type == nullptr) return pack_with_checks(inbuf, incount, datatype, outbuf, outsize, position, comm);
  const Count bytes = type->element_bytes() * incount;
  std::byte* const wire = as_bytes(outbuf) + std::exchange(*position, *position + bytes);
  std::memcpy(wire, type->first_byte(as_bytes(inbuf)), to_size(bytes));
  return MPI_SUCCESS;
}

[[gnu::noinline]] int unpack_several(const void* inbuf, MPI_Count insize, MPI_Count* position, void* outbuf,
                                     MPI_Count outcount, MPI_Datatype datatype, MPI_Comm comm) noexcept {
  const mpi::CompiledType* const type =
      plain_dense_type(outbuf, outcount, datatype, inbuf, insize, position, comm);
  if (type == nullptr) return unpack_with_checks(inbuf, insize, position, outbuf, outcount, datatype, comm);
  const Count bytes = type->element_bytes() * outcount;
  const std::byte* const wire = as_bytes(inbuf) + std::exchange(*position, *position + bytes);
  std::memcpy(type->first_byte(as_bytes(outbuf)), wire, to_size(bytes));
  return MPI_SUCCESS;
}

[[gnu::noinline]] int pack_with_checks(HCL_Packer packer, const void* inbuf, void* outbuf, MPI_Count outsize,
                                       MPI_Count* position) noexcept {
  return guarded(
      MPI_COMM_WORLD,
      [&] {
        const auto& [code, bytes, absolute] = valid(packer);
        require_room(outbuf, "outbuf", outsize, "outsize", position, bytes);
        require_data(inbuf, "inbuf", absolute, bytes);
        code.pack(as_bytes(inbuf), as_bytes(outbuf) + *position);
        *position += bytes;
      },
      "HCL_Packer_pack");
}

[[gnu::noinline]] int unpack_with_checks(HCL_Packer packer, const void* inbuf, MPI_Count insize,
                                         MPI_Count* position, void* outbuf) noexcept {
  return guarded(
      MPI_COMM_WORLD,
      [&] {
        const auto& [code, bytes, absolute] = valid(packer);
        require_room(inbuf, "inbuf", insize, "insize", position, bytes);
        require_data(outbuf, "outbuf", absolute, bytes);
        code.unpack(as_bytes(inbuf) + *position, as_bytes(outbuf));
        *position += bytes;
      },
      "HCL_Packer_unpack");
}

}  // namespace
}  // namespace halocline::api

using namespace halocline;       // NOLINT(google-build-using-namespace): the C functions cannot be inside
using namespace halocline::api;  // NOLINT(google-build-using-namespace)

int HCL_Pack(const void* inbuf, MPI_Count incount, MPI_Datatype datatype, void* outbuf, MPI_Count outsize,
             MPI_Count* position, MPI_Comm comm) {
  if (incount != 1) return pack_several(inbuf, incount, datatype, outbuf, outsize, position, comm);
  const mpi::CompiledType* const type = plain_type(inbuf, datatype, outbuf, outsize, position, comm);
  if (type == nullptr) return pack_with_checks(inbuf, incount, datatype, outbuf, outsize, position, comm);
  // The position first: then nothing has to be kept beside the copy.
  std::byte* const wire = as_bytes(outbuf) + std::exchange(*position, *position + type->needed_bytes());
  type->pack_one(as_bytes(inbuf), wire);
  return MPI_SUCCESS;
}

int HCL_Unpack(const void* inbuf, MPI_Count insize, MPI_Count* position, void* outbuf, MPI_Count outcount,
               MPI_Datatype datatype, MPI_Comm comm) {
  if (outcount != 1) return unpack_several(inbuf, insize, position, outbuf, outcount, datatype, comm);
  const mpi::CompiledType* const type = plain_type(outbuf, datatype, inbuf, insize, position, comm);
  if (type == nullptr) return unpack_with_checks(inbuf, insize, position, outbuf, outcount, datatype, comm);
  const std::byte* const wire = as_bytes(inbuf) + std::exchange(*position, *position + type->needed_bytes());
  type->unpack_one(wire, as_bytes(outbuf));
  return MPI_SUCCESS;
}

int HCL_Pack_size(MPI_Count incount, MPI_Datatype datatype, MPI_Comm comm, MPI_Count* size) {
  return guarded(comm, [&] {
    require_communicator(comm);
    require_count(incount, "incount");
    require_pointer(size, "size");
    *size = mpi::compiled_type(datatype).bytes(incount);
  });
}

int HCL_Type_compile(MPI_Datatype datatype, MPI_Info info) {
  return guarded(MPI_COMM_WORLD, [&] { mpi::compile_type(datatype, mpi::chosen_engine(info)); });
}

int HCL_Packer_create(int nparts, const MPI_Count counts[], const MPI_Aint displacements[],
                      const MPI_Datatype datatypes[], MPI_Info info, HCL_Packer* packer) {
  return guarded(MPI_COMM_WORLD, [&] {
    require_pointer(packer, "packer");
    *packer = new HCL_Packer_object(fused(nparts, counts, displacements, datatypes, info));
  });
}

int HCL_Packer_size(HCL_Packer packer, MPI_Count* size) {
  return guarded(MPI_COMM_WORLD, [&] {
    require_pointer(size, "size");
    *size = valid(packer).packer.bytes();
  });
}

int HCL_Packer_pack(HCL_Packer packer, const void* inbuf, void* outbuf, MPI_Count outsize,
                    MPI_Count* position) {
  if (packer == HCL_PACKER_NULL ||
      !are_plain(inbuf, packer->absolute, outbuf, outsize, position, packer->bytes))
    return pack_with_checks(packer, inbuf, outbuf, outsize, position);
  std::byte* const wire = as_bytes(outbuf) + std::exchange(*position, *position + packer->bytes);
  packer->packer.pack(as_bytes(inbuf), wire);
  return MPI_SUCCESS;
}

int HCL_Packer_unpack(HCL_Packer packer, const void* inbuf, MPI_Count insize, MPI_Count* position,
                      void* outbuf) {
  if (packer == HCL_PACKER_NULL ||
      !are_plain(outbuf, packer->absolute, inbuf, insize, position, packer->bytes))
    return unpack_with_checks(packer, inbuf, insize, position, outbuf);
  const std::byte* const wire = as_bytes(inbuf) + std::exchange(*position, *position + packer->bytes);
  packer->packer.unpack(wire, as_bytes(outbuf));
  return MPI_SUCCESS;
}

int HCL_Packer_free(HCL_Packer* packer) {
  return guarded(MPI_COMM_WORLD, [&] {
    require_pointer(packer, "packer");
    delete &valid(*packer);
    *packer = HCL_PACKER_NULL;
  });
}
