// SPDX-License-Identifier: BSD-3-Clause
// What the library has to say to those who ask for it.
#pragma once

#include <string>
#include <string_view>

namespace halocline {

/// One line on stderr if the environment variable HALOCLINE_LOG is set to anything but "off".
void log_line(std::string_view text);

/// One line on stderr whether it is asked for or not, the first time that this process has to say it.
void say_once(const std::string& text);

}  // namespace halocline
