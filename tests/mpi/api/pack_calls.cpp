// Packs the same few bytes again and again, each way in a function of its own, so that a tool can count what
// a call costs. Usage: pack_calls BLOCKS LENGTH STRIDE [REPETITIONS], in doubles

#include "halocline/compile/packer.hpp"
#include "halocline/halocline.h"

#include <mpi.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace {

using halocline::Count;
using halocline::Layout;
using halocline::compile::Packer;

int repetitions = 1000;

/// What is packed: some blocks of doubles; the plainest copy of it; and the ways to do it.
struct Shape {
  Count blocks, length, stride;  ///< In doubles.
  MPI_Datatype type = MPI_DATATYPE_NULL;
  HCL_Packer handle = HCL_PACKER_NULL;
  Packer packer;
  std::vector<double> data = std::vector<double>(4096, 1.0);
  std::vector<double> wire = std::vector<double>(4096);

  Shape(Count its_blocks, Count its_length, Count its_stride)
      : blocks(its_blocks), length(its_length), stride(its_stride) {
    MPI_Type_vector(static_cast<int>(blocks), static_cast<int>(length), static_cast<int>(stride), MPI_DOUBLE,
                    &type);
    MPI_Type_commit(&type);
    const MPI_Count count = 1;
    const MPI_Aint displacement = 0;
    HCL_Packer_create(1, &count, &displacement, &type, MPI_INFO_NULL, &handle);
    packer = Packer({Layout::vector(blocks, length, stride, Layout::named(halocline::Elementary::double_))});
  }
  Shape(const Shape&) = delete;
  Shape& operator=(const Shape&) = delete;
  ~Shape() {
    HCL_Packer_free(&handle);
    MPI_Type_free(&type);
  }
  [[nodiscard]] MPI_Count bytes() const { return 8 * blocks * length; }
};

}  // namespace

// Each is a row of pack_instructions_test.py, which finds it by its name.
extern "C" {
// The least that has to happen for one block: a call of memcpy, through a pointer that hides its size.
using Copy = void*(void*, const void*, std::size_t);
Copy* volatile plain_copy = std::memcpy;

[[gnu::noinline]] void count_memcpy(Shape& shape) {
  for (int i = 0; i < repetitions; ++i)
    plain_copy(shape.wire.data(), shape.data.data(), static_cast<std::size_t>(shape.bytes()));
}
[[gnu::noinline]] void count_memcpy_back(Shape& shape) {
  for (int i = 0; i < repetitions; ++i)
    plain_copy(shape.data.data(), shape.wire.data(), static_cast<std::size_t>(shape.bytes()));
}
[[gnu::noinline]] void count_packer_pack(Shape& shape) {
  for (int i = 0; i < repetitions; ++i)
    shape.packer.pack(reinterpret_cast<const std::byte*>(shape.data.data()),
                      reinterpret_cast<std::byte*>(shape.wire.data()));
}
[[gnu::noinline]] void count_packer_unpack(Shape& shape) {
  for (int i = 0; i < repetitions; ++i)
    shape.packer.unpack(reinterpret_cast<const std::byte*>(shape.wire.data()),
                        reinterpret_cast<std::byte*>(shape.data.data()));
}
[[gnu::noinline]] void count_HCL_Packer_pack(Shape& shape) {
  for (int i = 0; i < repetitions; ++i) {
    MPI_Count position = 0;
    HCL_Packer_pack(shape.handle, shape.data.data(), shape.wire.data(), shape.bytes(), &position);
  }
}
[[gnu::noinline]] void count_HCL_Packer_unpack(Shape& shape) {
  for (int i = 0; i < repetitions; ++i) {
    MPI_Count position = 0;
    HCL_Packer_unpack(shape.handle, shape.wire.data(), shape.bytes(), &position, shape.data.data());
  }
}
[[gnu::noinline]] void count_HCL_Pack(Shape& shape) {
  for (int i = 0; i < repetitions; ++i) {
    MPI_Count position = 0;
    HCL_Pack(shape.data.data(), 1, shape.type, shape.wire.data(), shape.bytes(), &position, MPI_COMM_SELF);
  }
}
[[gnu::noinline]] void count_HCL_Unpack(Shape& shape) {
  for (int i = 0; i < repetitions; ++i) {
    MPI_Count position = 0;
    HCL_Unpack(shape.wire.data(), shape.bytes(), &position, shape.data.data(), 1, shape.type, MPI_COMM_SELF);
  }
}
[[gnu::noinline]] void count_HCL_Pack_doubles(Shape& shape) {
  for (int i = 0; i < repetitions; ++i) {
    MPI_Count position = 0;
    HCL_Pack(shape.data.data(), shape.blocks * shape.length, MPI_DOUBLE, shape.wire.data(), shape.bytes(),
             &position, MPI_COMM_SELF);
  }
}
[[gnu::noinline]] void count_MPI_Pack(Shape& shape) {
  for (int i = 0; i < repetitions; ++i) {
    int position = 0;
    MPI_Pack(shape.data.data(), 1, shape.type, shape.wire.data(), static_cast<int>(shape.bytes()), &position,
             MPI_COMM_SELF);
  }
}
[[gnu::noinline]] void count_MPI_Unpack(Shape& shape) {
  for (int i = 0; i < repetitions; ++i) {
    int position = 0;
    MPI_Unpack(shape.wire.data(), static_cast<int>(shape.bytes()), &position, shape.data.data(), 1,
               shape.type, MPI_COMM_SELF);
  }
}
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  if (argc != 4 && argc != 5) {
    std::fprintf(stderr, "usage: pack_calls BLOCKS LENGTH STRIDE [REPETITIONS], in doubles\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  {
    Shape shape(std::atoll(argv[1]), std::atoll(argv[2]), std::atoll(argv[3]));
    MPI_Count position = 0;  // the first call for a type compiles it
    HCL_Pack(shape.data.data(), 1, shape.type, shape.wire.data(), shape.bytes(), &position, MPI_COMM_SELF);
    position = 0;
    HCL_Pack(shape.data.data(), 1, MPI_DOUBLE, shape.wire.data(), shape.bytes(), &position, MPI_COMM_SELF);
    if (argc == 5) repetitions = std::atoi(argv[4]);
    count_memcpy(shape);
    count_memcpy_back(shape);
    count_packer_pack(shape);
    count_packer_unpack(shape);
    count_HCL_Packer_pack(shape);
    count_HCL_Packer_unpack(shape);
    count_HCL_Pack(shape);
    count_HCL_Unpack(shape);
    count_HCL_Pack_doubles(shape);
    count_MPI_Pack(shape);
    count_MPI_Unpack(shape);
  }
  MPI_Finalize();
}
