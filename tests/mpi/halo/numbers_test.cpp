// Which bytes of an element are numbers of which type, of random datatypes: beside the types of the leaves in
// their order and the bytes that are packed.

#include "compile/trees.hpp"
#include "halo/sums/adding.hpp"
#include "halocline/compile/packer.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <set>

namespace halocline::halo_numbers_tests {
namespace {

using halo::NumberRun;
using halo::Numbers;
using halo::NumberType;

/// What a leaf is by its name: "int32" for what has 4 bytes and a sign. None for what is no number.
std::optional<std::string> name_of_number(Elementary type) {
  using E = Elementary;
  const std::string bytes = std::to_string(traits(type).segments().front().bytes * 8);
  if (std::set<E>{E::signed_char, E::short_, E::int_, E::long_, E::long_long, E::int8, E::int16, E::int32,
                  E::int64, E::aint, E::offset, E::count, E::integer, E::integer1, E::integer2, E::integer4,
                  E::integer8}
          .contains(type))
    return "int" + bytes;
  if (std::set<E>{E::unsigned_char, E::unsigned_short, E::unsigned_, E::unsigned_long, E::unsigned_long_long,
                  E::uint8, E::uint16, E::uint32, E::uint64}
          .contains(type))
    return "uint" + bytes;
  if (std::set<E>{E::float_, E::real, E::real4}.contains(type)) return "float";
  if (std::set<E>{E::double_, E::double_precision, E::real8}.contains(type)) return "double";
  if (type == E::long_double) return "long-double";
  if (std::set<E>{E::c_float_complex, E::cxx_float_complex, E::complex, E::complex8}.contains(type))
    return "float-complex";
  if (std::set<E>{E::c_double_complex, E::cxx_double_complex, E::double_complex, E::complex16}.contains(type))
    return "double-complex";
  if (std::set<E>{E::c_long_double_complex, E::cxx_long_double_complex}.contains(type))
    return "long-double-complex";
  return std::nullopt;
}

/// All leaves in the order of the stream: constructors repeat them.
void add_leaves(const Layout& layout, std::vector<Elementary>& leaves) {
  if (layout.size() == 0) return;
  if (const auto* const named = layout.as<Layout::Named>()) {
    leaves.push_back(named->type);
    return;
  }
  const auto repeat = [&](const Layout& member, Count times) {
    for (Count i = 0; i < times; ++i) add_leaves(member, leaves);
  };
  if (const auto* const structure = layout.as<Layout::Struct>()) {
    for (std::size_t i = 0; i < layout.members().size(); ++i)
      repeat(layout.members()[i], structure->blocklengths[i]);
  } else {
    repeat(layout.element(), layout.size() / layout.element().size());
  }
}

/// Where each byte of the stream lies in memory: by pieces of one byte.
Counts places_of(const Layout& layout) {
  Counts places;
  const Count first = layout.true_lb(), bytes = layout.true_extent();
  const compile::Packer packer(compile::Part{layout, 1, -first});
  std::vector<std::byte> memory(static_cast<std::size_t>(bytes)),
      wire(static_cast<std::size_t>(packer.bytes()));
  places.assign(wire.size(), first);
  for (int shift = 0; shift < 24; shift += 8) {  // the place, byte by byte
    for (std::size_t i = 0; i < memory.size(); ++i) memory[i] = static_cast<std::byte>(i >> shift);
    packer.pack(memory.data(), wire.data());
    for (std::size_t i = 0; i < wire.size(); ++i) places[i] += static_cast<Count>(wire[i]) << shift;
  }
  return places;
}

TEST(Numbers, of_random_datatypes_are_their_leaves) {
  Trees trees(6000);
  int known = 0, several = 0;
  for (int i = 0; i < trees.count(); ++i) {
    const Layout layout = trees.layouts().next(4);
    if (layout.size() == 0 || layout.size() > 20000 || layout.true_extent() >= 1 << 24) continue;
    std::vector<Elementary> leaves;
    add_leaves(layout, leaves);
    const bool all_numbers = std::all_of(leaves.begin(), leaves.end(),
                                         [](Elementary leaf) { return name_of_number(leaf).has_value(); });
    const Numbers numbers = halo::numbers_of(layout);
    ASSERT_EQ(numbers.unknown.empty(), all_numbers) << layout.to_text() << ": " << numbers.unknown;
    if (!all_numbers) continue;
    ++known;
    std::string expected, found;
    const Counts places = places_of(layout);
    std::size_t byte = 0;
    for (const Elementary leaf : leaves) {
      expected += *name_of_number(leaf) + " " + std::to_string(places[byte]) + "; ";
      byte += static_cast<std::size_t>(traits(leaf).segments().front().bytes);
    }
    for (const NumberRun& run : numbers.runs) {
      const Numbers one{{{run.type, 0, 1}}, ""};
      const std::string name = one.to_text().substr(2);
      for (Count n = 0; n < run.count; ++n)
        found += name + " " + std::to_string(run.offset + n * halo::bytes_of(run.type)) + "; ";
    }
    ASSERT_EQ(found, expected) << layout.to_text();
    several += std::set<Elementary>(leaves.begin(), leaves.end()).size() > 1;
  }
  std::cout << known << " of numbers, " << several << " of several types\n";
  EXPECT_GT(several, 20);
}

TEST(Numbers, are_told_in_the_same_words_wherever_they_lie) {
  const Layout real = Layout::named(Elementary::double_), whole = Layout::named(Elementary::long_);
  EXPECT_EQ(halo::numbers_of(Layout::vector(3, 1, 2, real)).to_text(), "3*double");
  EXPECT_EQ(halo::numbers_of(Layout::contiguous(3, real)).to_text(), "3*double");
  EXPECT_EQ(halo::numbers_of(Layout::structure({1, 2}, {16, 0}, {real, whole})).to_text(),
            "1*double 2*int64");
  EXPECT_EQ(halo::numbers_of(Layout::named(Elementary::double_int)).to_text(), "it holds double-int");
  EXPECT_EQ(
      halo::numbers_of(
          Layout::contiguous(4, Layout::structure({1, 1}, {0, 8}, {real, Layout::named(Elementary::byte)})))
          .to_text(),
      "it holds byte");
}

}  // namespace
}  // namespace halocline::halo_numbers_tests
