// Neighbourhood collectives under way, as requests of MPI that the program waits for by any of MPI's calls.
//
// All that a started one still needs lies with MPI: its messages are posted. What is left is to unpack them
// when they have come, which is done from inside MPI's own progress, so that no waiting or testing call has
// to be intercepted.
#pragma once

#include "preload/cargo.hpp"
#include "preload/links.hpp"

#include <memory>
#include <vector>

namespace halocline::preload {

/// Can this MPI call us while it makes progress? Open MPI can. MPICH has requests that it asks
/// (MPIX_Grequest_start), but lists of them and others were seen never to complete: there non-blocking
/// collectives are the system's.
[[nodiscard]] bool can_be_pending();

/// Starts what swap() does, and returns at once. Throws Error{mpi}. @pre can_be_pending()
[[nodiscard]] MPI_Request begin(std::shared_ptr<Links> links, Call call, std::vector<Cargo> out,
                                std::vector<Cargo> in);

}  // namespace halocline::preload
