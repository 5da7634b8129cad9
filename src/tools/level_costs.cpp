#include "tools/level_costs.hpp"

#include "halocline/base/error.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>

#include <nlohmann/json.hpp>

#include <unistd.h>

namespace halocline::tools {

LinearTime fit(std::span<const MessageTime> samples) {
  // Minimises the sum of ((alpha + beta * n) / t - 1)^2: linear equations in alpha and beta.
  double aa = 0, ab = 0, bb = 0, a = 0, b = 0;
  for (const MessageTime& sample : samples) {
    const double u = 1 / sample.seconds, v = static_cast<double>(sample.bytes) / sample.seconds;
    aa += u * u, ab += u * v, bb += v * v, a += u, b += v;
  }
  const double determinant = aa * bb - ab * ab;
  LinearTime line{a / aa, 0, 0};  // all of one size: nothing is known of bytes
  if (determinant > 1e-12 * aa * bb) {
    line.alpha_seconds = (a * bb - b * ab) / determinant;
    line.beta_seconds_per_byte = (b * aa - a * ab) / determinant;
    if (line.alpha_seconds < 0) line = {0, b / bb, 0};
    if (line.beta_seconds_per_byte < 0) line = {a / aa, 0, 0};
  }
  for (const MessageTime& sample : samples) {
    const double model = line.alpha_seconds + line.beta_seconds_per_byte * static_cast<double>(sample.bytes);
    line.largest_error = std::max(line.largest_error, std::abs(model / sample.seconds - 1));
  }
  return line;
}

std::string this_host() {
  std::string name(256, '\0');
  if (gethostname(name.data(), name.size() - 1) != 0) return "unknown";
  name.resize(name.find('\0'));
  std::replace(name.begin(), name.end(), '/', '_');
  return name.empty() ? "unknown" : name;
}

std::optional<std::filesystem::path> levels_file(const std::string& host) {
  const auto folder = [](const char* variable) -> std::filesystem::path {
    const char* const value = std::getenv(variable);
    return value != nullptr && value[0] == '/' ? value : "";
  };
  std::filesystem::path cache = folder("XDG_CACHE_HOME");
  if (cache.empty() && !folder("HOME").empty()) cache = folder("HOME") / ".cache";
  if (cache.empty()) return std::nullopt;
  return cache / "halocline" / ("levels-" + host + ".json");
}

void store(const std::filesystem::path& path, const std::string& text) {
  std::error_code failure;
  std::filesystem::create_directories(path.parent_path(), failure);
  // Readers see the old file or the new one: another job may be writing, too.
  const std::filesystem::path draft = path.string() + "." + std::to_string(getpid());
  std::ofstream file(draft);
  file << text;
  file.close();
  if (file) std::filesystem::rename(draft, path, failure);
  if (!file || failure) {
    std::filesystem::remove(draft, failure);
    throw Error(Fault::internal, concat("cannot write ", path.string()));
  }
}

namespace {

double number_in(const nlohmann::json& level, const char* key) {
  const nlohmann::json& value = level.at(key);
  require(value.is_number(), key, " is ", value.dump(), "; it takes a number such as 1e-6");
  return value.get<double>();
}

/// What is wrong, without the library's own name for it: "[json.exception.parse_error.101] parse error at
/// ...".
std::string_view cause_of(const nlohmann::json::exception& error) {
  const std::string_view text = error.what();
  const std::size_t end = text.find("] ");
  return text.starts_with("[json.exception") && end != std::string_view::npos ? text.substr(end + 2) : text;
}

}  // namespace

LevelCosts stored_costs(const std::filesystem::path& path) {
  std::ifstream file(path);
  if (!file)
    throw Error(
        Fault::invalid_argument,
        concat("there is no ", path.string(), "; mpirun -n 8 halocline bench levels measures and writes it"));
  LevelCosts costs;
  try {
    const nlohmann::json written = nlohmann::json::parse(file);
    for (const auto& level : written.at("levels")) {
      const schedule::LinearCost cost{number_in(level, "alpha_seconds"),
                                      number_in(level, "beta_seconds_per_byte")};
      schedule::check(cost);
      // Levels of a node come from the inside out: the last is the node.
      (level.at("name") == "network" ? costs.between_nodes : costs.on_node) = cost;
    }
  } catch (const nlohmann::json::exception& error) {
    throw Error(Fault::invalid_argument,
                concat(path.string(), " is not what halocline bench levels writes: ", cause_of(error)));
  }
  return costs;
}

}  // namespace halocline::tools
