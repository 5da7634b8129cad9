// hardened_process: one process may not read the memory of others, as in some containers. Long blocks arrive
// all the same, and nobody waits for ever; they also do if it is forbidden when the exchange is already
// there: then that process gets an error, and the others go on.

#include "compile/refuse_system_call.hpp"
#include "exchange/scattered_block.hpp"
#include "halocline/base/error.hpp"

#include <cstdio>
#include <cstring>

#include <mpi.h>

namespace {

using namespace halocline;

constexpr Count bytes = 100'000;

bool forbid() { return refuse_system_call(SYS_process_vm_readv, 0, 0, EPERM); }

struct Pair {
  std::vector<std::byte> sent, received;
  int rank, size;
  Exchange exchange;

  static Exchange made(MPI_Comm comm, std::vector<std::byte>& sent, std::vector<std::byte>& received) {
    const Layout byte = Layout::named(Elementary::byte);
    const Block out{sent.data(), byte, bytes}, in{received.data(), byte, bytes};
    return Exchange::alltoall(Neighborhood(comm, Stencil::parse("1", 1)), {&out, 1}, {&in, 1});
  }
  explicit Pair(MPI_Comm comm) : sent(bytes), received(bytes), exchange(made(comm, sent, received)) {
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    for (Count i = 0; i < bytes; ++i) sent[static_cast<std::size_t>(i)] = content(rank, 0, i, 0);
  }
  bool run() {
    exchange.start();
    exchange.wait();
    for (Count i = 0; i < bytes; ++i)
      if (received[static_cast<std::size_t>(i)] != content((rank + size - 1) % size, 0, i, 0)) return false;
    return true;
  }
};

MPI_Comm ring() {
  int size = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int periodic = 1;
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &periodic, 0, &comm);
  return comm;
}

/// Gets an error as soon as it is forbidden, if that matters to it.
bool is_told(Pair& pair) {
  try {
    return pair.run();
  } catch (const Error& error) {
    return pair.rank == 0 && std::strstr(error.what(), "could be read") != nullptr;
  }
}

}  // namespace

int main(int count, char** words) {
  MPI_Init(&count, &words);
  const bool late = count > 1 && std::strcmp(words[1], "late") == 0;
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  bool ok = true;
  {
    MPI_Comm comm = ring();
    if (!late && rank == 0) ok = forbid();
    Pair pair(comm);
    ok = ok && pair.run();
    if (late) {
      if (rank == 0) ok = ok && forbid();
      ok = ok && is_told(pair);
    }
    MPI_Comm_free(&comm);
  }
  int all_ok = 0, mine = ok ? 1 : 0;
  MPI_Allreduce(&mine, &all_ok, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  if (rank == 0) std::puts(all_ok != 0 ? "ok" : "wrong");
  MPI_Finalize();
  return all_ok != 0 ? 0 : 1;
}
