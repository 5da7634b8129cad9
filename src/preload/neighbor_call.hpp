// What all neighbourhood collectives do, whatever their arguments look like: links, cargo, exchange, or the
// system.
#pragma once

#include "halocline/base/error.hpp"
#include "preload/journal.hpp"
#include "preload/links.hpp"
#include "preload/pending.hpp"
#include "preload/persistent.hpp"
#include "preload/swap.hpp"

#include <mpi.h>

#include <vector>

namespace halocline::preload {

[[nodiscard]] MPI_Aint extent_of(MPI_Datatype type);
[[nodiscard]] const void* at(const void* buffer, Count offset);

enum class Form { blocking, non_blocking, persistent };

/// Those of the communicator; null if it has none that can be used. They are made by a call that may wait for
/// the other processes: by a persistent one at once, by a blocking one when there were some before, since
/// they cost as much as some calls. All processes get the same answer.
[[nodiscard]] std::shared_ptr<Links>* links_of(MPI_Comm comm, Form form, Tally& tally);

/// Makes links for a new communicator, if that is a sensible thing to do. Collective over it.
void prepare_links(MPI_Comm comm) noexcept;

/// Calls the error handler of the communicator unless `code` is MPI_SUCCESS; returns it.
int report(MPI_Comm comm, int code);
[[nodiscard]] int code_of(const Error& error);

// One side of a call: block(i) is its cargo. Types of empty blocks are not looked at.

struct Equal {
  const void* buffer;
  int count;
  MPI_Datatype type;
  [[nodiscard]] Cargo block(std::size_t i) const {
    if (count == 0) return {};
    return {at(buffer, static_cast<Count>(i) * count * extent_of(type)), count, type};
  }
};

/// The same block for everyone.
struct Single {
  const void* buffer;
  int count;
  MPI_Datatype type;
  [[nodiscard]] Cargo block(std::size_t /*i*/) const {
    return count == 0 ? Cargo() : Cargo(buffer, count, type);
  }
};

struct Varying {
  const void* buffer;
  const int* counts;
  const int* places;
  MPI_Datatype type;
  [[nodiscard]] Cargo block(std::size_t i) const {
    if (counts[i] == 0) return {};
    return {at(buffer, Count{places[i]} * extent_of(type)), counts[i], type};
  }
};

struct Mixed {
  const void* buffer;
  const int* counts;
  const MPI_Aint* places;
  const MPI_Datatype* types;
  [[nodiscard]] Cargo block(std::size_t i) const {
    if (counts[i] == 0) return {};
    return {at(buffer, places[i]), counts[i], types[i]};
  }
};

/// As Mixed, with the handles of Fortran.
struct MixedFortran {
  const void* buffer;
  const int* counts;
  const MPI_Aint* places;
  const MPI_Fint* types;
  [[nodiscard]] Cargo block(std::size_t i) const {
    if (counts[i] == 0) return {};
    return {at(buffer, places[i]), counts[i], PMPI_Type_f2c(types[i])};
  }
};

/// Nothing for neighbours beyond an open border: their blocks are not touched.
template <class Side>
std::vector<Cargo> cargo_of(const Side& side, const std::vector<int>& neighbors) {
  std::vector<Cargo> all(neighbors.size());
  for (std::size_t i = 0; i < all.size(); ++i)
    if (neighbors[i] != MPI_PROC_NULL) all[i] = side.block(i);
  return all;
}

struct Outcome {
  int code;
  bool reported = false;  ///< The system has called the error handler.
};

/// Arguments that make no sense are left to the system, which says so.
template <class Work, class System>
int guarded(MPI_Comm comm, Tally& tally, const Work& work, const System& system) noexcept {
  try {
    const Outcome outcome = work();
    return outcome.reported ? outcome.code : report(comm, outcome.code);
  } catch (const Error& error) {
    if (error.fault() != Fault::mpi) {
      tally.leave("wrong arguments");
      return system();
    }
    return report(comm, code_of(error));
  } catch (const std::exception&) {
    return report(comm, MPI_ERR_NO_MEM);
  }
}

/// A blocking call: by ours, or by the system.
template <class Send, class Receive, class System>
int run(Tally& tally, Call call, const Send& send, const Receive& receive, MPI_Comm comm,
        const System& system) {
  return guarded(
      comm, tally,
      [&] {
        std::shared_ptr<Links>* const links = links_of(comm, Form::blocking, tally);
        if (links == nullptr || send.buffer == MPI_IN_PLACE) return Outcome{system(), true};
        std::vector<Cargo> out = cargo_of(send, (*links)->neighbors().targets);
        std::vector<Cargo> in = cargo_of(receive, (*links)->neighbors().sources);
        tally.take();
        return Outcome{swap(**links, call, out, in)};
      },
      system);
}

/// A non-blocking one.
template <class Send, class Receive, class System>
int start(Tally& tally, Call call, const Send& send, const Receive& receive, MPI_Comm comm,
          MPI_Request* request, const System& system) {
  return guarded(
      comm, tally,
      [&] {
        std::shared_ptr<Links>* const links = links_of(comm, Form::non_blocking, tally);
        if (links == nullptr || request == nullptr || send.buffer == MPI_IN_PLACE)
          return Outcome{system(), true};
        std::vector<Cargo> out = cargo_of(send, (*links)->neighbors().targets);
        std::vector<Cargo> in = cargo_of(receive, (*links)->neighbors().sources);
        tally.take();
        *request = begin(*links, call, std::move(out), std::move(in));
        return Outcome{MPI_SUCCESS};
      },
      system);
}

/// A persistent one. What one process cannot take over none does.
template <class Send, class Receive, class System>
int prepare(Tally& tally, Call call, const Send& send, const Receive& receive, MPI_Comm comm,
            MPI_Request* request, const System& system) {
  return guarded(
      comm, tally,
      [&] {
        std::shared_ptr<Links>* const found = links_of(comm, Form::persistent, tally);
        if (found == nullptr) return Outcome{system(), true};
        const std::shared_ptr<Links> links = *found;
        links->expect_persistent(comm);
        bool sensible = request != nullptr && send.buffer != MPI_IN_PLACE;
        std::vector<Cargo> out, in;
        if (sensible) try {
            out = cargo_of(send, links->neighbors().targets);
            in = cargo_of(receive, links->neighbors().sources);
          } catch (const std::exception&) {
            sensible = false;
          }
        const std::optional<int> number = links->numbers().take(links->comm(), sensible);
        if (!number) {
          tally.leave("wrong arguments, or too many persistent collectives on a communicator");
          return Outcome{system(), true};
        }
        *request = Persistent::make(links, call, std::move(out), std::move(in), *number);
        tally.take();
        return Outcome{MPI_SUCCESS};
      },
      system);
}

}  // namespace halocline::preload
