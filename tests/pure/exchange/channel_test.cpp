// Channels between threads: what is read is what was written, chunk by chunk, whoever is faster.
//
// Longer: HALOCLINE_CHUNKS=20000000 build/release/bin/exchange_pure_test --gtest_filter='Channel*'
// A weaker memory order shows in a long run only, and on machines like AArch64; under ThreadSanitizer at
// once.

#include "exchange/memory/channel.hpp"
#include "../../environment_number.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <thread>
#include <vector>

namespace halocline::exchange {
namespace {

using Chunk = Channel::Chunk;
using Word = std::uint64_t;
constexpr auto word_bytes = static_cast<Count>(sizeof(Word));

/// A channel in memory of this process.
struct Stage {
  explicit Stage(const ChannelShape& shape)
      : memory(static_cast<std::size_t>(shape.bytes()) / sizeof(Counter)),
        channel(reinterpret_cast<std::byte*>(memory.data()), shape) {
    channel.initialize();
  }
  std::vector<Counter> memory;
  Channel channel;
};

Chunk chunks_to_send() { return environment_number<Chunk>("HALOCLINE_CHUNKS", 3'000); }

/// Word `index` of a chunk.
Word content(Chunk chunk, Count index) {
  return (chunk + 1) * 0x9e3779b97f4a7c15ULL + static_cast<Word>(index) * 0x2545f4914f6cdd1dULL;
}

/// The words of a chunk; the last one of a message may have fewer.
Count words_of(const ChannelShape& shape, Chunk chunk) {
  const Count first = static_cast<Count>(chunk % static_cast<Chunk>(shape.chunks())) * shape.chunk_bytes;
  return std::min(shape.chunk_bytes, shape.message_bytes - first) / word_bytes;
}

template <class Ready>
void wait_until(const Ready& ready) {
  for (int spins = 0; !ready(); ++spins)
    if (spins % 64 == 63) std::this_thread::yield();
}

/// Each writer writes every so-manieth word.
void write(Channel channel, int writer, Chunk chunks) {
  const ChannelShape& shape = channel.shape();
  for (Chunk chunk = 0; chunk < chunks; ++chunk) {
    wait_until([&] { return channel.writable(chunk); });
    std::byte* const slot = channel.slot(chunk);
    for (Count i = writer; i < words_of(shape, chunk); i += shape.writers) {
      const Word word = content(chunk, i);
      std::memcpy(slot + i * word_bytes, &word, sizeof word);
    }
    channel.publish(writer, chunk);
  }
}

/// Each reader reads all of it; the number of wrong words.
Count read(Channel channel, int reader, Chunk chunks) {
  Count wrong = 0;
  for (Chunk chunk = 0; chunk < chunks; ++chunk) {
    wait_until([&] { return channel.readable(chunk); });
    const std::byte* const slot = channel.slot(chunk);
    for (Count i = 0; i < words_of(channel.shape(), chunk); ++i) {
      Word word = 0;
      std::memcpy(&word, slot + i * word_bytes, sizeof word);
      if (word != content(chunk, i)) ++wrong;
    }
    channel.release(reader, chunk);
  }
  return wrong;
}

/// Whole messages, of `chunks` or a few more chunks.
void expect_all_arrives(const ChannelShape& shape, Chunk chunks) {
  SCOPED_TRACE(std::to_string(shape.writers) + " writers, " + std::to_string(shape.readers) + " readers, " +
               std::to_string(shape.slots) + " slots, " + std::to_string(shape.message_bytes) + " bytes by " +
               std::to_string(shape.chunk_bytes));
  Stage stage(shape);
  const auto in_message = static_cast<Chunk>(shape.chunks());
  const Chunk messages = (chunks + in_message - 1) / in_message, all = messages * in_message;
  EXPECT_FALSE(stage.channel.idle_after(messages));
  std::vector<Count> wrong(static_cast<std::size_t>(shape.readers));
  std::vector<std::thread> threads;
  for (int writer = 0; writer < shape.writers; ++writer)
    threads.emplace_back([&, writer] { write(stage.channel, writer, all); });
  for (int reader = 0; reader < shape.readers; ++reader)
    threads.emplace_back(
        [&, reader] { wrong[static_cast<std::size_t>(reader)] = read(stage.channel, reader, all); });
  for (std::thread& thread : threads) thread.join();
  for (const Count words : wrong) EXPECT_EQ(words, 0);
  EXPECT_TRUE(stage.channel.idle_after(messages));
  EXPECT_FALSE(Channel(stage.channel).idle_after(messages + 1));
}

TEST(Channel, slots_are_cache_lines_apart_and_inside_its_memory) {
  for (const Count chunk : {1, 63, 64, 65, 1000})
    for (const Count slots : {2, 3, 16}) {
      const ChannelShape shape{3 * chunk - 1, chunk, slots, 3, 2};
      EXPECT_EQ(shape.chunks(), chunk == 1 ? 2 : 3);
      EXPECT_EQ(shape.bytes() % static_cast<Count>(alignof(Counter)), 0);
      Stage stage(shape);
      auto* const begin = reinterpret_cast<std::byte*>(stage.memory.data());
      for (Chunk c = 0; c < static_cast<Chunk>(slots); ++c) {
        EXPECT_GE(stage.channel.slot(c), begin + 5 * sizeof(Counter));
        EXPECT_LE(stage.channel.slot(c) + chunk, begin + shape.bytes());
        EXPECT_EQ((stage.channel.slot(c) - begin) % static_cast<Count>(alignof(Counter)), 0);
        EXPECT_EQ(stage.channel.slot(c + static_cast<Chunk>(slots)), stage.channel.slot(c));
        EXPECT_TRUE(c == 0 || stage.channel.slot(c) >= stage.channel.slot(c - 1) + chunk);
      }
    }
}

TEST(Channel, is_full_after_its_slots_and_open_again_once_all_readers_have_taken_them) {
  for (const Count slots : {2, 3, 5}) {
    Stage stage({8, 8, slots, 2, 2});
    // Everyone has a view of their own, as processes have.
    Channel writer = stage.channel, reader = stage.channel, owner = stage.channel;
    const auto number = static_cast<Chunk>(slots);
    for (Chunk chunk = 0; chunk < number; ++chunk) {
      EXPECT_TRUE(writer.writable(chunk));
      EXPECT_FALSE(reader.readable(chunk));
      writer.publish(0, chunk);
      EXPECT_FALSE(reader.readable(chunk));
      writer.publish(1, chunk);
      EXPECT_TRUE(reader.readable(chunk));
    }
    EXPECT_FALSE(writer.writable(number));
    reader.release(0, 0);
    EXPECT_FALSE(writer.writable(number));
    reader.release(1, 0);
    EXPECT_TRUE(writer.writable(number));
    EXPECT_FALSE(writer.writable(number + 1));
    EXPECT_FALSE(owner.idle_after(number));
    for (Chunk chunk = 1; chunk < number; ++chunk)
      for (const int each : {0, 1}) reader.release(each, chunk);
    EXPECT_TRUE(owner.idle_after(number));
    EXPECT_FALSE(owner.idle_after(number + 1));
  }
}

TEST(Channel, one_writer_one_reader) {
  for (const Count slots : {2, 3, 16}) expect_all_arrives({64, 64, slots, 1, 1}, chunks_to_send());
}

TEST(Channel, chunks_are_smaller_than_messages) {
  expect_all_arrives({1000, 64, 2, 1, 1}, chunks_to_send());
  expect_all_arrives({1000, 64, 7, 1, 1}, chunks_to_send());
  expect_all_arrives({8 * 4096 + 8, 4096, 2, 1, 1}, chunks_to_send() / 16);
}

TEST(Channel, several_writers_one_reader) {
  for (const int writers : {2, 3, 8}) expect_all_arrives({200, 72, 2, writers, 1}, chunks_to_send() / 4);
}

TEST(Channel, one_writer_several_readers) {
  for (const int readers : {2, 3, 8}) expect_all_arrives({200, 72, 2, 1, readers}, chunks_to_send() / 4);
}

TEST(Channel, several_writers_several_readers) {
  expect_all_arrives({512, 128, 4, 3, 3}, chunks_to_send() / 4);
}

}  // namespace
}  // namespace halocline::exchange
