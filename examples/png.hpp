// SPDX-License-Identifier: BSD-3-Clause
// A picture as a PNG file, without a library: the format allows data that is stored and not compressed.
#pragma once

#include <halocline/base/count.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace example {

/// An image of red, green and blue.
class Picture {
 public:
  using Count = halocline::Count;

  Picture(Count width, Count height)
      : width_(width), height_(height), rows_(static_cast<std::size_t>(height * (1 + 3 * width)), '\0') {}

  [[nodiscard]] Count width() const { return width_; }
  [[nodiscard]] Count height() const { return height_; }

  /// Colours from 0 to 255; what is beyond is cut off.
  void set(Count x, Count y, double red, double green, double blue) {
    auto at = static_cast<std::size_t>(y * (1 + 3 * width_) + 1 + 3 * x);
    for (const double colour : {red, green, blue})
      rows_[at++] = static_cast<char>(static_cast<unsigned char>(std::clamp(colour, 0.0, 255.0)));
  }

  /// Throws std::runtime_error if the file cannot be written.
  void write(const std::string& path) const {
    const std::string header =
        big_endian(static_cast<std::uint32_t>(width_)) + big_endian(static_cast<std::uint32_t>(height_)) +
        std::string("\x08\x02\x00\x00\x00", 5);  // 8 bits a colour, three colours, the only methods
    std::ofstream file(path, std::ios::binary);
    file << "\x89PNG\r\n\x1a\n" << chunk("IHDR", header) << chunk("IDAT", stored()) << chunk("IEND", "");
    if (!file.flush()) throw std::runtime_error("cannot write " + path);
  }

 private:
  static std::string big_endian(std::uint32_t number) {
    std::string bytes;
    for (const unsigned shift : {24u, 16u, 8u, 0u}) bytes += static_cast<char>((number >> shift) & 0xffu);
    return bytes;
  }

  static std::string chunk(const std::string& type, const std::string& data) {
    std::uint32_t crc = 0xffffffffu;
    for (const char byte : type + data) {
      crc ^= static_cast<unsigned char>(byte);
      for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1u) ^ ((crc & 1u) != 0 ? 0xedb88320u : 0u);
    }
    return big_endian(static_cast<std::uint32_t>(data.size())) + type + data + big_endian(~crc);
  }

  /// The rows as a zlib stream of stored blocks.
  [[nodiscard]] std::string stored() const {
    constexpr std::size_t most = 65535;
    std::string stream = "\x78\x01";
    std::uint32_t a = 1, b = 0;
    for (std::size_t at = 0; at < rows_.size(); at += most) {
      const std::size_t size = std::min(most, rows_.size() - at);
      stream += at + size == rows_.size() ? '\1' : '\0';
      for (const std::size_t number : {size, ~size}) {
        stream += static_cast<char>(number & 0xffu);
        stream += static_cast<char>((number >> 8u) & 0xffu);
      }
      stream.append(rows_, at, size);
    }
    for (const char byte : rows_) {
      a = (a + static_cast<unsigned char>(byte)) % 65521;
      b = (b + a) % 65521;
    }
    return stream + big_endian(b << 16u | a);
  }

  Count width_, height_;
  std::string rows_;  ///< Each begins with a byte that says "not filtered".
};

}  // namespace example
