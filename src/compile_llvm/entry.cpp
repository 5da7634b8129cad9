// SPDX-License-Identifier: BSD-3-Clause
// The only symbol of the module, and what happens to it when the process ends.

#include "compile_llvm/jit.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <mutex>
#include <shared_mutex>

namespace halocline::compile_llvm {
namespace {

using compile::GeneratedCode;
using compile::Generator;
using compile::GeneratorAnswer;

/// When the process ends, LLVM's static objects go. Before that the gate closes: it waits for those who
/// compile in other threads and keeps everybody else out. What has been made stays, for static objects may
/// still pack.
class Gate {
 public:
  void close() {
    const std::unique_lock<std::shared_mutex> all(mutex_);
    open_ = false;
  }
  template <class Work>
  bool inside(const Work& work) {
    const std::shared_lock<std::shared_mutex> one(mutex_);
    if (open_) work();
    return open_;
  }

 private:
  std::shared_mutex mutex_;
  bool open_ = true;
};

/// Never destroyed: it is asked until the very end.
Gate& gate() {
  static Gate& only = *new Gate;
  return only;
}

/// What is registered last goes first. LLVM registers its objects when it compiles for the first time, so
/// this comes after that.
void close_gate_at_exit() {
  static const int registered = std::atexit([] { gate().close(); });
  (void)registered;
}

GeneratorAnswer make(std::span<const GeneratorTerm> terms, GeneratedCode& code, std::string& message) {
  auto made = machine_code(terms);
  if (made && *made == nullptr) return GeneratorAnswer::declined;
  llvm::Error error = made ? llvm::Error::success() : made.takeError();
  if (!error) {
    auto pack = (*made)->address("pack");
    auto unpack = (*made)->address("unpack");
    if (pack && unpack) {
      // NOLINTBEGIN(performance-no-int-to-ptr): this is where code comes from
      code.pack = reinterpret_cast<decltype(code.pack)>(*pack);
      code.unpack = reinterpret_cast<decltype(code.unpack)>(*unpack);
      // NOLINTEND(performance-no-int-to-ptr)
      code.cost = (*made)->cost();
      code.owner = made->release();
      return GeneratorAnswer::made;
    }
    error = llvm::joinErrors(pack ? llvm::Error::success() : pack.takeError(),
                             unpack ? llvm::Error::success() : unpack.takeError());
  }
  message = llvm::toString(std::move(error));
  return GeneratorAnswer::failed;
}

GeneratorAnswer generate(const GeneratorTerm* terms, std::int64_t count, GeneratedCode* code, char* message,
                         std::int64_t message_room) {
  GeneratorAnswer answer = GeneratorAnswer::declined;
  std::string text;
  gate().inside([&] {
    try {
      answer = make({terms, static_cast<std::size_t>(count)}, *code, text);
    } catch (const std::exception& error) {
      answer = GeneratorAnswer::failed;
      text = error.what();
    }
    close_gate_at_exit();
  });
  const std::size_t length = std::min(text.size(), static_cast<std::size_t>(message_room) - 1);
  std::memcpy(message, text.data(), length);
  message[length] = '\0';
  return answer;
}

void release(void* owner) {
  gate().inside([&] { delete static_cast<MachineCode*>(owner); });
}

constexpr Generator generator{compile::generator_version, generate, release};

}  // namespace
}  // namespace halocline::compile_llvm

extern "C" __attribute__((visibility("default"))) const halocline::compile::Generator*
halocline_code_generator(std::uint32_t version) {
  return version == halocline::compile::generator_version ? &halocline::compile_llvm::generator : nullptr;
}
