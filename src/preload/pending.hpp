// Neighbourhood collectives under way, as requests of MPI that the program waits for by any of MPI's calls.
//
// All that a started one still needs lies with MPI: its messages are posted, and the other processes wait for
// nothing else. What is left is to unpack them when they have come. Open MPI calls us whenever it makes
// progress, whatever the program waits for; with other MPIs the calls that complete requests do it.
#pragma once

#include "preload/cargo.hpp"
#include "preload/links.hpp"

#include <memory>
#include <vector>

namespace halocline::preload {

/// Is there a way to move them?
[[nodiscard]] bool can_be_pending();

/// Starts what swap() does, and returns at once. Throws Error{mpi}. @pre can_be_pending()
[[nodiscard]] MPI_Request begin(std::shared_ptr<Links> links, Call call, std::vector<Cargo> out,
                                std::vector<Cargo> in);

// For calls that complete requests. With Open MPI there is never anything to do.

/// Unpacks what has come for any collective under way.
void advance_pending() noexcept;
/// Waits until it is complete, if the request is that of a collective under way.
void finish_pending(MPI_Request request) noexcept;
/// Is one of the requests that of a collective under way?
[[nodiscard]] bool any_pending(int count, const MPI_Request* requests) noexcept;

}  // namespace halocline::preload
