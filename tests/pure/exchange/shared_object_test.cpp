// Memory by a ticket, small and large: seen by all who map it, and where it belongs.
#include "exchange/memory/shared_object.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <string>

#include <unistd.h>

namespace halocline::exchange {
namespace {

/// An object with two mappings, as two processes have them: the first with memory behind one half, the second
/// with memory behind the other.
class SharedObject : public testing::TestWithParam<Count> {
 protected:
  void SetUp() override {
    ticket = create_object(bytes);
    ASSERT_FALSE(ticket.empty());
    first = map_object(ticket, bytes, 0, half);
    second = map_object(ticket, bytes, half, bytes - half);
    ASSERT_NE(first, nullptr);
    ASSERT_NE(second, nullptr);
    remove_name(ticket);
  }
  void TearDown() override {
    unmap_object(first, bytes);
    unmap_object(second, bytes);
  }

  Count bytes = GetParam(), half = bytes / 2 / huge_page * huge_page;
  std::string ticket;
  std::byte *first = nullptr, *second = nullptr;
};

TEST_P(SharedObject, is_empty_at_first_and_seen_by_all) {
  const auto size = static_cast<std::size_t>(bytes);
  for (Count i = 0; i < bytes; i += 509) ASSERT_EQ(first[i], std::byte{0}) << i;
  std::memset(first, 1, size);
  std::memset(second + half, 2, static_cast<std::size_t>(bytes - half));
  for (Count i = 0; i < bytes; i += 509) {
    ASSERT_EQ(second[i], std::byte{static_cast<unsigned char>(i < half ? 1 : 2)}) << i;
    ASSERT_EQ(first[i], second[i]) << i;
  }
}

TEST_P(SharedObject, begins_where_huge_pages_do_if_it_is_large) {
  if (bytes < huge_page) return;
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(first) % std::uintptr_t{huge_page}, 0u);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(second) % std::uintptr_t{huge_page}, 0u);
}

/// Of all that this process has mapped.
Count mapped_pages() {
  Count pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages;
}

TEST_P(SharedObject, takes_no_more_room_than_it_needs) {
  const Count page = sysconf(_SC_PAGESIZE), before = mapped_pages();
  const std::string other = create_object(bytes);
  std::byte* const third = map_object(other, bytes, 0, half);
  remove_name(other);
  ASSERT_NE(third, nullptr);
  EXPECT_LT((mapped_pages() - before) * page, bytes + huge_page / 2);
  unmap_object(third, bytes);
  EXPECT_LT((mapped_pages() - before) * page, huge_page / 2);
}

INSTANTIATE_TEST_SUITE_P(Sizes, SharedObject,
                         testing::Values(Count{4096}, Count{300000}, huge_page, huge_page + 4096,
                                         8 * huge_page, 16 * huge_page + 12288));

TEST(SharedObjects, that_nobody_offers_are_not_mapped) {
  EXPECT_EQ(map_object("", 4096, 0, 4096), nullptr);
  EXPECT_EQ(map_object("frobnicate", 4 * huge_page, 0, huge_page), nullptr);
}

TEST(SharedObjects, larger_than_the_memory_are_refused_and_leave_nothing) {
  const Count bytes = Count{1} << 50;
  const std::string ticket = create_object(bytes);
  if (ticket.empty()) return;
  EXPECT_EQ(map_object(ticket, bytes, 0, bytes), nullptr);
  remove_name(ticket);
}

}  // namespace
}  // namespace halocline::exchange
