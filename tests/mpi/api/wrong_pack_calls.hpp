// Calls of packing, and the question for a text, that can be made wrong.
#pragma once

#include "api/wrong_stage.hpp"

#include <limits>

namespace halocline {

struct PackArguments {
  std::array<int, 8> data{1, 2, 3, 4, 5, 6, 7, 8}, packed{};
  void *buffer = data.data(), *wire = packed.data();
  MPI_Count count = 2, size = 32, position = 4, *positions = &position;
  MPI_Datatype type = MPI_INT;
  MPI_Comm comm = MPI_COMM_WORLD;
};

inline std::vector<Wrong> wrong_packs(const std::shared_ptr<PackArguments>& a, const std::string& wire,
                                      Random& random) {
  constexpr MPI_Count most = std::numeric_limits<MPI_Count>::max(),
                      least = std::numeric_limits<MPI_Count>::min();
  return {
      null_pointer("position", [a] { a->positions = nullptr; }),
      null_pointer("buffer", [a] { a->buffer = nullptr; }),
      null_pointer(wire, [a] { a->wire = nullptr; }),
      {"the buffer MPI_IN_PLACE", {MPI_ERR_ARG}, [a] { a->buffer = MPI_IN_PLACE; }},
      {wire + " MPI_IN_PLACE", {MPI_ERR_ARG}, [a] { a->wire = MPI_IN_PLACE; }},
      {"the size", {MPI_ERR_ARG}, [a, n = any_of<MPI_Count>({-1, 0, 3, 11, least}, random)] { a->size = n; }},
      {"the position", {MPI_ERR_ARG}, [a, n = any_of<MPI_Count>({-1, 33, 25, most, least}, random)] {
         a->position = n;
       }}};
}

inline WrongCall pack_call(Stage& stage, Random& random) {
  constexpr MPI_Count most = std::numeric_limits<MPI_Count>::max(),
                      least = std::numeric_limits<MPI_Count>::min();
  const auto a = std::make_shared<PackArguments>();
  const bool unpacks = random_in(random, 0, 1) == 0;
  std::vector<Wrong> wrongs = wrong_packs(a, unpacks ? "inbuf" : "outbuf", random);
  wrongs.push_back({"the count",
                    {MPI_ERR_ARG, MPI_ERR_TYPE},
                    [a, n = any_of<MPI_Count>({-1, 8, most, most / 4, least}, random)] { a->count = n; }});
  wrongs.push_back({"no datatype", {MPI_ERR_TYPE}, [a] { a->type = MPI_DATATYPE_NULL; }});
  wrongs.push_back({"not committed", {MPI_ERR_TYPE}, [a, &stage] { a->type = stage.uncommitted.get(); }});
  wrongs.push_back({"out of all memory", {MPI_ERR_TYPE}, [a, &stage] { a->type = stage.far.get(); }});
  wrongs.push_back({"MPI_COMM_NULL", {MPI_ERR_COMM}, [a] { a->comm = MPI_COMM_NULL; }});
  return {unpacks ? "HCL_Unpack" : "HCL_Pack",
          false,
          std::move(wrongs),
          [a, unpacks] {
            return unpacks ? HCL_Unpack(a->wire, a->size, a->positions, a->buffer, a->count, a->type, a->comm)
                           : HCL_Pack(a->buffer, a->count, a->type, a->wire, a->size, a->positions, a->comm);
          },
          {},
          [a] { return a->packed == std::array<int, 8>{} && a->data[0] == 1; }};
}

/// A packer of two parts.
inline WrongCall packer_call(Stage& stage, Random& random) {
  struct Arguments {
    int nparts = 2;
    std::array<MPI_Count, 2> counts{1, 2};
    std::array<MPI_Aint, 2> places{0, 8};
    std::array<MPI_Datatype, 2> types{MPI_INT, MPI_INT};
    const MPI_Count* count_list = counts.data();
    const MPI_Aint* place_list = places.data();
    const MPI_Datatype* type_list = types.data();
    MPI_Info info = MPI_INFO_NULL;
    HCL_Packer packer = HCL_PACKER_NULL, *result = &packer;
  };
  const auto a = std::make_shared<Arguments>();
  constexpr MPI_Count most = std::numeric_limits<MPI_Count>::max(),
                      least = std::numeric_limits<MPI_Count>::min();
  std::vector<Wrong> wrongs{
      null_pointer("counts", [a] { a->count_list = nullptr; }),
      null_pointer("displacements", [a] { a->place_list = nullptr; }),
      null_pointer("datatypes", [a] { a->type_list = nullptr; }),
      null_pointer("packer", [a] { a->result = nullptr; }),
      {"negative parts",
       {MPI_ERR_ARG},
       [a, n = any_of<int>({-1, std::numeric_limits<int>::min()}, random)] { a->nparts = n; }},
      {"a count",
       {MPI_ERR_ARG, MPI_ERR_TYPE},
       [a, n = any_of<MPI_Count>({-1, most, most / 4, least}, random)] { a->counts[1] = n; }},
      {"a displacement",
       {MPI_ERR_ARG, MPI_ERR_TYPE},
       [a] { a->places[1] = std::numeric_limits<MPI_Aint>::max() - 3; }},
      {"no datatype", {MPI_ERR_TYPE}, [a] { a->types[1] = MPI_DATATYPE_NULL; }},
      {"not committed", {MPI_ERR_TYPE}, [a, &stage] { a->types[0] = stage.uncommitted.get(); }},
      {"out of all memory", {MPI_ERR_TYPE}, [a, &stage] { a->types[1] = stage.far.get(); }},
      wrong_info(a->info, {"halocline_compile"}, random)};
  return {"HCL_Packer_create",
          false,
          std::move(wrongs),
          [a] {
            return HCL_Packer_create(a->nparts, a->count_list, a->place_list, a->type_list, a->info,
                                     a->result);
          },
          [a] { EXPECT_EQ(HCL_Packer_free(&a->packer), MPI_SUCCESS); },
          [a] { return a->packer == HCL_PACKER_NULL; }};
}

inline WrongCall packer_use_call(Stage& /*stage*/, Random& random) {
  struct Arguments : PackArguments {
    HCL_Packer packer = HCL_PACKER_NULL, made = HCL_PACKER_NULL;
    ~Arguments() { EXPECT_EQ(HCL_Packer_free(&made), MPI_SUCCESS); }
  };
  const auto a = std::make_shared<Arguments>();
  const std::array<MPI_Count, 2> counts{1, 1};
  const std::array<MPI_Aint, 2> places{0, 8};
  const std::array<MPI_Datatype, 2> types{MPI_INT, MPI_INT};
  EXPECT_EQ(HCL_Packer_create(2, counts.data(), places.data(), types.data(), MPI_INFO_NULL, &a->made),
            MPI_SUCCESS);
  a->packer = a->made;
  const bool unpacks = random_in(random, 0, 1) == 0;
  std::vector<Wrong> wrongs = wrong_packs(a, unpacks ? "inbuf" : "outbuf", random);
  wrongs.push_back({"HCL_PACKER_NULL", {MPI_ERR_ARG}, [a = a.get()] { a->packer = HCL_PACKER_NULL; }});
  return {unpacks ? "HCL_Packer_unpack" : "HCL_Packer_pack",
          false,
          std::move(wrongs),
          [a, unpacks] {
            return unpacks ? HCL_Packer_unpack(a->packer, a->wire, a->size, a->positions, a->buffer)
                           : HCL_Packer_pack(a->packer, a->buffer, a->wire, a->size, a->positions);
          },
          {},
          [a] { return a->packed == std::array<int, 8>{} && a->data[0] == 1; }};
}

inline WrongCall pack_question_call(Stage& stage, Random& random) {
  struct Arguments {
    MPI_Count count = 2, size = -99, *sizes = &size;
    MPI_Datatype type = MPI_INT;
    MPI_Comm comm = MPI_COMM_WORLD;
    MPI_Info info = MPI_INFO_NULL;
  };
  const auto a = std::make_shared<Arguments>();
  std::vector<Wrong> wrongs{
      {"no datatype", {MPI_ERR_TYPE}, [a] { a->type = MPI_DATATYPE_NULL; }},
      {"not committed", {MPI_ERR_TYPE}, [a, &stage] { a->type = stage.uncommitted.get(); }}};
  if (random_in(random, 0, 1) == 0) {
    wrongs.push_back(wrong_info(a->info, {"halocline_compile"}, random));
    return {"HCL_Type_compile",
            false,
            std::move(wrongs),
            [a] { return HCL_Type_compile(a->type, a->info); },
            {},
            {}};
  }
  constexpr MPI_Count most = std::numeric_limits<MPI_Count>::max(),
                      least = std::numeric_limits<MPI_Count>::min();
  wrongs.push_back({"the count",
                    {MPI_ERR_ARG},
                    [a, n = any_of<MPI_Count>({-1, most, most / 3, least}, random)] { a->count = n; }});
  wrongs.push_back(null_pointer("size", [a] { a->sizes = nullptr; }));
  wrongs.push_back({"MPI_COMM_NULL", {MPI_ERR_COMM}, [a] { a->comm = MPI_COMM_NULL; }});
  return {"HCL_Pack_size",
          false,
          std::move(wrongs),
          [a] { return HCL_Pack_size(a->count, a->type, a->comm, a->sizes); },
          {},
          [a] { return a->size == -99; }};
}

/// The text of a code of ours, or of MPI's.
inline WrongCall error_string_call(Stage& /*stage*/, Random& random) {
  struct Arguments {
    int code = 0, length = -99, *lengths = &length;
    std::array<char, MPI_MAX_ERROR_STRING> text{};
    char* texts = text.data();
  };
  const auto a = std::make_shared<Arguments>();
  if (random_in(random, 0, 1) == 0) {
    a->code = HCL_Pack_size(-1, MPI_INT, MPI_COMM_WORLD, nullptr);
    times_called = 0;
  }
  std::vector<Wrong> wrongs{null_pointer("string", [a] { a->texts = nullptr; }),
                            null_pointer("resultlen", [a] { a->lengths = nullptr; })};
  return {"HCL_Error_string",
          false,
          std::move(wrongs),
          [a] { return HCL_Error_string(a->code, a->texts, a->lengths); },
          {},
          [a] { return a->length == -99 && a->text[0] == '\0'; }};
}

}  // namespace halocline
