#include "plan/transport_choice.hpp"

#include "base/integers.hpp"

#include <algorithm>

namespace halocline::plan {
namespace {

constexpr Count kibibyte = 1024;
constexpr Count least_straight = 32 * kibibyte;
constexpr Count largest_chunk = 64 * kibibyte;
constexpr Count most_slots = 16;
constexpr Count long_run = 32 * kibibyte, longest_in_place = 63 * kibibyte;

}  // namespace

Transport choose_transport(const Nearness& nearness, Count bytes) {
  if (!nearness.share_memory) return Transport::message;
  return nearness.see_each_other && bytes >= least_straight ? Transport::straight : Transport::channel;
}

Chunks choose_chunks(Count bytes) {
  const Count chunk = std::min(bytes, largest_chunk);
  return {chunk, std::min(2 * divide_up(bytes, chunk), most_slots)};
}

bool goes_in_place(Count bytes, Count runs) { return bytes <= longest_in_place && bytes >= long_run * runs; }

}  // namespace halocline::plan
