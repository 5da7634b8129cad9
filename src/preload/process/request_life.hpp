// How often a request is started.
#pragma once

namespace halocline::preload {

enum class Life { once, persistent };

}  // namespace halocline::preload
