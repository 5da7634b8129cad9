// SPDX-License-Identifier: BSD-3-Clause
#include "compile/generated/llvm_module.hpp"

#include "base/log.hpp"
#include "base/settings.hpp"

#include <dlfcn.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

namespace halocline::compile {
namespace {

namespace fs = std::filesystem;

constexpr const char* file_name = "libhalocline-llvm.so";

/// Of the library or program this code was linked into.
fs::path own_folder() {
  Dl_info info{};
  std::error_code ignored;
  // The name of a program may be what the shell was told; a library is known by its path.
  if (dladdr(reinterpret_cast<const void*>(&llvm_generator), &info) != 0 && info.dli_fname != nullptr) {
    const fs::path file(info.dli_fname);
    if (file.filename().string().find(".so") != std::string::npos)
      return fs::absolute(file, ignored).parent_path();
  }
  return fs::read_symlink("/proc/self/exe", ignored).parent_path();
}

std::vector<fs::path> candidates() {
  // Not in programs that run with more rights than their user.
  if (const char* const chosen = secure_getenv(settings::llvm_module.variable);
      chosen != nullptr && *chosen != '\0')
    return {chosen};
  std::vector<fs::path> files;
  if (const fs::path here = own_folder(); !here.empty()) {
    files.push_back(here / file_name);
    files.push_back(here.parent_path() / HALOCLINE_LIBDIR / file_name);
  }
  files.push_back(fs::path(HALOCLINE_FULL_LIBDIR) / file_name);
  return files;
}

fs::path find_module() {
  for (const fs::path& file : candidates())
    if (access(file.c_str(), R_OK) == 0) return file;
  return {};
}

const fs::path& module_file() {
  static const fs::path file = find_module();
  return file;
}

const Generator* open_module() {
  const fs::path& file = module_file();
  const auto unusable = [&](const std::string& why) -> const Generator* {
    log_line("no generated code, kernels pack instead: " + why);
    return nullptr;
  };
  if (file.empty()) return unusable(std::string("there is no file ") + candidates().front().string());
  void* const handle = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) return unusable(dlerror());
  auto* const entry = reinterpret_cast<GeneratorEntry*>(dlsym(handle, generator_entry));
  const Generator* const generator = entry == nullptr ? nullptr : entry(generator_version);
  if (generator == nullptr || generator->version != generator_version)
    return unusable(file.string() + " is not a module of version " + std::to_string(generator_version));
  return generator;
}

}  // namespace

const Generator* llvm_generator() {
  static const Generator* const generator = open_module();
  return generator;
}

bool llvm_module_present() { return !module_file().empty(); }

}  // namespace halocline::compile
