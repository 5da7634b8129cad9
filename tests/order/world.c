/* Everything that MPI promises of MPI_COMM_WORLD. Prints what is the same whatever numbers the ranks have,
 * and who has which: "process LAUNCHED RANK NODE", where NODE is the lowest rank there by the launcher's
 * count. Arguments: "abort" or "fatal" ends the job by force, "session" begins with a session, "late_session"
 * has one behind MPI_Init, "file NAME" is another order on all processes but the launcher's first, "brief" is
 * nothing but who has which number. */

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int rank, size, launched;
static int deleted, deleted_before_end;

#define CHECK(right)                                                       \
  do {                                                                     \
    if (!(right)) {                                                        \
      printf("line %d is wrong on rank %d: %s\n", __LINE__, rank, #right); \
      fflush(stdout);                                                      \
      MPI_Abort(MPI_COMM_WORLD, 1);                                        \
    }                                                                      \
  } while (0)

static int number_from_launcher(void) {
  const char* const names[] = {"OMPI_COMM_WORLD_RANK", "PMI_RANK"};
  for (int i = 0; i < 2; ++i)
    if (getenv(names[i]) != NULL) return atoi(getenv(names[i]));
  return 0;
}

/* Ranks of the communicator, by those of the world. */
static void check_ranks(MPI_Comm comm, int expected_rank, int expected_size) {
  int mine, all, is_inter;
  MPI_Comm_rank(comm, &mine);
  MPI_Comm_size(comm, &all);
  MPI_Comm_test_inter(comm, &is_inter);
  CHECK(mine == expected_rank && all == expected_size && !is_inter);
}

static void comparisons(void) {
  int result;
  MPI_Comm copy;
  MPI_Comm_compare(MPI_COMM_WORLD, MPI_COMM_WORLD, &result);
  CHECK(result == MPI_IDENT);
  MPI_Comm_compare(MPI_COMM_WORLD, MPI_COMM_SELF, &result);
  CHECK(result == (size == 1 ? MPI_CONGRUENT : MPI_UNEQUAL));
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  MPI_Comm_compare(copy, MPI_COMM_WORLD, &result);
  CHECK(result == MPI_CONGRUENT);
  check_ranks(copy, rank, size);
  MPI_Comm_free(&copy);
  CHECK(copy == MPI_COMM_NULL);
  MPI_Comm_compare(MPI_Comm_f2c(MPI_Comm_c2f(MPI_COMM_WORLD)), MPI_COMM_WORLD, &result);
  CHECK(result == MPI_IDENT && MPI_Comm_f2c(MPI_Comm_c2f(MPI_COMM_WORLD)) == MPI_COMM_WORLD);
  check_ranks(MPI_COMM_SELF, 0, 1);
}

static void names(void) {
  char name[MPI_MAX_OBJECT_NAME];
  int length;
  MPI_Comm_get_name(MPI_COMM_WORLD, name, &length);
  CHECK(strcmp(name, "MPI_COMM_WORLD") == 0 && length == 14);
  MPI_Comm_set_name(MPI_COMM_WORLD, "everybody");
  MPI_Comm_get_name(MPI_COMM_WORLD, name, &length);
  CHECK(strcmp(name, "everybody") == 0);
}

static int count_deletion(MPI_Comm comm, int key, void* value, void* state) {
  (void)comm, (void)key, (void)state;
  ++deleted;
  return *(int*)value == 4711 ? MPI_SUCCESS : MPI_ERR_OTHER;
}

static void attributes(void) {
  static int mine = 4711;
  int *tag = NULL, *of_copy = NULL, *found = NULL;
  int flag, key;
  MPI_Comm copy;
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &tag, &flag);
  CHECK(flag && *tag >= 32767);
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  MPI_Comm_get_attr(copy, MPI_TAG_UB, &of_copy, &flag);
  CHECK(flag && *of_copy == *tag);
  const int keys[] = {MPI_HOST, MPI_IO, MPI_WTIME_IS_GLOBAL, MPI_APPNUM, MPI_LASTUSEDCODE, MPI_UNIVERSE_SIZE};
  for (int i = 0; i < 6; ++i) {
    int *here = NULL, *there = NULL, is_there;
    MPI_Comm_get_attr(MPI_COMM_WORLD, keys[i], &here, &flag);
    PMPI_Comm_get_attr(MPI_COMM_WORLD, keys[i], &there, &is_there);
    CHECK(flag == is_there && (!flag || *here == *there));
  }
  MPI_Comm_create_keyval(MPI_COMM_DUP_FN, count_deletion, &key, NULL);
  MPI_Comm_get_attr(MPI_COMM_WORLD, key, &found, &flag);
  CHECK(!flag);
  MPI_Comm_set_attr(MPI_COMM_WORLD, key, &mine);
  MPI_Comm_get_attr(MPI_COMM_WORLD, key, &found, &flag);
  CHECK(flag && found == &mine);
  MPI_Comm_get_attr(copy, key, &found, &flag);
  CHECK(!flag);
  MPI_Comm_free(&copy);
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  MPI_Comm_get_attr(copy, key, &found, &flag);
  CHECK(flag && found == &mine);
  MPI_Comm_free(&copy);
  CHECK(deleted == 1);
  MPI_Comm_delete_attr(MPI_COMM_WORLD, key);
  CHECK(deleted == 2);
  MPI_Comm_get_attr(MPI_COMM_WORLD, key, &found, &flag);
  CHECK(!flag);
  MPI_Comm_set_attr(MPI_COMM_WORLD, key, &mine); /* for MPI_Finalize */
}

static int handled;
static void handle(MPI_Comm* comm, int* code, ...) {
  int result;
  ++handled;
  CHECK(*code != MPI_SUCCESS);
  PMPI_Comm_compare(*comm, MPI_COMM_SELF, &result);
  MPI_Comm_compare(*comm, MPI_COMM_WORLD, &result);
  CHECK(result == MPI_IDENT);
}

static void errors(void) {
  MPI_Errhandler handler, mine;
  MPI_Datatype type;
  int word = 0;
  MPI_Comm_get_errhandler(MPI_COMM_WORLD, &handler);
  CHECK(handler == MPI_ERRORS_ARE_FATAL);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  CHECK(MPI_Send(&word, 1, MPI_INT, size + 7, 1, MPI_COMM_WORLD) != MPI_SUCCESS);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN); /* of MPI 4, for what is nobody's */
  CHECK(MPI_Type_contiguous(-1, MPI_INT, &type) != MPI_SUCCESS);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL);
  MPI_Comm_get_errhandler(MPI_COMM_WORLD, &handler);
  CHECK(handler == MPI_ERRORS_RETURN);
  MPI_Comm_create_errhandler(handle, &mine);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, mine);
  CHECK(MPI_Send(&word, 1, MPI_INT, size + 7, 1, MPI_COMM_WORLD) != MPI_SUCCESS && handled == 1);
  MPI_Comm_call_errhandler(MPI_COMM_WORLD, MPI_ERR_OTHER);
  CHECK(handled == 2);
  MPI_Errhandler_free(&mine);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}

static void groups(void) {
  MPI_Group all, part;
  MPI_Comm made;
  int mine, translated;
  MPI_Comm_group(MPI_COMM_WORLD, &all);
  MPI_Group_rank(all, &mine);
  CHECK(mine == rank);
  const int last = size - 1;
  MPI_Group_incl(all, 1, &last, &part);
  MPI_Comm_create(MPI_COMM_WORLD, part, &made);
  CHECK((made != MPI_COMM_NULL) == (rank == last));
  if (made != MPI_COMM_NULL) MPI_Comm_free(&made);
  MPI_Group_free(&part);
  int range[1][3] = {{last, 0, -1}};
  MPI_Group_range_incl(all, 1, range, &part);
  MPI_Comm_create_group(MPI_COMM_WORLD, part, 5, &made);
  check_ranks(made, last - rank, size);
  MPI_Group_free(&part);
  MPI_Comm_group(made, &part);
  MPI_Group_translate_ranks(part, 1, &last, all, &translated);
  CHECK(translated == 0);
  MPI_Comm_free(&made);
  MPI_Group_free(&part);
  MPI_Group_free(&all);
}

static void communicators(void) {
  MPI_Comm made, other;
  MPI_Request request;
  int nodes_rank, nodes_size;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &made);
  const int members = (size + 1 - rank % 2) / 2;
  check_ranks(made, members - 1 - rank / 2, members);
  if (size > 1) {
    int remote;
    MPI_Intercomm_create(made, members - 1, MPI_COMM_WORLD, 1 - rank % 2, 3, &other);
    MPI_Comm_remote_size(other, &remote);
    CHECK(remote == size - members);
    MPI_Comm_free(&other);
  }
  MPI_Comm_free(&made);
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &made);
  MPI_Comm_rank(made, &nodes_rank);
  MPI_Comm_size(made, &nodes_size);
  CHECK(nodes_rank < nodes_size && nodes_size <= size);
  MPI_Comm_free(&made);
  MPI_Comm_dup_with_info(MPI_COMM_WORLD, MPI_INFO_NULL, &made);
  check_ranks(made, rank, size);
  MPI_Comm_free(&made);
  MPI_Comm_idup(MPI_COMM_WORLD, &made, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  check_ranks(made, rank, size);
  MPI_Comm_free(&made);
  const int open = 0;
  int before, after;
  MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &open, 0, &made);
  MPI_Cart_shift(made, 0, 1, &before, &after);
  CHECK(before == (rank > 0 ? rank - 1 : MPI_PROC_NULL) &&
        after == (rank + 1 < size ? rank + 1 : MPI_PROC_NULL));
  MPI_Comm_free(&made);
}

static unsigned messages(void) {
  const int next = (rank + 1) % size, before = (rank + size - 1) % size;
  unsigned digest = 0;
  int out = 1000 + rank, in = 0, all = 0;
  MPI_Status status;
  MPI_Request requests[2];
  MPI_Sendrecv(&out, 1, MPI_INT, next, 1, &in, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &status);
  CHECK(in == 1000 + before && status.MPI_SOURCE == before);
  digest = digest * 31 + in;
  MPI_Recv_init(&in, 1, MPI_INT, next, 2, MPI_COMM_WORLD, &requests[0]);
  MPI_Send_init(&out, 1, MPI_INT, before, 2, MPI_COMM_WORLD, &requests[1]);
  MPI_Startall(2, requests);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  MPI_Request_free(&requests[0]);
  MPI_Request_free(&requests[1]);
  CHECK(in == 1000 + next);
  digest = digest * 31 + in;
  MPI_Exscan(&out, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  digest = digest * 31 + (rank > 0 ? all : 0);
  in = out;
  MPI_Ibcast(&in, 1, MPI_INT, size - 1, MPI_COMM_WORLD, &requests[0]);
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  CHECK(in == 999 + size);
  return digest;
}

static void windows_and_files(void) {
  int memory = -1, out = rank, in = -1;
  char name[] = "ordered_world.XXXXXX";
  if (size > 1) { /* Open MPI 4.1.4 has none for a process alone */
    MPI_Win window;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN); /* nor by some transports */
    if (MPI_Win_create(&memory, sizeof memory, sizeof memory, MPI_INFO_NULL, MPI_COMM_WORLD, &window) ==
        MPI_SUCCESS) {
      MPI_Win_fence(0, window);
      MPI_Put(&out, 1, MPI_INT, (rank + 1) % size, 0, 1, MPI_INT, window);
      MPI_Win_fence(0, window);
      CHECK(memory == (rank + size - 1) % size);
      MPI_Win_free(&window);
    }
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
  }
  MPI_File file;
  if (rank == 0) close(mkstemp(name));
  MPI_Bcast(name, sizeof name, MPI_CHAR, 0, MPI_COMM_WORLD);
  CHECK(MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file) ==
        MPI_SUCCESS);
  MPI_File_write_ordered(file, &out, 1, MPI_INT, MPI_STATUS_IGNORE);
  MPI_File_read_at_all(file, rank * (MPI_Offset)sizeof in, &in, 1, MPI_INT, MPI_STATUS_IGNORE);
  CHECK(in == rank);
  MPI_File_close(&file);
}

/* Libraries clean up when MPI_COMM_SELF goes; then the world has to be there. */
static int last_words(MPI_Comm comm, int key, void* value, void* state) {
  int mine, sum = 0;
  (void)comm, (void)key, (void)value, (void)state;
  MPI_Comm_rank(MPI_COMM_WORLD, &mine);
  CHECK(mine == rank && deleted == deleted_before_end);
  MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  CHECK(sum == size * (size - 1) / 2);
  return MPI_SUCCESS;
}

static void leave_last_words(void) {
  int key;
  deleted_before_end = deleted;
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, last_words, &key, NULL);
  MPI_Comm_set_attr(MPI_COMM_SELF, key, NULL);
  MPI_Comm_free_keyval(&key);
}

static void tell_places(void) {
  int lowest = launched, *all = malloc((size_t)size * 3 * sizeof *all);
  MPI_Comm node;
  PMPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  PMPI_Bcast(&lowest, 1, MPI_INT, 0, node);
  PMPI_Comm_free(&node);
  const int mine[] = {launched, rank, lowest};
  MPI_Gather(mine, 3, MPI_INT, all, 3, MPI_INT, 0, MPI_COMM_WORLD);
  for (int i = 0; rank == 0 && i < size; ++i)
    printf("process %d %d %d\n", all[3 * i], all[3 * i + 1], all[3 * i + 2]);
  free(all);
}

int main(int argc, char** argv) {
  const char* const what = argc > 1 ? argv[1] : "";
  launched = number_from_launcher();
  if (strcmp(what, "file") == 0 && launched != 0) setenv("HALOCLINE_ORDER", argv[2], 1);
#if MPI_VERSION >= 4
  MPI_Session session = MPI_SESSION_NULL;
  if (strcmp(what, "session") == 0) MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
#endif
  MPI_Init(&argc, &argv);
#if MPI_VERSION >= 4
  if (strcmp(what, "late_session") == 0) MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
#endif
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (rank == size - 1 && strcmp(what, "abort") == 0) MPI_Abort(MPI_COMM_WORLD, 3);
  if (rank == size - 1 && strcmp(what, "fatal") == 0)
    MPI_Send(&rank, 1, MPI_INT, size + 1, 1, MPI_COMM_WORLD);
  if (strcmp(what, "abort") == 0 || strcmp(what, "fatal") == 0) MPI_Barrier(MPI_COMM_WORLD);
  tell_places();
  unsigned digest = 0, sum = 0;
  if (*what == '\0') {
    comparisons();
    names();
    attributes();
    errors();
    groups();
    communicators();
    digest = messages();
    windows_and_files();
    leave_last_words();
  }
  MPI_Reduce(&digest, &sum, 1, MPI_UNSIGNED, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("digest %u\n", sum);
#if MPI_VERSION >= 4
  if (session != MPI_SESSION_NULL) MPI_Session_finalize(&session);
#endif
  MPI_Finalize();
  return 0;
}
