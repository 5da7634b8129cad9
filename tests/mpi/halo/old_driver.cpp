// old_driver DRIVER: fields of a process that has opened a driver of GPUs which the library cannot use. Those
// of the host are exchanged; what lies elsewhere is refused, since the host would read there.

#include "halocline/base/error.hpp"
#include "halocline/halo/field.hpp"
#include "halocline/halo/halo.hpp"
#include "mpi/handles/comm.hpp"

#include <cstdio>
#include <string>

#include <dlfcn.h>
#include <sys/mman.h>

namespace {

using namespace halocline;

/// Addresses that mean nothing to the processor, as those of a GPU.
FieldView elsewhere(const Cart& cart) {
  void* const memory =
      mmap(nullptr, std::size_t{1} << 20u, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  const Counts extents = cart.decomposition()->box(cart.cell()).extents;
  return view(memory, Layout::named(Elementary::double_), {extents[0] + 2, extents[1] + 2},
              HaloWidths({1, 1}), Layout::Order::c);
}

/// What is said against it; empty if nothing is.
template <class Call>
std::string refusal_of(const Call& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

bool expect(bool fine, const std::string& what) {
  if (!fine) std::fprintf(stderr, "old_driver: %s\n", what.c_str());
  return fine;
}

bool all_is_said(const char* driver) {
  const Cart cart(MPI_COMM_WORLD, Mesh({4 * mpi::size(MPI_COMM_WORLD), 6}, {true, true}),
                  Stencil::moore(2, 1));
  if (!expect(dlopen(driver, RTLD_NOW | RTLD_LOCAL) != nullptr, "no driver to open")) return false;
  const Field<double, 2> host(cart, {.halo = HaloWidths({1, 1})});
  const std::string of_host = refusal_of([&] { Halo(cart, host).verify(); });
  const std::string of_other = refusal_of([&] { Halo(cart, HaloSlots{elsewhere(cart)}).exchange(); });
  const bool takes_host = expect(of_host.empty(), "a field of the host: " + of_host);
  return expect(of_other.find("has version 8000") != std::string::npos, "of no host: " + of_other) &&
         takes_host;
}

}  // namespace

int main(int arguments, char** words) {
  MPI_Init(&arguments, &words);
  const bool fine = arguments == 2 && all_is_said(words[1]);
  MPI_Finalize();
  return fine ? 0 : 1;
}
