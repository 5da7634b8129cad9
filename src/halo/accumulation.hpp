// SPDX-License-Identifier: BSD-3-Clause
// The adjoint of an exchange: what lies in the halos of all processes goes back to those that own the points,
// into memory beside the fields, and is added there once all of it has come.
#pragma once

#include "exchange/neighborhood/context.hpp"
#include "halo/points/ground.hpp"
#include "halo/sums/adding.hpp"
#include "halo/turns.hpp"
#include "halocline/compile/packer.hpp"
#include "mpi/handles/handle.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace halocline::halo {

/// Options that are needed again later, with an MPI_Info of their own.
class KeptOptions {
 public:
  KeptOptions() = default;
  explicit KeptOptions(const ExchangeOptions& options);

  [[nodiscard]] const ExchangeOptions& get() const { return options_; }

 private:
  ExchangeOptions options_;
  mpi::Info info_;
};

/// A memory that is exchanged, and what it is called.
struct NamedMemory {
  FieldView field;
  std::string name;
};

class Accumulation {
 public:
  /// For each of the turns one. Collective. What it is given need not outlive it, but for what the fields lie
  /// in. @pre no field lies on a device, and `ground` carries nothing along borders
  Accumulation(const exchange::Context& context, const std::vector<NamedMemory>& memories,
               const std::vector<Turn>& turns, const Ground& ground);
  Accumulation(const Accumulation&) = delete;
  Accumulation& operator=(const Accumulation&) = delete;
  /// Completes what was started.
  ~Accumulation();

  /// Throws Error{invalid_type}, the same on every rank, if a memory of these turns has elements that cannot
  /// be combined like that. Local.
  void require_numbers(Accumulate how, const std::vector<std::size_t>& turns) const;
  /// @pre it is not active, and the turns have no memory in common
  void start(Accumulate how, const std::vector<std::size_t>& turns);
  /// Goes on; true, and all is added, if nothing is under way (any more).
  bool test();
  void wait();
  [[nodiscard]] bool active() const { return how_.has_value(); }

 private:
  struct Memory {
    std::string name;
    Numbers numbers;
    bool alike;  ///< Are the numbers of all processes the same, in the same order?
  };
  /// What comes along one offset for one field.
  struct Arrival {
    std::vector<Addends> addends;
    compile::Part own;                      ///< The points it is for.
    Count from;                             ///< In bytes, from the beginning of what comes.
    std::optional<compile::Packer> packer;  ///< That puts it there; made when it is asked for.
  };
  struct Way {
    Turn memories;
    std::vector<std::byte> arrived;
    std::vector<Arrival> arrivals;  ///< In the order of the offsets.
    std::optional<Exchange> exchange;
  };

  [[nodiscard]] std::unique_ptr<Way> way_of(const std::vector<NamedMemory>& memories, const Turn& turn,
                                            const Ground& ground) const;
  void add();

  std::vector<Memory> memories_;
  std::vector<std::unique_ptr<Way>> ways_;  ///< One for each turn.
  std::optional<Accumulate> how_;           ///< None if nothing is under way.
  std::vector<std::size_t> current_;
};

}  // namespace halocline::halo
