// Layouts that tests build others from, and how GoogleTest shows one.
#pragma once

#include "halocline/describe/layout.hpp"

#include <ostream>

namespace halocline {

inline void PrintTo(const Layout& layout, std::ostream* out) { *out << layout.to_text(); }

inline const Layout byte = Layout::named(Elementary::byte);
inline const Layout int_ = Layout::named(Elementary::int_);
inline const Layout double_ = Layout::named(Elementary::double_);

}  // namespace halocline
