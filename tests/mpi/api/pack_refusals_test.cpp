// What packing through the C interface refuses, and how. One rank is enough.
#include "api/pack_fixture.hpp"

#include <limits>

namespace halocline::api_pack_refusals_tests {
namespace {

using mpi::Datatype;
using mpi::Info;

int calls = 0;  ///< Of the error handler below.
// NOLINTNEXTLINE(cert-dcl50-cpp): MPI's type of a handler
void count_call(MPI_Comm* /*comm*/, int* /*code*/, ...) { ++calls; }

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

/// Offsets that leave 64 bits, or that no memory has: refused before anything is looked at.
TEST_F(Pack, types_that_no_memory_holds_are_refused) {
  constexpr MPI_Aint huge = std::numeric_limits<MPI_Aint>::max();
  const auto committed = [](Datatype type) {
    MPI_Type_commit(type.put());
    return type;
  };
  const auto strided = [&](int count, MPI_Aint stride) {
    Datatype type;
    MPI_Type_create_hvector(count, 1, stride, MPI_INT, type.put());
    return committed(std::move(type));
  };
  const auto placed = [&](MPI_Aint first, MPI_Aint second) {
    const int lengths[] = {1, 1};
    const MPI_Aint places[] = {first, second};
    Datatype type;
    MPI_Type_create_hindexed(2, lengths, places, MPI_INT, type.put());
    return committed(std::move(type));
  };
  const auto spread = [&](MPI_Aint extent) {
    Datatype type;
    MPI_Type_create_resized(MPI_INT, 0, extent, type.put());
    return committed(std::move(type));
  };
  struct Row {
    Datatype type;
    MPI_Count count;
  };
  std::vector<Row> rows;
  for (const MPI_Aint stride : {huge, huge / 2, -(huge / 2), huge / 4, -huge})
    for (const int count : {2, 3, 5}) rows.push_back({strided(count, stride), 1});
  for (const MPI_Aint place : {huge - 3, huge / 2, huge / 4, -(huge / 4)})
    rows.push_back({placed(0, place), 1});
  rows.push_back({placed(huge / 4, -(huge / 4)), 1});
  rows.push_back({placed(huge - 100, huge - 90), 1});  // any address beside it leaves 64 bits
  for (const MPI_Aint extent : {huge / 2, huge / 4, MPI_Aint{1} << 62, -(MPI_Aint{1} << 62)})
    rows.push_back({spread(extent), 5});
  const std::vector<int> clean(64, -1);
  std::vector<int> data = clean, wire = clean;
  for (const Row& row : rows) {
    MPI_Count position = 0;
    const MPI_Datatype type = row.type.get();
    const auto refused = [&](int code) { expect_refused(code, MPI_ERR_TYPE, ""); };
    refused(HCL_Pack(data.data(), row.count, type, wire.data(), 256, &position, MPI_COMM_SELF));
    refused(HCL_Unpack(wire.data(), 256, &position, data.data(), row.count, type, MPI_COMM_SELF));
    HCL_Packer packer = HCL_PACKER_NULL;
    const MPI_Aint at = 0;
    refused(HCL_Packer_create(1, &row.count, &at, &type, MPI_INFO_NULL, &packer));
    EXPECT_EQ(packer, HCL_PACKER_NULL);
    EXPECT_EQ(position, 0);
  }
  EXPECT_EQ(data, clean);
  EXPECT_EQ(wire, clean);
  // One element of a large extent is one of none.
  const Datatype single = spread(huge / 2);
  MPI_Count position = 0;
  EXPECT_EQ(HCL_Pack(data.data(), 1, single.get(), wire.data(), 256, &position, MPI_COMM_SELF), MPI_SUCCESS);
  EXPECT_EQ(position, 4);
}

TEST_F(Pack, mpi_in_place_is_no_buffer) {
  std::vector<int> data(4), wire(4);
  MPI_Count position = 0;
  const auto refused = [&](int code, const char* name) {
    expect_refused(code, MPI_ERR_ARG, std::string(name) + " is MPI_IN_PLACE");
  };
  refused(HCL_Pack(MPI_IN_PLACE, 1, MPI_INT, wire.data(), 16, &position, MPI_COMM_SELF), "inbuf");
  refused(HCL_Pack(data.data(), 1, MPI_INT, MPI_IN_PLACE, 16, &position, MPI_COMM_SELF), "outbuf");
  refused(HCL_Unpack(MPI_IN_PLACE, 16, &position, data.data(), 1, MPI_INT, MPI_COMM_SELF), "inbuf");
  refused(HCL_Unpack(wire.data(), 16, &position, MPI_IN_PLACE, 1, MPI_INT, MPI_COMM_SELF), "outbuf");
  const MPI_Count one = 1;
  const MPI_Aint at = 0;
  const MPI_Datatype type = MPI_INT;
  HCL_Packer packer = HCL_PACKER_NULL;
  ASSERT_EQ(HCL_Packer_create(1, &one, &at, &type, MPI_INFO_NULL, &packer), MPI_SUCCESS);
  refused(HCL_Packer_pack(packer, MPI_IN_PLACE, wire.data(), 16, &position), "inbuf");
  refused(HCL_Packer_pack(packer, data.data(), MPI_IN_PLACE, 16, &position), "outbuf");
  refused(HCL_Packer_unpack(packer, MPI_IN_PLACE, 16, &position, data.data()), "inbuf");
  refused(HCL_Packer_unpack(packer, wire.data(), 16, &position, MPI_IN_PLACE), "outbuf");
  EXPECT_EQ(HCL_Packer_free(&packer), MPI_SUCCESS);
  EXPECT_EQ(position, 0);
}

/// A type or a packer that was used before takes a short way, which must not let anything wrong through.
TEST_F(Pack, what_was_packed_before_refuses_as_at_the_first_time) {
  constexpr MPI_Count most = std::numeric_limits<MPI_Count>::max();
  constexpr MPI_Count least = std::numeric_limits<MPI_Count>::min();
  Doubles data = counting(12);
  Doubles wire(3, -1);
  const Datatype type = column(3, 4);
  const MPI_Count one = 1;
  const MPI_Aint at = 0;
  const MPI_Datatype handle = type.get();
  HCL_Packer packer = HCL_PACKER_NULL;
  ASSERT_EQ(HCL_Packer_create(1, &one, &at, &handle, MPI_INFO_NULL, &packer), MPI_SUCCESS);
  MPI_Count position = 0;
  ASSERT_EQ(HCL_Pack(data.data(), 1, handle, wire.data(), 24, &position, MPI_COMM_SELF), MPI_SUCCESS);
  ASSERT_EQ(position, 24);
  position = 0;
  ASSERT_EQ(HCL_Pack(data.data(), 3, MPI_DOUBLE, wire.data(), 24, &position, MPI_COMM_SELF), MPI_SUCCESS);
  wire.assign(3, -1);
  struct Wrong {
    MPI_Count position;
    MPI_Count size;
    const char* words;
  };
  for (const auto& [start, size, words] :
       {Wrong{1, 24, "24 bytes do not fit"}, Wrong{0, 23, "which has 23 bytes"}, Wrong{-8, 24, "position -8"},
        Wrong{least, most, "is outside"}, Wrong{-1, -1, "is -1"}, Wrong{most, least, "is -92"},
        Wrong{most, -2, "is -2"}, Wrong{most, most, "24 bytes do not fit"}, Wrong{8, least, "is -92"},
        Wrong{most - 23, most, "24 bytes do not fit"}, Wrong{25, 24, "position 25 is outside"}}) {
    SCOPED_TRACE(words);
    const auto refused = [&](int code) {
      expect_refused(code, MPI_ERR_ARG, words);
      EXPECT_EQ(position, start);
    };
    position = start;
    refused(HCL_Pack(data.data(), 1, handle, wire.data(), size, &position, MPI_COMM_SELF));
    refused(HCL_Unpack(wire.data(), size, &position, data.data(), 1, handle, MPI_COMM_SELF));
    refused(HCL_Packer_pack(packer, data.data(), wire.data(), size, &position));
    refused(HCL_Packer_unpack(packer, wire.data(), size, &position, data.data()));
    refused(HCL_Pack(data.data(), 3, MPI_DOUBLE, wire.data(), size, &position, MPI_COMM_SELF));
    refused(HCL_Unpack(wire.data(), size, &position, data.data(), 3, MPI_DOUBLE, MPI_COMM_SELF));
  }
  position = 0;
  const auto refused = [&](int code, const char* words) { expect_refused(code, MPI_ERR_ARG, words); };
  refused(HCL_Pack(nullptr, 1, handle, wire.data(), 24, &position, MPI_COMM_SELF), "inbuf is MPI_BOTTOM");
  refused(HCL_Pack(data.data(), 1, handle, nullptr, 24, &position, MPI_COMM_SELF), "outbuf is a null");
  refused(HCL_Pack(data.data(), 1, handle, wire.data(), 24, nullptr, MPI_COMM_SELF), "position is a null");
  refused(HCL_Unpack(nullptr, 24, &position, data.data(), 1, handle, MPI_COMM_SELF), "inbuf is a null");
  refused(HCL_Unpack(wire.data(), 24, &position, nullptr, 1, handle, MPI_COMM_SELF), "outbuf is MPI_BOTTOM");
  refused(HCL_Packer_pack(packer, nullptr, wire.data(), 24, &position), "inbuf is MPI_BOTTOM");
  refused(HCL_Packer_unpack(packer, nullptr, 24, &position, data.data()), "inbuf is a null");
  expect_refused(HCL_Pack(data.data(), 1, handle, wire.data(), 24, &position, MPI_COMM_NULL), MPI_ERR_COMM,
                 "MPI_COMM_NULL");
  const auto several = [&](const void* from, MPI_Count count, void* to, MPI_Comm comm) {
    return HCL_Pack(from, count, MPI_DOUBLE, to, most, &position, comm);
  };
  refused(several(nullptr, 3, wire.data(), MPI_COMM_SELF), "inbuf is MPI_BOTTOM");
  refused(several(MPI_IN_PLACE, 3, wire.data(), MPI_COMM_SELF), "inbuf is MPI_IN_PLACE");
  refused(several(data.data(), 3, nullptr, MPI_COMM_SELF), "outbuf is a null");
  refused(several(data.data(), -3, wire.data(), MPI_COMM_SELF), "incount is -3");
  refused(several(data.data(), least, wire.data(), MPI_COMM_SELF), "incount is -92");
  expect_refused(several(data.data(), 3, wire.data(), MPI_COMM_NULL), MPI_ERR_COMM, "MPI_COMM_NULL");
  expect_refused(several(data.data(), most / 8, wire.data(), MPI_COMM_SELF), MPI_ERR_TYPE, "memory");
  EXPECT_EQ(position, 0);
  EXPECT_EQ(wire, Doubles(3, -1));
  EXPECT_EQ(data, counting(12));
  EXPECT_EQ(HCL_Packer_free(&packer), MPI_SUCCESS);
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
  const MPI_Aint far[] = {0, std::numeric_limits<MPI_Aint>::max() - 4};
  const MPI_Datatype doubles[] = {MPI_DOUBLE, MPI_DOUBLE};
  expect_refused(HCL_Packer_create(2, ones, far, doubles, MPI_INFO_NULL, &packer), MPI_ERR_TYPE, "64 bits");
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
}  // namespace halocline::api_pack_refusals_tests
