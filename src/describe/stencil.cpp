// SPDX-License-Identifier: BSD-3-Clause
#include "halocline/describe/stencil.hpp"

#include "base/fail.hpp"
#include "base/integers.hpp"
#include "base/join.hpp"
#include "base/numbers.hpp"
#include "base/scanner.hpp"
#include "halocline/base/error.hpp"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <limits>

namespace halocline {
namespace {

constexpr Count most_offsets = Count{1} << 24;

void require_family(std::size_t dimensions, Count radius) {
  require(dimensions >= 1, "a stencil needs at least one dimension");
  require(radius >= 1, "the stencil radius ", radius, " is not positive");
}

void require_count(bool few_enough, std::size_t dimensions, Count radius) {
  require(few_enough, "a stencil of radius ", radius, " in ", dimensions, " dimensions has more than ",
          most_offsets, " offsets");
}

/// Every point of {low..high}^d but the origin, last dimension fastest. @pre -high <= low <= 0 < high
std::vector<Offset> box_without_origin(std::size_t dimensions, Count low, Count high) {
  require_count(high < most_offsets, dimensions, high);
  const Count side = high - low + 1;
  Count points = 1;
  for (std::size_t d = 0; d < dimensions; ++d) {
    require_count(points <= most_offsets / side, dimensions, high);
    points *= side;
  }
  std::vector<Offset> offsets;
  offsets.reserve(to_size(points - 1));
  Offset offset(dimensions, low);
  for (Count point = 0; point < points; ++point) {
    if (std::any_of(offset.begin(), offset.end(), [](Count c) { return c != 0; })) offsets.push_back(offset);
    for (std::size_t d = dimensions; d-- > 0 && ++offset[d] > high;) offset[d] = low;
  }
  return offsets;
}

/// 1..radius steps back and forth along each of the first `along` dimensions.
std::vector<Offset> axis_steps(std::size_t dimensions, std::size_t along, Count radius) {
  require_count(radius <= most_offsets / 2 / to_count(along), dimensions, radius);
  std::vector<Offset> offsets;
  for (std::size_t d = 0; d < along; ++d)
    for (Count step = 1; step <= radius; ++step)
      for (const Count signed_step : {-step, step}) {
        Offset offset(dimensions, 0);
        offset[d] = signed_step;
        offsets.push_back(std::move(offset));
      }
  return offsets;
}

struct Family {
  const char* name;
  bool has_radius;
  std::function<Stencil(std::size_t dimensions, Count radius)> make;
};

/// In the order in which to_text() looks for a name. A shape with several names has the first.
const std::vector<Family>& families() {
  static const std::vector<Family> all{
      {"nearest", false, [](std::size_t d, Count) { return Stencil::nearest(d); }},
      {"hops", false, [](std::size_t d, Count) { return Stencil::hops(d); }},
      {"component", false, [](std::size_t d, Count) { return Stencil::component(d); }},
      {"moore", true, Stencil::moore},
      {"star", true, Stencil::star},
      {"octant", true, Stencil::octant},
  };
  return all;
}

Stencil scan_family(Scanner& scan, std::size_t dimensions) {
  const std::string name = scan.word();
  for (const Family& family : families()) {
    if (name != family.name) continue;
    Count radius = 1;
    if (family.has_radius) {
      scan.expect(":");
      radius = scan.integer();
    }
    scan.expect_end();
    return family.make(dimensions, radius);
  }
  scan.refuse("unknown family '", name, "'");
}

Stencil scan_offsets(Scanner& scan, std::size_t dimensions) {
  std::vector<Offset> offsets;
  Counts weights;
  scan.whole_list(
      [&](Scanner&) {
        scan.accept_blanks();
        Offset offset = scan.list(&Scanner::integer);
        if (offset.size() != dimensions)
          scan.refuse("an offset of ", offset.size(), " components in ", dimensions, " dimensions");
        offsets.push_back(std::move(offset));
        weights.push_back(scan.accept("*") ? scan.integer() : 1);
        if (weights.back() < 1) scan.refuse("the weight ", weights.back(), " is not positive");
      },
      ";");
  return Stencil(std::move(offsets), std::move(weights));
}

Count largest_component(const std::vector<Offset>& offsets) {
  Count largest = 0;
  for (const Offset& offset : offsets)
    for (const Count component : offset) largest = std::max(largest, std::abs(component));
  return largest;
}

/// Could this many offsets of that radius be a box or a star? Spares to_text() building huge candidates.
bool may_be_family(std::size_t offsets, std::size_t dimensions, Count radius) {
  return radius >= 1 && radius <= to_count(offsets) && dimensions <= offsets;
}

}  // namespace

Stencil::Stencil(std::vector<Offset> offsets, Counts weights)
    : offsets_(std::move(offsets)), weights_(std::move(weights)) {
  require(!offsets_.empty(), "a stencil needs at least one offset");
  require(!offsets_.front().empty(), "a stencil offset needs at least one component");
  if (weights_.empty()) weights_.assign(offsets_.size(), 1);
  require(weights_.size() == offsets_.size(), "a stencil of ", offsets_.size(), " offsets has ",
          weights_.size(), " weights");
  for (const Offset& offset : offsets_) {
    require(offset.size() == offsets_.front().size(), "stencil offsets of ", offsets_.front().size(), " and ",
            offset.size(), " components cannot be mixed");
    // Without -2^63 every component has an absolute value.
    for (const Count component : offset)
      require(component != std::numeric_limits<Count>::min(), "the stencil component ", component,
              " has no absolute value in 64 bits");
  }
  for (const Count weight : weights_) require(weight >= 1, "the stencil weight ", weight, " is not positive");
}

Stencil Stencil::nearest(std::size_t dimensions) { return star(dimensions, 1); }

Stencil Stencil::hops(std::size_t dimensions) {
  Stencil stencil = nearest(dimensions);
  for (const Count step : {-2, 2, -3, 3}) {
    Offset offset(dimensions, 0);
    offset[0] = step;
    stencil.offsets_.push_back(std::move(offset));
    stencil.weights_.push_back(1);
  }
  return stencil;
}

Stencil Stencil::component(std::size_t dimensions) {
  require(dimensions >= 2, "the component stencil needs at least two dimensions, not ", dimensions);
  return Stencil(axis_steps(dimensions, dimensions - 1, 1));
}

Stencil Stencil::moore(std::size_t dimensions, Count radius) {
  require_family(dimensions, radius);
  return Stencil(box_without_origin(dimensions, -radius, radius));
}

Stencil Stencil::star(std::size_t dimensions, Count radius) {
  require_family(dimensions, radius);
  return Stencil(axis_steps(dimensions, dimensions, radius));
}

Stencil Stencil::octant(std::size_t dimensions, Count radius) {
  require_family(dimensions, radius);
  return Stencil(box_without_origin(dimensions, 0, radius));
}

Stencil Stencil::parse(std::string_view text, std::size_t dimensions) {
  Scanner scan("stencil", text, "nearest, hops, component, moore:1, star:2, octant:1 or \"1,0*8;0,-1*2\"");
  const bool named = scan.peek() >= 'a' && scan.peek() <= 'z';
  return named ? scan_family(scan, dimensions) : scan_offsets(scan, dimensions);
}

bool Stencil::unweighted() const {
  return std::all_of(weights_.begin(), weights_.end(), [](Count weight) { return weight == 1; });
}

std::string Stencil::to_text() const {
  const Count radius = largest_component(offsets_);
  if (unweighted() && may_be_family(size(), dimensions(), radius))
    for (const Family& family : families()) {
      try {
        if (family.make(dimensions(), radius) == *this)
          return family.has_radius ? concat(family.name, ":", radius) : family.name;
      } catch (const Error&) {
        continue;  // no such stencil in this dimension, or too large: not this one
      }
    }
  std::string text;
  for (std::size_t i = 0; i < size(); ++i) {
    if (i > 0) text += ';';
    text += join(offsets_[i], ",");
    if (weights_[i] != 1) text += '*' + std::to_string(weights_[i]);
  }
  return text;
}

}  // namespace halocline
