// SPDX-License-Identifier: BSD-3-Clause
#include "compile_llvm/copy_writer.hpp"

#include "compile_llvm/fixed_copies.hpp"

#include <llvm/IR/IRBuilder.h>

#include <algorithm>
#include <cstring>
#include <functional>

namespace halocline::compile_llvm {
namespace {

using compile::cost_beside_a_call;
using compile::cost_beside_a_loop;
using compile::most_code_cost;

/// A loop whose body has fewer copies than this is unrolled that far.
constexpr std::int64_t pieces_a_round = 4;
/// LLVM looks at all instructions of a basic block at once, which takes more than twice the time for twice as
/// many: 400 ms instead of 94 for 1600 copies from all over the memory.
constexpr std::size_t most_instructions_a_block = 256;

class FunctionWriter {
 public:
  FunctionWriter(llvm::Module& module, bool packing, const ProcessorRegisters& registers, Tables& tables)
      : packing_(packing),
        registers_(registers),
        tables_(tables),
        build_(module.getContext()),
        byte_(build_.getInt8Ty()),
        pointer_(build_.getInt8PtrTy()) {
    auto* const type = llvm::FunctionType::get(build_.getVoidTy(), {pointer_, pointer_, pointer_}, false);
    function_ =
        llvm::Function::Create(type, llvm::Function::ExternalLinkage, packing ? "pack" : "unpack", module);
    function_->addFnAttr(llvm::Attribute::NoUnwind);
    // Absolute addresses are distances from a null base.
    function_->addFnAttr(llvm::Attribute::NullPointerIsValid);
    function_->addParamAttr(1, llvm::Attribute::NoAlias);
    function_->addParamAttr(2, llvm::Attribute::NoAlias);
    build_.SetInsertPoint(llvm::BasicBlock::Create(build_.getContext(), "", function_));
  }

  /// False if it is too much.
  bool write(std::span<const GeneratorTerm> terms) {
    llvm::Value* const base = function_->getArg(packing_ ? 1 : 2);
    llvm::Value* wire = function_->getArg(packing_ ? 2 : 1);
    for (const GeneratorTerm& term : terms) {
      llvm::Value* const memory = moved(base, term.offset);
      if (const std::optional<Nest> nest = nest_of(term, registers_)) {
        write_loops(nest->loops, nest->body, memory, wire);
        wire = moved(wire, nest->wire_bytes);
      } else if (term.loop_count == 0 && term.blocks <= longest_table && equal_blocks(term)) {
        write_table(term, memory, wire);
        wire = moved(wire, term.blocks * term.lengths[0]);
      } else {
        return false;
      }
      if (cost() > most_code_cost / 2) return false;  // the other direction costs as much
    }
    build_.CreateRetVoid();
    return true;
  }

  [[nodiscard]] std::int64_t cost() const { return function_->getInstructionCount() + beside_; }

 private:
  static bool equal_blocks(const GeneratorTerm& term) {
    return std::all_of(term.lengths, term.lengths + term.blocks,
                       [&](std::int64_t length) { return length == term.lengths[0]; });
  }

  llvm::Value* moved(llvm::Value* from, std::int64_t bytes) {
    return bytes == 0 ? from
                      : build_.CreateGEP(byte_, from, build_.getInt64(static_cast<std::uint64_t>(bytes)));
  }

  llvm::Type* register_of(std::int64_t bytes) {
    if (bytes <= 8) return build_.getIntNTy(static_cast<unsigned>(8 * bytes));
    return llvm::FixedVectorType::get(build_.getInt64Ty(), static_cast<unsigned>(bytes / 8));
  }

  llvm::Value* typed(llvm::Value* address, llvm::Type* type) {
    return build_.CreateBitCast(address, type->getPointerTo());
  }

  /// The copies in groups: each group is read before it is written, so that loads and stores come in pairs.
  void write_copies(std::span<const FixedCopy> copies, llvm::Value* memory, llvm::Value* wire) {
    while (!copies.empty()) {
      if (build_.GetInsertBlock()->size() > most_instructions_a_block) begin_block();
      if (copies.front().bytes > longest_inline) {
        const FixedCopy& copy = copies.front();
        call_memcpy(moved(memory, copy.memory), moved(wire, copy.wire), copy.bytes);
        copies = copies.subspan(1);
        continue;
      }
      std::size_t group = 0;
      while (group < std::min(registers_.at_once, copies.size()) && copies[group].bytes <= longest_inline)
        ++group;
      write_group(copies.first(group), memory, wire);
      copies = copies.subspan(group);
    }
  }

  void begin_block() {
    llvm::BasicBlock* const next = llvm::BasicBlock::Create(build_.getContext(), "", function_);
    build_.CreateBr(next);
    build_.SetInsertPoint(next);
  }

  void write_group(std::span<const FixedCopy> group, llvm::Value* memory, llvm::Value* wire) {
    std::vector<llvm::Value*> values;
    for (const FixedCopy& copy : group) {
      llvm::Type* const type = register_of(copy.bytes);
      llvm::Value* const from = packing_ ? moved(memory, copy.memory) : moved(wire, copy.wire);
      values.push_back(build_.CreateAlignedLoad(type, typed(from, type), llvm::Align(1)));
    }
    for (std::size_t i = 0; i < group.size(); ++i) {
      llvm::Value* const to = packing_ ? moved(wire, group[i].wire) : moved(memory, group[i].memory);
      build_.CreateAlignedStore(values[i], typed(to, values[i]->getType()), llvm::Align(1));
    }
  }

  /// By address: a name would have to be looked up.
  void call_memcpy(llvm::Value* memory, llvm::Value* wire, std::int64_t bytes) {
    beside_ += cost_beside_a_call;
    void* (*const address)(void*, const void*, std::size_t) = &std::memcpy;
    auto* const type = llvm::FunctionType::get(pointer_, {pointer_, pointer_, build_.getInt64Ty()}, false);
    llvm::Value* const callee = build_.CreateIntToPtr(
        build_.getInt64(reinterpret_cast<std::uintptr_t>(address)), type->getPointerTo());
    llvm::Value* const size = build_.getInt64(static_cast<std::uint64_t>(bytes));
    if (packing_)
      build_.CreateCall(type, callee, {wire, memory, size});
    else
      build_.CreateCall(type, callee, {memory, wire, size});
  }

  struct Cursors {
    llvm::Value* a;
    llvm::Value* b;
  };

  /// Two pointers that take equal steps `rounds` times; body(a, b) writes one round.
  template <class Body>
  void write_rounds(std::int64_t rounds, Cursors start, std::int64_t a_stride, std::int64_t b_stride,
                    const Body& body) {
    beside_ += cost_beside_a_loop;
    llvm::BasicBlock* const before = build_.GetInsertBlock();
    llvm::Value* const end = moved(start.b, rounds * b_stride);
    llvm::BasicBlock* const round = llvm::BasicBlock::Create(build_.getContext(), "", function_);
    llvm::BasicBlock* const after = llvm::BasicBlock::Create(build_.getContext(), "", function_);
    build_.CreateBr(round);
    build_.SetInsertPoint(round);
    llvm::PHINode* const a = build_.CreatePHI(pointer_, 2);
    llvm::PHINode* const b = build_.CreatePHI(pointer_, 2);
    body(Cursors{a, b});
    llvm::Value* const next_a = moved(a, a_stride);
    llvm::Value* const next_b = moved(b, b_stride);
    llvm::BasicBlock* const last = build_.GetInsertBlock();
    a->addIncoming(start.a, before);
    a->addIncoming(next_a, last);
    b->addIncoming(start.b, before);
    b->addIncoming(next_b, last);
    build_.CreateCondBr(build_.CreateICmpNE(next_b, end), round, after);
    build_.SetInsertPoint(after);
  }

  void write_loops(std::span<const Nest::Loop> loops, const FixedCopies& body, llvm::Value* memory,
                   llvm::Value* wire) {
    if (loops.empty()) return write_copies(body, memory, wire);
    const Nest::Loop& loop = loops.front();
    const std::int64_t count = loop.count, memory_stride = loop.memory, wire_stride = loop.wire;
    if (loops.size() > 1)
      return write_rounds(count, {memory, wire}, memory_stride, wire_stride,
                          [&](Cursors at) { write_loops(loops.subspan(1), body, at.a, at.b); });
    const std::int64_t unroll =
        std::clamp<std::int64_t>(pieces_a_round / static_cast<std::int64_t>(body.size()), 1, count);
    const std::int64_t rounds = count / unroll;
    write_rounds(rounds, {memory, wire}, unroll * memory_stride, unroll * wire_stride, [&](Cursors at) {
      write_copies(repeated(body, unroll, memory_stride, wire_stride), at.a, at.b);
    });
    if (count % unroll == 0) return;
    write_copies(repeated(body, count % unroll, memory_stride, wire_stride),
                 moved(memory, rounds * unroll * memory_stride), moved(wire, rounds * unroll * wire_stride));
  }

  /// Equal blocks at the offsets of a list that the code walks along.
  void write_table(const GeneratorTerm& term, llvm::Value* memory, llvm::Value* wire) {
    FixedCopies block;
    split_block(0, 0, term.lengths[0], registers_.vector_bytes, block);
    tables_.push_back(std::make_unique<std::vector<std::int64_t>>(term.offsets, term.offsets + term.blocks));
    llvm::Value* const table = build_.CreateIntToPtr(
        build_.getInt64(reinterpret_cast<std::uintptr_t>(tables_.back()->data())), pointer_);
    constexpr std::int64_t entry_bytes = sizeof(std::int64_t);
    write_rounds(term.blocks, {table, wire}, entry_bytes, term.lengths[0], [&](Cursors at) {
      llvm::Type* const entry = build_.getInt64Ty();
      llvm::Value* const offset =
          build_.CreateAlignedLoad(entry, typed(at.a, entry), llvm::Align(entry_bytes));
      write_copies(block, build_.CreateGEP(byte_, memory, offset), at.b);
    });
  }

  bool packing_;
  ProcessorRegisters registers_;
  Tables& tables_;
  llvm::IRBuilder<> build_;
  llvm::Type* byte_;
  llvm::PointerType* pointer_;
  llvm::Function* function_ = nullptr;
  std::int64_t beside_ = 0;  ///< What loops and calls cost beside their instructions.
};

}  // namespace

std::optional<std::int64_t> write_copies(llvm::Module& module, std::span<const GeneratorTerm> terms,
                                         const ProcessorRegisters& registers, Tables& tables) {
  FunctionWriter pack(module, true, registers, tables);
  FunctionWriter unpack(module, false, registers, tables);
  if (!pack.write(terms) || !unpack.write(terms)) return std::nullopt;
  return pack.cost() + unpack.cost();
}

}  // namespace halocline::compile_llvm
