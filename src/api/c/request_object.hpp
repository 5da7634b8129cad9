// SPDX-License-Identifier: BSD-3-Clause
// What is behind the handle of an operation.
#pragma once

#include "halocline/exchange/exchange.hpp"
#include "halocline/halocline.h"
#include "mpi/handles/comm_life.hpp"

#include <memory>

struct HCL_Request_object {
  std::shared_ptr<halocline::Exchange> exchange;
  halocline::mpi::CommLife comm;  ///< For its error handler.
  bool persistent;                ///< Otherwise it is freed when it is complete.
  /// From its start until it was waited for or tested with success, on all processes alike: the data may have
  /// come at once on some of them.
  bool started = !persistent;
};
