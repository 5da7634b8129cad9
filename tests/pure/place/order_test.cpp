#include "place/order.hpp"

#include "expect_error.hpp"

#include <numeric>

namespace halocline::place {
namespace {

TEST(Order, is_read_as_it_is_written) {
  const Order order(Runs::parse("2x3,1"), {6, 0, 3, 1, 2, 5, 4});
  EXPECT_EQ(order.to_text(), "halocline order 1\nnodes 2x3,1\nranks 6,0,3,1,2,5,4\nend\n");
  EXPECT_EQ(Order::parse(order.to_text()), order);
  EXPECT_EQ(order.positions(), (std::vector<Rank>{1, 3, 4, 2, 6, 5, 0}));
  std::vector<Rank> many(1000);
  std::iota(many.rbegin(), many.rend(), 0);
  const Order large(Runs::of(125, 8), many);
  EXPECT_EQ(Order::parse(large.to_text()), large);
}

TEST(Order, has_each_number_once) {
  const auto refuses = [](std::vector<Rank> ranks, const char* words) {
    expect_error(
        Fault::invalid_argument, [&] { (void)Order(Runs::of(2, 2), std::move(ranks)); }, words);
  };
  refuses({0, 1, 2}, "3 ranks for nodes of 4");
  refuses({0, 1, 2, 4}, "rank 4 of 4");
  refuses({0, 1, 2, -1}, "rank -1 of 4");
  refuses({0, 1, 2, 1}, "rank 1 comes twice");
  expect_error(
      Fault::invalid_argument, [] { (void)Order(Runs(), {}); }, "no processes");
}

TEST(Order, a_file_that_is_no_order_is_refused_with_its_line) {
  const auto refuses = [](const char* text, const char* words, Fault fault = Fault::invalid_argument) {
    SCOPED_TRACE(text);
    expect_error(
        fault, [&] { (void)Order::parse(text); }, words);
  };
  refuses("", "it is empty");
  refuses("halocline trace 1\n", "line 1: \"halocline trace 1\" is not");
  refuses("halocline order 2\n", "version 2", Fault::unsupported);
  refuses("halocline order 1\nranks 0\nend\n", "line 2");
  refuses("halocline order 1\nnodes 2\nranks 0,x\nend\n", "line 3");
  refuses("halocline order 1\nnodes 2\nranks 0,1\n", "something is missing");
  refuses("halocline order 1\nnodes 2\nranks 0,1", "something is missing");
  refuses("halocline order 1\nend\n", "no line says what nodes");
  refuses("halocline order 1\nnodes 2\nranks 0,1\nend\nnodes 2\n", "behind the end");
  refuses("halocline order 1\nnodes 2\nranks 0,0\nend\n", "comes twice");
  refuses("halocline order 1\nnodes 2\nranks 0,99999999999999999999\nend\n", "line 3");
}

}  // namespace
}  // namespace halocline::place
