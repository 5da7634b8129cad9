// SPDX-License-Identifier: BSD-3-Clause
#include "halo/sums/numbers.hpp"

#include "base/fail.hpp"
#include "base/index.hpp"
#include "base/integers.hpp"
#include "compile/form/canonical.hpp"
#include "compile/form/segments.hpp"
#include "halocline/base/error.hpp"

#include <algorithm>
#include <array>
#include <complex>
#include <optional>
#include <string_view>

namespace halocline::halo {
namespace {

constexpr Count most_runs = 1'000'000;

struct NumberTraits {
  std::string_view name;
  Count bytes;
};
constexpr std::array<NumberTraits, 14> number_traits{{
    {"int8", 1},
    {"int16", 2},
    {"int32", 4},
    {"int64", 8},
    {"uint8", 1},
    {"uint16", 2},
    {"uint32", 4},
    {"uint64", 8},
    {"float", sizeof(float)},
    {"double", sizeof(double)},
    {"long-double", sizeof(long double)},
    {"float-complex", sizeof(std::complex<float>)},
    {"double-complex", sizeof(std::complex<double>)},
    {"long-double-complex", sizeof(std::complex<long double>)},
}};

NumberType integer_of(Count bytes, bool has_sign) {
  switch (bytes) {
    case 1:
      return has_sign ? NumberType::int8 : NumberType::uint8;
    case 2:
      return has_sign ? NumberType::int16 : NumberType::uint16;
    case 4:
      return has_sign ? NumberType::int32 : NumberType::uint32;
    default:
      return has_sign ? NumberType::int64 : NumberType::uint64;
  }
}

/// None for what has no arithmetic, or none that every compiler knows.
std::optional<NumberType> number_of(Elementary type) {
  using E = Elementary;
  switch (type) {
    case E::signed_char:
    case E::short_:
    case E::int_:
    case E::long_:
    case E::long_long:
    case E::int8:
    case E::int16:
    case E::int32:
    case E::int64:
    case E::aint:
    case E::offset:
    case E::count:
    case E::integer:
    case E::integer1:
    case E::integer2:
    case E::integer4:
    case E::integer8:
      return integer_of(traits(type).segments().front().bytes, true);
    case E::unsigned_char:
    case E::unsigned_short:
    case E::unsigned_:
    case E::unsigned_long:
    case E::unsigned_long_long:
    case E::uint8:
    case E::uint16:
    case E::uint32:
    case E::uint64:
      return integer_of(traits(type).segments().front().bytes, false);
    case E::float_:
    case E::real:
    case E::real4:
      return NumberType::float_;
    case E::double_:
    case E::double_precision:
    case E::real8:
      return NumberType::double_;
    case E::long_double:
      return NumberType::long_double;
    case E::c_float_complex:
    case E::cxx_float_complex:
    case E::complex:
    case E::complex8:
      return NumberType::complex_float;
    case E::c_double_complex:
    case E::cxx_double_complex:
    case E::double_complex:
    case E::complex16:
      return NumberType::complex_double;
    case E::c_long_double_complex:
    case E::cxx_long_double_complex:
      return NumberType::complex_long_double;
    default:
      return std::nullopt;
  }
}

class NumberCollector {
 public:
  void add(const Layout& layout, Count offset) {
    if (layout.size() == 0 || !numbers_.unknown.empty()) return;
    bool several = false;
    const auto leaf = only_leaf(layout, several);
    if (!several && leaf) return add_numbers(layout, *leaf, offset);
    if (const auto* const structure = layout.as<Layout::Struct>()) {
      for (std::size_t i = 0; i < layout.members().size(); ++i)
        add(Layout::contiguous(structure->blocklengths[i], layout.members()[i]),
            checked_add(offset, structure->displacement_bytes[i]));
      return;
    }
    for (const Segment& place : places_of(layout))
      for (Count i = 0; i < place.bytes; ++i)
        add(layout.element(), checked_add(offset, checked_add(place.offset, i)));
  }
  [[nodiscard]] Numbers take() {
    if (!numbers_.unknown.empty()) numbers_.runs.clear();
    return std::move(numbers_);
  }

 private:
  /// The elementary type that all of it is made of; says if there are several.
  static std::optional<Elementary> only_leaf(const Layout& layout, bool& several) {
    if (const auto* const named = layout.as<Layout::Named>()) return named->type;
    std::optional<Elementary> only;
    const auto* const structure = layout.as<Layout::Struct>();
    for (std::size_t i = 0; i < layout.members().size() && !several; ++i) {
      const Layout& member = layout.members()[i];
      if (member.size() == 0 || (structure != nullptr && structure->blocklengths[i] == 0)) continue;
      const auto leaf = only_leaf(member, several);
      several = several || (only && leaf && *only != *leaf);
      if (!only) only = leaf;
    }
    return only;
  }

  /// Where the elements of a constructor begin: each is a byte of its own.
  static std::vector<Segment> places_of(const Layout& layout) {
    const Layout& element = layout.element();
    const Layout mark = Layout::resized(element.lb(), element.extent(), Layout::named(Elementary::byte));
    return segments_of(Layout(layout.constructor(), {mark}));
  }
  static std::vector<Segment> segments_of(const Layout& layout) {
    const compile::Canonical form(compile::Part{layout, 1, 0});
    if (form.runs() > most_runs) return {};
    return compile::segments(form);
  }

  void add_numbers(const Layout& layout, Elementary leaf, Count offset) {
    const auto type = number_of(leaf);
    if (!type) {
      numbers_.unknown = concat("it holds ", traits(leaf).name);
      return;
    }
    const std::vector<Segment> places = segments_of(layout);
    if (places.empty() || count_of_runs() + static_cast<Count>(places.size()) > most_runs) {
      numbers_.unknown = concat("it holds more than ", most_runs, " runs of numbers");
      return;
    }
    for (const Segment& place : places)
      add_run({*type, offset + place.offset, place.bytes / bytes_of(*type)});
  }
  void add_run(const NumberRun& run) {
    std::vector<NumberRun>& runs = numbers_.runs;
    if (!runs.empty() && runs.back().type == run.type &&
        runs.back().offset + runs.back().count * bytes_of(run.type) == run.offset)
      runs.back().count += run.count;
    else
      runs.push_back(run);
  }
  [[nodiscard]] Count count_of_runs() const { return static_cast<Count>(numbers_.runs.size()); }

  Numbers numbers_;
};

}  // namespace

Count bytes_of(NumberType type) { return number_traits[to_index(type)].bytes; }

bool is_complex(NumberType type) {
  return type == NumberType::complex_float || type == NumberType::complex_double ||
         type == NumberType::complex_long_double;
}

bool Numbers::complex() const {
  return std::any_of(runs.begin(), runs.end(), [](const NumberRun& run) { return is_complex(run.type); });
}

std::string Numbers::to_text() const {
  if (!unknown.empty()) return unknown;
  std::string text;
  for (std::size_t i = 0; i < runs.size();) {
    Count count = 0;
    const NumberType type = runs[i].type;
    for (; i < runs.size() && runs[i].type == type; ++i) count += runs[i].count;
    text += concat(text.empty() ? "" : " ", count, "*", number_traits[to_index(type)].name);
  }
  return text;
}

Numbers numbers_of(const Layout& element) {
  NumberCollector collector;
  collector.add(element, 0);
  Numbers numbers = collector.take();
  Count bytes = 0;
  for (const NumberRun& run : numbers.runs) bytes += run.count * bytes_of(run.type);
  if (numbers.unknown.empty() && bytes != element.size())
    return {{}, concat("it has more than ", most_runs, " parts")};
  return numbers;
}

Numbers known_numbers(const Layout& element) {
  try {
    return numbers_of(element);
  } catch (const Error& error) {
    return {{}, error.what()};
  }
}

}  // namespace halocline::halo
