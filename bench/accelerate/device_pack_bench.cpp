// The transfer kernel, which reads what it does from a table, beside kernels that a compiler makes for each
// layout. Packs and unpacks between memories of a GPU.

#include "accelerate/cuda/cuda_device.hpp"
#include "accelerate/cuda/cuda_driver.hpp"
#include "accelerate/device/transfer.hpp"
#include "accelerate/host/host_device.hpp"
#include "accelerate/kernel/addresses.hpp"
#include "base/fail.hpp"
#include "compile/layouts.hpp"
#include "halocline/compile/packer.hpp"
#include "made_code.hpp"
#include "part.hpp"
#include "parts.hpp"
#include "ratios.hpp"
#include "tools/bench/measuring/turns.hpp"
#include "tools/common/device_of_job.hpp"
#include "tools/common/progress_bar.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <random>
#include <sstream>

namespace halocline::bench {
namespace {

using accelerate::CudaDriver;
using accelerate::Device;
using accelerate::Move;
using accelerate::OwnMemory;
using accelerate::Transfer;
using tools::Answer;
using tools::decimal;
using tools::Entry;
using tools::Table;

struct DevicePackWords {
  int rounds = 9;
  bool quick = false;
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

void turn(std::vector<Move>& moves) {
  for (Move& move : moves) {
    std::swap(move.from, move.to);
    for (Move::Loop& loop : move.loops) std::swap(loop.from_stride, loop.to_stride);
  }
}

/// Moves by the table, and what a compiler makes of the same.
struct Direction {
  Transfer table;
  std::string name;
  void* made = nullptr;  ///< Null where nobody can make it.
  Count blocks = 0;
};

/// One layout on the device: memory, and its bytes side by side.
class DeviceCase {
 public:
  DeviceCase(Device& device, const PackCase& of, std::size_t number)
      : device_(device),
        form_(of.parts),
        unpacks_(of.parts.size() == 1),
        memory_bytes_(of.memory_bytes),
        memory_(device, OwnMemory::Kind::of_device, of.memory_bytes),
        wire_(device, OwnMemory::Kind::of_device, form_.bytes()) {
    pack_.name = fmt::format("pack_{}", number);
    unpack_.name = fmt::format("unpack_{}", number);
  }

  /// The source of its kernels.
  std::string make() {
    std::vector<Move> moves = accelerate::moves_to(form_, 0);
    std::string source;
    for (Direction* const direction : {&pack_, &unpack_}) {
      MadeKernel kernel = made_kernel(direction->name, moves);
      direction->blocks = kernel.blocks;
      source += kernel.source;
      turn(moves);
    }
    for (Move& move : moves) {
      move.from += count_of(memory_.get());
      move.to += count_of(wire_.get());
    }
    pack_.table = Transfer(device_, moves);
    turn(moves);
    unpack_.table = Transfer(device_, moves);
    return source;
  }

  [[nodiscard]] Direction& direction(bool packs) { return packs ? pack_ : unpack_; }
  [[nodiscard]] Count bytes() const { return form_.bytes(); }
  /// A halo sends some points to several neighbours, so that unpacking it would write them from several
  /// threads.
  [[nodiscard]] bool unpacks() const { return unpacks_; }

  void launch_made(const CudaDriver& driver, const Direction& direction, accelerate::Stream stream) const {
    std::uint64_t from = accelerate::number_of(memory_.get()), to = accelerate::number_of(wire_.get());
    if (&direction == &unpack_) std::swap(from, to);
    void* parameters[] = {static_cast<void*>(&from), static_cast<void*>(&to)};
    const auto result =
        driver.launch(direction.made, static_cast<unsigned>(direction.blocks), 1, 1, made_threads, 1, 1, 0,
                      stream, static_cast<void**>(parameters), nullptr);
    if (result != CudaDriver::success)
      fail(Fault::internal, "a kernel that was made did not start: ", result);
  }

  /// What lies there after a run of either kernel, from the same random bytes.
  template <class Run>
  std::vector<std::byte> after(bool packs, const Run& run) const {
    std::mt19937_64 random(1);
    std::vector<std::byte> source(static_cast<std::size_t>(packs ? memory_bytes_ : form_.bytes()));
    for (std::byte& one : source) one = static_cast<std::byte>(random());
    std::vector<std::byte> target(static_cast<std::size_t>(packs ? form_.bytes() : memory_bytes_));
    const OwnMemory &from = packs ? memory_ : wire_, &to = packs ? wire_ : memory_;
    device_.copy(from.get(), source.data(), static_cast<Count>(source.size()), nullptr);
    device_.copy(to.get(), target.data(), static_cast<Count>(target.size()), nullptr);
    device_.synchronize_all();
    run();
    device_.synchronize_all();
    device_.copy(target.data(), to.get(), static_cast<Count>(target.size()), nullptr);
    device_.synchronize_all();
    return target;
  }

 private:
  static Count count_of(const std::byte* address) {
    return static_cast<Count>(accelerate::number_of(address));
  }

  Device& device_;
  compile::Canonical form_;
  bool unpacks_;
  Count memory_bytes_;
  OwnMemory memory_, wire_;
  Direction pack_, unpack_;
};

/// What the compiler of this machine makes of a source; none if there is no such compiler.
std::optional<std::string> compiled(const std::string& source) {
  namespace fs = std::filesystem;
  std::string folder = (fs::temp_directory_path() / "halocline_made_XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr) fail(Fault::unsupported, "no folder can be made like ", folder);
  const std::shared_ptr<void> removed(nullptr, [&](void*) { fs::remove_all(folder); });
  std::ofstream(folder + "/made.cu") << source;
  const std::string to = fmt::format(" {0}/made.cu -o {0}/made.ptx 2> {0}/messages", folder);
  for (const char* const compiler : {"nvcc -ptx -O3 -std=c++17 -arch=compute_75",
                                     "clang -x cuda -nocudainc -nocudalib --cuda-device-only "
                                     "--cuda-gpu-arch=sm_70 -Wno-unknown-cuda-version -O3 "
                                     "-std=c++17 -S"})
    if (std::system((compiler + to).c_str()) == 0) {  // NOLINT(concurrency-mt-unsafe)
      std::stringstream text;
      text << std::ifstream(folder + "/made.ptx").rdbuf();
      return text.str();
    }
  std::ifstream messages(folder + "/messages");
  std::string first;
  std::getline(messages, first);
  fail(Fault::unsupported, "neither nvcc nor clang makes kernels here: ", first);
}

void load(const CudaDriver& driver, const std::string& ptx, std::vector<DeviceCase>& cases) {
  void* module = nullptr;
  if (driver.load_module(&module, ptx.c_str()) != CudaDriver::success)
    fail(Fault::unsupported, "the driver does not take the kernels that were made");
  for (DeviceCase& one : cases)
    for (const bool packs : {true, false}) {
      Direction& direction = one.direction(packs);
      if (driver.get_function(&direction.made, module, direction.name.c_str()) != CudaDriver::success)
        fail(Fault::internal, "no kernel ", direction.name, " in what was made");
    }
}

constexpr int in_a_row = 50;

void add_rows(Device& device, const CudaDriver* driver, const PackCase& of, DeviceCase& one, int rounds,
              Table& table, std::vector<Ratios>& ratios) {
  const accelerate::OwnStream stream(device);
  for (const bool packs : {true, false}) {
    if (!packs && !one.unpacks()) continue;
    const Direction& direction = one.direction(packs);
    const auto by_table = [&] { direction.table.launch(stream.get()); };
    std::vector<std::function<void()>> launches{by_table};
    if (direction.made != nullptr) {
      launches.emplace_back([&] { one.launch_made(*driver, direction, stream.get()); });
      if (one.after(packs, launches[0]) != one.after(packs, launches[1]))
        fail(Fault::internal, of.name, ": both kernels leave other bytes behind");
    }
    std::vector<std::function<void()>> works;
    for (const int calls : {1, in_a_row})
      for (const auto& launch : launches)
        works.emplace_back([&device, &stream, &launch, calls] {
          for (int i = 0; i < calls; ++i) launch();
          device.synchronize(stream.get());
        });
    std::vector<double> seconds = tools::medians_in_turns(works, rounds, 200e-6);
    std::vector<Entry> row{of.name, packs ? "pack" : "unpack", one.bytes()};
    for (std::size_t way = 0; way < 2; ++way) {
      const double table_seconds = seconds[way * launches.size()] / (way == 0 ? 1 : in_a_row);
      row.push_back(decimal(table_seconds, 1, 1e6));
      if (launches.size() == 1) {
        row.insert(row.end(), {Entry("-", nullptr), Entry("-", nullptr)});
        continue;
      }
      const double made_seconds = seconds[way * 2 + 1] / (way == 0 ? 1 : in_a_row);
      ratios[way].add(table_seconds / made_seconds, of.name);
      row.push_back(decimal(made_seconds, 1, 1e6));
      row.push_back(decimal(table_seconds / made_seconds, 2));
    }
    table.add(std::move(row));
  }
}

Answer answer_device_pack(const DevicePackWords& words) {
  tools::ProgressBar progress("making kernels");
  const bool on_gpu = accelerate::cuda_devices() > 0;
  Device& device =
      on_gpu ? accelerate::cuda_device(accelerate::current_cuda()) : accelerate::HostDevice::get();
  const std::vector<PackCase> known = chosen(all_cases(), words.quick);
  std::vector<DeviceCase> cases;
  std::string source = made_preamble();
  for (const PackCase& one : known) {
    cases.emplace_back(device, one, cases.size());
    source += cases.back().make();
  }
  const CudaDriver* const driver = on_gpu ? &CudaDriver::get() : nullptr;
  if (on_gpu) {
    void* context = nullptr;
    if (driver->retain_context(&context, accelerate::current_cuda()) != CudaDriver::success ||
        driver->push_context(context) != CudaDriver::success)
      fail(Fault::unsupported, "the context of ", device.name(), " cannot be had");
    load(*driver, *compiled(source), cases);
  }
  Table table({Column::left("", 34, "layout"), Column::left("", 6, "direction"),
               Column::right("bytes", 9, "bytes"), Column::right("table [us]", 10, "table_seconds", " | "),
               Column::right("made", 7, "made_seconds"), Column::right("table/made", 10, "table_over_made"),
               Column::right("table [us]", 10, "table_in_a_row_seconds", " | "),
               Column::right("made", 7, "made_in_a_row_seconds"),
               Column::right("table/made", 10, "table_over_made_in_a_row")});
  std::vector<Ratios> ratios(2);
  for (std::size_t i = 0; i < cases.size(); ++i) {
    progress.at(known[i].name, static_cast<double>(i) / static_cast<double>(cases.size()));
    add_rows(device, driver, known[i], cases[i], words.rounds, table, ratios);
  }
  Answer answer;
  append(
      answer, "layouts",
      fmt::format(
          "{}: a launch until it is done | one of {} in a row; table/made: how many times as long the table "
          "takes as a kernel made for the layout\n",
          tools::told_of(device), in_a_row),
      table);
  if (on_gpu)
    for (std::size_t way = 0; way < 2; ++way)
      answer.text += fmt::format("{}: {:.2f} in the geometric mean, at most {:.2f} ({})\n",
                                 way == 0 ? "a launch" : "in a row", ratios[way].mean(),
                                 ratios[way].largest(), ratios[way].largest_name());
  return answer;
}

}  // namespace

tools::Action declare_device_pack(tools::Options& options) {
  auto words = std::make_shared<DevicePackWords>();
  options.add_option("rounds", words->rounds, "of all ways of a row; the medians count")
      .capture_default_str()
      .positive();
  add_quick_option(options, words->quick);
  return [words] { return answer_device_pack(*words); };
}

}  // namespace halocline::bench
