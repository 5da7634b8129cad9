// SPDX-License-Identifier: BSD-3-Clause
#include "compile/generated/generated.hpp"

#include "base/log.hpp"
#include "base/numbers.hpp"
#include "compile/generated/code_estimate.hpp"
#include "compile/generated/llvm_module.hpp"
#include "compile/kernels/kernels.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

namespace halocline::compile {
namespace {

using Term = Canonical::Term;

/// The terms of a form as the module wants them.
class Terms {
 public:
  explicit Terms(const Canonical& canonical) {
    const std::span<const Term> terms = canonical.terms();
    loops_.reserve(terms.size());
    blocks_.reserve(terms.size());
    for (const Term& term : terms) add(canonical, term);
  }

  [[nodiscard]] std::span<const GeneratorTerm> all() const { return terms_; }

 private:
  struct BlockList {
    std::vector<std::int64_t> offsets;
    std::vector<std::int64_t> lengths;
  };

  void add(const Canonical& canonical, const Term& term) {
    std::vector<GeneratorLoop>& loops = loops_.emplace_back();
    for (const auto& [count, stride] : canonical.dims(term)) loops.push_back({count, stride});
    BlockList& blocks = blocks_.emplace_back();
    if (term.kind == Term::Kind::nest)
      blocks = {{0}, {term.block}};
    else if (term.narrow)
      read_list(canonical.narrow_entries(term), term, blocks);
    else
      read_list(canonical.wide_entries(term), term, blocks);
    terms_.push_back({term.offset, loops.data(), count_of(loops), blocks.offsets.data(),
                      blocks.lengths.data(), count_of(blocks.offsets)});
  }

  template <class Entries>
  static void read_list(Entries entries, const Term& term, BlockList& blocks) {
    const auto count = to_size(term.entries);
    blocks.offsets.assign(entries.begin(), entries.begin() + term.entries);
    if (term.kind == Term::Kind::blocks)
      blocks.lengths.assign(count, term.block);
    else
      blocks.lengths.assign(entries.begin() + term.entries, entries.begin() + 2 * term.entries);
  }

  std::vector<std::vector<GeneratorLoop>> loops_;
  std::vector<BlockList> blocks_;
  std::vector<GeneratorTerm> terms_;
};

class GeneratedCodeWithKernels : public Code {
 public:
  GeneratedCodeWithKernels(const CodeUnit& unit, WhoUnpacks who)
      : kernels_(choose_kernels(unit)), functions_(unit.canonical) {
    whole_ = functions_ ? functions_.whole(who, *kernels_) : kernels_->whole();
  }

  [[nodiscard]] std::string_view engine() const override { return functions_ ? "llvm" : kernels_->engine(); }
  void pack(const std::byte* base, std::byte* wire, Count first, Count bytes) const override {
    kernels_->pack(base, wire, first, bytes);
  }
  void unpack(const std::byte* wire, std::byte* base, Count first, Count bytes) const override {
    kernels_->unpack(wire, base, first, bytes);
  }

 private:
  std::unique_ptr<const Code> kernels_;
  GeneratedFunctions functions_;
};

}  // namespace

GeneratedFunctions::GeneratedFunctions(const Canonical& canonical) {
  // Before the module is opened, and before the terms are written down.
  if (estimated_code_cost(canonical) > most_code_cost) return;
  const Terms terms(canonical);
  const Generator* const generator = llvm_generator();
  if (generator == nullptr) return;
  GeneratedCode code{};
  std::array<char, 256> message{};
  const GeneratorAnswer answer = generator->generate(terms.all().data(), count_of(terms.all()), &code,
                                                     message.data(), count_of(message));
  if (answer == GeneratorAnswer::failed)
    log_line(std::string("no generated code, kernels pack instead: ") + message.data());
  if (answer != GeneratorAnswer::made) return;
  whole_ = {nullptr, code.pack, code.unpack};
  owner_ = code.owner;
  cost_ = code.cost;
}

GeneratedFunctions::~GeneratedFunctions() {
  if (owner_ != nullptr) llvm_generator()->release(owner_);
}

Code::Whole GeneratedFunctions::whole(WhoUnpacks who, const Code& kernels) const {
  if (who == WhoUnpacks::generated_code) return whole_;
  // Generated code has its constants inside and looks at no context.
  return {kernels.whole().context, whole_.pack, kernels.whole().unpack};
}

std::unique_ptr<const Code> generate(const CodeUnit& unit, WhoUnpacks who) {
  return std::make_unique<GeneratedCodeWithKernels>(unit, who);
}

}  // namespace halocline::compile
