// Wrong calls of halos whose fields change places.
#pragma once

#include "api/wrong_stage.hpp"

namespace halocline {

inline WrongCall rotating_halo_call(Stage& stage, Random& random) {
  struct Arguments {
    MPI_Comm comm;
    int nfields = 1;
    std::array<int, 1> memories{2};
    const int* memory_list = nullptr;
    std::array<HCL_Field, 2> fields;
    const HCL_Field* list = nullptr;
    MPI_Info info = MPI_INFO_NULL;
    HCL_Halo halo = HCL_HALO_NULL, *halos = nullptr;
  };
  const auto a = std::make_shared<Arguments>(Arguments{stage.cart.get(), 1, {2}, nullptr, stage.fields});
  a->memory_list = a->memories.data();
  a->list = a->fields.data();
  a->halos = &a->halo;
  const auto other_memory = [&](const char* what, std::vector<int> classes, HCL_Field field) {
    return Wrong{what, std::move(classes), [a, field] { a->fields[1] = field; }};
  };
  const int too_few = any_of<int>({0, -1, std::numeric_limits<int>::min()}, random);
  std::vector<Wrong> wrongs{
      null_pointer("nmemories", [a] { a->memory_list = nullptr; }),
      null_pointer("fields", [a] { a->list = nullptr; }),
      null_pointer("halo", [a] { a->halos = nullptr; }),
      {"no fields", {MPI_ERR_ARG}, [a, too_few] { a->nfields = too_few; }},
      {"no memories", {MPI_ERR_ARG}, [a, too_few] { a->memories[0] = too_few; }},
      {"a memory less", {MPI_ERR_ARG}, [a] { a->memories[0] = 1; }, Where::on_some},
      other_memory("HCL_FIELD_NULL", {MPI_ERR_ARG}, HCL_FIELD_NULL),
      other_memory("a memory twice", {MPI_ERR_ARG}, stage.fields[0]),
      other_memory("a longer memory", {MPI_ERR_DIMS}, stage.longer),
      other_memory("a memory of one dimension", {MPI_ERR_DIMS}, stage.line),
      other_memory("a memory of doubles", {MPI_ERR_ARG}, stage.doubles),
      other_memory("a memory of other widths", {MPI_ERR_DIMS}, stage.narrow),
      wrong_info(a->info, {"halocline_schedule", "halocline_wire", "halocline_mesh"}, random)};
  add_wrong_comms(wrongs, a->comm, stage, true);
  return {"HCL_Halo_create_rotating",
          true,
          std::move(wrongs),
          [a] {
            return HCL_Halo_create_rotating(a->comm, a->nfields, a->memory_list, a->list, 0,
                                            HCL_DIRECTIONS_ALL, a->info, a->halos);
          },
          [a] { EXPECT_EQ(HCL_Halo_free(&a->halo), MPI_SUCCESS); },
          [a] { return a->halo == HCL_HALO_NULL; }};
}

/// Wrong on all ranks or on none: one that refuses has sent nothing, and the others would wait for it.
inline WrongCall told_memories_call(Stage& stage, Random& random) {
  struct Arguments {
    HCL_Halo halo;
    std::array<const void*, 2> memories{};
    const void* const* list = nullptr;
  };
  const auto a = std::make_shared<Arguments>(Arguments{stage.healthy});
  for (std::size_t f = 0; f < 2; ++f)
    EXPECT_EQ(HCL_Field_get(stage.fields[f], 0, static_cast<void*>(&a->memories[f]), nullptr, nullptr),
              MPI_SUCCESS);
  a->list = a->memories.data();
  const auto f = static_cast<std::size_t>(random_in(random, 0, 1));
  std::vector<Wrong> wrongs{
      {"memories is null", {MPI_ERR_ARG}, [a] { a->list = nullptr; }, Where::on_all},
      {"HCL_HALO_NULL", {MPI_ERR_REQUEST}, [a] { a->halo = HCL_HALO_NULL; }, Where::on_all},
      {"a null address", {MPI_ERR_ARG}, [a, f] { a->memories[f] = nullptr; }, Where::on_all},
      {"memory of somebody else", {MPI_ERR_ARG}, [a, f] { a->memories[f] = a.get(); }, Where::on_all},
      {"one memory twice", {MPI_ERR_ARG}, [a, f] { a->memories[f] = a->memories[1 - f]; }, Where::on_all}};
  const auto at_rest = [&stage] {
    int done = 0;
    return HCL_Halo_test(stage.healthy, &done) == MPI_SUCCESS && done == 1;
  };
  if (coin(random))
    return {"HCL_Halo_exchange_with",
            false,
            std::move(wrongs),
            [a] { return HCL_Halo_exchange_with(a->halo, a->list); },
            {},
            at_rest};
  return {"HCL_Halo_start_with",
          false,
          std::move(wrongs),
          [a] { return HCL_Halo_start_with(a->halo, a->list); },
          [&stage] { EXPECT_EQ(HCL_Halo_wait(stage.healthy), MPI_SUCCESS); },
          at_rest};
}

}  // namespace halocline
