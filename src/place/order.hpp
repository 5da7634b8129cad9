// SPDX-License-Identifier: BSD-3-Clause
// Which process shall have which number: a placement for programs that compute their neighbours from ranks.
#pragma once

#include "halocline/describe/grid.hpp"
#include "halocline/describe/runs.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace halocline::place {

/// A number for each process of the node-sorted order (node after node, on each as the launcher counts them).
/// An immutable value.
class Order {
 public:
  /// `ranks`: by position in the node-sorted order. Throws Error{invalid_argument} if they are not the
  /// numbers from 0 on, each once, or not as many as the nodes hold.
  Order(Runs nodes, std::vector<Rank> ranks);

  [[nodiscard]] const Runs& nodes() const { return nodes_; }  ///< The sizes it was made for.
  [[nodiscard]] Count size() const { return nodes_.total(); }
  [[nodiscard]] std::span<const Rank> ranks() const { return ranks_; }  ///< By position.
  /// Where each rank is: the inverse.
  [[nodiscard]] std::vector<Rank> positions() const;

  /// The contents of an order file.
  [[nodiscard]] std::string to_text() const;
  /// Takes back what to_text() writes. Throws Error{invalid_argument} that names the line and what is wrong
  /// with it, also for a text that ends early; Error{unsupported} for another version.
  [[nodiscard]] static Order parse(std::string_view text);

  friend bool operator==(const Order&, const Order&) = default;

 private:
  Runs nodes_;
  std::vector<Rank> ranks_;
};

}  // namespace halocline::place
