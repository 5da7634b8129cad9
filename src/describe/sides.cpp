// SPDX-License-Identifier: BSD-3-Clause
#include "halocline/describe/sides.hpp"

#include "base/fail.hpp"
#include "base/scanner.hpp"
#include "halocline/base/error.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>

namespace halocline {
namespace {

using Kind = Side::Kind;
using Which = Side::Which;

struct NamedKind {
  std::string_view name;
  Kind kind;
};
constexpr std::array<NamedKind, 5> kinds{{{"mirror-face", Kind::mirror_face},
                                          {"mirror-point", Kind::mirror_point},
                                          {"shear", Kind::shear},
                                          {"fold-t", Kind::fold_t},
                                          {"fold-f", Kind::fold_f}}};
constexpr std::string_view letters = "xyz";
constexpr const char* sides_example =
    "\"x:mirror-face\", \"x-:mirror-point:odd=1\", \"y:shear+3@x\" or \"y+:fold-t@x:odd=1,2 at=c,x,y\"";
constexpr Count most_dimensions = 1'000'000, most_numbers = 1'000'000'000;

std::string_view name_of(Kind kind) {
  return std::find_if(kinds.begin(), kinds.end(), [&](const NamedKind& k) { return k.kind == kind; })->name;
}

std::string name_of(std::size_t dimension) {
  if (dimension < letters.size()) return std::string(1, letters[dimension]);
  return "d" + std::to_string(dimension);
}

std::string name_of(const Side& side) {
  return name_of(side.dimension) + (side.which == Which::low ? "-" : side.which == Which::high ? "+" : "");
}

bool folds(Kind kind) { return kind == Kind::fold_t || kind == Kind::fold_f; }
bool has_other(Kind kind) { return folds(kind) || kind == Kind::shear; }

bool is_dimension(Scanner& scan) { return std::string_view("xyzd").find(scan.peek()) < 4; }

std::size_t scan_index(Scanner& scan, Count most) {
  const Count index = scan.integer();
  if (index < 0 || index > most) scan.refuse(index, " is no number from 0 to ", most);
  return static_cast<std::size_t>(index);
}

std::size_t scan_dimension(Scanner& scan) {
  for (std::size_t d = 0; d < letters.size(); ++d)
    if (scan.accept(letters.substr(d, 1))) return d;
  if (!scan.accept("d")) scan.refuse("there is no dimension where one should be; it is x, y, z, d3, d4, ...");
  return scan_index(scan, most_dimensions);
}

Kind scan_kind(Scanner& scan) {
  for (const NamedKind& named : kinds)
    if (scan.accept(named.name)) return named.kind;
  scan.refuse("a side is mirror-face, mirror-point, shear, fold-t or fold-f");
}

std::vector<Side::Odd> scan_odd(Scanner& scan) {
  if (!scan.accept("=")) return {Side::Odd{}};
  return scan.list([](Scanner& in) {
    Side::Odd odd;
    odd.field = scan_index(in, most_numbers);
    if (in.accept(".")) odd.number = scan_index(in, most_numbers);
    return odd;
  });
}

Side scan_side(Scanner& scan) {
  Side side{scan_dimension(scan), Kind::mirror_face};
  if (scan.accept("-"))
    side.which = Which::low;
  else if (scan.accept("+"))
    side.which = Which::high;
  scan.expect(":");
  side.kind = scan_kind(scan);
  if (side.kind == Kind::shear) side.shift = scan.integer();
  if (has_other(side.kind)) {
    scan.expect("@");
    side.along = scan_dimension(scan);
  }
  if (scan.accept(":")) {
    scan.expect("odd");
    side.odd = scan_odd(scan);
  }
  return side;
}

std::vector<std::size_t> scan_place(Scanner& scan) {
  std::vector<std::size_t> place;
  if (scan.accept("c")) return place;
  do place.push_back(scan_dimension(scan));
  while (is_dimension(scan));
  return place;
}

std::string odd_text(const std::vector<Side::Odd>& odd) {
  if (odd.empty()) return "";
  if (odd.front().field == Side::Odd::all) return ":odd";
  std::string text;
  for (const Side::Odd& one : odd) {
    text += concat(text.empty() ? ":odd=" : ",", one.field);
    if (one.number != Side::Odd::all) text += concat(".", one.number);
  }
  return text;
}

void check(const Side& side) {
  if (has_other(side.kind))
    require(side.along != side.dimension, "the ", name_of(side.kind), " at ", name_of(side), " goes along ",
            name_of(side.along), "; it goes along another dimension than its own");
  require(side.kind != Kind::shear || side.which == Which::both, "a shear at ", name_of(side),
          "; it is at both sides, ", name_of(side.dimension));
  require(!folds(side.kind) || side.which != Which::both, "a fold at both sides of ", name_of(side.dimension),
          "; it is at one, ", name_of(side.dimension), "+ or ", name_of(side.dimension), "-");
}

/// In a corner of both it would make a difference which comes first.
void check_together(const Side& one, const Side& other) {
  require(one.dimension != other.dimension ||
              (one.which != other.which && one.which != Which::both && other.which != Which::both),
          "what is beyond ", name_of(other), " is described twice");
  const bool same = has_other(one.kind) && has_other(other.kind) && one.along == other.along &&
                    one.dimension != other.dimension;
  require(!same || (one.kind == Kind::shear && other.kind == Kind::shear), "the ", name_of(one.kind), " at ",
          name_of(one), " and the ", name_of(other.kind), " at ", name_of(other), " both go along ",
          name_of(one.along), "; where one is a fold nothing else may");
  const auto crosses = [](const Side& a, const Side& b) {
    return has_other(a.kind) && a.along == b.dimension;
  };
  require(!crosses(one, other) && !crosses(other, one), "what is beyond ", name_of(one), " and beyond ",
          name_of(other), ": one goes along the dimension of the other, which has to be periodic");
}

}  // namespace

Sides::Sides(std::vector<Side> sides, std::vector<std::vector<std::size_t>> at)
    : sides_(std::move(sides)), at_(std::move(at)) {
  std::stable_sort(sides_.begin(), sides_.end(), [](const Side& a, const Side& b) {
    return std::pair(a.dimension, a.which) < std::pair(b.dimension, b.which);
  });
  for (std::size_t i = 0; i < sides_.size(); ++i) {
    Side& side = sides_[i];
    if (std::any_of(side.odd.begin(), side.odd.end(),
                    [](const Side::Odd& odd) { return odd.field == Side::Odd::all; }))
      side.odd = {Side::Odd{}};
    if (!has_other(side.kind)) side.along = 0;
    if (side.kind != Kind::shear) side.shift = 0;
    check(side);
    for (std::size_t before = 0; before < i; ++before) check_together(sides_[before], side);
  }
  for (std::vector<std::size_t>& place : at_) {
    std::sort(place.begin(), place.end());
    require(std::adjacent_find(place.begin(), place.end()) == place.end(),
            "points lie half a point further along a dimension that is named twice");
  }
  while (!at_.empty() && at_.back().empty()) at_.pop_back();
}

Sides Sides::parse(std::string_view text) {
  Scanner scan("description of sides", text, sides_example);
  std::vector<Side> sides;
  std::vector<std::vector<std::size_t>> at;
  bool has_at = false;
  (void)scan.accept_blanks();
  while (!scan.at_end()) {
    if (scan.accept("at=")) {
      if (has_at) scan.refuse("it says twice where points are");
      has_at = true;
      at = scan.list(scan_place);
    } else {
      sides.push_back(scan_side(scan));
    }
    if (!scan.accept_blanks()) break;
  }
  scan.expect_end();
  return Sides(std::move(sides), std::move(at));
}

std::string Sides::to_text() const {
  std::string text;
  for (const Side& side : sides_) {
    text += concat(text.empty() ? "" : " ", name_of(side), ":", name_of(side.kind));
    if (side.kind == Kind::shear) text += concat(side.shift < 0 ? "" : "+", side.shift);
    if (has_other(side.kind)) text += "@" + name_of(side.along);
    text += odd_text(side.odd);
  }
  for (std::size_t f = 0; f < at_.size(); ++f) {
    text += f > 0 ? "," : text.empty() ? "at=" : " at=";
    for (const std::size_t d : at_[f]) text += name_of(d);
    if (at_[f].empty()) text += "c";
  }
  return text;
}

const Side* Sides::find(std::size_t dimension, Which which) const {
  for (const Side& side : sides_)
    if (side.dimension == dimension && (side.which == which || side.which == Which::both)) return &side;
  return nullptr;
}

bool Sides::half_further(std::size_t field, std::size_t dimension) const {
  return field < at_.size() && std::find(at_[field].begin(), at_[field].end(), dimension) != at_[field].end();
}

void Sides::require_fit(const Mesh& mesh) const {
  const auto require_dimension = [&](std::size_t dimension) {
    if (dimension >= mesh.dimensions())
      fail(Fault::invalid_dimensions, "sides along ", name_of(dimension), " of the mesh ", mesh.to_text(),
           ", which has ", mesh.dimensions(), " dimensions");
  };
  for (const std::vector<std::size_t>& place : at_)
    for (const std::size_t dimension : place) require_dimension(dimension);
  for (const Side& side : sides_) {
    require_dimension(side.dimension);
    if (mesh.periodic(side.dimension))
      fail(Fault::invalid_dimensions, "a ", name_of(side.kind), " at ", name_of(side), " of the mesh ",
           mesh.to_text(), ", which is periodic there; only open sides have something else beyond them");
    if (!has_other(side.kind)) continue;
    require_dimension(side.along);
    if (!mesh.periodic(side.along))
      fail(Fault::invalid_dimensions, "a ", name_of(side.kind), " at ", name_of(side), " along ",
           name_of(side.along), " of the mesh ", mesh.to_text(), ", which is not periodic there");
    const Count extent = mesh.extents()[side.along];
    if (side.shift >= extent || side.shift <= -extent)
      fail(Fault::invalid_dimensions, "a shear by ", side.shift, " points along ", name_of(side.along),
           " of the mesh ", mesh.to_text(), ", which has ", extent, " there; it is less than that");
  }
}

}  // namespace halocline
