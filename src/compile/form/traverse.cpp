// SPDX-License-Identifier: BSD-3-Clause
#include "compile/form/traverse.hpp"

#include "base/fail.hpp"
#include "halocline/base/error.hpp"

namespace halocline::compile {
namespace {

constexpr int most_levels = 2000;

RunSequence traverse_level(const Layout& layout, int level);

struct Traverser {
  const Layout& layout;
  int level;

  [[nodiscard]] const Layout& element() const { return layout.element(); }
  [[nodiscard]] Count extent() const { return layout.element().extent(); }
  [[nodiscard]] RunSequence element_form() const { return traverse_level(layout.element(), level + 1); }

  /// `count` blocks, each of `blocklength` elements.
  [[nodiscard]] RunSequence strided(Count count, Count blocklength, Count stride_bytes) const {
    RunSequence form = element_form();
    form.repeat(blocklength, extent());
    form.repeat(count, stride_bytes);
    return form;
  }

  /// Blocks of equal length at displacements in units of `unit` bytes.
  [[nodiscard]] RunSequence blocks(Count blocklength, const Counts& displacements, Count unit) const {
    const RunSequence block = strided(1, blocklength, 0);
    if (block.kind() == RunSequence::Kind::nest && block.nest().levels == 0) {
      const Count offset = block.nest().offset;
      const Count bytes = block.nest().block;
      return RunSequence(joined_runs(
          displacements.size(),
          [first = displacements.data(), unit, offset](std::size_t i) { return first[i] * unit + offset; },
          [bytes](std::size_t) { return bytes; }));
    }
    RunSequence all;
    for (const Count displacement : displacements) all.append(block, displacement * unit);
    return all;
  }

  /// Blocks of different length.
  [[nodiscard]] RunSequence blocks(const Counts& blocklengths, const Counts& displacements,
                                   Count unit) const {
    const RunSequence one = element_form();
    if (one.kind() == RunSequence::Kind::nest && one.nest().levels == 0 && one.nest().block == extent()) {
      RunList runs;
      runs.reserve(displacements.size());
      for (std::size_t i = 0; i < displacements.size(); ++i)
        if (blocklengths[i] > 0)
          add_run(runs, {displacements[i] * unit + one.nest().offset, blocklengths[i] * one.nest().block});
      return RunSequence(std::move(runs));
    }
    RunSequence all;
    RunSequence block;
    Count length = -1;  // of block
    for (std::size_t i = 0; i < displacements.size(); ++i) {
      if (blocklengths[i] == 0) continue;
      if (blocklengths[i] != length) {
        block = one;
        length = blocklengths[i];
        block.repeat(length, extent());
      }
      all.append(block, displacements[i] * unit);
    }
    return all;
  }

  /// The given indices of each dimension of an array.
  [[nodiscard]] RunSequence array(const Counts& sizes, const std::vector<Layout::Darray::Share>& shares,
                                  Layout::Order order) const {
    RunSequence form = element_form();
    Count stride = extent();
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      const std::size_t d = order == Layout::Order::fortran ? i : sizes.size() - 1 - i;
      const auto [first, block, cycle, count] = shares[d];
      const Count rest = count % block;
      RunSequence last = rest > 0 ? form : RunSequence();
      last.repeat(rest, stride);
      if (const Count whole = count / block; whole > 0) {
        form.repeat(block, stride);
        // Only what is there has a place that fits in 64 bits.
        if (whole > 1) form.repeat(whole, cycle * stride);
        if (rest > 0) form.append(last, whole * cycle * stride);
      } else {
        form = std::move(last);
      }
      form.shift(first * stride);
      form.settle();
      stride *= sizes[d];
    }
    return form;
  }

  RunSequence operator()(const Layout::Named& named) const {
    RunList runs;
    for (const Segment& segment : traits(named.type).segments()) add_run(runs, segment);
    return runs.size() == 1 ? RunSequence(runs.front()) : RunSequence(std::move(runs));
  }
  RunSequence operator()(const Layout::Dup&) const { return element_form(); }
  RunSequence operator()(const Layout::Resized&) const { return element_form(); }
  RunSequence operator()(const Layout::Contiguous& c) const { return strided(1, c.count, 0); }
  RunSequence operator()(const Layout::Vector& v) const {
    // A single block needs no stride, and then nobody checked that it fits in 64 bits.
    return strided(v.count, v.blocklength, v.count > 1 ? v.stride * extent() : 0);
  }
  RunSequence operator()(const Layout::Hvector& v) const {
    return strided(v.count, v.blocklength, v.stride_bytes);
  }
  RunSequence operator()(const Layout::Indexed& x) const {
    return blocks(x.blocklengths, x.displacements, extent());
  }
  RunSequence operator()(const Layout::Hindexed& x) const {
    return blocks(x.blocklengths, x.displacement_bytes, 1);
  }
  RunSequence operator()(const Layout::IndexedBlock& x) const {
    return blocks(x.blocklength, x.displacements, extent());
  }
  RunSequence operator()(const Layout::HindexedBlock& x) const {
    return blocks(x.blocklength, x.displacement_bytes, 1);
  }
  RunSequence operator()(const Layout::Struct& s) const {
    std::vector<RunSequence::Placed> blocks;
    blocks.reserve(layout.members().size());
    for (std::size_t i = 0; i < layout.members().size(); ++i) {
      const Layout& member = layout.members()[i];
      if (s.blocklengths[i] == 0 || member.size() == 0) continue;
      blocks.push_back({traverse_level(member, level + 1), s.displacement_bytes[i]});
      blocks.back().form.repeat(s.blocklengths[i], member.extent());
    }
    return RunSequence::sequence(std::move(blocks));
  }
  RunSequence operator()(const Layout::Subarray& a) const {
    std::vector<Layout::Darray::Share> shares;
    shares.reserve(a.sizes.size());
    for (std::size_t d = 0; d < a.sizes.size(); ++d)
      shares.push_back({a.starts[d], a.subsizes[d], a.subsizes[d], a.subsizes[d]});
    return array(a.sizes, shares, a.order);
  }
  RunSequence operator()(const Layout::Darray& a) const { return array(a.sizes, a.shares(), a.order); }
};

RunSequence traverse_level(const Layout& layout, int level) {
  if (layout.size() == 0) return {};
  if (level > most_levels)
    fail(Fault::unsupported, "a layout of more than ", most_levels,
         " levels of constructors is not supported");
  RunSequence form = std::visit(Traverser{layout, level}, layout.constructor());
  form.settle();
  return form;
}

}  // namespace

RunSequence traverse(const Layout& layout) { return traverse_level(layout, 1); }

}  // namespace halocline::compile
