// SPDX-License-Identifier: BSD-3-Clause
#include "base/fail.hpp"
#include "base/index.hpp"
#include "halocline/describe/layout.hpp"

#include <complex>
#include <cstddef>

namespace halocline {
namespace {

constexpr ElementaryTraits block(Elementary type, std::string_view name, Count bytes, Count alignment) {
  return {type, name, alignment, {{{0, bytes}, {bytes, 0}}}, 1};
}

/// As the C++ compiler lays it out.
template <class T>
constexpr ElementaryTraits plain(Elementary type, std::string_view name) {
  return block(type, name, sizeof(T), alignof(T));
}

/// As the compiler lays out a struct of the two.
template <class First, class Second>
constexpr ElementaryTraits pair(Elementary type, std::string_view name) {
  struct Both {
    First first;
    Second second;
  };
  return {type, name, alignof(Both), {{{0, sizeof(First)}, {offsetof(Both, second), sizeof(Second)}}}, 2};
}

using E = Elementary;

constexpr std::array table{
    plain<std::byte>(E::byte, "byte"),
    plain<std::byte>(E::packed, "packed"),

    plain<char>(E::char_, "char"),
    plain<signed char>(E::signed_char, "signed-char"),
    plain<unsigned char>(E::unsigned_char, "unsigned-char"),
    plain<wchar_t>(E::wchar, "wchar"),
    plain<short>(E::short_, "short"),
    plain<unsigned short>(E::unsigned_short, "unsigned-short"),
    plain<int>(E::int_, "int"),
    plain<unsigned>(E::unsigned_, "unsigned"),
    plain<long>(E::long_, "long"),
    plain<unsigned long>(E::unsigned_long, "unsigned-long"),
    plain<long long>(E::long_long, "long-long"),
    plain<unsigned long long>(E::unsigned_long_long, "unsigned-long-long"),
    plain<float>(E::float_, "float"),
    plain<double>(E::double_, "double"),
    plain<long double>(E::long_double, "long-double"),

    plain<std::int8_t>(E::int8, "int8"),
    plain<std::int16_t>(E::int16, "int16"),
    plain<std::int32_t>(E::int32, "int32"),
    plain<std::int64_t>(E::int64, "int64"),
    plain<std::uint8_t>(E::uint8, "uint8"),
    plain<std::uint16_t>(E::uint16, "uint16"),
    plain<std::uint32_t>(E::uint32, "uint32"),
    plain<std::uint64_t>(E::uint64, "uint64"),
    plain<std::ptrdiff_t>(E::aint, "aint"),
    plain<std::int64_t>(E::offset, "offset"),
    plain<std::int64_t>(E::count, "count"),

    plain<bool>(E::c_bool, "c-bool"),
    plain<std::complex<float>>(E::c_float_complex, "c-float-complex"),
    plain<std::complex<double>>(E::c_double_complex, "c-double-complex"),
    plain<std::complex<long double>>(E::c_long_double_complex, "c-long-double-complex"),
    plain<bool>(E::cxx_bool, "cxx-bool"),
    plain<std::complex<float>>(E::cxx_float_complex, "cxx-float-complex"),
    plain<std::complex<double>>(E::cxx_double_complex, "cxx-double-complex"),
    plain<std::complex<long double>>(E::cxx_long_double_complex, "cxx-long-double-complex"),

    block(E::character, "character", 1, 1),
    block(E::logical, "logical", 4, 4),
    block(E::integer, "integer", 4, 4),
    block(E::real, "real", 4, 4),
    block(E::double_precision, "double-precision", 8, 8),
    block(E::complex, "complex", 8, 4),
    block(E::double_complex, "double-complex", 16, 8),
    block(E::logical1, "logical1", 1, 1),
    block(E::logical2, "logical2", 2, 2),
    block(E::logical4, "logical4", 4, 4),
    block(E::logical8, "logical8", 8, 8),
    block(E::logical16, "logical16", 16, 16),
    block(E::integer1, "integer1", 1, 1),
    block(E::integer2, "integer2", 2, 2),
    block(E::integer4, "integer4", 4, 4),
    block(E::integer8, "integer8", 8, 8),
    block(E::integer16, "integer16", 16, 16),
    block(E::real2, "real2", 2, 2),
    block(E::real4, "real4", 4, 4),
    block(E::real8, "real8", 8, 8),
    block(E::real16, "real16", 16, 16),
    block(E::complex4, "complex4", 4, 2),
    block(E::complex8, "complex8", 8, 4),
    block(E::complex16, "complex16", 16, 8),
    block(E::complex32, "complex32", 32, 16),

    pair<float, int>(E::float_int, "float-int"),
    pair<double, int>(E::double_int, "double-int"),
    pair<long, int>(E::long_int, "long-int"),
    pair<int, int>(E::two_int, "2int"),
    pair<short, int>(E::short_int, "short-int"),
    pair<long double, int>(E::long_double_int, "long-double-int"),
    pair<std::int32_t, std::int32_t>(E::two_integer, "2integer"),
    pair<float, float>(E::two_real, "2real"),
    pair<double, double>(E::two_double_precision, "2double-precision"),
};

constexpr bool in_order_of_enumeration() {
  for (std::size_t i = 0; i < table.size(); ++i)
    if (table[i].type != static_cast<Elementary>(i)) return false;
  return table.back().type == Elementary::two_double_precision;
}
static_assert(in_order_of_enumeration());

}  // namespace

std::span<const ElementaryTraits> elementary_types() { return table; }

const ElementaryTraits& traits(Elementary type) {
  const auto index = to_index(type);
  require(index < table.size(), "there is no elementary type number ", index);
  return table[index];
}

}  // namespace halocline
