// Problems and prices that tests of plans share.
#pragma once

#include "halocline/plan/explanation.hpp"
#include "plan/options/option_names.hpp"

#include <string>
#include <utility>

namespace halocline::plan {

constexpr LevelCosts prices{{1e-7, 1e-10}, {1e-6, 2e-10}};

inline Choices with(const LevelCosts& these, const std::string& schedule = "auto") {
  Choices choices;
  choices.prices = these;
  choices.schedule = schedule_named(schedule);
  return choices;
}

inline Choices with(const std::string& schedule) { return with(LevelCosts{}, schedule); }

inline Problem problem_of(const char* mesh, const char* stencil, const char* machine, Counts halo = {}) {
  const Mesh m = Mesh::parse(mesh);
  return {m, Stencil::parse(stencil, m.dimensions()), Machine::parse(machine), std::move(halo), {}, 3, 4};
}

}  // namespace halocline::plan
