// SPDX-License-Identifier: BSD-3-Clause
// Fields for the Fortran module: arrays as their descriptors tell, and memory of the library as pointers.

#include "api/fortran/descriptors.hpp"
#include "api/fortran/handles.hpp"
#include "base/fail.hpp"
#include "base/integers.hpp"
#include "base/join.hpp"
#include "base/numbers.hpp"
#include "base/settings.hpp"
#include "halocline/halocline.h"
#include "mpi/handles/handle.hpp"

#include <algorithm>
#include <initializer_list>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

namespace halocline::api {
namespace {

using Sizes = std::vector<std::int64_t>;

std::size_t rank_of(const CFI_cdesc_t& array) { return to_size(array.rank); }

/// The datatype of the numbers in an array; MPI_DATATYPE_NULL for elements of other types.
MPI_Datatype number_of(const CFI_cdesc_t& array) {
  const auto is_any_of = [&](std::initializer_list<CFI_type_t> types) {
    return std::find(types.begin(), types.end(), array.type) != types.end();
  };
  const std::size_t bytes = array.elem_len;
  if (is_any_of({CFI_type_signed_char, CFI_type_short, CFI_type_int, CFI_type_long, CFI_type_long_long,
                 CFI_type_int8_t, CFI_type_int16_t, CFI_type_int32_t, CFI_type_int64_t}))
    return bytes == 1   ? MPI_INT8_T
           : bytes == 2 ? MPI_INT16_T
           : bytes == 4 ? MPI_INT32_T
           : bytes == 8 ? MPI_INT64_T
                        : MPI_DATATYPE_NULL;
  if (array.type == CFI_type_float && bytes == sizeof(float)) return MPI_FLOAT;
  if (array.type == CFI_type_double && bytes == sizeof(double)) return MPI_DOUBLE;
  if (array.type == CFI_type_float_Complex && bytes == 2 * sizeof(float)) return MPI_C_FLOAT_COMPLEX;
  if (array.type == CFI_type_double_Complex && bytes == 2 * sizeof(double)) return MPI_C_DOUBLE_COMPLEX;
  return MPI_DATATYPE_NULL;
}

/// A number of elements as MPI has it.
int int_count(Count count, const char* what) {
  require(std::in_range<int>(count), count, " ", what, "; MPI counts no further than ",
          std::numeric_limits<int>::max());
  return to_int(count);
}

/// `bytes` bytes of elements of the array: as numbers if that is what they are, otherwise as they are.
mpi::Datatype elements_of(const CFI_cdesc_t& array, Count bytes) {
  const int all = int_count(bytes, "bytes in an element");
  const MPI_Datatype number = number_of(array);
  const bool numbers = number != MPI_DATATYPE_NULL;
  mpi::Datatype type;
  HALOCLINE_MPI(Type_contiguous, numbers ? all / to_int(array.elem_len) : all, numbers ? number : MPI_BYTE,
                type.put());
  return type;
}

/// The widths that the optional arguments say; none if they are absent.
struct Widths {
  Sizes low, high;
};
Widths widths_of(const CFI_cdesc_t* low, const CFI_cdesc_t* high, std::size_t dimensions) {
  Widths widths;
  if (low != nullptr) widths.low = list_of<std::int64_t>(*low, dimensions, "halo");
  if (high != nullptr) widths.high = list_of<std::int64_t>(*high, dimensions, "halo_high");
  return widths;
}

/// The numbers of the dimensions that have a 1 in the list; none if it is absent.
std::vector<int> staggered_of(const CFI_cdesc_t* list, std::size_t dimensions) {
  std::vector<int> numbers;
  if (list == nullptr) return numbers;
  const Sizes more = list_of<std::int64_t>(*list, dimensions, "staggered");
  for (std::size_t d = 0; d < dimensions; ++d) {
    if (more[d] != 0 && more[d] != 1)
      fail(Fault::invalid_dimensions, more[d], " points more than cells along dimension ", d,
           "; the argument staggered has 1 where a field has one more, otherwise 0");
    if (more[d] == 1) numbers.push_back(to_int(d));
  }
  return numbers;
}

struct AttachedArray {
  mpi::Datatype element;
  Sizes extents;
  std::vector<MPI_Aint> strides;
  Widths halo;
  std::vector<int> staggered;
};

AttachedArray attached(const CFI_cdesc_t& array, const CFI_cdesc_t* halo, const CFI_cdesc_t* halo_high,
                       int components, const FortranHandle* element, const CFI_cdesc_t* staggered) {
  const std::size_t rank = rank_of(array);
  require(components >= 0 && to_size(components) < rank, "an array of rank ", rank, " with ", components,
          " dimensions of components; one dimension at least must be of the mesh");
  require(array.base_addr != nullptr, "the array is not allocated or not associated");
  require(rank == 0 || array.dim[rank - 1].extent >= 0,
          "the array is of assumed size; pass one whose last "
          "extent is known");
  AttachedArray read;
  if (element != nullptr) {
    MPI_Datatype given = PMPI_Type_f2c(element->value);
    if (given == MPI_DATATYPE_NULL) fail(Fault::invalid_type, "the element is MPI_DATATYPE_NULL");
    HALOCLINE_MPI(Type_dup, given, read.element.put());
  } else {
    read.element = elements_of(array, to_count(array.elem_len));
  }
  for (std::size_t d = 0; d < rank; ++d) {
    const CFI_dim_t& dimension = array.dim[d];
    if (d < to_size(components)) {
      mpi::Datatype several;
      HALOCLINE_MPI(Type_create_hvector, int_count(dimension.extent, "components"), 1, dimension.sm,
                    read.element.get(), several.put());
      read.element = std::move(several);
    } else {
      read.extents.push_back(dimension.extent);
      read.strides.push_back(dimension.sm);
    }
  }
  read.halo = widths_of(halo, halo_high, read.extents.size());
  read.staggered = staggered_of(staggered, read.extents.size());
  return read;
}

struct NewField {
  mpi::Datatype element;
  std::vector<int> components;
  Sizes lower;
  Widths halo;
  mpi::Info info;
};

/// With the dimensions that the field is staggered along, if there are any.
mpi::Info info_with(MPI_Info given, const std::vector<int>& staggered) {
  mpi::Info info;
  if (given != MPI_INFO_NULL)
    HALOCLINE_MPI(Info_dup, given, info.put());
  else
    HALOCLINE_MPI(Info_create, info.put());
  if (!staggered.empty())
    HALOCLINE_MPI(Info_set, info.get(), settings::staggered.key, join(staggered, ",").c_str());
  return info;
}

NewField new_field(MPI_Comm cart, const CFI_cdesc_t& pointer, const CFI_cdesc_t* halo,
                   const CFI_cdesc_t* halo_high, const CFI_cdesc_t* components, const CFI_cdesc_t* lower,
                   const CFI_cdesc_t* staggered, const FortranHandle* info) {
  const std::size_t dimensions = mpi::grid_of(cart).dimensions();
  NewField field;
  if (components != nullptr)
    field.components = list_of<int>(*components, length_of(*components), "components");
  if (rank_of(pointer) != dimensions + field.components.size())
    fail(Fault::invalid_dimensions, "a pointer of rank ", rank_of(pointer), " for a mesh of ", dimensions,
         " dimensions and ", field.components.size(), " dimensions of components");
  auto bytes = to_count(pointer.elem_len);
  for (const int count : field.components) {
    require(count >= 1, count, " components; there must be one at least");
    bytes = checked_multiply(bytes, count);
  }
  field.element = elements_of(pointer, bytes);
  field.lower = lower != nullptr ? list_of<std::int64_t>(*lower, dimensions, "lower") : Sizes(dimensions, 1);
  field.halo = widths_of(halo, halo_high, dimensions);
  field.info = info_with(info_of(info), staggered_of(staggered, dimensions));
  return field;
}

/// Lets the pointer show the memory of the field: components first, then the points with their halo.
int point_to(const HCL_Field field, MPI_Comm cart, const NewField& made, CFI_cdesc_t* pointer) {
  const std::size_t dimensions = made.lower.size();
  Sizes extents(dimensions), low(dimensions), high;
  std::vector<MPI_Aint> strides(dimensions);
  std::byte* origin = nullptr;
  int code =
      HCL_Field_get(field, to_int(dimensions), static_cast<void*>(&origin), strides.data(), extents.data());
  if (code != MPI_SUCCESS) return code;
  if (made.halo.low.empty())
    code = HCL_Cart_mesh_get(cart, to_int(dimensions), nullptr, low.data());
  else
    low = made.halo.low;
  if (code != MPI_SUCCESS) return code;
  high = made.halo.high.empty() ? low : made.halo.high;

  CFI_dim_t* dim = pointer->dim;
  auto stride = static_cast<CFI_index_t>(pointer->elem_len);
  for (const int count : made.components) {
    *dim++ = {1, count, stride};
    stride *= count;
  }
  for (std::size_t d = 0; d < dimensions; ++d) {
    *dim++ = {made.lower[d] - low[d], extents[d] + low[d] + high[d], strides[d]};
    origin -= low[d] * strides[d];
  }
  pointer->base_addr = origin;
  return MPI_SUCCESS;
}

}  // namespace
}  // namespace halocline::api

using namespace halocline;       // NOLINT(google-build-using-namespace): the C functions cannot be inside
using namespace halocline::api;  // NOLINT(google-build-using-namespace)

extern "C" {
#pragma GCC visibility push(default)

void halocline_f_field_attach(const CFI_cdesc_t* array, HCL_Field* field, const CFI_cdesc_t* halo,
                              const CFI_cdesc_t* halo_high, const int* components,
                              const FortranHandle* element, const CFI_cdesc_t* staggered, int* ierror) {
  const CalledAs called("HCL_Field_attach");
  *field = HCL_FIELD_NULL;
  const auto read = [&] {
    return attached(*array, halo, halo_high, components == nullptr ? 0 : *components, element, staggered);
  };
  read_and_call(MPI_COMM_WORLD, ierror, read, [&](const AttachedArray& own) {
    const int code = HCL_Field_attach_strided(
        array->base_addr, to_int(own.extents.size()), own.extents.data(), data_or_null(own.halo.low),
        data_or_null(own.halo.high), own.strides.data(), own.element.get(), field);
    if (code != MPI_SUCCESS || own.staggered.empty()) return code;
    const int staggering = HCL_Field_stagger(*field, to_int(own.staggered.size()), own.staggered.data());
    if (staggering != MPI_SUCCESS) (void)HCL_Field_free(field);
    return staggering;
  });
}

HALOCLINE_FORTRAN_HANDLES(field_attach);

void halocline_f_field_create(const FortranHandle* comm_cart, CFI_cdesc_t* array, HCL_Field* field,
                              const CFI_cdesc_t* halo, const CFI_cdesc_t* halo_high,
                              const CFI_cdesc_t* components, const CFI_cdesc_t* lower,
                              const CFI_cdesc_t* staggered, const FortranHandle* info, int* ierror) {
  const CalledAs called("HCL_Field_create");
  MPI_Comm cart = comm_of(comm_cart);
  *field = HCL_FIELD_NULL;
  array->base_addr = nullptr;
  const auto read = [&] {
    return new_field(cart, *array, halo, halo_high, components, lower, staggered, info);
  };
  agree_and_call(cart, ierror, read, [&](const NewField& made) {
    const int code =
        HCL_Field_create(cart, made.element.get(), data_or_null(made.halo.low), data_or_null(made.halo.high),
                         MPI_ORDER_FORTRAN, made.info.get(), field);
    return code != MPI_SUCCESS ? code : point_to(*field, cart, made, array);
  });
}

HALOCLINE_FORTRAN_TYPE(field_create, int8);
HALOCLINE_FORTRAN_TYPE(field_create, int16);
HALOCLINE_FORTRAN_TYPE(field_create, int32);
HALOCLINE_FORTRAN_TYPE(field_create, int64);
HALOCLINE_FORTRAN_TYPE(field_create, real32);
HALOCLINE_FORTRAN_TYPE(field_create, real64);
HALOCLINE_FORTRAN_TYPE(field_create, complex32);
HALOCLINE_FORTRAN_TYPE(field_create, complex64);

void halocline_f_field_free(HCL_Field* field, int* ierror) { give(HCL_Field_free(field), ierror); }

#pragma GCC visibility pop
}  // extern "C"
