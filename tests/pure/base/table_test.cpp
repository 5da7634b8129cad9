// Columns of text.

#include "base/table.hpp"

#include "halocline/base/error.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace halocline {
namespace {

TEST(TextTable, fills_columns_up_on_their_side) {
  TextTable table({Column::left("name", 6), Column::right("kg", 5, "grams", "  "), Column::hidden("colour"),
                   Column::left("ripe", 5)});
  table.add({"plum", "0.0", "blue", "yes"});
  table.add({"pineapple", "1230", "", "-"});
  EXPECT_EQ(table.to_text(),
            "name       kg ripe\n"
            "plum      0.0 yes\n"
            "pineapple   1230 -\n");
}

TEST(TextTable, has_rows_that_end_early_and_no_blanks_behind_them) {
  TextTable table({Column::left("", 8), Column::left("", 4), Column::right("times", 6)});
  table.add({"all"});
  table.add({"  sent", "1"});
  table.add({"  kept", "2", "1.5"});
  EXPECT_EQ(table.to_text(),
            "               times\n"
            "all\n"
            "  sent   1\n"
            "  kept   2       1.5\n");
}

TEST(TextTable, counts_characters_and_not_bytes) {
  TextTable table({Column::left("", 4), Column::right("", 3), Column::left("", 0)});
  table.add({"Köln", "µs", "a"});
  table.add({"Bonn", "ns", "b"});
  EXPECT_EQ(table.to_text(), "Köln  µs a\nBonn  ns b\n");
}

TEST(TextTable, goes_on_with_a_text_of_several_lines_below_its_beginning) {
  TextTable table({Column::left("", 5), Column::left("", 4), Column::left("", 0)});
  table.add({"wrong", "data\nis", "lost"});
  table.add({"right", "all", "is well\nand fast"});
  EXPECT_EQ(table.to_text(),
            "wrong data\n"
            "      is   lost\n"
            "right all  is well\n"
            "           and fast\n");
}

TEST(TextTable, refuses_more_texts_than_columns) {
  const TextTable table({Column::left("a", 2)});
  EXPECT_THROW((void)table.line(std::vector<std::string>{"1", "2"}), Error);
}

TEST(TextTable, has_numbers_with_digits_behind_the_point) {
  EXPECT_EQ(with_digits(0.05, 1), "0.1");
  EXPECT_EQ(with_digits(1.25, 1), "1.2");
  EXPECT_EQ(with_digits(-2, 2), "-2.00");
  EXPECT_EQ(with_digits(1234567.5, 0), "1234568");
  EXPECT_EQ(with_digits(std::numeric_limits<double>::infinity(), 1), "inf");
  EXPECT_EQ(with_digits(std::numeric_limits<double>::max(), 2).size(), 312U);
}

}  // namespace
}  // namespace halocline
