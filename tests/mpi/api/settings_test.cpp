// Environment variables that only some processes have, as Open MPI leaves them on other hosts: the value of
// one process counts for all, or all are told the same.

#include "halocline/halocline.hpp"

#include "api/told_calls.hpp"
#include "base/fail.hpp"
#include "base/join.hpp"
#include "halocline/halo.h"
#include "halocline/halocline.h"
#include "mpi/communicators/cart_comm.hpp"
#include "mpi/handles/attribute_cache.hpp"
#include "support/refusals.hpp"
#include "support/scope.hpp"

#include <gtest/gtest.h>

#include <unistd.h>

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>
#include <optional>

namespace halocline::api_settings_tests {
namespace {

const Layout byte = Layout::named(Elementary::byte);

/// Whether any processes share memory: one that is alone on its node has nobody to share it with.
std::string text_of(const Exchange& exchange) {
  const ExchangeStatistics statistics = exchange.statistics();
  const std::vector<Count> shares = everyones(MPI_COMM_WORLD, exchange.shares_memory() ? 1 : 0);
  const bool shared = std::any_of(shares.begin(), shares.end(), [](Count one) { return one != 0; });
  return concat(exchange.schedule(), shared ? " shared" : "", statistics.timed ? " timed" : "", " starts ",
                statistics.exchanges);
}

std::string communicators(MPI_Comm comm) {
  const Count p = mpi::size(comm);
  std::string all = told([&] {
    const Cart cart(comm, Grid({p}), Stencil::nearest(1));
    return concat("grid ", cart.algorithm(), " on ", cart.machine()->to_text(), " ",
                  cart.allocation() ? cart.allocation()->network().to_text() : "");
  });
  all += told([&] {
    const Cart cart(comm, Mesh({8 * p, 8}), Stencil::moore(2, 1));
    return concat("mesh ", cart.algorithm(), " ", cart.grid().to_text());
  });
  all += told([&] {
    const std::array<std::int64_t, 2> mesh{8 * p, 8};
    const std::array<int, 2> periods{1, 0};
    std::array<int, 2> dims{0, 0};
    mpi::Comm cart;
    Calls()(HCL_Cart_mesh_create(comm, 2, mesh.data(), nullptr, periods.data(), 1, 0, HCL_STENCIL_MOORE,
                                 nullptr, MPI_INFO_NULL, dims.data(), cart.put()));
    return concat("mesh in C ", dims[0], "x", dims[1]);
  });
  all += told([&] {
    const double coordinate = mpi::rank(comm);
    int new_rank = 0;
    Calls()(HCL_Task_map(comm, 1, &coordinate, 0, nullptr, nullptr, MPI_INFO_NULL, &new_rank));
    return std::string("tasks");
  });
  all += told([&] {
    const std::array<double, 2> weights{1, 2};
    const std::array<int, 2> periods{0, 0};
    std::array<int, 2> dims{0, 0};
    mpi::Comm cart;
    Calls()(HCL_Cart_weighted_create(comm, 2, weights.data(), periods.data(), MPI_INFO_NULL, dims.data(),
                                     cart.put()));
    return concat("weighted ", dims[0], "x", dims[1]);
  });
  return all;
}

std::string exchanges(MPI_Comm cart) {
  const std::vector<Offset> offsets{{1}, {-1}};
  std::array<std::byte, 20> out{}, in{};
  out.fill(static_cast<std::byte>(7));
  std::string all = told([&] {
    const Neighborhood neighborhood(cart, Stencil(offsets));
    const std::vector<Block> send{{out.data(), byte, 10}, {out.data() + 10, byte, 10}};
    const std::vector<Block> receive{{in.data(), byte, 10}, {in.data() + 10, byte, 10}};
    Exchange exchange = Exchange::alltoall(neighborhood, send, receive);
    exchange.start();
    exchange.wait();
    EXPECT_EQ(in, out);
    return text_of(exchange);
  });
  all += told([&] {
    const std::array<int, 2> list{1, -1};
    mpi::Comm neighbourhood;
    Calls()(HCL_Neighborhood_create(cart, 2, list.data(), neighbourhood.put()));
    in.fill({});
    for (int i = 0; i < 3; ++i)
      Calls()(HCL_Neighbor_alltoall(out.data(), 10, MPI_BYTE, in.data(), 10, MPI_BYTE, neighbourhood.get()));
    EXPECT_EQ(in, out);
    HCL_Request request = HCL_REQUEST_NULL;
    Calls()(HCL_Neighbor_alltoall_init(out.data(), 10, MPI_BYTE, in.data(), 10, MPI_BYTE, neighbourhood.get(),
                                       MPI_INFO_NULL, &request));
    Calls()(HCL_Start(&request));
    Calls()(HCL_Wait(&request));
    Calls()(HCL_Request_free(&request));
    return std::string("neighbours in C");
  });
  return all;
}

std::string halos(MPI_Comm cart) {
  const Count p = mpi::size(cart);
  const Decomposition decomposition(Mesh({4 * p}, periodic(1)), Grid({p}, {true}));
  std::string all;
  for (const bool shared : {true, false})
    all += told([&] {
      const FieldStorage field(cart, decomposition, byte, {.halo = HaloWidths({1}), .shared = shared});
      Halo halo(cart, decomposition, {field.view()});
      std::string found = text_of(halo.exchanged());  // two starts if it was verified
      halo.verify();
      return found;
    });
  all += told([&] {
    const std::int64_t points = 4 * p;
    Calls()(HCL_Cart_mesh_attach(cart, &points, nullptr));
    HCL_Field field = HCL_FIELD_NULL;
    Calls()(HCL_Field_create(cart, MPI_DOUBLE, nullptr, nullptr, MPI_ORDER_C, MPI_INFO_NULL, &field));
    HCL_Halo halo = HCL_HALO_NULL;
    const int code = HCL_Halo_create(cart, 1, &field, 0, HCL_DIRECTIONS_DEFAULT, MPI_INFO_NULL, &halo);
    HCL_Field_free(&field);
    Calls()(code);
    HCL_Statistics statistics{};
    Calls()(HCL_Halo_statistics(halo, &statistics));
    Calls()(HCL_Halo_exchange(halo));
    Calls()(HCL_Halo_verify(halo));
    Calls()(HCL_Halo_free(&halo));
    return concat("halo in C, starts ", statistics.exchanges);
  });
  return all;
}

using Part = std::string(MPI_Comm);
using Parts = std::vector<Part*>;
const Parts made_of_processes{communicators}, exchanged{exchanges, halos}, verified{halos},
    everything{communicators, exchanges, halos};

/// What a new communicator leads to, the processes ordered by `key`.
std::string result_of(const Parts& parts, int key) {
  const mpi::Comm comm = mpi::split(MPI_COMM_WORLD, 0, key);
  const mpi::Comm cart = ring(comm.get());
  std::string all;
  for (Part* const part : parts) all += part(part == communicators ? comm.get() : cart.get());
  return all;
}

struct Setting {
  const char* variable;
  std::vector<std::string> values;
  Parts parts;  ///< What it could make a difference to.
};

/// The variable on the processes that are chosen, and nowhere else.
std::string with(const Setting& setting, const std::string& value, bool here, int key) {
  std::optional<Variable> set;
  if (here) set.emplace(setting.variable, value);
  return result_of(setting.parts, key);
}

/// Those of which rank 0's value counts.
std::vector<Setting> of_rank_0() {
  const std::string half = std::to_string((world_size() + 1) / 2);
  return {{"HALOCLINE_MACHINE", {"node:2 core:" + half, "nonsense"}, everything},
          {"HALOCLINE_NETWORK", {"torus:1", "nonsense"}, made_of_processes},
          {"HALOCLINE_ALLOCATION", {"/nowhere/at/all"}, made_of_processes},
          {"HALOCLINE_MAPPING", {"nonsense"}, made_of_processes}};
}

/// Those of which the value of the process with the lowest rank in the world counts.
std::vector<Setting> of_first_process() {
  return {{"HALOCLINE_PLACE", {"kd-tree", "nonsense"}, made_of_processes},
          {"HALOCLINE_SCHEDULE", {"torus", "nonsense"}, exchanged},
          {"HALOCLINE_WIRE", {"datatype", "nonsense"}, exchanged},
          {"HALOCLINE_SHARED", {"off", "nonsense"}, exchanged},
          {"HALOCLINE_STATISTICS", {"on", "nonsense"}, exchanged},
          {"HALOCLINE_VERIFY", {"1", "nonsense"}, verified}};
}

/// Those that may differ.
std::vector<Setting> of_each_process() {
  return {{"HALOCLINE_COMPILE", {"kernels", "nonsense"}, exchanged},
          {"HALOCLINE_LLVM_MODULE", {"/nowhere/module.so"}, exchanged},
          {"HALOCLINE_LOG", {"on"}, exchanged}};
}

/// Set on some processes, each must lead to what it leads to where all have what rank 0 of the world has.
void expect_those_of_world_rank_0(const std::vector<Setting>& settings) {
  for (const Setting& setting : settings) {
    const std::string without = result_of(setting.parts, world_rank());
    for (const std::string& value : setting.values) {
      const std::string everywhere = with(setting, value, true, world_rank());
      EXPECT_EQ(everywhere, text_of_first(everywhere));
      for (const auto& chosen : choices()) {
        SCOPED_TRACE(concat(setting.variable, "=", value, chosen(0) ? " on" : " not on", " rank 0"));
        EXPECT_EQ(with(setting, value, chosen(world_rank()), world_rank()), chosen(0) ? everywhere : without);
      }
    }
  }
}

TEST(Settings, of_some_processes_are_those_of_rank0) { expect_those_of_world_rank_0(of_rank_0()); }
TEST(Settings, of_some_processes_are_those_of_the_first) { expect_those_of_world_rank_0(of_first_process()); }

TEST(Settings, are_the_first_processs_whatever_its_rank_is) {
  const int backwards = world_size() - world_rank();
  for (const Setting& setting : of_first_process()) {
    SCOPED_TRACE(setting.variable);
    const std::string& value = setting.values.front();
    const std::string everywhere = with(setting, value, true, backwards);
    EXPECT_EQ(with(setting, value, world_rank() == 0, backwards), everywhere);
  }
}

TEST(Settings, of_some_processes_that_may_differ_lead_to_the_same_everywhere) {
  for (const Setting& setting : of_each_process())
    for (const std::string& value : setting.values)
      for (const auto& chosen : choices()) {
        SCOPED_TRACE(concat(setting.variable, "=", value));
        const std::string mine = with(setting, value, chosen(world_rank()), world_rank());
        EXPECT_EQ(mine, text_of_first(mine));
      }
}

TEST(Settings, of_the_shape_are_compared_where_the_grid_is_the_same) {
  if (world_size() % 4 != 0) GTEST_SKIP();
  const DescribedMachine described("node:2 core:" + std::to_string(world_size() / 2));
  const mpi::Comm comm = mpi::split(MPI_COMM_WORLD, 0, world_rank());
  MPI_Comm_set_errhandler(comm.get(), MPI_ERRORS_RETURN);
  // Both have room for one grid alone, which is cut the other way first.
  const std::array<double, 2> mine =
      world_rank() == 0 ? std::array<double, 2>{1, 3} : std::array<double, 2>{3, 1};
  const std::array<int, 2> periods{0, 0};
  std::array<int, 2> dims{2, world_size() / 2};
  mpi::Comm cart;
  const int code = HCL_Cart_weighted_create(comm.get(), 2, mine.data(), periods.data(), MPI_INFO_NULL,
                                            dims.data(), cart.put());
  EXPECT_EQ(class_of(code), MPI_ERR_ARG);
}

TEST(Settings, only_the_first_reads_the_allocation) {
  const mpi::Comm comm = mpi::split(MPI_COMM_WORLD, 0, world_rank());
  const SharedFile file("0\n");
  const DescribedMachine one_node("node:1 core:" + std::to_string(world_size()));
  const std::filesystem::path before = std::filesystem::current_path();
  // The others look for it where it is not.
  std::filesystem::current_path(world_rank() == 0 ? std::filesystem::path(file.path()).parent_path() : "/");
  CartOptions options;
  options.network = "torus:1";
  options.allocation = std::filesystem::path(file.path()).filename();
  const Cart cart(comm.get(), Grid({world_size()}), Stencil::nearest(1), options);
  std::filesystem::current_path(before);
  ASSERT_NE(cart.allocation(), nullptr);
  EXPECT_EQ(cart.allocation()->network().to_text(), "torus:1");
}

TEST(Settings, a_halo_that_is_under_way_somewhere_is_verified_nowhere) {
  const mpi::Comm comm = mpi::split(MPI_COMM_WORLD, 0, world_rank());
  const mpi::Comm cart = ring(comm.get());
  const Count p = world_size();
  const Decomposition decomposition(Mesh({4 * p}, periodic(1)), Grid({p}, {true}));
  const FieldStorage field(cart.get(), decomposition, byte, {.halo = HaloWidths({1}), .shared = false});
  HaloOptions by_messages;
  by_messages.exchange.shared = SharedMemory::off;
  Halo halo(cart.get(), decomposition, {field.view()}, by_messages);
  if (world_rank() == world_size() - 1) halo.start();
  const bool anywhere = everyones(MPI_COMM_WORLD, halo.active()).back() != 0;
  if (anywhere) {
    EXPECT_THROW(halo.verify(), Error);
  }
  if (world_rank() != world_size() - 1) halo.start();
  halo.wait();
  halo.verify();
}

}  // namespace
}  // namespace halocline::api_settings_tests
