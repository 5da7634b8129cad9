// A program beside the shared library: it catches what that throws, and agrees with it about the version.
#include <halocline/halocline.h>
#include <halocline/halocline.hpp>

#include <cstdio>
#include <exception>

// What classes have inside has no name out here.
template <class T>
concept ShowsState = requires {
  typename T::State;
};
static_assert(!ShowsState<halocline::Cart> && !ShowsState<halocline::Neighborhood> &&
              !ShowsState<halocline::Exchange> && !ShowsState<halocline::Halo> &&
              !ShowsState<halocline::compile::Packer>);

namespace {

int failures = 0;

void expect(bool ok, const char* what) {
  if (ok) return;
  std::printf("border_test: %s\n", what);
  ++failures;
}

/// How does an error that is thrown in the library arrive here?
const char* caught() {
  try {
    (void)halocline::Mesh::parse("no mesh");
  } catch (const halocline::Error& error) {
    return error.fault() == halocline::Fault::invalid_argument ? "as Error" : "with another fault";
  } catch (const std::exception&) {
    return "as another exception";
  }
  return "not at all";
}

}  // namespace

int main() {
  expect(caught() == std::string_view("as Error"), caught());
  const halocline::Version loaded = halocline::version();
  expect(loaded.major == HALOCLINE_VERSION_MAJOR && loaded.minor == HALOCLINE_VERSION_MINOR &&
             loaded.patch == HALOCLINE_VERSION_PATCH,
         "halocline::version() is not the version of the headers");
  int major = -1, minor = -1, patch = -1;
  expect(HCL_Version(&major, &minor, &patch) == MPI_SUCCESS, "HCL_Version failed");
  expect(10000 * major + 100 * minor + patch == HALOCLINE_VERSION,
         "HCL_Version is not the version of the headers");
  expect(HCL_Version(nullptr, nullptr, nullptr) == MPI_SUCCESS, "HCL_Version takes no null pointers");
  return failures == 0 ? 0 : 1;
}
