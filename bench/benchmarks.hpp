// The benchmarks of the program halocline_bench, each with the arguments behind its name.
#pragma once

namespace halocline::bench {

int shape(int count, char** arguments);
int place(int count, char** arguments);
int pack(int count, char** arguments);
int generate(int count, char** arguments);
int network(int count, char** arguments);
int schedule(int count, char** arguments);
int grid_choice(int count, char** arguments);
int network_placement(int count, char** arguments);
int cart(int count, char** arguments);
int call(int count, char** arguments);
int uneven(int count, char** arguments);
int pack_mpi(int count, char** arguments);
int ddtbench(int count, char** arguments);

}  // namespace halocline::bench
