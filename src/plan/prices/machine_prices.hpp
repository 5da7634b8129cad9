// SPDX-License-Identifier: BSD-3-Clause
// Where measured prices are kept, and which of them are those of a machine.
#pragma once

#include "plan/prices/default_prices.hpp"
#include "plan/prices/price_file.hpp"

#include <filesystem>
#include <optional>
#include <string>

namespace halocline::plan {

/// Where this process's environment says that prices are: the file that HALOCLINE_PRICES names, which may be
/// "none", else $XDG_CONFIG_HOME/halocline/prices, else ~/.config/halocline/prices. Nothing if it says
/// nothing. A relative XDG_CONFIG_HOME or HOME is no folder, says the XDG specification.
struct PricePlace {
  std::optional<std::filesystem::path> path;
  bool asked_for = false;  ///< By HALOCLINE_PRICES: then it should be there.
};
[[nodiscard]] PricePlace price_place();

/// The contents; nothing if there is no such file. Throws Error{invalid_argument} if it cannot be read or is
/// no file of at most 1 MiB, since a pipe might never end; the caller names the file.
[[nodiscard]] std::optional<std::string> read_price_file(const std::filesystem::path& path);

/// What is in the file, with these prices in it, see with_prices(); changes nothing. Throws
/// Error{invalid_argument} that names the file if it is there and cannot be understood.
[[nodiscard]] std::string price_file_with(const std::filesystem::path& path, std::span<const Price> measured);

/// Puts these prices into the file, its folder included: all of it or, if that fails, nothing. Throws as
/// above, and Error{internal} if it cannot be written.
void store_prices(const std::filesystem::path& path, std::span<const Price> measured);

/// Does HALOCLINE_MACHINE make the machine of this process up?
[[nodiscard]] bool machine_is_described();
/// What a file calls the network of this process: its kind, or "described" as above. What is measured between
/// nodes that are none holds nowhere else.
[[nodiscard]] std::string network_name(const NetworkFacts& facts);

struct MachinePrices {
  LevelCosts costs;
  std::string complaint;  ///< Why a file that is there was not used, in one line; empty if it was.
  bool worth_saying;      ///< Unless it is in order, of other machines, and nobody asked for it.
};

/// Those of the file at that place, as far as it has them, else default ones. Comes back without an exception
/// whatever the file is.
[[nodiscard]] MachinePrices machine_prices(const PricePlace& place, const Circumstances& here,
                                           const MachineFacts& facts);

}  // namespace halocline::plan
