#include "plan/machine_prices.hpp"

#include "halocline/base/error.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

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

/// A file that is closed in the end.
class OpenFile {
 public:
  explicit OpenFile(const fs::path& path)
      : descriptor_(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)) {}
  ~OpenFile() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  [[nodiscard]] int get() const { return descriptor_; }

 private:
  int descriptor_;
};

[[noreturn]] void refuse(const char* why) { fail(Fault::invalid_argument, "it cannot be read: ", why); }

/// The costs that the text has for here. Throws Error{invalid_argument} if it has none.
LevelCosts costs_in(std::string_view text, const Circumstances& here, const LevelCosts& otherwise) {
  const std::vector<Price> prices = parse_prices(text);
  if (const auto costs = costs_of(prices, here, otherwise)) return *costs;
  const auto told = [](const Circumstances& where) {
    return concat("host=", where.host, " mpi=", where.mpi, " network=", where.network);
  };
  if (prices.empty()) fail(Fault::invalid_argument, "it has no prices");
  fail(Fault::invalid_argument, "none of its prices is for ", told(here), "; line ", prices.front().line,
       " is for ", told(prices.front().measured));
}

}  // namespace

PricePlace price_place() {
  if (const std::string named = variable("HALOCLINE_PRICES"); !named.empty()) {
    if (named == "none") return {};
    return {named, true};
  }
  fs::path settings = folder("XDG_CONFIG_HOME");
  if (settings.empty() && !folder("HOME").empty()) settings = folder("HOME") / ".config";
  if (settings.empty()) return {};
  return {settings / "halocline" / "prices", false};
}

std::optional<std::string> read_price_file(const fs::path& path) {
  constexpr std::size_t most_bytes = std::size_t{1} << 20;
  const OpenFile file(path);
  if (file.get() < 0) {
    if (errno == ENOENT) return std::nullopt;
    refuse(std::strerror(errno));
  }
  struct stat about {};
  if (fstat(file.get(), &about) != 0) refuse(std::strerror(errno));
  if (!S_ISREG(about.st_mode)) refuse("it is not a plain file");
  std::string text(most_bytes + 1, '\0');
  std::size_t length = 0;
  while (length < text.size()) {
    const ssize_t got = read(file.get(), text.data() + length, text.size() - length);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) refuse(std::strerror(errno));
    if (got == 0) break;
    length += static_cast<std::size_t>(got);
  }
  if (length > most_bytes) refuse("it has more than 1 MiB");
  text.resize(length);
  return text;
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
  // Behind a link lies the file that is meant.
  const fs::path meant = fs::weakly_canonical(path, failure);
  const fs::path target = failure || meant.empty() ? path : meant;
  // Readers see the old file or the new one: another job may be writing, too.
  const fs::path draft = target.string() + "." + std::to_string(getpid());
  std::ofstream file(draft);
  file << text;
  file.close();
  if (file) fs::rename(draft, target, failure);
  if (!file || failure) {
    fs::remove(draft, failure);
    fail(Fault::internal, "cannot write ", path.string());
  }
}

bool machine_is_described() { return !variable("HALOCLINE_MACHINE").empty(); }

std::string network_name(const NetworkFacts& facts) {
  return machine_is_described() ? "described" : facts.kind;
}

MachinePrices machine_prices(const PricePlace& place, const Circumstances& here, const MachineFacts& facts) {
  const LevelCosts otherwise = default_prices(facts);
  if (!place.path) return {otherwise, ""};
  try {
    const std::optional<std::string> text = read_price_file(*place.path);
    if (!text && !place.asked_for) return {otherwise, ""};
    if (!text) fail(Fault::invalid_argument, "there is no such file");
    return {costs_in(*text, here, otherwise), ""};
  } catch (const std::exception& error) {
    std::string complaint = concat("default prices, not those of ", place.path->string(), ": ", error.what());
    std::replace_if(
        complaint.begin(), complaint.end(), [](char c) { return c >= 0 && c < ' '; }, '?');
    return {otherwise, std::move(complaint)};
  }
}

}  // namespace halocline::plan
