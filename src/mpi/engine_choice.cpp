#include "mpi/engine_choice.hpp"

#include "base/scanner.hpp"
#include "halocline/base/error.hpp"
#include "mpi/info.hpp"

#include <algorithm>
#include <cstdlib>
#include <string>

namespace halocline::mpi {
namespace {

/// Built as a module of its own, which not every installation has.
constexpr std::string_view optional_engine = "llvm";

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
  if (!name) return compile::default_engine();
  const auto engines = compile::engines();
  const auto found = std::find_if(engines.begin(), engines.end(),
                                  [&](const compile::Engine& each) { return each.name == *name; });
  if (found != engines.end()) return *found;
  return *name == optional_engine ? compile::default_engine() : compile::engine(*name);
}

}  // namespace halocline::mpi
