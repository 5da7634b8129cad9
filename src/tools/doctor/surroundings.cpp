// SPDX-License-Identifier: BSD-3-Clause
// Examinations of what an MPI job stands on: version, processors, memory, what is there and what is not.

#include "base/numbers.hpp"
#include "compile/generated/llvm_module.hpp"
#include "exchange/memory/node_memory.hpp"
#include "exchange/memory/shared_object.hpp"
#include "mpi/discovery/host.hpp"
#include "mpi/discovery/slurm_nodes.hpp"
#include "mpi/handles/comm.hpp"
#include "tools/common/mpi_session.hpp"
#include "tools/doctor/doctor.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <sys/statvfs.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

namespace halocline::tools {
namespace {

using mpi::CpuMask;

int processors(const CpuMask& mask) {
  int number = 0;
  for (const std::uint64_t word : mask) number += std::popcount(word);
  return number;
}

/// The masks of all processes of this process's node.
std::vector<CpuMask> masks_of(MPI_Comm node) {
  const CpuMask mine = mpi::cpu_mask_of_this_process();
  std::vector<CpuMask> masks(to_size(mpi::size(node)));
  HALOCLINE_MPI(Allgather, mine.data(), sizeof(CpuMask), MPI_BYTE, masks.data(), sizeof(CpuMask), MPI_BYTE,
                node);
  return masks;
}

/// Are there huge pages behind this address of shared memory?
bool is_in_huge_pages(const std::byte* memory) {
  const auto place = reinterpret_cast<std::uintptr_t>(memory);
  std::ifstream mappings("/proc/self/smaps");
  bool here = false;
  for (std::string line; std::getline(mappings, line);) {
    std::uintptr_t first = 0, end = 0;
    long kibibytes = 0;
    if (std::sscanf(line.c_str(), "%lx-%lx ", &first, &end) == 2) here = first <= place && place < end;
    if (here && std::sscanf(line.c_str(), "ShmemPmdMapped: %ld", &kibibytes) == 1) return kibibytes > 0;
  }
  return false;
}

/// Does the memory of a large field get them? Collective over the node.
bool large_fields_in_huge_pages(MPI_Comm node) {
  const auto large = exchange::SharedSegment::create(node, 4 * exchange::huge_page);
  return large && is_in_huge_pages(large->part(mpi::rank(node)));
}

/// How many parts of `comm` there are of which this is one. Collective.
int parts(MPI_Comm comm, const mpi::Comm& part) {
  const int first = mpi::rank(part.get()) == 0 ? 1 : 0;
  int all = 0;
  HALOCLINE_MPI(Allreduce, &first, &all, 1, MPI_INT, MPI_SUM, comm);
  return all;
}

std::string nodes_text(int nodes) { return fmt::format("{} node{}", nodes, nodes == 1 ? "" : "s"); }

}  // namespace

Finding examine_version(MPI_Comm comm) {
  int version = 0, subversion = 0;
  HALOCLINE_MPI(Get_version, &version, &subversion);
  const bool enough = version > 3 || (version == 3 && subversion >= 1);
  return {enough ? Verdict::ok : Verdict::wrong,
          fmt::format("{}, MPI {}.{}, {} processes", mpi_vendor(), version, subversion, mpi::size(comm)),
          enough ? "" : "needs MPI 3.1 or newer"};
}

Finding examine_nodes(MPI_Comm comm) {
  const int told = parts(comm, mpi::split_shared(comm)), known = parts(comm, mpi::split_node(comm));
  const std::string found = fmt::format("{} processes on {}", mpi::size(comm), nodes_text(known));
  if (told == known) return {Verdict::ok, found + ", says MPI_COMM_TYPE_SHARED"};
  return {
      Verdict::slow,
      fmt::format("{} by Slurm's word, but MPI_COMM_TYPE_SHARED says {}", found, nodes_text(told)),
      "believes Slurm; the program's own MPI may send messages where there is shared memory (docs/slurm.md)"};
}

Finding examine_binding(MPI_Comm comm) {
  const mpi::Comm node = mpi::split_node(comm);
  const std::vector<CpuMask> masks = masks_of(node.get());
  const bool alike = std::all_of(masks.begin(), masks.end(), [&](const CpuMask& m) { return m == masks[0]; });
  const Extremes mine = extremes(comm, processors(mpi::cpu_mask_of_this_process()));
  // Alone on its node a process tells nothing by its mask but how many processors it may use.
  const bool bound_here = masks.size() > 1 ? !alike : processors(masks[0]) == 1;
  const std::string found = fmt::format("a process may use {} processors", from_to(mine));
  if (!anywhere(comm, !bound_here)) return {Verdict::ok, "processes are bound: " + found};
  return {Verdict::slow, "processes are not bound to places of their own: " + found,
          "knows nodes, but neither sockets nor caches; mpirun --bind-to core tells them"};
}

Finding examine_oversubscription(MPI_Comm comm) {
  const mpi::Comm node = mpi::split_node(comm);
  CpuMask all{};
  const std::vector<CpuMask> masks = masks_of(node.get());
  for (const CpuMask& mask : masks)
    for (std::size_t word = 0; word < all.size(); ++word) all[word] |= mask[word];
  const int here = to_int(masks.size());
  const Extremes running = extremes(comm, here), there = extremes(comm, processors(all));
  const std::string found =
      fmt::format("{} processes a node, {} processors for them", from_to(running), from_to(there));
  if (!anywhere(comm, here > processors(all))) return {Verdict::ok, found};
  return {Verdict::slow, found,
          "waiting processes yield at once; times below are those of the scheduler, too"};
}

Finding examine_shared_memory(MPI_Comm comm) {
  constexpr Count part_bytes = Count{1} << 20;
  const mpi::Comm node = mpi::split_node(comm);
  const int processes = mpi::size(node.get()), me = mpi::rank(node.get());
  if (extremes(comm, processes).most == 1)
    return {Verdict::absent, "no two processes share a node", "sends messages"};

  struct statvfs room {};
  const bool known = statvfs("/dev/shm", &room) == 0;
  const int free_mib = known ? static_cast<int>(std::min<std::uint64_t>(
                                   std::uint64_t{room.f_bavail} * room.f_frsize >> 20, 1 << 30))
                             : 0;
  const std::string space = fmt::format("/dev/shm has {} MiB left", from_to(extremes(comm, free_mib)));

  const auto segment = exchange::SharedSegment::create(node.get(), part_bytes);
  bool works = segment != nullptr;
  if (segment) {
    const int next = (me + 1) % processes;
    std::memset(segment->part(next), me + 1, part_bytes);  // each writes where another reads
    HALOCLINE_MPI(Barrier, node.get());
    const auto writer = static_cast<std::byte>((me + processes - 1) % processes + 1);
    works = std::all_of(segment->part(me), segment->part(me) + part_bytes,
                        [&](std::byte b) { return b == writer; });
    HALOCLINE_MPI(Barrier, node.get());
  }
  if (anywhere(comm, !works))
    return {Verdict::absent, space + "; 1 MiB a process cannot be had and shared",
            "sends messages inside nodes"};
  // 26 neighbours with a face of 128 x 128 doubles each, twice: what a large job may want.
  constexpr int comfortable_mib = 8;
  if (anywhere(comm, free_mib < comfortable_mib * processes))
    return {Verdict::slow,
            fmt::format("{}, less than {} MiB a process; segments work", space, comfortable_mib),
            "sends messages inside nodes once it is used up; give containers a larger --shm-size"};
  if (!anywhere(comm, !large_fields_in_huge_pages(node.get())))
    return {Verdict::ok, space + "; segments work, large fields in huge pages"};
  return {Verdict::ok, space + "; segments work",
          "exchanges large fields faster with huge pages: mount -o remount,huge=within_size /dev/shm"};
}

Finding examine_code_generator(MPI_Comm comm) {
  const bool present = compile::llvm_module_present(),
             opens = present && compile::llvm_generator() != nullptr;
  if (!anywhere(comm, !opens)) return {Verdict::ok, "libhalocline-llvm.so found and opened"};
  return {Verdict::absent,
          anywhere(comm, present)
              ? "libhalocline-llvm.so is there but cannot be used; HALOCLINE_LOG=1 tells why"
              : "libhalocline-llvm.so not found",
          "packs by precompiled kernels"};
}

Finding examine_persistent_collectives(MPI_Comm /*comm*/) {
  // Asked at run time: the MPI that is loaded need not be the one this was built with.
  if (dlsym(RTLD_DEFAULT, "PMPI_Neighbor_alltoall_init") != nullptr)
    return {Verdict::ok, "MPI_Neighbor_alltoall_init is there"};
  const bool extension = dlsym(RTLD_DEFAULT, "PMPIX_Neighbor_alltoall_init") != nullptr;
  return {Verdict::absent,
          extension ? "no MPI_Neighbor_alltoall_init; MPIX_Neighbor_alltoall_init is there"
                    : "no MPI_Neighbor_alltoall_init",
          "has persistent exchanges of its own, on plain messages and shared memory"};
}

}  // namespace halocline::tools
