// Makes a system call fail from now on in this process, as a hardened system would.
#pragma once

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <iterator>

namespace halocline {

/// Calls of `number` with any bit of `bits` in their argument `argument` fail with `error`; all of them if
/// bits is 0. False if the system has no such filters. There is no way back: for processes about to end.
inline bool refuse_system_call(std::uint32_t number, unsigned argument, std::uint32_t bits,
                               std::uint32_t error) {
  const auto argument_at = static_cast<std::uint32_t>(offsetof(seccomp_data, args) + 8 * argument);
  const std::uint32_t fail = SECCOMP_RET_ERRNO | (error & SECCOMP_RET_DATA);
  sock_filter masked[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 3),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, argument_at),
      BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, bits, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, fail),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  sock_filter always[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, fail),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  sock_fprog program{};
  program.len = static_cast<unsigned short>(bits != 0 ? std::size(masked) : std::size(always));
  program.filter = bits != 0 ? masked : always;
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

}  // namespace halocline
