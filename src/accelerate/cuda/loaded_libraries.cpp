// SPDX-License-Identifier: BSD-3-Clause
#include "accelerate/cuda/loaded_libraries.hpp"

#include <dlfcn.h>
#include <link.h>

namespace halocline::accelerate {
namespace {

/// The last in the list of libraries when this code was loaded. It came with the program or with this code,
/// and stays as long as either.
const link_map* last_of_first() noexcept {
  Dl_info info{};
  void* own = nullptr;
  if (dladdr1(reinterpret_cast<void*>(&libraries_opened), &info, &own, RTLD_DL_LINKMAP) == 0) return nullptr;
  const auto* last = static_cast<const link_map*>(own);
  while (last != nullptr && last->l_next != nullptr) last = last->l_next;
  return last;
}

const link_map* const last_library = last_of_first();

/// So many were opened in all.
int count_opened(dl_phdr_info* info, std::size_t /*size*/, void* opened) {
  *static_cast<std::uint64_t*>(opened) = info->dlpi_adds;
  return 1;  // all of them say the same
}

}  // namespace

std::uint64_t libraries_opened() noexcept {
  if (last_library != nullptr && __atomic_load_n(&last_library->l_next, __ATOMIC_ACQUIRE) == nullptr)
    return 1;
  std::uint64_t opened = 0;
  dl_iterate_phdr(count_opened, &opened);
  return opened + 2;
}

}  // namespace halocline::accelerate
