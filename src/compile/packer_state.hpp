// SPDX-License-Identifier: BSD-3-Clause
// What is behind a packer.
#pragma once

#include "base/inside.hpp"
#include "compile/engines.hpp"
#include "compile/form/canonical.hpp"
#include "halocline/compile/packer.hpp"

#include <memory>
#include <optional>
#include <span>

namespace halocline::compile {

struct HALOCLINE_INSIDE Packer::State {
  State(std::span<const Part> parts, const Engine& engine, std::optional<Count> packs)
      : canonical(parts), code(engine.make({parts, canonical, packs})) {}

  Canonical canonical;
  std::unique_ptr<const Code> code;
};

/// The canonical form of all parts of a packer; lives as long as the packer.
[[nodiscard]] inline const Canonical& canonical_of(const Packer& packer) { return packer.state_->canonical; }

}  // namespace halocline::compile
