// Packing through the C interface: what it promises. One rank is enough.
#include "api/pack_fixture.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

namespace halocline::api_pack_tests {
namespace {

using mpi::CompiledType;
using mpi::Datatype;
using mpi::Info;

Info info_with(const char* key, const char* value) {
  Info info;
  MPI_Info_create(info.put());
  MPI_Info_set(info.get(), key, value);
  return info;
}

TEST_F(Pack, a_column_and_back) {
  const Doubles matrix = counting(12);
  const Datatype type = column(3, 4);
  MPI_Count size = 0;
  ASSERT_EQ(HCL_Pack_size(2, type.get(), MPI_COMM_SELF, &size), MPI_SUCCESS);
  EXPECT_EQ(size, 48);
  Doubles wire(7, -1);
  MPI_Count position = 8;
  ASSERT_EQ(HCL_Pack(matrix.data() + 1, 1, type.get(), wire.data(), 56, &position, MPI_COMM_SELF),
            MPI_SUCCESS);
  EXPECT_EQ(position, 32);
  EXPECT_EQ(wire, (Doubles{-1, 1, 5, 9, -1, -1, -1}));
  Doubles into(12, 0);
  position = 8;
  ASSERT_EQ(HCL_Unpack(wire.data(), 56, &position, into.data(), 1, type.get(), MPI_COMM_SELF), MPI_SUCCESS);
  EXPECT_EQ(position, 32);
  EXPECT_EQ(into, (Doubles{1, 0, 0, 0, 5, 0, 0, 0, 9, 0, 0, 0}));
}

TEST_F(Pack, every_count_of_a_small_type) {
  Datatype pair;
  MPI_Type_vector(2, 1, 2, MPI_DOUBLE, pair.put());
  Datatype type;
  MPI_Type_create_resized(pair.get(), 0, 5 * sizeof(double), type.put());
  MPI_Datatype handle = type.get();
  MPI_Type_commit(&handle);
  const Doubles data = counting(5 * 2100);
  for (int count = 0; count < 2100; count = count < 70 ? count + 1 : count * 2 - 31) {
    Doubles expected;
    for (int i = 0; i < count; ++i) {
      expected.push_back(5 * i);
      expected.push_back(5 * i + 2);
    }
    Doubles wire(expected.size() + 1, -1);
    MPI_Count position = 0;
    ASSERT_EQ(HCL_Pack(data.data(), count, handle, wire.data(), 16 * count, &position, MPI_COMM_SELF),
              MPI_SUCCESS);
    EXPECT_EQ(position, 16 * count);
    EXPECT_EQ(wire.back(), -1);
    wire.pop_back();
    ASSERT_EQ(wire, expected) << count;
    Doubles into(data.size(), -1);
    position = 0;
    ASSERT_EQ(HCL_Unpack(wire.data(), 16 * count, &position, into.data(), count, handle, MPI_COMM_SELF),
              MPI_SUCCESS);
    for (std::size_t i = 0; i < into.size(); ++i) {
      const bool packed = i / 5 < static_cast<std::size_t>(count) && (i % 5 == 0 || i % 5 == 2);
      ASSERT_EQ(into[i], packed ? static_cast<double>(i) : -1) << count << " elements, double " << i;
    }
  }
}

TEST_F(Pack, predefined_and_dense_types) {
  const Doubles data = counting(1000);
  Datatype row;
  MPI_Type_contiguous(10, MPI_DOUBLE, row.put());
  MPI_Datatype handle = row.get();
  MPI_Type_commit(&handle);
  for (const auto& [type, count] : {std::pair(MPI_DOUBLE, 1000), std::pair(handle, 100)})
    // The second time another way finds the type.
    for (int use = 0; use < 2; ++use) {
      Doubles wire(1000);
      MPI_Count position = 0;
      ASSERT_EQ(HCL_Pack(data.data(), count, type, wire.data(), 8000, &position, MPI_COMM_SELF), MPI_SUCCESS);
      EXPECT_EQ(position, 8000);
      EXPECT_EQ(wire, data);
      Doubles into(1000);
      position = 0;
      ASSERT_EQ(HCL_Unpack(wire.data(), 8000, &position, into.data(), count, type, MPI_COMM_SELF),
                MPI_SUCCESS);
      EXPECT_EQ(position, 8000);
      EXPECT_EQ(into, data);
    }
}

/// Elements without a gap that begin behind their address.
TEST_F(Pack, dense_types_with_an_offset) {
  const Doubles data = counting(10);
  const MPI_Aint two = 2 * sizeof(double);
  const int length = 3;
  Datatype type;
  MPI_Type_create_hindexed(1, &length, &two, MPI_DOUBLE, type.put());
  MPI_Datatype handle = type.get();
  MPI_Type_commit(&handle);
  for (const MPI_Count count : {2, 2, 0, 1, 2}) {
    Doubles expected(6, -1), wire(6, -1), into(10, -1), expected_into(10, -1);
    for (std::size_t i = 0; i < static_cast<std::size_t>(3 * count); ++i)
      expected[i] = expected_into[i + 2] = static_cast<double>(i + 2);
    MPI_Count position = 0;
    ASSERT_EQ(HCL_Pack(data.data(), count, handle, wire.data(), 48, &position, MPI_COMM_SELF), MPI_SUCCESS);
    EXPECT_EQ(position, 24 * count);
    EXPECT_EQ(wire, expected);
    position = 0;
    ASSERT_EQ(HCL_Unpack(wire.data(), 48, &position, into.data(), count, handle, MPI_COMM_SELF), MPI_SUCCESS);
    EXPECT_EQ(position, 24 * count);
    EXPECT_EQ(into, expected_into);
  }
}

TEST_F(Pack, blocks_with_a_gap_between_elements) {
  const Doubles data = counting(12);
  Datatype type;
  MPI_Type_create_resized(MPI_DOUBLE, 0, 24, type.put());
  MPI_Datatype handle = type.get();
  MPI_Type_commit(&handle);
  Doubles wire(4);
  MPI_Count position = 0;
  ASSERT_EQ(HCL_Pack(data.data(), 4, handle, wire.data(), 32, &position, MPI_COMM_SELF), MPI_SUCCESS);
  EXPECT_EQ(wire, (Doubles{0, 3, 6, 9}));
}

TEST_F(Pack, absolute_addresses) {
  double a = 1;
  double b = 2;
  MPI_Aint addresses[2];
  MPI_Get_address(&a, &addresses[0]);
  MPI_Get_address(&b, &addresses[1]);
  Datatype type;
  MPI_Type_create_hindexed_block(2, 1, addresses, MPI_DOUBLE, type.put());
  MPI_Datatype handle = type.get();
  MPI_Type_commit(&handle);
  Doubles wire(2);
  MPI_Count position = 0;
  ASSERT_EQ(HCL_Pack(MPI_BOTTOM, 1, handle, wire.data(), 16, &position, MPI_COMM_SELF), MPI_SUCCESS);
  EXPECT_EQ(wire, (Doubles{1, 2}));
  wire = {3, 4};
  position = 0;
  ASSERT_EQ(HCL_Unpack(wire.data(), 16, &position, MPI_BOTTOM, 1, handle, MPI_COMM_SELF), MPI_SUCCESS);
  EXPECT_EQ(a, 3);
  EXPECT_EQ(b, 4);

  const MPI_Count counts[] = {1, 1};
  const MPI_Datatype types[] = {MPI_DOUBLE, MPI_DOUBLE};
  HCL_Packer packer = HCL_PACKER_NULL;
  ASSERT_EQ(HCL_Packer_create(2, counts, addresses, types, MPI_INFO_NULL, &packer), MPI_SUCCESS);
  position = 0;
  ASSERT_EQ(HCL_Packer_pack(packer, MPI_BOTTOM, wire.data(), 16, &position), MPI_SUCCESS);
  EXPECT_EQ(wire, (Doubles{3, 4}));
  EXPECT_EQ(HCL_Packer_free(&packer), MPI_SUCCESS);

  position = 0;
  expect_refused(HCL_Pack(MPI_BOTTOM, 1, MPI_DOUBLE, wire.data(), 16, &position, MPI_COMM_SELF), MPI_ERR_ARG,
                 "inbuf is MPI_BOTTOM");
}

/// Four rows a gibibyte apart in memory that is not there until it is written.
TEST_F(Pack, offsets_past_two_gibibytes) {
  constexpr std::size_t gibibyte = std::size_t{1} << 30;
  void* const memory =
      mmap(nullptr, 4 * gibibyte, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) GTEST_SKIP() << "no room for addresses";
  auto* const bytes = static_cast<char*>(memory);
  Datatype type;
  MPI_Type_create_hvector(4, 3, gibibyte, MPI_CHAR, type.put());
  MPI_Datatype handle = type.get();
  MPI_Type_commit(&handle);
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = 0; j < 3; ++j) bytes[i * gibibyte + j] = static_cast<char>('a' + 3 * i + j);
  std::string wire(12, '?');
  MPI_Count position = 0;
  ASSERT_EQ(HCL_Pack(bytes, 1, handle, wire.data(), 12, &position, MPI_COMM_SELF), MPI_SUCCESS);
  EXPECT_EQ(wire, "abcdefghijkl");
  wire = "ABCDEFGHIJKL";
  position = 0;
  ASSERT_EQ(HCL_Unpack(wire.data(), 12, &position, bytes, 1, handle, MPI_COMM_SELF), MPI_SUCCESS);
  EXPECT_EQ(std::string(bytes + 3 * gibibyte, 4), std::string("JKL\0", 4));
  MPI_Count size = 0;
  ASSERT_EQ(HCL_Pack_size(MPI_Count{1} << 40, handle, MPI_COMM_SELF, &size), MPI_SUCCESS);
  EXPECT_EQ(size, MPI_Count{12} << 40);
  munmap(memory, 4 * gibibyte);
}

TEST_F(Pack, is_compiled_once_and_duplicates_know) {
  const Datatype type = column(3, 4);
  EXPECT_EQ(engine_of(type.get()), "none");
  MPI_Count size = 0;
  ASSERT_EQ(HCL_Pack_size(1, type.get(), MPI_COMM_SELF, &size), MPI_SUCCESS);
  const auto first = mpi::TypeCache<CompiledType>::find(type.get());
  ASSERT_NE(first, nullptr);
  EXPECT_EQ(first->engine().name, "auto");
  ASSERT_EQ(HCL_Pack_size(1, type.get(), MPI_COMM_SELF, &size), MPI_SUCCESS);
  EXPECT_EQ(mpi::TypeCache<CompiledType>::find(type.get()), first);
  Datatype copy;
  MPI_Type_dup(type.get(), copy.put());
  EXPECT_EQ(mpi::TypeCache<CompiledType>::find(copy.get()), first);
}

/// Handles are used again: what was known of an old type must not be taken for the new one.
TEST_F(Pack, a_freed_type_is_forgotten) {
  const Doubles data = counting(64);
  std::vector<Datatype> duplicates;
  for (int stride = 1; stride < 32; ++stride) {
    const Datatype type = column(2, stride);
    Doubles wire(2);
    for (int again = 0; again < 2; ++again) {
      MPI_Count position = 0;
      ASSERT_EQ(HCL_Pack(data.data(), 1, type.get(), wire.data(), 16, &position, MPI_COMM_SELF), MPI_SUCCESS);
      EXPECT_EQ(wire, (Doubles{0, static_cast<double>(stride)}));
    }
    if (stride % 2 == 0) MPI_Type_dup(type.get(), duplicates.emplace_back().put());
  }
}

TEST_F(Pack, the_engine_is_chosen_by_info_then_environment) {
  const Datatype type = column(3, 4);
  ASSERT_EQ(HCL_Type_compile(type.get(), info_with("halocline_compile", "kernels").get()), MPI_SUCCESS);
  EXPECT_EQ(engine_of(type.get()), "kernels");
  ASSERT_EQ(HCL_Type_compile(type.get(), info_with("halocline_reuse", "1000").get()), MPI_SUCCESS);
  EXPECT_EQ(engine_of(type.get()), "auto");
  setenv("HALOCLINE_COMPILE", "kernels", 1);
  ASSERT_EQ(HCL_Type_compile(type.get(), MPI_INFO_NULL), MPI_SUCCESS);
  EXPECT_EQ(engine_of(type.get()), "kernels");
  setenv("HALOCLINE_COMPILE", "llvm", 1);  // installed or not
  EXPECT_EQ(HCL_Type_compile(type.get(), MPI_INFO_NULL), MPI_SUCCESS);
  EXPECT_EQ(engine_of(type.get()), "llvm");
  setenv("HALOCLINE_COMPILE", "gcc", 1);
  const Datatype other = column(5, 2);
  double in[10] = {};
  double out[5];
  MPI_Count position = 0;
  expect_refused(HCL_Pack(in, 1, other.get(), out, sizeof out, &position, MPI_COMM_SELF), MPI_ERR_ARG,
                 "\"gcc\"");
  unsetenv("HALOCLINE_COMPILE");
  expect_refused(HCL_Type_compile(type.get(), info_with("halocline_compile", "tcc").get()), MPI_ERR_ARG,
                 "\"tcc\"; there are kernels, llvm, auto");
  expect_refused(HCL_Type_compile(type.get(), info_with("halocline_reuse", "often").get()), MPI_ERR_ARG,
                 "often");
  expect_refused(HCL_Type_compile(type.get(), info_with("halocline_reuse", "-3").get()), MPI_ERR_ARG, "-3");
  for (const char* const number : {"99999999999999999999", "9223372036854775808", "1e3", "0x10"})
    expect_refused(HCL_Type_compile(type.get(), info_with("halocline_reuse", number).get()), MPI_ERR_ARG,
                   std::string("halocline_reuse \"") + number + '"');
}

TEST_F(Pack, threads_share_a_type) {
  const Doubles data = counting(6 * 512);
  const CompiledType compiled(halocline::Layout::parse("resized(0,48,vector(2,1,3,double))"),
                              halocline::mpi::EngineChoice{});
  std::vector<std::thread> threads;
  std::vector<int> wrong(4, 0);
  for (std::size_t t = 0; t < wrong.size(); ++t)
    threads.emplace_back([&, t] {
      for (int count = 1; count <= 512; ++count) {
        Doubles wire(2 * static_cast<std::size_t>(count));
        compiled.pack(reinterpret_cast<const std::byte*>(data.data()), count,
                      reinterpret_cast<std::byte*>(wire.data()));
        for (std::size_t i = 0; i < wire.size(); ++i)
          if (wire[i] != static_cast<double>(3 * i)) ++wrong[t];
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, std::vector<int>(4, 0));
}

}  // namespace
}  // namespace halocline::api_pack_tests
