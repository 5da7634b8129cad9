#include "exchange/node_memory.hpp"

#include "base/integers.hpp"
#include "mpi/comm.hpp"

#include <algorithm>
#include <string>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace halocline::exchange {
namespace {

constexpr Count line = 64;
constexpr Count least_part = Count{256} * 1024;

Count rounded_up(Count bytes, Count unit) { return divide_up(bytes, unit) * unit; }

/// An open file that closes itself.
class File {
 public:
  explicit File(int descriptor) : descriptor_(descriptor) {}
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  [[nodiscard]] int get() const { return descriptor_; }

 private:
  int descriptor_;
};

/// A name nobody else has: the process and a number that this process did not use before.
std::string fresh_name(int attempt) {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return "/halocline." + std::to_string(getpid()) + "." + std::to_string(now.tv_sec) + "." +
         std::to_string(now.tv_nsec) + "." + std::to_string(attempt);
}

/// Creates an object of `bytes` for this user alone; its name, or nothing.
std::string create_object(Count bytes) {
  for (int attempt = 0; attempt < 16; ++attempt) {
    std::string name = fresh_name(attempt);
    const File file(shm_open(name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR));
    if (file.get() < 0) continue;
    if (ftruncate(file.get(), bytes) == 0) return name;
    shm_unlink(name.c_str());
    return {};
  }
  return {};
}

/// Maps the object, with memory behind the own part of it: a page that cannot be had must be known now, not
/// when it is touched. Null if that fails.
std::byte* map_object(const std::string& name, Count bytes, Count first, Count part_bytes) {
  if (name.empty()) return nullptr;
  const File file(shm_open(name.c_str(), O_RDWR | O_CLOEXEC, 0));
  if (file.get() < 0 || posix_fallocate(file.get(), first, part_bytes) != 0) return nullptr;
  void* base =
      mmap(nullptr, static_cast<std::size_t>(bytes), PROT_READ | PROT_WRITE, MAP_SHARED, file.get(), 0);
  return base == MAP_FAILED ? nullptr : static_cast<std::byte*>(base);
}

}  // namespace

std::unique_ptr<SharedSegment> SharedSegment::create(MPI_Comm node, Count part_bytes) {
  const int processes = mpi::size(node), me = mpi::rank(node);
  part_bytes = rounded_up(part_bytes, static_cast<Count>(sysconf(_SC_PAGESIZE)));
  const Count bytes = checked_multiply(part_bytes, processes);
  const std::string name = mpi::broadcast(node, me == 0 ? create_object(bytes) : std::string());
  std::byte* base = map_object(name, bytes, me * part_bytes, part_bytes);
  int ok = base != nullptr, all_ok = 0;
  HALOCLINE_MPI(Allreduce, &ok, &all_ok, 1, MPI_INT, MPI_MIN, node);
  if (me == 0 && !name.empty()) shm_unlink(name.c_str());
  auto segment = ok ? std::make_unique<SharedSegment>(base, part_bytes, bytes) : nullptr;
  return all_ok ? std::move(segment) : nullptr;
}

SharedSegment::~SharedSegment() { munmap(base_, static_cast<std::size_t>(bytes_)); }

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
NodeMemory::~NodeMemory() = default;

bool NodeMemory::take(Count bytes, Arena& arena) {
  arena.bytes = rounded_up(bytes, line);
  if (bytes == 0) return true;
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
  segments_.push_back({std::move(memory), std::move(free)});
  return true;
}

std::unique_ptr<NodeMemory::Arena> NodeMemory::allocate(Count bytes,
                                                        const std::function<void(std::byte*)>& fill) {
  collect();
  const auto processes = static_cast<std::size_t>(mpi::size(node_));
  auto arena = std::make_unique<Arena>();
  struct Offer {
    Count bytes, segment, offset;  ///< Segment -1: no room.
  };
  std::vector<Offer> offers(processes);
  const auto tell = [&](bool has) {
    if (has && arena->mine != nullptr) fill(arena->mine);
    const Offer mine{arena->bytes, has ? static_cast<Count>(arena->segment) : -1, arena->offset};
    HALOCLINE_MPI(Allgather, &mine, sizeof(Offer), MPI_BYTE, offers.data(), sizeof(Offer), MPI_BYTE, node_);
    return std::all_of(offers.begin(), offers.end(), [](const Offer& offer) { return offer.segment >= 0; });
  };

  const bool fits = take(bytes, *arena);
  if (!tell(fits)) {
    Count largest = 0;
    for (const Offer& offer : offers) largest = std::max(largest, offer.bytes);
    if (!grow(largest)) {
      if (fits && arena->mine != nullptr) segments_[arena->segment].free.give(arena->offset, arena->bytes);
      return nullptr;
    }
    if (!tell(fits || take(bytes, *arena))) return nullptr;  // cannot be: a new segment has room for all
  }
  for (std::size_t p = 0; p < processes; ++p) {
    const Offer& offer = offers[p];
    arena->of.push_back(offer.bytes == 0 ? nullptr
                                         : segments_[static_cast<std::size_t>(offer.segment)].memory->part(
                                               static_cast<int>(p)) +
                                               offer.offset);
  }
  return arena;
}

void NodeMemory::retire(std::unique_ptr<Arena> arena, std::function<bool()> idle) {
  if (arena->mine != nullptr) retired_.push_back({std::move(arena), std::move(idle)});
}

void NodeMemory::collect() {
  std::erase_if(retired_, [&](Retired& retired) {
    if (!retired.idle()) return false;
    segments_[retired.arena->segment].free.give(retired.arena->offset, retired.arena->bytes);
    return true;
  });
}

}  // namespace halocline::exchange
