#pragma once

namespace halocline {

/// 128 bits: holds any product of two counts. (An extension of GCC and Clang, hence the spelling.)
__extension__ typedef __int128 Wide;  // NOLINT(modernize-use-using)

}  // namespace halocline
