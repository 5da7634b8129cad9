// Plans that travel: what is written is read again, and what is damaged is named.
#include "halocline/plan/explanation.hpp"

#include "expect_error.hpp"
#include "plan/placement/given_seats.hpp"
#include "plan/prediction/same_messages.hpp"
#include "problems.hpp"
#include "random_problems.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <random>

namespace halocline::plan {
namespace {

/// Any nodes for the cells of a grid, all of them used.
std::vector<int> random_seats(Count cells, std::mt19937& random) {
  std::vector<int> nodes;
  for (Count cell = 0; cell < cells; ++cell)
    nodes.push_back(static_cast<int>(cell % std::max<Count>(1, cells / 3)));
  std::shuffle(nodes.begin(), nodes.end(), random);
  return nodes;
}

TEST(Explanation, what_is_written_is_read_again) {
  int read_again = 0;
  for (unsigned seed = 0; seed < 120; ++seed) {
    RandomProblem given = RandomProblems(seed, 1 + seed % 40).any();
    SCOPED_TRACE(testing::Message() << "seed " << seed << ": " << given.to_text());
    if (seed % 3 == 0) given.choices.prices.levels.set("socket", {1e-7 / 3, 1e-11, 2e-7});
    std::optional<Explanation> made;
    try {
      made = explain(given.problem, given.choices, {"slurm", "from a test", {"n\xffx"}});
    } catch (const Error&) {
      continue;  // some meshes have no grid
    }
    const Explanation read = Explanation::parse(made->to_json());
    EXPECT_EQ(read.to_text(), made->to_text());
    const Grid& grid = made->plan.grid;
    for (Count cell = 0; cell < grid.size(); ++cell)
      ASSERT_EQ(read.plan.placement.rank(grid.cell(cell)), made->plan.placement.rank(grid.cell(cell)));
    ++read_again;
  }
  EXPECT_GE(read_again, 90);
}

TEST(Explanation, blocks_of_processes_that_nobody_placed_are_read_again) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    const Grid grid({3, 1 + static_cast<Count>(random() % 4), 2}, periodic(random() % 2, random() % 2, 1));
    GivenSeats seats = given_seats(grid, random_seats(grid.size(), random));
    const Operation operation = random() % 2 == 0 ? Operation::alltoall : Operation::allgather;
    Counts bytes(26, 100);
    if (operation == Operation::alltoall) bytes[3] = 0, bytes[4] = 7;
    const Problem problem = Problem::of_blocks(grid, Stencil::moore(3, 1), bytes, operation, seats.machine);
    const Explanation made =
        explain(problem, {}, {grid, seats.placement, std::string(not_placed), std::string(not_placed)});
    const Explanation read = Explanation::parse(made.to_json());
    EXPECT_EQ(read.to_json(), made.to_json());
    EXPECT_EQ(read.to_text(), made.to_text());
    EXPECT_EQ(why_other_messages(problem, read.problem, grid), "");
    Counts others = bytes;
    others[5] += 1;
    if (operation == Operation::alltoall) {
      EXPECT_NE(why_other_messages(
                    problem, Problem::of_blocks(grid, Stencil::moore(3, 1), others, operation, seats.machine),
                    grid),
                "");
    }
  }
}

TEST(Explanation, damage_is_named) {
  const std::string good = explain(problem_of("40x40", "nearest", "nodes:4,4")).to_json();
  (void)Explanation::parse(good);
  const auto refused = [](const std::string& text, const char* word) {
    expect_error(
        Fault::invalid_argument, [&] { (void)Explanation::parse(text); }, word);
  };
  const auto replaced = [&](const std::string& what, const std::string& by) {
    std::string text = good;
    const std::size_t at = text.find(what);
    EXPECT_NE(at, std::string::npos) << what;
    return text.replace(at, what.size(), by);
  };
  refused("", "line 1");
  refused(good.substr(0, good.find("told_by") + 3), "line");
  refused("[]", "no plan");
  refused("{\"format\": 3}", "name");
  refused(replaced("\"version\": 1", "\"version\": 2"), "version 2");
  refused(replaced("halocline plan", "price list"), "price list");
  refused(replaced("\"40x40\"", "\"40xx40\""), "40xx40");
  refused(replaced("\"halo\"", "\"hallo\""), "halo");
  refused(replaced("\"fields\": 3", "\"fields\": \"many\""), "fields");
  refused(replaced("\"fields\": 3", "\"fields\": 0"), "fields");
  refused(replaced("\"fields\": 3", "\"fields\": 1e999"), "1e999");
  refused(replaced("\"ranks\"", "\"rank\"").substr(1), "line");
  // Every cut of the text, and every byte of it turned into another, is read or refused with a reason.
  std::mt19937 random(1);
  for (std::size_t i = 0; i < good.size(); i += 7) {
    std::string text = random() % 2 == 0 ? good.substr(0, i) : good;
    if (!text.empty()) text[random() % text.size()] = static_cast<char>(random());
    try {
      (void)Explanation::parse(text);
    } catch (const Error&) {
    }
  }
}

TEST(Explanation, says_how_to_get_it) {
  const std::string text =
      explain(problem_of("64x64x64 periodic:1,0,1", "moore:1", "nodes:4x8", {2, 2, 2})).to_text();
  for (const char* const part :
       {"halocline::Mesh({64, 64, 64}, halocline::periodic(1, 0, 1)), halocline::Stencil::moore(3, 1), "
        "{.halo = {2, 2, 2}});",
        "HALOCLINE_PLAN_USE=plan.json", "mpirun -n 32 --map-by ppr:8:node ./program",
        "mpiexec -n 32 -ppn 8 ./program", "srun --nodes=4 --ntasks-per-node=8 ./program", "sbatch --nodes=4",
        "halocline run -- mpirun"})
    EXPECT_NE(text.find(part), std::string::npos) << part << " in " << text;
  Problem fixed = problem_of("64x64", "nearest", "nodes:4x2", {2, 1});
  fixed.fixed = {4, 0};
  EXPECT_NE(explain(fixed).to_text().find("nearest(2), {.halo = {2, 1}, .fixed = {4, 0}});"),
            std::string::npos)
      << explain(fixed).to_text();
  Choices choices;
  choices.schedule = ScheduleChoice::node;
  const std::string uneven = explain(problem_of("64x64", "nearest", "nodes:4,8"), choices).to_text();
  for (const char* const part :
       {"--hostfile FILE", "--distribution=arbitrary", "export HALOCLINE_SCHEDULE=node"})
    EXPECT_NE(uneven.find(part), std::string::npos) << part << " in " << uneven;
}

TEST(Explanation, shares_as_given) {
  Problem problem = problem_of("10x8", "nearest", "nodes:2,2");
  problem.fixed = {4, 1};
  problem.slabs = {{1, 2, 3, 4}, {8}};
  const Explanation made = explain(problem);
  // Three borders of 8 points in both directions, 3 fields of 4 bytes; one of them is between the nodes.
  EXPECT_EQ(made.plan.prediction.total.node.bytes + made.plan.prediction.total.network.bytes, 3 * 2 * 8 * 12);
  EXPECT_EQ(Explanation::parse(made.to_json()).to_text(), made.to_text());
}

TEST(GivenSeats, refuse_what_is_no_seating) {
  const Grid grid({2, 2});
  for (const std::vector<int>& nodes : {std::vector<int>{0, 0, 0}, {0, 0, 0, -1}, {0, 0, 0, 2}, {0, 4, 0, 0}})
    expect_error(
        Fault::invalid_argument, [&] { (void)given_seats(grid, nodes); }, "");
  const GivenSeats seats = given_seats(grid, std::vector<int>{1, 0, 1, 1});
  EXPECT_EQ(seats.machine.node_sizes().to_text(), "1,3");
  EXPECT_EQ(seats.placement.rank({0, 1}), 0);
  EXPECT_EQ(seats.placement.rank({1, 1}), 3);
  EXPECT_EQ(seats.placement.cell(3), (Cell{1, 1}));
}

}  // namespace
}  // namespace halocline::plan
