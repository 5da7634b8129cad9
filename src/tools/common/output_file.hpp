// SPDX-License-Identifier: BSD-3-Clause
// The files that options of the tool ask for.
#pragma once

#include <functional>
#include <ostream>
#include <string>

namespace halocline::tools {

/// Writes a file that `option` names. Under an MPI launcher, where all processes do the same work, the first
/// one writes and the others do nothing. Throws Error{internal} that names the option and the path if the
/// file cannot be written.
void write_file(const char* option, const std::string& path, const std::function<void(std::ostream&)>& write);

}  // namespace halocline::tools
