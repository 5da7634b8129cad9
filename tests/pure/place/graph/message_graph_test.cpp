#include "place/graph/message_graph.hpp"

#include "expect_error.hpp"
#include "graphs.hpp"

#include <limits>
#include <map>

namespace halocline::place {
namespace {

TEST(MessageGraph, adds_both_ways_and_leaves_out_what_stays) {
  const std::vector<Message> messages{{0, 1, 5}, {1, 0, 7}, {2, 2, 100}, {0, 1, 1}, {3, 0, 2}, {1, 3, 0}};
  const MessageGraph graph(5, messages);
  EXPECT_EQ(graph.ranks(), 5);
  EXPECT_EQ(graph.pairs(), 2);
  EXPECT_EQ(graph.bytes(), 15);
  EXPECT_EQ(std::vector<Rank>(graph.neighbours(0).begin(), graph.neighbours(0).end()),
            (std::vector<Rank>{1, 3}));
  EXPECT_EQ(Counts(graph.bytes_with_neighbours(0).begin(), graph.bytes_with_neighbours(0).end()),
            (Counts{13, 2}));
  EXPECT_EQ(graph.neighbours(2).size(), 0U);
  EXPECT_EQ(graph.bytes_with_neighbours(3).front(), 2);
}

TEST(MessageGraph, agrees_with_a_table_of_pairs) {
  std::mt19937_64 random(7);
  for (int trial = 0; trial < 50; ++trial) {
    const Count ranks = 1 + static_cast<Count>(random() % 20);
    const std::vector<Message> messages = random_messages(ranks, random() % 200, 1000, random);
    std::map<std::pair<Rank, Rank>, Count> table;
    for (const Message& m : messages)
      if (m.source != m.target && m.bytes > 0)
        for (const auto& pair : {std::pair(m.source, m.target), std::pair(m.target, m.source)})
          table[pair] += m.bytes;
    const MessageGraph graph(ranks, messages);
    std::map<std::pair<Rank, Rank>, Count> seen;
    for (Rank rank = 0; rank < ranks; ++rank)
      for (std::size_t i = 0; i < graph.neighbours(rank).size(); ++i)
        seen[{rank, graph.neighbours(rank)[i]}] = graph.bytes_with_neighbours(rank)[i];
    EXPECT_EQ(seen, table) << "trial " << trial;
    EXPECT_EQ(graph.pairs(), static_cast<Count>(table.size() / 2));
  }
}

TEST(MessageGraph, refuses_what_makes_no_sense) {
  const auto refuses = [](Count ranks, const std::vector<Message>& messages, const char* words) {
    expect_error(
        Fault::invalid_argument, [&] { (void)MessageGraph(ranks, messages); }, words);
  };
  refuses(4, {{0, 4, 1}}, "rank 4 of 4");
  refuses(4, {{-1, 2, 1}}, "rank -1");
  refuses(4, {{1, 2, -3}}, "-3 bytes");
  const Count most = std::numeric_limits<Count>::max();
  refuses(4, {{1, 2, most}, {2, 3, 1}}, "64 bits");
  EXPECT_EQ(MessageGraph(4, std::vector<Message>{{1, 2, most}}).bytes(), most);
}

}  // namespace
}  // namespace halocline::place
