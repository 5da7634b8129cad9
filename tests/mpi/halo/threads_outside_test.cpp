// Halos of one process in several threads at once: made, started, waited for and destroyed there, against the
// number that every point of the mesh has. Longer, with progress: make fuzz TARGETS=halos.outside, or
//   HALOCLINE_TEST_THREADS=1 HALOCLINE_SECONDS=600 HALOCLINE_SEED=1 mpirun -n 4
//   build/release/bin/thread_tests
//   --files=halo/threads_outside

#include "exchange/watched.hpp"
#include "halo/points.hpp"
#include "halocline/describe/boxes.hpp"
#include "halocline/exchange/team.hpp"
#include "halocline/halo/box_halo.hpp"
#include "halocline/halo/field.hpp"
#include "halocline/halo/halo.hpp"
#include "support/random_grids.hpp"
#include "support/threads.hpp"
#include "support/trials.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <initializer_list>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

namespace halocline::halo_threads_outside_tests {
namespace {

using Random = RandomGrids::Random;
constexpr auto between = RandomGrids::between;
constexpr Count untouched = -1;

/// So often an executor of any halo had work.
std::atomic<int> executor_calls = 0;

/// Threads of the program that do copies of a halo: each process has others.
class Copiers {
 public:
  explicit Copiers(std::uint64_t seed) {
    Random own(seed);
    by_ = static_cast<By>(between(own, 0, 4));
  }
  void join(Halo& halo) {
    if (by_ == By::told) halo.set_executor(watched_);
    if (by_ == By::library) halo.set_threads(2);
  }
  /// call() or call(workers), in which the executor is lent to this thread.
  template <class Call>
  void in_call(const Call& call) {
    const Watched::Lent lent(watched_);
    if (by_ == By::lent) return call(Workers(watched_));
    if (by_ != By::team) return call();
    Team team(2, 1);
    std::thread other([&] { team.member(1).together(call); });
    team.member(0).together(call);
    other.join();
  }
  [[nodiscard]] int wrong() const { return watched_.wrong(); }
  Copiers(const Copiers&) = delete;
  Copiers& operator=(const Copiers&) = delete;
  ~Copiers() { executor_calls += watched_.calls(); }

 private:
  enum class By { nobody, lent, told, library, team };
  By by_;
  Watched watched_;
};

/// One halo of one thread, with its fields.
class NumberedHalo {
 public:
  NumberedHalo(const Cart& cart, const Mesh& mesh, Count number, Random& common)
      : mesh_(mesh),
        number_(number),
        copiers_(static_cast<std::uint64_t>(number * 1009 + world_rank() + between(common, 0, 1000) * 37)) {
    const Count fields = between(common, 1, 2);
    std::vector<HaloSlot> slots;
    for (Count f = 0; f < fields; ++f)
      fields_.emplace_back(
          cart, Layout::named(Elementary::int64),
          FieldOptions{.halo = widths(mesh.dimensions(), common),
                       .shared = between(common, 0, 2) > 0,
                       .order = between(common, 0, 1) > 0 ? Layout::Order::c : Layout::Order::fortran});
    slots.assign(fields_.begin(), fields_.end());
    HaloOptions options{.directions = Stencil::moore(mesh.dimensions(), 1)};
    options.exchange.shared = any_of(common, {SharedMemory::on, SharedMemory::buffered, SharedMemory::off});
    options.exchange.schedule = any_of(common, {ScheduleChoice::automatic, ScheduleChoice::direct,
                                                ScheduleChoice::node, ScheduleChoice::torus});
    if (between(common, 0, 3) == 0) options.exchange.statistics = StatisticsChoice::on;
    if (between(common, 0, 2) == 0) options.addresses = Addresses::any;
    halo_.emplace(cart, slots, options);
    copiers_.join(*halo_);
  }

  void fill(Count time) {
    time_ = time;
    for_each([&](Count& value, bool own, Count expected) { value = own ? expected : untouched; });
  }
  void start() {
    copiers_.in_call([this](const auto&... workers) { halo_->start(workers...); });
  }
  /// In one call, or by asking again and again.
  void complete(Random& own) {
    copiers_.in_call([&](const auto&... workers) {
      if (between(own, 0, 1) > 0) return halo_->wait(workers...);
      while (!halo_->test()) {
      }
      EXPECT_FALSE(halo_->active());
    });
  }
  [[nodiscard]] int wrong() {
    int wrong = copiers_.wrong();
    for_each([&](Count value, bool /*own*/, Count expected) { wrong += value == expected ? 0 : 1; });
    return wrong;
  }

 private:
  template <class T>
  static T any_of(Random& common, std::initializer_list<T> choices) {
    return choices.begin()[between(common, 0, static_cast<Count>(choices.size()) - 1)];
  }
  static HaloWidths widths(std::size_t dimensions, Random& common) {
    HaloWidths widths;
    for (std::size_t d = 0; d < dimensions; ++d) {
      widths.low.push_back(between(common, 0, 2));
      widths.high.push_back(between(common, 0, 2));
    }
    return widths;
  }

  /// What a point of the mesh has now; untouched beyond open borders.
  [[nodiscard]] Count value_of(Cell point, std::size_t field) const {
    Count index = 0;
    for (std::size_t d = 0; d < point.size(); ++d) {
      const Count extent = mesh_.extents()[d];
      if (mesh_.periodic(d)) point[d] = (point[d] + extent) % extent;
      if (point[d] < 0 || point[d] >= extent) return untouched;
      index = index * extent + point[d];
    }
    return ((number_ * 8 + static_cast<Count>(field)) * 64 + time_) * (Count{1} << 24) + index;
  }
  template <class Visit>
  void for_each(const Visit& visit) {
    for (std::size_t f = 0; f < fields_.size(); ++f) {
      const FieldView& view = fields_[f].view();
      const Box& box = fields_[f].box();
      for_each_point(view.extents(), view.halo(), [&](const Cell& point) {
        auto* address = static_cast<std::byte*>(view.origin());
        Cell global = box.first;
        for (std::size_t d = 0; d < point.size(); ++d) {
          address += point[d] * view.strides()[d];
          global[d] += point[d];
        }
        const Offset side = side_of(point, view.extents());
        const bool own = std::all_of(side.begin(), side.end(), [](Count one) { return one == 0; });
        visit(*reinterpret_cast<Count*>(address), own, value_of(global, f));
      });
    }
  }

  const Mesh& mesh_;
  Count number_, time_ = 0;
  Copiers copiers_;
  std::vector<FieldStorage> fields_;
  std::optional<Halo> halo_;
};

using Halos = std::vector<std::unique_ptr<NumberedHalo>>;

std::vector<std::size_t> shuffled(std::size_t count, Random& random) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::shuffle(order.begin(), order.end(), random);
  return order;
}

Mesh random_mesh(Random& common) {
  Counts extents;
  Periodicity periodic;
  for (Count d = between(common, 1, 3); d > 0; --d) {
    extents.push_back(between(common, 16, 24));
    periodic.push_back(between(common, 0, 1) > 0);
  }
  return Mesh(extents, periodic);
}

void exchange_all(Halos& halos, Count time, Random& own, const std::string& what) {
  for (auto& halo : halos) halo->fill(time);
  for (const std::size_t i : shuffled(halos.size(), own)) halos[i]->start();
  for (const std::size_t i : shuffled(halos.size(), own)) halos[i]->complete(own);
  for (std::size_t i = 0; i < halos.size(); ++i) EXPECT_EQ(halos[i]->wrong(), 0) << what << ", halo " << i;
}

/// All that one thread does, with a communicator of its own. The program orders nothing among threads.
void live(MPI_Comm comm, std::uint64_t seed, Count thread) {
  Random common(seed * 64 + static_cast<std::uint64_t>(thread));
  Random own(seed * 104729 + static_cast<std::uint64_t>(world_rank() * 64 + thread));
  const std::string what = "HALOCLINE_SEED=" + std::to_string(seed) + " thread " + std::to_string(thread);
  const Mesh mesh = random_mesh(common);
  const Cart cart(comm, mesh, Stencil::moore(mesh.dimensions(), 1));
  Halos halos;
  for (Count time = 0; time < 6; ++time) {
    const Count more = between(common, 0, 2);
    for (Count i = 0; i < more || halos.empty(); ++i)
      halos.push_back(
          std::make_unique<NumberedHalo>(cart, mesh, thread * 64 + static_cast<Count>(halos.size()), common));
    exchange_all(halos, time, own, what);
    if (between(common, 0, 2) == 0) {
      halos.back()->start();  // and is destroyed under way
      halos.pop_back();
    }
  }
}

class HalosInThreads : public SeveralThreads {};

TEST_F(HalosInThreads, on_communicators_of_their_own) {
  Trials trials("halos in threads", 20261119, 10, 0.5);
  while (trials.next()) {
    Random common(trials.seed());
    const DescribedMachine machine(RandomGrids::machine(world_size(), common));
    const mpi::Comm world = shuffled_world(static_cast<unsigned>(trials.seed()));
    std::vector<mpi::Comm> comms(static_cast<std::size_t>(between(common, 1, 4)));
    // Duplicates of one communicator: what is kept on that goes with them.
    for (mpi::Comm& comm : comms) MPI_Comm_dup(world.get(), comm.put());
    at_once(comms.size(), [&](std::size_t t) { live(comms[t].get(), trials.seed(), static_cast<Count>(t)); });
  }
  EXPECT_GT(executor_calls, 0);
}

TEST_F(HalosInThreads, on_one_communicator_while_one_thread_makes_more) {
  Trials trials("halos of one communicator in threads", 20261119, 6, 0.5);
  while (trials.next()) {
    Random common(trials.seed() * 17);
    const DescribedMachine machine(RandomGrids::machine(world_size(), common));
    const mpi::Comm world = shuffled_world(static_cast<unsigned>(trials.seed()));
    const Mesh mesh = random_mesh(common);
    const Cart cart(world.get(), mesh, Stencil::moore(mesh.dimensions(), 1));
    std::vector<Halos> halos(static_cast<std::size_t>(between(common, 1, 3)));
    Count number = 0;
    for (Halos& own : halos)
      for (Count i = between(common, 1, 3); i > 0; --i)
        own.push_back(std::make_unique<NumberedHalo>(cart, mesh, number++, common));
    const std::string what = "HALOCLINE_SEED=" + std::to_string(trials.seed());
    at_once(halos.size() + 1, [&](std::size_t t) {
      Random own(trials.seed() * 31 + t * 1009 + static_cast<std::uint64_t>(world_rank()));
      if (t < halos.size()) {
        for (Count time = 0; time < 10; ++time) exchange_all(halos[t], time, own, what);
        return halos[t].clear();  // each thread ends its own
      }
      for (Count time = 0; time < 5; ++time) {
        Halos more;
        more.push_back(std::make_unique<NumberedHalo>(cart, mesh, 1000 + time, common));
        exchange_all(more, time, own, what + ", made meanwhile");
      }
    });
  }
}

/// What one thread made another one may use, if they see to it that it is one at a time.
TEST_F(HalosInThreads, are_handed_from_thread_to_thread) {
  Random common(4711), own(static_cast<std::uint64_t>(world_rank()));
  const Mesh mesh({16, 17}, {true, false});
  const Cart cart(MPI_COMM_WORLD, mesh, Stencil::moore(2, 1));
  Halos halos;
  for (Count i = 0; i < 3; ++i) halos.push_back(std::make_unique<NumberedHalo>(cart, mesh, i, common));
  for (auto& halo : halos) halo->fill(1);
  at_once(3, [&](std::size_t t) { halos[t]->start(); });
  at_once(3, [&](std::size_t t) {
    Random its_own(t);
    halos[(t + 1) % 3]->complete(its_own);
  });
  for (auto& halo : halos) EXPECT_EQ(halo->wrong(), 0);
  at_once(3, [&](std::size_t t) { halos[(t + 2) % 3].reset(); });
}

/// A halo that looks after every point itself: beyond sides of the mesh, of staggered fields, carried along
/// borders.
void verify_halo(MPI_Comm comm, std::size_t kind, Random& common) {
  const Mesh mesh({between(common, 12, 20), between(common, 12, 20)}, {false, between(common, 0, 1) > 0});
  const Cart cart(comm, mesh, Stencil::moore(2, 1));
  FieldOptions of_field{.halo = HaloWidths({2, 1})};
  HaloOptions options;
  if (kind == 0) options.sides = Sides::parse("x-:mirror-face x+:mirror-point");
  if (kind == 1) of_field.staggered = {0};
  if (kind == 2) options.borders = Borders::carry;
  const FieldStorage u(cart, Layout::named(Elementary::double_), of_field);
  Halo halo(cart, {HaloSlot(u)}, options);
  for (Count time = between(common, 1, 3); time > 0; --time) halo.verify();
}

void verify_boxes(MPI_Comm comm, Random& common) {
  const Count side = between(common, 2, 5);
  std::vector<OwnedBox> owned;
  for (Count i = 0; i < side; ++i)
    for (Count j = 0; j < side; ++j) owned.push_back({(i + j) % world_size(), {{4 * i, 4 * j}, {4, 4}}});
  const Boxes boxes(Mesh({4 * side, 4 * side}, periodic(1, 0)), owned);
  std::vector<std::vector<double>> memory(boxes.of(mpi::rank(comm)).size(), std::vector<double>(6 * 6));
  std::vector<std::vector<FieldView>> fields(1);
  for (std::vector<double>& one : memory) fields[0].push_back(view(one.data(), {6, 6}, HaloWidths({1, 1})));
  HaloOptions options;
  if (between(common, 0, 1) > 0) options.exchange.shared = SharedMemory::off;
  BoxHalo halo(comm, boxes, fields, options);
  for (Count time = between(common, 1, 3); time > 0; --time) halo.verify();
}

TEST_F(HalosInThreads, of_every_kind_look_after_their_points) {
  Trials trials("halos of all kinds in threads", 20261119, 4, 0.5);
  while (trials.next()) {
    const mpi::Comm world = shuffled_world(static_cast<unsigned>(trials.seed()));
    std::vector<mpi::Comm> comms(3);
    for (mpi::Comm& comm : comms) MPI_Comm_dup(world.get(), comm.put());
    at_once(comms.size(), [&](std::size_t t) {
      Random common(trials.seed() * 8 + t);
      for (int i = 0; i < 3; ++i) {
        const auto kind = static_cast<std::size_t>(between(common, 0, 3));
        kind < 3 ? verify_halo(comms[t].get(), kind, common) : verify_boxes(comms[t].get(), common);
      }
    });
  }
}

}  // namespace
}  // namespace halocline::halo_threads_outside_tests
