// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/datatypes/named_type.hpp"

#include <array>

namespace halocline::mpi {
namespace {

struct Name {
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
      Name{E::double_, MPI_DOUBLE},
      Name{E::float_, MPI_FLOAT},
      Name{E::int_, MPI_INT},
      Name{E::byte, MPI_BYTE},
      Name{E::char_, MPI_CHAR},
      Name{E::long_, MPI_LONG},
      Name{E::double_precision, MPI_DOUBLE_PRECISION},
      Name{E::real, MPI_REAL},
      Name{E::integer, MPI_INTEGER},
      Name{E::c_double_complex, MPI_C_DOUBLE_COMPLEX},
      Name{E::c_float_complex, MPI_C_FLOAT_COMPLEX},
      Name{E::double_complex, MPI_DOUBLE_COMPLEX},
      Name{E::complex, MPI_COMPLEX},

      Name{E::packed, MPI_PACKED},
      Name{E::signed_char, MPI_SIGNED_CHAR},
      Name{E::unsigned_char, MPI_UNSIGNED_CHAR},
      Name{E::wchar, MPI_WCHAR},
      Name{E::short_, MPI_SHORT},
      Name{E::unsigned_short, MPI_UNSIGNED_SHORT},
      Name{E::unsigned_, MPI_UNSIGNED},
      Name{E::unsigned_long, MPI_UNSIGNED_LONG},
      Name{E::long_long, MPI_LONG_LONG},
      Name{E::unsigned_long_long, MPI_UNSIGNED_LONG_LONG},
      Name{E::long_double, MPI_LONG_DOUBLE},

      Name{E::int8, MPI_INT8_T},
      Name{E::int16, MPI_INT16_T},
      Name{E::int32, MPI_INT32_T},
      Name{E::int64, MPI_INT64_T},
      Name{E::uint8, MPI_UINT8_T},
      Name{E::uint16, MPI_UINT16_T},
      Name{E::uint32, MPI_UINT32_T},
      Name{E::uint64, MPI_UINT64_T},
      Name{E::aint, MPI_AINT},
      Name{E::offset, MPI_OFFSET},
      Name{E::count, MPI_COUNT},

      Name{E::c_bool, MPI_C_BOOL},
      Name{E::c_long_double_complex, MPI_C_LONG_DOUBLE_COMPLEX},
      Name{E::cxx_bool, MPI_CXX_BOOL},
      Name{E::cxx_float_complex, MPI_CXX_FLOAT_COMPLEX},
      Name{E::cxx_double_complex, MPI_CXX_DOUBLE_COMPLEX},
      Name{E::cxx_long_double_complex, MPI_CXX_LONG_DOUBLE_COMPLEX},

      Name{E::character, MPI_CHARACTER},
      Name{E::logical, MPI_LOGICAL},
      Name{E::logical1, MPI_LOGICAL1},
      Name{E::logical2, MPI_LOGICAL2},
      Name{E::logical4, MPI_LOGICAL4},
      Name{E::logical8, MPI_LOGICAL8},
      Name{E::logical16, MPI_LOGICAL16},
      Name{E::integer1, MPI_INTEGER1},
      Name{E::integer2, MPI_INTEGER2},
      Name{E::integer4, MPI_INTEGER4},
      Name{E::integer8, MPI_INTEGER8},
      Name{E::integer16, MPI_INTEGER16},
      Name{E::real2, MPI_REAL2},
      Name{E::real4, MPI_REAL4},
      Name{E::real8, MPI_REAL8},
      Name{E::real16, MPI_REAL16},
      Name{E::complex4, MPI_COMPLEX4},
      Name{E::complex8, MPI_COMPLEX8},
      Name{E::complex16, MPI_COMPLEX16},
      Name{E::complex32, MPI_COMPLEX32},

      Name{E::float_int, MPI_FLOAT_INT},
      Name{E::double_int, MPI_DOUBLE_INT},
      Name{E::long_int, MPI_LONG_INT},
      Name{E::two_int, MPI_2INT},
      Name{E::short_int, MPI_SHORT_INT},
      Name{E::long_double_int, MPI_LONG_DOUBLE_INT},
      Name{E::two_integer, MPI_2INTEGER},
      Name{E::two_real, MPI_2REAL},
      Name{E::two_double_precision, MPI_2DOUBLE_PRECISION},
  };
  static_assert(std::tuple_size_v<decltype(table)> == 70);
  return table;
}

}  // namespace

std::optional<Elementary> elementary_of(MPI_Datatype type) {
  for (const Name& name : names())
    if (name.type == type) return name.elementary;
  return std::nullopt;
}

MPI_Datatype datatype_of(Elementary type) {
  for (const Name& name : names())
    if (name.elementary == type) return name.type;
  return MPI_DATATYPE_NULL;
}

}  // namespace halocline::mpi
