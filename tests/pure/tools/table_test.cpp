// One table as text and as JSON.

#include "tools/common/table.hpp"

#include "halocline/base/error.hpp"

#include <gtest/gtest.h>

namespace halocline::tools {
namespace {

Table fruit() {
  Table table({Column::left("name", 6, "name"), Column::right("kg", 5, "grams", "  "),
               Column::hidden("colour"), Column::left("ripe", 0, "ripe")});
  table.add({"plum", decimal(12.345, 1, 1e-3), "blue", {"yes", true}});
  table.add({"pineapple", significant(1234.5, 3), {"", nullptr}, {"-", nullptr}});
  return table;
}

TEST(Table, fills_columns_up_on_their_side) {
  EXPECT_EQ(fruit().to_text(),
            "name       kg ripe\n"
            "plum      0.0 yes\n"
            "pineapple  1.23e+03 -\n");
  EXPECT_EQ(fruit().rows(), 2U);
}

TEST(Table, tells_programs_whole_numbers_and_what_people_do_not_see) {
  EXPECT_EQ(fruit().to_json().dump(), R"([{"name":"plum","grams":12.345,"colour":"blue","ripe":true},)"
                                      R"({"name":"pineapple","grams":1234.5,"colour":null,"ripe":null}])");
}

TEST(Table, has_columns_for_people_alone) {
  Table table({Column::left("a", 2, "a"), Column::right("twice", 5)});
  table.add({21, 42});
  EXPECT_EQ(table.to_text(), "a  twice\n21    42\n");
  EXPECT_EQ(table.to_json().dump(), R"([{"a":21}])");
}

TEST(Table, prints_the_line_of_a_row_before_it_is_kept) {
  const Table table(
      {Column::hidden("x"), Column::left("a", 3, "a", " | "), Column::left("b", 0, "b", " | ")});
  EXPECT_EQ(table.heading(), "a   | b\n");
  EXPECT_EQ(table.line({"", 1, 2}), "1   | 2\n");
  EXPECT_EQ(table.to_json().dump(), "[]");
}

TEST(Table, without_headings_has_no_line_of_them) {
  Table table({Column::left("", 3), Column::left("", 0)});
  table.add({"a", "b"});
  EXPECT_EQ(table.to_text(), "a   b\n");
}

TEST(Table, refuses_rows_of_another_length) {
  Table table({Column::left("a", 2), Column::left("b", 2)});
  EXPECT_THROW(table.add({1}), Error);
  EXPECT_THROW(table.add({1, 2, 3}), Error);
  EXPECT_EQ(table.rows(), 0U);
}

}  // namespace
}  // namespace halocline::tools
