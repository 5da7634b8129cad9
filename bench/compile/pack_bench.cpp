// How fast layouts are packed and unpacked, beside loops written by hand; how long a layout takes to compile.

#include "base/fail.hpp"
#include "base/index.hpp"
#include "compile/generated/payback.hpp"
#include "compile/packer_state.hpp"
#include "halocline/compile/copier.hpp"
#include "layouts.hpp"
#include "part.hpp"
#include "parts.hpp"
#include "ratios.hpp"
#include "tools/bench/measuring/turns.hpp"
#include "tools/common/progress_bar.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

namespace halocline::bench {
namespace {

using compile::available_engines;
using compile::Copier;
using compile::Engine;
using compile::Packer;
using tools::Answer;
using tools::decimal;
using tools::Entry;
using tools::ProgressBar;
using tools::Table;

using Works = std::vector<std::function<void()>>;

struct PackWords {
  int rounds = 31;
  bool quick = false;
};

std::vector<double> medians(const Works& works, const PackWords& words) {
  return tools::medians_in_turns(works, words.rounds, 100e-6);
}

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
  if (!std::equal(packed.begin(), packed.begin() + packer.bytes(), buffers.wire.begin()))
    fail(Fault::internal, pack_case.name, ": the loop and the packer differ");
}

/// After how many packs generated code has paid.
Entry payback(const compile::Canonical& canonical) {
  const std::optional<Count> packs = compile::packs_to_pay(canonical);
  return packs ? Entry(*packs) : Entry("-", nullptr);
}

Entry microseconds(double seconds) { return decimal(seconds, 3, 1e6); }

/// A line for each case has groups of columns, whose names stand above it.
std::string group_names() {
  std::vector<Column> columns{Column::left("pack and unpack [us], then", 30), Column::right("bytes", 8),
                              Column::right("terms", 7), Column::right("hand", 9, "", " | "),
                              Column::right("", 9)};
  for (const Engine& engine : available_engines()) {
    columns.push_back(Column::right(std::string(engine.name), 9, "", " | "));
    columns.push_back(Column::right("", 9));
    columns.push_back(Column::right("", 6));
  }
  columns.push_back(Column::right("llvm", 8, "", " | "));
  return Table(std::move(columns)).heading();
}

Table case_table() {
  std::vector<Column> columns{Column::left("hand / engine, commit [ns]", 30, "layout"),
                              Column::right("", 8, "bytes"), Column::right("", 7, "terms"),
                              Column::right("pack", 9, "hand_pack_seconds", " | "),
                              Column::right("unpack", 9, "hand_unpack_seconds")};
  for (const Engine& engine : available_engines()) {
    const std::string name(engine.name);
    columns.push_back(Column::right("pack", 9, name + "_pack_ratio", " | "));
    columns.push_back(Column::right("unpack", 9, name + "_unpack_ratio"));
    columns.push_back(Column::right("commit", 6, name + "_commit_seconds"));
  }
  columns.push_back(Column::right("after", 8, "llvm_after_packs", " | "));
  return Table(std::move(columns));
}

/// How an engine does beside loops by hand, over all cases.
struct EngineRatios {
  Ratios pack, unpack;
};

void add_case(Table& table, std::vector<EngineRatios>& ratios, const PackCase& pack_case,
              const PackWords& words) {
  std::vector<Packer> packers;
  for (const Engine& engine : available_engines()) packers.emplace_back(pack_case.parts, engine);
  Buffers buffers(pack_case, packers.front().bytes());
  for (const Packer& packer : packers) require_same_bytes(pack_case, packer, buffers);
  std::byte* const memory = buffers.memory.data();
  std::byte* const wire = buffers.wire.data();
  Works works{[&] { pack_case.pack_by_hand(memory, wire); }, [&] { pack_case.unpack_by_hand(wire, memory); }};
  for (const Packer& packer : packers) {
    works.emplace_back([&packer, memory, wire] { packer.pack(memory, wire); });
    works.emplace_back([&packer, memory, wire] { packer.unpack(wire, memory); });
  }
  for (const Engine& engine : available_engines())
    works.emplace_back([&] { const Packer packer(pack_case.parts, engine); });
  const std::vector<double> seconds = medians(works, words);
  const compile::Canonical& canonical = canonical_of(packers.front());
  std::vector<Entry> row{pack_case.name, packers.front().bytes(), canonical.terms().size(),
                         microseconds(seconds[0]), microseconds(seconds[1])};
  for (std::size_t i = 0; i < packers.size(); ++i) {
    const double pack = seconds[0] / seconds[2 + 2 * i], unpack = seconds[1] / seconds[3 + 2 * i];
    ratios[i].pack.add(pack);
    ratios[i].unpack.add(unpack);
    row.push_back(decimal(pack, 2));
    row.push_back(decimal(unpack, 2));
    row.push_back(decimal(seconds[2 + 2 * packers.size() + i], 0, 1e9));
  }
  row.push_back(payback(canonical));
  table.add(std::move(row));
}

void add_cases(Answer& answer, const PackWords& words, ProgressBar& progress) {
  Table table = case_table();
  std::vector<EngineRatios> ratios(available_engines().size());
  const std::vector<PackCase> cases = chosen(pack_cases(), words.quick);
  for (const PackCase& pack_case : cases) {
    progress.at(pack_case.name, static_cast<double>(table.rows()) / static_cast<double>(cases.size()));
    add_case(table, ratios, pack_case, words);
  }
  append(answer, "layouts", group_names(), table);
  for (std::size_t i = 0; i < ratios.size(); ++i)
    answer.text += fmt::format("{}: geometric mean {:.2f} pack, {:.2f} unpack; worst {:.2f} and {:.2f}\n",
                               available_engines()[i].name, ratios[i].pack.mean(), ratios[i].unpack.mean(),
                               ratios[i].pack.least(), ratios[i].unpack.least());
}

Table halo_table() {
  std::vector<Column> columns{Column::left("fused halos [us]", 34, "halo"),
                              Column::right("bytes", 9, "bytes"), Column::right("terms", 5, "terms")};
  for (const char* const verb : {"pack", "unpack"}) {
    const auto key = [&](std::string_view way) { return fmt::format("{}_{}_seconds", way, verb); };
    columns.push_back(Column::right("hand", 9, key("hand"), " | "));
    columns.push_back(Column::right("singles", 9, key("singles")));
    for (const Engine& engine : available_engines())
      columns.push_back(Column::right(std::string(engine.name), 9, key(engine.name)));
  }
  const std::size_t engines = available_engines().size();
  for (std::size_t i = 0; i < engines; ++i)  // one name above all of them
    columns.push_back(Column::right(i + 1 == engines ? "commit" : "", 9,
                                    fmt::format("{}_commit_seconds", available_engines()[i].name),
                                    i == 0 ? " | " : " "));
  columns.push_back(Column::right("llvm after", 8, "llvm_after_packs", " | "));
  return Table(std::move(columns));
}

void add_halo(Table& table, const PackCase& halo, const PackWords& words) {
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
  Works works{[&] { halo.pack_by_hand(memory, wire); },
              [&] {
                for (std::size_t i = 0; i < singles.size(); ++i) singles[i].pack(memory, wire + positions[i]);
              }};
  for (const Packer& packer : fused) works.emplace_back([&] { packer.pack(memory, wire); });
  works.emplace_back([&] { halo.unpack_by_hand(wire, memory); });
  works.emplace_back([&] {
    for (std::size_t i = 0; i < singles.size(); ++i) singles[i].unpack(wire + positions[i], memory);
  });
  for (const Packer& packer : fused) works.emplace_back([&] { packer.unpack(wire, memory); });
  for (const Engine& engine : available_engines())
    works.emplace_back([&] { const Packer packer(halo.parts, engine); });
  const compile::Canonical& canonical = canonical_of(fused.front());
  std::vector<Entry> row{halo.name, position, canonical.terms().size()};
  for (const double seconds : medians(works, words)) row.push_back(microseconds(seconds));
  row.push_back(payback(canonical));
  table.add(std::move(row));
}

void add_halos(Answer& answer, const PackWords& words, ProgressBar& progress) {
  Table table = halo_table();
  for (const Count side : chosen(Counts{8, 16, 32, 64}, words.quick))
    for (const int fields : {1, 4}) {
      progress.at("fused halos", -1);
      add_halo(table, halo_case(side, fields), words);
    }
  append(answer, "halos", "\n", table);
}

/// A copy from the last layer of a cube to the margin on its other side, as periodic dimensions of one
/// process need it; and packing in pieces, as a pipeline of messages does.
void add_copy(Table& table, std::size_t across, const PackWords& words) {
  constexpr Count side = 128;
  constexpr Count padded = side + 2;
  const Layout cell = Layout::named(Elementary::double_);
  Counts part(3, side), from_start(3, 1), to_start(3, 1);
  part[across] = 1;
  from_start[across] = side;
  to_start[across] = 0;
  const Packer packer({Layout::subarray(Counts(3, padded), part, from_start, Layout::Order::c, cell)});
  const Packer unpacker({Layout::subarray(Counts(3, padded), part, to_start, Layout::Order::c, cell)});
  const Copier copier(packer, unpacker);
  std::vector<double> memory(static_cast<std::size_t>(padded * padded * padded), 1.0);
  std::vector<std::byte> wire(static_cast<std::size_t>(packer.bytes()));
  auto* const base = reinterpret_cast<std::byte*>(memory.data());
  const auto index = [&](const Counts& start, Count i, Count j, Count k) {
    return to_index(((start[0] + i) * padded + start[1] + j) * padded + start[2] + k);
  };
  const Works works{[&] {
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
                        packer.pack(base, wire.data() + first, first,
                                    std::min(piece, packer.bytes() - first));
                    }};
  std::vector<Entry> row{fmt::format("face {} of 128^3 with margin", "zyx"[across]), packer.bytes()};
  for (const double seconds : medians(works, words)) row.push_back(microseconds(seconds));
  table.add(std::move(row));
}

void add_copies(Answer& answer, const PackWords& words, ProgressBar& progress) {
  progress.at("copies and pieces", -1);
  Table table({Column::left("copies and pieces [us]", 34, "copy"), Column::right("bytes", 9, "bytes"),
               Column::right("by hand", 9, "hand_seconds", " | "),
               Column::right("pack+unp.", 9, "pack_and_unpack_seconds"),
               Column::right("copier", 9, "copier_seconds"), Column::right("pack", 9, "pack_seconds", " | "),
               Column::right("in 8 KiB", 9, "pieces_seconds")});
  for (std::size_t across = 0; across < 3; ++across) add_copy(table, across, words);
  append(answer, "copies", "\n", table);
}

Answer answer_pack(const PackWords& words) {
  ProgressBar progress("packing");
  Answer answer;
  add_cases(answer, words, progress);
  add_halos(answer, words, progress);
  add_copies(answer, words, progress);
  return answer;
}

}  // namespace

tools::Action declare_pack(tools::Options& options) {
  auto words = std::make_shared<PackWords>();
  options.add_option("rounds", words->rounds, "of all ways of a row; the medians count")
      .capture_default_str()
      .positive();
  add_quick_option(options, words->quick);
  return [words] { return answer_pack(*words); };
}

}  // namespace halocline::bench
