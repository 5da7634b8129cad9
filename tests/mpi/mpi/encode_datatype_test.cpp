// Datatypes that the library makes for MPI: MPI sends and receives the bytes of the layout, in its order,
// whatever this MPI gets wrong with the datatypes of programs.

#include "mpi/datatypes/encode_datatype.hpp"

#include "describe/random_layouts.hpp"
#include "support/image.hpp"
#include "support/world.hpp"

#include <gtest/gtest.h>

#include <array>
#include <string>

namespace halocline::mpi_encode_datatype_tests {
namespace {

mpi::Datatype encoded(const Layout& layout, Count count, Count offset = 0) {
  mpi::Datatype type = mpi::encode_datatype(compile::Canonical(compile::Part{layout, count, offset}));
  MPI_Type_commit(type.put());
  return type;
}

/// By messages of a process to itself. @pre there are bytes
void expect_sent_and_received(const Layout& layout, Count count, std::mt19937_64& random) {
  const std::string what = std::to_string(count) + " of " + layout.to_text();
  const mpi::Datatype type = encoded(layout, count);
  const Image image(layout, count);
  const auto bytes = static_cast<int>(image.places.size());
  int size = 0;
  MPI_Type_size(type.get(), &size);
  ASSERT_EQ(size, bytes) << what;

  Bytes buffer = random_bytes(image.buffer_bytes, random), wire(image.places.size());
  MPI_Sendrecv(image.base(buffer), 1, type.get(), 0, 0, wire.data(), bytes, MPI_BYTE, 0, 0, MPI_COMM_SELF,
               MPI_STATUS_IGNORE);
  EXPECT_EQ(wire, image.packed(buffer)) << what << " were sent";
  if (image.overlaps) return;
  const Bytes arriving = random_bytes(bytes, random);
  const Bytes expected = image.unpacked(arriving, buffer, buffer);
  MPI_Sendrecv(arriving.data(), bytes, MPI_BYTE, 0, 0, image.base(buffer), 1, type.get(), 0, 0, MPI_COMM_SELF,
               MPI_STATUS_IGNORE);
  EXPECT_EQ(buffer, expected) << what << " were received";
}

TEST(EncodedDatatype, names_the_bytes_of_the_layout) {
  std::mt19937_64 random(20261117);
  for (const char* text :
       {"contiguous(2,resized(4,-8,indexed_block(2,[4,-1,1],real)))",  // a negative extent
        "hvector(3,2,-100,resized(-4,-24,vector(2,1,3,float)))",       // and copies of such copies
        "hvector(7,1,-1,byte)", "hvector(8,1,-1,byte)",                // a stride of -1 byte
        "contiguous(3,hvector(5,1,-1,char))", "struct([1,2],[8,-40],[int,resized(0,-12,contiguous(2,int))])",
        "hindexed([2,0,3],[90,-7,-60],contiguous(3,byte))",
        "subarray([4,5,6],[2,3,4],[1,1,1],fortran,double)"})
    for (const Count count : {1, 2, 30}) expect_sent_and_received(Layout::parse(text), count, random);
}

TEST(EncodedDatatype, names_the_bytes_of_random_layouts) {
  std::mt19937_64 random(20261118);
  RandomLayouts layouts(20261117);
  for (int i = 0; i < 5000 && !HasFailure(); ++i) {
    const Layout layout = layouts.next(3);
    const Count count = std::array{1, 2, 5, 30}[random() % 4];
    if (layout.size() > 0 && layout.size() * count < 20'000) expect_sent_and_received(layout, count, random);
  }
}

/// Counts that do not fit in MPI's integers: the bounds tell that nothing was cut off.
TEST(EncodedDatatype, counts_beyond_integers) {
  constexpr Count many = (Count{1} << 32) + 5;
  const auto expect_bounds = [](const Layout& layout, Count offset) {
    const mpi::Datatype type = encoded(layout, 1, offset);
    MPI_Count lb = 0, extent = 0, size = 0;
    MPI_Type_get_true_extent_x(type.get(), &lb, &extent);
    MPI_Type_size_x(type.get(), &size);
    EXPECT_EQ(size, layout.size()) << layout.to_text();
    EXPECT_EQ(lb, layout.true_lb() + offset) << layout.to_text();
    EXPECT_EQ(extent, layout.true_extent()) << layout.to_text();
  };
  const Layout byte = Layout::named(Elementary::byte);
  expect_bounds(Layout::contiguous(many, byte), 100);
  expect_bounds(Layout::hvector(many, 1, 3, byte), -100);
  expect_bounds(Layout::hvector(many, 1, -3, byte), 0);
  expect_bounds(Layout::hvector(3, 1, 2 * many, Layout::contiguous(many, byte)), 0);
  expect_bounds(Layout::hindexed({many, 1, many}, {0, -50, 2 * many}, byte), 7);
}

}  // namespace
}  // namespace halocline::mpi_encode_datatype_tests
