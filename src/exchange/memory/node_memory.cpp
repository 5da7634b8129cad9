// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/memory/node_memory.hpp"

#include "base/index.hpp"
#include "base/integers.hpp"
#include "base/numbers.hpp"
#include "exchange/memory/shared_object.hpp"
#include "mpi/handles/comm.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <string>
#include <utility>

#include <unistd.h>

namespace halocline::exchange {
namespace {

constexpr Count cache_line = 64;
constexpr Count least_part = Count{256} * 1024;

Count rounded_up(Count bytes, Count unit) { return divide_up(bytes, unit) * unit; }

/// An object of the first process of a node, which can be reached until this is gone.
class Offered {
 public:
  explicit Offered(std::string ticket) : ticket_(std::move(ticket)) {}
  Offered(const Offered&) = delete;
  Offered& operator=(const Offered&) = delete;
  ~Offered() { remove_name(ticket_); }
  [[nodiscard]] const std::string& ticket() const { return ticket_; }

 private:
  std::string ticket_;
};

/// The ticket of the first process. Collective.
std::array<char, 64> told(MPI_Comm node, const std::string& ticket) {
  std::array<char, 64> text{};
  ticket.copy(text.data(), text.size() - 1);
  HALOCLINE_MPI(Bcast, text.data(), to_int(text.size()), MPI_CHAR, 0, node);
  return text;
}

}  // namespace

std::unique_ptr<SharedSegment> SharedSegment::create(MPI_Comm node, Count part_bytes) {
  const int processes = mpi::size(node), me = mpi::rank(node);
  part_bytes =
      rounded_up(part_bytes, part_bytes > huge_page ? huge_page : static_cast<Count>(sysconf(_SC_PAGESIZE)));
  Count bytes = 0;
  if (__builtin_mul_overflow(part_bytes, Count{processes}, &bytes)) return nullptr;  // on all of them
  for (const auto& create_one : {create_object, create_named_object}) {
    const Offered object(me == 0 ? create_one(bytes) : std::string());
    const auto ticket = told(node, object.ticket());
    std::byte* const base = map_object(ticket.data(), bytes, me * part_bytes, part_bytes);
    auto segment = base == nullptr ? nullptr : std::make_unique<SharedSegment>(base, part_bytes, bytes);
    int ok = base != nullptr, all_ok = 0;
    HALOCLINE_MPI(Allreduce, &ok, &all_ok, 1, MPI_INT, MPI_MIN, node);
    if (all_ok != 0) return segment;
  }
  return nullptr;
}

SharedSegment::~SharedSegment() { unmap_object(base_, bytes_); }

Count FreeList::take(Count bytes) {
  for (auto range = free_.begin(); range != free_.end(); ++range) {
    const auto [offset, room] = *range;
    if (room < bytes) continue;
    free_.erase(range);
    if (room > bytes) free_.emplace(offset + bytes, room - bytes);
    return offset;
  }
  return -1;
}

void FreeList::give(Count offset, Count bytes) {
  auto range = free_.emplace(offset, bytes).first;
  if (const auto next = std::next(range);
      next != free_.end() && range->first + range->second == next->first) {
    range->second += next->second;
    free_.erase(next);
  }
  if (range == free_.begin()) return;
  if (const auto before = std::prev(range); before->first + before->second == range->first) {
    before->second += range->second;
    free_.erase(range);
  }
}

struct NodeMemory::Segment {
  std::unique_ptr<SharedSegment> memory;
  FreeList free;
};

NodeMemory::NodeMemory(MPI_Comm node) : node_(node) {}
NodeMemory::~NodeMemory() { collect(); }

bool NodeMemory::take(Count bytes, Arena& arena) {
  arena.bytes = rounded_up(bytes, cache_line);
  if (bytes == 0) return true;
  const std::lock_guard<std::mutex> lock(in_use_);
  for (std::size_t s = 0; s < segments_.size(); ++s) {
    const Count offset = segments_[s].free.take(arena.bytes);
    if (offset < 0) continue;
    arena.segment = s;
    arena.offset = offset;
    arena.mine = segments_[s].memory->part(mpi::rank(node_)) + offset;
    return true;
  }
  return false;
}

bool NodeMemory::grow(Count part_bytes) {
  const Count last = segments_.empty() ? 0 : segments_.back().memory->part_bytes();
  auto memory = SharedSegment::create(node_, std::max({part_bytes, 2 * last, least_part}));
  if (!memory) return false;
  FreeList free(memory->part_bytes());
  const std::lock_guard<std::mutex> lock(in_use_);
  segments_.push_back({std::move(memory), std::move(free)});
  return true;
}

std::unique_ptr<NodeMemory::Arena> NodeMemory::allocate(Count bytes,
                                                        const std::function<void(std::byte*)>& fill) {
  collect();
  const auto processes = to_size(mpi::size(node_));
  auto arena = std::make_unique<Arena>();
  struct Offer {
    Count bytes, segment, offset;  ///< Segment -1: no room.
  };
  std::vector<Offer> offers(processes);
  const auto tell = [&](bool has) {
    if (has && arena->mine != nullptr) fill(arena->mine);
    const Offer mine{arena->bytes, has ? to_count(arena->segment) : -1, arena->offset};
    HALOCLINE_MPI(Allgather, &mine, sizeof(Offer), MPI_BYTE, offers.data(), sizeof(Offer), MPI_BYTE, node_);
    return std::all_of(offers.begin(), offers.end(), [](const Offer& offer) { return offer.segment >= 0; });
  };

  const bool fits = take(bytes, *arena);
  if (!tell(fits)) {
    Count largest = 0;
    for (const Offer& offer : offers) largest = std::max(largest, offer.bytes);
    if (!grow(largest)) {
      if (fits && arena->mine != nullptr) give(*arena);
      return nullptr;
    }
    if (!tell(fits || take(bytes, *arena))) return nullptr;  // cannot be: a new segment has room for all
  }
  for (std::size_t p = 0; p < processes; ++p) {
    const Offer& offer = offers[p];
    arena->of.push_back(offer.bytes == 0
                            ? nullptr
                            : segments_[to_index(offer.segment)].memory->part(to_int(p)) + offer.offset);
  }
  return arena;
}

void NodeMemory::give(const Arena& arena) {
  const std::lock_guard<std::mutex> lock(in_use_);
  segments_[arena.segment].free.give(arena.offset, arena.bytes);
}

void NodeMemory::retire(std::unique_ptr<Arena> arena, std::function<bool()> idle) {
  if (arena->mine == nullptr) return;
  const std::lock_guard<std::mutex> lock(in_use_);
  retired_.push_back({std::move(arena), std::move(idle)});
}

void NodeMemory::collect() {
  std::vector<Retired> looked_at;
  {
    const std::lock_guard<std::mutex> lock(in_use_);
    looked_at.swap(retired_);
  }
  // What is found to be idle may free other memory, which comes here, too.
  std::erase_if(looked_at, [&](Retired& retired) {
    if (!retired.idle()) return false;
    give(*retired.arena);
    return true;
  });
  if (looked_at.empty()) return;
  const std::lock_guard<std::mutex> lock(in_use_);
  std::move(looked_at.begin(), looked_at.end(), std::back_inserter(retired_));
}

}  // namespace halocline::exchange
