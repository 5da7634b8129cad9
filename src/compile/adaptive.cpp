#include "compile/adaptive.hpp"

#include "base/log.hpp"
#include "compile/generated.hpp"
#include "compile/kernels.hpp"
#include "compile/llvm_module.hpp"
#include "compile/takeover.hpp"

#include <array>
#include <atomic>
#include <csignal>
#include <exception>
#include <memory>
#include <string>
#include <thread>

#include <unistd.h>

namespace halocline::compile {
namespace {

/// A thread that gets none of the signals of the process: handlers belong to the program.
template <class Work>
std::thread quiet_thread(const Work& work) {
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  struct Restore {
    const sigset_t& mask;
    ~Restore() { pthread_sigmask(SIG_SETMASK, &mask, nullptr); }
  } const restore{before};
  return std::thread(work);
}

/// The first code ever generated, and thrown away: by the calling thread and once for the process. LLVM makes
/// static objects on the way, which have to be there before the module says what is to happen at exit.
void warm_up() {
  static const bool warm = [] {
    const Layout real = Layout::named(Elementary::double_);
    const std::array<Part, 2> parts{{{Layout::vector(3, 54, 60, real)},
                                     {Layout::indexed_block(1, {0, 2, 3, 7, 9, 10, 14}, real), 1, 8192}}};
    const Canonical canonical(parts);
    return static_cast<bool>(GeneratedFunctions(canonical));
  }();
  (void)warm;
}

/// Every call goes through `active_`, which points to one of three sets of functions that never change once
/// it does: counting kernels, kernels, generated code. The store that publishes generated code releases, the
/// load of each call acquires: who sees the pointer sees what it points to.
class Adaptive : public Code {
 public:
  Adaptive(const Unit& unit, Count packs)
      : canonical_(unit.canonical), packs_(packs), kernels_(choose_kernels(unit)) {
    counting_ = {this,
                 [](const void* self, const std::byte* base, std::byte* wire) {
                   const auto& code = *static_cast<const Adaptive*>(self);
                   code.count();
                   code.kernels_->whole().pack(code.kernels_->whole().context, base, wire);
                 },
                 [](const void* self, const std::byte* wire, std::byte* base) {
                   const auto& code = *static_cast<const Adaptive*>(self);
                   code.count();
                   code.kernels_->whole().unpack(code.kernels_->whole().context, wire, base);
                 }};
    active_.store(&counting_, std::memory_order_relaxed);
    whole_.context = this;
    whole_.pack = [](const void* self, const std::byte* base, std::byte* wire) {
      const Whole& now = *static_cast<const Adaptive*>(self)->active_.load(std::memory_order_acquire);
      now.pack(now.context, base, wire);
    };
    whole_.unpack = [](const void* self, const std::byte* wire, std::byte* base) {
      const Whole& now = *static_cast<const Adaptive*>(self)->active_.load(std::memory_order_acquire);
      now.unpack(now.context, wire, base);
    };
  }

  ~Adaptive() override {
    if (!thread_.joinable()) return;
    // In a child process there is no thread to wait for.
    if (getpid() == thread_process_)
      thread_.join();
    else
      thread_.detach();
  }

  [[nodiscard]] std::string_view engine() const override {
    const Whole* const now = active_.load(std::memory_order_acquire);
    return now == &counting_ || now == &kernels_->whole() ? kernels_->engine() : "llvm";
  }
  void pack(const std::byte* base, std::byte* wire, Count first, Count bytes) const override {
    kernels_->pack(base, wire, first, bytes);
  }
  void unpack(const std::byte* wire, std::byte* base, Count first, Count bytes) const override {
    kernels_->unpack(wire, base, first, bytes);
  }

 private:
  void count() const {
    if (uses_.fetch_add(1, std::memory_order_relaxed) == packs_) start();
  }

  /// Called once, by the thread whose use was the decisive one.
  void start() const {
    active_.store(&kernels_->whole(), std::memory_order_release);
    try {
      warm_up();
      thread_process_ = getpid();
      thread_ = quiet_thread([this] { take_over(); });
    } catch (const std::exception& error) {
      log_line(std::string("no thread to generate code in, kernels pack instead: ") + error.what());
    }
  }

  void take_over() const noexcept try {
    functions_ = std::make_unique<const GeneratedFunctions>(canonical_);
    if (!*functions_) return;
    generated_ = functions_->whole(who_unpacks_after_takeover(canonical_), *kernels_);
    active_.store(&generated_, std::memory_order_release);
  } catch (const std::exception& error) {
    log_line(std::string("no generated code, kernels pack instead: ") + error.what());
  }

  const Canonical& canonical_;
  Count packs_;
  std::unique_ptr<const Code> kernels_;
  Whole counting_;
  mutable std::atomic<const Whole*> active_{nullptr};
  mutable std::atomic<Count> uses_{0};
  // Written by the thread, then only read.
  mutable std::unique_ptr<const GeneratedFunctions> functions_;
  mutable Whole generated_;
  mutable pid_t thread_process_ = 0;
  mutable std::thread thread_;  ///< Written in start(), joined by the destructor.
};

}  // namespace

std::unique_ptr<const Code> take_over_after(const Unit& unit, Count packs) {
  return std::make_unique<Adaptive>(unit, packs);
}

std::unique_ptr<const Code> adapt(const Unit& unit) {
  const Call call = unit.packs ? Call::direct : Call::through_switch;
  const std::optional<Count> needed = packs_to_pay(unit.canonical, call);
  if (!needed || !llvm_module_present()) return choose_kernels(unit);
  if (!unit.packs) return take_over_after(unit, *needed);
  if (*unit.packs < *needed) return choose_kernels(unit);
  return generate(unit, who_unpacks_after_takeover(unit.canonical));
}

}  // namespace halocline::compile
