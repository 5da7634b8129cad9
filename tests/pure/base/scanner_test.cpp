#include "base/scanner.hpp"

#include "base/fail.hpp"
#include "base/split.hpp"
#include "expect_error.hpp"

#include <limits>

namespace halocline {
namespace {

Scanner scanner(std::string_view text) { return {"thing", text, "a:1"}; }

TEST(Scanner, reads_words_numbers_and_tokens) {
  Scanner scan = scanner("fat-tree:-12x+3  2.5e1 rest,of it");
  EXPECT_EQ(scan.word(), "fat-tree");
  scan.expect(":");
  EXPECT_EQ(scan.integer(), -12);
  EXPECT_FALSE(scan.accept(","));
  EXPECT_TRUE(scan.accept("x"));
  EXPECT_EQ(scan.integer(), 3);
  EXPECT_TRUE(scan.accept_blanks());
  EXPECT_DOUBLE_EQ(scan.number(), 25.0);
  EXPECT_TRUE(scan.accept_blanks());
  EXPECT_EQ(scan.until_blank(), "rest,of");
  EXPECT_FALSE(scan.at_end());
}

TEST(Scanner, numbers_are_decimal_and_as_large_as_64_bits) {
  EXPECT_EQ(scanner("9223372036854775807").integer(), std::numeric_limits<Count>::max());
  EXPECT_EQ(scanner("-9223372036854775808").integer(), std::numeric_limits<Count>::min());
  EXPECT_EQ(scanner("18446744073709551615").natural(), std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(scanner("010").integer(), 10);
  EXPECT_EQ(scanner("+010").natural(), 10U);
  EXPECT_DOUBLE_EQ(scanner("010").number(), 10);
  EXPECT_DOUBLE_EQ(scanner("1e308").number(), 1e308);
  for (const bool fraction : {false, true}) {
    Scanner scan = scanner("0x10");
    EXPECT_EQ(fraction ? scan.number() : static_cast<double>(scan.integer()), 0);
    EXPECT_EQ(scan.until_blank(), "x10");
  }
}

TEST(Scanner, reads_lists_up_to_what_is_no_separator) {
  Scanner scan = scanner("1,-2,3x4,5");
  EXPECT_EQ(scan.list(&Scanner::integer), (Counts{1, -2, 3}));
  scan.expect("x");
  EXPECT_EQ(scan.whole_list(&Scanner::integer), (Counts{4, 5}));
  EXPECT_EQ(scanner("1.5").whole_list(&Scanner::number), std::vector<double>{1.5});
  const auto pairs =
      scanner("1/2;3").whole_list([](Scanner& in) { return in.list(&Scanner::integer, "/"); }, ";");
  EXPECT_EQ(pairs, (std::vector<Counts>{{1, 2}, {3}}));
  Count sum = 0;
  scanner("1,2,3").whole_list([&](Scanner& in) { sum += in.integer(); });
  EXPECT_EQ(sum, 6);
}

TEST(Scanner, refuses_lists_that_end_with_a_separator_or_go_on) {
  for (const char* const text : {"", "1,", ",1", "1,,2"})
    expect_error(
        Fault::invalid_argument, [&] { (void)scanner(text).whole_list(&Scanner::integer); },
        "expected an integer", "looks like a:1");
  expect_error(
      Fault::invalid_argument, [&] { (void)scanner("1;2").whole_list(&Scanner::integer); },
      "cannot read on from ';2'");
}

TEST(Split, keeps_empty_words_but_those_of_lists_at_the_end) {
  using Words = std::vector<std::string>;
  EXPECT_EQ(split("a,,b,"), (Words{"a", "", "b", ""}));
  EXPECT_EQ(split(""), Words{""});
  EXPECT_EQ(listed_words("a,,b,"), (Words{"a", "", "b"}));
  EXPECT_EQ(listed_words("a"), Words{"a"});
  EXPECT_EQ(listed_words(","), Words{""});
  EXPECT_EQ(listed_words(""), Words{});
}

TEST(Scanner, every_refusal_quotes_the_text_and_shows_what_would_be_right) {
  const auto expect_refusal = [](std::string_view text, auto read, const std::string& why) {
    expect_error(
        Fault::invalid_argument,
        [&] {
          Scanner scan = scanner(text);
          read(scan);
        },
        concat("thing \"", text, "\""), why, "looks like a:1");
  };
  expect_refusal(
      "", [](Scanner& s) { (void)s.integer(); }, "found the end");
  expect_refusal(
      "x", [](Scanner& s) { (void)s.integer(); }, "expected an integer but found 'x'");
  expect_refusal(
      "+-3", [](Scanner& s) { (void)s.integer(); }, "expected an integer");
  for (const char* const text : {"9223372036854775808", "-9223372036854775809", "99999999999999999999"})
    expect_refusal(
        text, [](Scanner& s) { (void)s.integer(); }, concat("'", text, "' does not fit in 64 bits"));
  for (const char* const text : {"18446744073709551616", "99999999999999999999"})
    expect_refusal(
        text, [](Scanner& s) { (void)s.natural(); }, concat("'", text, "' does not fit in 64 bits"));
  for (const char* const text : {"-1", "x", "", "+-1"})
    expect_refusal(
        text, [](Scanner& s) { (void)s.natural(); }, "expected an integer from 0 on");
  for (const char* const text : {"inf", "-inf", "nan", "x", ""})
    expect_refusal(
        text, [](Scanner& s) { (void)s.number(); }, "expected a number");
  for (const char* const text : {"1e999", "-1e999", "1e-999"})
    expect_refusal(
        text, [](Scanner& s) { (void)s.number(); }, concat("'", text, "'"));
  expect_refusal(
      "4", [](Scanner& s) { (void)s.word(); }, "expected a name");
  expect_refusal(
      "a", [](Scanner& s) { s.expect(":"); }, "expected ':' but found 'a'");
  expect_refusal(
      "a", [](Scanner& s) { s.expect_end(); }, "cannot read on from 'a'");
}

}  // namespace
}  // namespace halocline
