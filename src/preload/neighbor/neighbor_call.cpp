// SPDX-License-Identifier: BSD-3-Clause
#include "preload/neighbor/neighbor_call.hpp"

#include "base/fail.hpp"
#include "base/numbers.hpp"
#include "compile/kernels/address.hpp"
#include "mpi/datatypes/compiled_type.hpp"
#include "mpi/handles/call.hpp"
#include "preload/process/comm_attribute.hpp"
#include "preload/process/settings.hpp"
#include "preload/process/tags.hpp"
#include "preload/types/packers.hpp"

#include <limits>

namespace halocline::preload {
namespace {

/// Blocking calls on a communicator that are left to the system before streams are set up.
constexpr int calls_before_streams = 2;

/// What is known of a communicator without streams.
struct Calls {
  int so_far = 0;
  bool all_take_part = false;
};

Calls& calls_on(MPI_Comm comm) {
  if (CommAttribute<Calls>::find(comm) == nullptr)
    CommAttribute<Calls>::keep(comm, std::make_shared<Calls>(Calls{0, is_known_to_be_connected(comm)}));
  return **CommAttribute<Calls>::find(comm);
}

}  // namespace

bool has_topology(MPI_Comm comm) {
  if (comm == MPI_COMM_NULL) return false;
  int topology = MPI_UNDEFINED;
  return PMPI_Topo_test(comm, &topology) == MPI_SUCCESS && topology != MPI_UNDEFINED;
}

MPI_Aint extent_of(MPI_Datatype type) {
  MPI_Aint lb = 0, extent = 0;
  HALOCLINE_MPI(Type_get_extent, type, &lb, &extent);
  return extent;
}

Count bytes_of(int count, MPI_Datatype type) {
  if (count <= 0 || type == MPI_DATATYPE_NULL) return 0;
  MPI_Count size = 0;
  HALOCLINE_MPI(Type_size_x, type, &size);
  return Count{size} * count;
}

const void* at(const void* buffer, Count offset) {
  return compile::at(static_cast<const std::byte*>(buffer), offset);
}

std::shared_ptr<StreamedComm>* streamed_comm_of(MPI_Comm comm, Form form, Tally& tally, Count bytes) {
  const auto left = [&](const char* why) {
    tally.leave(why, bytes);
    return nullptr;
  };
  if (comm == MPI_COMM_NULL) return left("no communicator");
  std::shared_ptr<StreamedComm>* found = StreamedComm::find(comm);
  if (found == nullptr) {
    if (!has_topology(comm)) return left("no topology");
    Calls& made = calls_on(comm);
    if (!made.all_take_part) return left("a graph that others may leave out");
    if (form == Form::non_blocking)
      return left("a non-blocking call comes first; HALOCLINE_NEIGHBOR=eager helps");
    // The same on all processes, which make the same calls.
    if (form == Form::blocking && made.so_far++ < calls_before_streams)
      return left("the first calls on a communicator");
    StreamedComm::make(comm, comm);
    found = StreamedComm::find(comm);
  }
  if (const char* const why_not = (*found)->why_not(form)) return left(why_not);
  if (form == Form::blocking) (*found)->streams().use_memory();
  return found;
}

void prepare_streams(MPI_Comm comm, MPI_Comm parent) noexcept {
  if (comm == MPI_COMM_NULL) return;
  try {
    StreamedComm::make(comm, parent);
  } catch (const std::exception& error) {
    note(concat("a communicator is left to MPI: ", error.what()));
  }
}

BlockStream block_at(const void* address, Count count, MPI_Datatype type) {
  require(count >= 0, "a count of ", count);
  std::optional<compile::Packer> known = packer(type, count);
  if (!known) {
    if (!mpi::is_committed(type)) fail(Fault::invalid_type, "a datatype that MPI does not take");
    return {address, count, type};
  }
  const Whereabouts where = whereabouts(address, count, type);
  if (where.out_of_reach) return {address, count, type};
  if (where.device != nullptr) {
    BlockStream block(address, *std::move(known));
    block.put_on(*where.device);
    return block;
  }
  if (known->contiguous() || !is_moved_well_by_mpi(type, count) || count > std::numeric_limits<int>::max())
    return {address, *std::move(known)};
  // What is sent is only read. NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast)
  auto* const written = static_cast<std::byte*>(const_cast<void*>(address));
  return {address, *std::move(known), BlockStream::InPlace{written, to_int(count), type}};
}

int exchange_now(StreamedComm& comm, Call call, CallBlocks blocks) {
  exchange::StreamCall now(comm.streams(), blocks.out(), blocks.in(),
                           comm.options(Form::blocking, call, blocking_tag));
  blocks.collect();
  comm.start(now);
  now.copy_own();
  now.wait();
  blocks.distribute();
  return now.code();
}

int report(MPI_Comm comm, int code) {
  if (code != MPI_SUCCESS) PMPI_Comm_call_errhandler(comm, code);
  return code;
}

int code_of(const Error& error) { return error.mpi_code() != 0 ? error.mpi_code() : MPI_ERR_INTERN; }

}  // namespace halocline::preload
