#include "random_halos.hpp"

#include "halocline/base/error.hpp"
#include "halocline/halo/halo.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <numeric>
#include <random>

namespace halocline::bench {
namespace {

using accelerate::OwnMemory;
using Random = std::mt19937_64;

Count up_to(Random& random, Count most) {
  return static_cast<Count>(random() % static_cast<std::uint64_t>(most + 1));
}

struct Ground {
  MPI_Comm comm = MPI_COMM_NULL;
  Counts own;  ///< Points of this process.
  Count widest = 1;

  Ground(Random& common) {
    int size = 0, rank = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const int dimensions = static_cast<int>(1 + up_to(common, 3));
    std::vector<int> dims(static_cast<std::size_t>(dimensions), 0), periods, cell(dims.size());
    MPI_Dims_create(size, dimensions, dims.data());
    std::shuffle(dims.begin(), dims.end(), common);
    for (int d = 0; d < dimensions; ++d) periods.push_back(static_cast<int>(up_to(common, 1)));
    MPI_Cart_create(MPI_COMM_WORLD, dimensions, dims.data(), periods.data(), 0, &comm);
    MPI_Comm_rank(comm, &rank);
    MPI_Cart_coords(comm, rank, dimensions, cell.data());
    widest = 1 + up_to(common, 1);
    for (std::size_t d = 0; d < dims.size(); ++d) {
      const bool even = up_to(common, 1) == 0;
      Count extent = widest + up_to(common, dimensions > 2 ? 5 : 40);
      for (int i = 0; i < dims[d]; ++i) {
        const Count of_slab = even ? extent : widest + up_to(common, dimensions > 2 ? 5 : 40);
        if (i == cell[d]) own.push_back(of_slab);
      }
    }
  }
  ~Ground() { MPI_Comm_free(&comm); }
  Ground(const Ground&) = delete;
  Ground& operator=(const Ground&) = delete;
};

Layout random_element(Count bytes, Random& random) {
  const Layout byte = Layout::named(Elementary::byte);
  if (up_to(random, 2) > 0) return Layout::contiguous(bytes, byte);
  Counts lengths, places;
  Count place = up_to(random, 3);
  for (Count left = bytes; left > 0; left -= lengths.back()) {
    lengths.push_back(1 + up_to(random, left - 1));
    places.push_back(place);
    place += lengths.back() + up_to(random, 9);
  }
  return Layout::resized(0, place + up_to(random, 4), Layout::hindexed(lengths, places, byte));
}

/// An array in memory of its own.
struct RandomField {
  OwnMemory on_device;
  std::vector<std::byte> on_host;
  FieldView view;

  static RandomField made(accelerate::Device* device, const Counts& own, const HaloWidths& halo,
                          const Layout& element, Random& random) {
    std::vector<std::size_t> order(own.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::shuffle(order.begin(), order.end(), random);
    Counts strides(own.size());
    Count pitch = element.extent(), origin = 0;
    for (const std::size_t d : order) {
      const Count points = own[d] + halo.low[d] + halo.high[d];
      const bool backwards = up_to(random, 4) == 0;
      strides[d] = backwards ? -pitch : pitch;
      origin += backwards ? (own[d] + halo.high[d] - 1) * pitch : halo.low[d] * pitch;
      pitch = pitch * points + up_to(random, 1) * up_to(random, 40);
    }
    OwnMemory memory;
    std::vector<std::byte> bytes;
    if (device != nullptr)
      memory = OwnMemory(*device, OwnMemory::Kind::of_device, pitch);
    else
      bytes.resize(static_cast<std::size_t>(pitch));
    std::byte* const first = device != nullptr ? memory.get() : bytes.data();
    FieldView view(first + origin, element, own, strides, halo);
    return {std::move(memory), std::move(bytes), std::move(view)};
  }
};

/// Where a field lies: on the host, on the device, or on that of some processes.
accelerate::Device* place_of(Count kind, accelerate::Device& device, Random& own) {
  return kind == 0 || (kind == 1 && up_to(own, 1) == 0) ? nullptr : &device;
}

std::vector<RandomField> random_fields(accelerate::Device& device, const Ground& ground, Random& common,
                                       Random& own) {
  std::vector<RandomField> fields;
  const Count kinds = up_to(common, 3);  // in half of the cases all on the device
  for (Count left = 1 + up_to(common, 3); left > 0; --left) {
    HaloWidths halo;
    for (std::size_t d = 0; d < ground.own.size(); ++d) {
      halo.low.push_back(up_to(common, ground.widest));
      halo.high.push_back(up_to(common, ground.widest));
    }
    constexpr std::array<Count, 9> sizes{1, 2, 3, 4, 8, 12, 16, 24, 100};
    const Count bytes = sizes[static_cast<std::size_t>(up_to(common, 8))];
    Random alike(common());
    Random& of_element = kinds == 1 ? own : alike;  // which must be alike to go straight
    const Layout element = random_element(bytes, of_element);
    const Count kind = kinds < 2 ? up_to(common, 2) : 2;
    fields.push_back(RandomField::made(place_of(kind, device, own), ground.own, halo, element, own));
  }
  return fields;
}

HaloOptions random_options(std::size_t dimensions, Random& common) {
  HaloOptions options;
  if (up_to(common, 3) == 0) options.directions = Stencil::nearest(dimensions);
  options.borders = up_to(common, 1) == 0 ? Borders::carry : Borders::keep;
  constexpr std::array<SharedMemory, 4> shared{SharedMemory::on, SharedMemory::on, SharedMemory::buffered,
                                               SharedMemory::off};
  options.exchange.shared = shared[static_cast<std::size_t>(up_to(common, 3))];
  constexpr std::array<ScheduleChoice, 4> schedules{ScheduleChoice::automatic, ScheduleChoice::direct,
                                                    ScheduleChoice::torus, ScheduleChoice::basis};
  options.exchange.schedule = schedules[static_cast<std::size_t>(up_to(common, 3))];
  return options;
}

void run_case(accelerate::Device& device, std::uint64_t seed) {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  Random common(seed), own(seed * 104729 + static_cast<std::uint64_t>(rank));
  const Ground ground(common);
  const std::vector<RandomField> fields = random_fields(device, ground, common, own);
  std::vector<FieldView> views;
  for (const RandomField& field : fields) views.push_back(field.view);
  Halo halo(ground.comm, HaloSlots(views), random_options(ground.own.size(), common));
  halo.exchange();
  halo.verify();
}

}  // namespace

bool random_halos_are_right(accelerate::Device& device, std::int64_t number, std::uint64_t seed) {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (std::uint64_t last = seed + static_cast<std::uint64_t>(number); seed < last; ++seed) try {
      run_case(device, seed);
    } catch (const Error& error) {  // the same on all processes
      if (rank == 0)
        std::printf("WRONG: random halo of seed %llu: %s\n", static_cast<unsigned long long>(seed),
                    error.what());
      return false;
    }
  if (rank == 0) std::printf("%lld random halos are right\n", static_cast<long long>(number));
  return true;
}

}  // namespace halocline::bench
