// SPDX-License-Identifier: BSD-3-Clause
// Memory that processes of one node map by a ticket that one of them hands out.
//
// It is a file without a name, which nobody can leave behind however processes end; others open it through
// /proc. Where they may not (other process namespaces, hardened kernels), it can have a name until all have
// it, and what was left by processes that were killed in that moment is swept up by the next.
#pragma once

#include "halocline/base/count.hpp"

#include <cstddef>
#include <string>

namespace halocline::exchange {

/// Creates an object of `bytes` for this user alone; its ticket, of less than 64 characters, or nothing if it
/// cannot be had. Nobody has mapped it yet. Local.
[[nodiscard]] std::string create_object(Count bytes);
/// The same with a name, for processes that cannot reach the other kind.
[[nodiscard]] std::string create_named_object(Count bytes);

/// Of most systems. On others nothing is gained by it, and nothing lost.
inline constexpr Count huge_page = Count{2} << 20;

/// Maps all `bytes` of the object, with memory behind a part of it: a page that cannot be had must be known
/// now, not when it is touched. Null if that fails, or if the object cannot be reached. Large parts that
/// begin at multiples of huge_page are in huge pages, if the system has them for whoever asks. Local.
[[nodiscard]] std::byte* map_object(const std::string& ticket, Count bytes, Count first, Count part_bytes);

/// Makes the ticket worthless, in the process that created the object: the memory goes with the last one that
/// has mapped it. Local.
void remove_name(const std::string& ticket);

void unmap_object(std::byte* base, Count bytes);

}  // namespace halocline::exchange
