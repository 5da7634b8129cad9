// SPDX-License-Identifier: BSD-3-Clause
#include "halocline/describe/lattice.hpp"

#include "base/fail.hpp"
#include "base/integers.hpp"
#include "base/join.hpp"
#include "base/scanner.hpp"
#include "halocline/base/error.hpp"
#include "halocline/describe/grid.hpp"
#include "halocline/describe/mesh.hpp"

#include <algorithm>

namespace halocline {
namespace {

constexpr const char* lattice_example = "50x48 or \"50x48 periodic:1,0\"";

Count checked_size(std::string_view noun, const Counts& extents) {
  if (extents.empty()) fail(Fault::invalid_dimensions, "a ", noun, " needs at least one dimension");
  for (const Count extent : extents)
    if (extent < 1)
      fail(Fault::invalid_dimensions, noun, " extent ", extent, " is not positive; each is 1 or more");
  try {
    return checked_product(extents);
  } catch (const Error& error) {
    fail(Fault::invalid_dimensions, noun, " too large: ", error.what());
  }
}

Periodicity scan_periodicity(Scanner& scan, std::size_t dimensions) {
  if (scan.accept("all")) return Periodicity(dimensions, true);
  if (scan.accept("none")) return Periodicity(dimensions, false);
  Periodicity flags = scan.list([](Scanner& in) {
    const Count flag = in.integer();
    if (flag != 0 && flag != 1) in.refuse("the periodicity ", flag, " is neither 0 nor 1");
    return flag == 1;
  });
  if (flags.size() != dimensions) scan.refuse(flags.size(), " flags for ", dimensions, " dimensions");
  return flags;
}

}  // namespace

Lattice::Lattice(std::string_view noun, Counts extents, Periodicity periodicity)
    : extents_(std::move(extents)),
      periodicity_(std::move(periodicity)),
      size_(checked_size(noun, extents_)) {
  if (periodicity_.empty()) periodicity_.assign(extents_.size(), false);
  if (periodicity_.size() != extents_.size())
    fail(Fault::invalid_dimensions, "the ", noun, " has ", extents_.size(), " dimensions but ",
         periodicity_.size(), " flags for periodic ones");
}

Count Lattice::index(std::span<const Count> cell) const {
  Count index = 0;
  for (std::size_t d = 0; d < extents_.size(); ++d) index = index * extents_[d] + cell[d];
  return index;
}

Cell Lattice::cell(Count index) const {
  Cell cell(extents_.size());
  for (std::size_t d = extents_.size(); d-- > 0;) {
    cell[d] = index % extents_[d];
    index /= extents_[d];
  }
  return cell;
}

Count Lattice::index_at(std::span<const Count> cell, std::span<const Count> offset, Count sign) const {
  Count index = 0;
  for (std::size_t d = 0; d < extents_.size(); ++d) {
    const Count extent = extents_[d], step = sign * offset[d];
    // The sum of an arbitrary step and a coordinate may leave 64 bits.
    const bool inside = -cell[d] <= step && step < extent - cell[d];
    if (!inside && !periodicity_[d]) return nowhere;
    index = index * extent + (inside ? cell[d] + step : floor_modulo(cell[d] + step % extent, extent));
  }
  return index;
}

std::optional<Cell> Lattice::neighbor(std::span<const Count> cell, std::span<const Count> offset) const {
  Cell neighbour(extents_.size());
  for (std::size_t d = 0; d < extents_.size(); ++d) {
    // Reduce the offset first: the sum of an arbitrary offset and a coordinate may leave 64 bits.
    const bool inside = -cell[d] <= offset[d] && offset[d] < extents_[d] - cell[d];
    if (!inside && !periodicity_[d]) return std::nullopt;
    const Count behind = extents_[d] - cell[d];  // so many points, this one included
    const Count step = floor_modulo(offset[d], extents_[d]);
    neighbour[d] = inside ? cell[d] + offset[d] : step < behind ? cell[d] + step : step - behind;
  }
  return neighbour;
}

std::string Lattice::to_text() const {
  std::string text = join(extents_, "x");
  if (std::find(periodicity_.begin(), periodicity_.end(), true) == periodicity_.end()) return text;
  return text + " periodic:" + join(periodicity_, ",");
}

Lattice::Parts Lattice::parse_parts(std::string_view noun, std::string_view text) {
  Scanner scan(noun, text, lattice_example);
  Parts parts;
  do parts.extents.push_back(scan.integer());
  while (scan.accept("x"));
  if (scan.accept_blanks()) {
    scan.expect("periodic:");
    parts.periodicity = scan_periodicity(scan, parts.extents.size());
  }
  scan.expect_end();
  return parts;
}

Mesh Mesh::parse(std::string_view text) {
  Parts parts = parse_parts("mesh", text);
  return Mesh(std::move(parts.extents), std::move(parts.periodicity));
}

Grid Grid::parse(std::string_view text) {
  Parts parts = parse_parts("grid", text);
  return Grid(std::move(parts.extents), std::move(parts.periodicity));
}

Periodicity parse_periodicity(std::string_view text, std::size_t dimensions) {
  Scanner scan("periodicity", text, "all, none or 1,0,1");
  Periodicity flags = scan_periodicity(scan, dimensions);
  scan.expect_end();
  return flags;
}

}  // namespace halocline
