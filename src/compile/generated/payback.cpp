// SPDX-License-Identifier: BSD-3-Clause
#include "compile/generated/payback.hpp"

#include "base/numbers.hpp"
#include "compile/generated/choice.hpp"
#include "compile/generated/code_estimate.hpp"
#include "compile/generated/generator.hpp"
#include "compile/generated/llvm_module.hpp"
#include "compile/kernels/block_copy.hpp"
#include "compile/kernels/kernels.hpp"

#include <algorithm>
#include <cstdlib>

namespace halocline::compile {
namespace {

using Dim = Canonical::Dim;
using Term = Canonical::Term;

// Times in nanoseconds, from the tables of docs/packing.md.
constexpr double opening_module = 14e6;
constexpr double compiling_a_unit = 1.8e6;
constexpr double compiling_a_term = 0.6e6;
/// What a kernel spends around its loops: a call, and for the second term on finding the next one.
constexpr double entering = 0.8;
constexpr double next_term = 2.5;
/// A kernel copies a block in this time, or so many bytes if that is longer.
constexpr double copying_a_block = 0.4;
constexpr double copying_a_byte = 0.023;
/// Beyond this memory decides how long it takes.
constexpr Count nearest_caches = 131072;
/// Gains below this share are within what one run of the benchmark differs from the next.
constexpr double least_gain = 1.04;

/// Kernels copy these in another order, which generated code does not know.
bool transposed(const Term& term, std::span<const Dim> dims) {
  if (dims.size() < 2 || term.block > 16) return false;
  const Dim& row = dims[dims.size() - 1];
  const Dim& plane = dims[dims.size() - 2];
  return std::abs(plane.stride) < 64 && std::abs(plane.stride) < std::abs(row.stride);
}

/// How many times faster than kernels a term is copied once it is entered, pack and unpack together; 0 if it
/// is slower.
double speedup(const Canonical& canonical, const Term& term) {
  const std::span<const Dim> dims = canonical.dims(term);
  constexpr Count short_list = 16;
  if (term.kind != Term::Kind::nest) return term.entries > short_list ? 0 : dims.empty() ? 1 : 1.2;
  if (transposed(term, dims)) return 0;
  const bool power_of_two = (term.block & (term.block - 1)) == 0;
  if (term.block < 16 && !power_of_two) return 0;  // kernels write such blocks overlapping
  if (dims.empty()) return 1;
  if (term.block == 16) return 1.2;
  const bool medium = term.block > 64 && term.block <= most_medium;
  return medium && !has_fixed_block(to_size(term.block)) ? 1.1 : 1;
}

/// Many short terms, as the faces, edges and corners of a small halo: rows are so short that what happens
/// around them counts.
double speedup_of_many(const Canonical& canonical) {
  constexpr std::size_t many = 4;
  constexpr Count short_term = 4096;
  const std::size_t terms = canonical.terms().size();
  return terms >= many && canonical.bytes() <= to_count(terms) * short_term ? 1.08 : 1;
}

Count blocks_of(const Canonical& canonical, const Term& term) {
  if (term.kind == Term::Kind::nest) return term.bytes / term.block;
  Count blocks = term.entries;
  for (const Dim& dim : canonical.dims(term)) blocks *= dim.count;
  return blocks;
}

}  // namespace

std::optional<Count> packs_to_pay(const Canonical& canonical) {
  // A contiguous stream needs no packing, and copying it is memcpy's business.
  if (canonical.contiguous() || canonical.bytes() > nearest_caches) return std::nullopt;
  double kernels = entering;
  double generated = 0;
  double compiling = opening_module + compiling_a_unit;
  const double many = speedup_of_many(canonical);
  for (const Term& term : canonical.terms()) {
    const double faster = speedup(canonical, term);
    if (faster == 0) return std::nullopt;
    const double copying = std::max(copying_a_block * to_double(blocks_of(canonical, term)),
                                    copying_a_byte * to_double(term.bytes));
    kernels += next_term + copying;
    generated += copying / std::max(faster, many);
    compiling += compiling_a_term;
  }
  // The first term has no one before it.
  kernels -= next_term;
  if (kernels < least_gain * generated) return std::nullopt;
  if (estimated_code_cost(canonical) > most_code_cost) return std::nullopt;
  return break_even(1e-9 * compiling, 1e-9 * kernels, 1e-9 * generated);
}

WhoUnpacks who_unpacks_best(const Canonical& canonical) {
  // In a plain loop over blocks of 16 bytes both wait for the same stores. With loops around it, what happens
  // between the rows is faster.
  const std::span<const Term> terms = canonical.terms();
  const bool plain_loop = terms.size() == 1 && canonical.dims(terms[0]).size() == 1;
  return plain_loop && terms[0].block == 16 ? WhoUnpacks::kernels : WhoUnpacks::generated_code;
}

std::unique_ptr<const Code> choose_what_pays(const CodeUnit& unit) {
  if (unit.packs) {
    const std::optional<Count> needed = packs_to_pay(unit.canonical);
    if (needed && *unit.packs >= *needed && llvm_module_present())
      return generate(unit, who_unpacks_best(unit.canonical));
  }
  return choose_kernels(unit);
}

}  // namespace halocline::compile
