#include "halocline/describe/layout.hpp"

#include "elementary_layouts.hpp"
#include "layout_typemap.hpp"
#include "random_layouts.hpp"

#include <gtest/gtest.h>

namespace halocline {

namespace {

using Order = Layout::Order;
using Distribution = Layout::Distribution;

void expect_measures_of_typemap(const Layout& layout) {
  Layout::Measures expected = measures_of(typemap_of(layout));
  Layout::Measures actual = layout.measures();
  if (actual.size == 0) expected.alignment = actual.alignment = 1;  // of nothing
  EXPECT_EQ(actual, expected) << layout.to_text() << "\n  lb " << actual.lb << " not " << expected.lb
                              << "\n  ub " << actual.ub << " not " << expected.ub << "\n  true lb "
                              << actual.true_lb << " not " << expected.true_lb << "\n  true ub "
                              << actual.true_ub << " not " << expected.true_ub << "\n  size " << actual.size
                              << " not " << expected.size;
}

void expect_laws(const Layout& layout) {
  expect_measures_of_typemap(layout);
  EXPECT_EQ(Layout::parse(layout.to_text()), layout);
}

/// Elements with everything that makes bounds difficult.
std::vector<Layout> awkward_elements() {
  std::vector<Layout> elements;
  for (const char* text :
       {"byte", "int", "short-int", "long-double-int", "contiguous(0,int)", "resized(5,7,contiguous(0,int))",
        "resized(-4,12,int)", "resized(0,-8,int)", "resized(3,0,int)", "struct([1,1],[0,8],[double,char])",
        "struct([1,1],[3,-6],[char,short])", "struct([1,1],[0,8],[resized(-1,5,char),int])"})
    elements.push_back(Layout::parse(text));
  return elements;
}

TEST(LayoutMeasures, elementary_types_have_the_sizes_of_lp64) {
  struct Row {
    const char* name;
    Count size, extent, true_extent;
  };
  for (const auto& [name, size, extent, true_extent] : std::vector<Row>{
           {"char", 1, 1, 1},
           {"wchar", 4, 4, 4},
           {"unsigned-long", 8, 8, 8},
           {"long-double", 16, 16, 16},
           {"c-bool", 1, 1, 1},
           {"c-long-double-complex", 32, 32, 32},
           {"aint", 8, 8, 8},
           {"logical", 4, 4, 4},
           {"double-complex", 16, 16, 16},
           {"integer16", 16, 16, 16},
           {"short-int", 6, 8, 8},
           {"double-int", 12, 16, 12},
           {"long-int", 12, 16, 12},
           {"long-double-int", 20, 32, 20},
           {"2int", 8, 8, 8},
           {"2double-precision", 16, 16, 16},
       }) {
    const Layout layout = Layout::parse(name);
    EXPECT_EQ(layout.size(), size) << name;
    EXPECT_EQ(layout.lb(), 0) << name;
    EXPECT_EQ(layout.extent(), extent) << name;
    EXPECT_EQ(layout.true_extent(), true_extent) << name;
  }
}

TEST(LayoutMeasures, every_elementary_type_obeys_the_laws) {
  for (const ElementaryTraits& elementary : elementary_types()) {
    const Layout layout = Layout::named(elementary.type);
    EXPECT_EQ(layout.to_text(), elementary.name);
    EXPECT_TRUE(layout.members().empty());
    expect_laws(layout);
  }
}

TEST(LayoutMeasures, padding_completes_the_strictest_alignment) {
  const Layout record = Layout::structure({1, 1}, {0, 8}, {double_, byte});
  EXPECT_EQ(record.extent(), 16);
  EXPECT_EQ(record.true_extent(), 9);
  EXPECT_EQ(Layout::contiguous(3, record).true_ub(), 41);
  EXPECT_EQ(Layout::hindexed({1, 1}, {0, 5}, int_).extent(), 12);
  EXPECT_EQ(Layout::structure({1, 1}, {-3, 8}, {byte, double_}).ub(), 21);
  EXPECT_EQ(Layout::structure({1, 0}, {0, 8}, {byte, double_}).extent(), 1);
}

TEST(LayoutMeasures, explicit_bounds_prevail) {
  const Layout wide = Layout::resized(-8, 100, int_);
  const Layout around = Layout::structure({1, 1}, {0, 200}, {wide, double_});
  EXPECT_EQ(around.lb(), -8);
  EXPECT_EQ(around.ub(), 92);
  EXPECT_EQ(around.true_ub(), 208);
  EXPECT_EQ(Layout::structure({0, 1}, {0, 200}, {wide, double_}).lb(), 200);
  EXPECT_EQ(Layout::vector(2, 1, 1, wide).extent(), 200);
}

TEST(LayoutMeasures, nothing_has_no_extent) {
  for (const Layout& nothing :
       {Layout::contiguous(0, double_), Layout::vector(0, 3, 9, double_), Layout::vector(3, 0, 9, double_),
        Layout::indexed({0, 0}, {5, 9}, double_), Layout::structure({}, {}, {})}) {
    EXPECT_EQ(nothing.measures(), Layout::Measures{}) << nothing.to_text();
    EXPECT_EQ(Layout::hvector(3, 2, 50, nothing).measures(), Layout::Measures{}) << nothing.to_text();
  }
}

TEST(LayoutMeasures, strided_worlds) {
  for (const Layout& element : awkward_elements())
    for (Count count = 0; count <= 3; ++count) {
      expect_laws(Layout::contiguous(count, element));
      for (Count blocklength = 0; blocklength <= 3; ++blocklength)
        for (Count stride = -4; stride <= 4; ++stride) {
          expect_laws(Layout::vector(count, blocklength, stride, element));
          expect_laws(Layout::hvector(count, blocklength, 3 * stride, element));
        }
    }
}

TEST(LayoutMeasures, indexed_worlds) {
  for (const Layout& element : awkward_elements())
    for (Count a = -2; a <= 2; ++a)
      for (Count b = -2; b <= 2; ++b)
        for (Count first = 0; first <= 2; ++first) {
          expect_laws(Layout::indexed_block(first, {a, b}, element));
          expect_laws(Layout::hindexed_block(first, {3 * a, 5 * b}, element));
          for (Count second = 0; second <= 2; ++second) {
            expect_laws(Layout::indexed({first, second}, {a, b}, element));
            expect_laws(Layout::hindexed({first, second}, {3 * a, 5 * b}, element));
          }
        }
}

TEST(LayoutMeasures, struct_worlds) {
  const std::vector<Layout> elements = awkward_elements();
  for (const Layout& first : elements)
    for (const Layout& second : elements)
      for (Count displacement = -9; displacement <= 9; ++displacement)
        for (const Counts& blocklengths : {Counts{1, 1}, Counts{2, 0}, Counts{0, 1}, Counts{3, 2}})
          expect_laws(Layout::structure(blocklengths, {0, displacement}, {first, second}));
}

TEST(LayoutMeasures, subarray_worlds) {
  for (const Layout& element : awkward_elements())
    for (const Order order : {Order::c, Order::fortran})
      for (Count rows = 1; rows <= 3; ++rows)
        for (Count subrows = 1; subrows <= rows; ++subrows)
          for (Count start = 0; start <= rows - subrows; ++start) {
            expect_laws(Layout::subarray({rows}, {subrows}, {start}, order, element));
            expect_laws(Layout::subarray({rows, 4}, {subrows, 2}, {start, 1}, order, element));
          }
}

TEST(LayoutMeasures, darrays_share_out_every_element_once) {
  const auto distributed = [](Distribution a, Distribution b, std::optional<Count> argument, Count size,
                              Count processes, Order order) {
    std::vector<int> owners(static_cast<std::size_t>(size * 3), 0);
    const Count others = b == Distribution::none ? 1 : 2;
    for (Count rank = 0; rank < processes * others; ++rank) {
      const Layout part = Layout::darray({.processes = processes * others,
                                          .rank = rank,
                                          .sizes = {size, 3},
                                          .distributions = {a, b},
                                          .arguments = {argument, std::nullopt},
                                          .process_grid = {processes, others},
                                          .order = order},
                                         byte);
      expect_laws(part);
      for (const Entry& e : typemap_of(part))
        if (e.kind == Entry::Kind::data) ++owners[static_cast<std::size_t>(e.displacement)];
    }
    EXPECT_EQ(owners, std::vector<int>(owners.size(), 1));
  };
  for (const Order order : {Order::c, Order::fortran})
    for (const Distribution b : {Distribution::block, Distribution::cyclic, Distribution::none})
      for (Count size = 1; size <= 7; ++size) {
        distributed(Distribution::none, b, std::nullopt, size, 1, order);
        for (Count processes = 1; processes <= 4; ++processes) {
          distributed(Distribution::block, b, std::nullopt, size, processes, order);
          distributed(Distribution::cyclic, b, std::nullopt, size, processes, order);
          for (Count argument = 1; argument <= 8; ++argument) {
            distributed(Distribution::cyclic, b, argument, size, processes, order);
            if (argument * processes >= size)
              distributed(Distribution::block, b, argument, size, processes, order);
          }
        }
      }
}

TEST(LayoutMeasures, random_trees) {
  const std::uint64_t seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  RandomLayouts layouts(seed);
  for (int i = 0; i < 3000 && !testing::Test::HasFailure(); ++i)
    expect_laws(layouts.next_of_any_length(1 + i % 5, 400));
}

}  // namespace
}  // namespace halocline
