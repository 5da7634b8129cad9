// Halos whose copies are shared by threads: the same bytes, whoever copies them. Longer, with progress:
//   HALOCLINE_SECONDS=600 HALOCLINE_SEED=1 mpirun -n 4 build/release/bin/mpi_tests --files=halo/threads

#include "expect_error.hpp"
#include "halo/cpp_halos.hpp"
#include "halo/points.hpp"
#include "halo/random_executors.hpp"

#include <numeric>
#include <stdexcept>

namespace halocline::halo_threads_tests {
namespace {

/// Every call has threads of its own, or those that the halo was told of, or none.
struct ThreadedHalos : CppHalos {
  static Random& dice() {
    static Random random(4711 + static_cast<unsigned>(world_rank()));
    return random;
  }
  static Halo halo(MPI_Comm comm, const Ground& ground, const std::vector<std::vector<Field>>& fields,
                   const HaloPlan& plan) {
    Halo made = CppHalos::halo(comm, ground, fields, plan);
    if (coin(dice())) made.set_executor(eager_pool(static_cast<int>(random_in(dice(), 1, 4))));
    if (coin(dice(), 4)) made.set_threads(static_cast<int>(random_in(dice(), 1, 3)));
    return made;
  }
  static void start(Halo& halo, const std::vector<const Field*>& now, bool told) {
    if (coin(dice(), 4)) return CppHalos::start(halo, now, told);
    std::vector<const void*> addresses;
    for (const Field* field : now) {
      addresses.push_back(field->view.origin());
      told = told || !field->storage;
    }
    with_some_threads(dice(), [&](const Workers& workers) {
      if (told)
        halo.start_with(addresses, workers);
      else
        halo.start(workers);
    });
  }
  static void wait(Halo& halo) {
    if (coin(dice(), 4)) return halo.wait();
    with_some_threads(dice(), [&](const Workers& workers) { halo.wait(workers); });
  }
  static void exchange(Halo& halo, const std::vector<const Field*>& now, bool told) {
    start(halo, now, told);
    wait(halo);
  }
};

TEST(Threads, random_halos_have_the_same_bytes) {
  Trials trials("random halos by threads", 20261120, 10, 0.5);
  while (trials.next()) run_random_halos<ThreadedHalos>(trials.seed());
}

/// On a periodic grid: every process is its own neighbour, too.
Cart periodic_cart(Count points = 18) {
  const Count p = world_size();
  return {MPI_COMM_WORLD,
          Mesh({points * p, points, points}, periodic(1, 1, 1)),
          Stencil::moore(3, 1),
          {.reorder = false, .halo = {2, 2, 2}, .fixed = {p, 1, 1}}};
}

/// A number for each point of the mesh, another at another time.
double number_at(const Cart& cart, Cell point, Count time) {
  const Counts all = cart.decomposition()->mesh().extents();
  double number = static_cast<double>(time);
  for (std::size_t d = 0; d < 3; ++d)
    number = number * 1000 + static_cast<double>((point[d] + all[d]) % all[d]);
  return number;
}

class Fields {
 public:
  explicit Fields(const Cart& cart, bool shared)
      : cart_(cart), first_(cart.decomposition()->box(cart.cell()).first) {
    for (int f = 0; f < 2; ++f) fields_.emplace_back(cart, FieldOptions{.shared = shared});
  }
  void fill(Count time) {
    for (Field<double>& field : fields_)
      each(field, [&](const Cell& point, double& value, bool own) {
        value = own ? number_at(cart_, point, time + (&field - fields_.data())) : -1;
      });
  }
  [[nodiscard]] Count wrong(Count time) {
    Count wrong = 0;
    for (Field<double>& field : fields_)
      each(field, [&](const Cell& point, const double& value, bool /*own*/) {
        if (value != number_at(cart_, point, time + (&field - fields_.data()))) ++wrong;
      });
    return wrong;
  }
  [[nodiscard]] HaloSlots slots() const { return {HaloSlot(fields_[0]), HaloSlot(fields_[1])}; }

 private:
  template <class Visit>
  void each(Field<double>& field, const Visit& visit) {
    const FieldView& view = field.storage().view();
    for_each_point(view.extents(), view.halo(), [&](const Cell& at) {
      Cell point = at;
      for (std::size_t d = 0; d < 3; ++d) point[d] += first_[d];
      const Offset side = side_of(at, view.extents());
      visit(point, *static_cast<double*>(view.at(at)), side == Offset(3, 0));
    });
  }

  const Cart& cart_;
  Cell first_;
  std::vector<Field<double>> fields_;
};

/// Halos that go all ways there are.
struct Kind {
  const char* name;
  bool shared_fields;
  HaloOptions options;
};
std::vector<Kind> kinds() {
  std::vector<Kind> all;
  const auto add = [&](const char* name, bool shared_fields, SharedMemory shared, WireFormat wire,
                       Addresses addresses) -> Kind& {
    Kind& kind = all.emplace_back(Kind{name, shared_fields, {}});
    kind.options.exchange.shared = shared;
    kind.options.exchange.wire = wire;
    kind.options.addresses = addresses;
    return kind;
  };
  using enum SharedMemory;
  add("straight", true, on, WireFormat::automatic, Addresses::fixed);
  add("read or channels", false, on, WireFormat::automatic, Addresses::fixed);
  add("channels", false, buffered, WireFormat::automatic, Addresses::fixed);
  add("messages", false, off, WireFormat::packed, Addresses::fixed);
  add("any way of messages", false, off, WireFormat::automatic, Addresses::fixed);
  add("a stage", false, on, WireFormat::automatic, Addresses::any);
  add("combined", false, off, WireFormat::packed, Addresses::fixed).options.exchange.schedule =
      ScheduleChoice::torus;
  return all;
}

/// Counts what it is asked for.
struct Counting {
  int threads;
  int& calls;
  std::optional<Count> least = 1;
  [[nodiscard]] int width() const { return threads; }
  [[nodiscard]] std::optional<Count> least_bytes() const { return least; }
  void run(int tasks, const WorkParts& task) const {
    EXPECT_GT(tasks, 1);
    ++calls;
    eager_pool(threads).run(tasks, task);
  }
};

TEST(Threads, share_what_there_is) {
  const Cart cart = periodic_cart();
  for (Kind& kind : kinds()) {
    Fields fields(cart, kind.shared_fields);
    Halo halo(cart, fields.slots(), kind.options);
    int calls = 0;
    const Counting executor{3, calls};
    for (Count time = 0; time < 3; ++time) {
      fields.fill(time);
      MPI_Barrier(MPI_COMM_WORLD);  // neighbours copy once they have started
      if (time == 0) {
        halo.exchange(executor);
      } else {
        halo.start(executor);
        halo.wait(executor);
      }
      EXPECT_EQ(fields.wrong(time), 0) << kind.name;
      MPI_Barrier(MPI_COMM_WORLD);
    }
    EXPECT_GT(calls, 0) << kind.name << ": every process has copies to itself";
    const int before = calls;
    fields.fill(5);
    MPI_Barrier(MPI_COMM_WORLD);
    halo.exchange();
    EXPECT_EQ(fields.wrong(5), 0) << kind.name;
    EXPECT_EQ(calls, before) << kind.name << ": workers are lent for a call";
  }
}

TEST(Threads, leave_small_halos_alone) {
  const Cart cart(MPI_COMM_WORLD, Mesh({8 * world_size(), 8, 8}, periodic(1, 1, 1)), Stencil::moore(3, 1),
                  {.fixed = {world_size(), 1, 1}});
  const Field<double> u(cart);
  Halo halo(cart, u);
  int calls = 0;
  halo.exchange(Counting{3, calls, std::nullopt});
  EXPECT_EQ(calls, 0);
}

TEST(Threads, of_the_library_do_the_same) {
  const Cart cart = periodic_cart(56);  // large enough for the thresholds of the plan
  for (Kind& kind : kinds()) {
    if (kind.name != std::string("straight") && kind.name != std::string("messages") &&
        kind.name != std::string("a stage"))
      continue;
    kind.options.exchange.threads = 1 + world_rank() % 3;  // each for itself
    Fields fields(cart, kind.shared_fields);
    Halo halo(cart, fields.slots(), kind.options);
    for (Count time = 0; time < 2; ++time) {
      fields.fill(time);
      MPI_Barrier(MPI_COMM_WORLD);
      halo.exchange();
      EXPECT_EQ(fields.wrong(time), 0) << kind.name;
      MPI_Barrier(MPI_COMM_WORLD);
      halo.set_threads(2);
    }
  }
}

TEST(Threads, of_a_team_call_together) {
  const Cart cart = periodic_cart();
  for (const Kind& kind : kinds()) {
    Fields fields(cart, kind.shared_fields);
    Halo halo(cart, fields.slots(), kind.options);
    Team team(3);
    fields.fill(1);
    MPI_Barrier(MPI_COMM_WORLD);
    together(3, [&](int number) { halo.exchange(team.member(number)); });
    EXPECT_EQ(fields.wrong(1), 0) << kind.name;
    MPI_Barrier(MPI_COMM_WORLD);
    fields.fill(2);
    MPI_Barrier(MPI_COMM_WORLD);
    together(3, [&](int number) {
      halo.start(team.member(number));
      halo.wait(team.member(number));
    });
    EXPECT_EQ(fields.wrong(2), 0) << kind.name;
    std::atomic<int> refused = 0;
    together(3, [&](int number) {
      halo.start(team.member(number));
      try {
        halo.start(team.member(number));
      } catch (const Error& error) {
        if (error.fault() == Fault::invalid_argument) ++refused;
      }
      halo.wait(team.member(number));
    });
    EXPECT_EQ(refused.load(), 3) << "all members throw";
    MPI_Barrier(MPI_COMM_WORLD);
  }
}

/// Throws now and then, before its work, amid it or after it.
struct Throwing {
  Random& random;
  [[nodiscard]] static int width() { return 3; }
  [[nodiscard]] static Count least_bytes() { return 1; }
  void run(int tasks, const WorkParts& task) const {
    const Count end = random_in(random, -1, tasks);
    for (int part = 0; part < end; ++part) task(part);
    if (coin(random)) throw std::runtime_error("out of threads");
  }
};

TEST(Threads, that_throw_are_an_error_of_their_process_and_nothing_else) {
  const Cart cart = periodic_cart();
  Random own(static_cast<unsigned>(world_rank()) + 5);
  int refused = 0;
  for (Kind& kind : kinds()) {
    Fields fields(cart, kind.shared_fields);
    Halo halo(cart, fields.slots(), kind.options);
    for (Count time = 0; time < 6; ++time) {
      fields.fill(time);
      MPI_Barrier(MPI_COMM_WORLD);
      const auto noting = [&](const auto& call) {
        try {
          call();
        } catch (const std::exception& error) {
          const std::string text = error.what();
          EXPECT_TRUE(text == "out of threads" || text.find("did not run all of") != std::string::npos)
              << text;
          ++refused;
        }
      };
      const Throwing executor{own};
      if (coin(own)) {
        noting([&] { halo.start(executor); });
        EXPECT_TRUE(halo.active()) << kind.name;
        noting([&] { halo.wait(executor); });
      } else {
        noting([&] { halo.exchange(executor); });
      }
      EXPECT_FALSE(halo.active()) << kind.name;
      EXPECT_EQ(fields.wrong(time), 0) << kind.name;
      MPI_Barrier(MPI_COMM_WORLD);
    }
  }
  EXPECT_GT(refused, 0);
}

/// Has the halo wait for itself.
struct Nesting {
  Halo& halo;
  int& refused;
  [[nodiscard]] static int width() { return 2; }
  [[nodiscard]] static Count least_bytes() { return 1; }
  void run(int tasks, const WorkParts& task) const {
    const Serial serial;
    expect_error(
        Fault::invalid_argument, [&] { halo.wait(serial); }, "its own executor");
    expect_error(
        Fault::invalid_argument, [&] { halo.wait(); }, "its own executor");
    expect_error(
        Fault::invalid_argument, [&] { (void)halo.test(); }, "its own executor");
    ++refused;
    Serial::run(tasks, task);
  }
};

TEST(Threads, refuse_the_halo_within_its_own_work) {
  const Cart cart = periodic_cart();
  Fields fields(cart, true);
  for (const Addresses addresses : {Addresses::fixed, Addresses::any}) {
    HaloOptions options;
    options.addresses = addresses;
    Halo halo(cart, fields.slots(), options);
    fields.fill(3);
    MPI_Barrier(MPI_COMM_WORLD);
    int refused = 0;
    const Nesting executor{halo, refused};
    halo.start(executor);
    halo.wait(executor);
    EXPECT_GT(refused, 0);
    EXPECT_EQ(fields.wrong(3), 0);
    MPI_Barrier(MPI_COMM_WORLD);
  }
}

TEST(Threads, are_refused_alike_where_they_make_no_sense) {
  const Cart cart = periodic_cart();
  const Field<double> u(cart);
  HaloOptions none;
  if (world_rank() == world_size() - 1) none.exchange.threads = 0;
  expect_error(
      Fault::invalid_argument, [&] { Halo(cart, none, u); }, "0 threads", "HALOCLINE_THREADS");
  HaloOptions nonsense;
  mpi::Info info;
  MPI_Info_create(info.put());
  MPI_Info_set(info.get(), "halocline_threads", "some");
  nonsense.exchange.info = info.get();
  expect_error(
      Fault::invalid_argument, [&] { Halo(cart, nonsense, u); }, "some");
  Halo halo(cart, u);
  expect_error(
      Fault::invalid_argument, [&] { halo.set_threads(0); }, "0 threads");
  const Workers nobody(0, nullptr, nullptr);
  expect_error(
      Fault::invalid_argument, [&] { halo.start(nobody); }, "an executor of 0 workers");
  EXPECT_FALSE(halo.active());
  halo.start();
  expect_error(
      Fault::invalid_argument, [&] { halo.set_threads(2); }, "started");
  halo.wait();
}

TEST(Threads, serve_exchanges_as_well) {
  const mpi::Comm line = [] {
    mpi::Comm made;
    const int p = world_size(), round = 1;
    MPI_Cart_create(MPI_COMM_WORLD, 1, &p, &round, 0, made.put());
    return made;
  }();
  const Neighborhood neighborhood(line.get(), Stencil({{1}, {-1}, {0}}));
  constexpr std::size_t count = 60000;
  std::vector<double> out(3 * count * 2), in(3 * count * 2, -1);
  const Layout column = Layout::vector(static_cast<Count>(count), 1, 2, Layout::parse("double"));
  std::vector<Block> send, receive;
  for (std::size_t b = 0; b < 3; ++b) {
    send.push_back({out.data() + b * 2 * count, column});
    receive.push_back({in.data() + b * 2 * count, column});
  }
  for (const SharedMemory shared : {SharedMemory::on, SharedMemory::off}) {
    Exchange exchange = Exchange::alltoall(neighborhood, send, receive, {.shared = shared});
    for (int time = 0; time < 4; ++time) {
      for (std::size_t i = 0; i < out.size(); ++i)
        out[i] = static_cast<double>(i % 2) + 1e6 * world_rank() + 1e3 * time;
      std::fill(in.begin(), in.end(), -1);
      int calls = 0;
      const Counting executor{2, calls};
      exchange.start(executor);
      exchange.wait(executor);
      EXPECT_GT(calls, 0);
      const int p = world_size();
      const std::array<int, 3> from{(world_rank() + p - 1) % p, (world_rank() + 1) % p, world_rank()};
      for (std::size_t b = 0; b < 3; ++b)
        for (std::size_t i = 0; i < count; ++i) {
          ASSERT_EQ(in[(b * count + i) * 2], 1e6 * from[b] + 1e3 * time) << b << " " << i;
          ASSERT_EQ(in[(b * count + i) * 2 + 1], -1);
        }
    }
  }
}

}  // namespace
}  // namespace halocline::halo_threads_tests
