// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/streams/stream_call.hpp"

#include "base/index.hpp"
#include "base/numbers.hpp"

#include <algorithm>

namespace halocline::exchange {

StreamCall::StreamCall(Streams& streams, std::span<BlockStream> out, std::span<BlockStream> in,
                       const Options& options)
    : streams_(&streams),
      kind_(options.kind),
      out_(out),
      in_(in),
      messages_({streams.comm(), options.tag, &streams.calls(), options.keeps_gaps}, options.life),
      uses_memory_(options.uses_memory) {
  const auto both = {&streams.on_node(), &streams.off_node()};
  for (const std::vector<StreamPeer>* const peers : both)
    for (const StreamPeer& peer : *peers) {
      if (uses_memory_ && peer.reader) continue;
      for (const int block : peer.in[kind_]) messages_.add_receive(in[to_index(block)], to_int(peer.rank));
    }
  for (const std::vector<StreamPeer>* const peers : both)
    for (const StreamPeer& peer : *peers) {
      if (uses_memory_ && peer.writer) {
        blocks_.through_memory += count_of(peer.out);
        continue;
      }
      for (const int block : peer.out) messages_.add_send(out[to_index(block)], to_int(peer.rank));
    }
  blocks_.as_messages = messages_.sends();
  blocks_.copied = count_of(streams.own().out);
}

void StreamCall::start() {
  code_ = MPI_SUCCESS;
  messages_.begin();
  if (uses_memory_) start_in_memory();
}

void StreamCall::start_in_memory() {
  for (const StreamPeer& peer : streams_->on_node()) {
    if (!peer.writer) continue;
    peer.writer->carry(peer.out, out_);
    peer.writer->begin();
    if (!peer.writer->advance()) open_.push_back(peer.writer.get());
  }
  for (const StreamPeer& peer : streams_->on_node()) {
    if (!peer.reader) continue;
    peer.reader->carry(peer.in[kind_], in_);
    peer.reader->begin();
    open_.push_back(peer.reader.get());
  }
}

/// By a buffer between, unless the source lies together: to prepare a copy without one (LocalCopy) would take
/// longer than it saves for blocks that are copied once.
void StreamCall::copy_own() {
  const std::vector<int>& from = streams_->own().out;
  const std::vector<int>& to = streams_->own().in[kind_];
  KeptBuffer buffer;
  Count room = 0;
  for (std::size_t i = 0; i < std::min(from.size(), to.size()); ++i) {
    BlockStream& source = out_[to_index(from[i])];
    BlockStream& target = in_[to_index(to[i])];
    if (source.bytes() > target.bytes()) code_ = MPI_ERR_TRUNCATE;
    const Count bytes = std::min(source.bytes(), target.bytes());
    const std::byte* wire = source.contiguous();
    if (wire == nullptr && bytes > 0) {
      if (room < bytes) {
        buffer = KeptBuffer(to_size(bytes));
        room = bytes;
      }
      source.pack(buffer.get(), 0, bytes);
      wire = buffer.get();
    }
    if (bytes > 0) target.unpack(wire, 0, bytes);
    target.finish(bytes);
  }
}

void StreamCall::wait() {
  streams_->progress().add(*this);
  streams_->progress().wait(*this);
}

bool StreamCall::advance() {
  if (!open_.empty()) {
    std::erase_if(open_, [](Flow* flow) { return flow->advance(); });
    if (open_.empty())
      for (const StreamPeer& peer : streams_->on_node())
        if (peer.reader && peer.reader->truncated()) code_ = MPI_ERR_TRUNCATE;
  }
  (void)messages_.advance();
  return complete();
}

}  // namespace halocline::exchange
