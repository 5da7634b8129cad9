// What the library has to say to those who ask for it.
#pragma once

#include <string_view>

namespace halocline {

/// One line on stderr if the environment variable HALOCLINE_LOG is set to anything but "off".
void log_line(std::string_view text);

}  // namespace halocline
