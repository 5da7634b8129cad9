#pragma once

namespace halocline {

/// 128 bits: hold any product of two 64-bit numbers. (An extension of GCC and Clang, hence the spelling.)
__extension__ typedef __int128 Wide;                   // NOLINT(modernize-use-using)
__extension__ typedef unsigned __int128 UnsignedWide;  // NOLINT(modernize-use-using)

}  // namespace halocline
