// SPDX-License-Identifier: BSD-3-Clause
// How the blocks of a message get through MPI: packed into a buffer, or straight from and to where they lie.
#pragma once

#include "exchange/progress/mpi_waiting.hpp"
#include "exchange/threads/crew.hpp"
#include "halocline/compile/packer.hpp"
#include "halocline/exchange/exchange.hpp"
#include "mpi/datatypes/engine_choice.hpp"
#include "mpi/handles/handle.hpp"

#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace halocline::exchange {

/// packed: our packers and one contiguous buffer. datatype: an MPI struct type of all blocks, no copy of
/// ours. automatic: whichever should be faster; a message that is contiguous anyway is never copied.
using Wire = WireFormat;

/// Throws Error{invalid_argument} that lists the names there are.
[[nodiscard]] Wire parse_wire(std::string_view name);

/// So many bytes as MPI counts them: by an int, of a larger type where that is too small.
class WireType {
 public:
  explicit WireType(Count bytes);
  [[nodiscard]] int count() const { return count_; }
  [[nodiscard]] MPI_Datatype get() const { return large_ ? large_.get() : MPI_BYTE; }

 private:
  int count_ = 1;
  mpi::Datatype large_;
};

/// One side of a message.
class Endpoint {
 public:
  /// @pre there is at least one part; offsets are addresses
  Endpoint(std::span<const compile::Part> parts, Wire wire, const mpi::EngineChoice& engine,
           Count longest_whole = longest_whole_message());

  /// What MPI gets in one message. A long one is sent in fragments, so that one part is on its way while the
  /// next is packed, and the first can be unpacked while the last arrives. Where fragments begin and end
  /// follows from the bytes of the parts, and from what is still sent whole: both sides know it.
  struct Fragment {
    Count first, bytes;  ///< Of the whole.
    void* address;
    int count;
    MPI_Datatype type;
    bool buffered;  ///< Between the blocks and MPI.
  };
  [[nodiscard]] const std::vector<Fragment>& fragments() const { return fragments_; }

  /// Is there a buffer of its own between MPI and all of the blocks? Then a message may arrive before the
  /// blocks may be written.
  [[nodiscard]] bool all_buffered() const;
  /// Or some of them?
  [[nodiscard]] bool some_buffered() const { return buffer_ != nullptr; }
  /// Between the blocks and the buffer, if the fragment has one.
  void pack(const Fragment& fragment) const;
  void unpack(const Fragment& fragment) const;
  /// The same for fragments [first, end), of which a part is copied. @pre all have a buffer
  void pack(std::size_t first, std::size_t end, Share share) const;
  void unpack(std::size_t first, std::size_t end, Share share) const;
  /// What that costs.
  [[nodiscard]] Count copy_work(std::size_t first, std::size_t end) const;

 private:
  /// Bytes [first, end) in one message, or several; at their address, or in the buffer if that is null.
  void add_fragments(Count first, Count end, std::byte* address);
  void add_blocks(std::span<const compile::Part> parts);
  [[nodiscard]] std::byte* buffer();
  /// Of the whole, the part of these fragments that a share is.
  [[nodiscard]] Segment bytes_of(std::size_t first, std::size_t end, Share share) const;

  compile::Packer packer_;
  WireType bytes_;
  mpi::Datatype type_;
  std::unique_ptr<std::byte[]> buffer_;
  std::vector<Fragment> fragments_;
  Count longest_whole_;
  Count runs_ = 0;
};

}  // namespace halocline::exchange
