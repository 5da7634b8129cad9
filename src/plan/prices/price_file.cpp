// SPDX-License-Identifier: BSD-3-Clause
#include "plan/prices/price_file.hpp"

#include "base/fail.hpp"
#include "base/index.hpp"
#include "base/numbers.hpp"
#include "halocline/base/error.hpp"
#include "schedule/by_node.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace halocline::plan {
namespace {

constexpr std::string_view heading = "halocline prices ";
constexpr std::string_view version = "1";
constexpr std::string_view blanks = " \t\r";
constexpr std::array<std::string_view, 8> keys{"alpha", "beta",    "latency",   "host",
                                               "mpi",   "network", "processes", "largest"};

bool is_plain(char c) { return c > ' ' && c < '\x7f'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// As it may stand in a message of one line.
std::string shown(std::string_view text) {
  constexpr std::size_t most = 60;
  std::string result = "\"";
  for (const char c : text.substr(0, most)) result += is_plain(c) || c == ' ' ? c : '?';
  return result + (text.size() > most ? "...\"" : "\"");
}

/// A line with the place where it stands, which every refusal names.
class Line {
 public:
  Line(std::size_t number, std::string_view text) : number_(number), text_(text) {}

  template <class... Parts>
  [[noreturn]] void refuse(const Parts&... parts) const {
    fail(Fault::invalid_argument, "line ", number_, ": ", parts...);
  }

  [[nodiscard]] std::size_t number() const { return number_; }
  /// The next word, empty at the end.
  std::string_view word() {
    text_.remove_prefix(std::min(text_.find_first_not_of(blanks), text_.size()));
    const std::string_view found = text_.substr(0, text_.find_first_of(blanks));
    text_.remove_prefix(found.size());
    return found;
  }

 private:
  std::size_t number_;
  std::string_view text_;
};

template <class Number>
Number number_of(const Line& line, std::string_view key, std::string_view value, std::string_view wanted) {
  Number number{};
  const auto [end, status] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (status != std::errc() || end != value.data() + value.size())
    line.refuse(key, " is ", shown(value), "; it takes ", wanted);
  return number;
}

double seconds_of(const Line& line, std::string_view key, std::string_view value) {
  constexpr double most = 1e100;  // as schedule::check()
  constexpr const char* wanted = "a number of seconds such as 1.5e-06";
  const auto seconds = number_of<double>(line, key, value, wanted);
  if (!(seconds >= 0 && seconds <= most)) line.refuse(key, " is ", shown(value), "; it takes ", wanted);
  return seconds;
}

Count counted(const Line& line, std::string_view key, std::string_view value) {
  constexpr const char* wanted = "an integer from 1 on";
  const auto count = number_of<Count>(line, key, value, wanted);
  if (count < 1) line.refuse(key, " is ", shown(value), "; it takes ", wanted);
  return count;
}

bool is_name(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), is_plain);
}
bool is_level(std::string_view text) {
  return is_name(text) && text.find('=') == std::string_view::npos && text.front() != '#';
}

/// The values of all keys, in the order of the table.
std::array<std::string_view, keys.size()> values_of(Line& line) {
  std::array<std::string_view, keys.size()> values{};
  for (std::string_view word = line.word(); !word.empty(); word = line.word()) {
    const std::size_t equals = word.find('=');
    const auto* const key = std::find(keys.begin(), keys.end(), word.substr(0, equals));
    if (equals == std::string_view::npos || key == keys.end())
      line.refuse(shown(word),
                  " is none of alpha, beta, latency, host, mpi, network, processes, largest, "
                  "each followed by = and its value");
    std::string_view& value = values[to_index(key - keys.begin())];
    if (!value.empty()) line.refuse(*key, " is said twice");
    value = word.substr(equals + 1);
    if (!is_name(value)) line.refuse(*key, " is ", shown(value), "; it takes a value without blanks");
  }
  for (std::size_t k = 0; k < keys.size(); ++k)
    if (values[k].empty()) line.refuse(keys[k], " is missing");
  return values;
}

Price price_in(Line line) {
  Price price{};
  price.line = line.number();
  price.level = line.word();
  if (!is_level(price.level))
    line.refuse("it begins with ", shown(price.level), " instead of a level such as node or network");
  const auto [alpha, beta, latency, host, mpi, network, processes, largest] = values_of(line);
  price.cost = {seconds_of(line, keys[0], alpha), seconds_of(line, keys[1], beta),
                seconds_of(line, keys[2], latency)};
  price.measured = {std::string(host), std::string(mpi), std::string(network),
                    counted(line, keys[6], processes)};
  price.largest_bytes = counted(line, keys[7], largest);
  return price;
}

/// A line of the file, and the price on it if there is one.
struct Entry {
  std::string_view text;
  std::optional<Price> price;
};

void require_heading(std::string_view first) {
  Line line(1, first);
  if (!first.starts_with(heading))
    line.refuse("it is ", shown(first), "; a file of prices begins with \"", heading, version, "\"");
  const std::string_view found =
      first.substr(heading.size(), first.find_last_not_of(blanks) + 1 - heading.size());
  if (found != version)
    line.refuse("the file is of version ", shown(found), "; this program reads version ", version);
}

std::vector<Entry> entries_of(std::string_view text) {
  std::vector<Entry> entries;
  std::size_t number = 0;
  while (!text.empty() || number == 0) {
    ++number;
    const std::size_t end = text.find('\n');
    const std::string_view written = text.substr(0, end);
    if (number == 1) require_heading(written);
    if (end == std::string_view::npos) Line(number, written).refuse("it does not end: the file was cut off");
    const std::size_t begin = written.find_first_not_of(blanks);
    const bool says_nothing = number == 1 || begin == std::string_view::npos || written[begin] == '#';
    entries.push_back({written, std::nullopt});
    if (!says_nothing) entries.back().price = price_in(Line(number, written));
    text.remove_prefix(end + 1);
  }
  return entries;
}

/// The shortest text that is read back as the same number.
std::string number_text(double number) {
  std::array<char, 32> digits{};
  const auto [end, status] = std::to_chars(digits.data(), digits.data() + digits.size(), number);
  return {digits.data(), end};
}

}  // namespace

std::vector<Price> parse_prices(std::string_view text) {
  std::vector<Price> prices;
  for (Entry& entry : entries_of(text))
    if (entry.price) prices.push_back(std::move(*entry.price));
  return prices;
}

std::string to_text(const Price& price) {
  const auto& [host, mpi, network, processes] = price.measured;
  std::string line =
      concat(price.level, " alpha=", number_text(price.cost.round_seconds),
             " beta=", number_text(price.cost.byte_seconds),
             " latency=", number_text(price.cost.latency_seconds), " host=", host, " mpi=", mpi,
             " network=", network, " processes=", processes, " largest=", price.largest_bytes);
  (void)price_in(Line(1, line));
  return line;
}

std::string with_prices(std::string_view text, std::span<const Price> measured) {
  std::string file = concat(heading, version, "\n");
  for (const Price& price : measured) file += to_text(price) + "\n";
  if (text.empty()) return file;
  std::vector<Entry> entries = entries_of(text);
  entries.erase(entries.begin());
  for (const Entry& entry : entries) {
    const bool replaced =
        entry.price && std::any_of(measured.begin(), measured.end(), [&](const Price& price) {
          return price.level == entry.price->level && price.measured == entry.price->measured;
        });
    if (!replaced) file += concat(entry.text, "\n");
  }
  return file;
}

const Price* price_of(std::span<const Price> prices, std::string_view level, const Circumstances& here) {
  const auto fits_or_any = [](const std::string& name, const std::string& pattern) {
    return name.empty() || fits(name, pattern);
  };
  const Price* nearest = nullptr;
  double least = 0;
  for (const Price& price : prices) {
    const Circumstances& there = price.measured;
    if (price.level != level || !fits_or_any(here.host, there.host) || !fits_or_any(here.mpi, there.mpi) ||
        !fits_or_any(here.network, there.network))
      continue;
    const double ratio = ratio_of(std::max(here.processes, there.processes),
                                  std::max<Count>(1, std::min(here.processes, there.processes)));
    if (nearest != nullptr && ratio >= least) continue;
    nearest = &price;
    least = ratio;
  }
  return nearest;
}

std::optional<LevelCosts> costs_of(std::span<const Price> prices, const Circumstances& here,
                                   const LevelCosts& otherwise, std::span<const std::string> levels) {
  LevelCosts costs = otherwise;
  bool found = false;
  const auto look_up = [&](std::string_view level) {
    const Price* const price = price_of(prices, level, here);
    found = found || price != nullptr;
    return price;
  };
  if (const Price* const node = look_up("node")) costs.on_node = node->cost;
  if (const Price* const network = look_up("network")) costs.between_nodes = network->cost;
  for (const std::string& level : levels)
    if (level != "node" && level != "network")
      if (const Price* const price = look_up(level)) costs.levels.set(level, price->cost);
  return found ? std::optional(costs) : std::nullopt;
}

bool fits(std::string_view text, std::string_view pattern) {
  // Where the last star was, and what it stands for so far: one more character whenever the rest does not
  // fit.
  std::size_t t = 0, p = 0, star = std::string_view::npos, taken = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      taken = t;
    } else if (p < pattern.size() && pattern[p] == text[t]) {
      ++p, ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++taken;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

std::string pattern_of(std::string_view name) {
  std::string pattern;
  for (const char c : name) {
    if (is_plain(c) && !is_digit(c))
      pattern += c;
    else if (pattern.empty() || pattern.back() != '*')
      pattern += '*';
  }
  return pattern.empty() ? "*" : pattern;
}

}  // namespace halocline::plan
