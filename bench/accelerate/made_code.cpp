#include "made_code.hpp"

#include "base/integers.hpp"

#include <fmt/format.h>

#include <bit>
#include <map>
#include <tuple>
#include <utility>

namespace halocline::bench {
namespace {

using accelerate::Move;

constexpr Count widest = 16;

struct Side {
  Count Move::*address;
  Count Move::Loop::*stride;
};
constexpr Side from_side{&Move::from, &Move::Loop::from_stride}, to_side{&Move::to, &Move::Loop::to_stride};

/// The widest access that one side allows.
Count unit_of(const Move& move, const Side& side) {
  auto bits = static_cast<std::uint64_t>(move.*side.address | move.block | widest);
  for (const Move::Loop& loop : move.loops) bits |= static_cast<std::uint64_t>(loop.*side.stride);
  return Count{1} << std::countr_zero(bits);
}

/// Moves that differ in their places alone.
struct Group {
  Move move;  ///< The first.
  Count read, written;
  std::vector<std::pair<Count, Count>> places = {};

  [[nodiscard]] Count word() const { return std::max(read, written); }
  [[nodiscard]] Count words() const { return static_cast<Count>(places.size()) * move.bytes() / word(); }
  [[nodiscard]] Count blocks() const { return divide_up(words(), Count{made_threads} * made_words); }
};

std::vector<Group> groups_of(const std::vector<Move>& moves) {
  using Loops = std::vector<std::tuple<Count, Count, Count>>;
  std::map<std::tuple<Count, Count, Count, Loops>, std::size_t> known;
  std::vector<Group> groups;
  for (const Move& move : moves) {
    const Count read = unit_of(move, from_side), written = unit_of(move, to_side);
    Loops loops;
    for (const Move::Loop& loop : move.loops)
      loops.emplace_back(loop.count, loop.from_stride, loop.to_stride);
    const auto [place, is_new] = known.try_emplace({move.block, read, written, loops}, groups.size());
    if (is_new) groups.push_back({move, read, written});
    groups[place->second].places.emplace_back(move.from, move.to);
  }
  return groups;
}

/// From the number n of a word to f and t, its distances from both base addresses in bytes.
std::string distances_source(const Group& group, const std::string& list) {
  const Count row = group.move.block / group.word();
  std::string text = fmt::format("long long f = (long long)(n % {0}u) * {1}, t = f; unsigned r = n / {0}u;\n",
                                 row, group.word());
  for (const Move::Loop& loop : group.move.loops)
    text +=
        fmt::format("f += (long long)(r % {0}u) * {1}ll; t += (long long)(r % {0}u) * {2}ll; r /= {0}u;\n",
                    loop.count, loop.from_stride, loop.to_stride);
  if (group.places.size() > 1) return text + fmt::format("f += {0}[r].f; t += {0}[r].t;\n", list);
  return text + fmt::format("f += {}ll; t += {}ll;\n", group.move.from, group.move.to);
}

std::string group_source(const Group& group, const std::string& name) {
  std::string text;
  if (group.places.size() > 1) {
    text = fmt::format("static __attribute__((device)) const Place {}_list[] = {{", name);
    for (const auto& [from, to] : group.places) text += fmt::format("{{{},{}}},", from, to);
    text += "};\n";
  }
  return text + fmt::format(R"(DEVICE void {0}(const char* from, char* to, unsigned first) {{
  Bytes<{1}> words[{2}]; long long places[{2}];
  _Pragma("unroll") for (unsigned k = 0; k < {2}; ++k) {{
    const unsigned n = first + k * {3}u;
    if (n < {4}u) {{ {5} places[k] = t; get<{1}, {6}>(words[k], from + f); }}
  }}
  _Pragma("unroll") for (unsigned k = 0; k < {2}; ++k)
    if (first + k * {3}u < {4}u) put<{1}, {7}>(words[k], to + places[k]);
}}
)",
                            name, group.word(), made_words, made_threads, group.words(),
                            distances_source(group, name + "_list"), group.read, group.written);
}

}  // namespace

std::string made_preamble() {
  return R"(#define DEVICE static inline __attribute__((device, always_inline))
struct Place { int f, t; };
template <int W> struct alignas(W) Bytes { unsigned char b[W]; };
template <int R> struct Unit;
template <> struct Unit<1> { typedef unsigned char T; };
template <> struct Unit<2> { typedef unsigned short T; };
template <> struct Unit<4> { typedef unsigned T; };
template <> struct Unit<8> { typedef unsigned long long T; };
template <int W, int R> DEVICE void get(Bytes<W>& word, const char* place) {
  if (R == 16) {
    unsigned long long low, high;
    asm volatile("ld.v2.u64 {%0, %1}, [%2];" : "=l"(low), "=l"(high) : "l"(place));
    __builtin_memcpy(word.b, &low, 8); __builtin_memcpy(word.b + 8, &high, 8);
  } else {
    typedef typename Unit<R == 16 ? 8 : R>::T T;
    _Pragma("unroll") for (int i = 0; i < W / R; ++i) {
      const T unit = ((const T*)place)[i];
      __builtin_memcpy(word.b + i * R, &unit, R == 16 ? 8 : R);
    }
  }
}
template <int W, int R> DEVICE void put(const Bytes<W>& word, char* place) {
  if (R == 16) {
    unsigned long long low, high;
    __builtin_memcpy(&low, word.b, 8); __builtin_memcpy(&high, word.b + 8, 8);
    asm volatile("st.v2.u64 [%0], {%1, %2};" ::"l"(place), "l"(low), "l"(high) : "memory");
  } else {
    typedef typename Unit<R == 16 ? 8 : R>::T T;
    _Pragma("unroll") for (int i = 0; i < W / R; ++i) {
      T unit;
      __builtin_memcpy(&unit, word.b + i * R, R == 16 ? 8 : R);
      ((T*)place)[i] = unit;
    }
  }
}
)";
}

MadeKernel made_kernel(const std::string& name, const std::vector<Move>& moves) {
  std::string parts, calls;
  Count blocks = 0;
  for (const Group& group : groups_of(moves)) {
    const std::string part = fmt::format("{}_{}", name, blocks);
    parts += group_source(group, part);
    calls += fmt::format("  if (block < {}u) return {}(from, to, (block - {}u) * {}u + thread);\n",
                         blocks + group.blocks(), part, blocks, made_threads * made_words);
    blocks += group.blocks();
  }
  return {parts + fmt::format(R"(extern "C" __attribute__((global)) void {}(const char* from, char* to) {{
  unsigned block, thread;
  asm("mov.u32 %0, %%ctaid.x;" : "=r"(block));
  asm("mov.u32 %0, %%tid.x;" : "=r"(thread));
{}}}
)",
                              name, calls),
          blocks};
}

}  // namespace halocline::bench
