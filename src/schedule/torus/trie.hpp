// SPDX-License-Identifier: BSD-3-Clause
// The prefix trie of a neighbourhood: targets with the same first coordinates share the way there.
// Traeff et al., section 3.2.
#pragma once

#include "halocline/describe/stencil.hpp"
#include "schedule/parts/crossings.hpp"
#include "schedule/parts/tree.hpp"

#include <span>

namespace halocline::schedule {

/// The tree in which the dimensions are crossed in the given order. With unit hops the block is left at every
/// coordinate it passes. Throws Error{unsupported} for more than 2^26 nodes.
[[nodiscard]] Tree trie(const Stencil& stencil, std::span<const std::size_t> order, HopKind hop);

/// The trie of the order with the fewest moves. All orders are tried while neighbours times orders are at
/// most 2^16, or until a trie has no node that is not a target; beyond that the given order and the one by
/// ascending number of different coordinates, which keeps the trie narrow at its root.
[[nodiscard]] Tree smallest_trie(const Stencil& stencil, HopKind hop);

}  // namespace halocline::schedule
