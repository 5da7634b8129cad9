// Random halos of fields on a device, on the host, or on a device on some ranks alone. The device is the
// host's processor, whose memory nobody else may touch. Longer, with progress:
//   HALOCLINE_SECONDS=600 HALOCLINE_SEED=1 mpirun -n 4 build/release/bin/mpi_tests
//   --files=halo/random_device_halo

#include "accelerate/host/host_device.hpp"
#include "halo/random_halos.hpp"
#include "halocline/base/error.hpp"
#include "halocline/halo/halo.hpp"
#include "support/option_words.hpp"

namespace halocline::halo_random_device_halo_tests {
namespace {

/// Memory of the device, and what the test sees of it.
class Twin {
 public:
  Twin(std::byte* host, std::size_t bytes)
      : host_(host),
        bytes_(static_cast<Count>(bytes)),
        device_(accelerate::HostDevice::get(), accelerate::OwnMemory::Kind::of_device, bytes_) {}

  [[nodiscard]] std::byte* on_device(const std::byte* host) const { return device_.get() + (host - host_); }
  void upload() const { copy(device_.get(), host_); }
  /// Others cannot open it.
  void keep_private() const { accelerate::HostDevice::get().keep_private(device_.get()); }
  void download() const { copy(host_, device_.get()); }

 private:
  void copy(std::byte* to, const std::byte* from) const {
    accelerate::HostDevice& device = accelerate::HostDevice::get();
    device.copy(to, from, bytes_, nullptr);
    device.synchronize(nullptr);
  }

  std::byte* host_;
  Count bytes_;
  accelerate::OwnMemory device_;
};

struct DeviceHalos {
  struct Field {
    std::byte* host;             ///< Its first own point, as the test sees it.
    std::shared_ptr<Twin> twin;  ///< Null if that is the field itself.
    std::shared_ptr<std::vector<std::byte>> own;
    FieldView view;
  };
  struct Halo {
    std::vector<std::shared_ptr<void>> kept;  ///< Until what is under way has come to its end.
    std::vector<std::shared_ptr<Twin>> now;
    halocline::Halo halo;
    void see() {
      for (const std::shared_ptr<Twin>& twin : now) twin->download();
    }
  };
  static constexpr bool completes_when_destroyed = true;

  static mpi::Comm mesh_comm(MPI_Comm comm, const Mesh& mesh, const Stencil& stencil) {
    return mpi::Comm(Cart(comm, mesh, stencil).release());
  }
  static void tell_mesh(MPI_Comm /*comm*/, const Mesh& /*mesh*/) {}
  static bool has_fields(CommKind /*kind*/) { return true; }

  /// Alike on all ranks: on the device, or a third of them on the host.
  static Field library_field(MPI_Comm comm, const Decomposition& decomposition, const FieldPlan& plan,
                             const Layout& element) {
    const Counts extents =
        local_points(decomposition, decomposition.grid().cell(mpi::rank(comm)), plan.staggered);
    Counts all, strides(extents.size());
    Count bytes = element.extent(), origin = 0;
    for (std::size_t i = 0; i < extents.size(); ++i) {
      const std::size_t d = plan.order == Layout::Order::fortran ? i : extents.size() - 1 - i;
      strides[d] = bytes;
      origin += plan.halo.low[d] * bytes;
      bytes *= extents[d] + plan.halo.low[d] + plan.halo.high[d];
    }
    auto own = std::make_shared<std::vector<std::byte>>(static_cast<std::size_t>(bytes));
    const bool on_device = (plan.bytes + plan.halo.low.front()) % 3 != 0;
    const auto twin = on_device ? std::make_shared<Twin>(own->data(), own->size()) : nullptr;
    // Of some, on some ranks.
    if (twin && (plan.bytes + plan.halo.high.front()) % 4 == world_rank() % 3) twin->keep_private();
    return field_of(own->data() + origin, twin, own, {element, extents, strides, plan.halo, plan.staggered});
  }
  /// On the device of some ranks, or on that of none.
  static Field array_field(RandomArray& array, const Counts& extents, const FieldPlan& plan,
                           const Layout& element) {
    const HaloWidths& halo = plan.halo;
    std::byte* origin = array.first;
    for (std::size_t d = 0; d < extents.size(); ++d) origin += halo.low[d] * array.strides[d];
    const bool on_device = (halo.low.front() + halo.high.back() + world_rank()) % 2 == 0;
    return field_of(origin,
                    on_device ? std::make_shared<Twin>(array.memory.data(), array.memory.size()) : nullptr,
                    nullptr, {element, extents, array.strides, halo, plan.staggered});
  }
  static std::byte* origin(const Field& field) { return field.host; }
  static Counts strides(const Field& field) { return field.view.strides(); }

  static Halo halo(MPI_Comm comm, const Ground& ground, const std::vector<std::vector<Field>>& fields,
                   const HaloPlan& plan) {
    std::vector<HaloSlot> slots;
    std::vector<std::shared_ptr<void>> kept;
    for (const std::vector<Field>& memories : fields) {
      std::vector<HaloSlot> alternatives;
      for (const Field& memory : memories) {
        alternatives.emplace_back(memory.view);
        kept.push_back(memory.own);
        kept.push_back(memory.twin);
      }
      slots.push_back(HaloSlot::of(alternatives));
    }
    std::optional<Borders> borders;
    if (!plan.borders.empty()) borders = plan.borders == "carry" ? Borders::carry : Borders::keep;
    const HaloOptions options{
        .directions = plan.directions,
        .borders = borders,
        .exchange = options_of_words(plan.schedule, plan.wire, plan.shared, plan.statistics)};
    return {std::move(kept),
            {},
            ground.kind == CommKind::fields ? halocline::Halo(comm, slots, options)
                                            : halocline::Halo(comm, ground.decomposition, slots, options)};
  }
  static Stencil default_directions(const Ground& ground) { return Stencil::moore(ground.cell.size(), 1); }

  static void start(Halo& halo, const std::vector<const Field*>& now, bool /*told*/) {
    std::vector<const void*> addresses;
    halo.now.clear();
    for (const Field* field : now) {
      addresses.push_back(field->view.origin());
      if (!field->twin) continue;
      field->twin->upload();
      halo.now.push_back(field->twin);
    }
    halo.halo.start_with(addresses);
  }
  static bool test(Halo& halo) {
    const bool complete = halo.halo.test();
    if (complete) halo.see();
    return complete;
  }
  static void wait(Halo& halo) {
    halo.halo.wait();
    halo.see();
  }
  static void exchange(Halo& halo, const std::vector<const Field*>& now, bool told) {
    start(halo, now, told);
    wait(halo);
  }
  static void verify(Halo& halo) { halo.halo.verify(); }
  static std::pair<Count, bool> counted(const Halo& halo) {
    return {halo.halo.statistics().exchanges, halo.halo.statistics().timed};
  }
  static bool refuses_start(Halo& halo) {
    return is_refused([&] { halo.halo.start(); });
  }
  static bool refuses_verify(Halo& halo) {
    return is_refused([&] { halo.halo.verify(); });
  }
  static bool refuses_under_way(Halo& halo) { return refuses_start(halo) && halo.halo.active(); }

 private:
  struct Arrangement {
    Layout element;
    Counts extents, strides;
    HaloWidths halo;
    Staggered staggered;
  };
  static Field field_of(std::byte* host, std::shared_ptr<Twin> twin,
                        std::shared_ptr<std::vector<std::byte>> own, const Arrangement& as) {
    std::byte* const origin = twin ? twin->on_device(host) : host;
    return {host, std::move(twin), std::move(own),
            staggered({origin, as.element, as.extents, as.strides, as.halo}, as.staggered)};
  }
};

TEST(DeviceHalo, random_ones_in_flight_show_their_neighbours_points) {
  Trials trials("random halos on devices", 20261118, 30);
  while (trials.next()) run_random_halos<DeviceHalos>(trials.seed());
}

}  // namespace
}  // namespace halocline::halo_random_device_halo_tests
