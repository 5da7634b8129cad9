// A call with some of its arguments made wrong, on some ranks or on all, and what must come of it.
//
// Left out, for nobody can tell: pointers to other memory than was said (a list that is shorter than its
// count, a handle that was freed or never made, a freed communicator), and in collective calls what leaves a
// rank without the others: MPI_COMM_NULL, another communicator or a null handle on some ranks alone.
#pragma once

#include "exchange/scattered_block.hpp"
#include "support/refusals.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <memory>

namespace halocline {

/// On which ranks an argument may be made wrong.
enum class Where {
  anywhere,
  on_all,   ///< Or the others would wait for ever.
  on_some,  ///< It is fine by itself, but not the same as on other ranks.
};

/// One way to make a call wrong.
struct Wrong {
  std::string what;
  std::vector<int> classes;  ///< Of the error: any of these is right.
  std::function<void()> make;
  Where where = Where::anywhere;
  bool surely = true;  ///< Is it always refused? Otherwise it depends, but never on the rank.
};

/// A call whose arguments are right until they are made wrong.
struct WrongCall {
  std::string name;
  bool collective;
  std::vector<Wrong> wrongs;
  std::function<int()> call;
  std::function<void()> undo;       ///< What it did when it succeeded.
  std::function<bool()> untouched;  ///< Was nothing written that tells of success?
};

inline Wrong null_pointer(const std::string& name, std::function<void()> make) {
  return {name + " is null", {MPI_ERR_ARG}, std::move(make)};
}

inline std::string text_of(int code) {
  std::string text(MPI_MAX_ERROR_STRING, '\0');
  int length = 0;
  EXPECT_EQ(HCL_Error_string(code, text.data(), &length), MPI_SUCCESS);
  text.resize(static_cast<std::size_t>(length));
  return text;
}

/// Is it the same on all ranks?
inline bool same_everywhere(Count value) {
  const std::vector<Count> all = everyones(MPI_COMM_WORLD, value);
  return std::all_of(all.begin(), all.end(), [&](Count other) { return other == all.front(); });
}

/// Some of its arguments are made wrong, then it is called. Collective over the world, whatever the call is.
class Attempt {
 public:
  Attempt(WrongCall& call, Random& common) : call_(call), text_(call.name) {
    const Count most = std::min<Count>(3, static_cast<Count>(call.wrongs.size()));
    std::vector<Wrong> some;  // none of them twice
    std::sample(call.wrongs.begin(), call.wrongs.end(), std::back_inserter(some), random_in(common, 0, most),
                common);
    std::shuffle(some.begin(), some.end(), common);
    // Two of them may be about one argument, of which the last counts: the surest, and what all must see.
    std::stable_sort(some.begin(), some.end(),
                     [](const Wrong& a, const Wrong& b) { return sureness(a) < sureness(b); });
    for (const Wrong& wrong : some) make_wrong(wrong, common);
  }

  void expect_right(const std::string& what) const {
    times_called = 0;
    const int code = call_.call();
    const std::string said = what + ": " + text_ + (code == MPI_SUCCESS ? "" : " says " + text_of(code));
    EXPECT_EQ(times_called, code == MPI_SUCCESS ? 0 : 1) << said;
    times_called = 0;
    if (code == MPI_SUCCESS) {
      EXPECT_FALSE(call_.collective ? surely_anywhere_ : surely_here_) << said << ", but succeeds";
      if (call_.undo) call_.undo();
    } else {
      const auto& expected = call_.collective ? classes_anywhere_ : classes_here_;
      EXPECT_TRUE(std::count(expected.begin(), expected.end(), class_of(code)) > 0)
          << said << ", class " << class_of(code);
      EXPECT_EQ(text_of(code).rfind(call_.name + ": ", 0), std::size_t{0}) << said;
      EXPECT_TRUE(!call_.untouched || call_.untouched()) << said << ", but has written";
    }
    if (!call_.collective) return;
    EXPECT_TRUE(same_everywhere(class_of(code))) << said << ", other ranks something else";
    EXPECT_TRUE(same_everywhere(
        code == MPI_SUCCESS ? 0 : static_cast<Count>(std::hash<std::string>()(text_of(code)))))
        << said << ", other ranks something else";
  }

 private:
  static int sureness(const Wrong& wrong) {
    return wrong.where == Where::on_all ? 3 : wrong.where == Where::on_some ? 0 : wrong.surely ? 2 : 1;
  }

  void make_wrong(const Wrong& wrong, Random& common) {
    std::vector<bool> ranks(static_cast<std::size_t>(world_size()), true);
    const bool on_all =
        wrong.where == Where::on_all || (wrong.where == Where::anywhere && random_in(common, 0, 2) == 0);
    const auto one = static_cast<std::size_t>(random_in(common, 0, world_size() - 1));
    const bool many = random_in(common, 0, 3) == 0;
    for (std::size_t r = 0; r < ranks.size(); ++r)
      ranks[r] = on_all || (many && random_in(common, 0, 1) == 0) || r == one;
    if (wrong.where == Where::on_some) {
      if (world_size() == 1) return;
      ranks[(one + 1) % ranks.size()] = false;
    }
    const bool here = ranks[static_cast<std::size_t>(world_rank())];
    surely_anywhere_ = surely_anywhere_ || wrong.surely;
    classes_anywhere_.insert(classes_anywhere_.end(), wrong.classes.begin(), wrong.classes.end());
    text_ += ", " + wrong.what + " on ";
    for (const bool each : ranks) text_ += each ? '1' : '0';
    if (!here) return;
    surely_here_ = surely_here_ || wrong.surely;
    classes_here_.insert(classes_here_.end(), wrong.classes.begin(), wrong.classes.end());
    wrong.make();
  }

  WrongCall& call_;
  std::string text_;
  std::vector<int> classes_anywhere_, classes_here_;
  bool surely_anywhere_ = false, surely_here_ = false;
};

/// Words that no setting knows.
inline std::string nonsense(Random& random) {
  static const std::vector<std::string> words{"gibberish", " auto",
                                              "AUTO",      "auto,auto",
                                              "-1",        "1e9999",
                                              "\xff\xfe",  "99999999999999999999",
                                              "0x10",      std::string(200, 'x')};
  return words[static_cast<std::size_t>(random_in(random, 0, static_cast<Count>(words.size()) - 1))];
}

/// An info with one key of such a value.
inline std::shared_ptr<mpi::Info> nonsense_info(const std::vector<const char*>& keys, Random& random) {
  auto info = std::make_shared<mpi::Info>();
  MPI_Info_create(info->put());
  const auto last = static_cast<Count>(keys.size()) - 1;
  MPI_Info_set(info->get(), keys[static_cast<std::size_t>(random_in(random, 0, last))],
               nonsense(random).c_str());
  return info;
}

/// Makes `info` one of nonsense.
inline Wrong wrong_info(MPI_Info& info, const std::vector<const char*>& keys, Random& random) {
  return {
      "info is nonsense", {MPI_ERR_ARG}, [&info, made = nonsense_info(keys, random)] { info = made->get(); }};
}

}  // namespace halocline
