// Blocks of any lengths through the two ends of a stream, in one process.

#include "exchange/streams/stream_flows.hpp"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

namespace halocline::exchange {
namespace {

using Bytes = std::vector<unsigned char>;

constexpr unsigned char untouched = 0xA5;
constexpr Count gap = 2;  ///< Behind each byte.

unsigned char content(std::size_t block, std::size_t byte, int start) {
  return static_cast<unsigned char>(block * 89 + byte * 7 + byte / 251 +
                                    static_cast<std::size_t>(start) * 31);
}

BlockStream strided(Bytes& buffer, Count bytes) {
  return {buffer.data(), compile::Packer(compile::Part{
                             Layout::hvector(bytes, 1, 1 + gap, Layout::named(Elementary::byte)), 1, 0})};
}

/// Blocks that are so long on the one side and on the other, sent and received in this order.
struct Pair {
  std::vector<Count> sent, expected;
  std::vector<int> order;
};

/// A channel with chunks of so many bytes, both ends in this process.
class OneStream {
 public:
  OneStream(Count chunk_bytes, Count slots)
      : shape_{chunk_bytes, chunk_bytes, slots, 1, 1},
        memory_(static_cast<std::size_t>(shape_.bytes()) / sizeof(Counter)),
        channel_(reinterpret_cast<std::byte*>(memory_.data()), shape_),
        writer((channel_.initialize(), channel_)),
        reader(channel_) {}

 private:
  ChannelShape shape_;
  std::vector<Counter> memory_;
  Channel channel_;

 public:
  StreamWriter writer;
  StreamReader reader;
};

/// Returns whether the reader says that something was too long.
bool expect_delivered(OneStream& stream, const Pair& pair, int start) {
  const std::size_t blocks = pair.sent.size();
  std::vector<Bytes> from(blocks), to(blocks);
  std::vector<BlockStream> out(blocks), in(blocks);
  for (std::size_t i = 0; i < blocks; ++i) {
    from[i].resize(static_cast<std::size_t>(pair.sent[i] * (1 + gap)) + 1);
    to[i].assign(static_cast<std::size_t>(pair.expected[i] * (1 + gap)) + 1, untouched);
    for (std::size_t byte = 0; byte < from[i].size(); ++byte) from[i][byte] = content(i, byte, start);
    if (pair.sent[i] > 0) out[i] = strided(from[i], pair.sent[i]);
    if (pair.expected[i] > 0) in[i] = strided(to[i], pair.expected[i]);
  }
  stream.writer.carry(pair.order, out);
  stream.reader.carry(pair.order, in);
  stream.writer.begin();
  stream.reader.begin();
  for (bool written = false, read = false; !written || !read;) {
    written = stream.writer.advance();
    read = stream.reader.advance();
  }
  for (std::size_t i = 0; i < blocks; ++i)
    for (std::size_t byte = 0; byte < to[i].size(); ++byte) {
      const bool is_data = byte % (1 + gap) == 0 && static_cast<Count>(byte) / (1 + gap) < pair.sent[i] &&
                           static_cast<Count>(byte) / (1 + gap) < pair.expected[i];
      EXPECT_EQ(to[i][byte], is_data ? content(i, byte, start) : untouched)
          << "block " << i << ", byte " << byte;
    }
  return stream.reader.truncated();
}

TEST(StreamFlows, blocks_of_any_length_arrive_in_order_start_after_start) {
  for (const Count slots : {1, 2, 3}) {
    OneStream stream(64, slots);  // 48 bytes of data and a head
    const Pair pair{{48, 0, 1, 47, 49, 500, 96}, {48, 0, 1, 47, 49, 500, 96}, {4, 0, 1, 6, 2, 5, 3}};
    for (int start = 0; start < 4; ++start) EXPECT_FALSE(expect_delivered(stream, pair, start));
  }
}

TEST(StreamFlows, a_shorter_block_leaves_the_rest_as_it_is) {
  OneStream stream(64, 2);
  EXPECT_FALSE(expect_delivered(stream, {{10, 0, 60}, {20, 30, 100}, {0, 1, 2}}, 0));
}

TEST(StreamFlows, a_longer_block_is_cut_and_told_until_the_next_start) {
  OneStream stream(64, 2);
  EXPECT_TRUE(expect_delivered(stream, {{200, 5}, {60, 5}, {0, 1}}, 0));
  EXPECT_TRUE(expect_delivered(stream, {{1, 5}, {0, 5}, {1, 0}}, 1));
  EXPECT_FALSE(expect_delivered(stream, {{5, 5}, {5, 5}, {0, 1}}, 2));
}

TEST(StreamFlows, only_the_blocks_that_are_named_go) {
  OneStream stream(64, 2);
  Bytes from(12, 7), to(12, untouched), other(12, untouched);
  std::array<BlockStream, 2> out{strided(other, 3), strided(from, 3)}, in{strided(to, 3), strided(other, 3)};
  const std::vector<int> second{1}, first{0};
  stream.writer.carry(second, out);
  stream.reader.carry(first, in);
  stream.writer.begin();
  stream.reader.begin();
  EXPECT_TRUE(stream.writer.advance());
  EXPECT_TRUE(stream.reader.advance());
  EXPECT_EQ(to[0], 7);
  EXPECT_EQ(other, Bytes(12, untouched));
}

}  // namespace
}  // namespace halocline::exchange
