#include "tools/price_words.hpp"

#include "base/quantity.hpp"
#include "halocline/base/error.hpp"
#include "plan/machine_prices.hpp"
#include "plan/price_text.hpp"
#include "tools/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>

namespace halocline::tools {
namespace {

constexpr const char* example = "node=200ns,8GB/s or network=1.5us,12GB/s";

/// What a file has for here; what it does not have costs what it costs by default.
LevelCosts costs_in(const std::filesystem::path& path, const plan::Circumstances& here) try {
  const std::optional<std::string> text = plan::read_price_file(path);
  require(text.has_value(),
          "there is no such file; mpirun -n 8 halocline bench levels measures and writes it");
  const std::vector<plan::Price> prices = plan::parse_prices(*text);
  const auto costs = plan::costs_of(prices, here, {});
  if (costs) return *costs;
  fail(Fault::invalid_argument, "it has no prices of ",
       here.host.empty() ? "a node or a network" : concat("host ", here.host, " and network ", here.network));
} catch (const Error& error) {
  fail(error.fault(), path.string(), ": ", error.what());
}

/// Those that bench levels has found on this host, with any MPI.
LevelCosts measured(Count processes) {
  const std::optional<std::filesystem::path> path = plan::price_place().path;
  require(path.has_value(), "HALOCLINE_PRICES is none, or neither XDG_CONFIG_HOME nor HOME names a folder");
  return costs_in(*path, {plan::host_name(), "", plan::network_name(plan::look_at_network()), processes});
}

/// The prices with the one that the text names replaced, or all.
LevelCosts replaced(LevelCosts prices, const std::string& text, Count processes) {
  if (text == "measured") return measured(processes);
  const bool is_price =
      text.find('=') != std::string::npos && !text.starts_with('/') && !text.starts_with('.');
  if (!is_price) {
    std::error_code ignored;
    require(std::filesystem::exists(text, ignored), "it is neither a price such as ", example, " nor a file");
    return costs_in(text, {"", "", "", processes});  // wherever it was measured
  }
  Scanner scan("price", text, concat(example, ", or measured, or a file"));
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
                      "found on this host; or a file that it has written",
                      plan::price_text(usual.on_node), plan::price_text(usual.between_nodes)))
      .expected(1, 2);
}

LevelCosts PriceWords::prices(const Machine& machine, const LevelCosts& otherwise) const {
  Count processes = 1;
  for (const Run& run : machine.node_sizes().runs()) processes = std::max(processes, run.value);
  LevelCosts prices = otherwise;
  for (const std::string& text : prices_)
    prices = read_option("--alpha-beta", text,
                         [&](const std::string& price) { return replaced(prices, price, processes); });
  return prices;
}

}  // namespace halocline::tools
