// halocline bench pack: MPI_Pack beside our packers, in one process.

#include "halocline/base/error.hpp"
#include "mpi/handles/comm.hpp"
#include "tools/bench/contest.hpp"
#include "tools/bench/pack_contest.hpp"
#include "tools/common/command.hpp"
#include "tools/common/mpi_session.hpp"

#include <fmt/format.h>

#include <memory>
#include <optional>

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
  std::optional<MpiSession> alone;
  if (!launched_by_mpi()) alone.emplace();
  Answer answer;
  answer.json = {{"side", words.side}, {"mpi", mpi_vendor()}, {"results", nlohmann::ordered_json::array()}};
  answer.text = fmt::format(
      "{}, parts of {}^3 doubles; ratio: MPI_Pack's time over ours\n\n{:<14} {:>10} {:>12} {:>12} {:>7}\n",
      mpi_vendor(), words.side, "pattern", "bytes", "MPI [us]", "ours [us]", "ratio");
  // Others of the job would only take processors away.
  if (mpi::rank(MPI_COMM_WORLD) == 0)
    for (const PackPattern& pattern : pack_patterns()) {
      const mpi::Datatype type = pattern.make(words.side);
      const PackTimes times = pack_times(MPI_COMM_WORLD, type.get(), words.side, words.seconds);
      answer.text += fmt::format("{:<14} {:>10} {:>12.3f} {:>12.3f} {:>7.2f}{}\n", pattern.name,
                                 times.packed_bytes, 1e6 * times.mpi_seconds, 1e6 * times.ours_seconds,
                                 times.ratio, times.same_bytes ? "" : "  other bytes!");
      answer.json["results"].push_back({{"pattern", pattern.name},
                                        {"meaning", pattern.meaning},
                                        {"bytes", times.packed_bytes},
                                        {"mpi_seconds", times.mpi_seconds},
                                        {"seconds", times.ours_seconds},
                                        {"ratio", times.ratio},
                                        {"same_bytes", times.same_bytes}});
    }
  wait_asleep(MPI_COMM_WORLD);
  return answer;
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
