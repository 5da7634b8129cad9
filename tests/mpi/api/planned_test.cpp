// What the C interface does by itself is what the plan says, with prices from a file. More cases:
//   HALOCLINE_SECONDS=600 mpirun -n 8 build/release/bin/mpi_tests --files=api/planned

#include "base/fail.hpp"
#include "halo/random_plans.hpp"
#include "halocline/halocline.h"
#include "mpi/communicators/cart_comm.hpp"
#include "plan/options/option_names.hpp"
#include "support/datatypes.hpp"
#include "support/refusals.hpp"

#include <array>
#include <limits>

namespace halocline::api_planned_tests {
namespace {

/// What is refused is thrown, as the interface of C++ does it.
void must(int code) {
  if (code != MPI_SUCCESS) fail(Fault::invalid_argument, "class ", class_of(code));
}

template <class Tell>
std::string told(const Tell& tell) {
  std::array<char, 32> name{};
  int length = 0;
  must(tell(static_cast<int>(name.size()), name.data(), &length));
  return {name.data(), static_cast<std::size_t>(length)};
}

std::vector<int> flat(const Stencil& stencil) {
  std::vector<int> all;
  for (const Offset& offset : stencil.offsets()) all.insert(all.end(), offset.begin(), offset.end());
  return all;
}

struct CPlans {
  struct Cart {
    mpi::Comm comm;
    [[nodiscard]] Grid grid() const { return mpi::grid_of(comm.get()); }
    [[nodiscard]] Cell cell() const { return grid().cell(mpi::rank(comm.get())); }
  };
  static plan::Plan expected(const plan::RandomProblem& given) {
    return plan::make_plan(given.problem, given.choices);
  }
  static mpi::Info info_of(const PlannedCase& planned) {
    mpi::Info info;
    MPI_Info_create(info.put());
    const auto say = [&](const char* key, const std::string& value) {
      if (!value.empty()) MPI_Info_set(info.get(), key, value.c_str());
    };
    say("halocline_place", plan::name_of(planned.given.choices.grid.algorithm));
    say("halocline_network", planned.network());
    say("halocline_allocation", planned.allocation_path());
    say("halocline_mapping", plan::name_of(planned.given.choices.network.variant));
    return info;
  }
  static Cart cart(MPI_Comm world, const PlannedCase& planned) {
    const plan::Problem& problem = planned.problem();
    const auto dimensions = problem.mesh.dimensions();
    const std::vector<int> periods(problem.mesh.periodicity().begin(), problem.mesh.periodicity().end()),
        offsets = flat(problem.stencil);
    std::vector<int> dims(problem.fixed.begin(), problem.fixed.end());
    dims.resize(dimensions);
    const mpi::Info info = info_of(planned);
    Cart cart;
    must(HCL_Cart_mesh_create(world, static_cast<int>(dimensions), problem.mesh.extents().data(),
                              problem.halo.empty() ? nullptr : problem.halo.data(), periods.data(), 1,
                              static_cast<int>(problem.stencil.size()), offsets.data(),
                              problem.stencil.weights().data(), info.get(), dims.data(), cart.comm.put()));
    EXPECT_EQ(Counts(dims.begin(), dims.end()), cart.grid().extents());
    return cart;
  }
  static std::string schedule(const Cart& cart, const PlannedCase& planned, const Stencil& directions) {
    const BuiltType element = built(planned.element());
    std::vector<HCL_Field> fields(static_cast<std::size_t>(planned.problem().fields), HCL_FIELD_NULL);
    for (HCL_Field& field : fields)
      must(HCL_Field_create(cart.comm.get(), element.type, nullptr, nullptr, MPI_ORDER_C, MPI_INFO_NULL,
                            &field));
    HCL_Halo halo = HCL_HALO_NULL;
    const int code =
        HCL_Halo_create(cart.comm.get(), static_cast<int>(fields.size()), fields.data(),
                        static_cast<int>(directions.size()), flat(directions).data(), MPI_INFO_NULL, &halo);
    for (HCL_Field& field : fields) must(HCL_Field_free(&field));
    must(code);
    std::string schedule =
        told([&](int size, char* text, int* length) { return HCL_Halo_schedule(halo, size, text, length); });
    must(HCL_Halo_free(&halo));
    return schedule;
  }
};

/// What is refused must not end the test.
class PlannedInC : public Refusals {};

TEST_F(PlannedInC, communicators_and_halos_do_what_the_plan_says) {
  compare_halos_with_plans<CPlans>("planned halos in C", 300001, 8, 0.5);
}

/// Of persistent blocks of the plan's sizes, which must be the same in all processes here.
std::string schedule_of_request(const CPlans::Cart& cart, const PlannedCase& planned) {
  plan::Problem problem = planned.problem();
  problem.stencil = plan::that_sends(problem.stencil, planned.halo());
  const Decomposition decomposition(problem.mesh, cart.grid());
  const PlannedBlocks blocks(problem, decomposition, planned.halo());
  std::vector<int> counts;
  std::vector<MPI_Aint> places;
  MPI_Aint end = 0;
  for (std::size_t i = 0; i < problem.stencil.size(); ++i) {
    counts.push_back(static_cast<int>(blocks.bytes(cart.cell(), i)));
    places.push_back(end);
    end += counts.back();
  }
  std::vector<std::byte> from(static_cast<std::size_t>(end)), to(static_cast<std::size_t>(end));
  mpi::Comm neighborhood;
  must(HCL_Neighborhood_create(cart.comm.get(), static_cast<int>(problem.stencil.size()),
                               flat(problem.stencil).data(), neighborhood.put()));
  HCL_Request request = HCL_REQUEST_NULL;
  must(HCL_Neighbor_alltoallv_init(from.data(), counts.data(), places.data(), MPI_BYTE, to.data(),
                                   counts.data(), places.data(), MPI_BYTE, neighborhood.get(), MPI_INFO_NULL,
                                   &request));
  std::string schedule = told(
      [&](int size, char* text, int* length) { return HCL_Request_schedule(request, size, text, length); });
  must(HCL_Request_free(&request));
  return schedule;
}

void compare_request(std::uint64_t seed) {
  const PlannedCase planned = planned_case(plan::RandomProblems(seed, world_size()).any());
  SCOPED_TRACE(planned.given.to_text());
  const auto plan = unless_refused([&] { return CPlans::expected(planned.given); });
  const DescribedMachine described(planned.problem().machine.to_text());
  const Variable prices("HALOCLINE_PRICES", planned.prices->path());
  const mpi::Comm world = shuffled_world(static_cast<unsigned>(seed));
  const auto cart = unless_refused([&] { return CPlans::cart(world.get(), planned); });
  ASSERT_TRUE(cart || !plan) << "the communicator is refused, the plan is not";
  if (!plan) return;
  ASSERT_EQ(cart->grid().to_text(), plan->grid.to_text());
  ASSERT_EQ(cart->cell(), plan->placement.cell(world_rank()));
  if (!Decomposition(planned.problem().mesh, plan->grid).even()) return;
  ASSERT_EQ(schedule_of_request(*cart, planned), plan->schedule);
}

TEST_F(PlannedInC, requests_do_what_the_plan_says) {
  Trials trials("planned requests in C", 400001, world_size() > 4 ? 4 : 8, 0.5);
  while (trials.next()) {
    SCOPED_TRACE(testing::Message() << trials);
    compare_request(trials.seed());
  }
}

TEST_F(PlannedInC, schedules_are_told_to_who_asks_well) {
  const int dims[] = {world_size()}, periods[] = {1}, offsets[] = {1, -1};
  mpi::Comm cart, neighborhood;
  must(HCL_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 1, 0, HCL_STENCIL_NEAREST, nullptr, MPI_INFO_NULL,
                       cart.put()));
  must(HCL_Neighborhood_create(cart.get(), 2, offsets, neighborhood.put()));
  HCL_Request request = HCL_REQUEST_NULL;
  must(HCL_Neighbor_alltoall_init(nullptr, 0, MPI_BYTE, nullptr, 0, MPI_BYTE, neighborhood.get(),
                                  MPI_INFO_NULL, &request));
  times_called = 0;
  std::array<char, 4> text{'#', '#', '#', '#'};
  int length = -1;
  EXPECT_EQ(HCL_Request_schedule(request, 4, text.data(), &length), MPI_SUCCESS);
  EXPECT_STREQ(text.data(), "dir");
  EXPECT_EQ(length, 6);
  EXPECT_EQ(HCL_Request_schedule(request, 0, nullptr, nullptr), MPI_SUCCESS);
  MPI_Comm_set_errhandler(neighborhood.get(), counting_.get());
  expect_refused(HCL_Request_schedule(request, -1, text.data(), nullptr), MPI_ERR_ARG, "-1 characters");
  expect_refused(HCL_Request_schedule(request, 4, nullptr, nullptr), MPI_ERR_ARG, "text is a null pointer");
  expect_refused(HCL_Request_schedule(HCL_REQUEST_NULL, 4, text.data(), nullptr), MPI_ERR_REQUEST,
                 "HCL_REQUEST_NULL");
  must(HCL_Request_free(&request));
}

}  // namespace
}  // namespace halocline::api_planned_tests
