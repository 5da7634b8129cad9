// SPDX-License-Identifier: BSD-3-Clause
#include "plan/prices/machine_prices.hpp"

#include "base/fail.hpp"
#include "base/settings.hpp"
#include "base/text_file.hpp"
#include "halocline/base/error.hpp"

#include <algorithm>
#include <cstdlib>

namespace halocline::plan {
namespace {

namespace fs = std::filesystem;

std::string variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

fs::path folder(const char* name) {
  const std::string value = variable(name);
  return value.starts_with('/') ? fs::path(value) : fs::path();
}

/// "node, network or numa".
std::string level_list(std::span<const std::string> others) {
  std::string list = others.empty() ? "node or network" : "node, network";
  for (const std::string& level : others) list += concat(&level == &others.back() ? " or " : ", ", level);
  return list;
}

/// Those of the prices that are for here. Throws Error{invalid_argument} if none is.
LevelCosts costs_for(const Circumstances& here, std::span<const Price> prices, const LevelCosts& otherwise,
                     std::span<const std::string> levels) {
  if (const auto costs = costs_of(prices, here, otherwise, levels)) return *costs;
  const auto told = [](const Circumstances& where) {
    return concat("host=", where.host, " mpi=", where.mpi, " network=", where.network);
  };
  if (prices.empty()) fail(Fault::invalid_argument, "it has no prices");
  for (const Price& price : prices)
    if (price_of({&price, 1}, price.level, here) != nullptr)
      fail(Fault::invalid_argument, "none of its prices is of ", level_list(levels), "; line ", price.line,
           " is of ", price.level);
  fail(Fault::invalid_argument, "none of its prices is for ", told(here), "; line ", prices.front().line,
       " is for ", told(prices.front().measured));
}

}  // namespace

PricePlace price_place() {
  if (const std::string named = variable(settings::prices.variable); !named.empty()) {
    if (named == "none") return {};
    return {named, true};
  }
  fs::path configuration = folder("XDG_CONFIG_HOME");
  if (configuration.empty() && !folder("HOME").empty()) configuration = folder("HOME") / ".config";
  if (configuration.empty()) return {};
  return {configuration / "halocline" / "prices", false};
}

std::optional<std::string> read_price_file(const fs::path& path) {
  return read_text_file(path, std::size_t{1} << 20);
}

std::string price_file_with(const fs::path& path, std::span<const Price> measured) try {
  return with_prices(read_price_file(path).value_or(""), measured);
} catch (const Error& error) {
  fail(error.fault(), path.string(), ": ", error.what(), "; it was not changed");
}

void store_prices(const fs::path& path, std::span<const Price> measured) {
  const std::string text = price_file_with(path, measured);
  std::error_code failure;
  fs::create_directories(path.parent_path(), failure);
  write_text_file(path, text);
}

bool machine_is_described() { return !variable(settings::machine.variable).empty(); }

std::string network_name(const NetworkFacts& facts) {
  return machine_is_described() ? "described" : facts.kind;
}

MachinePrices machine_prices(const PricePlace& place, const Circumstances& here, const MachineFacts& facts) {
  const LevelCosts otherwise = default_prices(facts);
  if (!place.path) return {otherwise, "", false};
  bool understood = false;
  try {
    const std::optional<std::string> text = read_price_file(*place.path);
    if (!text && !place.asked_for) return {otherwise, "", false};
    if (!text) fail(Fault::invalid_argument, "there is no such file");
    const std::vector<Price> prices = parse_prices(*text);
    understood = true;
    return {costs_for(here, prices, otherwise, facts.levels), "", false};
  } catch (const std::exception& error) {
    std::string complaint = concat("default prices, not those of ", place.path->string(), ": ", error.what());
    std::replace_if(
        complaint.begin(), complaint.end(), [](char c) { return c >= 0 && c < ' '; }, '?');
    return {otherwise, std::move(complaint), place.asked_for || !understood};
  }
}

}  // namespace halocline::plan
