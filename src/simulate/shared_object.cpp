// SPDX-License-Identifier: BSD-3-Clause
// The simulated answer to exchange/memory/shared_object.hpp: all processes live in one address space, so that
// the memory of a node is memory, and its ticket is a number.

#include "exchange/memory/shared_object.hpp"
#include "base/numbers.hpp"

#include <map>

#include <sys/mman.h>

namespace halocline::exchange {
namespace {

struct SimulatedObject {
  std::byte* base;
  Count bytes;
  int users;  ///< Those that have mapped it, and the one that created it until its ticket is worthless.
};

/// By ticket. Processes take turns.
std::map<std::string, SimulatedObject>& objects() {
  static std::map<std::string, SimulatedObject> all;
  return all;
}

void leave(std::map<std::string, SimulatedObject>::iterator object) {
  if (--object->second.users > 0) return;
  munmap(object->second.base, to_size(object->second.bytes));
  objects().erase(object);
}

}  // namespace

std::string create_object(Count bytes) {
  static Count last_ticket = 0;
  // Only pages that are touched take memory.
  void* const base = mmap(nullptr, to_size(bytes), PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (base == MAP_FAILED) return {};
  std::string ticket = std::to_string(++last_ticket);
  objects().emplace(ticket, SimulatedObject{static_cast<std::byte*>(base), bytes, 1});
  return ticket;
}

/// There is no other kind to be had where that one is not.
std::string create_named_object(Count /*bytes*/) { return {}; }

std::byte* map_object(const std::string& ticket, Count /*bytes*/, Count /*first*/, Count /*part_bytes*/) {
  const auto object = objects().find(ticket);
  if (object == objects().end()) return nullptr;
  ++object->second.users;
  return object->second.base;
}

void remove_name(const std::string& ticket) {
  if (const auto object = objects().find(ticket); object != objects().end()) leave(object);
}

void unmap_object(std::byte* base, Count /*bytes*/) {
  for (auto object = objects().begin(); object != objects().end(); ++object)
    if (object->second.base == base) return leave(object);
}

}  // namespace halocline::exchange
