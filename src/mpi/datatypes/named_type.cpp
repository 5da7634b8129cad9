// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/datatypes/named_type.hpp"

#include <array>

namespace halocline::mpi {
namespace {

struct NamedType {
  Elementary elementary;
  MPI_Datatype type;
};

// Optional ones that an MPI does not even name.
#ifndef MPI_LOGICAL1
#define MPI_LOGICAL1 MPI_DATATYPE_NULL
#endif
#ifndef MPI_LOGICAL2
#define MPI_LOGICAL2 MPI_DATATYPE_NULL
#endif
#ifndef MPI_LOGICAL4
#define MPI_LOGICAL4 MPI_DATATYPE_NULL
#endif
#ifndef MPI_LOGICAL8
#define MPI_LOGICAL8 MPI_DATATYPE_NULL
#endif
#ifndef MPI_LOGICAL16
#define MPI_LOGICAL16 MPI_DATATYPE_NULL
#endif
#ifndef MPI_INTEGER8
#define MPI_INTEGER8 MPI_DATATYPE_NULL
#endif
#ifndef MPI_INTEGER16
#define MPI_INTEGER16 MPI_DATATYPE_NULL
#endif
#ifndef MPI_REAL2
#define MPI_REAL2 MPI_DATATYPE_NULL
#endif
#ifndef MPI_REAL16
#define MPI_REAL16 MPI_DATATYPE_NULL
#endif
#ifndef MPI_COMPLEX4
#define MPI_COMPLEX4 MPI_DATATYPE_NULL
#endif
#ifndef MPI_COMPLEX32
#define MPI_COMPLEX32 MPI_DATATYPE_NULL
#endif

using E = Elementary;

/// The most frequent ones first: they are looked for from the front. Where two names are one handle, the
/// first wins; their layouts are the same.
const auto& names() {
  static const std::array table{
      NamedType{E::double_, MPI_DOUBLE},
      NamedType{E::float_, MPI_FLOAT},
      NamedType{E::int_, MPI_INT},
      NamedType{E::byte, MPI_BYTE},
      NamedType{E::char_, MPI_CHAR},
      NamedType{E::long_, MPI_LONG},
      NamedType{E::double_precision, MPI_DOUBLE_PRECISION},
      NamedType{E::real, MPI_REAL},
      NamedType{E::integer, MPI_INTEGER},
      NamedType{E::c_double_complex, MPI_C_DOUBLE_COMPLEX},
      NamedType{E::c_float_complex, MPI_C_FLOAT_COMPLEX},
      NamedType{E::double_complex, MPI_DOUBLE_COMPLEX},
      NamedType{E::complex, MPI_COMPLEX},

      NamedType{E::packed, MPI_PACKED},
      NamedType{E::signed_char, MPI_SIGNED_CHAR},
      NamedType{E::unsigned_char, MPI_UNSIGNED_CHAR},
      NamedType{E::wchar, MPI_WCHAR},
      NamedType{E::short_, MPI_SHORT},
      NamedType{E::unsigned_short, MPI_UNSIGNED_SHORT},
      NamedType{E::unsigned_, MPI_UNSIGNED},
      NamedType{E::unsigned_long, MPI_UNSIGNED_LONG},
      NamedType{E::long_long, MPI_LONG_LONG},
      NamedType{E::unsigned_long_long, MPI_UNSIGNED_LONG_LONG},
      NamedType{E::long_double, MPI_LONG_DOUBLE},

      NamedType{E::int8, MPI_INT8_T},
      NamedType{E::int16, MPI_INT16_T},
      NamedType{E::int32, MPI_INT32_T},
      NamedType{E::int64, MPI_INT64_T},
      NamedType{E::uint8, MPI_UINT8_T},
      NamedType{E::uint16, MPI_UINT16_T},
      NamedType{E::uint32, MPI_UINT32_T},
      NamedType{E::uint64, MPI_UINT64_T},
      NamedType{E::aint, MPI_AINT},
      NamedType{E::offset, MPI_OFFSET},
      NamedType{E::count, MPI_COUNT},

      NamedType{E::c_bool, MPI_C_BOOL},
      NamedType{E::c_long_double_complex, MPI_C_LONG_DOUBLE_COMPLEX},
      NamedType{E::cxx_bool, MPI_CXX_BOOL},
      NamedType{E::cxx_float_complex, MPI_CXX_FLOAT_COMPLEX},
      NamedType{E::cxx_double_complex, MPI_CXX_DOUBLE_COMPLEX},
      NamedType{E::cxx_long_double_complex, MPI_CXX_LONG_DOUBLE_COMPLEX},

      NamedType{E::character, MPI_CHARACTER},
      NamedType{E::logical, MPI_LOGICAL},
      NamedType{E::logical1, MPI_LOGICAL1},
      NamedType{E::logical2, MPI_LOGICAL2},
      NamedType{E::logical4, MPI_LOGICAL4},
      NamedType{E::logical8, MPI_LOGICAL8},
      NamedType{E::logical16, MPI_LOGICAL16},
      NamedType{E::integer1, MPI_INTEGER1},
      NamedType{E::integer2, MPI_INTEGER2},
      NamedType{E::integer4, MPI_INTEGER4},
      NamedType{E::integer8, MPI_INTEGER8},
      NamedType{E::integer16, MPI_INTEGER16},
      NamedType{E::real2, MPI_REAL2},
      NamedType{E::real4, MPI_REAL4},
      NamedType{E::real8, MPI_REAL8},
      NamedType{E::real16, MPI_REAL16},
      NamedType{E::complex4, MPI_COMPLEX4},
      NamedType{E::complex8, MPI_COMPLEX8},
      NamedType{E::complex16, MPI_COMPLEX16},
      NamedType{E::complex32, MPI_COMPLEX32},

      NamedType{E::float_int, MPI_FLOAT_INT},
      NamedType{E::double_int, MPI_DOUBLE_INT},
      NamedType{E::long_int, MPI_LONG_INT},
      NamedType{E::two_int, MPI_2INT},
      NamedType{E::short_int, MPI_SHORT_INT},
      NamedType{E::long_double_int, MPI_LONG_DOUBLE_INT},
      NamedType{E::two_integer, MPI_2INTEGER},
      NamedType{E::two_real, MPI_2REAL},
      NamedType{E::two_double_precision, MPI_2DOUBLE_PRECISION},
  };
  static_assert(std::tuple_size_v<decltype(table)> == 70);
  return table;
}

}  // namespace

std::optional<Elementary> elementary_of(MPI_Datatype type) {
  for (const NamedType& name : names())
    if (name.type == type) return name.elementary;
  return std::nullopt;
}

MPI_Datatype datatype_of(Elementary type) {
  for (const NamedType& name : names())
    if (name.elementary == type) return name.type;
  return MPI_DATATYPE_NULL;
}

}  // namespace halocline::mpi
