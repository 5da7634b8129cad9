// SPDX-License-Identifier: BSD-3-Clause
#include "preload/neighbor/pending.hpp"

#include "mpi/handles/call.hpp"
#include "preload/neighbor/collective.hpp"
#include "preload/neighbor/failures.hpp"
#include "preload/process/tags.hpp"
#include "preload/process/under_way.hpp"

namespace halocline::preload {
namespace {

/// Its request is a generalized one, and frees it.
class Pending final : public Collective {
 public:
  Pending(std::shared_ptr<StreamedComm> comm, Call call, CallBlocks blocks)
      : Collective(std::move(comm), Form::non_blocking, call, std::move(blocks), pending_tag) {
    // No completion may pass us by: it may be one with an error.
    ours_under_way.fetch_add(1, std::memory_order_relaxed);
  }
  ~Pending() override { ours_under_way.fetch_sub(1, std::memory_order_relaxed); }

  /// Gives the request of a new one, which belongs to it from now on.
  static MPI_Request give_away(std::unique_ptr<Pending> pending) {
    HALOCLINE_MPI(Grequest_start, query, release, cancel, pending.get(), &pending->request_);
    const MPI_Request request = pending->request_;
    pending->watch();
    (void)pending.release();
    return request;
  }

 private:
  void tell(int code) noexcept override {
    told_ = code;
    PMPI_Grequest_complete(request_);
  }

  /// Called by MPI when the program completes the request, or asks for it. MPI would raise an error on
  /// MPI_COMM_WORLD.
  static int query(void* self, MPI_Status* status) {
    const auto* const pending = static_cast<const Pending*>(self);
    if (pending->told_ != MPI_SUCCESS) add_failure(pending->request_, pending->told_, pending->comm());
    PMPI_Status_set_elements(status, MPI_BYTE, 0);
    PMPI_Status_set_cancelled(status, 0);
    status->MPI_SOURCE = MPI_UNDEFINED;
    status->MPI_TAG = MPI_UNDEFINED;
    return MPI_SUCCESS;
  }
  static int release(void* pending) {
    delete static_cast<Pending*>(pending);
    return MPI_SUCCESS;
  }
  static int cancel(void* /*pending*/, int /*complete*/) { return MPI_SUCCESS; }  // a collective cannot be

  int told_ = MPI_SUCCESS;
};

}  // namespace

MPI_Request begin(std::shared_ptr<StreamedComm> comm, Call call, CallBlocks blocks) {
  return Pending::give_away(std::make_unique<Pending>(std::move(comm), call, std::move(blocks)));
}

}  // namespace halocline::preload
