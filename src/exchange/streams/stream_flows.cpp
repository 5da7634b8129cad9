// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/streams/stream_flows.hpp"

#include "base/numbers.hpp"

#include <algorithm>
#include <cstring>

namespace halocline::exchange {
namespace {

/// At the beginning of each chunk: the bytes of its block in all. What follows has the alignment of any type.
struct ChunkHead {
  std::uint64_t bytes;
  std::uint64_t unused = 0;
};
constexpr Count head_bytes = sizeof(ChunkHead);

}  // namespace

void StreamEnd::go_on(Count bytes, Count of_all) {
  done_bytes_ += bytes;
  if (done_bytes_ < of_all) return;
  ++current_;
  done_bytes_ = 0;
}

bool StreamWriter::advance() {
  const Count room = channel_.shape().chunk_bytes - head_bytes;
  write([&] { return !done(); },
        [&](std::byte* slot) {
          BlockStream& out = block();
          const ChunkHead head{static_cast<std::uint64_t>(out.bytes())};
          std::memcpy(slot, &head, sizeof head);
          const Count bytes = std::min(room, out.bytes() - done_bytes_);
          if (bytes > 0) out.pack(slot + head_bytes, done_bytes_, bytes);
          go_on(bytes, out.bytes());
        });
  return done();
}

void StreamReader::begin() {
  StreamEnd::begin();
  truncated_ = false;
}

bool StreamReader::advance() {
  const Count room = channel_.shape().chunk_bytes - head_bytes;
  read([&] { return !done(); },
       [&](const std::byte* slot) {
         ChunkHead head{};
         std::memcpy(&head, slot, sizeof head);
         const auto all = to_count(head.bytes);
         BlockStream& in = block();
         const Count bytes = std::min(room, all - done_bytes_);
         const Count wanted = std::min(bytes, in.bytes() - done_bytes_);
         if (wanted > 0) in.unpack(slot + head_bytes, done_bytes_, wanted);
         if (done_bytes_ + bytes == all) {
           truncated_ = truncated_ || all > in.bytes();
           in.finish(std::min(all, in.bytes()));
         }
         go_on(bytes, all);
       });
  return done();
}

}  // namespace halocline::exchange
