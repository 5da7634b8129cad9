// What tests set for the length of a scope: environment variables and files.
#pragma once

#include "support/world.hpp"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
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

/// An environment variable for the length of a scope, on rank 0 of the world alone.
class FirstVariable {
 public:
  FirstVariable(const char* name, const std::string& value) : name_(name) {
    if (world_rank() == 0) setenv(name, value.c_str(), 1);
  }
  ~FirstVariable() { unsetenv(name_); }
  FirstVariable(const FirstVariable&) = delete;
  FirstVariable& operator=(const FirstVariable&) = delete;

 private:
  const char* name_;
};

/// A folder that rank 0 has, gone with this object.
class FirstFolder {
 public:
  FirstFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "halocline_plan_XXXXXX").string();
    if (world_rank() == 0 && mkdtemp(pattern.data()) != nullptr) path_ = pattern;
  }
  ~FirstFolder() {
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
  }
  FirstFolder(const FirstFolder&) = delete;
  FirstFolder& operator=(const FirstFolder&) = delete;

  [[nodiscard]] std::string file(const std::string& name) const { return path_ / name; }

  /// The path of a file with this text, which rank 0 writes.
  [[nodiscard]] std::string holding(const std::string& name, const std::string& text) const {
    if (world_rank() == 0) std::ofstream(file(name)) << text;
    return file(name);
  }

  /// What is in a file; empty on other ranks, and if there is none.
  [[nodiscard]] std::string text_of(const std::string& name) const {
    if (world_rank() != 0) return "";
    std::ostringstream text;
    text << std::ifstream(file(name)).rdbuf();
    return text.str();
  }

 private:
  std::filesystem::path path_;
};

}  // namespace halocline
