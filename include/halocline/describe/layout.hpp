// SPDX-License-Identifier: BSD-3-Clause
// MPI datatypes as values: where in memory the data of a message lies, without MPI.
#pragma once

#include "halocline/api.h"
#include "halocline/base/count.hpp"
#include "halocline/base/cxx20.hpp"

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace halocline {

/// The named datatypes of MPI: MPI_LONG_DOUBLE is long_double, MPI_2INT is two_int.
enum class Elementary {
  // clang-format off
  byte, packed,
  char_, signed_char, unsigned_char, wchar, short_, unsigned_short, int_, unsigned_, long_, unsigned_long,
  long_long, unsigned_long_long, float_, double_, long_double,
  int8, int16, int32, int64, uint8, uint16, uint32, uint64, aint, offset, count,
  c_bool, c_float_complex, c_double_complex, c_long_double_complex,
  cxx_bool, cxx_float_complex, cxx_double_complex, cxx_long_double_complex,
  character, logical, integer, real, double_precision, complex, double_complex,
  logical1, logical2, logical4, logical8, logical16, integer1, integer2, integer4, integer8, integer16,
  real2, real4, real8, real16, complex4, complex8, complex16, complex32,
  float_int, double_int, long_int, two_int, short_int, long_double_int,
  two_integer, two_real, two_double_precision,
  // clang-format on
};

/// A piece of contiguous memory.
struct Segment {
  Count offset;
  Count bytes;
  bool operator==(const Segment&) const = default;
};

/// What there is to know of an elementary type: sizes and alignments are those of the C and C++ compiler, and
/// of a Fortran compiler with a default integer and real of 4 bytes.
struct ElementaryTraits {
  Elementary type;
  std::string_view name;           ///< As in MPI, in lower case: "long-double", "2int", "int8".
  Count alignment;                 ///< In bytes.
  std::array<Segment, 2> members;  ///< A pair such as double-int has two members, all others have one.
  std::size_t member_count;

  [[nodiscard]] std::span<const Segment> segments() const { return {members.data(), member_count}; }
};

/// Every elementary type, in the order of the enumeration.
[[nodiscard]] HALOCLINE_API std::span<const ElementaryTraits> elementary_types();
/// Throws Error{invalid_argument} for a value that is not in the enumeration.
[[nodiscard]] HALOCLINE_API const ElementaryTraits& traits(Elementary type);

/// An MPI datatype: an immutable tree of MPI's type constructors over elementary types. A copy costs O(1) and
/// shares the tree.
///
/// What MPI 3.1 says in section 4.1 of a datatype's typemap holds here to the letter. Without explicit bounds
/// a layout begins with its first byte, and its extent is padded to a multiple of its strictest alignment,
/// whatever the constructor. resized, subarray and darray set explicit bounds, which prevail in every layout
/// around them. Where an MPI computes other bounds, resized() says so.
///
/// The text form follows this grammar; blanks may stand between any two tokens:
///
///     layout        = elementary name, as in elementary_types()
///                   | dup(layout)
///                   | contiguous(integer count,layout)
///                   | vector(integer count,integer blocklength,integer stride,layout)
///                   | hvector(integer count,integer blocklength,integer stride_bytes,layout)
///                   | indexed(integers blocklengths,integers displacements,layout)
///                   | hindexed(integers blocklengths,integers displacement_bytes,layout)
///                   | indexed_block(integer blocklength,integers displacements,layout)
///                   | hindexed_block(integer blocklength,integers displacement_bytes,layout)
///                   | struct(integers blocklengths,integers displacement_bytes,[layout,...])
///                   | subarray(integers sizes,integers subsizes,integers starts,order,layout)
///                   | darray(integer processes,integer rank,integers sizes,[distribution,...],
///                            [argument,...],integers process_grid,order,layout)
///                   | resized(integer lb,integer extent,layout)
///     integers      = [integer,...], also []
///     order         = c | fortran
///     distribution  = block | cyclic | none
///     argument      = integer | default
///
/// Examples: hvector(2,1,24576,vector(8,8,32,contiguous(6,float))), struct([1,2],[0,16],[int,double]),
/// darray(4,0,[9,9],[block,cyclic],[default,2],[2,2],fortran,float).
class HALOCLINE_API Layout {
 public:
  enum class Order { c, fortran };
  enum class Distribution { block, cyclic, none };

  // The constructors of MPI and their arguments, in MPI's order. The layouts they apply to are members().

  struct Named {
    Elementary type;
    bool operator==(const Named&) const = default;
  };
  struct Dup {
    bool operator==(const Dup&) const = default;
  };
  struct Contiguous {
    Count count;
    bool operator==(const Contiguous&) const = default;
  };
  struct Vector {
    Count count;
    Count blocklength;
    Count stride;  ///< In extents of the element.
    bool operator==(const Vector&) const = default;
  };
  struct Hvector {
    Count count;
    Count blocklength;
    Count stride_bytes;
    bool operator==(const Hvector&) const = default;
  };
  struct Indexed {
    Counts blocklengths;
    Counts displacements;  ///< In extents of the element.
    bool operator==(const Indexed&) const = default;
  };
  struct Hindexed {
    Counts blocklengths;
    Counts displacement_bytes;
    bool operator==(const Hindexed&) const = default;
  };
  struct IndexedBlock {
    Count blocklength;
    Counts displacements;  ///< In extents of the element.
    bool operator==(const IndexedBlock&) const = default;
  };
  struct HindexedBlock {
    Count blocklength;
    Counts displacement_bytes;
    bool operator==(const HindexedBlock&) const = default;
  };
  struct Struct {
    Counts blocklengths;
    Counts displacement_bytes;
    bool operator==(const Struct&) const = default;
  };
  struct Subarray {
    Counts sizes;
    Counts subsizes;
    Counts starts;
    Order order;
    bool operator==(const Subarray&) const = default;
  };
  struct Darray {
    Count processes;
    Count rank;
    Counts sizes;
    std::vector<Distribution> distributions;
    std::vector<std::optional<Count>> arguments;  ///< None stands for MPI_DISTRIBUTE_DFLT_DARG.
    Counts process_grid;
    Order order;
    bool operator==(const Darray&) const = default;

    /// Indices of one dimension: runs of `block` neighbours, `stride` apart, beginning at `first`; `count` in
    /// all, so that the last run may be shorter.
    struct Share {
      Count first;
      Count block;
      Count stride;
      Count count;
      bool operator==(const Share&) const = default;
    };
    /// For each dimension, the indices that the rank owns. @pre the arguments of an existing Layout
    [[nodiscard]] std::vector<Share> shares() const;
  };
  struct Resized {
    Count lb;
    Count extent;
    bool operator==(const Resized&) const = default;
  };
  using Constructor = std::variant<Named, Dup, Contiguous, Vector, Hvector, Indexed, Hindexed, IndexedBlock,
                                   HindexedBlock, Struct, Subarray, Darray, Resized>;

  /// A constructor applied to its members: none for Named, any number for Struct, one for all others. Throws
  /// Error{invalid_argument} for arguments that MPI calls erroneous (a negative count, lists of different
  /// length, a subarray outside its array, ...), Error{invalid_type} for a measure or a displacement that
  /// leaves 64 bits. Linear in the length of the lists, which are not copied.
  Layout(Constructor constructor, std::vector<Layout> members);

  // The same, one by one.

  [[nodiscard]] static Layout named(Elementary type);
  [[nodiscard]] static Layout dup(Layout element);
  [[nodiscard]] static Layout contiguous(Count count, Layout element);
  [[nodiscard]] static Layout vector(Count count, Count blocklength, Count stride, Layout element);
  [[nodiscard]] static Layout hvector(Count count, Count blocklength, Count stride_bytes, Layout element);
  [[nodiscard]] static Layout indexed(Counts blocklengths, Counts displacements, Layout element);
  [[nodiscard]] static Layout hindexed(Counts blocklengths, Counts displacement_bytes, Layout element);
  [[nodiscard]] static Layout indexed_block(Count blocklength, Counts displacements, Layout element);
  [[nodiscard]] static Layout hindexed_block(Count blocklength, Counts displacement_bytes, Layout element);
  [[nodiscard]] static Layout structure(Counts blocklengths, Counts displacement_bytes,
                                        std::vector<Layout> members);
  [[nodiscard]] static Layout subarray(Counts sizes, Counts subsizes, Counts starts, Order order,
                                       Layout element);
  [[nodiscard]] static Layout darray(Darray arguments, Layout element);
  [[nodiscard]] static Layout resized(Count lb, Count extent, Layout element);

  /// Reads the text form. Throws Error{invalid_argument}, also for more than 1000 levels, and as above.
  [[nodiscard]] static Layout parse(std::string_view text);
  /// The text form, without blanks.
  [[nodiscard]] std::string to_text() const;

  [[nodiscard]] const Constructor& constructor() const;
  [[nodiscard]] std::span<const Layout> members() const;
  /// The only member. @pre the constructor is neither Named nor Struct
  [[nodiscard]] const Layout& element() const { return members().front(); }
  /// The arguments if the constructor is a T, otherwise null.
  template <class T>
  [[nodiscard]] const T* as() const {
    return std::get_if<T>(&constructor());
  }

  /// What MPI tells about a datatype, and what its bounds depend on. Without data the true bounds are 0.
  struct Measures {
    Count size = 0;  ///< The bytes of data.
    Count lb = 0;
    Count ub = 0;
    Count true_lb = 0;             ///< The first byte of data.
    Count true_ub = 0;             ///< Past the last byte of data.
    Count alignment = 1;           ///< The strictest of its elementary types, in bytes.
    bool explicit_bounds = false;  ///< Set by a constructor, not by the data.
    bool operator==(const Measures&) const = default;
  };
  /// Computed at construction.
  [[nodiscard]] const Measures& measures() const;
  [[nodiscard]] Count size() const { return measures().size; }
  [[nodiscard]] Count lb() const { return measures().lb; }
  [[nodiscard]] Count ub() const { return measures().ub; }
  [[nodiscard]] Count extent() const { return ub() - lb(); }
  [[nodiscard]] Count true_lb() const { return measures().true_lb; }
  [[nodiscard]] Count true_ub() const { return measures().true_ub; }
  [[nodiscard]] Count true_extent() const { return true_ub() - true_lb(); }

  /// The same tree? Two different trees may have the same typemap. Trees that share parts compare fast.
  bool operator==(const Layout& other) const;

 private:
  struct Node;

  Layout() = default;  ///< No layout, for nodes without an element.
  [[nodiscard]] static Layout over(Constructor constructor, Layout element);

  std::shared_ptr<const Node> node_;
};

}  // namespace halocline
