// SPDX-License-Identifier: BSD-3-Clause
// Small files that users name: read whole, written whole or not at all.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>

namespace halocline {

/// The contents; nothing if there is no such file. Throws Error{invalid_argument} if it cannot be read or is
/// no plain file of at most so many bytes, since a pipe might never end; the caller names the file.
[[nodiscard]] std::optional<std::string> read_text_file(const std::filesystem::path& path,
                                                        std::size_t most_bytes);

/// Puts the text in the place of what was there; who reads meanwhile gets the old or the new. Throws
/// Error{internal} that names the path.
void write_text_file(const std::filesystem::path& path, const std::string& text);

}  // namespace halocline
