// SPDX-License-Identifier: BSD-3-Clause
#include "api/c/error.hpp"

#include "base/index.hpp"
#include "base/numbers.hpp"
#include "halocline/halocline.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <mutex>
#include <string>
#include <utility>

namespace halocline::api {
namespace {

/// The last thing said in this thread, and under which code. Like errno: written by failures only.
struct LastError {
  int code = MPI_SUCCESS;
  std::string text;
};

LastError& last_error() {
  thread_local LastError last;
  return last;
}

/// Null: the function that reports is the one that was called.
const char*& called_function() {
  thread_local const char* function = nullptr;
  return function;
}

bool is_fatal(MPI_Comm comm) {
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  if (PMPI_Comm_get_errhandler(comm, &handler) != MPI_SUCCESS) return true;
  const bool fatal = handler == MPI_ERRORS_ARE_FATAL;
  PMPI_Errhandler_free(&handler);
  return fatal;
}

#ifdef MPICH

/// MPICH 4.0 accepts new codes in its own classes and then crashes on their texts. So a program that looks at
/// codes gets the plain class, and a job that is about to end gets a code with the text in a class of its
/// own.
int code_for(MPI_Comm comm, const Error& error, const std::string& text) {
  int own_class = 0;
  int code = 0;
  const bool told = is_fatal(comm) && PMPI_Add_error_class(&own_class) == MPI_SUCCESS &&
                    PMPI_Add_error_code(own_class, &code) == MPI_SUCCESS &&
                    PMPI_Add_error_string(code, text.c_str()) == MPI_SUCCESS;
  return told ? code : error_class(error);
}

#else

constexpr std::size_t faults = to_index(Fault::internal) + 1;

std::array<int, faults> new_codes() {
  std::array<int, faults> codes{};
  for (std::size_t fault = 0; fault < faults; ++fault) {
    const int its_class = error_class(Error(static_cast<Fault>(fault), ""));
    if (PMPI_Add_error_code(its_class, &codes[fault]) != MPI_SUCCESS) codes[fault] = its_class;
  }
  return codes;
}

/// A code of MPI's own that stays what it is; in a job that is about to end, one of its class with the text.
int code_for_mpi(MPI_Comm comm, int mpi_code, const std::string& text) {
  int its_class = 0;
  int code = 0;
  const bool told = is_fatal(comm) && PMPI_Error_class(mpi_code, &its_class) == MPI_SUCCESS &&
                    PMPI_Add_error_code(its_class, &code) == MPI_SUCCESS &&
                    PMPI_Add_error_string(code, text.c_str()) == MPI_SUCCESS;
  return told ? code : mpi_code;
}

/// One code for each fault, whose text is what was said last.
int code_for(MPI_Comm comm, const Error& error, const std::string& text) {
  if (error.fault() == Fault::mpi) return code_for_mpi(comm, error.mpi_code(), text);
  static const std::array<int, faults> codes = new_codes();
  const int code = codes[to_index(error.fault())];
  PMPI_Add_error_string(code, text.c_str());
  return code;
}

#endif

}  // namespace

int error_class(const Error& error) noexcept {
  switch (error.fault()) {
    case Fault::invalid_argument:
      return MPI_ERR_ARG;
    case Fault::invalid_dimensions:
      return MPI_ERR_DIMS;
    case Fault::invalid_topology:
      return MPI_ERR_TOPOLOGY;
    case Fault::invalid_type:
      return MPI_ERR_TYPE;
    case Fault::unsupported:
      return MPI_ERR_UNSUPPORTED_OPERATION;
    case Fault::out_of_memory:
      return MPI_ERR_NO_MEM;
    case Fault::mpi:
      return error.mpi_code();
    case Fault::internal:
      break;
  }
  return MPI_ERR_INTERN;
}

CalledAs::CalledAs(const char* function) noexcept : before_(called_function()) {
  if (before_ == nullptr) called_function() = function;
}
CalledAs::~CalledAs() { called_function() = before_; }

int report(MPI_Comm comm, const Error& error, const char* function) noexcept {
  if (comm == MPI_COMM_NULL) comm = MPI_COMM_WORLD;
  // The error handler of the program may call functions of its own.
  const char* const called = std::exchange(called_function(), nullptr);
  int code = MPI_ERR_NO_MEM;
  try {
    std::string text = concat(called != nullptr ? called : function, ": ", error.what());
    text.resize(std::min<std::size_t>(text.size(), MPI_MAX_ERROR_STRING - 1));
    {
      static std::mutex
          one_at_a_time;  // whose text the code has is the last one's; HCL_Error_string knows this thread's
      const std::lock_guard<std::mutex> lock(one_at_a_time);
      code = code_for(comm, error, text);
    }
    last_error() = {code, std::move(text)};
  } catch (const std::exception&) {  // no memory for the text
    code = MPI_ERR_NO_MEM;
  }
  PMPI_Comm_call_errhandler(comm, code);
  called_function() = called;
  return code;
}

}  // namespace halocline::api

int HCL_Error_string(int errorcode, char* string, int* resultlen) {
  const int refused = halocline::api::guarded(MPI_COMM_WORLD, [&] {
    halocline::api::require_pointer(string, "string");
    halocline::api::require_pointer(resultlen, "resultlen");
  });
  if (refused != MPI_SUCCESS) return refused;
  const auto& last = halocline::api::last_error();
  if (errorcode != last.code || errorcode == MPI_SUCCESS)
    return PMPI_Error_string(errorcode, string, resultlen);
  std::memcpy(string, last.text.c_str(), last.text.size() + 1);
  *resultlen = halocline::to_int(last.text.size());
  return MPI_SUCCESS;
}
