// Generated code against the typemap; what happens where none can be had.

#include "base/fail.hpp"
#include "compile/generated/code_estimate.hpp"
#include "compile/generated/generated.hpp"
#include "expect_packs.hpp"
#include "interpreter.hpp"
#include "refuse_system_call.hpp"
#include "trees.hpp"

#include <sys/mman.h>

#include <ctime>
#include <fstream>
#include <numeric>

namespace halocline::compile {
namespace {

const Engine& llvm() { return engine("llvm"); }

/// True if code was generated for the case, and not left to kernels.
bool expect_right(const Case& test, std::mt19937_64& random) {
  SCOPED_TRACE(test.name);
  const Packer packer(test.parts, llvm());
  expect_packs(packer, test, random);
  expect_unpacks(packer, test, random);
  return packer.engine() == "llvm";
}

TEST(Llvm, random_trees_pack_as_their_typemaps_say) {
  Trees trees(220);
  int generated = 0;
  for (int i = 0; i < trees.count(); ++i) {
    const Layout layout = trees.layouts().next_of_any_length(i % 5);
    // Up to so many that loops stay loops, with and without a remainder.
    const Count count = i % 3 == 0 ? 1 : static_cast<Count>(trees.random()() % 40);
    generated +=
        expect_right(Case({{layout, count, static_cast<Count>(trees.random()() % 99) - 49}}), trees.random())
            ? 1
            : 0;
    if (HasFatalFailure()) return;
  }
  EXPECT_GE(generated, trees.count() * 9 / 10) << "kernels did the work";
}

TEST(Llvm, random_parts_fuse_in_order) {
  Trees trees(100);
  int generated = 0;
  for (int i = 0; i < trees.count(); ++i) {
    std::vector<Part> parts;
    for (auto more = 1 + trees.random()() % 6; more > 0; --more)
      parts.push_back({trees.layouts().next(static_cast<int>(more % 4)),
                       static_cast<Count>(trees.random()() % 20),
                       static_cast<Count>(trees.random()() % 2001) - 1000});
    generated += expect_right(Case(parts), trees.random()) ? 1 : 0;
    if (HasFatalFailure()) return;
  }
  EXPECT_GE(generated, trees.count() * 8 / 10) << "kernels did the work";
}

TEST(Llvm, lists_are_generated_up_to_a_limit) {
  std::mt19937_64 random(3);
  const auto list = [&random](Count entries, bool equal) {
    Counts displacements;
    Counts lengths;
    for (Count i = 0; i < entries; ++i) {
      displacements.push_back(i * 40 + static_cast<Count>(random() % 8));
      lengths.push_back(equal ? 8 : 1 + static_cast<Count>(random() % 30));
    }
    return Case({{Layout::hindexed(lengths, displacements, Layout::named(Elementary::byte)), 1, 0}});
  };
  EXPECT_TRUE(expect_right(list(5, true), random));
  EXPECT_TRUE(expect_right(list(900, true), random));
  EXPECT_FALSE(expect_right(list(1200, true), random));
  EXPECT_TRUE(expect_right(list(7, false), random));
  EXPECT_FALSE(expect_right(list(500, false), random));
}

/// Layouts of 12 KB that are hard on a compiler: lists without a rule in pieces, with loops between them or
/// without, over each other, from all over an address space, and loops around loops.
std::vector<Layout> layouts_of_12_kb() {
  std::mt19937_64 random(5);
  const auto below = [&](Count limit) {
    return static_cast<Count>(random() % static_cast<std::uint64_t>(limit));
  };
  const Layout byte = Layout::named(Elementary::byte);
  const auto list = [&](Count regular, Count irregular, Count longest, const auto& next_place) {
    Counts lengths, displacements;
    for (Count made = 0, at = 0; made < 12'000;) {
      for (Count i = 0; i < regular + irregular; ++i) {
        displacements.push_back(at);
        lengths.push_back(i < regular || longest == 8 ? 8 : 1 + below(longest));
        made += lengths.back();
        at = i < regular ? at + 24 : next_place(at + lengths.back());
      }
    }
    return Layout::hindexed(lengths, displacements, byte);
  };
  const auto onwards = [&](Count at) { return at + 1 + below(30); };
  std::vector<Layout> all{list(12, 20, 15, onwards), list(8, 50, 15, onwards), list(8, 120, 8, onwards),
                          list(8, 60, 8, [&](Count) { return below(64); }),
                          list(8, 60, 8, [&](Count) { return below(20'000); })};
  std::vector<Layout> nests;
  Counts places;
  for (Count i = 0; i < 40; ++i) {
    Layout nest = Layout::hvector(3, 1, 11 + i, Layout::contiguous(4, byte));
    for (Count level = 1, stride = 50; level < 4; ++level, stride *= 3)
      nest = Layout::hvector(3, 1, stride + i, nest);
    nests.push_back(nest);
    places.push_back(i * 5000);
  }
  all.push_back(Layout::structure(Counts(nests.size(), 1), places, nests));
  return all;
}

/// By the table in docs/packing.md a unit takes 8 us at most, and the module 15 ms to be opened.
constexpr Count cost_in_50_ms = 4300;

TEST(Llvm, no_call_generates_more_than_50_ms_of_code) {
  std::mt19937_64 random(7);
  int generated = 0;
  for (const Layout& layout : layouts_of_12_kb()) {
    EXPECT_GE(layout.size(), 12'000) << layout.to_text();
    for (const Engine& engine : with_interpreter(available_engines())) {
      const Case test({{layout, 1, 0}});
      SCOPED_TRACE(concat(engine.name, ":", test.name.substr(0, 200)));
      const Packer packer(test.parts, engine);
      expect_packs(packer, test, random);
      expect_unpacks(packer, test, random);
      ASSERT_FALSE(HasFailure());
    }
  }
  // The same kinds, shorter: as much as is allowed is generated, and no more.
  Counts lengths, displacements;
  for (Count pieces = 1, at = 0; pieces <= 8; ++pieces) {
    for (Count i = 0; i < 52; ++i, at += 30 + static_cast<Count>(i < 12 ? 0 : random() % 9)) {
      displacements.push_back(at);
      lengths.push_back(i < 12 ? 8 : 1 + static_cast<Count>(random() % 12));
    }
    const Canonical form({Layout::hindexed(lengths, displacements, Layout::named(Elementary::byte))});
    const GeneratedFunctions functions(form);
    EXPECT_LE(functions.cost(), cost_in_50_ms) << form.to_text();
    generated += functions ? 1 : 0;
  }
  EXPECT_GE(generated, 2);
  EXPECT_LE(generated, 6);
}

/// What is refused must be refused before it is generated.
TEST(Llvm, the_estimate_of_code_is_what_is_generated) {
  Trees trees(60);
  for (int i = 0; i < trees.count(); ++i) {
    const Canonical form({trees.layouts().next(i % 5), static_cast<Count>(trees.random()() % 40)});
    const GeneratedFunctions functions(form);
    if (!functions || form.bytes() == 0) continue;
    const Count estimate = estimated_code_cost(form);
    // It is for the widest registers there are: narrower ones need twice as many copies.
    EXPECT_LE(estimate, functions.cost() * 11 / 10 + 48) << form.to_text();
    EXPECT_GE(2 * estimate + 48, functions.cost()) << form.to_text();
  }
}

/// On the clock, and with much patience: ten times as long as it may take.
TEST(Llvm, types_of_12_kb_are_compiled_in_no_time) {
  const auto seconds = [] {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
  };
  (void)GeneratedFunctions(Canonical({Layout::parse("vector(4,1,2,double)")}));
  for (const Layout& layout : layouts_of_12_kb()) {
    const double begin = seconds();
    const Packer packer({layout}, llvm());
    EXPECT_LT(seconds() - begin, 0.5) << layout.to_text().substr(0, 200);
  }
}

Canonical tiny_form() { return Canonical(Part{Layout::parse("vector(4,1,2,double)")}); }

/// Every mapping of this process, as "start-end rights ...".
std::vector<std::string> mappings() {
  std::vector<std::string> lines;
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) lines.push_back(line);
  return lines;
}

TEST(Llvm, no_page_is_writable_and_executable) {
  const Canonical form = tiny_form();
  const auto code = llvm().make({{}, form});
  ASSERT_EQ(code->engine(), "llvm");
  const auto address = reinterpret_cast<std::uintptr_t>(code->whole().pack);
  bool found = false;
  for (const std::string& line : mappings()) {
    EXPECT_EQ(line.find(" rwx"), std::string::npos) << line;
    std::size_t dash = 0;
    const std::uintptr_t start = std::stoull(line, &dash, 16);
    const std::uintptr_t end = std::stoull(line.substr(dash + 1), nullptr, 16);
    if (start > address || address >= end) continue;
    found = true;
    EXPECT_NE(line.find(" r-x"), std::string::npos) << line;
  }
  EXPECT_TRUE(found);
}

/// Packs a vector and ends the process: 0 if the bytes are right and the engine is the one expected.
[[noreturn]] void pack_and_exit(std::string_view expected_engine) {
  const Packer packer({Layout::parse("vector(4,1,2,double)")}, llvm());
  std::vector<double> data(8);
  std::iota(data.begin(), data.end(), 0.0);
  std::vector<double> wire(4);
  packer.pack(reinterpret_cast<const std::byte*>(data.data()), reinterpret_cast<std::byte*>(wire.data()));
  const bool right = wire == std::vector<double>{0, 2, 4, 6} && packer.engine() == expected_engine;
  std::exit(right ? 0 : 1);
}

/// Each in a process of its own that has not opened the module.
class LlvmRefused : public testing::Test {
 protected:
  LlvmRefused() { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};
using LlvmRefusedDeathTest = LlvmRefused;

TEST_F(LlvmRefusedDeathTest, kernels_pack_where_executable_memory_is_refused) {
  EXPECT_EXIT(
      {
        setenv("HALOCLINE_LOG", "on", 1);
        if (!refuse_system_call(SYS_mprotect, 2, PROT_EXEC, EACCES)) std::exit(2);
        pack_and_exit("kernels");
      },
      testing::ExitedWithCode(0), "halocline: .*kernels.*executable memory");
}

TEST_F(LlvmRefusedDeathTest, kernels_pack_where_there_is_no_module) {
  EXPECT_EXIT(
      {
        setenv("HALOCLINE_LOG", "on", 1);
        setenv("HALOCLINE_LLVM_MODULE", "/nowhere/module.so", 1);
        pack_and_exit("kernels");
      },
      testing::ExitedWithCode(0), "halocline: .*kernels.*/nowhere/module.so");
}

TEST_F(LlvmRefusedDeathTest, kernels_pack_where_the_module_is_something_else) {
  EXPECT_EXIT(
      {
        setenv("HALOCLINE_LOG", "on", 1);
        setenv("HALOCLINE_LLVM_MODULE", "/proc/self/exe", 1);
        pack_and_exit("kernels");
      },
      testing::ExitedWithCode(0), "halocline: .*kernels.*/proc/self/exe");
}

TEST_F(LlvmRefusedDeathTest, nothing_is_printed_unless_asked_for) {
  for (const char* wanted : {"", "off"})
    EXPECT_EXIT(
        {
          setenv("HALOCLINE_LOG", wanted, 1);
          setenv("HALOCLINE_LLVM_MODULE", "/nowhere/module.so", 1);
          pack_and_exit("kernels");
        },
        testing::ExitedWithCode(0), "^$");
}

}  // namespace
}  // namespace halocline::compile
