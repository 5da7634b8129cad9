// halocline layout: what a datatype does to memory, and how fast each engine packs it.

#include "halocline/compile/packer.hpp"
#include "tools/bench/pack_rate.hpp"
#include "tools/bench/timed.hpp"
#include "tools/common/command.hpp"
#include "tools/common/progress.hpp"
#include "tools/common/shared_options.hpp"
#include "tools/plan/layout_advice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
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
  std::nth_element(samples.begin(), samples.begin() + std::ssize(samples) / 2, samples.end());
  return samples[samples.size() / 2];
}

Answer answer_layout(const LayoutWords& words) {
  const Part part{read_option("layout", words.layout, Layout::parse), words.count};
  require(words.count >= 0, "--count ", words.count, " is negative; 0 is the least");
  const Packer packer(part);
  const std::string canonical = packer.canonical().to_text();

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
  answer.text =
      fmt::format("size       {}\nextent     {}\ncanonical  {}\n\n{:<14} {:>14} {:>14}\n", part.layout.size(),
                  part.layout.extent(), canonical, "engine", "commit [us]", "pack [GB/s]");
  Progress progress("layout");
  for (const Engine& engine : compile::engines()) {
    progress.at(std::string(engine.name), -1);
    const double commit = commit_seconds(part, engine);
    nlohmann::ordered_json row{
        {"name", engine.name}, {"commit_seconds", commit}, {"pack_bytes_per_second", nullptr}};
    std::string rate = "-";
    if (packer.bytes() > 0)
      if (const auto seconds = pack_seconds(Packer(part, engine), part)) {
        row["pack_bytes_per_second"] = static_cast<double>(packer.bytes()) / *seconds;
        rate = fmt::format("{:.3f}", 1e-9 * static_cast<double>(packer.bytes()) / *seconds);
      }
    answer.text += fmt::format("{:<14} {:>14.3f} {:>14}\n", engine.name, 1e6 * commit, rate);
    answer.json["engines"].push_back(std::move(row));
  }
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
