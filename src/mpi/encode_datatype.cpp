#include "mpi/encode_datatype.hpp"

#include "halocline/base/error.hpp"

#include <algorithm>
#include <limits>
#include <vector>

namespace halocline::mpi {
namespace {

int narrow(Count value) {
  if (value > std::numeric_limits<int>::max() || value < std::numeric_limits<int>::min())
    fail(Fault::unsupported, "a datatype with the count ", value, ", which is more than MPI's integers hold");
  return static_cast<int>(value);
}

Counts scaled(Counts values, Count factor) {
  for (Count& value : values) value *= factor;
  return values;
}

/// Blocks of `element`, whose extent MPI knows by then; displacements in bytes. Those of no length are left
/// out.
Datatype blocks(const Counts& lengths, const Counts& displacement_bytes, MPI_Datatype element) {
  std::vector<int> counts;
  std::vector<MPI_Aint> offsets;
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    if (lengths[i] == 0) continue;
    counts.push_back(narrow(lengths[i]));
    offsets.push_back(static_cast<MPI_Aint>(displacement_bytes[i]));
  }
  Datatype type;
  HALOCLINE_MPI(Type_create_hindexed, narrow(static_cast<Count>(counts.size())), counts.data(),
                offsets.data(), element, type.put());
  return type;
}

Datatype joined(const std::vector<int>& lengths, const std::vector<MPI_Aint>& offsets,
                const std::vector<MPI_Datatype>& types) {
  Datatype type;
  HALOCLINE_MPI(Type_create_struct, narrow(static_cast<Count>(types.size())), lengths.data(), offsets.data(),
                types.data(), type.put());
  return type;
}

Datatype strided(Count count, Count length, Count stride_bytes, MPI_Datatype element) {
  Datatype type;
  if (stride_bytes == -1 && count > 1) {
    // Open MPI takes a stride of exactly -1 byte for none: two blocks at a time, and the last one of an odd
    // number.
    const Datatype two = blocks({length, length}, {0, -1}, element);
    Datatype pairs = strided(count / 2, 1, -2, two.get());
    if (count % 2 == 0) return pairs;
    return joined({1, narrow(length)}, {0, static_cast<MPI_Aint>(1 - count)}, {pairs.get(), element});
  }
  HALOCLINE_MPI(Type_create_hvector, narrow(count), narrow(length), static_cast<MPI_Aint>(stride_bytes),
                element, type.put());
  return type;
}

Datatype resized(Count lb, Count extent, MPI_Datatype element) {
  Datatype type;
  HALOCLINE_MPI(Type_create_resized, element, static_cast<MPI_Aint>(lb), static_cast<MPI_Aint>(extent),
                type.put());
  return type;
}

/// The elements of an array that are picked along each dimension, slowest first, as nested vectors.
struct Axis {
  Count size;  ///< Of the array.
  Layout::Darray::Share share;
};

/// Indices of one dimension, `unit_bytes` apart: whole runs, then the shorter last one.
Datatype picked(const Layout::Darray::Share& share, Count unit_bytes, MPI_Datatype element) {
  const Count whole = share.block == 0 ? 0 : share.count / share.block;
  Counts lengths, offsets;
  for (Count run = 0; run < whole; ++run) {
    lengths.push_back(share.block);
    offsets.push_back((share.first + run * share.stride) * unit_bytes);
  }
  if (const Count rest = share.count - whole * share.block; rest > 0) {
    lengths.push_back(rest);
    offsets.push_back((share.first + whole * share.stride) * unit_bytes);
  }
  const Datatype spaced = resized(0, unit_bytes, element);
  return blocks(lengths, offsets, spaced.get());
}

Datatype array_part(std::vector<Axis> axes, Layout::Order order, Count extent, Datatype element) {
  if (order == Layout::Order::fortran) std::reverse(axes.begin(), axes.end());
  Count unit = extent;
  Datatype type = std::move(element);
  for (std::size_t d = axes.size(); d-- > 0;) {
    type = picked(axes[d].share, unit, type.get());
    unit *= axes[d].size;
  }
  return resized(0, unit, type.get());
}

struct Encoder {
  const Layout& layout;

  [[nodiscard]] Datatype element() const { return encode_datatype(layout.element()); }
  [[nodiscard]] Count extent() const { return layout.element().extent(); }

  Datatype operator()(const Layout::Named& named) const {
    Counts lengths, offsets;
    for (const Segment& segment : traits(named.type).segments()) {
      lengths.push_back(segment.bytes);
      offsets.push_back(segment.offset);
    }
    return blocks(lengths, offsets, MPI_BYTE);
  }
  Datatype operator()(const Layout::Dup& /*dup*/) const { return element(); }
  Datatype operator()(const Layout::Contiguous& c) const { return strided(1, c.count, 0, element().get()); }
  Datatype operator()(const Layout::Vector& v) const {
    return strided(v.count, v.blocklength, v.stride * extent(), element().get());
  }
  Datatype operator()(const Layout::Hvector& v) const {
    return strided(v.count, v.blocklength, v.stride_bytes, element().get());
  }
  Datatype operator()(const Layout::Indexed& i) const {
    return blocks(i.blocklengths, scaled(i.displacements, extent()), element().get());
  }
  Datatype operator()(const Layout::Hindexed& i) const {
    return blocks(i.blocklengths, i.displacement_bytes, element().get());
  }
  Datatype operator()(const Layout::IndexedBlock& i) const {
    return blocks(Counts(i.displacements.size(), i.blocklength), scaled(i.displacements, extent()),
                  element().get());
  }
  Datatype operator()(const Layout::HindexedBlock& i) const {
    return blocks(Counts(i.displacement_bytes.size(), i.blocklength), i.displacement_bytes, element().get());
  }
  Datatype operator()(const Layout::Struct& s) const {
    std::vector<Datatype> owned;
    std::vector<MPI_Datatype> types;
    std::vector<int> lengths;
    std::vector<MPI_Aint> offsets;
    for (std::size_t m = 0; m < layout.members().size(); ++m) {
      if (s.blocklengths[m] == 0 || layout.members()[m].size() == 0) continue;
      owned.push_back(encode_datatype(layout.members()[m]));
      types.push_back(owned.back().get());
      lengths.push_back(narrow(s.blocklengths[m]));
      offsets.push_back(static_cast<MPI_Aint>(s.displacement_bytes[m]));
    }
    return joined(lengths, offsets, types);
  }
  Datatype operator()(const Layout::Subarray& s) const {
    std::vector<Axis> axes;
    for (std::size_t d = 0; d < s.sizes.size(); ++d)
      axes.push_back({s.sizes[d], {s.starts[d], s.subsizes[d], s.subsizes[d], s.subsizes[d]}});
    return array_part(std::move(axes), s.order, extent(), element());
  }
  Datatype operator()(const Layout::Darray& a) const {
    std::vector<Axis> axes;
    const std::vector<Layout::Darray::Share> shares = a.shares();
    for (std::size_t d = 0; d < a.sizes.size(); ++d) axes.push_back({a.sizes[d], shares[d]});
    return array_part(std::move(axes), a.order, extent(), element());
  }
  Datatype operator()(const Layout::Resized& r) const { return resized(r.lb, r.extent, element().get()); }
};

}  // namespace

Datatype encode_datatype(const Layout& layout) {
  // MPICH divides by the size of parts that have none: what is empty is encoded as nothing, here and above.
  if (layout.size() == 0) return resized(layout.lb(), layout.extent(), blocks({}, {}, MPI_BYTE).get());
  // MPIs differ in how they pad: the bounds are said outright.
  const Datatype type = std::visit(Encoder{layout}, layout.constructor());
  return resized(layout.lb(), layout.extent(), type.get());
}

}  // namespace halocline::mpi
