// What it costs to create communicators, neighbourhoods and halos, beside MPI_Cart_create of the same MPI.
// All in one run, in turns; medians of the times and of the ratios to MPI_Cart_create of the same round.
// "first" is on a communicator that the library has not seen.

#include "base/fail.hpp"
#include "halocline/halo.h"
#include "halocline/halocline.h"
#include "mpi/handles/comm.hpp"
#include "parts.hpp"
#include "tools/bench/measuring/contest.hpp"
#include "tools/common/mpi_session.hpp"
#include "tools/common/table.hpp"

#include <array>
#include <memory>
#include <string>
#include <vector>

namespace halocline::bench {
namespace {

using mpi::check;
using tools::Answer;
using tools::Competitor;
using tools::decimal;
using tools::middle_seconds;
using tools::speed_ups;
using tools::Table;

constexpr std::array<std::int64_t, 3> mesh{256, 256, 256};
constexpr std::array<int, 3> periods{1, 1, 1};

mpi::Comm split_world(int key) {
  mpi::Comm made;
  HALOCLINE_MPI(Comm_split, MPI_COMM_WORLD, 0, key, made.put());
  return made;
}

/// What is made anew each time, and out of what.
class Subjects {
 public:
  Subjects() {
    HALOCLINE_MPI(Dims_create, mpi::size(MPI_COMM_WORLD), 3, dims_.data());
    cart_ = mesh_cart(meshed_);
    check(HCL_Field_create(cart_.get(), MPI_DOUBLE, nullptr, nullptr, MPI_ORDER_C, MPI_INFO_NULL, &field_),
          "HCL_Field_create");
  }
  Subjects(const Subjects&) = delete;
  Subjects& operator=(const Subjects&) = delete;
  ~Subjects() { HCL_Field_free(&field_); }

  [[nodiscard]] std::vector<Competitor> ways() {
    return {{"MPI_Cart_create", [this] { (void)plain_cart(); }},
            {first_use, [this] { (void)placed_cart(fresh_, 1); }},
            {"HCL_Cart_create", [this] { (void)placed_cart(known_, 1); }},
            {"HCL_Cart_create, ranks move", [this] { (void)placed_cart(reversed_, 1); }},
            {"HCL_Cart_create, no reorder", [this] { (void)placed_cart(known_, 0); }},
            {new_mesh, [this] { (void)mesh_cart(fresh_); }},
            {"HCL_Cart_mesh_create", [this] { (void)mesh_cart(meshed_); }},
            {"MPI_Dist_graph_create_adjacent", [this] { (void)graph(); }},
            {"HCL_Neighborhood_create", [this] { (void)neighbourhood(); }},
            {"HCL_Halo_create", [this] { create_halo(); }}};
  }

  /// What a way shall find, outside of its time: a duplicate would inherit what was discovered; a mesh comes
  /// to a communicator that is known.
  void prepare(const Competitor& way) {
    if (way.name != first_use && way.name != new_mesh) return;
    fresh_ = split_world(mpi::rank(MPI_COMM_WORLD));
    if (way.name == new_mesh) (void)placed_cart(fresh_, 1);
  }

 private:
  static constexpr const char* first_use = "HCL_Cart_create, first";
  static constexpr const char* new_mesh = "HCL_Cart_mesh_create, new mesh";

  [[nodiscard]] mpi::Comm plain_cart() const {
    mpi::Comm cart;
    HALOCLINE_MPI(Cart_create, known_.get(), 3, dims_.data(), periods.data(), 1, cart.put());
    return cart;
  }
  [[nodiscard]] mpi::Comm placed_cart(const mpi::Comm& comm, int reorder) const {
    mpi::Comm cart;
    check(HCL_Cart_create(comm.get(), 3, dims_.data(), periods.data(), reorder, 0, HCL_STENCIL_NEAREST,
                          nullptr, MPI_INFO_NULL, cart.put()),
          "HCL_Cart_create");
    return cart;
  }
  [[nodiscard]] static mpi::Comm mesh_cart(const mpi::Comm& comm) {
    std::array<int, 3> dims{};
    mpi::Comm cart;
    check(HCL_Cart_mesh_create(comm.get(), 3, mesh.data(), nullptr, periods.data(), 1, 0, HCL_STENCIL_NEAREST,
                               nullptr, MPI_INFO_NULL, dims.data(), cart.put()),
          "HCL_Cart_mesh_create");
    return cart;
  }
  [[nodiscard]] mpi::Comm graph() const {
    std::array<int, 6> neighbours{};
    for (std::size_t d = 0; d < 3; ++d)
      HALOCLINE_MPI(Cart_shift, cart_.get(), static_cast<int>(d), 1, &neighbours[2 * d],
                    &neighbours[2 * d + 1]);
    mpi::Comm made;
    HALOCLINE_MPI(Dist_graph_create_adjacent, cart_.get(), 6, neighbours.data(), MPI_UNWEIGHTED, 6,
                  neighbours.data(), MPI_UNWEIGHTED, MPI_INFO_NULL, 0, made.put());
    return made;
  }
  [[nodiscard]] mpi::Comm neighbourhood() const {
    constexpr std::array<int, 18> offsets{-1, 0, 0, 1, 0, 0, 0, -1, 0, 0, 1, 0, 0, 0, -1, 0, 0, 1};
    mpi::Comm made;
    check(HCL_Neighborhood_create(cart_.get(), 6, offsets.data(), made.put()), "HCL_Neighborhood_create");
    return made;
  }
  void create_halo() {
    HCL_Halo halo = HCL_HALO_NULL;
    check(HCL_Halo_create(cart_.get(), 1, &field_, 0, HCL_DIRECTIONS_DEFAULT, MPI_INFO_NULL, &halo),
          "HCL_Halo_create");
    check(HCL_Halo_free(&halo), "HCL_Halo_free");
  }

  std::array<int, 3> dims_{};
  int rank_ = mpi::rank(MPI_COMM_WORLD);
  mpi::Comm fresh_ = split_world(rank_), known_ = split_world(rank_), meshed_ = split_world(rank_),
            reversed_ = split_world(-rank_), cart_;
  HCL_Field field_ = HCL_FIELD_NULL;
};

Answer answer_cart(int repetitions) {
  const tools::MpiAnyway session;
  Subjects subjects;
  const std::vector<Competitor> ways = subjects.ways();
  const auto rounds = tools::measure(
      MPI_COMM_WORLD, ways, {.repetitions = 1, .runs = repetitions, .prepare = [&](const Competitor& way) {
                               subjects.prepare(way);
                             }});
  Table table({Column::left("call", 32, "call"), Column::right("time [ms]", 10, "seconds"),
               Column::right("ratio", 8, "ratio")});
  for (std::size_t way = 0; way < ways.size(); ++way)
    table.add({ways[way].name, decimal(middle_seconds(rounds, way), 3, 1e3),
               decimal(1 / speed_ups(rounds, way).middle, 2)});
  const int ranks = mpi::size(MPI_COMM_WORLD);
  return {
      concat(ranks, " ranks, ", repetitions,
             " repetitions, medians; ratio: how many times as long as MPI_Cart_create\n\n", table.to_text()),
      {{"ranks", ranks}, {"repetitions", repetitions}, {"results", table.to_json()}}};
}

}  // namespace

tools::Action declare_cart(tools::Options& options) {
  auto repetitions = std::make_shared<int>(30);
  options.add_option("repetitions", *repetitions, "of each call").capture_default_str().positive();
  return [repetitions] { return answer_cart(*repetitions); };
}

}  // namespace halocline::bench
