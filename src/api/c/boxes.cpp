// SPDX-License-Identifier: BSD-3-Clause
// The C interface of the boxes that processes own.

#include "halocline/boxes.h"
#include "api/c/arguments.hpp"
#include "api/c/box_halo_object.hpp"
#include "api/c/error.hpp"
#include "base/fail.hpp"
#include "base/numbers.hpp"

namespace halocline::api {

const Boxes& boxes_of(HCL_Boxes boxes) {
  require(boxes != HCL_BOXES_NULL, "the boxes are HCL_BOXES_NULL");
  return boxes->boxes;
}

namespace {

/// Lists of the caller with `dimensions` entries for each of some things; none of these lists is null unless
/// there are no things.
class Rows {
 public:
  Rows(std::size_t dimensions, int things) : dimensions_(dimensions), things_(things) {}
  /// Throws Error{invalid_argument} if the list is not there.
  template <class Number>
  [[nodiscard]] const Number* given(const Number* values, const char* name) const {
    if (things_ > 0) require_pointer(values, name);
    return values;
  }
  template <class Number>
  [[nodiscard]] Counts row(const Number* values, int thing) const {
    const Number* const begin = values + to_size(thing) * dimensions_;
    return Counts(begin, begin + dimensions_);
  }

 private:
  std::size_t dimensions_;
  int things_;
};

void require_number_of(int count, const char* things) {
  require(count >= 0, count, " ", things, "; 0 is the least");
}

Mesh mesh_of(int ndims, const int64_t* mesh, const int* periods) {
  const std::size_t dimensions = dimensions_of(ndims);
  require_pointer(mesh, "mesh");
  require_pointer(periods, "periods");
  return Mesh(Counts(mesh, mesh + dimensions), Periodicity(periods, periods + dimensions));
}

std::vector<Box> own_boxes(const Mesh& mesh, int nboxes, const int64_t* first, const int64_t* extents) {
  require_number_of(nboxes, "boxes");
  const Rows rows(mesh.dimensions(), nboxes);
  const int64_t* const begins = rows.given(first, "first");
  const int64_t* const sizes = rows.given(extents, "extents");
  std::vector<Box> boxes;
  boxes.reserve(to_size(nboxes));
  for (int i = 0; i < nboxes; ++i) boxes.push_back({rows.row(begins, i), rows.row(sizes, i)});
  return boxes;
}

std::vector<OwnedBox> owned(std::vector<Box> boxes, const int* owners) {
  if (!boxes.empty()) require_pointer(owners, "owners");
  std::vector<OwnedBox> list;
  for (std::size_t i = 0; i < boxes.size(); ++i) list.push_back({owners[i], std::move(boxes[i])});
  return list;
}

std::size_t number_of_box(int number, const char* end, int connection) {
  require(number >= 0, "connection ", connection, " leads ", end, " box ", number,
          "; boxes are counted from 0");
  return to_size(number);
}

struct Connected {
  int count;
  const int *to, *from;
  const int64_t *ghosts_first, *ghosts_extents, *first;
  const int *axes, *backwards;
};

std::vector<Connection::Axis> axes_of(const Rows& rows, const Connected& told, std::size_t dimensions,
                                      int c) {
  std::vector<Connection::Axis> axes;
  for (std::size_t d = 0; d < dimensions; ++d) axes.push_back({d});
  const Counts along = told.axes != nullptr ? rows.row(told.axes, c) : Counts();
  for (std::size_t d = 0; d < along.size(); ++d) {
    require(along[d] >= 0, "connection ", c, " goes along dimension ", along[d],
            "; dimensions are counted from 0");
    axes[d].dimension = to_size(along[d]);
  }
  const Counts turned = told.backwards != nullptr ? rows.row(told.backwards, c) : Counts();
  for (std::size_t d = 0; d < turned.size(); ++d) axes[d].backwards = turned[d] != 0;
  return axes;
}

std::vector<Connection> connections_of(std::size_t dimensions, const Connected& told) {
  require_number_of(told.count, "connections");
  const Rows rows(dimensions, told.count);
  (void)rows.given(told.to, "to");
  (void)rows.given(told.ghosts_first, "ghosts_first");
  (void)rows.given(told.ghosts_extents, "ghosts_extents");
  (void)rows.given(told.from, "from");
  (void)rows.given(told.first, "first");
  std::vector<Connection> connections;
  connections.reserve(to_size(told.count));
  for (int c = 0; c < told.count; ++c)
    connections.push_back({number_of_box(told.to[c], "to", c),
                           {rows.row(told.ghosts_first, c), rows.row(told.ghosts_extents, c)},
                           number_of_box(told.from[c], "from", c),
                           rows.row(told.first, c),
                           axes_of(rows, told, dimensions, c)});
  return connections;
}

}  // namespace
}  // namespace halocline::api

using namespace halocline;       // NOLINT(google-build-using-namespace): the C functions cannot be inside
using namespace halocline::api;  // NOLINT(google-build-using-namespace)

int HCL_Boxes_gather(MPI_Comm comm, int ndims, const int64_t mesh[], const int periods[], int nboxes,
                     const int64_t first[], const int64_t extents[], HCL_Boxes* boxes) {
  return guarded(comm, [&] {
    struct Arguments {
      Mesh mesh;
      std::vector<Box> own;
    };
    const Arguments arguments = agreed_arguments(comm, [&] {
      require_pointer(boxes, "boxes");
      Mesh read = mesh_of(ndims, mesh, periods);
      std::vector<Box> own = own_boxes(read, nboxes, first, extents);
      return Arguments{std::move(read), std::move(own)};
    });
    *boxes = new HCL_Boxes_object{gathered_boxes(comm, arguments.mesh, arguments.own)};
  });
}

int HCL_Boxes_create(int ndims, const int64_t mesh[], const int periods[], int nboxes, const int owners[],
                     const int64_t first[], const int64_t extents[], HCL_Boxes* boxes) {
  return guarded(MPI_COMM_WORLD, [&] {
    require_pointer(boxes, "boxes");
    Mesh read = mesh_of(ndims, mesh, periods);
    std::vector<OwnedBox> list = owned(own_boxes(read, nboxes, first, extents), owners);
    *boxes = new HCL_Boxes_object{Boxes(std::move(read), std::move(list))};
  });
}

int HCL_Boxes_connect(int ndims, int nboxes, const int owners[], const int64_t extents[], int nconnections,
                      const int to[], const int64_t ghosts_first[], const int64_t ghosts_extents[],
                      const int from[], const int64_t first[], const int axes[], const int backwards[],
                      HCL_Boxes* boxes) {
  return guarded(MPI_COMM_WORLD, [&] {
    require_pointer(boxes, "boxes");
    const std::size_t dimensions = dimensions_of(ndims);
    require_number_of(nboxes, "boxes");
    const Rows rows(dimensions, nboxes);
    (void)rows.given(extents, "extents");
    std::vector<Box> list;
    list.reserve(to_size(nboxes));
    for (int i = 0; i < nboxes; ++i) list.push_back({Cell(dimensions, 0), rows.row(extents, i)});
    *boxes =
        new HCL_Boxes_object{Boxes(owned(std::move(list), owners),
                                   connections_of(dimensions, {nconnections, to, from, ghosts_first,
                                                               ghosts_extents, first, axes, backwards}))};
  });
}

int HCL_Boxes_size(HCL_Boxes boxes, int* nboxes) {
  return guarded(MPI_COMM_WORLD, [&] {
    const Boxes& all = boxes_of(boxes);
    require_pointer(nboxes, "nboxes");
    *nboxes = to_int(all.size());
  });
}

int HCL_Boxes_get(HCL_Boxes boxes, int number, int maxdims, int* owner, int64_t first[], int64_t extents[]) {
  return guarded(MPI_COMM_WORLD, [&] {
    const Boxes& all = boxes_of(boxes);
    require(number >= 0 && to_size(number) < all.size(), "box ", number, " of ", all.size(),
            "; they are counted from 0");
    if (first != nullptr || extents != nullptr) require_room(all.dimensions(), maxdims);
    const OwnedBox& one = all[to_size(number)];
    if (owner != nullptr) *owner = to_int(one.owner);
    if (first != nullptr) std::copy(one.box.first.begin(), one.box.first.end(), first);
    if (extents != nullptr) std::copy(one.box.extents.begin(), one.box.extents.end(), extents);
  });
}

int HCL_Boxes_free(HCL_Boxes* boxes) {
  return guarded(MPI_COMM_WORLD, [&] {
    require_pointer(boxes, "boxes");
    (void)boxes_of(*boxes);
    delete *boxes;
    *boxes = HCL_BOXES_NULL;
  });
}
