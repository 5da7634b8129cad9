// What tests set for the length of a scope: environment variables and files.
#pragma once

#include "support/world.hpp"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace halocline {

/// An environment variable.
class Variable {
 public:
  Variable(const char* name, const std::string& value) : name_(name) { setenv(name, value.c_str(), 1); }
  ~Variable() { unsetenv(name_); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* name_;
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
