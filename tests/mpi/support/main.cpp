// Runs the tests of a program on every rank. Rank 0 reports as usual, the others report what failed on them;
// the program fails on all ranks if it failed on one. --files=mpi/cart,halo/halo runs those of
// tests/mpi/mpi/cart_test.cpp and tests/mpi/halo/halo_test.cpp alone. With HALOCLINE_TEST_THREADS MPI is one
// for several threads, if it can.

#include <gtest/gtest.h>
#include <mpi.h>

#include <cstdio>
#include <cstdlib>
#include <set>
#include <sstream>
#include <string>
#include <string_view>

namespace {

class FailuresOnly : public testing::EmptyTestEventListener {
 public:
  explicit FailuresOnly(int rank) : rank_(rank) {}
  void OnTestPartResult(const testing::TestPartResult& result) override {
    if (result.failed())
      std::fprintf(stderr, "rank %d: %s:%d: %s\n", rank_, result.file_name(), result.line_number(),
                   result.message());
  }

 private:
  int rank_;
};

/// The word after `--files=` among the arguments, or nothing.
std::string files_wanted(int argc, char** argv) {
  constexpr std::string_view option = "--files=";
  for (int i = 1; i < argc; ++i)
    if (std::string_view(argv[i]).substr(0, option.size()) == option) return argv[i] + option.size();
  return {};
}

/// "mpi/cart" out of ".../tests/mpi/mpi/cart_test.cpp".
std::string name_of(std::string_view path) {
  const std::size_t folder = path.rfind('/', path.rfind('/') - 1);
  return std::string(path.substr(folder + 1, path.rfind("_test.") - folder - 1));
}

/// A filter of GoogleTest's for the tests of these files, without those that `filter` takes away after its
/// '-'. Ends the program where a file has none: nobody would notice that it is not tested.
std::string filter_for(const std::string& files, const std::string& filter) {
  std::set<std::string> wanted;
  std::istringstream list(files);
  for (std::string file; std::getline(list, file, ',');) wanted.insert(file);
  std::set<std::string> found;
  std::string result;
  const testing::UnitTest& all = *testing::UnitTest::GetInstance();
  for (int s = 0; s < all.total_test_suite_count(); ++s) {
    const testing::TestSuite& suite = *all.GetTestSuite(s);
    for (int t = 0; t < suite.total_test_count(); ++t) {
      const testing::TestInfo& test = *suite.GetTestInfo(t);
      const std::string file = name_of(test.file());
      if (wanted.count(file) == 0) continue;
      found.insert(file);
      result += std::string(suite.name()) + "." + test.name() + ":";
    }
  }
  for (const std::string& file : wanted)
    if (found.count(file) == 0) {
      std::fprintf(stderr, "--files: there is no test of %s\n", file.c_str());
      std::exit(2);
    }
  const std::size_t without = filter.find('-');
  return without == std::string::npos ? result : result + filter.substr(without);
}

}  // namespace

int main(int argc, char** argv) {
  int threads = MPI_THREAD_SINGLE;
  MPI_Init_thread(&argc, &argv,
                  std::getenv("HALOCLINE_TEST_THREADS") != nullptr ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE,
                  &threads);
  testing::InitGoogleTest(&argc, argv);
  if (const std::string files = files_wanted(argc, argv); !files.empty())
    testing::GTEST_FLAG(filter) = filter_for(files, testing::GTEST_FLAG(filter));
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank != 0) {
    auto& listeners = testing::UnitTest::GetInstance()->listeners();
    delete listeners.Release(listeners.default_result_printer());
    listeners.Append(new FailuresOnly(rank));
  }
  const int failed_here = RUN_ALL_TESTS();
  int failed = 0;
  MPI_Allreduce(&failed_here, &failed, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  MPI_Finalize();
  return failed;
}
