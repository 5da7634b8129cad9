// The C interface of packing.

#include "api/c/error.hpp"
#include "compile/part_range.hpp"
#include "halocline/compile/packer.hpp"
#include "halocline/halocline.h"
#include "mpi/compiled_type.hpp"
#include "mpi/engine_choice.hpp"

#include <vector>

struct HCL_Packer_object {
  halocline::compile::Packer packer;
  bool absolute;  ///< All its data lies at addresses: it needs no buffer.
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

/// No data lies in the first page: what would be there was meant relative to a buffer.
bool is_absolute(Count offset) {
  constexpr Count page = 4096;
  return offset <= -page || offset >= page;
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
      absolute = absolute && is_absolute(part.offset + part.layout.true_lb());
  }
  return {mpi::chosen_engine(info).packer(parts), absolute};
}

}  // namespace
}  // namespace halocline::api

using namespace halocline;       // NOLINT(google-build-using-namespace): the C functions cannot be inside
using namespace halocline::api;  // NOLINT(google-build-using-namespace)

int HCL_Pack(const void* inbuf, MPI_Count incount, MPI_Datatype datatype, void* outbuf, MPI_Count outsize,
             MPI_Count* position, MPI_Comm comm) {
  return guarded(comm, [&] {
    require_communicator(comm);
    require_count(incount, "incount");
    const mpi::CompiledType& type = mpi::compiled_type(datatype);
    const Count bytes = type.bytes(incount);
    type.require_memory(incount);
    require_room(outbuf, "outbuf", outsize, "outsize", position, bytes);
    require_data(inbuf, "inbuf", is_absolute(type.layout().true_lb()), bytes);
    type.pack(as_bytes(inbuf), incount, as_bytes(outbuf) + *position);
    *position += bytes;
  });
}

int HCL_Unpack(const void* inbuf, MPI_Count insize, MPI_Count* position, void* outbuf, MPI_Count outcount,
               MPI_Datatype datatype, MPI_Comm comm) {
  return guarded(comm, [&] {
    require_communicator(comm);
    require_count(outcount, "outcount");
    const mpi::CompiledType& type = mpi::compiled_type(datatype);
    const Count bytes = type.bytes(outcount);
    type.require_memory(outcount);
    require_room(inbuf, "inbuf", insize, "insize", position, bytes);
    require_data(outbuf, "outbuf", is_absolute(type.layout().true_lb()), bytes);
    type.unpack(as_bytes(inbuf) + *position, as_bytes(outbuf), outcount);
    *position += bytes;
  });
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
  return guarded(MPI_COMM_WORLD, [&] {
    const auto& [code, absolute] = valid(packer);
    require_room(outbuf, "outbuf", outsize, "outsize", position, code.bytes());
    require_data(inbuf, "inbuf", absolute, code.bytes());
    code.pack(as_bytes(inbuf), as_bytes(outbuf) + *position);
    *position += code.bytes();
  });
}

int HCL_Packer_unpack(HCL_Packer packer, const void* inbuf, MPI_Count insize, MPI_Count* position,
                      void* outbuf) {
  return guarded(MPI_COMM_WORLD, [&] {
    const auto& [code, absolute] = valid(packer);
    require_room(inbuf, "inbuf", insize, "insize", position, code.bytes());
    require_data(outbuf, "outbuf", absolute, code.bytes());
    code.unpack(as_bytes(inbuf) + *position, as_bytes(outbuf));
    *position += code.bytes();
  });
}

int HCL_Packer_free(HCL_Packer* packer) {
  return guarded(MPI_COMM_WORLD, [&] {
    require_pointer(packer, "packer");
    delete &valid(*packer);
    *packer = HCL_PACKER_NULL;
  });
}
