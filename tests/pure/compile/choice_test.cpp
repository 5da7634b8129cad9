#include "compile/generated/choice.hpp"

#include "../expect_error.hpp"
#include "compile/engines.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace halocline::compile {
namespace {

TEST(EngineKind, names_an_engine) {
  EXPECT_EQ(engine(EngineKind::automatic).name, "auto");
  EXPECT_EQ(engine(EngineKind::llvm).name, "llvm");
  EXPECT_EQ(engine(EngineKind::kernels).name, "kernels");
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
}

}  // namespace
}  // namespace halocline::compile
