// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/memory/shared_object.hpp"

#include "base/numbers.hpp"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <system_error>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

namespace halocline::exchange {
namespace {

constexpr const char* folder = "/dev/shm";  // where shm_open() puts them
constexpr const char* prefix = "halocline.";
constexpr std::time_t swept_after_seconds = 60;
constexpr Count least_in_huge_pages =
    4 * huge_page;  ///< Smaller parts exchange no faster, and take longer to make.

/// An open file that closes itself.
class File {
 public:
  explicit File(int descriptor = -1) : descriptor_(descriptor) {}
  File(File&& other) noexcept : descriptor_(other.release()) {}
  File& operator=(const File&) = delete;
  ~File() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  [[nodiscard]] int get() const { return descriptor_; }
  explicit operator bool() const { return descriptor_ >= 0; }
  int release() {
    const int descriptor = descriptor_;
    descriptor_ = -1;
    return descriptor;
  }

 private:
  int descriptor_;
};

/// What a ticket says. A named object has a name and no process.
struct Ticket {
  long process = 0;
  int descriptor = -1;  ///< In the process that created it.
  unsigned long device = 0, inode = 0;
  std::string name = {};

  [[nodiscard]] std::string text() const {
    return name.empty() ? std::to_string(process) + "." + std::to_string(descriptor) + "." +
                              std::to_string(device) + "." + std::to_string(inode)
                        : std::to_string(descriptor) + name;
  }
};

Ticket parse(const std::string& text) {
  Ticket ticket;
  if (const std::size_t name = text.find('/'); name != std::string::npos)
    return {0, std::atoi(text.c_str()), 0, 0, text.substr(name)};
  if (std::sscanf(text.c_str(), "%ld.%d.%lu.%lu", &ticket.process, &ticket.descriptor, &ticket.device,
                  &ticket.inode) != 4)
    ticket.descriptor = -1;
  return ticket;
}

bool is(const struct stat& found, const Ticket& ticket) {
  return S_ISREG(found.st_mode) && found.st_dev == ticket.device && found.st_ino == ticket.inode;
}

/// What another process has open. A process of another namespace may have that number here.
File file_of_process(const Ticket& ticket) {
  const std::string path =
      "/proc/" + std::to_string(ticket.process) + "/fd/" + std::to_string(ticket.descriptor);
  // Looked at first: to open what somebody else has there could wait, or do harm.
  struct stat found {};
  if (stat(path.c_str(), &found) != 0 || !is(found, ticket)) return File();
  File file(open(path.c_str(), O_RDWR | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
  if (file && (fstat(file.get(), &found) != 0 || !is(found, ticket))) return File();
  return file;
}

File file_of(const Ticket& ticket) {
  if (ticket.descriptor < 0) return File();
  return ticket.name.empty() ? file_of_process(ticket)
                             : File(shm_open(ticket.name.c_str(), O_RDWR | O_CLOEXEC, 0));
}

/// A name nobody else has: the process and a number that this process did not use before.
std::string fresh_name(int attempt) {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return std::string("/") + prefix + std::to_string(getpid()) + "." + std::to_string(now.tv_sec) + "." +
         std::to_string(now.tv_nsec) + "." + std::to_string(attempt);
}

/// Was it left by a process that is gone? Who lives holds a lock, in whatever namespace; only one that has
/// just been made may not have it yet.
bool is_abandoned(const std::filesystem::path& path) {
  const File file(open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC));
  struct stat found {};
  return file && fstat(file.get(), &found) == 0 && S_ISREG(found.st_mode) && found.st_uid == geteuid() &&
         std::time(nullptr) - found.st_mtime > swept_after_seconds &&
         flock(file.get(), LOCK_EX | LOCK_NB) == 0;
}

void sweep_abandoned() {
  std::error_code unreadable;
  for (auto entry = std::filesystem::directory_iterator(folder, unreadable);
       !unreadable && entry != std::filesystem::directory_iterator(); entry.increment(unreadable)) {
    const std::filesystem::path& path = entry->path();
    if (path.filename().string().starts_with(prefix) && is_abandoned(path)) unlink(path.c_str());
  }
}

std::byte* mapped(const File& file, Count bytes, void* at = nullptr) {
  void* const base = mmap(at, to_size(bytes), PROT_READ | PROT_WRITE,
                          MAP_SHARED | (at != nullptr ? MAP_FIXED : 0), file.get(), 0);
  return base == MAP_FAILED ? nullptr : static_cast<std::byte*>(base);
}

std::byte* mapped_at_huge_page(const File& file, Count bytes) {
  const auto room = to_size(bytes + huge_page);
  void* const all = mmap(nullptr, room, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (all == MAP_FAILED) return nullptr;
  auto* const first = static_cast<std::byte*>(all);
  const auto below = static_cast<Count>(reinterpret_cast<std::uintptr_t>(all) % std::uintptr_t{huge_page});
  std::byte* const base = first + (huge_page - below) % huge_page;
  if (mapped(file, bytes, base) == nullptr) {
    munmap(all, room);
    return nullptr;
  }
  // What lies before it and behind its last page.
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  const std::size_t used = (to_size(bytes) + page - 1) / page * page;
  const auto before = to_size(base - first);
  if (before > 0) munmap(all, before);
  if (room > before + used) munmap(base + used, room - before - used);
  return base;
}

/// Tmpfs has small pages unless an administrator has said otherwise; since Linux 6.1 a process may ask for
/// others where it needs them. Where it may not, nothing changes.
void ask_for_huge_pages(const File& file, std::byte* base, Count first, Count bytes) {
#ifndef MADV_COLLAPSE
  constexpr int MADV_COLLAPSE = 25;  // as the kernel numbers it
#endif
  struct statvfs room {};
  if (fstatvfs(file.get(), &room) != 0 || room.f_bavail < static_cast<std::uint64_t>(bytes) / room.f_frsize)
    return;  // it cannot be had at all, and that is found out sooner without
  const Count end = first + bytes / huge_page * huge_page;
  for (Count page = first; page < end; page += huge_page) {
    // One small page has to be there, and only what has been given may be touched. To ask before all of them
    // are there saves a copy.
    if (posix_fallocate(file.get(), page, 1) != 0) return;
    *reinterpret_cast<volatile char*>(base + page) = 0;
    if (madvise(base + page, to_size(huge_page), MADV_COLLAPSE) != 0) return;
  }
}

}  // namespace

std::string create_object(Count bytes) {
  File file(open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, S_IRUSR | S_IWUSR));
  struct stat own {};
  if (!file || ftruncate(file.get(), bytes) != 0 || fstat(file.get(), &own) != 0) return {};
  return Ticket{getpid(), file.release(), own.st_dev, own.st_ino}.text();
}

std::string create_named_object(Count bytes) {
  sweep_abandoned();
  for (int attempt = 0; attempt < 16; ++attempt) {
    const std::string name = fresh_name(attempt);
    File file(shm_open(name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR));
    if (!file) continue;
    if (flock(file.get(), LOCK_EX) == 0 && ftruncate(file.get(), bytes) == 0)
      return Ticket{0, file.release(), 0, 0, name}.text();
    shm_unlink(name.c_str());
    return {};
  }
  return {};
}

std::byte* map_object(const std::string& ticket, Count bytes, Count first, Count part_bytes) {
  const File file = file_of(parse(ticket));
  if (!file) return nullptr;
  std::byte* const base = bytes < huge_page ? mapped(file, bytes) : mapped_at_huge_page(file, bytes);
  if (base == nullptr) return nullptr;
  if (part_bytes >= least_in_huge_pages) ask_for_huge_pages(file, base, first, part_bytes);
  if (part_bytes == 0 || posix_fallocate(file.get(), first, part_bytes) == 0) return base;
  unmap_object(base, bytes);
  return nullptr;
}

void remove_name(const std::string& ticket) {
  const Ticket parsed = parse(ticket);
  if (!parsed.name.empty()) shm_unlink(parsed.name.c_str());
  if (parsed.descriptor >= 0) close(parsed.descriptor);
}

void unmap_object(std::byte* base, Count bytes) { munmap(base, to_size(bytes)); }

}  // namespace halocline::exchange
