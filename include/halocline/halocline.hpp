// Halocline for C++ programs: include this.
#pragma once

#include "halocline/base/error.hpp"
#include "halocline/compile/copier.hpp"
#include "halocline/describe/allocation.hpp"
#include "halocline/describe/grid.hpp"
#include "halocline/describe/layout.hpp"
#include "halocline/describe/machine.hpp"
#include "halocline/describe/mesh.hpp"
#include "halocline/describe/network.hpp"
#include "halocline/describe/stencil.hpp"
#include "halocline/mpi/cart.hpp"
#include "halocline/mpi/discover.hpp"
#include "halocline/place/algorithms.hpp"
#include "halocline/place/best.hpp"
#include "halocline/plan/grid_choice.hpp"
#include "halocline/shape/choose.hpp"
