// SPDX-License-Identifier: BSD-3-Clause
// halocline place --trace and plan --trace: which rank shall be where, by the messages that a program sent.
#pragma once

#include "tools/common/command.hpp"
#include "tools/common/shared_options.hpp"
#include "tools/plan/near_words.hpp"
#include "tools/plan/price_words.hpp"
#include "tools/plan/rank_file_words.hpp"
#include "tools/traced/traced_job.hpp"

#include <optional>
#include <string>

namespace halocline::tools {

/// What the command line says of it; most words are those of placements of grids, too.
struct TracedPlaceWords {
  std::string trace;
  std::string order;  ///< Where the order is written; nowhere if empty, as all files.
  std::string svg;
  std::optional<TracedJob> described;  ///< By other words.
  const NetworkWords& network;
  const std::string& mapping;
  const std::string& hosts;
  const RankFileWords& rank_file;
  double seconds;
  const PriceWords* prices = nullptr;  ///< By which times are told, if any are.
  std::string html = {};               ///< A page, which shows times.
  NearWords* near = nullptr;           ///< Ranks change places on their nodes, if they shall.
};

/// Throws Error{invalid_argument} that names what does not fit; then no file is written.
[[nodiscard]] Answer answer_traced_place(const TracedPlaceWords& words);

}  // namespace halocline::tools
