// The layouts of applications, each with the loop that a programmer would write instead of a datatype.
#pragma once

#include "compile/form/canonical.hpp"

#include <functional>
#include <string>
#include <vector>

namespace halocline::bench {

/// Layouts as in the literature on datatypes: faces of arrays, NAS, WRF, MILC, LAMMPS, SPECFEM3D, FFT.
struct PackCase {
  std::string name;
  std::vector<compile::Part> parts;
  Count memory_bytes;  ///< From the base on; no layout reaches below it.
  std::function<void(const std::byte* memory, std::byte* wire)> pack_by_hand;
  std::function<void(const std::byte* wire, std::byte* memory)> unpack_by_hand;
};

[[nodiscard]] std::vector<PackCase> pack_cases();

/// The halo of `fields` cubes of doubles with `side` cells each way and a margin of one: what is sent to all
/// 26 neighbours, neighbour by neighbour, field by field.
[[nodiscard]] PackCase halo_case(Count side, int fields);

}  // namespace halocline::bench
