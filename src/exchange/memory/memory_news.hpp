// SPDX-License-Identifier: BSD-3-Clause
// What memory that processes share has beside its bytes: word that a counter has moved, and what a copy
// costs. Processes look again and again, and copies take the time they take, so that nothing is to be done.
// The simulated processes of src/simulate bring their own: there time stands still for whoever looks or
// copies.
#pragma once

#include "halocline/base/count.hpp"

namespace halocline::exchange {

struct Counter;

#ifdef HALOCLINE_SIMULATED
/// This process waits for the counter: it looked, and it was not there yet.
void looked_in_vain(const Counter& counter);
/// This process has moved the counter.
void moved(const Counter& counter);
/// This process has copied so many bytes, and nobody knows it yet.
void spend_on_copy(Count bytes);
#else
inline void looked_in_vain(const Counter& /*counter*/) {}
inline void moved(const Counter& /*counter*/) {}
inline void spend_on_copy(Count /*bytes*/) {}
#endif

}  // namespace halocline::exchange
