// SPDX-License-Identifier: BSD-3-Clause
// The text form of a trace: a line for each thing, which begins with what it is. docs/trace.md describes it.

#include "base/fail.hpp"
#include "base/scanner.hpp"
#include "halocline/base/error.hpp"
#include "trace/trace.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <utility>

namespace halocline::trace {
namespace {

constexpr std::string_view first_line = "halocline trace 1";
constexpr std::string_view last_line = "end";

std::string end_text(Count rank) { return rank == outside ? "outside" : std::to_string(rank); }

/// The shortest that is read as the same number.
std::string seconds_text(double seconds) {
  std::array<char, 32> text;
  return {text.data(), std::to_chars(text.data(), text.data() + text.size(), seconds).ptr};
}

template <class... Words>
void add_line(std::string& text, const Words&... words) {
  const char* gap = "";
  (((text += gap) += words, gap = " "), ...);
  text += '\n';
}

void expect_blank(Scanner& scan) {
  if (!scan.accept_blanks()) scan.refuse("a blank is missing");
}

std::string next_word(Scanner& scan) {
  expect_blank(scan);
  return scan.until_blank();
}

Count next_number(Scanner& scan) {
  expect_blank(scan);
  return scan.integer();
}

double next_seconds(Scanner& scan) {
  expect_blank(scan);
  return scan.number();
}

Count next_end(Scanner& scan) {
  expect_blank(scan);
  return scan.accept("outside") ? outside : scan.integer();
}

template <class Kind, std::size_t size>
Kind next_kind(Scanner& scan, const std::array<std::string_view, size>& names) {
  const std::string word = next_word(scan);
  const auto found = std::find(names.begin(), names.end(), word);
  if (found == names.end()) scan.refuse("there is no kind \"", word, "\"");
  return static_cast<Kind>(found - names.begin());
}

/// What the lines so far have.
struct Contents {
  std::optional<Count> ranks;
  std::vector<Process> processes;
  std::vector<Flow> flows;
  std::vector<Share> shares;
  std::vector<Time> times;
};

// Lists in braces are read from left to right.

void read_ranks(Contents& contents, Scanner& scan) {
  if (contents.ranks) scan.refuse("the number of ranks comes twice");
  contents.ranks = next_number(scan);
}
void read_process(Contents& contents, Scanner& scan) {
  contents.processes.push_back({next_number(scan), next_seconds(scan), next_word(scan)});
}
void read_flow(Contents& contents, Scanner& scan) {
  const auto way = next_kind<Way>(scan, way_names);
  contents.flows.push_back({next_end(scan), next_end(scan), way, {next_number(scan), next_number(scan)}});
}
void read_share(Contents& contents, Scanner& scan) {
  const auto kind = next_kind<Collective>(scan, collective_names);
  contents.shares.push_back({next_number(scan), kind, {next_number(scan), next_number(scan)}});
}
void read_time(Contents& contents, Scanner& scan) {
  const auto kind = next_kind<Activity>(scan, activity_names);
  contents.times.push_back({next_number(scan), kind, next_number(scan), next_seconds(scan)});
}

struct LineKind {
  std::string_view word;
  void (*read)(Contents& contents, Scanner& scan);
  const char* example;
};
constexpr std::array line_kinds{
    LineKind{"flow", read_flow, "flow message 0 1 100 819200"},
    LineKind{"time", read_time, "time wait 0 100 0.25"},
    LineKind{"collective", read_share, "collective allreduce 0 100 800"},
    LineKind{"process", read_process, "process 0 12.5 node17"},
    LineKind{"ranks", read_ranks, "ranks 64"},
};

void read_line(Contents& contents, std::string_view line) {
  const std::string_view word = line.substr(0, line.find(' '));
  for (const LineKind& kind : line_kinds) {
    if (word != kind.word) continue;
    Scanner scan("line", line, kind.example);
    scan.expect(kind.word);
    kind.read(contents, scan);
    return scan.expect_end();
  }
  fail(Fault::invalid_argument, "\"", line, "\" begins with no word of a trace");
}

void check_first_line(std::string_view line) {
  if (line == first_line) return;
  constexpr std::string_view any_version = "halocline trace ";
  if (line.starts_with(any_version))
    fail(Fault::unsupported, "it is of version ", line.substr(any_version.size()),
         " of traces, and this program reads version 1");
  fail(Fault::invalid_argument, "\"", line.substr(0, 60), "\" is not \"", first_line, "\": this is no trace");
}

}  // namespace

std::string Trace::to_text() const {
  constexpr std::size_t bytes_of_a_flow = 40;  // or so; growing would copy a large text
  std::string text;
  text.reserve(bytes_of_a_flow * flows_.size());
  add_line(text, first_line);
  const auto number = [](Count value) { return std::to_string(value); };
  add_line(text, "ranks", number(ranks_));
  for (const auto& [rank, seconds, node] : processes_)
    add_line(text, "process", number(rank), seconds_text(seconds), node);
  for (const auto& [source, target, way, volume] : flows_)
    add_line(text, "flow", name_of(way), end_text(source), end_text(target), number(volume.messages),
             number(volume.bytes));
  for (const auto& [rank, kind, volume] : shares_)
    add_line(text, "collective", name_of(kind), number(rank), number(volume.messages), number(volume.bytes));
  for (const auto& [rank, kind, calls, seconds] : times_)
    add_line(text, "time", name_of(kind), number(rank), number(calls), seconds_text(seconds));
  add_line(text, last_line);
  return text;
}

Trace Trace::parse(std::string_view text) {
  Contents contents;
  Count number = 0;
  bool ended = false;
  try {
    for (std::size_t begin = 0; begin < text.size();) {
      ++number;
      const std::size_t end = text.find('\n', begin);
      const std::string_view line = text.substr(begin, end - begin);
      begin = end == std::string_view::npos ? text.size() : end + 1;
      require(!ended, "\"", line.substr(0, 60), "\" stands behind the end");
      if (number == 1)
        check_first_line(line);
      else if (line == last_line)
        ended = true;
      else
        read_line(contents, line);
    }
  } catch (const Error& error) {
    fail(error.fault(), "line ", number, ": ", error.what());
  }
  require(number > 0, "it is empty: this is no trace");
  require(ended, "it has ", number, " lines, and the last of them is not \"", last_line,
          "\": something is missing");
  require(contents.ranks.has_value(), "no line says how many ranks there are, such as \"ranks 64\"");
  return {*contents.ranks, std::move(contents.processes), std::move(contents.flows),
          std::move(contents.shares), std::move(contents.times)};
}

}  // namespace halocline::trace
