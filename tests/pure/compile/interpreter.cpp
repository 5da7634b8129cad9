#include "interpreter.hpp"

#include "compile/kernels/address.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

namespace halocline::compile {
namespace {

/// Visits the pieces of a byte range of the stream. `visit(offset, bytes)` gets them in order.
template <class Visit>
class Walk {
 public:
  Walk(Count first, Count bytes, Visit visit) : skip_(first), left_(bytes), visit_(visit) {}

  /// `count` copies of the layout, `stride` bytes apart.
  void row(const Layout& layout, Count offset, Count count, Count stride) {
    const Count size = layout.size();
    if (size == 0 || count == 0) return;
    const Count skipped = std::min(skip_ / size, count);
    skip_ -= skipped * size;
    for (Count i = skipped; i < count && left_ > 0; ++i)
      std::visit([&](const auto& constructor) { walk(constructor, layout, offset + i * stride); },
                 layout.constructor());
  }

 private:
  void row(const Layout& layout, Count offset, Count count) { row(layout, offset, count, layout.extent()); }

  void walk(const Layout::Named& named, const Layout&, Count offset) {
    for (const auto& [begin, bytes] : traits(named.type).segments()) {
      const Count skipped = std::min(skip_, bytes);
      const Count taken = std::min(left_, bytes - skipped);
      if (taken > 0) visit_(offset + begin + skipped, taken);
      skip_ -= skipped;
      left_ -= taken;
    }
  }
  void walk(const Layout::Dup&, const Layout& of, Count offset) { row(of.element(), offset, 1); }
  void walk(const Layout::Resized&, const Layout& of, Count offset) { row(of.element(), offset, 1); }
  void walk(const Layout::Contiguous& c, const Layout& of, Count offset) {
    row(of.element(), offset, c.count);
  }
  void walk(const Layout::Vector& v, const Layout& of, Count offset) {
    // A single block needs no stride, and then nobody checked that it fits in 64 bits.
    strided(of.element(), offset, v.count, v.blocklength, v.count > 1 ? v.stride * of.element().extent() : 0);
  }
  void walk(const Layout::Hvector& v, const Layout& of, Count offset) {
    strided(of.element(), offset, v.count, v.blocklength, v.stride_bytes);
  }
  void walk(const Layout::Indexed& x, const Layout& of, Count offset) {
    for (std::size_t i = 0; i < x.displacements.size(); ++i)
      if (x.blocklengths[i] > 0)
        row(of.element(), offset + x.displacements[i] * of.element().extent(), x.blocklengths[i]);
  }
  void walk(const Layout::Hindexed& x, const Layout& of, Count offset) {
    for (std::size_t i = 0; i < x.displacement_bytes.size(); ++i)
      if (x.blocklengths[i] > 0) row(of.element(), offset + x.displacement_bytes[i], x.blocklengths[i]);
  }
  void walk(const Layout::IndexedBlock& x, const Layout& of, Count offset) {
    for (const Count displacement : x.displacements)
      row(of.element(), offset + displacement * of.element().extent(), x.blocklength);
  }
  void walk(const Layout::HindexedBlock& x, const Layout& of, Count offset) {
    for (const Count displacement : x.displacement_bytes)
      row(of.element(), offset + displacement, x.blocklength);
  }
  void walk(const Layout::Struct& s, const Layout& of, Count offset) {
    for (std::size_t i = 0; i < of.members().size(); ++i)
      if (s.blocklengths[i] > 0 && of.members()[i].size() > 0)
        row(of.members()[i], offset + s.displacement_bytes[i], s.blocklengths[i]);
  }
  void walk(const Layout::Subarray& a, const Layout& of, Count offset) {
    std::vector<Layout::Darray::Share> shares;
    for (std::size_t d = 0; d < a.sizes.size(); ++d)
      shares.push_back({a.starts[d], a.subsizes[d], a.subsizes[d], a.subsizes[d]});
    array(a.sizes, shares, a.order, of.element(), offset);
  }
  void walk(const Layout::Darray& a, const Layout& of, Count offset) {
    array(a.sizes, a.shares(), a.order, of.element(), offset);
  }

  void strided(const Layout& element, Count offset, Count count, Count blocklength, Count stride) {
    for (Count i = 0; i < count && left_ > 0; ++i) row(element, offset + i * stride, blocklength);
  }

  /// The elements at the given indices of an array, the slowest dimension outermost.
  void array(const Counts& sizes, const std::vector<Layout::Darray::Share>& shares, Layout::Order order,
             const Layout& element, Count offset) {
    const std::size_t dimensions = sizes.size();
    const auto slowest = [&](std::size_t i) { return order == Layout::Order::c ? i : dimensions - 1 - i; };
    Counts strides(dimensions);
    Count stride = element.extent();
    for (std::size_t i = dimensions; i-- > 0; stride *= sizes[slowest(i)]) strides[slowest(i)] = stride;
    const auto loop = [&](const auto& self, std::size_t level, Count from) -> void {
      if (level == dimensions) return row(element, from, 1);
      const std::size_t d = slowest(level);
      const auto& [first, block, cycle, count] = shares[d];
      for (Count i = 0; i < count && left_ > 0; ++i)
        self(self, level + 1, from + (first + i / block * cycle + i % block) * strides[d]);
    };
    loop(loop, 0, offset);
  }

  Count skip_;
  Count left_;
  Visit visit_;
};

class Interpreter : public Code {
 public:
  explicit Interpreter(const CodeUnit& unit)
      : parts_(unit.parts.begin(), unit.parts.end()), bytes_(unit.canonical.bytes()) {
    whole_.context = this;
    whole_.pack = [](const void* self, const std::byte* base, std::byte* wire) {
      const auto& code = *static_cast<const Interpreter*>(self);
      code.pack(base, wire, 0, code.bytes_);
    };
    whole_.unpack = [](const void* self, const std::byte* wire, std::byte* base) {
      const auto& code = *static_cast<const Interpreter*>(self);
      code.unpack(wire, base, 0, code.bytes_);
    };
  }

  [[nodiscard]] std::string_view engine() const override { return "interpreter"; }
  void pack(const std::byte* base, std::byte* wire, Count first, Count bytes) const override {
    walk(first, bytes, [&](Count offset, Count piece) {
      std::memcpy(wire, at(base, offset), static_cast<std::size_t>(piece));
      wire += piece;
    });
  }

  void unpack(const std::byte* wire, std::byte* base, Count first, Count bytes) const override {
    walk(first, bytes, [&](Count offset, Count piece) {
      std::memcpy(at(base, offset), wire, static_cast<std::size_t>(piece));
      wire += piece;
    });
  }

 private:
  template <class Visit>
  void walk(Count first, Count bytes, Visit visit) const {
    Walk<Visit> range(first, bytes, visit);
    for (const auto& [layout, count, offset] : parts_) range.row(layout, offset, count, layout.extent());
  }

  std::vector<Part> parts_;
  Count bytes_;
};

}  // namespace

std::unique_ptr<const Code> interpret(const CodeUnit& unit) { return std::make_unique<Interpreter>(unit); }

}  // namespace halocline::compile
