# Who has which number, by mpi4py.
import os
from mpi4py import MPI
world = MPI.COMM_WORLD
copy = world.Dup()
assert MPI.Comm.Compare(copy, world) == MPI.CONGRUENT and copy.rank == world.rank
assert world.Get_attr(MPI.TAG_UB) >= 32767 and world.Get_name() == "MPI_COMM_WORLD"
assert world.allgather(world.rank) == list(range(world.size))
everybody = world.gather((int(os.environ["OMPI_COMM_WORLD_RANK"]), world.rank))
copy.Free()
if world.rank == 0:
    for launched, rank in everybody:
        print("process", launched, rank, 0)
    print(sum(rank for _, rank in everybody))
