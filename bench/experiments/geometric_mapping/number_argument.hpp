// Numbers on the command lines of these two programs: plain decimal ones that fit, or the program ends.
#pragma once

#include <charconv>
#include <concepts>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace halocline::bench {

/// Argument `number` of the program, `otherwise` if there are fewer. Ends the program with status 2 and one
/// line on stderr if it is not a decimal number from `least` on that fits.
template <std::integral Number>
[[nodiscard]] Number number_argument(int argc, char** argv, int number, Number otherwise, Number least) {
  if (argc <= number) return otherwise;
  const char* const word = argv[number];
  const char* const end = word + std::strlen(word);
  Number value{};
  const auto [stop, status] = std::from_chars(word, end, value);
  if (status == std::errc() && stop == end && value >= least) return value;
  std::fprintf(stderr, "%s: argument %d is \"%s\"; it is a number from %lld on, in %zu bits\n", argv[0],
               number, word, static_cast<long long>(least), 8 * sizeof(Number));
  std::exit(2);
}

}  // namespace halocline::bench
