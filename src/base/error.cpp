// SPDX-License-Identifier: BSD-3-Clause
#include "halocline/base/error.hpp"

namespace halocline {

Error::Error(Fault fault, const std::string& message, int mpi_code)
    : std::runtime_error(message), fault_(fault), mpi_code_(mpi_code) {}

// Here, so that its type is the same for the library and for the programs that catch it.
Error::~Error() = default;

}  // namespace halocline
