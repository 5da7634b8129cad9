#include "exchange/wire.hpp"

#include "base/integers.hpp"
#include "base/named_row.hpp"
#include "exchange/asking.hpp"
#include "mpi/encode_datatype.hpp"
#include "plan/transport_choice.hpp"

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

/// Of messages that are too long to be sent whole.
constexpr Count piece_bytes = Count{32} * 1024;

bool send_in_place(const compile::Packer& packer, Wire wire) {
  if (wire != Wire::automatic) return wire == Wire::datatype;
  return plan::goes_in_place(packer.bytes(), packer.canonical().runs());
}

/// All bytes at their addresses, as one element. @pre there are bytes
mpi::Datatype struct_type(const compile::Canonical& bytes) {
  mpi::Datatype all = mpi::encode_datatype(bytes);
  HALOCLINE_MPI(Type_commit, all.put());
  return all;
}

}  // namespace

Wire parse_wire(std::string_view name) { return named_row(wires, "wire", name).wire; }

WireType::WireType(Count bytes) {
  constexpr Count largest = std::numeric_limits<int>::max(), mebibyte = Count{1} << 20;
  if (bytes <= largest) {
    count_ = static_cast<int>(bytes);
    return;
  }
  mpi::Datatype unit;
  HALOCLINE_MPI(Type_contiguous, static_cast<int>(mebibyte), MPI_BYTE, unit.put());
  const std::array<int, 2> counts{static_cast<int>(bytes / mebibyte), static_cast<int>(bytes % mebibyte)};
  const std::array<MPI_Aint, 2> offsets{0, static_cast<MPI_Aint>(bytes / mebibyte * mebibyte)};
  const std::array<MPI_Datatype, 2> types{unit.get(), MPI_BYTE};
  HALOCLINE_MPI(Type_create_struct, 2, counts.data(), offsets.data(), types.data(), large_.put());
  HALOCLINE_MPI(Type_commit, large_.put());
}

Endpoint::Endpoint(std::span<const compile::Part> parts, Wire wire, const mpi::EngineChoice& engine)
    : packer_(engine.packer(parts)), bytes_(packer_.bytes()) {
  if (const auto whole = packer_.contiguous(); whole && wire == Wire::automatic) {
    address_ = reinterpret_cast<void*>(whole->offset);  // NOLINT(performance-no-int-to-ptr): it was a pointer
  } else if (packer_.bytes() > 0 && send_in_place(packer_, wire)) {
    type_ = struct_type(packer_.canonical());
    address_ = MPI_BOTTOM;
  } else {
    buffer_ = std::make_unique_for_overwrite<std::byte[]>(static_cast<std::size_t>(packer_.bytes()));
    address_ = buffer_.get();
  }
}

std::vector<Endpoint::Piece> Endpoint::pieces() const {
  const Count bytes = packer_.bytes();
  if (type_) return {{0, bytes, address_, 1, type_.get()}};
  if (bytes <= longest_whole_message()) return {{0, bytes, address_, bytes_.count(), bytes_.get()}};
  std::vector<Piece> pieces;
  const Count count = divide_up(bytes, piece_bytes);
  for (Count i = 0; i < count; ++i) {
    const Count first = i * piece_bytes, length = std::min(piece_bytes, bytes - first);
    pieces.push_back(
        {first, length, static_cast<std::byte*>(address_) + first, static_cast<int>(length), MPI_BYTE});
  }
  return pieces;
}

void Endpoint::pack(Count first, Count bytes) const {
  if (!buffered()) return;
  if (bytes == packer_.bytes())
    packer_.pack(nullptr, buffer_.get());
  else
    packer_.pack(nullptr, buffer_.get() + first, first, bytes);
}

void Endpoint::unpack(Count first, Count bytes) const {
  if (!buffered()) return;
  if (bytes == packer_.bytes())
    packer_.unpack(buffer_.get(), nullptr);
  else
    packer_.unpack(buffer_.get() + first, nullptr, first, bytes);
}

}  // namespace halocline::exchange
