// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/datatypes/engine_choice.hpp"

#include "base/scanner.hpp"
#include "base/settings.hpp"
#include "compile/generated/choice.hpp"
#include "mpi/settings/info.hpp"

#include <cstdlib>
#include <optional>
#include <string>

namespace halocline::mpi {
namespace {

std::optional<std::string> chosen_name(MPI_Info info) {
  if (auto value = info_value(info, settings::compile.key)) return value;
  const char* const variable = std::getenv(settings::compile.variable);
  if (variable == nullptr || *variable == '\0') return std::nullopt;
  return variable;
}

std::optional<Count> expected_packs(MPI_Info info) {
  const auto text = info_value(info, settings::reuse.key);
  if (!text) return std::nullopt;
  Scanner scan("value of halocline_reuse", *text, "1000");
  const Count reuse = scan.integer();
  scan.expect_end();
  if (reuse < 0) scan.refuse("it is negative");
  return reuse;
}

}  // namespace

EngineChoice chosen_engine(MPI_Info info) {
  const std::optional<Count> packs = expected_packs(info);
  const auto name = chosen_name(info);
  return {name ? &compile::engine(*name) : &compile::engine(compile::EngineKind::automatic), packs};
}

}  // namespace halocline::mpi
