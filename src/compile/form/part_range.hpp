// SPDX-License-Identifier: BSD-3-Clause
// Where the data of parts lie, in arithmetic that cannot wrap.
#pragma once

#include "compile/form/canonical.hpp"

#include <span>

namespace halocline::compile {

/// The bytes of the packed stream of a part. Throws Error{invalid_argument} for a negative count and for
/// bytes that leave 64 bits, Error{invalid_type} where an offset of its data does.
[[nodiscard]] Count checked_bytes(const Part& part);

/// Throws Error{invalid_type} unless the offsets of all data and the distances between them fit in 64 bits.
void require_distances(std::span<const Part> parts);

/// No process has more memory than this: addresses have 57 bits at most.
constexpr Count most_memory = Count{1} << 57;

/// How many elements can lie in memory at some base, one extent after the other, so that no offset and no sum
/// of an offset and an address leaves 64 bits. 0 if not even one can.
[[nodiscard]] Count most_elements(const Layout& layout);
/// Throws Error{invalid_type}, which names the layout, unless there are at most that many.
void require_memory(const Layout& layout, Count count);
/// As both of these, of elements from the offset of the part on.
void require_memory(const Part& part);

}  // namespace halocline::compile
