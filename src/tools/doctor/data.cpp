// SPDX-License-Identifier: BSD-3-Clause
// Examinations of datatypes and reductions that some MPI gets wrong.

#include "base/numbers.hpp"
#include "mpi/handles/comm.hpp"
#include "tools/doctor/doctor.hpp"

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

namespace halocline::tools {
namespace {

/// Memory in which every byte tells where it is, as far as a byte can; bases lie in the middle.
struct NumberedMemory {
  static constexpr std::size_t bytes = 1024;
  std::array<unsigned char, bytes> memory{};
  NumberedMemory() { std::iota(memory.begin(), memory.end(), static_cast<unsigned char>(0)); }
  [[nodiscard]] const unsigned char* base() const { return memory.data() + bytes / 2; }
};

std::vector<unsigned char> packed(MPI_Comm comm, MPI_Datatype type, int count, const unsigned char* base) {
  int room = 0, position = 0;
  HALOCLINE_MPI(Pack_size, count, type, comm, &room);
  std::vector<unsigned char> wire(to_size(room));
  HALOCLINE_MPI(Pack, base, count, type, wire.data(), room, &position, comm);
  wire.resize(to_size(position));
  return wire;
}

/// Are `count` elements packed as one after the other, each an extent further, which is what they mean?
bool packs_as_it_says(MPI_Comm comm, MPI_Datatype element, MPI_Datatype several, int elements, int count) {
  const NumberedMemory ground;
  MPI_Aint lb = 0, extent = 0;
  HALOCLINE_MPI(Type_get_extent, element, &lb, &extent);
  std::vector<unsigned char> expected;
  for (int i = 0; i < elements * count; ++i) {
    const std::vector<unsigned char> one = packed(comm, element, 1, ground.base() + i * extent);
    expected.insert(expected.end(), one.begin(), one.end());
  }
  return packed(comm, several, count, ground.base()) == expected;
}

}  // namespace

Finding examine_stride_of_minus_one(MPI_Comm comm) {
  constexpr int bytes = 4;
  const NumberedMemory ground;
  std::vector<unsigned char> expected;
  expected.reserve(bytes);
  for (int i = 0; i < bytes; ++i) expected.push_back(*(ground.base() - i));
  mpi::Datatype vector, hvector;
  HALOCLINE_MPI(Type_vector, bytes, 1, -1, MPI_BYTE, vector.put());
  HALOCLINE_MPI(Type_create_hvector, bytes, 1, -1, MPI_BYTE, hvector.put());
  bool right = true;
  for (mpi::Datatype* type : {&vector, &hvector}) {
    MPI_Datatype handle = type->get();
    HALOCLINE_MPI(Type_commit, &handle);
    right = right && packed(comm, handle, 1, ground.base()) == expected;
  }
  if (!anywhere(comm, !right)) return {Verdict::ok, "vectors with a stride of -1 byte are packed right"};
  return {Verdict::wrong, "MPI_Pack of a vector with a stride of -1 byte takes other bytes than it names",
          "refuses such a type with an error instead of sending other data"};
}

Finding examine_empty_members(MPI_Comm comm) {
  // Nothing at all behind a double: no block, and a block of a type without data.
  const std::array<MPI_Aint, 2> places{0, 24};
  mpi::Datatype nothing;
  HALOCLINE_MPI(Type_contiguous, 0, MPI_DOUBLE, nothing.put());
  bool right = true;
  for (const auto& [length, member] : {std::pair{0, MPI_DOUBLE}, std::pair{1, nothing.get()}}) {
    const std::array<int, 2> lengths{1, length};
    const std::array<MPI_Datatype, 2> types{MPI_DOUBLE, member};
    mpi::Datatype type;
    HALOCLINE_MPI(Type_create_struct, 2, lengths.data(), places.data(), types.data(), type.put());
    MPI_Datatype handle = type.get();
    HALOCLINE_MPI(Type_commit, &handle);
    right = right && packs_as_it_says(comm, handle, handle, 1, 3);
  }
  if (!anywhere(comm, !right))
    return {Verdict::ok, "structs with an empty member are packed by the extent they report"};
  return {Verdict::wrong,
          "several structs with an empty member are packed by another extent than MPI reports",
          "packs by the extent reported"};
}

Finding examine_negative_extents(MPI_Comm comm) {
  mpi::Datatype backwards;
  HALOCLINE_MPI(Type_create_resized, MPI_DOUBLE, 0, -24, backwards.put());
  std::array<mpi::Datatype, 4> copies;
  mpi::Datatype overlaid, overlaid_backwards;
  HALOCLINE_MPI(Type_contiguous, 2, backwards.get(), copies[0].put());
  HALOCLINE_MPI(Type_vector, 2, 1, 2, backwards.get(), copies[1].put());
  HALOCLINE_MPI(Type_vector, 2, 2, -3, backwards.get(), copies[2].put());
  HALOCLINE_MPI(Type_vector, 3, 1, 0, backwards.get(), overlaid.put());
  HALOCLINE_MPI(Type_create_resized, overlaid.get(), 0, -32, overlaid_backwards.put());
  HALOCLINE_MPI(Type_contiguous, 3, overlaid_backwards.get(), copies[3].put());
  bool right = true;
  for (mpi::Datatype& element : copies) {
    mpi::Datatype several;
    HALOCLINE_MPI(Type_contiguous, 3, element.get(), several.put());
    for (mpi::Datatype* type : {&element, &several}) {
      MPI_Datatype handle = type->get();
      HALOCLINE_MPI(Type_commit, &handle);
    }
    right = right && packs_as_it_says(comm, element.get(), element.get(), 1, 3) &&
            packs_as_it_says(comm, element.get(), several.get(), 3, 1);
  }
  if (!anywhere(comm, !right))
    return {Verdict::ok, "copies of copies with a negative extent are packed by the extents they report"};
  return {Verdict::wrong,
          "copies of copies with a negative extent are packed by other extents than MPI reports",
          "packs by the extents reported"};
}

Finding examine_unsigned_minimum(MPI_Comm comm) {
  // Taken for signed, the largest of them is negative and so the least.
  const std::uint64_t mine = mpi::rank(comm) == 0 ? ~std::uint64_t{0} : 7;
  std::uint64_t least = 0, most = 0;
  HALOCLINE_MPI(Allreduce, &mine, &least, 1, MPI_UINT64_T, MPI_MIN, comm);
  HALOCLINE_MPI(Allreduce, &mine, &most, 1, MPI_UINT64_T, MPI_MAX, comm);
  const bool least_wrong = least != 7, most_wrong = most != ~std::uint64_t{0};
  if (!anywhere(comm, least_wrong || most_wrong))
    return {Verdict::ok, "MPI_MIN and MPI_MAX of MPI_UINT64_T are right"};
  return {Verdict::wrong,
          fmt::format("{} of MPI_UINT64_T takes them for signed: of 7 and 2^64 - 1 it gives {}",
                      least_wrong ? "MPI_MIN" : "MPI_MAX", least_wrong ? least : most),
          "reduces signed integers only"};
}

}  // namespace halocline::tools
