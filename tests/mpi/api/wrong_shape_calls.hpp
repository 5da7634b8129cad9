// Calls of grids, placements and task maps that can be made wrong.
#pragma once

#include "api/wrong_stage.hpp"
#include "halocline/mpix.h"

#include <cmath>
#include <limits>

namespace halocline {

inline double wrong_number(Random& random) {
  return any_of<double>({0.0, -1.0, std::nan(""), std::numeric_limits<double>::infinity(), -0.0, -1e300},
                        random);
}
inline int no_number(Random& random) { return any_of<int>({0, -1, std::numeric_limits<int>::min()}, random); }

/// Of the calls that only work out numbers.
inline WrongCall dims_call(Stage& stage, Random& random) {
  struct Arguments {
    int nprocs = 12, ndims = 2, nlevels = 2;
    std::array<double, 2> weights{1, 2};
    std::array<int64_t, 2> mesh{40, 50}, halo{1, 2};
    std::array<int, 2> dims{0, 0}, sizes{3, 4};
    std::array<int, 4> factors{};
    const int64_t* meshes = nullptr;
    const int* size_list = nullptr;
    int *dim_list = nullptr, *factor_list = nullptr;
  };
  (void)stage;
  const auto a = std::make_shared<Arguments>();
  a->meshes = a->mesh.data();
  a->size_list = a->sizes.data();
  a->dim_list = a->dims.data();
  a->factor_list = a->factors.data();
  std::vector<Wrong> wrongs{{"no processes", {MPI_ERR_DIMS}, [a, n = no_number(random)] { a->nprocs = n; }},
                            {"no dimensions", {MPI_ERR_DIMS}, [a, n = no_number(random)] { a->ndims = n; }}};
  const Wrong weight{"a weight", {MPI_ERR_ARG}, [a, w = wrong_number(random)] { a->weights[1] = w; }};
  const Wrong dims{
      "dims",
      {MPI_ERR_DIMS},
      [a, n = any_of<int>({-1, 5, 7, std::numeric_limits<int>::max(), std::numeric_limits<int>::min()},
                          random)] { a->dims[0] = n; }};
  switch (random_in(random, 0, 2)) {
    case 0:
      wrongs.insert(wrongs.end(), {weight, dims, null_pointer("dims", [a] { a->dim_list = nullptr; })});
      return {"HCL_Dims_weighted_create",
              false,
              std::move(wrongs),
              [a] { return HCL_Dims_weighted_create(a->nprocs, a->ndims, a->weights.data(), a->dim_list); },
              {},
              [a] { return a->dims[1] == 0; }};
    case 1:
      wrongs.insert(
          wrongs.end(),
          {dims,
           null_pointer("dims", [a] { a->dim_list = nullptr; }),
           null_pointer("mesh", [a] { a->meshes = nullptr; }),
           {"an extent",
            {MPI_ERR_DIMS, MPI_ERR_ARG},
            [a, n = any_of<int64_t>({0, -3, std::numeric_limits<int64_t>::min()}, random)] {
              a->mesh[1] = n;
            }},
           {"a width",
            {MPI_ERR_DIMS, MPI_ERR_ARG},
            [a, n = any_of<int64_t>({-3, std::numeric_limits<int64_t>::min()}, random)] { a->halo[1] = n; }},
           {"widths without room", {MPI_ERR_DIMS}, [a] {
              a->halo = {40, 50};
            }}});
      return {
          "HCL_Dims_mesh_create",
          false,
          std::move(wrongs),
          [a] { return HCL_Dims_mesh_create(a->nprocs, a->ndims, a->meshes, a->halo.data(), a->dim_list); },
          {},
          [a] { return a->dims[1] == 0; }};
    default:
      wrongs.insert(
          wrongs.end(),
          {weight,
           null_pointer("dims_ml", [a] { a->factor_list = nullptr; }),
           null_pointer("sizes", [a] { a->size_list = nullptr; }),
           {"no levels", {MPI_ERR_ARG}, [a, n = no_number(random)] { a->nlevels = n; }},
           {"a size",
            {MPI_ERR_DIMS},
            [a, n = any_of<int>({0, -4, 5, std::numeric_limits<int>::max()}, random)] { a->sizes[1] = n; }}});
      return {"HCL_Dims_ml_create",
              false,
              std::move(wrongs),
              [a] {
                return HCL_Dims_ml_create(a->nprocs, a->ndims, a->weights.data(), a->nlevels, a->size_list,
                                          a->factor_list);
              },
              {},
              [a] { return a->factors == std::array<int, 4>{}; }};
  }
}

struct CartArguments {
  MPI_Comm comm;
  int ndims = 2, nlevels = 1, nneighbors = 2, reorder = 1;
  std::array<double, 2> weights{1, 2};
  std::array<int64_t, 2> mesh{}, halo{1, 1}, stencil_weights{3, 4};
  std::array<int, 2> dims{}, chosen{}, periods{1, 0}, types{MPI_COMM_TYPE_SHARED, HCL_COMM_TYPE_NUMA};
  std::array<int, 4> offsets{1, 0, 0, -1};
  const int64_t *meshes = nullptr, *weight_list = nullptr;
  const int *dim_list = nullptr, *period_list = nullptr, *offset_list = nullptr, *type_list = nullptr;
  int* chosen_list = nullptr;
  MPI_Info info = MPI_INFO_NULL;
  MPI_Comm made = MPI_COMM_NULL, *result = nullptr;

  explicit CartArguments(const Stage& stage) : comm(MPI_COMM_WORLD), mesh(stage.mesh), dims(stage.dims) {
    for (int64_t& extent : mesh) extent = int64_t{4} * world_size();
    meshes = mesh.data();
    weight_list = stencil_weights.data();
    dim_list = dims.data();
    period_list = periods.data();
    offset_list = offsets.data();
    type_list = types.data();
    chosen_list = chosen.data();
    result = &made;
  }
  /// Nobody of the others has to do with what is left over.
  void free() {
    if (made != MPI_COMM_NULL) MPI_Comm_free(&made);
  }
};

inline std::vector<Wrong> wrong_carts(const std::shared_ptr<CartArguments>& a, const Stage& stage,
                                      Random& random) {
  std::vector<Wrong> wrongs{null_pointer("comm_cart", [a] { a->result = nullptr; }),
                            null_pointer("periods", [a] { a->period_list = nullptr; }),
                            {"no dimensions", {MPI_ERR_DIMS}, [a, n = no_number(random)] { a->ndims = n; }},
                            {"other periods",
                             {MPI_ERR_ARG},
                             [a] {
                               a->periods = {0, 1};
                             },
                             Where::on_some}};
  add_wrong_comms(wrongs, a->comm, stage, false);
  return wrongs;
}

inline std::vector<Wrong> wrong_stencils(const std::shared_ptr<CartArguments>& a, Random& random) {
  return {{"no neighbours", {MPI_ERR_ARG}, [a, n = no_number(random)] { a->nneighbors = n; }},
          {"weights without offsets", {MPI_ERR_ARG}, [a] { a->offset_list = HCL_STENCIL_NEAREST; }},
          {"a weight",
           {MPI_ERR_ARG},
           [a, n = any_of<int64_t>({0, -1, std::numeric_limits<int64_t>::min()}, random)] {
             a->stencil_weights[1] = n;
           }},
          {"another offset",
           {MPI_ERR_ARG},
           [a, n = any_of<int>({2, std::numeric_limits<int>::max(), std::numeric_limits<int>::min()},
                               random)] { a->offsets[3] = n; },
           Where::on_some},
          {"another weight", {MPI_ERR_ARG}, [a] { a->stencil_weights[1] = 5; }, Where::on_some}};
}

inline WrongCall cart_call(Stage& stage, Random& random) {
  const auto a = std::make_shared<CartArguments>(stage);
  std::vector<Wrong> wrongs = wrong_carts(a, stage, random);
  const bool paper = random_in(random, 0, 2) == 0;
  for (Wrong& wrong : wrong_stencils(a, random)) {
    if (paper && (wrong.what.find("weight") != std::string::npos)) continue;
    wrongs.push_back(std::move(wrong));
  }
  wrongs.push_back(null_pointer("dims", [a] { a->dim_list = nullptr; }));
  wrongs.push_back(
      {"an extent", {MPI_ERR_DIMS}, [a, n = any_of<int>({0, -1, std::numeric_limits<int>::min()}, random)] {
         a->dims[0] = n;
       }});
  wrongs.push_back({"too many cells",
                    {MPI_ERR_DIMS},
                    [a, n = any_of<int>({world_size() + 1, std::numeric_limits<int>::max()}, random)] {
                      a->dims[1] = n;
                    }});
  wrongs.push_back({"all cells", {MPI_ERR_DIMS}, [a] { a->dims.fill(std::numeric_limits<int>::max()); }});
  wrongs.push_back({"not reordered", {MPI_ERR_ARG}, [a] { a->reorder = 0; }, Where::on_some});
  if (paper) wrongs.push_back(null_pointer("stencil", [a] { a->offset_list = nullptr; }));
  if (!paper) wrongs.push_back(wrong_info(a->info, {"halocline_place", "halocline_network"}, random));
  return {paper ? "MPIX_Cart_stencil_comm" : "HCL_Cart_create",
          true,
          std::move(wrongs),
          [a, paper] {
            return paper ? MPIX_Cart_stencil_comm(a->comm, a->ndims, a->dim_list, a->period_list, a->reorder,
                                                  a->offset_list, a->nneighbors, a->result)
                         : HCL_Cart_create(a->comm, a->ndims, a->dim_list, a->period_list, a->reorder,
                                           a->nneighbors, a->offset_list, a->weight_list, a->info, a->result);
          },
          [a] { a->free(); },
          [a] { return a->made == MPI_COMM_NULL; }};
}

inline WrongCall mesh_cart_call(Stage& stage, Random& random) {
  const auto a = std::make_shared<CartArguments>(stage);
  std::vector<Wrong> wrongs = wrong_carts(a, stage, random);
  for (Wrong& wrong : wrong_stencils(a, random)) wrongs.push_back(std::move(wrong));
  const auto d = static_cast<std::size_t>(random_in(random, 0, 1));
  wrongs.push_back(null_pointer("mesh", [a] { a->meshes = nullptr; }));
  wrongs.push_back(null_pointer("dims", [a] { a->chosen_list = nullptr; }));
  wrongs.push_back({"an extent",
                    {MPI_ERR_DIMS},
                    [a, d, n = any_of<int64_t>({0, -1, std::numeric_limits<int64_t>::min()}, random)] {
                      a->mesh[d] = n;
                    }});
  wrongs.push_back(
      {"too many points", {MPI_ERR_DIMS}, [a] { a->mesh.fill(std::numeric_limits<int64_t>::max()); }});
  wrongs.push_back({"another mesh", {MPI_ERR_ARG}, [a, d] { a->mesh[d] += 1; }, Where::on_some});
  wrongs.push_back(
      {"a width",
       {MPI_ERR_ARG, MPI_ERR_DIMS},
       [a, d, n = any_of<int64_t>({-1, std::numeric_limits<int64_t>::min()}, random)] { a->halo[d] = n; }});
  wrongs.push_back({"a fixed extent",
                    {MPI_ERR_DIMS, MPI_ERR_ARG},
                    [a, d,
                     n = any_of<int>({-1, world_size() + 1, std::numeric_limits<int>::min(),
                                      std::numeric_limits<int>::max()},
                                     random)] { a->chosen[d] = n; }});
  wrongs.push_back({"not reordered", {MPI_ERR_ARG}, [a] { a->reorder = 0; }, Where::on_some});
  wrongs.push_back(wrong_info(a->info, {"halocline_place", "halocline_network", "halocline_order"}, random));
  return {"HCL_Cart_mesh_create",
          true,
          std::move(wrongs),
          [a] {
            return HCL_Cart_mesh_create(a->comm, a->ndims, a->meshes, a->halo.data(), a->period_list,
                                        a->reorder, a->nneighbors, a->offset_list, a->weight_list, a->info,
                                        a->chosen_list, a->result);
          },
          [a] { a->free(); },
          [a] { return a->made == MPI_COMM_NULL; }};
}

inline WrongCall shaped_cart_call(Stage& stage, Random& random) {
  const auto a = std::make_shared<CartArguments>(stage);
  const bool named = random_in(random, 0, 1) == 0;
  std::vector<Wrong> wrongs = wrong_carts(a, stage, random);
  wrongs.push_back(null_pointer("dims", [a] { a->chosen_list = nullptr; }));
  wrongs.push_back({"a weight", {MPI_ERR_ARG}, [a, w = wrong_number(random)] { a->weights[1] = w; }});
  wrongs.push_back({"a fixed extent",
                    {MPI_ERR_DIMS},
                    [a, n = any_of<int>({-1, world_size() + 1, std::numeric_limits<int>::min(),
                                         std::numeric_limits<int>::max()},
                                        random)] { a->chosen[0] = n; }});
  wrongs.push_back(wrong_info(a->info, {"halocline_shape"}, random));
  if (named) {
    wrongs.push_back(null_pointer("type_levels", [a] { a->type_list = nullptr; }));
    wrongs.push_back({"no levels", {MPI_ERR_ARG}, [a, n = no_number(random)] { a->nlevels = n; }});
    wrongs.push_back({"the first level", {MPI_ERR_ARG}, [a] { a->types[0] = 4711; }});
  }
  return {named ? "HCL_Cart_ml_create_from_types" : "HCL_Cart_weighted_create",
          true,
          std::move(wrongs),
          [a, named] {
            return named ? HCL_Cart_ml_create_from_types(a->comm, a->nlevels, a->type_list, a->ndims,
                                                         a->weights.data(), a->period_list, a->info,
                                                         a->chosen_list, a->result)
                         : HCL_Cart_weighted_create(a->comm, a->ndims, a->weights.data(), a->period_list,
                                                    a->info, a->chosen_list, a->result);
          },
          [a] { a->free(); },
          [a] { return a->made == MPI_COMM_NULL; }};
}

/// Communicators of levels: of pairs where there is an even number of processes.
inline WrongCall comm_levels_call(Stage& stage, Random& random) {
  struct Arguments : CartArguments {
    using CartArguments::CartArguments;
    mpi::Comm neighbours, apart;
    std::array<MPI_Comm, 3> levels{};
    const MPI_Comm* level_list = nullptr;
  };
  const auto a = std::make_shared<Arguments>(stage);
  const bool even = world_size() % 2 == 0;
  a->neighbours = mpi::split(MPI_COMM_WORLD, even ? world_rank() / 2 : 0, 0);
  a->apart = mpi::split(MPI_COMM_WORLD, even ? world_rank() % (world_size() / 2) : 0, 0);
  a->levels = {MPI_COMM_WORLD, a->neighbours.get(), a->neighbours.get()};
  a->level_list = a->levels.data();
  a->nlevels = 2;
  std::vector<Wrong> wrongs{
      null_pointer("comm_cart", [a] { a->result = nullptr; }),
      null_pointer("periods", [a] { a->period_list = nullptr; }),
      {"no levels", {MPI_ERR_ARG}, [a, n = no_number(random)] { a->nlevels = n; }, Where::on_all},
      {"no list", {MPI_ERR_ARG}, [a] { a->level_list = nullptr; }, Where::on_all},
      {"a level less", {MPI_ERR_ARG}, [a] { a->nlevels = 1; }, Where::on_some},
      {"MPI_COMM_NULL", {MPI_ERR_COMM}, [a] { a->levels[1] = MPI_COMM_NULL; }},
      {"no dimensions", {MPI_ERR_DIMS}, [a, n = no_number(random)] { a->ndims = n; }},
      {"a weight", {MPI_ERR_ARG}, [a, w = wrong_number(random)] { a->weights[1] = w; }}};
  if (stage.between)
    wrongs.push_back(
        {"an intercommunicator", {MPI_ERR_COMM}, [a, &stage] { a->levels[1] = stage.between.get(); }});
  if (world_size() > 2 && even)
    wrongs.push_back({"groups that are none of those above them",
                      {MPI_ERR_TOPOLOGY, MPI_ERR_DIMS, MPI_ERR_ARG},
                      [a] {
                        a->levels[2] = a->apart.get();
                        a->nlevels = 3;
                      },
                      Where::on_all});
  return {"HCL_Cart_ml_create_from_comms",
          true,
          std::move(wrongs),
          [a] {
            return HCL_Cart_ml_create_from_comms(a->nlevels, a->level_list, a->ndims, a->weights.data(),
                                                 a->period_list, a->info, a->chosen_list, a->result);
          },
          [a] { a->free(); },
          [a] { return a->made == MPI_COMM_NULL; }};
}

inline WrongCall cost_call(Stage& stage, Random& random) {
  struct Arguments : CartArguments {
    using CartArguments::CartArguments;
    int64_t total = -99, largest = -99;
  };
  const auto a = std::make_shared<Arguments>(stage);
  a->comm = stage.bare.get();
  std::vector<Wrong> wrongs = wrong_stencils(a, random);
  add_wrong_comms(wrongs, a->comm, stage, true);
  return {"HCL_Internode_cost",
          true,
          std::move(wrongs),
          [a] {
            return HCL_Internode_cost(a->comm, a->nneighbors, a->offset_list, a->weight_list, &a->total,
                                      &a->largest);
          },
          {},
          [a] { return a->total == -99 && a->largest == -99; }};
}

inline WrongCall task_map_call(Stage& stage, Random& random) {
  struct Arguments {
    MPI_Comm comm = MPI_COMM_WORLD;
    int ndims = 2, nneighbors = 1, neighbor = 0, new_rank = -99;
    std::array<double, 2> coordinates{};
    double size = 1;
    const double* coordinate_list = nullptr;
    const int* neighbor_list = nullptr;
    int* result = nullptr;
    MPI_Info info = MPI_INFO_NULL;
  };
  const auto a = std::make_shared<Arguments>();
  a->coordinates = {static_cast<double>(world_rank()), 1};
  a->coordinate_list = a->coordinates.data();
  a->neighbor_list = &a->neighbor;
  a->result = &a->new_rank;
  std::vector<Wrong> wrongs{null_pointer("coordinates", [a] { a->coordinate_list = nullptr; }),
                            null_pointer("neighbors", [a] { a->neighbor_list = nullptr; }),
                            null_pointer("new_rank", [a] { a->result = nullptr; }),
                            {"no dimensions", {MPI_ERR_DIMS}, [a, n = no_number(random)] { a->ndims = n; }},
                            {"a dimension less", {MPI_ERR_ARG}, [a] { a->ndims = 1; }, Where::on_some},
                            {"a coordinate",
                             {MPI_ERR_ARG},
                             [a, x = any_of<double>({std::nan(""), std::numeric_limits<double>::infinity()},
                                                    random)] { a->coordinates[0] = x; }},
                            {"negative neighbours", {MPI_ERR_ARG}, [a] { a->nneighbors = -1; }},
                            {"a neighbour",
                             {MPI_ERR_ARG},
                             [a, n = any_of<int>({-1, world_size(), std::numeric_limits<int>::max()},
                                                 random)] { a->neighbor = n; }},
                            {"a message size", {MPI_ERR_ARG}, [a, x = wrong_number(random)] { a->size = x; }},
                            wrong_info(a->info, {"halocline_network"}, random)};
  add_wrong_comms(wrongs, a->comm, stage, false);
  return {"HCL_Task_map",
          true,
          std::move(wrongs),
          [a] {
            return HCL_Task_map(a->comm, a->ndims, a->coordinate_list, a->nneighbors, a->neighbor_list,
                                &a->size, a->info, a->result);
          },
          {},
          [a] { return a->new_rank == -99; }};
}

}  // namespace halocline
