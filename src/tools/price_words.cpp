#include "tools/price_words.hpp"

#include "base/quantity.hpp"
#include "halocline/base/error.hpp"
#include "tools/level_costs.hpp"
#include "tools/words.hpp"

#include <fmt/format.h>

#include <optional>

namespace halocline::tools {
namespace {

/// Those of a file that `bench levels` has written, by default that of this host.
std::optional<LevelCosts> measured(const std::string& text) {
  if (text.ends_with(".json")) return stored_costs(text);
  if (text != "measured") return std::nullopt;
  const auto file = levels_file(this_host());
  require(file.has_value(), "neither XDG_CACHE_HOME nor HOME names a folder");
  return stored_costs(*file);
}

/// The prices with the one that the text names replaced.
LevelCosts replaced(LevelCosts prices, const std::string& text) {
  if (const auto all = measured(text)) return *all;
  Scanner scan("price", text,
               "node=200ns,8GB/s or network=1.5us,12GB/s or network=1.5us,12GB/s,1.5us, or measured");
  const std::string level = scan.word();
  if (level != "node" && level != "network") scan.refuse("there is no level \"", level, "\"");
  scan.expect("=");
  const double seconds = scan_seconds(scan);
  scan.expect(",");
  const double rate = scan_bytes_per_second(scan);
  schedule::LinearCost& price = level == "node" ? prices.on_node : prices.between_nodes;
  price = {seconds, 1 / rate, price.latency_seconds};
  if (scan.accept(",")) price.latency_seconds = scan_seconds(scan);
  scan.expect_end();
  return prices;
}

}  // namespace

void PriceWords::declare(Options& options) {
  const LevelCosts usual;
  options
      .add_option(
          "--alpha-beta", prices_,
          fmt::format("what a message costs, how fast bytes go and how long a message is under way, on a "
                      "node and out of a node (default: node={} network={}, without blanks); measured: what "
                      "bench levels "
                      "found on this host; or its file, FILE.json",
                      price_text(usual.on_node), price_text(usual.between_nodes)))
      .expected(1, 2);
}

LevelCosts PriceWords::prices() const {
  LevelCosts prices;
  for (const std::string& text : prices_)
    prices =
        read_option("--alpha-beta", text, [&](const std::string& price) { return replaced(prices, price); });
  return prices;
}

std::string price_text(const schedule::LinearCost& price) {
  return fmt::format("{}, {:.3g} GB/s, {}", seconds_text(price.round_seconds), 1e-9 / price.byte_seconds,
                     seconds_text(price.latency_seconds));
}

std::string seconds_text(double seconds) {
  constexpr double rounds_to_1000 = 999.5;
  for (const Unit& unit : time_units)
    if (seconds < rounds_to_1000 * unit.factor)
      return fmt::format("{:.3g} {}", seconds / unit.factor, unit.name);
  return fmt::format("{:.0f} s", seconds);
}

}  // namespace halocline::tools
