// Datatypes of applications packed and unpacked by Halocline and by MPI_Pack and MPI_Unpack of this MPI.
// All of a row is measured in turns within one run; medians. Ratios are MPI's time / ours: more is better.
// Compiling pays at the pack after which decoding and compiling were cheaper than to have gone on with
// MPI_Pack.

#include "base/fail.hpp"
#include "compile/engines.hpp"
#include "compile/layouts.hpp"
#include "halocline/compile/packer.hpp"
#include "halocline/halocline.h"
#include "mpi/datatypes/datatype.hpp"
#include "part.hpp"
#include "parts.hpp"
#include "ratios.hpp"
#include "support/datatypes.hpp"
#include "tools/bench/measuring/turns.hpp"
#include "tools/common/mpi_session.hpp"
#include "tools/common/progress_bar.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace halocline::bench {
namespace {

using compile::available_engines;
using compile::Engine;
using compile::Packer;
using compile::Part;
using tools::Answer;
using tools::decimal;
using tools::Entry;
using tools::Table;
using Bytes = std::vector<std::byte>;
using Work = std::function<void()>;

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
      HALOCLINE_MPI(Pack, memory + displacements[i], static_cast<int>(counts[i]), handles[i], wire.data(),
                    static_cast<int>(wire.size()), &position, MPI_COMM_WORLD);
  }
  void unpack_by_mpi(const Bytes& wire, std::byte* memory) const {
    int position = 0;
    for (std::size_t i = 0; i < handles.size(); ++i)
      HALOCLINE_MPI(Unpack, wire.data(), static_cast<int>(wire.size()), &position, memory + displacements[i],
                    static_cast<int>(counts[i]), handles[i], MPI_COMM_WORLD);
  }
  void pack_by_calls(const std::byte* memory, Bytes& wire) const {
    MPI_Count position = 0;
    for (std::size_t i = 0; i < handles.size(); ++i)
      mpi::check(HCL_Pack(memory + displacements[i], counts[i], handles[i], wire.data(),
                          static_cast<MPI_Count>(wire.size()), &position, MPI_COMM_WORLD),
                 "HCL_Pack");
  }
  void unpack_by_calls(const Bytes& wire, std::byte* memory) const {
    MPI_Count position = 0;
    for (std::size_t i = 0; i < handles.size(); ++i)
      mpi::check(HCL_Unpack(wire.data(), static_cast<MPI_Count>(wire.size()), &position,
                            memory + displacements[i], counts[i], handles[i], MPI_COMM_WORLD),
                 "HCL_Unpack");
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
      if (packed(ways.packs[i]) != expected)
        fail(Fault::internal, name, ": ", ways.names[i], " does not pack what MPI packs");
  }

  [[nodiscard]] Count bytes() const { return packers.front().bytes(); }
};

struct PackMpiWords {
  int rounds = 31;
  std::string words;
  bool quick = false;
};

/// How many packs save what was spent before the first.
Entry uses_to_pay(double spent, double saved_by_each) {
  if (saved_by_each <= 0) return {"never", nullptr};
  return decimal(std::ceil(spent / saved_by_each), 0);
}

/// A row for every case: MPI's times, the ratios of all other ways, and the time to get there.
class Contest {
 public:
  explicit Contest(int rounds)
      : rounds_(rounds), table_(columns()), pack_(names_.size()), unpack_(names_.size()) {}

  void add(const PackCase& pack_case) {
    Bench bench(pack_case);
    bench.require_same_bytes(pack_case.name);
    std::vector<Work> works = bench.ways.packs;
    works.insert(works.end(), bench.ways.unpacks.begin(), bench.ways.unpacks.end());
    works.emplace_back([&] { (void)bench.types.decoded(); });
    for (const Engine& engine : available_engines())
      works.emplace_back([&] { const Packer packer(bench.parts, engine); });
    const std::vector<double> seconds = tools::medians_in_turns(works, rounds_, 200e-6);
    const std::size_t ways = names_.size();
    std::vector<Entry> row{pack_case.name, bench.bytes(), decimal(seconds[0], 3, 1e6),
                           decimal(seconds[ways], 3, 1e6)};
    for (std::size_t i = 1; i < ways; ++i) {
      const double pack = seconds[0] / seconds[i], unpack = seconds[ways] / seconds[ways + i];
      pack_[i].add(pack, pack_case.name);
      unpack_[i].add(unpack, pack_case.name);
      row.push_back(decimal(pack, 2));
      row.push_back(decimal(unpack, 2));
    }
    const double decode = seconds[2 * ways];
    row.push_back(decimal(decode, 2, 1e6));
    const std::size_t first = ways - available_engines().size();
    for (std::size_t i = first; i < ways; ++i) {
      const double compile = seconds[2 * ways + 1 + i - first];
      row.push_back(decimal(compile, 2, 1e6));
      row.push_back(uses_to_pay(decode + compile, seconds[0] - seconds[i]));
    }
    table_.add(std::move(row));
  }

  void append_to(Answer& answer, const char* key, const std::string& about) const {
    append(answer, key, about + group_names(), table_);
    for (std::size_t i = 1; i < names_.size(); ++i)
      answer.text += fmt::format(
          "{}: pack {:.2f} in the geometric mean, worst {:.2f} ({}); unpack {:.2f}, worst {:.2f} ({})\n",
          names_[i], pack_[i].mean(), pack_[i].least(), pack_[i].least_name(), unpack_[i].mean(),
          unpack_[i].least(), unpack_[i].least_name());
  }

 private:
  /// The ways of a Bench.
  static std::vector<std::string> way_names() {
    std::vector<std::string> names{"MPI", "HCL_Pack"};
    for (const Engine& engine : available_engines()) names.emplace_back(engine.name);
    return names;
  }

  [[nodiscard]] std::vector<Column> columns() const {
    std::vector<Column> all{Column::left("", 30, "datatype"), Column::right("", 8, "bytes"),
                            Column::right("pack", 9, "mpi_pack_seconds", " | "),
                            Column::right("unpack", 9, "mpi_unpack_seconds")};
    for (std::size_t i = 1; i < names_.size(); ++i) {
      all.push_back(Column::right("pack", 6, names_[i] + "_pack_ratio", " | "));
      all.push_back(Column::right("unpack", 6, names_[i] + "_unpack_ratio"));
    }
    all.push_back(Column::right("[us]", 8, "decode_seconds", " | "));
    for (const Engine& engine : available_engines()) {
      all.push_back(Column::right("[us]", 8, fmt::format("{}_compile_seconds", engine.name), " | "));
      all.push_back(Column::right("pays at", 7, fmt::format("{}_pays_at", engine.name)));
    }
    return all;
  }

  /// They stand above the headings, each over its columns.
  [[nodiscard]] std::string group_names() const {
    std::vector<Column> all{Column::left("MPI's time / ours", 30), Column::right("bytes", 8),
                            Column::right("MPI [us]", 19, "", " | ")};
    for (std::size_t i = 1; i < names_.size(); ++i) all.push_back(Column::right(names_[i], 13, "", " | "));
    all.push_back(Column::right("decode", 8, "", " | "));
    for (const Engine& engine : available_engines())
      all.push_back(Column::right(std::string(engine.name), 16, "", " | "));
    return Table(std::move(all)).heading();
  }

  int rounds_;
  std::vector<std::string> names_ = way_names();
  Table table_;
  std::vector<Ratios> pack_;
  std::vector<Ratios> unpack_;
};

Answer answer_pack_mpi(const PackMpiWords& words) {
  std::vector<PackCase> cases = pack_cases();
  std::erase_if(cases, [&](const PackCase& one) { return one.name.find(words.words) == std::string::npos; });
  require(!cases.empty(), "words ", words.words, ": no datatype has them in its name");
  const tools::MpiAnyway session;
  tools::ProgressBar progress("packing");
  Answer answer;
  answer.text = fmt::format("{}, {} rounds\n", tools::mpi_vendor(), words.rounds);
  Contest contest(words.rounds);
  for (const PackCase& pack_case : chosen(cases, words.quick)) {
    progress.at(pack_case.name, -1);
    contest.add(pack_case);
  }
  contest.append_to(answer, "datatypes", "");
  Contest halos(words.rounds);
  for (const Count side : chosen(Counts{8, 16, 32, 64}, words.quick))
    for (const int fields : {1, 4}) {
      progress.at("fused halos", -1);
      halos.add(halo_case(side, fields));
    }
  halos.append_to(answer, "halos",
                  "\nfused: every part of every field in one packer, against MPI_Pack for each\n");
  return answer;
}

}  // namespace

tools::Action declare_pack_mpi(tools::Options& options) {
  auto words = std::make_shared<PackMpiWords>();
  options.add_option("rounds", words->rounds, "of all ways of a row; the medians count")
      .capture_default_str()
      .positive();
  options.add_option("words", words->words, "only datatypes that have them in their names");
  add_quick_option(options, words->quick);
  return [words] { return answer_pack_mpi(*words); };
}

}  // namespace halocline::bench
