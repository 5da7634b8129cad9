// SPDX-License-Identifier: BSD-3-Clause
#include "halocline/halo/field.hpp"

#include "accelerate/devices.hpp"
#include "base/fail.hpp"
#include "base/join.hpp"
#include "compile/form/canonical.hpp"
#include "halo/fields/field_identity.hpp"
#include "halo/fields/field_memory.hpp"
#include "halo/fields/staggering.hpp"
#include "halocline/base/error.hpp"
#include "mpi/communicators/cart_comm.hpp"
#include "mpi/handles/agree.hpp"
#include "mpi/handles/comm.hpp"

namespace halocline {
namespace {

const Decomposition& mesh_of(const Cart& cart) {
  require(cart.takes_part(), "a field on a process that has no part in the grid ", cart.grid().to_text());
  require(cart.decomposition() != nullptr, "a field needs a mesh; the Cart was made for the grid ",
          cart.grid().to_text());
  return *cart.decomposition();
}

FieldOptions with_halo(FieldOptions options, const Counts& otherwise) {
  if (options.halo.low.empty() && options.halo.high.empty()) options.halo = HaloWidths(otherwise);
  return options;
}

/// What this process owns. Throws on all ranks alike, for all have the same grid.
Box own_box(MPI_Comm comm, const Decomposition& decomposition) {
  mpi::require_intracommunicator(comm);
  const Grid grid = mpi::grid_of(comm);
  if (grid != decomposition.grid())
    fail(Fault::invalid_dimensions, "a mesh cut for ", decomposition.grid().to_text(),
         " processes on a communicator of ", grid.to_text());
  return decomposition.box(grid.cell(mpi::rank(comm)));
}

/// The memory of an element is what lies within its extent.
void require_contained(const Layout& element) {
  if (element.size() == 0 || element.lb() != 0 || element.true_lb() < 0 ||
      element.true_ub() > element.extent())
    fail(Fault::invalid_type, "an element with data from byte ", element.true_lb(), " to ", element.true_ub(),
         " and bounds ", element.lb(), " and ", element.ub(),
         "; in a field of the library bounds begin at 0 and data lies within them");
}

struct Arranged {
  Counts points;
  FieldArrangement arrangement;
  std::uint64_t print;  ///< Of what must be the same on all ranks.
};

/// What the processes of a node know of each other's memory each works out from its own arguments, so all of
/// these must be the same: of the element its extent and which of its bytes come in which order. How it was
/// built, and of which elementary types, makes no difference.
Arranged arranged(const Layout& element, const Counts& cells, const FieldOptions& options, bool shared) {
  const HaloWidths& halo = options.halo;
  require_contained(element);
  for (const std::size_t d : options.staggered)
    if (d >= cells.size())
      fail(Fault::invalid_dimensions, "a field staggered along dimension ", d, "; the mesh has ",
           cells.size(), ", counted from 0");
  const Counts points = halo::points_on(cells, options.staggered);
  const FieldView view =
      staggered({nullptr, element, points, Counts(points.size(), 1), halo}, options.staggered);
  return {points, arrange(points, halo, element.extent(), options.order),
          mpi::fingerprint(concat(
              element.extent(), " ", compile::Canonical(compile::Part{element}).hash(), " ",
              join(halo.low, ","), " ", join(halo.high, ","), shared ? " shared" : "",
              options.memory == FieldMemory::device ? " device" : "",
              options.order == Layout::Order::fortran ? " fortran" : "", " ", join(view.staggered(), ",")))};
}

using Resource = std::shared_ptr<std::pmr::memory_resource>;

/// It belongs to the user. Null stays null.
Resource borrowed(std::pmr::memory_resource* resource) { return {Resource(), resource}; }

FieldView allocated(MPI_Comm comm, const Layout& element, const Counts& cells, const FieldOptions& options,
                    const Resource& resource) {
  const bool on_device = options.memory == FieldMemory::device;
  const bool shared = options.shared && !resource;
  const Arranged own_memory = mpi::agreed(
      comm,
      [&] {
        require(!resource || !on_device,
                "a field on a device with an allocator, or a memory_resource, whose "
                "memory is the host's");
        return arranged(element, cells, options, shared);
      },
      [](const Arranged& own) { return own.print; },
      "the type of a field, the widths of its halo, its order, the dimensions it is staggered along, whether "
      "it is shared, or on a device,");
  const auto context = shared && !on_device ? exchange::Context::of(comm) : nullptr;
  const auto memory = mpi::agreed(comm, [&] {
    if (on_device)
      return std::make_shared<FieldView::Memory>(accelerate::current_device(), own_memory.arrangement.bytes,
                                                 options.order);
    return std::make_shared<FieldView::Memory>(context, own_memory.arrangement.bytes, options.order,
                                               resource);
  });
  memory->whole = staggered({memory->data() + own_memory.arrangement.origin, element, own_memory.points,
                             own_memory.arrangement.strides, options.halo},
                            options.staggered);
  return kept_in(*memory->whole, memory);
}

/// Of the points that a process has, those it owns: not the last one where another process comes next.
Box owned_of(const Box& points, const FieldView& field, const Mesh& mesh) {
  Box owned = points;
  for (const std::size_t d : field.staggered())
    if (mesh.periodic(d) || points.first[d] + points.extents[d] <= mesh.extents()[d]) --owned.extents[d];
  return owned;
}

}  // namespace

FieldStorage::FieldStorage(const Cart& cart, const Layout& element, const FieldOptions& options)
    : FieldStorage(cart.comm(), mesh_of(cart), element, with_halo(options, cart.halo())) {}

FieldStorage::FieldStorage(MPI_Comm cart, const Decomposition& decomposition, const Layout& element,
                           const FieldOptions& options)
    : owned_(own_box(cart, decomposition)),
      view_(allocated(cart, element, owned_.extents, options, borrowed(options.memory_resource))),
      box_{owned_.first, view_.extents()} {
  owned_ = owned_of(box_, view_, decomposition.mesh());
}

FieldStorage::FieldStorage(const Cart& cart, const Layout& element, const FieldOptions& options,
                           // NOLINTNEXTLINE(performance-unnecessary-value-param): as it is declared
                           std::shared_ptr<std::pmr::memory_resource> resource)
    : owned_(own_box(cart.comm(), mesh_of(cart))),
      view_(allocated(cart.comm(), element, owned_.extents, with_halo(options, cart.halo()), resource)),
      box_{owned_.first, view_.extents()} {
  owned_ = owned_of(box_, view_, mesh_of(cart).mesh());
}

FieldStorage::FieldStorage() = default;

FieldStorage::FieldStorage(FieldStorage&& other) noexcept
    : owned_(std::move(other.owned_)), view_(std::move(other.view_)), box_(std::move(other.box_)) {
  take_place_of(other);
}

FieldStorage& FieldStorage::operator=(FieldStorage&& other) noexcept {
  if (this == &other) return *this;
  owned_ = std::move(other.owned_);
  view_ = std::move(other.view_);
  box_ = std::move(other.box_);
  take_place_of(other);
  return *this;
}

FieldStorage::~FieldStorage() {
  if (identity_) identity_->gone = true;
}

void FieldStorage::take_place_of(FieldStorage& other) {
  if (other.identity_ && !identity_) identity_ = std::make_shared<FieldIdentity>();
  if (!identity_) return;
  const bool has_points = view_.dimensions() > 0;  // what was moved from can be moved from again
  identity_->memory = has_points ? view_.origin() : nullptr;
  identity_->storage = memory_of(view_);
  identity_->heir.reset();
  if (!other.identity_ || !has_points) return;
  other.identity_->memory = nullptr;
  other.identity_->heir = identity_;
}

const std::shared_ptr<FieldIdentity>& FieldStorage::identity() const {
  if (!identity_) {
    identity_ = std::make_shared<FieldIdentity>();
    identity_->memory = view_.origin();
    identity_->storage = memory_of(view_);
  }
  return identity_;
}

}  // namespace halocline
