// Random neighbourhoods through the C interface: all operations and forms, several at once, by every schedule
// and on all sorts of nodes, with random datatypes. They receive what plain messages bring, and what MPI's
// own collectives do where those are sure to know which block is whose.

#include "api/tree_call.hpp"
#include "base/integers.hpp"
#include "schedule/algorithms.hpp"
#include "support/random_grids.hpp"
#include "support/scope.hpp"
#include "support/trials.hpp"

#include <memory>
#include <set>

namespace halocline::api_random_neighbor_tests {
namespace {

template <class T>
const T& one_of(const std::vector<T>& all, Random& random) {
  return all[random() % all.size()];
}

/// Settings of an operation, as words.
struct Settings {
  std::string schedule, wire, shared, compile;

  explicit Settings(Random& common) {
    std::vector<std::string> schedules{"auto", "node", "mixed"};
    for (const schedule::Algorithm& algorithm : schedule::algorithms())
      schedules.emplace_back(algorithm.name);
    schedule = one_of(schedules, common);
    wire = one_of<std::string>({"packed", "datatype", "auto"}, common);
    shared = one_of<std::string>({"on", "on", "buffered", "off"}, common);
    compile = one_of<std::string>({"kernels", "kernels", "auto", "llvm"}, common);
  }
  [[nodiscard]] mpi::Info info() const {
    mpi::Info info;
    MPI_Info_create(info.put());
    MPI_Info_set(info.get(), "halocline_schedule", schedule.c_str());
    MPI_Info_set(info.get(), "halocline_wire", wire.c_str());
    MPI_Info_set(info.get(), "halocline_shared", shared.c_str());
    MPI_Info_set(info.get(), "halocline_compile", compile.c_str());
    return info;
  }
  [[nodiscard]] std::string to_text() const {
    return schedule + " " + wire + " shared " + shared + " " + compile;
  }
};

enum class Form { persistent, immediate, blocking };

/// An operation of one of the two kinds, and its request.
class Running {
 public:
  Running(const Neighbors& neighbors, Random& common, Random& own)
      : form_(one_of<Form>({Form::persistent, Form::persistent, Form::immediate, Form::blocking}, common)),
        settings_(common),
        own_(own) {
    if (common() % 2 == 0) {
      const int scale = one_of<int>({0, 1, 4, 4, 50, 900, 4000}, common);
      ints_.emplace(every_call[common() % std::size(every_call)], neighbors, scale, common, own);
    } else {
      trees_.emplace(common() % 3 == 0, neighbors, common, own);
    }
    if (form_ == Form::persistent) {
      EXPECT_EQ(with([&](auto& call) { return call.init(settings_.info().get(), &request_); }), MPI_SUCCESS)
          << to_text();
    }
  }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;
  ~Running() {
    if (form_ == Form::persistent) {
      EXPECT_EQ(HCL_Request_free(&request_), MPI_SUCCESS) << to_text();
    }
    EXPECT_EQ(request_, HCL_REQUEST_NULL);
  }

  void fill(int start) {
    if (trees_) return trees_->fill(own_);
    ints_->fill(start);
    expected_ = ints_->expected();
  }
  void start() {
    const int code = form_ == Form::persistent  ? HCL_Start(&request_)
                     : form_ == Form::immediate ? with([&](auto& call) { return call.immediate(&request_); })
                                                : with([](auto& call) { return call.blocking(); });
    EXPECT_EQ(code, MPI_SUCCESS) << to_text();
  }
  void complete() {
    int done = own_() % 2 == 0 ? 1 : 0;
    while (done == 0) ASSERT_EQ(HCL_Test(&request_, &done), MPI_SUCCESS) << to_text();
    EXPECT_EQ(HCL_Wait(&request_), MPI_SUCCESS) << to_text();
    EXPECT_EQ(trees_ ? trees_->wrong() : ints_->wrong(expected_), -1) << to_text();
  }
  /// What MPI's own collective brings is the same; or, of a datatype that this MPI gets wrong, as some do, it
  /// is told that it does. Collective.
  void expect_like_mpi(MPI_Comm graph) {
    if (trees_) {
      if (trees_->wrong_by_mpi(graph) != -1)
        std::cout << "MPI itself is wrong with " << to_text() << std::endl;
    } else if (ints_->call() != Call::allgatherw) {  // which MPI does not have
      EXPECT_EQ(first_difference(from_mpi(*ints_, graph), expected_), -1) << "MPI: " << to_text();
    }
  }

  [[nodiscard]] std::string to_text() const {
    const std::string form = form_ == Form::persistent  ? "persistent, by " + settings_.to_text()
                             : form_ == Form::immediate ? "immediate"
                                                        : "blocking";
    return form + ": " +
           (trees_ ? trees_->to_text() : "operation " + std::to_string(static_cast<int>(ints_->call())));
  }

 private:
  template <class Work>
  int with(const Work& work) {
    return trees_ ? work(*trees_) : work(*ints_);
  }

  Form form_;
  Settings settings_;
  Random& own_;
  std::optional<NeighborCall> ints_;
  std::optional<TreeCall> trees_;
  std::vector<int> expected_;
  HCL_Request request_ = HCL_REQUEST_NULL;
};

Around random_around(Random& common) {
  const Grid grid = RandomGrids::grid_within(world_size(), common);
  Around around{{grid.extents().begin(), grid.extents().end()}, {}, {}};
  for (const bool periodic : grid.periodicity()) around.periods.push_back(periodic ? 1 : 0);
  const Stencil offsets = RandomGrids::offsets(grid.dimensions(), common);
  // Some where every neighbour is there, and is another process: those MPI's own collectives can do as well.
  const bool roomy = common() % 3 == 0;
  if (roomy) around.periods.assign(around.dims.size(), 1);
  std::set<Counts> reached;
  for (const Offset& offset : offsets.offsets()) {
    Counts cell;
    for (std::size_t d = 0; d < offset.size(); ++d)
      cell.push_back(floor_modulo(offset[d], grid.extents()[d]));
    if (roomy && !reached.insert(cell).second) continue;
    around.offsets.insert(around.offsets.end(), offset.begin(), offset.end());
  }
  return around;
}

/// A graph of the same neighbours, where none of them occurs twice and none is missing: MPI's own collectives
/// have nothing else to tell blocks apart by. Collective.
mpi::Comm graph_of(const Neighbors& neighbors) {
  const auto once = [](std::vector<int> ranks) {
    std::sort(ranks.begin(), ranks.end());
    return ranks.front() >= 0 && std::adjacent_find(ranks.begin(), ranks.end()) == ranks.end();
  };
  int roomy = once(neighbors.sources) && once(neighbors.targets) ? 1 : 0, all = 0;
  MPI_Allreduce(&roomy, &all, 1, MPI_INT, MPI_MIN, neighbors.cart.get());
  mpi::Comm graph;
  const int number = neighbors.around.neighbours();
  if (all == 1)
    MPI_Dist_graph_create_adjacent(neighbors.cart.get(), number, neighbors.sources.data(), MPI_UNWEIGHTED,
                                   number, neighbors.targets.data(), MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
                                   graph.put());
  return graph;
}

void expect_like_messages(std::uint64_t seed, Count& beside_mpi) {
  Random common(seed * 64 + static_cast<unsigned>(world_size())),
      own(seed * 31 + static_cast<unsigned>(world_rank()));
  const std::string machine = RandomGrids::machine(world_size(), common);
  const DescribedMachine described(machine);
  const Settings surroundings(common);  // of what is not persistent
  const Variable schedule("HALOCLINE_SCHEDULE", surroundings.schedule),
      wire("HALOCLINE_WIRE", surroundings.wire), shared("HALOCLINE_SHARED", surroundings.shared),
      compile("HALOCLINE_COMPILE", surroundings.compile);
  const Around around = random_around(common);
  const mpi::Comm fresh = mpi::split(MPI_COMM_WORLD, 0, random_int(own, 0, 100));
  const Neighbors neighbors(fresh.get(), around);
  if (!neighbors) return;
  const mpi::Comm graph = graph_of(neighbors);
  std::vector<std::unique_ptr<Running>> running;
  const std::size_t in_flight = 1 + common() % 4;
  while (running.size() < in_flight) running.push_back(std::make_unique<Running>(neighbors, common, own));
  std::vector<std::size_t> order(running.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (int start = 0; start < 4; ++start) {
    for (const auto& each : running) each->fill(start);
    for (const auto& each : running) each->start();
    std::shuffle(order.begin(), order.end(), own);  // each process completes them in an order of its own
    for (const std::size_t i : order) running[i]->complete();
    if (start > 0 || !graph) continue;
    ++beside_mpi;
    for (const auto& each : running) each->expect_like_mpi(graph.get());
  }
  std::shuffle(order.begin(), order.end(), own);
  for (const std::size_t i : order) running[i].reset();
  EXPECT_FALSE(testing::Test::HasFailure())
      << around.to_text() << " on " << machine << ", " << surroundings.to_text();
}

/// Open MPI refuses some of the datatypes.
class RandomNeighbor : public testing::Test {
 protected:
  void SetUp() override { MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN); }
  void TearDown() override { MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL); }
};

TEST_F(RandomNeighbor, receives_what_plain_messages_bring) {
  Trials trials("random neighbourhoods in C", 20261117, 30);
  Count beside_mpi = 0;
  while (trials.next()) expect_like_messages(trials.seed(), beside_mpi);
  if (world_rank() == 0) std::cout << beside_mpi << " of them beside MPI's collectives" << std::endl;
}

}  // namespace
}  // namespace halocline::api_random_neighbor_tests
