#include "tools/price_words.hpp"

#include "base/quantity.hpp"
#include "tools/words.hpp"

#include <fmt/format.h>

namespace halocline::tools {
namespace {

/// The prices with the one that the text names replaced.
LevelCosts replaced(LevelCosts prices, const std::string& text) {
  Scanner scan("price", text, "node=200ns,8GB/s or network=1.5us,12GB/s");
  const std::string level = scan.word();
  if (level != "node" && level != "network") scan.refuse("there is no level \"", level, "\"");
  scan.expect("=");
  const double seconds = scan_seconds(scan);
  scan.expect(",");
  const double rate = scan_bytes_per_second(scan);
  scan.expect_end();
  (level == "node" ? prices.on_node : prices.between_nodes) = {seconds, 1 / rate};
  return prices;
}

}  // namespace

void PriceWords::declare(CLI::App& options) {
  const LevelCosts usual;
  options
      .add_option("--alpha-beta", prices_,
                  fmt::format("what a message costs and how fast bytes go, on a node and out of a node "
                              "(default: node={} network={}, without blanks)",
                              price_text(usual.on_node), price_text(usual.between_nodes)))
      ->expected(1, 2);
}

LevelCosts PriceWords::prices() const {
  LevelCosts prices;
  for (const std::string& text : prices_)
    prices =
        read_option("--alpha-beta", text, [&](const std::string& price) { return replaced(prices, price); });
  return prices;
}

std::string price_text(const schedule::LinearCost& price) {
  return fmt::format("{}, {:.3g} GB/s", seconds_text(price.round_seconds), 1e-9 / price.byte_seconds);
}

std::string seconds_text(double seconds) {
  constexpr double rounds_to_1000 = 999.5;
  for (const Unit& unit : time_units)
    if (seconds < rounds_to_1000 * unit.factor)
      return fmt::format("{:.3g} {}", seconds / unit.factor, unit.name);
  return fmt::format("{:.0f} s", seconds);
}

}  // namespace halocline::tools
