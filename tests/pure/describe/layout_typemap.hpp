// The typemap of a layout, element by element as MPI 3.1 defines it, and the measures it defines upon the
// typemap: slow, and as close to the words of the standard as can be.
#pragma once

#include "halocline/describe/layout.hpp"

#include <algorithm>
#include <vector>

namespace halocline {

struct Entry {
  enum class Kind { data, lower_marker, upper_marker };
  Kind kind;
  Count displacement;
  Count bytes;
  Count alignment;
};
using Typemap = std::vector<Entry>;

inline Layout::Measures measures_of(const Typemap& typemap) {
  Layout::Measures m;
  bool has_data = false;
  for (const Entry& e : typemap) {
    if (e.kind != Entry::Kind::data) continue;
    m.true_lb = has_data ? std::min(m.true_lb, e.displacement) : e.displacement;
    m.true_ub = has_data ? std::max(m.true_ub, e.displacement + e.bytes) : e.displacement + e.bytes;
    m.alignment = std::max(m.alignment, e.alignment);
    m.size += e.bytes;
    has_data = true;
  }
  m.lb = m.true_lb;
  m.ub = m.true_ub;
  while ((m.ub - m.lb) % m.alignment != 0) ++m.ub;
  std::vector<Count> lower;
  std::vector<Count> upper;
  for (const Entry& e : typemap) {
    if (e.kind == Entry::Kind::lower_marker) lower.push_back(e.displacement);
    if (e.kind == Entry::Kind::upper_marker) upper.push_back(e.displacement);
  }
  m.explicit_bounds = !lower.empty();
  if (!lower.empty()) m.lb = *std::min_element(lower.begin(), lower.end());
  if (!upper.empty()) m.ub = *std::max_element(upper.begin(), upper.end());
  return m;
}

inline Count extent_of(const Typemap& typemap) {
  const Layout::Measures m = measures_of(typemap);
  return m.ub - m.lb;
}

inline void append_block(Typemap& typemap, const Typemap& element, Count blocklength, Count displacement) {
  const Count extent = extent_of(element);
  for (Count i = 0; i < blocklength; ++i)
    for (Entry e : element) {
      e.displacement += displacement + i * extent;
      typemap.push_back(e);
    }
}

inline Typemap with_markers(Typemap typemap, Count lb, Count ub) {
  std::erase_if(typemap, [](const Entry& e) { return e.kind != Entry::Kind::data; });
  typemap.push_back({Entry::Kind::lower_marker, lb, 0, 1});
  typemap.push_back({Entry::Kind::upper_marker, ub, 0, 1});
  return typemap;
}

/// MPI's cyclic(darg, gsize, r, psize, oldtype).
inline Typemap cyclic(Count darg, Count gsize, Count r, Count psize, const Typemap& element) {
  const Count extent = extent_of(element);
  const Count blocks = (gsize + darg - 1) / darg;
  Count count = blocks / psize;
  if (r < blocks - count * psize) ++count;
  const Count in_last_cycle = gsize % (psize * darg);
  Count last = darg;
  if (in_last_cycle != 0) {
    last = std::min(darg, in_last_cycle - darg * r);
    if (last <= 0) last = darg;
  }
  Typemap typemap;
  for (Count block = 0; block < count; ++block)
    append_block(typemap, element, block + 1 < count ? darg : last, (block * psize + r) * darg * extent);
  return with_markers(std::move(typemap), 0, gsize * extent);
}

inline Typemap typemap_of(const Layout& layout);

struct Flattener {
  std::span<const Layout> members;

  [[nodiscard]] Typemap element() const { return typemap_of(members.front()); }

  Typemap blocks(const Counts& blocklengths, const Counts& displacements, Count unit) const {
    Typemap typemap;
    for (std::size_t i = 0; i < displacements.size(); ++i)
      append_block(typemap, element(), blocklengths[i], displacements[i] * unit);
    return typemap;
  }

  Typemap strided(Count count, Count blocklength, Count stride_bytes) const {
    Typemap typemap;
    for (Count i = 0; i < count; ++i) append_block(typemap, element(), blocklength, i * stride_bytes);
    return typemap;
  }

  Typemap operator()(const Layout::Named& named) const {
    Typemap typemap;
    for (const auto& [offset, bytes] : traits(named.type).segments())
      typemap.push_back({Entry::Kind::data, offset, bytes, traits(named.type).alignment});
    return typemap;
  }
  Typemap operator()(const Layout::Dup&) const { return element(); }
  Typemap operator()(const Layout::Contiguous& c) const { return strided(1, c.count, 0); }
  Typemap operator()(const Layout::Vector& v) const {
    return strided(v.count, v.blocklength, v.stride * extent_of(element()));
  }
  Typemap operator()(const Layout::Hvector& v) const {
    return strided(v.count, v.blocklength, v.stride_bytes);
  }
  Typemap operator()(const Layout::Indexed& x) const {
    return blocks(x.blocklengths, x.displacements, extent_of(element()));
  }
  Typemap operator()(const Layout::Hindexed& x) const {
    return blocks(x.blocklengths, x.displacement_bytes, 1);
  }
  Typemap operator()(const Layout::IndexedBlock& x) const {
    return blocks(Counts(x.displacements.size(), x.blocklength), x.displacements, extent_of(element()));
  }
  Typemap operator()(const Layout::HindexedBlock& x) const {
    return blocks(Counts(x.displacement_bytes.size(), x.blocklength), x.displacement_bytes, 1);
  }
  Typemap operator()(const Layout::Struct& s) const {
    Typemap typemap;
    for (std::size_t i = 0; i < members.size(); ++i)
      append_block(typemap, typemap_of(members[i]), s.blocklengths[i], s.displacement_bytes[i]);
    return typemap;
  }
  Typemap operator()(const Layout::Subarray& a) const {
    Typemap typemap = element();
    for (std::size_t i = 0; i < a.sizes.size(); ++i) {
      const std::size_t d = a.order == Layout::Order::fortran ? i : a.sizes.size() - 1 - i;
      const Count extent = extent_of(typemap);
      Typemap line;
      append_block(line, typemap, a.subsizes[d], a.starts[d] * extent);
      typemap = with_markers(std::move(line), 0, a.sizes[d] * extent);
    }
    return typemap;
  }
  Typemap operator()(const Layout::Darray& a) const {
    const std::size_t dimensions = a.sizes.size();
    Counts coordinates;
    Count rank = a.rank;
    Count size = a.processes;
    for (const Count extent : a.process_grid) {
      size /= extent;
      coordinates.push_back(rank / size);
      rank %= size;
    }
    Typemap typemap = element();
    for (std::size_t i = 0; i < dimensions; ++i) {
      const std::size_t d = a.order == Layout::Order::fortran ? i : dimensions - 1 - i;
      const Count gsize = a.sizes[d];
      const Count psize = a.process_grid[d];
      const Count darg = a.distributions[d] == Layout::Distribution::none    ? gsize
                         : a.arguments[d]                                    ? *a.arguments[d]
                         : a.distributions[d] == Layout::Distribution::block ? (gsize + psize - 1) / psize
                                                                             : 1;
      typemap = cyclic(darg, gsize, coordinates[d], psize, typemap);
    }
    return typemap;
  }
  Typemap operator()(const Layout::Resized& r) const {
    return with_markers(element(), r.lb, r.lb + r.extent);
  }
};

inline Typemap typemap_of(const Layout& layout) {
  return std::visit(Flattener{layout.members()}, layout.constructor());
}

}  // namespace halocline
