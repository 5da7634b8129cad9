// SPDX-License-Identifier: BSD-3-Clause
// halocline bench halo: the halos of fields in three dimensions, beside what programs do.

#include "halocline/halo/halo.hpp"
#include "base/fail.hpp"
#include "base/integers.hpp"
#include "base/numbers.hpp"
#include "base/split.hpp"
#include "halo/points/regions.hpp"
#include "halocline/halo/box_halo.hpp"
#include "halocline/halo/field.hpp"
#include "mpi/handles/agree.hpp"
#include "mpi/handles/comm.hpp"
#include "tools/bench/halo/device_halos.hpp"
#include "tools/bench/halo/halo_contents.hpp"
#include "tools/bench/measuring/contest_table.hpp"
#include "tools/bench/measuring/plot.hpp"
#include "tools/bench/rivals/foreign_halos.hpp"
#include "tools/common/command.hpp"
#include "tools/common/device_of_job.hpp"
#include "tools/common/mpi_session.hpp"
#include "tools/common/shared_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>

namespace halocline::tools {
namespace {

struct HaloWords {
  JobGridWords grid;
  std::string local = "16,32,64,128";
  StencilWords stencil{"moore:1"};
  Count fields = 4;
  Count width = 1;
  Count threads = 2;
  std::string ways = "mpi,datatype,packed,hand,view,field";
  MemoryWords memory;
  ContestRules rules;
  std::string plot;
};

/// What the words say, as far as it does not take processes to know.
struct WantedHalos {
  Stencil stencil;
  Counts sizes;
};

/// Sizes whose arrays could be in the memory of a process.
Counts sizes_of(const HaloWords& words) {
  constexpr Count most_bytes = Count{1} << 40;
  Counts sizes = parse_counts(words.local);
  for (const Count local : sizes) {
    require(local >= 1, "a share of ", local, " points; it takes at least 1");
    const Count side = checked_add(local, checked_multiply(2, words.width));
    const Count bytes = checked_product(Counts{words.fields, side, side, side, sizeof(double)});
    require(bytes <= most_bytes, words.fields, " fields of ", local, " points and a halo of ", words.width,
            " along each dimension take ", bytes, " bytes; a process has at most ", most_bytes);
  }
  return sizes;
}

/// Throws Error{invalid_argument} for a way that nobody has.
void check_ways(const HaloWords& words) {
  std::vector<std::string_view> known{"mpi",          "datatype",      "packed", "hand",
                                      "view",         "field",         "any",    "boxes",
                                      "view-threads", "field-threads", "sums",   "sums-hand"};
  for (const ForeignWay& way : foreign_ways()) known.push_back(way.name);
  if (words.memory.on_device()) {
    known.clear();
    for (const DeviceHaloWay& way : device_halo_ways()) known.push_back(way.name);
  }
  for (const std::string& way : split(words.ways))
    require(std::find(known.begin(), known.end(), way) != known.end(), "--ways ", way, ": there are ",
            fmt::format("{}", fmt::join(known, ", ")));
}

WantedHalos wanted_of(const HaloWords& words) {
  require(words.fields >= 1, "--fields ", words.fields, ": there is at least one");
  require(words.width >= 1, "--width ", words.width, ": a halo has at least one point");
  require(words.threads >= 1 && words.threads <= 4096, "--threads ", words.threads,
          ": there are from 1 to 4096");
  if (words.grid.given()) (void)words.grid.grid();
  check_plot_file(words.plot);
  check_ways(words);
  return {words.stencil.stencil(3),
          read_option("--local", words.local, [&](const std::string&) { return sizes_of(words); })};
}

/// The fields and competitors for one local size.
class HaloContest {
 public:
  /// On the device, or if there is none in memory of the host.
  HaloContest(const Counts& dims, Count local, const Stencil& stencil, const HaloWords& words,
              const ForeignHalos& foreign, accelerate::Device* device)
      : cart_(MPI_COMM_WORLD,
              Mesh({checked_multiply(dims[0], local), checked_multiply(dims[1], local),
                    checked_multiply(dims[2], local)},
                   periodic(1, 1, 1)),
              stencil, {.reorder = false, .halo = Counts(3, words.width), .fixed = dims}),
        width_(words.width),
        threads_(to_int(words.threads)),
        padded_(local + 2 * words.width),
        arrays_(to_size(words.fields), std::vector<double>(to_size(padded_ * padded_ * padded_))) {
    for (std::vector<double>& array : arrays_)
      views_.push_back(view(array.data(), Counts(3, padded_), HaloWidths(Counts(3, words.width))));
    const std::vector<std::string> ways = split(words.ways);
    if (device != nullptr) {
      on_device_.emplace(cart_, rival_problem(local), ways, *device, words.memory.kind());
      contestants_ = on_device_->contestants();
      return;
    }
    for (const std::string& way : ways) {
      contestants_.push_back(contestant(way, local, foreign));
      check(contestants_.back().competitor, fields_of(way));
    }
  }

  /// New values in all that is sent, as a solver writes them. What this way sends comes last, so that every
  /// way finds as much of its data in the caches.
  void rewrite(const std::string& way) {
    if (on_device_) return;
    generation_ += 1;
    const char* const other = on_fields(way) ? "view" : "field";
    for (const FieldView& field : fields_of(other)) rewrite(field);
    for (const FieldView& field : fields_of(way)) rewrite(field);
  }

  [[nodiscard]] MPI_Comm comm() const { return cart_.comm(); }
  [[nodiscard]] const std::vector<Contestant>& contestants() const { return contestants_; }

 private:
  void check(const Competitor& way, const std::vector<FieldView>& fields) const {
    if (!way.name.starts_with("sums"))
      check_contents(cart_, way, fields);
    else if (way.name != "sums-petsc")  // which leaves them in vectors of its own
      check_sums(cart_, way, fields);
  }

  void rewrite(const FieldView& field) const {
    const Count n = field.extents()[0];
    const auto near_border = [&](Count i) { return i < width_ || i >= n - width_; };
    for (Count x = 0; x < n; ++x)
      for (Count y = 0; y < n; ++y) {
        auto* const row = static_cast<double*>(field.at(Cell{x, y, 0}));
        if (near_border(x) || near_border(y)) {
          std::fill_n(row, n, generation_);
        } else {
          std::fill_n(row, width_, generation_);
          std::fill_n(row + n - width_, width_, generation_);
        }
      }
  }

  [[nodiscard]] static bool on_fields(const std::string& way) { return way.starts_with("field"); }

  /// What a way exchanges.
  [[nodiscard]] std::vector<FieldView> fields_of(const std::string& way) const {
    if (!on_fields(way)) return views_;
    return {fields_.begin(), fields_.end()};
  }

  Contestant contestant(const std::string& way, Count local, const ForeignHalos& foreign) {
    const HaloProblem problem = rival_problem(local);
    if (way == "mpi") return {{way, [rival = std::make_shared<NeighborHalo>(problem)] { rival->run(); }}};
    if (way == "datatype")
      return {{way, [rival = std::make_shared<DatatypeHalo>(problem)] { rival->run(); }}};
    using MessageTo = HandPackedHalo::MessageTo;
    if (way == "packed" || way == "hand" || way == "sums-hand") {
      auto rival = std::make_shared<HandPackedHalo>(
          problem, way == "packed" ? MessageTo::each_neighbour : MessageTo::each_process,
          way == "sums-hand" ? HandPackedHalo::Moves::sums : HandPackedHalo::Moves::own_points);
      return {{way, [rival] { rival->run(); }}};
    }
    if (foreign.has(way)) return {{way, foreign.prepared(way, problem)}};
    if (way == "boxes") return boxes_contestant();
    if (on_fields(way))
      while (fields_.size() < arrays_.size()) fields_.emplace_back(cart_);
    const std::vector<FieldView> halo_fields = fields_of(way);
    HaloOptions options;
    options.exchange.threads = way.ends_with("-threads") ? threads_ : 1;
    if (way == "any") options.addresses = Addresses::any;
    auto ours = std::make_shared<Halo>(cart_, halo_fields, options);
    const ContestRules rules{.repetitions = 9, .runs = 1, .inner = 1, .prepare = {}};
    const double init =
        measure(comm(), {{way, [&] { (void)Halo(cart_, halo_fields, options); }}}, rules).front().front();
    return {{way, run_of(way, ours)}, ours->exchanged().schedule(), init};
  }

  [[nodiscard]] std::function<void()> run_of(const std::string& way,
                                             const std::shared_ptr<Halo>& ours) const {
    if (way == "sums") return [ours] { ours->accumulate(); };
    if (way != "any") return [ours] { ours->exchange(); };
    std::vector<const void*> addresses;
    for (const std::vector<double>& array : arrays_) addresses.push_back(array.data());
    return [ours, addresses] {
      ours->start_with(addresses);
      ours->wait();
    };
  }

  /// The box of each process as one of any, which nobody knows to be a grid of them.
  [[nodiscard]] Contestant boxes_contestant() {
    std::vector<OwnedBox> owned;
    for (Rank rank = 0; rank < cart_.grid().size(); ++rank)
      owned.push_back({rank, cart_.decomposition()->box(cart_.grid().cell(rank))});
    std::vector<std::vector<FieldView>> fields;
    for (const FieldView& view : views_) fields.push_back({view});
    const HaloOptions options{.directions = halo::directions_of(cart_.stencil())};
    auto ours = std::make_shared<BoxHalo>(comm(), Boxes(cart_.decomposition()->mesh(), std::move(owned)),
                                          fields, options);
    return {{"boxes", [ours] { ours->exchange(); }}};
  }

  [[nodiscard]] HaloProblem rival_problem(Count local) {
    HaloProblem problem{
        comm(),           cart_.grid(), halo::offsets_filling(halo::directions_of(cart_.stencil())),
        Counts(3, local), width_,       {}};
    for (std::vector<double>& array : arrays_) problem.arrays.push_back(array.data());
    return problem;
  }

  Cart cart_;
  Count width_;
  int threads_;
  Count padded_;
  double generation_ = 0;
  std::vector<std::vector<double>> arrays_;
  std::vector<FieldView> views_;
  std::vector<Field<double>> fields_;
  std::optional<DeviceHalos> on_device_;
  std::vector<Contestant> contestants_;
};

Counts dims_of(const JobGridWords& grid, int processes) {
  if (grid.given()) {
    const Grid given = grid.grid();
    require(given.dimensions() == 3 && given.size() == processes, "--grid ", given.to_text(),
            ": it needs three dimensions and ", processes, " cells");
    return given.extents();
  }
  std::array<int, 3> dims{};
  HALOCLINE_MPI(Dims_create, processes, 3, dims.data());
  return {dims.begin(), dims.end()};
}

Answer answer_bench_halo(const HaloWords& words) {
  const auto [stencil, sizes] = wanted_of(words);
  require(launched_by_mpi(), "bench halo needs processes: mpirun -n 8 halocline bench halo");
  const int processes = mpi::size(MPI_COMM_WORLD);
  const Counts dims = dims_of(words.grid, processes);
  const ForeignHalos foreign = mpi::agreed(MPI_COMM_WORLD, [&] { return ForeignHalos(split(words.ways)); });
  accelerate::Device* const device = words.memory.on_device() ? &device_of_job(MPI_COMM_WORLD) : nullptr;
  Answer answer;
  answer.json = {{"ranks", processes},
                 {"grid", Grid(dims).to_text()},
                 {"stencil", words.stencil.word()},
                 {"fields", words.fields},
                 {"width", words.width},
                 {"threads", words.threads},
                 {"repetitions", words.rules.repetitions},
                 {"runs", words.rules.runs},
                 {"in_a_row", words.rules.in_a_row},
                 {"results", nlohmann::ordered_json::array()}};
  answer.text = fmt::format(
      "halos of {} fields of double{}, width {}, along {}, {} processes as {}; {} repetitions, "
      "{} runs{}; ratio to {}\n\n",
      words.fields, device != nullptr ? " on " + told_of(*device) : "", words.width, words.stencil.word(),
      processes, Grid(dims).to_text(), words.rules.repetitions, words.rules.runs,
      words.rules.in_a_row > 1 ? fmt::format(", {} in a row", words.rules.in_a_row) : "",
      split(words.ways).front());
  Table table = contest_table("local", "local");
  for (std::size_t s = 0; s < sizes.size(); ++s) {
    show_progress(MPI_COMM_WORLD,
                  fmt::format("{0}x{0}x{0} points ({1} of {2})", sizes[s], s + 1, sizes.size()));
    HaloContest contest(dims, sizes[s], stencil, words, foreign, device);
    ContestRules rules = words.rules;
    rules.prepare = [&](const Competitor& way) { contest.rewrite(way.name); };
    run_contest(table, contest.comm(), sizes[s], contest.contestants(), rules);
  }
  answer.text += table.to_text();
  answer.json["results"] = table.to_json();
  answer.json["memory"] = words.memory.word();
  answer.json["device"] = device != nullptr ? nlohmann::ordered_json(told_of(*device)) : nullptr;
  show_progress(MPI_COMM_WORLD, "");
  if (mpi::rank(MPI_COMM_WORLD) == 0)
    plot_ratios(
        answer, "local",
        fmt::format("halos of {} fields, {} processes as {}", words.fields, processes, Grid(dims).to_text()),
        words.plot);
  return answer;
}

}  // namespace

Action declare_bench_halo(Options& options) {
  auto words = std::make_shared<HaloWords>();
  std::string others, of_device, with_device;
  for (const ForeignWay& way : foreign_ways()) others += concat(", ", way.name, " (", way.summary, ")");
  for (const DeviceHaloWay& way : device_halo_ways()) {
    of_device += concat(of_device.empty() ? "" : ", ", way.name, " (", way.summary, ")");
    with_device += concat(with_device.empty() ? "" : ",", way.name);
  }
  words->grid.declare(options);
  options.add_option("--local", words->local, "points of a process along each dimension")
      .capture_default_str();
  options.add_option("--fields", words->fields, "fields of double").capture_default_str();
  options.add_option("--width", words->width, "of the halo").capture_default_str();
  options
      .add_option("--threads", words->threads,
                  "of each process that pack, copy and unpack with view-threads and field-threads")
      .capture_default_str();
  words->stencil.declare(options);
  Option ways = options.add_option(
      "--ways", words->ways,
      "what to compare, the first is the measure: mpi (MPI_Neighbor_alltoallw), datatype (messages of "
      "subarrays), packed (by hand, a message for each neighbour), hand (a message for each process), "
      "view (ours, on the same arrays), field (ours, on fields of "
      "the library), any (view, told at each call where the arrays are), view-threads and field-threads (the "
      "same by several threads), boxes (ours, on the same arrays as boxes that make no grid), sums (ours, "
      "what "
      "lies in halos is added to its owners), sums-hand (the same by hand, a message for each process); of "
      "other libraries, where "
      "their modules were built" +
          others + "; with --memory device, all by default: " + of_device);
  ways.capture_default_str();
  words->memory.declare(options, "fields");
  add_contest_options(options, words->rules);
  add_plot_option(options, words->plot);
  return [words, ways, with_device] {
    if (!ways.given() && words->memory.on_device()) words->ways = with_device;
    return answer_bench_halo(*words);
  };
}

}  // namespace halocline::tools
