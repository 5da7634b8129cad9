// SPDX-License-Identifier: BSD-3-Clause
#include "preload/process/journal.hpp"

#include "mpi/handles/call.hpp"
#include "preload/process/settings.hpp"

#include <cstdio>
#include <list>
#include <map>
#include <mutex>
#include <string_view>
#include <vector>

namespace halocline::preload {

class Journal {
 public:
  static Journal& of_process() {
    static Journal journal;
    return journal;
  }

  Tally& tally_of(const char* call) {
    const std::lock_guard lock(mutex_);
    listen_for_the_end();
    for (Tally& tally : tallies_)
      if (std::string_view(tally.call_) == call) return tally;
    return tallies_.emplace_back(call);
  }
  void count_left(const Tally& tally, const char* why, Count bytes) {
    const std::lock_guard lock(mutex_);
    Left& left = left_[tally.call_][why];
    ++left.calls;
    left.bytes += bytes;
  }
  void expect_the_end() {
    const std::lock_guard lock(mutex_);
    listen_for_the_end();
  }
  void add(std::string line) {
    const std::lock_guard lock(mutex_);
    for (auto& [known, times] : notes_)
      if (known == line) return void(++times);
    notes_.emplace_back(std::move(line), 1);
  }

 private:
  struct Left {
    Count calls = 0, bytes = 0;
  };
  using Reasons = std::map<std::string_view, Left>;

  /// MPI_Finalize deletes the attributes of MPI_COMM_SELF before anything else: that works whoever calls it,
  /// from whatever language.
  void listen_for_the_end() {
    if (listening_ || !is_logged()) return;
    int key = MPI_KEYVAL_INVALID, rank = 0;
    if (PMPI_Comm_rank(MPI_COMM_WORLD, &rank) != MPI_SUCCESS || rank != 0) return;
    const auto at_end = [](MPI_Comm, int, void*, void*) { return of_process().print(), MPI_SUCCESS; };
    if (PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, at_end, &key, nullptr) == MPI_SUCCESS)
      listening_ = PMPI_Comm_set_attr(MPI_COMM_SELF, key, nullptr) == MPI_SUCCESS;
  }

  void print() {
    const std::lock_guard lock(mutex_);
    std::string text = "halocline: what rank 0 had of Halocline:\n";
    for (const Tally& tally : tallies_) text += line_of(tally, left_[tally.call_]);
    if (tallies_.empty()) text += "halocline:   no call that it could take over\n";
    for (const char* const off : switched_off()) text += std::string("halocline:   ") + off + " is off\n";
    const BlockCounts& all = block_counts();
    if (all.through_memory + all.as_messages + all.copied > 0)
      text += "halocline:   blocks: " + std::to_string(all.through_memory) + " through shared memory, " +
              std::to_string(all.as_messages) + " as messages, " + std::to_string(all.copied) +
              " copied in place\n";
    for (const auto& [line, times] : notes_)
      text += "halocline:   " + line + (times > 1 ? " (" + std::to_string(times) + " times)" : "") + "\n";
    std::fputs(text.c_str(), stderr);
  }

  static std::string bytes_of(Count bytes, const char* before, const char* after) {
    return bytes == 0 ? "" : before + std::to_string(bytes) + " bytes" + after;
  }

  static std::string line_of(const Tally& tally, const Reasons& reasons) {
    std::string line = "halocline:   " + std::string(tally.call_) + ": " +
                       std::to_string(tally.taken_.load()) + " taken over" +
                       bytes_of(tally.taken_bytes_.load(), " (", ")");
    for (const auto& [why, left] : reasons)
      line += ", " + std::to_string(left.calls) + " left to MPI (" + bytes_of(left.bytes, "", ": ") +
              std::string(why) + ")";
    return line + "\n";
  }

  std::mutex mutex_;
  bool listening_ = false;
  std::list<Tally> tallies_;
  std::map<std::string_view, Reasons> left_;
  std::vector<std::pair<std::string, int>> notes_;
};

Tally& tally_of(const char* call) { return Journal::of_process().tally_of(call); }

// It counts itself, through the journal. NOLINTNEXTLINE(readability-make-member-function-const)
void Tally::leave(const char* why, Count bytes) { Journal::of_process().count_left(*this, why, bytes); }

void note(std::string line) { Journal::of_process().add(std::move(line)); }

void count_message(Tally& tally, bool is_taken, const char* why_not, int count, MPI_Datatype type) {
  if (!is_logged()) {
    if (is_taken) tally.take();
    return;
  }
  MPI_Count size = 0;
  if (count > 0 && type != MPI_DATATYPE_NULL) PMPI_Type_size_x(type, &size);
  const Count bytes = size > 0 ? size * count : 0;
  if (is_taken)
    tally.take(bytes);
  else
    tally.leave(why_not, bytes);
}

bool is_logged() { return is_on(Feature::log); }

void expect_the_end() { Journal::of_process().expect_the_end(); }

BlockCounts& block_counts() {
  static BlockCounts all;
  return all;
}

}  // namespace halocline::preload
