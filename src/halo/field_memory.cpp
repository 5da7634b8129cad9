#include "halo/field_memory.hpp"

#include "base/integers.hpp"

#include <cstring>
#include <new>

namespace halocline {
namespace {

constexpr Count line = 64;         ///< Bytes of a cache line, or a multiple of it.
constexpr Count close_rows = 256;  ///< Rows a multiple of this apart fight for the same few cache sets.
constexpr Count close_planes = 4096;

Count round_up(Count bytes, Count multiple) { return checked_multiply(divide_up(bytes, multiple), multiple); }

/// The distance of rows of that many bytes.
Count row_pitch(Count bytes) {
  const Count pitch = round_up(bytes, line);
  return pitch % close_rows == 0 ? pitch + line : pitch;
}

}  // namespace

FieldArrangement arrange(const Counts& extents, const HaloWidths& halo, Count element_bytes,
                         Layout::Order order) {
  const std::size_t dimensions = extents.size();
  // Rows begin at cache lines only if a whole number of elements makes up a line.
  const bool lines = line % element_bytes == 0;
  FieldArrangement arrangement{Counts(dimensions), 0, 0};
  Count pitch = element_bytes;
  for (std::size_t i = 0; i < dimensions; ++i) {  // from the fastest on
    const std::size_t d = order == Layout::Order::fortran ? i : dimensions - 1 - i;
    arrangement.strides[d] = pitch;
    arrangement.origin = checked_add(arrangement.origin, checked_multiply(halo.low[d], pitch));
    pitch = checked_multiply(pitch, checked_add(extents[d], halo.low[d] + halo.high[d]));
    const bool last = i + 1 == dimensions;
    if (i == 0 && !last && lines) pitch = row_pitch(pitch);
    if (i > 0 && !last && lines && pitch % close_planes == 0) pitch += line;
  }
  const Count shift = round_up(arrangement.origin, line) - arrangement.origin;
  arrangement.origin += shift;
  arrangement.bytes = checked_add(pitch, shift);
  return arrangement;
}

void FieldView::Memory::Free::operator()(std::byte* memory) const {
  ::operator delete[](memory, std::align_val_t{line});
}

FieldView::Memory::Memory(std::shared_ptr<exchange::Context> its_context, Count bytes, bool shared,
                          Layout::Order its_order)
    : order(its_order) {
  alone = shared && its_context->memory() == nullptr;
  if (shared && !alone) {
    context = std::move(its_context);
    arena = context->memory()->allocate(
        bytes, [&](std::byte* memory) { std::memset(memory, 0, static_cast<std::size_t>(bytes)); });
    if (arena) return;
  }
  own.reset(
      static_cast<std::byte*>(::operator new[](static_cast<std::size_t>(bytes), std::align_val_t{line})));
  std::memset(own.get(), 0, static_cast<std::size_t>(bytes));
}

FieldView::Memory::~Memory() {
  // Exchanges that read it from elsewhere have kept it until they were complete.
  if (arena) context->memory()->retire(std::move(arena), [] { return true; });
}

std::byte* FieldView::Memory::of(Rank rank) const {
  return arena ? arena->of[static_cast<std::size_t>(context->member(rank))] : nullptr;
}

}  // namespace halocline
