// SPDX-License-Identifier: BSD-3-Clause
#include "halo/fields/field_memory.hpp"

#include "base/fail.hpp"
#include "base/integers.hpp"
#include "base/join.hpp"
#include "base/numbers.hpp"
#include "halocline/base/error.hpp"

#include <algorithm>
#include <cstring>
#include <new>
#include <string>
#include <vector>

namespace halocline {
namespace {

constexpr Count line = 64;         ///< Bytes of a cache line, or a multiple of it.
constexpr Count close_rows = 256;  ///< Rows a multiple of this apart fight for the same few cache sets,
constexpr Count row_gap = 16;      ///< unless so much lies between them.
constexpr Count close_planes = 4096;
constexpr Count cleared_at_once = Count{1} << 22;  ///< Of memory on a device.
constexpr Count most_bytes = Count{1} << 60;       ///< No machine has as much; roundings need some room.

Count round_up(Count bytes, Count multiple) { return checked_multiply(divide_up(bytes, multiple), multiple); }

/// The distance of rows of that many bytes. They follow each other as in a plain array: the last points of a
/// row, its halo, that of the next row and its first points then share a line or two, which is what an
/// exchange touches of each row. Rows that begin at lines make it three, and no loop faster.
Count row_pitch(Count bytes, Count element_bytes) {
  return bytes % close_rows == 0 ? checked_add(bytes, round_up(row_gap, element_bytes)) : bytes;
}

FieldArrangement arranged(const Counts& extents, const HaloWidths& halo, Count element_bytes,
                          Layout::Order order) {
  const std::size_t dimensions = extents.size();
  FieldArrangement arrangement{Counts(dimensions), 0, 0};
  Count pitch = element_bytes;
  for (std::size_t i = 0; i < dimensions; ++i) {  // from the fastest on
    const std::size_t d = order == Layout::Order::fortran ? i : dimensions - 1 - i;
    arrangement.strides[d] = pitch;
    arrangement.origin = checked_add(arrangement.origin, checked_multiply(halo.low[d], pitch));
    pitch = checked_multiply(pitch, checked_add(checked_add(extents[d], halo.low[d]), halo.high[d]));
    const bool last = i + 1 == dimensions;
    if (i == 0 && !last) pitch = row_pitch(pitch, element_bytes);
    if (i > 0 && !last && pitch % close_planes == 0)
      pitch = checked_add(pitch, round_up(line, element_bytes));
  }
  const Count shift = round_up(arrangement.origin, line) - arrangement.origin;
  arrangement.origin += shift;
  arrangement.bytes = checked_add(pitch, shift);
  require(arrangement.bytes <= most_bytes, arrangement.bytes, " bytes are more than a process can have");
  return arrangement;
}

}  // namespace

FieldArrangement arrange(const Counts& extents, const HaloWidths& halo, Count element_bytes,
                         Layout::Order order) {
  try {
    return arranged(extents, halo, element_bytes, order);
  } catch (const Error& error) {
    fail(Fault::invalid_dimensions, "a field of ", join(extents, "x"), " own points of ", element_bytes,
         " bytes with halos of ", join(halo.low, ","), " and ", join(halo.high, ","), ": ", error.what());
  }
}

void FieldView::Memory::Free::operator()(std::byte* memory) const {
  if (resource)
    resource->deallocate(memory, bytes, line);
  else
    ::operator delete[](memory, std::align_val_t{line});
}

namespace {

/// Whatever the resource throws: all processes have to hear of it.
std::unique_ptr<std::byte[], FieldView::Memory::Free> taken_from(
    std::shared_ptr<std::pmr::memory_resource> resource, std::size_t bytes) {
  std::string reason;
  try {
    auto* const memory = static_cast<std::byte*>(resource->allocate(bytes, line));
    if (memory != nullptr) return {memory, FieldView::Memory::Free{std::move(resource), bytes}};
    reason = "it gave a null pointer";
  } catch (const std::exception& error) {
    reason = error.what();
  } catch (...) {
    reason = "it threw what is no std::exception";
  }
  fail(Fault::out_of_memory, "the allocator, or memory_resource, has no memory for the ", bytes,
       " bytes of a field: ", reason);
}

}  // namespace

FieldView::Memory::Memory(std::shared_ptr<exchange::Context> its_context, Count bytes,
                          Layout::Order its_order, std::shared_ptr<std::pmr::memory_resource> resource)
    : context(std::move(its_context)), order(its_order) {
  if (resource) {
    own = taken_from(std::move(resource), to_size(bytes));
    std::memset(own.get(), 0, to_size(bytes));
    return;
  }
  if (context) {
    number = context->take_field_number();
    alone = context->memory() == nullptr;
    if (!alone)
      arena = context->memory()->allocate(bytes,
                                          [&](std::byte* memory) { std::memset(memory, 0, to_size(bytes)); });
    if (arena) return;
  }
  try {
    own.reset(static_cast<std::byte*>(::operator new[](to_size(bytes), std::align_val_t{line})));
  } catch (const std::bad_alloc&) {
    fail(Fault::out_of_memory, "no memory for the ", bytes, " bytes of a field");
  }
  std::memset(own.get(), 0, to_size(bytes));
}

FieldView::Memory::Memory(accelerate::Device& device, Count bytes, Layout::Order its_order)
    : on_device(device, accelerate::OwnMemory::Kind::of_device, bytes), order(its_order) {
  const std::vector<std::byte> zeros(to_size(std::min(bytes, cleared_at_once)));
  for (Count done = 0; done < bytes; done += cleared_at_once)
    device.copy(on_device.get() + done, zeros.data(), std::min(bytes - done, cleared_at_once),
                device.aside());
  device.synchronize(device.aside());
}

FieldView::Memory::~Memory() {
  // Exchanges that read it from elsewhere have kept it until they were complete.
  if (arena) context->memory()->retire(std::move(arena), [] { return true; });
}

bool FieldView::Memory::is_seen(const FieldView& view, const exchange::Context& other) const {
  return context.get() == &other && (arena || alone) && view.origin() == whole->origin() &&
         view.extents() == whole->extents() && view.strides() == whole->strides() &&
         view.halo() == whole->halo() && view.staggered() == whole->staggered() &&
         view.element() == whole->element();
}

std::byte* FieldView::Memory::of(Rank rank) const {
  return arena ? arena->of[to_size(context->member(rank))] : nullptr;
}

}  // namespace halocline
