// SPDX-License-Identifier: BSD-3-Clause
// The simulated answer to exchange/memory/memory_news.hpp: who waits for a counter rests, and is woken by
// whoever moves it.

#include "exchange/memory/memory_news.hpp"
#include "base/numbers.hpp"

#include "simulate/bell.hpp"
#include "simulate/overheads.hpp"

#include <simgrid/s4u/Actor.hpp>

namespace halocline::exchange {

void looked_in_vain(const Counter& counter) { simulate::Bell::of_process().listen(&counter); }
void moved(const Counter& counter) { simulate::Bell::ring_for(&counter); }

void spend_on_copy(Count bytes) {
  if (bytes > 0)
    simgrid::s4u::this_actor::sleep_for(to_double(bytes) * simulate::overheads().copied_byte_seconds);
}

}  // namespace halocline::exchange
