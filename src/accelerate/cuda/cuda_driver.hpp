// SPDX-License-Identifier: BSD-3-Clause
// The few functions of NVIDIA's driver that the library calls, opened when a process has, or wants, memory of
// a GPU. The prototypes are our own, since no toolkit is needed to build.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace halocline::accelerate {

struct CudaDriver {
  using Result = int;
  using Address = std::uint64_t;
  struct Ipc {
    char bytes[64];
  };

  /// A word that a stream writes or waits for, as the driver wants it.
  struct WordOperation {
    int kind;
    Address word;
    std::uint64_t value;
    unsigned flags;
    Address alias;
    std::uint64_t unused;
  };

  Result (*init)(unsigned flags);
  Result (*driver_version)(int* version);
  Result (*error_string)(Result result, const char** text);
  Result (*device_get)(int* device, int ordinal);
  Result (*device_count)(int* count);
  Result (*device_name)(char* name, int length, int device);
  Result (*device_place)(char* place, int length, int device);
  Result (*current_context)(void** context);
  Result (*current_device)(int* device);
  Result (*retain_context)(void** context, int device);
  Result (*push_context)(void* context);
  Result (*pop_context)(void** context);
  Result (*synchronize_context)();
  Result (*load_module)(void** module, const void* image);
  Result (*get_function)(void** function, void* module, const char* name);
  Result (*launch)(void* function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                   unsigned block_y, unsigned block_z, unsigned shared_bytes, void* stream, void** parameters,
                   void** extra);
  Result (*allocate)(Address* memory, std::size_t bytes);
  Result (*free)(Address memory);
  Result (*allocate_host)(void** memory, std::size_t bytes, unsigned flags);
  Result (*free_host)(void* memory);
  Result (*copy)(Address to, Address from, std::size_t bytes, void* stream);
  Result (*create_stream)(void** stream, unsigned flags);
  Result (*destroy_stream)(void* stream);
  Result (*stream_context)(void* stream, void** context);
  Result (*query_stream)(void* stream);
  Result (*synchronize_stream)(void* stream);
  Result (*stream_waits)(void* stream, void* event, unsigned flags);
  Result (*create_event)(void** event, unsigned flags);
  Result (*record_event)(void* event, void* stream);
  Result (*get_handle)(Ipc* handle, Address memory);
  Result (*open_handle)(Address* memory, Ipc handle, unsigned flags);
  Result (*close_handle)(Address memory);
  Result (*attribute)(void* value, int attribute, Address memory);
  Result (*attributes)(unsigned count, const int* attributes, void** values, Address memory);

  /// Null in drivers that do not have them.
  Result (*words)(void* stream, unsigned count, const WordOperation* operations, unsigned flags);
  Result (*allocate_from_pool)(Address* memory, std::size_t bytes, void* stream);
  Result (*free_to_pool)(Address memory, void* stream);

  static constexpr Result success = 0, out_of_memory = 2, not_ready = 600;

  /// The number of the device that this thread works with, which is its ordinal; none before it chose one.
  [[nodiscard]] std::optional<int> chosen_device() const;

  /// The one that the process has opened itself already; null if it has not.
  [[nodiscard]] static const CudaDriver* if_in_use();
  /// Has the process opened one that is too old for us? Then nobody tells where an address lies.
  [[nodiscard]] static bool in_use_but_refused();
  /// Why. @pre in_use_but_refused()
  [[nodiscard]] static const std::string& refusal();
  /// Opens it. Throws Error{unsupported} if there is none, or one that is too old.
  [[nodiscard]] static const CudaDriver& get();
};

}  // namespace halocline::accelerate
