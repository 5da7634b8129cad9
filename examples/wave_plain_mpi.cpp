// SPDX-License-Identifier: BSD-3-Clause
// The same solver as wave.cpp on plain MPI, the usual way: MPI_Dims_create and MPI_Cart_create for the grid,
// subarray types, MPI_Irecv and MPI_Isend for the halos, the interior computed meanwhile.
//
//   mpirun -n 8 wave_plain_mpi --mesh 128x128x128 --steps 100

#include "program.hpp"
#include "wave_numerics.hpp"
#include "wave_report.hpp"

namespace {

using wave::Count;
using wave::Triple;

/// The grid of processes and this process's points of the mesh.
struct Domain {
  MPI_Comm comm = MPI_COMM_NULL;
  std::array<int, 3> dims{}, coords{};
  Triple first{}, extents{};
};

Domain share_out(const Triple& mesh) {
  Domain domain;
  const std::array<int, 3> periods{0, 1, 1};
  MPI_Dims_create(example::ranks(), 3, domain.dims.data());
  MPI_Cart_create(MPI_COMM_WORLD, 3, domain.dims.data(), periods.data(), 1, &domain.comm);
  int rank = 0;
  MPI_Comm_rank(domain.comm, &rank);
  MPI_Cart_coords(domain.comm, rank, 3, domain.coords.data());
  for (std::size_t d = 0; d < 3; ++d) {
    const Count slabs = domain.dims[d], i = domain.coords[d];
    const Count each = mesh[d] / slabs, more = mesh[d] % slabs;
    if (each < wave::width)
      throw example::WrongUse("--mesh has " + std::to_string(mesh[d]) + " points along dimension " +
                              std::to_string(d) + "; " + std::to_string(slabs) + " processes need " +
                              std::to_string(slabs * wave::width));
    domain.extents[d] = each + (i < more ? 1 : 0);
    domain.first[d] = i * each + std::min(i, more);
  }
  return domain;
}

/// The values of an array; (0, 0, 0) is the first own point.
struct View {
  double* first;
  Count plane, row;  ///< Distances along dimensions 0 and 1, in values.

  double& operator()(Count i, Count j, Count k) const { return first[i * plane + j * row + k]; }
};

/// An array with a halo on all sides of this process's points.
struct Array {
  explicit Array(const Triple& extents)
      : sizes{extents[0] + 2 * wave::width, extents[1] + 2 * wave::width, extents[2] + 2 * wave::width},
        memory(static_cast<std::size_t>(sizes[0] * sizes[1] * sizes[2])) {}

  [[nodiscard]] View view() {
    const Count plane = sizes[1] * sizes[2], row = sizes[2];
    return {memory.data() + wave::width * (plane + row + 1), plane, row};
  }

  Triple sizes;
  std::vector<double> memory;
};

/// The six faces of an array and where they go.
class Faces {
 public:
  Faces(const Domain& domain, const Array& array) : comm_(domain.comm) {
    for (int d = 0; d < 3; ++d) {
      int low = MPI_PROC_NULL, high = MPI_PROC_NULL;
      MPI_Cart_shift(comm_, d, 1, &low, &high);
      const Count n = domain.extents[static_cast<std::size_t>(d)];
      add(low, face(domain, array, d, wave::width), face(domain, array, d, 0));
      add(high, face(domain, array, d, n), face(domain, array, d, n + wave::width));
    }
  }
  Faces(const Faces&) = delete;
  Faces& operator=(const Faces&) = delete;
  ~Faces() {
    for (Face& f : faces_) {
      MPI_Type_free(&f.sent);
      MPI_Type_free(&f.received);
    }
  }

  void start(Array& array) {
    for (std::size_t i = 0; i < 6; ++i)
      MPI_Irecv(array.memory.data(), 1, faces_[i].received, faces_[i].peer, tag(i ^ 1u), comm_,
                &requests_[i]);
    for (std::size_t i = 0; i < 6; ++i)
      MPI_Isend(array.memory.data(), 1, faces_[i].sent, faces_[i].peer, tag(i), comm_, &requests_[6 + i]);
  }
  void wait() { MPI_Waitall(12, requests_.data(), MPI_STATUSES_IGNORE); }

 private:
  struct Face {
    int peer;
    MPI_Datatype sent, received;
  };

  /// `width` layers of dimension `d` from `begin` on, halo included; only own points along the others.
  static MPI_Datatype face(const Domain& domain, const Array& array, int d, Count begin) {
    std::array<int, 3> sizes{}, subsizes{}, starts{};
    for (std::size_t e = 0; e < 3; ++e) {
      const bool across = static_cast<int>(e) == d;
      sizes[e] = static_cast<int>(array.sizes[e]);
      subsizes[e] = static_cast<int>(across ? wave::width : domain.extents[e]);
      starts[e] = static_cast<int>(across ? begin : wave::width);
    }
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Type_create_subarray(3, sizes.data(), subsizes.data(), starts.data(), MPI_ORDER_C, MPI_DOUBLE, &type);
    MPI_Type_commit(&type);
    return type;
  }
  void add(int peer, MPI_Datatype sent, MPI_Datatype received) { faces_[next_++] = {peer, sent, received}; }
  static int tag(std::size_t face) { return static_cast<int>(face); }

  MPI_Comm comm_;
  std::array<Face, 6> faces_{};
  std::size_t next_ = 0;
  std::array<MPI_Request, 12> requests_{};
};

bool run(const example::Arguments& arguments) {
  const Triple mesh = wave::triple(arguments.extents("--mesh", 3));
  const Count steps = arguments.number("--steps", 0);

  Domain domain = share_out(mesh);
  const Triple& extents = domain.extents;
  Array now(extents), before(extents), courant(extents);
  wave::set_up(now.view(), before.view(), courant.view(), mesh, domain.first, extents);
  const wave::Parts parts = wave::parts_of(extents);
  bool right = false;
  {
    Faces faces(domain, now);  // both arrays have the same layout
    faces.start(now);
    faces.wait();
    const double energy = wave::energy(now.view(), before.view(), courant.view(), extents);

    wave::Times times;
    MPI_Barrier(MPI_COMM_WORLD);
    const double began = MPI_Wtime();
    for (Count n = 0; n < steps; ++n) {
      const double started = MPI_Wtime();
      faces.start(now);
      times.halo += MPI_Wtime() - started;

      wave::leap(now.view(), before.view(), courant.view(), parts.interior);

      const double waited = MPI_Wtime();
      faces.wait();
      times.halo += MPI_Wtime() - waited;

      for (const wave::Region& part : parts.border)
        wave::leap(now.view(), before.view(), courant.view(), part);
      std::swap(now, before);
    }
    times.total = MPI_Wtime() - began;

    faces.start(now);
    faces.wait();
    const double energy_after = wave::energy(now.view(), before.view(), courant.view(), extents);
    example::say("plain MPI: mesh %lldx%lldx%lld, grid %dx%dx%d\n", static_cast<long long>(mesh[0]),
                 static_cast<long long>(mesh[1]), static_cast<long long>(mesh[2]), domain.dims[0],
                 domain.dims[1], domain.dims[2]);
    right = wave::report(arguments, times, energy, energy_after, now.view(), mesh, domain.first, extents);
  }
  MPI_Comm_free(&domain.comm);
  return right;
}

}  // namespace

int main(int argc, char** argv) {
  return example::run_program(
      {"wave_plain_mpi", "Sound in three dimensions, its energy checked, with the halos of plain MPI.",
       wave::options()},
      argc, argv, run);
}
