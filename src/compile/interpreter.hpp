// Walks the tree of constructors for every pack, one contiguous piece after the other: slow, short and
// independent of the canonical form, so that everything else can be checked against it.
#pragma once

#include "halocline/compile/engines.hpp"

namespace halocline::compile {

[[nodiscard]] std::unique_ptr<const Code> interpret(const Unit& unit);

}  // namespace halocline::compile
