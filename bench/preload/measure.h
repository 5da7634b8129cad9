/* How the programs of this folder measure: the median over repetitions of the time of the slowest rank; with
 * HALOCLINE_BENCH_FASTEST in the environment the fastest repetition, for a machine that is busy with other
 * things. One process alone takes the times itself and asks for what stands for them all. */
#ifndef HALOCLINE_BENCH_PRELOAD_MEASURE_H
#define HALOCLINE_BENCH_PRELOAD_MEASURE_H

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { repetitions = 31 };
static int rank, size;

static inline void start(int* argc, char*** argv) {
  MPI_Init(argc, argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
}

static inline int by_value(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

/* The median, or the fastest. Sorts them. */
static inline double of_all(double* times, int count) {
  qsort(times, (size_t)count, sizeof(double), by_value);
  return times[getenv("HALOCLINE_BENCH_FASTEST") ? 0 : count / 2];
}

/* Collective: `work(data)` so many times in a row, and again; rank 0 prints "name microseconds". */
static inline void measure(const char* name, void (*work)(void*), void* data, int times) {
  double slowest[repetitions];
  for (int i = 0; i < 5; ++i) work(data);
  for (int r = 0; r < repetitions; ++r) {
    MPI_Barrier(MPI_COMM_WORLD);
    const double begin = MPI_Wtime();
    for (int i = 0; i < times; ++i) work(data);
    double mine = (MPI_Wtime() - begin) / times * 1e6;
    MPI_Reduce(&mine, &slowest[r], 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  }
  if (rank != 0) return;
  printf("%s %.2f\n", name, of_all(slowest, repetitions));
}

#endif
