// SPDX-License-Identifier: BSD-3-Clause
// Every setting of the library: the one place for their names, and what docs/settings.md is made of
// (`halocline man --settings`).
#pragma once

#include <span>

namespace halocline {

/// What users can set, by a variable of the environment, by a key of an MPI_Info, or by a member of options
/// in C++; nullptr where there is none of the kind.
struct Setting {
  const char* variable;
  const char* key;
  const char* option;
  const char* what;    ///< What it is.
  const char* values;  ///< The default first.
  const char* whose;   ///< Whose value counts; of the key, if there is no variable.
  const char* whose_of_key = "agreed";
};

/// Settings that stand together in the document, below this heading.
struct SettingSection {
  const char* heading;
  std::span<const Setting* const> settings;
};

namespace settings {

inline constexpr Setting place{"HALOCLINE_PLACE",
                               "halocline_place",
                               "CartOptions::algorithm",
                               "the placement algorithm",
                               "best, blocked, random, nodecart, hyperplane, kd-tree, strips, optimal-strips",
                               "the first process"};
inline constexpr Setting machine{
    "HALOCLINE_MACHINE",
    nullptr,
    nullptr,
    "a machine instead of the one that is discovered: process r of the world is on core r",
    "none; `node:2 numa:2 core:8`, `nodes:3,2,2`",
    "rank 0"};
inline constexpr Setting gpu{"HALOCLINE_GPU",
                             nullptr,
                             nullptr,
                             "the GPU of this process: those of a node that say the same share one "
                             "([gpu.md](gpu.md#several-gpus-on-a-node))",
                             "the one whose context is current, if one is; a number from 0 on",
                             "each its own; if it is nonsense on one process, discovery fails on all"};
inline constexpr Setting network{
    "HALOCLINE_NETWORK",
    "halocline_network",
    "CartOptions::network",
    "the network between the nodes",
    "none; `torus:25x16x24`, `fat-tree:12x18`, `dragonfly:9x4x2`, ... ([network.md](network.md))",
    "rank 0"};
inline constexpr Setting allocation{
    "HALOCLINE_ALLOCATION",
    "halocline_allocation",
    "CartOptions::allocation",
    "a file that says where the nodes are in the network; no other process reads it",
    "none: the whole network; a path",
    "rank 0",
    "agreed; rank 0 reads the file"};
inline constexpr Setting mapping{"HALOCLINE_MAPPING",       "halocline_mapping",
                                 "CartOptions::mapping",    "how nodes are mapped to the network",
                                 "z2_1, z2_2, z2_3, links", "rank 0"};
inline constexpr Setting order{nullptr,
                               "halocline_order",
                               nullptr,
                               "which points of an array lie side by side, of HCL_Cart_mesh_create",
                               "c, fortran (in Fortran the other way round)",
                               "agreed"};
inline constexpr Setting shape{nullptr,
                               "halocline_shape",
                               nullptr,
                               "how HCL_Cart_weighted_create and its like choose the grid",
                               "levels (one after the other), joint (all at once)",
                               "agreed"};
inline constexpr Setting ratios{
    nullptr, "halocline_ratios", nullptr, "what levels cost with joint", "all alike; `7,1`", "agreed"};

inline constexpr Setting schedule{"HALOCLINE_SCHEDULE",
                                  "halocline_schedule",
                                  "ExchangeOptions::schedule",
                                  "how blocks get from node to node",
                                  "auto, direct, node, mixed, torus, torus-direct, basis",
                                  "the first process"};
inline constexpr Setting wire{"HALOCLINE_WIRE",         "halocline_wire",
                              "ExchangeOptions::wire",  "how messages are handed to MPI",
                              "auto, packed, datatype", "the first process"};
inline constexpr Setting shared{
    "HALOCLINE_SHARED",
    "halocline_shared",
    "ExchangeOptions::shared",
    "whether processes of a node exchange through memory",
    "on; buffered (not straight from one's memory to the other's); off (by messages)",
    "the first process"};
inline constexpr Setting threads{
    "HALOCLINE_THREADS",
    "halocline_threads",
    "ExchangeOptions::threads",
    "how many threads of the library pack, copy and unpack what is large, the one that calls among them "
    "([halo.md](halo.md#threads-inside-an-exchange))",
    "1; a number",
    "each its own; if it is nonsense on one process, a collective call fails on all",
    "each its own, as well"};
inline constexpr Setting device_messages{
    "HALOCLINE_DEVICE_MESSAGES",
    "halocline_device_messages",
    nullptr,
    "in what memory the messages of fields on GPUs are packed ([gpu.md](gpu.md#how-bytes-travel))",
    "auto (on the GPU if MPI takes its addresses), host, device",
    "agreed: on the GPU if all processes of the communicator say so",
    "agreed: on the GPU if all processes of the communicator say so"};
inline constexpr Setting statistics{
    "HALOCLINE_STATISTICS",
    "halocline_statistics",
    "ExchangeOptions::statistics",
    "whether times are taken; with print, rank 0 of a halo writes them to stderr in the end",
    "off, on, print",
    "the first process",
    "agreed; of print, rank 0 of the communicator"};
inline constexpr Setting prices{
    "HALOCLINE_PRICES",
    nullptr,
    nullptr,
    "the file that says what messages cost, by which `auto` decides ([prices.md](prices.md)); no other "
    "process reads it, and that one reads it once",
    "`$XDG_CONFIG_HOME/halocline/prices`, else `~/.config/halocline/prices`; a path; none",
    "the first process, of the communicator on which something is asked for the first time"};
inline constexpr Setting plan{
    "HALOCLINE_PLAN",
    "halocline_plan",
    nullptr,
    "whether the plan of each communicator, exchange and halo is told "
    "([plan.md](plan.md#in-a-program-and-from-machine-to-machine))",
    "not at all; print: on stderr; a path: those of exchanges and halos are written there",
    "the first process",
    "the first process"};
inline constexpr Setting plan_use{
    "HALOCLINE_PLAN_USE",
    nullptr,
    nullptr,
    "a plan that is obeyed where it fits",
    "none; the path of a file that HALOCLINE_PLAN or `halocline plan --json` wrote",
    "the first process, which reads it"};
inline constexpr Setting verify{
    "HALOCLINE_VERIFY",
    nullptr,
    nullptr,
    "whether the creation of a halo ends with its verification; rank 0 says in the end what was verified",
    "0, 1",
    "the first process"};
inline constexpr Setting field{nullptr,
                               "halocline_field",
                               "FieldOptions::shared",
                               "where a field of HCL_Field_create lies",
                               "shared (with the processes of the node), private, device (a GPU)",
                               "agreed"};
inline constexpr Setting staggered{
    nullptr,
    "halocline_staggered",
    "FieldOptions::staggered",
    "along which dimensions a field of HCL_Field_create has one point more than there are cells "
    "([halo.md](halo.md#staggered-fields))",
    "numbers of dimensions from 0 on: 0 or 0,2",
    "agreed"};
inline constexpr Setting device{
    "HALOCLINE_DEVICE",
    nullptr,
    nullptr,
    "the device on which the library allocates fields that are to lie on one ([gpu.md](gpu.md))",
    "gpu: the current one, else one for each process of a node in turn; host (the processor plays one, to "
    "try "
    "out programs without kernels on machines without a GPU)",
    "each its own; where one has no device, creation of a field fails on all"};
inline constexpr Setting driver{
    "HALOCLINE_DRIVER",
    nullptr,
    nullptr,
    "who drives an exchange that was started on a stream of a GPU ([gpu.md](gpu.md#streams))",
    "auto, stream (where it can alone), host",
    "each its own; if it is nonsense on one process, creation of a halo on GPUs fails on all"};
inline constexpr Setting mesh_of_halo{
    nullptr,
    "halocline_mesh",
    nullptr,
    "what mesh HCL_Halo_create takes",
    "communicator (the one it knows), fields (the one that their extents make up)",
    "agreed"};
inline constexpr Setting borders{
    nullptr,
    "halocline_borders",
    "HaloOptions::borders",
    "what becomes of ghost points beyond open borders "
    "([halo.md](halo.md#ghost-points-beyond-open-borders))",
    "keep (none is touched), carry (they travel along the border to the next process)",
    "agreed"};

inline constexpr Setting sides{nullptr,
                               "halocline_sides",
                               "HaloOptions::sides",
                               "what is beyond open sides of the mesh: mirrors, a shear, a fold "
                               "([halo.md](halo.md#borders-of-the-mesh))",
                               "none; `x:mirror-face`, `y:shear+3@x`, `y+:fold-t@x:odd=1,2`",
                               "agreed"};

inline constexpr Setting addresses{
    nullptr,
    "halocline_addresses",
    "HaloOptions::addresses",
    "where a halo may find its fields ([halo.md](halo.md#memory-at-the-call))",
    "fixed (in the memories that it was made for), any (at any address, new at every start)",
    "agreed"};

inline constexpr Setting progress{
    "HALOCLINE_PROGRESS",
    nullptr,
    nullptr,
    "whether a thread of the library moves what is under way while the program computes; needs "
    "MPI_THREAD_MULTIPLE ([halo.md](halo.md#a-thread-that-moves-halos))",
    "off, thread",
    "the first process"};

inline constexpr Setting compile{
    "HALOCLINE_COMPILE",
    "halocline_compile",
    nullptr,
    "the engine that packs: all make the same bytes",
    "auto, kernels, llvm",
    "each its own; if it is nonsense on one process, a collective call fails on all",
    "each its own, as well"};
inline constexpr Setting reuse{
    nullptr,
    "halocline_reuse",
    nullptr,
    "how often something will be packed, about: is generated code worth its time?",
    "unknown; a number",
    "each its own; if it is nonsense on one process, a collective call fails on all"};
inline constexpr Setting llvm_module{
    "HALOCLINE_LLVM_MODULE",
    nullptr,
    nullptr,
    "the file of the module that generates code, and nothing else is tried; read once",
    "none: beside the library, then where it was installed; a path",
    "each its own: a node may have it elsewhere, or not at all"};
inline constexpr Setting log{
    "HALOCLINE_LOG",
    nullptr,
    nullptr,
    "lines on stderr about what went another way than was asked for; with the preload library what was taken "
    "over, in MPI_Finalize",
    "off, anything else",
    "each its own: it only prints"};

inline constexpr Setting preload{"HALOCLINE", nullptr, nullptr, "nothing is taken over at all",
                                 "on, off",   "rank 0"};
inline constexpr Setting everywhere{
    "OMPI_MCA_halocline_everywhere",
    nullptr,
    nullptr,
    "says that LD_PRELOAD was handed to all nodes of a job of Open MPI; as an option `--mca "
    "halocline_everywhere 1`",
    "none, 1",
    "the same on all: Open MPI sees to it, which hands all variables that begin with OMPI_MCA_ to all "
    "processes"};
inline constexpr Setting reorder{
    "HALOCLINE_REORDER",
    nullptr,
    nullptr,
    "whether grids may be reordered; with graphs, distributed graphs as well",
    "on, off, graphs",
    "agreed: off if it is off on one process of the communicator, graphs if it is on all; for HALOCLINE_MESH "
    "rank 0"};
inline constexpr Setting neighbor{
    "HALOCLINE_NEIGHBOR",
    nullptr,
    nullptr,
    "whether neighbourhood collectives are taken over; with eager, from the first call on",
    "on, off, eager",
    "agreed: off if it is off on one process of the communicator, eager if it is on all"};
inline constexpr Setting types{
    "HALOCLINE_TYPES",
    nullptr,
    nullptr,
    "whether messages of datatypes are packed by the library: both ways make the same bytes",
    "on, off",
    "each its own"};
inline constexpr Setting mesh{"HALOCLINE_MESH",        nullptr, nullptr, "the mesh for MPI_Dims_create",
                              "none; `1000x1100x950`", "rank 0"};
inline constexpr Setting stencil{"HALOCLINE_STENCIL",
                                 nullptr,
                                 nullptr,
                                 "the stencil that MPI_Cart_create places for",
                                 "nearest, ... ([placement.md](placement.md))",
                                 "agreed: if it is not the same on all, the call is left to MPI on all"};

inline constexpr Setting rank_order{"HALOCLINE_ORDER",
                                    nullptr,
                                    nullptr,
                                    "the file that gives ranks new numbers "
                                    "([preload.md](preload.md#new-numbers-for-ranks)); no other process "
                                    "reads it",
                                    "none: the launcher's numbers; a path",
                                    "rank 0"};

inline constexpr Setting trace{"HALOCLINE_TRACE",
                               nullptr,
                               nullptr,
                               "the file that is written in MPI_Finalize",
                               "`halocline.trace` in the folder in which MPI_Init was called; a path",
                               "rank 0, which writes it; of parts each its own"};
inline constexpr Setting trace_parts{
    "HALOCLINE_TRACE_PARTS",
    nullptr,
    nullptr,
    "after how many seconds, again and again, each process writes what it has recorded, into the file with "
    "`.part.` and its rank behind the name",
    "never; a number from 0.01 to 1000000",
    "each its own"};
inline constexpr Setting trace_signal{
    "HALOCLINE_TRACE_SIGNAL", nullptr,       nullptr, "the signal at which a process writes such a part",
    "none, USR1, USR2",       "each its own"};

inline constexpr const Setting* of_communicators[] = {&place,   &machine, &gpu,   &network, &allocation,
                                                      &mapping, &order,   &shape, &ratios};
inline constexpr const Setting* of_exchanges[] = {
    &schedule, &wire,   &shared,    &device_messages, &statistics, &prices, &plan,
    &plan_use, &verify, &field,     &staggered,       &device,     &driver, &mesh_of_halo,
    &borders,  &sides,  &addresses, &threads,         &progress};
inline constexpr const Setting* of_packing[] = {&compile, &reuse, &llvm_module, &log};
inline constexpr const Setting* of_preloading[] = {&preload, &everywhere, &reorder, &neighbor,
                                                   &types,   &mesh,       &stencil};

inline constexpr const Setting* of_ordering[] = {&rank_order};
inline constexpr const Setting* of_tracing[] = {&trace, &trace_parts, &trace_signal};

inline constexpr SettingSection sections[] = {{"Communicators", of_communicators},
                                              {"Exchanges, fields and halos", of_exchanges},
                                              {"Packing", of_packing},
                                              {"The preload library", of_preloading},
                                              {"The library of new numbers", of_ordering},
                                              {"The tracing library", of_tracing}};

}  // namespace settings
}  // namespace halocline
