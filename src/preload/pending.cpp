#include "preload/pending.hpp"

#include "halocline/base/error.hpp"
#include "mpi/call.hpp"
#include "preload/messages.hpp"
#include "preload/system.hpp"
#include "preload/under_way.hpp"

#include <algorithm>

namespace halocline::preload {
namespace {

constexpr int pending_tag = 1;

struct Pending {
  std::shared_ptr<Links> links;
  std::vector<Cargo> out, in;
  Messages messages;
  int code;
  MPI_Request request = MPI_REQUEST_NULL;
  bool complete = false;

  Pending(std::shared_ptr<Links> its_links, Call call, std::vector<Cargo> its_out, std::vector<Cargo> its_in)
      : links(std::move(its_links)),
        out(std::move(its_out)),
        in(std::move(its_in)),
        messages(*links, call, out, in, Streams::avoid, pending_tag),
        code(copy_own(*links, call, out, in)) {}

  /// True once it is complete. With `block`, waits for a message. Called from inside MPI, which must not see
  /// exceptions.
  bool advance(bool block = false) noexcept {
    if (complete) return true;
    try {
      if (!messages.advance(block)) return false;
    } catch (const Error& error) {
      code = error.mpi_code() != 0 ? error.mpi_code() : MPI_ERR_INTERN;
    } catch (...) {
      code = MPI_ERR_NO_MEM;
    }
    if (code == MPI_SUCCESS) code = messages.code();
    complete = true;
    PMPI_Grequest_complete(request);
    return true;
  }
};

int query(void* pending, MPI_Status* status) {
  PMPI_Status_set_elements(status, MPI_BYTE, 0);
  PMPI_Status_set_cancelled(status, 0);
  status->MPI_SOURCE = MPI_UNDEFINED;
  status->MPI_TAG = MPI_UNDEFINED;
  return static_cast<Pending*>(pending)->code;
}

int release(void* pending) {
  delete static_cast<Pending*>(pending);
  return MPI_SUCCESS;
}

int cancel(void* /*pending*/, int /*complete*/) { return MPI_SUCCESS; }  // a collective cannot be

std::vector<Pending*>& under_way() {
  static std::vector<Pending*> all;
  return all;
}

#if defined(OPEN_MPI)

/// Open MPI calls registered functions whenever it makes progress, whatever the program waits for.
using Register = int(int (*)());
Register* registration() {
  static const auto function = reinterpret_cast<Register*>(system_function("opal_progress_register"));
  return function;
}

int progress() {
  static bool inside = false;  // testing messages makes progress again
  std::vector<Pending*>& all = under_way();
  if (all.empty() || inside) return 0;
  inside = true;
  const std::size_t before = all.size();
  std::erase_if(all, [](Pending* pending) { return pending->advance(); });
  inside = false;
  return static_cast<int>(before - all.size());
}

void watch(Pending& pending) {
  static const bool registered = registration()(progress) == 0;
  if (!registered) throw Error(Fault::mpi, "no part in the progress of Open MPI", MPI_ERR_INTERN);
  under_way().push_back(&pending);
}

#else

void watch(Pending& pending) {
  under_way().push_back(&pending);
  ours_under_way.fetch_add(1, std::memory_order_relaxed);
}

/// Returns the place of the next one.
std::vector<Pending*>::iterator leave(std::vector<Pending*>::iterator done) {
  ours_under_way.fetch_sub(1, std::memory_order_relaxed);
  return under_way().erase(done);
}

auto find(MPI_Request request) {
  return std::find_if(under_way().begin(), under_way().end(),
                      [&](const Pending* pending) { return pending->request == request; });
}

#endif

}  // namespace

MPI_Request begin(std::shared_ptr<Links> links, Call call, std::vector<Cargo> out, std::vector<Cargo> in) {
  auto pending = std::make_unique<Pending>(std::move(links), call, std::move(out), std::move(in));
  HALOCLINE_MPI(Grequest_start, query, release, cancel, pending.get(), &pending->request);
  const MPI_Request request = pending->request;
  if (!pending->advance()) watch(*pending);
  (void)pending.release();  // freed with the request
  return request;
}

#if defined(OPEN_MPI)

bool can_be_pending() { return registration() != nullptr; }
void advance_pending() noexcept {}
void finish_pending(MPI_Request /*request*/) noexcept {}
bool any_pending(int /*count*/, const MPI_Request* /*requests*/) noexcept { return false; }

#else

bool can_be_pending() { return true; }

void advance_pending() noexcept {
  for (auto one = under_way().begin(); one != under_way().end();)
    one = (*one)->advance() ? leave(one) : one + 1;
}

void finish_pending(MPI_Request request) noexcept {
  const auto found = find(request);
  if (found == under_way().end()) return;
  while (!(*found)->advance(true)) {
  }
  leave(found);
}

bool any_pending(int count, const MPI_Request* requests) noexcept {
  return count > 0 && std::any_of(requests, requests + count,
                                  [](MPI_Request request) { return find(request) != under_way().end(); });
}

#endif

}  // namespace halocline::preload
