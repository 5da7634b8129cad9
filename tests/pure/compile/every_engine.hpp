// All engines, and the interpreter beside them, on one case.
#pragma once

#include "base/fail.hpp"
#include "expect_packs.hpp"
#include "interpreter.hpp"

#include <gtest/gtest.h>

namespace halocline::compile {

/// Generating code takes milliseconds: not for every one of thousands of cases.
enum class Engines { always_there, available };

inline void expect_every_engine_right(const Case& test, std::mt19937_64& random,
                                      Engines which = Engines::available) {
  for (const Engine& engine :
       with_interpreter(which == Engines::available ? available_engines() : engines())) {
    SCOPED_TRACE(concat(engine.name, ":", test.name));
    const Packer packer(test.parts, engine);
    ASSERT_TRUE(packer.engine() == engine.name || engine.name == "llvm");
    expect_packs(packer, test, random);
    if (testing::Test::HasFatalFailure()) return;
    expect_unpacks(packer, test, random);
    if (testing::Test::HasFatalFailure()) return;
  }
}

}  // namespace halocline::compile
