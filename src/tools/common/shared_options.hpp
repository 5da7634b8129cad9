// SPDX-License-Identifier: BSD-3-Clause
// The words of the command line that several subcommands share, and how their errors name them.
#pragma once

#include "base/fail.hpp"
#include "describe/named_allocation.hpp"
#include "halocline/base/error.hpp"
#include "halocline/describe/grid.hpp"
#include "halocline/describe/machine.hpp"
#include "halocline/describe/mesh.hpp"
#include "halocline/describe/stencil.hpp"
#include "tools/common/options.hpp"

#include <string>
#include <utility>
#include <vector>

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

/// Of what --dims names. No number of processes has as many factors.
constexpr Count most_dimensions = 64;

/// --periodic.
class PeriodicWords {
 public:
  explicit PeriodicWords(std::string otherwise = "none") : periodic_(std::move(otherwise)) {}
  void declare(Options& options);
  [[nodiscard]] Periodicity periodicity(std::size_t dimensions) const;

 private:
  std::string periodic_;
};

/// --grid and --periodic.
class GridWords {
 public:
  void declare(Options& options);
  /// For commands that can do without one.
  Option declare_optional(Options& options);
  [[nodiscard]] bool given() const { return !grid_.empty(); }
  [[nodiscard]] Grid grid() const;

 private:
  std::string grid_;
  PeriodicWords periodic_;
};

/// --nodes or --levels: the machine.
class MachineWords {
 public:
  void declare(Options& options);
  [[nodiscard]] Machine machine() const;
  [[nodiscard]] bool given() const { return !nodes_.empty() || !levels_.empty(); }

 private:
  std::string nodes_;
  std::string levels_;
};

/// --stencil.
class StencilWords {
 public:
  explicit StencilWords(std::string otherwise = "nearest") : stencil_(std::move(otherwise)) {}
  void declare(Options& options);
  [[nodiscard]] Stencil stencil(std::size_t dimensions) const;
  [[nodiscard]] const std::string& word() const { return stencil_; }

 private:
  std::string stencil_;
};

/// --network and --allocation.
class NetworkWords {
 public:
  Option declare(Options& options);
  [[nodiscard]] bool given() const { return !network_.empty(); }
  [[nodiscard]] bool has_allocation() const { return !allocation_.empty(); }
  [[nodiscard]] Network network() const;
  /// The nodes of the file and their names; all nodes of the network without one.
  [[nodiscard]] NamedAllocation allocation() const;
  /// Those of a job on so many nodes; `hosts` are their names, or none if nobody said. Throws
  /// Error{invalid_argument} that names what does not fit.
  [[nodiscard]] Allocation of_job(const std::vector<std::string>& hosts, Count nodes) const;

 private:
  std::string network_;
  std::string allocation_;
};

/// --grid of a benchmark that otherwise takes the grid of MPI_Dims_create for its processes.
class JobGridWords {
 public:
  void declare(Options& options);
  [[nodiscard]] bool given() const { return !grid_.empty(); }
  /// Without periods. @pre given()
  [[nodiscard]] Grid grid() const;

 private:
  std::string grid_;
};

/// --mapping: how nodes change places on --network.
Option declare_mapping(Options& options, std::string& mapping);

/// Integers with a separator between them: "625,2,12" or "0x4x0". Throws Error{invalid_argument}.
[[nodiscard]] Counts parse_counts(const std::string& text, const char* separator = ",");
/// What --halo says: one width for each dimension, or one for all, 1 where it says nothing. Throws
/// Error{invalid_argument} that names the option.
[[nodiscard]] Counts halo_widths(const std::string& text, std::size_t dimensions);
/// What --fixed says: one extent for each dimension, 0 where it is free; none at all where it says nothing.
/// Throws Error{invalid_argument} that names the option.
[[nodiscard]] Counts fixed_extents(const std::string& text, std::size_t dimensions);
/// Decimal numbers with commas between them. Throws Error{invalid_argument}.
[[nodiscard]] std::vector<double> parse_numbers(const std::string& text);

}  // namespace halocline::tools
