// Makes memory that processes share, and has one of them killed on the way: before the call of that number,
// of all that making it takes. killed_test.py looks at what is left behind.
//   dying_process FOLDER RANK STEP [named]
// Every process leaves a file in FOLDER that is called by its id and says how many steps it took in the end.
// With "named" no process can open the files of another one.

#include "exchange/memory/node_memory.hpp"
#include "mpi/handles/comm.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <string>

namespace {

bool counting = false, unreachable = false;
int steps = 0, last_step = -1;

/// One more step of making memory, or the last of this process.
void step() {
  if (!counting) return;
  if (steps++ == last_step) kill(getpid(), SIGKILL);
}

template <class Function>
Function* next(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

}  // namespace

// In front of the system's own: what the library calls comes here first.
extern "C" {

int open(const char* path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const auto mode = static_cast<mode_t>(va_arg(rest, int));
  va_end(rest);
  step();
  return next<int(const char*, int, ...)>("open")(path, flags, mode);
}
int stat(const char* path, struct stat* found) noexcept {
  step();
  if (counting && unreachable && std::strncmp(path, "/proc/", 6) == 0) {
    errno = EACCES;
    return -1;
  }
  return next<int(const char*, struct stat*)>("stat")(path, found);
}
int shm_open(const char* name, int flags, mode_t mode) {
  step();
  return next<int(const char*, int, mode_t)>("shm_open")(name, flags, mode);
}
int shm_unlink(const char* name) {
  step();
  return next<int(const char*)>("shm_unlink")(name);
}
int flock(int file, int operation) noexcept {
  step();
  return next<int(int, int)>("flock")(file, operation);
}
int ftruncate(int file, off_t bytes) noexcept {
  step();
  return next<int(int, off_t)>("ftruncate")(file, bytes);
}
int posix_fallocate(int file, off_t first, off_t bytes) {
  step();
  return next<int(int, off_t, off_t)>("posix_fallocate")(file, first, bytes);
}
void* mmap(void* address, size_t bytes, int protection, int flags, int file, off_t first) noexcept {
  if (file >= 0) step();
  return next<void*(void*, size_t, int, int, int, off_t)>("mmap")(address, bytes, protection, flags, file,
                                                                  first);
}
int PMPI_Bcast(void* data, int count, MPI_Datatype type, int root, MPI_Comm comm) {
  step();
  return next<int(void*, int, MPI_Datatype, int, MPI_Comm)>("PMPI_Bcast")(data, count, type, root, comm);
}
int PMPI_Allreduce(const void* in, void* out, int count, MPI_Datatype type, MPI_Op operation, MPI_Comm comm) {
  step();
  return next<int(const void*, void*, int, MPI_Datatype, MPI_Op, MPI_Comm)>("PMPI_Allreduce")(
      in, out, count, type, operation, comm);
}

}  // extern "C"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  if (argc < 4) return 2;
  if (halocline::mpi::rank(MPI_COMM_WORLD) == std::atoi(argv[2])) last_step = std::atoi(argv[3]);
  unreachable = argc > 4;
  std::FILE* const note = std::fopen((std::string(argv[1]) + "/" + std::to_string(getpid())).c_str(), "w");
  if (note == nullptr) return 2;
  MPI_Barrier(MPI_COMM_WORLD);
  counting = true;
  const auto segment = halocline::exchange::SharedSegment::create(MPI_COMM_WORLD, 100'000);
  step();
  counting = false;
  std::fprintf(note, "%d %d\n", halocline::mpi::rank(MPI_COMM_WORLD), steps);
  std::fclose(note);
  MPI_Finalize();
  return segment == nullptr;
}
