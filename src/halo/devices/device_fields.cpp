// SPDX-License-Identifier: BSD-3-Clause
#include "halo/devices/device_fields.hpp"

#include "accelerate/devices.hpp"
#include "base/fail.hpp"
#include "base/numbers.hpp"
#include "exchange/memory/foreign_memory.hpp"

#include <algorithm>

namespace halocline::halo {
namespace {

/// The bytes of a field from its first to its last, from the first own point on.
Segment reach_of(const FieldView& field) {
  Count first = field.element().true_lb(), end = field.element().true_ub();
  for (std::size_t d = 0; d < field.dimensions(); ++d) {
    const Count before = -field.halo().low[d] * field.strides()[d];
    const Count behind = (field.extents()[d] + field.halo().high[d] - 1) * field.strides()[d];
    first += std::min(before, behind);
    end += std::max(before, behind);
  }
  return {first, end - first};
}

void require_inside(const FieldView& field, const accelerate::DeviceMemory& memory, std::size_t number) {
  const Segment reach = reach_of(field);
  const Count first = static_cast<const std::byte*>(field.origin()) - memory.base + reach.offset;
  require(first >= 0 && first + reach.bytes <= memory.bytes, "field ", number, " takes the bytes from ",
          first, " to ", first + reach.bytes, " of an allocation of ", memory.bytes, " bytes on ",
          memory.device->name());
}

/// Refuses what is no memory at all, or ends too early, as far as the system tells: a device's memory that
/// was freed, a view that is longer than its array.
void require_host_memory(const FieldView& field, std::size_t number) {
  const auto can_be_read = [](const Segment& place) { return exchange::can_be_read({&place, 1}); };
  const Segment reach = reach_of(field);
  const Segment whole{to_count(field.origin()) + reach.offset, reach.bytes};
  // Where the system tells nothing, it does not even tell of this.
  if (can_be_read(whole) || !can_be_read({to_count(&number), 1})) return;
  const bool begins = can_be_read({whole.offset, 1});
  if (!begins && accelerate::in_use_by_others())
    fail(
        Fault::unsupported, "field ", number, " begins at ", field.origin(),
        ", which is no memory of the host, and if it is a GPU's nobody tells: ", accelerate::why_by_others());
  require(begins, "field ", number, " begins at ", field.origin(),
          ", which is neither memory of the host nor of a device; was it freed?");
  fail(Fault::invalid_argument, "field ", number, " takes ", whole.bytes, " bytes for its points from ",
       field.origin(), " on, with its halo; the memory of the host ends before them");
}

}  // namespace

DeviceFields device_fields(const std::vector<FieldView>& fields) {
  DeviceFields found;
  for (std::size_t f = 0; f < fields.size(); ++f) {
    found.memories.push_back(accelerate::what_is(fields[f].origin()));
    const auto& memory = found.memories.back();
    if (!memory && (accelerate::in_use() || accelerate::in_use_by_others()))
      require_host_memory(fields[f], f);
    if (!memory) continue;
    require_inside(fields[f], *memory, f);
    require(found.device == nullptr || found.device == memory->device, "field ", f, " lies on ",
            memory->device->name(), ", a field before it on ",
            found.device == nullptr ? "" : found.device->name(),
            "; the fields of a halo lie on one device, or on the host");
    found.device = memory->device;
  }
  return found;
}

std::string DeviceFields::to_text(const std::vector<FieldView>& fields) const {
  std::string text;
  for (std::size_t f = 0; f < fields.size(); ++f)
    text += has(f) ? concat("device ", fields[f].element().to_text(), ";") : "host;";
  return text;
}

HostCopy::HostCopy(const FieldView& field) : view_(field), memory_(accelerate::what_is(field.origin())) {
  if (!memory_) return;
  const Segment reach = reach_of(field);
  first_ = static_cast<std::byte*>(field.origin()) + reach.offset;
  bytes_.resize(to_size(reach.bytes));
  memory_->device->copy(bytes_.data(), first_, reach.bytes, nullptr);
  memory_->device->synchronize(nullptr);
  view_ = staggered(
      {bytes_.data() - reach.offset, field.element(), field.extents(), field.strides(), field.halo()},
      field.staggered());
}

void HostCopy::store() {
  if (!memory_) return;
  memory_->device->copy(first_, bytes_.data(), count_of(bytes_), nullptr);
  memory_->device->synchronize(nullptr);
}

}  // namespace halocline::halo
