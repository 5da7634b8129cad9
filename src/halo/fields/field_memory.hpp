// SPDX-License-Identifier: BSD-3-Clause
// The memory of fields that the library allocates, and how their points are laid out in it.
#pragma once

#include "accelerate/device/device.hpp"
#include "base/inside.hpp"
#include "exchange/neighborhood/context.hpp"
#include "halocline/halo/field_view.hpp"

#include <memory>
#include <memory_resource>
#include <optional>

namespace halocline {

/// Points in rows, the last dimension fastest, or the first; the first own point is at a cache line. Every
/// process can work out the arrangement of every other.
struct FieldArrangement {
  Counts strides;  ///< In bytes.
  Count origin;    ///< Of the first own point, from the beginning of the memory.
  Count bytes;     ///< In all.
};
/// Throws Error{invalid_dimensions} if that is more than a process can ever have. @pre element_bytes > 0
[[nodiscard]] FieldArrangement arrange(const Counts& extents, const HaloWidths& halo, Count element_bytes,
                                       Layout::Order order);

/// Owns the values of a field. Private memory, or a part of what the processes of a node share.
struct HALOCLINE_INSIDE FieldView::Memory {
  /// Collective over the processes of the context if there is one: then it is shared, where that can be.
  /// Otherwise it is the resource's, if there is one. Throws Error{out_of_memory}.
  Memory(std::shared_ptr<exchange::Context> its_context, Count bytes, Layout::Order its_order,
         std::shared_ptr<std::pmr::memory_resource> resource = nullptr);
  /// On a device, cleared. Throws the same. Local.
  Memory(accelerate::Device& device, Count bytes, Layout::Order its_order);
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  ~Memory();

  [[nodiscard]] std::byte* data() const {
    return on_device.get() != nullptr ? on_device.get() : arena ? arena->mine : own.get();
  }
  /// Can every process that is on this node by `other` copy from it what `view` shows, as of() and arrange()
  /// tell? Not if the view is another than that of the field, or ranks are those of another communicator.
  [[nodiscard]] bool is_seen(const FieldView& view, const exchange::Context& other) const;
  /// The memory of the same field of another process of the node; null if it is private.
  [[nodiscard]] std::byte* of(Rank rank) const;

  struct Free {
    void operator()(std::byte* memory) const;
    std::shared_ptr<std::pmr::memory_resource> resource;  ///< Null: that of the library.
    std::size_t bytes;
  };

  std::shared_ptr<exchange::Context> context;  ///< Null if it was to be private.
  Count number = 0;                            ///< Among the fields of the context, the same on all ranks.
  std::optional<FieldView> whole;              ///< The view that the field was made with.
  std::unique_ptr<exchange::NodeMemory::Arena> arena;
  std::unique_ptr<std::byte[], Free> own;
  accelerate::OwnMemory on_device;
  Layout::Order order;
  bool alone = false;  ///< To be shared, but there is nobody on the node to share it with.
};

/// Null if the library did not allocate it.
[[nodiscard]] inline const std::shared_ptr<FieldView::Memory>& memory_of(const FieldView& view) {
  return view.memory_;
}
/// The same view, which keeps the memory it lies in.
[[nodiscard]] FieldView kept_in(FieldView view, std::shared_ptr<FieldView::Memory> memory);

}  // namespace halocline
