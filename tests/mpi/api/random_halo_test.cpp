// Random halos through the C interface. Longer, with progress:
//   HALOCLINE_SECONDS=600 HALOCLINE_SEED=1 mpirun -n 4 build/release/bin/mpi_tests --files=api/random_halo

#include "halo/random_halos.hpp"
#include "halocline/halocline.h"
#include "support/datatypes.hpp"
#include "support/refusals.hpp"

#include <utility>

namespace halocline::api_random_halo_tests {
namespace {

/// A handle that is freed with it.
template <class Handle, int (*free)(Handle*)>
class Freed {
 public:
  Freed() = default;
  Freed(Freed&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Freed& operator=(Freed&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Freed() {
    if (handle_ == nullptr) return;
    EXPECT_EQ(free(&handle_), MPI_SUCCESS);
    EXPECT_EQ(handle_, nullptr);
  }
  [[nodiscard]] Handle get() const { return handle_; }
  Handle* put() { return &handle_; }

 private:
  Handle handle_ = nullptr;
};

struct CHalos {
  using Field = Freed<HCL_Field, HCL_Field_free>;
  using Halo = Freed<HCL_Halo, HCL_Halo_free>;
  static constexpr bool completes_when_destroyed = false;

  static mpi::Comm mesh_comm(MPI_Comm comm, const Mesh& mesh, const Stencil& stencil) {
    const std::vector<int> periods(mesh.periodicity().begin(), mesh.periodicity().end());
    std::vector<int> dims(periods.size());
    mpi::Comm cart;
    EXPECT_EQ(HCL_Cart_mesh_create(
                  comm, static_cast<int>(dims.size()), mesh.extents().data(), nullptr, periods.data(), 1, 0,
                  stencil == Stencil::nearest(dims.size()) ? HCL_STENCIL_NEAREST : HCL_STENCIL_MOORE, nullptr,
                  MPI_INFO_NULL, dims.data(), cart.put()),
              MPI_SUCCESS);
    return cart;
  }
  static void tell_mesh(MPI_Comm comm, const Mesh& mesh) {
    EXPECT_EQ(HCL_Cart_mesh_attach(comm, mesh.extents().data(), nullptr), MPI_SUCCESS);
  }
  static bool has_fields(CommKind kind) { return kind != CommKind::fields; }

  static Field library_field(MPI_Comm comm, const Decomposition& /*decomposition*/, const FieldPlan& plan,
                             const Layout& element) {
    mpi::Info info;
    MPI_Info_create(info.put());
    MPI_Info_set(info.get(), "halocline_field", plan.shared ? "shared" : "private");
    if (!plan.staggered.empty())
      MPI_Info_set(info.get(), "halocline_staggered", join(plan.staggered, ",").c_str());
    Field field;
    EXPECT_EQ(HCL_Field_create(comm, built(element).type, plan.halo.low.data(), plan.halo.high.data(),
                               TypeBuilder::order(plan.order), info.get(), field.put()),
              MPI_SUCCESS);
    return field;
  }
  static Field array_field(const RandomArray& array, const Counts& extents, const FieldPlan& plan,
                           const Layout& element) {
    const HaloWidths& halo = plan.halo;
    Counts all;
    for (std::size_t d = 0; d < extents.size(); ++d) all.push_back(extents[d] + halo.low[d] + halo.high[d]);
    const std::vector<MPI_Aint> strides(array.strides.begin(), array.strides.end());
    Field field;
    EXPECT_EQ(HCL_Field_attach_strided(array.first, static_cast<int>(all.size()), all.data(), halo.low.data(),
                                       halo.high.data(), strides.data(), built(element).type, field.put()),
              MPI_SUCCESS);
    const std::vector<int> staggered(plan.staggered.begin(), plan.staggered.end());
    if (!staggered.empty()) {
      EXPECT_EQ(HCL_Field_stagger(field.get(), static_cast<int>(staggered.size()), staggered.data()),
                MPI_SUCCESS);
    }
    return field;
  }
  static std::byte* origin(const Field& field) {
    std::byte* origin = nullptr;
    EXPECT_EQ(HCL_Field_get(field.get(), 0, static_cast<void*>(&origin), nullptr, nullptr), MPI_SUCCESS);
    return origin;
  }
  static Counts strides(const Field& field) {
    constexpr int most = 8;
    std::vector<MPI_Aint> strides(most);
    EXPECT_EQ(HCL_Field_get(field.get(), most, nullptr, strides.data(), nullptr), MPI_SUCCESS);
    return {strides.begin(), strides.end()};
  }

  static mpi::Info info_of(const HaloPlan& plan, bool mesh_of_fields) {
    mpi::Info info;
    MPI_Info_create(info.put());
    const auto say = [&](const char* key, const std::string& value) {
      if (!value.empty()) MPI_Info_set(info.get(), key, value.c_str());
    };
    say("halocline_borders", plan.borders);
    say("halocline_schedule", plan.schedule);
    say("halocline_wire", plan.wire);
    say("halocline_shared", plan.shared);
    say("halocline_statistics", plan.statistics);
    say("halocline_mesh", mesh_of_fields ? "fields" : "");
    return info;
  }
  static Halo halo(MPI_Comm comm, const Ground& ground, const std::vector<std::vector<Field>>& fields,
                   const HaloPlan& plan) {
    std::vector<HCL_Field> handles;
    std::vector<int> counts;
    for (const std::vector<Field>& memories : fields) {
      counts.push_back(static_cast<int>(memories.size()));
      for (const Field& memory : memories) handles.push_back(memory.get());
    }
    std::vector<int> directions;
    if (plan.directions)
      for (const Offset& offset : plan.directions->offsets())
        directions.insert(directions.end(), offset.begin(), offset.end());
    const mpi::Info info = info_of(plan, ground.told_another);
    Halo halo;
    const int ndirections = plan.directions ? static_cast<int>(plan.directions->size()) : 0;
    const int* const list = plan.directions ? directions.data() : HCL_DIRECTIONS_DEFAULT;
    const auto nfields = static_cast<int>(counts.size());
    EXPECT_EQ(handles.size() == counts.size()
                  ? HCL_Halo_create(comm, nfields, handles.data(), ndirections, list, info.get(), halo.put())
                  : HCL_Halo_create_rotating(comm, nfields, counts.data(), handles.data(), ndirections, list,
                                             info.get(), halo.put()),
              MPI_SUCCESS);
    return halo;
  }
  static Stencil default_directions(const Ground& ground) {
    return ground.kind == CommKind::mesh ? ground.stencil : Stencil::moore(ground.cell.size(), 1);
  }

  /// Always told: handles follow nothing.
  static void start(Halo& halo, const std::vector<const Field*>& now, bool /*told*/) {
    EXPECT_EQ(HCL_Halo_start_with(halo.get(), addresses(now).data()), MPI_SUCCESS);
  }
  static bool test(Halo& halo) {
    int done = 0;
    EXPECT_EQ(HCL_Halo_test(halo.get(), &done), MPI_SUCCESS);
    return done != 0;
  }
  static void wait(Halo& halo) { EXPECT_EQ(HCL_Halo_wait(halo.get()), MPI_SUCCESS); }
  static void exchange(Halo& halo, const std::vector<const Field*>& now, bool /*told*/) {
    EXPECT_EQ(HCL_Halo_exchange_with(halo.get(), addresses(now).data()), MPI_SUCCESS);
  }
  static std::vector<const void*> addresses(const std::vector<const Field*>& fields) {
    std::vector<const void*> addresses;
    for (const Field* field : fields) addresses.push_back(origin(*field));
    return addresses;
  }
  static void verify(Halo& halo) { EXPECT_EQ(HCL_Halo_verify(halo.get()), MPI_SUCCESS); }
  static std::pair<Count, bool> counted(const Halo& halo) {
    HCL_Statistics statistics;
    EXPECT_EQ(HCL_Halo_statistics(halo.get(), &statistics), MPI_SUCCESS);
    return {statistics.exchanges, statistics.timed != 0};
  }
  static bool refuses_verify(Halo& halo) { return class_of(HCL_Halo_verify(halo.get())) == MPI_ERR_REQUEST; }
  static bool refuses_under_way(Halo& halo) {
    HCL_Halo freed = halo.get();
    return class_of(HCL_Halo_start(halo.get())) == MPI_ERR_REQUEST &&
           class_of(HCL_Halo_exchange(halo.get())) == MPI_ERR_REQUEST &&
           class_of(HCL_Halo_free(&freed)) == MPI_ERR_REQUEST && freed == halo.get();
  }
  static bool refuses_start(Halo& halo) { return class_of(HCL_Halo_start(halo.get())) == MPI_ERR_ARG; }
};

/// What is refused must not end the test.
class RandomHalosInC : public Refusals {};

TEST_F(RandomHalosInC, in_flight_show_their_neighbours_points) {
  Trials trials("random halos in C", 20261204, 8);
  while (trials.next()) run_random_halos<CHalos>(trials.seed());
}

}  // namespace
}  // namespace halocline::api_random_halo_tests
