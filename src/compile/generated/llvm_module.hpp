// SPDX-License-Identifier: BSD-3-Clause
// The module that generates code, opened when it is first asked for.
#pragma once

#include "compile/generated/generator.hpp"

namespace halocline::compile {

/// The generator of libhalocline-llvm.so, or null if there is none; a log line says why. The first call opens
/// the module, which takes about 12 ms and 37 MB; it stays open. Searched in this order:
/// HALOCLINE_LLVM_MODULE (a file; if it is set nothing else is tried), the folder of the library or program
/// that holds this function, its neighbour lib, the folder the library was to be installed into.
[[nodiscard]] const Generator* llvm_generator();

/// Is there a file that llvm_generator() would open? Looks once, opens nothing.
[[nodiscard]] bool llvm_module_present();

}  // namespace halocline::compile
