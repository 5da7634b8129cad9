// What tests of refusals in C have in common: an error handler that counts, and what a refusal looks like.
#pragma once

#include "halocline/halocline.h"
#include "support/world.hpp"

#include <gtest/gtest.h>

#include <string>

namespace halocline {

inline int times_called = 0;
inline void count_call(MPI_Comm* /*comm*/, int* /*code*/, ...) { ++times_called; }

/// An error handler that counts.
class Counting {
 public:
  Counting() {
    MPI_Comm_create_errhandler(count_call, &handler_);
    times_called = 0;
  }
  ~Counting() { MPI_Errhandler_free(&handler_); }
  Counting(const Counting&) = delete;
  Counting& operator=(const Counting&) = delete;
  [[nodiscard]] MPI_Errhandler get() const { return handler_; }

 private:
  MPI_Errhandler handler_ = MPI_ERRHANDLER_NULL;
};

inline int class_of(int code) {
  int its_class = MPI_SUCCESS;
  MPI_Error_class(code, &its_class);
  return its_class;
}

/// The handler of the world counts as long as a test lasts.
class Refusals : public testing::Test {
 protected:
  Refusals() { MPI_Comm_set_errhandler(MPI_COMM_WORLD, counting_.get()); }
  ~Refusals() override { MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL); }

  /// The code has that class and words, here and everywhere, and the handler heard of it once.
  static void expect_refused(int code, int error_class, const std::string& words) {
    EXPECT_EQ(class_of(code), error_class) << words;
    EXPECT_EQ(times_called, 1) << words;
    times_called = 0;
    std::string text(MPI_MAX_ERROR_STRING, '\0');
    int length = 0;
    ASSERT_EQ(HCL_Error_string(code, text.data(), &length), MPI_SUCCESS);
    text.resize(static_cast<std::size_t>(length));
    EXPECT_NE(text.find(words), std::string::npos) << text << " does not say: " << words;
  }

  static bool last_rank() { return world_rank() == world_size() - 1; }

  Counting counting_;
};

}  // namespace halocline
