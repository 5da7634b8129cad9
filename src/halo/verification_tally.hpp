// SPDX-License-Identifier: BSD-3-Clause
// What HALOCLINE_VERIFY has done for this process, so that it does not go unnoticed.
#pragma once

#include "halocline/base/count.hpp"

#include <memory>
#include <mutex>

namespace halocline::halo {

/// Says in one line on stderr what was verified, if anything was, when MPI is finalized.
class VerificationTally {
 public:
  VerificationTally() = default;
  VerificationTally(const VerificationTally&) = delete;
  VerificationTally& operator=(const VerificationTally&) = delete;
  ~VerificationTally();

  /// That of this process. @pre MPI is not finalized
  [[nodiscard]] static std::shared_ptr<VerificationTally> own();

  /// One more halo, by so many exchanges, of so many points: those of all processes, halos included.
  void add(Count exchanges, Count points);

 private:
  std::mutex counting_;  ///< Threads may make halos at once.
  Count halos_ = 0, exchanges_ = 0, points_ = 0;
};

}  // namespace halocline::halo
