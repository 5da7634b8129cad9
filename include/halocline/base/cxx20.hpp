// SPDX-License-Identifier: BSD-3-Clause
// What the C++ headers need of the compiler.
#pragma once

#if __cplusplus <= 201703L
#error "Halocline's C++ headers need C++20 (-std=c++20). C++17 has halocline/halocline.h: see docs/fit.md"
#endif
