// Datatypes of applications packed and unpacked by Halocline and by MPI_Pack and MPI_Unpack of this MPI.
//   halocline_bench pack-mpi [rounds [words of a name]]
// All of a row is measured in turns within one run; medians. Ratios are MPI's time / ours: more is better.
// Compiling pays at the pack after which decoding and compiling were cheaper than to have gone on with
// MPI_Pack.

#include "../number_argument.hpp"
#include "benchmarks.hpp"
#include "compile/engines.hpp"
#include "compile/in_turns.hpp"
#include "compile/layouts.hpp"
#include "halocline/compile/packer.hpp"
#include "halocline/halocline.h"
#include "mpi/datatypes/datatype.hpp"
#include "support/datatypes.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

namespace halocline::bench {
namespace {

using compile::available_engines;
using compile::Engine;
using compile::Packer;
using compile::Part;
using Bytes = std::vector<std::byte>;

/// The parts of a case as datatypes of this MPI.
struct Types {
  std::vector<BuiltType> built;
  std::vector<MPI_Datatype> handles;
  std::vector<MPI_Count> counts;
  std::vector<MPI_Aint> displacements;

  explicit Types(const std::vector<Part>& parts) {
    for (const Part& part : parts) {
      built.push_back(committed(part.layout));
      handles.push_back(built.back().type);
      counts.push_back(part.count);
      displacements.push_back(part.offset);
    }
  }

  /// Part by part, as programs do it.
  void pack_by_mpi(const std::byte* memory, Bytes& wire) const {
    int position = 0;
    for (std::size_t i = 0; i < handles.size(); ++i)
      MPI_Pack(memory + displacements[i], static_cast<int>(counts[i]), handles[i], wire.data(),
               static_cast<int>(wire.size()), &position, MPI_COMM_WORLD);
  }
  void unpack_by_mpi(const Bytes& wire, std::byte* memory) const {
    int position = 0;
    for (std::size_t i = 0; i < handles.size(); ++i)
      MPI_Unpack(wire.data(), static_cast<int>(wire.size()), &position, memory + displacements[i],
                 static_cast<int>(counts[i]), handles[i], MPI_COMM_WORLD);
  }
  void pack_by_calls(const std::byte* memory, Bytes& wire) const {
    MPI_Count position = 0;
    for (std::size_t i = 0; i < handles.size(); ++i)
      HCL_Pack(memory + displacements[i], counts[i], handles[i], wire.data(),
               static_cast<MPI_Count>(wire.size()), &position, MPI_COMM_WORLD);
  }
  void unpack_by_calls(const Bytes& wire, std::byte* memory) const {
    MPI_Count position = 0;
    for (std::size_t i = 0; i < handles.size(); ++i)
      HCL_Unpack(wire.data(), static_cast<MPI_Count>(wire.size()), &position, memory + displacements[i],
                 counts[i], handles[i], MPI_COMM_WORLD);
  }
  [[nodiscard]] std::vector<Part> decoded() const {
    std::vector<Part> parts;
    for (std::size_t i = 0; i < handles.size(); ++i)
      parts.push_back({mpi::layout_of(handles[i]), counts[i], displacements[i]});
    return parts;
  }
};

/// Ways to do the same, each with its pack and its unpack. The first is MPI's.
struct Ways {
  std::vector<std::string> names;
  std::vector<Work> packs;
  std::vector<Work> unpacks;

  void add(std::string_view name, Work pack, Work unpack) {
    names.emplace_back(name);
    packs.push_back(std::move(pack));
    unpacks.push_back(std::move(unpack));
  }
};

/// Memory and wire of a case, and everything that can pack it.
struct Bench {
  Types types;
  std::vector<Part> parts;
  std::vector<Packer> packers;
  Bytes memory;
  Bytes wire;
  Ways ways;

  explicit Bench(const PackCase& pack_case)
      : types(pack_case.parts),
        parts(types.decoded()),
        memory(static_cast<std::size_t>(pack_case.memory_bytes + 64)) {
    for (const Engine& engine : available_engines()) packers.emplace_back(parts, engine);
    // MPI_Pack_size may be more than what is packed, and some insist on it.
    wire.resize(static_cast<std::size_t>(packers.front().bytes()) + 64 * parts.size());
    for (std::size_t i = 0; i < memory.size(); ++i) memory[i] = static_cast<std::byte>(i * 31 + i / 4096);
    ways.add(
        "MPI", [this] { types.pack_by_mpi(memory.data(), wire); },
        [this] { types.unpack_by_mpi(wire, memory.data()); });
    ways.add(
        "HCL_Pack", [this] { types.pack_by_calls(memory.data(), wire); },
        [this] { types.unpack_by_calls(wire, memory.data()); });
    for (std::size_t i = 0; i < packers.size(); ++i) {
      const Packer& packer = packers[i];
      ways.add(
          available_engines()[i].name, [this, &packer] { packer.pack(memory.data(), wire.data()); },
          [this, &packer] { packer.unpack(wire.data(), memory.data()); });
    }
  }
  Bench(const Bench&) = delete;
  Bench& operator=(const Bench&) = delete;

  void require_same_bytes(const std::string& name) {
    const auto packed = [&](const Work& pack) {
      std::fill(wire.begin(), wire.end(), std::byte{0});
      pack();
      return wire;
    };
    const Bytes expected = packed(ways.packs.front());
    for (std::size_t i = 1; i < ways.packs.size(); ++i)
      if (packed(ways.packs[i]) != expected) {
        std::fprintf(stderr, "%s: %s does not pack what MPI packs\n", name.c_str(), ways.names[i].c_str());
        std::exit(1);
      }
  }

  [[nodiscard]] Count bytes() const { return packers.front().bytes(); }
};

struct Ratios {
  double logarithms = 0;
  int count = 0;
  double worst = 0;
  std::string worst_name;

  void add(double ratio, const std::string& name) {
    if (count == 0 || ratio < worst) {
      worst = ratio;
      worst_name = name;
    }
    logarithms += std::log(ratio);
    ++count;
  }
  [[nodiscard]] double mean() const { return std::exp(logarithms / count); }
};

/// How many packs save what was spent before the first.
std::string uses_to_pay(double spent, double saved_by_each) {
  if (saved_by_each <= 0) return "never";
  char text[32];
  std::snprintf(text, sizeof text, "%.0f", std::ceil(spent / saved_by_each));
  return text;
}

/// A row for every case: MPI's times, the ratios of all other ways, and the time to get there.
class Table {
 public:
  explicit Table(int rounds) : rounds_(rounds) {}

  void add(const PackCase& pack_case) {
    Bench bench(pack_case);
    bench.require_same_bytes(pack_case.name);
    if (pack_.empty()) print_head(bench.ways);
    std::vector<Work> works = bench.ways.packs;
    works.insert(works.end(), bench.ways.unpacks.begin(), bench.ways.unpacks.end());
    works.emplace_back([&] { (void)bench.types.decoded(); });
    for (const Engine& engine : available_engines())
      works.emplace_back([&] { const Packer packer(bench.parts, engine); });
    const std::vector<double> seconds = medians(works, rounds_, 200e-6);
    const std::size_t ways = bench.ways.names.size();
    std::printf("%-30s %8lld | %9.3f %9.3f", pack_case.name.c_str(), static_cast<long long>(bench.bytes()),
                1e6 * seconds[0], 1e6 * seconds[ways]);
    for (std::size_t i = 1; i < ways; ++i) {
      const double pack = seconds[0] / seconds[i];
      const double unpack = seconds[ways] / seconds[ways + i];
      pack_[i].add(pack, pack_case.name);
      unpack_[i].add(unpack, pack_case.name);
      std::printf(" | %6.2f %6.2f", pack, unpack);
    }
    const double decode = seconds[2 * ways];
    std::printf(" | %8.2f", 1e6 * decode);
    const std::size_t first = ways - available_engines().size();
    for (std::size_t i = first; i < ways; ++i) {
      const double compile = seconds[2 * ways + 1 + i - first];
      std::printf(" | %8.2f %7s", 1e6 * compile,
                  uses_to_pay(decode + compile, seconds[0] - seconds[i]).c_str());
    }
    std::printf("\n");
    std::fflush(stdout);
  }

  void print_summary() const {
    for (std::size_t i = 1; i < pack_.size(); ++i)
      std::printf("%s: pack %.2f in the geometric mean, worst %.2f (%s); unpack %.2f, worst %.2f (%s)\n",
                  names_[i].c_str(), pack_[i].mean(), pack_[i].worst, pack_[i].worst_name.c_str(),
                  unpack_[i].mean(), unpack_[i].worst, unpack_[i].worst_name.c_str());
  }

 private:
  void print_head(const Ways& ways) {
    names_ = ways.names;
    pack_.resize(names_.size());
    unpack_.resize(names_.size());
    std::printf("%-30s %8s | %19s", "MPI's time / ours", "bytes", "MPI [us]");
    for (std::size_t i = 1; i < names_.size(); ++i) std::printf(" | %13s", names_[i].c_str());
    std::printf(" | %8s", "decode");
    for (const Engine& engine : available_engines()) std::printf(" | %16s", std::string(engine.name).c_str());
    std::printf("\n%-30s %8s | %9s %9s", "", "", "pack", "unpack");
    for (std::size_t i = 1; i < names_.size(); ++i) std::printf(" | %6s %6s", "pack", "unpack");
    std::printf(" | %8s", "[us]");
    for (std::size_t i = 0; i < available_engines().size(); ++i) std::printf(" | %8s %7s", "[us]", "pays at");
    std::printf("\n");
  }

  int rounds_;
  std::vector<std::string> names_;
  std::vector<Ratios> pack_;
  std::vector<Ratios> unpack_;
};

std::string library() {
  std::string text(MPI_MAX_LIBRARY_VERSION_STRING, '\0');
  int length = 0;
  MPI_Get_library_version(text.data(), &length);
  return text.substr(0, text.find_first_of("\n,"));
}

void run(int rounds, const std::string& words) {
  std::printf("%s, %d rounds\n", library().c_str(), rounds);
  Table table(rounds);
  for (const PackCase& pack_case : pack_cases())
    if (pack_case.name.find(words) != std::string::npos) table.add(pack_case);
  table.print_summary();

  std::printf("\nfused: every part of every field in one packer, against MPI_Pack for each\n");
  Table halos(rounds);
  for (const Count side : {8, 16, 32, 64})
    for (const int fields : {1, 4}) halos.add(halo_case(side, fields));
  halos.print_summary();
}

}  // namespace
}  // namespace halocline::bench

int halocline::bench::pack_mpi(int argc, char** argv) {
  const int rounds = number_argument(argc, argv, 1, 31, 1);
  MPI_Init(&argc, &argv);
  run(rounds, argc > 2 ? argv[2] : "");
  MPI_Finalize();
  return 0;
}
