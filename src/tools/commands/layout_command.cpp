// SPDX-License-Identifier: BSD-3-Clause
// halocline layout: what a datatype does to memory, and how fast each engine packs it.

#include "base/fail.hpp"
#include "base/numbers.hpp"
#include "compile/packer_state.hpp"
#include "halocline/compile/packer.hpp"
#include "tools/bench/measuring/clock.hpp"
#include "tools/bench/measuring/median.hpp"
#include "tools/bench/measuring/pack_rate.hpp"
#include "tools/common/command.hpp"
#include "tools/common/progress_bar.hpp"
#include "tools/common/shared_options.hpp"
#include "tools/common/table.hpp"
#include "tools/plan/layout_advice.hpp"

#include <fmt/format.h>

#include <memory>

namespace halocline::tools {
namespace {

using compile::Engine;
using compile::Packer;
using compile::Part;

struct LayoutWords {
  std::string layout;
  Count count = 1;
};

/// The median of several, of fewer where they take long.
double commit_seconds(const Part& part, const Engine& engine) {
  constexpr std::size_t most_times = 15;
  constexpr double most_seconds = 0.3;
  std::vector<double> samples;
  for (double all = 0; samples.size() < most_times && all < most_seconds; all += samples.back())
    (void)timed(samples.emplace_back(), [&] { return Packer(part, engine); });
  return median(samples);
}

Answer answer_layout(const LayoutWords& words) {
  const Part part{read_option("layout", words.layout, Layout::parse), words.count};
  require(words.count >= 0, "--count ", words.count, " is negative; 0 is the least");
  const Packer packer(part);
  const std::string canonical = canonical_of(packer).to_text();

  Answer answer;
  answer.json = {{"size", part.layout.size()},
                 {"extent", part.layout.extent()},
                 {"lb", part.layout.lb()},
                 {"true_lb", part.layout.true_lb()},
                 {"true_extent", part.layout.true_extent()},
                 {"count", part.count},
                 {"packed_bytes", packer.bytes()},
                 {"canonical", canonical},
                 {"engines", nlohmann::ordered_json::array()},
                 {"advice", nlohmann::ordered_json::array()}};
  answer.text = fmt::format("size       {}\nextent     {}\ncanonical  {}\n\n", part.layout.size(),
                            part.layout.extent(), canonical);
  Table table({Column::left("engine", 14, "name"), Column::right("commit [us]", 14, "commit_seconds"),
               Column::right("pack [GB/s]", 14, "pack_bytes_per_second")});
  ProgressBar progress("layout");
  for (const Engine& engine : compile::engines()) {
    progress.at(std::string(engine.name), -1);
    const double commit = commit_seconds(part, engine);
    Entry rate{"-", nullptr};
    if (packer.bytes() > 0)
      if (const auto seconds = pack_seconds(Packer(part, engine), part)) {
        const auto bytes = to_double(packer.bytes());
        rate = {fmt::format("{:.3f}", 1e-9 * bytes / *seconds), bytes / *seconds};
      }
    table.add({engine.name, decimal(commit, 3, 1e6), rate});
  }
  answer.text += table.to_text();
  answer.json["engines"] = table.to_json();
  for (const std::string& advice : layout_advice(part, packer)) {
    answer.json["advice"].push_back(advice);
    answer.text += "\nadvice: " + advice + "\n";
  }
  return answer;
}

}  // namespace

Action declare_layout(Options& options) {
  auto words = std::make_shared<LayoutWords>();
  options
      .add_option(
          "layout", words->layout,
          "the datatype, in MPI's constructors: vector(8,1,16,double), struct([1,2],[0,16],[int,double])")
      .required();
  options.add_option("--count", words->count, "how many elements of it").capture_default_str();
  return [words] { return answer_layout(*words); };
}

}  // namespace halocline::tools
