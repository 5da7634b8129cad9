// SPDX-License-Identifier: BSD-3-Clause
// What the examples share besides Halocline: the command line, one voice for all processes, a clear end.
#pragma once

#include <mpi.h>
#include <halocline/halocline.hpp>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace example {

namespace hc = halocline;

/// Wrong use, to be told in one line.
struct WrongUse : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct Option {
  std::string name;   ///< "--mesh"
  std::string value;  ///< The default.
  std::string about;
};

struct Program {
  std::string name, about;
  std::vector<Option> options;
};

/// The options as they were given, or their defaults. Every process reads the same.
class Arguments {
 public:
  Arguments(Program program, int argc, char** argv) : program_(std::move(program)) {
    for (int i = 1; i < argc; ++i) {
      const std::string_view word = argv[i];
      if (word == "--help") {
        help_ = true;
        return;
      }
      const auto option = std::find_if(program_.options.begin(), program_.options.end(),
                                       [&](const Option& o) { return o.name == word; });
      if (option == program_.options.end())
        throw WrongUse("unknown option '" + std::string(word) + "'; --help lists those there are");
      if (++i == argc) throw WrongUse(option->name + " needs a value, such as " + option->value);
      option->value = argv[i];
    }
  }

  [[nodiscard]] bool help() const { return help_; }
  [[nodiscard]] std::string usage() const {
    std::string text = program_.about + "\n\nmpirun -n RANKS " + program_.name + " [OPTION VALUE]...\n";
    for (const Option& option : program_.options) {
      const std::string fallback = option.value.empty() ? "" : " (" + option.value + ")";
      text += "  " + option.name + std::string(option.name.size() < 12 ? 12 - option.name.size() : 1, ' ') +
              option.about + fallback + "\n";
    }
    return text;
  }

  [[nodiscard]] const std::string& text(std::string_view name) const {
    return std::find_if(program_.options.begin(), program_.options.end(),
                        [&](const Option& option) { return option.name == name; })
        ->value;
  }
  [[nodiscard]] hc::Count number(std::string_view name, hc::Count least) const {
    const std::string& word = text(name);
    hc::Count value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc() || end != word.data() + word.size() || value < least)
      throw WrongUse(std::string(name) + " is '" + word + "'; it is a number from " + std::to_string(least) +
                     " on");
    return value;
  }
  [[nodiscard]] hc::Counts extents(std::string_view name, std::size_t dimensions) const {
    const std::string& word = text(name);
    hc::Counts found = hc::Mesh::parse(word).extents();
    if (found.size() != dimensions)
      throw WrongUse(std::string(name) + " is '" + word + "'; it has " + std::to_string(dimensions) +
                     " numbers with x between them");
    return found;
  }

 private:
  Program program_;
  bool help_ = false;
};

inline int rank() {
  int number = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &number);
  return number;
}
inline int ranks() {
  int number = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &number);
  return number;
}

/// printf on the first process alone.
template <class... Values>
void say(const char* format, const Values&... values) {
  if (rank() != 0) return;
  if constexpr (sizeof...(values) == 0)
    std::fputs(format, stdout);
  else
    std::printf(format, values...);
}

/// Combines a number of every process; every process gets the result.
inline double combined(double mine, MPI_Op operation) {
  double all = 0;
  MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, operation, MPI_COMM_WORLD);
  return all;
}

/// Runs `run(arguments)`, which says whether the answer was right. Returns 0 for a right answer, 1 for a
/// wrong one or an error, 2 for wrong use and for values that Halocline refuses. Halocline throws the same
/// Error on every process, so that all of them end; any other exception may be that of one process alone, for
/// which the others must not wait.
template <class Run>
int run_program(Program program, int argc, char** argv, const Run& run) {
  MPI_Init(&argc, &argv);
  const std::string name = program.name;
  int status = 1;
  const auto complain = [&](const char* what) {
    if (rank() == 0) std::fprintf(stderr, "%s: %s\n", name.c_str(), what);
  };
  try {
    const Arguments arguments(std::move(program), argc, argv);
    if (arguments.help()) {
      say("%s", arguments.usage().c_str());
      status = 0;
    } else {
      status = run(arguments) ? 0 : 1;
    }
  } catch (const WrongUse& error) {
    complain(error.what());
    status = 2;
  } catch (const hc::Error& error) {
    complain(error.what());
    const bool callers_fault =
        error.fault() == hc::Fault::invalid_argument || error.fault() == hc::Fault::invalid_dimensions;
    status = callers_fault ? 2 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: rank %d: %s\n", name.c_str(), rank(), error.what());
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  MPI_Finalize();
  return status;
}

}  // namespace example
