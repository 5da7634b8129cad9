// What a message costs between two processes, by what they share: a linear model, and where it is kept.
#pragma once

#include "halocline/base/count.hpp"
#include "halocline/schedule/level_costs.hpp"

#include <filesystem>
#include <optional>
#include <span>
#include <string>

namespace halocline::tools {

struct MessageTime {
  Count bytes;
  double seconds;  ///< From one process to the other.
};

/// A message of n bytes takes alpha + beta * n.
struct LinearTime {
  double alpha_seconds;
  double beta_seconds_per_byte;
  double largest_error;  ///< Of the model over all samples, relative to what was measured.
};

/// The line that is nearest to the samples, by the squares of relative errors: absolute ones would leave
/// small messages out of account. Neither number is negative.
/// @pre there is a sample, no time is 0
[[nodiscard]] LinearTime fit(std::span<const MessageTime> samples);

/// $XDG_CACHE_HOME/halocline/levels-HOST.json, with ~/.cache by default; none if the environment names
/// neither folder. A relative path is no folder, says the XDG specification.
[[nodiscard]] std::optional<std::filesystem::path> levels_file(const std::string& host);

[[nodiscard]] std::string this_host();

/// What such a file says, of a node as a whole and of the network; what it does not have costs what it costs
/// by default. Throws Error{invalid_argument} that names the file.
[[nodiscard]] LevelCosts stored_costs(const std::filesystem::path& path);

/// Writes a whole file or none, its folder included. Throws Error{internal} that names the file.
void store(const std::filesystem::path& path, const std::string& text);

}  // namespace halocline::tools
