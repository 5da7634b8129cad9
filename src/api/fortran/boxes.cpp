// SPDX-License-Identifier: BSD-3-Clause
// Boxes and their halos for the Fortran module. Points, boxes and dimensions are counted from 1.

#include "halocline/boxes.h"
#include "api/c/box_halo_object.hpp"
#include "api/fortran/descriptors.hpp"
#include "api/fortran/handles.hpp"
#include "base/fail.hpp"
#include "base/integers.hpp"
#include "base/numbers.hpp"

#include <cstdlib>

namespace halocline::api {
namespace {

using Sizes = std::vector<std::int64_t>;

/// A matrix of integers of either kind, column after column.
struct Columns {
  Sizes values;
  std::size_t count;
};

std::int64_t entry_of(const CFI_cdesc_t& matrix, CFI_index_t row, CFI_index_t column) {
  const auto* const address =
      static_cast<const std::byte*>(matrix.base_addr) + row * matrix.dim[0].sm + column * matrix.dim[1].sm;
  return matrix.elem_len == sizeof(std::int64_t) ? *reinterpret_cast<const std::int64_t*>(address)
                                                 : *reinterpret_cast<const std::int32_t*>(address);
}

Columns columns_in(const CFI_cdesc_t& matrix, std::size_t rows, const char* name) {
  if (to_size(matrix.dim[0].extent) != rows)
    fail(Fault::invalid_dimensions, "the argument ", name, " has ", matrix.dim[0].extent, " rows for ", rows,
         " dimensions; a column is a box");
  Columns columns{{}, to_size(matrix.dim[1].extent)};
  for (CFI_index_t column = 0; column < matrix.dim[1].extent; ++column)
    for (CFI_index_t row = 0; row < matrix.dim[0].extent; ++row)
      columns.values.push_back(entry_of(matrix, row, column));
  return columns;
}

Columns from_zero(Columns columns) {
  for (std::int64_t& value : columns.values) value = checked_subtract(value, 1);
  return columns;
}

void require_columns(const Columns& columns, std::size_t count, const char* name) {
  if (columns.count != count)
    fail(Fault::invalid_dimensions, "the argument ", name, " has ", columns.count, " columns for ", count);
}

struct BoxLists {
  Sizes mesh;
  std::vector<int> periods;
  Columns first, extents;

  [[nodiscard]] int dimensions() const { return to_int(mesh.size()); }
  [[nodiscard]] int boxes() const { return to_int(first.count); }
};

BoxLists box_lists(const CFI_cdesc_t& mesh, const CFI_cdesc_t& periods, const CFI_cdesc_t& first,
                   const CFI_cdesc_t& extents) {
  const std::size_t dimensions = length_of(mesh);
  BoxLists lists{
      list_of<std::int64_t>(mesh, dimensions, "mesh"), list_of<int>(periods, dimensions, "periods"),
      from_zero(columns_in(first, dimensions, "first")), columns_in(extents, dimensions, "extents")};
  require_columns(lists.extents, lists.first.count, "extents");
  return lists;
}

/// Numbers of boxes from 0 on.
std::vector<int> box_numbers(const CFI_cdesc_t& list, const char* name) {
  std::vector<int> numbers = list_of<int>(list, length_of(list), name);
  for (int& number : numbers) {
    require(number >= 1, "the argument ", name, " names box ", number, "; boxes are counted from 1");
    --number;
  }
  return numbers;
}

struct ConnectionLists {
  std::size_t dimensions;
  std::vector<int> owners, to, from, axes, backwards;
  Columns extents, ghosts_first, ghosts_extents, first;
};

void read_axes(const CFI_cdesc_t& matrix, ConnectionLists& lists) {
  const Columns axes = columns_in(matrix, lists.dimensions, "axes");
  require_columns(axes, lists.to.size(), "axes");
  for (const std::int64_t axis : axes.values) {
    require(axis != 0, "an axis is 0; dimensions are counted from 1, and negative ones go backwards");
    lists.axes.push_back(to_int(std::abs(axis)) - 1);
    lists.backwards.push_back(axis < 0 ? 1 : 0);
  }
}

struct FieldLists {
  std::vector<HCL_Field> fields;
  std::vector<int> directions;
  int nfields, nboxes, ndirections;
};

FieldLists field_lists(HCL_Boxes boxes, const CFI_cdesc_t& fields, const CFI_cdesc_t* directions) {
  FieldLists lists{{}, {}, to_int(fields.dim[1].extent), to_int(fields.dim[0].extent), 0};
  for (int f = 0; f < lists.nfields; ++f)
    for (int i = 0; i < lists.nboxes; ++i)
      lists.fields.push_back(*reinterpret_cast<const HCL_Field*>(
          static_cast<const std::byte*>(fields.base_addr) + f * fields.dim[1].sm + i * fields.dim[0].sm));
  if (directions != nullptr) {
    lists.directions = columns_of(*directions, boxes_of(boxes).dimensions(), "directions");
    lists.ndirections = to_int(directions->dim[1].extent);
  }
  return lists;
}

}  // namespace
}  // namespace halocline::api

using namespace halocline;       // NOLINT(google-build-using-namespace): the C functions cannot be inside
using namespace halocline::api;  // NOLINT(google-build-using-namespace)

extern "C" {
#pragma GCC visibility push(default)

void halocline_f_boxes_gather(const FortranHandle* comm, const CFI_cdesc_t* mesh, const CFI_cdesc_t* periods,
                              const CFI_cdesc_t* first, const CFI_cdesc_t* extents, HCL_Boxes* boxes,
                              int* ierror) {
  const CalledAs called("HCL_Boxes_gather");
  MPI_Comm all = comm_of(comm);
  *boxes = HCL_BOXES_NULL;
  const auto read = [&] { return box_lists(*mesh, *periods, *first, *extents); };
  agree_and_call(all, ierror, read, [&](const BoxLists& lists) {
    return HCL_Boxes_gather(all, lists.dimensions(), lists.mesh.data(), lists.periods.data(), lists.boxes(),
                            data_or_null(lists.first.values), data_or_null(lists.extents.values), boxes);
  });
}

void halocline_f_boxes_create(const CFI_cdesc_t* mesh, const CFI_cdesc_t* periods, const CFI_cdesc_t* owners,
                              const CFI_cdesc_t* first, const CFI_cdesc_t* extents, HCL_Boxes* boxes,
                              int* ierror) {
  const CalledAs called("HCL_Boxes_create");
  *boxes = HCL_BOXES_NULL;
  struct List {
    BoxLists lists;
    std::vector<int> owners;
  };
  const auto read = [&] {
    BoxLists lists = box_lists(*mesh, *periods, *first, *extents);
    std::vector<int> ranks = list_of<int>(*owners, length_of(*owners), "owners");
    require_columns(lists.first, ranks.size(), "first");
    return List{std::move(lists), std::move(ranks)};
  };
  read_and_call(MPI_COMM_WORLD, ierror, read, [&](const List& list) {
    const BoxLists& lists = list.lists;
    return HCL_Boxes_create(lists.dimensions(), lists.mesh.data(), lists.periods.data(), lists.boxes(),
                            data_or_null(list.owners), data_or_null(lists.first.values),
                            data_or_null(lists.extents.values), boxes);
  });
}

void halocline_f_boxes_connect(const CFI_cdesc_t* owners, const CFI_cdesc_t* extents, const CFI_cdesc_t* to,
                               const CFI_cdesc_t* ghosts_first, const CFI_cdesc_t* ghosts_extents,
                               const CFI_cdesc_t* from, const CFI_cdesc_t* first, HCL_Boxes* boxes,
                               const CFI_cdesc_t* axes, int* ierror) {
  const CalledAs called("HCL_Boxes_connect");
  *boxes = HCL_BOXES_NULL;
  const auto read = [&] {
    const auto dimensions = to_size(extents->dim[0].extent);
    ConnectionLists lists{dimensions,
                          list_of<int>(*owners, length_of(*owners), "owners"),
                          box_numbers(*to, "to"),
                          box_numbers(*from, "from"),
                          {},
                          {},
                          columns_in(*extents, dimensions, "extents"),
                          from_zero(columns_in(*ghosts_first, dimensions, "ghosts_first")),
                          columns_in(*ghosts_extents, dimensions, "ghosts_extents"),
                          from_zero(columns_in(*first, dimensions, "first"))};
    require_columns(lists.extents, lists.owners.size(), "extents");
    require(lists.from.size() == lists.to.size(), "the argument from has ", lists.from.size(),
            " entries for ", lists.to.size(), " connections");
    require_columns(lists.ghosts_first, lists.to.size(), "ghosts_first");
    require_columns(lists.ghosts_extents, lists.to.size(), "ghosts_extents");
    require_columns(lists.first, lists.to.size(), "first");
    if (axes != nullptr) read_axes(*axes, lists);
    return lists;
  };
  read_and_call(MPI_COMM_WORLD, ierror, read, [&](const ConnectionLists& lists) {
    return HCL_Boxes_connect(
        to_int(lists.dimensions), to_int(lists.owners.size()), data_or_null(lists.owners),
        data_or_null(lists.extents.values), to_int(lists.to.size()), data_or_null(lists.to),
        data_or_null(lists.ghosts_first.values), data_or_null(lists.ghosts_extents.values),
        data_or_null(lists.from), data_or_null(lists.first.values), data_or_null(lists.axes),
        data_or_null(lists.backwards), boxes);
  });
}

void halocline_f_boxes_get(const HCL_Boxes* boxes, const int* number, int* owner, const CFI_cdesc_t* first,
                           const CFI_cdesc_t* extents, int* ierror) {
  const CalledAs called("HCL_Boxes_get");
  const auto read = [&] {
    require(*number >= 1, "box ", *number, "; they are counted from 1");
    return boxes_of(*boxes).dimensions();
  };
  read_and_call(MPI_COMM_WORLD, ierror, read, [&](std::size_t dimensions) {
    Sizes begin(dimensions), points(dimensions);
    const int code =
        HCL_Boxes_get(*boxes, *number - 1, to_int(dimensions), owner, begin.data(), points.data());
    if (code != MPI_SUCCESS) return code;
    for (std::int64_t& coordinate : begin) ++coordinate;
    write_list(begin, first, "first");
    write_list(points, extents, "extents");
    return MPI_SUCCESS;
  });
}

void halocline_f_box_halo_create(const FortranHandle* comm, const HCL_Boxes* boxes, const CFI_cdesc_t* fields,
                                 HCL_Box_halo* halo, const CFI_cdesc_t* directions, const FortranHandle* info,
                                 int* ierror) {
  const CalledAs called("HCL_Box_halo_create");
  MPI_Comm all = comm_of(comm);
  *halo = HCL_BOX_HALO_NULL;
  const auto read = [&] { return field_lists(*boxes, *fields, directions); };
  agree_and_call(all, ierror, read, [&](const FieldLists& lists) {
    return HCL_Box_halo_create(all, *boxes, lists.nfields, lists.nboxes, data_or_null(lists.fields),
                               lists.ndirections, data_or_null(lists.directions), info_of(info), halo);
  });
}

void halocline_f_boxes_size(const HCL_Boxes* boxes, int* nboxes, int* ierror) {
  give(HCL_Boxes_size(*boxes, nboxes), ierror);
}
void halocline_f_boxes_free(HCL_Boxes* boxes, int* ierror) { give(HCL_Boxes_free(boxes), ierror); }
void halocline_f_box_halo_start(const HCL_Box_halo* halo, int* ierror) {
  give(HCL_Box_halo_start(*halo), ierror);
}
void halocline_f_box_halo_wait(const HCL_Box_halo* halo, int* ierror) {
  give(HCL_Box_halo_wait(*halo), ierror);
}
void halocline_f_box_halo_exchange(const HCL_Box_halo* halo, int* ierror) {
  give(HCL_Box_halo_exchange(*halo), ierror);
}
void halocline_f_box_halo_accumulate(const HCL_Box_halo* halo, const int* op, int* ierror) {
  give(HCL_Box_halo_accumulate(*halo, *op), ierror);
}
void halocline_f_box_halo_start_accumulate(const HCL_Box_halo* halo, const int* op, int* ierror) {
  give(HCL_Box_halo_start_accumulate(*halo, *op), ierror);
}
void halocline_f_box_halo_verify(const HCL_Box_halo* halo, int* ierror) {
  give(HCL_Box_halo_verify(*halo), ierror);
}
void halocline_f_box_halo_statistics(const HCL_Box_halo* halo, HCL_Statistics* statistics, int* ierror) {
  give(HCL_Box_halo_statistics(*halo, statistics), ierror);
}
void halocline_f_box_halo_free(HCL_Box_halo* halo, int* ierror) { give(HCL_Box_halo_free(halo), ierror); }

HALOCLINE_FORTRAN_HANDLES(boxes_gather);
HALOCLINE_FORTRAN_HANDLES(box_halo_create);
HALOCLINE_FORTRAN_NAME(halocline_f_boxes_connect, halocline_f_boxes_connect_int32);
HALOCLINE_FORTRAN_NAME(halocline_f_boxes_connect, halocline_f_boxes_connect_int64);
HALOCLINE_FORTRAN_NAME(halocline_f_boxes_get, halocline_f_boxes_get_int32);
HALOCLINE_FORTRAN_NAME(halocline_f_boxes_get, halocline_f_boxes_get_int64);

#pragma GCC visibility pop
}  // extern "C"
