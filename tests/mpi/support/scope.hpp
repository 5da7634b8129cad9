// What tests set for the length of a scope: environment variables and files.
#pragma once

#include "support/world.hpp"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

namespace halocline {

/// An environment variable; afterwards it is as before.
class Variable {
 public:
  Variable(const char* name, const std::string& value) : name_(name) {
    if (const char* const before = std::getenv(name)) before_ = before;
    setenv(name, value.c_str(), 1);
  }
  ~Variable() { before_ ? setenv(name_, before_->c_str(), 1) : unsetenv(name_); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* name_;
  std::optional<std::string> before_;
};

/// A file on rank 0, and its path everywhere. Collective.
class SharedFile {
 public:
  explicit SharedFile(const std::string& text) {
    if (world_rank() == 0) {
      std::string path = (std::filesystem::temp_directory_path() / "halocline_test_XXXXXX").string();
      const int descriptor = mkstemp(path.data());
      EXPECT_GE(descriptor, 0) << path << " cannot be made";
      if (descriptor >= 0) close(descriptor);
      std::ofstream(path) << text;
      path_ = path;
    }
    path_ = mpi::broadcast(MPI_COMM_WORLD, path_);
  }
  ~SharedFile() {
    if (world_rank() == 0) unlink(path_.c_str());
  }
  SharedFile(const SharedFile&) = delete;
  SharedFile& operator=(const SharedFile&) = delete;
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace halocline
