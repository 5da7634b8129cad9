#include "compile/takeover.hpp"

#include "halocline/compile/choice.hpp"

namespace halocline::compile {

std::optional<Count> packs_to_pay(const Canonical&) { return std::nullopt; }

}  // namespace halocline::compile
