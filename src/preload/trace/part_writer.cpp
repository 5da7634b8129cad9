// SPDX-License-Identifier: BSD-3-Clause
#include "preload/trace/part_writer.hpp"

#include "base/text_file.hpp"
#include "preload/trace/say.hpp"

#include <cerrno>
#include <cmath>
#include <csignal>
#include <ctime>
#include <exception>
#include <filesystem>
#include <utility>

namespace halocline::recorder {
namespace {

sem_t* woken_by_signal = nullptr;
struct sigaction handler_before {};

/// Of a handler nothing more can be asked than to wake the thread that writes.
void on_signal(int number, siginfo_t* info, void* context) {
  sem_post(woken_by_signal);
  if ((handler_before.sa_flags & SA_SIGINFO) != 0) return handler_before.sa_sigaction(number, info, context);
  if (handler_before.sa_handler != SIG_DFL && handler_before.sa_handler != SIG_IGN)
    handler_before.sa_handler(number);
}

void catch_signal(int number, sem_t* wakes) {
  woken_by_signal = wakes;
  sigaction(number, nullptr, &handler_before);
  struct sigaction ours {};
  ours.sa_sigaction = on_signal;
  ours.sa_flags = SA_SIGINFO | SA_RESTART | (handler_before.sa_flags & SA_ONSTACK);
  ours.sa_mask = handler_before.sa_mask;
  sigaction(number, &ours, nullptr);
}

timespec after(double seconds) {
  timespec time{};
  clock_gettime(CLOCK_REALTIME, &time);
  const double whole = std::floor(seconds);
  time.tv_sec += static_cast<time_t>(whole);
  time.tv_nsec += static_cast<long>((seconds - whole) * 1e9);
  if (time.tv_nsec >= 1'000'000'000) {
    time.tv_nsec -= 1'000'000'000;
    ++time.tv_sec;
  }
  return time;
}

}  // namespace

PartWriter::PartWriter(const Recorder& recorder, std::string path, PartTimes times)
    : recorder_(&recorder), path_(std::move(path)), times_(times) {
  sem_init(&wanted_, 0, 0);
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);  // signals are for the threads of the program
  thread_ = std::thread([this] { run(); });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (times_.signal != 0) catch_signal(times_.signal, &wanted_);
}

void PartWriter::stop() {
  stopped_ = true;
  sem_post(&wanted_);
  if (thread_.joinable()) thread_.join();
}

void PartWriter::write() {
  const std::lock_guard lock(writing_);
  try {
    write_text_file(path_, recorder_->part().to_text());
  } catch (const std::exception& error) {
    if (!std::exchange(failed_, true)) say(error.what());
  }
}

void PartWriter::remove() const {
  std::error_code ignored;
  std::filesystem::remove(path_, ignored);
}

void PartWriter::wait() {
  if (times_.interval_seconds <= 0) {
    while (sem_wait(&wanted_) != 0) continue;
    return;
  }
  const timespec time = after(times_.interval_seconds);
  while (sem_timedwait(&wanted_, &time) != 0 && errno == EINTR) continue;
}

void PartWriter::run() {
  for (wait(); !stopped_; wait()) write();
}

}  // namespace halocline::recorder
