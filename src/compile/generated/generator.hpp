// SPDX-License-Identifier: BSD-3-Clause
// What crosses the border to the module that generates code: plain structures and one C function, so that the
// module and the library need not come from one compiler run.
#pragma once

#include <cstddef>
#include <cstdint>

namespace halocline::compile {

/// Changes whenever one of the structures below does.
constexpr std::uint32_t generator_version = 2;
constexpr const char* generator_entry = "halocline_code_generator";

/// What makes compiling take long, in both functions together: the number of LLVM's instructions, and as much
/// for each loop and each call as they cost beside their own instructions. By
/// bench/compile/generate_bench.cpp a unit of it takes 5 to 8 us; more than so many are not compiled in a
/// call of the user, who may have to wait for the module to be opened, too.
constexpr std::int64_t most_code_cost = 4000;
constexpr std::int64_t cost_beside_a_loop = 12;
constexpr std::int64_t cost_beside_a_call = 8;

struct GeneratorLoop {
  std::int64_t count;
  std::int64_t stride;  ///< In bytes.
};

/// Blocks under loops, the outermost first; or several blocks under loops.
struct GeneratorTerm {
  std::int64_t offset;  ///< Of the first byte, from the base.
  const GeneratorLoop* loops;
  std::int64_t loop_count;
  const std::int64_t* offsets;  ///< Of the blocks, from `offset`.
  const std::int64_t* lengths;  ///< In bytes.
  std::int64_t blocks;
};

struct GeneratedCode {
  void* owner;        ///< For release().
  std::int64_t cost;  ///< Of what was compiled: most_code_cost at most.
  void (*pack)(const void* context, const std::byte* base, std::byte* wire);
  void (*unpack)(const void* context, const std::byte* wire, std::byte* base);
};

enum class GeneratorAnswer : std::int32_t {
  made,
  declined,  ///< The terms would become too much code.
  failed,    ///< The message says why.
};

struct Generator {
  std::uint32_t version;
  /// Any thread may call it; it copies what it needs of the terms. The message is cut to its room.
  GeneratorAnswer (*generate)(const GeneratorTerm* terms, std::int64_t count, GeneratedCode* code,
                              char* message, std::int64_t message_room);
  void (*release)(void* owner);
};

/// The type of the entry: the generator of that version, or null.
using GeneratorEntry = const Generator*(std::uint32_t version);

}  // namespace halocline::compile
