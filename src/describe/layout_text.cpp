// SPDX-License-Identifier: BSD-3-Clause
// The text form of layouts. Each constructor lists its arguments once, for reading and for writing.

#include "base/index.hpp"
#include "base/scanner.hpp"
#include "halocline/describe/layout.hpp"

#include <algorithm>
#include <tuple>

namespace halocline {
namespace {

constexpr int most_levels = 1000;
constexpr std::string_view layout_example =
    "float, vector(8,8,32,double), indexed([2,1],[0,5],int) or struct([1,2],[0,16],[int,double])";

template <class C, class... Arguments>
struct TextForm {
  std::string_view keyword;
  std::tuple<Arguments C::*...> arguments;
};

template <class C, class... Arguments>
constexpr TextForm<C, Arguments...> make_form(std::string_view keyword, Arguments C::*... arguments) {
  return {keyword, {arguments...}};
}

using L = Layout;
template <class C>
constexpr auto form = nullptr;
template <>
constexpr auto form<L::Dup> = make_form<L::Dup>("dup");
template <>
constexpr auto form<L::Contiguous> = make_form("contiguous", &L::Contiguous::count);
template <>
constexpr auto form<L::Vector> = make_form("vector", &L::Vector::count, &L::Vector::blocklength,
                                           &L::Vector::stride);
template <>
constexpr auto form<L::Hvector> = make_form("hvector", &L::Hvector::count, &L::Hvector::blocklength,
                                            &L::Hvector::stride_bytes);
template <>
constexpr auto form<L::Indexed> = make_form("indexed", &L::Indexed::blocklengths, &L::Indexed::displacements);
template <>
constexpr auto form<L::Hindexed> = make_form("hindexed", &L::Hindexed::blocklengths,
                                             &L::Hindexed::displacement_bytes);
template <>
constexpr auto form<L::IndexedBlock> = make_form("indexed_block", &L::IndexedBlock::blocklength,
                                                 &L::IndexedBlock::displacements);
template <>
constexpr auto form<L::HindexedBlock> = make_form("hindexed_block", &L::HindexedBlock::blocklength,
                                                  &L::HindexedBlock::displacement_bytes);
template <>
constexpr auto form<L::Struct> = make_form("struct", &L::Struct::blocklengths,
                                           &L::Struct::displacement_bytes);
template <>
constexpr auto form<L::Subarray> = make_form("subarray", &L::Subarray::sizes, &L::Subarray::subsizes,
                                             &L::Subarray::starts, &L::Subarray::order);
template <>
constexpr auto form<L::Darray> = make_form("darray", &L::Darray::processes, &L::Darray::rank,
                                           &L::Darray::sizes, &L::Darray::distributions,
                                           &L::Darray::arguments, &L::Darray::process_grid,
                                           &L::Darray::order);
template <>
constexpr auto form<L::Resized> = make_form("resized", &L::Resized::lb, &L::Resized::extent);

/// The names of an enumeration, in its order.
template <class E>
constexpr std::array<std::string_view, 0> names{};
template <>
constexpr std::array<std::string_view, 2> names<L::Order>{"c", "fortran"};
template <>
constexpr std::array<std::string_view, 3> names<L::Distribution>{"block", "cyclic", "none"};

class Reader {
 public:
  explicit Reader(std::string_view text) : scan_("layout", text, layout_example) {}

  Layout read_all() {
    Layout layout = read_layout(1);
    scan_.accept_blanks();
    scan_.expect_end();
    return layout;
  }

 private:
  Layout read_layout(int level) {
    if (level > most_levels) scan_.refuse("more than ", most_levels, " levels");
    const std::string keyword = read_name();
    for (const ElementaryTraits& elementary : elementary_types())
      if (keyword == elementary.name) return Layout::named(elementary.type);
    return read_constructor(keyword, level, static_cast<const L::Constructor*>(nullptr));
  }

  template <class... Cs>
  Layout read_constructor(const std::string& keyword, int level, const std::variant<L::Named, Cs...>*) {
    std::optional<Layout> layout;
    const bool known = ((keyword == form<Cs>.keyword && (layout = read_applied<Cs>(level), true)) || ...);
    if (!known) scan_.refuse("unknown datatype '", keyword, "'");
    return *layout;
  }

  template <class C>
  Layout read_applied(int level) {
    C constructor{};
    expect("(");
    const auto read_argument = [&](auto& argument) {
      read(argument);
      expect(",");
    };
    std::apply([&](auto... argument) { (read_argument(constructor.*argument), ...); }, form<C>.arguments);
    std::vector<Layout> members;
    if constexpr (std::is_same_v<C, L::Struct>)
      read_list([&] { members.push_back(read_layout(level + 1)); });
    else
      members.push_back(read_layout(level + 1));
    expect(")");
    return {std::move(constructor), std::move(members)};
  }

  void read(Count& value) {
    scan_.accept_blanks();
    value = scan_.integer();
  }

  void read(std::optional<Count>& value) {
    scan_.accept_blanks();
    if (scan_.accept("default"))
      value.reset();
    else
      value = scan_.integer();
  }

  template <class E>
  requires std::is_enum_v<E>
  void read(E& value) {
    const std::string name = read_name();
    const auto found = std::find(names<E>.begin(), names<E>.end(), name);
    if (found == names<E>.end())
      scan_.refuse("'", name, "' is not one of ", names<E>.front(), " to ", names<E>.back());
    value = static_cast<E>(found - names<E>.begin());
  }

  template <class T>
  void read(std::vector<T>& values) {
    read_list([&] { read(values.emplace_back()); });
  }

  template <class ReadOne>
  void read_list(ReadOne read_one) {
    expect("[");
    if (accept("]")) return;
    do read_one();
    while (accept(","));
    expect("]");
  }

  /// Unlike other words, the name of a pair may begin with a digit: "2int".
  std::string read_name() {
    scan_.accept_blanks();
    return scan_.accept("2") ? "2" + scan_.word() : scan_.word();
  }

  bool accept(std::string_view token) {
    scan_.accept_blanks();
    return scan_.accept(token);
  }

  void expect(std::string_view token) {
    scan_.accept_blanks();
    scan_.expect(token);
  }

  Scanner scan_;
};

void write(std::string& text, Count value) { text += std::to_string(value); }

void write(std::string& text, const std::optional<Count>& value) {
  text += value ? std::to_string(*value) : "default";
}

template <class E>
requires std::is_enum_v<E>
void write(std::string& text, E value) { text += names<E>[to_index(value)]; }

template <class T>
void write(std::string& text, const std::vector<T>& values) {
  text += '[';
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i > 0) text += ',';
    write(text, values[i]);
  }
  text += ']';
}

/// All that stands before the members, and all that stands after them.
struct TextFrame {
  std::string opening;
  std::string_view closing;
};

TextFrame frame(const L::Named& named) { return {std::string(traits(named.type).name), ""}; }

template <class C>
TextFrame frame(const C& constructor) {
  std::string opening(form<C>.keyword);
  opening += '(';
  const auto write_argument = [&](const auto& argument) {
    write(opening, argument);
    opening += ',';
  };
  std::apply([&](auto... argument) { (write_argument(constructor.*argument), ...); }, form<C>.arguments);
  if (!std::is_same_v<C, L::Struct>) return {std::move(opening), ")"};
  return {opening + '[', "])"};
}

}  // namespace

Layout Layout::parse(std::string_view text) { return Reader(text).read_all(); }

std::string Layout::to_text() const {
  // A stack of what is still to be written, the next at its end: layouts may be nested deeper than calls can.
  std::vector<std::variant<const Layout*, std::string_view>> pending{this};
  std::string text;
  while (!pending.empty()) {
    const auto next = pending.back();
    pending.pop_back();
    if (const auto* plain = std::get_if<std::string_view>(&next)) {
      text += *plain;
      continue;
    }
    const Layout& layout = *std::get<const Layout*>(next);
    const auto [opening, closing] = std::visit([](const auto& c) { return frame(c); }, layout.constructor());
    text += opening;
    pending.emplace_back(closing);
    const std::span<const Layout> below = layout.members();
    for (std::size_t i = below.size(); i-- > 0;) {
      pending.emplace_back(&below[i]);
      if (i > 0) pending.emplace_back(",");
    }
  }
  return text;
}

}  // namespace halocline
