// SPDX-License-Identifier: BSD-3-Clause
#include "accelerate/kernel/moves.hpp"

#include "base/integers.hpp"
#include "compile/form/segments.hpp"

#include <algorithm>
#include <optional>

namespace halocline::accelerate {
namespace {

using compile::Canonical;

/// A loop over bytes that lie in memory and in the stream of a form.
struct FormLoop {
  Count count, memory, stream;  ///< Strides in bytes.
};

/// Blocks of a form under loops.
struct FormBlock {
  Count memory = 0, stream = 0;      ///< Where its first byte is.
  std::vector<FormLoop> loops = {};  ///< The innermost first: the bytes of the block, then loops around it.
};

/// Blocks of so many bytes, under the loops of the term around `round_bytes` of the stream.
FormBlock piece_of(const Canonical& form, const Canonical::Term& term, Count memory, Count stream,
                   Count block, Count round_bytes) {
  FormBlock piece{memory, stream, {{block, 1, 1}}};
  const auto dims = form.dims(term);
  for (std::size_t i = dims.size(); i-- > 0;) {
    piece.loops.push_back({dims[i].count, dims[i].stride, round_bytes});
    round_bytes *= dims[i].count;
  }
  return piece;
}

template <class Entry>
void add_list(const Canonical& form, const Canonical::Term& term, std::span<const Entry> entries,
              Count stream, std::vector<FormBlock>& pieces) {
  const auto count = static_cast<std::size_t>(term.entries);
  const auto length = [&](std::size_t i) { return term.block > 0 ? term.block : Count{entries[count + i]}; };
  Count round_bytes = 0;
  for (std::size_t i = 0; i < count; ++i) round_bytes += length(i);
  for (std::size_t i = 0; i < count; ++i) {
    pieces.push_back(piece_of(form, term, term.offset + entries[i], stream, length(i), round_bytes));
    stream += length(i);
  }
}

std::vector<FormBlock> pieces_of(const Canonical& form) {
  std::vector<FormBlock> pieces;
  Count stream = 0;
  for (const Canonical::Term& term : form.terms()) {
    if (term.kind == Canonical::Term::Kind::nest)
      pieces.push_back(piece_of(form, term, term.offset, stream, term.block, term.block));
    else if (term.narrow)
      add_list(form, term, form.narrow_entries(term), stream, pieces);
    else
      add_list(form, term, form.wide_entries(term), stream, pieces);
    stream += term.bytes;
  }
  return pieces;
}

/// Adds a loop, or makes the one before it longer.
void add_loop(Move& move, Count count, Count from_stride, Count to_stride) {
  if (count == 1) return;
  if (move.loops.empty() && from_stride == move.block && to_stride == move.block) {
    move.block *= count;
    return;
  }
  if (!move.loops.empty()) {
    Move::Loop& inner = move.loops.back();
    if (inner.count * inner.from_stride == from_stride && inner.count * inner.to_stride == to_stride) {
      inner.count *= count;
      return;
    }
  }
  move.loops.push_back({count, from_stride, to_stride});
}

/// Both at once, if the loops of one divide those of the other.
std::optional<Move> joined(const FormBlock& from, const FormBlock& to) {
  if (from.stream != to.stream) return std::nullopt;
  Move move{from.memory, to.memory, 1, {}};
  std::vector<FormLoop> a(from.loops.rbegin(), from.loops.rend());
  std::vector<FormLoop> b(to.loops.rbegin(), to.loops.rend());
  while (!a.empty() && !b.empty()) {
    FormLoop &of_a = a.back(), &of_b = b.back();
    if (of_a.stream != of_b.stream) return std::nullopt;
    const Count count = std::min(of_a.count, of_b.count);
    if (of_a.count % count != 0 || of_b.count % count != 0) return std::nullopt;
    add_loop(move, count, of_a.memory, of_b.memory);
    const auto shorten = [&](std::vector<FormLoop>& list) {
      FormLoop& inner = list.back();
      inner = {inner.count / count, inner.memory * count, inner.stream * count};
      if (inner.count == 1) list.pop_back();
    };
    shorten(a);
    shorten(b);
  }
  return a.empty() && b.empty() ? std::optional(std::move(move)) : std::nullopt;
}

/// Run by run.
std::vector<Move> moves_of_runs(const Canonical& from, const Canonical& to) {
  const std::vector<Segment> sources = compile::segments(from), targets = compile::segments(to);
  std::vector<Move> moves;
  Count taken = 0, put = 0;  // of the first source and target that are left
  for (std::size_t s = 0, t = 0; s < sources.size() && t < targets.size();) {
    const Count bytes = std::min(sources[s].bytes - taken, targets[t].bytes - put);
    if (bytes > 0) moves.push_back({sources[s].offset + taken, targets[t].offset + put, bytes, {}});
    taken += bytes;
    put += bytes;
    if (taken == sources[s].bytes) ++s, taken = 0;
    if (put == targets[t].bytes) ++t, put = 0;
  }
  return moves;
}

/// A contiguous stream in memory.
Move move_of(const FormBlock& piece) {
  Move move{piece.memory, piece.stream, 1, {}};
  for (const FormLoop& loop : piece.loops) add_loop(move, loop.count, loop.memory, loop.stream);
  return move;
}

}  // namespace

Count Move::bytes() const {
  Count all = block;
  for (const Loop& loop : loops) all *= loop.count;
  return all;
}

std::vector<Move> moves_to(const Canonical& from, Count address) {
  std::vector<Move> moves;
  for (const FormBlock& piece : pieces_of(from)) {
    moves.push_back(move_of(piece));
    moves.back().to += address;
  }
  return moves;
}

std::vector<Move> moves_from(Count address, const Canonical& to) {
  std::vector<Move> moves = moves_to(to, address);
  for (Move& move : moves) {
    std::swap(move.from, move.to);
    for (Move::Loop& loop : move.loops) std::swap(loop.from_stride, loop.to_stride);
  }
  return moves;
}

std::vector<Move> moves_between(const Canonical& from, const Canonical& to) {
  if (const auto run = to.contiguous()) return moves_to(from, run->offset);
  if (const auto run = from.contiguous()) return moves_from(run->offset, to);
  const std::vector<FormBlock> sources = pieces_of(from), targets = pieces_of(to);
  if (sources.size() != targets.size()) return moves_of_runs(from, to);
  std::vector<Move> moves;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    std::optional<Move> move = joined(sources[i], targets[i]);
    if (!move) return moves_of_runs(from, to);
    moves.push_back(std::move(*move));
  }
  return moves;
}

}  // namespace halocline::accelerate
