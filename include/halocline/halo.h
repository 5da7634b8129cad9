/* SPDX-License-Identifier: BSD-3-Clause */
/* The halo exchange for C programs; a part of halocline.h, whose conventions hold here.
 *
 *   HCL_Cart_mesh_create(MPI_COMM_WORLD, 3, mesh, NULL, periods, 1, 0, HCL_STENCIL_MOORE, NULL,
 *                        MPI_INFO_NULL, dims, &cart);
 *   HCL_Field_create(cart, MPI_DOUBLE, NULL, NULL, MPI_ORDER_C, MPI_INFO_NULL, &u);
 *   HCL_Halo_create(cart, 1, &u, 0, HCL_DIRECTIONS_DEFAULT, MPI_INFO_NULL, &halo);
 *   for (int step = 0; step < steps; ++step) {
 *     HCL_Halo_start(halo);
 *     ...                     the interior
 *     HCL_Halo_wait(halo);
 *     ...                     the boundary
 *   }
 */
#ifndef HALOCLINE_HALO_H
#define HALOCLINE_HALO_H

#include <halocline/api.h>
#include <mpi.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The mesh of a communicator.
 *
 * A communicator that HCL_Cart_mesh_create made knows its mesh and tells its duplicates. Each process owns a
 * box of points: along each dimension, of n points over p processes the first n mod p get one more than the
 * others. Any other Cartesian communicator can be told a mesh. Points are counted from 0. */

/* Tells a Cartesian communicator its mesh and the widths of halos (NULL: 1 everywhere), in place of what it
 * knew. Every process must get a point (MPI_ERR_DIMS). Collective. */
HALOCLINE_API int HCL_Cart_mesh_attach(MPI_Comm comm_cart, const int64_t mesh[], const int64_t halo[]);

/* The mesh that a communicator knows, and the widths it was cut for; either may be NULL. MPI_ERR_TOPOLOGY if
 * it knows none. Local, as all questions are. */
HALOCLINE_API int HCL_Cart_mesh_get(MPI_Comm comm_cart, int maxdims, int64_t mesh[], int64_t halo[]);

/* The box of points that a process owns: its first point and its extents; either may be NULL. */
HALOCLINE_API int HCL_Cart_box(MPI_Comm comm_cart, int rank, int64_t first[], int64_t extents[]);

/* The process that owns a point. Coordinates outside the mesh are wrapped around where it is periodic;
 * otherwise the owner is MPI_PROC_NULL. */
HALOCLINE_API int HCL_Cart_owner(MPI_Comm comm_cart, const int64_t point[], int* rank);

/* Fields: where the values of the points are.
 *
 * A field has one element for each point of the process and for the points of the halo around them: halo_low
 * points before the first own one along each dimension, halo_high behind the last. Widths may be zero. If
 * halo_high is NULL it is as halo_low. An element is any datatype, committed or not: a number, several
 * components, a structure, parts of one. Its extent is that of the memory of a point, and only what is in its
 * typemap is exchanged. It may be freed once the field is made. */

/* The handle of a field. */
typedef struct HCL_Field_object* HCL_Field;
/* No field. */
#define HCL_FIELD_NULL ((HCL_Field)0)

/* An array of the application: `extents` elements along each dimension, halo included, the first of them at
 * `array`. `order` is MPI_ORDER_C (the last dimension lies side by side) or MPI_ORDER_FORTRAN (the first). If
 * halo_low is NULL the widths are 1. The array must live as long as halos made of it. Local. */
HALOCLINE_API int HCL_Field_attach(void* array, int ndims, const int64_t extents[], const int64_t halo_low[],
                                   const int64_t halo_high[], int order, MPI_Datatype element,
                                   HCL_Field* field);

/* The same with neighbours along each dimension strides[i] bytes apart, which may be negative. */
HALOCLINE_API int HCL_Field_attach_strided(void* array, int ndims, const int64_t extents[],
                                           const int64_t halo_low[], const int64_t halo_high[],
                                           const MPI_Aint strides[], MPI_Datatype element, HCL_Field* field);

/* Says that a field of the two calls above has one point more than the process has cells along some
 * dimensions, counted from 0: values on faces (one dimension), edges or nodes of the mesh. Of n + 1 points
 * between the halos along such a dimension the first n are own ones; the last is the first of the next
 * process, which it gets in an exchange, as the halo behind it. On the last process along an open dimension
 * it is an own one. Takes the place of what was said before; halos are made of the field afterwards.
 * MPI_ERR_DIMS for a dimension that it does not have, MPI_ERR_ARG for one that is named twice. Local. */
HALOCLINE_API int HCL_Field_stagger(HCL_Field field, int ndimensions, const int dimensions[]);

/* A field in memory of the library, on the mesh of the communicator, filled with zeros. The processes of a
 * node share the memory where they can, so that neighbours copy straight from it; rows may have gaps.
 * If halo_low is NULL the widths are those of the communicator. `info` may be MPI_INFO_NULL or hold the key
 * halocline_field: shared (the default), private, or device: on the GPU of the process, where its processor
 * cannot read it (an error if there is none); and the key halocline_staggered: the dimensions that it is
 * staggered along, see HCL_Field_stagger, with commas between them. The element must not reach beyond its
 * extent (MPI_ERR_TYPE), and have the same extent and the same bytes, in the same order, on all processes
 * (MPI_ERR_ARG): neighbours copy from it as their own lies. Arrays of the application may differ there.
 * Collective. */
HALOCLINE_API int HCL_Field_create(MPI_Comm comm_cart, MPI_Datatype element, const int64_t halo_low[],
                                   const int64_t halo_high[], int order, MPI_Info info, HCL_Field* field);

/* The address of the first own point, whose neighbours along dimension i are strides[i] bytes apart, and how
 * many own points there are along each dimension, with the last one of a staggered field. Each but `field`
 * may be NULL. `array` is a void**. Local.
 */
HALOCLINE_API int HCL_Field_get(HCL_Field field, int maxdims, void* array, MPI_Aint strides[],
                                int64_t extents[]);

/* Frees the field and sets it to HCL_FIELD_NULL. Halos made of it stay good: memory of the library goes with
 * the last of them. Local. */
HALOCLINE_API int HCL_Field_free(HCL_Field* field);

/* The exchange.
 *
 * After it every process sees its neighbours' points in its halo. Beyond an open border nothing is touched,
 * unless halocline_borders says so.
 * Between start and completion own points must not be changed and halos not be touched; a process that has
 * started must come to HCL_Halo_test or HCL_Halo_wait without waiting for another process first. Several
 * halos may be under way at once, and testing or waiting for any of them moves all. */

/* The handle of a halo. */
typedef struct HCL_Halo_object* HCL_Halo;
/* No halo. */
#define HCL_HALO_NULL ((HCL_Halo)0)

/* Which parts of the halo are filled: those that the stencil of the communicator reaches, back and forth; all
 * where it has none. */
#define HCL_DIRECTIONS_DEFAULT ((const int*)0)
/* What HCL_DIRECTIONS_FACES stands for. */
HALOCLINE_API extern const int HCL_Directions_faces[1];
/* Which parts of the halo are filled: faces alone. */
#define HCL_DIRECTIONS_FACES HCL_Directions_faces
/* What HCL_DIRECTIONS_ALL stands for. */
HALOCLINE_API extern const int HCL_Directions_all[1];
/* Which parts of the halo are filled: faces, edges and corners. */
#define HCL_DIRECTIONS_ALL HCL_Directions_all

/* The halos of any number of fields, which are exchanged together. They may differ in type, in widths and in
 * order, but have the same own points. `directions` is one of the above, whatever ndirections is, or a list
 * of ndims integers each, -1, 0 or 1: (1,0,0) is the face behind the last point of dimension 0.
 *
 * On a communicator that knows a mesh the fields must have the points that HCL_Cart_box tells; on any other
 * the mesh is what their extents make up. No halo may be wider than the fewest points of a process.
 * MPI_ERR_DIMS if any of this does not hold.
 *
 * `info` may be MPI_INFO_NULL or hold the keys of the exchange (halocline_schedule, halocline_wire,
 * halocline_shared; halocline_statistics: on or off, whether times are taken) and
 *   halocline_mesh  communicator (the default), or fields: whatever the communicator knows, the mesh is what
 *                   the extents make up (that of a staggered grid, say)
 *   halocline_borders  keep (the default): ghost points beyond open borders are never touched, corners
 *                   included. carry: they travel along the border. Where a direction leads beyond open
 *                   borders along some dimensions, its part of the halo gets what the process next to it
 *                   along the other dimensions has beyond the same borders: what codes get in corners that
 *                   exchange one dimension after the other, with whole rows. Of no use with faces alone.
 *   halocline_sides  what is beyond open sides of the mesh, as words with blanks between them:
 *                   "x:mirror-face", "x-:mirror-point:odd=1" (field 1 changes its sign), "y:shear+3@x",
 *                   "y+:fold-t@x at=c,x,y". x, y, z, d3, ... are the dimensions in the order of the
 *                   communicator, x- and x+ their lower and upper sides; docs/halo.md says what each shows.
 *                   Fields count from 0, in Fortran too. Not with carry, fields at any address or on a
 *                   device, and not to accumulate.
 *   halocline_addresses  fixed (the default): fields are in the memories that the halo was made for. any: at
 *                   any address, new at every start, told by HCL_Halo_start_with; they look like the fields
 *                   that the halo was made for. Not for fields on a device, and not to accumulate.
 *
 * Collective; the others are not, unless it is said. The communicator must live as long as the halo is used.
 */
HALOCLINE_API int HCL_Halo_create(MPI_Comm comm_cart, int nfields, const HCL_Field fields[], int ndirections,
                                  const int directions[], MPI_Info info, HCL_Halo* halo);

/* The same for fields that change places from step to step. Field i of the halo has one of nmemories[i]
 * memories at a time; `fields` lists those of field 0, then those of field 1, and so on. Alternatives have
 * the same widths and elements of the same size (MPI_ERR_DIMS, MPI_ERR_ARG). At first each has its first
 * memory; HCL_Halo_start_with tells when that changes. HCL_Halo_create is this with one memory each.
 * Collective. */
HALOCLINE_API int HCL_Halo_create_rotating(MPI_Comm comm_cart, int nfields, const int nmemories[],
                                           const HCL_Field fields[], int ndirections, const int directions[],
                                           MPI_Info info, HCL_Halo* halo);

/* Starts an exchange. From then on the halo is under way, until HCL_Halo_wait has returned or HCL_Halo_test
 * has told so, whether data has come meanwhile or not. Meanwhile HCL_Halo_start, HCL_Halo_exchange,
 * HCL_Halo_verify and HCL_Halo_free fail with MPI_ERR_REQUEST and change nothing, the same on every process
 * and every time. MPI_ERR_ARG if its communicator was freed. Kernels on a device that touch the fields must
 * be done by then; HCL_Halo_start_on waits for those on a stream. */
HALOCLINE_API int HCL_Halo_start(HCL_Halo halo);
/* The same with the memory that each field of the halo has now, told by an address: what HCL_Field_attach was
 * given, or what HCL_Field_get tells. The halo keeps to these until it is told others. All processes tell
 * the same of their memories, or they wait for each other for ever; HCL_Halo_verify finds it. MPI_ERR_ARG for
 * an address that the halo was not made for: on this process alone, which has sent nothing and may start
 * again. Local.
 *
 * With halocline_addresses "any" an address is that of the first point of an array, halo included, and may be
 * any; or what HCL_Field_get tells, of a field of the library that the halo was made for. What lies there
 * cannot be looked at. MPI_ERR_ARG that names the field for a null pointer, or memory that a field has in
 * common with another.
 *
 *   HCL_Halo_create_rotating(cart, 1, (int[]){2}, (HCL_Field[]){a, b}, ...);
 *   for each step: HCL_Halo_exchange_with(halo, (const void*[]){now}); ...; swap now and next */
HALOCLINE_API int HCL_Halo_start_with(HCL_Halo halo, const void* const memories[]);
/* HCL_Halo_start in the order of a stream of the device that the fields lie on (a cudaStream_t, as a
 * pointer): the exchange begins when all is done that the stream has now. Where all processes are on one node
 * and reach each other's devices, and all fields lie there, the host waits for nothing; otherwise until the
 * stream comes here. Other processes may start the same exchange with a stream or without; several halos are
 * started on streams in the same order. MPI_ERR_ARG if no field lies on a device, or the stream is one of
 * another. */
HALOCLINE_API int HCL_Halo_start_on(HCL_Halo halo, void* stream);
/* HCL_Halo_start_with in the order of a stream. */
HALOCLINE_API int HCL_Halo_start_with_on(HCL_Halo halo, const void* const memories[], void* stream);
/* Is nothing under way (any more)? If something is, it moves on. */
HALOCLINE_API int HCL_Halo_test(HCL_Halo halo, int* flag);
/* Waits until nothing is under way. At once if nothing is. */
HALOCLINE_API int HCL_Halo_wait(HCL_Halo halo);
/* HCL_Halo_wait in the order of a stream, which sees the halos from now on. If the halo was started on a
 * stream and the device does all of it, the host waits for nothing. */
HALOCLINE_API int HCL_Halo_wait_on(HCL_Halo halo, void* stream);
/* HCL_Halo_start and HCL_Halo_wait. */
HALOCLINE_API int HCL_Halo_exchange(HCL_Halo halo);
/* HCL_Halo_start_with and HCL_Halo_wait. */
HALOCLINE_API int HCL_Halo_exchange_with(HCL_Halo halo, const void* const memories[]);

/* From now on so many threads pack, copy and unpack what is large: the one that calls, and others of the
 * library, which never call MPI. 1 is none but the one that calls. MPI_ERR_ARG for fewer, MPI_ERR_NO_MEM if
 * the system has no more threads. Otherwise HALOCLINE_THREADS and the key halocline_threads of the info say
 * how many. Local. */
HALOCLINE_API int HCL_Halo_set_threads(HCL_Halo halo, int threads);

/* A part of some work: to be called as task(argument, number). It never calls MPI. */
typedef void HCL_Part_function(void* argument, int number);
/* Calls task(argument, 0) to task(argument, tasks - 1), each once, in any order, by any threads, and returns
 * when all are done. `context` is what HCL_Halo_set_executor was given. */
typedef void HCL_Run_function(void* context, int tasks, HCL_Part_function* task, void* argument);
/* The same with threads of the program: `width` of them, about, by whatever `run` does, from the thread that
 * calls the halo. It is not called for what is small, and must not call functions of this halo. Work that it
 * leaves out is done, and then MPI_ERR_ARG is returned. With OpenMP, outside of parallel regions:
 *
 *   void run(void* context, int tasks, HCL_Part_function* task, void* argument) {
 *     #pragma omp parallel for
 *     for (int i = 0; i < tasks; i++) task(argument, i);
 *   }
 *   HCL_Halo_set_executor(halo, omp_get_max_threads(), run, NULL); */
HALOCLINE_API int HCL_Halo_set_executor(HCL_Halo halo, int width, HCL_Run_function* run, void* context);

/* What an owner makes of the values that others have in their halos for its points. */
enum {
  HCL_ACCUMULATE_SUM = 0,    /* Adds them; integers wrap around. */
  HCL_ACCUMULATE_MIN = 1,    /* Takes them if they are less. */
  HCL_ACCUMULATE_MAX = 2,    /* Takes them if they are greater. */
  HCL_ACCUMULATE_REPLACE = 3 /* Takes them. */
};

/* The adjoint of the exchange: each owner gets what all processes, itself included where the mesh is
 * periodic, have in their halos for its points, and combines it with what it has, by `op`: one of the above.
 * It begins with its own value; the halos follow in the order of the directions, so the result has the same
 * bits whatever the placement, the schedule and the nodes are. Halos stay as they are. Ghost points beyond
 * open borders go nowhere, whatever halocline_borders says. Fields that rotate: the memory that was told
 * last.
 *
 * Elements are combined number by number: integers, real and complex numbers, as MPI_Reduce takes them, and
 * any datatypes made of those. HCL_ACCUMULATE_REPLACE takes any elements.
 *
 * Collective the first time that it, or the next one, is called for a halo: it makes the exchange for it.
 * Afterwards as HCL_Halo_exchange is, with the same `op` on all processes. Fails as HCL_Halo_start does; the
 * same on every process with MPI_ERR_TYPE if elements hold something else (MPI_BYTE, MPI_CHAR, MPI_C_BOOL),
 * differ between processes, or are complex and to be compared; and the first time with
 * MPI_ERR_UNSUPPORTED_OPERATION if a field lies on a device. */
HALOCLINE_API int HCL_Halo_accumulate(HCL_Halo halo, int op);
/* Its beginning; HCL_Halo_wait or HCL_Halo_test completes it. Own points change then, not before: they may be
 * used and changed meanwhile, halos not. */
HALOCLINE_API int HCL_Halo_start_accumulate(HCL_Halo halo, int op);

/* Fills the fields with numbers that tell every point of the mesh from every other, exchanges, looks at every
 * point, own and halo, and puts the old values back. MPI_ERR_INTERN, whose text names the first wrong point,
 * if there is one. Collective. With HALOCLINE_VERIFY=1 on the process with the lowest rank in
 * MPI_COMM_WORLD creation ends with it. */
HALOCLINE_API int HCL_Halo_verify(HCL_Halo halo);

/* How blocks get from node to node: what the key halocline_schedule has named, or what `auto` has chosen:
 * direct, node, mixed, torus, torus-direct or basis. Text, size and length are those of HCL_Halo_report,
 * below. Local. */
HALOCLINE_API int HCL_Halo_schedule(HCL_Halo halo, int size, char* text, int* length);
/* What was decided for it, and why, beside what MPI gives by default: the text that `halocline plan` prints
 * for the same mesh, machine and prices. MPI_ERR_ARG if nothing is sent. Text, size and length as above.
 * Local. */
HALOCLINE_API int HCL_Halo_plan(HCL_Halo halo, int size, char* text, int* length);
/* The same as a plan file, for `halocline plan --from` and HALOCLINE_PLAN_USE. Local. */
HALOCLINE_API int HCL_Halo_plan_json(HCL_Halo halo, int size, char* text, int* length);

/* Frees a halo and sets it to HCL_HALO_NULL. One that is under way stays as it is (MPI_ERR_REQUEST): wait for
 * it, then free it. Before or after its communicator and its fields, in any order. Local. */
HALOCLINE_API int HCL_Halo_free(HCL_Halo* halo);

/* What a process has exchanged, over all starts that are complete. Times only if they were asked for. */
typedef struct HCL_Statistics {
  int64_t exchanges;        /* Starts that are complete. */
  int64_t self_messages;    /* Into the process itself. */
  int64_t self_bytes;       /* Into the process itself. */
  int64_t node_messages;    /* To other processes of its node. */
  int64_t node_bytes;       /* To other processes of its node. */
  int64_t network_messages; /* To other nodes. */
  int64_t network_bytes;    /* To other nodes. */
  double pack_seconds;      /* Packing, unpacking and copying. */
  double late_seconds;      /* Waiting for neighbours that had not started. */
  double transfer_seconds;  /* Waiting once all had. */
  int timed;                /* 0 if no times were taken. */
} HCL_Statistics;
/* What the calling process has exchanged by this halo. Local. */
HALOCLINE_API int HCL_Halo_statistics(HCL_Halo halo, HCL_Statistics* statistics);

/* The statistics of all processes, for people. Writes at most `size` characters, the closing zero included,
 * and sets *length to that of the whole text without it, as snprintf does; text may be NULL if size is 0.
 * Collective. */
HALOCLINE_API int HCL_Halo_report(HCL_Halo halo, int size, char* text, int* length);

#ifdef __cplusplus
}
#endif

#endif
