// SPDX-License-Identifier: BSD-3-Clause
// halocline verify: random halos on the processes of this job, every point of them looked at.

#include "base/fail.hpp"
#include "base/index.hpp"
#include "base/numbers.hpp"
#include "halocline/base/error.hpp"
#include "halocline/halo/halo.hpp"
#include "mpi/handles/comm.hpp"
#include "tools/common/command.hpp"
#include "tools/common/device_of_job.hpp"
#include "tools/common/mpi_session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <numeric>
#include <random>

namespace halocline::tools {
namespace {

using accelerate::OwnMemory;
using Random = std::mt19937_64;

struct VerifyWords {
  MemoryWords memory;
  Count cases = 100;
  std::uint64_t seed = 1;
};

Count up_to(Random& random, Count most) {
  return static_cast<Count>(random() % static_cast<std::uint64_t>(most + 1));
}

/// A grid of all processes, open or periodic, with shares of any sizes.
struct VerifiedGrid {
  explicit VerifiedGrid(Random& common) {
    const int dimensions = to_int(1 + up_to(common, 3));
    std::vector<int> dims(to_size(dimensions), 0), periods, cell(dims.size());
    HALOCLINE_MPI(Dims_create, mpi::size(MPI_COMM_WORLD), dimensions, dims.data());
    std::shuffle(dims.begin(), dims.end(), common);
    for (int d = 0; d < dimensions; ++d) periods.push_back(to_int(up_to(common, 1)));
    HALOCLINE_MPI(Cart_create, MPI_COMM_WORLD, dimensions, dims.data(), periods.data(), 0, comm.put());
    HALOCLINE_MPI(Cart_coords, comm.get(), mpi::rank(comm.get()), dimensions, cell.data());
    widest = 1 + up_to(common, 1);
    const Count most_beyond = dimensions > 2 ? 5 : 40;
    for (std::size_t d = 0; d < dims.size(); ++d) {
      const bool even = up_to(common, 1) == 0;
      const Count extent = widest + up_to(common, most_beyond);
      for (int i = 0; i < dims[d]; ++i) {
        const Count of_slab = even ? extent : widest + up_to(common, most_beyond);
        if (i == cell[d]) own.push_back(of_slab);
      }
    }
  }

  mpi::Comm comm;
  Counts own;  ///< Points of this process.
  Count widest = 1;
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

/// Where fields lie: on the host without a device.
struct Place {
  accelerate::Device* device = nullptr;
  OwnMemory::Kind kind = OwnMemory::Kind::of_device;
};

/// An array in memory of its own.
struct RandomField {
  OwnMemory on_device;
  std::vector<std::byte> on_host;
  FieldView view;

  static RandomField made(const Place& place, const Counts& own, const HaloWidths& halo,
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
    if (place.device != nullptr)
      memory = OwnMemory(*place.device, place.kind, pitch);
    else
      bytes.resize(to_size(pitch));
    std::byte* const first = place.device != nullptr ? memory.get() : bytes.data();
    FieldView view(first + origin, element, own, strides, halo);
    return {std::move(memory), std::move(bytes), std::move(view)};
  }
};

/// Of a field: on the host, on the device if there is one, or on that of some processes.
Place place_of(Count kind, const Place& device, Random& own) {
  return kind == 0 || (kind == 1 && up_to(own, 1) == 0) ? Place{} : device;
}

std::vector<RandomField> random_fields(const Place& device, const VerifiedGrid& ground, Random& common,
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
    const Count bytes = sizes[to_index(up_to(common, 8))];
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
  options.exchange.shared = shared[to_index(up_to(common, 3))];
  constexpr std::array<ScheduleChoice, 4> schedules{ScheduleChoice::automatic, ScheduleChoice::direct,
                                                    ScheduleChoice::torus, ScheduleChoice::basis};
  options.exchange.schedule = schedules[to_index(up_to(common, 3))];
  return options;
}

/// One case, told by its seed. Throws the same Error on every rank if a point is wrong. Collective.
void verify_case(const Place& device, std::uint64_t seed) {
  const auto rank = static_cast<std::uint64_t>(mpi::rank(MPI_COMM_WORLD));
  Random common(seed), own(seed * 104729 + rank);
  const VerifiedGrid ground(common);
  const std::vector<RandomField> fields = random_fields(device, ground, common, own);
  std::vector<FieldView> views;
  views.reserve(fields.size());
  for (const RandomField& field : fields) views.push_back(field.view);
  {
    Halo halo(ground.comm.get(), HaloSlots(views), random_options(ground.own.size(), common));
    halo.exchange();
    halo.verify();
  }
  HALOCLINE_MPI(Barrier, ground.comm.get());  // before memory goes that others have opened
}

Answer answer_verify(const VerifyWords& words) {
  const bool on_device = words.memory.on_device();
  require(words.cases >= 1, "--cases ", words.cases, ": there is at least one");
  const auto others = static_cast<std::uint64_t>(words.cases - 1);
  require(words.seed <= std::numeric_limits<std::uint64_t>::max() - others, "--seed ", words.seed, ": ",
          words.cases, " cases from there on have larger seeds than there are");
  const MpiAnyway session;
  accelerate::Device* const device = on_device ? &device_of_job(MPI_COMM_WORLD) : nullptr;
  const Place place = on_device ? Place{device, words.memory.kind()} : Place{};
  const std::string told =
      device == nullptr ? "in memory of the host"
                        : concat(words.memory.word() == "pool" ? "in a pool " : "", "on ", device->name());
  const std::uint64_t last = words.seed + others;
  for (Count done = 0; done < words.cases; ++done) {
    const std::uint64_t seed = words.seed + static_cast<std::uint64_t>(done);
    try {
      verify_case(place, seed);
    } catch (const Error& error) {  // the same on all processes
      throw Error(Fault::internal, concat("the random halo of --seed ", seed, " ", told, ": ", error.what()));
    }
  }
  const int processes = mpi::size(MPI_COMM_WORLD);
  return {fmt::format("{} random halos {}, {} processes, seeds {} to {}: every point is right\n", words.cases,
                      told, processes, words.seed, last),
          {{"ranks", processes},
           {"memory", words.memory.word()},
           {"device", device != nullptr ? nlohmann::ordered_json(device->name()) : nullptr},
           {"cases", words.cases},
           {"first_seed", words.seed},
           {"last_seed", last}}};
}

}  // namespace

Action declare_verify(Options& options) {
  auto words = std::make_shared<VerifyWords>();
  words->memory.declare(options, "fields");
  options.add_option("--cases", words->cases, "how many halos").capture_default_str();
  options.add_option("--seed", words->seed, "of the first one; each has the next").capture_default_str();
  return [words] { return answer_verify(*words); };
}

}  // namespace halocline::tools
