#include "preload/journal.hpp"

#include "mpi/call.hpp"
#include "preload/settings.hpp"

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
  void count_left(const Tally& tally, const char* why) {
    const std::lock_guard lock(mutex_);
    ++left_[tally.call_][why];
  }
  void add(std::string line) {
    const std::lock_guard lock(mutex_);
    for (auto& [known, times] : notes_)
      if (known == line) return void(++times);
    notes_.emplace_back(std::move(line), 1);
  }

 private:
  /// MPI_Finalize deletes the attributes of MPI_COMM_SELF before anything else: that works whoever calls it,
  /// from whatever language.
  void listen_for_the_end() {
    if (listening_ || !wants_log()) return;
    int key = MPI_KEYVAL_INVALID, rank = 0;
    if (PMPI_Comm_rank(MPI_COMM_WORLD, &rank) != MPI_SUCCESS || rank != 0) return;
    const auto at_end = [](MPI_Comm, int, void*, void*) { return of_process().print(), MPI_SUCCESS; };
    if (PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, at_end, &key, nullptr) == MPI_SUCCESS)
      listening_ = PMPI_Comm_set_attr(MPI_COMM_SELF, key, nullptr) == MPI_SUCCESS;
  }

  void print() {
    const std::lock_guard lock(mutex_);
    std::string text = "halocline: what rank 0 had of Halocline:\n";
    for (const Tally& tally : tallies_)
      text += concat_line(tally.call_, tally.taken_.load(), left_[tally.call_]);
    const Traffic& all = traffic();
    if (all.through_memory + all.as_messages + all.copied > 0)
      text += "halocline:   blocks: " + std::to_string(all.through_memory) + " through shared memory, " +
              std::to_string(all.as_messages) + " as messages, " + std::to_string(all.copied) +
              " copied in place\n";
    for (const auto& [line, times] : notes_)
      text += "halocline:   " + line + (times > 1 ? " (" + std::to_string(times) + " times)" : "") + "\n";
    std::fputs(text.c_str(), stderr);
  }

  static std::string concat_line(const char* call, Count taken,
                                 const std::map<std::string_view, Count>& left) {
    std::string line = "halocline:   " + std::string(call) + ": " + std::to_string(taken) + " taken over";
    for (const auto& [why, times] : left)
      line += ", " + std::to_string(times) + " left to MPI (" + std::string(why) + ")";
    return line + "\n";
  }

  std::mutex mutex_;
  bool listening_ = false;
  std::list<Tally> tallies_;
  std::map<std::string_view, std::map<std::string_view, Count>> left_;
  std::vector<std::pair<std::string, int>> notes_;
};

Tally& tally_of(const char* call) { return Journal::of_process().tally_of(call); }

// It counts itself, through the journal. NOLINTNEXTLINE(readability-make-member-function-const)
void Tally::leave(const char* why) { Journal::of_process().count_left(*this, why); }

void note(std::string line) { Journal::of_process().add(std::move(line)); }

Traffic& traffic() {
  static Traffic all;
  return all;
}

}  // namespace halocline::preload
