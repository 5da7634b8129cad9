// SPDX-License-Identifier: BSD-3-Clause
#include "halocline/version.h"

halocline::Version halocline::version() noexcept {
  return {HALOCLINE_VERSION_MAJOR, HALOCLINE_VERSION_MINOR, HALOCLINE_VERSION_PATCH};
}
