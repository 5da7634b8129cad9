// SPDX-License-Identifier: BSD-3-Clause
#include "place/order.hpp"

#include "base/fail.hpp"
#include "base/join.hpp"
#include "base/numbers.hpp"
#include "base/scanner.hpp"
#include "halocline/base/error.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace halocline::place {
namespace {

constexpr std::string_view first_line = "halocline order 1";
constexpr std::string_view any_version = "halocline order ";
constexpr std::string_view last_line = "end";
constexpr Count ranks_in_a_line = 32;

struct Contents {
  std::optional<Runs> nodes;
  std::vector<Rank> ranks;
  bool ended = false;
};

void check_first_line(std::string_view line) {
  if (line == first_line) return;
  if (line.starts_with(any_version))
    fail(Fault::unsupported, "it is of version ", line.substr(any_version.size()),
         " of orders, and this program reads version 1");
  fail(Fault::invalid_argument, "\"", line.substr(0, 60), "\" is not \"", first_line, "\": this is no order");
}

void read_line(Contents& contents, std::string_view line) {
  require(!contents.ended, "\"", line.substr(0, 60), "\" stands behind the end");
  if (line == last_line) {
    contents.ended = true;
    return;
  }
  Scanner scan("line", line, contents.nodes ? "ranks 0,1,8,9" : "nodes 4x8,2x6");
  if (!contents.nodes) {
    scan.expect("nodes ");
    contents.nodes = Runs::parse(scan.until_blank());
    scan.expect_end();
    return;
  }
  scan.expect("ranks ");
  for (const Rank rank : scan.whole_list(&Scanner::integer)) contents.ranks.push_back(rank);
}

}  // namespace

Order::Order(Runs nodes, std::vector<Rank> ranks) : nodes_(std::move(nodes)), ranks_(std::move(ranks)) {
  require(nodes_.total() > 0, "an order of no processes");
  require(count_of(ranks_) == nodes_.total(), ranks_.size(), " ranks for nodes of ", nodes_.total(),
          " processes");
  std::vector<bool> taken(ranks_.size());
  for (const Rank rank : ranks_) {
    require(0 <= rank && rank < nodes_.total(), "rank ", rank, " of ", nodes_.total(), " processes");
    require(!taken[to_size(rank)], "rank ", rank, " comes twice");
    taken[to_size(rank)] = true;
  }
}

std::vector<Rank> Order::positions() const {
  std::vector<Rank> positions(ranks_.size());
  for (std::size_t position = 0; position < ranks_.size(); ++position)
    positions[to_size(ranks_[position])] = to_count(position);
  return positions;
}

std::string Order::to_text() const {
  std::string text = concat(first_line, "\nnodes ", nodes_.to_text(), "\n");
  for (Count first = 0; first < size(); first += ranks_in_a_line) {
    const std::span line =
        ranks().subspan(to_size(first), to_size(std::min(ranks_in_a_line, size() - first)));
    text += concat("ranks ", join(line, ","), "\n");
  }
  return text += concat(last_line, "\n");
}

Order Order::parse(std::string_view text) {
  Contents contents;
  Count number = 0;
  try {
    while (!text.empty()) {
      ++number;
      const std::size_t end = std::min(text.find('\n'), text.size());
      const std::string_view line = text.substr(0, end);
      text.remove_prefix(std::min(end + 1, text.size()));
      if (number == 1)
        check_first_line(line);
      else
        read_line(contents, line);
    }
  } catch (const Error& error) {
    fail(error.fault(), "line ", number, ": ", error.what());
  }
  require(number > 0, "it is empty: this is no order");
  require(contents.ended, "it has ", number, " lines, and the last of them is not \"", last_line,
          "\": something is missing");
  require(contents.nodes.has_value(), "no line says what nodes it is for, such as \"nodes 4x8\"");
  return {std::move(*contents.nodes), std::move(contents.ranks)};
}

}  // namespace halocline::place
