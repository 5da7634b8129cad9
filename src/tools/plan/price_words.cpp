// SPDX-License-Identifier: BSD-3-Clause
#include "tools/plan/price_words.hpp"

#include "base/fail.hpp"
#include "base/index.hpp"
#include "base/numbers.hpp"
#include "base/quantity.hpp"
#include "halocline/base/error.hpp"
#include "plan/prices/machine_prices.hpp"
#include "plan/prices/pair_prices.hpp"
#include "plan/prices/price_text.hpp"
#include "tools/common/shared_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>

namespace halocline::tools {
namespace {

constexpr const char* price_example = "node=200ns,8GB/s or network=1.5us,12GB/s";

/// What a file has for here; what it does not have costs what it costs by default.
LevelCosts costs_in(const std::filesystem::path& path, const plan::Circumstances& here,
                    const std::vector<std::string>& levels) try {
  const std::optional<std::string> text = plan::read_price_file(path);
  require(text.has_value(),
          "there is no such file; mpirun -n 8 halocline bench levels measures and writes it");
  const std::vector<plan::Price> prices = plan::parse_prices(*text);
  const auto costs = plan::costs_of(prices, here, {}, levels);
  if (costs) return *costs;
  fail(Fault::invalid_argument, "it has no prices of ",
       here.host.empty() ? "a node or a network" : concat("host ", here.host, " and network ", here.network));
} catch (const Error& error) {
  fail(error.fault(), path.string(), ": ", error.what());
}

/// What the prices are for: a machine, by what is looked at of it.
struct Subject {
  Count processes = 1;              ///< Of its largest node.
  std::vector<std::string> levels;  ///< Besides the node.
  const Machine& machine;
};

/// Those that bench levels has found on this host, with any MPI.
LevelCosts measured(const Subject& subject) {
  const std::optional<std::filesystem::path> path = plan::price_place().path;
  require(path.has_value(), "HALOCLINE_PRICES is none, or neither XDG_CONFIG_HOME nor HOME names a folder");
  return costs_in(*path,
                  {plan::host_name(), "", plan::network_name(plan::look_at_network()), subject.processes},
                  subject.levels);
}

/// What messages inside groups of a level cost so far.
schedule::LinearCost price_so_far(const LevelCosts& prices, const std::string& level,
                                  const Machine& machine) {
  if (level == "node") return prices.on_node;
  const auto& levels = machine.levels();
  const auto named =
      std::find_if(levels.begin(), levels.end(), [&](const auto& each) { return each.name == level; });
  if (level == "network" || named == levels.end()) return prices.between_nodes;
  const auto number = to_index(named - levels.begin());
  for (std::size_t l = number + 1; l-- > 0 && l != machine.node_level();)
    if (const schedule::LinearCost* const price = prices.levels.find(levels[l].name)) return *price;
  return number > machine.node_level() ? prices.on_node : prices.between_nodes;
}

/// The level at which the text begins. Refuses what the machine does not have.
std::string scan_level(Scanner& scan, const std::vector<std::string>& others) {
  std::string level = scan.word();
  if (level == "node" || level == "network" || std::find(others.begin(), others.end(), level) != others.end())
    return level;
  std::string list = others.empty() ? "node and network" : "node, network";
  for (const std::string& other : others) list += concat(&other == &others.back() ? " and " : ", ", other);
  scan.refuse("there is no level \"", level, "\"; this machine has prices of ", list);
}

/// The prices with the one that the text names replaced, or all.
LevelCosts replaced(LevelCosts prices, const std::string& text, const Subject& subject) {
  if (text == "measured") return measured(subject);
  const bool is_price =
      text.find('=') != std::string::npos && !text.starts_with('/') && !text.starts_with('.');
  if (!is_price) {
    std::error_code ignored;
    require(std::filesystem::exists(text, ignored), "it is neither a price such as ", price_example,
            " nor a file");
    return costs_in(text, {"", "", "", subject.processes}, subject.levels);  // wherever it was measured
  }
  Scanner scan("price", text, concat(price_example, ", or measured, or a file"));
  const std::string level = scan_level(scan, subject.levels);
  scan.expect("=");
  const double seconds = scan_seconds(scan);
  scan.expect(",");
  const double rate = scan_bytes_per_second(scan);
  schedule::LinearCost price{seconds, 1 / rate, price_so_far(prices, level, subject.machine).latency_seconds};
  if (scan.accept(",")) price.latency_seconds = scan_seconds(scan);
  scan.expect_end();
  if (level == "node")
    prices.on_node = price;
  else if (level == "network")
    prices.between_nodes = price;
  else
    prices.levels.set(level, price);
  return prices;
}

}  // namespace

void PriceWords::declare(Options& options) {
  const LevelCosts usual;
  options
      .add_option(
          "--alpha-beta", prices_,
          fmt::format("what a message costs, how fast bytes go and how long a message is under way, on a "
                      "node and out of a node (default: node={} network={}, without blanks), or inside "
                      "another level of the machine, such as numa=100ns,10GB/s; measured: what bench levels "
                      "found on this host; or a file that it has written",
                      plan::price_text(usual.on_node), plan::price_text(usual.between_nodes)))
      .expected(1, to_int(plan::PairPrices::most));
}

LevelCosts PriceWords::prices(const Machine& machine, const LevelCosts& otherwise) const {
  Subject subject{1, plan::other_levels(machine), machine};
  for (const Run& run : machine.node_sizes().runs())
    subject.processes = std::max(subject.processes, run.value);
  LevelCosts prices = otherwise;
  for (const std::string& text : prices_)
    prices = read_option("--alpha-beta", text,
                         [&](const std::string& price) { return replaced(prices, price, subject); });
  return prices;
}

}  // namespace halocline::tools
