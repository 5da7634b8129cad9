// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/planning/device_messages.hpp"

#include "base/fail.hpp"
#include "base/settings.hpp"
#include "mpi/discovery/device_memory_in_mpi.hpp"
#include "mpi/settings/info.hpp"
#include "plan/transport/device_message_choice.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace halocline::exchange {
namespace {

struct NamedMemory {
  std::string_view name;
  plan::MessageMemory memory;
};
constexpr std::array<NamedMemory, 3> memories{{{"auto", plan::MessageMemory::automatic},
                                               {"host", plan::MessageMemory::host},
                                               {"device", plan::MessageMemory::device}}};

}  // namespace

bool wants_device_messages(MPI_Info info) {
  const std::string word =
      mpi::setting("", info, settings::device_messages.key, settings::device_messages.variable, "auto");
  const auto* const wanted = std::find_if(memories.begin(), memories.end(),
                                          [&](const NamedMemory& known) { return known.name == word; });
  require(wanted != memories.end(), settings::device_messages.variable, " is \"", word,
          "\"; it is auto, host or device");
  return plan::packs_on_device(wanted->memory, mpi::device_memory_in_mpi().taken);
}

}  // namespace halocline::exchange
