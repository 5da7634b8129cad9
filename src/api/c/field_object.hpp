// SPDX-License-Identifier: BSD-3-Clause
// What is behind the handle of a field.
#pragma once

#include "halocline/halo/field_view.hpp"
#include "halocline/halocline.h"

struct HCL_Field_object {
  halocline::FieldView view;
};

namespace halocline::api {

/// Throws Error{invalid_argument} for HCL_FIELD_NULL.
[[nodiscard]] const FieldView& view_of(HCL_Field field);

}  // namespace halocline::api
