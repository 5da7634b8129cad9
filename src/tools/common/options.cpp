// SPDX-License-Identifier: BSD-3-Clause
#include "tools/common/options.hpp"

#include "base/fail.hpp"
#include "base/scanner.hpp"

#include <CLI/App.hpp>

#include <cstdlib>
#include <limits>

namespace halocline::tools {
namespace {

/// CLI11 by itself takes the nearest number that fits, reads 010 as eight and 0x10 as sixteen, and lets inf
/// and nan pass. `read` takes the number out of a Scanner, or refuses it; what it returns is what CLI11 sees.
template <class Read>
Option checked(CLI::Option* option, const char* example, const Read& read) {
  const auto check = [example, read](std::string& text) -> std::string {
    try {
      Scanner scan("number", text, example);
      const std::string number = read(scan, text);
      scan.expect_end();
      text = number;
      return {};
    } catch (const Error& error) {
      return error.what();
    }
  };
  return Option(option->transform(CLI::Validator(check, "")));
}

/// CLI11 takes any number for true.
Option checked_flag(CLI::Option* flag) {
  const auto check = [](const std::string& value) {
    return value == "true" || value == "false" ? std::string()
                                               : concat("there is \"", value, "\"; it takes no value");
  };
  return Option(flag->check(CLI::Validator(check, "")));
}

/// Of a number that was checked as one. CLI11 by itself names the largest double, with all its digits.
std::string check_positive(const std::string& number) {
  return std::strtod(number.c_str(), nullptr) > 0 ? std::string()
                                                  : concat("there is ", number, "; it takes numbers above 0");
}

}  // namespace

Option& Option::required() {
  option_->required();
  return *this;
}
Option& Option::capture_default_str() {
  option_->capture_default_str();
  return *this;
}
Option& Option::positive() {
  option_->check(CLI::Validator(check_positive, "POSITIVE"));
  return *this;
}
Option& Option::expected(int values) {
  option_->expected(values);
  return *this;
}
Option& Option::expected(int least, int most) {
  option_->expected(least, most);
  return *this;
}
Option& Option::needs(Option other) {
  option_->needs(other.option_);
  return *this;
}
Option& Option::excludes(Option other) {
  option_->excludes(other.option_);
  return *this;
}
bool Option::given() const { return option_->count() > 0; }

Option Options::add_option(const std::string& name, std::string& value, const std::string& help) {
  return Option(app_->add_option(name, value, help));
}
Option Options::add_option(const std::string& name, std::vector<std::string>& values,
                           const std::string& help) {
  return Option(app_->add_option(name, values, help));
}
Option Options::add_option(const std::string& name, int& value, const std::string& help) {
  return checked(app_->add_option(name, value, help), "12", [](Scanner& scan, const std::string&) {
    const Count number = scan.integer();
    if (number < std::numeric_limits<int>::min() || number > std::numeric_limits<int>::max())
      scan.refuse("'", number, "' does not fit in 32 bits");
    return std::to_string(number);
  });
}
Option Options::add_option(const std::string& name, Count& value, const std::string& help) {
  return checked(app_->add_option(name, value, help), "12",
                 [](Scanner& scan, const std::string&) { return std::to_string(scan.integer()); });
}
Option Options::add_option(const std::string& name, std::uint64_t& value, const std::string& help) {
  return checked(app_->add_option(name, value, help), "12",
                 [](Scanner& scan, const std::string&) { return std::to_string(scan.natural()); });
}
Option Options::add_option(const std::string& name, double& value, const std::string& help) {
  return checked(app_->add_option(name, value, help), "0.5", [](Scanner& scan, const std::string& text) {
    (void)scan.number();
    return text;
  });
}
Option Options::add_flag(const std::string& name, bool& value, const std::string& help) {
  return checked_flag(app_->add_flag(name, value, help));
}

Option Options::find(const std::string& name) const { return Option(app_->get_option(name)); }

}  // namespace halocline::tools
