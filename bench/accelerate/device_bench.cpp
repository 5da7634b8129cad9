// device_bench [--device host|cuda] [--sizes 32,64,128] [--fields 4] [--repeats 40] [--random N] [--seed S]
// [--check]: halos on a device, every cell checked in every way, and then measured beside what codes do by
// hand. --check leaves the measuring out.

#include "accelerate/cuda_device.hpp"
#include "accelerate/host_device.hpp"
#include "halocline/base/error.hpp"
#include "halocline/halo/halo.hpp"
#include "measured.hpp"
#include "pack_bench.hpp"
#include "random_halos.hpp"
#include "rival_ways.hpp"

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <optional>
#include <sstream>
#include <string>

namespace halocline::bench {
namespace {

struct Options {
  std::string device = "cuda";
  Counts sizes{32, 64, 128};
  Count fields = 4;
  int repeats = 40;
  Count random = 0;  ///< So many random halos, and nothing else.
  Count seed = 1;
  bool only_check = false;
};

Counts numbers(const std::string& text) {
  Counts list;
  std::istringstream words(text);
  for (std::string word; std::getline(words, word, ',');) {
    char* end = nullptr;
    list.push_back(std::strtoll(word.c_str(), &end, 10));
    if (list.back() < 1 || *end != '\0')
      throw Error(Fault::invalid_argument, "\"" + word + "\" is no positive number");
  }
  return list;
}

Options parsed(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string name = argv[i];
    const std::string value = i + 1 < argc ? argv[i + 1] : "";
    if (name == "--check") {
      options.only_check = true;
      continue;
    }
    if (name == "--device" && (value == "host" || value == "cuda"))
      options.device = value;
    else if (name == "--sizes")
      options.sizes = numbers(value);
    else if (name == "--fields")
      options.fields = numbers(value).at(0);
    else if (name == "--random")
      options.random = numbers(value).at(0);
    else if (name == "--seed")
      options.seed = numbers(value).at(0);
    else if (name == "--repeats")
      options.repeats = static_cast<int>(numbers(value).at(0));
    else
      throw Error(
          Fault::invalid_argument,
          name + " " + value +
              ": it is --device host|cuda, --sizes, --fields, --repeats, --random, --seed or --check");
    ++i;
  }
  return options;
}

/// Ranks of a node share the GPUs that it has.
accelerate::Device& wanted_device(const std::string& name) {
  if (name == "host") return accelerate::HostDevice::get();
  const int devices = accelerate::cuda_devices();
  MPI_Comm node = MPI_COMM_NULL;
  int rank = 0;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  MPI_Comm_rank(node, &rank);
  MPI_Comm_free(&node);
  return accelerate::cuda_device(devices == 0 ? 0 : rank % devices);
}

struct Contender {
  std::string name;
  std::function<void()> exchange;
  std::function<void()> after = [] {};  ///< That does not count.
};

/// One line a way, one column a size.
struct Table {
  std::vector<std::string> names;
  std::vector<std::vector<double>> rows;
  bool right = true;
};

void add(Table& table, std::size_t row, const Contender& way, const DeviceGrid& grid,
         const Options& options) {
  int rank = 0;
  MPI_Comm_rank(grid.comm(), &rank);
  if (table.names.size() == row) {
    table.names.push_back(way.name);
    table.rows.emplace_back();
  }
  for (int time = 0; time < 2; ++time) {  // the second one finds out who forgets to wait
    grid.fill();
    way.exchange();
    way.after();
    if (const Count wrong = grid.wrong(); wrong > 0) {
      table.right = false;
      if (rank == 0)
        std::printf("WRONG: %s, %lld^3: %lld points\n", way.name.c_str(),
                    static_cast<long long>(grid.points()), static_cast<long long>(wrong));
    }
  }
  table.rows[row].push_back(
      options.only_check ? 0 : median_us(grid.comm(), options.repeats, way.exchange, way.after));
}

void compare(const DeviceGrid& grid, const Options& options, Table& table) {
  const auto halo_of = [&](SharedMemory shared) {
    return Halo(grid.comm(), HaloSlots(grid.views()), {.exchange = {.shared = shared}});
  };
  std::size_t row = 0;
  const auto way = [&](const char* name, const std::function<void()>& exchange) {
    add(table, row++, {name, exchange}, grid, options);
  };
  if (const auto strided = strided_copies(grid)) way("A: strided copies, MPI", [&] { strided->exchange(); });
  {
    const auto packed = packed_copies(grid);
    way("B: packed, copied, MPI", [&] { packed->exchange(); });
  }
  {
    Halo staged = halo_of(SharedMemory::off);
    staged.verify();
    way("halocline, staged", [&] { staged.exchange(); });
  }
  Halo straight = halo_of(SharedMemory::on);
  straight.verify();
  way("halocline, straight", [&] { straight.exchange(); });
  const accelerate::OwnStream stream(grid.device());
  way("halocline, straight, on a stream", [&] {
    straight.start(stream.get());
    straight.wait(stream.get());
    grid.device().synchronize(stream.get());
  });
  add(table, row++,
      {"  until the host has it back",
       [&] {
         straight.start(stream.get());
         straight.wait(stream.get());
       },
       [&] { grid.device().synchronize(stream.get()); }},
      grid, options);
}

void print(const Table& table, const Options& options) {
  std::printf("%-34s", "us, slowest rank, median");
  for (const Count size : options.sizes) std::printf(" %8lld^3", static_cast<long long>(size));
  std::printf("\n");
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    std::printf("%-34s", table.names[i].c_str());
    for (const double us : table.rows[i]) std::printf(" %10.1f", us);
    std::printf("\n");
  }
}

int run(int argc, char** argv) {
  int rank = 0, size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const Options options = parsed(argc, argv);
  accelerate::Device& device = wanted_device(options.device);
  if (rank == 0)
    std::printf("%d ranks, %lld fields of double, 26 neighbours, rank 0 on %s\n", size,
                static_cast<long long>(options.fields), device.name().c_str());
  if (options.random > 0)
    return random_halos_are_right(device, options.random, static_cast<std::uint64_t>(options.seed)) ? 0 : 1;
  Table table;
  for (const Count points : options.sizes)
    compare(DeviceGrid(device, points, options.fields), options, table);
  if (!options.only_check && rank == 0) print(table, options);
  if (!options.only_check)
    table.right = compare_packing(device, options.sizes, options.fields, options.repeats) && table.right;
  if (rank == 0) std::printf("%s\n", table.right ? "every cell is right" : "THERE ARE WRONG CELLS");
  return table.right ? 0 : 1;
}

}  // namespace
}  // namespace halocline::bench

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int status = 1;
  try {
    status = halocline::bench::run(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "device_bench: %s\n", error.what());
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  MPI_Finalize();
  return status;
}
