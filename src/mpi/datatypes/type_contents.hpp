// SPDX-License-Identifier: BSD-3-Clause
// One level of a datatype: which constructor of MPI made it, and with what arguments.
#pragma once

#include "halocline/base/count.hpp"
#include "mpi/handles/call.hpp"

#include <mpi.h>

#include <span>
#include <vector>

namespace halocline::mpi {

/// Which constructor made a datatype, and how much MPI keeps of its arguments.
struct Envelope {
  int combiner = MPI_COMBINER_NAMED;
  Count integers = 0;
  Count addresses = 0;
  Count large_counts = 0;  ///< Only of types made by MPI 4's functions for large counts.
  Count members = 0;

  /// Not to be freed, and without members: the named types, and those that stand for Fortran's kinds.
  [[nodiscard]] bool is_predefined() const;
};
[[nodiscard]] Envelope envelope_of(MPI_Datatype type);

/// The arguments of one type constructor, read one after the other in the order of the constructor's
/// parameters. Whether a number is kept as an integer, as an address or as a large count depends on the
/// function that made the type; the reader need not know.
class TypeContents {
 public:
  /// @pre `envelope` is the type's, which is not predefined
  TypeContents(MPI_Datatype type, const Envelope& envelope);
  TypeContents(TypeContents&&) noexcept = default;
  TypeContents& operator=(TypeContents&&) = delete;
  TypeContents(const TypeContents&) = delete;
  TypeContents& operator=(const TypeContents&) = delete;
  /// Gives back the members that MPI lent.
  ~TypeContents();

  [[nodiscard]] int combiner() const { return combiner_; }

  /// A parameter that is an int in every binding.
  [[nodiscard]] Count integer() { return integers_[next_integer_++]; }
  /// A parameter that is an int in one binding and an MPI_Count in the other.
  [[nodiscard]] Count count() { return large_.empty() ? integer() : large_[next_large_++]; }
  /// A parameter that is in bytes: an int in Fortran's old bindings, an MPI_Aint or an MPI_Count.
  [[nodiscard]] Count bytes() { return addresses_.empty() ? count() : addresses_[next_address_++]; }

  /// Lists of such parameters.
  [[nodiscard]] Counts integers(Count length);
  [[nodiscard]] Counts counts(Count length);
  [[nodiscard]] Counts byte_counts(Count length);

  /// The datatypes it was made from, in order, and what made them.
  [[nodiscard]] std::span<const MPI_Datatype> members() const { return members_; }
  [[nodiscard]] const Envelope& member_envelope(std::size_t member) const { return envelopes_[member]; }

 private:
  int combiner_;
  std::vector<int> integers_;
  std::vector<MPI_Aint> addresses_;
  std::vector<MPI_Count> large_;
  std::vector<MPI_Datatype> members_;
  std::vector<Envelope> envelopes_;  ///< Of the members.
  std::size_t next_integer_ = 0;
  std::size_t next_address_ = 0;
  std::size_t next_large_ = 0;
};

}  // namespace halocline::mpi
