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

std::optional<Count> pays(const char* layout, Call call = Call::through_switch) {
  return packs_to_pay(Canonical(Part{Layout::parse(layout)}), call);
}

TEST(Takeover, is_for_layouts_that_generated_code_copies_faster) {
  for (const char* layout :
       {"hvector(100,432,1024,byte)", "hvector(100,100,1024,byte)", "vector(500,2,8,double)",
        "contiguous(100,resized(0,32,struct([1,1],[0,8],[int,double])))"})
    EXPECT_TRUE(pays(layout)) << layout;
  for (const char* layout :
       {"vector(1000,1,2,double)", "contiguous(100,double)", "vector(32,256,1024,double)",
        "hvector(100,12,24,byte)", "hvector(64,1,8,vector(64,1,256,double))", "vector(0,1,2,double)",
        "hvector(400,488,2000,byte)"})
    EXPECT_FALSE(pays(layout)) << layout;
}

TEST(Takeover, leaves_unpacking_to_kernels_that_are_as_fast) {
  const Canonical level(Part{Layout::parse("vector(500,2,8,double)")});
  EXPECT_EQ(who_unpacks_after_takeover(level), WhoUnpacks::kernels);
  for (const char* layout : {"hvector(100,432,1024,byte)", "hvector(32,1,9000,vector(32,2,32,double))"})
    EXPECT_EQ(who_unpacks_after_takeover(Canonical(Part{Layout::parse(layout)})), WhoUnpacks::generated_code)
        << layout;

  Unit unit{{}, level};
  unit.packs = 1'000'000'000;
  const std::unique_ptr<const Code> code = adapt(unit);
  std::vector<std::byte> memory(500 * 64);
  for (std::size_t i = 0; i < memory.size(); ++i) memory[i] = static_cast<std::byte>(i * 7 + i / 256);
  std::vector<std::byte> wire(static_cast<std::size_t>(level.bytes()));
  code->whole().pack(code->whole().context, memory.data(), wire.data());
  std::vector<std::byte> back = memory;
  for (std::size_t i = 0; i < 500; ++i) {
    EXPECT_EQ(std::memcmp(&wire[i * 16], &memory[i * 64], 16), 0) << i;
    std::memset(&back[i * 64], 0, 16);
  }
  code->whole().unpack(code->whole().context, wire.data(), back.data());
  EXPECT_EQ(back, memory);
}

TEST(Takeover, tiny_types_pay_without_a_switch_alone) {
  EXPECT_TRUE(pays("vector(4,1,2,double)", Call::direct));
  EXPECT_FALSE(pays("vector(4,1,2,double)", Call::through_switch));
}

TEST(Takeover, small_halos_pay_sooner_the_more_they_gain) {
  std::vector<Part> parts;
  for (Count i = 0; i < 20; ++i) parts.push_back({Layout::parse("vector(16,1,18,double)"), 1, i * i * 5000});
  const auto small = packs_to_pay(Canonical(parts), Call::through_switch);
  ASSERT_TRUE(small);
  for (Part& part : parts) part.layout = Layout::parse("vector(1600,1,18,double)");
  EXPECT_FALSE(packs_to_pay(Canonical(parts), Call::through_switch));
}

TEST(Takeover, expected_packs_decide_at_once) {
  const Part part{Layout::parse("hvector(100,432,1024,byte)")};
  const Count needed = packs_to_pay(Canonical(part), Call::direct).value();
  EXPECT_EQ(Packer(part, engine("auto"), needed - 1).engine(), "kernels");
  EXPECT_EQ(Packer(part, engine("auto"), needed).engine(), "llvm");
  EXPECT_EQ(Packer(part, engine("auto")).engine(), "kernels");
}

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
          static const auto* const blocks = new Blocks;  // reachable, so that it counts as no leak
          static const auto* const kept = blocks->adaptive(0).release();
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
        // Without what a leak checker does at the end: it needs a thread.
        std::_Exit(right && code->engine() == "kernels" ? 0 : 1);
      },
      testing::ExitedWithCode(0), "halocline: no thread .*kernels");
}

}  // namespace
}  // namespace halocline::compile
