/* What the programs about requests have in common: every call that completes them. */
#ifndef HALOCLINE_TESTS_PRELOAD_REQUESTS_H
#define HALOCLINE_TESTS_PRELOAD_REQUESTS_H

#include "gaps.h"

enum { room = 3000, kinds = 4, ways_to_complete = 13 };

static int ignores_statuses(int way) { return way % 2 == 1; }

/* Completes all requests of a list; statuses by their places in it, or none with odd ways. */
static void complete(int way, int count, MPI_Request* requests, MPI_Status* statuses) {
  MPI_Status* const wanted = ignores_statuses(way) ? MPI_STATUSES_IGNORE : statuses;
  MPI_Status some_statuses[16], one;
  int indices[16], index, some, flag = 0;
  switch (way) {
    case 0:
    case 1:
      MPI_Waitall(count, requests, wanted);
      return;
    case 2:
    case 3:
      while (!flag) MPI_Testall(count, requests, &flag, wanted);
      return;
    case 4:
    case 5:
      for (;;) {
        MPI_Waitany(count, requests, &index, way == 5 ? MPI_STATUS_IGNORE : &one);
        if (index == MPI_UNDEFINED) return;
        statuses[index] = one;
      }
    case 6:
    case 7:
      for (;;) {
        MPI_Testany(count, requests, &index, &flag, way == 7 ? MPI_STATUS_IGNORE : &one);
        if (flag && index == MPI_UNDEFINED) return;
        if (flag) statuses[index] = one;
      }
    case 8:
    case 9:
      for (;;) {
        MPI_Waitsome(count, requests, &some, indices, way == 9 ? MPI_STATUSES_IGNORE : some_statuses);
        if (some == MPI_UNDEFINED) return;
        for (int i = 0; i < some; ++i) statuses[indices[i]] = some_statuses[i];
      }
    case 10:
    case 11:
      for (;;) {
        MPI_Testsome(count, requests, &some, indices, way == 11 ? MPI_STATUSES_IGNORE : some_statuses);
        if (some == MPI_UNDEFINED) return;
        for (int i = 0; i < some; ++i) statuses[indices[i]] = some_statuses[i];
      }
    default: /* one by one, by names of both kinds */
      for (int i = count - 1; i >= 0; --i) {
        for (flag = 0; !flag && i % 4 == 0;) MPI_Test(&requests[i], &flag, &statuses[i]);
        for (flag = 0; !flag && i % 4 == 1;) PMPI_Test(&requests[i], &flag, &statuses[i]);
        if (i % 4 == 2) MPI_Wait(&requests[i], &statuses[i]);
        if (i % 4 == 3) PMPI_Wait(&requests[i], &statuses[i]);
      }
  }
}

#endif
