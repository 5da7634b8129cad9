// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/communicators/shaped_cart.hpp"

#include "base/fail.hpp"
#include "base/join.hpp"
#include "base/log.hpp"
#include "base/numbers.hpp"
#include "base/settings.hpp"
#include "halocline/base/error.hpp"
#include "mpi/communicators/cart_comm.hpp"
#include "mpi/discovery/cached_discovery.hpp"
#include "mpi/handles/agree.hpp"
#include "mpi/handles/comm.hpp"
#include "mpi/settings/info.hpp"
#include "mpi/settings/plan_in_use.hpp"
#include "plan/placement/placement_choice.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace halocline::mpi {
namespace {

/// Sizes of the levels, outermost first, if every group of each level holds as many as the others.
std::optional<Counts> even_levels(const Machine& machine, std::span<const std::string> inner_levels) {
  std::vector<std::size_t> chosen{machine.node_level()};
  for (std::size_t level = machine.node_level() + 1; level < machine.levels().size(); ++level)
    if (std::find(inner_levels.begin(), inner_levels.end(), machine.levels()[level].name) !=
        inner_levels.end())
      chosen.push_back(level);
  Counts sizes;
  Count group = machine.ranks();
  for (const std::size_t level : chosen) {
    if (!machine.sizes(level).uniform()) return std::nullopt;
    const Count subgroup = machine.sizes(level)[0];
    if (group % subgroup != 0) return std::nullopt;
    sizes.push_back(group / subgroup);
    group = subgroup;
  }
  sizes.push_back(group);
  return sizes;
}

/// Periodicity is left out: the paper's cost does not know it, and so the grid is that of the dims functions.
shape::Problem problem_of(Counts levels, const ShapeRequest& request) {
  return {std::move(levels), request.weights, request.fixed, {}, {}};
}

Shape chosen_shape(const Counts& levels, const ShapeRequest& request) {
  return plan::choose_shape(problem_of(levels, request), request.how).shape;
}

/// Faces across dimension i are as large as weight_i * n_i, up to a common factor; as whole numbers for J.
Stencil weighted_faces(const Weights& weights, const Counts& dims) {
  constexpr double resolution = 1e6;
  std::vector<double> faces;
  for (std::size_t d = 0; d < dims.size(); ++d) faces.push_back(weights[d].value() * to_double(dims[d]));
  const double largest = *std::max_element(faces.begin(), faces.end());
  Counts face_weights;
  for (const double face : faces)
    face_weights.insert(face_weights.end(), 2, std::max<Count>(1, std::llround(face / largest * resolution)));
  return Stencil(Stencil::nearest(dims.size()).offsets(), face_weights);
}

struct Seat {
  Grid grid;
  Cell cell;
  std::string numbering;  ///< What cells the others have, as text: grids that look alike can differ in it.
  std::string why_not_by_plan = {};  ///< Empty if no plan is in use, or this is of one.
};

std::string text_of(const Seat& seat) { return seat.grid.to_text() + " " + seat.numbering; }

/// Agrees on the grid, which `choose` makes by an environment, then creates the communicator.
template <class Choose>
ShapedCart agreed_cart(MPI_Comm comm, const Choose& choose) {
  Votes of_all{};
  const Seat seat = agreed_by_first(
      comm, choose, [](const Seat& s) { return fingerprint(text_of(s)); },
      "the process grid, or what it is chosen by,",
      [&](const Seat& s) { return votes(standing(comm, s.grid, s.cell)); }, &of_all);
  if (rank(comm) == 0 && !seat.why_not_by_plan.empty())
    say_once(concat("the plan of ", plan_use, " is not used for a communicator: ", seat.why_not_by_plan));
  return {create_cart(comm, seat.grid, seat.cell, standing(of_all)), seat.grid.extents()};
}

Seat seat_in_shape(const Shape& shape, const ShapeRequest& request, Rank position) {
  std::string factors;
  for (const Counts& level : shape.levels) factors += join(level, "x") + " ";
  return {shape.grid(request.periodicity), shape.cell(position), std::move(factors)};
}

Seat seat_by_plan(const plan::Seating& seats, Rank position) {
  return {seats.grid, seats.placement.cell(position), "by plan"};
}

Seat seat_on_uneven_nodes(const Machine& machine, const ShapeRequest& request, Rank position,
                          const Environment& environment) {
  const shape::Problem problem = problem_of({machine.ranks()}, request);
  const Counts dims = plan::choose_shape(problem, machine.node_sizes()).dims;
  Grid grid(dims, request.periodicity);
  std::string why_not;
  if (const auto plan = plan_in_use(environment)) {
    PlannedSeats seats = planned_seats(*plan, grid, machine, nullptr);
    if (seats.seating) return seat_by_plan(*seats.seating, position);
    why_not = std::move(seats.why_not);
  }
  const std::string algorithm = setting(request.algorithm, MPI_INFO_NULL, settings::place.key,
                                        settings::place.variable, plan::best_placement.data(), environment);
  const Stencil faces = weighted_faces(request.weights, dims);
  const plan::PlacementChoice choice =
      plan::choose_placement(place::Problem(grid, faces, machine), algorithm);
  return {std::move(grid), choice.placement.cell(position), concat(faces.to_text(), " ", choice.algorithm),
          std::move(why_not)};
}

/// The number of this process's group among those of its parent, counted by the lowest rank in each.
int number_among_siblings(MPI_Comm parent, MPI_Comm group) {
  const int leading = rank(group) == 0 ? 1 : 0;
  int before = 0;
  HALOCLINE_MPI(Exscan, &leading, &before, 1, MPI_INT, MPI_SUM, parent);
  if (rank(parent) == 0) before = 0;  // Exscan leaves the first rank's result undefined
  HALOCLINE_MPI(Bcast, &before, 1, MPI_INT, 0, group);
  return before;
}

/// Are all processes of one in the other?
bool is_within(MPI_Comm inner, MPI_Comm outer) {
  Group inner_group, outer_group, others;
  HALOCLINE_MPI(Comm_group, inner, inner_group.put());
  HALOCLINE_MPI(Comm_group, outer, outer_group.put());
  HALOCLINE_MPI(Group_difference, inner_group.get(), outer_group.get(), others.put());
  int number = 0;
  HALOCLINE_MPI(Group_size, others.get(), &number);
  return number == 0;
}

}  // namespace

ShapedCart shaped_cart(MPI_Comm comm, std::span<const std::string> inner_levels,
                       const ShapeRequest& request) {
  const auto discovery = cached_discovery(comm);
  const Machine& machine = discovery->machine;
  const std::optional<Counts> levels = even_levels(machine, inner_levels);
  return agreed_cart(comm, [&](const Environment& environment) {
    return levels ? seat_in_shape(chosen_shape(*levels, request), request, discovery->position)
                  : seat_on_uneven_nodes(machine, request, discovery->position, environment);
  });
}

ShapedCart shaped_cart(std::span<const MPI_Comm> levels, const ShapeRequest& request) {
  const MPI_Comm all = levels.front();
  std::vector<int> sizes;
  for (const MPI_Comm level : levels) sizes.push_back(size(level));
  // Every rank must see the same, even levels before anything is split.
  (void)agreed(
      all,
      [&] {
        for (std::size_t l = 1; l < sizes.size(); ++l) {
          if (sizes[l - 1] % sizes[l] != 0)
            fail(Fault::invalid_dimensions, "groups of ", sizes[l], " processes do not divide a group of ",
                 sizes[l - 1], "; all groups of a level must be of one size");
          if (!is_within(levels[l], levels[l - 1]))
            fail(Fault::invalid_topology, "the communicator of level ", l,
                 " has processes that the one above it has not; levels are groups of those above them");
        }
        return join(sizes, ",");
      },
      fingerprint, "the size of a level's communicators");

  Counts level_sizes;
  Rank position = 0;
  for (std::size_t l = 1; l < levels.size(); ++l) {
    level_sizes.push_back(sizes[l - 1] / sizes[l]);
    position = position * level_sizes.back() + number_among_siblings(levels[l - 1], levels[l]);
  }
  level_sizes.push_back(sizes.back());
  position = position * sizes.back() + rank(levels.back());
  Cell cell;
  ShapedCart cart = agreed_cart(all, [&](const Environment& /*environment*/) {
    Seat seat = seat_in_shape(chosen_shape(level_sizes, request), request, position);
    cell = seat.cell;
    return seat;
  });
  std::optional<Error> error;
  if (rank(cart.comm.get()) != Grid(cart.dims).index(cell))
    error =
        Error(Fault::invalid_topology, "the communicators of the levels are not groups of those above them");
  agree(all, error);
  return cart;
}

}  // namespace halocline::mpi
