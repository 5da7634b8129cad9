#include "base/scanner.hpp"

#include "expect_error.hpp"

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
  expect_refusal(
      "9223372036854775808", [](Scanner& s) { (void)s.integer(); }, "64 bits");
  expect_refusal(
      "inf", [](Scanner& s) { (void)s.number(); }, "expected a number");
  expect_refusal(
      "4", [](Scanner& s) { (void)s.word(); }, "expected a name");
  expect_refusal(
      "a", [](Scanner& s) { s.expect(":"); }, "expected ':' but found 'a'");
  expect_refusal(
      "a", [](Scanner& s) { s.expect_end(); }, "cannot read on from 'a'");
}

}  // namespace
}  // namespace halocline
