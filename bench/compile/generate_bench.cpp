// How long code takes to be generated, by how much of it there is: what most_code_cost of
// compile/generated/generator.hpp was chosen by. Times are of the processor, so that others who use it do not
// count.

#include "compile/form/canonical.hpp"
#include "compile/generated/code_estimate.hpp"
#include "compile/generated/generated.hpp"
#include "part.hpp"
#include "parts.hpp"
#include "tools/bench/measuring/clock.hpp"
#include "tools/common/progress_bar.hpp"

#include <memory>
#include <random>
#include <string>

namespace halocline::bench {
namespace {

using tools::Answer;
using tools::decimal;
using tools::Table;

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

struct Case {
  std::string name;
  Layout layout;
};

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const int terms : {1, 4, 8, 16, 24, 32, 64}) all.push_back({"nests of 8 bytes", nests(terms, 8)});
  for (const int terms : {1, 16, 32}) all.push_back({"nests of 100 bytes", nests(terms, 100)});
  for (const int terms : {1, 4, 16, 64}) all.push_back({"nests of 500 bytes", nests(terms, 500)});
  for (const int bytes : {100, 800, 3200, 12800}) {
    all.push_back({"lists of 10 runs", lists(bytes, 10)});
    all.push_back({"lists of 50 runs", lists(bytes, 50)});
  }
  for (const int blocks : {60, 240, 480, 1440}) all.push_back({"scattered blocks", scattered(blocks)});
  for (const int terms : {1, 4, 8, 16, 32}) all.push_back({"nests of 8 loops", deep(terms, 8)});
  for (const int blocks : {10, 60, 120}) all.push_back({"blocks for memcpy", long_blocks(blocks)});
  for (const int bytes : {300, 1000, 3000, 6000, 12000, 24000}) {
    all.push_back({"a mixture with loops", mixture(bytes, 12, 20)});
    all.push_back({"a mixture without loops", mixture(bytes, 8, 50)});
  }
  return all;
}

void add(Table& table, const Case& generated) {
  const compile::Canonical form(compile::Part{generated.layout});
  Count cost = 0;
  const double seconds =
      tools::least_seconds([&] { cost = compile::GeneratedFunctions(form).cost(); }, {1, 5, 3});
  table.add({generated.name,
             form.bytes(),
             form.terms().size(),
             compile::estimated_code_cost(form),
             cost,
             decimal(seconds, 1, 1e3),
             {cost > 0 ? "" : " left to kernels", cost > 0}});
}

Answer answer_generate(bool quick) {
  tools::ProgressBar progress("generating code");
  (void)compile::GeneratedFunctions(compile::Canonical(compile::Part{nests(1, 8)})).cost();  // opens LLVM
  Table table({Column::left("", 28, "layout"), Column::right("bytes", 9, "bytes"),
               Column::right("terms", 6, "terms"), Column::right("guess", 6, "estimated_cost"),
               Column::right("cost", 6, "cost"), Column::right("CPU [ms]", 9, "seconds"),
               Column::left("", 0, "generated", "")});
  const std::vector<Case> all = chosen(cases(), quick);
  for (const Case& generated : all) {
    progress.at(generated.name, static_cast<double>(table.rows()) / static_cast<double>(all.size()));
    add(table, generated);
  }
  Answer answer;
  append(answer, "layouts", "", table);
  return answer;
}

}  // namespace

tools::Action declare_generate(tools::Options& options) {
  auto quick = std::make_shared<bool>(false);
  add_quick_option(options, *quick);
  return [quick] { return answer_generate(*quick); };
}

}  // namespace halocline::bench
