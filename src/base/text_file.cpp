// SPDX-License-Identifier: BSD-3-Clause
#include "base/text_file.hpp"

#include "base/fail.hpp"
#include "halocline/base/error.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace halocline {
namespace {

namespace fs = std::filesystem;

/// A file that is closed in the end.
class OpenFile {
 public:
  explicit OpenFile(const fs::path& path)
      : descriptor_(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)) {}
  ~OpenFile() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  [[nodiscard]] int get() const { return descriptor_; }

 private:
  int descriptor_;
};

[[noreturn]] void cannot_read(const std::string& why) {
  fail(Fault::invalid_argument, "it cannot be read: ", why);
}

}  // namespace

std::optional<std::string> read_text_file(const fs::path& path, std::size_t most_bytes) {
  const OpenFile file(path);
  if (file.get() < 0) {
    if (errno == ENOENT) return std::nullopt;
    cannot_read(std::strerror(errno));
  }
  struct stat about {};
  if (fstat(file.get(), &about) != 0) cannot_read(std::strerror(errno));
  if (!S_ISREG(about.st_mode)) cannot_read("it is not a plain file");
  std::string text;
  constexpr std::size_t piece = std::size_t{1} << 20;
  while (text.size() <= most_bytes) {
    const std::size_t before = text.size();
    text.resize(before + std::min(piece, most_bytes + 1 - before));
    const ssize_t got = read(file.get(), text.data() + before, text.size() - before);
    const int reason = errno;
    text.resize(before + static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    if (got == 0) return text;
    if (got < 0 && reason != EINTR) cannot_read(std::strerror(reason));
  }
  cannot_read(concat("it has more than ", most_bytes >> 20, " MiB"));
}

void write_text_file(const fs::path& path, const std::string& text) {
  std::error_code failure;
  // Behind a link lies the file that is meant.
  const fs::path meant = fs::weakly_canonical(path, failure);
  const fs::path target = failure || meant.empty() ? path : meant;
  // Hidden, so that who lists files that begin with this name does not meet what a killed process left.
  const fs::path draft =
      target.parent_path() / concat(".", target.filename().string(), ".", std::to_string(getpid()));
  std::ofstream file(draft);
  file << text;
  file.close();
  if (file) fs::rename(draft, target, failure);
  if (!file || failure) {
    fs::remove(draft, failure);
    fail(Fault::internal, "cannot write ", path.string());
  }
}

}  // namespace halocline
