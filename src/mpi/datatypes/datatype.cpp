// SPDX-License-Identifier: BSD-3-Clause
// MPI 3.1, section 4.1.13: what each constructor left to be read. The walk keeps a stack of its own: a deep
// tree must not exhaust the thread's.

#include "mpi/datatypes/datatype.hpp"

#include "base/fail.hpp"
#include "halocline/base/error.hpp"
#include "mpi/datatypes/named_type.hpp"
#include "mpi/datatypes/type_bounds.hpp"
#include "mpi/datatypes/type_contents.hpp"

#include <optional>
#include <utility>
#include <vector>

namespace halocline::mpi {
namespace {

/// `layout` with the bounds of `type`, which it describes.
Layout as_this_mpi_has_it(MPI_Datatype type, const TypeBounds& bounds, Layout layout) {
  require_data_of(layout, type, bounds);
  if (layout.lb() == bounds.lb && layout.extent() == bounds.extent) return layout;
  return Layout::resized(bounds.lb, bounds.extent, std::move(layout));
}

Layout predefined_layout(MPI_Datatype type) {
  const TypeBounds bounds(type);
  if (const auto elementary = elementary_of(type)) {
    Layout layout = Layout::named(*elementary);
    if (has_data_in(layout, bounds)) return as_this_mpi_has_it(type, bounds, std::move(layout));
  }
  // Of another size than usual (Fortran compiled with wider integers), of Fortran's kinds, or unknown.
  return as_this_mpi_has_it(type, bounds, Layout::contiguous(bounds.size, Layout::named(Elementary::byte)));
}

Layout::Order order_of(Count order) {
  if (order != MPI_ORDER_C && order != MPI_ORDER_FORTRAN)
    fail(Fault::unsupported, "an array whose order is ", order, "; there are MPI_ORDER_C and _FORTRAN");
  return order == MPI_ORDER_C ? Layout::Order::c : Layout::Order::fortran;
}

Layout::Distribution distribution_of(Count distribution) {
  switch (distribution) {
    case MPI_DISTRIBUTE_BLOCK:
      return Layout::Distribution::block;
    case MPI_DISTRIBUTE_CYCLIC:
      return Layout::Distribution::cyclic;
    case MPI_DISTRIBUTE_NONE:
      return Layout::Distribution::none;
    default:
      fail(Fault::unsupported, "an array whose distribution is ", distribution);
  }
}

Layout::Darray darray_of(TypeContents& contents) {
  Layout::Darray array{};
  array.processes = contents.integer();
  array.rank = contents.integer();
  const Count dimensions = contents.integer();
  array.sizes = contents.counts(dimensions);
  for (const Count each : contents.integers(dimensions)) array.distributions.push_back(distribution_of(each));
  for (const Count each : contents.integers(dimensions))
    array.arguments.push_back(each == MPI_DISTRIBUTE_DFLT_DARG ? std::nullopt : std::optional(each));
  array.process_grid = contents.integers(dimensions);
  array.order = order_of(contents.integer());
  return array;
}

Layout::Subarray subarray_of(TypeContents& contents) {
  const Count dimensions = contents.integer();
  Layout::Subarray array{};
  array.sizes = contents.counts(dimensions);
  array.subsizes = contents.counts(dimensions);
  array.starts = contents.counts(dimensions);
  array.order = order_of(contents.integer());
  return array;
}

// In the bodies below a braced list is read from left to right, as the standard of C++ promises.
Layout::Constructor constructor_of(TypeContents& contents) {
  switch (contents.combiner()) {
    case MPI_COMBINER_DUP:
      return Layout::Dup{};
    case MPI_COMBINER_CONTIGUOUS:
      return Layout::Contiguous{contents.count()};
    case MPI_COMBINER_VECTOR:
      return Layout::Vector{contents.count(), contents.count(), contents.count()};
#ifdef HALOCLINE_HAVE_INTEGER_COMBINERS
    case MPI_COMBINER_HVECTOR_INTEGER:
#endif
    case MPI_COMBINER_HVECTOR:
      return Layout::Hvector{contents.count(), contents.count(), contents.bytes()};
    case MPI_COMBINER_INDEXED: {
      const Count blocks = contents.count();
      return Layout::Indexed{contents.counts(blocks), contents.counts(blocks)};
    }
#ifdef HALOCLINE_HAVE_INTEGER_COMBINERS
    case MPI_COMBINER_HINDEXED_INTEGER:
#endif
    case MPI_COMBINER_HINDEXED: {
      const Count blocks = contents.count();
      return Layout::Hindexed{contents.counts(blocks), contents.byte_counts(blocks)};
    }
    case MPI_COMBINER_INDEXED_BLOCK: {
      const Count blocks = contents.count();
      return Layout::IndexedBlock{contents.count(), contents.counts(blocks)};
    }
    case MPI_COMBINER_HINDEXED_BLOCK: {
      const Count blocks = contents.count();
      return Layout::HindexedBlock{contents.count(), contents.byte_counts(blocks)};
    }
#ifdef HALOCLINE_HAVE_INTEGER_COMBINERS
    case MPI_COMBINER_STRUCT_INTEGER:
#endif
    case MPI_COMBINER_STRUCT: {
      const Count blocks = contents.count();
      return Layout::Struct{contents.counts(blocks), contents.byte_counts(blocks)};
    }
    case MPI_COMBINER_SUBARRAY:
      return subarray_of(contents);
    case MPI_COMBINER_DARRAY:
      return darray_of(contents);
    case MPI_COMBINER_RESIZED:
      return Layout::Resized{contents.bytes(), contents.bytes()};
    default:
      fail(Fault::unsupported, "a datatype whose combiner is number ", contents.combiner(),
           ", which is none of MPI 3.1");
  }
}

/// A datatype of which some members have been read. Its handle is lent by the level below on the stack.
struct OpenType {
  OpenType(MPI_Datatype from, const Envelope& envelope) : type(from), contents(from, envelope) {
    members.reserve(contents.members().size());
  }

  MPI_Datatype type;
  TypeContents contents;
  std::vector<Layout> members;

  Layout finish() {
    return as_this_mpi_has_it(type, TypeBounds(type), Layout(constructor_of(contents), std::move(members)));
  }
};

/// Reads one datatype, asking MPI for everything once: most trees end in the same predefined type everywhere.
class Walk {
 public:
  Layout read(MPI_Datatype type) {
    std::optional<Layout> done = enter(type, envelope_of(type));
    while (!open_.empty()) {
      OpenType& top = open_.back();
      if (done) top.members.push_back(*std::exchange(done, std::nullopt));
      if (const std::size_t next = top.members.size(); next < top.contents.members().size()) {
        // By value: what is opened may move the level.
        const Envelope envelope = top.contents.member_envelope(next);
        done = enter(top.contents.members()[next], envelope);
      } else {
        done = top.finish();
        open_.pop_back();
      }
    }
    return *std::move(done);
  }

 private:
  /// The layout of a predefined type; any other is opened.
  std::optional<Layout> enter(MPI_Datatype type, const Envelope& envelope) {
    if (!envelope.is_predefined()) {
      open_.emplace_back(type, envelope);
      return std::nullopt;
    }
    if (!last_ || last_type_ != type) {
      last_ = predefined_layout(type);
      last_type_ = type;
    }
    return last_;
  }

  std::vector<OpenType> open_;
  MPI_Datatype last_type_ = MPI_DATATYPE_NULL;  ///< The predefined type met last, and its layout.
  std::optional<Layout> last_;
};

}  // namespace

Layout layout_of(MPI_Datatype type) {
  if (type == MPI_DATATYPE_NULL) fail(Fault::invalid_type, "the datatype is MPI_DATATYPE_NULL");
  try {
    return Walk().read(type);
  } catch (const Error& error) {
    // MPI took the arguments, so they are not the caller's mistake; that no memory is so large is.
    const bool too_large = error.fault() == Fault::invalid_type;
    if (!too_large && error.fault() != Fault::invalid_argument) throw;
    fail(too_large ? Fault::invalid_type : Fault::unsupported, name_of(type),
         " has no layout: ", error.what());
  }
}

}  // namespace halocline::mpi
