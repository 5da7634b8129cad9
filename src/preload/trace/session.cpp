// SPDX-License-Identifier: BSD-3-Clause
#include "preload/trace/session.hpp"

#include "base/settings.hpp"
#include "base/text_file.hpp"
#include "preload/trace/gather.hpp"
#include "preload/trace/mpi_functions.hpp"
#include "preload/trace/part_writer.hpp"
#include "preload/trace/say.hpp"
#include "trace/part_signals.hpp"

#include <array>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <memory>
#include <mutex>
#include <new>
#include <string>
#include <utility>

namespace halocline::recorder {
namespace {

std::string value_of(const Setting& setting) {
  const char* const value = std::getenv(setting.variable);
  return value == nullptr ? "" : value;
}

/// The program may change its folder before the end.
std::string chosen_path() {
  const std::string path = value_of(settings::trace);
  std::error_code failure;
  const std::filesystem::path whole =
      std::filesystem::absolute(path.empty() ? "halocline.trace" : path, failure);
  return failure ? path : whole.string();
}

std::string node_name() {
  std::array<char, MPI_MAX_PROCESSOR_NAME + 1> name{};
  int length = 0;
  if (HALOCLINE_PMPI(Get_processor_name)(name.data(), &length) != MPI_SUCCESS || name[0] == '\0')
    return "unknown";
  std::string node(name.data());
  for (char& c : node)
    if (c == ' ' || c == '\t' || c == '\n' || c == '\r') c = '_';
  return node;
}

/// All of it stays until the process ends, since threads may be in calls of MPI when exit() is called.
struct Session {
  std::string path;
  std::unique_ptr<Recorder> recorder;
  std::unique_ptr<PartWriter> parts;
};

std::atomic<Recorder*> active = nullptr;
Session* session = nullptr;
bool is_of_world = false;  ///< Then others wait for this process in the end, whether it could record or not.
std::once_flag begun;
std::once_flag finished;

std::string part_path(const Session& of) { return of.path + ".part." + std::to_string(of.recorder->rank()); }

/// 0 if no parts are kept.
double part_interval(Count rank) {
  const std::string text = value_of(settings::trace_parts);
  if (text.empty()) return 0;
  char* end = nullptr;
  const double seconds = std::strtod(text.c_str(), &end);
  if (*end == '\0' && seconds >= 0.01 && seconds <= 1e6) return seconds;
  if (rank == 0)
    say(std::string(settings::trace_parts.variable) + "=" + text +
        " is not a number of seconds from 0.01 to 1000000: no parts are kept");
  return 0;
}

/// 0 if none is given.
int part_signal(Count rank) {
  const std::string name = value_of(settings::trace_signal);
  try {
    return name.empty() ? 0 : trace::part_signal(name);
  } catch (const std::exception& error) {
    if (rank == 0)
      say(std::string(settings::trace_signal.variable) + "=" + name + ": " + error.what() +
          "; no parts are written at a signal");
    return 0;
  }
}

std::unique_ptr<Session> made_session() {
  int rank = 0;
  int ranks = 0;
  int threads = MPI_THREAD_SINGLE;
  if (HALOCLINE_PMPI(Comm_rank)(world(), &rank) != MPI_SUCCESS ||
      HALOCLINE_PMPI(Comm_size)(world(), &ranks) != MPI_SUCCESS ||
      HALOCLINE_PMPI(Query_thread)(&threads) != MPI_SUCCESS)
    return nullptr;
  const PartTimes times{part_interval(rank), part_signal(rank)};
  auto made = std::make_unique<Session>();
  made->path = chosen_path();
  made->recorder =
      std::make_unique<Recorder>(rank, ranks, node_name(), threads == MPI_THREAD_MULTIPLE || times.any());
  if (times.any()) made->parts = std::make_unique<PartWriter>(*made->recorder, part_path(*made), times);
  return made;
}

void begin_once() {
  if (!has_own_mpi() || is_spawned()) return;
  is_of_world = true;
  try {
    session = made_session().release();
    if (session != nullptr) active.store(session->recorder.get(), std::memory_order_release);
  } catch (const std::exception& error) {
    say(std::string("nothing is recorded: ") + error.what());
  }
}

/// Of rank 0: parts become a sum, of which it says whether it is written.
class SumWriter {
 public:
  bool take(std::string_view text) {
    return attempted([&] { parts_.push_back(trace::Trace::parse(text)); });
  }
  bool write() {
    return attempted([&] { write_text_file(session->path, trace::sum(std::move(parts_)).to_text()); });
  }

 private:
  template <class Work>
  static bool attempted(const Work& work) {
    try {
      work();
      return true;
    } catch (const std::exception& error) {
      say(error.what());
      return false;
    }
  }
  std::vector<trace::Trace> parts_;
};

/// Without any other process.
void write_own_part() {
  try {
    write_text_file(part_path(*session), session->recorder->part().to_text());
  } catch (const std::exception& error) {
    say(error.what());
  }
}

void finish_once() {
  if (!is_of_world) return;
  if (session == nullptr) {
    if (is_everywhere())
      (void)gather("", {[](std::string_view /*text*/) { return false; }, [] { return false; }});
    return;
  }
  active.store(nullptr, std::memory_order_release);
  const Recorder& recorder = *session->recorder;
  if (session->parts != nullptr) session->parts->stop();
  if (!is_everywhere()) {
    if (recorder.rank() == 0)
      say("it may not have reached all nodes, so that each process leaves a part of its own, " +
          session->path +
          ".part.*; start the job by halocline trace, or hand LD_PRELOAD to all ranks and say "
          "so by OMPI_MCA_halocline_everywhere=1");
    return write_own_part();
  }
  std::string own;
  try {
    own = recorder.part().to_text();
  } catch (const std::exception& error) {
    say(error.what());  // the others must not wait: its text is empty, and no part
  }
  SumWriter sum;
  const bool written =
      gather(own, {[&](std::string_view text) { return sum.take(text); }, [&] { return sum.write(); }});
  if (!written) return write_own_part();
  if (session->parts != nullptr) session->parts->remove();
}

}  // namespace

Recorder* recording() { return active.load(std::memory_order_acquire); }

void begin() { std::call_once(begun, begin_once); }

void finish() { std::call_once(finished, finish_once); }

void leave_part() {
  if (recording() != nullptr && session->parts != nullptr) session->parts->write();
}

void give_up(const char* why) {
  if (active.exchange(nullptr) != nullptr) say(std::string("nothing more is recorded: ") + why);
}

}  // namespace halocline::recorder
