// SPDX-License-Identifier: BSD-3-Clause
#include "tools/bench/measuring/plot.hpp"

#include "base/fail.hpp"
#include "halocline/base/count.hpp"
#include "halocline/base/error.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <map>
#include <memory>
#include <vector>

namespace halocline::tools {
namespace {

/// Inside single quotes of gnuplot.
std::string in_quotes(const std::string& text) {
  std::string inside;
  for (const char c : text) inside += c == '\'' ? std::string("''") : std::string(1, c);
  return "'" + inside + "'";
}

const char* terminal_of(const std::string& file) {
  if (file.ends_with(".svg")) return "svg size 800,500 background 'white'";
  if (file.ends_with(".png")) return "pngcairo size 800,500";
  fail(Fault::invalid_argument, "--plot ", file, ": it ends with .svg or .png");
}

/// All that gnuplot has to know, data included.
std::string gnuplot_script(const Answer& answer, const std::string& name, const std::string& title,
                           const std::string& file) {
  std::map<std::string, std::string> rows;
  std::vector<std::string> ways;
  for (const nlohmann::ordered_json& result : answer.json.at("results")) {
    const auto way = result.at("way").get<std::string>();
    if (rows.find(way) == rows.end()) ways.push_back(way);
    rows[way] +=
        fmt::format("{} {} {} {}\n", result.at(name).get<Count>(), result.at("ratio").get<double>(),
                    result.at("lowest_ratio").get<double>(), result.at("highest_ratio").get<double>());
  }
  std::string script = fmt::format(
      "set terminal {} noenhanced\nset output {}\nset title {}\nset logscale x 2\nset grid\nset key outside\n"
      "set xlabel {}\nset ylabel {}\nset yrange [0:*]\n",
      terminal_of(file), in_quotes(file), in_quotes(title), in_quotes(name),
      in_quotes("times as fast as " + ways.front()));
  std::string plots;
  for (std::size_t i = 0; i < ways.size(); ++i) {
    script += fmt::format("$way{} << END\n{}END\n", i, rows[ways[i]]);
    plots += fmt::format("{} $way{} using 1:2:3:4 with yerrorlines linewidth 2 title {}",
                         i == 0 ? "plot" : ",", i, in_quotes(ways[i]));
  }
  return script + plots + "\n";
}

}  // namespace

void add_plot_option(Options& options, std::string& file) {
  options.add_option("--plot", file, "also draw the speedups into this .svg or .png file; needs gnuplot");
}

void check_plot_file(const std::string& file) {
  if (!file.empty()) (void)terminal_of(file);
}

void plot_ratios(const Answer& answer, const std::string& name, const std::string& title,
                 const std::string& file) {
  if (file.empty()) return;
  const std::string script = gnuplot_script(answer, name, title, file);
  // NOLINTNEXTLINE(cert-env33-c): what is typed into it was made here
  std::FILE* const gnuplot = popen("gnuplot", "w");
  const bool written = gnuplot != nullptr && std::fputs(script.c_str(), gnuplot) >= 0;
  const bool ended = gnuplot != nullptr && pclose(gnuplot) == 0;
  if (!written || !ended)
    fail(Fault::unsupported, "gnuplot did not draw ", file, "; is it installed? (Debian: gnuplot-nox)");
}

}  // namespace halocline::tools
