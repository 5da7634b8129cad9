// HCL_Pack and HCL_Unpack on the kernels of DDTBench, beside MPI_Pack and MPI_Unpack of this MPI and beside
// loops written by hand.
//   halocline_bench ddtbench [rounds [words of a name]]
// All of a row is measured within one run, in random order in every round; medians. Ratios are the others'
// time / ours: more is better. Caches are warm.

#include "../compile/in_turns.hpp"
#include "../number_argument.hpp"
#include "base/fail.hpp"
#include "benchmarks.hpp"
#include "halocline/halocline.h"
#include "kernels.hpp"
#include "support/datatypes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <memory>
#include <string>

namespace halocline::bench {
namespace {

/// Memory as malloc hands it out for arrays of this size, at the same place of a page in every run.
class Memory {
 public:
  explicit Memory(Count bytes)
      : bytes_(static_cast<std::size_t>(bytes)),
        memory_(static_cast<std::byte*>(std::aligned_alloc(page, (bytes_ + 2 * page) / page * page))) {
    for (std::size_t i = 0; i < bytes_; ++i) data()[i] = static_cast<std::byte>(i * 31 + i / 251);
  }
  [[nodiscard]] std::byte* data() const { return memory_.get() + 16; }
  [[nodiscard]] std::size_t bytes() const { return bytes_; }
  void take(const Memory& other) const { std::memcpy(data(), other.data(), bytes_); }
  [[nodiscard]] bool same_as(const Memory& other) const {
    return std::memcmp(data(), other.data(), bytes_) == 0;
  }

 private:
  static constexpr std::size_t page = 4096;
  struct Free {
    void operator()(std::byte* memory) const { std::free(memory); }
  };
  std::size_t bytes_;
  std::unique_ptr<std::byte, Free> memory_;
};

struct CommittedPart {
  BuiltType built;
  MPI_Count count;
  Count offset;

  explicit CommittedPart(const compile::Part& part)
      : built(committed(part.layout)), count(part.count), offset(part.offset) {}
  [[nodiscard]] MPI_Datatype type() const { return built.type; }
};

enum Way { by_mpi, by_hand, by_halocline, ways };
constexpr std::array way_names{"MPI", "hand", "HCL"};

/// A kernel with all that can pack and unpack it.
struct Bench {
  const Kernel& kernel;
  CommittedPart sent;
  CommittedPart received;
  Memory memory;
  Memory wire;
  std::array<Work, ways> packs;
  std::array<Work, ways> unpacks;

  explicit Bench(const Kernel& described)
      : kernel(described),
        sent(kernel.sent),
        received(kernel.received),
        memory(kernel.memory_bytes),
        wire(kernel.sent.layout.size() * kernel.sent.count) {
    packs[by_mpi] = [this] {
      int position = 0;
      MPI_Pack(memory.data() + sent.offset, static_cast<int>(sent.count), sent.type(), wire.data(),
               static_cast<int>(wire.bytes()), &position, MPI_COMM_WORLD);
    };
    unpacks[by_mpi] = [this] {
      int position = 0;
      MPI_Unpack(wire.data(), static_cast<int>(wire.bytes()), &position, memory.data() + received.offset,
                 static_cast<int>(received.count), received.type(), MPI_COMM_WORLD);
    };
    packs[by_hand] = [this] { kernel.pack_by_hand(memory.data(), wire.data()); };
    if (kernel.unpack_by_hand)
      unpacks[by_hand] = [this] { kernel.unpack_by_hand(wire.data(), memory.data()); };
    packs[by_halocline] = [this] {
      MPI_Count position = 0;
      HCL_Pack(memory.data() + sent.offset, sent.count, sent.type(), wire.data(),
               static_cast<MPI_Count>(wire.bytes()), &position, MPI_COMM_WORLD);
    };
    unpacks[by_halocline] = [this] {
      MPI_Count position = 0;
      HCL_Unpack(wire.data(), static_cast<MPI_Count>(wire.bytes()), &position,
                 memory.data() + received.offset, received.count, received.type(), MPI_COMM_WORLD);
    };
  }
  Bench(const Bench&) = delete;
  Bench& operator=(const Bench&) = delete;

  /// Ends the program unless all ways do the same.
  void require_same_bytes() {
    const Memory before(kernel.memory_bytes);
    Memory expected_wire(static_cast<Count>(wire.bytes())), expected_memory(kernel.memory_bytes);
    for (const Way way : {by_mpi, by_hand, by_halocline}) {
      memory.take(before);
      std::memset(wire.data(), 0, wire.bytes());
      packs[way]();
      if (way == by_mpi) expected_wire.take(wire);
      require(way == by_hand && kernel.own_order ? same_numbers(expected_wire) : wire.same_as(expected_wire),
              way, "pack");
      if (!unpacks[way]) continue;
      // Something else than what is there already.
      for (std::size_t i = 0; i < wire.bytes(); ++i) wire.data()[i] ^= std::byte{0x5a};
      unpacks[way]();
      if (way == by_mpi) expected_memory.take(memory);
      require(memory.same_as(expected_memory), way, "unpack");
    }
  }

 private:
  [[nodiscard]] bool same_numbers(const Memory& other) const {
    const auto sorted = [](const Memory& some) {
      std::vector<std::uint64_t> numbers(some.bytes() / 8);
      std::memcpy(numbers.data(), some.data(), some.bytes());
      std::sort(numbers.begin(), numbers.end());
      return numbers;
    };
    return sorted(wire) == sorted(other);
  }
  void require(bool same, Way way, const char* verb) const {
    if (same) return;
    std::fprintf(stderr, "%s: %s does not %s what MPI does\n", kernel.name.c_str(), way_names[way], verb);
    std::exit(1);
  }
};

/// Ratios of one other way and direction over all kernels.
struct Ratios {
  double logarithms = 0;
  int count = 0;
  int below_one = 0;
  double worst = std::numeric_limits<double>::max();
  std::string worst_name;

  void add(double ratio, const std::string& name) {
    if (ratio < worst) {
      worst = ratio;
      worst_name = name;
    }
    logarithms += std::log(ratio);
    ++count;
    below_one += ratio < 1 ? 1 : 0;
  }
  void print(const char* other, const char* verb) const {
    if (count == 0) return;
    std::printf("%s / HCL, %s: %.2f in the geometric mean of %d, worst %.2f (%s), below 1: %d\n", other, verb,
                std::exp(logarithms / count), count, worst, worst_name.c_str(), below_one);
  }
};

class Table {
 public:
  explicit Table(int rounds) : rounds_(rounds) {
    std::printf("%-24s %8s | %26s | %26s | %13s | %13s\n", "times [ns] and ratios", "bytes", "pack", "unpack",
                "MPI / HCL", "hand / HCL");
    std::printf("%-24s %8s | %8s %8s %8s | %8s %8s %8s | %6s %6s | %6s %6s\n", "", "", "MPI", "hand", "HCL",
                "MPI", "hand", "HCL", "pack", "unpack", "pack", "unpack");
  }

  void add(const Kernel& kernel) {
    Bench bench(kernel);
    bench.require_same_bytes();
    std::vector<Work> works(bench.packs.begin(), bench.packs.end());
    for (const Work& unpack : bench.unpacks) works.push_back(unpack ? unpack : [] {});
    const std::vector<double> seconds = medians(works, rounds_, 100e-6);
    const double* const pack = seconds.data();
    const double* const unpack = pack + ways;
    const bool in_place = !bench.unpacks[by_hand];
    std::printf("%-24s %8zu | %8.0f %8.0f %8.0f | %8.0f %8.0f %8.0f |", kernel.name.c_str(),
                bench.wire.bytes(), 1e9 * pack[by_mpi], 1e9 * pack[by_hand], 1e9 * pack[by_halocline],
                1e9 * unpack[by_mpi], in_place ? 0 : 1e9 * unpack[by_hand], 1e9 * unpack[by_halocline]);
    for (const Way other : {by_mpi, by_hand}) {
      const double pack_ratio = pack[other] / pack[by_halocline];
      pack_[other].add(pack_ratio, kernel.name);
      std::printf(" %6.2f", pack_ratio);
      if (other == by_hand && in_place) {
        std::printf(" %6s", "-");
      } else {
        const double unpack_ratio = unpack[other] / unpack[by_halocline];
        unpack_[other].add(unpack_ratio, kernel.name);
        std::printf(" %6.2f", unpack_ratio);
      }
      std::printf(other == by_mpi ? " |" : "\n");
    }
    std::fflush(stdout);
  }

  void print_summary() const {
    for (const Way other : {by_mpi, by_hand}) {
      pack_[other].print(way_names[other], "pack");
      unpack_[other].print(way_names[other], "unpack");
    }
  }

 private:
  int rounds_;
  std::array<Ratios, ways> pack_;
  std::array<Ratios, ways> unpack_;
};

void run(int rounds, const std::string& words) {
  std::string library(MPI_MAX_LIBRARY_VERSION_STRING, '\0');
  int length = 0;
  MPI_Get_library_version(library.data(), &length);
  std::printf("%s, %d rounds\n", library.substr(0, library.find_first_of("\n,")).c_str(), rounds);
  Table table(rounds);
  for (const auto& kernels : {mesh_kernels(), list_kernels()})
    for (const Kernel& kernel : kernels)
      if (kernel.name.find(words) != std::string::npos) table.add(kernel);
  table.print_summary();
}

}  // namespace
}  // namespace halocline::bench

int halocline::bench::ddtbench(int argc, char** argv) {
  const int rounds = number_argument(argc, argv, 1, 11, 1);
  MPI_Init(&argc, &argv);
  run(rounds, argc > 2 ? argv[2] : "");
  MPI_Finalize();
  return 0;
}
