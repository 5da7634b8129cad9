#include "halocline/compile/packer_cache.hpp"

namespace halocline::compile {

Packer PackerCache::packer(std::span<const Part> parts) {
  Canonical canonical(parts);
  if (const auto known = packers_.find(canonical); known != packers_.end()) return known->second;
  return packers_.emplace(std::move(canonical), Packer(parts, *engine_)).first->second;
}

}  // namespace halocline::compile
