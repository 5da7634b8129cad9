#include "preload/types/packers.hpp"

#include "halocline/base/error.hpp"
#include "mpi/handles/attribute_cache.hpp"
#include "plan/takeover_choice.hpp"
#include "preload/types/committed_types.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <mutex>
#include <new>

namespace halocline::preload {
namespace {

using Compiled = mpi::TypeCache<mpi::CompiledType>;

/// Hangs on datatypes that cannot be compiled.
struct Refused {};
using Refusals = mpi::TypeCache<Refused>;

/// Changes whenever a handle may have come to mean another datatype.
std::uint64_t generation() { return Compiled::generation() + Refusals::generation(); }

constexpr int index_bits = 7;

std::size_t slot_of(std::uint64_t key) { return key * 0x9E3779B97F4A7C15U >> (64 - index_bits); }
std::uint64_t key_of(MPI_Datatype type) { return std::hash<MPI_Datatype>()(type); }

/// Of no generation: both begin at 1.
struct KnownType {
  std::uint64_t generation = 0;
  MPI_Datatype type{};
  const mpi::CompiledType* compiled = nullptr;
};
struct KnownPacker {
  std::uint64_t generation = 0;
  MPI_Datatype type{};
  Count count = 0;
  compile::Packer packer;
  const char* why_not_packed = nullptr;  ///< As a message.
  bool moved_well = false;
  std::optional<PackedMessage> message;  ///< From the first one on.
};

#if defined(OPEN_MPI)
constexpr bool moves_long_runs_well = true;
#else  // MPICH does not
constexpr bool moves_long_runs_well = false;
#endif

/// Several threads may send their first message of a datatype at once: the second one finds what the first
/// made.
const mpi::CompiledType* compile_now(MPI_Datatype type) {
  static std::mutex one_at_a_time;
  const std::lock_guard lock(one_at_a_time);
  if (const mpi::CompiledType* const known = Compiled::peek(type)) return known;
  if (Refusals::peek(type) != nullptr) return nullptr;
  try {
    mpi::compile_type(type, mpi::EngineChoice{});
    return Compiled::peek(type);
  } catch (const Error&) {
    Refusals::keep(type, std::make_shared<const Refused>());
    return nullptr;
  }
}

/// Null for a datatype that is refused; good until the next call.
KnownPacker* known_packer(MPI_Datatype type, Count count) {
  thread_local std::array<KnownPacker, 1 << index_bits> table;
  KnownPacker& known = table[slot_of(key_of(type) + static_cast<std::uint64_t>(count) * 0xD6E8FEB86659FD93U)];
  if (known.generation == generation() && known.type == type && known.count == count) return &known;
  const mpi::CompiledType* const whole = compiled(type);
  if (whole == nullptr) return nullptr;
  compile::Packer made(compile::Part{whole->layout(), count, 0});
  const compile::Canonical& form = made.canonical();
  const plan::RunsInMemory runs{form.bytes(), form.runs(), static_cast<Count>(form.terms().size())};
  const char* const why_not = plan::why_left_to_mpi(runs);
  const bool moved_well = moves_long_runs_well && plan::is_moved_well_by_mpi(runs);
  known = {0, type, count, std::move(made), why_not, moved_well, std::nullopt};
  known.generation = generation();
  return &known;
}

}  // namespace

bool is_committed(MPI_Datatype type) {
  if (type == MPI_DATATYPE_NULL) return false;
  static std::mutex one_at_a_time;  // or one thread would take the handler of another for the program's
  const std::lock_guard lock(one_at_a_time);
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  PMPI_Comm_get_errhandler(MPI_COMM_SELF, &handler);
  PMPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  const char from = 0;
  char to = 0;
  int position = 0;
  const int code = PMPI_Pack(&from, 0, type, &to, 1, &position, MPI_COMM_SELF);
  PMPI_Comm_set_errhandler(MPI_COMM_SELF, handler);
  PMPI_Errhandler_free(&handler);
  return code == MPI_SUCCESS;
}

const mpi::CompiledType* compiled(MPI_Datatype type) {
  thread_local std::array<KnownType, 1 << index_bits> table;
  KnownType& known = table[slot_of(key_of(type))];
  const std::uint64_t now = generation();
  if (known.generation == now && known.type == type) return known.compiled;
  if (!is_committed(type)) return nullptr;
  const mpi::CompiledType* const found = compile_now(type);
  known = {generation(), type, found};
  return found;
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

std::optional<PackedMessage> packed_message(const void* address, int count, MPI_Datatype type, int peer,
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
    if (known->why_not_packed != nullptr) return left(known->why_not_packed);
    if (!known->message) known->message.emplace(known->packer);
    return known->message;
  } catch (const std::exception&) {  // no memory: MPI needs less
    return left("out of memory");
  }
}

}  // namespace halocline::preload
