// SPDX-License-Identifier: BSD-3-Clause
// Fields whose memory the host's processor does not reach.
#pragma once

#include "accelerate/device/device.hpp"
#include "halocline/halo/field_view.hpp"

#include <optional>
#include <string>
#include <vector>

namespace halocline::halo {

/// Which of some fields lie on a device.
struct DeviceFields {
  accelerate::Device* device = nullptr;                           ///< Null if none does.
  std::vector<std::optional<accelerate::DeviceMemory>> memories;  ///< Of each field that does.

  [[nodiscard]] bool has(std::size_t field) const { return memories[field].has_value(); }
  /// Which they are, and their elements: alike on processes that know each other's by their own.
  [[nodiscard]] std::string to_text(const std::vector<FieldView>& fields) const;
};
/// Throws Error{invalid_argument} if they lie on several devices, or one reaches beyond the memory it begins
/// in.
[[nodiscard]] DeviceFields device_fields(const std::vector<FieldView>& fields);

/// All bytes of a field, halo and gaps included, on the host: for those who look at single points.
class HostCopy {
 public:
  /// Of a field of the host, the field itself.
  explicit HostCopy(const FieldView& field);

  [[nodiscard]] const FieldView& view() const { return view_; }
  /// Brings what was changed back to where it belongs.
  void store();

 private:
  FieldView view_;
  std::optional<accelerate::DeviceMemory> memory_;  ///< None if the field is the host's.
  std::byte* first_ = nullptr;                      ///< There, of the field.
  std::vector<std::byte> bytes_;
};

}  // namespace halocline::halo
