// Instructions of a 7-point loop over a field and over plain arrays of the same points. It needs no MPI and
// no library, only the headers:
//
//   g++ -std=c++20 -O2 -Iinclude bench/halo/field_loop.cpp -o field_loop
//   valgrind --tool=callgrind --callgrind-out-file=loop.out ./field_loop
//   callgrind_annotate loop.out | grep loop_

#include "halocline/halo/field_span.hpp"

#include <cstdio>
#include <vector>

using halocline::Count;
using Read = halocline::FieldSpan<const double, 3>;
using Written = halocline::FieldSpan<double, 3>;

namespace {

constexpr Count points = 64, row = points + 2, plane = row * row;

}  // namespace

extern "C" {

/// What Field::view() gives.
__attribute__((noinline)) void loop_field(Read u, Written v) {
  for (Count i = 0; i < u.extent(0); ++i)
    for (Count j = 0; j < u.extent(1); ++j)
      for (Count k = 0; k < u.extent(2); ++k)
        v(i, j, k) =
            u(i, j, k) + 0.1 * (((u(i - 1, j, k) + u(i + 1, j, k)) + (u(i, j - 1, k) + u(i, j + 1, k))) +
                                ((u(i, j, k - 1) + u(i, j, k + 1)) - 6 * u(i, j, k)));
}

/// A plain array of any extents, as programs index it.
// NOLINTNEXTLINE(cppcoreguidelines-macro-usage)
#define AT(i, j, k) u[(i)*a + (j)*b + (k)]
__attribute__((noinline)) void loop_array(const double* u, double* v, const Count* n, Count a, Count b) {
  for (Count i = 0; i < n[0]; ++i)
    for (Count j = 0; j < n[1]; ++j)
      for (Count k = 0; k < n[2]; ++k)
        v[i * a + j * b + k] =
            AT(i, j, k) + 0.1 * (((AT(i - 1, j, k) + AT(i + 1, j, k)) + (AT(i, j - 1, k) + AT(i, j + 1, k))) +
                                 ((AT(i, j, k - 1) + AT(i, j, k + 1)) - 6 * AT(i, j, k)));
}

/// The same with a pointer to each row by hand.
__attribute__((noinline)) void loop_rows(const double* u0, double* v0, const Count* n, Count a, Count b) {
  for (Count i = 0; i < n[0]; ++i)
    for (Count j = 0; j < n[1]; ++j) {
      const double* const u = u0 + i * a + j * b;
      double* const v = v0 + i * a + j * b;
      for (Count k = 0; k < n[2]; ++k)
        v[k] = u[k] +
               0.1 * (((u[k - a] + u[k + a]) + (u[k - b] + u[k + b])) + ((u[k - 1] + u[k + 1]) - 6 * u[k]));
    }
}
}

int main() {
  std::vector<double> from(static_cast<std::size_t>(plane * row), 1), to(from.size());
  const Count n[3] = {points, points, points}, origin = plane + row + 1;
  const double* const u = from.data() + origin;
  double* const v = to.data() + origin;
  loop_field({u, {points, points, points}, {plane, row, 1}}, {v, {points, points, points}, {plane, row, 1}});
  loop_array(u, v, n, plane, row);
  loop_rows(u, v, n, plane, row);
  std::printf("%lld points a loop, the last value is %g\n", static_cast<long long>(points * points * points),
              *v);
}
