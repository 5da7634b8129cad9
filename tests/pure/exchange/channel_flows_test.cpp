// Messages packed into a channel by one thread and unpacked by others, with blocks that lie anywhere.

#include "exchange/flows/channel_flows.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <thread>
#include <vector>

namespace halocline::exchange {
namespace {

using Bytes = std::vector<unsigned char>;

/// Runs of 3 bytes, 5 apart, at the address of `buffer`.
compile::Part strided(Bytes& buffer, Count bytes) {
  const Layout layout = Layout::hvector(bytes / 3, 3, 5, Layout::named(Elementary::byte));
  return {layout, 1, static_cast<Count>(reinterpret_cast<std::intptr_t>(buffer.data()))};
}
std::size_t place(Count byte) { return static_cast<std::size_t>(byte / 3 * 5 + byte % 3); }

unsigned char content(int writer, Count byte, int start) {
  return static_cast<unsigned char>(writer * 89 + byte * 7 + byte / 251 + start * 31);
}

/// Every writer contributes one piece of `piece` bytes, every reader takes all of them.
void expect_delivered(int writers, int readers, Count piece, Count chunk, Count slots, int starts) {
  SCOPED_TRACE(std::to_string(writers) + " writers, " + std::to_string(readers) + " readers, pieces of " +
               std::to_string(piece) + " by " + std::to_string(chunk) + " in " + std::to_string(slots));
  const ChannelShape shape{writers * piece, chunk, slots, writers, readers};
  std::vector<Counter> memory(static_cast<std::size_t>(shape.bytes()) / sizeof(Counter));
  const Channel channel(reinterpret_cast<std::byte*>(memory.data()), shape);
  channel.initialize();
  const auto room = place(piece) + 5;

  const auto run = [](Flow& flow) {
    flow.begin();
    while (!flow.advance()) std::this_thread::yield();
  };
  const auto write = [&](int writer) {
    Bytes buffer(room, 0);
    Pieces pieces{{writer * piece, compile::Packer(std::vector{strided(buffer, piece)})}};
    ChannelWriter flow(channel, writer, std::move(pieces));
    for (int start = 0; start < starts; ++start) {
      for (Count byte = 0; byte < piece; ++byte) buffer[place(byte)] = content(writer, byte, start);
      run(flow);
    }
  };
  std::vector<int> wrong(static_cast<std::size_t>(readers), 0);
  const auto read = [&](int reader) {
    std::vector<Bytes> buffers(static_cast<std::size_t>(writers), Bytes(room, 0xA5));
    Pieces pieces;
    for (int writer = 0; writer < writers; ++writer)
      pieces.push_back({writer * piece, compile::Packer(std::vector{
                                            strided(buffers[static_cast<std::size_t>(writer)], piece)})});
    ChannelReader flow(channel, reader, std::move(pieces));
    for (int start = 0; start < starts; ++start) {
      for (Bytes& buffer : buffers) std::fill(buffer.begin(), buffer.end(), 0xA5);
      run(flow);
      for (int writer = 0; writer < writers; ++writer) {
        Bytes expected(room, 0xA5);
        for (Count byte = 0; byte < piece; ++byte) expected[place(byte)] = content(writer, byte, start);
        if (buffers[static_cast<std::size_t>(writer)] != expected) ++wrong[static_cast<std::size_t>(reader)];
      }
    }
  };
  std::vector<std::thread> threads;
  for (int writer = 0; writer < writers; ++writer) threads.emplace_back(write, writer);
  for (int reader = 0; reader < readers; ++reader) threads.emplace_back(read, reader);
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, std::vector<int>(static_cast<std::size_t>(readers), 0));
}

TEST(ChannelFlows, deliver_messages_of_one_chunk_and_of_many) {
  expect_delivered(1, 1, 300, 300, 2, 200);
  expect_delivered(1, 1, 300, 7, 2, 10);
  expect_delivered(1, 1, 3, 1, 2, 100);
  expect_delivered(1, 1, 30'000, 4096, 3, 20);
}

TEST(ChannelFlows, deliver_what_several_write) {
  for (const Count chunk : {900, 64, 5}) expect_delivered(3, 1, 300, chunk, 2, 10);
}

TEST(ChannelFlows, deliver_to_several) {
  for (const Count chunk : {300, 64, 5}) expect_delivered(1, 3, 300, chunk, 2, 10);
  expect_delivered(2, 2, 150, 40, 4, 20);
}

}  // namespace
}  // namespace halocline::exchange
