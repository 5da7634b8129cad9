// SPDX-License-Identifier: BSD-3-Clause
// The C interface of halos of boxes.

#include "api/c/arguments.hpp"
#include "api/c/box_halo_object.hpp"
#include "api/c/error.hpp"
#include "api/c/field_object.hpp"
#include "api/c/halo_object.hpp"
#include "base/fail.hpp"
#include "base/numbers.hpp"
#include "halocline/boxes.h"

namespace halocline::api {
namespace {

MPI_Comm comm_of_boxes(HCL_Box_halo halo) {
  return halo != HCL_BOX_HALO_NULL ? halo->comm.comm() : MPI_COMM_NULL;
}

BoxHalo& valid_box_halo(HCL_Box_halo halo) {
  if (halo == HCL_BOX_HALO_NULL) throw Error(Fault::mpi, "the halo is HCL_BOX_HALO_NULL", MPI_ERR_REQUEST);
  return halo->halo;
}

BoxHalo& box_halo_at_rest(HCL_Box_halo halo) {
  if (valid_box_halo(halo).active())
    throw Error(Fault::mpi, "the halo is under way; it was started and is not complete yet", MPI_ERR_REQUEST);
  return halo->halo;
}

void start_sums(HCL_Box_halo halo, int op) {
  BoxHalo& summed = valid_box_halo(halo);
  const auto read = [&] {
    require(op >= HCL_ACCUMULATE_SUM && op <= HCL_ACCUMULATE_REPLACE, "the argument op is ", op,
            ", which is none of HCL_ACCUMULATE_SUM, _MIN, _MAX and _REPLACE");
    (void)box_halo_at_rest(halo);
    return static_cast<Accumulate>(op);
  };
  const bool together = !halo->summed && comm_of_boxes(halo) != MPI_COMM_NULL;
  summed.start_accumulate(together ? mpi::agreed(comm_of_boxes(halo), read) : read());
  halo->summed = true;
}

struct BoxHaloArguments {
  const Boxes* boxes;
  std::vector<std::vector<FieldView>> fields;
  HaloOptions options;
};

std::vector<std::vector<FieldView>> fields_on_boxes(int nfields, int nboxes, const HCL_Field* fields) {
  require(nfields >= 1, "a halo of ", nfields, " fields; it needs at least one");
  require(nboxes >= 0, nboxes, " own boxes; 0 is the least");
  if (nboxes > 0) require_pointer(fields, "fields");
  std::vector<std::vector<FieldView>> views(to_size(nfields));
  for (std::size_t f = 0; f < views.size(); ++f)
    for (int i = 0; i < nboxes; ++i, ++fields) {
      require(*fields != HCL_FIELD_NULL, "field ", f, " on own box ", i, " is HCL_FIELD_NULL");
      views[f].push_back(view_of(*fields));
    }
  return views;
}

}  // namespace
}  // namespace halocline::api

using namespace halocline;       // NOLINT(google-build-using-namespace): the C functions cannot be inside
using namespace halocline::api;  // NOLINT(google-build-using-namespace)

int HCL_Box_halo_create(MPI_Comm comm, HCL_Boxes boxes, int nfields, int nboxes, const HCL_Field fields[],
                        int ndirections, const int directions[], MPI_Info info, HCL_Box_halo* halo) {
  return guarded(comm, [&] {
    const BoxHaloArguments arguments = agreed_arguments(comm, [&] {
      require_pointer(halo, "halo");
      const Boxes& all = boxes_of(boxes);
      HaloOptions options;
      options.directions = directions_of(all.dimensions(), std::nullopt, ndirections, directions);
      options.exchange.info = info;
      return BoxHaloArguments{&all, fields_on_boxes(nfields, nboxes, fields), std::move(options)};
    });
    BoxHalo made(comm, *arguments.boxes, arguments.fields, arguments.options);
    *halo = new HCL_Box_halo_object{std::move(made), mpi::CommLife(comm)};
  });
}

int HCL_Box_halo_start(HCL_Box_halo halo) {
  return guarded(comm_of_boxes(halo), [&] { box_halo_at_rest(halo).start(); });
}

int HCL_Box_halo_test(HCL_Box_halo halo, int* flag) {
  return guarded(comm_of_boxes(halo), [&] {
    require_pointer(flag, "flag");
    *flag = valid_box_halo(halo).test() ? 1 : 0;
  });
}

int HCL_Box_halo_wait(HCL_Box_halo halo) {
  return guarded(comm_of_boxes(halo), [&] { valid_box_halo(halo).wait(); });
}

int HCL_Box_halo_exchange(HCL_Box_halo halo) {
  return guarded(comm_of_boxes(halo), [&] { box_halo_at_rest(halo).exchange(); });
}

int HCL_Box_halo_accumulate(HCL_Box_halo halo, int op) {
  return guarded(comm_of_boxes(halo), [&] {
    start_sums(halo, op);
    valid_box_halo(halo).wait();
  });
}

int HCL_Box_halo_start_accumulate(HCL_Box_halo halo, int op) {
  return guarded(comm_of_boxes(halo), [&] { start_sums(halo, op); });
}

int HCL_Box_halo_verify(HCL_Box_halo halo) {
  return guarded(comm_of_boxes(halo), [&] {
    BoxHalo& verified = valid_box_halo(halo);
    if (comm_of_boxes(halo) != MPI_COMM_NULL)  // otherwise it is refused below
      (void)mpi::agreed(comm_of_boxes(halo), [&] { return &box_halo_at_rest(halo); });
    verified.verify();
  });
}

int HCL_Box_halo_statistics(HCL_Box_halo halo, HCL_Statistics* statistics) {
  return guarded(comm_of_boxes(halo), [&] {
    require_pointer(statistics, "statistics");
    *statistics = statistics_of(valid_box_halo(halo).statistics());
  });
}

int HCL_Box_halo_free(HCL_Box_halo* halo) {
  return guarded(halo == nullptr ? MPI_COMM_NULL : comm_of_boxes(*halo), [&] {
    require_pointer(halo, "halo");
    (void)box_halo_at_rest(*halo);
    delete *halo;
    *halo = HCL_BOX_HALO_NULL;
  });
}
