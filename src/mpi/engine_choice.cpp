#include "mpi/engine_choice.hpp"

#include "base/scanner.hpp"
#include "halocline/compile/choice.hpp"
#include "mpi/info.hpp"

#include <cstdlib>
#include <optional>
#include <string>

namespace halocline::mpi {
namespace {

std::optional<std::string> chosen_name(MPI_Info info) {
  if (auto value = info_value(info, "halocline_compile")) return value;
  const char* const variable = std::getenv("HALOCLINE_COMPILE");
  if (variable == nullptr || *variable == '\0') return std::nullopt;
  return variable;
}

/// The number of packs that a datatype is compiled for. No engine that is always there takes so long to
/// compile that it would matter; but a wrong number is a mistake at once.
void check_reuse(MPI_Info info) {
  const auto text = info_value(info, "halocline_reuse");
  if (!text) return;
  Scanner scan("number of reuses", *text, "1000");
  const Count reuse = scan.integer();
  scan.expect_end();
  if (reuse < 0) scan.refuse("it is negative");
}

}  // namespace

const compile::Engine& chosen_engine(MPI_Info info) {
  check_reuse(info);
  const auto name = chosen_name(info);
  const compile::Choice choice = name ? compile::parse_choice(*name) : compile::Choice::automatic;
  for (const compile::Engine& engine : compile::engines())
    if (engine.name == compile::to_text(choice)) return engine;
  return compile::default_engine();  // automatic, or one that is not installed
}

}  // namespace halocline::mpi
