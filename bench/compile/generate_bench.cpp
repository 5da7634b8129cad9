// How long code takes to be generated, by how much of it there is: what most_code_cost of
// compile/generated/generator.hpp was chosen by. Times are of the processor, so that others who use it do not
// count.

#include "benchmarks.hpp"
#include "compile/form/canonical.hpp"
#include "compile/generated/code_estimate.hpp"
#include "compile/generated/generated.hpp"

#include <cstdio>
#include <ctime>
#include <random>
#include <string>

namespace halocline::bench {
namespace {

double cpu_milliseconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return 1e3 * static_cast<double>(now.tv_sec) + 1e-6 * static_cast<double>(now.tv_nsec);
}

const Layout byte = Layout::named(Elementary::byte);

/// Lists of runs of different length, each under a loop of its own.
Layout lists(Count bytes, Count runs_a_list) {
  std::mt19937_64 random(1);
  std::vector<Layout> members;
  Counts places;
  for (Count made = 0, at = 0; made < bytes; at += 10'000'000) {
    Counts lengths, displacements;
    Count place = 0;
    for (Count i = 0; i < runs_a_list; ++i) {
      lengths.push_back(1 + static_cast<Count>(random() % 24));
      displacements.push_back(place);
      place += lengths.back() + 1 + static_cast<Count>(random() % 40);
    }
    members.push_back(Layout::hvector(500, 1, place + 7, Layout::hindexed(lengths, displacements, byte)));
    places.push_back(at);
    made += members.back().size() / 500;
  }
  return Layout::structure(Counts(members.size(), 1), places, members);
}

/// Blocks from all over the memory, in an order without a rule.
Layout scattered(Count blocks) {
  std::mt19937_64 random(3);
  Counts displacements;
  for (Count i = 0; i < blocks; ++i) {
    displacements.push_back(static_cast<Count>(random() % (std::uint64_t{1} << 44)));
    // Stretches of a regular kind cut the list into terms.
    for (int regular = 0; i % 60 == 59 && regular < 8; ++regular)
      displacements.push_back(displacements.back() + 24);
  }
  return Layout::hindexed_block(8, displacements, byte);
}

/// Loops around loops.
Layout deep(Count terms, int levels) {
  std::vector<Layout> members;
  Counts places;
  for (Count i = 0; i < terms; ++i) {
    Layout nest = Layout::hvector(9, 1, 11 + i, Layout::contiguous(4, byte));
    Count stride = 200;
    for (int level = 1; level < levels; ++level, stride *= 7) nest = Layout::hvector(3, 1, stride + i, nest);
    members.push_back(nest);
    places.push_back(i * 10'000'000'000);
  }
  return Layout::structure(Counts(members.size(), 1), places, members);
}

/// Blocks that memcpy is called for.
Layout long_blocks(Count blocks) {
  std::mt19937_64 random(4);
  Counts lengths, displacements;
  for (Count i = 0, at = 0; i < blocks; ++i, at += 1717) {
    lengths.push_back(513 + static_cast<Count>(random() % 900));
    displacements.push_back(at);
  }
  return Layout::hindexed(lengths, displacements, byte);
}

/// Planes of rows, as the faces of many small arrays.
Layout nests(Count terms, Count block) {
  std::vector<Layout> members;
  Counts places;
  for (Count i = 0; i < terms; ++i) {
    const Layout row = Layout::hvector(20 + i % 7, 1, block + 8 + i, Layout::contiguous(block, byte));
    members.push_back(Layout::hvector(30, 1, 20'000 + 64 * i, row));
    places.push_back(i * 1'000'000);
  }
  return Layout::structure(Counts(members.size(), 1), places, members);
}

/// One list without a rule, cut by stretches of `regular` runs with one, which become loops if they are
/// longer than 8.
Layout mixture(Count bytes, Count regular, Count irregular) {
  std::mt19937_64 random(2);
  Counts lengths, displacements;
  Count at = 0;
  for (Count made = 0; made < bytes;) {
    for (Count i = 0; i < regular; ++i, at += 24) {
      displacements.push_back(at);
      lengths.push_back(8);
    }
    for (Count i = 0; i < irregular; ++i) {
      displacements.push_back(at);
      lengths.push_back(1 + static_cast<Count>(random() % 15));
      at += lengths.back() + 1 + static_cast<Count>(random() % 30);
    }
    made += (regular + irregular) * 8;
  }
  return Layout::hindexed(lengths, displacements, byte);
}

void measure(const std::string& name, const Layout& layout) {
  const compile::Canonical form(compile::Part{layout});
  double best = 1e9;
  Count cost = 0;
  double spent = 0;
  for (int round = 0; round < 5 && spent < 3000; ++round) {
    const double begin = cpu_milliseconds();
    cost = compile::GeneratedFunctions(form).cost();
    best = std::min(best, cpu_milliseconds() - begin);
    spent += cpu_milliseconds() - begin;
  }
  std::printf("%-28s %9lld %6zu %6lld %6lld %9.1f %s\n", name.c_str(), static_cast<long long>(form.bytes()),
              form.terms().size(), static_cast<long long>(compile::estimated_code_cost(form)),
              static_cast<long long>(cost), best, cost > 0 ? "" : "left to kernels");
  std::fflush(stdout);
}

}  // namespace
}  // namespace halocline::bench

int halocline::bench::generate(int /*count*/, char** /*arguments*/) {
  using namespace halocline::bench;
  std::printf("%-28s %9s %6s %6s %6s %9s\n", "", "bytes", "terms", "guess", "cost", "CPU [ms]");
  measure("warm-up", nests(1, 8));
  for (const int terms : {1, 4, 8, 16, 24, 32, 64}) measure("nests of 8 bytes", nests(terms, 8));
  for (const int terms : {1, 16, 32}) measure("nests of 100 bytes", nests(terms, 100));
  for (const int terms : {1, 4, 16, 64}) measure("nests of 500 bytes", nests(terms, 500));
  for (const int bytes : {100, 800, 3200, 12800}) {
    measure("lists of 10 runs", lists(bytes, 10));
    measure("lists of 50 runs", lists(bytes, 50));
  }
  for (const int blocks : {60, 240, 480, 1440}) measure("scattered blocks", scattered(blocks));
  for (const int terms : {1, 4, 8, 16, 32}) measure("nests of 8 loops", deep(terms, 8));
  for (const int blocks : {10, 60, 120}) measure("blocks for memcpy", long_blocks(blocks));
  for (const int bytes : {300, 1000, 3000, 6000, 12000, 24000}) {
    measure("a mixture with loops", mixture(bytes, 12, 20));
    measure("a mixture without loops", mixture(bytes, 8, 50));
  }
  return 0;
}
