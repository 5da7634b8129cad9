// Fields in memory of the program's own: an allocator, or a memory resource.

#include "expect_error.hpp"
#include "halo/fields/field_memory.hpp"
#include "halo/rotating_fields.hpp"
#include "halocline/halo/field.hpp"
#include "halocline/halo/halo.hpp"
#include "support/world.hpp"

#include <cstdlib>
#include <map>
#include <memory_resource>
#include <stdexcept>

namespace halocline::halo_resource_tests {
namespace {

using rotating_fields::fill;
using rotating_fields::torus;
using rotating_fields::wrong_points;

/// What was taken and not given back.
class Watching : public std::pmr::memory_resource {
 public:
  [[nodiscard]] std::size_t blocks() const { return taken_.size(); }
  [[nodiscard]] bool holds(const void* address) const {
    const auto* const byte = static_cast<const std::byte*>(address);
    for (const auto& [begin, bytes] : taken_)
      if (byte >= begin && byte < begin + bytes) return true;
    return false;
  }
  bool refuses = false, throws_oddly = false;

 private:
  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    if (throws_oddly) throw 7;  // NOLINT(hicpp-exception-baseclass)
    if (refuses) throw std::runtime_error("the pool is dry");
    auto* const memory = static_cast<std::byte*>(::operator new (bytes, std::align_val_t{alignment}));
    std::fill_n(memory, bytes, std::byte{0x5B});
    taken_[memory] = bytes;
    return memory;
  }
  void do_deallocate(void* memory, std::size_t bytes, std::size_t alignment) override {
    const auto found = taken_.find(static_cast<std::byte*>(memory));
    ASSERT_NE(found, taken_.end());
    EXPECT_EQ(found->second, bytes);
    taken_.erase(found);
    ::operator delete (memory, std::align_val_t{alignment});
  }
  [[nodiscard]] bool do_is_equal(const memory_resource& other) const noexcept override {
    return this == &other;
  }

  std::map<std::byte*, std::size_t> taken_;
};

/// An allocator of malloc's, which knows of no alignment, and counts.
template <class T>
struct Counting {
  using value_type = T;
  long* alive;

  explicit Counting(long* its_alive) : alive(its_alive) {}
  template <class U>
  Counting(const Counting<U>& other) : alive(other.alive) {}  // NOLINT(google-explicit-constructor)
  T* allocate(std::size_t count) {
    *alive += static_cast<long>(count * sizeof(T));
    // Off by eight bytes from whatever malloc gives.
    return reinterpret_cast<T*>(static_cast<char*>(std::malloc(count * sizeof(T) + 8)) + 8);
  }
  void deallocate(T* memory, std::size_t count) {
    *alive -= static_cast<long>(count * sizeof(T));
    std::free(reinterpret_cast<char*>(memory) - 8);
  }
  bool operator==(const Counting&) const = default;
};

template <class F>
void expect_zeros(const F& field) {
  for (Count i = -1; i <= field.extent(0); ++i)
    for (Count j = -1; j <= field.extent(1); ++j) EXPECT_EQ(field(i, j), 0);
}

TEST(Resources, hold_private_fields_and_get_them_back) {
  Watching resource;
  {
    const Cart cart = torus();
    Field<Count, 2> u(cart, {.memory_resource = &resource});
    Field<Count> v(cart, {.order = Layout::Order::fortran, .memory_resource = &resource}), shared(cart);
    EXPECT_EQ(resource.blocks(), 2U);
    EXPECT_TRUE(resource.holds(u.data()) && resource.holds(v.data()) && !resource.holds(shared.data()));
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(u.data()) % 64, 0U);
    EXPECT_EQ(memory_of(u.storage().view())->context, nullptr) << "it is private";
    expect_zeros(u);
    expect_zeros(v);
    Halo halo(cart, u, v, shared);
    for (Count step = 0; step < 3; ++step) {
      fill(cart, v, step);
      fill(cart, shared, 5 + step);
      MPI_Barrier(MPI_COMM_WORLD);
      halo.exchange();
      EXPECT_EQ(wrong_points(cart, v, step) + wrong_points(cart, shared, 5 + step), 0);
    }
    halo.verify();
    {
      Field<Count, 2> moved(std::move(u));
      EXPECT_EQ(resource.blocks(), 2U);
    }
    EXPECT_EQ(resource.blocks(), 2U) << "the halo keeps it";
    halo = Halo();
    EXPECT_EQ(resource.blocks(), 1U);
  }
  EXPECT_EQ(resource.blocks(), 0U);
}

TEST(Resources, may_be_allocators_of_any_kind) {
  long alive = 0;
  {
    const Cart cart = torus();
    Field<Count, 2> u(cart, {}, Counting<double>(&alive));
    Field<Count> v(cart, {.halo = HaloWidths({2, 1})}, Counting<int>(&alive));
    Field<Count> standard(cart, {}, std::allocator<Count>());
    std::pmr::monotonic_buffer_resource arena;
    Field<Count> polymorphic(cart, {}, std::pmr::polymorphic_allocator<Count>(&arena));
    EXPECT_GT(alive, 0);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(u.data()) % 64, 0U);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(v.data()) % 64, 0U);
    expect_zeros(u);
    Halo halo(cart, rotating(v), standard, polymorphic, u);
    halo.verify();
    fill(cart, standard, 3);
    fill(cart, polymorphic, 4);
    MPI_Barrier(MPI_COMM_WORLD);
    halo.exchange();
    EXPECT_EQ(wrong_points(cart, standard, 3) + wrong_points(cart, polymorphic, 4), 0);
  }
  EXPECT_EQ(alive, 0);
}

TEST(Resources, are_everybodys_own_business) {
  const Cart cart = torus();
  Watching resource;
  {
    FieldOptions options{.shared = false};
    if (world_rank() == 0) options.shared = true, options.memory_resource = &resource;
    Field<Count> u(cart, options);
    Halo halo(cart, u);
    halo.verify();
  }
  EXPECT_EQ(resource.blocks(), 0U);
  if (world_size() == 1) return;
  FieldOptions differs;
  if (world_rank() == 0) differs.memory_resource = &resource;
  expect_error(
      Fault::invalid_argument, [&] { Field<Count>(cart, differs); }, "whether it is shared");
  EXPECT_EQ(resource.blocks(), 0U);
}

TEST(Resources, that_have_no_memory_are_an_error_on_all_processes) {
  const Cart cart = torus();
  Watching resource;
  const FieldOptions options{.memory_resource = &resource};
  resource.refuses = world_rank() == world_size() - 1;
  expect_error(
      Fault::out_of_memory, [&] { Field<Count>(cart, options); }, "memory_resource", "the pool is dry");
  resource.throws_oddly = world_rank() == 0;
  resource.refuses = false;
  expect_error(
      Fault::out_of_memory, [&] { Field<Count>(cart, options); }, "no std::exception");
  EXPECT_EQ(resource.blocks(), 0U);
  FieldOptions on_device = options;
  on_device.memory = FieldMemory::device;
  expect_error(
      Fault::invalid_argument, [&] { Field<Count>(cart, on_device); }, "device", "memory_resource");
  resource.throws_oddly = false;
  Field<Count> u(cart, options);
  Halo(cart, u).verify();
}

}  // namespace
}  // namespace halocline::halo_resource_tests
