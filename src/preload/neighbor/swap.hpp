// One blocking neighbourhood collective.
#pragma once

#include "preload/neighbor/cargo.hpp"
#include "preload/neighbor/links.hpp"

#include <span>

namespace halocline::preload {

/// Block i of `out` goes to target i, block i of `in` comes from source i. Returns MPI_SUCCESS, or
/// MPI_ERR_TRUNCATE if a block that came was longer than the one that was expected; a shorter one leaves the
/// rest as it is. Throws Error{mpi}.
[[nodiscard]] int swap(Links& links, Call call, std::span<Cargo> out, std::span<Cargo> in);

}  // namespace halocline::preload
