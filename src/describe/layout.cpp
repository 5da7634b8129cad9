// SPDX-License-Identifier: BSD-3-Clause
#include "halocline/describe/layout.hpp"

#include "base/index.hpp"
#include "base/inside.hpp"
#include "describe/layout_measures.hpp"

#include <atomic>

namespace halocline {

struct HALOCLINE_INSIDE Layout::Node {
  Node(Constructor applied, Layout to)
      : constructor(std::move(applied)),
        element(std::move(to)),
        measures(measure(constructor, {&element, 1})) {}
  Node(Constructor applied, std::vector<Layout> to)
      : constructor(std::move(applied)), members(std::move(to)), measures(measure(constructor, members)) {}
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;
  ~Node();

  void release_members(std::vector<Layout>& orphans);

  Constructor constructor;
  Layout element;  ///< Of a constructor with one member: saves the allocation of a list.
  std::vector<Layout> members;
  Measures measures;
};

/// Moves the members that nobody else holds to `orphans`.
void Layout::Node::release_members(std::vector<Layout>& orphans) {
  const auto release = [&](Layout& member) {
    if (member.node_.use_count() == 1) orphans.push_back(std::move(member));
  };
  release(element);
  for (Layout& member : members) release(member);
}

// Without recursion: a deep tree must not exhaust the stack.
Layout::Node::~Node() {
  std::vector<Layout> orphans;
  release_members(orphans);
  while (!orphans.empty()) {
    const Layout orphan = std::move(orphans.back());
    orphans.pop_back();
    // Another thread may have read the node just before it dropped it.
    std::atomic_thread_fence(std::memory_order_acquire);
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): this was the last owner
    const_cast<Node&>(*orphan.node_).release_members(orphans);
  }
}

Layout::Layout(Constructor constructor, std::vector<Layout> members)
    : node_(members.size() == 1 && !std::holds_alternative<Struct>(constructor)
                ? std::make_shared<Node>(std::move(constructor), std::move(members.front()))
                : std::make_shared<Node>(std::move(constructor), std::move(members))) {}

Layout Layout::over(Constructor constructor, Layout element) {
  Layout layout;
  layout.node_ = std::make_shared<Node>(std::move(constructor), std::move(element));
  return layout;
}

Layout Layout::named(Elementary type) {
  static const std::vector<Layout> all = [] {
    std::vector<Layout> layouts;
    for (const ElementaryTraits& each : elementary_types())
      layouts.emplace_back(Named{each.type}, std::vector<Layout>());
    return layouts;
  }();
  return all[to_index(traits(type).type)];
}

Layout Layout::dup(Layout element) { return over(Dup{}, std::move(element)); }

Layout Layout::contiguous(Count count, Layout element) { return over(Contiguous{count}, std::move(element)); }

Layout Layout::vector(Count count, Count blocklength, Count stride, Layout element) {
  return over(Vector{count, blocklength, stride}, std::move(element));
}

Layout Layout::hvector(Count count, Count blocklength, Count stride_bytes, Layout element) {
  return over(Hvector{count, blocklength, stride_bytes}, std::move(element));
}

Layout Layout::indexed(Counts blocklengths, Counts displacements, Layout element) {
  return over(Indexed{std::move(blocklengths), std::move(displacements)}, std::move(element));
}

Layout Layout::hindexed(Counts blocklengths, Counts displacement_bytes, Layout element) {
  return over(Hindexed{std::move(blocklengths), std::move(displacement_bytes)}, std::move(element));
}

Layout Layout::indexed_block(Count blocklength, Counts displacements, Layout element) {
  return over(IndexedBlock{blocklength, std::move(displacements)}, std::move(element));
}

Layout Layout::hindexed_block(Count blocklength, Counts displacement_bytes, Layout element) {
  return over(HindexedBlock{blocklength, std::move(displacement_bytes)}, std::move(element));
}

Layout Layout::structure(Counts blocklengths, Counts displacement_bytes, std::vector<Layout> members) {
  return {Struct{std::move(blocklengths), std::move(displacement_bytes)}, std::move(members)};
}

Layout Layout::subarray(Counts sizes, Counts subsizes, Counts starts, Order order, Layout element) {
  return over(Subarray{std::move(sizes), std::move(subsizes), std::move(starts), order}, std::move(element));
}

Layout Layout::darray(Darray arguments, Layout element) {
  return over(std::move(arguments), std::move(element));
}

Layout Layout::resized(Count lb, Count extent, Layout element) {
  return over(Resized{lb, extent}, std::move(element));
}

const Layout::Constructor& Layout::constructor() const { return node_->constructor; }

std::span<const Layout> Layout::members() const {
  if (node_->element.node_) return {&node_->element, 1};
  return node_->members;
}

const Layout::Measures& Layout::measures() const { return node_->measures; }

bool Layout::operator==(const Layout& other) const {
  if (node_ == other.node_) return true;  // mostly, and takes no memory
  std::vector<std::pair<const Layout*, const Layout*>> pairs{{this, &other}};
  while (!pairs.empty()) {
    const auto [a, b] = pairs.back();
    pairs.pop_back();
    if (a->node_ == b->node_) continue;
    if (a->measures() != b->measures() || a->constructor() != b->constructor() ||
        a->members().size() != b->members().size())
      return false;
    for (std::size_t i = 0; i < a->members().size(); ++i)
      pairs.emplace_back(&a->members()[i], &b->members()[i]);
  }
  return true;
}

}  // namespace halocline
