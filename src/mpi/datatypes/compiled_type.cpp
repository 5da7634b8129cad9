// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/datatypes/compiled_type.hpp"

#include "base/fail.hpp"
#include "base/integers.hpp"
#include "base/numbers.hpp"
#include "compile/form/part_range.hpp"
#include "compile/generated/code_estimate.hpp"
#include "compile/generated/generator.hpp"
#include "compile/kernels/address.hpp"
#include "compile/packer_state.hpp"
#include "halocline/base/error.hpp"
#include "mpi/datatypes/datatype.hpp"
#include "mpi/datatypes/recent_types.hpp"
#include "mpi/handles/attribute_cache.hpp"
#include "mpi/handles/handle.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <memory>
#include <mutex>

namespace halocline::mpi {
namespace {

/// A call that copies as much as this takes so long that its start does not matter.
constexpr Count worthwhile_bytes = 8192;

/// A call may ask for all rungs at once, and must not wait for more code than one packer may be: where that
/// would be too much, several elements are packed by kernels.
EngineChoice rung_choice(const EngineChoice& choice, const compile::Canonical& one, std::size_t rungs) {
  const bool at_once = choice.engine == &compile::engine(compile::EngineKind::llvm) || choice.packs;
  const Count share = compile::most_code_cost / to_count(rungs + 1);
  return at_once && compile::estimated_code_cost(one) > share ? EngineChoice{} : choice;
}

std::size_t highest_useful_rung(Count bytes, std::size_t rungs) {
  std::size_t rung = 0;
  while (rung + 1 < rungs && bytes > 0 && bytes << rung < worthwhile_bytes) ++rung;
  return rung;
}

/// A communicator of this process alone whose errors are returned and reach no handler of the program.
struct QuietSelf {
  Comm comm;

  QuietSelf() {
    // Not a duplicate: that would call the program's functions for its attributes, as Open MPI 4.1.4 does in
    // MPI_Comm_create_group, too.
    Group self;
    HALOCLINE_MPI(Comm_group, MPI_COMM_SELF, self.put());
    HALOCLINE_MPI(Comm_create, MPI_COMM_SELF, self.get(), comm.put());
    HALOCLINE_MPI(Comm_set_errhandler, comm.get(), MPI_ERRORS_RETURN);
  }
};

/// Made when it is first needed, and freed with MPI_COMM_SELF.
MPI_Comm quiet_self() {
  static std::mutex one_at_a_time;
  const std::lock_guard lock(one_at_a_time);
  if (CommCache<QuietSelf>::peek(MPI_COMM_SELF) == nullptr)
    CommCache<QuietSelf>::keep(MPI_COMM_SELF, std::make_shared<const QuietSelf>());
  return CommCache<QuietSelf>::peek(MPI_COMM_SELF)->comm.get();
}

void require_committed(MPI_Datatype type) {
  if (!is_committed(type))
    fail(Fault::invalid_type, "the datatype is not committed; MPI_Type_commit must be called first");
}

void require_type(MPI_Datatype type) {
  if (type == MPI_DATATYPE_NULL) fail(Fault::invalid_type, "the datatype is MPI_DATATYPE_NULL");
}

constinit RecentTypes nothing_recent{};
constinit thread_local bool thread_is_ending = false;

/// Its thread's own, from the first type on. The table lies elsewhere: memory at a fixed distance is scarce.
struct OwnRecentTypes {
  OwnRecentTypes() : types(std::make_unique<RecentTypes>()) { recent_types = types.get(); }
  OwnRecentTypes(const OwnRecentTypes&) = delete;
  OwnRecentTypes& operator=(const OwnRecentTypes&) = delete;
  ~OwnRecentTypes() {
    recent_types = &nothing_recent;
    thread_is_ending = true;
  }

  std::unique_ptr<RecentTypes> types;
};

/// In the first place; the last one like it is forgotten. What packs while its thread ends is not remembered.
void remember(const RecentType& found) {
  if (thread_is_ending) return;
  thread_local OwnRecentTypes own;
  RecentTypeSet& known = (*own.types)[recent_place(found.type)];
  std::copy_backward(known.begin(), known.end() - 1, known.end());
  known.front() = found;
}

/// Two threads may ask for the first time at once; what one has kept must not go while it is in use.
const CompiledType& compiled_once(MPI_Datatype type, const EngineChoice* choice) {
  static std::mutex one_at_a_time;
  const std::lock_guard lock(one_at_a_time);
  if (const CompiledType* const compiled = TypeCache<CompiledType>::peek(type)) return *compiled;
  require_committed(type);
  auto compiled = std::make_shared<const CompiledType>(
      layout_of(type), choice != nullptr ? *choice : chosen_engine(MPI_INFO_NULL));
  TypeCache<CompiledType>::keep(type, compiled);
  return *compiled;  // kept by the type
}

const CompiledType& known_or_compiled(MPI_Datatype type, const EngineChoice* choice) {
  if (const CompiledType* const recent = recently_compiled(type)) return *recent;
  const std::uint64_t generation = TypeCache<CompiledType>::generation();
  require_type(type);
  const CompiledType* compiled = TypeCache<CompiledType>::peek(type);
  if (compiled == nullptr) compiled = &compiled_once(type, choice);
  remember({generation, type, compiled});
  return *compiled;
}

}  // namespace

/// MPI does not say, but it refuses to pack a type that is not.
bool is_committed(MPI_Datatype type) {
  if (type == MPI_DATATYPE_NULL) return false;
  const char from = 0;
  char to = 0;
  int position = 0;
  return PMPI_Pack(&from, 0, type, &to, 1, &position, quiet_self()) == MPI_SUCCESS;
}

constinit thread_local const RecentTypes* recent_types = &nothing_recent;

CompiledType::CompiledType(Layout layout, const EngineChoice& choice)
    : layout_(std::move(layout)),
      element_bytes_(layout_.size()),
      most_elements_(compile::most_elements(layout_)),
      needed_bytes_(most_elements_ > 0 ? element_bytes_ : std::numeric_limits<Count>::max()),
      absolute_(is_absolute(layout_.true_lb())),
      choice_(choice),
      one_(choice.packer({layout_, 1, 0})),
      dense_(one_.contiguous() && one_.bytes() == layout_.extent()),
      first_byte_(layout_.true_lb()),
      highest_rung_(highest_useful_rung(layout_.size(), most_rungs)),
      rung_choice_(rung_choice(choice, canonical_of(one_), highest_rung_)) {}

CompiledType::~CompiledType() {
  for (const auto& rung : rungs_) delete rung.load(std::memory_order_relaxed);
}

Count CompiledType::bytes(Count count) const { return checked_multiply(element_bytes_, count); }

void CompiledType::refuse(Count count) const {
  (void)bytes(count);
  compile::require_memory(layout_, count);
  fail(Fault::internal, count, " elements were refused without a reason");
}

const compile::Packer& CompiledType::packer(std::size_t rung) const {
  if (rung == 0) return one_;
  std::atomic<const compile::Packer*>& place = rungs_[rung];
  const compile::Packer* made = place.load(std::memory_order_acquire);
  if (made != nullptr) return *made;
  auto mine = std::make_unique<const compile::Packer>(rung_choice_.packer({layout_, Count{1} << rung, 0}));
  // Another thread may have been faster; its packer is as good.
  if (place.compare_exchange_strong(made, mine.get(), std::memory_order_acq_rel)) return *mine.release();
  return *made;
}

/// copy(packer, index of its first element), as few times as there are rungs for.
template <class Copy>
void CompiledType::in_powers_of_two(Count count, const Copy& copy) const {
  Count done = 0;
  for (std::size_t rung = highest_rung_ + 1; rung-- > 0;) {
    if (count - done < Count{1} << rung) continue;
    const compile::Packer& whole = packer(rung);
    for (; count - done >= Count{1} << rung; done += Count{1} << rung) copy(whole, done);
  }
}

void CompiledType::pack(const std::byte* base, Count count, std::byte* wire) const {
  if (count == 1) return pack_one(base, wire);
  if (dense_) {
    if (count > 0) std::memcpy(wire, first_byte(base), to_size(element_bytes_ * count));
    return;
  }
  in_powers_of_two(count, [&](const compile::Packer& packer, Count first) {
    packer.pack(compile::at(base, first * layout_.extent()), wire + first * layout_.size());
  });
}

void CompiledType::unpack(const std::byte* wire, std::byte* base, Count count) const {
  if (count == 1) return unpack_one(wire, base);
  if (dense_) {
    if (count > 0) std::memcpy(first_byte(base), wire, to_size(element_bytes_ * count));
    return;
  }
  in_powers_of_two(count, [&](const compile::Packer& packer, Count first) {
    packer.unpack(wire + first * layout_.size(), compile::at(base, first * layout_.extent()));
  });
}

const CompiledType& compiled_type(MPI_Datatype type) { return known_or_compiled(type, nullptr); }
const CompiledType& compiled_type(MPI_Datatype type, const EngineChoice& choice) {
  return known_or_compiled(type, &choice);
}

Layout committed_layout(MPI_Datatype type) {
  require_type(type);
  if (const CompiledType* const compiled = TypeCache<CompiledType>::peek(type)) return compiled->layout();
  require_committed(type);
  return layout_of(type);
}

void compile_type(MPI_Datatype type, const EngineChoice& choice) {
  TypeCache<CompiledType>::keep(type, std::make_shared<const CompiledType>(committed_layout(type), choice));
}

}  // namespace halocline::mpi
