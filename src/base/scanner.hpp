// SPDX-License-Identifier: BSD-3-Clause
// Reads the text forms of the values: one cursor, one kind of error message.
#pragma once

#include "base/fail.hpp"
#include "halocline/base/count.hpp"
#include "halocline/base/error.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace halocline {

/// A cursor over `text`, which should be the text form of a `noun` such as "grid". Every refusal is an
/// Error{invalid_argument} that quotes the whole text and ends with `example`, a text that would be right.
class Scanner {
 public:
  Scanner(std::string_view noun, std::string_view text, std::string_view example)
      : noun_(noun), text_(text), example_(example) {}

  [[nodiscard]] bool at_end() const { return position_ == text_.size(); }
  /// The next character, or '\0' at the end.
  [[nodiscard]] char peek() const { return at_end() ? '\0' : text_[position_]; }

  /// Steps over `token` if it comes next.
  bool accept(std::string_view token);
  /// Steps over `token`, which must come next.
  void expect(std::string_view token);
  /// Steps over blanks, and says whether there was one.
  bool accept_blanks();
  void expect_end();

  // What does not fit is refused, never rounded to the next that does.

  /// A decimal integer with an optional sign, in 64 bits.
  [[nodiscard]] Count integer();
  /// A decimal integer from 0 on, with an optional plus, in 64 bits.
  [[nodiscard]] std::uint64_t natural();
  /// A finite decimal number.
  [[nodiscard]] double number();
  /// A name: a letter, then letters, digits, '-' and '_'.
  [[nodiscard]] std::string word();
  /// Everything up to the next blank or the end.
  [[nodiscard]] std::string until_blank();

  /// What `read` takes out of the scanner, once and again behind each separator: a vector of it, or nothing
  /// if it returns none. `read` is a member such as &Scanner::integer, or takes the scanner.
  template <class Read>
  auto list(const Read& read, std::string_view separator = ",") {
    using Value = std::invoke_result_t<const Read&, Scanner&>;
    if constexpr (std::is_void_v<Value>) {
      do std::invoke(read, *this);
      while (accept(separator));
    } else {
      std::vector<Value> values;
      do values.push_back(std::invoke(read, *this));
      while (accept(separator));
      return values;
    }
  }
  /// The same, up to the end.
  template <class Read>
  auto whole_list(const Read& read, std::string_view separator = ",") {
    if constexpr (std::is_void_v<decltype(list(read))>) {
      list(read, separator);
      expect_end();
    } else {
      auto values = list(read, separator);
      expect_end();
      return values;
    }
  }

  template <class... Parts>
  [[noreturn]] void refuse(const Parts&... parts) const {
    fail(Fault::invalid_argument, noun_, " \"", text_, "\": ", parts..., "; a ", noun_, " looks like ",
         example_);
  }

 private:
  [[nodiscard]] std::string found() const;
  /// @throws Error that calls what it wanted `what`.
  template <class Number>
  [[nodiscard]] Number read(const char* what);

  std::string noun_;
  std::string text_;
  std::string example_;
  std::size_t position_ = 0;
};

}  // namespace halocline
