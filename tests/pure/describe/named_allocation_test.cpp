#include "describe/named_allocation.hpp"

#include "expect_error.hpp"

#include <sstream>

namespace halocline {
namespace {

NamedAllocation read(const std::string& text, const Network& network = Network::torus({3, 4})) {
  std::istringstream in(text);
  return NamedAllocation::read(in, network);
}

template <class... Words>
void expect_refusal(const std::string& text, const Words&... words) {
  SCOPED_TRACE(text);
  expect_error(
      Fault::invalid_argument, [&] { (void)read(text); }, words...);
}

TEST(NamedAllocation, reads_names_or_none) {
  const NamedAllocation named =
      read("# the first cabinet\n nid007 2 3\n4th,0 , 1\n\nn-2.cluster\t1 0 # last\n");
  EXPECT_EQ(named.hosts, (std::vector<std::string>{"nid007", "4th", "n-2.cluster"}));
  EXPECT_EQ(named.allocation.nodes(), (Counts{11, 1, 4}));
  EXPECT_TRUE(read("2 3\n0 1\n").hosts.empty());
  EXPECT_EQ(Allocation::parse("a 2 3\nb 0 1\n", Network::torus({3, 4})).nodes(), (Counts{11, 1}));
}

TEST(NamedAllocation, finds_the_nodes_of_a_job_by_name) {
  const NamedAllocation machine = read("a 0 0\nb 0 1\nc.x 0 2\nd 0 3\n");
  EXPECT_EQ(machine.of_job(std::vector<std::string>{"d", "a.cluster.org", "c.x"}).nodes(), (Counts{3, 0, 2}));
  const auto refused = [&](const std::vector<std::string>& names, const auto&... words) {
    expect_error(
        Fault::invalid_argument, [&] { (void)machine.of_job(names); }, words...);
  };
  refused({"a", "e"}, "host e ", "4 hosts");
  refused({"c"}, "host c ");
  refused({"a", "b", "a"}, "hosts a and a");
  refused({"b.one", "b.two"}, "hosts b.one and b.two", "host b ");
}

TEST(NamedAllocation, without_names_stands_for_as_many_nodes) {
  const NamedAllocation nameless = read("0 0\n0 1\n");
  EXPECT_EQ(nameless.of_job(std::vector<std::string>{"x", "x"}).nodes(), (Counts{0, 1}));
  expect_error(
      Fault::invalid_argument, [&] { (void)nameless.of_job(std::vector<std::string>{"x"}); }, "2 nodes",
      "the job 1");
}

TEST(NamedAllocation, names_the_lines_of_errors) {
  expect_refusal("a 0 0\n\nb 0 1\na 0 2\n", "lines 1 and 4", "host a");
  expect_refusal("a 0 0\nb 0 0\n", "lines 1 and 2", "node 0 0");
  expect_refusal("a 0 0\n0 1\n", "line 2", "no name", "line 1 has one");
  expect_refusal("# x\n0 0\na 0 1\n", "line 3", "a name", "line 2 has none");
  expect_refusal("a\n", "line 1", "no coordinates");
  expect_refusal("a 0\n", "line 1", "coordinates is 1, but 2");
  expect_refusal("a 0 0 0\n", "line 1", "coordinates is 3, but 2");
  expect_refusal("a 0 4\n", "line 1", "4", "0..3");
  expect_refusal("a b 0 1\n", "line 1", "expected an integer");
}

}  // namespace
}  // namespace halocline
