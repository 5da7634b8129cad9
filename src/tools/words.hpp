// The words of the command line that several subcommands share, and how their errors name them.
#pragma once

#include "halocline/base/error.hpp"
#include "halocline/describe/grid.hpp"
#include "halocline/describe/machine.hpp"
#include "halocline/describe/mesh.hpp"
#include "halocline/describe/stencil.hpp"

#include <CLI/App.hpp>

#include <string>

namespace halocline::tools {

/// The value that `read` makes of `text`; its Error names the option too.
template <class Read>
[[nodiscard]] auto read_option(const char* option, const std::string& text, const Read& read) {
  try {
    return read(text);
  } catch (const Error& error) {
    throw Error(error.fault(), concat(option, " ", text, ": ", error.what()), error.mpi_code());
  }
}

/// --grid and --periodic.
class GridWords {
 public:
  void declare(CLI::App& options);
  [[nodiscard]] Grid grid() const;

 private:
  std::string grid_;
  std::string periodic_ = "none";
};

/// --nodes or --levels: the machine.
class MachineWords {
 public:
  void declare(CLI::App& options);
  [[nodiscard]] Machine machine() const;

 private:
  std::string nodes_;
  std::string levels_;
};

/// --stencil.
class StencilWords {
 public:
  void declare(CLI::App& options);
  [[nodiscard]] Stencil stencil(std::size_t dimensions) const;

 private:
  std::string stencil_ = "nearest";
};

/// A comma-separated list of integers. Throws Error{invalid_argument}.
[[nodiscard]] Counts parse_counts(const std::string& text);

}  // namespace halocline::tools
