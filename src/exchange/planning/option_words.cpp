// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/planning/option_words.hpp"

#include "base/fail.hpp"
#include "base/settings.hpp"
#include "halocline/base/error.hpp"
#include "mpi/handles/threads.hpp"

namespace halocline::exchange {
SharedMemory parse_shared(const std::string& word) {
  if (word == "on") return SharedMemory::on;
  if (word == "buffered") return SharedMemory::buffered;
  require(word == "off", "shared memory is \"", word, "\"; it is on, buffered or off");
  return SharedMemory::off;
}

StatisticsChoice parse_statistics(const std::string& word) {
  if (word == "print") return StatisticsChoice::print;
  require(word == "on" || word == "off", "statistics is \"", word, "\"; it is on or off");
  return word == "on" ? StatisticsChoice::on : StatisticsChoice::off;
}

bool parse_progress(const std::string& word) {
  require(word == "off" || word == "thread", settings::progress.variable, " is \"", word,
          "\"; it is off or thread");
  if (word == "thread" && !mpi::several_threads())
    fail(Fault::unsupported, settings::progress.variable, "=thread, but MPI was initialized with ",
         mpi::thread_level_name(mpi::thread_level()),
         "; a thread of the library needs MPI_THREAD_MULTIPLE: ask MPI_Init_thread for it");
  return word == "thread";
}

}  // namespace halocline::exchange
