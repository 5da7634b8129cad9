// Hashes stay what they are: random placements and seeded tests depend on them.

#include "base/hash.hpp"

#include <gtest/gtest.h>

namespace halocline {
namespace {

TEST(Hash, mixes_as_splitmix64_does) {
  // The first numbers of the reference implementation, seeded with 1234567.
  std::uint64_t state = 1234567;
  EXPECT_EQ(split_mixed(state += golden_ratio), 6457827717110365317U);
  EXPECT_EQ(split_mixed(state += golden_ratio), 3203168211198807973U);
  EXPECT_EQ(split_mixed(state += golden_ratio), 9817491932198370423U);
}

TEST(Hash, mixes_as_murmur_hash_does) {
  EXPECT_EQ(murmur_mixed(0), 0U);
  EXPECT_EQ(murmur_mixed(1), 0xb456bcfc34c2cb2cU);
}

TEST(Hash, finds_places_inside_the_table) {
  EXPECT_EQ(golden_place(0, 7), 0U);
  EXPECT_EQ(golden_place(1, 8), 0x9eU);
  for (std::uint64_t key = 0; key < 1000; ++key) EXPECT_LT(golden_place(key, 7), 128U);
}

TEST(Hash, of_a_sequence_depends_on_its_order) {
  EXPECT_NE(hash_with(hash_with(0, 1), 2), hash_with(hash_with(0, 2), 1));
  EXPECT_NE(hash_with(0, 0), hash_with(hash_with(0, 0), 0));
}

TEST(Hash, of_texts_is_fnv_1a) {
  EXPECT_EQ(hash_of_text(""), 0xcbf29ce484222325U);
  EXPECT_EQ(hash_of_text("foobar"), 0x85944171f73967e8U);
}

}  // namespace
}  // namespace halocline
