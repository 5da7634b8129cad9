/* SPDX-License-Identifier: BSD-3-Clause */
/* Halos of processes that own several boxes of points, of any sizes, for C programs; a part of halocline.h,
 * whose conventions hold here. Fields are those of halo.h.
 *
 *   HCL_Boxes_gather(comm, 2, mesh, periods, nboxes, first, extents, &boxes);
 *   for (int i = 0; i < nboxes; ++i)
 *     HCL_Field_attach(array[i], 2, with_halo[i], NULL, NULL, MPI_ORDER_C, MPI_DOUBLE, &fields[i]);
 *   HCL_Box_halo_create(comm, boxes, 1, nboxes, fields, 0, HCL_DIRECTIONS_ALL, MPI_INFO_NULL, &halo);
 *   HCL_Box_halo_exchange(halo);
 */
#ifndef HALOCLINE_BOXES_H
#define HALOCLINE_BOXES_H

#include <halocline/api.h>
#include <halocline/halo.h>
#include <mpi.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Boxes: which points each process owns. It may own any number of boxes, none too.
 *
 * Lists of boxes have ndims entries for each, one box behind the other: box i begins at the point
 * first[i * ndims], ..., counted from 0, and has extents[i * ndims], ... points along the dimensions. Boxes
 * are told by their number among all, from 0 on. Lists of no boxes may be NULL. */

/* The handle of the boxes of all processes. They never change. */
typedef struct HCL_Boxes_object* HCL_Boxes;
/* No boxes. */
#define HCL_BOXES_NULL ((HCL_Boxes)0)

/* What all processes say that they own of a mesh, process after process: `nboxes` boxes of the calling one.
 * Neighbours are found by geometry, around periodic dimensions as well. There may be points that nobody owns.
 * MPI_ERR_DIMS, whose text names the box, if one has no points, points outside the mesh, or some in common
 * with another; MPI_ERR_ARG if processes name different meshes. Any communicator will do. Collective. */
HALOCLINE_API int HCL_Boxes_gather(MPI_Comm comm, int ndims, const int64_t mesh[], const int periods[],
                                   int nboxes, const int64_t first[], const int64_t extents[],
                                   HCL_Boxes* boxes);

/* The same of a list that all processes know: the process with the rank owners[i] owns box i. Local. */
HALOCLINE_API int HCL_Boxes_create(int ndims, const int64_t mesh[], const int periods[], int nboxes,
                                   const int owners[], const int64_t first[], const int64_t extents[],
                                   HCL_Boxes* boxes);

/* Boxes that lie in no mesh, of a list that all processes know, with all that their halos show. Connection c:
 * a box of ghost points of box to[c], which begins at ghosts_first[c * ndims], ..., counted from the first
 * own point of that box, and has ghosts_extents[c * ndims], ... points, shows own points of box from[c].
 * The first of them shows first[c * ndims], ..., counted from the first own point of `from`. What follows it
 * along dimension d goes along dimension axes[c * ndims + d] of `from`, and backwards if
 * backwards[c * ndims + d] is not 0; axes may be NULL: each along itself; backwards may be NULL: none is.
 * MPI_ERR_ARG for a connection that names no box, or no dimension, or one twice, or ghosts that are own
 * points or have some in common with others; MPI_ERR_DIMS if it shows points that `from` has not. Local. */
HALOCLINE_API int HCL_Boxes_connect(int ndims, int nboxes, const int owners[], const int64_t extents[],
                                    int nconnections, const int to[], const int64_t ghosts_first[],
                                    const int64_t ghosts_extents[], const int from[], const int64_t first[],
                                    const int axes[], const int backwards[], HCL_Boxes* boxes);

/* How many there are of all processes. Local, as all questions are. */
HALOCLINE_API int HCL_Boxes_size(HCL_Boxes boxes, int* nboxes);

/* One of them: the rank that owns it, its first point and its extents; each may be NULL. maxdims is how long
 * the lists are. MPI_ERR_ARG if there is none of that number. */
HALOCLINE_API int HCL_Boxes_get(HCL_Boxes boxes, int number, int maxdims, int* owner, int64_t first[],
                                int64_t extents[]);

/* Frees them and sets them to HCL_BOXES_NULL. Halos made of them stay good. Local. */
HALOCLINE_API int HCL_Boxes_free(HCL_Boxes* boxes);

/* The exchange.
 *
 * All that a process has for another one, of all fields and boxes, is one message, or goes through memory of
 * the node; what stays in the process is copied. Halos may be as wide as you like. Ghost points that show
 * nothing, beyond open borders or where nobody owns anything, are not touched. What HCL_Halo says of start
 * and completion holds here. Memory cannot be told at the call. */

/* The handle of a halo of boxes. */
typedef struct HCL_Box_halo_object* HCL_Box_halo;
/* No halo of boxes. */
#define HCL_BOX_HALO_NULL ((HCL_Box_halo)0)

/* The halos of `nfields` fields on all boxes. fields[f * nboxes + i] is field f on the i-th box that this
 * process owns, in the order of their numbers; nboxes is how many it owns (`fields` may be NULL if none).
 * A field has the same widths and an element of as many bytes on all boxes. Directions are those of
 * HCL_Halo_create, where the default is all. `info` may be MPI_INFO_NULL or hold the keys halocline_shared,
 * halocline_statistics and halocline_compile.
 *
 * MPI_ERR_ARG if processes give different boxes, directions or numbers of fields, if there are no fields,
 * fewer or more of one than boxes, a handle that is null, elements that differ in size, or a box of a rank
 * that the communicator has not; MPI_ERR_DIMS if a field has other points than its box, or widths differ;
 * MPI_ERR_UNSUPPORTED_OPERATION for fields that are staggered or lie on a device, and for keys that ask for
 * carried borders, described sides or any addresses. Any communicator will do; it must live as long as the
 * halo is used. Collective. */
HALOCLINE_API int HCL_Box_halo_create(MPI_Comm comm, HCL_Boxes boxes, int nfields, int nboxes,
                                      const HCL_Field fields[], int ndirections, const int directions[],
                                      MPI_Info info, HCL_Box_halo* halo);

/* Starts an exchange. From then on the halo is under way, until HCL_Box_halo_wait has returned or
 * HCL_Box_halo_test has told so: meanwhile starting, verifying and freeing it fail with MPI_ERR_REQUEST and
 * change nothing. MPI_ERR_ARG if its communicator was freed. Local. */
HALOCLINE_API int HCL_Box_halo_start(HCL_Box_halo halo);
/* Is nothing under way (any more)? If something is, it moves on. */
HALOCLINE_API int HCL_Box_halo_test(HCL_Box_halo halo, int* flag);
/* Waits until nothing is under way. At once if nothing is. */
HALOCLINE_API int HCL_Box_halo_wait(HCL_Box_halo halo);
/* HCL_Box_halo_start and HCL_Box_halo_wait. */
HALOCLINE_API int HCL_Box_halo_exchange(HCL_Box_halo halo);

/* The adjoint of the exchange, as HCL_Halo_accumulate: each owner gets what all boxes have in their halos for
 * its points, and combines it with what it has, by `op`: HCL_ACCUMULATE_SUM, _MIN, _MAX or _REPLACE. It
 * begins with its own value; the halos follow in the order of the boxes, so the result has the same bits
 * whoever owns which box. Halos stay as they are.
 *
 * Collective the first time that it, or the next one, is called for a halo. Afterwards as
 * HCL_Box_halo_exchange is, with the same `op` on all processes. Fails as HCL_Box_halo_start does, and the
 * same on every process with MPI_ERR_TYPE if elements hold something else than numbers, differ between boxes,
 * or are complex and to be compared. */
HALOCLINE_API int HCL_Box_halo_accumulate(HCL_Box_halo halo, int op);
/* Its beginning; HCL_Box_halo_wait or HCL_Box_halo_test completes it. Own points change then, not before. */
HALOCLINE_API int HCL_Box_halo_start_accumulate(HCL_Box_halo halo, int op);

/* Fills the fields with numbers that tell every point from every other, exchanges, looks at every point, own
 * and halo, and puts the old values back. MPI_ERR_INTERN, whose text names the first wrong point, if there
 * is one. Collective. */
HALOCLINE_API int HCL_Box_halo_verify(HCL_Box_halo halo);

/* What the calling process has exchanged by this halo. Local. */
HALOCLINE_API int HCL_Box_halo_statistics(HCL_Box_halo halo, HCL_Statistics* statistics);

/* Frees a halo and sets it to HCL_BOX_HALO_NULL. One that is under way stays as it is (MPI_ERR_REQUEST): wait
 * for it, then free it. Before or after its communicator, its boxes and its fields, in any order. Local. */
HALOCLINE_API int HCL_Box_halo_free(HCL_Box_halo* halo);

#ifdef __cplusplus
}
#endif

#endif
