// SPDX-License-Identifier: BSD-3-Clause
// The bounds of a typemap, MPI 3.1 sections 4.1.2 to 4.1.8. They need no typemap: where copies of an element
// lie is known from the lowest and the highest of their displacements.

#include "describe/layout_measures.hpp"

#include "base/fail.hpp"
#include "base/integers.hpp"
#include "base/numbers.hpp"
#include "base/wide.hpp"
#include "halocline/base/error.hpp"

#include <algorithm>

namespace halocline {
namespace {

using Measures = Layout::Measures;

Count narrowed(Wide value, std::string_view what) {
  const auto narrow = static_cast<Count>(value);
  if (narrow != value) [[unlikely]]
    fail(Fault::invalid_type, "the ", what, " ", to_text(value), " of a layout does not fit in 64 bits");
  return narrow;
}

/// How often an element occurs, and the lowest and the highest displacement at which it does.
struct Occurrences {
  Wide count = 0;
  Wide lowest = 0;
  Wide highest = 0;

  void add(const Occurrences& more) {
    if (more.count == 0) return;
    lowest = count == 0 ? more.lowest : std::min(lowest, more.lowest);
    highest = count == 0 ? more.highest : std::max(highest, more.highest);
    count += more.count;
  }
};

/// `count` copies from `displacement` on, `stride` apart, all in bytes.
Occurrences row(Wide displacement, Count count, Count stride) {
  if (count == 0) return {};
  const Wide last = displacement + (Wide{count} - 1) * stride;
  return {count, std::min(displacement, last), std::max(displacement, last)};
}

/// Natural bounds: the data, padded at its end to the strictest alignment.
void set_natural_bounds(Measures& measures) {
  const Wide extent = Wide{measures.true_ub} - measures.true_lb;
  const Wide padding = (measures.alignment - extent % measures.alignment) % measures.alignment;
  measures.lb = measures.true_lb;
  measures.ub = narrowed(measures.true_ub + padding, "upper bound");
}

Measures with_extents_in_range(const Measures& measures) {
  (void)narrowed(Wide{measures.ub} - measures.lb, "extent");
  (void)narrowed(Wide{measures.true_ub} - measures.true_lb, "true extent");
  return measures;
}

Measures replicated(const Measures& element, const Occurrences& copies) {
  if (copies.count == 0) return {};
  // By themselves, too: where an element lies below its origin, a sum may be less than what it is made of.
  (void)narrowed(copies.lowest, "least displacement");
  (void)narrowed(copies.highest, "greatest displacement");
  Measures all = element;
  all.size = narrowed(Wide{narrowed(copies.count, "number of elements")} * element.size, "size");
  if (all.size > 0) {
    all.true_lb = narrowed(copies.lowest + element.true_lb, "true lower bound");
    all.true_ub = narrowed(copies.highest + element.true_ub, "true upper bound");
  }
  if (element.explicit_bounds) {
    all.lb = narrowed(copies.lowest + element.lb, "lower bound");
    all.ub = narrowed(copies.highest + element.ub, "upper bound");
  } else {
    set_natural_bounds(all);
  }
  return with_extents_in_range(all);
}

/// Both side by side. The bounds are right only if a part has explicit ones.
Measures joined(const Measures& a, const Measures& b) {
  Measures both = a.size > 0 ? a : b;
  if (a.size > 0 && b.size > 0) {
    both.size = narrowed(Wide{a.size} + b.size, "size");
    both.true_lb = std::min(a.true_lb, b.true_lb);
    both.true_ub = std::max(a.true_ub, b.true_ub);
    both.alignment = std::max(a.alignment, b.alignment);
  }
  both.explicit_bounds = a.explicit_bounds || b.explicit_bounds;
  both.lb = !a.explicit_bounds ? b.lb : !b.explicit_bounds ? a.lb : std::min(a.lb, b.lb);
  both.ub = !a.explicit_bounds ? b.ub : !b.explicit_bounds ? a.ub : std::max(a.ub, b.ub);
  return both;
}

Measures with_bounds(Measures measures, Count lb, Count extent) {
  measures.lb = lb;
  measures.ub = narrowed(Wide{lb} + extent, "upper bound");
  measures.explicit_bounds = true;
  return measures;
}

void require_not_negative(std::string_view constructor, std::string_view what, Count value) {
  require(value >= 0, "the ", what, " ", value, " of ", constructor, " is negative; 0 is the least");
}

void require_equal_lengths(std::string_view constructor, std::string_view a_name, std::size_t a,
                           std::string_view b_name, std::size_t b) {
  require(a == b, constructor, " has ", a, " ", a_name, " but ", b, " ", b_name, "; there must be as many");
}

/// Blocks of copies at displacements in multiples of `unit` bytes.
Occurrences indexed_copies(std::string_view constructor, const Counts& blocklengths,
                           const Counts& displacements, Count unit, Count extent) {
  require_equal_lengths(constructor, "blocklengths", blocklengths.size(), "displacements",
                        displacements.size());
  Occurrences copies;
  for (std::size_t i = 0; i < blocklengths.size(); ++i) {
    require_not_negative(constructor, "blocklength", blocklengths[i]);
    copies.add(row(Wide{displacements[i]} * unit, blocklengths[i], extent));
  }
  return copies;
}

/// As above, all blocks of the same length.
Occurrences block_copies(std::string_view constructor, Count blocklength, const Counts& displacements,
                         Count unit, Count extent) {
  require_not_negative(constructor, "blocklength", blocklength);
  if (displacements.empty()) return {};
  const auto [least, greatest] = std::minmax_element(displacements.begin(), displacements.end());
  Occurrences copies = row(Wide{*least} * unit, blocklength, extent);
  copies.add(row(Wide{*greatest} * unit, blocklength, extent));
  copies.count = Wide{blocklength} * count_of(displacements);
  return copies;
}

Occurrences vector_copies(std::string_view constructor, Count count, Count blocklength, Count stride_bytes,
                          Count extent) {
  require_not_negative(constructor, "count", count);
  require_not_negative(constructor, "blocklength", blocklength);
  if (count == 0) return {};
  Occurrences copies = row(0, blocklength, extent);
  copies.add(row((Wide{count} - 1) * stride_bytes, blocklength, extent));
  copies.count = Wide{count} * blocklength;
  return copies;
}

/// Of one dimension of an array, `count` indices between `first` and `last`.
struct Indices {
  Count first;
  Count last;
  Count count;
};

/// The measures of the elements at the given indices of an array; its bounds are those of the whole array.
Measures array_part(const Counts& sizes, const std::vector<Indices>& indices, Layout::Order order,
                    const Layout& element) {
  Occurrences copies{1, 0, 0};
  Count stride = element.extent();
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const std::size_t d = order == Layout::Order::fortran ? i : sizes.size() - 1 - i;
    const Wide a = Wide{indices[d].first} * stride;
    const Wide b = Wide{indices[d].last} * stride;
    copies.count = narrowed(copies.count * indices[d].count, "number of elements");
    copies.lowest = narrowed(copies.lowest + std::min(a, b), "lower bound");
    copies.highest = narrowed(copies.highest + std::max(a, b), "upper bound");
    stride = narrowed(Wide{stride} * sizes[d], "extent");
  }
  return with_bounds(replicated(element.measures(), copies), 0, stride);
}

Count array_extent(const Counts& sizes, Count element_extent) {
  Count extent = element_extent;
  for (const Count size : sizes) extent = narrowed(Wide{extent} * size, "extent");
  return extent;
}

void require_array(std::string_view constructor, const Counts& sizes) {
  require(!sizes.empty(), "a ", constructor, " needs at least one dimension");
  for (const Count size : sizes)
    require(size >= 1, "the size ", size, " of a ", constructor, " is not positive");
}

void require_valid(const Layout::Darray& array) {
  require_array("darray", array.sizes);
  require_equal_lengths("darray", "sizes", array.sizes.size(), "distributions", array.distributions.size());
  require_equal_lengths("darray", "sizes", array.sizes.size(), "arguments", array.arguments.size());
  require_equal_lengths("darray", "sizes", array.sizes.size(), "process grid extents",
                        array.process_grid.size());
  for (std::size_t d = 0; d < array.sizes.size(); ++d) {
    const Count processes = array.process_grid[d];
    const Count argument = array.arguments[d].value_or(1);
    require(processes >= 1, "the process grid extent ", processes, " of a darray is not positive");
    require(argument >= 1, "the distribution argument ", argument, " of a darray is not positive");
    if (array.distributions[d] == Layout::Distribution::none)
      require(processes == 1, "a darray has ", processes, " processes along dimension ", d,
              " that is not distributed; there must be 1");
    if (array.distributions[d] == Layout::Distribution::block && array.arguments[d])
      require(argument >= divide_up(array.sizes[d], processes), processes, " blocks of ", argument,
              " do not cover the size ", array.sizes[d], " of dimension ", d, " of a darray");
  }
  const Count cells = checked_product(array.process_grid);
  require(cells == array.processes, "the process grid of a darray holds ", cells, " processes, not ",
          array.processes);
  require(0 <= array.rank && array.rank < array.processes, "the rank ", array.rank,
          " of a darray is not among its ", array.processes, " processes");
}

/// The length of the runs that MPI deals out cyclically, which is how it defines every distribution. No run
/// needs to be longer than the dimension.
Count cyclic_block(Layout::Distribution distribution, std::optional<Count> argument, Count size,
                   Count processes) {
  switch (distribution) {
    case Layout::Distribution::none:
      return size;
    case Layout::Distribution::block:
      return std::min(size, argument.value_or(divide_up(size, processes)));
    case Layout::Distribution::cyclic:
      return std::min(size, argument.value_or(1));
  }
  fail(Fault::invalid_argument, "there is no distribution number ", static_cast<int>(distribution));
}

/// Measures each constructor after checking its arguments.
struct Measurer {
  std::span<const Layout> members;

  [[nodiscard]] const Measures& element() const { return members.front().measures(); }
  [[nodiscard]] Count extent() const { return members.front().extent(); }

  Measures operator()(const Layout::Named& named) const {
    const ElementaryTraits& type = traits(named.type);
    Measures measures;
    measures.alignment = type.alignment;
    for (const auto& [offset, bytes] : type.segments()) {
      measures.size += bytes;
      measures.true_ub = offset + bytes;
    }
    set_natural_bounds(measures);
    return measures;
  }

  Measures operator()(const Layout::Dup&) const { return element(); }

  Measures operator()(const Layout::Contiguous& c) const {
    require_not_negative("contiguous", "count", c.count);
    return replicated(element(), row(0, c.count, extent()));
  }

  Measures operator()(const Layout::Vector& v) const {
    const Count stride_bytes = v.count > 1 ? narrowed(Wide{v.stride} * extent(), "stride") : 0;
    return replicated(element(), vector_copies("vector", v.count, v.blocklength, stride_bytes, extent()));
  }

  Measures operator()(const Layout::Hvector& v) const {
    return replicated(element(), vector_copies("hvector", v.count, v.blocklength, v.stride_bytes, extent()));
  }

  Measures operator()(const Layout::Indexed& x) const {
    return replicated(element(),
                      indexed_copies("indexed", x.blocklengths, x.displacements, extent(), extent()));
  }

  Measures operator()(const Layout::Hindexed& x) const {
    return replicated(element(),
                      indexed_copies("hindexed", x.blocklengths, x.displacement_bytes, 1, extent()));
  }

  Measures operator()(const Layout::IndexedBlock& x) const {
    return replicated(element(),
                      block_copies("indexed_block", x.blocklength, x.displacements, extent(), extent()));
  }

  Measures operator()(const Layout::HindexedBlock& x) const {
    return replicated(element(),
                      block_copies("hindexed_block", x.blocklength, x.displacement_bytes, 1, extent()));
  }

  Measures operator()(const Layout::Struct& s) const {
    require_equal_lengths("struct", "blocklengths", s.blocklengths.size(), "layouts", members.size());
    require_equal_lengths("struct", "displacements", s.displacement_bytes.size(), "layouts", members.size());
    Measures all;
    for (std::size_t i = 0; i < members.size(); ++i) {
      require_not_negative("struct", "blocklength", s.blocklengths[i]);
      const Occurrences copies = row(s.displacement_bytes[i], s.blocklengths[i], members[i].extent());
      all = joined(all, replicated(members[i].measures(), copies));
    }
    if (!all.explicit_bounds) set_natural_bounds(all);
    return with_extents_in_range(all);
  }

  Measures operator()(const Layout::Subarray& a) const {
    require_array("subarray", a.sizes);
    require_equal_lengths("subarray", "sizes", a.sizes.size(), "subsizes", a.subsizes.size());
    require_equal_lengths("subarray", "sizes", a.sizes.size(), "starts", a.starts.size());
    std::vector<Indices> indices;
    for (std::size_t d = 0; d < a.sizes.size(); ++d) {
      require(a.subsizes[d] >= 1, "the subsize ", a.subsizes[d], " of a subarray is not positive");
      require(0 <= a.starts[d] && a.starts[d] <= a.sizes[d] - a.subsizes[d], "a subarray of ", a.subsizes[d],
              " from ", a.starts[d], " on does not fit the size ", a.sizes[d], " of dimension ", d);
      indices.push_back({a.starts[d], a.starts[d] + a.subsizes[d] - 1, a.subsizes[d]});
    }
    return array_part(a.sizes, indices, a.order, members.front());
  }

  Measures operator()(const Layout::Darray& a) const {
    require_valid(a);
    std::vector<Indices> indices;
    for (const auto& [first, block, stride, count] : a.shares()) {
      if (count == 0) return with_bounds({}, 0, array_extent(a.sizes, extent()));
      indices.push_back({first, first + (count - 1) / block * stride + (count - 1) % block, count});
    }
    return array_part(a.sizes, indices, a.order, members.front());
  }

  Measures operator()(const Layout::Resized& r) const { return with_bounds(element(), r.lb, r.extent); }
};

}  // namespace

std::vector<Layout::Darray::Share> Layout::Darray::shares() const {
  std::vector<Share> shares(sizes.size());
  Count ranks = processes;  // that share the coordinates of all earlier dimensions, in row-major order
  for (std::size_t d = 0; d < sizes.size(); ++d) {
    const Count grid_size = process_grid[d];
    const Count coordinate = rank % ranks / (ranks / grid_size);
    ranks /= grid_size;
    const Count block = cyclic_block(distributions[d], arguments[d], sizes[d], grid_size);
    const Count first = narrowed(Wide{coordinate} * block, "first index");
    const Count stride = narrowed(Wide{grid_size} * block, "cycle");
    const Count reach = std::max<Count>(sizes[d] - first, 0);
    shares[d] = {first, block, stride, reach / stride * block + std::min(reach % stride, block)};
  }
  return shares;
}

Measures measure(const Layout::Constructor& constructor, std::span<const Layout> members) {
  if (!std::holds_alternative<Layout::Struct>(constructor)) {
    const std::size_t needed = std::holds_alternative<Layout::Named>(constructor) ? 0 : 1;
    require(members.size() == needed, "this constructor of a layout applies to ", needed, " layouts, not ",
            members.size());
  }
  return std::visit(Measurer{members}, constructor);
}

}  // namespace halocline
