// Calls of neighbourhoods, their collectives and requests that can be made wrong.
#pragma once

#include "api/wrong_stage.hpp"
#include "halocline/iso.h"

#include <limits>

namespace halocline {

inline WrongCall neighborhood_call(Stage& stage, Random& random) {
  struct Arguments {
    MPI_Comm comm;
    int count = 2;
    std::array<int, 4> offsets{1, -1, 0, 1};
    const int* list = nullptr;
    MPI_Comm made = MPI_COMM_NULL, *result = nullptr;
  };
  const auto a = std::make_shared<Arguments>(Arguments{stage.bare.get()});
  a->list = a->offsets.data();
  a->result = &a->made;
  std::vector<Wrong> wrongs{
      null_pointer("offsets", [a] { a->list = nullptr; }),
      null_pointer("comm", [a] { a->result = nullptr; }),
      {"no neighbours",
       {MPI_ERR_ARG},
       [a, n = any_of<int>({0, -1, std::numeric_limits<int>::min()}, random)] { a->count = n; }},
      {"another offset",
       {MPI_ERR_ARG},
       [a, x = any_of<int>({2, std::numeric_limits<int>::max(), std::numeric_limits<int>::min()}, random)] {
         a->offsets[1] = x;
       },
       Where::on_some},
      {"fewer neighbours", {MPI_ERR_ARG}, [a] { a->count = 1; }, Where::on_some}};
  add_wrong_comms(wrongs, a->comm, stage, true);
  const bool iso = random_in(random, 0, 1) == 0;
  return {iso ? "Iso_neighborhood_create" : "HCL_Neighborhood_create",
          true,
          std::move(wrongs),
          [a, iso] {
            return iso ? Iso_neighborhood_create(a->comm, a->count, a->list, a->result)
                       : HCL_Neighborhood_create(a->comm, a->count, a->list, a->result);
          },
          [a] { MPI_Comm_free(&a->made); },
          [a] { return a->made == MPI_COMM_NULL; }};
}

/// One side of a collective of two neighbours.
struct WrongSide {
  std::vector<int> memory = std::vector<int>(8);
  void* buffer = nullptr;
  int count = 1;
  std::array<int, 2> counts{1, 1};
  std::array<MPI_Aint, 2> elements{0, 1}, bytes{0, 4};
  std::array<MPI_Datatype, 2> types{MPI_INT, MPI_INT};
  const int* count_list = nullptr;
  const MPI_Aint *element_list = nullptr, *byte_list = nullptr;
  const MPI_Datatype* type_list = nullptr;

  void begin() {
    buffer = memory.data();
    count_list = counts.data();
    element_list = elements.data();
    byte_list = bytes.data();
    type_list = types.data();
  }
};

enum class Form { regular, irregular, mixed };
enum class Manner { init, once, begin };

struct CollectiveArguments {
  WrongSide send, receive;
  MPI_Comm comm;
  MPI_Info info = MPI_INFO_NULL;
  HCL_Request request = HCL_REQUEST_NULL, *result = nullptr;

  int alltoall(Form form, Manner manner) {
    const WrongSide &s = send, &r = receive;
    switch (form) {
      case Form::regular:
        return manner == Manner::init ? HCL_Neighbor_alltoall_init(s.buffer, s.count, s.types[0], r.buffer,
                                                                   r.count, r.types[0], comm, info, result)
               : manner == Manner::once
                   ? HCL_Neighbor_alltoall(s.buffer, s.count, s.types[0], r.buffer, r.count, r.types[0], comm)
                   : HCL_Ineighbor_alltoall(s.buffer, s.count, s.types[0], r.buffer, r.count, r.types[0],
                                            comm, result);
      case Form::irregular:
        return manner == Manner::init
                   ? HCL_Neighbor_alltoallv_init(s.buffer, s.count_list, s.element_list, s.types[0], r.buffer,
                                                 r.count_list, r.element_list, r.types[0], comm, info, result)
               : manner == Manner::once
                   ? HCL_Neighbor_alltoallv(s.buffer, s.count_list, s.element_list, s.types[0], r.buffer,
                                            r.count_list, r.element_list, r.types[0], comm)
                   : HCL_Ineighbor_alltoallv(s.buffer, s.count_list, s.element_list, s.types[0], r.buffer,
                                             r.count_list, r.element_list, r.types[0], comm, result);
      default:
        return manner == Manner::init
                   ? HCL_Neighbor_alltoallw_init(s.buffer, s.count_list, s.byte_list, s.type_list, r.buffer,
                                                 r.count_list, r.byte_list, r.type_list, comm, info, result)
               : manner == Manner::once
                   ? HCL_Neighbor_alltoallw(s.buffer, s.count_list, s.byte_list, s.type_list, r.buffer,
                                            r.count_list, r.byte_list, r.type_list, comm)
                   : HCL_Ineighbor_alltoallw(s.buffer, s.count_list, s.byte_list, s.type_list, r.buffer,
                                             r.count_list, r.byte_list, r.type_list, comm, result);
    }
  }
  int allgather(Form form, Manner manner) {
    const WrongSide &s = send, &r = receive;
    switch (form) {
      case Form::regular:
        return manner == Manner::init   ? HCL_Neighbor_allgather_init(s.buffer, s.count, s.types[0], r.buffer,
                                                                      r.count, r.types[0], comm, info, result)
               : manner == Manner::once ? HCL_Neighbor_allgather(s.buffer, s.count, s.types[0], r.buffer,
                                                                 r.count, r.types[0], comm)
                                        : HCL_Ineighbor_allgather(s.buffer, s.count, s.types[0], r.buffer,
                                                                  r.count, r.types[0], comm, result);
      case Form::irregular:
        return manner == Manner::init
                   ? HCL_Neighbor_allgatherv_init(s.buffer, s.count, s.types[0], r.buffer, r.count_list,
                                                  r.element_list, r.types[0], comm, info, result)
               : manner == Manner::once
                   ? HCL_Neighbor_allgatherv(s.buffer, s.count, s.types[0], r.buffer, r.count_list,
                                             r.element_list, r.types[0], comm)
                   : HCL_Ineighbor_allgatherv(s.buffer, s.count, s.types[0], r.buffer, r.count_list,
                                              r.element_list, r.types[0], comm, result);
      default:
        return manner == Manner::init
                   ? HCL_Neighbor_allgatherw_init(s.buffer, s.count, s.types[0], r.buffer, r.count_list,
                                                  r.byte_list, r.type_list, comm, info, result)
               : manner == Manner::once
                   ? HCL_Neighbor_allgatherw(s.buffer, s.count, s.types[0], r.buffer, r.count_list,
                                             r.byte_list, r.type_list, comm)
                   : HCL_Ineighbor_allgatherw(s.buffer, s.count, s.types[0], r.buffer, r.count_list,
                                              r.byte_list, r.type_list, comm, result);
    }
  }
};

/// What can be wrong with one side: `lists` of counts or one for all, of types or not.
inline void add_wrong_side(std::vector<Wrong>& wrongs, std::shared_ptr<CollectiveArguments> a,
                           WrongSide& side, const std::string& name, Form form, const Stage& stage,
                           Random& random) {
  const int less = any_of<int>({-1, -7, std::numeric_limits<int>::min()}, random);
  constexpr MPI_Aint far = std::numeric_limits<MPI_Aint>::max();
  wrongs.push_back(null_pointer(name + " buffer", [a, &side] { side.buffer = nullptr; }));
  wrongs.push_back({name + " MPI_IN_PLACE", {MPI_ERR_ARG}, [a, &side] { side.buffer = MPI_IN_PLACE; }});
  wrongs.push_back(
      {name + " a negative count", {MPI_ERR_ARG}, [a, &side, less] { side.count = side.counts[1] = less; }});
  wrongs.push_back(
      {name + " no datatype", {MPI_ERR_TYPE}, [a, &side] { side.types.fill(MPI_DATATYPE_NULL); }});
  wrongs.push_back({name + " a datatype that is not committed", {MPI_ERR_TYPE}, [a, &side, &stage] {
                      side.types.fill(stage.uncommitted.get());
                    }});
  wrongs.push_back({name + " a datatype out of all memory", {MPI_ERR_TYPE, MPI_ERR_ARG}, [a, &side, &stage] {
                      side.types.fill(stage.far.get());
                    }});
  if (form == Form::regular) return;
  wrongs.push_back(null_pointer(name + " counts", [a, &side] { side.count_list = nullptr; }));
  wrongs.push_back(
      null_pointer(name + " displacements", [a, &side] { side.element_list = side.byte_list = nullptr; }));
  wrongs.push_back({name + " a displacement out of all memory", {MPI_ERR_TYPE, MPI_ERR_ARG}, [a, &side] {
                      side.elements[1] = far;
                      side.bytes[1] = far - 1;
                    }});
  if (form == Form::mixed)
    wrongs.push_back(null_pointer(name + " types", [a, &side] { side.type_list = nullptr; }));
}

inline WrongCall collective_call(Stage& stage, Random& random) {
  const bool gathers = random_in(random, 0, 1) == 0;
  const Form form = any_of<Form>({Form::regular, Form::irregular, Form::mixed}, random);
  const Manner manner = any_of<Manner>({Manner::init, Manner::once, Manner::once, Manner::begin}, random);
  const auto a = std::make_shared<CollectiveArguments>(CollectiveArguments{{}, {}, stage.neighbors.get()});
  a->send.begin();
  a->receive.begin();
  a->result = &a->request;
  std::vector<Wrong> wrongs;
  add_wrong_comms(wrongs, a->comm, stage, true);
  wrongs.push_back(
      {"no neighbourhood", {MPI_ERR_TOPOLOGY}, [a, &stage] { a->comm = stage.cart.get(); }, Where::on_all});
  add_wrong_side(wrongs, a, a->send, "send", gathers ? Form::regular : form, stage, random);
  add_wrong_side(wrongs, a, a->receive, "receive", form, stage, random);
  // On one side alone: both would make a call that is right, of memory that is not there.
  wrongs.push_back({"a huge count to receive", {MPI_ERR_ARG, MPI_ERR_TYPE}, [a] {
                      a->receive.count = a->receive.counts[1] = std::numeric_limits<int>::max();
                    }});
  wrongs.push_back({"doubles to send", {MPI_ERR_ARG}, [a] { a->send.types.fill(MPI_DOUBLE); }});
  wrongs.push_back({"two of all",
                    {MPI_ERR_ARG},
                    [a] {
                      for (WrongSide* side : {&a->send, &a->receive}) {
                        side->count = 2;
                        side->counts.fill(2);
                        side->elements[1] = 2;
                        side->bytes[1] = 8;
                      }
                    },
                    Where::on_some});
  if (manner != Manner::once) wrongs.push_back(null_pointer("request", [a] { a->result = nullptr; }));
  if (manner == Manner::init)
    wrongs.push_back(wrong_info(
        a->info, {"halocline_schedule", "halocline_wire", "halocline_shared", "halocline_compile"}, random));
  const std::string name = std::string(manner == Manner::begin ? "HCL_Ineighbor_" : "HCL_Neighbor_") +
                           (gathers ? "allgather" : "alltoall") +
                           (form == Form::regular     ? ""
                            : form == Form::irregular ? "v"
                                                      : "w") +
                           (manner == Manner::init ? "_init" : "");
  return {
      name,
      true,
      std::move(wrongs),
      [a, gathers, form, manner] { return gathers ? a->allgather(form, manner) : a->alltoall(form, manner); },
      [a, manner] {
        if (manner == Manner::begin) {
          EXPECT_EQ(HCL_Wait(&a->request), MPI_SUCCESS);
        }
        if (manner == Manner::init) {
          EXPECT_EQ(HCL_Request_free(&a->request), MPI_SUCCESS);
        }
      },
      [a] { return a->request == HCL_REQUEST_NULL; }};
}

inline WrongCall request_call(Stage& /*stage*/, Random& random) {
  struct Arguments {
    HCL_Request none = HCL_REQUEST_NULL, *request = &none;
    int count = 0, flag = -99, *flags = &flag;
  };
  const auto a = std::make_shared<Arguments>();
  std::vector<Wrong> wrongs{null_pointer("request", [a] { a->request = nullptr; })};
  const auto call = random_in(random, 0, 4);
  if (call <= 1) {
    wrongs = {{"one of a list that is null",
               {MPI_ERR_ARG},
               [a] {
                 a->request = nullptr;
                 a->count = 1;
               }},
              {"a negative count",
               {MPI_ERR_ARG},
               [a, n = any_of<int>({-1, std::numeric_limits<int>::min()}, random)] { a->count = n; }}};
    if (call == 0) {
      wrongs.push_back({"HCL_REQUEST_NULL", {MPI_ERR_REQUEST, MPI_ERR_ARG}, [a] { a->count = 1; }});
      return {"HCL_Startall",
              false,
              std::move(wrongs),
              [a] { return HCL_Startall(a->count, a->request); },
              {},
              {}};
    }
    return {
        "HCL_Waitall", false, std::move(wrongs), [a] { return HCL_Waitall(a->count, a->request); }, {}, {}};
  }
  if (call == 2) {
    wrongs.push_back(null_pointer("flag", [a] { a->flags = nullptr; }));
    return {"HCL_Test",
            false,
            std::move(wrongs),
            [a] { return HCL_Test(a->request, a->flags); },
            {},
            [a] { return a->flag == -99; }};
  }
  if (call == 3) return {"HCL_Wait", false, std::move(wrongs), [a] { return HCL_Wait(a->request); }, {}, {}};
  return {"Iso_wait", false, std::move(wrongs), [a] { return Iso_wait(a->request); }, {}, {}};
}

}  // namespace halocline
