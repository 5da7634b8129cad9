/* MPI_Pack and MPI_Unpack of many datatypes: every byte, every position, every error class. */

#include "report.h"

#include <float.h>
#include <string.h>

/* MPICH copies long doubles by value, and leaves alone the bytes of them that x86 does not use. */
#if LDBL_MANT_DIG == 64 && !defined(OPEN_MPI)
#define LONG_DOUBLE MPI_FLOAT
#else
#define LONG_DOUBLE MPI_LONG_DOUBLE
#endif

enum { room = 1 << 16 };
static unsigned char data[room], packed[room], unpacked[room];
static uint64_t digest = 14695981039346656037u;

static void try_type(MPI_Datatype type, int count, MPI_Comm comm) {
  int position = 5, size;
  memset(packed, 0xAA, sizeof packed);
  memset(unpacked, 0xBB, sizeof unpacked);
  MPI_Pack_size(count, type, comm, &size);
  if (MPI_Pack(data + 4096, count, type, packed, room, &position, comm) != MPI_SUCCESS) position = -1;
  digest = digest_of(&position, sizeof position, digest);
  digest = digest_of(packed, sizeof packed, digest);
  position = 5;
  if (MPI_Unpack(packed, room, &position, unpacked + 4096, count, type, comm) != MPI_SUCCESS) position = -1;
  digest = digest_of(&position, sizeof position, digest);
  digest = digest_of(unpacked, sizeof unpacked, digest);
  /* Too little room, and arguments that make no sense: the class of the error. */
  int class = 0, few = size > 0 ? size - 1 : 0;
  position = 0;
  MPI_Error_class(MPI_Pack(data + 4096, count, type, packed, few, &position, comm), &class);
  digest = digest_of(&class, sizeof class, digest);
  position = 0;
  MPI_Error_class(MPI_Pack(data + 4096, -1, type, packed, room, &position, comm), &class);
  digest = digest_of(&class, sizeof class, digest);
}

/* Who packs for the program makes no duplicate of its communicators, which would call its functions. */
static int copies_of_self;
static int count_copy(MPI_Comm old, int key, void* extra, void* value, void* copy, int* flag) {
  (void)old, (void)key, (void)extra, (void)value, (void)copy;
  ++copies_of_self;
  return *flag = 0, MPI_SUCCESS;
}

/* Several copies of a long list without a rule, one over the other: its extent is 0. Only packed, for to
   unpack them would be an error. */
static void try_copies(MPI_Comm comm) {
  enum { blocks = 600, copies = 10 };
  int places[blocks], position = 5;
  for (int i = 0, at = 0; i < blocks; ++i, at += 2 + i * i * i % 1009 % 5) places[i] = at;
  MPI_Datatype list, flat, several;
  MPI_Type_create_indexed_block(blocks, 1, places, MPI_INT, &list);
  MPI_Type_create_resized(list, 0, 0, &flat);
  MPI_Type_contiguous(copies, flat, &several);
  MPI_Type_commit(&flat);
  MPI_Type_commit(&several);
  memset(packed, 0xAA, sizeof packed);
  MPI_Pack(data + 4096, copies, flat, packed, room, &position, comm);
  MPI_Pack(data + 4096, 1, several, packed, room, &position, comm);
  digest = digest_of(&position, sizeof position, digest);
  digest = digest_of(packed, sizeof packed, digest);
  MPI_Type_free(&list);
  MPI_Type_free(&flat);
  MPI_Type_free(&several);
}

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  int key;
  MPI_Comm_create_keyval(count_copy, MPI_COMM_NULL_DELETE_FN, &key, NULL);
  MPI_Comm_set_attr(MPI_COMM_SELF, key, NULL);
  fill_pattern(data, (size_t)room, rank, 1);
  const MPI_Datatype basic[] = {MPI_BYTE, MPI_INT, MPI_DOUBLE, MPI_DOUBLE_INT, LONG_DOUBLE};
  for (int round = 0; round < 3; ++round)
    for (int b = 0; b < 5; ++b) {
      MPI_Datatype made[6];
      const int lengths[3] = {1, 2, 1}, places[3] = {9, 0, 4};
      const MPI_Aint bytes[3] = {64, 0, 200};
      const MPI_Datatype members[3] = {basic[b], MPI_INT, MPI_CHAR};
      const int sizes[2] = {9, 8}, parts[2] = {3, 4}, starts[2] = {2, 1};
      MPI_Type_vector(5, 2, 3, basic[b], &made[0]);
      MPI_Type_indexed(3, lengths, places, basic[b], &made[1]);
      MPI_Type_create_struct(3, lengths, bytes, members, &made[2]);
      MPI_Type_create_subarray(2, sizes, parts, starts, MPI_ORDER_FORTRAN, basic[b], &made[3]);
      MPI_Type_create_hvector(3, 1, -100, basic[b], &made[4]);
      MPI_Type_create_resized(made[0], -8, 300, &made[5]);
      try_type(basic[b], 3, MPI_COMM_WORLD);
      for (int t = 0; t < 6; ++t) {
        MPI_Type_commit(&made[t]);
        for (int count = 0; count < 4; ++count) try_type(made[t], count, MPI_COMM_WORLD);
        MPI_Type_free(&made[t]); /* handles are used again for other types */
      }
    }
  try_copies(MPI_COMM_WORLD);
  digest = digest_of(&copies_of_self, sizeof copies_of_self, digest);
  report("packed", digest, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
