// The one way tests look at refusals: the fault, and words the message must have.
#pragma once

#include "halocline/base/error.hpp"

#include <gtest/gtest.h>

#include <string>

namespace halocline {

/// Expects `action` to throw an Error with `fault` whose text holds every one of `words`.
template <class Action, class... Words>
void expect_error(Fault fault, const Action& action, const Words&... words) {
  try {
    action();
    ADD_FAILURE() << "nothing was refused";
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), fault) << error.what();
    const std::string text = error.what();
    for (const std::string& word : {std::string(words)...})
      EXPECT_NE(text.find(word), std::string::npos) << "no \"" << word << "\" in: " << text;
  }
}

}  // namespace halocline
