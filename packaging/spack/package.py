# A Spack recipe, which builds the clone of the repository that you are in: spack repo create local halocline; copy this
# file to packages/halocline/package.py in it; spack repo add local; spack dev-build halocline@main
from spack.package import *


class Halocline(CMakePackage):
    """Fast halo exchange for MPI stencil codes: the process grid, the placement of processes, combined
    messages, compiled packing and the exchange itself, in C++, C and Fortran."""

    license("BSD-3-Clause")

    version("main", branch="main")

    variant("shared", default=True, description="Programs link the shared library unless they ask for the static one")
    variant("tools", default=True, description="Build the halocline command line program")
    variant("fortran", default=True, description="Build the Fortran module")
    variant("llvm", default=False, description="Build the module that generates packing code with LLVM")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("fortran", type="build", when="+fortran")
    depends_on("cmake@3.25:", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("mpi@3.1:")
    depends_on("hwloc@2:")
    depends_on("cli11", type="build", when="+tools")
    depends_on("fmt", when="+tools")
    depends_on("nlohmann-json", type="build")
    depends_on("llvm@14:15", when="+llvm")
    depends_on("googletest", type="test")

    # C++20; and before version 12 gfortran handed arrays to C with descriptors that were not always right.
    conflicts("%gcc@:11")
    conflicts("%clang@:13")

    def cmake_args(self):
        return [
            self.define_from_variant("BUILD_SHARED_LIBS", "shared"),
            self.define_from_variant("HALOCLINE_TOOLS", "tools"),
            self.define_from_variant("HALOCLINE_FORTRAN", "fortran"),
            self.define_from_variant("HALOCLINE_LLVM", "llvm"),
            self.define("HALOCLINE_PAGE", False),  # npm would ask the network
            self.define("HALOCLINE_EXAMPLES", False),
            self.define("HALOCLINE_BENCHMARKS", False),
            self.define("HALOCLINE_TESTS", self.run_tests),
        ]
