/* What a test program prints: numbers that depend on every byte it received, in the order of ranks. */
#ifndef HALOCLINE_TESTS_PRELOAD_REPORT_H
#define HALOCLINE_TESTS_PRELOAD_REPORT_H

#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Every step can be undone, so that no byte can be wrong without another digest. */
static uint64_t digest_of(const void* data, size_t bytes, uint64_t digest) {
  const unsigned char* byte = data;
  for (; bytes >= sizeof(uint64_t); bytes -= sizeof(uint64_t), byte += sizeof(uint64_t)) {
    uint64_t word;
    memcpy(&word, byte, sizeof word);
    digest = (digest ^ word) * 1099511628211u;
    digest ^= digest >> 32;
  }
  for (size_t i = 0; i < bytes; ++i) digest = (digest ^ byte[i]) * 1099511628211u;
  return digest;
}

/* The rank that the first process of all has in `comm`; 0 if it is not there. */
static int printing_rank(MPI_Comm comm) {
  MPI_Group all, some;
  const int first = 0;
  int rank;
  MPI_Comm_group(MPI_COMM_WORLD, &all);
  MPI_Comm_group(comm, &some);
  MPI_Group_translate_ranks(all, 1, &first, some, &rank);
  MPI_Group_free(&all);
  MPI_Group_free(&some);
  return rank == MPI_UNDEFINED ? 0 : rank;
}

/* Collective: prints one line with the digest of every rank. One process prints all lines, since launchers do
 * not keep the order of several, whatever new ranks they have. */
static void report(const char* what, uint64_t digest, MPI_Comm comm) {
  int size, rank;
  MPI_Comm_size(comm, &size);
  MPI_Comm_rank(comm, &rank);
  const int root = printing_rank(comm);
  uint64_t* all = malloc(sizeof(uint64_t) * (size_t)size);
  MPI_Gather(&digest, 1, MPI_UINT64_T, all, 1, MPI_UINT64_T, root, comm);
  if (rank == root) {
    printf("%s:", what);
    for (int r = 0; r < size; ++r) printf(" %016llx", (unsigned long long)all[r]);
    printf("\n");
  }
  free(all);
}

/* Bytes that no other place, rank or round has, as far as bytes go. */
static void fill_pattern(unsigned char* data, size_t bytes, int rank, int round) {
  uint64_t word = (uint64_t)rank * 0x9E3779B97F4A7C15u + (uint64_t)round * 977u;
  for (size_t i = 0; i < bytes; i += sizeof word) {
    word += 0xD6E8FEB86659FD93u;
    const uint64_t mixed = word ^ (word >> 29);
    memcpy(data + i, &mixed, bytes - i < sizeof mixed ? bytes - i : sizeof mixed);
  }
}

#endif
