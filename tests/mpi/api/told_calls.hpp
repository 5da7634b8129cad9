// What settings lead to: calls whose results and refusals are compared as text, with a setting on some
// processes.
#pragma once

#include "base/fail.hpp"
#include "halocline/halocline.h"
#include "halocline/halocline.hpp"
#include "mpi/communicators/cart_comm.hpp"
#include "support/scope.hpp"

#include <functional>
#include <string>
#include <vector>

namespace halocline {

/// What a call led to, as text: the same on all processes that went the same way.
inline std::string told(const std::function<std::string()>& call) {
  try {
    return call() + "\n";
  } catch (const Error& error) {
    return concat("refused: ", error.what(), "\n");
  }
}

/// The same for calls of the C interface.
class Calls {
 public:
  void operator()(int code) {
    if (code == MPI_SUCCESS) return;
    std::string text(MPI_MAX_ERROR_STRING, '\0');
    int length = 0;
    HCL_Error_string(code, text.data(), &length);
    throw Error(Fault::internal, text.substr(0, static_cast<std::size_t>(length)));
  }
};

/// A ring of all processes that does not depend on any setting.
inline mpi::Comm ring(MPI_Comm comm) {
  mpi::Comm cart = mpi::create_cart(comm, Grid({mpi::size(comm)}, {true}), Cell{mpi::rank(comm)});
  MPI_Comm_set_errhandler(cart.get(), MPI_ERRORS_RETURN);
  return cart;
}

/// What rank 0 has, on all.
inline std::string text_of_first(const std::string& mine) { return mpi::broadcast(MPI_COMM_WORLD, mine); }

/// One process alone, and all but one.
inline std::vector<std::function<bool(int)>> choices() {
  const int last = world_size() - 1;
  std::vector<std::function<bool(int)>> all{[](int rank) { return rank == 0; },
                                            [](int rank) { return rank != 0; }};
  if (last > 1) {
    all.emplace_back([last](int rank) { return rank == last; });
    all.emplace_back([last](int rank) { return rank != last; });
  }
  return all;
}

}  // namespace halocline
