// Fields on a torus whose every point tells which field it is of, and all ways in which halos exchange them.
#pragma once

#include "halocline/halo/field.hpp"
#include "halocline/halo/halo.hpp"
#include "support/option_words.hpp"
#include "support/world.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace halocline::rotating_fields {

inline const HaloWidths widths({2, 1}, {1, 3});

inline Cart torus(Count rows_each = 5) {
  const Count p = world_size();
  return {MPI_COMM_WORLD, Mesh({rows_each * p + 1, 4 * p}, periodic(1, 1)), Stencil::moore(2, 1)};
}

inline Count value_at(const Mesh& mesh, Count i, Count j, Count salt) {
  const Count n = mesh.extents()[0], m = mesh.extents()[1];
  return (((i + n) % n) * m + (j + m) % m) * 64 + salt;
}

template <class Visit>
void for_each_point(const Field<Count>& field, const Visit& visit) {
  const HaloWidths& halo = field.view().halo();
  for (Count i = -halo.low[0]; i < field.extent(0) + halo.high[0]; ++i)
    for (Count j = -halo.low[1]; j < field.extent(1) + halo.high[1]; ++j) {
      const bool own = i >= 0 && i < field.extent(0) && j >= 0 && j < field.extent(1);
      visit(i, j, own);
    }
}

/// Own points get the numbers of their mesh points, the halo those of nobody.
inline void fill(const Cart& cart, Field<Count>& field, Count salt) {
  for_each_point(field, [&](Count i, Count j, bool own) {
    field(i, j) =
        own ? value_at(cart.decomposition()->mesh(), field.first(0) + i, field.first(1) + j, salt) : -1;
  });
}

/// Points, own and halo, that do not hold the numbers of their mesh points.
inline Count wrong_points(const Cart& cart, const Field<Count>& field, Count salt) {
  Count wrong = 0;
  for_each_point(field, [&](Count i, Count j, bool) {
    if (field(i, j) != value_at(cart.decomposition()->mesh(), field.first(0) + i, field.first(1) + j, salt))
      ++wrong;
  });
  return wrong;
}

/// Points of the halo that something was written to since fill().
inline Count touched_points(const Field<Count>& field) {
  Count touched = 0;
  for_each_point(field, [&](Count i, Count j, bool own) { touched += !own && field(i, j) != -1; });
  return touched;
}

/// How blocks may travel.
struct Way {
  std::string machine, shared, schedule;
  bool shared_fields;
};

inline std::vector<Way> ways() {
  const std::string p = std::to_string(world_size());
  std::vector<Way> ways{{"node:1 core:" + p, "on", "auto", true},
                        {"node:1 core:" + p, "on", "auto", false},
                        {"node:1 core:" + p, "buffered", "auto", true},
                        {"node:1 core:" + p, "off", "direct", true}};
  if (world_size() % 2 == 0) {
    const std::string half = std::to_string(world_size() / 2);
    ways.push_back({"node:2 core:" + half, "on", "node", true});
    ways.push_back({"node:2 core:" + half, "on", "torus", true});
  }
  return ways;
}

/// Does the same in every way.
template <class Work>
void in_all_ways(const Work& work) {
  unsigned seed = 1;
  for (const Way& way : ways()) {
    SCOPED_TRACE(way.machine + " shared " + way.shared + " " + way.schedule);
    const DescribedMachine machine(way.machine);
    const mpi::Comm world = shuffled_world(seed++);
    const Count p = world_size();
    const Cart cart(world.get(), Mesh({5 * p + 1, 4 * p}, periodic(1, 1)), Stencil::moore(2, 1));
    HaloOptions options;
    options.exchange = options_of_words(way.schedule, "", way.shared);
    work(cart, options, FieldOptions{.halo = widths, .shared = way.shared_fields});
  }
}

}  // namespace halocline::rotating_fields
