#include "halocline/halo/field.hpp"

#include "base/join.hpp"
#include "halo/field_memory.hpp"
#include "halocline/base/error.hpp"
#include "mpi/agree.hpp"

namespace halocline {
namespace {

Box own_box(const Cart& cart) {
  require(cart.takes_part(), "a field on a process that has no part in the grid ", cart.grid().to_text());
  require(cart.decomposition() != nullptr, "a field needs a mesh; the Cart was made for the grid ",
          cart.grid().to_text());
  return cart.decomposition()->box(cart.cell());
}

FieldView allocated(const Cart& cart, const Layout& element, const Box& box, const FieldOptions& options) {
  HaloWidths halo = options.halo;
  if (halo.low.empty() && halo.high.empty()) halo = HaloWidths(cart.halo());
  const FieldArrangement arrangement = mpi::agreed(
      cart.comm(),
      [&] {
        (void)FieldView(nullptr, element, box.extents, Counts(box.extents.size(), 1), halo);
        return arrange(box.extents, halo, element.extent());
      },
      [&](const FieldArrangement&) {
        return mpi::fingerprint(concat(element.extent(), " ", join(halo.low, ","), " ", join(halo.high, ","),
                                       options.shared ? " shared" : ""));
      },
      "the type of a field, the widths of its halo, or whether it is shared");
  auto memory = std::make_shared<FieldView::Memory>(
      options.shared ? exchange::Context::of(cart.comm()) : nullptr, arrangement.bytes, options.shared);
  return FieldView(memory->data() + arrangement.origin, element, box.extents, arrangement.strides, halo)
      .in(memory);
}

}  // namespace

FieldStorage::FieldStorage(const Cart& cart, const Layout& element, const FieldOptions& options)
    : box_(own_box(cart)), view_(allocated(cart, element, box_, options)) {}

}  // namespace halocline
