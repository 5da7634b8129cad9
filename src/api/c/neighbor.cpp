// SPDX-License-Identifier: BSD-3-Clause
// The C interface of the exchange: neighbourhoods and their operations.

#include "api/c/arguments.hpp"
#include "api/c/error.hpp"
#include "api/c/request_object.hpp"
#include "base/fail.hpp"
#include "base/integers.hpp"
#include "base/numbers.hpp"
#include "base/wide.hpp"
#include "exchange/calls/exchange_cache.hpp"
#include "exchange/neighborhood/neighborhood_state.hpp"
#include "exchange/planning/create.hpp"
#include "halocline/halocline.h"
#include "mpi/datatypes/compiled_type.hpp"
#include "mpi/handles/attribute_cache.hpp"
#include "mpi/handles/handle.hpp"
#include "mpi/handles/threads.hpp"

namespace halocline::api {
namespace {

using mpi::CommCache;

/// A buffer of the caller by its name in the call.
struct Buffer {
  const void* address;
  const char* name;

  void require_own() const {
    require(
        address != MPI_IN_PLACE, "the argument ", name,
        " is MPI_IN_PLACE; the collectives of a neighbourhood need one buffer to send and one to receive");
  }

  /// Where a block lies. `displacement_bytes` is wide because a product may leave 64 bits. A block without
  /// data is anywhere.
  [[nodiscard]] std::byte* place(Wide displacement_bytes, int count, const Layout& layout) const {
    if (count == 0 || layout.size() == 0) displacement_bytes = 0;
    // As a number: the buffer may be MPI_BOTTOM, and what is sent is only read.
    const Wide sum = reinterpret_cast<std::intptr_t>(address) + displacement_bytes;
    const auto place = static_cast<std::intptr_t>(sum);
    if (place != sum)
      fail(Fault::invalid_type, "the argument ", name, ": a block of ", count, " elements whose extent is ",
           layout.extent(), " lies ", to_text(displacement_bytes), " bytes from it; addresses have 64 bits");
    // No data lies in the first page: what would be there was meant relative to a buffer.
    constexpr Wide page = 4096;
    const Wide first = displacement_bytes + layout.true_lb();
    require(address != nullptr || count == 0 || layout.size() == 0 || first <= -page || first >= page,
            "the argument ", name,
            " is a null pointer (or MPI_BOTTOM, but the data is not at absolute addresses)");
    return reinterpret_cast<std::byte*>(place);  // NOLINT(performance-no-int-to-ptr)
  }
};

/// What a side of a call is read into: blocks, for an exchange that is made for them.
struct AsBlocks {
  using Item = Block;
  [[nodiscard]] static Layout type(MPI_Datatype type) { return mpi::committed_layout(type); }
  [[nodiscard]] static const Layout& layout(const Layout& type) { return type; }
  [[nodiscard]] static Block item(std::byte* place, int count, const Layout& type) {
    return {place, type, count};
  }
};
/// Or as they lie in the caller's memory, for one that is there.
struct AsCallerBlocks {
  using Item = exchange::CallerBlock;
  [[nodiscard]] static const mpi::CompiledType& type(MPI_Datatype type) { return mpi::compiled_type(type); }
  [[nodiscard]] static const Layout& layout(const mpi::CompiledType& type) { return type.layout(); }
  [[nodiscard]] static exchange::CallerBlock item(std::byte* place, int count,
                                                  const mpi::CompiledType& type) {
    (void)type.bytes_in_memory(count);  // refuses more than memory can hold
    return {&type, place, count};
  }
};

/// One side of a call: a buffer and what is in it, block by block.
struct Regular {
  const void* buffer;
  int count;
  MPI_Datatype type;

  template <class As>
  void read(const char* name, std::size_t number, std::vector<typename As::Item>& all) const {
    const Buffer whole{buffer, name};
    whole.require_own();
    require(count >= 0, "a block of ", count, " elements; 0 is the least");
    const auto& its_type = As::type(type);
    const Layout& layout = As::layout(its_type);
    for (std::size_t i = 0; i < number; ++i)
      all.push_back(
          As::item(whole.place(Wide{to_count(i)} * count * layout.extent(), count, layout), count, its_type));
  }
};

/// Lists of counts and displacements, in elements, of one type.
struct Irregular {
  const void* buffer;
  const int* counts;
  const MPI_Aint* displacements;
  MPI_Datatype type;

  template <class As>
  void read(const char* name, std::size_t number, std::vector<typename As::Item>& all) const {
    const Buffer whole{buffer, name};
    whole.require_own();
    require_pointer(counts, "counts");
    require_pointer(displacements, "displacements");
    const auto& its_type = As::type(type);
    const Layout& layout = As::layout(its_type);
    for (std::size_t i = 0; i < number; ++i) {
      require(counts[i] >= 0, "block ", i, " has ", counts[i], " elements; 0 is the least");
      all.push_back(As::item(whole.place(Wide{displacements[i]} * layout.extent(), counts[i], layout),
                             counts[i], its_type));
    }
  }
};

/// Lists of counts, displacements in bytes, and types.
struct Mixed {
  const void* buffer;
  const int* counts;
  const MPI_Aint* displacements;
  const MPI_Datatype* types;

  template <class As>
  void read(const char* name, std::size_t number, std::vector<typename As::Item>& all) const {
    const Buffer whole{buffer, name};
    whole.require_own();
    require_pointer(counts, "counts");
    require_pointer(displacements, "displacements");
    require_pointer(types, "types");
    for (std::size_t i = 0; i < number; ++i) {
      require(counts[i] >= 0, "block ", i, " has ", counts[i], " elements; 0 is the least");
      const auto& its_type = As::type(types[i]);
      all.push_back(
          As::item(whole.place(displacements[i], counts[i], As::layout(its_type)), counts[i], its_type));
    }
  }
};

/// Both sides of a call.
template <class As, class Send, class Receive>
void read_sides(std::size_t blocks, Operation operation, const Send& send, const Receive& receive,
                std::vector<typename As::Item>& sent, std::vector<typename As::Item>& received) {
  send.template read<As>("sendbuf", operation == Operation::allgather ? 1 : blocks, sent);
  receive.template read<As>("recvbuf", blocks, received);
}

/// Reads the blocks of both sides; `check` looks at the other arguments first.
template <class Send, class Receive, class Check>
exchange::ReadEnds reader(const Neighborhood& neighborhood, Operation operation, const Send& send,
                          const Receive& receive, const Check& check) {
  const std::size_t blocks = neighborhood.size();
  return [=] {
    check();
    exchange::Ends ends;
    read_sides<AsBlocks>(blocks, operation, send, receive, ends.send, ends.receive);
    return ends;
  };
}

std::shared_ptr<const Neighborhood> neighborhood_on(MPI_Comm comm) {
  mpi::require_intracommunicator(comm);
  auto kept = CommCache<Neighborhood>::find(comm);
  if (!kept)
    fail(Fault::invalid_topology, "the communicator has no neighbourhood; HCL_Neighborhood_create makes one");
  // Threads may use a duplicate at the same time: it gets communicators of its own, when it is first used.
  if (mpi::several_threads() && exchange::Context::known(comm) != state_of(*kept)->context) {
    kept = std::make_shared<const Neighborhood>(comm, kept->offsets());
    CommCache<Neighborhood>::keep(comm, kept);
  }
  return kept;
}

/// Those of the one-call forms on this communicator. A duplicate begins anew: its calls may go
/// along another neighbourhood.
exchange::ExchangeCache& last_plans(MPI_Comm comm) {
  using Cache = mpi::AttributeCache<mpi::CommAttributes, std::shared_ptr<exchange::ExchangeCache>,
                                    mpi::Duplicates::have_none>;
  const auto kept = Cache::find(comm);
  if (kept) return **kept;
  auto made = std::make_shared<exchange::ExchangeCache>();
  Cache::keep(comm, std::make_shared<const std::shared_ptr<exchange::ExchangeCache>>(made));
  return *made;
}

template <class Send, class Receive>
int init(MPI_Comm comm, MPI_Info info, Operation operation, const Send& send, const Receive& receive,
         HCL_Request* request, const char* function = __builtin_FUNCTION()) noexcept {
  return guarded(
      comm,
      [&] {
        const auto neighborhood = neighborhood_on(comm);
        const auto check = [request] { require_pointer(request, "request"); };
        ExchangeOptions options;
        options.info = info;
        auto made = std::make_shared<Exchange>(exchange::create(
            *neighborhood, operation, reader(*neighborhood, operation, send, receive, check), options));
        *request = std::make_unique<HCL_Request_object>(
                       HCL_Request_object{std::move(made), mpi::CommLife(comm), true})
                       .release();
      },
      function);
}

template <class Send, class Receive>
int once(MPI_Comm comm, Operation operation, const Send& send, const Receive& receive,
         const char* function = __builtin_FUNCTION()) noexcept {
  return guarded(
      comm,
      [&] {
        const auto neighborhood = neighborhood_on(comm);
        exchange::ExchangeCache& plans = last_plans(comm);
        exchange::CallerBlocks* callers = &plans.callers();
        callers->send.clear();
        callers->receive.clear();
        try {
          read_sides<AsCallerBlocks>(neighborhood->size(), operation, send, receive, callers->send,
                                     callers->receive);
        } catch (const std::exception&) {
          callers = nullptr;  // the others have to know before it is said why
        }
        plans.call(*neighborhood, operation, callers, reader(*neighborhood, operation, send, receive, [] {}));
      },
      function);
}

template <class Send, class Receive>
int begin(MPI_Comm comm, Operation operation, const Send& send, const Receive& receive, HCL_Request* request,
          const char* function = __builtin_FUNCTION()) noexcept {
  return guarded(
      comm,
      [&] {
        const auto neighborhood = neighborhood_on(comm);
        const auto check = [request] { require_pointer(request, "request"); };
        auto exchange = last_plans(comm).get(*neighborhood, operation,
                                             reader(*neighborhood, operation, send, receive, check));
        auto made =
            std::make_unique<HCL_Request_object>(HCL_Request_object{exchange, mpi::CommLife(comm), false});
        exchange->start();
        *request = made.release();
      },
      function);
}

}  // namespace
}  // namespace halocline::api

using namespace halocline;       // NOLINT(google-build-using-namespace): the C functions cannot be inside
using namespace halocline::api;  // NOLINT(google-build-using-namespace)

int HCL_Neighborhood_create(MPI_Comm comm_cart, int nneighbors, const int offsets[], MPI_Comm* comm) {
  return guarded(comm_cart, [&] {
    const Stencil stencil = agreed_arguments(comm_cart, [&] {
      require_pointer(comm, "comm");
      require_pointer(offsets, "offsets");
      return stencil_of(mpi::grid_of(comm_cart).dimensions(), nneighbors, offsets, nullptr);
    });
    mpi::Comm made;
    if (mpi::several_threads()) HALOCLINE_MPI(Comm_dup, comm_cart, made.put());
    auto neighborhood = std::make_shared<const Neighborhood>(made ? made.get() : comm_cart, stencil);
    if (!made) HALOCLINE_MPI(Comm_dup, comm_cart, made.put());
    CommCache<Neighborhood>::keep(made.get(), std::move(neighborhood));
    *comm = made.release();
  });
}

int HCL_Neighbor_alltoall_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                               int recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
                               HCL_Request* request) {
  return init(comm, info, Operation::alltoall, Regular{sendbuf, sendcount, sendtype},
              Regular{recvbuf, recvcount, recvtype}, request);
}
int HCL_Neighbor_alltoall(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                          int recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
  return once(comm, Operation::alltoall, Regular{sendbuf, sendcount, sendtype},
              Regular{recvbuf, recvcount, recvtype});
}
int HCL_Ineighbor_alltoall(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                           int recvcount, MPI_Datatype recvtype, MPI_Comm comm, HCL_Request* request) {
  return begin(comm, Operation::alltoall, Regular{sendbuf, sendcount, sendtype},
               Regular{recvbuf, recvcount, recvtype}, request);
}

int HCL_Neighbor_alltoallv_init(const void* sendbuf, const int sendcounts[], const MPI_Aint sdispls[],
                                MPI_Datatype sendtype, void* recvbuf, const int recvcounts[],
                                const MPI_Aint rdispls[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
                                HCL_Request* request) {
  return init(comm, info, Operation::alltoall, Irregular{sendbuf, sendcounts, sdispls, sendtype},
              Irregular{recvbuf, recvcounts, rdispls, recvtype}, request);
}
int HCL_Neighbor_alltoallv(const void* sendbuf, const int sendcounts[], const MPI_Aint sdispls[],
                           MPI_Datatype sendtype, void* recvbuf, const int recvcounts[],
                           const MPI_Aint rdispls[], MPI_Datatype recvtype, MPI_Comm comm) {
  return once(comm, Operation::alltoall, Irregular{sendbuf, sendcounts, sdispls, sendtype},
              Irregular{recvbuf, recvcounts, rdispls, recvtype});
}
int HCL_Ineighbor_alltoallv(const void* sendbuf, const int sendcounts[], const MPI_Aint sdispls[],
                            MPI_Datatype sendtype, void* recvbuf, const int recvcounts[],
                            const MPI_Aint rdispls[], MPI_Datatype recvtype, MPI_Comm comm,
                            HCL_Request* request) {
  return begin(comm, Operation::alltoall, Irregular{sendbuf, sendcounts, sdispls, sendtype},
               Irregular{recvbuf, recvcounts, rdispls, recvtype}, request);
}

int HCL_Neighbor_alltoallw_init(const void* sendbuf, const int sendcounts[], const MPI_Aint sdispls[],
                                const MPI_Datatype sendtypes[], void* recvbuf, const int recvcounts[],
                                const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm,
                                MPI_Info info, HCL_Request* request) {
  return init(comm, info, Operation::alltoall, Mixed{sendbuf, sendcounts, sdispls, sendtypes},
              Mixed{recvbuf, recvcounts, rdispls, recvtypes}, request);
}
int HCL_Neighbor_alltoallw(const void* sendbuf, const int sendcounts[], const MPI_Aint sdispls[],
                           const MPI_Datatype sendtypes[], void* recvbuf, const int recvcounts[],
                           const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm) {
  return once(comm, Operation::alltoall, Mixed{sendbuf, sendcounts, sdispls, sendtypes},
              Mixed{recvbuf, recvcounts, rdispls, recvtypes});
}
int HCL_Ineighbor_alltoallw(const void* sendbuf, const int sendcounts[], const MPI_Aint sdispls[],
                            const MPI_Datatype sendtypes[], void* recvbuf, const int recvcounts[],
                            const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm,
                            HCL_Request* request) {
  return begin(comm, Operation::alltoall, Mixed{sendbuf, sendcounts, sdispls, sendtypes},
               Mixed{recvbuf, recvcounts, rdispls, recvtypes}, request);
}

int HCL_Neighbor_allgather_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                                int recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
                                HCL_Request* request) {
  return init(comm, info, Operation::allgather, Regular{sendbuf, sendcount, sendtype},
              Regular{recvbuf, recvcount, recvtype}, request);
}
int HCL_Neighbor_allgather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                           int recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
  return once(comm, Operation::allgather, Regular{sendbuf, sendcount, sendtype},
              Regular{recvbuf, recvcount, recvtype});
}
int HCL_Ineighbor_allgather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                            int recvcount, MPI_Datatype recvtype, MPI_Comm comm, HCL_Request* request) {
  return begin(comm, Operation::allgather, Regular{sendbuf, sendcount, sendtype},
               Regular{recvbuf, recvcount, recvtype}, request);
}

int HCL_Neighbor_allgatherv_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                                 const int recvcounts[], const MPI_Aint rdispls[], MPI_Datatype recvtype,
                                 MPI_Comm comm, MPI_Info info, HCL_Request* request) {
  return init(comm, info, Operation::allgather, Regular{sendbuf, sendcount, sendtype},
              Irregular{recvbuf, recvcounts, rdispls, recvtype}, request);
}
int HCL_Neighbor_allgatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                            const int recvcounts[], const MPI_Aint rdispls[], MPI_Datatype recvtype,
                            MPI_Comm comm) {
  return once(comm, Operation::allgather, Regular{sendbuf, sendcount, sendtype},
              Irregular{recvbuf, recvcounts, rdispls, recvtype});
}
int HCL_Ineighbor_allgatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                             const int recvcounts[], const MPI_Aint rdispls[], MPI_Datatype recvtype,
                             MPI_Comm comm, HCL_Request* request) {
  return begin(comm, Operation::allgather, Regular{sendbuf, sendcount, sendtype},
               Irregular{recvbuf, recvcounts, rdispls, recvtype}, request);
}

int HCL_Neighbor_allgatherw_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                                 const int recvcounts[], const MPI_Aint rdispls[],
                                 const MPI_Datatype recvtypes[], MPI_Comm comm, MPI_Info info,
                                 HCL_Request* request) {
  return init(comm, info, Operation::allgather, Regular{sendbuf, sendcount, sendtype},
              Mixed{recvbuf, recvcounts, rdispls, recvtypes}, request);
}
int HCL_Neighbor_allgatherw(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                            const int recvcounts[], const MPI_Aint rdispls[], const MPI_Datatype recvtypes[],
                            MPI_Comm comm) {
  return once(comm, Operation::allgather, Regular{sendbuf, sendcount, sendtype},
              Mixed{recvbuf, recvcounts, rdispls, recvtypes});
}
int HCL_Ineighbor_allgatherw(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                             const int recvcounts[], const MPI_Aint rdispls[], const MPI_Datatype recvtypes[],
                             MPI_Comm comm, HCL_Request* request) {
  return begin(comm, Operation::allgather, Regular{sendbuf, sendcount, sendtype},
               Mixed{recvbuf, recvcounts, rdispls, recvtypes}, request);
}
