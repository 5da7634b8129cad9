// SPDX-License-Identifier: BSD-3-Clause
// halocline bench overlap: how much of the exchange of halos hides behind computing.

#include "base/fail.hpp"
#include "base/integers.hpp"
#include "base/numbers.hpp"
#include "base/settings.hpp"
#include "base/split.hpp"
#include "exchange/progress/progress.hpp"
#include "halo/points/regions.hpp"
#include "halocline/halo/halo.hpp"
#include "mpi/handles/comm.hpp"
#include "mpi/handles/threads.hpp"
#include "tools/bench/measuring/clock.hpp"
#include "tools/bench/measuring/contest_table.hpp"
#include "tools/bench/rivals/rival_halos.hpp"
#include "tools/common/command.hpp"
#include "tools/common/mpi_session.hpp"
#include "tools/common/shared_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <iterator>
#include <memory>
#include <string>

namespace halocline::tools {
namespace {

struct OverlapWords {
  std::string local = "32,64,128";
  Count fields = 4;
  double computing = 2;
  int tests = 10;
  std::string ways;
  ContestRules rules;
};

/// With so many multiplications, each of which waits for the one before, a core is busy, and nothing else.
double compute(Count multiplications) {
  static volatile double one = 1.0000000001;
  double value = 1;
  const double factor = one;
  for (Count i = 0; i < multiplications; ++i) value *= factor;
  return value;
}

/// How many multiplications a process does in a second, the slowest one.
double multiplications_per_second() {
  constexpr Count some = 1000000;
  volatile double kept = 0;
  const double seconds = least_seconds([&] { kept = compute(some); }, {5, 20, 0.1});
  double slowest = seconds;
  HALOCLINE_MPI(Allreduce, &seconds, &slowest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return to_double(some) / slowest;
}

/// An exchange in two steps, and who moves it in between.
struct Exchanged {
  std::function<void()> start, wait;
  std::function<void()> test;
};
struct OverlapWay {
  const char* name;
  bool ours, tests, has_thread;
};
constexpr std::array overlap_ways{
    OverlapWay{"mpi", false, false, false}, OverlapWay{"mpi-test", false, true, false},
    OverlapWay{"view", true, false, false}, OverlapWay{"view-test", true, true, false},
    OverlapWay{"view-thread", true, false, true}};

/// Of a process along a dimension, and of anything else that is counted.
constexpr Count most_points = 2000;

bool thread_is_wanted() {
  const char* const word = std::getenv(settings::progress.variable);
  return word != nullptr && std::string(word) == "thread";
}

/// Throws Error{invalid_argument} for a way that nobody has.
std::string names_of_ways() {
  std::string names;
  for (const OverlapWay& way : overlap_ways) names += concat(names.empty() ? "" : ", ", way.name);
  return names;
}

std::vector<OverlapWay> ways_of(const std::string& words) {
  std::vector<OverlapWay> ways;
  if (words.empty()) {
    std::copy_if(overlap_ways.begin(), overlap_ways.end(), std::back_inserter(ways),
                 [](const OverlapWay& way) { return !way.has_thread || thread_is_wanted(); });
    return ways;
  }
  for (const std::string& word : split(words)) {
    const auto* const way = std::find_if(overlap_ways.begin(), overlap_ways.end(),
                                         [&](const OverlapWay& known) { return word == known.name; });
    require(way != overlap_ways.end(), "--ways ", word, ": there are ", names_of_ways());
    require(!way->has_thread || thread_is_wanted(), "--ways ", word, " needs ", settings::progress.variable,
            "=thread");
    ways.push_back(*way);
  }
  return ways;
}

/// The arrays of one size, and all that exchange them.
class OverlapContest {
 public:
  OverlapContest(Count local, const OverlapWords& words)
      : cart_(MPI_COMM_WORLD, mesh_of(local), Stencil::moore(3, 1), {.reorder = false, .fixed = dims()}),
        arrays_(to_size(words.fields),
                std::vector<double>(to_size((local + 2) * (local + 2) * (local + 2)))) {
    HaloProblem problem{cart_.comm(),
                        cart_.grid(),
                        halo::offsets_filling(halo::directions_of(cart_.stencil())),
                        Counts(3, local),
                        1,
                        {}};
    std::vector<FieldView> views;
    for (std::vector<double>& array : arrays_) {
      problem.arrays.push_back(array.data());
      views.push_back(view(array.data(), Counts(3, local + 2), HaloWidths(Counts(3, 1))));
    }
    rival_ = std::make_shared<NeighborHalo>(problem);
    ours_ = std::make_shared<Halo>(cart_, views);
  }

  [[nodiscard]] Exchanged exchanged(const OverlapWay& way) const {
    if (way.ours)
      return {[ours = ours_] { ours->start(); }, [ours = ours_] { ours->wait(); },
              [ours = ours_] { (void)ours->test(); }};
    return {[rival = rival_] { rival->start(); }, [rival = rival_] { rival->wait(); },
            [rival = rival_] { (void)rival->test(); }};
  }
  [[nodiscard]] MPI_Comm comm() const { return cart_.comm(); }
  [[nodiscard]] std::string schedule() const { return ours_->exchanged().schedule(); }

 private:
  static Counts dims() {
    std::array<int, 3> dims{};
    HALOCLINE_MPI(Dims_create, mpi::size(MPI_COMM_WORLD), 3, dims.data());
    return {dims.begin(), dims.end()};
  }
  static Mesh mesh_of(Count local) {
    Counts extents = dims();
    for (Count& extent : extents) extent = checked_multiply(extent, local);
    return Mesh(extents, periodic(1, 1, 1));
  }

  Cart cart_;
  std::vector<std::vector<double>> arrays_;
  std::shared_ptr<NeighborHalo> rival_;
  std::shared_ptr<Halo> ours_;
};

/// Start, compute in so many parts, wait; asks in between if the way does.
std::function<void()> together(const Exchanged& exchanged, bool tests, Count multiplications, int parts) {
  return [=] {
    exchanged.start();
    [[maybe_unused]] volatile double kept = 0;
    for (int part = 0; part < parts; ++part) {
      kept = compute(multiplications / parts);
      if (tests) exchanged.test();
    }
    exchanged.wait();
  };
}

void employ_thread(bool wanted) {
  if (mpi::several_threads()) exchange::Progress::of_process()->shared()->employ(wanted);
}

/// The rows of one size.
void measure_overlap(Table& table, Count local, const std::vector<OverlapWay>& ways,
                     const OverlapWords& words, double per_second) {
  const OverlapContest contest(local, words);
  std::vector<Competitor> competitors;
  for (const OverlapWay& way : ways) {
    const Exchanged exchanged = contest.exchanged(way);
    competitors.push_back({way.name, [exchanged] {
                             exchanged.start();
                             exchanged.wait();
                           }});
  }
  ContestRules rules = words.rules;
  const auto thread_for = [&ways](const Competitor& competitor) {
    employ_thread(std::any_of(ways.begin(), ways.end(), [&](const OverlapWay& way) {
      return way.has_thread && competitor.name == way.name;
    }));
  };
  rules.prepare = thread_for;
  const auto alone = measure(contest.comm(), competitors, rules);
  const double computing_seconds = words.computing * middle_seconds(alone, 0);
  const Count multiplications =
      std::max<Count>(words.tests, static_cast<Count>(computing_seconds * per_second));

  for (std::size_t w = 0; w < ways.size(); ++w)
    competitors[w].run = together(contest.exchanged(ways[w]), ways[w].tests, multiplications, words.tests);
  [[maybe_unused]] volatile double kept = 0;
  competitors.push_back({"computing", [&] {
                           for (int part = 0; part < words.tests; ++part)
                             kept = compute(multiplications / words.tests);
                         }});
  const auto both = measure(contest.comm(), competitors, rules);
  employ_thread(true);
  const double computed = middle_seconds(both, ways.size());
  for (std::size_t w = 0; w < ways.size(); ++w) {
    const double exchange = middle_seconds(alone, w), all = middle_seconds(both, w);
    const double hidden = (exchange + computed - all) / std::min(exchange, computed);
    table.add({{w == 0 ? std::to_string(local) : "", local},
               ways[w].name,
               decimal(exchange, 1, 1e6),
               decimal(computed, 1, 1e6),
               decimal(all, 1, 1e6),
               {fmt::format("{:.0f} %", 100 * hidden), hidden},
               ways[w].ours ? contest.schedule() : ""});
  }
}

Answer answer_bench_overlap(const OverlapWords& words) {
  const std::vector<OverlapWay> ways = ways_of(words.ways);
  const Counts sizes = read_option("--local", words.local, [](const std::string& text) {
    Counts counts = parse_counts(text);
    for (const Count local : counts)
      require(local >= 1 && local <= most_points, "a share of ", local, " points; it takes 1 to ",
              most_points);
    return counts;
  });
  require(words.fields >= 1 && words.fields <= most_points, "--fields ", words.fields, ": there are 1 to ",
          most_points);
  require(words.computing > 0 && words.computing <= most_points, "--computing ", words.computing,
          ": it is more than 0, and at most ", most_points);
  require(launched_by_mpi(), "bench overlap needs processes: mpirun -n 2 halocline bench overlap");
  const int processes = mpi::size(MPI_COMM_WORLD);
  Answer answer;
  answer.json = {{"ranks", processes},
                 {"fields", words.fields},
                 {"computing", words.computing},
                 {"tests", words.tests},
                 {"thread_level", mpi::thread_level_name(mpi::thread_level())},
                 {"results", nlohmann::ordered_json::array()}};
  answer.text = fmt::format(
      "halos of {} fields of double, {} processes, {}; computing takes {} times as long as {} alone, in {} "
      "parts\n\n",
      words.fields, processes, mpi::thread_level_name(mpi::thread_level()), words.computing,
      ways.front().name, words.tests);
  const double per_second = multiplications_per_second();
  Table table({Column::right("local", 9, "local"), Column::left("way", 12, "way", "  "),
               Column::right("exchange [us]", 13, "exchange_seconds"),
               Column::right("computing [us]", 14, "computing_seconds"),
               Column::right("together [us]", 13, "together_seconds"), Column::right("hidden", 8, "hidden"),
               Column::left("schedule", 13, "schedule", "  ")});
  for (std::size_t s = 0; s < sizes.size(); ++s) {
    show_progress(MPI_COMM_WORLD,
                  fmt::format("{0}x{0}x{0} points ({1} of {2})", sizes[s], s + 1, sizes.size()));
    measure_overlap(table, sizes[s], ways, words, per_second);
  }
  show_progress(MPI_COMM_WORLD, "");
  answer.text += table.to_text();
  answer.json["results"] = table.to_json();
  return answer;
}

}  // namespace

Action declare_bench_overlap(Options& options) {
  auto words = std::make_shared<OverlapWords>();
  options.add_option("--local", words->local, "points of a process along each dimension")
      .capture_default_str();
  options.add_option("--fields", words->fields, "fields of double").capture_default_str();
  options
      .add_option("--computing", words->computing,
                  "how many times as long as an exchange of the first way the computing takes")
      .capture_default_str()
      .positive();
  options
      .add_option("--tests", words->tests,
                  "in how many parts it is done, with a test after each where a way has them")
      .capture_default_str()
      .positive();
  options.add_option("--ways", words->ways,
                     "what to compare: mpi (MPI_Ineighbor_alltoallw), mpi-test (the same with MPI_Test), "
                     "view (ours), view-test (ours "
                     "with test()), view-thread (ours with a thread of the library, if HALOCLINE_PROGRESS is "
                     "thread); all by "
                     "default");
  options.add_option("--repetitions", words->rules.repetitions, "how many turns each way has in a run")
      .capture_default_str()
      .positive();
  options.add_option("--runs", words->rules.runs, "runs of all repetitions; the median counts")
      .capture_default_str()
      .positive();
  return [words] { return answer_bench_overlap(*words); };
}

}  // namespace halocline::tools
