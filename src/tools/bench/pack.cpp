// SPDX-License-Identifier: BSD-3-Clause
// halocline bench pack: MPI_Pack beside our packers, in one process.

#include "base/fail.hpp"
#include "mpi/handles/comm.hpp"
#include "tools/bench/measuring/contest.hpp"
#include "tools/bench/rivals/pack_contest.hpp"
#include "tools/common/command.hpp"
#include "tools/common/mpi_session.hpp"
#include "tools/common/table.hpp"

#include <fmt/format.h>

#include <memory>

namespace halocline::tools {
namespace {

struct PackWords {
  int side = 128;
  double seconds = 0.3;
};

Answer answer_bench_pack(const PackWords& words) {
  constexpr int most_side = 512;  // 1 GiB
  require(words.side >= 3 && words.side <= most_side, "--side ", words.side, ": a cube has 3 to ", most_side,
          " points along each side");
  const MpiAnyway session;
  Table table({Column::left("pattern", 14, "pattern"), Column::hidden("meaning"),
               Column::right("bytes", 10, "bytes"), Column::right("MPI [us]", 12, "mpi_seconds"),
               Column::right("ours [us]", 12, "seconds"), Column::right("speedup", 7, "ratio"),
               Column::left("", 0, "same_bytes", "")});
  // Others of the job would only take processors away.
  if (mpi::rank(MPI_COMM_WORLD) == 0)
    for (const PackPattern& pattern : pack_patterns()) {
      const mpi::Datatype type = pattern.make(words.side);
      const PackTimes times = pack_times(MPI_COMM_WORLD, type.get(), words.side, words.seconds);
      table.add({pattern.name,
                 pattern.meaning,
                 times.packed_bytes,
                 decimal(times.mpi_seconds, 3, 1e6),
                 decimal(times.ours_seconds, 3, 1e6),
                 decimal(times.ratio, 2),
                 {times.same_bytes ? "" : "  other bytes!", times.same_bytes}});
    }
  wait_asleep(MPI_COMM_WORLD);
  return {fmt::format("{}, parts of {}^3 doubles; speedup: how many times as fast as MPI_Pack\n\n{}",
                      mpi_vendor(), words.side, table.to_text()),
          {{"side", words.side}, {"mpi", mpi_vendor()}, {"results", table.to_json()}}};
}

}  // namespace

Action declare_bench_pack(Options& options) {
  auto words = std::make_shared<PackWords>();
  options.add_option("--side", words->side, "points along each side of the cube of doubles")
      .capture_default_str();
  options.add_option("--seconds", words->seconds, "of packing for each pattern, about")
      .capture_default_str()
      .positive();
  return [words] { return answer_bench_pack(*words); };
}

}  // namespace halocline::tools
