// SPDX-License-Identifier: BSD-3-Clause
#include "accelerate/cuda_device.hpp"

#include "accelerate/addresses.hpp"
#include "accelerate/cuda_driver.hpp"
#include "accelerate/ptx.hpp"
#include "base/fail.hpp"

#include <cstring>
#include <map>
#include <memory>
#include <vector>

namespace halocline::accelerate {
namespace {

using Result = CudaDriver::Result;

// As the driver numbers them.
constexpr unsigned pinned_for_all = 0x01, reached_by_device = 0x02;
constexpr unsigned peers_as_needed = 0x1, without_times = 0x2;
constexpr int memory_type = 2, device_ordinal = 9, range_start = 11, range_bytes = 12;
constexpr unsigned type_device = 2;
constexpr int await_word = 1, write_word = 2;

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

  [[nodiscard]] std::byte* allocate(Count bytes) override {
    const Current here(*this);
    CudaDriver::Address memory = 0;
    check("cuMemAlloc", driver_.allocate(&memory, static_cast<std::size_t>(bytes)), bytes);
    return address_of(memory);
  }
  void free(std::byte* memory) noexcept override {
    const Current here(*this);
    (void)driver_.free(number_of(memory));
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
    const Current here(*this);
    (void)driver_.free_host(memory);
  }

  [[nodiscard]] Stream create_stream() override {
    const Current here(*this);
    void* stream = nullptr;
    // One that waits for the default stream: what a program has launched there comes first.
    check("cuStreamCreate", driver_.create_stream(&stream, 0));
    return stream;
  }
  void destroy_stream(Stream stream) noexcept override {
    const Current here(*this);
    (void)driver_.destroy_stream(stream);
  }
  void require_own(Stream stream) override {
    const Current here(*this);
    void* context = nullptr;
    const Result result = driver_.stream_context(stream, &context);
    require(result == CudaDriver::success && context == context_, "the stream ", stream, " is not one of ",
            name());
  }

  void copy(std::byte* to, const std::byte* from, Count bytes, Stream stream) override {
    const Current here(*this);
    check("cuMemcpyAsync",
          driver_.copy(number_of(to), number_of(from), static_cast<std::size_t>(bytes), stream));
  }
  void launch(const Tile* tiles, Count count, Stream stream) override {
    const Current here(*this);
    void* parameters[] = {static_cast<void*>(&tiles)};
    check("cuLaunchKernel", driver_.launch(kernel_, static_cast<unsigned>(count), 1, 1, tile_threads, 1, 1, 0,
                                           stream, static_cast<void**>(parameters), nullptr));
  }
  void order(Stream first, Stream then) override {
    const Current here(*this);
    check("cuEventRecord", driver_.record_event(event_, first));
    check("cuStreamWaitEvent", driver_.stream_waits(then, event_, 0));
  }

  [[nodiscard]] bool has_signals() const override { return driver_.words != nullptr; }
  void signal(std::span<const Signal> written, std::span<const Signal> awaited, Stream stream) override {
    const Current here(*this);
    std::vector<CudaDriver::WordOperation> operations;
    for (const Signal& one : written)
      operations.push_back({write_word, number_of(one.word), one.value, 0, 0, 0});
    for (const Signal& one : awaited)
      operations.push_back({await_word, number_of(one.word), one.value, 0, 0, 0});
    if (operations.empty()) return;
    check("cuStreamBatchMemOp",
          driver_.words(stream, static_cast<unsigned>(operations.size()), operations.data(), 0));
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

  [[nodiscard]] std::optional<MemoryHandle> exported(const Allocation& memory) override {
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
    const Current here(*this);
    (void)driver_.close_handle(number_of(memory));
  }

 private:
  /// Its context is the thread's for a while.
  class Current {
   public:
    explicit Current(const CudaDevice& device) : driver_(device.driver_) {
      (void)driver_.push_context(device.context_);
    }
    Current(const Current&) = delete;
    Current& operator=(const Current&) = delete;
    ~Current() {
      void* before = nullptr;
      (void)driver_.pop_context(&before);
    }

   private:
    const CudaDriver& driver_;
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
};

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

Device& cuda_device(int ordinal) {
  // They live as long as the process: the driver may be gone before objects of other files are destroyed.
  static auto* const devices =
      new std::map<int, std::unique_ptr<CudaDevice>>;  // NOLINT(cppcoreguidelines-owning-memory)
  std::unique_ptr<CudaDevice>& device = (*devices)[ordinal];
  if (!device) device = std::make_unique<CudaDevice>(CudaDriver::get(), ordinal);
  return *device;
}

int current_cuda() {
  int device = 0;  // numbers of devices and ordinals are the same
  return CudaDriver::get().current_device(&device) == CudaDriver::success ? device : 0;
}

std::optional<Allocation> find_cuda(const void* address) {
  const CudaDriver* const driver = CudaDriver::if_in_use();
  if (driver == nullptr) return std::nullopt;
  unsigned type = 0;
  int ordinal = 0;
  CudaDriver::Address base = 0;
  std::size_t bytes = 0;
  constexpr int wanted[] = {memory_type, device_ordinal, range_start, range_bytes};
  void* values[] = {&type, &ordinal, static_cast<void*>(&base), &bytes};
  if (driver->attributes(4, static_cast<const int*>(wanted), static_cast<void**>(values),
                         number_of(address)) != CudaDriver::success ||
      type != type_device)
    return std::nullopt;
  return Allocation{&cuda_device(ordinal), address_of(base), static_cast<Count>(bytes)};
}

}  // namespace halocline::accelerate
