// The tags of our messages, on communicators that are ours alone.
#pragma once

namespace halocline::preload {

enum Tag : int {
  blocking_tag,
  pending_tag,
  unused_tag,  ///< Of no message ever.
  offer_tag,   ///< Of the two messages that make a stream.
  verdict_tag,
  first_persistent_tag,  ///< One for each persistent collective, from here on.
};

}  // namespace halocline::preload
