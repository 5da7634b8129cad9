#include "tools/options.hpp"

#include <CLI/App.hpp>

namespace halocline::tools {

Option& Option::required() {
  option_->required();
  return *this;
}
Option& Option::capture_default_str() {
  option_->capture_default_str();
  return *this;
}
Option& Option::positive() {
  option_->check(CLI::PositiveNumber);
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
  return Option(app_->add_option(name, value, help));
}
Option Options::add_option(const std::string& name, Count& value, const std::string& help) {
  return Option(app_->add_option(name, value, help));
}
Option Options::add_option(const std::string& name, std::uint64_t& value, const std::string& help) {
  return Option(app_->add_option(name, value, help));
}
Option Options::add_option(const std::string& name, double& value, const std::string& help) {
  return Option(app_->add_option(name, value, help));
}
Option Options::add_flag(const std::string& name, bool& value, const std::string& help) {
  return Option(app_->add_flag(name, value, help));
}

Option Options::find(const std::string& name) const { return Option(app_->get_option(name)); }

}  // namespace halocline::tools
