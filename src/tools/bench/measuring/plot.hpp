// SPDX-License-Identifier: BSD-3-Clause
// The ratios of a benchmark as a picture, drawn by gnuplot.
#pragma once

#include "tools/common/command.hpp"

#include <string>

namespace halocline::tools {

/// The option for it.
void add_plot_option(Options& options, std::string& file);

/// Throws Error{invalid_argument} unless it is empty or ends as a picture does that can be drawn.
void check_plot_file(const std::string& file);

/// Draws the results that run_contest gathered, one curve for each way with the range of its runs, into an
/// SVG or PNG file, unless its name is empty. `name` is what sizes are called in the results, `title` what is
/// said about it all. Throws Error{unsupported} if gnuplot is missing or fails, and as above.
void plot_ratios(const Answer& answer, const std::string& name, const std::string& title,
                 const std::string& file);

}  // namespace halocline::tools
