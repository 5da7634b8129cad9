// SPDX-License-Identifier: BSD-3-Clause
// halocline doctor: what the MPI of this job gets wrong, does slowly or does not have, one verdict a line.

#include "base/fail.hpp"
#include "base/split.hpp"
#include "halocline/base/error.hpp"
#include "mpi/handles/comm.hpp"
#include "tools/bench/measuring/contest_table.hpp"
#include "tools/common/command.hpp"
#include "tools/common/mpi_session.hpp"
#include "tools/common/table.hpp"
#include "tools/doctor/doctor.hpp"
#include "tools/doctor/watchdog.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <memory>
#include <optional>

namespace halocline::tools {

std::span<const Examination> examinations() {
  static constexpr std::array table{
      Examination{"version", 1, examine_version},
      Examination{"nodes", 2, examine_nodes},
      Examination{"binding", 1, examine_binding},
      Examination{"oversubscription", 1, examine_oversubscription},
      Examination{"shared-memory", 2, examine_shared_memory},
      Examination{"code-generator", 1, examine_code_generator},
      Examination{"gpu", 1, examine_gpu},
      Examination{"gpu-sharing", 1, examine_gpu_sharing},
      Examination{"gpu-in-mpi", 1, examine_gpu_in_mpi},
      Examination{"persistent-collectives", 1, examine_persistent_collectives},
      Examination{"cart-reorder", 2, examine_reorder},
      Examination{"dims-create", 1, examine_dims},
      Examination{"sides-of-one", 1, examine_sides_of_one},
      Examination{"sides-of-two", 2, examine_sides_of_two},
      Examination{"open-borders", 2, examine_open_borders},
      Examination{"doubled-edges", 2, examine_doubled_edges},
      Examination{"stride-of-minus-one", 1, examine_stride_of_minus_one},
      Examination{"empty-members", 1, examine_empty_members},
      Examination{"negative-extents", 1, examine_negative_extents},
      Examination{"unsigned-minimum", 2, examine_unsigned_minimum},
      Examination{"pack-speed", 1, examine_pack_speed},
      Examination{"collective-speed", 2, examine_collective_speed},
  };
  return table;
}

bool anywhere(MPI_Comm comm, bool here) {
  int mine = here ? 1 : 0, most = 0;
  HALOCLINE_MPI(Allreduce, &mine, &most, 1, MPI_INT, MPI_MAX, comm);
  return most != 0;
}

Extremes extremes(MPI_Comm comm, int mine) {
  std::array both{-mine, mine}, result{0, 0};
  HALOCLINE_MPI(Allreduce, both.data(), result.data(), 2, MPI_INT, MPI_MAX, comm);
  return {-result[0], result[1]};
}

std::string from_to(const Extremes& range) {
  return range.least == range.most ? std::to_string(range.least)
                                   : fmt::format("{} to {}", range.least, range.most);
}

namespace {

struct DoctorWords {
  std::string only;
  double seconds = 60;
};

const char* word_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::ok:
      return "ok";
    case Verdict::wrong:
      return "wrong";
    case Verdict::slow:
      return "slow";
    case Verdict::absent:
      return "absent";
    case Verdict::not_asked:
      return "-";
  }
  return "?";
}

/// What the processes find, even if the call they examine fails on some of them.
Finding examined(const Examination& examination, MPI_Comm world) {
  const int processes = mpi::size(world);
  if (processes < examination.least_ranks)
    return {Verdict::not_asked,
            fmt::format("needs {} processes, there are {}", examination.least_ranks, processes)};
  Finding finding{Verdict::wrong, {}};
  std::string failure;
  {
    mpi::Comm own;
    HALOCLINE_MPI(Comm_dup, world, own.put());
    HALOCLINE_MPI(Comm_set_errhandler, own.get(), MPI_ERRORS_RETURN);
    try {
      finding = examination.examine(own.get());
    } catch (const Error& error) {
      failure = error.what();
    }
  }
  // On the world, which the examination did not touch: processes where it failed meet the others here.
  const int me = mpi::rank(world), nobody = processes;
  int mine = failure.empty() ? nobody : me, first = nobody;
  HALOCLINE_MPI(Allreduce, &mine, &first, 1, MPI_INT, MPI_MIN, world);
  if (first == nobody) return finding;
  return {Verdict::wrong,
          fmt::format("failed on process {}: {}", first, mpi::broadcast(world, failure, first))};
}

Table finding_table() {
  return Table({Column::hidden("name"), Column::left("", 7, "verdict"), Column::left("", 23),
                Column::left("", 0), Column::hidden("found"), Column::hidden("remedy")});
}

void add(Table& table, const char* name, const Finding& finding) {
  const char* const verdict = word_of(finding.verdict);
  table.add({name,
             finding.verdict == Verdict::not_asked ? Entry{verdict, nullptr} : Entry(verdict),
             name,
             {finding.remedy.empty() ? finding.found : finding.found + "\nHalocline: " + finding.remedy, {}},
             finding.found,
             finding.remedy});
}

Answer answer_of(int ranks, const Table& table) {
  return {table.to_text(), {{"ranks", ranks}, {"findings", table.to_json()}}};
}

std::vector<Examination> chosen(const std::string& only) {
  const auto all = examinations();
  if (only.empty()) return {all.begin(), all.end()};
  std::vector<Examination> list;
  for (const std::string& name : split(only)) {
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const Examination& e) { return name == e.name; });
    if (found == all.end()) {
      std::string names;
      for (const Examination& e : all) names += (names.empty() ? "" : ", ") + std::string(e.name);
      fail(Fault::invalid_argument, "--only ", name, ": an examination is one of ", names);
    }
    list.push_back(*found);
  }
  return list;
}

Answer answer_doctor(const DoctorWords& words, bool as_json) {
  constexpr double most_seconds = 1e9;  // clocks count nanoseconds in 64 bits
  require(words.seconds > 0, "--seconds ", words.seconds, ": an examination needs some time");
  require(words.seconds <= most_seconds, "--seconds ", words.seconds, ": it takes at most ", most_seconds);
  const std::vector<Examination> list = chosen(words.only);
  require(launched_by_mpi(), "doctor examines the MPI of a job: mpirun -n 8 halocline doctor");
  const bool speaks = mpi::rank(MPI_COMM_WORLD) == 0;
  const int ranks = mpi::size(MPI_COMM_WORLD);
  Table table = finding_table();
  for (const Examination& examination : list) {
    show_progress(MPI_COMM_WORLD, examination.name);
    // An MPI that never comes back cannot be left but by ending the process: what is known is told first. The
    // speaking process is enough, since all meet after an examination.
    std::optional<Watchdog> watchdog;
    if (speaks)
      watchdog.emplace(words.seconds, [&] {
        Table known = table;
        add(known, examination.name,
            {Verdict::wrong,
             fmt::format("did not come back within {} s; the examination ends here", words.seconds),
             {}});
        const Answer told = answer_of(ranks, known);
        fmt::print("{}", as_json ? told.json.dump(2) + "\n" : told.text);
        std::fflush(stdout);
      });
    add(table, examination.name, examined(examination, MPI_COMM_WORLD));
  }
  show_progress(MPI_COMM_WORLD, "");
  return answer_of(ranks, table);
}

}  // namespace

Action declare_doctor(Options& options) {
  auto words = std::make_shared<DoctorWords>();
  options.add_option("--only", words->only, "names of examinations, with commas between them (default: all)");
  options.add_option("--seconds", words->seconds, "the job is ended if one examination takes longer")
      .capture_default_str();
  const Option json = options.find("--json");
  return [words, json] { return answer_doctor(*words, json.given()); };
}

}  // namespace halocline::tools
