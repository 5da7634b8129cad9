// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// For what a class of users has inside: it stays in the library, though its class does not.
#define HALOCLINE_INSIDE [[gnu::visibility("hidden")]]
