// SPDX-License-Identifier: BSD-3-Clause
// What a halo is made of.
#pragma once

#include "base/inside.hpp"
#include "exchange/neighborhood/context.hpp"
#include "halo/accumulation.hpp"
#include "halo/devices/known_memory.hpp"
#include "halo/fields/field_identity.hpp"
#include "halo/points/filling.hpp"
#include "halo/sides/side_exchange.hpp"
#include "halo/stage.hpp"
#include "halo/turns.hpp"
#include "halocline/exchange/exchange.hpp"
#include "halocline/halo/halo.hpp"
#include "mpi/handles/comm_life.hpp"

#include <exception>
#include <memory>
#include <vector>

namespace halocline {

struct HALOCLINE_INSIDE Halo::State {
  /// The memories [first, first + count), one of which it has.
  struct Slot {
    std::size_t first, count;
    std::shared_ptr<FieldIdentity> followed;  ///< Null: it has what it was told.
    const void* told;
    const void* seen;  ///< By what the current turns were chosen.
    std::size_t has;   ///< The memory there.
  };
  /// Memories that are exchanged together.
  struct Turn {
    halo::Turn memories;
    Exchange exchange;
    bool counts;                           ///< Of parts that are exchanged one beside the other, one counts.
    std::vector<halo::KnownMemory> known;  ///< Of its memories, those on devices that may be freed.
    std::unique_ptr<halo::SideExchange> beyond = {};  ///< The sides of the mesh; null if there is nothing.

    void start() {
      exchange.start();
      if (beyond) beyond->start();
    }
    // The exchange last: it is what tells that the turn is under way.
    [[nodiscard]] bool test() { return (!beyond || beyond->test()) && exchange.test(); }
    void wait() {
      if (beyond) beyond->wait();
      exchange.wait();
    }
  };

  std::vector<FieldView> memories;  ///< Slot after slot.
  std::vector<Slot> slots;
  Decomposition decomposition;
  Cell cell;
  Stencil directions;
  halo::Filling filling;
  MPI_Comm comm;  ///< Of the library, as long as the exchanges live.
  mpi::CommLife users_comm;
  std::vector<Turn> turns;           ///< The first has the first memory of each slot.
  std::vector<std::size_t> current;  ///< The turns of the last start, or of the next.
  bool on_stream = false;            ///< Is what was started done by the device alone?
  bool prints = false;               ///< Its statistics, in the end.
  bool verifies = false;             ///< Itself, once it is made.
  bool watches = false;              ///< That the default stream is idle at each start without another.
  halo::KeptOptions options = {};    ///< Of its exchanges.
  std::shared_ptr<exchange::Context> context = {};
  std::unique_ptr<halo::Stage> stage = {};                ///< Null if addresses are fixed.
  std::vector<const void*> told_origins = {};             ///< Room for those of a start.
  std::unique_ptr<halo::Accumulation> accumulation = {};  ///< Null before it was asked for.
  std::shared_ptr<ThreadPool> pool = {};                  ///< That it was told to use.
  std::unique_ptr<halo::SideMap> sides = {};              ///< Null if nothing is beyond the mesh.

  /// Throws Error{invalid_argument} if the communicator that the user gave was freed.
  void require_comm() const;
  /// Throws Error{invalid_argument} if memory on a device of the current turns was freed, also if other
  /// memory lies there now.
  void require_memory() const;
  void require_memory(const Turn& turn) const;
  /// Throws Error{invalid_argument} if it is under way.
  void require_rest() const;
  [[nodiscard]] bool active() const;

  /// Takes the turns of the memories that the slots have now. Throws Error{invalid_argument} if that is
  /// another than the halo was made for, or two have the same; nothing has changed then.
  void choose_followed();
  /// The same for memories told by addresses.
  void choose_told(std::span<const void* const> addresses);
  /// The same for fields. Throws also Error{invalid_dimensions} if one is not as that of its slot.
  void choose_views(std::span<const FieldView* const> fields);
  /// Slots that know one memory follow nothing any more.
  void stop_following();
  /// Those that exchange such memories, one of each slot.
  [[nodiscard]] std::vector<std::size_t> turns_with(const halo::Turn& wanted) const;

  /// All turns, or none, are done by the device alone.
  void start_on(void* stream);
  /// What the stream gets from now on sees what the device does alone. Throws Error{invalid_argument} if the
  /// stream is one of another device: then it is still under way.
  void end_on(void* stream);
  /// Until what was started on a stream, and is done by the device alone, has come to its end; or only looks.
  [[nodiscard]] bool device_done(bool waits);

  /// Throws Error{invalid_argument} if it watches, and the default stream of its device is busy.
  void require_idle() const;
  void start() {
    if (stage) return stage->start(turns.front().exchange);
    for_all_current([](Turn& turn) { turn.start(); });
  }
  void wait() {
    if (accumulation) accumulation->wait();
    if (on_stream) (void)device_done(true);
    if (stage) return stage->wait();
    for_all_current([](Turn& turn) { turn.wait(); });
  }

  /// Those that do its copies, of all turns.
  [[nodiscard]] std::vector<exchange::Crew*> crews() const;

 private:
  /// With every exchange of the current turns, also if one of them throws: others wait for all of them.
  template <class Act>
  void for_all_current(const Act& act) {
    std::exception_ptr failure;
    for (const std::size_t turn : current) {
      try {
        act(turns[turn]);
      } catch (...) {
        if (!failure) failure = std::current_exception();
      }
    }
    if (failure) std::rethrow_exception(failure);
  }
  /// Driven by the host, behind what the stream has. Throws Error{invalid_argument} if nothing of it lies on
  /// the stream's device.
  void start_after(void* stream);
  /// Where the field of each slot begins now, at any address.
  void move_to(const std::vector<const void*>& origins);
  template <class AddressOf>
  void choose(const AddressOf& address_of);
};

[[nodiscard]] inline Halo::State& state_of(const Halo& halo) { return halo.state(); }
/// The class keeps the name of it to itself.
using HaloState = std::remove_cvref_t<decltype(state_of(std::declval<const Halo&>()))>;

}  // namespace halocline
