// How many random trees a test looks at, from where on, and what MPI implementations get wrong on some.
#pragma once

#include "../../environment_number.hpp"
#include "halocline/describe/layout.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <iostream>
#include <limits>
#include <optional>
#include <random>
#include <string>

namespace halocline {

/// HALOCLINE_TREES trees (some thousands), or as many as HALOCLINE_SECONDS allow, from HALOCLINE_SEED on
/// (another one every time). Each tree has a seed of its own, the one after that of the tree before it: what
/// a failure prints repeats that tree alone. A long run says every few seconds how far it is.
class TreeRun {
 public:
  /// One of `share` parts of the trees and of the time.
  explicit TreeRun(int by_default = 3000, int share = 1) {
    if (const int seconds = environment_number("HALOCLINE_SECONDS", 0, 0); seconds > 0)
      seconds_ = static_cast<double>(seconds) / share;
    trees_ = environment_number("HALOCLINE_TREES", seconds_ ? std::numeric_limits<int>::max() : by_default);
    trees_ = std::max(trees_ / share, 1);
    seed_ = environment_number<std::uint64_t>("HALOCLINE_SEED", seed_, 0);
    if (seconds_)
      std::cout << "HALOCLINE_SECONDS=" << *seconds_ << " HALOCLINE_SEED=" << seed_ << std::endl;
    else
      std::cout << "HALOCLINE_TREES=" << trees_ << " HALOCLINE_SEED=" << seed_ << std::endl;
  }

  /// Is there one more? Call it once for each.
  [[nodiscard]] bool next() {
    const double now = seconds_since(begin_);
    if (now >= next_word_) {
      std::cout << done_ << " trees in " << static_cast<int>(now)
                << " s, the next one is HALOCLINE_SEED=" << seed_ + static_cast<std::uint64_t>(done_)
                << std::endl;
      next_word_ = now + between_words;
    }
    if (done_ == trees_ || (seconds_ && now >= *seconds_)) return false;
    ++done_;
    return true;
  }
  /// Of the tree at hand.
  [[nodiscard]] std::uint64_t seed() const { return seed_ + static_cast<std::uint64_t>(done_) - 1; }
  /// How many there were, this one included.
  [[nodiscard]] int done() const { return done_; }

  /// How to repeat the tree at hand.
  friend std::ostream& operator<<(std::ostream& out, const TreeRun& run) {
    return out << "HALOCLINE_TREES=1 HALOCLINE_SEED=" << run.seed() << " ";
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr double between_words = 10;

  static double seconds_since(Clock::time_point then) {
    return std::chrono::duration<double>(Clock::now() - then).count();
  }

  int trees_ = 0;
  std::optional<double> seconds_;
  std::uint64_t seed_ = std::random_device()();
  int done_ = 0;
  Clock::time_point begin_ = Clock::now();
  double next_word_ = between_words;
};

/// Is it so for the layout or any part of it?
template <class Predicate>
bool any_part(const Layout& layout, const Predicate& predicate) {
  return predicate(layout) || std::any_of(layout.members().begin(), layout.members().end(),
                                          [&](const Layout& member) { return any_part(member, predicate); });
}

/// Open MPI takes a stride of exactly -1 byte for "one block after the other".
inline bool has_default_stride_of_open_mpi([[maybe_unused]] const Layout& layout) {
#ifdef OPEN_MPI
  return any_part(layout, [](const Layout& part) {
    if (const auto* v = part.as<Layout::Hvector>()) return v->stride_bytes == -1;
    if (const auto* v = part.as<Layout::Vector>()) return v->stride * part.element().extent() == -1;
    return false;
  });
#else
  return false;
#endif
}

/// Has it a struct with a member of no bytes? Open MPI counts the member for the bounds but forgets it in
/// packing. MPICH divides by its size: where the processor traps that, as x86 does, the program ends.
inline bool has_empty_member(const Layout& layout) {
  return any_part(layout, [](const Layout& part) {
    return part.as<Layout::Struct>() != nullptr &&
           std::any_of(part.members().begin(), part.members().end(),
                       [](const Layout& member) { return member.size() == 0; });
  });
}

/// Has it a negative extent inside? MPICH merges copies of copies as if bounds came from the first copy.
inline bool has_negative_extent_of_mpich([[maybe_unused]] const Layout& layout) {
#ifdef OPEN_MPI
  return false;
#else
  return any_part(layout, [](const Layout& part) { return part.extent() < 0; });
#endif
}

/// Has it elements that this MPI copies by value, so that bytes which carry nothing need not arrive? MPICH
/// does so with long doubles, of which x86 uses ten bytes of sixteen.
inline bool is_copied_by_value(const Layout& layout) {
#ifdef OPEN_MPI
  constexpr bool has_idle_bytes = false;
#else
  constexpr bool has_idle_bytes = std::numeric_limits<long double>::digits == 64;
#endif
  return has_idle_bytes && layout.to_text().find("long-double") != std::string::npos;
}

/// Is it one of the trees that this MPI packs as its own extents and the bytes of the buffer say?
inline bool is_packed_well(const Layout& layout) {
  return !has_empty_member(layout) && !has_negative_extent_of_mpich(layout) && !is_copied_by_value(layout);
}

}  // namespace halocline
