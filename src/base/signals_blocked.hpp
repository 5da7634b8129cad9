// SPDX-License-Identifier: BSD-3-Clause
// For threads of the library: signals are for those of the program.
#pragma once

#include <csignal>

#include <pthread.h>

namespace halocline {

/// Threads that are made while it lives never get one.
class SignalsBlocked {
 public:
  SignalsBlocked() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;

 private:
  sigset_t before_{};
};

}  // namespace halocline
