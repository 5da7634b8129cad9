// SPDX-License-Identifier: BSD-3-Clause
#include "compile_llvm/jit.hpp"

#include <llvm/ExecutionEngine/Orc/CompileUtils.h>
#include <llvm/ExecutionEngine/Orc/RTDyldObjectLinkingLayer.h>
#include <llvm/ExecutionEngine/SectionMemoryManager.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/Host.h>
#include <llvm/Support/TargetSelect.h>

#include <array>
#include <string>

namespace halocline::compile_llvm {
namespace {

using llvm::orc::JITTargetMachineBuilder;
using llvm::orc::LLJIT;
using llvm::orc::LLJITBuilder;

/// What LLVM finds out about the host may include features that the kernel keeps from programs (SVE). So it
/// is not asked: the code is for the plain architecture and for what was tested here.
struct Host {
  ProcessorRegisters registers;
  const char* features;
};

Host host() {
#if defined(__x86_64__)
  // These ask the processor and whether the system saves the registers.
  if (__builtin_cpu_supports("avx2")) return {{32, 8}, "+avx,+avx2"};
  return {{16, 8}, ""};
#else
  return {{16, 16}, ""};
#endif
}

/// Passes that take most of the time and improve nothing here: loops and addresses are written as they should
/// be executed. LLVM lets nobody leave them out but by the options of its command line, which hold for all
/// who share this copy of the library; they are set once, before the first compilation. An option that
/// another version does not have is left alone.
void leave_out_passes() {
  constexpr std::array<std::array<const char*, 2>, 5> options{{{"disable-lsr", "true"},
                                                               {"disable-cgp", "true"},
                                                               {"disable-constant-hoisting", "true"},
                                                               {"disable-post-ra", "true"},
                                                               {"enable-misched", "false"}}};
  auto& known = llvm::cl::getRegisteredOptions();
  for (const auto& [name, value] : options)
    if (const auto found = known.find(name); found != known.end() && found->second->getNumOccurrences() == 0)
      found->second->addOccurrence(0, name, value);
}

bool initialize_target() {
  leave_out_passes();
  return !llvm::InitializeNativeTarget() && !llvm::InitializeNativeTargetAsmPrinter();
}

/// Pages are made executable when everything is written. The layers above ignore a refusal.
class CheckedMemory : public llvm::SectionMemoryManager {
 public:
  explicit CheckedMemory(std::shared_ptr<std::string> refusal) : refusal_(std::move(refusal)) {}

  bool finalizeMemory(std::string* message) override {
    std::string why;
    if (!SectionMemoryManager::finalizeMemory(&why)) return false;
    *refusal_ = "executable memory is refused: " + why;
    if (message != nullptr) *message = why;
    return true;
  }

 private:
  std::shared_ptr<std::string> refusal_;
};

llvm::Expected<std::unique_ptr<LLJIT>> make_jit(const Host& host,
                                                const std::shared_ptr<std::string>& refusal) {
  JITTargetMachineBuilder target{llvm::Triple(llvm::sys::getProcessTriple())};
  // Without optimization every loop would keep its pointers on the stack; more than this takes longer and is
  // no faster.
  target.setCodeGenOptLevel(llvm::CodeGenOpt::Less);
#if defined(__aarch64__)
  // Half the time of the other selector, which is there for what it cannot do.
  target.getOptions().EnableGlobalISel = true;
  target.getOptions().GlobalISelAbort = llvm::GlobalISelAbortMode::Disable;
#endif
  target.addFeatures({host.features});
  return LLJITBuilder()
      .setJITTargetMachineBuilder(std::move(target))
      .setPlatformSetUp(llvm::orc::setUpInactivePlatform)
      .setObjectLinkingLayerCreator([refusal](llvm::orc::ExecutionSession& session, const llvm::Triple&) {
        return std::make_unique<llvm::orc::RTDyldObjectLinkingLayer>(
            session, [refusal] { return std::make_unique<CheckedMemory>(refusal); });
      })
      .create();
}

llvm::Error failure(const std::string& why) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), why.c_str());
}

}  // namespace

llvm::Expected<std::uintptr_t> MachineCode::address(const char* name) {
  auto symbol = jit_->lookup(name);
  if (!symbol) return symbol.takeError();
#if LLVM_VERSION_MAJOR >= 15
  return static_cast<std::uintptr_t>(symbol->getValue());
#else
  return static_cast<std::uintptr_t>(symbol->getAddress());
#endif
}

llvm::Expected<std::unique_ptr<MachineCode>> machine_code(std::span<const GeneratorTerm> terms) {
  static const bool target_known = initialize_target();
  if (!target_known) return failure("LLVM was built without this processor");
  const Host here = host();

  auto context = std::make_unique<llvm::LLVMContext>();
  auto module = std::make_unique<llvm::Module>("halocline", *context);
  Tables tables;
  const std::optional<std::int64_t> cost = write_copies(*module, terms, here.registers, tables);
  if (!cost) return nullptr;

  const auto refusal = std::make_shared<std::string>();
  auto jit = make_jit(here, refusal);
  if (!jit) return jit.takeError();
  // By default it prints them; they come back from the call that failed as well.
  (*jit)->getExecutionSession().setErrorReporter(
      [](llvm::Error error) { llvm::consumeError(std::move(error)); });
  module->setDataLayout((*jit)->getDataLayout());
  if (auto error = (*jit)->addIRModule({std::move(module), std::move(context)})) return error;
  auto code = std::make_unique<MachineCode>(std::move(tables), std::move(*jit), *cost);
  auto address = code->address("pack");
  if (address && refusal->empty()) return code;
  // In words before the session goes, which the error refers to.
  const std::string why = address ? "" : llvm::toString(address.takeError());
  return failure(refusal->empty() ? why : *refusal);
}

}  // namespace halocline::compile_llvm
