// SPDX-License-Identifier: BSD-3-Clause
#include "tools/common/shared_options.hpp"

#include "base/fail.hpp"
#include "base/scanner.hpp"

#include <algorithm>
#include <fstream>

namespace halocline::tools {

void PeriodicWords::declare(Options& options) {
  options.add_option("--periodic", periodic_, "all, none, or a 0 or 1 for each dimension: 1,0")
      .capture_default_str();
}

Periodicity PeriodicWords::periodicity(std::size_t dimensions) const {
  return read_option("--periodic", periodic_,
                     [&](const std::string& text) { return parse_periodicity(text, dimensions); });
}

void GridWords::declare(Options& options) { declare_optional(options).required(); }

Option GridWords::declare_optional(Options& options) {
  const Option grid = options.add_option("--grid", grid_, "process grid, such as 50x48");
  periodic_.declare(options);
  return grid;
}

Grid GridWords::grid() const {
  const Grid open = read_option("--grid", grid_, Grid::parse);
  return Grid(open.extents(), periodic_.periodicity(open.dimensions()));
}

void JobGridWords::declare(Options& options) {
  options.add_option("--grid", grid_, "process grid (default: MPI_Dims_create)");
}

Grid JobGridWords::grid() const { return read_option("--grid", grid_, Grid::parse); }

void MachineWords::declare(Options& options) {
  const Option nodes = options.add_option("--nodes", nodes_,
                                          "node sizes: 50x48 (50 nodes of 48), \"40x48,20x24\" or 48,48,17");
  options
      .add_option(
          "--levels", levels_,
          "an even machine, outermost level first: 625,2,12; or any, with names: \"node:2 gpu:4 core:8\"")
      .excludes(nodes);
}

Machine MachineWords::machine() const {
  if (!levels_.empty())
    return read_option("--levels", levels_, [](const std::string& text) {
      const bool has_names = text.find(':') != std::string::npos;
      return has_names ? Machine::parse(text) : Machine::of_levels(parse_counts(text));
    });
  require(!nodes_.empty(), "--nodes or --levels is missing: --nodes 50x48 means 50 nodes of 48 processes");
  return read_option("--nodes", nodes_,
                     [](const std::string& text) { return Machine::of_nodes(Runs::parse(text)); });
}

void StencilWords::declare(Options& options) {
  options
      .add_option(
          "--stencil", stencil_,
          "nearest, hops, component, moore:R, star:R, octant:R, or offsets with weights: \"1,0*8;0,1*2\"")
      .capture_default_str();
}

Stencil StencilWords::stencil(std::size_t dimensions) const {
  return read_option("--stencil", stencil_,
                     [&](const std::string& text) { return Stencil::parse(text, dimensions); });
}

Option NetworkWords::declare(Options& options) {
  const Option network = options.add_option(
      "--network", network_, "such as mesh:64x64x64, torus:25x16x24, fat-tree:5x24, dragonfly:9x4x2");
  options
      .add_option("--allocation", allocation_,
                  "file with one node a line: coordinates, or a name and coordinates (default: all nodes)")
      .needs(network);
  return network;
}

Network NetworkWords::network() const { return read_option("--network", network_, Network::parse); }

NamedAllocation NetworkWords::allocation() const {
  if (allocation_.empty()) return {Allocation::whole(network()), {}};
  std::ifstream file(allocation_);
  require(file.good(), "--allocation ", allocation_, ": cannot be read");
  return read_option("--allocation", allocation_,
                     [&](const std::string&) { return NamedAllocation::read(file, network()); });
}

Allocation NetworkWords::of_job(const std::vector<std::string>& hosts, Count nodes) const {
  const NamedAllocation named = allocation();
  Allocation all = named.hosts.empty() || hosts.empty()
                       ? named.allocation
                       : read_option("--allocation", allocation_,
                                     [&](const std::string&) { return named.of_hosts(hosts); });
  require(all.size() == nodes, "--network and --allocation are about ", all.size(),
          " nodes, the machine has ", nodes, "; nodes with names are chosen by those of the job");
  return all;
}

Option declare_mapping(Options& options, std::string& mapping) {
  return options
      .add_option(
          "--mapping", mapping,
          "how nodes change places on --network: z2_1, z2_2 or z2_3, for fewer hops; or links, so that the "
          "fullest link has less to do")
      .capture_default_str();
}

Counts parse_counts(const std::string& text, const char* separator) {
  return Scanner("list of integers", text, concat("4", separator, "2", separator, "12"))
      .whole_list(&Scanner::integer, separator);
}

Counts halo_widths(const std::string& text, std::size_t dimensions) {
  if (text.empty()) return Counts(dimensions, 1);
  return read_option("--halo", text, [&](const std::string& t) {
    Counts halo = parse_counts(t, "x");
    if (halo.size() == 1) halo.assign(dimensions, halo.front());
    require(halo.size() == dimensions, halo.size(), " widths for a mesh of ", dimensions, " dimensions");
    require(std::all_of(halo.begin(), halo.end(), [](Count width) { return width >= 0; }),
            "a width is negative");
    return halo;
  });
}

Counts fixed_extents(const std::string& text, std::size_t dimensions) {
  if (text.empty()) return {};
  return read_option("--fixed", text, [&](const std::string& t) {
    Counts fixed = parse_counts(t, "x");
    require(fixed.size() == dimensions, fixed.size(), " fixed extents for ", dimensions, " dimensions");
    return fixed;
  });
}

std::vector<double> parse_numbers(const std::string& text) {
  return Scanner("list of numbers", text, "7,1.5").whole_list(&Scanner::number);
}

}  // namespace halocline::tools
