// SPDX-License-Identifier: BSD-3-Clause
#include "preload/order/ordered_world.hpp"

#include "base/fail.hpp"
#include "base/numbers.hpp"
#include "base/settings.hpp"
#include "base/text_file.hpp"
#include "halocline/base/error.hpp"
#include "place/order.hpp"
#include "preload/order/doors.hpp"
#include "preload/order/seats.hpp"
#include "preload/process/found_mpi.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <mutex>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

namespace halocline::ordered {

constinit Places places;

namespace {

using found_mpi::byte_type;
using found_mpi::launched_world;
using found_mpi::no_comm;

constexpr std::size_t most_bytes = std::size_t{1} << 33;

MPI_Comm world{};  ///< Valid while is_made.
bool is_made = false;
bool has_sessions = false;
bool has_told_of_sessions = false;
std::once_flag begun;

std::string value_of(const Setting& setting) {
  const char* const value = std::getenv(setting.variable);
  return value == nullptr ? "" : value;
}

std::string path() { return value_of(settings::rank_order); }

/// One line, of one process.
void say(const std::string& what) {
  if (!path().empty()) (void)std::fprintf(stderr, "halocline: %s: %s\n", path().c_str(), what.c_str());
}
void refuse(const std::string& why) { say(why + "; all ranks keep the numbers of the launcher"); }

/// Where MPI cannot be asked.
bool is_rank_0_of_launcher() {
  static constexpr std::array variables{"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK", "SLURM_PROCID"};
  return std::all_of(variables.begin(), variables.end(), [](const char* variable) {
    const char* const rank = std::getenv(variable);
    return rank == nullptr || std::strcmp(rank, "0") == 0;
  });
}

int rank_in_world() {
  int rank = 0;
  HALOCLINE_PMPI(Comm_rank)(launched_world(), &rank);
  return rank;
}

/// What one process alone may know, and all must heed.
enum Obstacle : int { no_obstacle, sessions, other_doors };

/// The worst of all processes, on rank 0.
Obstacle worst_obstacle() {
  int mine = no_obstacle;
  if (has_sessions) mine = sessions;
  if (function_found_elsewhere() != nullptr) mine = other_doors;
  int worst = mine;
  HALOCLINE_PMPI(Reduce)
  (&mine, &worst, 1, found_mpi::int_type(), found_mpi::max_op(), 0, launched_world());
  return static_cast<Obstacle>(worst);
}

void require_none(Obstacle obstacle) {
  if (obstacle == sessions) fail(Fault::unsupported, "the program uses MPI_Session_init");
  if (obstacle == no_obstacle) return;
  const char* const function = function_found_elsewhere();
  fail(Fault::unsupported, function == nullptr ? "some function of MPI" : function,
       " is taken over before libhalocline-order.so, which must stand first in LD_PRELOAD");
}

/// What rank 0 tells all.
struct News {
  int is_used;
  int is_machine_described;  ///< By HALOCLINE_MACHINE.
};

/// Of rank 0: the order in the file. Throws Error if it is not one for this job.
place::Order order_for(const Seat& seat, News& news) {
  const std::optional<std::string> text = read_text_file(path(), most_bytes);
  require(text.has_value(), "there is no such file");
  place::Order order = place::Order::parse(*text);
  require(order.size() == seat.ranks, "it is for ", order.size(), " ranks, and this job has ", seat.ranks);
  const std::string machine = value_of(settings::machine);
  news.is_machine_described = machine.empty() ? 0 : 1;
  const Runs nodes = machine.empty() ? Runs(seat.of_nodes) : described_nodes(machine, seat.ranks);
  require(order.nodes() == nodes, "it is for nodes of ", order.nodes().to_text(), ", and this job has ",
          nodes.to_text());
  return order;
}

/// The rank at each position, on rank 0; none if there is to be no other order than the launcher's.
std::vector<int> chosen_ranks(const Seat& seat, Obstacle obstacle, News& news) {
  if (path().empty()) return {};
  try {
    require_none(obstacle);
    const place::Order order = order_for(seat, news);
    return {order.ranks().begin(), order.ranks().end()};
  } catch (const Error& error) {
    if (obstacle != sessions || !has_told_of_sessions) refuse(error.what());
  } catch (const std::exception& error) {
    refuse(error.what());
  }
  return {};
}

/// The rank that this process shall have. Collective.
std::optional<int> told_rank() {
  const Obstacle obstacle = worst_obstacle();
  const Seat seat = found_seat();
  News news{0, 0};
  std::vector<int> ranks;
  if (seat.rank == 0) ranks = chosen_ranks(seat, obstacle, news);
  news.is_used = ranks.empty() ? 0 : 1;
  HALOCLINE_PMPI(Bcast)(&news, sizeof news, byte_type(), 0, launched_world());
  if (news.is_used == 0) return std::nullopt;
  ranks.resize(to_size(seat.ranks));
  HALOCLINE_PMPI(Bcast)(ranks.data(), seat.ranks, found_mpi::int_type(), 0, launched_world());
  return ranks[to_size(news.is_machine_described != 0 ? seat.rank : seat.position)];
}

// As MPI declares these callbacks.
int copy_nothing(MPI_Comm /*comm*/, int /*key*/, void* /*state*/, void* /*value*/, void* /*copy*/,
                 int* flag) {
  *flag = 0;
  return MPI_SUCCESS;
}
int free_world(MPI_Comm /*comm*/, int /*key*/, void* /*value*/, void* /*state*/) {
  const int code = HALOCLINE_PMPI(Comm_free)(&world);
  is_made = false;
  places = {};
  return code;
}

/// What the program keeps with MPI_COMM_SELF is deleted first in MPI_Finalize, and the other way round: who
/// put something there later may still use the world.
void free_in_finalize() {
  int key = MPI_KEYVAL_INVALID;
  HALOCLINE_PMPI(Comm_create_keyval)(copy_nothing, free_world, &key, nullptr);
  HALOCLINE_PMPI(Comm_set_attr)(found_mpi::comm_self(), key, nullptr);
  HALOCLINE_PMPI(Comm_free_keyval)(&key);
}

template <class Handle>
Word as_word(Handle comm) {
  if constexpr (std::is_pointer_v<Handle>)
    return reinterpret_cast<Word>(comm);
  else
    return comm;
}

MPI_Fint in_fortran_of(MPI_Comm comm) {
#if defined(MPI_Comm_c2f)  // nothing to call
  return MPI_Comm_c2f(comm);
#else
  return HALOCLINE_PMPI(Comm_c2f)(comm);
#endif
}

void make_world(int rank) {
  world = no_comm();
  if (HALOCLINE_PMPI(Comm_split)(launched_world(), 0, rank, &world) != MPI_SUCCESS) return;
  HALOCLINE_PMPI(Comm_set_name)(world, "MPI_COMM_WORLD");
  free_in_finalize();
  is_made = true;
  places = {as_word(launched_world()), as_word(world), in_fortran_of(launched_world()), in_fortran_of(world)};
}

/// What all processes know alike.
bool stays_out() {
  const char* why = nullptr;
  if (found_mpi::is_spawned())
    why = "this program was started by MPI_Comm_spawn";
  else if (!found_mpi::is_everywhere())
    why =
        "the library may not have reached all nodes; start the job by halocline run, or hand LD_PRELOAD to "
        "all ranks and say so by OMPI_MCA_halocline_everywhere=1";
  if (why != nullptr && rank_in_world() == 0) refuse(why);
  return why != nullptr;
}

void begin_once() {
  if (!found_mpi::has_own_mpi() || stays_out()) return;
  if (const std::optional<int> rank = told_rank()) make_world(*rank);
}

}  // namespace

void begin() { std::call_once(begun, begin_once); }

bool is_ordered() { return is_made; }

void see_session() {
  if (!found_mpi::has_own_mpi() || has_sessions) return;
  has_sessions = true;
  if (is_made) {
    if (rank_in_world() == 0) say("processes of MPI_Session_init keep the numbers of the launcher");
  } else if (is_rank_0_of_launcher()) {
    refuse("the program uses MPI_Session_init");
    has_told_of_sessions = true;
  }
}

}  // namespace halocline::ordered

int halocline_ordered_world(MPI_Comm* found) {
  using namespace halocline::ordered;
  begin();
  if (is_ordered()) *found = world;
  return is_ordered() ? 1 : 0;
}
