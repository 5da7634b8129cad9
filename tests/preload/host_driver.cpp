// A driver of a GPU that the host's processor plays: libcuda.so.1 with the functions that
// accelerate/cuda/cuda_driver.hpp lists. Memory of it lies where nobody but its copies and its kernel may
// look.

#include "accelerate/cuda/cuda_driver.hpp"
#include "accelerate/host/host_device.hpp"
#include "accelerate/kernel/addresses.hpp"
#include "halocline/base/error.hpp"

#include <cstring>
#include <map>
#include <memory>
#include <span>

namespace {

using halocline::Count;
using halocline::accelerate::address_of;
using halocline::accelerate::CudaDriver;
using halocline::accelerate::DeviceMemory;
using halocline::accelerate::HostDevice;
using halocline::accelerate::Launch;
using halocline::accelerate::MemoryHandle;
using halocline::accelerate::number_of;
using halocline::accelerate::Signal;
using halocline::accelerate::Tile;
using halocline::accelerate::TileNews;

using Address = std::uint64_t;
constexpr int success = 0, invalid = 1, out_of_memory = 2, not_ready = 600;
int context = 0, kernel = 0, event = 0;  // there is one of each
void* recorded = nullptr;                ///< The stream that the event was recorded on.

/// Memory of other processes. Lives as long as the process, as the device does.
std::map<Address, std::shared_ptr<std::byte>>& opened() {
  static auto* const all = new std::map<Address, std::shared_ptr<std::byte>>;
  return *all;
}

template <class Work>
int code_of(const Work& work) {
  try {
    return work();
  } catch (const halocline::Error& error) {
    return error.fault() == halocline::Fault::out_of_memory ? out_of_memory : invalid;
  }
}

struct Ipc {
  char bytes[64];
};

}  // namespace

// NOLINTBEGIN(readability-identifier-naming, readability-non-const-parameter): the driver's own
extern "C" {

int cuInit(unsigned /*flags*/) { return HostDevice::get().has_signals() ? success : invalid; }
int cuDriverGetVersion(int* version) { return *version = 12000, success; }
int cuGetErrorString(int /*code*/, const char** text) { return *text = "the host refuses", success; }
int cuDeviceGet(int* device, int ordinal) { return *device = ordinal, ordinal == 0 ? success : invalid; }
int cuDeviceGetCount(int* count) { return *count = 1, success; }
int cuDeviceGetName(char* name, int length, int /*device*/) {
  return std::strncpy(name, "the host", static_cast<std::size_t>(length)), success;
}
int cuDeviceGetPCIBusId(char* name, int length, int /*device*/) {
  return std::strncpy(name, "0000:00:00.0", static_cast<std::size_t>(length)), success;
}
int cuCtxGetCurrent(void** its_context) { return *its_context = &context, success; }
int cuCtxGetDevice(int* device) { return *device = 0, success; }
int cuDevicePrimaryCtxRetain(void** its_context, int /*device*/) { return *its_context = &context, success; }
int cuCtxPushCurrent_v2(void* /*its_context*/) { return success; }
int cuCtxPopCurrent_v2(void** its_context) { return *its_context = &context, success; }
int cuCtxSynchronize() {
  return code_of([] { return HostDevice::get().synchronize_all(), success; });
}
int cuModuleLoadData(void** module, const void* image) {
  return *module = &kernel, image != nullptr ? success : invalid;
}
int cuModuleGetFunction(void** function, void* /*module*/, const char* /*name*/) {
  return *function = &kernel, success;
}
int cuLaunchKernel(void* /*function*/, unsigned tiles, unsigned /*y*/, unsigned /*z*/, unsigned /*bx*/,
                   unsigned /*by*/, unsigned /*bz*/, unsigned /*shared*/, void* stream, void** parameters,
                   void** /*extra*/) {
  return code_of([&] {
    const Launch launch{*static_cast<const Tile**>(parameters[0]), tiles,
                        *static_cast<TileNews**>(parameters[1]), *static_cast<std::uint64_t*>(parameters[2])};
    return HostDevice::get().launch(launch, stream), success;
  });
}
int cuMemAlloc_v2(Address* memory, std::size_t bytes) {
  return code_of([&] {
    *memory = number_of(HostDevice::get().allocate(static_cast<Count>(bytes)));
    return success;
  });
}
int cuMemFree_v2(Address memory) { return HostDevice::get().free(address_of(memory)), success; }
int cuMemAllocAsync(Address* memory, std::size_t bytes, void* /*stream*/) {
  return code_of([&] {
    *memory = number_of(HostDevice::get().allocate_from_pool(static_cast<Count>(bytes)));
    return success;
  });
}
int cuMemFreeAsync(Address memory, void* /*stream*/) {
  return HostDevice::get().free_to_pool(address_of(memory)), success;
}
int cuMemHostAlloc(void** memory, std::size_t bytes, unsigned /*flags*/) {
  return code_of([&] {
    *memory = HostDevice::get().allocate_pinned(static_cast<Count>(bytes));
    return success;
  });
}
int cuMemFreeHost(void* memory) {
  return HostDevice::get().free_pinned(static_cast<std::byte*>(memory)), success;
}
int cuMemcpyAsync(Address to, Address from, std::size_t bytes, void* stream) {
  return code_of([&] {
    HostDevice::get().copy(address_of(to), address_of(from), static_cast<Count>(bytes), stream);
    return success;
  });
}
int cuStreamCreate(void** stream, unsigned /*flags*/) {
  return code_of([&] { return *stream = HostDevice::get().create_stream(), success; });
}
int cuStreamDestroy_v2(void* stream) { return HostDevice::get().destroy_stream(stream), success; }
int cuStreamGetCtx(void* /*stream*/, void** its_context) { return *its_context = &context, success; }
int cuStreamQuery(void* stream) {
  return code_of([&] { return HostDevice::get().finished(stream) ? success : not_ready; });
}
int cuStreamSynchronize(void* stream) {
  return code_of([&] { return HostDevice::get().synchronize(stream), success; });
}
/// What is waited for is what the stream has by then, which is more than at the record: nobody here waits
/// later.
int cuStreamWaitEvent(void* stream, void* /*its_event*/, unsigned /*flags*/) {
  return code_of([&] { return HostDevice::get().order(recorded, stream), success; });
}
int cuEventCreate(void** its_event, unsigned /*flags*/) { return *its_event = &event, success; }
int cuEventRecord(void* /*its_event*/, void* stream) { return recorded = stream, success; }
int cuStreamBatchMemOp_v2(void* stream, unsigned count, const CudaDriver::WordOperation* operations,
                          unsigned /*flags*/) {
  if (count == 0 || count > 255) return invalid;
  return code_of([&] {
    for (const CudaDriver::WordOperation& one : std::span(operations, count)) {
      const Signal signal{reinterpret_cast<std::uint64_t*>(one.word), one.value};
      const std::span<const Signal> alone(&signal, 1), none;
      const bool writes = one.kind == 5;  // as the driver numbers them; 4 waits
      HostDevice::get().signal(writes ? alone : none, writes ? none : alone, stream);
    }
    return success;
  });
}
int cuIpcGetMemHandle(Ipc* handle, Address memory) {
  const auto found = HostDevice::find(address_of(memory));
  const auto exported = found ? HostDevice::get().exported(*found) : std::nullopt;
  if (!exported) return invalid;
  return std::memcpy(handle, exported->bytes.data(), sizeof *handle), success;
}
int cuIpcOpenMemHandle_v2(Address* memory, Ipc handle, unsigned /*flags*/) {
  return code_of([&] {
    MemoryHandle of_host;
    std::memcpy(of_host.bytes.data(), &handle, sizeof handle);
    std::shared_ptr<std::byte> known = HostDevice::get().opened(of_host);
    if (!known) return invalid;
    *memory = number_of(known.get());
    opened()[*memory] = std::move(known);
    return success;
  });
}
int cuIpcCloseMemHandle(Address memory) { return opened().erase(memory) == 1 ? success : invalid; }
int cuPointerGetAttribute(void* value, int attribute, Address memory) {
  if (attribute != 7) return invalid;  // the number of the allocation
  const auto number = HostDevice::get().allocation_number(address_of(memory));
  if (!number) return invalid;
  return *static_cast<unsigned long long*>(value) = *number, success;
}
int cuPointerGetAttributes(unsigned count, const int* attributes, void** values, Address memory) {
  const std::optional<DeviceMemory> found = HostDevice::find(address_of(memory));
  for (unsigned i = 0; i < count; ++i) switch (attributes[i]) {  // as the driver numbers them
      case 2:
        *static_cast<unsigned*>(values[i]) = found ? 2 : 0;
        break;
      case 9:
        *static_cast<int*>(values[i]) = 0;
        break;
      case 11:
        *static_cast<Address*>(values[i]) = found ? number_of(found->base) : 0;
        break;
      case 12:
        *static_cast<std::size_t*>(values[i]) = found ? static_cast<std::size_t>(found->bytes) : 0;
        break;
      default:
        *static_cast<void**>(values[i]) = found ? &context : nullptr;
    }
  return success;
}

}  // extern "C"
// NOLINTEND(readability-identifier-naming, readability-non-const-parameter)
