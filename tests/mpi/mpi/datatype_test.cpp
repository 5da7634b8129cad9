// Datatypes made by MPI's constructors and read back. One rank is enough.
#include "mpi/datatypes/datatype.hpp"

#include "describe/random_layouts.hpp"
#include "expect_error.hpp"
#include "mpi/handles/attribute_cache.hpp"
#include "support/datatypes.hpp"
#include "support/trees.hpp"
#include "support/trials.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <string>

namespace halocline {

inline void PrintTo(const Layout& layout, std::ostream* out) { *out << layout.to_text(); }

namespace mpi {
namespace {

/// Is `read` the tree that was `made`, but for bounds that this MPI has otherwise?
bool same_constructors(const Layout& made, const Layout& read) {
  if (made.constructor() != read.constructor())
    return read.as<Layout::Resized>() != nullptr && same_constructors(made, read.element());
  if (made.members().size() != read.members().size()) return false;
  for (std::size_t i = 0; i < made.members().size(); ++i)
    if (!same_constructors(made.members()[i], read.members()[i])) return false;
  return true;
}

void expect_bounds_of(MPI_Datatype type, const Layout& layout) {
  MPI_Count size = 0;
  MPI_Count lb = 0;
  MPI_Count extent = 0;
  MPI_Type_size_x(type, &size);
  MPI_Type_get_extent_x(type, &lb, &extent);
  EXPECT_EQ(layout.size(), size);
  EXPECT_EQ(layout.lb(), lb);
  EXPECT_EQ(layout.extent(), extent);
}

/// Errors come back as codes for the length of a scope.
class ErrorsReturn {
 public:
  ErrorsReturn() { MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN); }
  ~ErrorsReturn() { MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL); }
  ErrorsReturn(const ErrorsReturn&) = delete;
  ErrorsReturn& operator=(const ErrorsReturn&) = delete;
};

TEST(LayoutOf, every_named_type) {
  int known = 0;
  for (const ElementaryTraits& each : elementary_types()) {
    const MPI_Datatype type = datatype_of(each.type);
    if (type == MPI_DATATYPE_NULL) continue;
    ++known;
    EXPECT_EQ(layout_of(type), Layout::named(each.type));
    expect_bounds_of(type, layout_of(type));
  }
  EXPECT_GE(known, 60);
  EXPECT_EQ(layout_of(MPI_LONG_LONG_INT), Layout::named(Elementary::long_long));
  EXPECT_EQ(layout_of(MPI_C_COMPLEX), Layout::named(Elementary::c_float_complex));
}

TEST(LayoutOf, every_constructor) {
  for (const char* text :
       {"dup(int)", "contiguous(7,double)", "vector(3,2,5,float)", "vector(4,1,-2,double)",
        "hvector(2,1,24576,vector(8,8,32,contiguous(6,float)))", "indexed([2,1,3],[0,5,9],int)",
        "hindexed([2,1],[64,0],double)", "indexed_block(3,[0,7,12],double)",
        "hindexed_block(3,[8,80],double)", "struct([1,2],[0,16],[int,double])",
        "struct([2,1],[0,32],[double-int,vector(2,1,2,short)])",
        "subarray([10,12,14],[2,3,4],[1,2,3],c,float)", "subarray([10,12],[2,3],[1,2],fortran,double)",
        "darray(4,3,[9,8],[block,cyclic],[default,2],[2,2],fortran,float)",
        "darray(6,4,[9,8,5],[cyclic,none,block],[1,default,3],[2,1,3],c,double)", "resized(-4,12,2int)",
        "resized(0,64,dup(long-double-int))"}) {
    const Layout layout = Layout::parse(text);
    EXPECT_EQ(layout_of(built(layout).type), layout);
    EXPECT_EQ(layout_of(committed(layout).type), layout);
  }
}

TEST(LayoutOf, fortran_kinds) {
  const ErrorsReturn errors_return;
  MPI_Datatype real = MPI_DATATYPE_NULL;
  MPI_Datatype complex = MPI_DATATYPE_NULL;
  MPI_Datatype integer = MPI_DATATYPE_NULL;
  if (MPI_Type_create_f90_real(10, 100, &real) != MPI_SUCCESS) GTEST_SKIP() << "this MPI has no Fortran";
  ASSERT_EQ(MPI_Type_create_f90_complex(5, 10, &complex), MPI_SUCCESS);
  ASSERT_EQ(MPI_Type_create_f90_integer(9, &integer), MPI_SUCCESS);
  EXPECT_EQ(layout_of(real).size(), 8);
  EXPECT_EQ(layout_of(complex).size(), 8);
  EXPECT_EQ(layout_of(integer).size(), 4);
  // As members: they are not MPI's to be given back. Twice, as a freed one would be missed.
  for (int i = 0; i < 2; ++i) {
    Datatype vector;
    MPI_Type_vector(3, 1, 2, real, vector.put());
    EXPECT_EQ(layout_of(vector.get()).true_extent(), 40);
  }
}

#if MPI_VERSION >= 4
TEST(LayoutOf, large_counts) {
  const MPI_Count lengths[] = {2, 1};
  const MPI_Count places[] = {0, 64};
  const MPI_Count huge = MPI_Count{3} << 31;
  const MPI_Datatype types[] = {MPI_INT, MPI_DOUBLE};
  const auto expect = [](const char* text, const auto& construct) {
    Datatype type;
    ASSERT_EQ(construct(type.put()), MPI_SUCCESS) << text;
    EXPECT_TRUE(same_constructors(Layout::parse(text), layout_of(type.get())))
        << text << " became " << layout_of(type.get()).to_text();
  };
  expect("contiguous(6442450944,double)",
         [&](auto* to) { return MPI_Type_contiguous_c(huge, MPI_DOUBLE, to); });
  expect("vector(6442450944,2,5,float)",
         [&](auto* to) { return MPI_Type_vector_c(huge, 2, 5, MPI_FLOAT, to); });
  expect("hvector(3,2,6442450944,float)",
         [&](auto* to) { return MPI_Type_create_hvector_c(3, 2, huge, MPI_FLOAT, to); });
  expect("indexed([2,1],[0,64],int)",
         [&](auto* to) { return MPI_Type_indexed_c(2, lengths, places, MPI_INT, to); });
  expect("hindexed([2,1],[0,64],int)",
         [&](auto* to) { return MPI_Type_create_hindexed_c(2, lengths, places, MPI_INT, to); });
  expect("indexed_block(3,[0,64],int)",
         [&](auto* to) { return MPI_Type_create_indexed_block_c(2, 3, places, MPI_INT, to); });
  expect("hindexed_block(3,[0,64],int)",
         [&](auto* to) { return MPI_Type_create_hindexed_block_c(2, 3, places, MPI_INT, to); });
  expect("struct([2,1],[0,64],[int,double])",
         [&](auto* to) { return MPI_Type_create_struct_c(2, lengths, places, types, to); });
  expect("resized(64,6442450944,double)",
         [&](auto* to) { return MPI_Type_create_resized_c(MPI_DOUBLE, 64, huge, to); });
  const MPI_Count sizes[] = {9, huge};
  const MPI_Count parts[] = {2, 3};
  const MPI_Count starts[] = {1, 2};
  expect("subarray([9,6442450944],[2,3],[1,2],fortran,float)", [&](auto* to) {
    return MPI_Type_create_subarray_c(2, sizes, parts, starts, MPI_ORDER_FORTRAN, MPI_FLOAT, to);
  });
  const int distributions[] = {MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC};
  const int arguments[] = {MPI_DISTRIBUTE_DFLT_DARG, 2};
  const int grid[] = {2, 2};
  const MPI_Count small[] = {9, 8};
  expect("darray(4,3,[9,8],[block,cyclic],[default,2],[2,2],c,float)", [&](auto* to) {
    return MPI_Type_create_darray_c(4, 3, 2, small, distributions, arguments, grid, MPI_ORDER_C, MPI_FLOAT,
                                    to);
  });
}
#endif

TEST(LayoutOf, random_trees) {
  const ErrorsReturn errors_return;  // Open MPI refuses distributed arrays of nothing
  Trials run("layouts of random datatypes", 20261105, 3000);
  std::uint64_t made = 0;
  std::uint64_t as_the_standard = 0;
  while (run.next()) {
    const Layout layout = with_types_of_this_mpi(RandomLayouts(run.seed()).next_of_any_length(4));
    const BuiltType type = built(layout);
    if (type.type == MPI_DATATYPE_NULL || has_default_stride_of_open_mpi(layout)) continue;
    ++made;
    const Layout read = layout_of(type.type);
    if (read == layout) ++as_the_standard;
    ASSERT_TRUE(same_constructors(layout, read)) << run << "\n"
                                                 << layout.to_text() << " became\n"
                                                 << read.to_text();
    expect_bounds_of(type.type, read);
    ASSERT_FALSE(testing::Test::HasFailure()) << run << "\n" << layout.to_text();
  }
  EXPECT_GE(made, run.done() * 9 / 10);
  EXPECT_GE(as_the_standard, made / 2);
}

TEST(LayoutOf, a_deep_tree) {
  constexpr int levels = 2000;
  Layout layout = Layout::named(Elementary::int_);
  BuiltType type{MPI_INT, {}};
  for (int i = 0; i < levels; ++i) {
    layout = i % 2 == 0 ? Layout::contiguous(1, layout) : Layout::dup(layout);
    BuiltType next;
    if (i % 2 == 0)
      MPI_Type_contiguous(1, type.type, &next.type);
    else
      MPI_Type_dup(type.type, &next.type);
    next.owner = Datatype(next.type);
    type = std::move(next);
  }
  EXPECT_EQ(layout_of(type.type), layout);
}

TEST(LayoutOf, refusals) {
  expect_error(
      Fault::invalid_type, [] { (void)layout_of(MPI_DATATYPE_NULL); }, "MPI_DATATYPE_NULL");
#ifdef OPEN_MPI
  const BuiltType reversed = built(Layout::parse("hvector(3,2,-1,double)"));
  expect_error(
      Fault::unsupported, [&] { (void)layout_of(reversed.type); }, "hvector(3,2,-1,double)", "48",
      "from 0 on", "from -2 on");
#endif
}

class LentHandles : public testing::Test {
 protected:
  static int count_free(MPI_Datatype /*type*/, int /*key*/, void* /*value*/, void* frees) {
    ++*static_cast<int*>(frees);
    return MPI_SUCCESS;
  }
  void SetUp() override { MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, count_free, &key_, &frees_); }
  void TearDown() override { MPI_Type_free_keyval(&key_); }

  /// A derived type whose end is counted: what it is made of has to end with it. (Open MPI lends duplicates
  /// without attributes, which hold on to the members alone.)
  Datatype counted() {
    Datatype member;
    MPI_Type_vector(3, 1, 2, MPI_INT, member.put());
    MPI_Type_set_attr(member.get(), key_, nullptr);
    Datatype type;
    MPI_Type_contiguous(1, member.get(), type.put());
    return type;
  }

  /// A struct of the given types, which lives on its members alone.
  static Datatype struct_of(const std::vector<MPI_Datatype>& types) {
    const std::vector<int> lengths(types.size(), 1);
    std::vector<MPI_Aint> places;
    for (std::size_t i = 0; i < types.size(); ++i) places.push_back(static_cast<MPI_Aint>(64 * i));
    Datatype type;
    MPI_Type_create_struct(static_cast<int>(types.size()), lengths.data(), places.data(), types.data(),
                           type.put());
    return type;
  }

  int key_ = MPI_KEYVAL_INVALID;
  int frees_ = 0;
};

TEST_F(LentHandles, are_given_back) {
  {
    Datatype outer;
    {
      const Datatype a = counted();
      const Datatype b = counted();
      outer = struct_of({a.get(), MPI_DOUBLE, b.get(), a.get()});
    }
    for (int i = 0; i < 100; ++i) EXPECT_EQ(layout_of(outer.get()).size(), 44);
    EXPECT_EQ(frees_, 0);
  }
  EXPECT_EQ(frees_, 2);
}

TEST_F(LentHandles, are_given_back_when_a_type_is_refused) {
  {
    Datatype outer;
    {
      const Datatype a = counted();
      const Datatype b = counted();
      Datatype past_64_bits;
      MPI_Type_create_resized(a.get(), std::numeric_limits<MPI_Aint>::max() - 10, 100, past_64_bits.put());
      outer = struct_of({a.get(), past_64_bits.get(), b.get()});
    }
    for (int i = 0; i < 10; ++i)
      expect_error(
          Fault::invalid_type, [&] { (void)layout_of(outer.get()); }, "does not fit in 64 bits");
    EXPECT_EQ(frees_, 0);
  }
  EXPECT_EQ(frees_, 2);
}

struct Watched {
  int* alive;
  explicit Watched(int* counter) : alive(counter) { ++*alive; }
  Watched(const Watched&) = delete;
  Watched& operator=(const Watched&) = delete;
  ~Watched() { --*alive; }
};

TEST(TypeCache, lives_as_long_as_the_type_and_its_duplicates) {
  int alive = 0;
  Datatype copy;
  {
    Datatype type;
    MPI_Type_contiguous(3, MPI_INT, type.put());
    EXPECT_EQ(TypeCache<Watched>::find(type.get()), nullptr);
    TypeCache<Watched>::keep(type.get(), std::make_shared<const Watched>(&alive));
    TypeCache<Watched>::keep(type.get(), std::make_shared<const Watched>(&alive));
    EXPECT_EQ(alive, 1);
    MPI_Type_dup(type.get(), copy.put());
    (void)layout_of(copy.get());  // lends the type from its duplicate
    EXPECT_EQ(TypeCache<Watched>::find(copy.get()), TypeCache<Watched>::find(type.get()));
  }
  EXPECT_EQ(alive, 1);
  EXPECT_NE(TypeCache<Watched>::find(copy.get()), nullptr);
  copy = Datatype();
  EXPECT_EQ(alive, 0);
}

}  // namespace
}  // namespace mpi
}  // namespace halocline
