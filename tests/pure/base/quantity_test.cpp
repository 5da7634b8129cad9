#include "base/quantity.hpp"

#include "expect_error.hpp"

namespace halocline {
namespace {

Scanner quantity_scanner(std::string_view text) { return {"quantity", text, "3 ns"}; }

template <class Scan>
auto read(std::string_view text, const Scan& scan) {
  Scanner scanned = quantity_scanner(text);
  const auto value = scan(scanned);
  scanned.expect_end();
  return value;
}

TEST(Quantity, reads_numbers_with_units) {
  EXPECT_DOUBLE_EQ(read("300ns", scan_seconds), 300e-9);
  EXPECT_DOUBLE_EQ(read("1.5 us", scan_seconds), 1.5e-6);
  EXPECT_DOUBLE_EQ(read("2ms", scan_seconds), 2e-3);
  EXPECT_DOUBLE_EQ(read("0 s", scan_seconds), 0);
  EXPECT_DOUBLE_EQ(read("12.5 GB/s", scan_bytes_per_second), 12.5e9);
  EXPECT_DOUBLE_EQ(read("100Gbit/s", scan_bytes_per_second), 12.5e9);
  EXPECT_DOUBLE_EQ(read("1GiB/s", scan_bytes_per_second), 1073741824.0);
  EXPECT_EQ(read("64", scan_bytes), 64);
  EXPECT_EQ(read("64B", scan_bytes), 64);
  EXPECT_EQ(read("1KiB", scan_bytes), 1024);
  EXPECT_EQ(read("3 kB", scan_bytes), 3000);
  EXPECT_EQ(read("8GiB", scan_bytes), Count{8} << 30);
}

TEST(Quantity, refuses_what_is_none) {
  const auto refuse = [](std::string_view text, const auto& scan, const char* why) {
    expect_error(
        Fault::invalid_argument, [&] { (void)read(text, scan); }, why);
  };
  refuse("300", scan_seconds, "a unit is missing, one of ns, us, ms, s");
  refuse("3 minutes", scan_seconds, "a unit is missing");
  refuse("-1ns", scan_seconds, "less than no time");
  refuse("5GB", scan_bytes_per_second, "a unit is missing");
  refuse("0 GB/s", scan_bytes_per_second, "a rate of 0");
  refuse("1e308 TB/s", scan_bytes_per_second, "1e+308 TB/s does not fit in 64 bits");
  refuse("1e-310 B/s", scan_bytes_per_second, "a rate of 1e-310");
  refuse("1e999 ns", scan_seconds, "1e999");
  refuse("0", scan_bytes, "a size of 0");
  refuse("-3KiB", scan_bytes, "a size of -3");
  refuse("1QiB", scan_bytes, "QiB");
  refuse("9223372036854775807KiB", scan_bytes, "9223372036854775807");
}

}  // namespace
}  // namespace halocline
