// Layouts made into datatypes by MPI's own constructors.
#pragma once

#include "halocline/describe/layout.hpp"
#include "mpi/datatypes/named_type.hpp"
#include "mpi/handles/handle.hpp"

#include <vector>

namespace halocline {

/// A datatype that a test built: freed with it unless it is predefined.
struct BuiltType {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  mpi::Datatype owner;
};

/// The same tree, with bytes where this MPI lacks an elementary type.
inline Layout with_types_of_this_mpi(const Layout& layout) {
  if (const auto* named = layout.as<Layout::Named>())
    return mpi::datatype_of(named->type) == MPI_DATATYPE_NULL ? Layout::named(Elementary::byte) : layout;
  std::vector<Layout> members;
  for (const Layout& member : layout.members()) members.push_back(with_types_of_this_mpi(member));
  return {layout.constructor(), std::move(members)};
}

inline BuiltType built(const Layout& layout);

struct TypeBuilder {
  const Layout& layout;

  template <class T>
  static std::vector<T> list(const Counts& values) {
    return {values.begin(), values.end()};
  }
  static std::vector<int> ints(const Counts& values) { return list<int>(values); }
  static std::vector<MPI_Aint> bytes(const Counts& values) { return list<MPI_Aint>(values); }
  static int length(const Counts& values) { return static_cast<int>(values.size()); }
  static int order(Layout::Order order) {
    return order == Layout::Order::c ? MPI_ORDER_C : MPI_ORDER_FORTRAN;
  }

  /// Calls the constructor with the element's handle and a place for the new one.
  template <class Construct>
  BuiltType over_element(const Construct& construct) const {
    const BuiltType element = built(layout.element());
    BuiltType result;
    construct(element.type, &result.type);
    result.owner = mpi::Datatype(result.type);
    return result;
  }

  BuiltType operator()(const Layout::Named& named) const { return {mpi::datatype_of(named.type), {}}; }
  BuiltType operator()(const Layout::Dup&) const {
    return over_element([](auto from, auto* to) { MPI_Type_dup(from, to); });
  }
  BuiltType operator()(const Layout::Contiguous& c) const {
    return over_element(
        [&](auto from, auto* to) { MPI_Type_contiguous(static_cast<int>(c.count), from, to); });
  }
  BuiltType operator()(const Layout::Vector& v) const {
    return over_element([&](auto from, auto* to) {
      MPI_Type_vector(static_cast<int>(v.count), static_cast<int>(v.blocklength), static_cast<int>(v.stride),
                      from, to);
    });
  }
  BuiltType operator()(const Layout::Hvector& v) const {
    return over_element([&](auto from, auto* to) {
      MPI_Type_create_hvector(static_cast<int>(v.count), static_cast<int>(v.blocklength), v.stride_bytes,
                              from, to);
    });
  }
  BuiltType operator()(const Layout::Indexed& x) const {
    return over_element([&](auto from, auto* to) {
      MPI_Type_indexed(length(x.displacements), ints(x.blocklengths).data(), ints(x.displacements).data(),
                       from, to);
    });
  }
  BuiltType operator()(const Layout::Hindexed& x) const {
    return over_element([&](auto from, auto* to) {
      MPI_Type_create_hindexed(length(x.blocklengths), ints(x.blocklengths).data(),
                               bytes(x.displacement_bytes).data(), from, to);
    });
  }
  BuiltType operator()(const Layout::IndexedBlock& x) const {
    return over_element([&](auto from, auto* to) {
      MPI_Type_create_indexed_block(length(x.displacements), static_cast<int>(x.blocklength),
                                    ints(x.displacements).data(), from, to);
    });
  }
  BuiltType operator()(const Layout::HindexedBlock& x) const {
    return over_element([&](auto from, auto* to) {
      MPI_Type_create_hindexed_block(length(x.displacement_bytes), static_cast<int>(x.blocklength),
                                     bytes(x.displacement_bytes).data(), from, to);
    });
  }
  BuiltType operator()(const Layout::Struct& s) const {
    std::vector<BuiltType> members;
    std::vector<MPI_Datatype> types;
    for (const Layout& member : layout.members()) {
      members.push_back(built(member));
      types.push_back(members.back().type);
    }
    BuiltType result;
    MPI_Type_create_struct(length(s.blocklengths), ints(s.blocklengths).data(),
                           bytes(s.displacement_bytes).data(), types.data(), &result.type);
    result.owner = mpi::Datatype(result.type);
    return result;
  }
  BuiltType operator()(const Layout::Subarray& a) const {
    return over_element([&](auto from, auto* to) {
      MPI_Type_create_subarray(length(a.sizes), ints(a.sizes).data(), ints(a.subsizes).data(),
                               ints(a.starts).data(), order(a.order), from, to);
    });
  }
  BuiltType operator()(const Layout::Darray& a) const {
    std::vector<int> distributions;
    std::vector<int> arguments;
    for (std::size_t d = 0; d < a.sizes.size(); ++d) {
      distributions.push_back(a.distributions[d] == Layout::Distribution::block    ? MPI_DISTRIBUTE_BLOCK
                              : a.distributions[d] == Layout::Distribution::cyclic ? MPI_DISTRIBUTE_CYCLIC
                                                                                   : MPI_DISTRIBUTE_NONE);
      arguments.push_back(a.arguments[d] ? static_cast<int>(*a.arguments[d]) : MPI_DISTRIBUTE_DFLT_DARG);
    }
    return over_element([&](auto from, auto* to) {
      MPI_Type_create_darray(static_cast<int>(a.processes), static_cast<int>(a.rank), length(a.sizes),
                             ints(a.sizes).data(), distributions.data(), arguments.data(),
                             ints(a.process_grid).data(), order(a.order), from, to);
    });
  }
  BuiltType operator()(const Layout::Resized& r) const {
    return over_element([&](auto from, auto* to) { MPI_Type_create_resized(from, r.lb, r.extent, to); });
  }
};

/// The datatype that MPI makes of the constructors of a layout; not committed.
inline BuiltType built(const Layout& layout) { return std::visit(TypeBuilder{layout}, layout.constructor()); }

inline BuiltType committed(const Layout& layout) {
  BuiltType type = built(layout);
  MPI_Type_commit(&type.type);
  return type;
}

}  // namespace halocline
