// SPDX-License-Identifier: BSD-3-Clause
#include "preload/types/packers.hpp"

#include "base/hash.hpp"
#include "base/numbers.hpp"
#include "compile/packer_state.hpp"
#include "halocline/base/error.hpp"
#include "mpi/datatypes/recent_types.hpp"
#include "mpi/handles/attribute_cache.hpp"
#include "plan/transport/takeover_choice.hpp"
#include "preload/types/committed_types.hpp"

#include <array>
#include <cstdint>
#include <functional>

namespace halocline::preload {
namespace {

/// Hangs on datatypes that cannot be compiled.
struct Refused {};
using Refusals = mpi::TypeCache<Refused>;

/// Changes whenever a handle may have come to mean another datatype.
std::uint64_t generation() {
  return mpi::TypeCache<mpi::CompiledType>::generation() + Refusals::generation();
}

struct KnownPacker {
  std::uint64_t generation = 0;  ///< Of none: both begin at 1.
  MPI_Datatype type{};
  Count count = 0;
  compile::Packer packer;
  Segment reach{};
  const char* why_not_packed = nullptr;            ///< As a message.
  const char* why_not_packed_on_device = nullptr;  ///< The same, of one there.
  bool moved_well = false;
  std::optional<PackedMessage> message;  ///< From the first one on.
};

#if defined(OPEN_MPI)
constexpr bool moves_long_runs_well = true;
#else  // MPICH does not
constexpr bool moves_long_runs_well = false;
#endif

/// Null for a datatype that is refused; good until the next call.
KnownPacker* known_packer(MPI_Datatype type, Count count) {
  // Elsewhere, since all that a thread has itself lies at a fixed distance (mpi/datatypes/recent_types.hpp).
  thread_local const auto table = std::make_unique<std::array<KnownPacker, 1 << mpi::recent_index_bits>>();
  KnownPacker& known = (*table)[mpi::recent_index(std::hash<MPI_Datatype>()(type) +
                                                  static_cast<std::uint64_t>(count) * pair_factor)];
  if (known.generation == generation() && known.type == type && known.count == count) return &known;
  const mpi::CompiledType* const whole = compiled(type);
  if (whole == nullptr) return nullptr;
  compile::Packer made(compile::Part{whole->layout(), count, 0});
  const compile::Canonical& form = canonical_of(made);
  const plan::RunsInMemory runs{form.bytes(), form.runs(), count_of(form.terms())};
  const char* const why_not = plan::why_left_to_mpi(runs);
  const bool moved_well = moves_long_runs_well && plan::is_moved_well_by_mpi(runs);
  known = {0,
           type,
           count,
           std::move(made),
           reach_of(whole->layout(), count),
           why_not,
           plan::why_left_to_mpi_on_device(runs),
           moved_well,
           std::nullopt};
  known.generation = generation();
  return &known;
}

}  // namespace

const mpi::CompiledType* compiled(MPI_Datatype type) {
  if (const mpi::CompiledType* const recent = mpi::recently_compiled(type)) return recent;
  // Before anything is refused for good: it may be committed later.
  if (!mpi::is_committed(type) || Refusals::peek(type) != nullptr) return nullptr;
  try {
    return &mpi::compiled_type(type, mpi::EngineChoice{});
  } catch (const Error&) {
    Refusals::keep(type, std::make_shared<const Refused>());
    return nullptr;
  }
}

std::optional<compile::Packer> packer(MPI_Datatype type, Count count) {
  const KnownPacker* const known = known_packer(type, count);
  if (known == nullptr) return std::nullopt;
  return known->packer;
}

bool is_moved_well_by_mpi(MPI_Datatype type, Count count) {
  const KnownPacker* const known = known_packer(type, count);
  return known != nullptr && known->moved_well;
}

Whereabouts whereabouts(const void* address, Count count, MPI_Datatype type) {
  const KnownPacker* const known = known_packer(type, count);
  return known == nullptr ? Whereabouts{nullptr, true} : whereabouts(address, known->reach);
}

std::optional<MessageToPack> packed_message(const void* address, int count, MPI_Datatype type, int peer,
                                            MPI_Comm comm, const char*& why_not) noexcept {
  const auto left = [&](const char* why) {
    why_not = why;
    return std::nullopt;
  };
  if (!may_be_committed(type)) return left("no gaps");
  if (count == 0 || peer == MPI_PROC_NULL) return left("nothing to send");
  if (address == nullptr || count < 0 || comm == MPI_COMM_NULL) return left("unusual arguments");
  try {
    KnownPacker* const known = known_packer(type, count);
    if (known == nullptr) return left("an unusual datatype");
    const Whereabouts where = whereabouts(address, known->reach);
    if (where.out_of_reach) return left("memory of a device that is out of reach");
    const char* const why = where.device == nullptr ? known->why_not_packed : known->why_not_packed_on_device;
    if (why != nullptr) return left(why);
    if (!known->message) known->message.emplace(known->packer);
    return MessageToPack{*known->message, where.device};
  } catch (const std::exception&) {  // no memory: MPI needs less
    return left("out of memory");
  }
}

}  // namespace halocline::preload
