// The halo exchange for the Fortran module.

#include "api/fortran/descriptors.hpp"
#include "api/fortran/handles.hpp"
#include "halocline/halocline.h"

using namespace halocline;       // NOLINT(google-build-using-namespace): the C functions cannot be inside
using namespace halocline::api;  // NOLINT(google-build-using-namespace)

extern "C" {

void halocline_f_halo_create(const FortranHandle* comm_cart, const CFI_cdesc_t* fields, HCL_Halo* halo,
                             const CFI_cdesc_t* directions, const FortranHandle* info, int* ierror) {
  MPI_Comm cart = comm_of(comm_cart);
  *halo = HCL_HALO_NULL;
  struct Lists {
    std::vector<HCL_Field> fields;
    std::vector<int> directions;
    int number = 0;
  };
  const auto read = [&] {
    Lists lists;
    for (std::size_t f = 0; f < length_of(*fields); ++f)
      lists.fields.push_back(element_of<HCL_Field>(*fields, f));
    if (directions != nullptr) {
      lists.directions = columns_of(*directions, mpi::grid_of(cart).dimensions(), "directions");
      lists.number = static_cast<int>(directions->dim[1].extent);
    }
    return lists;
  };
  agree_and_call(cart, ierror, read, [&](const Lists& lists) {
    return HCL_Halo_create(cart, static_cast<int>(lists.fields.size()), lists.fields.data(), lists.number,
                           data_or_null(lists.directions), info_of(info), halo);
  });
}

void halocline_f_halo_start(const HCL_Halo* halo, int* ierror) { give(HCL_Halo_start(*halo), ierror); }
void halocline_f_halo_wait(const HCL_Halo* halo, int* ierror) { give(HCL_Halo_wait(*halo), ierror); }
void halocline_f_halo_exchange(const HCL_Halo* halo, int* ierror) { give(HCL_Halo_exchange(*halo), ierror); }
void halocline_f_halo_verify(const HCL_Halo* halo, int* ierror) { give(HCL_Halo_verify(*halo), ierror); }
void halocline_f_halo_free(HCL_Halo* halo, int* ierror) { give(HCL_Halo_free(halo), ierror); }
void halocline_f_halo_statistics(const HCL_Halo* halo, HCL_Statistics* statistics, int* ierror) {
  give(HCL_Halo_statistics(*halo, statistics), ierror);
}

}  // extern "C"
