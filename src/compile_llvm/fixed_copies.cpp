// SPDX-License-Identifier: BSD-3-Clause
#include "compile_llvm/fixed_copies.hpp"

#include <algorithm>
#include <bit>

namespace halocline::compile_llvm {
namespace {

/// An inner loop of at most so many copies in all is written out.
constexpr std::size_t unrolled_pieces = 8;

bool power_of_two(std::int64_t n) { return std::has_single_bit(static_cast<std::uint64_t>(n)); }

}  // namespace

void split_block(std::int64_t memory, std::int64_t wire, std::int64_t bytes, std::int64_t vector_bytes,
                 FixedCopies& copies) {
  if (bytes > longest_inline) {
    copies.push_back({memory, wire, bytes});
    return;
  }
  const auto step =
      std::min(vector_bytes, static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(bytes))));
  std::int64_t at = 0;
  for (; at + step <= bytes; at += step) copies.push_back({memory + at, wire + at, step});
  const std::int64_t rest = bytes - at;
  if (rest == 0) return;
  // What is left in one copy of its own size, or in one that copies a few bytes again.
  const std::int64_t last =
      power_of_two(rest) ? rest : static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(rest)));
  copies.push_back({memory + bytes - last, wire + bytes - last, last});
}

FixedCopies repeated(const FixedCopies& body, std::int64_t times, std::int64_t memory_stride,
                     std::int64_t wire_stride) {
  FixedCopies all;
  all.reserve(body.size() * static_cast<std::size_t>(times));
  for (std::int64_t i = 0; i < times; ++i)
    for (const FixedCopy& copy : body)
      all.push_back({copy.memory + i * memory_stride, copy.wire + i * wire_stride, copy.bytes});
  return all;
}

std::optional<Nest> nest_of(const GeneratorTerm& term, const ProcessorRegisters& registers) {
  if (term.blocks > static_cast<std::int64_t>(most_copies_a_term)) return std::nullopt;
  Nest nest;
  std::int64_t wire = 0;
  for (std::int64_t i = 0; i < term.blocks; ++i) {
    split_block(term.offsets[i], wire, term.lengths[i], registers.vector_bytes, nest.body);
    wire += term.lengths[i];
    if (nest.body.size() > most_copies_a_term) return std::nullopt;
  }
  for (std::int64_t i = term.loop_count; i-- > 0;) {
    const auto [count, stride] = term.loops[i];
    if (nest.loops.empty() && count <= static_cast<std::int64_t>(unrolled_pieces / nest.body.size()))
      nest.body = repeated(nest.body, count, stride, wire);
    else
      nest.loops.insert(nest.loops.begin(), {count, stride, wire});
    wire *= count;
  }
  nest.wire_bytes = wire;
  return nest;
}

}  // namespace halocline::compile_llvm
