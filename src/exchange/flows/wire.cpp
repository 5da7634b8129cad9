// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/flows/wire.hpp"

#include "base/find_by_name.hpp"
#include "base/integers.hpp"
#include "base/numbers.hpp"
#include "compile/packer_state.hpp"
#include "mpi/datatypes/encode_datatype.hpp"
#include "plan/transport/sharing_choice.hpp"
#include "plan/transport/sizes.hpp"
#include "plan/transport/transport_choice.hpp"

#include <algorithm>
#include <array>
#include <limits>

namespace halocline::exchange {
namespace {

struct NamedWire {
  std::string_view name;
  Wire wire;
};
constexpr std::array<NamedWire, 3> wires{
    {{"auto", Wire::automatic}, {"packed", Wire::packed}, {"datatype", Wire::datatype}}};

bool send_in_place(const compile::Packer& packer, Wire wire) {
  if (wire != Wire::automatic) return wire == Wire::datatype;
  return plan::goes_in_place(packer.bytes(), canonical_of(packer).runs());
}

std::byte* address_at(Count offset) {
  return reinterpret_cast<std::byte*>(offset);  // NOLINT(performance-no-int-to-ptr): it was a pointer
}

Counts bytes_of_each(std::span<const compile::Part> parts) {
  Counts bytes;
  bytes.reserve(parts.size());
  for (const compile::Part& part : parts) bytes.push_back(part.count * part.layout.size());
  return bytes;
}

/// All bytes at their addresses, as one element. @pre there are bytes
mpi::Datatype struct_type(const compile::Canonical& bytes) {
  mpi::Datatype all = mpi::encode_datatype(bytes);
  HALOCLINE_MPI(Type_commit, all.put());
  return all;
}

}  // namespace

Wire parse_wire(std::string_view name) { return find_by_name(wires, "wire", name).wire; }

WireType::WireType(Count bytes) {
  constexpr Count largest = std::numeric_limits<int>::max(), mebibyte = Count{1} << 20;
  if (bytes <= largest) {
    count_ = to_int(bytes);
    return;
  }
  mpi::Datatype unit;
  HALOCLINE_MPI(Type_contiguous, to_int(mebibyte), MPI_BYTE, unit.put());
  const std::array<int, 2> counts{to_int(bytes / mebibyte), to_int(bytes % mebibyte)};
  const std::array<MPI_Aint, 2> offsets{0, static_cast<MPI_Aint>(bytes / mebibyte * mebibyte)};
  const std::array<MPI_Datatype, 2> types{unit.get(), MPI_BYTE};
  HALOCLINE_MPI(Type_create_struct, 2, counts.data(), offsets.data(), types.data(), large_.put());
  HALOCLINE_MPI(Type_commit, large_.put());
}

Endpoint::Endpoint(std::span<const compile::Part> parts, Wire wire, const mpi::EngineChoice& engine,
                   Count longest_whole)
    : packer_(engine.packer(parts)), bytes_(packer_.bytes()), longest_whole_(longest_whole) {
  const Count bytes = packer_.bytes();
  const auto whole = wire == Wire::automatic ? packer_.contiguous() : std::nullopt;
  if (wire == Wire::automatic && plan::goes_block_by_block(bytes_of_each(parts))) {
    add_blocks(parts);
  } else if (whole) {
    add_fragments(0, bytes, address_at(whole->offset));
  } else if (bytes > 0 && send_in_place(packer_, wire)) {
    type_ = struct_type(canonical_of(packer_));
    fragments_.push_back({0, bytes, MPI_BOTTOM, 1, type_.get(), false});
  } else {
    add_fragments(0, bytes, nullptr);
  }
  runs_ = canonical_of(packer_).runs();
}

std::byte* Endpoint::buffer() {
  if (!buffer_) buffer_ = std::make_unique_for_overwrite<std::byte[]>(to_size(packer_.bytes()));
  return buffer_.get();
}

void Endpoint::add_fragments(Count first, Count end, std::byte* address) {
  const bool buffered = address == nullptr;
  if (buffered) address = buffer() + first;
  if (end - first <= longest_whole_) {
    const bool is_all = end - first == packer_.bytes();
    fragments_.push_back({first, end - first, address, is_all ? bytes_.count() : to_int(end - first),
                          is_all ? bytes_.get() : MPI_BYTE, buffered});
    return;
  }
  for (Count done = 0; done < end - first; done += plan::fragment_bytes) {
    const Count length = std::min(plan::fragment_bytes, end - first - done);
    fragments_.push_back({first + done, length, address + done, to_int(length), MPI_BYTE, buffered});
  }
}

void Endpoint::add_blocks(std::span<const compile::Part> parts) {
  Count first = 0;
  for (const compile::Part& part : parts) {
    const compile::Canonical block(part);
    const auto run = block.contiguous();
    add_fragments(first, first + block.bytes(), run ? address_at(run->offset) : nullptr);
    first += block.bytes();
  }
}

bool Endpoint::all_buffered() const {
  return std::all_of(fragments_.begin(), fragments_.end(),
                     [](const Fragment& fragment) { return fragment.buffered; });
}

void Endpoint::pack(const Fragment& fragment) const {
  if (!fragment.buffered) return;
  if (fragment.bytes == packer_.bytes())
    packer_.pack(nullptr, buffer_.get());
  else
    packer_.pack(nullptr, buffer_.get() + fragment.first, fragment.first, fragment.bytes);
}

void Endpoint::unpack(const Fragment& fragment) const {
  if (!fragment.buffered) return;
  if (fragment.bytes == packer_.bytes())
    packer_.unpack(buffer_.get(), nullptr);
  else
    packer_.unpack(buffer_.get() + fragment.first, nullptr, fragment.first, fragment.bytes);
}

Segment Endpoint::bytes_of(std::size_t first, std::size_t end, Share share) const {
  constexpr Count line = 64;  // no two parts write to one
  const Count from = fragments_[first].first,
              bytes = fragments_[end - 1].first + fragments_[end - 1].bytes - from;
  const auto cut = [&](Count at) { return at == bytes ? bytes : at / line * line; };
  const Count begin = cut(share.begin(bytes));
  return {from + begin, cut(share.end(bytes)) - begin};
}

void Endpoint::pack(std::size_t first, std::size_t end, Share share) const {
  const Segment part = bytes_of(first, end, share);
  packer_.pack(nullptr, buffer_.get() + part.offset, part.offset, part.bytes);
}

void Endpoint::unpack(std::size_t first, std::size_t end, Share share) const {
  const Segment part = bytes_of(first, end, share);
  packer_.unpack(buffer_.get() + part.offset, nullptr, part.offset, part.bytes);
}

Count Endpoint::copy_work(std::size_t first, std::size_t end) const {
  const Segment all = bytes_of(first, end, {});
  const auto runs = to_double(runs_) * to_double(all.bytes) / to_double(packer_.bytes());
  return plan::copy_work(all.bytes, static_cast<Count>(runs));
}

}  // namespace halocline::exchange
