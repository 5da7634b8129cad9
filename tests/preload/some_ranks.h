/* Jobs whose processes do not have the same environment. */
#ifndef SOME_RANKS_H
#define SOME_RANKS_H

#include <stdlib.h>
#include <string.h>

/* Before MPI has started; -1 under an unknown launcher. */
static int rank_in_world(void) {
  const char* const names[] = {"OMPI_COMM_WORLD_RANK", "PMI_RANK"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i)
    if (getenv(names[i]) != NULL) return atoi(getenv(names[i]));
  return -1;
}

/* PROGRAM one|others NAME=VALUE...: rank 0 alone has these variables, or all but rank 0. */
static void set_variables(int argc, char** argv) {
  const int first = rank_in_world() == 0, of_first = strcmp(argv[1], "one") == 0;
  for (int i = 2; i < argc && first == of_first; ++i) putenv(argv[i]);
}

#endif
