#include "made_code.hpp"

#include "base/integers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <tuple>
#include <utility>

namespace halocline::bench {
namespace {

using accelerate::Move;

constexpr Count widest = 16;
constexpr Count ragged_word = 8, least_aligned = 4;

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

bool is_ragged(const Move& move) {
  return std::min(unit_of(move, from_side), unit_of(move, to_side)) < least_aligned &&
         move.block >= ragged_word;
}

/// Moves that differ in their places alone.
struct Group {
  Move move;  ///< The first.
  Count read, written;
  bool ragged;
  std::vector<std::pair<Count, Count>> places = {};

  [[nodiscard]] Count word() const { return ragged ? ragged_word : std::max(read, written); }
  /// Words of a row.
  [[nodiscard]] Count row() const {
    return ragged ? (move.block + 2 * (ragged_word - 1)) / ragged_word : move.block / word();
  }
  [[nodiscard]] Count rows() const { return static_cast<Count>(places.size()) * (move.bytes() / move.block); }
  [[nodiscard]] Count words() const { return rows() * row(); }
  /// Words that a thread moves.
  [[nodiscard]] Count of_thread() const { return ragged ? made_ragged_words : made_words; }
  [[nodiscard]] Count blocks() const { return divide_up(words(), Count{made_threads} * of_thread()); }
  /// May words be read whole beside rows that are neither the first nor the last one? What is there lies
  /// between the two.
  [[nodiscard]] bool rises() const {
    return places.size() == 1 &&
           std::all_of(move.loops.begin(), move.loops.end(),
                       [](const Move::Loop& loop) { return loop.from_stride >= ragged_word; });
  }
};

std::vector<Group> groups_of(const std::vector<Move>& moves, MadeRows rows) {
  using Loops = std::vector<std::tuple<Count, Count, Count>>;
  std::map<std::tuple<Count, Count, Count, Loops>, std::size_t> known;
  std::vector<Group> groups;
  for (const Move& move : moves) {
    const Count read = unit_of(move, from_side), written = unit_of(move, to_side);
    Loops loops;
    for (const Move::Loop& loop : move.loops)
      loops.emplace_back(loop.count, loop.from_stride, loop.to_stride);
    const auto [place, is_new] = known.try_emplace({move.block, read, written, loops}, groups.size());
    if (is_new) groups.push_back({move, read, written, rows == MadeRows::ragged && is_ragged(move)});
    groups[place->second].places.emplace_back(move.from, move.to);
  }
  return groups;
}

/// From the number n of a word to f and t, its distances from both base addresses in bytes.
std::string distances_source(const Group& group, const std::string& list) {
  std::string text = fmt::format(
      "const unsigned c = n % {0}u; long long f = (long long)c * {1}, t = f; unsigned r = n / {0}u;\n",
      group.row(), group.word());
  for (const Move::Loop& loop : group.move.loops)
    text +=
        fmt::format("f += (long long)(r % {0}u) * {1}ll; t += (long long)(r % {0}u) * {2}ll; r /= {0}u;\n",
                    loop.count, loop.from_stride, loop.to_stride);
  if (group.places.size() > 1) return text + fmt::format("f += {0}[r].f; t += {0}[r].t;\n", list);
  return text + fmt::format("f += {}ll; t += {}ll;\n", group.move.from, group.move.to);
}

/// How the word at from + f, to + t is read and written.
std::pair<std::string, std::string> accesses_of(const Group& group) {
  if (!group.ragged)
    return {fmt::format("get<{}, {}>(words[k], from + f)", group.word(), group.read),
            fmt::format("put<{}, {}>(words[k], to + places[k])", group.word(), group.written)};
  const std::string is_free =
      group.rises() ? fmt::format("n >= {}u && n < {}u", group.row(), group.row() * (group.rows() - 1))
                    : "false";
  return {fmt::format("columns[k] = c; words[k] = get_ragged<{}>(from + f, to + t, c, {})", group.move.block,
                      is_free),
          fmt::format("put_ragged<{}>(words[k], to + places[k], columns[k])", group.move.block)};
}

std::string group_source(const Group& group, const std::string& name) {
  std::string text;
  if (group.places.size() > 1) {
    text = fmt::format("static __attribute__((device)) const Place {}_list[] = {{", name);
    for (const auto& [from, to] : group.places) text += fmt::format("{{{},{}}},", from, to);
    text += "};\n";
  }
  const auto [get, put] = accesses_of(group);
  return text + fmt::format(R"(DEVICE void {0}(const char* from, char* to, unsigned first) {{
  {1} words[{2}]; long long places[{2}]; {3}
  _Pragma("unroll") for (unsigned k = 0; k < {2}; ++k) {{
    const unsigned n = first + k * {4}u;
    if (n < {5}u) {{ {6} places[k] = t; {7}; }}
  }}
  _Pragma("unroll") for (unsigned k = 0; k < {2}; ++k)
    if (first + k * {4}u < {5}u) {8};
}}
)",
                            name, group.ragged ? "Pair" : fmt::format("Bytes<{}>", group.word()),
                            group.of_thread(),
                            group.ragged ? fmt::format("unsigned columns[{}];", group.of_thread()) : "",
                            made_threads, group.words(), distances_source(group, name + "_list"), get, put);
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
template <int L> DEVICE unsigned long long get_part(const char* word, int begin, bool is_free) {
  if (begin >= L || begin <= -8) return 0;
  if (is_free || (begin >= 0 && begin + 8 <= L)) return *(const unsigned long long*)word;
  const int first = begin < 0 ? -begin : 0, bytes = (begin + 8 > L ? L - begin : 8) - first;
  const int at_one = first ? first : bytes & 6, at_two = first ? first + (bytes & 1) : bytes & 4, at_four = first ? 4 : 0;
  unsigned long long one = 0, two = 0, four = 0;
  if (bytes & 1) one = *(const unsigned char*)(word + at_one);
  if (bytes & 2) two = *(const unsigned short*)(word + at_two);
  if (bytes & 4) four = *(const unsigned*)(word + at_four);
  return one << (8 * at_one) | two << (8 * at_two) | four << (8 * at_four);
}
struct Pair { unsigned long long low, high; unsigned over; };
template <int L> DEVICE Pair get_ragged(const char* from, const char* to, unsigned column, bool is_free) {
  const unsigned shift = (unsigned)(unsigned long long)to & 7, over = ((unsigned)(unsigned long long)from - shift) & 7;
  const int begin = (int)(column * 8) - (int)shift - (int)over;
  const char* const low = from - shift - over;
  Pair pair = {get_part<L>(low, begin, is_free), 0, over};
  if (over) pair.high = get_part<L>(low + 8, begin + 8, is_free);
  return pair;
}
template <int L> DEVICE void put_ragged(const Pair& pair, char* to, unsigned column) {
  const unsigned long long word = (pair.low >> (8 * pair.over)) | ((pair.high << 1) << (63 - 8 * pair.over));
  const unsigned shift = (unsigned)(unsigned long long)to & 7;
  const int begin = (int)(column * 8) - (int)shift;
  const int first = begin < 0 ? -begin : 0, bytes = (begin + 8 > L ? L - begin : 8) - first;
  char* const place = to - shift;
  if (bytes <= 0) return;
  if (bytes == 8) { *(unsigned long long*)place = word; return; }
  const int one = first ? first : bytes & 6, two = first ? first + (bytes & 1) : bytes & 4, four = first ? 4 : 0;
  if (bytes & 1) *(unsigned char*)(place + one) = (unsigned char)(word >> (8 * one));
  if (bytes & 2) *(unsigned short*)(place + two) = (unsigned short)(word >> (8 * two));
  if (bytes & 4) *(unsigned*)(place + four) = (unsigned)(word >> (8 * four));
}
)";
}

bool has_ragged_rows(const std::vector<Move>& moves) {
  return std::any_of(moves.begin(), moves.end(), is_ragged);
}

MadeKernel made_kernel(const std::string& name, const std::vector<Move>& moves, MadeRows rows) {
  std::string parts, calls;
  Count blocks = 0;
  for (const Group& group : groups_of(moves, rows)) {
    const std::string part = fmt::format("{}_{}", name, blocks);
    parts += group_source(group, part);
    calls += fmt::format("  if (block < {}u) return {}(from, to, (block - {}u) * {}u + thread);\n",
                         blocks + group.blocks(), part, blocks, made_threads * group.of_thread());
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
