// Generated code that takes over while others pack.

#include "compile/takeover.hpp"
#include "compile/adaptive.hpp"
#include "halocline/compile/packer.hpp"
#include "refuse_system_call.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstring>
#include <numeric>
#include <thread>

namespace halocline::compile {
namespace {

/// 50 blocks of 432 bytes.
struct Blocks {
  Canonical form{Part{Layout::parse("hvector(50,432,1024,byte)")}};
  std::vector<std::byte> memory = std::vector<std::byte>(50 * 1024);

  Blocks() {
    for (std::size_t i = 0; i < memory.size(); ++i) memory[i] = static_cast<std::byte>(i * 7 + i / 256);
  }
  [[nodiscard]] std::unique_ptr<const Code> adaptive(Count packs) const {
    return take_over_after({{}, form}, packs);
  }
  /// Packs, compares, unpacks, compares.
  [[nodiscard]] bool right(const Code& code) const {
    std::vector<std::byte> wire(static_cast<std::size_t>(form.bytes()));
    code.whole().pack(code.whole().context, memory.data(), wire.data());
    std::vector<std::byte> back = memory;
    for (std::size_t i = 0; i < 50; ++i) {
      if (std::memcmp(&wire[i * 432], &memory[i * 1024], 432) != 0) return false;
      std::memset(&back[i * 1024], 0, 432);
    }
    code.whole().unpack(code.whole().context, wire.data(), back.data());
    return back == memory;
  }
};

bool becomes_llvm(const Code& code) {
  for (int i = 0; i < 2000 && code.engine() != "llvm"; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  return code.engine() == "llvm";
}

TEST(Takeover, starts_after_so_many_packs) {
  const Blocks blocks;
  const auto code = blocks.adaptive(10);
  for (int i = 0; i < 5; ++i) EXPECT_TRUE(blocks.right(*code));  // 10 uses
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  EXPECT_EQ(code->engine(), "kernels");
  EXPECT_TRUE(blocks.right(*code));
  EXPECT_TRUE(becomes_llvm(*code));
  EXPECT_TRUE(blocks.right(*code));
}

TEST(Takeover, happens_while_threads_pack) {
  const Blocks blocks;
  const auto code = blocks.adaptive(100);
  std::atomic<bool> all_right{true};
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t)
    threads.emplace_back([&] {
      const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
      while (code->engine() != "llvm" && std::chrono::steady_clock::now() < end)
        if (!blocks.right(*code)) all_right = false;
      if (!blocks.right(*code)) all_right = false;
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_TRUE(all_right);
  EXPECT_EQ(code->engine(), "llvm");
}

TEST(Takeover, packers_may_go_while_code_is_generated) {
  const Blocks blocks;
  for (int i = 0; i < 20; ++i) {
    const auto code = blocks.adaptive(0);
    EXPECT_TRUE(blocks.right(*code));
  }
}

TEST(TakeoverDeathTest, the_process_may_end_while_code_is_generated) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  for (const int milliseconds : {0, 5, 20})
    EXPECT_EXIT(
        {
          const auto* const blocks = new Blocks;
          const auto* const kept = blocks->adaptive(0).release();
          const bool right = blocks->right(*kept);
          std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
          std::exit(right ? 0 : 1);
        },
        testing::ExitedWithCode(0), "^$");
}

TEST(TakeoverDeathTest, kernels_stay_where_there_are_no_threads) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        setenv("HALOCLINE_LOG", "on", 1);
        const Blocks blocks;
        if (!refuse_system_call(SYS_clone3, 0, 0, EAGAIN) || !refuse_system_call(SYS_clone, 0, 0, EAGAIN))
          std::exit(2);
        const auto code = blocks.adaptive(0);
        const bool right = blocks.right(*code) && blocks.right(*code);
        std::exit(right && code->engine() == "kernels" ? 0 : 1);
      },
      testing::ExitedWithCode(0), "halocline: no thread .*kernels");
}

}  // namespace
}  // namespace halocline::compile
