// SPDX-License-Identifier: BSD-3-Clause
// The halo exchange for the Fortran module.

#include "api/c/halo_object.hpp"
#include "api/fortran/descriptors.hpp"
#include "api/fortran/handles.hpp"
#include "base/fail.hpp"
#include "base/join.hpp"
#include "base/numbers.hpp"
#include "halo/halo_state.hpp"
#include "halocline/halocline.h"

#include <array>
#include <numeric>
#include <string>

using namespace halocline;       // NOLINT(google-build-using-namespace): the C functions cannot be inside
using namespace halocline::api;  // NOLINT(google-build-using-namespace)

namespace {

constexpr std::size_t most_arrays = 8;
using Arrays = std::array<const CFI_cdesc_t*, most_arrays>;

std::string shape_of(const CFI_cdesc_t& array) {
  std::string text;
  for (int d = 0; d < array.rank; ++d) text += (d > 0 ? "x" : "") + std::to_string(array.dim[d].extent);
  return text.empty() ? "one element" : text;
}

/// Throws unless an array looks like the one that the field of the halo was made of, whose address alone the
/// halo is told.
void require_alike(std::size_t field, const CFI_cdesc_t& array, const FieldView& shape) {
  const std::size_t dimensions = shape.dimensions();
  const auto rank = to_size(array.rank);
  const std::size_t components = rank < dimensions ? 0 : rank - dimensions;
  bool alike = rank >= dimensions;
  for (std::size_t d = 0; d < dimensions && alike; ++d) {
    const CFI_dim_t& dimension = array.dim[components + d];
    const Count points = shape.extents()[d] + shape.halo().low[d] + shape.halo().high[d];
    alike = dimension.extent == points && (points == 1 || dimension.sm == shape.strides()[d]);
  }
  Count bytes = to_count(array.elem_len);
  for (std::size_t d = 0; d < components && alike; ++d) bytes += (array.dim[d].extent - 1) * array.dim[d].sm;
  if (alike && bytes >= shape.element().true_ub()) return;
  Counts whole = shape.extents();
  for (std::size_t d = 0; d < dimensions; ++d) whole[d] += shape.halo().low[d] + shape.halo().high[d];
  fail(Fault::invalid_dimensions, "field ", field, " is an array of ", shape_of(array), ", elements of ",
       array.elem_len, " bytes, now; the halo was made for ", join(whole, "x"), " points, ",
       shape.element().true_ub(), " bytes each, ", join(shape.strides(), ","),
       " bytes apart; [c_loc(array)] tells an address alone");
}

/// An array is where it begins; an array of type(c_ptr) has addresses itself. gfortran 12 hands over
/// c_loc(array), which is none, as if it were what it points to.
void add_addresses(const Halo& halo, const CFI_cdesc_t& array, std::vector<const void*>& addresses) {
  if (array.type != CFI_type_cptr) {
    const halo::Stage* const stage = state_of(halo).stage.get();
    if (stage != nullptr && addresses.size() < halo.fields() && array.base_addr != nullptr)
      require_alike(addresses.size(), array, stage->field(addresses.size()));
    return addresses.push_back(array.base_addr);
  }
  require(array.rank == 1, "addresses as a type(c_ptr) of rank ", int{array.rank},
          "; they are an array of rank 1: [c_loc(array)]");
  for (std::size_t i = 0; i < length_of(array); ++i)
    addresses.push_back(element_of<const void* const>(array, i));
}

/// Hands the addresses of the arrays that are there to `call`.
template <class Call>
void with_addresses(const HCL_Halo* halo, const Arrays& arrays, int* ierror, const Call& call) {
  const auto read = [&] {
    std::vector<const void*> addresses;
    const Halo& started = valid(*halo);
    for (const CFI_cdesc_t* array : arrays)
      if (array != nullptr) add_addresses(started, *array, addresses);
    const std::size_t fields = started.fields();
    require(addresses.size() == fields, addresses.size(), " arrays for a halo of ", fields, " fields");
    return addresses;
  };
  read_and_call(api::comm_of(*halo), ierror, read,
                [&](const std::vector<const void*>& addresses) { return call(*halo, addresses.data()); });
}

}  // namespace

extern "C" {
#pragma GCC visibility push(default)

void halocline_f_halo_create(const FortranHandle* comm_cart, const CFI_cdesc_t* fields, HCL_Halo* halo,
                             const CFI_cdesc_t* directions, const FortranHandle* info,
                             const CFI_cdesc_t* nmemories, int* ierror) {
  const CalledAs called("HCL_Halo_create");
  MPI_Comm cart = comm_of(comm_cart);
  *halo = HCL_HALO_NULL;
  struct Lists {
    std::vector<HCL_Field> fields;
    std::vector<int> directions, memories;
    int number = 0;
  };
  const auto read = [&] {
    Lists lists;
    for (std::size_t f = 0; f < length_of(*fields); ++f)
      lists.fields.push_back(element_of<HCL_Field>(*fields, f));
    if (directions != nullptr) {
      lists.directions = columns_of(*directions, mpi::grid_of(cart).dimensions(), "directions");
      lists.number = to_int(directions->dim[1].extent);
    }
    if (nmemories != nullptr) {
      lists.memories = list_of<int>(*nmemories, length_of(*nmemories), "nmemories");
      const Count listed = std::accumulate(lists.memories.begin(), lists.memories.end(), Count{0});
      require(listed == count_of(lists.fields), "nmemories names ", listed, " fields, and there are ",
              lists.fields.size());
    }
    return lists;
  };
  agree_and_call(cart, ierror, read, [&](const Lists& lists) {
    if (nmemories != nullptr)
      return HCL_Halo_create_rotating(cart, to_int(lists.memories.size()), lists.memories.data(),
                                      lists.fields.data(), lists.number, data_or_null(lists.directions),
                                      info_of(info), halo);
    return HCL_Halo_create(cart, to_int(lists.fields.size()), lists.fields.data(), lists.number,
                           data_or_null(lists.directions), info_of(info), halo);
  });
}

HALOCLINE_FORTRAN_HANDLES(halo_create);

void halocline_f_halo_start_with(const HCL_Halo* halo, const CFI_cdesc_t* a, const CFI_cdesc_t* b,
                                 const CFI_cdesc_t* c, const CFI_cdesc_t* d, const CFI_cdesc_t* e,
                                 const CFI_cdesc_t* f, const CFI_cdesc_t* g, const CFI_cdesc_t* h,
                                 int* ierror) {
  const CalledAs called("HCL_Halo_start_with");
  with_addresses(halo, {a, b, c, d, e, f, g, h}, ierror, HCL_Halo_start_with);
}
void halocline_f_halo_exchange_with(const HCL_Halo* halo, const CFI_cdesc_t* a, const CFI_cdesc_t* b,
                                    const CFI_cdesc_t* c, const CFI_cdesc_t* d, const CFI_cdesc_t* e,
                                    const CFI_cdesc_t* f, const CFI_cdesc_t* g, const CFI_cdesc_t* h,
                                    int* ierror) {
  const CalledAs called("HCL_Halo_exchange_with");
  with_addresses(halo, {a, b, c, d, e, f, g, h}, ierror, HCL_Halo_exchange_with);
}
void halocline_f_halo_start(const HCL_Halo* halo, int* ierror) { give(HCL_Halo_start(*halo), ierror); }
void halocline_f_halo_wait(const HCL_Halo* halo, int* ierror) { give(HCL_Halo_wait(*halo), ierror); }
void halocline_f_halo_start_on(const HCL_Halo* halo, void* stream, int* ierror) {
  give(HCL_Halo_start_on(*halo, stream), ierror);
}
void halocline_f_halo_wait_on(const HCL_Halo* halo, void* stream, int* ierror) {
  give(HCL_Halo_wait_on(*halo, stream), ierror);
}
void halocline_f_halo_exchange(const HCL_Halo* halo, int* ierror) { give(HCL_Halo_exchange(*halo), ierror); }
void halocline_f_halo_accumulate(const HCL_Halo* halo, const int* op, int* ierror) {
  give(HCL_Halo_accumulate(*halo, *op), ierror);
}
void halocline_f_halo_start_accumulate(const HCL_Halo* halo, const int* op, int* ierror) {
  give(HCL_Halo_start_accumulate(*halo, *op), ierror);
}
void halocline_f_halo_set_threads(const HCL_Halo* halo, const int* threads, int* ierror) {
  give(HCL_Halo_set_threads(*halo, *threads), ierror);
}
void halocline_f_halo_verify(const HCL_Halo* halo, int* ierror) { give(HCL_Halo_verify(*halo), ierror); }
void halocline_f_halo_free(HCL_Halo* halo, int* ierror) { give(HCL_Halo_free(halo), ierror); }
void halocline_f_halo_statistics(const HCL_Halo* halo, HCL_Statistics* statistics, int* ierror) {
  give(HCL_Halo_statistics(*halo, statistics), ierror);
}

#pragma GCC visibility pop
}  // extern "C"
