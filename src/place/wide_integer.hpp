// Products of two 64-bit counts, exact.
#pragma once

namespace halocline::place {

__extension__ typedef __int128 Wide;

}  // namespace halocline::place
