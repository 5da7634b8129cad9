// SPDX-License-Identifier: BSD-3-Clause
// The C interface of fields.

#include "halocline/halo/field.hpp"
#include "api/c/arguments.hpp"
#include "api/c/error.hpp"
#include "api/c/field_object.hpp"
#include "api/c/known_mesh.hpp"
#include "base/fail.hpp"
#include "base/numbers.hpp"
#include "base/scanner.hpp"
#include "base/settings.hpp"
#include "halo/fields/whole_array.hpp"
#include "mpi/datatypes/datatype.hpp"
#include "mpi/settings/info.hpp"

#include <cstring>

namespace halocline::api {

const FieldView& view_of(HCL_Field field) {
  require(field != HCL_FIELD_NULL, "the field is HCL_FIELD_NULL");
  return field->view;
}

namespace {

/// The widths that two lists say, either of which may be null.
HaloWidths widths_of(const int64_t* low, const int64_t* high, const Counts& otherwise) {
  const std::size_t dimensions = otherwise.size();
  Counts low_widths = low == nullptr ? otherwise : Counts(low, low + dimensions);
  Counts high_widths = high == nullptr ? low_widths : Counts(high, high + dimensions);
  return {std::move(low_widths), std::move(high_widths)};
}

Layout::Order order_of(int order) {
  require(order == MPI_ORDER_C || order == MPI_ORDER_FORTRAN, "the order ", order,
          " is neither MPI_ORDER_C nor MPI_ORDER_FORTRAN");
  return order == MPI_ORDER_C ? Layout::Order::c : Layout::Order::fortran;
}

/// Where it lies, in the words of the key.
std::string place_of_field(MPI_Info info) {
  std::string word = mpi::info_value(info, settings::field.key).value_or("shared");
  require(word == "shared" || word == "private" || word == "device", settings::field.key, " is \"", word,
          "\"; it is shared, private or device");
  return word;
}

/// Refused here if it is negative; by others if the field has no such dimension.
std::size_t dimension_number(Count dimension) {
  if (dimension < 0)
    fail(Fault::invalid_dimensions, "a field staggered along dimension ", dimension,
         "; dimensions are counted from 0");
  return static_cast<std::size_t>(dimension);
}

std::vector<std::size_t> staggered_of(MPI_Info info) {
  const std::string text = mpi::info_value(info, settings::staggered.key).value_or("");
  std::vector<std::size_t> dimensions;
  if (text.empty()) return dimensions;
  for (const Count dimension :
       Scanner(settings::staggered.key, text, "\"0,2\"").whole_list(&Scanner::integer))
    dimensions.push_back(dimension_number(dimension));
  return dimensions;
}

struct Array {
  void* first;
  Layout element;
  Counts extents;
  HaloWidths halo;
};

Array array_of(void* array, int ndims, const int64_t* extents, const int64_t* halo_low,
               const int64_t* halo_high, MPI_Datatype element) {
  const std::size_t dimensions = dimensions_of(ndims);
  require_pointer(array, "array");
  require(array != MPI_IN_PLACE, "the argument array is MPI_IN_PLACE; a field needs memory of its own");
  require_pointer(extents, "extents");
  return {array, mpi::layout_of(element), Counts(extents, extents + dimensions),
          widths_of(halo_low, halo_high, Counts(dimensions, 1))};
}

}  // namespace
}  // namespace halocline::api

using namespace halocline;       // NOLINT(google-build-using-namespace): the C functions cannot be inside
using namespace halocline::api;  // NOLINT(google-build-using-namespace)

int HCL_Field_attach(void* array, int ndims, const int64_t extents[], const int64_t halo_low[],
                     const int64_t halo_high[], int order, MPI_Datatype element, HCL_Field* field) {
  return guarded(MPI_COMM_WORLD, [&] {
    require_pointer(field, "field");
    const Array read = array_of(array, ndims, extents, halo_low, halo_high, element);
    *field = new HCL_Field_object{view(read.first, read.element, read.extents, read.halo, order_of(order))};
  });
}

int HCL_Field_attach_strided(void* array, int ndims, const int64_t extents[], const int64_t halo_low[],
                             const int64_t halo_high[], const MPI_Aint strides[], MPI_Datatype element,
                             HCL_Field* field) {
  return guarded(MPI_COMM_WORLD, [&] {
    require_pointer(field, "field");
    require_pointer(strides, "strides");
    const Array read = array_of(array, ndims, extents, halo_low, halo_high, element);
    *field = new HCL_Field_object{halo::whole_array(read.first, read.element, read.extents, read.halo,
                                                    Counts(strides, strides + read.extents.size()))};
  });
}

int HCL_Field_stagger(HCL_Field field, int ndimensions, const int dimensions[]) {
  return guarded(MPI_COMM_WORLD, [&] {
    const FieldView& view = view_of(field);
    require(ndimensions >= 0, ndimensions, " dimensions to stagger a field along");
    if (ndimensions > 0) require_pointer(dimensions, "dimensions");
    std::vector<std::size_t> list;
    list.reserve(to_size(ndimensions));
    for (int i = 0; i < ndimensions; ++i) list.push_back(dimension_number(dimensions[i]));
    field->view = staggered(view, list);
  });
}

int HCL_Field_create(MPI_Comm comm_cart, MPI_Datatype element, const int64_t halo_low[],
                     const int64_t halo_high[], int order, MPI_Info info, HCL_Field* field) {
  return guarded(comm_cart, [&] {
    struct Arguments {
      std::shared_ptr<const mpi::CommMesh> mesh;
      Layout element;
      FieldOptions options;
    };
    const Arguments arguments = agreed_arguments(comm_cart, [&] {
      require_pointer(field, "field");
      auto mesh = known_mesh(comm_cart);
      const std::string place = place_of_field(info);
      FieldOptions options{.halo = widths_of(halo_low, halo_high, mesh->halo),
                           .shared = place == "shared",
                           .order = order_of(order),
                           .memory = place == "device" ? FieldMemory::device : FieldMemory::host,
                           .staggered = staggered_of(info)};
      return Arguments{std::move(mesh), mpi::layout_of(element), std::move(options)};
    });
    *field = new HCL_Field_object{
        FieldStorage(comm_cart, arguments.mesh->decomposition, arguments.element, arguments.options).view()};
  });
}

int HCL_Field_get(HCL_Field field, int maxdims, void* array, MPI_Aint strides[], int64_t extents[]) {
  return guarded(MPI_COMM_WORLD, [&] {
    const FieldView& view = view_of(field);
    if (strides != nullptr || extents != nullptr) require_room(view.dimensions(), maxdims);
    void* const origin = view.origin();
    if (array != nullptr) std::memcpy(array, static_cast<const void*>(&origin), sizeof origin);
    if (strides != nullptr) std::copy(view.strides().begin(), view.strides().end(), strides);
    if (extents != nullptr) std::copy(view.extents().begin(), view.extents().end(), extents);
  });
}

int HCL_Field_free(HCL_Field* field) {
  return guarded(MPI_COMM_WORLD, [&] {
    require_pointer(field, "field");
    (void)view_of(*field);
    delete *field;
    *field = HCL_FIELD_NULL;
  });
}
