// SPDX-License-Identifier: BSD-3-Clause
// Writes the canonical form of a byte sequence, term by term.
#pragma once

#include "compile/form/run_sequence.hpp"

#include <unordered_map>

namespace halocline::compile {

class CanonicalWriter {
 public:
  explicit CanonicalWriter(Canonical& canonical) : out_(canonical) {}

  void write(const RunSequence& form);

 private:
  using SegmentSpan = std::span<const Segment>;

  void write_terms(const RunSequence& form);
  void write_item(const RunSequence::Item& item);
  void write_plain(SegmentSpan runs);
  void write_nest(const Nest& nest);
  void write_list(SegmentSpan runs, const Nest& loops);
  void write_dims(Canonical::Term& term, const Nest& nest);
  void write_entries(Canonical::Term& term, SegmentSpan runs);

  Canonical& out_;
  Count origin_ = 0;  ///< Of the offsets of runs and nests.
  /// Copies of an item share their list: it is written once.
  bool share_lists_ = false;
  std::unordered_map<const void*, Canonical::Term> written_;
};

}  // namespace halocline::compile
