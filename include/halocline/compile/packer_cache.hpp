// Packers by what they do: programs commit the same datatype many times under different handles.
#pragma once

#include "halocline/compile/packer.hpp"

#include <unordered_map>

namespace halocline::compile {

/// Packers of one engine, one for each canonical form. For one thread at a time; whoever owns it decides how
/// long the packers are kept.
class PackerCache {
 public:
  explicit PackerCache(const Engine& engine = default_engine()) : engine_(&engine) {}

  /// A packer of the parts: a known one if any has the same canonical form. Throws as Packer does.
  [[nodiscard]] Packer packer(std::span<const Part> parts);
  [[nodiscard]] Packer packer(const Part& part) { return packer(std::span(&part, 1)); }

  /// How many different packers are kept.
  [[nodiscard]] std::size_t size() const { return packers_.size(); }
  void clear() { packers_.clear(); }

 private:
  const Engine* engine_;
  std::unordered_map<Canonical, Packer> packers_;
};

}  // namespace halocline::compile
