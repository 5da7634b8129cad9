// SPDX-License-Identifier: BSD-3-Clause
#include "tools/bench/halo/device_halos.hpp"

#include "base/fail.hpp"
#include "base/numbers.hpp"
#include "halocline/base/error.hpp"
#include "mpi/handles/agree.hpp"
#include "tools/bench/halo/halo_contents.hpp"

#include <array>

namespace halocline::tools {
namespace {

constexpr std::string_view packed_alone = "pack", copied_alone = "copy";

Count array_bytes(const HaloProblem& problem) {
  Count bytes = sizeof(double);
  for (const Count extent : problem.extents) bytes *= extent + 2 * problem.width;
  return bytes;
}

/// The arrays of a problem in memory of a device.
HaloProblem moved(HaloProblem problem, const std::vector<accelerate::OwnMemory>& memories) {
  for (std::size_t i = 0; i < memories.size(); ++i)
    problem.arrays[i] = reinterpret_cast<double*>(memories[i].get());
  return problem;
}

std::vector<FieldView> views_of(const HaloProblem& problem) {
  Counts extents;
  for (const Count extent : problem.extents) extents.push_back(extent + 2 * problem.width);
  std::vector<FieldView> views;
  for (double* const array : problem.arrays)
    views.push_back(view(array, extents, HaloWidths(Counts(3, problem.width))));
  return views;
}

std::vector<accelerate::OwnMemory> memories_for(const HaloProblem& problem, accelerate::Device& device,
                                                accelerate::OwnMemory::Kind kind) {
  return mpi::agreed(problem.cart, [&] {
    std::vector<accelerate::OwnMemory> memories;
    for (std::size_t i = 0; i < problem.arrays.size(); ++i)
      memories.emplace_back(device, kind, array_bytes(problem));
    return memories;
  });
}

}  // namespace

std::span<const DeviceHaloWay> device_halo_ways() {
  static constexpr std::array table{
      DeviceHaloWay{"strided", "a strided copy for each neighbour and field to the host, messages, and back"},
      DeviceHaloWay{"copied",
                    "a kernel packs, one copy to the host, messages, one copy back, a kernel unpacks"},
      DeviceHaloWay{"staged", "ours, through memory of the host"},
      DeviceHaloWay{"straight", "ours, straight into the halos of processes of the node"},
      DeviceHaloWay{"stream", "the same on a stream, until that is done"},
      DeviceHaloWay{"launched", "the same on a stream, until the host goes on"},
      DeviceHaloWay{packed_alone, "our kernel packs all that is sent, nothing else"},
      DeviceHaloWay{copied_alone, "a plain copy of as many bytes on the device, nothing else"},
  };
  return table;
}

DeviceHalos::DeviceHalos(const Cart& cart, const HaloProblem& seen, const std::vector<std::string>& ways,
                         accelerate::Device& device, accelerate::OwnMemory::Kind kind)
    : cart_(cart),
      seen_(seen),
      problem_(seen),
      device_(device),
      stream_(device),
      memories_(memories_for(seen, device, kind)) {
  problem_ = moved(seen, memories_);
  for (const std::string& way : ways) {
    contestants_.push_back(contestant(way));
    if (way == packed_alone)
      check_packed();
    else if (way != copied_alone)
      check(contestants_.back().competitor);
  }
}

DeviceHalos::~DeviceHalos() {
  contestants_.clear();
  straight_.reset();
  (void)PMPI_Barrier(cart_.comm());  // before memory goes that others have opened
}

Contestant DeviceHalos::contestant(const std::string& way) {
  if (way == "strided")
    return {{way, [rival = std::make_shared<StridedCopies>(problem_, device_)] { rival->run(); }}};
  if (way == "copied")
    return {{way, [rival = std::make_shared<PackedCopies>(problem_, device_)] { rival->run(); }}};
  if (way == packed_alone || way == copied_alone) {
    if (!packing_) packing_ = std::make_shared<PackingAlone>(problem_, device_);
    if (way == packed_alone) return {{way, [alone = packing_] { alone->pack(); }}};
    return {{way, [alone = packing_] { alone->copy(); }}};
  }
  if (way == "staged") return ours(way, SharedMemory::off);
  if (way == "straight") return ours(way, SharedMemory::on);
  const auto begin = [halo = straight(), stream = stream_.get()] {
    halo->start(stream);
    halo->wait(stream);
  };
  const auto complete = [this] { device_.synchronize(stream_.get()); };
  if (way == "launched") return {{way, begin, complete}};
  return {{way, [begin, complete] {
             begin();
             complete();
           }}};
}

Contestant DeviceHalos::ours(const std::string& way, SharedMemory shared) {
  const std::vector<FieldView> views = views_of(problem_);
  const HaloOptions options{.exchange = {.shared = shared}};
  auto halo = shared == SharedMemory::on ? straight() : std::make_shared<Halo>(cart_, views, options);
  halo->verify();
  const ContestRules rules{.repetitions = 5, .runs = 1, .inner = 1, .prepare = {}};
  const double init =
      measure(cart_.comm(), {{way, [&] { (void)Halo(cart_, views, options); }}}, rules).front().front();
  return {{way, [halo] { halo->exchange(); }}, halo->exchanged().schedule(), init};
}

const std::shared_ptr<Halo>& DeviceHalos::straight() {
  const HaloOptions options{.exchange = {.shared = SharedMemory::on}};
  if (!straight_) straight_ = std::make_shared<Halo>(cart_, views_of(problem_), options);
  return straight_;
}

void DeviceHalos::copy(bool to_device) {
  const Count bytes = array_bytes(seen_);
  for (std::size_t i = 0; i < memories_.size(); ++i) {
    auto* const host = reinterpret_cast<std::byte*>(seen_.arrays[i]);
    device_.copy(to_device ? memories_[i].get() : host, to_device ? host : memories_[i].get(), bytes,
                 nullptr);
  }
  device_.synchronize(nullptr);
}

/// Twice: the second time finds out who forgets to wait.
void DeviceHalos::check(const Competitor& way) {
  const Competitor seen{way.name, [&] {
                          copy(true);
                          HALOCLINE_MPI(Barrier, cart_.comm());
                          way.run();
                          if (way.settle) way.settle();
                          HALOCLINE_MPI(Barrier, cart_.comm());
                          copy(false);
                        }};
  for (int time = 0; time < 2; ++time) check_contents(cart_, seen, views_of(seen_));
}

void DeviceHalos::check_packed() {
  const std::vector<FieldView> fields = views_of(seen_);
  for (std::size_t i = 0; i < fields.size(); ++i) contents_of(cart_).write(fields[i], to_count(i));
  copy(true);
  packing_->pack();
  const std::vector<double> packed = packing_->packed();
  (void)mpi::agreed(cart_.comm(), [&] {
    const double* next = packed.data();
    for (const Offset& offset : seen_.offsets.offsets()) {
      const HaloProblem::PointBox part = seen_.sent(offset);
      for (const FieldView& field : fields)
        for (Count x = 0; x < part.count[0]; ++x)
          for (Count y = 0; y < part.count[1]; ++y)
            for (Count z = 0; z < part.count[2]; ++z) {
              const Cell point{part.first[0] + x - seen_.width, part.first[1] + y - seen_.width,
                               part.first[2] + z - seen_.width};
              if (*next++ != *static_cast<const double*>(field.at(point)))
                fail(Fault::internal, "the way ", packed_alone, " packs a wrong value at byte ",
                     (next - packed.data() - 1) * to_count(sizeof(double)));
            }
    }
    return true;
  });
}

}  // namespace halocline::tools
