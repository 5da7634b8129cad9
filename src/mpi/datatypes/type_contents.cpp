// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/datatypes/type_contents.hpp"

#include "base/numbers.hpp"

namespace halocline::mpi {
namespace {

template <class T>
std::vector<T> room_for(Count length) {
  return std::vector<T>(to_size(length));
}

#ifdef HALOCLINE_HAVE_LARGE_COUNTS

int get_envelope(MPI_Datatype type, Envelope& envelope) noexcept {
  MPI_Count integers = 0;
  MPI_Count addresses = 0;
  MPI_Count large_counts = 0;
  MPI_Count members = 0;
  const int code =
      PMPI_Type_get_envelope_c(type, &integers, &addresses, &large_counts, &members, &envelope.combiner);
  envelope = {envelope.combiner, integers, addresses, large_counts, members};
  return code;
}

void get_contents(MPI_Datatype type, const Envelope& envelope, int* integers, MPI_Aint* addresses,
                  MPI_Count* large_counts, MPI_Datatype* members) {
  HALOCLINE_MPI(Type_get_contents_c, type, envelope.integers, envelope.addresses, envelope.large_counts,
                envelope.members, integers, addresses, large_counts, members);
}

#else

int get_envelope(MPI_Datatype type, Envelope& envelope) noexcept {
  int integers = 0;
  int addresses = 0;
  int members = 0;
  const int code = PMPI_Type_get_envelope(type, &integers, &addresses, &members, &envelope.combiner);
  envelope = {envelope.combiner, integers, addresses, 0, members};
  return code;
}

void get_contents(MPI_Datatype type, const Envelope& envelope, int* integers, MPI_Aint* addresses,
                  MPI_Count* /*large_counts*/, MPI_Datatype* members) {
  HALOCLINE_MPI(Type_get_contents, type, to_int(envelope.integers), to_int(envelope.addresses),
                to_int(envelope.members), integers, addresses, members);
}

#endif

}  // namespace

bool Envelope::is_predefined() const {
  return combiner == MPI_COMBINER_NAMED || combiner == MPI_COMBINER_F90_REAL ||
         combiner == MPI_COMBINER_F90_COMPLEX || combiner == MPI_COMBINER_F90_INTEGER;
}

Envelope envelope_of(MPI_Datatype type) {
  Envelope envelope;
  check(get_envelope(type, envelope), "MPI_Type_get_envelope");
  return envelope;
}

TypeContents::TypeContents(MPI_Datatype type, const Envelope& envelope)
    : combiner_(envelope.combiner),
      integers_(room_for<int>(envelope.integers)),
      addresses_(room_for<MPI_Aint>(envelope.addresses)),
      large_(room_for<MPI_Count>(envelope.large_counts)),
      members_(room_for<MPI_Datatype>(envelope.members)),
      envelopes_(members_.size()) {
  get_contents(type, envelope, integers_.data(), addresses_.data(), large_.data(), members_.data());
  // A member that has no envelope stays predefined, as which it will be refused.
  for (std::size_t i = 0; i < members_.size(); ++i)
    if (get_envelope(members_[i], envelopes_[i]) != MPI_SUCCESS) envelopes_[i] = {};
}

// Derived members have to be freed, predefined ones must not be.
TypeContents::~TypeContents() {
  for (std::size_t i = 0; i < members_.size(); ++i)
    if (!envelopes_[i].is_predefined()) PMPI_Type_free(&members_[i]);
}

Counts TypeContents::integers(Count length) {
  Counts list = room_for<Count>(length);
  for (Count& value : list) value = integer();
  return list;
}

Counts TypeContents::counts(Count length) {
  Counts list = room_for<Count>(length);
  for (Count& value : list) value = count();
  return list;
}

Counts TypeContents::byte_counts(Count length) {
  Counts list = room_for<Count>(length);
  for (Count& value : list) value = bytes();
  return list;
}

}  // namespace halocline::mpi
