// A neighbourhood operation whose blocks are random datatypes of any kind: done by Halocline in any of its
// forms, by plain messages of bytes, and by MPI's own collective.
#pragma once

#include "api/neighbor_call.hpp"
#include "describe/random_layouts.hpp"
#include "mpi/datatypes/datatype.hpp"
#include "support/datatypes.hpp"
#include "support/image.hpp"
#include "support/trees.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace halocline {

/// Some elements of a datatype, and where their bytes lie.
struct TreeBlock {
  BuiltType type;
  Layout layout;  ///< As this MPI has it.
  int count;
  Image image;

  /// Nothing where this MPI does not make the datatype, or not all of its bytes would arrive.
  static std::optional<TreeBlock> make(const Layout& wanted, int count) {
    const Layout layout = with_types_of_this_mpi(wanted);
    if (has_default_stride_of_open_mpi(layout)) return std::nullopt;
    BuiltType type = committed(layout);
    if (type.type == MPI_DATATYPE_NULL) return std::nullopt;
    Layout read = mpi::layout_of(type.type);
    if (is_copied_by_value(read)) return std::nullopt;
    const Image image(read, count);
    return TreeBlock{std::move(type), std::move(read), count, image};
  }
  static TreeBlock of_bytes(Count bytes, Count stride) {
    return *make(Layout::hvector(bytes, 1, stride, Layout::named(Elementary::byte)), 1);
  }

  [[nodiscard]] Count bytes() const { return static_cast<Count>(image.places.size()); }
};

/// alltoallw or allgatherw.
class TreeCall {
 public:
  static constexpr unsigned char untouched = 0x5A;

  /// What is sent in block i all processes know by `common`; each receives into a datatype of its own.
  TreeCall(bool gathers, const Neighbors& neighbors, Random& common, Random& own)
      : gathers_(gathers), neighbors_(neighbors) {
    const auto number = static_cast<std::size_t>(neighbors.around.neighbours());
    for (std::size_t i = 0; i < (gathers ? 1 : number); ++i) add(send_, sent_block(common), own);
    for (std::size_t i = 0; i < number; ++i)
      add(receive_, received_block(send_.blocks[gathers ? 0 : i], own), own);
    for (Side* side : {&send_, &receive_})
      for (const TreeBlock& block : side->blocks) side->types.push_back(block.type.type);
  }

  /// New contents to send, nothing received, and what must come by plain messages. Collective.
  void fill(Random& own) {
    const Bytes contents = random_bytes(static_cast<Count>(send_.buffer.size()), own);
    std::copy(contents.begin(), contents.end(), send_.buffer.begin());  // persistent ones know the address
    receive_.buffer.assign(receive_.buffer.size(), untouched);
    expected_ = receive_.buffer;
    std::vector<MPI_Request> requests;
    std::vector<Bytes> out, in(receive_.blocks.size());
    for (std::size_t i = 0; i < send_.blocks.size(); ++i) out.push_back(packed(i));
    for (std::size_t i = 0; i < in.size(); ++i) {
      in[i].resize(static_cast<std::size_t>(receive_.blocks[i].bytes()));
      const Bytes& sent = out[gathers_ ? 0 : i];
      MPI_Irecv(in[i].data(), static_cast<int>(in[i].size()), MPI_BYTE, neighbors_.sources[i],
                static_cast<int>(i), neighbors_.cart.get(), &requests.emplace_back());
      MPI_Isend(sent.data(), static_cast<int>(sent.size()), MPI_BYTE, neighbors_.targets[i],
                static_cast<int>(i), neighbors_.cart.get(), &requests.emplace_back());
    }
    MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
    for (std::size_t i = 0; i < in.size(); ++i)
      if (neighbors_.sources[i] != MPI_PROC_NULL) unpack(i, in[i]);
  }

  int init(MPI_Info info, HCL_Request* request) {
    MPI_Comm comm = neighbors_.comm.get();
    return gathers_ ? HCL_Neighbor_allgatherw_init(sent(), send_.counts[0], send_.types[0], to(),
                                                   receive_.counts.data(), receive_.displacements.data(),
                                                   receive_.types.data(), comm, info, request)
                    : HCL_Neighbor_alltoallw_init(from(), send_.counts.data(), send_.displacements.data(),
                                                  send_.types.data(), to(), receive_.counts.data(),
                                                  receive_.displacements.data(), receive_.types.data(), comm,
                                                  info, request);
  }
  int blocking() {
    MPI_Comm comm = neighbors_.comm.get();
    return gathers_ ? HCL_Neighbor_allgatherw(sent(), send_.counts[0], send_.types[0], to(),
                                              receive_.counts.data(), receive_.displacements.data(),
                                              receive_.types.data(), comm)
                    : HCL_Neighbor_alltoallw(from(), send_.counts.data(), send_.displacements.data(),
                                             send_.types.data(), to(), receive_.counts.data(),
                                             receive_.displacements.data(), receive_.types.data(), comm);
  }
  int immediate(HCL_Request* request) {
    MPI_Comm comm = neighbors_.comm.get();
    return gathers_
               ? HCL_Ineighbor_allgatherw(sent(), send_.counts[0], send_.types[0], to(),
                                          receive_.counts.data(), receive_.displacements.data(),
                                          receive_.types.data(), comm, request)
               : HCL_Ineighbor_alltoallw(from(), send_.counts.data(), send_.displacements.data(),
                                         send_.types.data(), to(), receive_.counts.data(),
                                         receive_.displacements.data(), receive_.types.data(), comm, request);
  }

  /// Where what was received differs first from what must come, or -1.
  [[nodiscard]] Count wrong() const { return first_wrong(receive_.buffer); }
  /// The same for MPI's own collective on a graph; -1 where MPI packs one of the types otherwise than its
  /// extents say. Collective: all processes ask.
  [[nodiscard]] Count wrong_by_mpi(MPI_Comm graph) {
    int well = is_well(send_) && is_well(receive_) ? 1 : 0, all = 0;
    MPI_Allreduce(&well, &all, 1, MPI_INT, MPI_MIN, graph);
    if (gathers_ || all == 0) return -1;
    Bytes received(receive_.buffer.size(), untouched);
    MPI_Neighbor_alltoallw(from(), send_.counts.data(), send_.displacements.data(), send_.types.data(),
                           received.data(), receive_.counts.data(), receive_.displacements.data(),
                           receive_.types.data(), graph);
    return first_wrong(received);
  }

  [[nodiscard]] std::string to_text() const {
    std::string text = gathers_ ? "allgatherw of" : "alltoallw of";
    for (const TreeBlock& block : send_.blocks)
      text += "\n  " + std::to_string(block.count) + " of " + block.layout.to_text();
    text += "\n into";
    for (const TreeBlock& block : receive_.blocks)
      text += "\n  " + std::to_string(block.count) + " of " + block.layout.to_text();
    return text;
  }

 private:
  struct Side {
    std::vector<TreeBlock> blocks;
    std::vector<Count> begins;  ///< Of what a block's image calls its buffer.
    std::vector<MPI_Datatype> types;
    std::vector<int> counts;
    std::vector<MPI_Aint> displacements;
    Bytes buffer;
  };

  static TreeBlock sent_block(Random& common) {
    for (;;) {
      RandomLayouts layouts(common());
      const int count = std::array{0, 1, 1, 2, 5, 30}[common() % 6];
      const Layout layout = layouts.next_of_any_length(3);
      constexpr Count most = 100'000;
      if (std::max<Count>(layout.size(), 1) * count > most) continue;
      if (std::optional<TreeBlock> block = TreeBlock::make(layout, count)) return std::move(*block);
    }
  }

  /// As many bytes, of the same datatype, of another one, or with gaps between all of them.
  static TreeBlock received_block(const TreeBlock& sent, Random& own) {
    if (own() % 3 == 0 && !sent.image.overlaps)
      if (std::optional<TreeBlock> block = TreeBlock::make(sent.layout, sent.count))
        if (block->bytes() == sent.bytes() && !block->image.overlaps) return std::move(*block);
    for (int tries = 0; tries < 10; ++tries) {
      const Layout layout = with_types_of_this_mpi(RandomLayouts(own()).next(3));
      if (layout.size() == 0 || sent.bytes() % layout.size() != 0) continue;
      std::optional<TreeBlock> block =
          TreeBlock::make(layout, static_cast<int>(sent.bytes() / layout.size()));
      if (block && block->bytes() == sent.bytes() && !block->image.overlaps) return std::move(*block);
    }
    return TreeBlock::of_bytes(sent.bytes(), std::array{1, 2, 3, -2}[own() % 4]);
  }

  static void add(Side& side, TreeBlock block, Random& own) {
    const auto begin = static_cast<Count>(side.buffer.size());
    side.begins.push_back(begin);
    side.counts.push_back(block.count);
    side.displacements.push_back(begin + block.image.origin);
    side.buffer.resize(side.buffer.size() + static_cast<std::size_t>(block.image.buffer_bytes) + own() % 40);
    side.blocks.push_back(std::move(block));
  }

  static bool is_well(const Side& side) {
    return std::all_of(side.blocks.begin(), side.blocks.end(), [](const TreeBlock& block) {
      return is_packed_well(block.layout) && !has_wide_elements_of_open_mpi(block.layout);
    });
  }

  [[nodiscard]] const void* from() const { return send_.buffer.data(); }
  [[nodiscard]] void* to() { return receive_.buffer.data(); }
  /// Of the one block that is gathered; offset 0 may lie outside of the buffer.
  [[nodiscard]] const void* sent() const {
    return reinterpret_cast<const void*>(reinterpret_cast<std::uintptr_t>(send_.buffer.data()) +
                                         static_cast<std::uintptr_t>(send_.displacements[0]));
  }

  [[nodiscard]] Bytes packed(std::size_t i) const {
    Bytes wire;
    for (const std::size_t place : send_.blocks[i].image.places)
      wire.push_back(send_.buffer[static_cast<std::size_t>(send_.begins[i]) + place]);
    return wire;
  }
  void unpack(std::size_t i, const Bytes& wire) {
    const std::vector<std::size_t>& places = receive_.blocks[i].image.places;
    for (std::size_t byte = 0; byte < places.size(); ++byte)
      expected_[static_cast<std::size_t>(receive_.begins[i]) + places[byte]] = wire[byte];
  }
  [[nodiscard]] Count first_wrong(const Bytes& received) const {
    const auto place = std::mismatch(received.begin(), received.end(), expected_.begin()).first;
    return place == received.end() ? -1 : place - received.begin();
  }

  bool gathers_;
  const Neighbors& neighbors_;
  Side send_, receive_;
  Bytes expected_;
};

}  // namespace halocline
