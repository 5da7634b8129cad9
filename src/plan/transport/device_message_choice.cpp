// SPDX-License-Identifier: BSD-3-Clause
#include "plan/transport/device_message_choice.hpp"

namespace halocline::plan {

bool packs_on_device(MessageMemory wanted, bool mpi_takes_them) {
  return wanted == MessageMemory::automatic ? mpi_takes_them : wanted == MessageMemory::device;
}

bool may_pack_on_device(ScheduleChoice asked, bool any_wire) {
  return any_wire && (asked == ScheduleChoice::automatic || asked == ScheduleChoice::direct);
}

}  // namespace halocline::plan
