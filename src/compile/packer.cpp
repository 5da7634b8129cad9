// SPDX-License-Identifier: BSD-3-Clause
#include "halocline/compile/packer.hpp"

#include "base/fail.hpp"
#include "compile/packer_state.hpp"

namespace halocline::compile {
namespace {

void require_range(Count first, Count bytes, Count all) {
  require(first >= 0 && bytes >= 0 && first <= all && bytes <= all - first, "a packed stream of ", all,
          " bytes does not have ", bytes, " bytes from ", first, " on");
}

}  // namespace

Packer::Packer(std::span<const Part> parts, const Engine& engine, std::optional<Count> packs)
    : state_(std::make_shared<State>(parts, engine, packs)),
      bytes_(state_->canonical.bytes()),
      context_(state_->code->whole().context),
      pack_(state_->code->whole().pack),
      unpack_(state_->code->whole().unpack) {}

void Packer::pack(const std::byte* base, std::byte* wire, Count first, Count bytes) const {
  require_range(first, bytes, bytes_);
  state_->code->pack(base, wire, first, bytes);
}

void Packer::unpack(const std::byte* wire, std::byte* base, Count first, Count bytes) const {
  require_range(first, bytes, bytes_);
  state_->code->unpack(wire, base, first, bytes);
}

std::optional<Segment> Packer::contiguous() const { return state_->canonical.contiguous(); }

std::string_view Packer::engine() const { return state_->code->engine(); }

}  // namespace halocline::compile
