// SPDX-License-Identifier: BSD-3-Clause
// A node as hwloc sees it, with its GPUs and NICs. No MPI calls here.
#pragma once

#include "plan/seats/node_devices.hpp"

#include <string>

namespace halocline::mpi {

/// This host (or the one that HWLOC_XMLFILE or HWLOC_SYNTHETIC show), or the one in an XML file of hwloc. A
/// GPU is a PCI device of NVIDIA, AMD or Intel that shows pictures or accelerates, so not the graphics of a
/// board; NICs are network controllers, those with verbs alone if there are any. Takes tens of milliseconds,
/// more where hwloc asks drivers. Throws Error{invalid_argument} for a file that cannot be read,
/// Error{internal} if hwloc fails.
[[nodiscard]] plan::NodeDevices node_topology(const std::string& xml_file = "");

}  // namespace halocline::mpi
