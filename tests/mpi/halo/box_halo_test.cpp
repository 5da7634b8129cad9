// Halos of several boxes a process: random meshes cut into random boxes, with holes, and boxes connected by
// hand, against what is painted point by point. Longer, with progress:
//   HALOCLINE_SECONDS=600 HALOCLINE_SEED=1 mpirun -n 4 build/release/bin/mpi_tests --files=halo/box_halo

#include "halocline/halo/box_halo.hpp"

#include "expect_error.hpp"
#include "halo/painted_boxes.hpp"
#include "mpi/handles/handle.hpp"
#include "support/trials.hpp"
#include "support/world.hpp"

#include <tuple>

namespace halocline::box_halo_tests {
namespace {

using namespace painted_boxes;  // NOLINT(google-build-using-namespace): they are this test's

TEST(BoxHalo, shows_what_is_painted) {
  for (Trials trials("halos of random boxes", 17, 60); trials.next();) {
    Random common(trials.seed());
    const Boxes boxes = random_in(common, 0, 3) == 0 ? random_connected(common) : random_cut(common);
    Random own_random(trials.seed() * 131 + static_cast<std::uint64_t>(world_rank()));
    const std::vector<std::size_t> own = boxes.of(world_rank());
    const Stencil directions = some_directions(boxes.dimensions(), common);
    const Count widest = boxes.dimensions() > 2 ? 2 : random_in(common, 0, 2) == 0 ? 17 : 3;
    std::vector<BoxField> fields;
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
  for (const auto& [key, value, fault, words] :
       {std::tuple{"halocline_borders", "carry", Fault::unsupported, "cannot carry"},
        std::tuple{"halocline_addresses", "any", Fault::unsupported, "fixed addresses"},
        std::tuple{"halocline_borders", "some", Fault::invalid_argument, "keep or carry"}}) {
    mpi::Info info;
    MPI_Info_create(info.put());
    if (last) MPI_Info_set(info.get(), key, value);
    HaloOptions options;
    options.exchange.info = info.get();
    refused(fault, {{good}}, words, options);
  }
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
