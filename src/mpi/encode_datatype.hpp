// From a Layout to an MPI datatype of the same bytes.
#pragma once

#include "halocline/describe/layout.hpp"
#include "mpi/handle.hpp"

namespace halocline::mpi {

/// A datatype, not committed, that names the same bytes in the same order; its elements are bytes, its bounds
/// those of the layout. Throws Error{unsupported} for a count past 2^31 - 1.
[[nodiscard]] Datatype encode_datatype(const Layout& layout);

}  // namespace halocline::mpi
