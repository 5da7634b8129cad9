// SPDX-License-Identifier: BSD-3-Clause
// The halo exchange: after it every process sees its neighbours' points around its own.
#pragma once

#include "halocline/api.h"
#include "halocline/base/cxx20.hpp"
#include "halocline/describe/sides.hpp"
#include "halocline/exchange/exchange.hpp"
#include "halocline/halo/accumulate.hpp"
#include "halocline/halo/slot.hpp"
#include "halocline/mpi/cart.hpp"

#include <concepts>
#include <memory>
#include <optional>
#include <span>
#include <utility>

namespace halocline {

/// What becomes of ghost points beyond open borders, where there is no process to get them from.
///
/// `keep`: none is ever touched. `carry`: they travel along the border, as in codes that exchange one
/// dimension after the other and send whole rows, ghost points included. Take a part of the halo whose
/// direction leads beyond open borders along some dimensions. It gets what the process next to it along the
/// other dimensions has beyond the same borders, at the start of the exchange. Where a direction leads beyond
/// borders alone nothing is touched. With all directions that is what one dimension after the other gives; of
/// others those parts are filled whose direction is among them, corners only if corners are. No messages are
/// added where the directions are all, or faces: what goes to a neighbour grows. As words the same.
enum class Borders { keep, carry };

/// Where a halo may find its fields. `fixed`: in the memories that it was made for. `any`: at any address,
/// new at every start, as long as they look like those that it was made for: the same own points, widths,
/// strides and elements. Neighbours know nothing of them, so that nothing is agreed on; what is sent is
/// packed into memory of the halo, and what comes is unpacked from there. As words the same.
enum class Addresses { fixed, any };

struct HaloOptions {
  /// Which parts of the halo are filled: (1,0,0) is the face behind the last point of dimension 0, (-1,1,0)
  /// an edge. Every component is -1, 0 or 1. Stencil::nearest(d) means faces alone, Stencil::moore(d, 1)
  /// edges and corners too, {{1,0,0},{-1,0,0}} one dimension, {{1,0,0}} one side. If there are none, what the
  /// Cart's stencil reaches, in both directions; on other communicators all.
  std::optional<Stencil> directions = {};
  /// The same on all processes. If not given: halocline_borders of `exchange.info`, else `keep`.
  std::optional<Borders> borders = {};
  ExchangeOptions exchange = {};
  /// The same on all processes. If not given: halocline_addresses of `exchange.info`, else `fixed`.
  std::optional<Addresses> addresses = {};
  /// What is beyond open sides of the mesh: mirrors, a shear, a fold. The same on all processes. If not
  /// given: halocline_sides of `exchange.info`, else nothing is. Not together with Borders::carry,
  /// Addresses::any or fields on a device, and such a halo is not accumulated: Error{unsupported}.
  /// invalid_dimensions if the sides do not fit the mesh, or a halo is wider than what it shows there;
  /// invalid_type if numbers are to change their sign that have none.
  std::optional<Sides> sides = {};
};

/// Exchanges the halos of any number of fields together, in as few messages as can be. Fields may differ in
/// type, in widths, in the order of their dimensions and in the dimensions that they are staggered along, but
/// all belong to the same mesh. A point that a staggered field shares with the next process, which owns it,
/// is filled as the halo behind it is.
///
/// A halo of Field objects follows them: after std::swap(u, v) it exchanges what they have then. All memories
/// that a field may get must be known when the halo is made: those of its other fields are, others are named
/// by rotating(); none but the first has to be with Addresses::any. All processes rotate their fields alike:
/// one that does not waits for the others, and they for it; verify() tells. A halo that was itself assigned
/// or swapped belongs from then on to the memory of the fields that do not rotate, so that two halos may be
/// swapped with their two fields.
///
/// One thread at a time uses a halo; with MPI_THREAD_MULTIPLE several may use different ones at once, and
/// make them on different communicators (docs/halo.md).
///
/// Between start and completion own points must not be changed and halos not be touched. An empty halo, made
/// of nothing or moved from, throws Error{invalid_argument} whatever else it is asked for than empty(); it
/// can be assigned to and destroyed.
class HALOCLINE_API Halo {
 public:
  /// Fields on the mesh of a Cart. Collective. Throws the same Error on every rank: invalid_dimensions if a
  /// field has other points than the mesh gives this process, or a halo is wider than the fewest points a
  /// process has, or rotating fields differ in their widths; invalid_argument if ranks give different fields
  /// or directions, if there are no fields, if one was moved from or begins at a null pointer, if fields that
  /// rotate differ in the size of their elements or one of them is there twice, or the Cart was made for a
  /// grid and the extents of its fields do not make up a mesh. Of rotating fields an exchange is made for
  /// each way in which their memories can come together; beyond 8 of those, for the ways that come about when
  /// all rotate alike, and for each memory alone.
  Halo(const Cart& cart, const HaloSlots& fields, const HaloOptions& options = {});
  /// On any Cartesian communicator; the mesh is what the extents of the fields make up.
  Halo(MPI_Comm cart, const HaloSlots& fields, const HaloOptions& options = {});
  /// On any Cartesian communicator, for a mesh that is cut as said. Throws Error{invalid_dimensions} if the
  /// grid of the communicator is another.
  Halo(MPI_Comm cart, const Decomposition& decomposition, const HaloSlots& fields,
       const HaloOptions& options = {});

  /// Halo(cart, u, v, ...)
  template <std::convertible_to<HaloSlot>... Fields>
  requires(sizeof...(Fields) > 0) explicit Halo(const Cart& cart, const Fields&... fields)
      : Halo(cart, HaloSlots{HaloSlot(fields)...}) {}
  template <std::convertible_to<HaloSlot>... Fields>
  requires(sizeof...(Fields) > 0) Halo(const Cart& cart, const HaloOptions& options, const Fields&... fields)
      : Halo(cart, HaloSlots{HaloSlot(fields)...}, options) {}

  /// A halo of nothing, until another is assigned to it. Local.
  Halo() noexcept;
  /// Is it one of nothing, or was it moved from?
  [[nodiscard]] bool empty() const noexcept { return state_ == nullptr; }

  Halo(Halo&& other) noexcept;
  Halo& operator=(Halo&& other) noexcept;
  /// Completes what was started; local otherwise.
  ~Halo();

  /// Throws Error{invalid_argument} if its communicator was freed, and from one start on until wait() has
  /// returned or test() was true, whether data has come meanwhile or not: the same on every rank and every
  /// time. Also if a field has a memory that the halo was not made for: nothing has been sent then, and it
  /// may be started once the fields have theirs again. Nor does it start once memory of a field on a device
  /// was freed, also if other memory lies there now. Kernels on a device that touch the fields must be done
  /// by then: for those on a stream there is the next one. With HALOCLINE_VERIFY=1 it throws
  /// Error{invalid_argument} if the default stream is busy. Local.
  void start();
  /// The same in the order of a stream of the device that its fields lie on, as the device's own interface
  /// calls it (a cudaStream_t): the exchange begins when all is done that the stream has now. The host waits
  /// for nothing if all processes are on one node and reach each other's devices, and all fields lie there;
  /// otherwise until the stream comes here, since messages are sent by the host. Other processes may start
  /// the same exchange on a stream or without; those that start several halos on streams do so in the same
  /// order. Throws Error{invalid_argument} also if no field lies on a device, or the stream is one of
  /// another.
  void start(void* stream);
  /// The same with the memory of each slot told by its address, that of its first point, halo included, or
  /// that of its first own one. Slots of views keep it. Throws Error{invalid_argument} unless there is an
  /// address for each slot, of a memory that the halo was made for.
  ///
  /// With Addresses::any an address means the first point, halo included, and may be any; that of the first
  /// own point goes for fields of the library that the halo was made for. What lies there cannot be looked
  /// at: it is taken to look like the field that the slot was made for. Throws Error{invalid_argument} that
  /// names the field for a null pointer, or memory that a field has in common with another.
  void start_with(std::span<const void* const> memories);
  /// Both.
  void start_with(std::span<const void* const> memories, void* stream);
  /// The same with a view for each slot. Throws also Error{invalid_dimensions} that names the field if its
  /// own points, widths or strides are not those that the slot was made for, and invalid_argument if its
  /// element is not.
  void start_with(std::span<const FieldView* const> fields);
  /// The same: halo.start(u, v) with a Field, FieldStorage or FieldView for each slot.
  template <class... Fields>
  requires(sizeof...(Fields) > 0 &&
           (std::convertible_to<const Fields&, HaloSlot> && ...)) void start(const Fields&... fields) {
    const std::array<const FieldView*, sizeof...(Fields)> views{&view_of(fields)...};
    start_with(views);
  }
  /// Goes on; true if nothing is under way (any more).
  bool test();
  void wait();
  /// The same; what the stream gets from now on sees the halos. If the halo was started on a stream and the
  /// device does all of it, the host waits for nothing.
  void wait(void* stream);
  void exchange();
  /// start_with() and wait().
  void exchange_with(std::span<const void* const> memories);
  void exchange_with(std::span<const FieldView* const> fields);
  template <class... Fields>
  requires(sizeof...(Fields) > 0 &&
           (std::convertible_to<const Fields&, HaloSlot> && ...)) void exchange(const Fields&... fields) {
    const std::array<const FieldView*, sizeof...(Fields)> views{&view_of(fields)...};
    exchange_with(views);
  }

  /// The same with threads of the program, which pack, copy and unpack what is large: an Executor, or all
  /// members of a Team, which call together. What an executor throws, or an Error{invalid_argument} if it
  /// leaves work out, is thrown in the end: all data has moved as without it, so that the halo is under way
  /// after start(), and complete after the others. Throws Error{invalid_argument} for an executor of fewer
  /// than one worker, and within its own work.
  void start(const Workers& workers);
  void start_with(std::span<const void* const> memories, const Workers& workers);
  void start_with(std::span<const FieldView* const> fields, const Workers& workers);
  void wait(const Workers& workers);
  void exchange(const Workers& workers);
  void start(const Team::Member& member) {
    member.together([&](const Workers& workers) { start(workers); });
  }
  void wait(const Team::Member& member) {
    member.together([&](const Workers& workers) { wait(workers); });
  }
  void exchange(const Team::Member& member) {
    member.together([&](const Workers& workers) { exchange(workers); });
  }
  /// For all exchanges without, until another is set, instead of the library's threads (ExchangeOptions): it
  /// must live as long. Throws as above, and if the halo is under way.
  void set_executor(const Workers& workers);
  /// The same with so many threads of the library, the one that calls among them. Throws
  /// Error{invalid_argument} for fewer than one, Error{out_of_memory} if the system has no more.
  void set_threads(int threads);

  /// The adjoint of the exchange: each owner gets what all processes, itself included where the mesh is
  /// periodic, have in their halos for its points, and combines it with what it has. It begins with its own
  /// value; the halos follow in the order of directions(): first those that have the point in their part of
  /// the first direction, and so on. So the result has the same bits whatever the placement, the schedule and
  /// the nodes are. Halos stay as they are. Ghost points beyond open borders have no owner and go nowhere,
  /// with Borders::carry too. Fields that rotate or are followed: the memory that they have now.
  ///
  /// Numbers are combined one by one: elements of one number, several, structures of numbers. `replace` takes
  /// the last value in that order and goes for any elements.
  ///
  /// The first call is collective and makes the exchanges for it: as many as creation made, with memory for
  /// what comes. Those after it are as start() is, but `how` must be the same on all processes. Throws as
  /// start() does; the same on every rank Error{invalid_type} if numbers are not known (bytes, characters,
  /// truth values, structures as such; element_layout() says of which types they are), differ between
  /// processes, or are complex and to be compared; and, the first time, Error{unsupported} if a field lies on
  /// a device, and invalid_argument also if `how` differs.
  void accumulate(Accumulate how = Accumulate::sum) {
    start_accumulate(how);
    wait();
  }
  /// Its beginning, to be completed by wait(), or test() until it is true: then own points change, not
  /// before, so they may be used and changed meanwhile. Halos must not be changed.
  void start_accumulate(Accumulate how = Accumulate::sum);

  /// Was it started, and neither waited for nor tested with success since?
  [[nodiscard]] bool active() const;

  /// Fills the fields with numbers that tell every point of the mesh from every other, exchanges, looks at
  /// every point, own and halo, and puts the old values back; if fields rotate, in every way in which they
  /// can come together. Collective. Throws Error{internal} that names the first wrong point, on every rank,
  /// and invalid_argument on every rank if the halo is under way on one, or if they have rotated their fields
  /// differently. With HALOCLINE_VERIFY=1 on the process with the lowest rank in MPI_COMM_WORLD creation ends
  /// with it.
  void verify();

  /// How many fields it was made of; those that rotate with each other are one.
  [[nodiscard]] std::size_t fields() const;
  [[nodiscard]] const Decomposition& decomposition() const;
  [[nodiscard]] const Stencil& directions() const;
  /// How it is exchanged: with rotating fields, those that it had at the last start.
  [[nodiscard]] const Exchange& exchanged() const;
  /// What all exchanges have taken on this process.
  [[nodiscard]] ExchangeStatistics statistics() const;
  /// The statistics of all processes, for people: means, and the process with the most of each. Collective.
  /// If ExchangeOptions say `print`, rank 0 writes its own to stderr when the halo is destroyed.
  [[nodiscard]] std::string report() const;

  /// What was decided for it, and why, beside what MPI gives by default: to_text() is what `halocline plan`
  /// prints for the same mesh, machine and prices. Local. Throws Error{invalid_argument} if nothing is sent.
  [[nodiscard]] plan::Explanation plan() const;

 private:
  struct State;
  friend State& state_of(const Halo& halo);

  [[nodiscard]] State& state() const;
  [[nodiscard]] static const FieldView& view_of(const FieldView& view) { return view; }
  [[nodiscard]] static const FieldView& view_of(const FieldStorage& field) { return field.view(); }
  template <class T, std::size_t Rank, Layout::Order order>
  [[nodiscard]] static const FieldView& view_of(const Field<T, Rank, order>& field) {
    return field.storage().view();
  }

  std::unique_ptr<State> state_;
};

}  // namespace halocline
