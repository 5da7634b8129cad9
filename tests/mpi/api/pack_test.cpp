// Packing through the C interface: what it promises, and what it refuses. One rank is enough.
#include "halocline/halocline.h"
#include "mpi/attribute_cache.hpp"
#include "mpi/compiled_type.hpp"
#include "mpi/handle.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cstdlib>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

namespace {

using halocline::mpi::CompiledType;
using halocline::mpi::Datatype;
using halocline::mpi::Info;
using Doubles = std::vector<double>;

Doubles counting(std::size_t size) {
  Doubles values(size);
  std::iota(values.begin(), values.end(), 0);
  return values;
}

Datatype column(int rows, int columns) {
  Datatype type;
  MPI_Type_vector(rows, 1, columns, MPI_DOUBLE, type.put());
  MPI_Datatype handle = type.get();
  MPI_Type_commit(&handle);
  return type;
}

Info info_with(const char* key, const char* value) {
  Info info;
  MPI_Info_create(info.put());
  MPI_Info_set(info.get(), key, value);
  return info;
}

std::string_view engine_of(MPI_Datatype type) {
  const auto compiled = halocline::mpi::TypeCache<CompiledType>::find(type);
  return compiled ? compiled->engine().name : "none";
}

int calls = 0;  ///< Of the error handler below.
// NOLINTNEXTLINE(cert-dcl50-cpp): MPI's type of a handler
void count_call(MPI_Comm* /*comm*/, int* /*code*/, ...) { ++calls; }

class Pack : public testing::Test {
 protected:
  void SetUp() override {
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  }
  void TearDown() override {
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL);
  }

  static void expect_refused(int code, int error_class, const std::string& words) {
    ASSERT_NE(code, MPI_SUCCESS) << words;
    int actual = 0;
    MPI_Error_class(code, &actual);
    EXPECT_EQ(actual, error_class) << words;
    std::string text(MPI_MAX_ERROR_STRING, '\0');
    int length = 0;
    ASSERT_EQ(HCL_Error_string(code, text.data(), &length), MPI_SUCCESS);
    text.resize(static_cast<std::size_t>(length));
    EXPECT_NE(text.find(words), std::string::npos) << text;
  }
};

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
  for (const auto& [type, count] : {std::pair(MPI_DOUBLE, 1000), std::pair(handle, 100)}) {
    Doubles wire(1000);
    MPI_Count position = 0;
    ASSERT_EQ(HCL_Pack(data.data(), count, type, wire.data(), 8000, &position, MPI_COMM_SELF), MPI_SUCCESS);
    EXPECT_EQ(wire, data);
    Doubles into(1000);
    position = 0;
    ASSERT_EQ(HCL_Unpack(wire.data(), 8000, &position, into.data(), count, type, MPI_COMM_SELF), MPI_SUCCESS);
    EXPECT_EQ(into, data);
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
  const auto first = halocline::mpi::TypeCache<CompiledType>::find(type.get());
  ASSERT_NE(first, nullptr);
  EXPECT_EQ(first->engine().name, "auto");
  ASSERT_EQ(HCL_Pack_size(1, type.get(), MPI_COMM_SELF, &size), MPI_SUCCESS);
  EXPECT_EQ(halocline::mpi::TypeCache<CompiledType>::find(type.get()), first);
  Datatype copy;
  MPI_Type_dup(type.get(), copy.put());
  EXPECT_EQ(halocline::mpi::TypeCache<CompiledType>::find(copy.get()), first);
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
  ASSERT_EQ(HCL_Type_compile(type.get(), info_with("halocline_compile", "interpreter").get()), MPI_SUCCESS);
  EXPECT_EQ(engine_of(type.get()), "interpreter");
  ASSERT_EQ(HCL_Type_compile(type.get(), info_with("halocline_reuse", "1000").get()), MPI_SUCCESS);
  EXPECT_EQ(engine_of(type.get()), "auto");
  setenv("HALOCLINE_COMPILE", "interpreter", 1);
  ASSERT_EQ(HCL_Type_compile(type.get(), MPI_INFO_NULL), MPI_SUCCESS);
  EXPECT_EQ(engine_of(type.get()), "interpreter");
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
                 "\"tcc\"; there are interpreter, kernels, llvm, auto");
  expect_refused(HCL_Type_compile(type.get(), info_with("halocline_reuse", "often").get()), MPI_ERR_ARG,
                 "often");
  expect_refused(HCL_Type_compile(type.get(), info_with("halocline_reuse", "-3").get()), MPI_ERR_ARG, "-3");
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

TEST_F(Pack, refusals_come_before_the_first_byte) {
  const Doubles data = counting(12);
  const Doubles clean(4, -1);
  Doubles wire = clean;
  const Datatype type = column(3, 4);
  Datatype raw;
  MPI_Type_vector(3, 1, 4, MPI_DOUBLE, raw.put());
  MPI_Count position = 16;
  const auto pack = [&](MPI_Count count, MPI_Datatype what, MPI_Count outsize) {
    return HCL_Pack(data.data(), count, what, wire.data(), outsize, &position, MPI_COMM_SELF);
  };
  expect_refused(pack(1, MPI_DATATYPE_NULL, 32), MPI_ERR_TYPE, "MPI_DATATYPE_NULL");
  expect_refused(pack(1, raw.get(), 64), MPI_ERR_TYPE, "not committed");
  expect_refused(pack(-1, type.get(), 32), MPI_ERR_ARG, "incount is -1");
  expect_refused(pack(1, type.get(), 32), MPI_ERR_ARG, "24 bytes do not fit outbuf, which has 16");
  expect_refused(pack(1, type.get(), -8), MPI_ERR_ARG, "outsize is -8");
  expect_refused(pack(1, type.get(), 8), MPI_ERR_ARG, "position 16 is outside outbuf, which has 8");
  expect_refused(pack(MPI_Count{1} << 60, type.get(), 32), MPI_ERR_ARG, "64 bits");
  position = -1;
  expect_refused(pack(1, type.get(), 32), MPI_ERR_ARG, "position -1");
  EXPECT_EQ(position, -1);
  position = 0;
  expect_refused(HCL_Pack(data.data(), 1, type.get(), wire.data(), 32, nullptr, MPI_COMM_SELF), MPI_ERR_ARG,
                 "position is a null pointer");
  expect_refused(HCL_Pack(data.data(), 1, type.get(), nullptr, 32, &position, MPI_COMM_SELF), MPI_ERR_ARG,
                 "outbuf is a null pointer");
  expect_refused(HCL_Pack(data.data(), 1, type.get(), wire.data(), 32, &position, MPI_COMM_NULL),
                 MPI_ERR_COMM, "MPI_COMM_NULL");
  expect_refused(HCL_Pack_size(-2, type.get(), MPI_COMM_SELF, &position), MPI_ERR_ARG, "incount is -2");
  EXPECT_EQ(wire, clean);

  Doubles into = clean;
  const auto unpack = [&](MPI_Count insize, MPI_Count count, MPI_Datatype what) {
    return HCL_Unpack(data.data(), insize, &position, into.data(), count, what, MPI_COMM_SELF);
  };
  expect_refused(unpack(16, 1, type.get()), MPI_ERR_ARG, "24 bytes do not fit inbuf, which has 16");
  expect_refused(unpack(32, -4, type.get()), MPI_ERR_ARG, "outcount is -4");
  expect_refused(unpack(32, 1, raw.get()), MPI_ERR_TYPE, "not committed");
  expect_refused(HCL_Unpack(data.data(), 32, &position, nullptr, 1, type.get(), MPI_COMM_SELF), MPI_ERR_ARG,
                 "outbuf is MPI_BOTTOM");
  EXPECT_EQ(into, clean);
  EXPECT_EQ(position, 0);
  EXPECT_EQ(engine_of(raw.get()), "none");
}

TEST_F(Pack, the_error_handler_hears_of_a_refusal_once) {
  MPI_Errhandler counting_handler = MPI_ERRHANDLER_NULL;
  MPI_Comm_create_errhandler(count_call, &counting_handler);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, counting_handler);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, counting_handler);
  const auto calls_of = [&](const auto& call) {
    calls = 0;
    EXPECT_NE(call(), MPI_SUCCESS);
    return calls;
  };
  Datatype raw;
  MPI_Type_vector(3, 1, 4, MPI_DOUBLE, raw.put());
  const Doubles data = counting(12);
  Doubles wire(4);
  MPI_Count size = 0;
  for (const MPI_Comm comm : {MPI_COMM_SELF, MPI_COMM_WORLD}) {
    MPI_Count position = 0;
    EXPECT_EQ(calls_of([&] { return HCL_Pack(data.data(), 1, raw.get(), wire.data(), 32, &position, comm); }),
              1);
    EXPECT_EQ(
        calls_of([&] { return HCL_Unpack(data.data(), 32, &position, wire.data(), 1, raw.get(), comm); }), 1);
    EXPECT_EQ(calls_of([&] { return HCL_Pack_size(1, raw.get(), comm, &size); }), 1);
    EXPECT_EQ(calls_of([&] { return HCL_Pack_size(1, MPI_DATATYPE_NULL, comm, &size); }), 1);
  }
  EXPECT_EQ(calls_of([&] { return HCL_Type_compile(raw.get(), MPI_INFO_NULL); }), 1);
  const MPI_Count one = 1;
  const MPI_Aint at = 0;
  const MPI_Datatype type = raw.get();
  HCL_Packer packer = HCL_PACKER_NULL;
  EXPECT_EQ(calls_of([&] { return HCL_Packer_create(1, &one, &at, &type, MPI_INFO_NULL, &packer); }), 1);
  // Committed now, it is packed without a word.
  MPI_Type_commit(raw.put());
  calls = 0;
  EXPECT_EQ(HCL_Pack_size(1, raw.get(), MPI_COMM_SELF, &size), MPI_SUCCESS);
  EXPECT_EQ(calls, 0);
  MPI_Errhandler_free(&counting_handler);
}

TEST_F(Pack, packers_refuse) {
  const MPI_Count counts[] = {1, -1};
  const MPI_Aint places[] = {0, 0};
  const MPI_Datatype types[] = {MPI_DOUBLE, MPI_DATATYPE_NULL};
  HCL_Packer packer = HCL_PACKER_NULL;
  expect_refused(HCL_Packer_create(2, counts, places, types, MPI_INFO_NULL, &packer), MPI_ERR_ARG,
                 "counts[1] is -1");
  const MPI_Count ones[] = {1, 1};
  expect_refused(HCL_Packer_create(2, ones, places, types, MPI_INFO_NULL, &packer), MPI_ERR_TYPE,
                 "MPI_DATATYPE_NULL");
  expect_refused(HCL_Packer_create(-1, ones, places, types, MPI_INFO_NULL, &packer), MPI_ERR_ARG,
                 "nparts is -1");
  EXPECT_EQ(packer, HCL_PACKER_NULL);
  MPI_Count size = 0;
  expect_refused(HCL_Packer_size(packer, &size), MPI_ERR_ARG, "HCL_PACKER_NULL");
  expect_refused(HCL_Packer_free(&packer), MPI_ERR_ARG, "HCL_PACKER_NULL");

  ASSERT_EQ(HCL_Packer_create(1, ones, places, types, MPI_INFO_NULL, &packer), MPI_SUCCESS);
  double in = 1;
  double out = -1;
  MPI_Count position = 4;
  expect_refused(HCL_Packer_pack(packer, &in, &out, 8, &position), MPI_ERR_ARG, "8 bytes do not fit outbuf");
  expect_refused(HCL_Packer_unpack(packer, &in, 8, &position, &out), MPI_ERR_ARG, "8 bytes do not fit inbuf");
  position = 0;
  expect_refused(HCL_Packer_pack(packer, MPI_BOTTOM, &out, 8, &position), MPI_ERR_ARG, "inbuf is MPI_BOTTOM");
  EXPECT_EQ(out, -1);
  EXPECT_EQ(HCL_Packer_free(&packer), MPI_SUCCESS);
  EXPECT_EQ(packer, HCL_PACKER_NULL);
  // Of nothing: allowed, as MPI's empty types are.
  ASSERT_EQ(HCL_Packer_create(0, nullptr, nullptr, nullptr, MPI_INFO_NULL, &packer), MPI_SUCCESS);
  EXPECT_EQ(HCL_Packer_pack(packer, nullptr, nullptr, 0, &position), MPI_SUCCESS);
  EXPECT_EQ(HCL_Packer_free(&packer), MPI_SUCCESS);
}

}  // namespace
