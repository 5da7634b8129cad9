// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/flows/local_copy.hpp"

#include <map>
#include <utility>

namespace halocline::exchange {

Load load_of(std::span<const LocalCopy> copies) {
  Load load;
  for (const LocalCopy& copy : copies) load.add(copy.bytes(), copy.runs());
  return load;
}

LocalCopies::LocalCopies(std::vector<LocalCopy> copies) {
  std::map<Count, std::vector<LocalCopy>> by_slices;
  for (LocalCopy& copy : copies) by_slices[copy.slices()].push_back(std::move(copy));
  for (auto& [slices, alike] : by_slices) {
    if (slices > 1 && alike.size() > 1)
      in_turns_.push_back(std::move(alike));
    else
      whole_.insert(whole_.end(), alike.begin(), alike.end());
  }
  load_ = load_of(whole_);
  for (const std::vector<LocalCopy>& group : in_turns_) {
    Count bytes = 0, runs = 0;
    for (const LocalCopy& copy : group) {
      bytes += copy.bytes();
      runs += copy.runs();
    }
    load_.add(bytes, runs);
  }
}

void LocalCopies::copy(std::size_t item, Share share) const {
  if (item < whole_.size()) return whole_[item].copy(share);
  const std::vector<LocalCopy>& copies = in_turns_[item - whole_.size()];
  const Count slices = copies.front().slices();
  for (Count slice = share.begin(slices); slice < share.end(slices); ++slice)
    for (const LocalCopy& copy : copies) copy.copy_slice(slice);
}

bool LocalCopies::advance() {
  if (done_) return true;
  const Lap lap(stopwatch());
  share(crew(), load_, [this](std::size_t item, Share part) { copy(item, part); });
  return done_ = true;
}

}  // namespace halocline::exchange
