// Which prices are those of a machine: a file's, or the usual ones of what can be seen.
#include "plan/prices/machine_prices.hpp"

#include "expect_error.hpp"
#include "halocline/base/error.hpp"

#include <gtest/gtest.h>

#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>

namespace halocline::plan::machine_prices_tests {
namespace {

namespace fs = std::filesystem;

const Circumstances here{"n7", "mpich", "tcp", 8};
const Price network{"network", {3e-6, 4e-10, 5e-6}, {"n*", "mpich", "tcp", 8}, 1000};
const Price node{"node", {6e-7, 7e-10, 8e-7}, {"n*", "mpich", "tcp", 8}, 1000};

/// A folder, and variables that are as before at the end.
class MachinePricesTest : public testing::Test {
 protected:
  MachinePricesTest() {
    std::string name = (fs::temp_directory_path() / "halocline_prices_XXXXXX").string();
    folder_ = mkdtemp(name.data());
    for (const char* const variable : variables) {
      const char* const value = std::getenv(variable);
      before_.push_back(value == nullptr ? std::nullopt : std::optional<std::string>(value));
      unsetenv(variable);
    }
  }
  ~MachinePricesTest() override {
    for (std::size_t v = 0; v < before_.size(); ++v)
      before_[v] ? setenv(variables[v], before_[v]->c_str(), 1) : unsetenv(variables[v]);
    fs::remove_all(folder_);
  }

  fs::path written(const std::string& name, const std::string& text) {
    fs::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name) << text;
    return folder_ / name;
  }
  static std::string read(const fs::path& path) { return read_price_file(path).value(); }
  std::string complaint_about(const std::string& text) {
    const MachinePrices found = machine_prices({written("damaged", text), false}, here, {});
    EXPECT_EQ(found.costs.between_nodes.round_seconds, default_prices({}).between_nodes.round_seconds);
    EXPECT_EQ(found.costs.on_node.round_seconds, default_prices({}).on_node.round_seconds);
    return found.complaint;
  }

  static constexpr const char* variables[] = {"HALOCLINE_PRICES", "XDG_CONFIG_HOME", "HOME",
                                              "HALOCLINE_MACHINE"};
  std::vector<std::optional<std::string>> before_;
  fs::path folder_;
};

TEST_F(MachinePricesTest, the_environment_says_where_they_are) {
  EXPECT_FALSE(price_place().path);
  setenv("HOME", "/home/me", 1);
  EXPECT_EQ(price_place().path, "/home/me/.config/halocline/prices");
  setenv("XDG_CONFIG_HOME", "relative", 1);
  EXPECT_EQ(price_place().path, "/home/me/.config/halocline/prices");
  setenv("XDG_CONFIG_HOME", "/etc/mine", 1);
  EXPECT_EQ(price_place().path, "/etc/mine/halocline/prices");
  EXPECT_FALSE(price_place().asked_for);
  setenv("HALOCLINE_PRICES", "", 1);
  EXPECT_EQ(price_place().path, "/etc/mine/halocline/prices");
  setenv("HALOCLINE_PRICES", "some/file", 1);
  EXPECT_EQ(price_place().path, "some/file");
  EXPECT_TRUE(price_place().asked_for);
  setenv("HALOCLINE_PRICES", "none", 1);
  EXPECT_FALSE(price_place().path);
}

TEST_F(MachinePricesTest, a_file_counts_for_what_it_has) {
  const fs::path both = written("both", with_prices("", {{network, node}}));
  const MachinePrices found = machine_prices({both, true}, here, {});
  EXPECT_EQ(found.complaint, "");
  EXPECT_EQ(found.costs.between_nodes.round_seconds, 3e-6);
  EXPECT_EQ(found.costs.between_nodes.byte_seconds, 4e-10);
  EXPECT_EQ(found.costs.between_nodes.latency_seconds, 5e-6);
  EXPECT_EQ(found.costs.on_node.round_seconds, 6e-7);

  const MachineFacts facts{{"infiniband"}, 8, 4};
  const MachinePrices half = machine_prices({written("half", with_prices("", {{node}})), true}, here, facts);
  EXPECT_EQ(half.complaint, "");
  EXPECT_EQ(half.costs.on_node.round_seconds, 6e-7);
  EXPECT_EQ(half.costs.between_nodes.round_seconds, default_prices(facts).between_nodes.round_seconds);
}

TEST_F(MachinePricesTest, a_file_counts_for_other_levels_if_the_machine_has_them) {
  Price numa = node;
  numa.level = "numa";
  const fs::path file = written("levels", with_prices("", {{numa}}));
  const MachineFacts facts{{}, 1, 0, {"package", "numa"}};
  const MachinePrices found = machine_prices({file, true}, here, facts);
  EXPECT_EQ(found.complaint, "");
  ASSERT_NE(found.costs.levels.find("numa"), nullptr);
  EXPECT_EQ(found.costs.levels.find("numa")->round_seconds, 6e-7);
  EXPECT_EQ(found.costs.levels.find("package"), nullptr);
  EXPECT_EQ(found.costs.on_node.round_seconds, default_prices(facts).on_node.round_seconds);

  const MachinePrices without = machine_prices({file, true}, here, {{}, 1, 0, {"package"}});
  EXPECT_TRUE(without.costs.levels.empty());
  EXPECT_EQ(without.complaint, "default prices, not those of " + file.string() +
                                   ": none of its prices is of node, network or package; line 2 is of numa");
}

TEST_F(MachinePricesTest, levels_whose_names_are_too_long_have_no_prices) {
  Price price = node;
  price.level = "a_level_with_quite_a_long_name";
  const fs::path file = written("long", with_prices("", {{node, price}}));
  EXPECT_EQ(machine_prices({file, true}, here, {}).complaint, "");
  EXPECT_NE(machine_prices({file, true}, here, {{}, 1, 0, {price.level}}).complaint.find(price.level),
            std::string::npos);
}

TEST_F(MachinePricesTest, without_a_file_nobody_complains_unless_it_was_asked_for) {
  EXPECT_EQ(machine_prices({std::nullopt, false}, here, {}).complaint, "");
  EXPECT_EQ(machine_prices({folder_ / "no", false}, here, {}).complaint, "");
  const std::string complaint = machine_prices({folder_ / "no", true}, here, {}).complaint;
  EXPECT_EQ(complaint,
            "default prices, not those of " + (folder_ / "no").string() + ": there is no such file");
}

TEST_F(MachinePricesTest, a_file_that_says_nothing_of_here_is_named_with_its_line) {
  Price elsewhere = network;
  elsewhere.measured.host = "login*";
  EXPECT_EQ(
      complaint_about("halocline prices 1\n\n" + to_text(elsewhere) + "\n"),
      "default prices, not those of " + (folder_ / "damaged").string() +
          ": none of its prices is for host=n7 mpi=mpich network=tcp; line 3 is for host=login* mpi=mpich "
          "network=tcp");
  EXPECT_NE(complaint_about("halocline prices 1\n").find("no prices"), std::string::npos);
  EXPECT_NE(complaint_about("halocline prices 2\n").find("line 1"), std::string::npos);
  EXPECT_NE(complaint_about("halocline prices 1\n" + to_text(network) + "\nnode\n").find("line 3"),
            std::string::npos);
  EXPECT_NE(complaint_about("").find("line 1"), std::string::npos);
}

TEST_F(MachinePricesTest, a_file_of_other_machines_is_worth_a_word_only_if_it_was_asked_for) {
  Price elsewhere = network;
  elsewhere.measured.host = "login*";
  const fs::path other = written("other", with_prices("", {{elsewhere}})), damaged = written("damaged", "x");
  EXPECT_FALSE(machine_prices({other, false}, here, {}).worth_saying);
  EXPECT_TRUE(machine_prices({other, true}, here, {}).worth_saying);
  EXPECT_TRUE(machine_prices({damaged, false}, here, {}).worth_saying);
  EXPECT_FALSE(machine_prices({folder_ / "no", false}, here, {}).worth_saying);
}

TEST_F(MachinePricesTest, what_is_no_plain_file_of_some_size_is_not_read) {
  const auto complaint = [&](const fs::path& path) {
    return machine_prices({path, false}, here, {}).complaint;
  };
  EXPECT_NE(complaint(folder_).find("plain file"), std::string::npos);
  EXPECT_NE(complaint("/dev/zero").find("plain file"), std::string::npos);
  ASSERT_EQ(mkfifo((folder_ / "pipe").c_str(), 0600), 0);
  EXPECT_NE(complaint(folder_ / "pipe").find("plain file"), std::string::npos)
      << "and nobody waits for a writer";
  EXPECT_NE(complaint(written("long", std::string((1U << 20) + 1, '#'))).find("1 MiB"), std::string::npos);
  EXPECT_NE(complaint(written("file", "") / "in_a_file").find("cannot be read"), std::string::npos);
  EXPECT_NE(complaint(folder_ / std::string(5000, 'x')).find("cannot be read"), std::string::npos);
  EXPECT_EQ(complaint(written("a\nb", "x")).find('\n'), std::string::npos);
}

TEST_F(MachinePricesTest, storing_makes_the_folder_and_replaces_what_was_measured_before) {
  const fs::path path = folder_ / "a" / "b" / "prices";
  store_prices(path, {{network}});
  EXPECT_EQ(read(path), with_prices("", {{network}}));
  Price again = network;
  again.cost.round_seconds = 1;
  store_prices(path, {{node}});
  store_prices(path, {{again}});
  EXPECT_EQ(read(path), with_prices("", {{again, node}}));
  EXPECT_EQ(std::distance(fs::directory_iterator(path.parent_path()), {}), 1) << "nothing is left beside it";
}

TEST_F(MachinePricesTest, storing_leaves_a_file_alone_that_it_does_not_understand) {
  const fs::path other = written("other", "halocline prices 2\nsomething\n");
  expect_error(
      Fault::invalid_argument, [&] { store_prices(other, {{network}}); }, other.string(), "line 1",
      "version");
  EXPECT_EQ(read(other), "halocline prices 2\nsomething\n");
  EXPECT_THROW(store_prices("/dev/null", {{network}}), Error);
  EXPECT_FALSE(fs::is_regular_file("/dev/null"));
  expect_error(
      Fault::invalid_argument, [&] { store_prices(other / "below", {{network}}); },
      (other / "below").string());
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), {}), 1);
}

TEST_F(MachinePricesTest, storing_through_a_link_changes_what_is_behind_it) {
  const fs::path file = written("elsewhere/mine", with_prices("", {{node}}));
  fs::create_symlink(file, folder_ / "link");
  store_prices(folder_ / "link", {{network}});
  EXPECT_TRUE(fs::is_symlink(folder_ / "link"));
  EXPECT_EQ(read(file), with_prices("", {{network, node}}));
}

TEST_F(MachinePricesTest, a_described_machine_has_a_network_of_its_own) {
  EXPECT_EQ(network_name({"cxi"}), "cxi");
  setenv("HALOCLINE_MACHINE", "node:2 core:2", 1);
  EXPECT_EQ(network_name({"cxi"}), "described");
}

TEST(DefaultPrices, are_those_of_the_network_that_is_there) {
  const auto network_of = [](const char* kind, double speed) {
    return default_prices({{kind, speed}, 4, 4}).between_nodes;
  };
  for (const char* const fast : {"infiniband", "cxi", "hfi1"}) {
    EXPECT_DOUBLE_EQ(network_of(fast, 0).round_seconds, 1.5e-6);
    EXPECT_DOUBLE_EQ(network_of(fast, 1e9).byte_seconds, 1 / 12e9);
    EXPECT_DOUBLE_EQ(network_of(fast, 0).latency_seconds, 1.5e-6);
  }
  EXPECT_DOUBLE_EQ(network_of("tcp", 0).round_seconds, 5e-6);
  EXPECT_DOUBLE_EQ(network_of("tcp", 0).byte_seconds, 1 / 125e6);
  EXPECT_DOUBLE_EQ(network_of("tcp", 1.25e9).byte_seconds, 1 / 1.25e9);
  EXPECT_DOUBLE_EQ(network_of("tcp", 0).latency_seconds, 15e-6);
  const LevelCosts usual = default_prices({});
  EXPECT_DOUBLE_EQ(usual.on_node.round_seconds, 200e-9);
  EXPECT_DOUBLE_EQ(usual.on_node.byte_seconds, 1 / 8e9);
  EXPECT_DOUBLE_EQ(usual.on_node.latency_seconds, 300e-9);
}

TEST(DefaultPrices, grow_with_the_processes_of_a_processor) {
  const LevelCosts usual = default_prices({});
  const auto expect_factor = [&](Count processes, Count processors, double factor) {
    const LevelCosts prices = default_prices({{}, processes, processors});
    EXPECT_DOUBLE_EQ(prices.between_nodes.round_seconds, factor * usual.between_nodes.round_seconds);
    EXPECT_DOUBLE_EQ(prices.between_nodes.latency_seconds, factor * usual.between_nodes.latency_seconds);
    EXPECT_DOUBLE_EQ(prices.on_node.round_seconds, factor * usual.on_node.round_seconds);
    EXPECT_DOUBLE_EQ(prices.on_node.latency_seconds, factor * usual.on_node.latency_seconds);
    EXPECT_DOUBLE_EQ(prices.between_nodes.byte_seconds, usual.between_nodes.byte_seconds);
    EXPECT_DOUBLE_EQ(prices.on_node.byte_seconds, factor * usual.on_node.byte_seconds);
  };
  expect_factor(27, 2, 13.5);
  expect_factor(3, 2, 1.5);
  expect_factor(2, 2, 1);
  expect_factor(2, 64, 1);
  expect_factor(27, 0, 1);
}

TEST_F(MachinePricesTest, the_network_is_seen_by_its_devices) {
  const auto seen = [&] { return look_at_network(folder_); };
  EXPECT_EQ(seen().kind, "tcp");
  EXPECT_EQ(seen().link_bytes_per_second, 0);
  fs::create_directories(folder_ / "sys/class/infiniband");
  EXPECT_EQ(seen().kind, "tcp") << "an empty folder is no device";

  written("sys/class/net/lo/speed", "100000\n");
  written("sys/class/net/veth1/speed", "10000\n");
  EXPECT_EQ(seen().link_bytes_per_second, 0) << "virtual";
  for (const char* const nic : {"eth0", "eth1", "eth2", "eth3", "eth4"})
    fs::create_directories(folder_ / "sys/class/net" / nic / "device");
  written("sys/class/net/eth0/speed", "-1\n");
  written("sys/class/net/eth1/speed", "4294967295\n");
  written("sys/class/net/eth2/speed", "");
  EXPECT_EQ(seen().link_bytes_per_second, 0);
  written("sys/class/net/eth3/speed", "1000\n");
  EXPECT_EQ(seen().link_bytes_per_second, 125e6);
  written("sys/class/net/eth0/speed", "25000\n");
  EXPECT_EQ(seen().link_bytes_per_second, 3.125e9) << "the fastest";

  written("sys/class/infiniband/mlx5_0", "");
  EXPECT_EQ(seen().kind, "infiniband");
  written("dev/hfi1_0", "");
  EXPECT_EQ(seen().kind, "hfi1");
  written("sys/class/cxi/cxi0", "");
  EXPECT_EQ(seen().kind, "cxi");
}

}  // namespace
}  // namespace halocline::plan::machine_prices_tests
