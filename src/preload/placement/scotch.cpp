// SPDX-License-Identifier: BSD-3-Clause
#include "preload/placement/scotch.hpp"

#include "base/numbers.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>

#include <dlfcn.h>

namespace halocline::preload {
namespace {

/// By the names that distributions and Scotch itself give it.
constexpr const char* libraries[] = {"libscotch-7.0.so", "libscotch.so.7.0", "libscotch-6.1.so",
                                     "libscotch.so"};

struct Close {
  void operator()(void* library) const { dlclose(library); }
};
using Library = std::unique_ptr<void, Close>;

Library open_scotch() {
  for (const char* const name : libraries)
    if (const Library loaded{dlopen(name, RTLD_LAZY | RTLD_NOLOAD)}) return nullptr;
  for (const char* const name : libraries)
    if (Library opened{dlopen(name, RTLD_NOW | RTLD_LOCAL)}) return opened;
  return nullptr;
}

/// Scotch's functions by their names; false when one is missing.
template <class F>
bool find(void* library, const char* name, F*& function) {
  function = reinterpret_cast<F*>(dlsym(library, name));
  return function != nullptr;
}

/// One of Scotch's objects, of a size that Scotch tells.
class Object {
 public:
  using Init = int(void*);
  using Exit = void(void*);
  Object(int bytes, Init* init, Exit* exit)
      : memory_(std::make_unique<std::max_align_t[]>(to_size(bytes) / sizeof(std::max_align_t) + 1)),
        exit_(init(memory_.get()) == 0 ? exit : nullptr) {}
  Object(const Object&) = delete;
  Object& operator=(const Object&) = delete;
  ~Object() {
    if (exit_ != nullptr) exit_(memory_.get());
  }
  [[nodiscard]] bool ready() const { return exit_ != nullptr; }
  [[nodiscard]] void* get() const { return memory_.get(); }

 private:
  std::unique_ptr<std::max_align_t[]> memory_;
  Exit* exit_;
};

/// What is used of an object's kind.
struct Kind {
  int (*size)() = nullptr;
  Object::Init* init = nullptr;
  Object::Exit* exit = nullptr;
  [[nodiscard]] Object make() const { return {size(), init, exit}; }
};

bool find_kind(void* library, const std::string& name, Kind& kind) {
  return find(library, ("SCOTCH_" + name + "Sizeof").c_str(), kind.size) &&
         find(library, ("SCOTCH_" + name + "Init").c_str(), kind.init) &&
         find(library, ("SCOTCH_" + name + "Exit").c_str(), kind.exit);
}

/// Weights as Scotch's integers: their sum must fit, and none may become 0.
template <class Num>
std::vector<Num> scaled(const Counts& weights) {
  double sum = 0;
  for (const Count weight : weights) sum += to_double(weight);
  const double most = to_double(std::numeric_limits<Num>::max()) / 4;
  const double scale = sum > most ? most / sum : 1;
  std::vector<Num> result;
  result.reserve(weights.size());
  for (const Count weight : weights)
    result.push_back(std::max<Num>(1, static_cast<Num>(to_double(weight) * scale)));
  return result;
}

/// Num: the integers that Scotch was built with.
template <class Num>
std::optional<Counts> mapped(void* library, const TaskGraph& graph, const Counts& sizes) {
  Kind graphs, machines, strategies;
  int (*build)(void*, Num, Num, const Num*, const Num*, const Num*, const Num*, Num, const Num*, const Num*) =
      nullptr;
  int (*complete)(void*, Num, const Num*) = nullptr;
  int (*map)(void*, void*, void*, Num*) = nullptr;
  void (*reset)() = nullptr;
  if (!find_kind(library, "graph", graphs) || !find_kind(library, "arch", machines) ||
      !find_kind(library, "strat", strategies) || !find(library, "SCOTCH_graphBuild", build) ||
      !find(library, "SCOTCH_archCmpltw", complete) || !find(library, "SCOTCH_graphMap", map) ||
      !find(library, "SCOTCH_randomReset", reset))
    return std::nullopt;

  const std::vector<Num> starts(graph.starts.begin(), graph.starts.end());
  const std::vector<Num> targets(graph.targets.begin(), graph.targets.end());
  const std::vector<Num> weights = scaled<Num>(graph.weights), shares(sizes.begin(), sizes.end());
  std::vector<Num> parts(graph.vertices());
  const Object tasks = graphs.make(), machine = machines.make(), strategy = strategies.make();
  if (!tasks.ready() || !machine.ready() || !strategy.ready()) return std::nullopt;
  reset();
  if (build(tasks.get(), 0, static_cast<Num>(graph.vertices()), starts.data(), nullptr, nullptr, nullptr,
            static_cast<Num>(targets.size()), targets.data(), weights.data()) != 0 ||
      complete(machine.get(), static_cast<Num>(shares.size()), shares.data()) != 0 ||
      map(tasks.get(), machine.get(), strategy.get(), parts.data()) != 0)
    return std::nullopt;
  const auto is_node = [&](Num part) { return part >= 0 && to_size(part) < sizes.size(); };
  if (!std::all_of(parts.begin(), parts.end(), is_node)) return std::nullopt;
  return Counts(parts.begin(), parts.end());
}

}  // namespace

std::optional<Counts> mapped_by_scotch(const TaskGraph& graph, const Counts& sizes) {
  const Library library = open_scotch();
  int (*bytes)() = nullptr;
  if (!library || !find(library.get(), "SCOTCH_numSizeof", bytes)) return std::nullopt;
  std::optional<Counts> nodes;
  if (bytes() == sizeof(std::int32_t)) nodes = mapped<std::int32_t>(library.get(), graph, sizes);
  if (bytes() == sizeof(std::int64_t)) nodes = mapped<std::int64_t>(library.get(), graph, sizes);
  if (nodes) fill_exactly(graph, sizes, *nodes);
  return nodes;
}

}  // namespace halocline::preload
