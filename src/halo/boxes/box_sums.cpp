// SPDX-License-Identifier: BSD-3-Clause
#include "halo/boxes/box_sums.hpp"

#include "base/fail.hpp"
#include "base/index.hpp"
#include "base/integers.hpp"
#include "base/join.hpp"
#include "base/numbers.hpp"
#include "mpi/handles/agree.hpp"
#include "mpi/handles/comm.hpp"

#include <limits>
#include <map>

namespace halocline::halo {
namespace {

const char* word_of_way(Accumulate how) {
  return how == Accumulate::sum   ? "added"
         : how == Accumulate::min ? "compared for the least"
                                  : "compared for the largest";
}

/// What all elements of a field on the boxes of this process hold; nothing on a process without boxes.
struct BoxNumbers {
  std::optional<Numbers> numbers;
  bool alike = true;
};

BoxNumbers numbers_on_boxes(const std::vector<FieldView>& views) {
  BoxNumbers found;
  for (const FieldView& view : views) {
    Numbers numbers = known_numbers(view.element());
    if (!found.numbers)
      found.numbers = std::move(numbers);
    else
      found.alike = found.alike && numbers.to_text() == found.numbers->to_text();
  }
  return found;
}

constexpr Count anything = std::numeric_limits<Count>::max();  ///< Of a process without boxes.

/// Of each field: do all processes have the same numbers? Collective.
std::vector<BoxNumbers> agreed_numbers(MPI_Comm comm, const BoxViews& fields) {
  std::vector<BoxNumbers> all;
  Counts least;
  for (const std::vector<FieldView>& views : fields) {
    all.push_back(numbers_on_boxes(views));
    const BoxNumbers& own = all.back();
    const Count print = own.numbers ? static_cast<Count>(mpi::fingerprint(own.numbers->to_text())) : anything;
    least.insert(least.end(), {print, own.numbers ? ~print : anything, own.alike ? 1 : 0});
  }
  HALOCLINE_MPI(Allreduce, MPI_IN_PLACE, least.data(), to_int(least.size()), MPI_INT64_T, MPI_MIN, comm);
  for (std::size_t f = 0; f < all.size(); ++f) {
    const Count print = least[3 * f], other = least[3 * f + 1];
    all[f].alike = least[3 * f + 2] == 1 && (print == ~other || print == anything);
  }
  return all;
}

void require_combinable(const std::vector<BoxNumbers>& fields, Accumulate how) {
  for (std::size_t f = 0; f < fields.size(); ++f) {
    const std::optional<Numbers>& numbers = fields[f].numbers;
    if (!fields[f].alike)
      fail(Fault::invalid_type, "field ", f,
           " has elements of other numbers on some boxes than on others; they cannot be ", word_of_way(how),
           ", only replaced");
    if (!numbers) continue;
    if (!numbers->unknown.empty())
      fail(Fault::invalid_type, "field ", f, " has elements that cannot be ", word_of_way(how),
           ", only replaced: ", numbers->unknown, "; a layout of numbers tells which there are");
    if (how != Accumulate::sum && numbers->complex())
      fail(Fault::invalid_type, "field ", f, " has complex numbers, which cannot be ", word_of_way(how),
           ", only added or replaced");
  }
}

Layout raw_bytes(Count bytes) { return Layout::contiguous(bytes, Layout::named(Elementary::byte)); }

}  // namespace

BoxSums::BoxSums(MPI_Comm comm, const BoxGround& ground, const exchange::PartsExchange::Manner& manner) {
  find_refusals(comm, ground);
  struct Coming {
    Rank from;
    Count bytes;
  };
  const Rank rank = mpi::rank(comm);
  const OwnPlaces place(ground.boxes, rank);
  std::vector<Coming> coming;
  std::map<Rank, exchange::PeerParts> peers;
  exchange::OwnParts own;
  const auto peer = [&](Rank other) -> exchange::PeerParts& {
    exchange::PeerParts& its = peers[other];
    its.rank = other;
    return its;
  };
  std::vector<compile::Part> going_to_itself;
  (void)mpi::agreed(comm, [&] {
    Count bytes = 0;
    for_each_piece(
        ground.boxes, ground.directions, rank, ground.shapes,
        [&](std::size_t to, std::size_t f, const Connection& piece) {
          const Rank holder = ground.boxes[to].owner, owner = ground.boxes[piece.from].owner;
          const std::vector<std::size_t>& order = ground.shapes[f].order;
          if (holder == rank) {
            compile::Part part = ghost_part(ground.fields[f][place[to]], piece, order);
            if (owner == rank)
              going_to_itself.push_back(std::move(part));
            else
              peer(owner).out.push_back(std::move(part));
          }
          if (owner != rank) return;
          const FieldView shown = shown_view(ground.fields[f][place[piece.from]], piece);
          const FieldView::Part all{Cell(shown.dimensions(), 0), shown.extents()};
          // Numbers that are unknown are never combined.
          arrivals_.push_back({addends_of(known_numbers(shown.element()), shown, all, order, bytes),
                               shown_part(shown, order), bytes, std::nullopt});
          const Count more = checked_multiply(checked_product(shown.extents()), shown.element().size());
          coming.push_back({holder, more});
          bytes = checked_add(bytes, more);
        });
    arrived_.resize(to_size(std::max(bytes, Count{1})));
    auto itself = going_to_itself.begin();
    for (std::size_t i = 0; i < coming.size(); ++i) {
      compile::Part into{raw_bytes(coming[i].bytes), 1, to_count(arrived_.data() + arrivals_[i].from)};
      if (coming[i].from == rank)
        own.copies.emplace_back(*itself++, std::move(into));
      else
        peer(coming[i].from).in.push_back(std::move(into));
    }
    return true;
  });
  std::vector<exchange::PeerParts> list;
  list.reserve(peers.size());
  for (auto& [other, parts] : peers) list.push_back(std::move(parts));
  exchange_ = std::make_unique<exchange::PartsExchange>(comm, std::move(list), std::move(own), manner);
}

BoxSums::~BoxSums() {
  try {
    wait();
  } catch (const std::exception&) {  // nobody is left to tell
    return;
  }
}

void BoxSums::find_refusals(MPI_Comm comm, const BoxGround& ground) {
  const std::vector<BoxNumbers> numbers = agreed_numbers(comm, ground.fields);
  for (std::size_t way = 0; way < ways; ++way) try {
      (void)mpi::agreed(comm, [&] {
        require_combinable(numbers, static_cast<Accumulate>(way));
        return true;
      });
    } catch (const Error& error) {
      refusals_[way] = error;
    }
}

void BoxSums::start(Accumulate how) {
  static_assert(to_index(Accumulate::replace) == ways);
  if (how == Accumulate::replace) {
    for (Arrival& arrival : arrivals_)
      if (!arrival.packer) arrival.packer.emplace(arrival.own);
  } else if (const auto& refusal = refusals_[to_index(how)]) {
    throw Error(*refusal);
  }
  how_ = how;
  exchange_->start();
}

bool BoxSums::test() {
  if (!how_) return true;
  if (!exchange_->test()) return false;
  combine();
  return true;
}

void BoxSums::wait() {
  if (!how_) return;
  exchange_->wait();
  combine();
}

void BoxSums::combine() {
  for (const Arrival& arrival : arrivals_) {
    if (*how_ == Accumulate::replace)
      arrival.packer->unpack(arrived_.data() + arrival.from, nullptr);
    else
      for (const Addends& addends : arrival.addends) accumulate(addends, arrived_.data(), *how_);
  }
  how_.reset();
}

}  // namespace halocline::halo
