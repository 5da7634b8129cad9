// SPDX-License-Identifier: BSD-3-Clause
#include "accelerate/cuda/cuda_driver.hpp"

#include "accelerate/cuda/loaded_libraries.hpp"
#include "base/fail.hpp"

#include <dlfcn.h>

#include <atomic>
#include <string>

namespace halocline::accelerate {
namespace {

/// A driver that is in use, but not by us.
std::atomic<bool> refused = false;

constexpr const char* file_name = "libcuda.so.1";
constexpr int oldest_version = 9000;  // the first that reads PTX 6.0

/// What is opened, or why it is not.
struct OpenedDriver {
  CudaDriver driver{};
  std::string refusal = {};
  bool starts = false;  ///< So that a program may have memory of it, refused or not.
};

template <class Function>
void look_up(void* library, const char* name, Function*& function, std::string& refusal) {
  function = reinterpret_cast<Function*>(dlsym(library, name));
  if (function == nullptr && refusal.empty()) refusal = concat(file_name, " has no ", name);
}

OpenedDriver open_driver(void* library) {
  OpenedDriver all;
  CudaDriver& driver = all.driver;
  const auto find = [&](const char* name, auto& function) { look_up(library, name, function, all.refusal); };
  const auto find_if_any = [&](const char* name, auto& function) {
    std::string missing;
    look_up(library, name, function, missing);
  };
  find("cuInit", driver.init);
  find("cuDriverGetVersion", driver.driver_version);
  find("cuGetErrorString", driver.error_string);
  find("cuDeviceGet", driver.device_get);
  find("cuDeviceGetCount", driver.device_count);
  find("cuDeviceGetName", driver.device_name);
  find("cuDeviceGetPCIBusId", driver.device_place);
  find("cuCtxGetCurrent", driver.current_context);
  find("cuCtxGetDevice", driver.current_device);
  find("cuDevicePrimaryCtxRetain", driver.retain_context);
  find("cuCtxPushCurrent_v2", driver.push_context);
  find("cuCtxPopCurrent_v2", driver.pop_context);
  find("cuCtxSynchronize", driver.synchronize_context);
  find("cuModuleLoadData", driver.load_module);
  find("cuModuleGetFunction", driver.get_function);
  find("cuLaunchKernel", driver.launch);
  find("cuMemAlloc_v2", driver.allocate);
  find("cuMemFree_v2", driver.free);
  find("cuMemHostAlloc", driver.allocate_host);
  find("cuMemFreeHost", driver.free_host);
  find("cuMemcpyAsync", driver.copy);
  find("cuStreamCreate", driver.create_stream);
  find("cuStreamDestroy_v2", driver.destroy_stream);
  find("cuStreamGetCtx", driver.stream_context);
  find("cuStreamQuery", driver.query_stream);
  find("cuStreamSynchronize", driver.synchronize_stream);
  find("cuStreamWaitEvent", driver.stream_waits);
  find("cuEventCreate", driver.create_event);
  find("cuEventRecord", driver.record_event);
  find("cuIpcGetMemHandle", driver.get_handle);
  find("cuIpcOpenMemHandle_v2", driver.open_handle);
  find("cuIpcCloseMemHandle", driver.close_handle);
  find("cuPointerGetAttribute", driver.attribute);
  find("cuPointerGetAttributes", driver.attributes);
  find_if_any("cuStreamBatchMemOp_v2", driver.words);
  find_if_any("cuMemAllocAsync", driver.allocate_from_pool);
  find_if_any("cuMemFreeAsync", driver.free_to_pool);
  int version = 0;
  all.starts = driver.init != nullptr && driver.init(0) == CudaDriver::success;
  if (!all.refusal.empty()) return all;
  if (const int result = driver.init(0); result != CudaDriver::success) {
    const char* text = "an error without a name";
    (void)driver.error_string(result, &text);
    all.refusal = concat("the driver of the GPU does not start: ", text);
  } else if (driver.driver_version(&version) != CudaDriver::success || version < oldest_version) {
    all.refusal =
        concat("the driver of the GPU has version ", version, "; ", oldest_version, " is the least");
  }
  return all;
}

const OpenedDriver& opened_once(void* library) {
  static OpenedDriver all = open_driver(library);  // which tests count the calls of
  return all;
}

}  // namespace

const CudaDriver* CudaDriver::if_in_use() {
  static std::atomic<const CudaDriver*> known = nullptr;
  static std::atomic<std::uint64_t> looked_at = 0;  // the libraries that it was not among
  if (const CudaDriver* const driver = known.load(std::memory_order_acquire)) return driver;
  const std::uint64_t libraries = libraries_opened();
  if (looked_at.load(std::memory_order_relaxed) == libraries) return nullptr;
  // Stays open, since a driver that is in use does so anyway.
  void* const library = dlopen(file_name, RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);
  if (library != nullptr && opened_once(library).refusal.empty()) {
    known.store(&opened_once(library).driver, std::memory_order_release);
    return known;
  }
  if (library != nullptr && opened_once(library).starts) refused.store(true, std::memory_order_relaxed);
  looked_at.store(libraries, std::memory_order_relaxed);
  return nullptr;
}

std::optional<int> CudaDriver::chosen_device() const {
  void* context = nullptr;
  int device = 0;
  if (current_context(&context) != success || context == nullptr) return std::nullopt;
  if (current_device(&device) != success) return std::nullopt;
  return device;
}

bool CudaDriver::in_use_but_refused() {
  return if_in_use() == nullptr && refused.load(std::memory_order_relaxed);
}

const std::string& CudaDriver::refusal() { return opened_once(nullptr).refusal; }

const CudaDriver& CudaDriver::get() {
  void* const library = dlopen(file_name, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) fail(Fault::unsupported, "no driver of a GPU: ", dlerror());
  const OpenedDriver& all = opened_once(library);
  if (!all.refusal.empty()) fail(Fault::unsupported, all.refusal);
  return all.driver;
}

}  // namespace halocline::accelerate
