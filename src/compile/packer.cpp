#include "halocline/compile/packer.hpp"

#include "halocline/base/error.hpp"

namespace halocline::compile {
namespace {

void require_range(Count first, Count bytes, Count all) {
  require(first >= 0 && bytes >= 0 && first <= all && bytes <= all - first, "a packed stream of ", all,
          " bytes does not have ", bytes, " bytes from ", first, " on");
}

}  // namespace

Packer::State::State(std::span<const Part> parts, const Engine& engine, std::optional<Count> packs)
    : canonical(parts), code(engine.make({parts, canonical, packs})) {}

Packer::Packer(std::span<const Part> parts, const Engine& engine, std::optional<Count> packs)
    : state_(std::make_shared<State>(parts, engine, packs)), whole_(state_->code->whole()) {}

void Packer::pack(const std::byte* base, std::byte* wire, Count first, Count bytes) const {
  require_range(first, bytes, this->bytes());
  state_->code->pack(base, wire, first, bytes);
}

void Packer::unpack(const std::byte* wire, std::byte* base, Count first, Count bytes) const {
  require_range(first, bytes, this->bytes());
  state_->code->unpack(wire, base, first, bytes);
}

}  // namespace halocline::compile
