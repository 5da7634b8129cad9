// Every engine against the typemap, byte by byte: random layouts, addresses, sizes and refusals.

#include "halocline/compile/packer.hpp"

#include "../describe/random_layouts.hpp"
#include "../expect_error.hpp"
#include "base/fail.hpp"
#include "compile/kernels/step.hpp"
#include "every_engine.hpp"
#include "expect_packs.hpp"
#include "interpreter.hpp"
#include "trees.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <limits>
#include <numeric>

namespace halocline::compile {
namespace {

TEST(Packer, random_trees_pack_as_their_typemaps_say) {
  Trees trees(4000);
  for (int i = 0; i < trees.count(); ++i) {
    const Layout layout = trees.layouts().next_of_any_length(i % 5, 400);
    const Count count = i % 3 == 0 ? static_cast<Count>(trees.random()() % 5) : 1;
    expect_every_engine_right(Case({{layout, count, static_cast<Count>(trees.random()() % 99) - 49}}),
                              trees.random(), Engines::always_there);
    if (HasFatalFailure()) return;
  }
}

/// Typemaps of long layouts are too long.
TEST(Packer, long_random_trees_pack_as_the_interpreter_does) {
  Trees trees(300);
  for (int i = 0; i < trees.count(); ++i) {
    const Layout layout = trees.layouts().next_of_any_length(i % 5, 2);
    const Count count = 1 + i % 3, steps = (count - 1) * layout.extent();
    const Count low = layout.true_lb() + std::min<Count>(steps, 0);
    const Count high = layout.true_ub() + std::max<Count>(steps, 0);
    if (high - low > Count{1} << 24) continue;
    Bytes memory(static_cast<std::size_t>(high - low));
    for (std::byte& b : memory) b = static_cast<std::byte>(trees.random()());
    const Part part{layout, count, -low};
    const Packer reference(part, interpreter);
    Bytes expected(static_cast<std::size_t>(reference.bytes()));
    reference.pack(memory.data(), expected.data());
    for (const Engine& engine : i % 10 == 0 ? available_engines() : engines()) {
      const Packer packer(part, engine);
      Bytes wire(expected.size());
      packer.pack(memory.data(), wire.data());
      ASSERT_TRUE(wire == expected) << engine.name << ": " << count << " x " << layout.to_text();
    }
  }
}

TEST(Packer, random_parts_fuse_in_order) {
  Trees trees(1000);
  for (int i = 0; i < trees.count(); ++i) {
    std::vector<Part> parts;
    for (auto more = trees.random()() % 7; more > 0; --more)
      parts.push_back({trees.layouts().next(static_cast<int>(more % 4)),
                       static_cast<Count>(trees.random()() % 3),
                       static_cast<Count>(trees.random()() % 2001) - 1000});
    expect_every_engine_right(Case(parts), trees.random(), Engines::always_there);
    if (HasFatalFailure()) return;
  }
}

TEST(Packer, absolute_addresses_need_no_base) {
  std::vector<double> data(100);
  const auto address = static_cast<Count>(reinterpret_cast<std::uintptr_t>(data.data()));
  const Layout column = Layout::hindexed({1}, {address}, Layout::vector(10, 1, 10, Layout::parse("double")));
  for (const Engine& engine : with_interpreter(available_engines())) {
    std::iota(data.begin(), data.end(), 0.0);
    const Packer packer({column}, engine);
    std::vector<double> wire(10);
    packer.pack(nullptr, reinterpret_cast<std::byte*>(wire.data()));
    for (std::size_t i = 0; i < 10; ++i) EXPECT_EQ(wire[i], static_cast<double>(10 * i));
    for (double& value : wire) value = -value;
    packer.unpack(reinterpret_cast<const std::byte*>(wire.data()), nullptr);
    EXPECT_EQ(data[30], -30);
    EXPECT_EQ(data[31], 31);
  }
}

TEST(Packer, contiguous_data_need_no_packing) {
  const Packer two({Layout::parse("contiguous(6,double)"), 2, 100});
  EXPECT_EQ(two.contiguous(), (Segment{100, 96}));
  EXPECT_EQ(Packer({Layout::parse("vector(2,1,2,double)")}).contiguous(), std::nullopt);
  EXPECT_EQ(Packer().contiguous(), (Segment{0, 0}));
  const std::vector<Part> neighbours{{Layout::parse("double"), 3, 8}, {Layout::parse("int"), 2, 32}};
  EXPECT_EQ(Packer(neighbours).contiguous(), (Segment{8, 32}));
}

TEST(Packer, nothing_is_packed_of_nothing) {
  for (const Engine& engine : with_interpreter(available_engines())) {
    const std::vector<Part> nothing{{Layout::parse("double"), 0}, {Layout::parse("contiguous(0,int)"), 5}};
    const Packer packer(nothing, engine);
    EXPECT_EQ(packer.bytes(), 0);
    packer.pack(nullptr, nullptr);
    packer.unpack(nullptr, nullptr);
    packer.pack(nullptr, nullptr, 0, 0);
  }
}

TEST(Packer, refusals_name_the_value) {
  const Layout row = Layout::parse("contiguous(4,double)");
  expect_error(
      Fault::invalid_argument,
      [&] {
        Packer packer({row, -3});
      },
      "-3", "count");
  expect_error(
      Fault::invalid_argument,
      [&] {
        Packer packer({row, Count{1} << 60});
      },
      "64 bits");
  constexpr Count huge = std::numeric_limits<Count>::max();
  const auto outside = [](const std::vector<Part>& parts, const char* words) {
    expect_error(
        Fault::invalid_type, [&] { Packer packer(parts); }, "64 bits", words);
  };
  const Layout apart = Layout::resized(0, huge / 2, Layout::parse("byte"));
  outside({{apart, 4, 0}}, "4 elements of resized");
  outside({{apart, 3, 7}}, "at offset 7");
  outside({{row, 1, huge - 8}}, "9223372036854775831");
  outside({{row, 1, -huge}, {row, 1, 8}}, "at offset 8");  // too far from each other
  outside({{Layout::resized(0, huge / 2, Layout::hindexed_block(1, {-huge}, row)), 4, 0}}, "4 elements");
  EXPECT_EQ(Packer({apart, 2, 0}).bytes(), 2);
  const Packer packer({row});
  std::byte bytes[32] = {};
  expect_error(
      Fault::invalid_argument, [&] { packer.pack(bytes, bytes, 30, 3); }, "32", "30", "3");
  expect_error(
      Fault::invalid_argument, [&] { packer.unpack(bytes, bytes, -1, 3); }, "-1");
  expect_error(
      Fault::invalid_argument, [&] { (void)engine("fastest"); }, "fastest", "there are kernels, llvm, auto");
}

TEST(Packer, levels_without_end_are_refused) {
  Layout deep = Layout::parse("int");
  for (int i = 0; i < 1900; ++i) deep = Layout::hvector(1, 1, 0, deep);
  EXPECT_EQ(Packer({deep}).contiguous(), (Segment{0, 4}));
  for (int i = 0; i < 200; ++i) deep = Layout::dup(deep);
  expect_error(
      Fault::unsupported, [&] { Packer packer({deep}); }, "2000");
}

/// Pages that are never touched cost nothing.
class SparseMemory {
 public:
  explicit SparseMemory(std::size_t bytes) : bytes_(bytes) {
    void* const mapped =
        mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    memory_ = mapped == MAP_FAILED ? nullptr : static_cast<std::byte*>(mapped);
  }
  SparseMemory(const SparseMemory&) = delete;
  SparseMemory& operator=(const SparseMemory&) = delete;
  ~SparseMemory() {
    if (memory_ != nullptr) munmap(memory_, bytes_);
  }
  [[nodiscard]] std::byte* data() const { return memory_; }

 private:
  std::size_t bytes_;
  std::byte* memory_;
};

TEST(Packer, offsets_past_two_gibibytes) {
  const SparseMemory memory(std::size_t{24} << 30);
  if (memory.data() == nullptr) GTEST_SKIP() << "no address space for 24 GiB";
  // A plane with a pitch of 3 GiB, and lists that leave 32 bits in both directions.
  for (const char* text : {"hvector(7,1,3221225472,vector(5,1,100000,double))",
                           "hindexed_block(1,[0,20000000000,8,9000000000],int)",
                           "hindexed([1,2,3],[25000000000,3,9000000000],int)",
                           "struct([1,2],[17179869184,16],[vector(9,2,3,float),double])"}) {
    const Layout layout = Layout::parse(text);
    for (const Engine& engine : with_interpreter(available_engines())) {
      SCOPED_TRACE(concat(engine.name, ": ", text));
      const Packer packer({layout}, engine);
      const Counts stream = stream_of(std::vector<Part>{{layout}});
      for (std::size_t i = 0; i < stream.size(); ++i)
        memory.data()[stream[i]] = static_cast<std::byte>(i * 37 + 11);
      Bytes wire(stream.size());
      packer.pack(memory.data(), wire.data());
      for (std::size_t i = 0; i < stream.size(); ++i) ASSERT_EQ(wire[i], static_cast<std::byte>(i * 37 + 11));
      for (std::byte& b : wire) b ^= std::byte{0xFF};
      packer.unpack(wire.data(), memory.data());
      for (std::size_t i = 0; i < stream.size(); ++i) ASSERT_EQ(memory.data()[stream[i]], wire[i]);
    }
  }
}

TEST(Packer, streams_past_two_gibibytes) {
  // 6 GiB of stream from one page of data and a stride of 0; only its ends are packed.
  const Layout layout = Layout::hvector(Count{6} << 20, 1, 0, Layout::parse("contiguous(1024,byte)"));
  std::vector<std::byte> data(1024);
  for (std::size_t i = 0; i < data.size(); ++i) data[i] = static_cast<std::byte>(i * 7 + i / 256);
  for (const Engine& engine : with_interpreter(available_engines())) {
    const Packer packer({layout}, engine);
    EXPECT_EQ(packer.bytes(), Count{6} << 30);
    Bytes wire(3000);
    const Count first = (Count{5} << 30) + 77;
    packer.pack(data.data(), wire.data(), first, 3000);
    for (Count i = 0; i < 3000; ++i)
      ASSERT_EQ(wire[static_cast<std::size_t>(i)], data[static_cast<std::size_t>((first + i) % 1024)]);
  }
}

}  // namespace
}  // namespace halocline::compile
