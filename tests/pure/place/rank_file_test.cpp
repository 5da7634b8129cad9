#include "place/rank_file.hpp"

#include "base/fail.hpp"
#include "expect_error.hpp"
#include "place/algorithms.hpp"

#include <map>
#include <sstream>

namespace halocline::place {
namespace {

struct World {
  Problem problem{Grid({4, 6}), Stencil::nearest(2), Machine::parse("nodes:8,10,6")};
  Placement placement = algorithm("kd-tree").place(problem);
  std::vector<std::string> hosts{"alpha", "beta", "gamma"};

  [[nodiscard]] std::string file(std::string_view format, Count cores_per_rank = 1) const {
    std::ostringstream out;
    write_rank_file(rank_file(format), {placement, problem.machine(), hosts, cores_per_rank}, out);
    return out.str();
  }
  /// The host that the placement wants for a rank of the program.
  [[nodiscard]] const std::string& host(Rank rank) const {
    const Rank position = placement.rank(problem.grid().cell(rank));
    return hosts[static_cast<std::size_t>(problem.machine().node_of(position))];
  }
};

TEST(RankFile, openmpi_names_host_and_core_of_each_rank) {
  const World world;
  std::istringstream lines(world.file("openmpi"));
  std::map<std::string, std::map<Count, int>> cores;
  std::string line;
  Rank expected = 0;
  for (; std::getline(lines, line); ++expected) {
    Rank rank = -1;
    char host[16] = {};
    long long slot = -1;
    long long read_rank = -1;
    ASSERT_EQ(std::sscanf(line.c_str(), "rank %lld=%15s slot=%lld", &read_rank, host, &slot), 3) << line;
    rank = read_rank;
    EXPECT_EQ(rank, expected);
    EXPECT_EQ(host, world.host(rank));
    EXPECT_EQ(++cores[host][slot], 1) << line;
  }
  EXPECT_EQ(expected, 24);
  EXPECT_EQ(cores["beta"].size(), 10U);
  EXPECT_EQ(cores["beta"].rbegin()->first, 9);
}

TEST(RankFile, openmpi_takes_the_cores_of_seats) {
  const World world;
  SeatCores seats;
  for (const Count size : {8, 10, 6})
    for (Count seat = 0; seat < size; ++seat) seats[size].push_back({4 * seat + size, 4 * seat + size + 1});
  std::ostringstream out;
  write_rank_file(rank_file("openmpi"), {world.placement, world.problem.machine(), world.hosts, 2, &seats},
                  out);
  std::istringstream narrow(world.file("openmpi")), seated(out.str());
  std::string line, seated_line;
  while (std::getline(narrow, line)) {
    ASSERT_TRUE(std::getline(seated, seated_line));
    const std::size_t equals = line.rfind('=');
    const Count size = line.find("alpha") != line.npos ? 8 : line.find("beta") != line.npos ? 10 : 6;
    const Count first = 4 * std::stoll(line.substr(equals + 1)) + size;
    EXPECT_EQ(seated_line, concat(line.substr(0, equals + 1), first, "-", first + 1));
  }
}

TEST(RankFile, openmpi_gives_each_rank_as_many_cores_as_it_has_threads) {
  const World world;
  std::istringstream narrow(world.file("openmpi")), wide(world.file("openmpi", 6));
  std::string line, wide_line;
  while (std::getline(narrow, line)) {
    ASSERT_TRUE(std::getline(wide, wide_line));
    const std::size_t equals = line.rfind('=');
    const Count slot = std::stoll(line.substr(equals + 1));
    EXPECT_EQ(wide_line, concat(line.substr(0, equals + 1), 6 * slot, "-", 6 * slot + 5));
  }
  EXPECT_FALSE(std::getline(wide, wide_line));
  expect_error(
      Fault::invalid_argument, [&] { (void)world.file("openmpi", Count{1} << 61); }, "2305843009213693952");
}

TEST(RankFile, other_launchers_are_told_on_their_command_line) {
  const World world;
  for (const char* const format : {"mpich", "slurm", "hydra"})
    EXPECT_EQ(world.file(format, 6), world.file(format)) << format;
  EXPECT_EQ(launch_line(rank_file("slurm"), "hosts", 6),
            "SLURM_HOSTFILE=hosts srun --distribution=arbitrary --cpus-per-task=6");
  EXPECT_EQ(launch_line(rank_file("hydra"), "hosts", 12), "mpiexec -f hosts -bind-to core:12");
  EXPECT_EQ(launch_line(rank_file("openmpi"), "ranks", 6), "mpirun --rankfile ranks");
  EXPECT_EQ(launch_line(rank_file("mpich"), "order", 2),
            "MPICH_RANK_REORDER_METHOD=3 with order as ./MPICH_RANK_ORDER, by srun --cpus-per-task=2 or "
            "aprun -d 2");
  for (const RankFile& format : rank_files())
    EXPECT_EQ(launch_line(format, "FILE", 1), format.use) << format.name;
}

TEST(RankFile, mpich_lists_the_ranks_of_each_node) {
  const World world;
  std::istringstream lines(world.file("mpich"));
  std::string line;
  for (std::size_t node = 0; std::getline(lines, line); ++node) {
    std::istringstream ranks(line);
    std::string rank;
    int count = 0;
    for (; std::getline(ranks, rank, ','); ++count)
      EXPECT_EQ(world.host(std::stoll(rank)), world.hosts[node]);
    EXPECT_EQ(count, world.problem.machine().node_sizes()[static_cast<Count>(node)]);
  }
}

TEST(RankFile, slurm_and_hydra_list_the_host_of_each_rank) {
  const World world;
  std::vector<std::string> from_slurm;
  std::istringstream slurm(world.file("slurm"));
  for (std::string line; std::getline(slurm, line);) from_slurm.push_back(line);
  std::vector<std::string> from_hydra;
  std::istringstream hydra(world.file("hydra"));
  for (std::string line; std::getline(hydra, line);) {
    const std::size_t colon = line.find(':');
    from_hydra.insert(from_hydra.end(), std::stoul(line.substr(colon + 1)), line.substr(0, colon));
  }
  ASSERT_EQ(from_slurm.size(), 24U);
  EXPECT_EQ(from_hydra, from_slurm);
  for (Rank rank = 0; rank < 24; ++rank)
    EXPECT_EQ(from_slurm[static_cast<std::size_t>(rank)], world.host(rank));
}

TEST(RankFile, refuses_missing_hosts_and_unknown_formats) {
  World world;
  expect_error(
      Fault::invalid_argument, [] { (void)rank_file("pbs"); }, "pbs", "openmpi, mpich, slurm, hydra");
  world.hosts.pop_back();
  expect_error(
      Fault::invalid_argument, [&] { (void)world.file("slurm"); }, "2 host names for 3 nodes");
  EXPECT_NO_THROW((void)world.file("mpich"));
  world.hosts = {"a", "", "c"};
  expect_error(
      Fault::invalid_argument, [&] { (void)world.file("hydra"); }, "empty");
}

}  // namespace
}  // namespace halocline::place
