// Halos through the C++ interface, for halo/random_halos.hpp.
#pragma once

#include "halo/random_halos.hpp"
#include "halocline/base/error.hpp"
#include "halocline/halo/field.hpp"
#include "halocline/halo/halo.hpp"
#include "support/option_words.hpp"

namespace halocline {

struct CppHalos {
  struct Field {
    std::optional<FieldStorage> storage;
    FieldView view;
  };
  using Halo = halocline::Halo;
  static constexpr bool completes_when_destroyed = true;

  static mpi::Comm mesh_comm(MPI_Comm comm, const Mesh& mesh, const Stencil& stencil) {
    return mpi::Comm(Cart(comm, mesh, stencil).release());
  }
  static void tell_mesh(MPI_Comm /*comm*/, const Mesh& /*mesh*/) {}
  static bool has_fields(CommKind /*kind*/) { return true; }

  static Field library_field(MPI_Comm comm, const Decomposition& decomposition, const FieldPlan& plan,
                             const Layout& element) {
    FieldStorage storage(
        comm, decomposition, element,
        {.halo = plan.halo, .shared = plan.shared, .order = plan.order, .staggered = plan.staggered});
    FieldView its_view = storage.view();
    return {std::move(storage), std::move(its_view)};
  }
  static Field array_field(const RandomArray& array, const Counts& extents, const FieldPlan& plan,
                           const Layout& element) {
    std::byte* origin = array.first;
    for (std::size_t d = 0; d < extents.size(); ++d) origin += plan.halo.low[d] * array.strides[d];
    return {std::nullopt, staggered({origin, element, extents, array.strides, plan.halo}, plan.staggered)};
  }
  static std::byte* origin(const Field& field) { return static_cast<std::byte*>(field.view.origin()); }
  static Counts strides(const Field& field) { return field.view.strides(); }

  static Halo halo(MPI_Comm comm, const Ground& ground, const std::vector<std::vector<Field>>& fields,
                   const HaloPlan& plan) {
    std::vector<HaloSlot> slots;
    for (const std::vector<Field>& memories : fields) {
      std::vector<HaloSlot> alternatives;
      for (const Field& memory : memories)
        alternatives.push_back(memory.storage ? HaloSlot(*memory.storage) : HaloSlot(memory.view));
      slots.push_back(HaloSlot::of(alternatives));
    }
    std::optional<Borders> borders;
    if (!plan.borders.empty()) borders = plan.borders == "carry" ? Borders::carry : Borders::keep;
    const HaloOptions options{
        .directions = plan.directions,
        .borders = borders,
        .exchange = options_of_words(plan.schedule, plan.wire, plan.shared, plan.statistics)};
    return ground.kind == CommKind::fields ? Halo(comm, slots, options)
                                           : Halo(comm, ground.decomposition, slots, options);
  }
  static Stencil default_directions(const Ground& ground) { return Stencil::moore(ground.cell.size(), 1); }

  /// Fields of the library are followed, arrays are told; the others may be.
  static void start(Halo& halo, const std::vector<const Field*>& now, bool told) {
    std::vector<const void*> addresses;
    for (const Field* field : now) {
      addresses.push_back(field->view.origin());
      told = told || !field->storage;
    }
    if (told)
      halo.start_with(addresses);
    else
      halo.start();
  }
  static bool test(Halo& halo) { return halo.test(); }
  static void wait(Halo& halo) { halo.wait(); }
  static void exchange(Halo& halo, const std::vector<const Field*>& now, bool told) {
    start(halo, now, told);
    halo.wait();
  }
  static void verify(Halo& halo) { halo.verify(); }
  static std::pair<Count, bool> counted(const Halo& halo) {
    return {halo.statistics().exchanges, halo.statistics().timed};
  }
  static bool refuses_start(Halo& halo) {
    return is_refused([&] { halo.start(); });
  }
  static bool refuses_verify(Halo& halo) {
    return is_refused([&] { halo.verify(); });
  }
  static bool refuses_under_way(Halo& halo) {
    return refuses_start(halo) && is_refused([&] { halo.exchange(); }) && halo.active();
  }
};

}  // namespace halocline
