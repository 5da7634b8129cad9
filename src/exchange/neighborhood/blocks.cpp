// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/neighborhood/blocks.hpp"

#include "base/fail.hpp"
#include "base/integers.hpp"
#include "base/join.hpp"
#include "base/numbers.hpp"
#include "compile/form/part_range.hpp"

namespace halocline::exchange {
namespace {

compile::Part part_of(const Block& block) {
  require(block.count >= 0, "a block of ", block.count, " elements");
  return {block.layout, block.count, to_count(block.address)};
}

std::vector<compile::Part> parts_of(std::span<const Block> blocks) {
  std::vector<compile::Part> parts;
  parts.reserve(blocks.size());
  for (const Block& block : blocks) parts.push_back(part_of(block));
  return parts;
}

/// Refuses what cannot be in memory, before anything is made of it.
Count bytes_of(const compile::Part& part) {
  const Count bytes = compile::checked_bytes(part);
  compile::require_memory(part.layout, part.count);
  return bytes;
}

void require_memory(const compile::Part& part, std::size_t number, const char* goes) {
  // No data lies in the first page. A null pointer may stand for absolute addresses in the layout.
  constexpr Count page = 4096;
  if (bytes_of(part) == 0) return;
  const Count first = checked_add(part.offset, part.layout.true_lb());
  require(first <= -page || first >= page, "block ", number, " ", goes, " ", bytes_of(part),
          " bytes at a null pointer; it needs memory");
}

}  // namespace

Blocks blocks_of(Operation operation, std::size_t neighbours, std::span<const Block> send,
                 std::span<const Block> receive, SizeOfBlock sizes, BlockSeenHere seen_here) {
  const std::size_t to_send = operation == Operation::allgather ? 1 : neighbours;
  require(send.size() == to_send, send.size(), " blocks to send; the neighbourhood needs ", to_send);
  require(receive.size() == neighbours, receive.size(), " blocks to receive; the neighbourhood has ",
          neighbours);
  Blocks blocks{operation, parts_of(send), parts_of(receive), {}, {}, std::move(sizes), std::move(seen_here)};
  blocks.bytes_out.reserve(neighbours);
  blocks.bytes_in.reserve(neighbours);
  for (std::size_t i = 0; i < neighbours; ++i) {
    const int neighbour = to_int(i);
    const Count out = bytes_of(blocks.sent_to(neighbour)), in = bytes_of(blocks.received_from(neighbour));
    require(out == in || !blocks.even(), "block ", i, " sends ", out, " bytes and receives ", in,
            "; both must be equal");
    blocks.bytes_out.push_back(out);
    blocks.bytes_in.push_back(in);
  }
  (void)checked_sum(blocks.bytes_out);  // so that nobody need look who adds some of them up
  (void)checked_sum(blocks.bytes_in);
  return blocks;
}

void require_memory(const Blocks& blocks, const Neighbours& neighbours) {
  for (std::size_t i = 0; i < neighbours.targets.size(); ++i) {
    const int block = to_int(i);
    if (neighbours.targets[i] >= 0) require_memory(blocks.sent_to(block), blocks.gathered() ? 0 : i, "sends");
    if (neighbours.sources[i] >= 0) require_memory(blocks.received_from(block), i, "receives");
  }
}

std::vector<compile::Part> Blocks::sent_to(const std::vector<int>& neighbours) const {
  if (gathered()) return neighbours.empty() ? std::vector<compile::Part>() : send;
  std::vector<compile::Part> parts;
  parts.reserve(neighbours.size());
  for (const int neighbour : neighbours) parts.push_back(sent_to(neighbour));
  return parts;
}

Count Blocks::message_bytes(const std::vector<int>& neighbours) const {
  if (gathered()) return bytes_out.front();
  Count sum = 0;
  for (const int neighbour : neighbours) sum += bytes_sent_to(neighbour);
  return sum;
}

compile::Part Blocks::seen_at(Rank writer, int block) const { return part_of(seen_here(writer, block)); }

std::string Blocks::signature() const {
  return concat(gathered() ? "allgather " : "alltoall ", seen_here ? "seen " : "") +
         (even() ? join(bytes_out, ",") : "of different sizes");
}

}  // namespace halocline::exchange
