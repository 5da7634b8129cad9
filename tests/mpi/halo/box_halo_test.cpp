// Halos of several boxes a process: random meshes cut into random boxes, with holes, and boxes connected by
// hand, against what is painted point by point. Longer, with progress:
//   HALOCLINE_SECONDS=600 HALOCLINE_SEED=1 mpirun -n 4 build/release/bin/mpi_tests --files=halo/box_halo

#include "halocline/halo/box_halo.hpp"

#include "expect_error.hpp"
#include "halo/random_fields.hpp"
#include "support/trials.hpp"
#include "support/world.hpp"

#include <map>
#include <memory>

namespace halocline::box_halo_tests {
namespace {

/// An own point of a box.
struct Place {
  std::size_t box;
  Cell point;
};

/// What ghost points show, painted point by point.
class Painted {
 public:
  Painted(const Boxes& boxes, const Stencil& directions) : boxes_(boxes), directions_(directions) {
    for (std::size_t b = 0; b < boxes.size(); ++b) {
      if (!boxes.mesh()) break;
      for_each_point(boxes[b].box.extents, HaloWidths(Counts(boxes.dimensions(), 0)), [&](const Cell& point) {
        Cell there = point;
        for (std::size_t d = 0; d < there.size(); ++d) there[d] += boxes[b].box.first[d];
        owned_[boxes.mesh()->index(there)] = {b, point};
      });
    }
    for (const Connection& connection : boxes.connections())
      for_each_point(
          connection.ghosts.extents, HaloWidths(Counts(boxes.dimensions(), 0)), [&](const Cell& step) {
            Cell ghost = step, point = connection.first;
            for (std::size_t d = 0; d < step.size(); ++d) {
              ghost[d] += connection.ghosts.first[d];
              point[connection.axes[d].dimension] += connection.axes[d].backwards ? -step[d] : step[d];
            }
            connected_[{connection.to, ghost}] = {connection.from, point};
          });
  }

  [[nodiscard]] const Place* shown_by(std::size_t box, const Cell& point) const {
    const Counts& extents = boxes_[box].box.extents;
    const Offset side = side_of(point, extents);
    if (side == Offset(side.size(), 0)) return nullptr;
    if (!boxes_.mesh()) {
      const auto found = connected_.find({box, point});
      return found == connected_.end() ? nullptr : &found->second;
    }
    const std::vector<Offset>& filled = directions_.offsets();
    if (std::find(filled.begin(), filled.end(), side) == filled.end()) return nullptr;
    const Mesh& mesh = *boxes_.mesh();
    Cell there;
    for (std::size_t d = 0; d < point.size(); ++d) {
      Count at = boxes_[box].box.first[d] + point[d];
      const Count extent = mesh.extents()[d];
      if (at < 0 || at >= extent) {
        if (!mesh.periodic(d)) return nullptr;
        while (at < 0) at += extent;
        while (at >= extent) at -= extent;
      }
      there.push_back(at);
    }
    const auto found = owned_.find(mesh.index(there));
    return found == owned_.end() ? nullptr : &found->second;
  }

 private:
  const Boxes& boxes_;
  Stencil directions_;
  std::map<Count, Place> owned_;
  std::map<std::pair<std::size_t, Cell>, Place> connected_;
};

std::uint64_t number_of(std::size_t box, const Cell& point, std::size_t field, Count time) {
  std::uint64_t number = box * 7919 + field * 104729 + static_cast<std::uint64_t>(time);
  for (const Count c : point) number = number * 0x9e3779b97f4a7c15ULL + static_cast<std::uint64_t>(c) + 1;
  return number;
}
std::byte byte_of(std::uint64_t number, std::size_t i) {
  number += i * 0xbf58476d1ce4e5b9ULL;
  number = (number ^ (number >> 29)) * 0x94d049bb133111ebULL;
  return static_cast<std::byte>(number >> 56);
}

/// A field on the boxes of this process, each in memory of its own.
struct Field {
  Element element;
  HaloWidths halo;
  std::vector<std::unique_ptr<RandomArray>> arrays;
  std::vector<FieldView> views;

  void for_each_byte(std::size_t i, const auto& visit) const {
    const FieldView& view = views[i];
    for_each_point(view.extents(), halo, [&](const Cell& point) {
      auto* const address = static_cast<std::byte*>(view.at(point));
      for (std::size_t k = 0; k < element.offsets.size(); ++k) visit(point, k, address[element.offsets[k]]);
    });
  }
};

Field random_field(const Boxes& boxes, Count widest, Random& common, Random& own) {
  const std::size_t dimensions = boxes.dimensions();
  Field field{random_element(random_in(common, 1, 24), true, common), {}, {}, {}};
  for (std::size_t d = 0; d < dimensions; ++d) {
    field.halo.low.push_back(random_in(common, 0, widest));
    field.halo.high.push_back(random_in(common, 0, widest));
  }
  for (const std::size_t box : boxes.of(world_rank())) {
    const Counts& extents = boxes[box].box.extents;
    const Layout& layout = field.element.layout;
    field.arrays.push_back(std::make_unique<RandomArray>(extents, field.halo, layout, own));
    const RandomArray& array = *field.arrays.back();
    std::byte* origin = array.first;
    for (std::size_t d = 0; d < dimensions; ++d) origin += field.halo.low[d] * array.strides[d];
    field.views.emplace_back(origin, layout, extents, array.strides, field.halo);
  }
  return field;
}

Boxes random_cut(Random& random) {
  const auto dimensions = static_cast<std::size_t>(random_in(random, 1, 4));
  Counts extents;
  Periodicity periodicity;
  for (std::size_t d = 0; d < dimensions; ++d) {
    extents.push_back(random_in(random, 1, dimensions < 3 ? 14 : 6));
    periodicity.push_back(random_in(random, 0, 1) == 1);
  }
  std::vector<Box> boxes{{Cell(dimensions, 0), extents}};
  for (Count cuts = random_in(random, 0, 12); cuts > 0; --cuts) {
    Box& box = boxes[static_cast<std::size_t>(random_in(random, 0, static_cast<Count>(boxes.size()) - 1))];
    const auto d = static_cast<std::size_t>(random_in(random, 0, static_cast<Count>(dimensions) - 1));
    if (box.extents[d] < 2) continue;
    const Count below = random_in(random, 1, box.extents[d] - 1);
    Box above = box;
    above.first[d] += below;
    above.extents[d] -= below;
    box.extents[d] = below;
    boxes.push_back(above);
  }
  std::shuffle(boxes.begin(), boxes.end(), random);
  if (random_in(random, 0, 2) == 0) boxes.resize((boxes.size() + 1) / 2);  // nobody owns the others
  std::vector<OwnedBox> owned;
  const Count last = random_in(random, 0, world_size() - 1);
  for (const Box& box : boxes) owned.push_back({random_in(random, 0, last), box});
  return Boxes(Mesh(extents, periodicity), owned);
}

/// Ghosts somewhere around a box, of extents that `from` has along these axes.
Connection random_connection(const std::vector<OwnedBox>& boxes, Random& random) {
  const std::size_t dimensions = boxes.front().box.extents.size();
  const auto any = [&] {
    return static_cast<std::size_t>(random_in(random, 0, static_cast<Count>(boxes.size()) - 1));
  };
  Connection connection{any(), {}, any(), Cell(dimensions, 0), {}};
  const Counts &to = boxes[connection.to].box.extents, &from = boxes[connection.from].box.extents;
  std::vector<std::size_t> along(dimensions);
  std::iota(along.begin(), along.end(), std::size_t{0});
  std::shuffle(along.begin(), along.end(), random);
  for (std::size_t d = 0; d < dimensions; ++d) {
    const bool backwards = random_in(random, 0, 1) == 1;
    const Count extent = random_in(random, 1, from[along[d]]);
    const Count lowest = random_in(random, 0, from[along[d]] - extent);
    connection.axes.push_back({along[d], backwards});
    connection.ghosts.first.push_back(random_in(random, -4, to[d] + 3));
    connection.ghosts.extents.push_back(extent);
    connection.first[along[d]] = backwards ? lowest + extent - 1 : lowest;
  }
  return connection;
}

Boxes random_connected(Random& random) {
  const auto dimensions = static_cast<std::size_t>(random_in(random, 1, 3));
  std::vector<OwnedBox> boxes;
  for (Count count = random_in(random, 1, 7); count > 0; --count) {
    Counts extents;
    for (std::size_t d = 0; d < dimensions; ++d) extents.push_back(random_in(random, 1, 6));
    boxes.push_back({random_in(random, 0, world_size() - 1), {Cell(dimensions, 0), extents}});
  }
  std::vector<Connection> connections;
  for (Count tries = random_in(random, 0, 40); tries > 0; --tries) {
    std::vector<Connection> more = connections;
    more.push_back(random_connection(boxes, random));
    try {
      (void)Boxes(boxes, more);
      connections = std::move(more);
    } catch (const Error&) {
      continue;  // in the way of others
    }
  }
  return Boxes(boxes, connections);
}

Stencil random_directions(std::size_t dimensions, Random& random) {
  const Stencil all = Stencil::moore(dimensions, 1);
  if (random_in(random, 0, 1) == 0) return all;
  std::vector<Offset> some;
  for (const Offset& offset : all.offsets())
    if (random_in(random, 0, 2) > 0 || some.empty()) some.push_back(offset);
  return Stencil(some);
}

void fill(const std::vector<Field>& fields, const std::vector<std::size_t>& own, Count time) {
  for (std::size_t f = 0; f < fields.size(); ++f)
    for (std::size_t i = 0; i < own.size(); ++i)
      fields[f].for_each_byte(i, [&](const Cell& point, std::size_t k, std::byte& at) {
        at = byte_of(number_of(own[i], point, f, time), k);
      });
}

Count wrong_bytes(const Painted& painted, const std::vector<Field>& fields,
                  const std::vector<std::size_t>& own, Count time) {
  Count wrong = 0;
  for (std::size_t f = 0; f < fields.size(); ++f)
    for (std::size_t i = 0; i < own.size(); ++i)
      fields[f].for_each_byte(i, [&](const Cell& point, std::size_t k, const std::byte& at) {
        const Place* const shown = painted.shown_by(own[i], point);
        const std::uint64_t number = shown == nullptr ? number_of(own[i], point, f, time)
                                                      : number_of(shown->box, shown->point, f, time);
        wrong += at != byte_of(number, k);
      });
  return wrong;
}

std::string text_of(const Boxes& boxes) {
  std::string text = boxes.mesh() ? boxes.mesh()->to_text() : "connected";
  for (const OwnedBox& one : boxes.list())
    text +=
        " " + std::to_string(one.owner) + ":" + join(one.box.first, ",") + "+" + join(one.box.extents, "x");
  return text;
}

TEST(BoxHalo, shows_what_is_painted) {
  for (Trials trials("halos of random boxes", 17, 60); trials.next();) {
    Random common(trials.seed());
    const Boxes boxes = random_in(common, 0, 3) == 0 ? random_connected(common) : random_cut(common);
    Random own_random(trials.seed() * 131 + static_cast<std::uint64_t>(world_rank()));
    const std::vector<std::size_t> own = boxes.of(world_rank());
    const Stencil directions = random_directions(boxes.dimensions(), common);
    const Count widest = boxes.dimensions() > 2 ? 2 : random_in(common, 0, 2) == 0 ? 17 : 3;
    std::vector<Field> fields;
    std::vector<std::vector<FieldView>> views;
    for (Count count = random_in(common, 1, 3); count > 0; --count) {
      fields.push_back(random_field(boxes, widest, common, own_random));
      views.push_back(fields.back().views);
    }
    HaloOptions options{.directions = directions};
    if (random_in(common, 0, 2) == 0) options.exchange.shared = SharedMemory::off;
    BoxHalo halo(MPI_COMM_WORLD, boxes, views, options);
    BoxHalo again(MPI_COMM_WORLD, boxes, views, options);
    const Painted painted(boxes, directions);
    for (Count time = 0; time < 3; ++time) {
      fill(fields, own, time);
      MPI_Barrier(MPI_COMM_WORLD);
      if (time == 2) {  // the first one's end is left to the other's wait
        halo.start();
        halo.wait();
        again.start();
        while (!again.test()) continue;
      } else {
        halo.exchange();
      }
      EXPECT_EQ(wrong_bytes(painted, fields, own, time), 0)
          << trials << "time " << time << " of " << text_of(boxes);
      MPI_Barrier(MPI_COMM_WORLD);
    }
    EXPECT_NO_THROW(halo.verify()) << trials << text_of(boxes);
  }
}

TEST(BoxHalo, gathers_what_each_process_says) {
  const Mesh mesh({world_size(), 3}, periodic(1, 0));
  const Count row = (world_rank() + 1) % world_size();
  const Boxes boxes = gathered_boxes(MPI_COMM_WORLD, mesh, {{{row, 0}, {1, 2}}, {{row, 2}, {1, 1}}});
  ASSERT_EQ(boxes.size(), static_cast<std::size_t>(2 * world_size()));
  for (Rank rank = 0; rank < world_size(); ++rank) {
    const std::vector<std::size_t> its = boxes.of(rank);
    ASSERT_EQ(its.size(), 2U);
    EXPECT_EQ(boxes[its[0]].box, (Box{{(rank + 1) % world_size(), 0}, {1, 2}}));
  }
}

TEST(BoxHalo, refuses_the_same_on_all_ranks) {
  const Mesh mesh({2 * world_size(), 4});
  const Boxes boxes = gathered_boxes(MPI_COMM_WORLD, mesh, {{{2 * world_rank(), 0}, {2, 4}}});
  std::vector<double> memory(4 * 6);
  const auto view_of = [&](const Counts& extents, const HaloWidths& halo) {
    return view(memory.data(), extents, halo);
  };
  const auto refused = [&](Fault fault, const std::vector<std::vector<FieldView>>& fields, const char* words,
                           const HaloOptions& options = {}) {
    expect_error(
        fault, [&] { BoxHalo(MPI_COMM_WORLD, boxes, fields, options); }, words);
  };
  const bool last = world_rank() + 1 == world_size();
  const FieldView good = view_of({4, 6}, HaloWidths({1, 1}));
  refused(Fault::invalid_argument, {}, "one field at least");
  refused(Fault::invalid_argument, {last ? std::vector<FieldView>{} : std::vector{good}}, "has 0 views");
  refused(Fault::invalid_dimensions, {{last ? view_of({3, 6}, HaloWidths({1, 1})) : good}}, "1x4 own points");
  refused(Fault::unsupported, {{good}}, "carry", {.borders = Borders::carry});
  refused(Fault::unsupported, {{last ? staggered(good, {1}) : good}}, "staggered along 1");
  refused(Fault::invalid_argument, {{good}}, "(2,0)", {.directions = Stencil({{2, 0}})});
  if (world_size() > 1)
    refused(Fault::invalid_dimensions, {{last ? view_of({2, 6}, HaloWidths({0, 1})) : good}}, "field 0");
  if (world_size() > 1)
    expect_error(
        Fault::invalid_argument,
        [&] {
          (void)gathered_boxes(MPI_COMM_WORLD, Mesh({2 * world_size(), last ? 4 : 5}), {});
        },
        "the mesh");
  expect_error(
      Fault::invalid_dimensions,
      [&] {
        (void)gathered_boxes(MPI_COMM_WORLD, mesh, {{{0, 0}, {1, 5}}});
      },
      "reaches beyond the mesh");
  BoxHalo halo(MPI_COMM_WORLD, boxes, {{good}});
  halo.start();
  expect_error(
      Fault::invalid_argument, [&] { halo.start(); }, "under way");
  expect_error(
      Fault::invalid_argument, [&] { halo.verify(); }, "under way");
  halo.wait();
  const BoxHalo moved = std::move(halo);
  expect_error(
      Fault::invalid_argument, [&] { halo.start(); }, "moved from");
  EXPECT_FALSE(moved.active());
}

TEST(BoxHalo, sends_one_message_to_a_process) {
  // A checkerboard of squares: every process has many, and one message for each other.
  const Count side = 8;
  std::vector<OwnedBox> owned;
  for (Count i = 0; i < side; ++i)
    for (Count j = 0; j < side; ++j) owned.push_back({(i + j) % world_size(), {{4 * i, 4 * j}, {4, 4}}});
  const Boxes boxes(Mesh({4 * side, 4 * side}, periodic(1, 1)), owned);
  std::vector<std::vector<double>> memory;
  std::vector<std::vector<FieldView>> fields(1);
  for (std::size_t i = 0; i < boxes.of(world_rank()).size(); ++i) {
    memory.emplace_back(6 * 6);
    fields[0].push_back(view(memory.back().data(), {6, 6}, HaloWidths({1, 1})));
  }
  BoxHalo halo(MPI_COMM_WORLD, boxes, fields);
  halo.exchange();
  const ExchangeStatistics statistics = halo.statistics();
  EXPECT_EQ(statistics.exchanges, 1);
  EXPECT_LE(statistics.node.messages + statistics.network.messages, world_size() - 1);
  const Traffic mine{statistics.node.messages + statistics.network.messages,
                     statistics.node.bytes + statistics.network.bytes};
  Traffic all, of_one_process;
  for (const Count messages : everyones(MPI_COMM_WORLD, mine.messages)) all.messages += messages;
  for (const Count bytes : everyones(MPI_COMM_WORLD, mine.bytes)) all.bytes += bytes;
  EXPECT_EQ(halo.traffic().to_others, all);
  EXPECT_EQ(halo.traffic().to_itself.bytes + all.bytes, side * side * (36 - 16) * 8);
}

}  // namespace
}  // namespace halocline::box_halo_tests
