// Random wrong calls of the whole C interface: each is refused with a named error, alike on all ranks where
// it is collective, and a healthy exchange follows each. wrong_call.hpp says what is left out. Longer, with
// progress:
//   HALOCLINE_SECONDS=600 HALOCLINE_SEED=1 mpirun -n 4 build/release/bin/mpi_tests --files=api/wrong_calls

#include "api/wrong_halo_calls.hpp"
#include "api/wrong_neighbor_calls.hpp"
#include "api/wrong_pack_calls.hpp"
#include "api/wrong_rotating_calls.hpp"
#include "api/wrong_shape_calls.hpp"
#include "support/trials.hpp"

#include <filesystem>
#include <fstream>

namespace halocline::api_wrong_calls_tests {
namespace {

using MakeCall = WrongCall (*)(Stage&, Random&);
constexpr MakeCall every_call[] = {
    mesh_attach_call,  mesh_question_call, field_attach_call,  field_create_call, field_question_call,
    halo_create_call,  halo_create_call,   halo_report_call,   null_halo_call,    neighborhood_call,
    collective_call,   collective_call,    collective_call,    collective_call,   collective_call,
    collective_call,   request_call,       dims_call,          cart_call,         mesh_cart_call,
    shaped_cart_call,  comm_levels_call,   cost_call,          task_map_call,     pack_call,
    packer_call,       packer_use_call,    pack_question_call, error_string_call, rotating_halo_call,
    told_memories_call};

/// What a process has of the system's: open files, mappings of shared memory, communicators.
struct Belongings {
  Count files = 0, mappings = 0, communicators = 0;

  /// Collective.
  static Belongings now() {
    Belongings all;
    for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator("/proc/self/fd"))
      ++all.files;
    std::ifstream maps("/proc/self/maps");
    for (std::string line; std::getline(maps, line);)
      all.mappings += line.find("/dev/shm") != std::string::npos;
    all.communicators = highest_new_communicator(MPI_COMM_WORLD);
    return all;
  }
  /// A few are kept by MPI, or on the world.
  void expect_no_more_than(const Belongings& before) const {
    constexpr Count few = 10;
    EXPECT_LT(files, before.files + few);
    EXPECT_LT(mappings, before.mappings + few);
    EXPECT_LT(communicators, before.communicators + few);
  }
};

class WrongCalls : public Refusals {
 protected:
  /// The stage of 50 seeds, which nothing that is refused may change.
  Stage& stage_for(std::uint64_t seed) {
    if (!stage_ || stage_seed_ != seed / 50) {
      stage_.reset();
      stage_seed_ = seed / 50;
      stage_ = std::make_unique<Stage>(stage_seed_, counting_.get());
    }
    return *stage_;
  }
  void TearDown() override { stage_.reset(); }

  std::unique_ptr<Stage> stage_;
  std::uint64_t stage_seed_ = 0;
};

TEST_F(WrongCalls, are_refused_alike_and_change_nothing) {
  stage_for(0).expect_healthy(0, "at first");
  stage_.reset();
  const Belongings before = Belongings::now();
  Trials trials("wrong calls", 20261117, 150, 0.5);
  while (trials.next()) {
    Random common(trials.seed() * 7919 + static_cast<unsigned>(world_size()));
    Stage& stage = stage_for(trials.seed());
    const std::string what = "HALOCLINE_SEED=" + std::to_string(trials.seed());
    {
      WrongCall call =
          any_of<MakeCall>({std::begin(every_call), std::end(every_call)}, common)(stage, common);
      Attempt(call, common).expect_right(what);
    }
    stage.expect_healthy(static_cast<Count>(trials.seed() % 1000), what);
  }
  stage_.reset();
  Belongings::now().expect_no_more_than(before);
}

TEST_F(WrongCalls, reports_that_have_no_place_on_one_rank_are_refused_on_all) {
  Stage& stage = stage_for(0);
  std::array<char, 64> text{};
  int length = -1;
  const bool bad = last_rank();
  const auto report = [&](int size, char* to) { return HCL_Halo_report(stage.healthy, size, to, &length); };
  expect_refused(report(bad ? -1 : 64, text.data()), MPI_ERR_ARG, "-1 characters");
  expect_refused(report(64, bad ? nullptr : text.data()), MPI_ERR_ARG, "text is a null pointer");
  EXPECT_EQ(length, -1);
  EXPECT_EQ(text[0], '\0');
  EXPECT_EQ(report(bad ? 0 : 64, bad ? nullptr : text.data()), MPI_SUCCESS);
}

TEST_F(WrongCalls, questions_for_a_text_that_have_no_place_for_it) {
  std::array<char, MPI_MAX_ERROR_STRING> text{};
  int length = -1;
  for (const int code : {MPI_SUCCESS, MPI_ERR_ARG, HCL_Pack_size(-1, MPI_INT, MPI_COMM_WORLD, nullptr)}) {
    times_called = 0;
    expect_refused(HCL_Error_string(code, nullptr, &length), MPI_ERR_ARG, "string is a null pointer");
    expect_refused(HCL_Error_string(code, text.data(), nullptr), MPI_ERR_ARG, "resultlen is a null pointer");
  }
  EXPECT_EQ(length, -1);
}

TEST_F(WrongCalls, of_mpi_in_place_as_an_array) {
  HCL_Field none = HCL_FIELD_NULL;
  const std::array<int64_t, 2> extents{4, 4};
  const std::array<MPI_Aint, 2> strides{16, 4};
  expect_refused(
      HCL_Field_attach(MPI_IN_PLACE, 2, extents.data(), nullptr, nullptr, MPI_ORDER_C, MPI_INT, &none),
      MPI_ERR_ARG, "MPI_IN_PLACE");
  expect_refused(HCL_Field_attach_strided(MPI_IN_PLACE, 2, extents.data(), nullptr, nullptr, strides.data(),
                                          MPI_INT, &none),
                 MPI_ERR_ARG, "MPI_IN_PLACE");
  EXPECT_EQ(none, HCL_FIELD_NULL);
}

/// A persistent or an immediate collective of integers, and what is known about it.
struct WatchedRequest {
  std::array<int, 2> sent{}, received{-1, -1};
  HCL_Request request = HCL_REQUEST_NULL;
  bool persistent = true, started = false;

  void expect_received(const Stage& stage, const std::string& what) const {
    std::array<int, 2> from{};
    int after = 0;
    MPI_Cart_shift(stage.cart.get(), 0, 1, &from[0], &after);
    MPI_Cart_shift(stage.cart.get(), 1, -1, &from[1], &after);
    for (std::size_t i = 0; i < 2; ++i)
      EXPECT_EQ(received[i], from[i] == MPI_PROC_NULL ? -1 : from[i] + sent[i] - world_rank()) << what;
  }
};

/// Whatever is done with it but to test it and to wait for it is refused, and changes nothing.
void expect_refusals(WatchedRequest& watched, Random& own, const std::string& what) {
  HCL_Request copies[2] = {watched.request, watched.request};
  const auto refused = [&](int code) {
    EXPECT_EQ(class_of(code), MPI_ERR_REQUEST) << what << " says " << text_of(code);
    EXPECT_EQ(times_called, 1) << what;
    times_called = 0;
  };
  switch (random_in(own, 0, 3)) {
    case 0:
      return refused(HCL_Start(&watched.request));
    case 1:
      return refused(HCL_Startall(1, copies));
    case 2:
      return refused(HCL_Startall(2, copies));
    default:
      refused(HCL_Request_free(copies));
      EXPECT_EQ(copies[0], watched.request) << what;
  }
}

TEST_F(WrongCalls, of_requests_in_the_wrong_state_are_refused) {
  Trials trials("requests in the wrong state", 20261119, 40, 0.5);
  while (trials.next()) {
    Random common(trials.seed() * 7919 + static_cast<unsigned>(world_size())),
        own(trials.seed() * 104729 + static_cast<unsigned>(world_rank()));
    Stage& stage = stage_for(trials.seed());
    MPI_Comm comm = stage.neighbors.get();
    const std::string what = "HALOCLINE_SEED=" + std::to_string(trials.seed());
    std::vector<WatchedRequest> all(static_cast<std::size_t>(random_in(common, 1, 3)));
    for (WatchedRequest& each : all) {
      each.persistent = !coin(common, 3);
      each.sent.fill(world_rank() + 1000 * static_cast<int>(random_in(common, 1, 999)));
      each.started = !each.persistent;
      EXPECT_EQ(each.persistent
                    ? HCL_Neighbor_alltoall_init(each.sent.data(), 1, MPI_INT, each.received.data(), 1,
                                                 MPI_INT, comm, MPI_INFO_NULL, &each.request)
                    : HCL_Ineighbor_alltoall(each.sent.data(), 1, MPI_INT, each.received.data(), 1, MPI_INT,
                                             comm, &each.request),
                MPI_SUCCESS)
          << what;
    }
    for (const std::size_t i : shuffled(all.size(), own))
      if (!all[i].started) {
        EXPECT_EQ(HCL_Start(&all[i].request), MPI_SUCCESS) << what;
      }
    for (Count tricks = random_in(own, 0, 4); tricks > 0; --tricks)
      expect_refusals(all[static_cast<std::size_t>(random_in(own, 0, static_cast<Count>(all.size()) - 1))],
                      own, what);
    for (const std::size_t i : shuffled(all.size(), own)) {
      int done = 0;
      for (const bool tests = coin(own); tests && done == 0;) {
        EXPECT_EQ(HCL_Test(&all[i].request, &done), MPI_SUCCESS) << what;
      }
      EXPECT_EQ(HCL_Wait(&all[i].request), MPI_SUCCESS) << what;  // also of what is complete
      all[i].expect_received(stage, what);
      EXPECT_EQ(all[i].request == HCL_REQUEST_NULL, !all[i].persistent) << what;
    }
    for (const std::size_t i : shuffled(all.size(), own)) {
      if (all[i].persistent) {
        EXPECT_EQ(HCL_Request_free(&all[i].request), MPI_SUCCESS) << what;
      }
      expect_refusals(all[i], own, what);  // it is HCL_REQUEST_NULL now
    }
    stage.expect_healthy(static_cast<Count>(trials.seed() % 1000), what);
  }
}

}  // namespace
}  // namespace halocline::api_wrong_calls_tests
