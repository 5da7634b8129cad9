// SPDX-License-Identifier: BSD-3-Clause
#include "plan/transport/takeover_choice.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>

namespace halocline::plan {
namespace {

constexpr Count kib = 1024;
constexpr Count most_block_bytes = 16, least_message_bytes = 2 * kib, most_message_bytes = 1024 * kib;
constexpr Count most_block_bytes_of_short = 64, short_message_bytes = 64 * kib;
constexpr Count most_terms = 64;
constexpr Count least_on_device = 2, most_on_device = std::numeric_limits<std::int32_t>::max();

constexpr Count least_run = kib, least_run_in_pieces = 64, least_in_pieces = 64 * kib;

/// Shared memory for the streams of one process, about.
constexpr Count stream_bytes = 1536 * kib;
constexpr Count most_chunk_bytes = 16 * kib, least_chunk_bytes = 2 * kib, stream_chunks = 8;
constexpr Count line = 64;

}  // namespace

const char* why_left_to_mpi(const RunsInMemory& message) {
  if (message.runs <= 1) return "no gaps";
  if (message.bytes < least_message_bytes) return "less than 2 KiB";
  if (message.bytes > most_message_bytes) return "more than 1 MiB";
  if (message.terms > most_terms) return "too irregular";
  const Count most = message.bytes <= short_message_bytes ? most_block_bytes_of_short : most_block_bytes;
  return message.bytes <= message.runs * most ? nullptr : "long blocks";
}

const char* why_left_to_mpi_on_device(const RunsInMemory& message) {
  if (message.runs <= 1) return "no gaps";
  if (message.bytes < least_on_device) return "less than 2 bytes";
  return message.bytes <= most_on_device ? nullptr : "more than 2 GiB";
}

bool is_moved_well_by_mpi(const RunsInMemory& block) {
  return block.runs <= block.bytes / (block.bytes < least_in_pieces ? least_run : least_run_in_pieces);
}

Chunks choose_stream_chunks(Count neighbours) {
  const Count share = stream_bytes / stream_chunks / std::max(neighbours, Count{1});
  return {std::clamp(share / line * line, least_chunk_bytes, most_chunk_bytes), stream_chunks};
}

}  // namespace halocline::plan
