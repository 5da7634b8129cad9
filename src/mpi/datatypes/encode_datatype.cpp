// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/datatypes/encode_datatype.hpp"

#include "base/fail.hpp"
#include "base/numbers.hpp"
#include "halocline/base/error.hpp"

#include <algorithm>
#include <limits>
#include <span>
#include <vector>

namespace halocline::mpi {
namespace {

using compile::Canonical;

constexpr Count most = std::numeric_limits<int>::max();
constexpr Count some = Count{1} << 20;  ///< At a time, where there are more than MPI counts.

int narrow(Count value) {
  if (value > most)
    fail(Fault::unsupported, "a datatype with a list of ", value, " blocks; MPI takes ", most, " at most");
  return to_int(value);
}

/// Members side by side, each once.
class Members {
 public:
  void add(Datatype type, Count offset) {
    types_.push_back(type.get());
    owned_.push_back(std::move(type));
    offsets_.push_back(static_cast<MPI_Aint>(offset));
  }
  [[nodiscard]] Datatype joined() const {
    const std::vector<int> ones(types_.size(), 1);
    Datatype type;
    HALOCLINE_MPI(Type_create_struct, narrow(count_of(types_)), ones.data(), offsets_.data(), types_.data(),
                  type.put());
    return type;
  }

 private:
  std::vector<Datatype> owned_;
  std::vector<MPI_Datatype> types_;
  std::vector<MPI_Aint> offsets_;
};

/// @pre count > 0
Datatype repeated(Count count, Count stride, MPI_Datatype element) {
  // Open MPI takes a stride of exactly -1 byte for none: two copies at a time.
  const Count at_once = stride == -1 && count > 1 ? 2 : count > most ? some : 1;
  if (at_once == 1) {
    Datatype type;
    HALOCLINE_MPI(Type_create_hvector, to_int(count), 1, static_cast<MPI_Aint>(stride), element, type.put());
    return type;
  }
  Datatype group;
  if (at_once == 2) {
    const MPI_Aint offsets[] = {0, -1};
    HALOCLINE_MPI(Type_create_hindexed_block, 2, 1, offsets, element, group.put());
  } else {
    group = repeated(at_once, stride, element);
  }
  Members members;
  members.add(repeated(count / at_once, stride * at_once, group.get()), 0);
  if (const Count rest = count % at_once; rest > 0)
    members.add(repeated(rest, stride, element), (count - rest) * stride);
  return members.joined();
}

Datatype bytes_type(Count bytes) {
  if (bytes > most) return repeated(bytes, 1, MPI_BYTE);
  Datatype type;
  HALOCLINE_MPI(Type_contiguous, to_int(bytes), MPI_BYTE, type.put());
  return type;
}

template <class Entry>
std::vector<MPI_Aint> offsets_of(std::span<const Entry> entries, Count blocks) {
  return {entries.begin(), entries.begin() + blocks};
}

/// Blocks of one length.
template <class Entry>
Datatype equal_blocks(const Canonical::Term& term, std::span<const Entry> entries) {
  const std::vector<MPI_Aint> offsets = offsets_of(entries, term.entries);
  const bool short_ones = term.block <= most;
  const Datatype block = short_ones ? Datatype() : bytes_type(term.block);
  Datatype type;
  HALOCLINE_MPI(Type_create_hindexed_block, narrow(term.entries), short_ones ? to_int(term.block) : 1,
                offsets.data(), short_ones ? MPI_BYTE : block.get(), type.put());
  return type;
}

/// Runs each of its own length, which stand behind their offsets.
template <class Entry>
Datatype runs(const Canonical::Term& term, std::span<const Entry> entries) {
  const auto lengths = entries.subspan(to_size(term.entries));
  const std::vector<MPI_Aint> offsets = offsets_of(entries, term.entries);
  if (std::all_of(lengths.begin(), lengths.end(), [](Count length) { return length <= most; })) {
    const std::vector<int> counts(lengths.begin(), lengths.end());
    Datatype type;
    HALOCLINE_MPI(Type_create_hindexed, narrow(term.entries), counts.data(), offsets.data(), MPI_BYTE,
                  type.put());
    return type;
  }
  Members members;
  for (std::size_t i = 0; i < offsets.size(); ++i) members.add(bytes_type(to_count(lengths[i])), offsets[i]);
  return members.joined();
}

template <class Entry>
Datatype list(const Canonical::Term& term, std::span<const Entry> entries) {
  return term.kind == Canonical::Term::Kind::blocks ? equal_blocks(term, entries) : runs(term, entries);
}

Datatype innermost(const Canonical& form, const Canonical::Term& term) {
  if (term.kind == Canonical::Term::Kind::nest) return bytes_type(term.block);
  return term.narrow ? list(term, form.narrow_entries(term)) : list(term, form.wide_entries(term));
}

}  // namespace

Datatype encode_datatype(const Canonical& form) {
  Members members;
  for (const Canonical::Term& term : form.terms()) {
    Datatype type = innermost(form, term);
    const auto dims = form.dims(term);
    for (std::size_t d = dims.size(); d-- > 0;) type = repeated(dims[d].count, dims[d].stride, type.get());
    members.add(std::move(type), term.offset);
  }
  return members.joined();
}

}  // namespace halocline::mpi
