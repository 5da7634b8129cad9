// SPDX-License-Identifier: BSD-3-Clause
/* What Python is compared with: the same calls from C. */
#include <halocline/halocline.h>

int exchange_loop(HCL_Halo halo, int count);

int exchange_loop(HCL_Halo halo, int count) {
  int code = MPI_SUCCESS;
  for (int i = 0; i < count && code == MPI_SUCCESS; ++i) code = HCL_Halo_exchange(halo);
  return code;
}
