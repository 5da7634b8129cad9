#include "halocline/describe/layout.hpp"

#include "elementary_layouts.hpp"
#include "halocline/base/error.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace halocline {

namespace {

using Order = Layout::Order;
using Distribution = Layout::Distribution;

template <class Make>
void expect_refused(Make make, std::string_view hint, Fault fault = Fault::invalid_argument) {
  try {
    (void)make();
    ADD_FAILURE() << "not refused: " << hint;
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), fault) << error.what();
    EXPECT_NE(std::string_view(error.what()).find(hint), std::string_view::npos) << error.what();
  }
}

void expect_round_trip(const Layout& layout) {
  const std::string text = layout.to_text();
  EXPECT_EQ(Layout::parse(text), layout);
  EXPECT_EQ(Layout::parse(text).to_text(), text);
}

TEST(Layout, text_forms) {
  for (const char* text :
       {"hvector(2,1,24576,vector(8,8,32,contiguous(6,float)))", "indexed([2,1],[0,5],int)",
        "hindexed([2,1],[0,-5],int)", "indexed_block(3,[0,7,12],double)", "hindexed_block(3,[],double)",
        "struct([1,2],[0,16],[int,double])", "struct([],[],[])", "subarray([10,10],[2,3],[1,1],c,float)",
        "darray(4,3,[9,9],[block,cyclic],[default,2],[2,2],fortran,float)", "resized(-4,12,2int)",
        "dup(long-double-int)"}) {
    EXPECT_EQ(Layout::parse(text).to_text(), text);
    std::string spaced;
    for (const char c : std::string_view(text))
      spaced += std::string_view("()[],").find(c) == std::string_view::npos ? std::string{c}
                                                                            : std::string{' ', c, '\t'};
    EXPECT_EQ(Layout::parse(' ' + spaced + ' '), Layout::parse(text)) << spaced;
  }
}

TEST(Layout, unreadable_texts_are_refused) {
  for (const char* text :
       {"", "flout", "vector(1,2,int)", "vector(1,2,3,4,int)", "contiguous(2,int", "contiguous(2,int))",
        "contiguous 2", "indexed([1,],[0],int)", "struct([1],[0],int)", "subarray([4],[2],[1],rowwise,int)",
        "darray(1,0,[4],[blocks],[1],[1],c,int)", "contiguous(99999999999999999999,int)", "int int", "3int"})
    expect_refused([&] { return Layout::parse(text); }, "a layout looks like");
}

TEST(Layout, arguments_and_members_come_back) {
  const Layout vector = Layout::vector(8, 2, 32, double_);
  ASSERT_NE(vector.as<Layout::Vector>(), nullptr);
  EXPECT_EQ(vector.as<Layout::Vector>()->stride, 32);
  EXPECT_EQ(vector.as<Layout::Hvector>(), nullptr);
  EXPECT_EQ(vector.element(), double_);
  const Layout record = Layout::structure({1, 2}, {0, 512}, {int_, vector});
  ASSERT_EQ(record.members().size(), 2U);
  EXPECT_EQ(record.members()[1], vector);
  EXPECT_EQ(Layout(Layout::Vector{8, 2, 32}, {double_}), vector);
}

TEST(Layout, lists_are_not_copied) {
  Counts displacements(1000, 7);
  const Count* const storage = displacements.data();
  const Layout layout = Layout::indexed_block(1, std::move(displacements), double_);
  const Layout copy = layout;
  EXPECT_EQ(copy.as<Layout::IndexedBlock>()->displacements.data(), storage);
}

TEST(Layout, equality_is_that_of_the_trees) {
  EXPECT_EQ(Layout::contiguous(2, int_), Layout::contiguous(2, int_));
  EXPECT_NE(Layout::contiguous(2, int_), Layout::contiguous(3, int_));
  EXPECT_NE(Layout::contiguous(2, int_), Layout::contiguous(2, Layout::named(Elementary::float_)));
  EXPECT_NE(Layout::vector(2, 1, 1, int_), Layout::contiguous(2, int_));
  EXPECT_NE(Layout::vector(1, 1, 2, int_), Layout::vector(1, 1, 3, int_));
  EXPECT_NE(Layout::structure({0}, {0}, {int_}), Layout::structure({0, 0}, {0, 0}, {int_, int_}));
}

TEST(Layout, deep_trees_do_not_exhaust_the_stack) {
  const auto deep = [](int levels) {
    Layout layout = int_;
    for (int level = 0; level < levels; ++level)
      layout = level % 2 == 0 ? Layout::dup(layout) : Layout::structure({1}, {0}, {layout});
    return layout;
  };
  EXPECT_EQ(deep(100'000), deep(100'000));
  EXPECT_NE(deep(100'000), deep(99'998));
  expect_round_trip(deep(999));
  expect_refused([&] { return Layout::parse(deep(1000).to_text()); }, "more than 1000 levels");
}

TEST(Layout, arguments_that_make_no_sense_are_refused) {
  expect_refused([] { return Layout::contiguous(-1, int_); }, "count -1 of contiguous is negative");
  expect_refused([] { return Layout::vector(-2, 1, 1, int_); }, "count -2 of vector");
  expect_refused([] { return Layout::vector(2, -1, 1, int_); }, "blocklength -1 of vector");
  expect_refused([] { return Layout::hvector(1, -7, 1, int_); }, "blocklength -7 of hvector");
  expect_refused([] { return Layout::indexed({1, -3}, {0, 1}, int_); }, "blocklength -3 of indexed");
  expect_refused([] { return Layout::indexed({1}, {0, 1}, int_); }, "1 blocklengths but 2 displacements");
  expect_refused([] { return Layout::hindexed({}, {0}, int_); }, "0 blocklengths but 1 displacements");
  expect_refused([] { return Layout::indexed_block(-1, {}, int_); }, "blocklength -1 of indexed_block");
  expect_refused([] { return Layout::structure({1}, {0, 8}, {int_}); }, "2 displacements but 1 layouts");
  expect_refused([] { return Layout::structure({-1}, {0}, {int_}); }, "blocklength -1 of struct");
  expect_refused([] { return Layout::named(static_cast<Elementary>(999)); }, "type number 999");
  expect_refused([] { return Layout(Layout::Named{Elementary::int_}, {int_}); }, "0 layouts, not 1");
  expect_refused([] { return Layout(Layout::Contiguous{2}, {int_, int_}); }, "1 layouts, not 2");
}

TEST(Layout, arrays_that_do_not_fit_are_refused) {
  const auto subarray = [](Counts sizes, Counts subsizes, Counts starts) {
    return [=] { return Layout::subarray(sizes, subsizes, starts, Order::c, int_); };
  };
  expect_refused(subarray({}, {}, {}), "at least one dimension");
  expect_refused(subarray({0}, {1}, {0}), "size 0 of a subarray");
  expect_refused(subarray({4}, {0}, {0}), "subsize 0");
  expect_refused(subarray({4}, {3}, {2}), "3 from 2 on does not fit the size 4 of dimension 0");
  expect_refused(subarray({4}, {3}, {-1}), "from -1 on");
  expect_refused(subarray({4, 4}, {3}, {0, 0}), "2 sizes but 1 subsizes");

  const Layout::Darray good{4,      1,      {9, 9},  {Distribution::block, Distribution::cyclic},
                            {5, 2}, {2, 2}, Order::c};
  EXPECT_EQ(Layout::darray(good, int_).extent(), 9 * 9 * 4);
  const auto darray = [&](auto change) {
    Layout::Darray bad = good;
    change(bad);
    return [bad] { return Layout::darray(bad, int_); };
  };
  expect_refused(darray([](auto& a) { a.processes = 5; }), "holds 4 processes, not 5");
  expect_refused(darray([](auto& a) { a.rank = 4; }), "rank 4 of a darray");
  expect_refused(darray([](auto& a) { a.rank = -1; }), "rank -1 of a darray");
  expect_refused(darray([](auto& a) { a.arguments[0] = 4; }), "2 blocks of 4 do not cover the size 9");
  expect_refused(darray([](auto& a) { a.arguments[1] = 0; }), "argument 0");
  expect_refused(darray([](auto& a) { a.process_grid = {4, 0}; }), "process grid extent 0");
  expect_refused(darray([](auto& a) { a.distributions[1] = Distribution::none; }), "not distributed");
  expect_refused(darray([](auto& a) { a.sizes.pop_back(); }), "1 sizes but 2 distributions");
}

TEST(Layout, what_leaves_64_bits_is_refused) {
  constexpr Count huge = std::numeric_limits<Count>::max();
  constexpr Count least = std::numeric_limits<Count>::min();
  const auto refused = [](auto make) {
    expect_refused(make, "does not fit in 64 bits", Fault::invalid_type);
  };
  refused([] { return Layout::contiguous(huge / 4 + 1, int_); });
  refused([] { return Layout::vector(huge, huge, 1, byte); });
  refused([] { return Layout::vector(2, 1, huge, int_); });
  refused([] { return Layout::hvector(3, 1, huge / 2 + 1, byte); });
  refused([] { return Layout::hvector(2, 1, huge, byte); });
  refused([] { return Layout::indexed({1}, {huge}, int_); });
  refused([] { return Layout::hindexed({huge, huge}, {0, 0}, byte); });
  refused([] { return Layout::hindexed({1, 1}, {least, huge - 1}, byte); });
  refused([] { return Layout::indexed_block(huge, {0, 0}, byte); });
  refused([] { return Layout::structure({1, 1}, {least, 0}, {byte, byte}); });
  refused([] { return Layout::structure({1, 1}, {0, huge - 1}, {double_, byte}); });
  refused([] { return Layout::resized(huge, 1, byte); });
  refused([] { return Layout::subarray({huge, 2}, {1, 1}, {0, 0}, Order::c, byte); });
  // A displacement that does not fit, of an element so far below its origin that it would again.
  const Layout below = Layout::hindexed_block(1, {least / 2}, byte);
  refused([&] { return Layout::indexed_block(1, {4}, Layout::resized(least / 2, huge / 2, below)); });
  refused([&] { return Layout::vector(2, 1, 2, Layout::resized(least / 2, huge / 2 + 1, below)); });
  // The value stands in the message.
  expect_refused([] { return Layout::hvector(3, 1, huge / 2 + 1, byte); }, "9223372036854775808",
                 Fault::invalid_type);
  expect_refused([] { return Layout::hvector(2, 1, least, byte); }, "9223372036854775809",
                 Fault::invalid_type);
  EXPECT_EQ(Layout::contiguous(huge, byte).size(), huge);
  EXPECT_EQ(Layout::hindexed_block(1, {least}, byte).lb(), least);
  EXPECT_EQ(Layout::vector(1, 3, huge, int_).extent(), 12);
  EXPECT_EQ(Layout::contiguous(3, Layout::hindexed_block(1, {Count{1} << 46}, double_)).lb(), Count{1} << 46);
}

}  // namespace
}  // namespace halocline
