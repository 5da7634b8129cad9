// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/streams/parts_exchange.hpp"

#include "base/fail.hpp"
#include "base/numbers.hpp"
#include "halocline/base/error.hpp"
#include "mpi/discovery/slurm_nodes.hpp"
#include "mpi/handles/attribute_cache.hpp"
#include "mpi/handles/comm.hpp"

#include <algorithm>
#include <numeric>

namespace halocline::exchange {
namespace {

/// The processes of the node of this one, increasing.
std::vector<int> node_mates(MPI_Comm comm) {
  const mpi::Comm node = mpi::split_node(comm);
  std::vector<int> mates(to_size(mpi::size(node.get()))), ranks(mates.size());
  std::iota(mates.begin(), mates.end(), 0);
  mpi::Group there, here;
  HALOCLINE_MPI(Comm_group, node.get(), there.put());
  HALOCLINE_MPI(Comm_group, comm, here.put());
  HALOCLINE_MPI(Group_translate_ranks, there.get(), to_int(mates.size()), mates.data(), here.get(),
                ranks.data());
  std::sort(ranks.begin(), ranks.end());
  return ranks;
}

}  // namespace

/// What all exchanges on a communicator have in common, kept on it.
struct PartsExchange::Ground {
  mpi::Comm comm;  ///< For their messages alone; errors are returned.
  std::vector<int> mates;
  int next_tag = first_free_tag;

  static std::shared_ptr<Ground> of(MPI_Comm comm) {
    using Cache =
        mpi::AttributeCache<mpi::CommAttributes, std::shared_ptr<Ground>, mpi::Duplicates::have_none>;
    auto kept = Cache::find(comm);
    if (!kept) {
      kept = std::make_shared<const std::shared_ptr<Ground>>(
          std::make_shared<Ground>(Ground{mpi::split(comm, 0, mpi::rank(comm)), node_mates(comm)}));
      Cache::keep(comm, kept);
    }
    return *kept;
  }
  /// The same on all processes, which make exchanges in the same order.
  int take_tag() {
    require(next_tag <= mpi::largest_tag(), "more exchanges on a communicator than MPI has tags, ",
            mpi::largest_tag());
    return next_tag++;
  }
};

PartsExchange::PartsExchange(MPI_Comm comm, std::vector<PeerParts> peers, OwnParts own, const Manner& manner)
    : ground_(Ground::of(comm)), own_(std::move(own.copies)) {
  const Rank rank = mpi::rank(comm);
  std::sort(peers.begin(), peers.end(),
            [&](const PeerParts& a, const PeerParts& b) { return served_before(a.rank, b.rank, rank); });
  const std::vector<int>& mates = ground_->mates;
  Neighbours neighbours;
  each_.timed = manner.timed;
  each_.self = own.traffic;
  for (const PeerParts& peer : peers) {
    if (!peer.out.empty()) {
      neighbours.targets.push_back(peer.rank);
      out_.emplace_back(nullptr, manner.engine.packer(peer.out));
      const bool near = std::binary_search(mates.begin(), mates.end(), to_int(peer.rank));
      (near ? each_.node : each_.network) += Traffic{1, out_.back().bytes()};
    }
    if (!peer.in.empty()) {
      neighbours.sources.push_back(peer.rank);
      in_.emplace_back(nullptr, manner.engine.packer(peer.in));
    }
  }
  const int tag = ground_->take_tag();
  streams_ = Streams(ground_->comm.get(), neighbours, mates, 1, {});
  if (manner.shared) streams_.use_memory();
  call_ = std::make_unique<StreamCall>(streams_, out_, in_,
                                       StreamCall::Options{0, tag, Life::persistent, manner.shared, false});
}

PartsExchange::~PartsExchange() {
  try {
    wait();
  } catch (const std::exception&) {  // nobody is left to tell
    return;
  }
}

void PartsExchange::start() {
  under_way_ = true;
  call_->start();
  streams_.progress().add(*call_);
  const Lap lap(each_.timed ? &watch_ : nullptr);
  for (const LocalCopy& copy : own_) copy.copy();
}

bool PartsExchange::test() {
  if (!under_way_) return true;
  if (!streams_.progress().test(*call_)) return false;
  finish();
  return true;
}

void PartsExchange::wait() {
  if (!under_way_) return;
  streams_.progress().wait(*call_);
  finish();
}

void PartsExchange::finish() {
  under_way_ = false;
  streams_.progress().remove(*call_);
  ++complete_starts_;
  if (const int code = call_->code(); code != MPI_SUCCESS)
    throw Error(Fault::mpi, "a message of the exchange failed", code);
}

ExchangeStatistics PartsExchange::statistics() const {
  ExchangeStatistics all = each_;
  all.exchanges = complete_starts_;
  for (Traffic* const traffic : {&all.self, &all.node, &all.network}) {
    traffic->messages *= complete_starts_;
    traffic->bytes *= complete_starts_;
  }
  all.pack_seconds = watch_.seconds;
  return all;
}

}  // namespace halocline::exchange
