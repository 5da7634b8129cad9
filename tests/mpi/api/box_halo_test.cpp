// Halos of boxes as a C program has them: random boxes against what is painted point by point. Longer, with
// progress:
//   HALOCLINE_SECONDS=600 HALOCLINE_SEED=1 mpirun -n 4 build/release/bin/mpi_tests --files=api/box_halo

#include "halo/painted_boxes.hpp"
#include "halocline/halocline.h"
#include "mpi/handles/handle.hpp"
#include "support/trials.hpp"

#include <utility>
#include <vector>

namespace halocline::api_box_halo_tests {
namespace {

using namespace painted_boxes;  // NOLINT(google-build-using-namespace): made for these tests
using Sizes = std::vector<int64_t>;

/// Boxes one behind the other, as C has them.
struct Lists {
  std::vector<int> owners;
  Sizes first, extents;

  void add(const OwnedBox& one) {
    owners.push_back(static_cast<int>(one.owner));
    first.insert(first.end(), one.box.first.begin(), one.box.first.end());
    extents.insert(extents.end(), one.box.extents.begin(), one.box.extents.end());
  }
  [[nodiscard]] int count() const { return static_cast<int>(owners.size()); }
};

Lists lists_of(const Boxes& boxes) {
  Lists lists;
  for (const OwnedBox& one : boxes.list()) lists.add(one);
  return lists;
}

HCL_Boxes connected_in_c(const Boxes& boxes) {
  const Lists lists = lists_of(boxes);
  std::vector<int> to, from, axes, backwards;
  Sizes ghosts_first, ghosts_extents, first;
  const auto add = [](auto& list, const Counts& more) { list.insert(list.end(), more.begin(), more.end()); };
  for (const Connection& connection : boxes.connections()) {
    to.push_back(static_cast<int>(connection.to));
    from.push_back(static_cast<int>(connection.from));
    add(ghosts_first, connection.ghosts.first);
    add(ghosts_extents, connection.ghosts.extents);
    add(first, connection.first);
    for (const Connection::Axis& axis : connection.axes) {
      axes.push_back(static_cast<int>(axis.dimension));
      backwards.push_back(axis.backwards ? 7 : 0);
    }
  }
  HCL_Boxes made = HCL_BOXES_NULL;
  EXPECT_EQ(HCL_Boxes_connect(static_cast<int>(boxes.dimensions()), lists.count(), lists.owners.data(),
                              lists.extents.data(), static_cast<int>(to.size()), to.data(),
                              ghosts_first.data(), ghosts_extents.data(), from.data(), first.data(),
                              axes.data(), backwards.data(), &made),
            MPI_SUCCESS);
  return made;
}

/// All of a list, or what each process says of itself where that is the same.
HCL_Boxes boxes_in_c(const Boxes& boxes, bool gather) {
  if (!boxes.mesh()) return connected_in_c(boxes);
  const Mesh& mesh = *boxes.mesh();
  const auto dimensions = static_cast<int>(boxes.dimensions());
  std::vector<int> periods;
  for (std::size_t d = 0; d < boxes.dimensions(); ++d) periods.push_back(mesh.periodic(d) ? 1 : 0);
  HCL_Boxes made = HCL_BOXES_NULL;
  Lists lists = lists_of(boxes);
  if (gather) {
    lists = Lists();
    for (const std::size_t own : boxes.of(world_rank())) lists.add(boxes[own]);
    EXPECT_EQ(HCL_Boxes_gather(MPI_COMM_WORLD, dimensions, mesh.extents().data(), periods.data(),
                               lists.count(), lists.first.data(), lists.extents.data(), &made),
              MPI_SUCCESS);
  } else {
    EXPECT_EQ(HCL_Boxes_create(dimensions, mesh.extents().data(), periods.data(), lists.count(),
                               lists.owners.data(), lists.first.data(), lists.extents.data(), &made),
              MPI_SUCCESS);
  }
  return made;
}

/// What C tells of them.
Boxes told_by_c(HCL_Boxes boxes, const Boxes& like) {
  int count = -1;
  EXPECT_EQ(HCL_Boxes_size(boxes, &count), MPI_SUCCESS);
  std::vector<OwnedBox> list;
  for (int b = 0; b < count; ++b) {
    int owner = -1;
    Counts first(like.dimensions()), extents(like.dimensions());
    EXPECT_EQ(
        HCL_Boxes_get(boxes, b, static_cast<int>(like.dimensions()), &owner, first.data(), extents.data()),
        MPI_SUCCESS);
    list.push_back({owner, {first, extents}});
  }
  return like.mesh() ? Boxes(*like.mesh(), list) : Boxes(list, like.connections());
}

mpi::Datatype datatype_of(const Element& element) {
  std::vector<MPI_Aint> places(element.offsets.begin(), element.offsets.end());
  mpi::Datatype bytes, whole;
  MPI_Type_create_hindexed_block(static_cast<int>(places.size()), 1, places.data(), MPI_BYTE, bytes.put());
  MPI_Type_create_resized(bytes.get(), element.layout.lb(), element.layout.extent(), whole.put());
  return whole;
}

/// The array of a view, halo included.
HCL_Field field_in_c(const FieldView& view, const Element& element) {
  Sizes whole = view.extents(), before;
  for (std::size_t d = 0; d < whole.size(); ++d) {
    whole[d] += view.halo().low[d] + view.halo().high[d];
    before.push_back(-view.halo().low[d]);
  }
  const std::vector<MPI_Aint> strides(view.strides().begin(), view.strides().end());
  const mpi::Datatype type = datatype_of(element);
  HCL_Field field = HCL_FIELD_NULL;
  EXPECT_EQ(HCL_Field_attach_strided(view.at(before), static_cast<int>(whole.size()), whole.data(),
                                     view.halo().low.data(), view.halo().high.data(), strides.data(),
                                     type.get(), &field),
            MPI_SUCCESS);
  return field;
}

TEST(BoxHaloInC, shows_what_is_painted) {
  for (Trials trials("halos of random boxes in C", 23, 25); trials.next();) {
    Random common(trials.seed());
    const Boxes given = random_in(common, 0, 3) == 0 ? random_connected(common) : random_cut(common);
    HCL_Boxes handle = boxes_in_c(given, random_in(common, 0, 1) == 0);
    const Boxes boxes = told_by_c(handle, given);
    Random own_random(trials.seed() * 131 + static_cast<std::uint64_t>(world_rank()));
    const std::vector<std::size_t> own = boxes.of(world_rank());
    const Stencil directions = some_directions(boxes.dimensions(), common);
    std::vector<int> flat;
    for (const Offset& offset : directions.offsets()) flat.insert(flat.end(), offset.begin(), offset.end());
    std::vector<BoxField> fields;
    std::vector<HCL_Field> handles;
    for (Count count = random_in(common, 1, 3); count > 0; --count) {
      fields.push_back(random_field(boxes, boxes.dimensions() > 2 ? 2 : 5, common, own_random));
      for (const FieldView& view : fields.back().views)
        handles.push_back(field_in_c(view, fields.back().element));
    }
    HCL_Box_halo halo = HCL_BOX_HALO_NULL;
    ASSERT_EQ(
        HCL_Box_halo_create(MPI_COMM_WORLD, handle, static_cast<int>(fields.size()),
                            static_cast<int>(own.size()), handles.empty() ? nullptr : handles.data(),
                            static_cast<int>(directions.offsets().size()), flat.data(), MPI_INFO_NULL, &halo),
        MPI_SUCCESS);
    EXPECT_EQ(HCL_Boxes_free(&handle), MPI_SUCCESS);
    for (HCL_Field& field : handles) EXPECT_EQ(HCL_Field_free(&field), MPI_SUCCESS);
    const Painted painted(boxes, directions);
    for (Count time = 0; time < 2; ++time) {
      fill(fields, own, time);
      MPI_Barrier(MPI_COMM_WORLD);
      if (time == 0) {
        ASSERT_EQ(HCL_Box_halo_exchange(halo), MPI_SUCCESS);
      } else {
        ASSERT_EQ(HCL_Box_halo_start(halo), MPI_SUCCESS);
        int done = 0;
        while (done == 0) ASSERT_EQ(HCL_Box_halo_test(halo, &done), MPI_SUCCESS);
        ASSERT_EQ(HCL_Box_halo_wait(halo), MPI_SUCCESS);
      }
      EXPECT_EQ(wrong_bytes(painted, fields, own, time), 0)
          << trials << "time " << time << " of " << text_of(boxes);
      MPI_Barrier(MPI_COMM_WORLD);
    }
    EXPECT_EQ(HCL_Box_halo_verify(halo), MPI_SUCCESS) << trials << text_of(boxes);
    HCL_Statistics statistics;
    EXPECT_EQ(HCL_Box_halo_statistics(halo, &statistics), MPI_SUCCESS);
    EXPECT_EQ(statistics.exchanges, 4);
    EXPECT_EQ(HCL_Box_halo_free(&halo), MPI_SUCCESS);
    EXPECT_EQ(halo, HCL_BOX_HALO_NULL);
  }
}

}  // namespace
}  // namespace halocline::api_box_halo_tests
