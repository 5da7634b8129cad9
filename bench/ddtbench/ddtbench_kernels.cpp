// HCL_Pack and HCL_Unpack on the kernels of DDTBench, beside MPI_Pack and MPI_Unpack of this MPI and beside
// loops written by hand.
// All of a row is measured within one run, in random order in every round; medians. Ratios are the others'
// time / ours: more is better. Caches are warm.

#include "base/fail.hpp"
#include "halocline/halocline.h"
#include "kernels.hpp"
#include "part.hpp"
#include "parts.hpp"
#include "ratios.hpp"
#include "support/datatypes.hpp"
#include "tools/bench/measuring/turns.hpp"
#include "tools/common/mpi_session.hpp"
#include "tools/common/progress_bar.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>

namespace halocline::bench {
namespace {

using tools::Answer;
using tools::decimal;
using tools::Entry;
using tools::Table;
using Work = std::function<void()>;

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
      HALOCLINE_MPI(Pack, memory.data() + sent.offset, static_cast<int>(sent.count), sent.type(), wire.data(),
                    static_cast<int>(wire.bytes()), &position, MPI_COMM_WORLD);
    };
    unpacks[by_mpi] = [this] {
      int position = 0;
      HALOCLINE_MPI(Unpack, wire.data(), static_cast<int>(wire.bytes()), &position,
                    memory.data() + received.offset, static_cast<int>(received.count), received.type(),
                    MPI_COMM_WORLD);
    };
    packs[by_hand] = [this] { kernel.pack_by_hand(memory.data(), wire.data()); };
    if (kernel.unpack_by_hand)
      unpacks[by_hand] = [this] { kernel.unpack_by_hand(wire.data(), memory.data()); };
    packs[by_halocline] = [this] {
      MPI_Count position = 0;
      mpi::check(HCL_Pack(memory.data() + sent.offset, sent.count, sent.type(), wire.data(),
                          static_cast<MPI_Count>(wire.bytes()), &position, MPI_COMM_WORLD),
                 "HCL_Pack");
    };
    unpacks[by_halocline] = [this] {
      MPI_Count position = 0;
      mpi::check(HCL_Unpack(wire.data(), static_cast<MPI_Count>(wire.bytes()), &position,
                            memory.data() + received.offset, received.count, received.type(), MPI_COMM_WORLD),
                 "HCL_Unpack");
    };
  }
  Bench(const Bench&) = delete;
  Bench& operator=(const Bench&) = delete;

  /// Throws Error{internal} unless all ways do the same.
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
    if (!same) fail(Fault::internal, kernel.name, ": ", way_names[way], " does not ", verb, " what MPI does");
  }
};

/// Of one other way and direction over all kernels.
std::string summary(const Ratios& ratios, const char* other, const char* verb) {
  if (ratios.count() == 0) return "";
  return fmt::format("{} / HCL, {}: {:.2f} in the geometric mean of {}, worst {:.2f} ({}), below 1: {}\n",
                     other, verb, ratios.mean(), ratios.count(), ratios.least(), ratios.least_name(),
                     ratios.below_one());
}

/// A row for every kernel, and what is typical of all.
class Contest {
 public:
  explicit Contest(int rounds) : rounds_(rounds) {}

  void add(const Kernel& kernel) {
    Bench bench(kernel);
    bench.require_same_bytes();
    std::vector<Work> works(bench.packs.begin(), bench.packs.end());
    for (const Work& unpack : bench.unpacks) works.push_back(unpack ? unpack : [] {});
    // The bound of all: as many bytes without a datatype, from one contiguous piece of memory to another.
    const Memory plain(static_cast<Count>(bench.wire.bytes()));
    works.emplace_back([&] { std::memcpy(bench.wire.data(), plain.data(), plain.bytes()); });
    const std::vector<double> seconds = tools::medians_in_turns(works, rounds_, 100e-6);
    const double* const pack = seconds.data();
    const double copy = seconds.back();
    const double* const unpack = pack + ways;
    const bool in_place = !bench.unpacks[by_hand];
    std::vector<Entry> row{kernel.name, bench.wire.bytes(), decimal(copy, 0, 1e9)};
    copy_[0].add(pack[by_mpi] / copy, kernel.name);
    copy_[1].add(unpack[by_mpi] / copy, kernel.name);
    for (int way = 0; way < ways; ++way) row.push_back(decimal(pack[way], 0, 1e9));
    for (int way = 0; way < ways; ++way)
      row.push_back(decimal(way == by_hand && in_place ? 0 : unpack[way], 0, 1e9));
    for (const Way other : {by_mpi, by_hand}) {
      row.push_back(ratio(pack_[other], pack[other] / pack[by_halocline], kernel.name));
      row.push_back(other == by_hand && in_place
                        ? Entry("-", nullptr)
                        : ratio(unpack_[other], unpack[other] / unpack[by_halocline], kernel.name));
    }
    table_.add(std::move(row));
  }

  void append_to(Answer& answer) const {
    const std::string group_names =
        Table({Column::left("times [ns] and ratios", 24), Column::right("bytes", 8),
               Column::right("pack", 26, "", " | "), Column::right("unpack", 26, "", " | "),
               Column::right("MPI / HCL", 13, "", " | "), Column::right("hand / HCL", 13, "", " | ")})
            .heading();
    append(answer, "kernels", group_names, table_);
    for (const Way other : {by_mpi, by_hand})
      answer.text += summary(pack_[other], way_names[other], "pack") +
                     summary(unpack_[other], way_names[other], "unpack");
    answer.text += fmt::format(
        "MPI / a plain copy of as many bytes, which nothing beats: pack {:.2f}, unpack {:.2f} in the "
        "geometric mean\n",
        copy_[0].mean(), copy_[1].mean());
  }

 private:
  static Entry ratio(Ratios& all, double value, const std::string& name) {
    all.add(value, name);
    return decimal(value, 2);
  }

  static std::vector<Column> columns() {
    std::vector<Column> all{Column::left("", 24, "kernel"), Column::right("", 8, "bytes"),
                            Column::hidden("plain_copy_seconds")};
    for (const char* const verb : {"pack", "unpack"})
      for (const char* const way : way_names)
        all.push_back(Column::right(way, 8, fmt::format("{}_{}_seconds", way, verb),
                                    way == way_names[0] ? " | " : " "));
    for (const Way other : {by_mpi, by_hand}) {
      all.push_back(Column::right("pack", 6, fmt::format("{}_pack_ratio", way_names[other]), " | "));
      all.push_back(Column::right("unpack", 6, fmt::format("{}_unpack_ratio", way_names[other])));
    }
    return all;
  }

  int rounds_;
  Table table_{columns()};
  std::array<Ratios, ways> pack_;
  std::array<Ratios, ways> unpack_;
  std::array<Ratios, 2> copy_;  ///< Of a plain copy, beside MPI's packs and unpacks.
};

struct DdtbenchWords {
  int rounds = 11;
  std::string words;
  bool quick = false;
};

Answer answer_ddtbench(const DdtbenchWords& words) {
  std::vector<Kernel> kernels = mesh_kernels(), lists = list_kernels();
  for (Kernel& kernel : lists) kernels.push_back(std::move(kernel));
  std::erase_if(kernels, [&](const Kernel& one) { return one.name.find(words.words) == std::string::npos; });
  require(!kernels.empty(), "words ", words.words, ": no kernel has them in its name");
  kernels = chosen(kernels, words.quick);
  const tools::MpiAnyway session;
  tools::ProgressBar progress("packing");
  Contest contest(words.rounds);
  double done = 0;
  for (const Kernel& kernel : kernels) {
    progress.at(kernel.name, done++ / static_cast<double>(kernels.size()));
    contest.add(kernel);
  }
  Answer answer;
  answer.text = fmt::format("{}, {} rounds\n", tools::mpi_vendor(), words.rounds);
  contest.append_to(answer);
  return answer;
}

}  // namespace

tools::Action declare_ddtbench(tools::Options& options) {
  auto words = std::make_shared<DdtbenchWords>();
  options.add_option("rounds", words->rounds, "of all ways of a row; the medians count")
      .capture_default_str()
      .positive();
  options.add_option("words", words->words, "only kernels that have them in their names");
  add_quick_option(options, words->quick);
  return [words] { return answer_ddtbench(*words); };
}

}  // namespace halocline::bench
