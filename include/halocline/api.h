/* SPDX-License-Identifier: BSD-3-Clause */
/* Marks what the shared library gives to programs; everything else stays inside it. */
#ifndef HALOCLINE_API_H
#define HALOCLINE_API_H

#if defined(__GNUC__)
#define HALOCLINE_API __attribute__((visibility("default")))
#else
#define HALOCLINE_API
#endif

#endif
