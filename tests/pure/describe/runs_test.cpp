#include "halocline/describe/runs.hpp"

#include "base/fail.hpp"
#include "expect_error.hpp"

#include <random>

namespace halocline {
namespace {

TEST(Runs, agrees_with_a_plain_list) {
  constexpr std::uint64_t seed = 20240611;
  std::mt19937_64 random(seed);
  for (int round = 0; round < 200; ++round) {
    Counts values;
    for (std::uint64_t left = random() % 30; left > 0; --left)
      values.push_back(1 + static_cast<Count>(random() % 3));
    const Runs runs(values);
    ASSERT_EQ(runs.size(), static_cast<Count>(values.size())) << "seed " << seed << " round " << round;
    Count position = 0;
    for (Count i = 0; i < runs.size(); ++i) {
      const Count value = values[static_cast<std::size_t>(i)];
      EXPECT_EQ(runs[i], value);
      EXPECT_EQ(runs.start(i), position);
      for (Count k = 0; k < value; ++k) EXPECT_EQ(runs.find(position++), i);
    }
    EXPECT_EQ(runs.total(), position);
    EXPECT_EQ(runs.start(runs.size()), position);
    if (!values.empty()) {
      EXPECT_EQ(Runs::parse(runs.to_text()), runs) << runs.to_text();
    }
  }
}

TEST(Runs, text_forms) {
  EXPECT_EQ(Runs::parse("48,48,17").to_text(), "2x48,17");
  EXPECT_EQ(Runs::parse("40x48,20x24").total(), 2400);
  EXPECT_EQ(Runs::parse("2x48,48"), Runs::of(3, 48));
  EXPECT_TRUE(Runs::parse("50x48").uniform());
  EXPECT_EQ(Runs::of(Count{1} << 40, Count{1} << 20).find((Count{1} << 60) - 1), (Count{1} << 40) - 1);
}

TEST(Runs, refuses_nonsense) {
  const auto parse = [](const char* text) { return [text] { (void)Runs::parse(text); }; };
  expect_error(Fault::invalid_argument, parse("48,-1"), "\"48,-1\"", "size -1 is not positive");
  expect_error(Fault::invalid_argument, parse("0x48"), "repeated 0 times");
  expect_error(Fault::invalid_argument, parse("4294967296x2147483648"), "64 bits");
  for (const char* text : {"", "48,", "x48", "48;48", "3x", "2x3x4"})
    expect_error(Fault::invalid_argument, parse(text), concat("\"", text, "\""), "looks like");
}

}  // namespace
}  // namespace halocline
