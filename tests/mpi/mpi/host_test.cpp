// The host's topology, replayed from hwloc's synthetic descriptions.
#include "mpi/discovery/host.hpp"

#include "halocline/mpi/discover.hpp"

#include <gtest/gtest.h>
#include <hwloc.h>

#include <cstdio>
#include <cstdlib>

namespace halocline::mpi {
namespace {

/// hwloc shows the described host instead of the real one.
class SyntheticHost {
 public:
  explicit SyntheticHost(const char* description) { setenv("HWLOC_SYNTHETIC", description, 1); }
  ~SyntheticHost() { unsetenv("HWLOC_SYNTHETIC"); }
  SyntheticHost(const SyntheticHost&) = delete;
  SyntheticHost& operator=(const SyntheticHost&) = delete;
};

CpuMask cpus(std::initializer_list<unsigned> numbers) {
  CpuMask mask{};
  for (const unsigned cpu : numbers) mask[cpu / 64] |= std::uint64_t{1} << cpu % 64;
  return mask;
}

constexpr const char* two_packages = "package:2 numa:2 l3:2 core:2 pu:2";  // 32 processors

TEST(Host, bound_processes_are_located_at_every_level) {
  const SyntheticHost host(two_packages);
  const std::vector<CpuMask> masks{cpus({31}), cpus({0, 1}), cpus({8}), cpus({4, 5})};
  const std::vector<HostLocation> expected{{1, 3, 7, 15}, {0, 0, 0, 0}, {0, 1, 2, 4}, {0, 0, 1, 2}};
  EXPECT_EQ(locate(masks), expected);
}

TEST(Host, the_topology_is_read_once) {
  const std::vector<CpuMask> masks{cpus({0}), cpus({1})};
  const char* const file = "host_test.xml";
  const auto write = [&](const char* description) {
    hwloc_topology_t topology = nullptr;
    hwloc_topology_init(&topology);
    hwloc_topology_set_synthetic(topology, description);
    hwloc_topology_load(topology);
    EXPECT_EQ(hwloc_topology_export_xml(topology, file, 0), 0);
    hwloc_topology_destroy(topology);
  };
  write("package:2 core:1 pu:1");
  setenv("HWLOC_XMLFILE", file, 1);
  const std::vector<HostLocation> first = locate(masks);
  EXPECT_NE(first[0], first[1]);
  write("package:1 core:1 pu:2");
  EXPECT_EQ(locate(masks), first);
  unsetenv("HWLOC_XMLFILE");
  std::remove(file);
}

TEST(Host, a_level_that_one_process_spans_says_nothing) {
  const SyntheticHost host(two_packages);
  const std::vector<CpuMask> masks{cpus({0, 4}),
                                   cpus({16})};  // the first spans two caches, within one memory
  const std::vector<HostLocation> expected{{0, 0, 0, 0}, {1, 2, 0, 0}};
  EXPECT_EQ(locate(masks), expected);
}

TEST(Host, unbound_processes_have_no_location) {
  const SyntheticHost host(two_packages);
  CpuMask everywhere{};
  everywhere.fill(~std::uint64_t{0});
  for (const HostLocation& location : locate(std::vector<CpuMask>(5, everywhere)))
    EXPECT_EQ(location, HostLocation{});
  EXPECT_TRUE(locate({}).empty());
}

TEST(Host, this_process_may_run_somewhere) {
  const CpuMask mask = cpu_mask_of_this_process();
  EXPECT_NE(mask, CpuMask{});
  EXPECT_GE(usable_cores().size(), 1U);
}

TEST(Host, as_a_machine_of_one_node) {
  const Machine machine = this_host();
  EXPECT_EQ(machine.nodes(), 1);
  EXPECT_EQ(machine.ranks(), static_cast<Count>(usable_cores().size()));
}

}  // namespace
}  // namespace halocline::mpi
