// Random datatypes packed and unpacked by this MPI and by Halocline: the same bytes, and no other byte
// touched. One rank is enough.
#include "describe/layout_typemap.hpp"
#include "describe/random_layouts.hpp"
#include "halocline/base/error.hpp"
#include "halocline/compile/engines.hpp"
#include "halocline/halocline.h"
#include "mpi/datatype.hpp"
#include "support/datatypes.hpp"
#include "support/trees.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <numeric>
#include <string>
#include <vector>

namespace halocline {
namespace {

using Bytes = std::vector<unsigned char>;

constexpr Count guard = 64;

Bytes random_bytes(Count size, std::mt19937_64& random) {
  Bytes bytes(static_cast<std::size_t>(size));
  std::uint64_t number = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i, number >>= 8) {
    if (i % sizeof number == 0) number = random();
    bytes[i] = static_cast<unsigned char>(number);
  }
  return bytes;
}

/// The data of `count` elements of a layout, byte by byte as the typemap has it, moved so that the lowest
/// byte is number `guard` of a buffer that has as much room behind.
struct Image {
  std::vector<std::size_t> places;  ///< In the buffer, in the order of the packed form.
  Count origin = guard;             ///< Where offset 0 lies in the buffer.
  Count buffer_bytes = 2 * guard;
  bool overlaps = false;  ///< Unpacking is erroneous in MPI then.

  Image(const Layout& layout, Count count) {
    Typemap typemap = typemap_of(layout);
    std::erase_if(typemap, [](const Entry& e) { return e.kind != Entry::Kind::data; });
    Counts offsets;
    for (Count element = 0; element < count; ++element)
      for (const Entry& e : typemap)
        for (Count byte = 0; byte < e.bytes; ++byte)
          offsets.push_back(element * layout.extent() + e.displacement + byte);
    if (offsets.empty()) return;
    const auto [lowest, highest] = std::minmax_element(offsets.begin(), offsets.end());
    origin = guard - *lowest;
    buffer_bytes = *highest - *lowest + 1 + 2 * guard;
    std::vector<bool> taken(static_cast<std::size_t>(buffer_bytes));
    for (const Count offset : offsets) {
      places.push_back(static_cast<std::size_t>(offset + origin));
      overlaps = overlaps || taken[places.back()];
      taken[places.back()] = true;
    }
  }

  /// Offset 0 may lie outside the buffer.
  [[nodiscard]] unsigned char* base(Bytes& buffer) const {
    return reinterpret_cast<unsigned char*>(reinterpret_cast<std::uintptr_t>(buffer.data()) +
                                            static_cast<std::uintptr_t>(origin));
  }
  [[nodiscard]] Bytes packed(const Bytes& buffer) const {
    Bytes wire;
    for (const std::size_t place : places) wire.push_back(buffer[place]);
    return wire;
  }
  void unpack(const Bytes& wire, Bytes& buffer) const {
    for (std::size_t i = 0; i < places.size(); ++i) buffer[places[i]] = wire[i];
  }
  /// What `actual` must be after unpacking over `before`: where the wire has several values for a place, any
  /// of them will do.
  [[nodiscard]] Bytes unpacked(const Bytes& wire, Bytes before, const Bytes& actual) const {
    unpack(wire, before);
    for (std::size_t i = 0; overlaps && i < places.size(); ++i)
      if (actual[places[i]] == wire[i]) before[places[i]] = wire[i];
    return before;
  }
};

/// What is packed lies between two guards.
Bytes guarded_wire(const Bytes& packed, unsigned char fill) {
  Bytes wire(packed.size() + 2 * guard, fill);
  std::copy(packed.begin(), packed.end(), wire.begin() + guard);
  return wire;
}

class PackedTrees : public testing::Test {
 protected:
  void SetUp() override { MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN); }
  void TearDown() override { MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL); }

  static void compile(MPI_Datatype type, std::string_view engine) {
    mpi::Info info;
    MPI_Info_create(info.put());
    MPI_Info_set(info.get(), "halocline_compile", std::string(engine).c_str());
    ASSERT_EQ(HCL_Type_compile(type, info.get()), MPI_SUCCESS);
  }

  static void expect_halocline_packs(const Image& image, MPI_Datatype type, Count count, Bytes data) {
    const Bytes packed = image.packed(data);
    const auto bytes = static_cast<MPI_Count>(packed.size());
    const Bytes before = data;
    Bytes wire(packed.size() + 2 * guard, 0xC3);
    MPI_Count position = guard;
    ASSERT_EQ(HCL_Pack(image.base(data), count, type, wire.data(), guard + bytes, &position, MPI_COMM_WORLD),
              MPI_SUCCESS);
    EXPECT_EQ(position, guard + bytes);
    EXPECT_EQ(wire, guarded_wire(packed, 0xC3));
    EXPECT_EQ(data, before);
  }

  static void expect_halocline_unpacks(const Image& image, MPI_Datatype type, Count count, const Bytes& wire,
                                       const Bytes& into) {
    Bytes actual = into;
    const Bytes guarded = guarded_wire(wire, 0x3C);
    MPI_Count position = guard;
    ASSERT_EQ(HCL_Unpack(guarded.data(), static_cast<MPI_Count>(guarded.size()), &position,
                         image.base(actual), count, type, MPI_COMM_WORLD),
              MPI_SUCCESS);
    EXPECT_EQ(position, guard + static_cast<MPI_Count>(wire.size()));
    EXPECT_EQ(actual, image.unpacked(wire, into, actual));
  }

  static void expect_mpi_agrees(const Image& image, MPI_Datatype type, Count count, Bytes data) {
    const Bytes packed = image.packed(data);
    Bytes wire(packed.size() + 1024);  // MPI_Pack_size may be more than what is packed
    int position = 0;
    ASSERT_EQ(MPI_Pack(image.base(data), static_cast<int>(count), type, wire.data(),
                       static_cast<int>(wire.size()), &position, MPI_COMM_WORLD),
              MPI_SUCCESS);
    wire.resize(static_cast<std::size_t>(position));
    EXPECT_EQ(wire, packed);
    if (image.overlaps) return;
    Bytes into(data.size(), 0x5A);
    Bytes expected = into;
    image.unpack(packed, expected);
    position = 0;
    ASSERT_EQ(MPI_Unpack(wire.data(), static_cast<int>(wire.size()), &position, image.base(into),
                         static_cast<int>(count), type, MPI_COMM_WORLD),
              MPI_SUCCESS);
    EXPECT_EQ(into, expected);
  }
};

TEST_F(PackedTrees, are_the_bytes_of_this_mpi) {
  TreeRun run;
  int made = 0;
  int compared = 0;
  while (run.next()) {
    const Layout layout = with_types_of_this_mpi(RandomLayouts(run.seed()).next_of_any_length(4));
    std::mt19937_64 random(~run.seed());
    const BuiltType type = committed(layout);
    if (type.type == MPI_DATATYPE_NULL || has_default_stride_of_open_mpi(layout)) continue;
    ++made;
    const Layout read = mpi::layout_of(type.type);
    const Count count = std::array{1, 1, 0, 2, 3, 7, 13}[random() % 7];
    const Image image(read, count);
    const Bytes data = random_bytes(image.buffer_bytes, random);
    const Bytes wire = random_bytes(static_cast<Count>(image.places.size()), random);
    for (const compile::Engine& engine : compile::available_engines()) {
      compile(type.type, engine.name);
      expect_halocline_packs(image, type.type, count, data);
      expect_halocline_unpacks(image, type.type, count, wire, data);
      ASSERT_FALSE(HasFailure()) << run << ": " << count << " of " << layout.to_text() << " by the engine "
                                 << engine.name;
    }
    if (!is_packed_well(read)) continue;
    ++compared;
    expect_mpi_agrees(image, type.type, count, data);
    ASSERT_FALSE(HasFailure()) << run << ": " << count << " of " << layout.to_text() << " by this MPI";
  }
  std::cout << made << " trees, " << compared << " of them beside MPI_Pack" << std::endl;
  EXPECT_GE(made, run.done() * 9 / 10);
  EXPECT_GE(compared, made * 8 / 10);
}

/// Several types around one buffer, packed by one packer and by as many calls of MPI.
TEST_F(PackedTrees, fused) {
  TreeRun run(3000, 10);
  while (run.next()) {
    RandomLayouts layouts(run.seed());
    std::mt19937_64 random(~run.seed());
    std::vector<BuiltType> types;
    std::vector<Image> images;
    std::vector<MPI_Datatype> handles;
    std::vector<MPI_Count> counts;
    std::vector<MPI_Aint> displacements;
    Bytes data;
    std::size_t packed_bytes = 0;
    std::string text;
    while (handles.size() < 1 + random() % 9) {
      const Layout layout = with_types_of_this_mpi(layouts.next_of_any_length(3));
      BuiltType type = committed(layout);
      if (type.type == MPI_DATATYPE_NULL || has_default_stride_of_open_mpi(layout)) continue;
      const Layout read = mpi::layout_of(type.type);
      if (!is_packed_well(read)) continue;
      counts.push_back(static_cast<MPI_Count>(random() % 4));
      images.emplace_back(read, counts.back());
      packed_bytes += images.back().places.size();
      displacements.push_back(static_cast<MPI_Aint>(data.size()) + images.back().origin);
      const Bytes more = random_bytes(images.back().buffer_bytes, random);
      data.insert(data.end(), more.begin(), more.end());
      handles.push_back(type.type);
      types.push_back(std::move(type));
      text += concat(counts.back(), " of ", layout.to_text(), "\n");
    }
    const auto parts = static_cast<int>(handles.size());
    Bytes expected(packed_bytes + 1024);
    int end = 0;
    for (std::size_t part = 0; part < handles.size(); ++part)
      ASSERT_EQ(MPI_Pack(reinterpret_cast<void*>(reinterpret_cast<std::uintptr_t>(data.data()) +
                                                 static_cast<std::uintptr_t>(displacements[part])),
                         static_cast<int>(counts[part]), handles[part], expected.data(),
                         static_cast<int>(expected.size()), &end, MPI_COMM_WORLD),
                MPI_SUCCESS);
    expected.resize(static_cast<std::size_t>(end));

    HCL_Packer packer = HCL_PACKER_NULL;
    ASSERT_EQ(
        HCL_Packer_create(parts, counts.data(), displacements.data(), handles.data(), MPI_INFO_NULL, &packer),
        MPI_SUCCESS);
    types.clear();  // the packer needs them no more
    MPI_Count size = 0;
    EXPECT_EQ(HCL_Packer_size(packer, &size), MPI_SUCCESS);
    EXPECT_EQ(size, end);
    Bytes wire(expected.size());
    MPI_Count position = 0;
    EXPECT_EQ(HCL_Packer_pack(packer, data.data(), wire.data(), size, &position), MPI_SUCCESS);
    EXPECT_EQ(position, size);
    EXPECT_EQ(wire, expected);

    if (std::none_of(images.begin(), images.end(), [](const Image& image) { return image.overlaps; })) {
      Bytes into = random_bytes(static_cast<Count>(data.size()), random);
      Bytes image_of_all = into;
      auto from = wire.begin();
      for (std::size_t part = 0; part < images.size(); ++part)
        for (const std::size_t place : images[part].places)
          image_of_all[place + static_cast<std::size_t>(displacements[part] - images[part].origin)] = *from++;
      position = 0;
      EXPECT_EQ(HCL_Packer_unpack(packer, wire.data(), size, &position, into.data()), MPI_SUCCESS);
      EXPECT_EQ(into, image_of_all);
    }
    EXPECT_EQ(HCL_Packer_free(&packer), MPI_SUCCESS);
    ASSERT_FALSE(HasFailure()) << run << "\n" << text;
  }
}

/// The bytes between the members of a pair are not packed, by either MPI.
TEST_F(PackedTrees, pairs_have_no_padding) {
  for (const MPI_Datatype pair :
       {MPI_SHORT_INT, MPI_DOUBLE_INT, MPI_LONG_INT, MPI_LONG_DOUBLE_INT, MPI_2INT, MPI_FLOAT_INT}) {
    const Image image(mpi::layout_of(pair), 5);
    std::mt19937_64 random(7);
    const Bytes data = random_bytes(image.buffer_bytes, random);
    expect_halocline_packs(image, pair, 5, data);
    if (is_packed_well(mpi::layout_of(pair))) expect_mpi_agrees(image, pair, 5, data);
  }
}

}  // namespace
}  // namespace halocline
