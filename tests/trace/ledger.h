/* What a program knows that it sends, by itself: beside what halocline trace says of it. Written by each rank
 * into a file of its own, as lines of a trace. */
#ifndef HALOCLINE_TESTS_TRACE_LEDGER_H
#define HALOCLINE_TESTS_TRACE_LEDGER_H

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { most_ranks = 64 };
enum { message, neighbor, one_sided, ways };
enum {
  barrier,
  bcast,
  gather,
  scatter,
  allgather,
  alltoall,
  reduce,
  allreduce,
  reduce_scatter,
  scan,
  collectives
};
static const char* const way_names[] = {"message", "neighbor", "one-sided"};
static const char* const collective_names[] = {"barrier",        "bcast",    "gather", "scatter",
                                               "allgather",      "alltoall", "reduce", "allreduce",
                                               "reduce-scatter", "scan"};

static int world_rank, world_size;
static long long sent[ways][most_ranks][2], got[ways][most_ranks][2], handed_in[collectives][2];

static inline void add(long long* volume, long long messages, long long bytes) {
  volume[0] += messages;
  volume[1] += bytes;
}

static inline void write_ledger(const char* folder) {
  char path[4096];
  snprintf(path, sizeof path, "%s/expected.%d", folder, world_rank);
  FILE* const file = fopen(path, "w");
  if (file == NULL) abort();
  for (int way = 0; way < ways; ++way)
    for (int other = 0; other < world_size; ++other) {
      if (sent[way][other][0] > 0)
        fprintf(file, "flow %s %d %d %lld %lld\n", way_names[way], world_rank, other, sent[way][other][0],
                sent[way][other][1]);
      if (got[way][other][0] > 0)
        fprintf(file, "flow %s %d %d %lld %lld\n", way_names[way], other, world_rank, got[way][other][0],
                got[way][other][1]);
    }
  for (int kind = 0; kind < collectives; ++kind)
    if (handed_in[kind][0] > 0)
      fprintf(file, "collective %s %d %lld %lld\n", collective_names[kind], world_rank, handed_in[kind][0],
              handed_in[kind][1]);
  fclose(file);
}

#endif
