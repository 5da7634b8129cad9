// SPDX-License-Identifier: BSD-3-Clause
#include "network/points/reversing_orderings.hpp"

namespace halocline::network {
namespace {

RegionView flipped(RegionView view, std::uint64_t mask) {
  view.reversed ^= mask;
  return view;
}

std::uint64_t bit(std::size_t dimension) { return std::uint64_t{1} << dimension; }

std::uint64_t all(std::size_t dimensions) { return bit(dimensions - 1) | (bit(dimensions - 1) - 1); }

bool upper(Count piece) { return piece % 2 != 0; }

}  // namespace

RegionView z_view(const RegionView& region, std::size_t, Count, std::size_t) { return region; }

RegionView gray_view(const RegionView& region, std::size_t, Count piece, std::size_t dimensions) {
  return upper(piece) ? flipped(region, all(dimensions)) : region;
}

RegionView fz_view(const RegionView& region, std::size_t dimension, Count piece, std::size_t) {
  return upper(piece) ? flipped(region, bit(dimension)) : region;
}

RegionView mfz_view(const RegionView& region, std::size_t dimension, Count piece, std::size_t) {
  return upper(piece) ? region : flipped(region, bit(dimension));
}

}  // namespace halocline::network
