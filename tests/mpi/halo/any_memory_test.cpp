// Halos of fields at any address: arrays come and go from exchange to exchange, and what was left behind
// stays as it is. Longer, with progress:
//   HALOCLINE_SECONDS=600 HALOCLINE_SEED=1 mpirun -n 4 build/release/bin/mpi_tests --files=halo/any_memory

#include "expect_error.hpp"
#include "halo/fields/check_slots.hpp"
#include "halo/random_executors.hpp"
#include "halo/random_halos.hpp"
#include "halo/rotating_fields.hpp"
#include "halocline/halo/field.hpp"
#include "halocline/halo/halo.hpp"
#include "support/option_words.hpp"

#include <array>
#include <cstring>

namespace halocline::halo_any_memory_tests {
namespace {

constexpr std::byte rubbish{0x5B};

struct Grounds {
  static mpi::Comm mesh_comm(MPI_Comm comm, const Mesh& mesh, const Stencil& stencil) {
    return mpi::Comm(Cart(comm, mesh, stencil).release());
  }
  static void tell_mesh(MPI_Comm /*comm*/, const Mesh& /*mesh*/) {}
};

/// An array like another one, elsewhere.
std::unique_ptr<RandomArray> another(const RandomArray& array) {
  auto copy = std::make_unique<RandomArray>(array);
  copy->first = copy->memory.data() + (array.first - array.memory.data());
  std::fill(copy->memory.begin(), copy->memory.end(), RandomArray::guard);
  return copy;
}

/// One slot: all its arrays, one of which it has.
class Slot {
 public:
  Slot(const Ground& ground, Count number, Random& common, Random& own)
      : ground_(ground),
        plan_(random_field(ground, common)),
        element_(random_element(plan_.bytes, false, own)),
        extents_(local_points(ground.decomposition, ground.cell, plan_.staggered)),
        number_(number) {
    arrays_.push_back(std::make_unique<RandomArray>(extents_, plan_.halo, element_.layout, own));
  }

  /// Another array, or one that was there before; what is left becomes rubbish, or is freed.
  void move(Random& own) {
    const auto known = static_cast<std::size_t>(random_in(own, 0, static_cast<Count>(arrays_.size()) - 1));
    if (coin(own))
      arrays_.push_back(another(*arrays_[known]));
    else
      arrays_.push_back(std::move(arrays_[known])),
          arrays_.erase(arrays_.begin() + static_cast<Count>(known));
    if (arrays_.size() > 1 && coin(own)) arrays_.erase(arrays_.begin());
    for (std::size_t i = 0; i + 1 < arrays_.size(); ++i) {
      std::vector<std::byte>& memory = arrays_[i]->memory;
      std::fill(memory.begin(), memory.end(), rubbish);
    }
    std::vector<std::byte>& now = arrays_.back()->memory;
    std::fill(now.begin(), now.end(), RandomArray::guard);
  }
  void fill(Count time) { watched().fill(ground_.decomposition, ground_.cell, time); }
  void expect_right(const FilledParts& filled, Count time, const std::string& what) const {
    EXPECT_EQ(watched().wrong(ground_.decomposition, ground_.cell, &filled, time), 0)
        << what << ", field " << number_ << " at time " << time << ": " << watched().to_text();
    EXPECT_EQ(watched().touched(arrays_.back()->memory), 0) << what << ", around field " << number_;
    for (std::size_t i = 0; i + 1 < arrays_.size(); ++i)
      for (const std::byte byte : arrays_[i]->memory) ASSERT_EQ(byte, rubbish) << what << ", array " << i;
  }
  [[nodiscard]] const void* address() const { return arrays_.back()->first; }
  [[nodiscard]] FieldView view() const {
    return staggered({origin(), element_.layout, extents_, arrays_.back()->strides, plan_.halo},
                     plan_.staggered);
  }

 private:
  [[nodiscard]] std::byte* origin() const {
    std::byte* origin = arrays_.back()->first;
    for (std::size_t d = 0; d < extents_.size(); ++d)
      origin += plan_.halo.low[d] * arrays_.back()->strides[d];
    return origin;
  }
  [[nodiscard]] WatchedField watched() const {
    return {origin(), arrays_.back()->strides, extents_, plan_.halo, element_, number_, plan_.staggered};
  }

  const Ground& ground_;
  FieldPlan plan_;
  Element element_;
  Counts extents_;
  Count number_;
  std::vector<std::unique_ptr<RandomArray>> arrays_;
};

class AnyHalo {
 public:
  AnyHalo(const Ground& ground, Count number, Random& common, Random& own) : ground_(ground) {
    const Count fields = random_in(common, 1, 3);
    for (Count f = 0; f < fields; ++f) slots_.emplace_back(ground, number * 4 + f, common, own);
    HaloPlan plan = random_plan(ground.cell.size(), common, own);
    filled_ = {plan.directions ? *plan.directions : Stencil::moore(ground.cell.size(), 1),
               plan.borders == "carry"};
    text_ = "; " + plan.to_text() + " directions " + filled_.directions.to_text();
    const HaloEnvironment environment(ground.comm.get(), plan, own);
    std::vector<HaloSlot> views;
    for (const Slot& slot : slots_) views.emplace_back(slot.view());
    std::optional<Borders> borders;
    if (!plan.borders.empty()) borders = plan.borders == "carry" ? Borders::carry : Borders::keep;
    const HaloOptions options{
        .directions = plan.directions,
        .borders = borders,
        .exchange = options_of_words(plan.schedule, plan.wire, plan.shared, plan.statistics),
        .addresses = Addresses::any};
    halo_.emplace(ground.kind == CommKind::fields
                      ? Halo(ground.comm.get(), views, options)
                      : Halo(ground.comm.get(), ground.decomposition, views, options));
    if (coin(own)) halo_->set_executor(eager_pool(static_cast<int>(random_in(own, 1, 4))));
  }
  void fill(Count time, Random& own) {
    time_ = time;
    for (Slot& slot : slots_) {
      if (!coin(own, 4)) slot.move(own);
      slot.fill(time);
    }
  }
  /// By addresses, or by views: everybody as it likes.
  void start(Random& own) {
    if (coin(own)) {
      std::vector<const void*> addresses;
      for (const Slot& slot : slots_) addresses.push_back(slot.address());
      return halo_->start_with(addresses);
    }
    if (slots_.size() == 1) return halo_->start(slots_[0].view());
    std::vector<FieldView> views;
    std::vector<const FieldView*> pointers;
    for (const Slot& slot : slots_) views.push_back(slot.view());
    for (const FieldView& view : views) pointers.push_back(&view);
    halo_->start_with(pointers);
  }
  void complete(Random& own) {
    if (coin(own))
      while (!halo_->test()) {
      }
    else
      halo_->wait();
  }
  void verify() { halo_->verify(); }
  void expect_right(const std::string& what) const {
    for (const Slot& slot : slots_) slot.expect_right(filled_, time_, what);
  }
  [[nodiscard]] const std::string& to_text() const { return text_; }

 private:
  const Ground& ground_;
  std::vector<Slot> slots_;
  FilledParts filled_{Stencil::moore(1, 1), false};
  std::string text_;
  Count time_ = 0;
  std::optional<Halo> halo_;
};

void run_case(std::uint64_t seed) {
  Random common(seed * 7919 + static_cast<unsigned>(world_size())),
      own(seed * 104729 + static_cast<unsigned>(world_rank()));
  const DescribedMachine machine(random_nodes(common));
  const mpi::Comm world = shuffled_world(static_cast<unsigned>(seed));
  std::optional<Ground> made = random_ground<Grounds>(world.get(), common);
  if (!made) return;
  const Ground& ground = *made;
  std::string what = "HALOCLINE_SEED=" + std::to_string(seed) + ": " + ground.decomposition.mesh().to_text() +
                     " on " + ground.decomposition.grid().to_text();
  std::vector<std::unique_ptr<AnyHalo>> halos;
  for (Count in_flight = random_in(common, 1, 2); in_flight > 0; --in_flight) {
    halos.push_back(std::make_unique<AnyHalo>(ground, in_flight, common, own));
    what += halos.back()->to_text();
  }
  for (Count time = 0; time < 4; ++time) {
    for (auto& halo : halos) halo->fill(time, own);
    for (const std::size_t i : shuffled(halos.size(), own)) halos[i]->start(own);
    for (const std::size_t i : shuffled(halos.size(), own)) halos[i]->complete(own);
    for (auto& halo : halos) halo->expect_right(what);
  }
  if (coin(common, 5)) halos.front()->verify();
}

TEST(AnyMemory, random_arrays_that_come_and_go) {
  Trials trials("halos of arrays at any address", 20261119, 40);
  while (trials.next()) run_case(trials.seed());
}

using rotating_fields::fill;
using rotating_fields::torus;
using rotating_fields::wrong_points;

HaloOptions anywhere() {
  HaloOptions options;
  options.addresses = Addresses::any;
  return options;
}

TEST(AnyMemory, fields_are_followed_and_given_at_the_call) {
  rotating_fields::in_all_ways([](const Cart& cart, const HaloOptions& given, const FieldOptions& field) {
    HaloOptions options = given;
    options.addresses = Addresses::any;
    Field<Count> u(cart, field), v(cart, field);
    Halo halo(cart, options, u, v);
    for (Count step = 0; step < 6; ++step) {
      Field<Count> next(cart, field), other(cart, field);
      fill(cart, next, step);
      fill(cart, other, 30 + step);
      fill(cart, u, 50);
      fill(cart, v, 51);
      if (step % 2 == 0) {
        halo.exchange(next, other.view());
        EXPECT_EQ(wrong_points(cart, next, step) + wrong_points(cart, other, 30 + step), 0);
      } else {
        std::swap(u, next);
        halo.exchange();
        EXPECT_EQ(wrong_points(cart, u, step) + wrong_points(cart, v, 51), 0);
      }
    }
    halo.verify();
  });
}

TEST(AnyMemory, what_makes_no_sense_is_refused_by_name) {
  const Cart cart = torus();
  Field<Count> u(cart), v(cart), other(cart), wide(cart, {.halo = HaloWidths({2, 2})});
  Field<double> real(cart);
  Halo halo(cart, anywhere(), u, v), fixed(cart, u, v);
  std::array<const void*, 2> told{u.view().origin(), nullptr};
  expect_error(
      Fault::invalid_argument, [&] { halo.start_with(told); }, "field 1 begins at a null pointer");
  told[1] = told[0];
  expect_error(
      Fault::invalid_argument, [&] { halo.start_with(told); }, "field 1", "in common");
  const auto near = reinterpret_cast<std::uintptr_t>(halo::first_point(u.view())) + 16;
  told[1] = reinterpret_cast<const void*>(near);  // NOLINT(performance-no-int-to-ptr)
  expect_error(
      Fault::invalid_argument, [&] { halo.start_with(told); }, "field 1", "field 0", "in common");
  expect_error(
      Fault::invalid_argument, [&] { halo.start_with(std::span(told).first(1)); }, "1 addresses");
  expect_error(
      Fault::invalid_argument, [&] { halo.start(u, u); }, "in common");
  expect_error(
      Fault::invalid_argument, [&] { halo.start(u); }, "1 fields for a halo of 2");
  expect_error(
      Fault::invalid_dimensions, [&] { halo.start(u, wide); }, "field 1", "halo");
  expect_error(
      Fault::invalid_argument, [&] { halo.start(u, real); }, "field 1 has elements");
  expect_error(
      Fault::invalid_argument, [&] { fixed.start(u, other); }, "field 1", "halocline_addresses");
  expect_error(
      Fault::unsupported, [&] { halo.accumulate(); }, "any address");
  EXPECT_FALSE(halo.active());
  fill(cart, u, 1);
  fill(cart, v, 2);
  MPI_Barrier(MPI_COMM_WORLD);
  for (Halo* one : {&halo, &fixed}) {
    one->exchange(u, v);
    EXPECT_EQ(wrong_points(cart, u, 1) + wrong_points(cart, v, 2), 0);
  }
  if (world_size() > 1) {
    HaloOptions differs;
    if (world_rank() == 0) differs.addresses = Addresses::any;
    expect_error(
        Fault::invalid_argument, [&] { Halo(cart, differs, u); }, "addresses", "differs");
  }
  mpi::Info info;
  MPI_Info_create(info.put());
  MPI_Info_set(info.get(), "halocline_addresses", "some");
  HaloOptions nonsense;
  nonsense.exchange.info = info.get();
  expect_error(
      Fault::invalid_argument, [&] { Halo(cart, nonsense, u); }, "\"some\"", "fixed or any");
}

TEST(AnyMemory, components_of_one_array_do_not_overlap) {
  const Count n = 4 * world_size();
  const Cart cart(MPI_COMM_WORLD, Mesh({n, 6}, periodic(1, 1)), Stencil::moore(2, 1));
  const Counts own = cart.decomposition()->box(cart.cell()).extents;
  const Counts all{own[0] + 2, own[1] + 2};
  std::vector<double> a(static_cast<std::size_t>(all[0] * all[1] * 2)), b(a.size());
  const auto component = [&](std::vector<double>& array, std::size_t c) {
    return view(array.data() + c, all, HaloWidths({1, 1}), Counts{2 * all[1], 2});
  };
  Halo halo(cart, anywhere(), component(a, 0), component(a, 1));
  halo.exchange(component(b, 0), component(b, 1));
  halo.exchange(component(b, 1), component(b, 0));
  expect_error(
      Fault::invalid_argument,
      [&] {
        auto shifted = component(b, 0);
        halo.exchange(component(b, 0), FieldView(static_cast<std::byte*>(shifted.origin()) + 16,
                                                 shifted.element(), own, shifted.strides(), shifted.halo()));
      },
      "field 1", "in common");
}

}  // namespace
}  // namespace halocline::halo_any_memory_tests
