// SPDX-License-Identifier: BSD-3-Clause
// Numbers that look like chance: the constants and mixers of hash tables, keys and stamps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace halocline {

/// 2^64 divided by the golden ratio: the upper bits of multiples of it are spread evenly.
inline constexpr std::uint64_t golden_ratio = 0x9e3779b97f4a7c15U;

/// A table of 2^bits places has this one for `key`. @pre 0 < bits < 64
[[nodiscard]] constexpr std::size_t golden_place(std::uint64_t key, int bits) noexcept {
  return key * golden_ratio >> (64 - bits);
}

/// Spreads every bit over the whole word, and makes different numbers of different ones: the last steps of
/// splitmix64 (Steele, Lea and Flood).
[[nodiscard]] constexpr std::uint64_t split_mixed(std::uint64_t x) noexcept {
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9U;
  x = (x ^ x >> 27) * 0x94d049bb133111ebU;
  return x ^ x >> 31;
}

/// Tells the second number of a pair from the first, which the golden ratio multiplies; of a mixer by Degski.
inline constexpr std::uint64_t pair_factor = 0xd6e8feb86659fd93U;

inline constexpr std::uint64_t murmur_factor = 0xff51afd7ed558ccdU;

/// The same by the last steps of MurmurHash3 (Appleby).
[[nodiscard]] constexpr std::uint64_t murmur_mixed(std::uint64_t x) noexcept {
  x = (x ^ x >> 33) * murmur_factor;
  x = (x ^ x >> 33) * 0xc4ceb9fe1a85ec53U;
  return x ^ x >> 33;
}

/// The hash of a sequence, from that of what came before and the next one.
[[nodiscard]] constexpr std::uint64_t hash_with(std::uint64_t hash, std::uint64_t next) noexcept {
  hash = (hash ^ (next + golden_ratio + (hash << 6) + (hash >> 2))) * murmur_factor;
  return hash ^ hash >> 32;
}

/// FNV-1a: alike on every machine of a job.
[[nodiscard]] constexpr std::uint64_t hash_of_text(std::string_view text) noexcept {
  std::uint64_t hash = 14695981039346656037U;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211U;
  return hash;
}

}  // namespace halocline
