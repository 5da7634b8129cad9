// SPDX-License-Identifier: BSD-3-Clause
#include "tools/common/own_library.hpp"

#include "base/fail.hpp"
#include "halocline/base/error.hpp"

#include <unistd.h>

namespace halocline::tools {

std::filesystem::path own_library(const std::string& name, const std::string& remedy) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  const fs::path here = fs::read_symlink("/proc/self/exe", ignored).parent_path();
  const fs::path installed = here.parent_path() / HALOCLINE_LIBDIR;
  for (const fs::path& folder : {here, installed})
    if (access((folder / name).c_str(), R_OK) == 0) return folder / name;
  fail(Fault::unsupported, "there is no ", name, " in ", here.string(), " or in ", installed.string(),
       remedy);
}

}  // namespace halocline::tools
