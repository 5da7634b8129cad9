// Whether generated code pays.

#include "compile/generated/payback.hpp"
#include "halocline/compile/packer.hpp"

#include <gtest/gtest.h>

#include <cstring>

namespace halocline::compile {
namespace {

std::optional<Count> pays(const char* layout) { return packs_to_pay(Canonical(Part{Layout::parse(layout)})); }

TEST(Payback, is_for_layouts_that_generated_code_copies_faster) {
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

TEST(Payback, leaves_unpacking_to_kernels_that_are_as_fast) {
  const Canonical level(Part{Layout::parse("vector(500,2,8,double)")});
  EXPECT_EQ(who_unpacks_best(level), WhoUnpacks::kernels);
  for (const char* layout : {"hvector(100,432,1024,byte)", "hvector(32,1,9000,vector(32,2,32,double))"})
    EXPECT_EQ(who_unpacks_best(Canonical(Part{Layout::parse(layout)})), WhoUnpacks::generated_code) << layout;

  CodeUnit unit{{}, level};
  unit.packs = 1'000'000'000;
  const std::unique_ptr<const Code> code = choose_what_pays(unit);
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

TEST(Payback, small_halos_pay_sooner_the_more_they_gain) {
  std::vector<Part> parts;
  for (Count i = 0; i < 20; ++i) parts.push_back({Layout::parse("vector(16,1,18,double)"), 1, i * i * 5000});
  const auto small = packs_to_pay(Canonical(parts));
  ASSERT_TRUE(small);
  for (Part& part : parts) part.layout = Layout::parse("vector(1600,1,18,double)");
  EXPECT_FALSE(packs_to_pay(Canonical(parts)));
}

TEST(Payback, expected_packs_decide_at_once) {
  const Part part{Layout::parse("hvector(100,432,1024,byte)")};
  const Count needed = packs_to_pay(Canonical(part)).value();
  EXPECT_EQ(Packer(part, engine("auto"), needed - 1).engine(), "kernels");
  EXPECT_EQ(Packer(part, engine("auto"), needed).engine(), "llvm");
  EXPECT_EQ(Packer(part, engine("auto")).engine(), "kernels");
}

}  // namespace
}  // namespace halocline::compile
