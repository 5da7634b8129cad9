#include "halocline/compile/choice.hpp"

#include "../expect_error.hpp"
#include "halocline/compile/packer_cache.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace halocline::compile {
namespace {

TEST(Choice, text_round_trips) {
  for (const Choice choice : {Choice::automatic, Choice::kernels, Choice::llvm, Choice::interpreter})
    EXPECT_EQ(parse_choice(to_text(choice)), choice);
  EXPECT_EQ(to_text(Choice::automatic), "auto");
  expect_error(
      Fault::invalid_argument, [] { (void)parse_choice("gcc"); }, "gcc", "kernels", "auto");
}

TEST(Choice, names_an_engine) {
  EXPECT_EQ(engine(Choice::automatic).name, "auto");
  EXPECT_EQ(engine(Choice::llvm).name, "llvm");
  EXPECT_EQ(engine(Choice::kernels).name, "kernels");
  EXPECT_EQ(engine(Choice::interpreter).name, "interpreter");
}

TEST(BreakEven, is_where_the_gain_has_paid_for_the_compilation) {
  EXPECT_EQ(break_even(1e-3, 5e-6, 4e-6), 1000);
  EXPECT_EQ(break_even(1e-3, 5e-6, 5e-6), std::nullopt);
  EXPECT_EQ(break_even(1e-3, 5e-6, 6e-6), std::nullopt);
  EXPECT_EQ(break_even(0, 5e-6, 4e-6), 0);
  EXPECT_EQ(break_even(1e300, 2e-300, 1e-300), std::nullopt);
  expect_error(
      Fault::invalid_argument, [] { (void)break_even(-1, 1, 1); }, "-1");
  expect_error(
      Fault::invalid_argument, [] { (void)break_even(1, std::numeric_limits<double>::quiet_NaN(), 1); },
      "nan");
  EXPECT_EQ(choose(999, 1e-3, 5e-6, 4e-6), Choice::kernels);
  EXPECT_EQ(choose(1001, 1e-3, 5e-6, 4e-6), Choice::llvm);
  EXPECT_EQ(choose(1 << 30, 1e-3, 5e-6, 5e-6), Choice::kernels);
}

TEST(PackerCache, one_packer_for_each_byte_sequence) {
  PackerCache cache;
  const Packer vector = cache.packer({Layout::parse("vector(4,1,2,double)")});
  const Packer list = cache.packer({Layout::parse("indexed_block(1,[0,2,4,6],double)")});
  EXPECT_EQ(cache.size(), 1u);
  EXPECT_EQ(&vector.canonical(), &list.canonical());
  const Packer other = cache.packer({Layout::parse("vector(4,1,3,double)")});
  EXPECT_EQ(cache.size(), 2u);
  EXPECT_NE(&vector.canonical(), &other.canonical());
  cache.clear();
  EXPECT_EQ(cache.size(), 0u);
  EXPECT_EQ(list.bytes(), 32);
  // An engine that walks layouts gets one of the layouts: they all pack the same bytes.
  PackerCache walking(engine("interpreter"));
  EXPECT_EQ(walking.packer({Layout::parse("contiguous(3,int)")}).engine(), "interpreter");
}

}  // namespace
}  // namespace halocline::compile
