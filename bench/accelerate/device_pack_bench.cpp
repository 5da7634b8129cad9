// The transfer kernel, which reads what it does from a table, beside kernels that a compiler makes for each
// layout. Packs and unpacks between memories of a GPU.

#include "accelerate/cuda/cuda_device.hpp"
#include "accelerate/cuda/cuda_driver.hpp"
#include "accelerate/host/host_device.hpp"
#include "base/fail.hpp"
#include "base/numbers.hpp"
#include "compile/layouts.hpp"
#include "device_case.hpp"
#include "halocline/compile/packer.hpp"
#include "part.hpp"
#include "parts.hpp"
#include "random_cases.hpp"
#include "ratios.hpp"
#include "tools/bench/measuring/turns.hpp"
#include "tools/common/device_of_job.hpp"
#include "tools/common/progress_bar.hpp"

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <future>
#include <memory>
#include <optional>
#include <random>
#include <span>
#include <sstream>

namespace halocline::bench {
namespace {

using accelerate::CudaDriver;
using accelerate::Device;
using tools::Answer;
using tools::decimal;
using tools::Entry;
using tools::Table;

/// How many times as long the table may take, from launch to end as in an exchange, before code would be made
/// for a layout at run time.
constexpr double code_pays_from = 1.3;

struct DevicePackWords {
  int rounds = 9;
  int random = 0;
  std::uint64_t seed = 1;
  bool check = false, quick = false;
};

/// Layouts of a GPU's size, beside those of applications.
std::vector<PackCase> large_cases() {
  const Layout number = Layout::named(Elementary::double_), byte = Layout::named(Elementary::byte);
  std::mt19937_64 random(7);
  const auto scattered = [&](Count count, Count length) {
    Counts displacements;
    for (Count i = 0, place = 0; i < count; ++i, place += length + static_cast<Count>(random() % 6))
      displacements.push_back(place);
    std::shuffle(displacements.begin(), displacements.end(), random);
    return Layout::indexed_block(length, displacements, number);
  };
  const auto uneven = [&](Count count, const Layout& element) {
    Counts lengths, displacements;
    for (Count i = 0, place = 0; i < count;
         ++i, place += lengths.back() + 1 + static_cast<Count>(random() % 20)) {
      lengths.push_back(1 + static_cast<Count>(random() % 24));
      displacements.push_back(place);
    }
    return Layout::indexed(lengths, displacements, element);
  };
  const Layout structure = Layout::resized(
      0, 40,
      Layout::structure({1, 1, 3, 1}, {0, 8, 16, 32},
                        {number, Layout::named(Elementary::int_), Layout::named(Elementary::float_), byte}));
  std::vector<PackCase> cases;
  const auto add = [&](const char* name, const Layout& layout) {
    const compile::Part part{layout};
    cases.push_back({name, {part}, layout.true_ub(), {}, {}});
  };
  add("16384 scattered x 8 B", scattered(16384, 1));
  add("100000 scattered x 8 B", scattered(100000, 1));
  add("50000 scattered x 24 B", scattered(50000, 3));
  add("5000 uneven runs of doubles", uneven(5000, number));
  add("5000 uneven runs of bytes", uneven(5000, byte));
  add("100000 structures, 25 of 40 B", Layout::contiguous(100000, structure));
  add("rows of 101 B by 128 B", Layout::hvector(20000, 1, 128, Layout::contiguous(101, byte)));
  return cases;
}

std::vector<PackCase> all_cases() {
  std::vector<PackCase> cases = large_cases();
  for (PackCase& one : pack_cases()) cases.push_back(std::move(one));
  for (const Count side : {8, 32, 128}) cases.push_back(halo_case(side, 4));
  return cases;
}

/// What the compiler of this machine makes of a source: code of its GPU, or PTX.
std::string compiled(const std::string& source) {
  namespace fs = std::filesystem;
  std::string folder = (fs::temp_directory_path() / "halocline_made_XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr) fail(Fault::unsupported, "no folder can be made like ", folder);
  const std::shared_ptr<void> removed(nullptr, [&](void*) { fs::remove_all(folder); });
  std::ofstream(folder + "/made.cu") << source;
  const std::string to = fmt::format(" {0}/made.cu -o {0}/made 2> {0}/messages", folder);
  for (const char* const compiler :
       {"nvcc -cubin -O3 -std=c++17 -arch=native", "nvcc -ptx -O3 -std=c++17 -arch=compute_75",
        "clang -x cuda -nocudainc -nocudalib --cuda-device-only --cuda-gpu-arch=sm_70 "
        "-Wno-unknown-cuda-version -O3 -std=c++17 -S"})
    if (std::system((compiler + to).c_str()) == 0) {  // NOLINT(concurrency-mt-unsafe)
      std::stringstream made;
      made << std::ifstream(folder + "/made", std::ios::binary).rdbuf();
      return made.str();
    }
  std::ifstream messages(folder + "/messages");
  std::string first;
  std::getline(messages, first);
  fail(Fault::unsupported, "neither nvcc nor clang makes kernels here: ", first);
}

void load(const CudaDriver& driver, const std::string& code, std::span<DeviceCase> cases) {
  void* module = nullptr;
  if (driver.load_module(&module, code.c_str()) != CudaDriver::success)
    fail(Fault::unsupported, "the driver does not take the kernels that were made");
  for (DeviceCase& one : cases)
    for (const bool packs : {true, false})
      for (Made& made : one.direction(packs).made)
        if (driver.get_function(&made.function, module, made.name.c_str()) != CudaDriver::success)
          fail(Fault::internal, "no kernel ", made.name, " in what was made");
}

/// Few at a time, since compilers take long, each on a processor of its own.
void make_all(const CudaDriver* driver, std::vector<DeviceCase>& cases) {
  constexpr std::size_t at_a_time = 12;
  std::vector<std::span<DeviceCase>> parts;
  for (std::size_t i = 0; i < cases.size(); i += at_a_time)
    parts.push_back(std::span(cases).subspan(i, std::min(at_a_time, cases.size() - i)));
  std::vector<std::future<std::string>> made;
  for (const std::span<DeviceCase> part : parts) {
    std::string source = made_preamble();
    for (DeviceCase& one : part) source += one.make(fmt::format("of_{}", &one - cases.data()));
    if (driver != nullptr) made.push_back(std::async(std::launch::async, compiled, std::move(source)));
  }
  for (std::size_t i = 0; i < made.size(); ++i) load(*driver, made[i].get(), parts[i]);
}

constexpr int in_a_row = 50;
constexpr std::array<const char*, 2> way_names{"a launch", "in a row"};

/// Seconds of a launch until it is done, and of one of many in a row.
struct Times {
  std::array<double, 2> table{}, made{};
  [[nodiscard]] double ratio(std::size_t way) const { return table[way] / made[way]; }
  [[nodiscard]] bool is_slow() const { return ratio(0) > code_pays_from; }
};

Times measured(Device& device, accelerate::Stream stream, const std::vector<std::function<void()>>& launches,
               int rounds) {
  std::vector<std::function<void()>> works;
  for (const int calls : {1, in_a_row})
    for (const auto& launch : launches)
      works.emplace_back([&device, stream, &launch, calls] {
        for (int i = 0; i < calls; ++i) launch();
        device.synchronize(stream);
      });
  const std::vector<double> seconds = tools::medians_in_turns(works, rounds, 200e-6);
  Times times;
  for (std::size_t way = 0; way < 2; ++way) {
    const auto first = seconds.begin() + static_cast<std::ptrdiff_t>(way * launches.size());
    const double calls = way == 0 ? 1 : in_a_row;
    times.table[way] = *first / calls;
    if (launches.size() > 1)
      times.made[way] =
          *std::min_element(first + 1, first + static_cast<std::ptrdiff_t>(launches.size())) / calls;
  }
  return times;
}

/// What all layouts give together.
struct Results {
  Table table;
  std::array<Ratios, 2> ratios;
  std::vector<std::string> slow;  ///< Those for which code would be made.
};

void add_row(const std::string& name, bool packs, Count bytes, bool has_made, const Times& times,
             Results& results) {
  std::vector<Entry> row{name, packs ? "pack" : "unpack", bytes};
  for (std::size_t way = 0; way < 2; ++way) {
    row.push_back(decimal(times.table[way], 1, 1e6));
    if (!has_made) {
      row.insert(row.end(), {Entry("-", nullptr), Entry("-", nullptr)});
      continue;
    }
    row.push_back(decimal(times.made[way], 1, 1e6));
    row.push_back(decimal(times.ratio(way), 2));
    results.ratios[way].add(times.ratio(way), name);
  }
  results.table.add(std::move(row));
  if (has_made && times.is_slow())
    results.slow.push_back(fmt::format("{}, {}: {:.2f}, in a row {:.2f}", name, packs ? "pack" : "unpack",
                                       times.ratio(0), times.ratio(1)));
}

void add_rows(Device& device, const CudaDriver* driver, const PackCase& of, DeviceCase& one, int rounds,
              Results& results) {
  const accelerate::OwnStream stream(device);
  for (const bool packs : {true, false}) {
    if (!packs && !one.unpacks()) continue;
    const Direction& direction = one.direction(packs);
    std::vector<std::function<void()>> launches{[&] { direction.table.launch(stream.get()); }};
    for (const Made& made : direction.made)
      if (made.function != nullptr)
        launches.emplace_back([&, made] { one.launch_made(*driver, made, packs, stream.get()); });
    for (const auto& launch : launches) one.check(packs, launch);
    Times times = measured(device, stream.get(), launches, rounds);
    const bool has_made = launches.size() > 1;
    // What is slow by chance is not so twice.
    if (has_made && times.is_slow()) times = measured(device, stream.get(), launches, 3 * rounds);
    add_row(of.name, packs, one.bytes(), has_made, times, results);
  }
}

std::string told_of(const Results& results) {
  std::string text;
  for (std::size_t way = 0; way < 2; ++way)
    text += fmt::format("{}: {:.2f} in the geometric mean, at most {:.2f} ({})\n", way_names[way],
                        results.ratios[way].mean(), results.ratios[way].largest(),
                        results.ratios[way].largest_name());
  if (results.slow.empty())
    return text + fmt::format("no launch takes {} times as long by the table\n", code_pays_from);
  text += fmt::format("{} of {} TAKE MORE THAN {} TIMES AS LONG BY THE TABLE:\n", results.slow.size(),
                      results.ratios[0].count(), code_pays_from);
  for (const std::string& one : results.slow) text += "  " + one + "\n";
  return text;
}

/// Where the bytes of one of the layouts begin on the wire: anywhere for those by chance.
Count wire_offset(const DevicePackWords& words, std::size_t number) {
  return words.random > 0 ? static_cast<Count>(number * 7 % 16) : 0;
}

/// That the table moves the right bytes, without times.
Answer checked(Device& device, const std::vector<PackCase>& known, const DevicePackWords& words) {
  tools::ProgressBar progress("packing");
  const accelerate::OwnStream stream(device);
  for (std::size_t i = 0; i < known.size(); ++i) {
    progress.at(known[i].name, to_double(i) / to_double(known.size()));
    DeviceCase one(device, known[i], wire_offset(words, i));
    for (const bool packs : {true, false})
      if (packs || one.unpacks()) one.check(packs, [&] { one.direction(packs).table.launch(stream.get()); });
  }
  Answer answer;
  answer.text = fmt::format("{}: {} layouts are packed and unpacked as on the host\n", tools::told_of(device),
                            known.size());
  answer.json["checked"] = known.size();
  return answer;
}

/// The driver, with the context in which the device works; null for the host.
const CudaDriver* driver_in_use(Device& device, bool on_gpu) {
  if (!on_gpu) return nullptr;
  const CudaDriver& driver = CudaDriver::get();
  void* context = nullptr;
  if (driver.retain_context(&context, accelerate::current_cuda()) != CudaDriver::success ||
      driver.push_context(context) != CudaDriver::success)
    fail(Fault::unsupported, "the context of ", device.name(), " cannot be had");
  return &driver;
}

Answer compared(Device& device, bool on_gpu, const std::vector<PackCase>& known,
                const DevicePackWords& words) {
  tools::ProgressBar progress("making kernels");
  std::vector<DeviceCase> cases;
  cases.reserve(known.size());
  for (const PackCase& one : known) cases.emplace_back(device, one, wire_offset(words, cases.size()));
  const CudaDriver* const driver = driver_in_use(device, on_gpu);
  make_all(driver, cases);
  Results results{
      Table({Column::left("", 34, "layout"), Column::left("", 6, "direction"),
             Column::right("bytes", 9, "bytes"), Column::right("table [us]", 10, "table_seconds", " | "),
             Column::right("made", 7, "made_seconds"), Column::right("table/made", 10, "table_over_made"),
             Column::right("table [us]", 10, "table_in_a_row_seconds", " | "),
             Column::right("made", 7, "made_in_a_row_seconds"),
             Column::right("table/made", 10, "table_over_made_in_a_row")}),
      {},
      {}};
  for (std::size_t i = 0; i < cases.size(); ++i) {
    progress.at(known[i].name, to_double(i) / to_double(cases.size()));
    add_rows(device, driver, known[i], cases[i], words.rounds, results);
  }
  Answer answer;
  append(
      answer, "layouts",
      fmt::format(
          "{}: a launch until it is done | one of {} in a row; table/made: how many times as long the table "
          "takes as a kernel made for the layout\n",
          tools::told_of(device), in_a_row),
      results.table);
  if (on_gpu) {
    answer.text += told_of(results);
    answer.json["slow"] = results.slow;
  }
  return answer;
}

Answer answer_device_pack(const DevicePackWords& words) {
  require(words.random >= 0, "--random ", words.random, ": there cannot be less than no layout");
  const bool on_gpu = accelerate::cuda_devices() > 0;
  Device& device =
      on_gpu ? accelerate::cuda_device(accelerate::current_cuda()) : accelerate::HostDevice::get();
  const std::vector<PackCase> known =
      chosen(words.random > 0 ? random_cases(words.random, words.seed) : all_cases(), words.quick);
  return words.check ? checked(device, known, words) : compared(device, on_gpu, known, words);
}

}  // namespace

tools::Action declare_device_pack(tools::Options& options) {
  auto words = std::make_shared<DevicePackWords>();
  options.add_option("rounds", words->rounds, "of all ways of a row; the medians count")
      .capture_default_str()
      .positive();
  options.add_option("--random", words->random,
                     "so many layouts by chance, instead of those of applications");
  options.add_option("--seed", words->seed, "of --random").capture_default_str();
  options.add_flag("--check", words->check, "without times: is all packed and unpacked as on the host?");
  add_quick_option(options, words->quick);
  return [words] { return answer_device_pack(*words); };
}

}  // namespace halocline::bench
