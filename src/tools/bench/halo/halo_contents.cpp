// SPDX-License-Identifier: BSD-3-Clause
#include "tools/bench/halo/halo_contents.hpp"

#include "base/fail.hpp"
#include "base/join.hpp"
#include "base/numbers.hpp"
#include "halo/points/regions.hpp"
#include "halocline/base/error.hpp"
#include "mpi/handles/agree.hpp"

#include <algorithm>

namespace halocline::tools {
namespace {

constexpr double of_no_point = -1;

double& value_at(const FieldView& field, const Cell& point) { return *static_cast<double*>(field.at(point)); }

/// Visits all points of a field, halo included, until `visit` is false; that one is the result.
template <class Visit>
std::optional<Cell> find_point(const FieldView& field, const Visit& visit) {
  const auto [low, high] = field.halo();
  Cell point(3);
  for (point[0] = -low[0]; point[0] < field.extents()[0] + high[0]; ++point[0])
    for (point[1] = -low[1]; point[1] < field.extents()[1] + high[1]; ++point[1])
      for (point[2] = -low[2]; point[2] < field.extents()[2] + high[2]; ++point[2])
        if (!visit(point)) return point;
  return std::nullopt;
}

/// On which side of the own points: -1, 0 or 1 for each dimension.
void find_side(const FieldView& field, const Cell& point, Offset& side) {
  for (std::size_t d = 0; d < 3; ++d) side[d] = point[d] < 0 ? -1 : point[d] >= field.extents()[d] ? 1 : 0;
}

/// Of a point of the mesh in one of the fields.
class Values {
 public:
  Values(const HaloContents& contents, Count number)
      : extents_(contents.decomposition.mesh().extents()),
        first_(contents.decomposition.box(contents.cell).first),
        number_(number) {}

  /// At a point of this process, in its halo as well. Numbers of points and fields stay below 2^53.
  [[nodiscard]] double at(const Cell& point) const {
    Count index = number_;
    for (std::size_t d = 0; d < 3; ++d) {
      const Count wrapped = (first_[d] + point[d]) % extents_[d];
      index = index * extents_[d] + (wrapped < 0 ? wrapped + extents_[d] : wrapped);
    }
    return to_double(index);
  }

 private:
  Counts extents_;
  Cell first_;
  Count number_;
};

/// In how many halos an own point lies, each of whose filled parts is on one of these sides.
Count ghosts_of(const FieldView& field, const Cell& point, const std::vector<Offset>& filled) {
  const auto is_beyond = [&](const Offset& side) {
    for (std::size_t d = 0; d < 3; ++d) {
      if (side[d] > 0 && point[d] >= field.halo().high[d]) return false;
      if (side[d] < 0 && point[d] < field.extents()[d] - field.halo().low[d]) return false;
    }
    return true;
  };
  return std::count_if(filled.begin(), filled.end(), is_beyond);
}

/// `look` finds the first wrong point of a field; what is wrong on any rank is an error on all.
template <class Look>
void run_and_look(const Cart& cart, const Competitor& way, const std::vector<FieldView>& fields,
                  const Look& look) {
  HALOCLINE_MPI(Barrier, cart.comm());
  way.run();
  (void)mpi::agreed(cart.comm(), [&] {
    for (std::size_t i = 0; i < fields.size(); ++i)
      if (const std::optional<Cell> wrong = look(fields[i], i))
        fail(Fault::internal, "the way ", way.name, " leaves a wrong value in field ", i, " at its point (",
             join(*wrong, ","), ")");
    return true;
  });
}

}  // namespace

void HaloContents::write(const FieldView& field, Count number) const {
  const Values values(*this, number);
  const Offset own(3, 0);
  Offset side(3);
  (void)find_point(field, [&](const Cell& point) {
    find_side(field, point, side);
    value_at(field, point) = side == own ? values.at(point) : of_no_point;
    return true;
  });
}

std::optional<Cell> HaloContents::first_wrong(const FieldView& field, Count number) const {
  const Values values(*this, number);
  const std::vector<Offset>& filled = directions.offsets();
  const Offset own(3, 0);
  Offset side(3);
  return find_point(field, [&](const Cell& point) {
    find_side(field, point, side);
    const bool known = side == own || std::find(filled.begin(), filled.end(), side) != filled.end();
    return !known || value_at(field, point) == values.at(point);
  });
}

HaloContents contents_of(const Cart& cart) {
  return {*cart.decomposition(), cart.cell(), halo::directions_of(cart.stencil())};
}

void check_contents(const Cart& cart, const Competitor& way, const std::vector<FieldView>& fields) {
  const HaloContents contents = contents_of(cart);
  for (std::size_t i = 0; i < fields.size(); ++i) contents.write(fields[i], to_count(i));
  run_and_look(cart, way, fields, [&](const FieldView& field, std::size_t number) {
    return contents.first_wrong(field, to_count(number));
  });
}

void check_sums(const Cart& cart, const Competitor& way, const std::vector<FieldView>& fields) {
  for (const FieldView& field : fields)
    (void)find_point(field, [&](const Cell& point) {
      value_at(field, point) = 1;
      return true;
    });
  const std::vector<Offset> filled = halo::directions_of(cart.stencil()).offsets();
  run_and_look(cart, way, fields, [&](const FieldView& field, std::size_t /*number*/) {
    return find_point(field, [&](const Cell& point) {
      Offset side(3);
      find_side(field, point, side);
      return side != Offset(3, 0) || value_at(field, point) == 1 + to_double(ghosts_of(field, point, filled));
    });
  });
}

}  // namespace halocline::tools
