/* A tool as there are many: it counts calls, and makes them by their PMPI_ names. */

#include <mpi.h>

static int calls;

int MPI_Isend(const void* buf, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request* request) {
  ++calls;
  return PMPI_Isend(buf, count, type, to, tag, comm, request);
}
int MPI_Irecv(void* buf, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
              MPI_Request* request) {
  ++calls;
  return PMPI_Irecv(buf, count, type, from, tag, comm, request);
}
int MPI_Start(MPI_Request* request) {
  ++calls;
  return PMPI_Start(request);
}
int MPI_Wait(MPI_Request* request, MPI_Status* status) {
  ++calls;
  return PMPI_Wait(request, status);
}
int MPI_Test(MPI_Request* request, int* flag, MPI_Status* status) {
  ++calls;
  return PMPI_Test(request, flag, status);
}
int MPI_Waitall(int count, MPI_Request requests[], MPI_Status statuses[]) {
  ++calls;
  return PMPI_Waitall(count, requests, statuses);
}
int MPI_Waitany(int count, MPI_Request requests[], int* index, MPI_Status* status) {
  ++calls;
  return PMPI_Waitany(count, requests, index, status);
}
int MPI_Testsome(int count, MPI_Request requests[], int* outcount, int indices[], MPI_Status statuses[]) {
  ++calls;
  return PMPI_Testsome(count, requests, outcount, indices, statuses);
}
int MPI_Request_free(MPI_Request* request) {
  ++calls;
  return PMPI_Request_free(request);
}
