// SPDX-License-Identifier: BSD-3-Clause
#include "tools/simulate/simulated_run.hpp"

#include "base/fail.hpp"
#include "base/numbers.hpp"
#include "base/scanner.hpp"
#include "halocline/base/error.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace halocline::tools {
namespace {

namespace fs = std::filesystem;

/// A program whose output is read here. It dies with this object, and with this process.
class ChildProcess {
 public:
  ChildProcess(std::string program, std::vector<std::string> words) {
    std::array<int, 2> ends{};
    if (pipe(ends.data()) != 0) fail(Fault::unsupported, "no pipe to ", program, ": ", std::strerror(errno));
    std::vector<char*> arguments{program.data()};
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    const pid_t parent = getpid();
    id_ = fork();
    if (id_ == 0) {
      // Between fork and exec only what is safe there. The parent may be gone already.
      if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != parent) _exit(not_started);
      dup2(ends[1], STDOUT_FILENO);
      dup2(ends[1], STDERR_FILENO);
      close(ends[0]);
      close(ends[1]);
      execv(program.c_str(), arguments.data());
      _exit(not_started);
    }
    close(ends[1]);
    output_ = ends[0];
    if (id_ < 0) {
      close(output_);
      fail(Fault::unsupported, "cannot start ", program, ": ", std::strerror(errno));
    }
  }
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;
  ~ChildProcess() {
    close(output_);
    if (id_ <= 0) return;
    kill(id_, SIGKILL);
    (void)wait();
  }

  /// Reads what there is within a moment; false at the end.
  bool read(std::string& text) const {
    pollfd ready{output_, POLLIN, 0};
    if (poll(&ready, 1, moment_milliseconds) <= 0) return true;
    std::array<char, 4096> buffer{};
    const ssize_t length = ::read(output_, buffer.data(), buffer.size());
    if (length < 0) return errno == EINTR;
    text.append(buffer.data(), to_size(length));
    return length > 0;
  }

  /// Waits for its end; its status as waitpid() has it.
  int wait() {
    int status = 0;
    while (waitpid(id_, &status, 0) < 0 && errno == EINTR) {
    }
    id_ = 0;
    return status;
  }

 private:
  static constexpr int not_started = 127;
  static constexpr int moment_milliseconds = 200;

  pid_t id_ = 0;
  int output_ = -1;
};

/// Takes results out of what the program writes, and keeps the rest for the case that it fails.
class Listener {
 public:
  explicit Listener(const std::function<void(const simulate::Result&)>& told) : told_(told) {}

  void hear(std::string& text) {
    for (std::size_t end = text.find('\n'); end != std::string::npos; end = text.find('\n')) {
      line(text.substr(0, end));
      text.erase(0, end + 1);
    }
  }

  [[nodiscard]] int percent() const { return percent_; }

  [[nodiscard]] std::string complaint(int status) const {
    if (!error_.empty()) return error_;
    if (WIFSIGNALED(status)) return concat("it was ended by signal ", WTERMSIG(status), rest_);
    return concat("it ended with status ", WEXITSTATUS(status), rest_);
  }

 private:
  static int percent_of(const std::string& line) {
    constexpr Count all = 100;
    Scanner scan("line", line, "progress 50");
    try {
      scan.expect(progress);
      const Count percent = scan.integer();
      scan.expect_end();
      if (percent >= 0 && percent <= all) return to_int(percent);
    } catch (const Error&) {
    }
    fail(Fault::internal, "the simulated program wrote \"", line, "\"");
  }

  void line(const std::string& line) {
    constexpr std::size_t most_rest = 500;
    if (line.starts_with("result "))
      told_(simulate::Result::parse(line));
    else if (line.starts_with(progress))
      percent_ = percent_of(line);
    else if (line.starts_with("error "))
      error_ = line.substr(std::strlen("error "));
    else if (!line.empty() && rest_.size() < most_rest)
      rest_ += ": " + line;
  }

  static constexpr const char* progress = "progress ";

  const std::function<void(const simulate::Result&)>& told_;
  int percent_ = 0;
  std::string error_, rest_;
};

}  // namespace

std::string simulated_program() {
  constexpr const char* name = "halocline-simulated";
  std::error_code ignored;
  const fs::path here = fs::read_symlink("/proc/self/exe", ignored).parent_path();
  if (access((here / name).c_str(), X_OK) == 0) return (here / name).string();
  fail(Fault::unsupported, "there is no ", name, " in ", here.string(),
       "; it is built where SimGrid is found (Debian's package libsimgrid-dev), then configure and build "
       "again");
}

void run_simulated(const std::vector<std::string>& words,
                   const std::function<void(const simulate::Result&)>& told,
                   const std::function<void(int)>& waiting) {
  ChildProcess child(simulated_program(), words);
  Listener listener(told);
  std::string text;
  for (bool more = true; more;) {
    more = child.read(text);
    listener.hear(text);
    waiting(listener.percent());
  }
  const int status = child.wait();
  if (status != 0) fail(Fault::unsupported, "the simulation failed: ", listener.complaint(status));
}

}  // namespace halocline::tools
