// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/flows/local_copy.hpp"

#include <map>
#include <utility>

namespace halocline::exchange {

LocalCopies::LocalCopies(std::vector<LocalCopy> copies) {
  std::map<Count, std::vector<LocalCopy>> by_slices;
  for (LocalCopy& copy : copies) by_slices[copy.slices()].push_back(std::move(copy));
  for (auto& [slices, alike] : by_slices) {
    if (slices > 1 && alike.size() > 1)
      in_turns_.push_back(std::move(alike));
    else
      whole_.insert(whole_.end(), alike.begin(), alike.end());
  }
}

bool LocalCopies::advance() {
  if (done_) return true;
  const Lap lap(stopwatch());
  for (const LocalCopy& copy : whole_) copy.copy();
  for (const std::vector<LocalCopy>& copies : in_turns_)
    for (Count slice = 0; slice < copies.front().slices(); ++slice)
      for (const LocalCopy& copy : copies) copy.copy_slice(slice);
  return done_ = true;
}

}  // namespace halocline::exchange
