// Random ground for halos: meshes, grids, and communicators with all that may have happened to them.
#pragma once

#include "exchange/scattered_block.hpp"
#include "halocline/describe/decomposition.hpp"
#include "halocline/describe/stencil.hpp"
#include "mpi/communicators/cart_comm.hpp"
#include "support/world.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <optional>
#include <string>

namespace halocline {

/// Where a communicator has its mesh from.
enum class CommKind {
  mesh,    ///< It was made for it.
  told,    ///< It was told, or the halo is.
  fields,  ///< From the fields of the halo.
};

/// A Cartesian communicator with what is known of it.
struct Ground {
  CommKind kind;
  Stencil stencil;  ///< Along which a communicator of kind mesh talks.
  mpi::Comm comm;
  mpi::Comm duplicate;  ///< Made when a halo asks for it, be there others already or not.
  Decomposition decomposition;
  Cell cell;
  Count widest;       ///< Halo that any process can fill.
  bool told_another;  ///< The communicator knows a mesh, but halos take that of their fields.
};

inline bool coin(Random& random, Count one_of = 2) { return random_in(random, 1, one_of) == 1; }

template <class T>
const T& any_of(const std::vector<T>& list, Random& random) {
  return list[static_cast<std::size_t>(random_in(random, 0, static_cast<Count>(list.size()) - 1))];
}

inline std::vector<std::size_t> shuffled(std::size_t number, Random& random) {
  std::vector<std::size_t> order(number);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::shuffle(order.begin(), order.end(), random);
  return order;
}

inline std::string random_nodes(Random& random) {
  Counts nodes;
  for (Count left = world_size(); left > 0; left -= nodes.back())
    nodes.push_back(std::min(left, random_in(random, 1, world_size())));
  std::string text = "node:" + std::to_string(nodes.size()) + " core:";
  for (std::size_t i = 0; i < nodes.size(); ++i) text += (i > 0 ? "," : "") + std::to_string(nodes[i]);
  return text;
}

inline Periodicity random_periods(std::size_t dimensions, Random& random) {
  Periodicity periodic;
  for (std::size_t d = 0; d < dimensions; ++d) periodic.push_back(coin(random));
  return periodic;
}

/// A grid of exactly so many processes.
inline Counts random_dims(Count processes, std::size_t dimensions, Random& random) {
  Counts dims(dimensions, 1);
  for (Count p = 2; processes > 1;)
    if (processes % p != 0) {
      ++p;
    } else {
      dims[static_cast<std::size_t>(random_in(random, 0, static_cast<Count>(dimensions) - 1))] *= p;
      processes /= p;
    }
  return dims;
}

inline mpi::Comm plain_cart(MPI_Comm comm, const Counts& dims, const Periodicity& periodic) {
  const std::vector<int> extents(dims.begin(), dims.end()), periods(periodic.begin(), periodic.end());
  mpi::Comm cart;
  MPI_Cart_create(comm, static_cast<int>(dims.size()), extents.data(), periods.data(), 0, cart.put());
  return cart;
}

/// One of MPI's own communicators, perhaps a part of one with a dimension more. Null on processes that are
/// left over.
inline mpi::Comm random_cart(MPI_Comm processes, std::size_t dimensions, Random& common) {
  const bool part = coin(common, 3);
  const std::size_t all = dimensions + (part ? 1 : 0);
  const Count cells = coin(common, 4) ? random_in(common, 1, mpi::size(processes)) : mpi::size(processes);
  mpi::Comm whole = plain_cart(processes, random_dims(cells, all, common), random_periods(all, common));
  if (!part || !whole) return whole;
  std::vector<int> kept(all, 1);
  kept[static_cast<std::size_t>(random_in(common, 0, static_cast<Count>(dimensions)))] = 0;
  mpi::Comm cart;
  MPI_Cart_sub(whole.get(), kept.data(), cart.put());
  return cart;
}

inline Stencil random_directions(std::size_t dimensions, Random& random) {
  if (coin(random, 3)) return Stencil::nearest(dimensions);
  const Stencil all = Stencil::moore(dimensions, 1);
  std::vector<Offset> some;
  for (const Offset& offset : all.offsets())
    if (!coin(random, 3)) some.push_back(offset);
  return some.empty() ? all : Stencil(some);
}

/// A duplicate, whose original is freed.
inline mpi::Comm only_its_duplicate(const mpi::Comm& original) {
  mpi::Comm duplicate;
  MPI_Comm_dup(original.get(), duplicate.put());
  return duplicate;
}

/// None on a process that is left over.
template <class Interface>
std::optional<Ground> random_ground(MPI_Comm processes, Random& common) {
  const bool lengthy = coin(common, 5);  // faces that are long messages
  const auto dimensions = static_cast<std::size_t>(lengthy ? 2 : random_in(common, 1, 4));
  const Count widest = random_in(common, 1, dimensions > 2 ? 2 : 3);
  const auto kind = any_of<CommKind>({CommKind::mesh, CommKind::told, CommKind::fields}, common);
  const Stencil stencil = coin(common) ? Stencil::nearest(dimensions) : Stencil::moore(dimensions, 1);
  const auto points = [&](std::size_t d) {
    return lengthy && d == 1 ? random_in(common, 1500, 2500) : random_in(common, 0, dimensions > 2 ? 3 : 9);
  };
  const bool duplicated = coin(common, 4);
  bool told_another = false;
  mpi::Comm comm;
  std::optional<Decomposition> decomposition;
  if (kind == CommKind::mesh) {
    Counts extents;
    for (std::size_t d = 0; d < dimensions; ++d) extents.push_back(mpi::size(processes) * widest + points(d));
    const Mesh mesh(extents, random_periods(dimensions, common));
    comm = Interface::mesh_comm(processes, mesh, stencil);
    decomposition.emplace(mesh, mpi::grid_of(comm.get()));
  } else {
    comm = random_cart(processes, dimensions, common);
    if (!comm) return std::nullopt;
    const Grid grid = mpi::grid_of(comm.get());
    std::vector<Counts> slabs(dimensions);
    for (std::size_t d = 0; d < dimensions; ++d) {
      const Count each = widest + points(d);  // an even mesh is told, any other one is made up by its fields
      for (Count i = 0; i < grid.extents()[d]; ++i)
        slabs[d].push_back(kind == CommKind::told || lengthy ? each : widest + points(d));
    }
    decomposition.emplace(grid, slabs);
    if (kind == CommKind::told) Interface::tell_mesh(comm.get(), decomposition->mesh());
    told_another = kind == CommKind::fields && coin(common, 3);
    if (told_another) {
      Counts longer = decomposition->mesh().extents();
      for (Count& extent : longer) ++extent;
      Interface::tell_mesh(comm.get(), Mesh(longer, decomposition->mesh().periodicity()));
    }
  }
  if (duplicated) comm = only_its_duplicate(comm);
  Cell cell = decomposition->grid().cell(mpi::rank(comm.get()));
  return Ground{kind,   stencil,     std::move(comm), {}, std::move(*decomposition), std::move(cell),
                widest, told_another};
}

}  // namespace halocline
