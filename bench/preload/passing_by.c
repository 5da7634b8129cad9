/* passing_by WAY ROUNDS: calls that have nothing to do with Halocline, so that what passing by it costs can
 * be counted. One process, which sends to itself: no other message costs MPI less. */

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { pairs = 32 };

static void wait_for_64(void) {
  static int in[pairs], out[pairs];
  MPI_Request requests[2 * pairs];
  for (int i = 0; i < pairs; ++i) {
    MPI_Irecv(&in[i], 1, MPI_INT, 0, i, MPI_COMM_SELF, &requests[i]);
    MPI_Isend(&out[i], 1, MPI_INT, 0, i, MPI_COMM_SELF, &requests[pairs + i]);
  }
  MPI_Waitall(2 * pairs, requests, MPI_STATUSES_IGNORE);
}

static void send_and_wait(void) {
  char in, out = 1;
  MPI_Request request;
  MPI_Irecv(&in, 1, MPI_CHAR, 0, 0, MPI_COMM_SELF, &request);
  MPI_Send(&out, 1, MPI_CHAR, 0, 0, MPI_COMM_SELF);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void send_and_receive(void) {
  char in, out = 1;
  MPI_Sendrecv(&out, 1, MPI_CHAR, 0, 0, &in, 1, MPI_CHAR, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);
}

static const struct {
  const char* name;
  void (*call)(void);
} ways[] = {{"waitall", wait_for_64}, {"send", send_and_wait}, {"sendrecv", send_and_receive}};

/* -1 for a word that is no decimal number, or one that does not fit. */
static long rounds_of(const char* word) {
  const size_t digits = strspn(word, "0123456789"), most_digits = 9;
  return digits > 0 && digits <= most_digits && word[digits] == '\0' ? strtol(word, NULL, 10) : -1;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int found = 0;
  const long rounds = argc == 3 ? rounds_of(argv[2]) : -1;
  for (size_t i = 0; rounds >= 0 && i < sizeof ways / sizeof ways[0]; ++i) {
    if (strcmp(argv[1], ways[i].name) != 0) continue;
    found = 1;
    for (long round = 0; round < rounds; ++round) ways[i].call();
  }
  if (!found) fprintf(stderr, "usage: passing_by waitall|send|sendrecv ROUNDS\n");
  MPI_Finalize();
  return found ? 0 : 2;
}
