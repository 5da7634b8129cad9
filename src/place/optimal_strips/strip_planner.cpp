// SPDX-License-Identifier: BSD-3-Clause
// Where a strip starts inside a node depends only on the widths before it, through their sum. So the best cut
// of the first x layers that ends with an interval of width w is all a dynamic program has to know. Slabs are
// cut the same way, with the best strips inside each; among equal nodes all repeats modulo their size.

#include "place/optimal_strips/strip_planner.hpp"
#include "base/index.hpp"
#include "base/numbers.hpp"

#include "place/optimal_strips/numbered_parts.hpp"
#include "place/optimal_strips/slab.hpp"
#include "place/optimal_strips/slab_turns.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <optional>
#include <set>

namespace halocline::place {
namespace {

/// Pairs of columns at a turn are compared many at a time.
constexpr Count pairs_in_a_step = 8;
constexpr Count largest_counted = 100'000;  ///< In smaller grids J_max is counted anyway.

}  // namespace

class StripPlanner::Search {
 public:
  Search(const Problem& problem, const Steps& steps, Counts sizes, std::vector<std::size_t> order,
         const WidthRange& range)
      : grid_(problem.grid()),
        stencil_(steps),
        sizes_(std::move(sizes)),
        order_(std::move(order)),
        range_(range) {
    for (const std::size_t d : order_) {
      extents_.push_back(grid_.extents()[d]);
      rings_.push_back(grid_.periodic(d) ? extents_.back() : 0);
    }
    mirrored_ = strip_links(grid_, stencil_, order_, std::vector<Fill>(order_.size() - 1, Fill::as_walked));
    for (std::size_t level = 0; level + 1 < order_.size(); ++level) at_turns_.emplace_back(mirrored_, level);
    crossing_.assign(order_.size(), 0);
    for (const CellLink& link : mirrored_.list)
      for (std::size_t j = 0; j < order_.size(); ++j)
        crossing_[j] += to_double(link.weight) * to_double(std::abs(link.step[j]));
    Count places = 0;
    for (const Count size : sizes_) {
      first_place_.push_back(places);
      places += size;
    }
    places_ = places <= largest_table ? places : 0;
    if (order_.size() > 1) whole_ = make_slab({});
  }

  std::optional<PlannedStrips> plan(double& most, const Rows& rows, const NodeLine& nodes) {
    PlannedStrips result{{order_, rows, {}}, 0, false};
    if (order_.size() == 1) return result;
    steps_ = 0;
    most_steps_ = most;
    const SubPlan* const best = best_cut(rows, nodes);
    most -= to_double(steps_);
    if (best == nullptr) return std::nullopt;
    result.plan.parts = numbered_parts(*best);
    set_turns(result.plan);
    // Slanted rows are cut off at the ends of a strip, which the model overlooks: never less than nothing.
    result.cost = ratio_of(std::max(Count{0}, links_.total - best->kept), links_.scale);
    const Count smallest = smallest_strip(result.plan, extents_);
    result.exact = links_.exact && mirrored_.exact && smallest >= sizes_.back() &&
                   !may_keep_around(result.plan, smallest);
    if (result.exact && grid_.size() > largest_counted) result.maximum_at_most = maximum_at_most(*best);
    return result;
  }

  [[nodiscard]] double work() const {
    auto work = to_double(mirrored_.list.size());
    for (std::size_t j = 0; j + 1 < extents_.size(); ++j)
      work *= to_double(extents_[j]) * to_double(whole_->choice.tried.size());
    return work;
  }

 private:
  /// Of the whole grid; none if it takes too many steps.
  const SubPlan* best_cut(const Rows& rows, const NodeLine& nodes) {
    const bool other_rows = rows_ != rows;
    if (other_rows) {
      rows_ = rows;
      links_ = strip_links(grid_, stencil_, order_, rows.fill);
    }
    forget_plans(*whole_, other_rows);
    const NodeLine::Stretch* const start = nodes.stretches().data();
    const SubPlan* best = solve(*whole_, 0, start);
    for (; best == nullptr && !too_long(); best = solve(*whole_, 0, start)) {
      range_.spread *= 2;
      range_.reach *= 2;
      turns_of_slabs_.clear();
      whole_ = make_slab({});
    }
    return too_long() ? nullptr : best;
  }

  [[nodiscard]] bool too_long() const { return to_double(steps_) > most_steps_; }

  [[nodiscard]] bool cuts_strips(const Slab& slab) const { return slab.widths.size() + 2 == order_.size(); }

  [[nodiscard]] std::unique_ptr<Slab> make_slab(Counts widths) const {
    auto slab = std::make_unique<Slab>();
    const std::size_t level = widths.size();
    for (const Count width : widths) slab->layer *= width;
    slab->choice = widths_to_try(std::span(crossing_).subspan(level), std::span(extents_).subspan(level),
                                 slab->layer, sizes_, range_, rings_[level] > 0);
    for (std::size_t j = level + 1; j < extents_.size(); ++j) slab->layer *= extents_[j];
    slab->widths = std::move(widths);
    slab->inside.resize(cuts_strips(*slab) ? 0 : slab->choice.tried.size());
    slab->strips.resize(cuts_strips(*slab) ? slab->choice.tried.size() : 0);
    if (!cuts_strips(*slab)) return slab;
    const Counts& tried = slab->choice.tried;
    slab->wide =
        to_index(std::lower_bound(tried.begin(), tried.end() - 1, at_turns_[level].reach) - tried.begin());
    slab->turns.resize((slab->wide + 1) * (slab->wide + 1));
    slab->kept_at_turns.resize(to_size(std::max(places_, Count{1})));
    return slab;
  }

  /// Makes room for another line of nodes, and for other rows. Turns stay: they depend on widths and on the
  /// mirrored links only.
  void forget_plans(Slab& slab, bool other_rows) {
    slab.solved.clear();
    for (auto& strip : slab.strips)
      if (strip && other_rows) {
        strip->set_rows(links_, rows_.slope, rings_);
        count_section(strip->section());
      }
    for (auto& inside : slab.inside)
      if (inside) forget_plans(*inside, other_rows);
  }

  void count_section(const Section& section) { steps_ += section.cells() * count_of(links_.list); }

  void count_turn(const StripTurn& turn) { steps_ += 4 + turn.pairs() / pairs_in_a_step; }

  Strip& strip(Slab& slab, std::size_t width) {
    auto& known = slab.strips[width];
    if (!known) {
      Counts widths = slab.widths;
      widths.push_back(slab.choice.tried[width]);
      known = std::make_unique<Strip>(Section(std::move(widths), links_, rows_.slope, rings_),
                                      extents_.back(), sizes_);
      count_section(known->section());
    }
    return *known;
  }

  Slab& inside(Slab& slab, std::size_t width) const {
    auto& known = slab.inside[width];
    if (!known) {
      Counts widths = slab.widths;
      widths.push_back(slab.choice.tried[width]);
      known = make_slab(std::move(widths));
    }
    return *known;
  }

  /// What the node at a turn keeps across it.
  [[nodiscard]] Count kept_across(const StripTurn& turn, const Section& first, const Section& second,
                                  const TurnPlace& place) const {
    return turn.kept(first, std::min(place.past, first.cells() * extents_.back()), second,
                     std::min(sizes_[place.kind] - place.past, second.cells() * extents_.back()));
  }

  /// What is kept across a turn at a place, as far as known, for each pair of widths. Forgotten with the next
  /// call if there are many places.
  Counts& kept_at_turn(Slab& slab, const TurnPlace& place) const {
    Counts& known = slab.kept_at_turns[places_ > 0 ? to_index(first_place_[place.kind] + place.past) : 0];
    if (known.empty() || places_ == 0) known.assign(slab.strips.size() * slab.strips.size(), unknown);
    return known;
  }

  Count kept_across_new(Slab& slab, std::size_t pair, const TurnPlace& place) {
    const std::size_t tried = slab.choice.tried.size();
    const Section &first = strip(slab, pair % tried).section(), &second = strip(slab, pair / tried).section();
    std::optional<StripTurn>& turn =
        slab.turns[std::min(pair % tried, slab.wide) * (slab.wide + 1) + std::min(pair / tried, slab.wide)];
    if (!turn) {
      turn.emplace(at_turns_[slab.widths.size()], first, second);
      steps_ += turn->pairs();
    }
    count_turn(*turn);
    return kept_across(*turn, first, second, place);
  }

  /// The same for two slabs that end and start with these strips.
  Count kept_across_slabs(std::size_t level, const Section& first, const Section& second,
                          const TurnPlace& place) {
    auto [known, is_new] = turns_of_slabs_.between(at_turns_[level], first, second);
    if (is_new) steps_ += known.turn.pairs();
    count_turn(known.turn);  // known or not: steps say how large a plan is
    if (known.place != place) {
      known.kept = kept_across(known.turn, first, second, place);
      known.place = place;
    }
    return known.kept;
  }

  /// Slabs with the same key are cut alike: inside nodes of one size only the place in a node matters.
  [[nodiscard]] Count key(const Slab& slab, Count position, const NodeLine::Stretch& stretch) const {
    const Count cells = slab.layer * extents_[slab.widths.size()];
    if (position + cells > stretch.end()) return position;
    return -1 - first_place_[stretch.kind] - stretch.past(position);
  }

  /// The best cut of a slab that starts at `position`, which lies in `stretch`; none if the windows allow no
  /// sum of widths.
  const SubPlan* solve(Slab& slab, Count position, const NodeLine::Stretch* stretch) {
    const auto [found, is_new] = slab.solved.try_emplace(key(slab, position, *stretch));
    if (!is_new) return found->second ? &*found->second : nullptr;

    const std::span<const Count> tried = slab.choice.tried;
    const Count extent = extents_[slab.widths.size()];
    const bool cuts = cuts_strips(slab);
    std::vector<CutSoFar>& states = slab.states;
    states.assign((to_size(extent) + 1) * tried.size(), {});
    struct Reached {
      std::size_t width;
      Count kept;
    };
    std::vector<Reached> reached;
    steps_ += count_of(states) / 4;
    for (Count x = 0; x < extent; ++x) {
      if (too_long()) return nullptr;
      const CutSoFar* const here = states.data() + to_index(x) * tried.size();
      reached.clear();
      for (std::size_t width = 0; width < tried.size(); ++width)
        if (here[width].kept != unreachable) reached.push_back({width, here[width].kept});
      if (x > 0 && reached.empty()) continue;
      const Count start = position + x * slab.layer;
      while (start >= stretch->end()) ++stretch;
      const TurnPlace place{stretch->kind, stretch->past(start)};
      if (place.past == 0 && !reached.empty())  // no node in both: only the best so far matters
        reached = {*std::max_element(reached.begin(), reached.end(),
                                     [](const Reached& a, const Reached& b) { return a.kept < b.kept; })};
      Count* const turns = place.past > 0 && cuts ? kept_at_turn(slab, place).data() : nullptr;
      const auto [first_width, last_width] = slab.choice.by_size[place.kind];
      for (std::size_t width = first_width; width < last_width && x + tried[width] <= extent; ++width) {
        CutSoFar next;
        Count own = 0;
        if (cuts) {
          Strip& filled = strip(slab, width);
          own = filled.kept(*stretch, start, place.past);
          steps_ += filled.take_steps();
        } else {
          next.inside = solve(inside(slab, width), start, stretch);
          if (next.inside == nullptr) continue;
          own = next.inside->kept;
        }
        if (x == 0) next.kept = 0;
        steps_ += 2 + count_of(reached);
        for (const auto& [previous, kept_before] : reached) {
          Count kept = kept_before;
          if (turns != nullptr) {
            Count& across = turns[width * tried.size() + previous];
            if (across == unknown) across = kept_across_new(slab, width * tried.size() + previous, place);
            kept += across;
          } else if (place.past > 0) {
            kept += kept_across_slabs(slab.widths.size(), *here[previous].inside->last, *next.inside->first,
                                      place);
          }
          if (kept <= next.kept) continue;
          next.kept = kept;
          next.previous = previous;
        }
        next.kept += own;
        states[to_index(x + tried[width]) * tried.size() + width] = next;
      }
    }
    if (too_long()) return nullptr;
    found->second = traced_back(slab);
    return found->second ? &*found->second : nullptr;
  }

  std::optional<SubPlan> traced_back(Slab& slab) {
    const std::vector<CutSoFar>& states = slab.states;
    const std::size_t tried = slab.choice.tried.size();
    const CutSoFar* const ends = states.data() + states.size() - tried;
    std::size_t width = 0;
    for (std::size_t i = 1; i < tried; ++i)
      if (ends[i].kept > ends[width].kept) width = i;
    if (ends[width].kept == unreachable) return std::nullopt;
    SubPlan plan;
    plan.kept = ends[width].kept;
    for (Count x = extents_[slab.widths.size()]; x > 0;) {
      const CutSoFar& state = states[to_index(x) * tried + width];
      x -= slab.choice.tried[width];
      plan.intervals.push_back({x, slab.choice.tried[width]});
      if (cuts_strips(slab)) {
        plan.first = &strip(slab, width).section();
        if (plan.last == nullptr) plan.last = plan.first;
      } else {
        plan.first = state.inside->first;
        if (plan.last == nullptr) plan.last = state.inside->last;
        plan.inside.push_back(state.inside);
      }
      width = state.previous;
    }
    std::reverse(plan.intervals.begin(), plan.intervals.end());
    std::reverse(plan.inside.begin(), plan.inside.end());
    return plan;
  }

  /// May a link that leads around the grid stay on a node, which the model overlooks? Not if nodes, whose
  /// pieces lie in two strips that touch, are short of that in every direction.
  [[nodiscard]] bool may_keep_around(const StripPlan& plan, Count smallest_strip) const {
    const bool slanted = plan.rows.slope != Counts(plan.rows.slope.size(), 0);
    Counts longest = largest_widths(plan);
    for (Count& width : longest) width *= 2;
    longest.push_back(divide_up(sizes_.back(), smallest_strip / extents_.back()) + 1);
    for (std::size_t j = 0; j < rings_.size(); ++j)
      for (const GridStep& step : stencil_.list)
        if (rings_[j] > 0 && (slanted || longest[j] + std::abs(step.offset[order_[j]]) > rings_[j]))
          return true;
    return false;
  }

  void add_sections(Slab& slab, const SubPlan& plan, std::set<const SubPlan*>& seen,
                    std::set<const Section*>& sections) {
    if (!seen.insert(&plan).second) return;
    const Counts& tried = slab.choice.tried;
    for (std::size_t i = 0; i < plan.intervals.size(); ++i) {
      const auto width =
          to_index(std::lower_bound(tried.begin(), tried.end(), plan.intervals[i].width) - tried.begin());
      if (cuts_strips(slab))
        sections.insert(&strip(slab, width).section());
      else
        add_sections(inside(slab, width), *plan.inside[i], seen, sections);
    }
  }

  /// What a node sends at most if no node reaches into a third strip: it keeps no less than the two pieces
  /// that keep least in any strip of the plan. None if looking at all pieces takes too long.
  [[nodiscard]] std::optional<Count> maximum_at_most(const SubPlan& plan) {
    std::set<const SubPlan*> seen;
    std::set<const Section*> sections;
    add_sections(*whole_, plan, seen, sections);
    constexpr Count most_pieces = 100'000;
    Count columns = 0, all = 0, largest = 0;
    for (const Section* section : sections) columns += section->cells();
    if (columns > most_pieces / sizes_.back()) return std::nullopt;
    Counts least(to_size(sizes_.back()) + 1, std::numeric_limits<Count>::max());
    least[0] = 0;
    for (std::size_t length = 1; length < least.size(); ++length)
      for (const Section* section : sections)
        for (Count column = 0; column < section->cells(); ++column)
          least[length] = std::min(least[length], section->kept(column, to_count(length)));
    for (const CellLink& link : links_.list) all += link.weight;
    for (const Count size : sizes_)
      for (std::size_t piece = 0, rest = to_size(size); piece <= rest; ++piece, --rest)
        largest = std::max(largest, all * size - least[piece] - least[rest]);
    return largest / links_.scale;
  }

  const Grid& grid_;
  const Steps& stencil_;
  Counts sizes_;  ///< The different sizes of nodes, increasing.
  std::vector<std::size_t> order_;
  Counts extents_;                ///< By level.
  Counts rings_;                  ///< By level: the extent if it wraps around, otherwise 0.
  std::vector<double> crossing_;  ///< By level: the weight that crosses a unit of surface.
  Counts first_place_;            ///< For each kind of node: how many places there are in smaller ones.
  Count places_ = 0;              ///< In nodes of all kinds, 0 if there are many.
  Rows rows_;
  Links links_;                          ///< Inside a strip,
  Links mirrored_;                       ///< and where the walk turns, which it does both ways.
  std::vector<CrossingLinks> at_turns_;  ///< Of those, by level.
  WidthRange range_;
  std::unique_ptr<Slab> whole_;  ///< The grid.
  Count steps_ = 0;              ///< Of the plan that is worked on,
  double most_steps_ = 0;        ///< and how many there may be.
  SlabTurns turns_of_slabs_;
};

StripPlanner::StripPlanner(const Problem& problem, const Steps& steps, const Counts& sizes,
                           std::vector<std::size_t> order, const WidthRange& range)
    : search_(std::make_unique<Search>(problem, steps, sizes, std::move(order), range)) {}
StripPlanner::~StripPlanner() = default;

PlannedStrips StripPlanner::plan(const Rows& rows, const NodeLine& nodes) {
  double any = std::numeric_limits<double>::infinity();
  return *search_->plan(any, rows, nodes);
}

std::optional<PlannedStrips> StripPlanner::plan_within(double& most, const Rows& rows,
                                                       const NodeLine& nodes) {
  return search_->plan(most, rows, nodes);
}
double StripPlanner::work() const { return search_->work(); }

}  // namespace halocline::place
