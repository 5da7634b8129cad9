// Calls of meshes, fields and halos (halo.h) that can be made wrong.
#pragma once

#include "api/wrong_stage.hpp"

#include <limits>

namespace halocline {

using Sizes2 = std::array<int64_t, 2>;
constexpr int64_t most_points = std::numeric_limits<int64_t>::max(),
                  least_points = std::numeric_limits<int64_t>::min();

inline int64_t negative(Random& random) {
  return random_in(random, 0, 1) == 0 ? -random_in(random, 1, 9) : least_points;
}

inline WrongCall mesh_attach_call(Stage& stage, Random& random) {
  struct Arguments {
    MPI_Comm comm;
    Sizes2 mesh, halo{1, 1};
    const int64_t *meshes = mesh.data(), *halos = halo.data();
  };
  const auto a = std::make_shared<Arguments>(Arguments{stage.told.get(), stage.mesh});
  a->meshes = a->mesh.data();
  a->halos = a->halo.data();
  const auto d = static_cast<std::size_t>(random_in(random, 0, 1));
  std::vector<Wrong> wrongs{
      null_pointer("mesh", [a] { a->meshes = nullptr; }),
      {"an extent below 1",
       {MPI_ERR_DIMS},
       [a, d, x = random_in(random, 0, 1) == 0 ? 0 : negative(random)] { a->mesh[d] = x; }},
      {"too many points",
       {MPI_ERR_DIMS},
       [a] {
         a->mesh = {most_points, most_points};
       }},
      {"a negative width", {MPI_ERR_DIMS}, [a, d, x = negative(random)] { a->halo[d] = x; }},
      {"another mesh", {MPI_ERR_ARG}, [a, d] { a->mesh[d] += 1; }, Where::on_some},
      {"another width", {MPI_ERR_ARG}, [a, d] { a->halo[d] += 1; }, Where::on_some}};
  if (stage.dims[d] > 1)
    wrongs.push_back(
        {"fewer points than processes", {MPI_ERR_DIMS}, [a, d, &stage] { a->mesh[d] = stage.dims[d] - 1; }});
  add_wrong_comms(wrongs, a->comm, stage, true);
  return {"HCL_Cart_mesh_attach",
          true,
          std::move(wrongs),
          [a] { return HCL_Cart_mesh_attach(a->comm, a->meshes, a->halos); },
          {},
          {}};
}

inline WrongCall mesh_question_call(Stage& stage, Random& random) {
  struct Arguments {
    MPI_Comm comm;
    int maxdims = 2, rank = 0, owner = -99;
    Sizes2 first{}, second{};
    int64_t *firsts = nullptr, *seconds = nullptr;
    int* owners = nullptr;
  };
  const auto a = std::make_shared<Arguments>(Arguments{stage.cart.get()});
  a->firsts = a->first.data();
  a->seconds = a->second.data();
  a->owners = &a->owner;
  std::vector<Wrong> wrongs;
  add_wrong_comms(wrongs, a->comm, stage, true);
  for (Wrong& wrong : wrongs) wrong.where = Where::anywhere;  // nobody waits for anybody
  wrongs.push_back({"no mesh", {MPI_ERR_TOPOLOGY}, [a, &stage] { a->comm = stage.bare.get(); }});
  switch (random_in(random, 0, 2)) {
    case 0:
      wrongs.push_back({"no room", {MPI_ERR_ARG}, [a, n = random_in(random, -1, 1)] {
                          a->maxdims = static_cast<int>(n);
                        }});
      return {"HCL_Cart_mesh_get",
              false,
              std::move(wrongs),
              [a] { return HCL_Cart_mesh_get(a->comm, a->maxdims, a->firsts, a->seconds); },
              {},
              [a] { return a->first == Sizes2{} && a->second == Sizes2{}; }};
    case 1:
      wrongs.push_back(
          {"no such rank",
           {MPI_ERR_RANK},
           [a, r = any_of<int>({-1, world_size(), std::numeric_limits<int>::min(), MPI_PROC_NULL}, random)] {
             a->rank = r;
           }});
      return {"HCL_Cart_box",
              false,
              std::move(wrongs),
              [a] { return HCL_Cart_box(a->comm, a->rank, a->firsts, a->seconds); },
              {},
              [a] { return a->first == Sizes2{} && a->second == Sizes2{}; }};
    default:
      wrongs.push_back(null_pointer("point", [a] { a->firsts = nullptr; }));
      wrongs.push_back(null_pointer("rank", [a] { a->owners = nullptr; }));
      return {"HCL_Cart_owner",
              false,
              std::move(wrongs),
              [a] { return HCL_Cart_owner(a->comm, a->firsts, a->owners); },
              {},
              [a] { return a->owner == -99; }};
  }
}

inline WrongCall field_attach_call(Stage& stage, Random& random) {
  struct Arguments {
    void* array;
    int ndims = 2;
    Sizes2 extents, low{1, 1}, high{1, 1};
    std::array<MPI_Aint, 2> strides{};
    const int64_t* extent_list = nullptr;
    const MPI_Aint* stride_list = nullptr;
    int order = MPI_ORDER_C;
    MPI_Datatype element = MPI_INT;
    HCL_Field field = HCL_FIELD_NULL, *fields = nullptr;
  };
  const auto a = std::make_shared<Arguments>(Arguments{stage.values.data(), 2, stage.extents});
  a->strides = {4 * static_cast<MPI_Aint>(stage.extents[1]), 4};
  a->extent_list = a->extents.data();
  a->stride_list = a->strides.data();
  a->fields = &a->field;
  const bool strided = random_in(random, 0, 1) == 0;
  const auto d = static_cast<std::size_t>(random_in(random, 0, 1));
  std::vector<Wrong> wrongs{
      null_pointer("array", [a] { a->array = nullptr; }),
      {"MPI_IN_PLACE", {MPI_ERR_ARG}, [a] { a->array = MPI_IN_PLACE; }},
      null_pointer("extents", [a] { a->extent_list = nullptr; }),
      null_pointer("field", [a] { a->fields = nullptr; }),
      {"no dimensions",
       {MPI_ERR_DIMS},
       [a, n = any_of<int>({0, -1, std::numeric_limits<int>::min()}, random)] { a->ndims = n; }},
      {"an extent below 1",
       {MPI_ERR_DIMS},
       [a, d, x = random_in(random, 0, 1) == 0 ? 0 : negative(random)] { a->extents[d] = x; }},
      {"all extents",
       {MPI_ERR_DIMS},
       [a] {
         a->extents = {most_points, most_points};
       }},
      {"a negative width", {MPI_ERR_DIMS}, [a, d, x = negative(random)] { a->low[d] = x; }},
      {"a width that is too large",
       {MPI_ERR_DIMS},
       [a, d, x = any_of<int64_t>({most_points, a->extents[d]}, random)] { a->high[d] = x; }},
      {"no datatype", {MPI_ERR_TYPE}, [a] { a->element = MPI_DATATYPE_NULL; }},
      {"a datatype out of all memory", {MPI_ERR_TYPE, MPI_ERR_DIMS}, [a, &stage] {
         a->element = stage.far.get();
       }}};
  if (strided) {
    wrongs.push_back(null_pointer("strides", [a] { a->stride_list = nullptr; }));
    wrongs.push_back({"no stride", {MPI_ERR_ARG}, [a, d] { a->strides[d] = 0; }});
    wrongs.push_back(
        {"a huge stride", {MPI_ERR_DIMS}, [a, d, x = any_of<int64_t>({most_points, least_points}, random)] {
           a->strides[d] = x;
         }});
  } else {
    wrongs.push_back({"no order", {MPI_ERR_ARG}, [a] { a->order = 4711; }});
  }
  return {strided ? "HCL_Field_attach_strided" : "HCL_Field_attach",
          false,
          std::move(wrongs),
          [a, strided] {
            return strided ? HCL_Field_attach_strided(a->array, a->ndims, a->extent_list, a->low.data(),
                                                      a->high.data(), a->stride_list, a->element, a->fields)
                           : HCL_Field_attach(a->array, a->ndims, a->extent_list, a->low.data(),
                                              a->high.data(), a->order, a->element, a->fields);
          },
          [a] { EXPECT_EQ(HCL_Field_free(&a->field), MPI_SUCCESS); },
          [a] { return a->field == HCL_FIELD_NULL; }};
}

inline WrongCall field_create_call(Stage& stage, Random& random) {
  struct Arguments {
    MPI_Comm comm;
    MPI_Datatype element = MPI_INT;
    Sizes2 low{1, 1}, high{1, 0};
    int order = MPI_ORDER_C;
    MPI_Info info = MPI_INFO_NULL;
    HCL_Field field = HCL_FIELD_NULL, *fields = nullptr;
  };
  const auto a = std::make_shared<Arguments>(Arguments{stage.cart.get()});
  a->fields = &a->field;
  const auto d = static_cast<std::size_t>(random_in(random, 0, 1));
  std::vector<Wrong> wrongs{
      null_pointer("field", [a] { a->fields = nullptr; }),
      {"no datatype", {MPI_ERR_TYPE}, [a] { a->element = MPI_DATATYPE_NULL; }},
      {"an element that is not at 0", {MPI_ERR_TYPE}, [a, &stage] { a->element = stage.shifted.get(); }},
      {"an element of nothing", {MPI_ERR_TYPE}, [a, &stage] { a->element = stage.empty.get(); }},
      {"an element out of all memory",
       {MPI_ERR_TYPE, MPI_ERR_DIMS},
       [a, &stage] { a->element = stage.far.get(); }},
      {"another element", {MPI_ERR_ARG}, [a] { a->element = MPI_DOUBLE; }, Where::on_some},
      {"a negative width", {MPI_ERR_DIMS}, [a, d, x = negative(random)] { a->low[d] = x; }},
      {"a huge width",
       {MPI_ERR_DIMS},
       [a, d, x = any_of<int64_t>({most_points, most_points / 8, most_points - 3}, random)] {
         a->high[d] = x;
       }},
      {"another width", {MPI_ERR_ARG}, [a, d] { a->low[d] = 0; }, Where::on_some},
      {"no order", {MPI_ERR_ARG}, [a] { a->order = 4711; }},
      {"another order", {MPI_ERR_ARG}, [a] { a->order = MPI_ORDER_FORTRAN; }, Where::on_some},
      wrong_info(a->info, {"halocline_field"}, random),
      {"no mesh", {MPI_ERR_TOPOLOGY}, [a, &stage] { a->comm = stage.bare.get(); }, Where::on_all}};
  add_wrong_comms(wrongs, a->comm, stage, true);
  return {"HCL_Field_create",
          true,
          std::move(wrongs),
          [a] {
            return HCL_Field_create(a->comm, a->element, a->low.data(), a->high.data(), a->order, a->info,
                                    a->fields);
          },
          [a] { EXPECT_EQ(HCL_Field_free(&a->field), MPI_SUCCESS); },
          [a] { return a->field == HCL_FIELD_NULL; }};
}

inline WrongCall halo_create_call(Stage& stage, Random& random) {
  struct Arguments {
    MPI_Comm comm;
    int nfields = 2;
    std::array<HCL_Field, 2> fields;
    const HCL_Field* list = nullptr;
    int ndirections = 2;
    std::array<int, 4> directions{1, 0, -1, 1};
    const int* direction_list = nullptr;
    MPI_Info info = MPI_INFO_NULL;
    HCL_Halo halo = HCL_HALO_NULL, *halos = nullptr;
  };
  const auto a = std::make_shared<Arguments>(Arguments{stage.cart.get(), 2, stage.fields});
  a->list = a->fields.data();
  a->direction_list = a->directions.data();
  a->halos = &a->halo;
  const auto f = static_cast<std::size_t>(random_in(random, 0, 1));
  const auto other_field = [&](const char* what, std::vector<int> classes, HCL_Field field, Where where) {
    return Wrong{what, std::move(classes), [a, f, field] { a->fields[f] = field; }, where};
  };
  std::vector<Wrong> wrongs{
      null_pointer("fields", [a] { a->list = nullptr; }),
      null_pointer("halo", [a] { a->halos = nullptr; }),
      {"no fields",
       {MPI_ERR_ARG},
       [a, n = any_of<int>({0, -1, std::numeric_limits<int>::min()}, random)] { a->nfields = n; }},
      {"a field less", {MPI_ERR_ARG}, [a] { a->nfields = 1; }, Where::on_some},
      other_field("HCL_FIELD_NULL", {MPI_ERR_ARG}, HCL_FIELD_NULL, Where::anywhere),
      other_field("a longer field", {MPI_ERR_DIMS}, stage.longer, Where::anywhere),
      other_field("a field of one dimension", {MPI_ERR_DIMS}, stage.line, Where::anywhere),
      other_field("a field of doubles", {MPI_ERR_ARG}, stage.doubles, Where::on_some),
      other_field("a field of other widths", {MPI_ERR_ARG}, stage.narrow, Where::on_some),
      {"no directions",
       {MPI_ERR_ARG},
       [a, n = any_of<int>({0, -1, std::numeric_limits<int>::min()}, random)] { a->ndirections = n; }},
      {"a direction of more than 1",
       {MPI_ERR_ARG},
       [a, x = any_of<int>({2, -2, std::numeric_limits<int>::min()}, random)] { a->directions[0] = x; }},
      {"the direction of nowhere", {MPI_ERR_ARG}, [a] { a->directions[0] = a->directions[1] = 0; }},
      {"a direction twice",
       {MPI_ERR_ARG},
       [a] {
         a->directions = {1, 0, 1, 0};
       }},
      {"another direction", {MPI_ERR_ARG}, [a] { a->directions[3] = -1; }, Where::on_some},
      {"all directions", {MPI_ERR_ARG}, [a] { a->direction_list = HCL_DIRECTIONS_ALL; }, Where::on_some},
      wrong_info(a->info,
                 {"halocline_schedule", "halocline_wire", "halocline_shared", "halocline_statistics",
                  "halocline_mesh", "halocline_borders", "halocline_compile"},
                 random)};
  if (stage.wide_is_wrong)
    wrongs.push_back(
        other_field("a halo that is too wide", {MPI_ERR_DIMS, MPI_ERR_ARG}, stage.wide, Where::anywhere));
  add_wrong_comms(wrongs, a->comm, stage, true);
  return {"HCL_Halo_create",
          true,
          std::move(wrongs),
          [a] {
            return HCL_Halo_create(a->comm, a->nfields, a->list, a->ndirections, a->direction_list, a->info,
                                   a->halos);
          },
          [a] { EXPECT_EQ(HCL_Halo_free(&a->halo), MPI_SUCCESS); },
          [a] { return a->halo == HCL_HALO_NULL; }};
}

/// Questions about a halo, and what is done with handles that are none.
inline WrongCall halo_report_call(Stage& stage, Random& random) {
  struct Arguments {
    HCL_Halo halo;
    int size = 64, length = -99;
    std::array<char, 64> text{};
    char* texts = nullptr;
  };
  const auto a = std::make_shared<Arguments>(Arguments{stage.healthy});
  a->texts = a->text.data();
  std::vector<Wrong> wrongs{
      null_pointer("text", [a] { a->texts = nullptr; }),
      {"a negative size",
       {MPI_ERR_ARG},
       [a, n = any_of<int>({-1, std::numeric_limits<int>::min()}, random)] { a->size = n; }},
      {"HCL_HALO_NULL", {MPI_ERR_REQUEST}, [a] { a->halo = HCL_HALO_NULL; }, Where::on_all}};
  return {"HCL_Halo_report",
          true,
          std::move(wrongs),
          [a] { return HCL_Halo_report(a->halo, a->size, a->texts, &a->length); },
          {},
          [a] { return a->length == -99 && a->text[0] == '\0'; }};
}

inline WrongCall null_halo_call(Stage& stage, Random& random) {
  struct Arguments {
    HCL_Halo halo, *halos = nullptr;
    HCL_Statistics statistics{}, *statistics_list = nullptr;
    int flag = -99, *flags = nullptr;
    int size = 4;
    std::array<char, 4> text{};
    char* texts = nullptr;
  };
  const auto a = std::make_shared<Arguments>(Arguments{stage.healthy});
  a->texts = a->text.data();
  a->statistics_list = &a->statistics;
  a->flags = &a->flag;
  a->halos = &a->halo;
  std::vector<Wrong> wrongs{{"HCL_HALO_NULL", {MPI_ERR_REQUEST}, [a] { a->halo = HCL_HALO_NULL; }}};
  switch (random_in(random, 0, 3)) {
    case 3: {
      wrongs.push_back(null_pointer("text", [a] { a->texts = nullptr; }));
      wrongs.push_back({"a negative size", {MPI_ERR_ARG}, [a] { a->size = -1; }});
      using Tell = std::pair<const char*, decltype(&HCL_Halo_schedule)>;
      const Tell tell = any_of<Tell>({{"HCL_Halo_schedule", HCL_Halo_schedule},
                                      {"HCL_Halo_plan", HCL_Halo_plan},
                                      {"HCL_Halo_plan_json", HCL_Halo_plan_json}},
                                     random);
      return {tell.first,
              false,
              std::move(wrongs),
              [a, tell] { return tell.second(a->halo, a->size, a->texts, &a->flag); },
              {},
              [a] { return a->flag == -99 && a->text[0] == '\0'; }};
    }
    case 0:
      wrongs.push_back(null_pointer("statistics", [a] { a->statistics_list = nullptr; }));
      return {"HCL_Halo_statistics",
              false,
              std::move(wrongs),
              [a] { return HCL_Halo_statistics(a->halo, a->statistics_list); },
              {},
              [a] { return a->statistics.exchanges == 0; }};
    case 1:
      wrongs.push_back(null_pointer("flag", [a] { a->flags = nullptr; }));
      return {"HCL_Halo_test",
              false,
              std::move(wrongs),
              [a] { return HCL_Halo_test(a->halo, a->flags); },
              {},
              [a] { return a->flag == -99; }};
    default:
      return {"HCL_Halo_wait", false, std::move(wrongs), [a] { return HCL_Halo_wait(a->halo); }, {}, {}};
  }
}

inline WrongCall field_question_call(Stage& stage, Random& random) {
  struct Arguments {
    HCL_Field field;
    int maxdims = 2;
    void* array = nullptr;
    std::array<MPI_Aint, 2> strides{};
  };
  const auto a = std::make_shared<Arguments>(Arguments{stage.fields[1]});
  std::vector<Wrong> wrongs{
      {"HCL_FIELD_NULL", {MPI_ERR_ARG}, [a] { a->field = HCL_FIELD_NULL; }},
      {"no room", {MPI_ERR_ARG}, [a, n = any_of<int>({1, 0, -1, std::numeric_limits<int>::min()}, random)] {
         a->maxdims = n;
       }}};
  return {"HCL_Field_get",
          false,
          std::move(wrongs),
          [a] {
            return HCL_Field_get(a->field, a->maxdims, static_cast<void*>(&a->array), a->strides.data(),
                                 nullptr);
          },
          {},
          [a] { return a->array == nullptr && a->strides[0] == 0; }};
}

}  // namespace halocline
