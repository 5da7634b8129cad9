// SPDX-License-Identifier: BSD-3-Clause
// How a command declares its options. The library that reads command lines stays behind this: its headers
// take longer to compile than most commands.
#pragma once

#include "halocline/base/count.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace halocline::tools {

/// An option that was declared, and what else holds for it. It refers to the command line and is copied
/// freely.
class Option {
 public:
  explicit Option(CLI::Option* option) : option_(option) {}

  Option& required();
  Option& capture_default_str();  ///< The help shows the value that the variable has now.
  Option& positive();
  Option& expected(int values);
  Option& expected(int least, int most);
  Option& needs(Option other);
  Option& excludes(Option other);

  /// Whether the command line has it.
  [[nodiscard]] bool given() const;

 private:
  CLI::Option* option_;
};

/// The options of one command. A value goes into the variable when the command line is read. A number is a
/// plain decimal one that fits into it, 010 is ten; everything else is wrong use, and so is a flag with a
/// value.
class Options {
 public:
  explicit Options(CLI::App& app) : app_(&app) {}

  Option add_option(const std::string& name, std::string& value, const std::string& help);
  Option add_option(const std::string& name, std::vector<std::string>& values, const std::string& help);
  Option add_option(const std::string& name, int& value, const std::string& help);
  Option add_option(const std::string& name, Count& value, const std::string& help);
  Option add_option(const std::string& name, std::uint64_t& value, const std::string& help);
  Option add_option(const std::string& name, double& value, const std::string& help);
  Option add_flag(const std::string& name, bool& value, const std::string& help);

  /// One that was declared before.
  [[nodiscard]] Option find(const std::string& name) const;

  /// The library's own, for what is about the command line itself.
  [[nodiscard]] CLI::App& app() const { return *app_; }

 private:
  CLI::App* app_;
};

}  // namespace halocline::tools
