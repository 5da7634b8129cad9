// SPDX-License-Identifier: BSD-3-Clause
#include "compile/generated/code_estimate.hpp"

#include "base/integers.hpp"
#include "base/numbers.hpp"
#include "compile/generated/generator.hpp"

#include <algorithm>
#include <bit>

namespace halocline::compile {
namespace {

using Term = Canonical::Term;

// As in compile_llvm/, which knows the registers of the machine at hand; here they are the widest.
constexpr Count vector_bytes = 32;
constexpr Count longest_inline = 512;
constexpr Count most_copies_a_term = 128;
constexpr Count longest_table = 1024;
constexpr Count unrolled_copies = 8;
constexpr Count copies_a_round = 4;

/// A copy is a load, a store and what leads to their addresses, in either direction.
constexpr Count cost_of_a_copy = Count{2} * 6;
constexpr Count cost_of_a_call = Count{2} * (3 + cost_beside_a_call);
constexpr Count cost_of_a_loop = Count{2} * (8 + cost_beside_a_loop);

/// What is written out for some blocks.
struct Body {
  Count copies = 0;
  Count calls = 0;

  void add(Count bytes) {
    if (bytes > longest_inline) {
      ++calls;
      return;
    }
    const auto step =
        std::min(vector_bytes, static_cast<Count>(std::bit_floor(static_cast<std::uint64_t>(bytes))));
    copies += divide_up(bytes, step);
  }
  [[nodiscard]] Count size() const { return copies + calls; }
  [[nodiscard]] Count cost() const { return cost_of_a_copy * copies + cost_of_a_call * calls; }
};

Body body_of(const Canonical& canonical, const Term& term) {
  Body body;
  if (term.kind != Term::Kind::runs) {
    body.add(term.block);
    const Count blocks = std::max<Count>(term.entries, 1);
    return {body.copies * blocks, body.calls * blocks};
  }
  const auto read = [&](auto entries) {
    for (const auto length : entries.subspan(to_size(term.entries))) body.add(length);
  };
  if (term.narrow)
    read(canonical.narrow_entries(term));
  else
    read(canonical.wide_entries(term));
  return body;
}

/// The body under its loops: short inner ones are written out, the innermost that stays has a few rounds in
/// one.
Count cost_under_loops(const Body& body, std::span<const Canonical::Dim> dims) {
  Count times = 1;
  while (!dims.empty() && dims.back().count <= unrolled_copies / (body.size() * times)) {
    times *= dims.back().count;
    dims = dims.first(dims.size() - 1);
  }
  if (dims.empty()) return times * body.cost();
  const Count unroll = std::clamp<Count>(copies_a_round / (body.size() * times), 1, dims.back().count);
  return (unroll + dims.back().count % unroll) * times * body.cost() + cost_of_a_loop * count_of(dims);
}

Count cost_of(const Canonical& canonical, const Term& term) {
  if (term.kind != Term::Kind::nest && term.entries > longest_table) return most_code_cost + 1;
  const Body body = body_of(canonical, term);
  if (body.size() <= most_copies_a_term) return cost_under_loops(body, canonical.dims(term));
  if (term.kind != Term::Kind::blocks || term.dims > 0) return most_code_cost + 1;
  Body one;
  one.add(term.block);
  return one.cost() + cost_of_a_loop;
}

}  // namespace

Count estimated_code_cost(const Canonical& canonical) {
  Count cost = 0;
  for (const Term& term : canonical.terms()) {
    cost += cost_of(canonical, term);
    if (cost > most_code_cost) break;
  }
  return cost;
}

}  // namespace halocline::compile
