// SPDX-License-Identifier: BSD-3-Clause
// How the bytes of fields on devices get to the neighbours: straight into their halos or their devices, or as
// blocks of messages.
#pragma once

#include "base/numbers.hpp"
#include "exchange/memory/device_side.hpp"
#include "exchange/neighborhood/neighborhood_state.hpp"
#include "halo/devices/device_fields.hpp"
#include "halo/devices/node_devices.hpp"
#include "halo/points/ground.hpp"
#include "plan/transport/transport_choice.hpp"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace halocline::halo {

class DeviceRoute {
 public:
  /// The same on all processes.
  struct InCommon {
    bool alike;           ///< All have the same fields on devices.
    bool may;             ///< Those of a node may write into each other's memory.
    bool mpi_takes_them;  ///< As plan::DeviceNearness has it.
  };
  /// For fields of which some process has one on a device. Collective; throws the same Error on every rank.
  /// What it is given must outlive it.
  DeviceRoute(const std::vector<FieldView>& fields, const DeviceFields& on_device, const Orders& orders,
              const Neighborhood& neighborhood, const Ground& ground, const InCommon& common);

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
  struct Moves {
    std::map<Rank, std::vector<accelerate::Move>> gather, scatter;  ///< To and from whom.
    std::vector<accelerate::Move> push, unpack;
  };

  [[nodiscard]] std::vector<exchange::DeviceBatch> batches_of(
      std::map<Rank, std::vector<accelerate::Move>>& moves_of) const;
  [[nodiscard]] bool fills_node() const;
  [[nodiscard]] Incoming expected() const;
  void stage(exchange::DeviceSide& side, Moves& moves);
  void go_straight(exchange::DeviceSide& side, Moves& moves, const Incoming& incoming,
                   MemoryOfNode reached) const;
  Count add_straight(Rank target, const std::vector<int>& blocks,
                     const std::function<const FieldView&(std::size_t)>& field_there,
                     std::vector<accelerate::Move>& push) const;
  template <class PartsOf, class MovesOf>
  Count add_buffered(std::byte* buffer, const std::vector<int>& blocks, const PartsOf& parts_of,
                     const MovesOf& moves_of, std::vector<accelerate::Move>& moves) const;
  /// For each of the blocks and each field on the device.
  template <class Each>
  void for_each_of(const std::vector<int>& blocks, const Each& each) const {
    for (const int block : blocks)
      for (std::size_t f = 0; f < fields_.size(); ++f)
        if (on_device_.has(f)) each(offsets()[to_size(block)], f);
  }
  [[nodiscard]] Filling::Parts sent_parts(const FieldView& field, const Offset& offset) const;
  [[nodiscard]] Filling::Parts received_parts(const FieldView& field, const Offset& offset) const;
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
  plan::DeviceChoice choice_;
  Stages sent_, received_;
  std::shared_ptr<exchange::DeviceSide> side_;
};

}  // namespace halocline::halo
