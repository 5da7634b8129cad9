// SPDX-License-Identifier: BSD-3-Clause
#include "base/scanner.hpp"

#include "base/fail.hpp"

#include <cctype>
#include <charconv>
#include <cmath>
#include <type_traits>

namespace halocline {
namespace {

bool starts_word(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }
bool continues_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_';
}
bool is_blank(char c) { return c == ' ' || c == '\t'; }

}  // namespace

std::string Scanner::found() const {
  return at_end() ? "the end" : concat("'", text_.substr(position_, 12), "'");
}

bool Scanner::accept(std::string_view token) {
  if (text_.compare(position_, token.size(), token) != 0) return false;
  position_ += token.size();
  return true;
}

void Scanner::expect(std::string_view token) {
  if (!accept(token)) refuse("expected '", token, "' but found ", found());
}

bool Scanner::accept_blanks() {
  const std::size_t start = position_;
  while (is_blank(peek())) ++position_;
  return position_ > start;
}

void Scanner::expect_end() {
  if (!at_end()) refuse("cannot read on from ", found());
}

template <class Number>
Number Scanner::read(const char* what) {
  Number value{};
  const char* const begin = text_.data() + position_;
  const auto [stop, status] = std::from_chars(begin, text_.data() + text_.size(), value);
  if (status == std::errc::result_out_of_range)
    refuse("'", std::string_view(begin, stop), "' does not fit in 64 bits");
  if (status != std::errc()) refuse("expected ", what, " but found ", found());
  if constexpr (std::is_floating_point_v<Number>)
    if (!std::isfinite(value)) refuse("expected ", what, " but found ", found());
  position_ += static_cast<std::size_t>(stop - begin);
  return value;
}

Count Scanner::integer() {
  constexpr const char* what = "an integer";
  if (accept("+") && peek() == '-') refuse("expected ", what, " but found ", found());
  return read<Count>(what);
}

std::uint64_t Scanner::natural() {
  (void)accept("+");
  return read<std::uint64_t>("an integer from 0 on");
}

double Scanner::number() { return read<double>("a number"); }

std::string Scanner::word() {
  if (!starts_word(peek())) refuse("expected a name but found ", found());
  const std::size_t start = position_;
  while (continues_word(peek())) ++position_;
  return text_.substr(start, position_ - start);
}

std::string Scanner::until_blank() {
  const std::size_t start = position_;
  while (!at_end() && !is_blank(peek())) ++position_;
  return text_.substr(start, position_ - start);
}

}  // namespace halocline
