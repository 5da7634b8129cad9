// Laws of the canonical form: it says what the typemap says, and it does not depend on the constructors.

#include "compile/form/canonical.hpp"

#include "../describe/layout_typemap.hpp"
#include "compile/form/segments.hpp"
#include "trees.hpp"

#include <gtest/gtest.h>

#include <map>

namespace halocline::compile {
namespace {

using Runs = std::vector<std::pair<Count, Count>>;

void add(Runs& runs, Count offset, Count bytes) {
  if (!runs.empty() && runs.back().first + runs.back().second == offset)
    runs.back().second += bytes;
  else
    runs.emplace_back(offset, bytes);
}

/// The runs of the typemap, by the words of the standard.
Runs runs_of(const Part& part) {
  Runs runs;
  const Typemap typemap = typemap_of(part.layout);
  for (Count i = 0; i < part.count; ++i)
    for (const Entry& entry : typemap)
      if (entry.kind == Entry::Kind::data && entry.bytes > 0)
        add(runs, part.offset + i * part.layout.extent() + entry.displacement, entry.bytes);
  return runs;
}

/// The runs that the canonical form names.
Runs runs_of(const Canonical& form) {
  Runs runs;
  for (const auto& [offset, bytes] : segments(form)) runs.emplace_back(offset, bytes);
  return runs;
}

Canonical of(const char* text, Count count = 1) { return Canonical({Layout::parse(text), count}); }

TEST(Canonical, says_what_the_typemap_says_and_depends_on_nothing_else) {
  Trees trees(20000);
  std::map<Runs, std::pair<Canonical, Layout>> seen;
  int met_again = 0;
  for (int i = 0; i < trees.count(); ++i) {
    const Part part{trees.layouts().next_of_any_length(i % 5, 256),
                    i % 4 == 0 ? static_cast<Count>(trees.random()() % 4) : 1};
    const Canonical form(part);
    const Runs runs = runs_of(part);
    ASSERT_EQ(runs_of(form), runs) << part.layout.to_text() << "\n" << form.to_text();
    if (static_cast<Count>(runs.size()) > Canonical::exact_runs) continue;
    ASSERT_EQ(form.runs(), static_cast<Count>(runs.size())) << form.to_text();
    const auto [other, is_new] = seen.try_emplace(runs, form, part.layout);
    if (is_new) continue;
    ASSERT_EQ(form, other->second.first)
        << form.to_text() << "\nof " << part.layout.to_text() << "\n"
        << other->second.first.to_text() << "\nof " << other->second.second.to_text();
    ASSERT_EQ(form.hash(), other->second.first.hash());
    if (!(part.layout == other->second.second)) ++met_again;
  }
  EXPECT_GE(met_again, trees.count() / 50) << "the law was hardly tested";
}

/// The law for different constructors of the same runs: random nests, each as vectors and as a plain list.
TEST(Canonical, lists_of_a_nest_are_that_nest) {
  Trees trees(2000);
  auto& random = trees.random();
  for (int i = 0; i < trees.count(); ++i) {
    Layout nest = Layout::contiguous(1 + static_cast<Count>(random() % 9), Layout::named(Elementary::byte));
    for (auto levels = random() % 4; levels > 0; --levels)
      nest = Layout::hvector(1 + static_cast<Count>(random() % 6), 1, static_cast<Count>(random() % 99) - 49,
                             nest);
    Counts lengths;
    Counts displacements;
    for (const auto& [offset, bytes] : runs_of(Part{nest})) {
      lengths.push_back(bytes);
      displacements.push_back(offset);
    }
    const Layout list = Layout::hindexed(lengths, displacements, Layout::named(Elementary::byte));
    ASSERT_EQ(Canonical({nest}), Canonical({list})) << nest.to_text() << "\n" << list.to_text();
  }
}

/// Random nests one behind the other, often copies or continuations: as parts, as a structure and as a list.
TEST(Canonical, nests_that_continue_each_other_are_one) {
  Trees trees(4000);
  auto& random = trees.random();
  const auto below = [&](unsigned limit) { return static_cast<Count>(random() % limit); };
  for (int i = 0; i < trees.count(); ++i) {
    const Count block = 1 + below(4);
    const Count row = block + below(3), rows = 1 + below(4), plane = rows * row + below(9) - 2;
    std::vector<Part> parts;
    std::vector<Layout> members;
    Counts offsets;
    Count offset = 0;
    Runs runs;
    for (Count pieces = 2 + below(4); pieces > 0; --pieces) {
      const Count planes = 1 + below(3);
      Layout nest = Layout::contiguous(block, Layout::named(Elementary::byte));
      nest = Layout::hvector(planes, 1, plane, Layout::hvector(rows + (below(4) == 0 ? 1 : 0), 1, row, nest));
      parts.push_back({nest, 1, offset});
      members.push_back(nest);
      offsets.push_back(offset);
      for (const auto& [at, bytes] : runs_of(parts.back())) add(runs, at, bytes);
      offset += below(3) > 0 ? planes * plane : below(100);
    }
    Counts lengths, displacements;
    for (const auto& [at, bytes] : runs) {
      lengths.push_back(bytes);
      displacements.push_back(at);
    }
    const Canonical list({Layout::hindexed(lengths, displacements, Layout::named(Elementary::byte))});
    const Layout structure = Layout::structure(Counts(members.size(), 1), offsets, members);
    ASSERT_EQ(Canonical(parts), list) << structure.to_text() << "\n" << list.to_text();
    ASSERT_EQ(Canonical({structure}), list) << structure.to_text() << "\n" << list.to_text();
  }
}

TEST(Canonical, long_nests_are_not_unrolled_on_the_way_to_one) {
  // 2-D, 3-D and 4-D arrays one after the other in memory: planes at one distance.
  EXPECT_EQ(of("struct([1,1,1],[0,51200,1484800],[subarray([1,100,128],[1,94,3],[0,3,3],c,float),"
               "subarray([28,100,128],[28,94,3],[0,3,3],c,float),subarray([84,100,128],[84,94,3],[0,3,3],c,"
               "float)])")
                .to_text(),
            "at 1548: 113 by 51200, 94 by 512, 12 bytes");
  // Apart from each other they stay what they are.
  EXPECT_EQ(of("struct([1,1,1],[0,60000,2000000],[vector(94,3,128,float),"
               "hvector(28,1,51200,vector(94,3,128,float)),hvector(84,1,51200,vector(94,3,128,float))])")
                .to_text(),
            "at 0: 94 by 512, 12 bytes; at 60000: 28 by 51200, 94 by 512, 12 bytes; at 2000000: 84 by 51200, "
            "94 by 512, 12 bytes");
}

TEST(Canonical, constructors_of_the_same_bytes_are_equal) {
  const Canonical face = of("subarray([8,6,10],[8,6,1],[0,0,3],c,double)");
  EXPECT_EQ(face.to_text(), "at 24: 48 by 80, 8 bytes");
  EXPECT_EQ(face, of("hindexed([1],[24],vector(48,1,10,double))"));
  EXPECT_EQ(face, of("hindexed([8],[24],resized(0,480,vector(6,1,10,double)))"));
  EXPECT_EQ(of("resized(0,80,contiguous(8,byte))", 48), of("vector(48,1,10,double)"));
  EXPECT_EQ(of("vector(3,4,4,int)"), of("contiguous(12,float)"));
  EXPECT_EQ(of("struct([1,1],[0,4],[int,int])"), of("double"));
  EXPECT_EQ(of("double-int"), of("struct([1,1],[0,8],[double,int])"));
  EXPECT_EQ(of("hvector(2,1,24576,vector(8,8,32,contiguous(6,float)))").to_text(),
            "at 0: 2 by 24576, 8 by 768, 192 bytes");
  EXPECT_EQ(of("indexed_block(2,[0,4,8,20,24,28],double)"), of("hvector(2,1,160,vector(3,2,4,double))"));
  EXPECT_EQ(of("subarray([6,5],[6,2],[0,1],c,int)"), of("subarray([5,6],[2,6],[1,0],fortran,int)"));
}

/// Displacements without a rule, each used once.
Layout irregular_list(Count blocks, std::mt19937_64& random) {
  Counts displacements;
  for (Count i = 0, at = 0; i < blocks; ++i, at += 2 + static_cast<Count>(random() % 5))
    displacements.push_back(at);
  return Layout::indexed_block(1, displacements, Layout::named(Elementary::int_));
}

/// More runs than are unrolled: a list under loops, whose copies lie one over the other.
TEST(Canonical, lists_are_repeated_at_no_distance) {
  std::mt19937_64 random(5);
  for (const auto& [copies, blocks] : {std::pair<Count, Count>{10, 600}, {3, 2100}, {2000, 3}}) {
    const Layout list = irregular_list(blocks, random), flat = Layout::resized(0, 0, list);
    const Count bytes = copies * blocks * 4;
    for (const Part& part :
         {Part{Layout::contiguous(copies, flat)}, Part{flat, copies},
          Part{Layout::vector(copies, 1, 0, list)}, Part{Layout::vector(1, copies, 7, flat)},
          Part{Layout::hvector(copies, 1, 0, list)}, Part{Layout::hindexed({copies}, {40}, flat)},
          Part{Layout::structure({copies}, {-8}, {flat})},
          Part{Layout::subarray({copies}, {copies}, {0}, Layout::Order::c, flat)},
          Part{Layout::hvector(2, 1, 0, Layout::hvector(copies, 1, 8, list))},
          Part{Layout::hvector(2, 1, 8, Layout::hvector(copies, 1, 0, list))}}) {
      const Canonical form(part);
      EXPECT_EQ(form.bytes() % bytes, 0) << form.to_text();
      EXPECT_EQ(form.bytes(), part.count * part.layout.size()) << form.to_text();
      ASSERT_EQ(runs_of(form), runs_of(part)) << form.to_text();
    }
  }
}

TEST(Canonical, loops_are_not_unrolled) {
  EXPECT_EQ(of("vector(1000000000,1,2,double)").to_text(), "at 0: 1000000000 by 16, 8 bytes");
  EXPECT_EQ(of("vector(1000000,3,5,struct([1,1],[0,8],[int,double]))").terms().size(), 1u);
  EXPECT_EQ(of("contiguous(1000000,struct([1,1],[0,8],[int,char]))").to_text(),
            "at 0: 1000000 by 12, 2 runs 0+4,8+1");
  EXPECT_EQ(of("vector(100000,1,2,indexed_block(1,[0,2,4,6],double))").to_text(),
            "at 0: 100000 by 112, 4 by 16, 8 bytes");
}

TEST(Canonical, runs_are_counted_through_loops) {
  EXPECT_EQ(Canonical().runs(), 0);
  EXPECT_EQ(of("vector(1000000000,1,2,double)").runs(), 1000000000);
  EXPECT_EQ(of("contiguous(1000000,struct([1,1],[0,8],[int,char]))").runs(), 2000000);
  EXPECT_EQ(of("vector(100000,1,2,indexed_block(1,[0,2,4,6],double))").runs(), 400000);
}

TEST(Canonical, joined_copies_are_longer_runs) {
  // The last double of an element touches the first one of the next.
  EXPECT_EQ(of("vector(3,1,2,double)", 3), of("hindexed([1,1,2,1,2,1,1],[0,16,32,56,72,96,112],double)"));
}

TEST(Canonical, order_is_kept) {
  EXPECT_NE(of("indexed_block(1,[0,5],int)"), of("indexed_block(1,[5,0],int)"));
  EXPECT_EQ(of("hvector(3,1,-8,int)").to_text(), "at 0: 3 by -8, 4 bytes");
}

TEST(Canonical, lists_are_narrow_where_they_can_be) {
  EXPECT_TRUE(of("hindexed_block(1,[0,5,2000000000],int)").terms()[0].narrow);
  EXPECT_FALSE(of("hindexed_block(1,[0,5,3000000000],int)").terms()[0].narrow);
  EXPECT_TRUE(of("hindexed_block(1,[9000000000,9000000005,9000000007],int)").terms()[0].narrow);
}

TEST(Canonical, structures_of_faces_stay_faces) {
  const Canonical two =
      of("struct([1,1],[0,100000],[subarray([8,6,10],[8,1,10],[0,2,0],c,float),"
         "subarray([8,6,10],[8,6,1],[0,0,3],c,float)])");
  EXPECT_EQ(two.to_text(), "at 80: 8 by 240, 40 bytes; at 100012: 48 by 40, 4 bytes");
}

}  // namespace
}  // namespace halocline::compile
