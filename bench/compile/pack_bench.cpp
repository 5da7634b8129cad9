// How fast layouts are packed and unpacked, beside loops written by hand; how long a layout takes to compile.
// Usage: halocline_bench pack [rounds]

#include "../number_argument.hpp"
#include "base/index.hpp"
#include "benchmarks.hpp"
#include "compile/generated/payback.hpp"
#include "compile/packer_state.hpp"
#include "halocline/compile/copier.hpp"
#include "in_turns.hpp"
#include "layouts.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>

namespace halocline::bench {
namespace {

using compile::available_engines;
using compile::Copier;
using compile::Engine;
using compile::Packer;

/// A geometric mean and the worst.
class Ratios {
 public:
  void add(double ratio) {
    sum_ += std::log(ratio);
    worst_ = count_ == 0 ? ratio : std::min(worst_, ratio);
    ++count_;
  }
  [[nodiscard]] double mean() const { return std::exp(sum_ / count_); }
  [[nodiscard]] double worst() const { return worst_; }

 private:
  double sum_ = 0;
  double worst_ = 0;
  int count_ = 0;
};

/// Memory of a case, and wires for it, aligned as an allocator aligns large arrays.
struct Buffers {
  explicit Buffers(const PackCase& pack_case, Count stream_bytes)
      : memory(static_cast<std::size_t>(pack_case.memory_bytes + 64)),
        wire(static_cast<std::size_t>(stream_bytes + 64)) {
    for (std::size_t i = 0; i < memory.size(); ++i) memory[i] = static_cast<std::byte>(i * 31 + i / 4096);
  }
  std::vector<std::byte> memory;
  std::vector<std::byte> wire;
};

void require_same_bytes(const PackCase& pack_case, const Packer& packer, Buffers& buffers) {
  pack_case.pack_by_hand(buffers.memory.data(), buffers.wire.data());
  std::vector<std::byte> packed(buffers.wire.size());
  packer.pack(buffers.memory.data(), packed.data());
  if (std::equal(packed.begin(), packed.begin() + packer.bytes(), buffers.wire.begin())) return;
  std::fprintf(stderr, "%s: the loop and the packer differ\n", pack_case.name.c_str());
  std::exit(1);
}

/// After how many packs generated code has paid.
void print_payback(const compile::Canonical& canonical) {
  const std::optional<Count> packs = compile::packs_to_pay(canonical);
  std::printf(" | %8s\n", packs ? std::to_string(*packs).c_str() : "-");
}

void print_cases(int rounds) {
  std::printf("%-30s %8s %7s | %9s %9s", "pack and unpack [us], then", "bytes", "terms", "hand", "");
  for (const Engine& engine : available_engines())
    std::printf(" | %9s %9s %6s", std::string(engine.name).c_str(), "", "");
  std::printf(" | %8s", "llvm");
  std::printf("\n%-30s %8s %7s | %9s %9s", "hand / engine, commit [ns]", "", "", "pack", "unpack");
  for (std::size_t i = 0; i < available_engines().size(); ++i)
    std::printf(" | %9s %9s %6s", "pack", "unpack", "commit");
  std::printf(" | %8s\n", "after");
  std::map<std::string_view, Ratios> pack_ratios;
  std::map<std::string_view, Ratios> unpack_ratios;
  for (const PackCase& pack_case : pack_cases()) {
    std::vector<Packer> packers;
    for (const Engine& engine : available_engines()) packers.emplace_back(pack_case.parts, engine);
    Buffers buffers(pack_case, packers.front().bytes());
    for (const Packer& packer : packers) require_same_bytes(pack_case, packer, buffers);
    std::byte* const memory = buffers.memory.data();
    std::byte* const wire = buffers.wire.data();
    std::vector<Work> works{[&] { pack_case.pack_by_hand(memory, wire); },
                            [&] { pack_case.unpack_by_hand(wire, memory); }};
    for (const Packer& packer : packers) {
      works.emplace_back([&packer, memory, wire] { packer.pack(memory, wire); });
      works.emplace_back([&packer, memory, wire] { packer.unpack(wire, memory); });
    }
    for (const Engine& engine : available_engines())
      works.emplace_back([&] { const Packer packer(pack_case.parts, engine); });
    const std::vector<double> seconds = medians(works, rounds, 100e-6);
    std::printf("%-30s %8lld %7zu | %9.3f %9.3f", pack_case.name.c_str(),
                static_cast<long long>(packers.front().bytes()), canonical_of(packers.front()).terms().size(),
                1e6 * seconds[0], 1e6 * seconds[1]);
    for (std::size_t i = 0; i < available_engines().size(); ++i) {
      const double pack = seconds[0] / seconds[2 + 2 * i];
      const double unpack = seconds[1] / seconds[3 + 2 * i];
      pack_ratios[available_engines()[i].name].add(pack);
      unpack_ratios[available_engines()[i].name].add(unpack);
      std::printf(" | %9.2f %9.2f %6.0f", pack, unpack,
                  1e9 * seconds[2 + 2 * available_engines().size() + i]);
    }
    print_payback(canonical_of(packers.front()));
    std::fflush(stdout);
  }
  for (const Engine& engine : available_engines())
    std::printf("%s: geometric mean %.2f pack, %.2f unpack; worst %.2f and %.2f\n",
                std::string(engine.name).c_str(), pack_ratios[engine.name].mean(),
                unpack_ratios[engine.name].mean(), pack_ratios[engine.name].worst(),
                unpack_ratios[engine.name].worst());
}

void print_halos(int rounds) {
  const auto print_names = [] {
    std::printf(" | %9s %9s", "hand", "singles");
    for (const Engine& engine : available_engines()) std::printf(" %9s", std::string(engine.name).c_str());
  };
  std::printf("\n%-34s %9s %5s", "fused halos [us]", "bytes", "terms");
  print_names();
  print_names();
  std::printf(" | %*s | llvm after\n", 10 * static_cast<int>(available_engines().size()) - 1, "commit");
  for (const Count side : {8, 16, 32, 64})
    for (const int fields : {1, 4}) {
      const PackCase halo = halo_case(side, fields);
      std::vector<Packer> singles;
      Counts positions;
      Count position = 0;
      for (const compile::Part& part : halo.parts) {
        singles.emplace_back(part);
        positions.push_back(position);
        position += singles.back().bytes();
      }
      std::vector<Packer> fused;
      for (const Engine& engine : available_engines()) fused.emplace_back(halo.parts, engine);
      Buffers buffers(halo, position);
      for (const Packer& packer : fused) require_same_bytes(halo, packer, buffers);
      std::byte* const memory = buffers.memory.data();
      std::byte* const wire = buffers.wire.data();
      std::vector<Work> works{[&] { halo.pack_by_hand(memory, wire); },
                              [&] {
                                for (std::size_t i = 0; i < singles.size(); ++i)
                                  singles[i].pack(memory, wire + positions[i]);
                              }};
      for (const Packer& packer : fused) works.emplace_back([&] { packer.pack(memory, wire); });
      works.emplace_back([&] { halo.unpack_by_hand(wire, memory); });
      works.emplace_back([&] {
        for (std::size_t i = 0; i < singles.size(); ++i) singles[i].unpack(wire + positions[i], memory);
      });
      for (const Packer& packer : fused) works.emplace_back([&] { packer.unpack(wire, memory); });
      for (const Engine& engine : available_engines())
        works.emplace_back([&] { const Packer packer(halo.parts, engine); });
      const std::vector<double> seconds = medians(works, rounds, 100e-6);
      std::printf("%-34s %9lld %5zu", halo.name.c_str(), static_cast<long long>(position),
                  canonical_of(fused.front()).terms().size());
      for (std::size_t i = 0; i < seconds.size(); ++i)
        std::printf("%s %9.3f", i % (2 + fused.size()) == 0 ? " |" : "", 1e6 * seconds[i]);
      print_payback(canonical_of(fused.front()));
    }
}

/// A copy from the last layer of a cube to the margin on its other side, as periodic dimensions of one
/// process need it; and packing in pieces, as a pipeline of messages does.
void print_copies(int rounds) {
  std::printf("\n%-34s %9s | %9s %9s %9s | %9s %9s\n", "copies and pieces [us]", "bytes", "by hand",
              "pack+unp.", "copier", "pack", "in 8 KiB");
  constexpr Count side = 128;
  constexpr Count padded = side + 2;
  const Layout cell = Layout::named(Elementary::double_);
  for (std::size_t across = 0; across < 3; ++across) {
    Counts part(3, side);
    part[across] = 1;
    Counts from_start(3, 1);
    from_start[across] = side;
    Counts to_start(3, 1);
    to_start[across] = 0;
    const Layout from = Layout::subarray(Counts(3, padded), part, from_start, Layout::Order::c, cell);
    const Layout to = Layout::subarray(Counts(3, padded), part, to_start, Layout::Order::c, cell);
    const Packer packer({from});
    const Packer unpacker({to});
    const Copier copier(packer, unpacker);
    std::vector<double> memory(static_cast<std::size_t>(padded * padded * padded), 1.0);
    std::vector<std::byte> wire(static_cast<std::size_t>(packer.bytes()));
    auto* const base = reinterpret_cast<std::byte*>(memory.data());
    const auto index = [&](const Counts& start, Count i, Count j, Count k) {
      return to_index(((start[0] + i) * padded + start[1] + j) * padded + start[2] + k);
    };
    const std::vector<double> seconds =
        medians({[&] {
                   for (Count i = 0; i < part[0]; ++i)
                     for (Count j = 0; j < part[1]; ++j)
                       for (Count k = 0; k < part[2]; ++k)
                         memory[index(to_start, i, j, k)] = memory[index(from_start, i, j, k)];
                 },
                 [&] {
                   packer.pack(base, wire.data());
                   unpacker.unpack(wire.data(), base);
                 },
                 [&] { copier.copy(base, base); }, [&] { packer.pack(base, wire.data()); },
                 [&] {
                   constexpr Count piece = 8192;
                   for (Count first = 0; first < packer.bytes(); first += piece)
                     packer.pack(base, wire.data() + first, first, std::min(piece, packer.bytes() - first));
                 }},
                rounds, 100e-6);
    std::printf("face %c of 128^3 with margin %19lld |", "zyx"[across],
                static_cast<long long>(packer.bytes()));
    for (std::size_t i = 0; i < seconds.size(); ++i)
      std::printf("%s %9.3f", i == 3 ? " |" : "", 1e6 * seconds[i]);
    std::printf("\n");
  }
}

}  // namespace
}  // namespace halocline::bench

int halocline::bench::pack(int count, char** arguments) {
  const int rounds = number_argument(count, arguments, 1, 31, 1);
  print_cases(rounds);
  print_halos(rounds);
  print_copies(rounds);
  return 0;
}
