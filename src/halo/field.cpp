#include "halocline/halo/field.hpp"

#include "base/join.hpp"
#include "halo/field_memory.hpp"
#include "halocline/base/error.hpp"
#include "mpi/agree.hpp"
#include "mpi/cart_comm.hpp"
#include "mpi/comm.hpp"

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

FieldView allocated(MPI_Comm comm, const Layout& element, const Box& box, const FieldOptions& options) {
  const HaloWidths& halo = options.halo;
  const FieldArrangement arrangement = mpi::agreed(
      comm,
      [&] {
        (void)FieldView(nullptr, element, box.extents, Counts(box.extents.size(), 1), halo);
        return arrange(box.extents, halo, element.extent(), options.order);
      },
      [&](const FieldArrangement&) {
        return mpi::fingerprint(concat(element.extent(), " ", join(halo.low, ","), " ", join(halo.high, ","),
                                       options.shared ? " shared" : "",
                                       options.order == Layout::Order::fortran ? " fortran" : ""));
      },
      "the type of a field, the widths of its halo, its order, or whether it is shared");
  auto memory = std::make_shared<FieldView::Memory>(options.shared ? exchange::Context::of(comm) : nullptr,
                                                    arrangement.bytes, options.shared, options.order);
  return FieldView(memory->data() + arrangement.origin, element, box.extents, arrangement.strides, halo)
      .in(memory);
}

}  // namespace

FieldStorage::FieldStorage(const Cart& cart, const Layout& element, const FieldOptions& options)
    : FieldStorage(cart.comm(), mesh_of(cart), element, with_halo(options, cart.halo())) {}

FieldStorage::FieldStorage(MPI_Comm cart, const Decomposition& decomposition, const Layout& element,
                           const FieldOptions& options)
    : box_(own_box(cart, decomposition)), view_(allocated(cart, element, box_, options)) {}

}  // namespace halocline
