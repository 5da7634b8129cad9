// The benchmarks of the parts: each adds what it takes to `halocline bench part NAME` and says what it does.
#pragma once

#include "tools/common/command.hpp"

namespace halocline::bench {

[[nodiscard]] tools::Action declare_shape(tools::Options& options);
[[nodiscard]] tools::Action declare_place(tools::Options& options);
[[nodiscard]] tools::Action declare_pack(tools::Options& options);
[[nodiscard]] tools::Action declare_device_pack(tools::Options& options);
[[nodiscard]] tools::Action declare_generate(tools::Options& options);
[[nodiscard]] tools::Action declare_network(tools::Options& options);
[[nodiscard]] tools::Action declare_graph_mapping(tools::Options& options);
[[nodiscard]] tools::Action declare_schedule(tools::Options& options);
[[nodiscard]] tools::Action declare_grid_choice(tools::Options& options);
[[nodiscard]] tools::Action declare_network_placement(tools::Options& options);
[[nodiscard]] tools::Action declare_cart(tools::Options& options);
[[nodiscard]] tools::Action declare_call(tools::Options& options);
[[nodiscard]] tools::Action declare_uneven(tools::Options& options);
[[nodiscard]] tools::Action declare_pack_mpi(tools::Options& options);
[[nodiscard]] tools::Action declare_ddtbench(tools::Options& options);

}  // namespace halocline::bench
