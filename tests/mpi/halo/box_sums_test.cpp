// What boxes have in their halos comes to the owners: random boxes against what is painted point by point,
// the same bits whoever owns which box, and what is refused. Longer, with progress:
//   HALOCLINE_SECONDS=600 HALOCLINE_SEED=1 mpirun -n 4 build/release/bin/mpi_tests --files=halo/box_sums

#include "halo/painted_boxes.hpp"
#include "halocline/halo/box_halo.hpp"
#include "support/expect_refused_alike.hpp"
#include "support/trials.hpp"

#include <cmath>
#include <complex>
#include <cstring>
#include <map>

namespace halocline::box_sums_tests {
namespace {

using namespace painted_boxes;  // NOLINT(google-build-using-namespace): made for these tests

template <class T>
T read_at(const FieldView& view, const Cell& point) {
  T value;
  std::memcpy(&value, view.at(point), sizeof value);
  return value;
}
template <class T>
void write_at(const FieldView& view, const Cell& point, T value) {
  std::memcpy(view.at(point), &value, sizeof value);
}

std::int64_t whole_number(std::size_t box, const Cell& point, std::size_t field) {
  return static_cast<std::int64_t>(number_of(box, point, field, 5) * 0x9e3779b97f4a7c15ULL);
}

/// Of very different sizes, so that another order of sums shows.
double real_number(std::size_t box, const Cell& point) {
  const auto seed = static_cast<std::uint64_t>(whole_number(box, point, 0));
  return static_cast<double>(seed % 1000003) * std::pow(10.0, static_cast<double>(seed >> 40) / 1e6);
}

struct Shown {
  std::size_t by;  ///< Which box has it in its halo.
  std::int64_t value;
};

/// For each own point of a field, of all boxes: what halos have for it, in the order of the boxes.
std::map<std::pair<std::size_t, Cell>, std::vector<Shown>> held(const Boxes& boxes, const Painted& painted,
                                                                const BoxField& field, std::size_t number) {
  std::map<std::pair<std::size_t, Cell>, std::vector<Shown>> all;
  for (std::size_t b = 0; b < boxes.size(); ++b)
    for_each_point(boxes[b].box.extents, field.halo, [&](const Cell& point) {
      if (const Place* const place = painted.shown_by(b, point))
        all[{place->box, place->point}].push_back({b, whole_number(b, point, number)});
    });
  return all;
}

/// May the owner have that in the end? Of values from one box the order is not told, which matters to the
/// last alone.
bool is_right(std::int64_t value, std::int64_t own, const std::vector<Shown>& shown, Accumulate how) {
  if (how == Accumulate::replace && !shown.empty())
    return std::any_of(shown.begin(), shown.end(),
                       [&](const Shown& one) { return one.by == shown.back().by && one.value == value; });
  auto sum = static_cast<std::uint64_t>(own);
  std::int64_t least = own, largest = own;
  for (const Shown& one : shown) {
    sum += static_cast<std::uint64_t>(one.value);
    least = std::min(least, one.value);
    largest = std::max(largest, one.value);
  }
  return value == (how == Accumulate::sum   ? static_cast<std::int64_t>(sum)
                   : how == Accumulate::min ? least
                   : how == Accumulate::max ? largest
                                            : own);
}

TEST(BoxSums, are_what_is_painted) {
  for (Trials trials("sums of random boxes", 41, 40); trials.next();) {
    Random common(trials.seed());
    const Boxes boxes = random_in(common, 0, 3) == 0 ? random_connected(common) : random_cut(common);
    Random own_random(trials.seed() * 131 + static_cast<std::uint64_t>(world_rank()));
    const std::vector<std::size_t> own = boxes.of(world_rank());
    const Stencil directions = some_directions(boxes.dimensions(), common);
    std::vector<BoxField> fields;
    std::vector<std::vector<FieldView>> views;
    for (Count count = random_in(common, 1, 2); count > 0; --count) {
      fields.push_back(number_field(boxes, boxes.dimensions() > 2 ? 2 : 5, common, own_random));
      views.push_back(fields.back().views);
    }
    HaloOptions options{.directions = directions};
    if (random_in(common, 0, 2) == 0) options.exchange.shared = SharedMemory::off;
    BoxHalo halo(MPI_COMM_WORLD, boxes, views, options);
    const Painted painted(boxes, directions);
    for (int time = 0; time < 3; ++time) {
      for (std::size_t f = 0; f < fields.size(); ++f)
        for (std::size_t i = 0; i < own.size(); ++i)
          for_each_point(fields[f].views[i].extents(), fields[f].halo, [&](const Cell& point) {
            write_at(fields[f].views[i], point, whole_number(own[i], point, f));
          });
      const auto how = static_cast<Accumulate>(random_in(common, 0, 3));
      if (random_in(common, 0, 1) == 0) {
        halo.accumulate(how);
      } else {
        halo.start_accumulate(how);
        while (!halo.test()) continue;
      }
      Count wrong = 0;
      for (std::size_t f = 0; f < fields.size(); ++f) {
        const auto all = held(boxes, painted, fields[f], f);
        for (std::size_t i = 0; i < own.size(); ++i)
          for_each_point(fields[f].views[i].extents(), fields[f].halo, [&](const Cell& point) {
            const auto value = read_at<std::int64_t>(fields[f].views[i], point);
            const std::int64_t before = whole_number(own[i], point, f);
            const auto shown = all.find({own[i], point});
            wrong += !is_right(value, before, shown == all.end() ? std::vector<Shown>{} : shown->second, how);
          });
      }
      EXPECT_EQ(wrong, 0) << trials << "way " << static_cast<int>(how) << " of " << text_of(boxes);
    }
    EXPECT_NO_THROW(halo.verify()) << trials;
    EXPECT_EQ(halo.statistics().exchanges, 2);  // those of verify()
  }
}

/// A number for each box that depends on each bit of its points after a sum.
Counts bits_of_sums(const Boxes& boxes, const HaloWidths& widths) {
  const std::vector<std::size_t> own = boxes.of(world_rank());
  std::vector<std::vector<double>> memory;
  std::vector<std::vector<FieldView>> fields(1);
  for (const std::size_t box : own) {
    Counts whole = boxes[box].box.extents;
    for (std::size_t d = 0; d < whole.size(); ++d) whole[d] += widths.low[d] + widths.high[d];
    memory.emplace_back(static_cast<std::size_t>(whole[0] * whole[1]));
    fields[0].push_back(view(memory.back().data(), whole, widths));
    for_each_point(boxes[box].box.extents, widths,
                   [&](const Cell& point) { write_at(fields[0].back(), point, real_number(box, point)); });
  }
  BoxHalo(MPI_COMM_WORLD, boxes, fields).accumulate();
  Counts bits(boxes.size(), 0);
  for (std::size_t i = 0; i < own.size(); ++i)
    for_each_point(boxes[own[i]].box.extents, HaloWidths(Counts(2, 0)), [&](const Cell& point) {
      std::uint64_t mixed = static_cast<std::uint64_t>(bits[own[i]]) * 0x9e3779b97f4a7c15ULL;
      mixed += static_cast<std::uint64_t>(read_at<std::int64_t>(fields[0][i], point));
      bits[own[i]] = static_cast<Count>(mixed & 0x7fffffffffffffff);
    });
  MPI_Allreduce(MPI_IN_PLACE, bits.data(), static_cast<int>(bits.size()), MPI_INT64_T, MPI_SUM,
                MPI_COMM_WORLD);
  return bits;
}

TEST(BoxSums, have_the_same_bits_whoever_owns_which_box) {
  Random random(77);
  const HaloWidths widths({3, 7}, {9, 2});  // wider than boxes, and around the mesh
  std::vector<OwnedBox> list;
  for (Count i = 0; i < 3; ++i)
    for (Count j = 0; j < 3; ++j) list.push_back({0, {{2 * i, 4 * j}, {2, 4}}});
  const Mesh mesh({6, 12}, periodic(1, 1));
  const Counts expected = bits_of_sums(Boxes(mesh, list), widths);  // by one process
  for (int trial = 0; trial < 5; ++trial) {
    for (OwnedBox& one : list) one.owner = random_in(random, 0, world_size() - 1);
    EXPECT_EQ(bits_of_sums(Boxes(mesh, list), widths), expected) << "trial " << trial;
  }
}

template <class T>
struct Row {
  explicit Row(const Boxes& boxes) : memory(5), fields(1) {
    if (boxes.of(world_rank()).empty()) return;
    fields[0].push_back(view(memory.data(), {5}, HaloWidths({1})));
  }
  std::vector<T> memory;
  std::vector<std::vector<FieldView>> fields;
};

TEST(BoxSums, refuse_the_same_on_all_ranks) {
  // The last process owns nothing where there are others.
  const Count owners = std::max(world_size() - 1, 1);
  std::vector<OwnedBox> list;
  for (Count i = 0; i < owners; ++i) list.push_back({i, {{3 * i}, {3}}});
  const Boxes boxes(Mesh({3 * owners}, periodic(1)), list);
  struct Plain {
    char letters[3];
  };
  Row<Plain> plain(boxes);
  BoxHalo of_bytes(MPI_COMM_WORLD, boxes, plain.fields);
  expect_refused_alike(
      Fault::invalid_type, [&] { of_bytes.accumulate(); }, "field 0 has elements that cannot be added");
  expect_refused_alike(
      Fault::invalid_type, [&] { of_bytes.accumulate(Accumulate::max); }, "compared for the largest");
  EXPECT_FALSE(of_bytes.active());
  of_bytes.accumulate(Accumulate::replace);
  Row<std::complex<double>> complex(boxes);
  BoxHalo of_complex(MPI_COMM_WORLD, boxes, complex.fields);
  expect_refused_alike(
      Fault::invalid_type, [&] { of_complex.accumulate(Accumulate::min); }, "has complex numbers");
  of_complex.accumulate();
  Row<std::int64_t> numbers(boxes);
  if (owners > 1) {
    Row<double> other(boxes);
    BoxHalo mixed(MPI_COMM_WORLD, boxes, world_rank() == 0 ? other.fields : numbers.fields);
    expect_refused_alike(
        Fault::invalid_type, [&] { mixed.accumulate(); }, "field 0 has elements of other numbers");
    mixed.accumulate(Accumulate::replace);
  }
  BoxHalo halo(MPI_COMM_WORLD, boxes, numbers.fields);
  const bool last = world_rank() + 1 == world_size();
  expect_refused_alike(
      Fault::invalid_argument, [&] { halo.accumulate(last ? static_cast<Accumulate>(9) : Accumulate::sum); },
      "no way number 9");
  if (world_size() > 1)
    expect_refused_alike(
        Fault::invalid_argument, [&] { halo.accumulate(last ? Accumulate::min : Accumulate::max); },
        "the way to accumulate");
  halo.start();
  expect_refused_alike(
      Fault::invalid_argument, [&] { halo.accumulate(); }, "under way");
  halo.wait();
  halo.accumulate();
  halo.start_accumulate();
  EXPECT_TRUE(halo.active());
  expect_error(
      Fault::invalid_argument, [&] { halo.start(); }, "under way");
  expect_error(
      Fault::invalid_argument, [&] { halo.accumulate(); }, "under way");
  halo.wait();
  halo.verify();
  // Nobody owns anything.
  BoxHalo none(MPI_COMM_WORLD, Boxes(Mesh({4}), {}), {{}});
  none.exchange();
  none.accumulate();
}

}  // namespace
}  // namespace halocline::box_sums_tests
