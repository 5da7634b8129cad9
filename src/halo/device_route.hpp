// SPDX-License-Identifier: BSD-3-Clause
// How the bytes of fields on devices get to the neighbours: straight into their halos, or as blocks of
// messages through memory of the host.
#pragma once

#include "exchange/memory/device_side.hpp"
#include "exchange/neighborhood/neighborhood_state.hpp"
#include "halo/device_fields.hpp"
#include "halo/ground.hpp"
#include "plan/transport/transport_choice.hpp"

#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace halocline::halo {

/// Fields as they lie in other processes of the node, at the addresses they have here: none for those of the
/// host.
struct FieldsOfNode {
  std::map<Rank, std::vector<std::optional<FieldView>>> of;
  std::vector<std::shared_ptr<std::byte>> opened;
  accelerate::OwnMemory own_words;       ///< By which streams wait for each other; none if they cannot.
  std::map<Rank, std::uint32_t*> words;  ///< The same of the others.
};

class DeviceRoute {
 public:
  /// For fields of which some process has one on a device. `alike`: all have the same ones there. `may`: they
  /// may write into each other's memory. Both are the same on all processes. Collective; throws the same
  /// Error on every rank. What it is given must outlive it.
  DeviceRoute(const std::vector<FieldView>& fields, const DeviceFields& on_device, const Orders& orders,
              const Neighborhood& neighborhood, const Ground& ground, bool alike, bool may);

  /// Is the field part of the block that the process at a cell sends along an offset? Not if it goes
  /// straight. Without a cell, for a block that nobody sends.
  [[nodiscard]] bool carries(std::size_t field, const std::optional<Cell>& writer,
                             const Offset& offset) const;
  /// Can blocks of an offset have different sizes for that?
  [[nodiscard]] bool makes_uneven() const;

  /// Where this process has the bytes of a field in the block of an offset, none of them if they go straight;
  /// null for a field of the host.
  struct Staged {
    std::byte* memory = nullptr;
    Count bytes = 0;
  };
  [[nodiscard]] const Staged* sent(std::size_t field, std::size_t offset) const {
    return on_device_.has(field) ? &sent_[offset][field] : nullptr;
  }
  [[nodiscard]] const Staged* received(std::size_t field, std::size_t offset) const {
    return on_device_.has(field) ? &received_[offset][field] : nullptr;
  }

  /// Null if this process has nothing on a device.
  [[nodiscard]] const std::shared_ptr<exchange::DeviceSide>& side() const { return side_; }

 private:
  using Stages = std::vector<std::vector<Staged>>;  ///< For each offset and field.

  [[nodiscard]] exchange::Context& context() const { return *state_of(neighborhood_)->context; }
  [[nodiscard]] const std::vector<Offset>& offsets() const { return neighborhood_.offsets().offsets(); }
  [[nodiscard]] FieldsOfNode reached_fields() const;
  [[nodiscard]] accelerate::OwnMemory made_words() const;
  void try_words(std::uint32_t* words) const;
  [[nodiscard]] exchange::DeviceSide::Words words_of(const exchange::DeviceSide& side,
                                                     FieldsOfNode& reached) const;
  void stage(exchange::DeviceSide& side);
  void go_straight(exchange::DeviceSide& side, FieldsOfNode reached) const;
  /// What a process of the node writes straight into these fields.
  [[nodiscard]] Count bytes_from(const exchange::Peer& peer) const;
  template <class PartsOf, class Carries>
  [[nodiscard]] accelerate::OwnMemory staging(Stages& stages, const std::vector<Rank>& others,
                                              const PartsOf& parts_of, const Carries& carried) const;

  const std::vector<FieldView>& fields_;
  const DeviceFields& on_device_;
  const Orders& orders_;
  Neighborhood neighborhood_;
  const Ground& ground_;
  bool on_streams_ = false;  ///< Can streams of all processes wait for each other?
  plan::DeviceWay way_ = plan::DeviceWay::staged;
  Stages sent_, received_;
  std::shared_ptr<exchange::DeviceSide> side_;
};

}  // namespace halocline::halo
