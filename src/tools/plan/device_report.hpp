// SPDX-License-Identifier: BSD-3-Clause
// What halocline machine says of GPUs and NICs.
#pragma once

#include "tools/common/command.hpp"

namespace halocline::tools {

/// Which cores of this host are nearest to which device, and its cores dealt to the GPUs as a machine. A host
/// without devices, or one that hwloc cannot read, is worth a line.
void add_devices_of_host(Answer& answer);

/// For the ranks of MPI_COMM_WORLD the devices next to the cores on which each may run. Collective; what is
/// added counts on rank 0.
void add_devices_of_job(Answer& answer);

}  // namespace halocline::tools
