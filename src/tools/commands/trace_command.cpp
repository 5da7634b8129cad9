// SPDX-License-Identifier: BSD-3-Clause
// halocline trace: a command, with a library in every MPI program that it starts that writes down who sends
// how much to whom; and what is in such files.

#include "base/fail.hpp"
#include "base/numbers.hpp"
#include "base/settings.hpp"
#include "base/text_file.hpp"
#include "halocline/base/error.hpp"
#include "tools/common/command.hpp"
#include "tools/common/own_library.hpp"
#include "tools/common/preloading.hpp"
#include "tools/trace/shown_trace.hpp"
#include "trace/part_signals.hpp"
#include "trace/trace_file.hpp"

#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace halocline::tools {
namespace {

struct TraceWords {
  std::string output;
  double part_seconds = 0;
  bool keeps_parts = false;
  std::string part_signal;  ///< None if it is empty.
  bool show = false;
  Count pairs = 10;
  std::vector<std::string> words;  ///< The command, or files.
};

Answer show(const TraceWords& words) {
  require(!words.words.empty(), "--show needs a file, or the parts of one; halocline trace --show app.trace");
  std::vector<trace::Trace> parts;
  for (const std::string& path : words.words) parts.push_back(trace::read(path));
  const trace::Trace trace = trace::sum(std::move(parts));
  if (!words.output.empty()) write_text_file(words.output, trace.to_text());
  return shown_trace(trace, to_size(words.pairs));
}

Answer record(const TraceWords& words) {
  require(!words.words.empty(), "a command is missing; halocline trace -- mpirun -n 64 ./app");
  require(!words.keeps_parts || (words.part_seconds >= 0.01 && words.part_seconds <= 1e6), "--keep-parts ",
          words.part_seconds, ": there are 0.01 to 1000000 seconds between two writes");
  if (!words.part_signal.empty()) (void)trace::part_signal(words.part_signal);  // does it exist?
  const std::filesystem::path library = own_library("libhalocline-trace.so");
  // Ranks may be started in another folder.
  const std::string output = words.output.empty() ? "halocline.trace" : words.output;
  set_variable(settings::trace.variable, std::filesystem::absolute(output).string());
  if (words.keeps_parts) set_variable(settings::trace_parts.variable, concat(words.part_seconds));
  if (!words.part_signal.empty()) set_variable(settings::trace_signal.variable, words.part_signal);
  become_preloaded({library}, words.words);
}

}  // namespace

Action declare_trace(Options& options) {
  const auto words = std::make_shared<TraceWords>();
  options.add_option("--output", words->output, "the file that is written at the end (halocline.trace)");
  Option parts = options.add_option("--keep-parts", words->part_seconds,
                                    "after so many seconds, again and again, each process writes what it has "
                                    "recorded, into the file with .part. and its rank behind the name");
  Option signal = options.add_option("--at-signal", words->part_signal,
                                     "the same whenever it gets this signal, USR1 or USR2, for jobs that do "
                                     "not end");
  Option show_files =
      options.add_flag("--show", words->show, "show what is in files, or in parts of one, instead");
  options.add_option("--pairs", words->pairs, "of how many pairs --show tells")
      .positive()
      .capture_default_str()
      .needs(show_files);
  parts.excludes(show_files);
  signal.excludes(show_files);
  options.add_option("command", words->words, "what to run, after --; with --show the files");
  return [words, parts] {
    words->keeps_parts = parts.given();
    return words->show ? show(*words) : record(*words);
  };
}

}  // namespace halocline::tools
