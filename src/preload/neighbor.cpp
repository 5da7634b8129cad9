// The neighbourhood collectives: MPI_Neighbor_ and MPI_Ineighbor_ alltoall(v,w), allgather(v).

#include "compile/address.hpp"
#include "halocline/base/error.hpp"
#include "mpi/call.hpp"
#include "preload/journal.hpp"
#include "preload/links.hpp"
#include "preload/pending.hpp"
#include "preload/swap.hpp"
#include "preload/system.hpp"
#include "preload/takeover.hpp"

namespace halocline::preload {
namespace {

MPI_Aint extent_of(MPI_Datatype type) {
  MPI_Aint lb = 0, extent = 0;
  HALOCLINE_MPI(Type_get_extent, type, &lb, &extent);
  return extent;
}

const void* at(const void* buffer, Count offset) {
  return compile::at(static_cast<const std::byte*>(buffer), offset);
}

// One side of a call: block(i) is its cargo. Types of empty blocks are not looked at.

struct Equal {
  const void* buffer;
  int count;
  MPI_Datatype type;
  [[nodiscard]] Cargo block(std::size_t i) const {
    if (count == 0) return {};
    return {at(buffer, static_cast<Count>(i) * count * extent_of(type)), count, type};
  }
};

/// The same block for everyone.
struct Single {
  const void* buffer;
  int count;
  MPI_Datatype type;
  [[nodiscard]] Cargo block(std::size_t /*i*/) const {
    return count == 0 ? Cargo() : Cargo(buffer, count, type);
  }
};

struct Varying {
  const void* buffer;
  const int* counts;
  const int* places;
  MPI_Datatype type;
  [[nodiscard]] Cargo block(std::size_t i) const {
    if (counts[i] == 0) return {};
    return {at(buffer, Count{places[i]} * extent_of(type)), counts[i], type};
  }
};

struct Mixed {
  const void* buffer;
  const int* counts;
  const MPI_Aint* places;
  const MPI_Datatype* types;
  [[nodiscard]] Cargo block(std::size_t i) const {
    if (counts[i] == 0) return {};
    return {at(buffer, places[i]), counts[i], types[i]};
  }
};

/// Nothing for neighbours beyond an open border: their blocks are not touched.
template <class Side>
std::vector<Cargo> cargo_of(const Side& side, const std::vector<int>& neighbors) {
  std::vector<Cargo> all(neighbors.size());
  for (std::size_t i = 0; i < all.size(); ++i)
    if (neighbors[i] != MPI_PROC_NULL) all[i] = side.block(i);
  return all;
}

bool has_topology(MPI_Comm comm) {
  if (comm == MPI_COMM_NULL) return false;
  int topology = MPI_UNDEFINED;
  return PMPI_Topo_test(comm, &topology) == MPI_SUCCESS && topology != MPI_UNDEFINED;
}

/// Those of the communicator; null if it has none that can be used. They are made by the first call that may
/// wait for the other processes. All processes of the communicator get the same answer.
std::shared_ptr<Links>* links_of(MPI_Comm comm, bool may_wait, Tally& tally) {
  const auto left = [&](const char* why) {
    tally.leave(why);
    return nullptr;
  };
  if (comm == MPI_COMM_NULL) return left("no communicator");
  std::shared_ptr<Links>* found = Links::find(comm);
  if (found == nullptr) {
    if (!has_topology(comm)) return left("no topology");
    if (!may_wait) return left("nothing is known of the communicator yet");
    Links::make(comm);
    found = Links::find(comm);
  }
  return (*found)->usable() ? found : left((*found)->why_not());
}

int report(MPI_Comm comm, int code) {
  if (code != MPI_SUCCESS) PMPI_Comm_call_errhandler(comm, code);
  return code;
}

int code_of(const Error& error) { return error.mpi_code() != 0 ? error.mpi_code() : MPI_ERR_INTERN; }

/// Arguments that make no sense are left to the system, which says so.
template <class Work, class System>
int guarded(MPI_Comm comm, Tally& tally, const Work& work, const System& system) noexcept {
  try {
    return report(comm, work());
  } catch (const Error& error) {
    if (error.fault() != Fault::mpi) {
      tally.leave("wrong arguments");
      return system();
    }
    return report(comm, code_of(error));
  } catch (const std::exception&) {
    return report(comm, MPI_ERR_NO_MEM);
  }
}

template <class Send, class Receive, class System>
int run(Tally& tally, Call call, const Send& send, const Receive& receive, MPI_Comm comm,
        const System& system) {
  std::shared_ptr<Links>* const links = links_of(comm, true, tally);
  if (links == nullptr || send.buffer == MPI_IN_PLACE) return system();
  return guarded(
      comm, tally,
      [&] {
        std::vector<Cargo> out = cargo_of(send, (*links)->neighbors().targets);
        std::vector<Cargo> in = cargo_of(receive, (*links)->neighbors().sources);
        tally.take();
        return swap(**links, call, out, in);
      },
      system);
}

template <class Send, class Receive, class System>
int start(Tally& tally, Call call, const Send& send, const Receive& receive, MPI_Comm comm,
          MPI_Request* request, const System& system) {
  std::shared_ptr<Links>* const links = links_of(comm, false, tally);
  if (links == nullptr || request == nullptr || send.buffer == MPI_IN_PLACE) return system();
  return guarded(
      comm, tally,
      [&] {
        std::vector<Cargo> out = cargo_of(send, (*links)->neighbors().targets);
        std::vector<Cargo> in = cargo_of(receive, (*links)->neighbors().sources);
        tally.take();
        *request = begin(*links, call, std::move(out), std::move(in));
        return MPI_SUCCESS;
      },
      system);
}

}  // namespace

int neighbor_alltoall(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                      MPI_Datatype recvtype, MPI_Comm comm) {
  static Tally tally("MPI_Neighbor_alltoall");
  return run(tally, Call::alltoall, Equal{sendbuf, sendcount, sendtype}, Equal{recvbuf, recvcount, recvtype},
             comm, [&] {
               return HALOCLINE_SYSTEM(Neighbor_alltoall)(sendbuf, sendcount, sendtype, recvbuf, recvcount,
                                                          recvtype, comm);
             });
}
int ineighbor_alltoall(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                       int recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Request* request) {
  static Tally tally("MPI_Ineighbor_alltoall");
  return start(tally, Call::ialltoall, Equal{sendbuf, sendcount, sendtype},
               Equal{recvbuf, recvcount, recvtype}, comm, request, [&] {
                 return HALOCLINE_SYSTEM(Ineighbor_alltoall)(sendbuf, sendcount, sendtype, recvbuf, recvcount,
                                                             recvtype, comm, request);
               });
}

int neighbor_alltoallv(const void* sendbuf, const int sendcounts[], const int sdispls[],
                       MPI_Datatype sendtype, void* recvbuf, const int recvcounts[], const int rdispls[],
                       MPI_Datatype recvtype, MPI_Comm comm) {
  static Tally tally("MPI_Neighbor_alltoallv");
  return run(tally, Call::alltoallv, Varying{sendbuf, sendcounts, sdispls, sendtype},
             Varying{recvbuf, recvcounts, rdispls, recvtype}, comm, [&] {
               return HALOCLINE_SYSTEM(Neighbor_alltoallv)(sendbuf, sendcounts, sdispls, sendtype, recvbuf,
                                                           recvcounts, rdispls, recvtype, comm);
             });
}
int ineighbor_alltoallv(const void* sendbuf, const int sendcounts[], const int sdispls[],
                        MPI_Datatype sendtype, void* recvbuf, const int recvcounts[], const int rdispls[],
                        MPI_Datatype recvtype, MPI_Comm comm, MPI_Request* request) {
  static Tally tally("MPI_Ineighbor_alltoallv");
  return start(tally, Call::ialltoallv, Varying{sendbuf, sendcounts, sdispls, sendtype},
               Varying{recvbuf, recvcounts, rdispls, recvtype}, comm, request, [&] {
                 return HALOCLINE_SYSTEM(Ineighbor_alltoallv)(sendbuf, sendcounts, sdispls, sendtype, recvbuf,
                                                              recvcounts, rdispls, recvtype, comm, request);
               });
}

int neighbor_alltoallw(const void* sendbuf, const int sendcounts[], const MPI_Aint sdispls[],
                       const MPI_Datatype sendtypes[], void* recvbuf, const int recvcounts[],
                       const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm) {
  static Tally tally("MPI_Neighbor_alltoallw");
  return run(tally, Call::alltoallw, Mixed{sendbuf, sendcounts, sdispls, sendtypes},
             Mixed{recvbuf, recvcounts, rdispls, recvtypes}, comm, [&] {
               return HALOCLINE_SYSTEM(Neighbor_alltoallw)(sendbuf, sendcounts, sdispls, sendtypes, recvbuf,
                                                           recvcounts, rdispls, recvtypes, comm);
             });
}
int ineighbor_alltoallw(const void* sendbuf, const int sendcounts[], const MPI_Aint sdispls[],
                        const MPI_Datatype sendtypes[], void* recvbuf, const int recvcounts[],
                        const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm,
                        MPI_Request* request) {
  static Tally tally("MPI_Ineighbor_alltoallw");
  return start(tally, Call::ialltoallw, Mixed{sendbuf, sendcounts, sdispls, sendtypes},
               Mixed{recvbuf, recvcounts, rdispls, recvtypes}, comm, request, [&] {
                 return HALOCLINE_SYSTEM(Ineighbor_alltoallw)(sendbuf, sendcounts, sdispls, sendtypes,
                                                              recvbuf, recvcounts, rdispls, recvtypes, comm,
                                                              request);
               });
}

int neighbor_allgather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                       int recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
  static Tally tally("MPI_Neighbor_allgather");
  return run(tally, Call::alltoall, Single{sendbuf, sendcount, sendtype}, Equal{recvbuf, recvcount, recvtype},
             comm, [&] {
               return HALOCLINE_SYSTEM(Neighbor_allgather)(sendbuf, sendcount, sendtype, recvbuf, recvcount,
                                                           recvtype, comm);
             });
}
int ineighbor_allgather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                        int recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Request* request) {
  static Tally tally("MPI_Ineighbor_allgather");
  return start(tally, Call::ialltoall, Single{sendbuf, sendcount, sendtype},
               Equal{recvbuf, recvcount, recvtype}, comm, request, [&] {
                 return HALOCLINE_SYSTEM(Ineighbor_allgather)(sendbuf, sendcount, sendtype, recvbuf,
                                                              recvcount, recvtype, comm, request);
               });
}

int neighbor_allgatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                        const int recvcounts[], const int displs[], MPI_Datatype recvtype, MPI_Comm comm) {
  static Tally tally("MPI_Neighbor_allgatherv");
  return run(tally, Call::alltoall, Single{sendbuf, sendcount, sendtype},
             Varying{recvbuf, recvcounts, displs, recvtype}, comm, [&] {
               return HALOCLINE_SYSTEM(Neighbor_allgatherv)(sendbuf, sendcount, sendtype, recvbuf, recvcounts,
                                                            displs, recvtype, comm);
             });
}
int ineighbor_allgatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                         const int recvcounts[], const int displs[], MPI_Datatype recvtype, MPI_Comm comm,
                         MPI_Request* request) {
  static Tally tally("MPI_Ineighbor_allgatherv");
  return start(tally, Call::ialltoall, Single{sendbuf, sendcount, sendtype},
               Varying{recvbuf, recvcounts, displs, recvtype}, comm, request, [&] {
                 return HALOCLINE_SYSTEM(Ineighbor_allgatherv)(sendbuf, sendcount, sendtype, recvbuf,
                                                               recvcounts, displs, recvtype, comm, request);
               });
}

}  // namespace halocline::preload
