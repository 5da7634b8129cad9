/* What the programs about messages have in common: datatypes with gaps, and a digest of all that came. */
#ifndef HALOCLINE_TESTS_PRELOAD_GAPS_H
#define HALOCLINE_TESTS_PRELOAD_GAPS_H

#include "report.h"

#include <string.h>

static uint64_t digest = 14695981039346656037u;
static int rank, size;
static MPI_Comm comm;

static void add(int number) { digest = digest_of(&number, sizeof number, digest); }

static void add_status(MPI_Status* status, MPI_Datatype type) {
  int count = -7, elements = -7, bytes = -7, cancelled = -7;
  MPI_Get_count(status, type, &count);
  MPI_Get_elements(status, type, &elements);
  MPI_Get_count(status, MPI_BYTE, &bytes);
  MPI_Test_cancelled(status, &cancelled);
  add(status->MPI_SOURCE), add(status->MPI_TAG), add(count), add(elements), add(bytes), add(cancelled);
}

static MPI_Datatype make_type(int kind, int doubles) {
  MPI_Datatype type, inner;
  int* const places = malloc(sizeof(int) * (size_t)doubles);
  for (int i = 0; i < doubles; ++i) places[i] = 2 * i + (i * 7 % 5 == 0);
  switch (kind) {
    case 0:
      MPI_Type_vector(doubles, 1, 2, MPI_DOUBLE, &type);
      break;
    case 1:
      MPI_Type_create_indexed_block(doubles, 1, places, MPI_DOUBLE, &type);
      break;
    case 2: /* several elements of a small type */
      MPI_Type_vector(1, 1, 1, MPI_DOUBLE, &inner);
      MPI_Type_create_resized(inner, 0, 2 * (MPI_Aint)sizeof(double), &type);
      MPI_Type_free(&inner);
      break;
    case 3: /* blocks that are left to MPI */
      MPI_Type_vector(doubles / 4, 4, 8, MPI_DOUBLE, &type);
      break;
    default: /* floats */
      MPI_Type_create_resized(MPI_FLOAT, 0, 4 * sizeof(float), &inner);
      MPI_Type_contiguous(doubles, inner, &type);
      MPI_Type_free(&inner);
  }
  MPI_Type_commit(&type);
  free(places);
  return type;
}

#endif
