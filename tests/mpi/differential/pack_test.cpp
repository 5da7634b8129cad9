// Random datatypes packed and unpacked by this MPI and by Halocline: the same bytes, and no other byte
// touched. One rank is enough.
#include "base/fail.hpp"
#include "compile/engines.hpp"
#include "describe/random_layouts.hpp"
#include "halocline/halocline.h"
#include "mpi/datatypes/datatype.hpp"
#include "support/datatypes.hpp"
#include "support/image.hpp"
#include "support/trees.hpp"
#include "support/trials.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <thread>
#include <vector>

namespace halocline {
namespace {

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
};

void compile(MPI_Datatype type, std::string_view engine) {
  mpi::Info info;
  MPI_Info_create(info.put());
  MPI_Info_set(info.get(), "halocline_compile", std::string(engine).c_str());
  ASSERT_EQ(HCL_Type_compile(type, info.get()), MPI_SUCCESS);
}

void expect_halocline_packs(const Image& image, MPI_Datatype type, Count count, Bytes data) {
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

void expect_halocline_unpacks(const Image& image, MPI_Datatype type, Count count, const Bytes& wire,
                              const Bytes& into) {
  Bytes actual = into;
  const Bytes guarded = guarded_wire(wire, 0x3C);
  MPI_Count position = guard;
  ASSERT_EQ(HCL_Unpack(guarded.data(), static_cast<MPI_Count>(guarded.size()), &position, image.base(actual),
                       count, type, MPI_COMM_WORLD),
            MPI_SUCCESS);
  EXPECT_EQ(position, guard + static_cast<MPI_Count>(wire.size()));
  EXPECT_EQ(actual, image.unpacked(wire, into, actual));
}

void expect_mpi_agrees(const Image& image, MPI_Datatype type, Count count, Bytes data) {
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
/// One or several elements, often of few and seldom of many.
Count random_count(const Layout& layout, std::mt19937_64& random) {
  constexpr Count bytes = 30'000;
  const Count most = std::clamp<Count>(bytes / std::max<Count>(layout.size(), 1), 1, 5000);
  if (random() % 16 == 0) return static_cast<Count>(random() % static_cast<std::uint64_t>(most));
  return std::array{1, 1, 0, 2, 3, 7, 13}[random() % 7];
}

struct TreeCounts {
  std::uint64_t made = 0, compared = 0;
};

/// The datatype of the seed at hand, by every engine and by this MPI.
void expect_right_tree(const Trials& run, TreeCounts& counts) {
  const Layout layout = with_types_of_this_mpi(RandomLayouts(run.seed()).next_of_any_length(4));
  std::mt19937_64 random(~run.seed());
  const BuiltType type = committed(layout);
  if (type.type == MPI_DATATYPE_NULL || has_default_stride_of_open_mpi(layout)) return;
  ++counts.made;
  const Layout read = mpi::layout_of(type.type);
  const Count count = random_count(read, random);
  const Image image(read, count);
  const Bytes data = random_bytes(image.buffer_bytes, random);
  const Bytes wire = random_bytes(static_cast<Count>(image.places.size()), random);
  for (const compile::Engine& engine : compile::available_engines()) {
    compile(type.type, engine.name);
    expect_halocline_packs(image, type.type, count, data);
    expect_halocline_unpacks(image, type.type, count, wire, data);
    ASSERT_FALSE(testing::Test::HasFailure())
        << run << ": " << count << " of " << layout.to_text() << " by the engine " << engine.name;
  }
  if (!is_packed_well(read)) return;
  ++counts.compared;
  expect_mpi_agrees(image, type.type, count, data);
  ASSERT_FALSE(testing::Test::HasFailure())
      << run << ": " << count << " of " << layout.to_text() << " by this MPI";
}

TEST_F(PackedTrees, are_the_bytes_of_this_mpi) {
  Trials run("random datatypes", 20261104, 3000, 0.6);
  TreeCounts counts;
  while (run.next()) expect_right_tree(run, counts);
  std::cout << counts.made << " trees, " << counts.compared << " of them beside MPI_Pack" << std::endl;
  if (run.done() < 100 || HasFailure()) return;
  EXPECT_GE(counts.made, run.done() * 9 / 10);
  EXPECT_GE(counts.compared, counts.made * 8 / 10);
}

/// Datatypes beside each other in one buffer, or at their addresses.
class Parts {
 public:
  Parts(std::uint64_t seed, std::mt19937_64& random) : absolute_(random() % 4 == 0) {
    RandomLayouts layouts(seed);
    std::vector<Count> begins;
    while (handles.size() < 1 + random() % 9) {
      const Layout layout = with_types_of_this_mpi(layouts.next_of_any_length(3));
      BuiltType type = committed(layout);
      if (type.type == MPI_DATATYPE_NULL || has_default_stride_of_open_mpi(layout)) continue;
      const Layout read = mpi::layout_of(type.type);
      if (!is_packed_well(read)) continue;
      counts.push_back(static_cast<MPI_Count>(random() % 4));
      images.emplace_back(read, counts.back());
      packed_bytes += images.back().places.size();
      begins.push_back(static_cast<Count>(data.size()));
      const Bytes more = random_bytes(images.back().buffer_bytes, random);
      data.insert(data.end(), more.begin(), more.end());
      handles.push_back(type.type);
      types.push_back(std::move(type));
      text += concat(counts.back(), " of ", layout.to_text(), "\n");
    }
    for (std::size_t part = 0; part < images.size(); ++part)
      displacements.push_back(static_cast<MPI_Aint>(begins[part] + images[part].origin) +
                              (absolute_ ? reinterpret_cast<MPI_Aint>(data.data()) : 0));
    if (absolute_) text += "at absolute addresses\n";
  }

  /// What displacements count from.
  [[nodiscard]] void* base() { return absolute_ ? MPI_BOTTOM : data.data(); }
  [[nodiscard]] void* address(std::size_t part) {
    return reinterpret_cast<void*>(reinterpret_cast<std::uintptr_t>(absolute_ ? nullptr : data.data()) +
                                   static_cast<std::uintptr_t>(displacements[part]));
  }
  [[nodiscard]] bool overlap() const {
    return std::any_of(images.begin(), images.end(), [](const Image& image) { return image.overlaps; });
  }
  /// What lies in the buffer once the bytes were unpacked over what is there now.
  [[nodiscard]] Bytes unpacked(const Bytes& wire) const {
    Bytes result = data;
    auto from = wire.begin();
    std::size_t begin = 0;
    for (const Image& image : images) {
      for (const std::size_t place : image.places) result[begin + place] = *from++;
      begin += static_cast<std::size_t>(image.buffer_bytes);
    }
    return result;
  }

  std::vector<BuiltType> types;
  std::vector<MPI_Datatype> handles;
  std::vector<Image> images;
  std::vector<MPI_Count> counts;
  std::vector<MPI_Aint> displacements;
  Bytes data;
  std::size_t packed_bytes = 0;
  std::string text;

 private:
  bool absolute_;
};

void expect_right_packer(std::uint64_t seed) {
  std::mt19937_64 random(~seed);
  Parts parts(seed, random);
  Bytes expected(parts.packed_bytes + 1024);
  int end = 0;
  for (std::size_t part = 0; part < parts.handles.size(); ++part)
    ASSERT_EQ(MPI_Pack(parts.address(part), static_cast<int>(parts.counts[part]), parts.handles[part],
                       expected.data(), static_cast<int>(expected.size()), &end, MPI_COMM_WORLD),
              MPI_SUCCESS);
  expected.resize(static_cast<std::size_t>(end));

  const std::span<const compile::Engine> engines = compile::available_engines();
  mpi::Info info;
  MPI_Info_create(info.put());
  MPI_Info_set(info.get(), "halocline_compile", std::string(engines[random() % engines.size()].name).c_str());
  HCL_Packer packer = HCL_PACKER_NULL;
  ASSERT_EQ(HCL_Packer_create(static_cast<int>(parts.handles.size()), parts.counts.data(),
                              parts.displacements.data(), parts.handles.data(), info.get(), &packer),
            MPI_SUCCESS);
  parts.types.clear();  // the packer needs them no more
  MPI_Count size = 0;
  EXPECT_EQ(HCL_Packer_size(packer, &size), MPI_SUCCESS);
  EXPECT_EQ(size, end);
  Bytes wire(expected.size());
  MPI_Count position = 0;
  EXPECT_EQ(HCL_Packer_pack(packer, parts.base(), wire.data(), size, &position), MPI_SUCCESS);
  EXPECT_EQ(position, size);
  EXPECT_EQ(wire, expected);

  if (!parts.overlap()) {
    for (unsigned char& byte : parts.data) byte = static_cast<unsigned char>(random());
    const Bytes image_of_all = parts.unpacked(wire);
    position = 0;
    EXPECT_EQ(HCL_Packer_unpack(packer, wire.data(), size, &position, parts.base()), MPI_SUCCESS);
    EXPECT_EQ(parts.data, image_of_all);
  }
  EXPECT_EQ(HCL_Packer_free(&packer), MPI_SUCCESS);
  EXPECT_FALSE(testing::Test::HasFailure()) << parts.text;
}

/// Several types around one buffer, packed by one packer and by as many calls of MPI.
TEST_F(PackedTrees, fused) {
  Trials run("random packers", 20261104, 300, 0.2);
  while (run.next()) {
    expect_right_packer(run.seed());
    ASSERT_FALSE(HasFailure()) << run;
  }
}

/// Types and packers that threads share, with what each of them must see.
struct SharedTypes {
  struct One {
    BuiltType type;
    Image image;
    Count count;
    HCL_Packer packer = HCL_PACKER_NULL;
    Bytes data, packed;
  };
  std::vector<One> all;

  SharedTypes(std::uint64_t seed, std::mt19937_64& random) {
    RandomLayouts layouts(seed);
    while (all.size() < 3) {
      const Layout layout = with_types_of_this_mpi(layouts.next(3));
      BuiltType type = committed(layout);
      if (type.type == MPI_DATATYPE_NULL || has_default_stride_of_open_mpi(layout)) continue;
      const Count count = std::array{1, 2, 5, 40}[random() % 4];
      const Image image(mpi::layout_of(type.type), count);
      One one{std::move(type), image, count, HCL_PACKER_NULL, {}, {}};
      one.data = random_bytes(one.image.buffer_bytes, random);
      one.packed = one.image.packed(one.data);
      const MPI_Aint at = one.image.origin;
      const MPI_Count elements = count;
      EXPECT_EQ(HCL_Packer_create(1, &elements, &at, &one.type.type, MPI_INFO_NULL, &one.packer),
                MPI_SUCCESS);
      all.push_back(std::move(one));
    }
  }
  SharedTypes(const SharedTypes&) = delete;
  SharedTypes& operator=(const SharedTypes&) = delete;
  ~SharedTypes() {
    for (One& one : all) EXPECT_EQ(HCL_Packer_free(&one.packer), MPI_SUCCESS);
  }
};

/// Packs and unpacks by a thread of its own buffers. How often something was wrong.
int wrong_in_one_thread(SharedTypes& shared, std::uint64_t seed, bool by_type) {
  std::mt19937_64 random(seed);
  int wrong = 0;
  for (SharedTypes::One& one : shared.all) {
    const auto bytes = static_cast<MPI_Count>(one.packed.size());
    const int times = bytes < 200 ? 3000 : 100;  // code that takes over does so after many
    Bytes wire(one.packed.size() + 1), into = one.data;
    for (int i = 0; i < times; ++i) {
      const bool type_now = by_type && random() % 2 == 0;
      MPI_Count position = 0;
      const int code = type_now ? HCL_Pack(one.image.base(one.data), one.count, one.type.type, wire.data(),
                                           bytes, &position, MPI_COMM_SELF)
                                : HCL_Packer_pack(one.packer, one.data.data(), wire.data(), bytes, &position);
      if (code != MPI_SUCCESS || position != bytes) ++wrong;
      if (!std::equal(one.packed.begin(), one.packed.end(), wire.begin())) ++wrong;
      position = 0;
      const int back = type_now ? HCL_Unpack(wire.data(), bytes, &position, one.image.base(into), one.count,
                                             one.type.type, MPI_COMM_SELF)
                                : HCL_Packer_unpack(one.packer, wire.data(), bytes, &position, into.data());
      if (back != MPI_SUCCESS || position != bytes || into != one.data) ++wrong;
    }
  }
  return wrong;
}

void expect_right_in_threads(std::uint64_t seed) {
  std::mt19937_64 random(~seed);
  SharedTypes shared(seed, random);
  int level = MPI_THREAD_SINGLE;
  MPI_Query_thread(&level);
  std::vector<int> wrong(3);
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < wrong.size(); ++t)
    threads.emplace_back(
        [&, t] { wrong[t] = wrong_in_one_thread(shared, seed + t, level == MPI_THREAD_MULTIPLE); });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, std::vector<int>(wrong.size()));
}

/// Threads that pack the same datatypes and by the same packers, while code is generated for them.
TEST_F(PackedTrees, by_several_threads) {
  Trials run("random datatypes in threads", 20261104, 100, 0.2);
  while (run.next()) {
    expect_right_in_threads(run.seed());
    ASSERT_FALSE(HasFailure()) << run;
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
