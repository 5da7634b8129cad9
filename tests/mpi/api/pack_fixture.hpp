// What the tests of packing share: matrices, columns of them, and errors that are returned.
#pragma once

#include "halocline/halocline.h"
#include "mpi/datatypes/compiled_type.hpp"
#include "mpi/handles/attribute_cache.hpp"
#include "mpi/handles/handle.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <string>
#include <string_view>
#include <vector>

namespace halocline {

using Doubles = std::vector<double>;

inline Doubles counting(std::size_t size) {
  Doubles values(size);
  std::iota(values.begin(), values.end(), 0);
  return values;
}

inline mpi::Datatype column(int rows, int columns) {
  mpi::Datatype type;
  MPI_Type_vector(rows, 1, columns, MPI_DOUBLE, type.put());
  MPI_Datatype handle = type.get();
  MPI_Type_commit(&handle);
  return type;
}

inline std::string_view engine_of(MPI_Datatype type) {
  const auto compiled = mpi::TypeCache<mpi::CompiledType>::find(type);
  return compiled ? compiled->engine().name : "none";
}

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

}  // namespace halocline
