// SPDX-License-Identifier: BSD-3-Clause
// The C interface of the halo exchange.

#include "api/c/arguments.hpp"
#include "api/c/error.hpp"
#include "api/c/field_object.hpp"
#include "api/c/halo_object.hpp"
#include "base/fail.hpp"
#include "base/numbers.hpp"
#include "base/settings.hpp"
#include "halo/accumulate.hpp"
#include "halo/fields/check_slots.hpp"
#include "halo/points/regions.hpp"
#include "mpi/communicators/comm_mesh.hpp"
#include "mpi/settings/info.hpp"

#include <functional>

namespace halocline::api {

MPI_Comm comm_of(HCL_Halo halo) { return halo != HCL_HALO_NULL ? halo->comm.comm() : MPI_COMM_NULL; }

Halo& valid(HCL_Halo halo) {
  if (halo == HCL_HALO_NULL) throw Error(Fault::mpi, "the halo is HCL_HALO_NULL", MPI_ERR_REQUEST);
  return halo->halo;
}

Halo& at_rest(HCL_Halo halo) {
  if (valid(halo).active())
    throw Error(Fault::mpi, "the halo is under way; it was started and is not complete yet", MPI_ERR_REQUEST);
  return halo->halo;
}

Stencil directions_of(std::size_t dimensions, const std::optional<Stencil>& stencil, int ndirections,
                      const int* directions) {
  if (directions == HCL_DIRECTIONS_FACES) return Stencil::nearest(dimensions);
  if (directions == HCL_DIRECTIONS_ALL) return Stencil::moore(dimensions, 1);
  if (directions == HCL_DIRECTIONS_DEFAULT)
    return stencil ? halo::directions_of(*stencil) : Stencil::moore(dimensions, 1);
  require(ndirections >= 1, "a halo of ", ndirections, " directions; it needs at least one");
  return stencil_of(dimensions, ndirections, directions, nullptr);
}

namespace {

/// One memory each if nmemories is null.
std::vector<HaloSlot> fields_of(int nfields, const int* nmemories, const HCL_Field* fields) {
  require(nfields >= 1, "a halo of ", nfields, " fields; it needs at least one");
  require_pointer(fields, "fields");
  std::vector<HaloSlot> slots;
  for (int f = 0; f < nfields; ++f) {
    const int memories = nmemories == nullptr ? 1 : nmemories[f];
    require(memories >= 1, "field ", f, " has ", memories, " memories; it needs at least one");
    std::vector<HaloSlot> alternatives;
    for (int m = 0; m < memories; ++m, ++fields) {
      require(*fields != HCL_FIELD_NULL, halo::name_of(to_size(f), to_size(m), to_size(memories)),
              " is HCL_FIELD_NULL");
      alternatives.emplace_back(view_of(*fields));
    }
    slots.push_back(HaloSlot::of(alternatives));
  }
  return slots;
}

/// Is the mesh what the extents of the fields make up, whatever the communicator knows?
bool mesh_of_fields(MPI_Info info) {
  const std::string word = mpi::info_value(info, settings::mesh_of_halo.key).value_or("communicator");
  require(word == "communicator" || word == "fields", settings::mesh_of_halo.key, " is \"", word,
          "\"; it is communicator or fields");
  return word == "fields";
}

struct HaloArguments {
  std::shared_ptr<const mpi::CommMesh> mesh;  ///< Null if the fields make it up.
  std::vector<HaloSlot> fields;
  HaloOptions options;
};

HaloArguments halo_arguments(MPI_Comm cart, std::vector<HaloSlot> fields, int ndirections,
                             const int* directions, MPI_Info info) {
  const std::size_t dimensions = mpi::grid_of(cart).dimensions();
  const auto known = mpi::CommMeshes::find(cart);
  HaloOptions options;
  options.directions =
      directions_of(dimensions, known ? known->stencil : std::nullopt, ndirections, directions);
  options.exchange.info = info;
  return {mesh_of_fields(info) ? nullptr : known, std::move(fields), std::move(options)};
}

/// One address for each field, or null.
std::span<const void* const> addresses_of(const Halo& halo, const void* const* memories) {
  require_pointer(memories, "memories");
  return {memories, halo.fields()};
}

static_assert(HCL_ACCUMULATE_SUM == static_cast<int>(Accumulate::sum));
static_assert(HCL_ACCUMULATE_MIN == static_cast<int>(Accumulate::min));
static_assert(HCL_ACCUMULATE_MAX == static_cast<int>(Accumulate::max));
static_assert(HCL_ACCUMULATE_REPLACE == static_cast<int>(Accumulate::replace));

void start_accumulate(HCL_Halo halo, int op) {
  const bool known = op >= HCL_ACCUMULATE_SUM && op <= HCL_ACCUMULATE_REPLACE;
  halo::start_accumulate(valid(halo), known ? static_cast<Accumulate>(op) : Accumulate::sum, [&] {
    require(known, "the argument op is ", op,
            ", which is none of HCL_ACCUMULATE_SUM, _MIN, _MAX and _REPLACE");
    (void)at_rest(halo);
  });
}

/// What both functions do that create one.
int create(MPI_Comm comm_cart, int ndirections, const int directions[], MPI_Info info, HCL_Halo* halo,
           const std::function<std::vector<HaloSlot>()>& read_fields,
           const char* function = __builtin_FUNCTION()) {
  return guarded(
      comm_cart,
      [&] {
        mpi::require_intracommunicator(comm_cart);
        HaloArguments arguments = mpi::agreed(
            comm_cart,
            [&] {
              require_pointer(halo, "halo");
              return halo_arguments(comm_cart, read_fields(), ndirections, directions, info);
            },
            [](const HaloArguments& own) { return std::uint64_t{own.mesh != nullptr}; },
            "halocline_mesh, or whether the communicator knows a mesh,");
        Halo made = arguments.mesh ? Halo(comm_cart, arguments.mesh->decomposition,
                                          std::move(arguments.fields), arguments.options)
                                   : Halo(comm_cart, std::move(arguments.fields), arguments.options);
        *halo = new HCL_Halo_object{std::move(made), mpi::CommLife(comm_cart)};
      },
      function);
}

}  // namespace
}  // namespace halocline::api

using namespace halocline;       // NOLINT(google-build-using-namespace): the C functions cannot be inside
using namespace halocline::api;  // NOLINT(google-build-using-namespace)

// Their addresses are what tells them from lists.
const int HCL_Directions_faces[1] = {0};
const int HCL_Directions_all[1] = {0};

int HCL_Halo_create(MPI_Comm comm_cart, int nfields, const HCL_Field fields[], int ndirections,
                    const int directions[], MPI_Info info, HCL_Halo* halo) {
  return create(comm_cart, ndirections, directions, info, halo,
                [&] { return fields_of(nfields, nullptr, fields); });
}

int HCL_Halo_create_rotating(MPI_Comm comm_cart, int nfields, const int nmemories[], const HCL_Field fields[],
                             int ndirections, const int directions[], MPI_Info info, HCL_Halo* halo) {
  return create(comm_cart, ndirections, directions, info, halo, [&] {
    require_pointer(nmemories, "nmemories");
    return fields_of(nfields, nmemories, fields);
  });
}

int HCL_Halo_start(HCL_Halo halo) {
  return guarded(comm_of(halo), [&] { at_rest(halo).start(); });
}

int HCL_Halo_start_with(HCL_Halo halo, const void* const memories[]) {
  return guarded(comm_of(halo), [&] {
    Halo& started = at_rest(halo);
    started.start_with(addresses_of(started, memories));
  });
}

int HCL_Halo_start_on(HCL_Halo halo, void* stream) {
  return guarded(comm_of(halo), [&] { at_rest(halo).start(stream); });
}

int HCL_Halo_start_with_on(HCL_Halo halo, const void* const memories[], void* stream) {
  return guarded(comm_of(halo), [&] {
    Halo& started = at_rest(halo);
    started.start_with(addresses_of(started, memories), stream);
  });
}

int HCL_Halo_test(HCL_Halo halo, int* flag) {
  return guarded(comm_of(halo), [&] {
    require_pointer(flag, "flag");
    *flag = valid(halo).test() ? 1 : 0;
  });
}

int HCL_Halo_wait(HCL_Halo halo) {
  return guarded(comm_of(halo), [&] { valid(halo).wait(); });
}

int HCL_Halo_wait_on(HCL_Halo halo, void* stream) {
  return guarded(comm_of(halo), [&] { valid(halo).wait(stream); });
}

int HCL_Halo_exchange(HCL_Halo halo) {
  return guarded(comm_of(halo), [&] { at_rest(halo).exchange(); });
}

int HCL_Halo_exchange_with(HCL_Halo halo, const void* const memories[]) {
  return guarded(comm_of(halo), [&] {
    Halo& started = at_rest(halo);
    started.exchange_with(addresses_of(started, memories));
  });
}

int HCL_Halo_accumulate(HCL_Halo halo, int op) {
  return guarded(comm_of(halo), [&] {
    start_accumulate(halo, op);
    valid(halo).wait();
  });
}

int HCL_Halo_start_accumulate(HCL_Halo halo, int op) {
  return guarded(comm_of(halo), [&] { start_accumulate(halo, op); });
}

int HCL_Halo_verify(HCL_Halo halo) {
  return guarded(comm_of(halo), [&] {
    Halo& verified = valid(halo);
    if (comm_of(halo) != MPI_COMM_NULL)  // otherwise it is refused below
      (void)mpi::agreed(comm_of(halo), [&] { return &at_rest(halo); });
    verified.verify();
  });
}

int HCL_Halo_free(HCL_Halo* halo) {
  return guarded(halo == nullptr ? MPI_COMM_NULL : comm_of(*halo), [&] {
    require_pointer(halo, "halo");
    (void)at_rest(*halo);
    delete *halo;
    *halo = HCL_HALO_NULL;
  });
}
