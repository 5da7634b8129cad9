// SPDX-License-Identifier: BSD-3-Clause
#include "halo/in_common.hpp"

#include "base/join.hpp"
#include "exchange/planning/choice.hpp"
#include "exchange/planning/device_messages.hpp"
#include "halo/fields/field_memory.hpp"
#include "halocline/base/error.hpp"
#include "mpi/handles/agree.hpp"
#include "plan/transport/device_message_choice.hpp"

#include <algorithm>
#include <array>
#include <optional>

namespace halocline {
namespace {

/// What a process that has fields on its device allows. Nonsense is told when the exchange is made, with the
/// environment that counts.
struct Allowed {
  bool one_copy = false, device_messages = false;
};
Allowed allowed(const ExchangeOptions& options) {
  std::optional<Error> refusal;
  const auto read = [&] {
    const exchange::Choice wanted = exchange::wanted(options);
    const bool may = plan::may_pack_on_device(wanted.asked, wanted.wire == exchange::Wire::automatic);
    return Allowed{wanted.one_copy, may && exchange::wants_device_messages(options.info)};
  };
  return mpi::attempted(read, refusal).value_or(Allowed{});
}

}  // namespace

halo::InCommon halo::in_common(const exchange::Context& context, const std::vector<FieldView>& fields,
                               const DeviceFields& on_device, const ExchangeOptions& options) {
  Counts numbers;
  for (const FieldView& field : fields)
    if (memory_of(field) && memory_of(field)->is_seen(field, context))
      numbers.push_back(memory_of(field)->number);
  const auto print = static_cast<Count>(mpi::fingerprint(join(numbers, ",")));
  const bool here = on_device.device != nullptr;
  const Allowed allows = here ? allowed(options) : Allowed{};
  const bool all_here = std::all_of(on_device.memories.begin(), on_device.memories.end(),
                                    [](const auto& memory) { return memory; });
  const auto kinds = here ? static_cast<Count>(mpi::fingerprint(on_device.to_text(fields))) : 0;
  std::array<Count, 8> least{numbers.size() == fields.size() ? 1 : 0,
                             print,
                             ~print,
                             here ? 0 : 1,
                             kinds,
                             ~kinds,
                             allows.one_copy ? 1 : 0,
                             allows.device_messages && all_here ? 1 : 0};
  context.find_least(least);
  return {least[0] == 1 && least[1] == ~least[2],
          least[3] == 0,
          {least[4] == ~least[5], least[6] == 1, least[7] == 1}};
}

}  // namespace halocline
