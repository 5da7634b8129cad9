// SPDX-License-Identifier: BSD-3-Clause
#include "tools/plan/host_lists.hpp"

#include "base/fail.hpp"
#include "base/integers.hpp"
#include "base/numbers.hpp"
#include "base/scanner.hpp"
#include "halocline/base/error.hpp"

#include <algorithm>
#include <array>
#include <sstream>
#include <unordered_map>

namespace halocline::tools {
namespace {

constexpr std::size_t most_nodes = std::size_t{1} << 20;
constexpr const char* node_list_example = "n[001-003,7],login";

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Expands Slurm's node lists: names with any number of bracketed lists of numbers and ranges.
class NodeList {
 public:
  explicit NodeList(const std::string& text) : text_(text) {}

  [[nodiscard]] std::vector<std::string> names() {
    std::vector<std::string> all;
    do {
      for (std::string& name : host()) all.push_back(std::move(name));
      check_size(all.size());
    } while (accept(','));
    if (!at_end()) refuse("there is '", peek(), "' where a comma should be");
    return all;
  }

 private:
  [[nodiscard]] bool at_end() const { return position_ == text_.size(); }
  [[nodiscard]] char peek() const { return at_end() ? '\0' : text_[position_]; }

  bool accept(char c) {
    if (at_end() || text_[position_] != c) return false;
    ++position_;
    return true;
  }

  std::vector<std::string> host() {
    std::vector<std::string> names{""};
    while (!at_end() && peek() != ',') {
      if (peek() == ']' || peek() == ' ') refuse("there is '", peek(), "' in a name");
      const std::vector<std::string> endings =
          accept('[') ? numbers() : std::vector<std::string>{std::string(1, text_[position_++])};
      check_size(names.size() * endings.size());
      std::vector<std::string> longer;
      for (const std::string& name : names)
        for (const std::string& ending : endings) longer.push_back(name + ending);
      names = std::move(longer);
    }
    if (names.front().empty()) refuse("a name is empty");
    return names;
  }

  /// What is between brackets, with the zeros in front that the first number of a range has.
  std::vector<std::string> numbers() {
    std::vector<std::string> all;
    do {
      const std::string first = digits();
      const std::string last = accept('-') ? digits() : first;
      const Count from = number(first);
      const Count to = number(last);
      if (to < from) refuse("the range ", first, "-", last, " runs backwards");
      check_size(all.size() + to_size(to - from) + 1);
      for (Count i = from; i <= to; ++i) {
        std::string number = std::to_string(i);
        if (number.size() < first.size()) number.insert(0, first.size() - number.size(), '0');
        all.push_back(std::move(number));
      }
    } while (accept(','));
    if (!accept(']')) refuse("a ] is missing");
    return all;
  }

  std::string digits() {
    const std::size_t first = position_;
    while (is_digit(peek())) ++position_;
    if (position_ == first) refuse("a number is missing between the brackets");
    return text_.substr(first, position_ - first);
  }

  [[nodiscard]] Count number(const std::string& digits) const {
    constexpr std::size_t most_digits = 18;
    if (digits.size() > most_digits) refuse(digits, " has more than ", most_digits, " digits");
    return Scanner("number of a node", digits, "001").integer();
  }

  void check_size(std::size_t nodes) const {
    if (nodes > most_nodes) refuse("more than ", most_nodes, " nodes");
  }

  template <class... Parts>
  [[noreturn]] void refuse(const Parts&... parts) const {
    fail(Fault::invalid_argument, "SLURM_JOB_NODELIST=\"", text_, "\": ", parts..., "; a list looks like ",
         node_list_example);
  }

  const std::string& text_;
  std::size_t position_ = 0;
};

/// "48(x3),17": 48 on three nodes, then 17.
Runs slurm_tasks(const std::string& text) {
  Scanner scan("SLURM_TASKS_PER_NODE", text, "48(x3),17");
  Runs tasks;
  scan.whole_list([&](Scanner&) {
    const Count value = scan.integer();
    Count repeats = 1;
    if (scan.accept("(x")) {
      repeats = scan.integer();
      scan.expect(")");
    }
    if (value < 1 || repeats < 1) scan.refuse("it has ", value, " tasks on ", repeats, " nodes");
    try {
      tasks.append(value, repeats);
    } catch (const Error& error) {
      scan.refuse(error.what());
    }
  });
  return tasks;
}

/// Reads the slots of a line of a host file; settings that say nothing about them are passed over.
Count slots_of(Scanner& scan, Count slots) {
  static constexpr std::array passed_over{"binding", "ifname", "user"};
  bool given = false;
  while (scan.accept_blanks() && !scan.at_end()) {
    const std::string key = scan.word();
    scan.expect("=");
    if (key == "slots") {
      if (given) scan.refuse("it has slots twice");
      given = true;
      slots = scan.integer();
    } else if (key == "max_slots" || key == "max-slots") {
      (void)scan.integer();
    } else if (std::find(passed_over.begin(), passed_over.end(), key) != passed_over.end()) {
      (void)scan.until_blank();
    } else {
      scan.refuse("there is no setting \"", key, "\"");
    }
  }
  scan.expect_end();
  if (slots < 1) scan.refuse("it has ", slots, " slots; it takes at least 1");
  return slots;
}

/// Hosts in the order in which they first appear; a host that comes again adds its slots.
class HostCounter {
 public:
  void add(const std::string& name, Count more) {
    const auto [place, is_new] = place_of_.try_emplace(name, hosts_.names.size());
    if (is_new) {
      require(hosts_.names.size() < most_nodes, "there are more than ", most_nodes, " hosts");
      hosts_.names.push_back(name);
      hosts_.slots.push_back(0);
    }
    total_ = checked_add(total_, more);
    hosts_.slots[place->second] += more;  // not more than all together
  }

  [[nodiscard]] JobHosts hosts() && {
    require(!hosts_.names.empty(), "there are no hosts");
    return std::move(hosts_);
  }

 private:
  JobHosts hosts_;
  Count total_ = 0;
  std::unordered_map<std::string, std::size_t> place_of_;
};

std::string without_comment(const std::string& line) {
  const std::string text = line.substr(0, line.find('#'));
  const std::size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string::npos) return "";
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

}  // namespace

JobHosts slurm_hosts(const std::string& node_list, const std::string& tasks_per_node) {
  require(!tasks_per_node.empty(), "SLURM_JOB_NODELIST=\"", node_list,
          "\" comes without SLURM_TASKS_PER_NODE; --nodes can say it");
  const std::vector<std::string> names = NodeList(node_list).names();
  const Runs tasks = slurm_tasks(tasks_per_node);
  require(count_of(names) == tasks.size(), "SLURM_JOB_NODELIST=\"", node_list, "\" has ", names.size(),
          " nodes, SLURM_TASKS_PER_NODE=\"", tasks_per_node, "\" ", tasks.size());
  JobHosts hosts{names, {}};
  for (Count i = 0; i < tasks.size(); ++i) hosts.slots.push_back(tasks[i]);
  std::vector<std::string> sorted = names;
  std::sort(sorted.begin(), sorted.end());
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  require(twice == sorted.end(), "SLURM_JOB_NODELIST=\"", node_list, "\" has the node ",
          twice == sorted.end() ? "" : *twice, " twice");
  return hosts;
}

JobHosts pbs_hosts(std::istream& file) {
  HostCounter hosts;
  for (std::string line; std::getline(file, line);) {
    const std::string name = without_comment(line);
    if (name.empty()) continue;
    require(name.find_first_of(" \t") == std::string::npos, "the line \"", name,
            "\" is not the name of a host");
    hosts.add(name, 1);
  }
  return std::move(hosts).hosts();
}

JobHosts host_file(std::istream& file) {
  HostCounter hosts;
  for (std::string line; std::getline(file, line);) {
    std::string text = without_comment(line);
    std::replace(text.begin(), text.end(), '\t', ' ');
    if (text.empty()) continue;
    Scanner scan("line of a host file", text, "n1 slots=4 or n1:4");
    std::string name = scan.until_blank();
    Count slots = 1;
    const std::size_t colon = name.find(':');
    // More than one colon: an address of IPv6.
    if (colon != std::string::npos && name.find(':', colon + 1) == std::string::npos) {
      Scanner number("line of a host file", text, "n1 slots=4 or n1:4");
      number.expect(name.substr(0, colon + 1));
      slots = number.integer();
      if (!number.at_end() && number.peek() != ' ') number.refuse("the slots are not a number");
      name.resize(colon);
    }
    if (name.empty() || name.find('=') != std::string::npos) scan.refuse("the name of the host is missing");
    hosts.add(name, slots_of(scan, slots));
  }
  return std::move(hosts).hosts();
}

}  // namespace halocline::tools
