// SPDX-License-Identifier: BSD-3-Clause
// A file of measured prices: a line for each level of a machine and each way it was measured.
//   halocline prices 1
//   network alpha=5e-07 beta=8e-11 latency=1.5e-06 host=n* mpi=openmpi network=infiniband processes=48
//   largest=87381
#pragma once

#include "halocline/base/count.hpp"
#include "halocline/schedule/level_costs.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace halocline::plan {

/// Where messages were measured, or where they are to be sent. In a file, '*' in a name stands for any text;
/// where prices are looked for, an empty name fits all.
struct Circumstances {
  std::string host;
  std::string mpi;      ///< "openmpi", "mpich" or "other".
  std::string network;  ///< "tcp", "infiniband" and the like, see NetworkFacts.
  Count processes = 1;  ///< A node.
  bool operator==(const Circumstances&) const = default;
};

/// One line of the file.
struct Price {
  std::string level;  ///< "network", "node", or any other level that machines have.
  schedule::LinearCost cost;
  Circumstances measured;
  Count largest_bytes;   ///< Of a message in that measurement; kept for people, it decides nothing.
  std::size_t line = 0;  ///< Its number where it was read from.
};

/// The lines of such a file. Throws Error{invalid_argument} that begins with the number of the line if the
/// file is of another version, damaged or cut off.
[[nodiscard]] std::vector<Price> parse_prices(std::string_view text);

/// The line of a price, which parse_prices() reads back as it was. Throws Error{invalid_argument} for what
/// cannot be written: prices that are not finite, names that are empty or have blanks.
[[nodiscard]] std::string to_text(const Price& price);

/// The file with these prices in it, in front of all others: lines of the same levels and circumstances go,
/// everything else stays as it is, comments too. An empty text becomes a file. Throws as the two above.
[[nodiscard]] std::string with_prices(std::string_view text, std::span<const Price> measured);

/// What a level costs under these circumstances: of the lines that fit in all names, the one that was
/// measured with the nearest number of processes a node, by ratio; of several, the first. Null if none fits.
[[nodiscard]] const Price* price_of(std::span<const Price> prices, std::string_view level,
                                    const Circumstances& here);

/// What nodes, the network and these other levels of the machine cost here, as `otherwise` has it where the
/// file says nothing; nothing if that is all of them. Throws Error{invalid_argument} as LevelPrices::set().
[[nodiscard]] std::optional<LevelCosts> costs_of(std::span<const Price> prices, const Circumstances& here,
                                                 const LevelCosts& otherwise,
                                                 std::span<const std::string> levels = {});

/// Is it the pattern with some text in the place of each '*'?
[[nodiscard]] bool fits(std::string_view text, std::string_view pattern);

/// The name with a '*' in the place of each number, and of all that a file cannot hold: "n012-3" is "n*-*".
[[nodiscard]] std::string pattern_of(std::string_view name);

}  // namespace halocline::plan
