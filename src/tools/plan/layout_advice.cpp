// SPDX-License-Identifier: BSD-3-Clause
#include "tools/plan/layout_advice.hpp"

#include "compile/packer_state.hpp"
#include "tools/bench/measuring/pack_rate.hpp"

#include <fmt/format.h>

#include <bit>
#include <optional>

namespace halocline::tools {
namespace {

using compile::Canonical;
using compile::Packer;
using compile::Part;
using Dims = std::vector<Canonical::Dim>;

/// What makes a difference worth a sentence on a noisy machine.
constexpr double least_gain = 1.25;

/// The nest as a layout of bytes, the outermost loop first.
Layout nest_layout(const Dims& dims, Count block) {
  Layout layout = Layout::contiguous(block, Layout::named(Elementary::byte));
  for (std::size_t i = dims.size(); i-- > 0;)
    layout = Layout::hvector(dims[i].count, 1, dims[i].stride, layout);
  return layout;
}

/// How much faster `other` packs than `nest`; none if that cannot be measured.
std::optional<double> gain(const Layout& nest, const Layout& other) {
  const auto slow = pack_seconds(Packer({nest}), {nest});
  const auto fast = pack_seconds(Packer({other}), {other});
  if (!slow || !fast) return std::nullopt;
  return *slow / *fast;
}

/// Rows a power of two apart compete for a few sets of the cache.
void advise_pitch(const Dims& dims, Count block, std::vector<std::string>& advice) {
  constexpr Count least_pitch = 256;
  constexpr Count least_rows = 64;
  constexpr Count padding = 16;
  const auto [rows, pitch] = dims.back();
  const Count size = pitch < 0 ? -pitch : pitch;
  if (block >= 64 || rows < least_rows || size < least_pitch ||
      !std::has_single_bit(static_cast<std::uint64_t>(size)))
    return;
  Dims padded = dims;
  const Count new_pitch = pitch + (pitch < 0 ? -padding : padding);
  for (Canonical::Dim& dim : padded)
    if (dim.stride % pitch == 0) dim.stride = dim.stride / pitch * new_pitch;
  const auto faster = gain(nest_layout(dims, block), nest_layout(padded, block));
  if (faster && *faster >= least_gain)
    advice.push_back(
        fmt::format("the rows lie {} bytes apart, a power of two: they compete for the same sets of the "
                    "cache; with {} bytes "
                    "this layout packs {:.1f} times as fast here",
                    size, size + padding, *faster));
}

/// Loops in the order of a transpose touch every cache line several times.
void advise_order(const Dims& dims, Count block, std::vector<std::string>& advice) {
  if (dims.size() < 2) return;
  Dims swapped = dims;
  std::swap(swapped[swapped.size() - 2], swapped.back());
  if (std::abs(swapped.back().stride) >= std::abs(dims.back().stride)) return;
  const auto faster = gain(nest_layout(dims, block), nest_layout(swapped, block));
  if (faster && *faster >= least_gain)
    advice.push_back(fmt::format(
        "the innermost loop takes steps of {} bytes around steps of {}: in the order of memory the "
        "same data pack {:.1f} times as fast here, if the receiver agrees on that order",
        dims.back().stride, swapped.back().stride, *faster));
}

/// The longest list of displacements in the tree.
std::size_t longest_list(const Layout& layout) {
  std::size_t longest = 0;
  if (const auto* x = layout.as<Layout::Indexed>()) longest = x->displacements.size();
  if (const auto* x = layout.as<Layout::Hindexed>()) longest = x->displacement_bytes.size();
  if (const auto* x = layout.as<Layout::IndexedBlock>()) longest = x->displacements.size();
  if (const auto* x = layout.as<Layout::HindexedBlock>()) longest = x->displacement_bytes.size();
  for (const Layout& member : layout.members()) longest = std::max(longest, longest_list(member));
  return longest;
}

}  // namespace

std::vector<std::string> layout_advice(const Part& part, const Packer& packer) {
  std::vector<std::string> advice;
  const Canonical& form = canonical_of(packer);
  const std::span<const Canonical::Term> terms = form.terms();
  constexpr std::size_t least_list = 4;
  if (const std::size_t list = longest_list(part.layout);
      list >= least_list && terms.size() == 1 && terms.front().kind == Canonical::Term::Kind::nest)
    advice.push_back(fmt::format("the {} displacements are regular: {} says the same without a list", list,
                                 terms.front().dims == 0   ? "contiguous"
                                 : terms.front().dims == 1 ? "a vector"
                                                           : "a vector of vectors"));
  if (terms.size() == 1 && terms.front().kind == Canonical::Term::Kind::nest && terms.front().dims > 0) {
    const auto found = form.dims(terms.front());
    const Dims dims(found.begin(), found.end());
    advise_pitch(dims, terms.front().block, advice);
    advise_order(dims, terms.front().block, advice);
  }
  return advice;
}

}  // namespace halocline::tools
