// SPDX-License-Identifier: BSD-3-Clause
#include "tools/common/progress_bar.hpp"

#include "base/numbers.hpp"
#include "tools/common/mpi_session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <utility>

#include <unistd.h>

namespace halocline::tools {

namespace {

constexpr std::chrono::seconds until_shown{2}, between{1};

}  // namespace

ProgressBar::ProgressBar(std::string doing) : doing_(std::move(doing)) {
  if (isatty(STDERR_FILENO) == 0 || !first_of_job()) return;
  thread_ = std::thread([this] {
    std::unique_lock lock(mutex_);
    std::chrono::seconds wait = until_shown;
    while (!changed_.wait_for(lock, wait, [this] { return over_; })) {
      wait = between;
      shown_ = true;
      show();
    }
  });
}

ProgressBar::~ProgressBar() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
  }
  changed_.notify_one();
  thread_.join();
  if (shown_) clear_bar();
}

void ProgressBar::at(const std::string& doing, double share) {
  const std::lock_guard lock(mutex_);
  doing_ = doing;
  share_ = share;
  if (shown_) show();
}

void ProgressBar::show() const {
  draw_bar(doing_, share_, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count());
}

void draw_bar(const std::string& doing, double share, double seconds) {
  constexpr double width = 30;
  std::string bar;
  if (share >= 0) {
    const auto full = static_cast<std::size_t>(width * std::min(share, 1.0));
    bar = fmt::format("[{}{}] {} %, ", std::string(full, '#'),
                      std::string(static_cast<std::size_t>(width) - full, '.'),
                      static_cast<int>(100 * std::min(share, 1.0)));
  }
  fmt::print(stderr, "\r{}{:.0f} s, {:<24}", bar, seconds, doing);
  std::fflush(stderr);
}

void clear_bar() { fmt::print(stderr, "\r{:<78}\r", ""); }

}  // namespace halocline::tools
