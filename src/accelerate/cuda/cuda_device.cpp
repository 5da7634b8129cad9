// SPDX-License-Identifier: BSD-3-Clause
#include "accelerate/cuda/cuda_device.hpp"

#include "accelerate/cuda/cuda_driver.hpp"
#include "accelerate/cuda/own_gpu.hpp"
#include "accelerate/cuda/ptx.hpp"
#include "accelerate/kernel/addresses.hpp"
#include "base/fail.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <map>
#include <memory>
#include <new>
#include <vector>

namespace halocline::accelerate {
namespace {

using Result = CudaDriver::Result;

// As the driver numbers them.
constexpr unsigned pinned_for_all = 0x01, reached_by_device = 0x02;
constexpr unsigned peers_as_needed = 0x1, without_times = 0x2;
constexpr int of_context = 1, memory_type = 2, buffer_number = 7, device_ordinal = 9, range_start = 11,
              range_bytes = 12;
constexpr unsigned type_device = 2;
constexpr int await_word = 4, write_word = 5;  // those of 64 bits
constexpr unsigned beside_default = 0x1;
constexpr std::size_t most_in_batch = 255;

std::string text_of(const CudaDriver& driver, Result result) {
  const char* text = nullptr;
  if (driver.error_string(result, &text) != CudaDriver::success || text == nullptr)
    return concat("error ", result);
  return text;
}

class CudaDevice : public Device {
 public:
  CudaDevice(const CudaDriver& driver, int ordinal) : driver_(driver), ordinal_(ordinal) {
    int device = 0;
    check("cuDeviceGet", driver_.device_get(&device, ordinal), Fault::unsupported);
    check("cuDeviceGetName", driver_.device_name(name_, sizeof name_ - 1, device), Fault::unsupported);
    check("cuDevicePrimaryCtxRetain", driver_.retain_context(&context_, device), Fault::unsupported);
    const Current here(*this);
    load_kernel();
    check("cuEventCreate", driver_.create_event(&event_, without_times), Fault::unsupported);
  }

  [[nodiscard]] std::string name() const override { return concat("GPU ", ordinal_, " (", name_, ")"); }
  [[nodiscard]] std::optional<Count> place() const override { return number_of_place(cuda_place(ordinal_)); }

  /// Kernels would end the program that touch memory of another context. Null: memory that has none.
  void require_own_context(const void* context, const void* address) const {
    if (context != nullptr && context != context_)
      fail(Fault::unsupported, "the memory at ", address, " is of a context of its own on ", name(),
           "; it has to be of the one that libraries share");
  }

  [[nodiscard]] std::byte* allocate(Count bytes) override {
    const Current here(*this);
    CudaDriver::Address memory = 0;
    check("cuMemAlloc", driver_.allocate(&memory, static_cast<std::size_t>(bytes)), bytes);
    return address_of(memory);
  }
  void free(std::byte* memory) noexcept override {
    const Current here(*this, std::nothrow);
    (void)driver_.free(number_of(memory));
  }
  [[nodiscard]] std::byte* allocate_from_pool(Count bytes) override {
    if (driver_.allocate_from_pool == nullptr || driver_.free_to_pool == nullptr)
      fail(Fault::unsupported, "the driver has no pools of memory on ", name());
    Stream const stream = aside();
    const Current here(*this);
    CudaDriver::Address memory = 0;
    check("cuMemAllocAsync", driver_.allocate_from_pool(&memory, static_cast<std::size_t>(bytes), stream),
          bytes);
    check("cuStreamSynchronize", driver_.synchronize_stream(stream));
    return address_of(memory);
  }
  void free_to_pool(std::byte* memory) noexcept override {
    const Current here(*this, std::nothrow);
    (void)driver_.synchronize_context();  // which freeing other memory does by itself
    (void)driver_.free_to_pool(number_of(memory), aside_);
  }
  [[nodiscard]] std::optional<std::uint64_t> allocation_number(const std::byte* address) override {
    unsigned long long number = 0;  // of memory, in whatever context
    const Result result = driver_.attribute(&number, buffer_number, number_of(address));
    return result == CudaDriver::success ? std::optional<std::uint64_t>(number) : std::nullopt;
  }
  [[nodiscard]] std::byte* allocate_pinned(Count bytes) override {
    const Current here(*this);
    void* memory = nullptr;
    check("cuMemHostAlloc",
          driver_.allocate_host(&memory, static_cast<std::size_t>(bytes), pinned_for_all | reached_by_device),
          bytes);
    return static_cast<std::byte*>(memory);
  }
  void free_pinned(std::byte* memory) noexcept override {
    const Current here(*this, std::nothrow);
    (void)driver_.free_host(memory);
  }

  [[nodiscard]] Stream create_stream() override {
    const Current here(*this);
    void* stream = nullptr;
    // One that waits for the default stream: what a program has launched there comes first.
    check("cuStreamCreate", driver_.create_stream(&stream, 0));
    return stream;
  }
  [[nodiscard]] Stream aside() override {
    const Current here(*this);
    if (aside_ == nullptr) check("cuStreamCreate", driver_.create_stream(&aside_, beside_default));
    return aside_;
  }
  void destroy_stream(Stream stream) noexcept override {
    const Current here(*this, std::nothrow);
    (void)driver_.destroy_stream(stream);
  }
  void require_own(Stream stream) override {
    void* context = nullptr;
    if (is_default(stream)) {  // of no device, as long as the thread has chosen none
      const Result result = driver_.current_context(&context);
      return require(result == CudaDriver::success && (context == nullptr || context == context_),
                     "the default stream is not one of ", name(), ", since the thread works with another");
    }
    const Current here(*this);
    const Result result = driver_.stream_context(stream, &context);
    require(result == CudaDriver::success && context == context_, "the stream ", stream, " is not one of ",
            name());
  }

  void copy(std::byte* to, const std::byte* from, Count bytes, Stream stream) override {
    const Current here(*this);
    check("cuMemcpyAsync",
          driver_.copy(number_of(to), number_of(from), static_cast<std::size_t>(bytes), stream));
  }
  void launch(const Launch& launch, Stream stream) override {
    const Current here(*this);
    Launch told = launch;
    void* parameters[] = {static_cast<void*>(&told.table), static_cast<void*>(&told.news), &told.value};
    check("cuLaunchKernel", driver_.launch(kernel_, static_cast<unsigned>(launch.tiles), 1, 1, tile_threads,
                                           1, 1, 0, stream, static_cast<void**>(parameters), nullptr));
  }
  void order(Stream first, Stream then) override {
    const Current here(*this);
    check("cuEventRecord", driver_.record_event(event_, first));
    check("cuStreamWaitEvent", driver_.stream_waits(then, event_, 0));
  }

  [[nodiscard]] bool has_signals() const override { return driver_.words != nullptr; }
  void signal(std::span<const Signal> written, std::span<const Signal> awaited, Stream stream) override {
    const Current here(*this);
    operations_.clear();
    for (const Signal& one : written)
      operations_.push_back({write_word, number_of(one.word), one.value, 0, 0, 0});
    for (const Signal& one : awaited)
      operations_.push_back({await_word, number_of(one.word), one.value, 0, 0, 0});
    for (std::size_t done = 0; done < operations_.size(); done += most_in_batch) {
      const std::size_t count = std::min(operations_.size() - done, most_in_batch);
      check("cuStreamBatchMemOp",
            driver_.words(stream, static_cast<unsigned>(count), operations_.data() + done, 0));
    }
  }

  [[nodiscard]] bool finished(Stream stream) override {
    const Current here(*this);
    const Result result = driver_.query_stream(stream);
    if (result == CudaDriver::not_ready) return false;
    check("cuStreamQuery", result);
    return true;
  }
  void synchronize(Stream stream) override {
    const Current here(*this);
    check("cuStreamSynchronize", driver_.synchronize_stream(stream));
  }

  void synchronize_all() override {
    const Current here(*this);
    check("cuCtxSynchronize", driver_.synchronize_context());
  }

  [[nodiscard]] std::optional<MemoryHandle> exported(const DeviceMemory& memory) override {
    const Current here(*this);
    CudaDriver::Ipc ipc{};
    if (driver_.get_handle(&ipc, number_of(memory.base)) != CudaDriver::success) return std::nullopt;
    MemoryHandle handle;
    std::memcpy(handle.bytes.data(), &ipc, sizeof ipc);
    return handle;
  }

 protected:
  [[nodiscard]] std::byte* open(const MemoryHandle& handle) override {
    const Current here(*this);
    CudaDriver::Ipc ipc{};
    std::memcpy(&ipc, handle.bytes.data(), sizeof ipc);
    CudaDriver::Address memory = 0;
    return driver_.open_handle(&memory, ipc, peers_as_needed) == CudaDriver::success ? address_of(memory)
                                                                                     : nullptr;
  }
  void close(std::byte* memory) noexcept override {
    const Current here(*this, std::nothrow);
    (void)driver_.close_handle(number_of(memory));
  }

 private:
  /// Its context is the thread's for a while.
  class Current {
   public:
    explicit Current(const CudaDevice& device) : Current(device, std::nothrow) {
      device.check("cuCtxPushCurrent", result_);
    }
    /// For who cannot throw: where it cannot be had, each call refuses what it is asked for.
    Current(const CudaDevice& device, const std::nothrow_t& /*nothrow*/) : driver_(device.driver_) {
      void* current = nullptr;
      if (driver_.current_context(&current) == CudaDriver::success && current == device.context_) return;
      result_ = driver_.push_context(device.context_);
      pushed_ = result_ == CudaDriver::success;
    }
    Current(const Current&) = delete;
    Current& operator=(const Current&) = delete;
    ~Current() {
      void* before = nullptr;
      if (pushed_) (void)driver_.pop_context(&before);
    }

   private:
    const CudaDriver& driver_;
    bool pushed_ = false;  ///< Not as a rule: it is the one that the program works with.
    Result result_ = CudaDriver::success;
  };

  void load_kernel() {
    void* module = nullptr;
    require_kernel(*transfer_ptx() != '\0',
                   "this build had no compiler for it; configure with HALOCLINE_PTX=FILE");
    const Result loaded = driver_.load_module(&module, transfer_ptx());
    require_kernel(loaded == CudaDriver::success, text_of(driver_, loaded));
    const Result found = driver_.get_function(&kernel_, module, "transfer_tiles");
    require_kernel(found == CudaDriver::success, text_of(driver_, found));
  }
  void require_kernel(bool ok, const std::string& why) const {
    if (!ok) fail(Fault::unsupported, "no kernel for ", name(), ": ", why);
  }
  void check(const char* call, Result result, Fault fault = Fault::internal) const {
    if (result != CudaDriver::success) fail(fault, call, " on ", name(), ": ", text_of(driver_, result));
  }
  void check(const char* call, Result result, Count bytes) const {
    if (result == CudaDriver::success) return;
    fail(result == CudaDriver::out_of_memory ? Fault::out_of_memory : Fault::internal, call, " of ", bytes,
         " bytes on ", name(), ": ", text_of(driver_, result));
  }

  const CudaDriver& driver_;
  int ordinal_;
  char name_[128] = {};
  void* context_ = nullptr;
  void* kernel_ = nullptr;
  void* event_ = nullptr;
  void* aside_ = nullptr;
  std::vector<CudaDriver::WordOperation> operations_;  ///< Of the last signal: room for the next.
};

CudaDevice& known_device(int ordinal) {
  // They live as long as the process: the driver may be gone before objects of other files are destroyed.
  static auto* const devices =
      new std::map<int, std::unique_ptr<CudaDevice>>;  // NOLINT(cppcoreguidelines-owning-memory)
  std::unique_ptr<CudaDevice>& device = (*devices)[ordinal];
  if (!device) device = std::make_unique<CudaDevice>(CudaDriver::get(), ordinal);
  return *device;
}

}  // namespace

int cuda_devices() {
  int count = 0;
  try {
    if (CudaDriver::get().device_count(&count) != CudaDriver::success) return 0;
  } catch (const Error&) {
    return 0;
  }
  return count;
}

Device& cuda_device(int ordinal) { return known_device(ordinal); }

std::string cuda_place(int ordinal) {
  char place[32] = {};
  const bool told = CudaDriver::get().device_place(place, sizeof place - 1, ordinal) == CudaDriver::success;
  return told ? place : "";
}

int current_cuda() {
  const CudaDriver& driver = CudaDriver::get();
  if (const std::optional<int> chosen = driver.chosen_device()) return *chosen;
  int devices = 0;
  if (driver.device_count(&devices) != CudaDriver::success || devices == 0)
    fail(Fault::unsupported, "the driver knows no GPU that this process may use");
  return dealt_gpu(devices, local_rank([](const char* name) { return std::getenv(name); }));
}

std::optional<DeviceMemory> find_cuda(const void* address) {
  const CudaDriver* const driver = CudaDriver::if_in_use();
  if (driver == nullptr) return std::nullopt;
  unsigned type = 0;
  int ordinal = 0;
  CudaDriver::Address base = 0;
  std::size_t bytes = 0;
  void* context = nullptr;
  constexpr int wanted[] = {memory_type, device_ordinal, range_start, range_bytes, of_context};
  void* values[] = {&type, &ordinal, static_cast<void*>(&base), &bytes, static_cast<void*>(&context)};
  if (driver->attributes(std::size(wanted), static_cast<const int*>(wanted), static_cast<void**>(values),
                         number_of(address)) != CudaDriver::success ||
      type != type_device)
    return std::nullopt;
  CudaDevice& device = known_device(ordinal);
  device.require_own_context(context, address);
  return DeviceMemory{&device, address_of(base), static_cast<Count>(bytes)};
}

}  // namespace halocline::accelerate
