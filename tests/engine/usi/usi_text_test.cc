#include "engine/usi/usi_text.h"

#include <string>
#include <vector>

#include "base/problem.h"
#include "base/rng.h"
#include "engine/usi/options.h"
#include "gtest/gtest.h"

namespace joseki::usi {
namespace {

TEST(UsiText, WordsAreSeparatedByAnyBlank) {
  EXPECT_EQ(Words("  go\tnodes  5\r"), (std::vector<std::string_view>{"go", "nodes", "5"}));
  EXPECT_TRUE(Words(" \r").empty());
}

TEST(UsiText, ReadsPositions) {
  auto start = ParsePosition(Words("startpos moves 7g7f 3c3d"));
  ASSERT_TRUE(start.ok());
  EXPECT_EQ(start->start, "startpos");
  EXPECT_EQ(start->moves, (std::vector<std::string>{"7g7f", "3c3d"}));
  auto sfen = ParsePosition(Words("sfen 4k4/9/9/9/9/9/9/9/4K4 b - 1 moves 5i5h"));
  ASSERT_TRUE(sfen.ok());
  EXPECT_EQ(sfen->start, "4k4/9/9/9/9/9/9/9/4K4 b - 1");
  EXPECT_EQ(sfen->moves.size(), 1u);
  EXPECT_TRUE(ParsePosition(Words("sfen 4k4/9/9/9/9/9/9/9/4K4 b -")).ok())
      << "the ply may be missing";
}

TEST(UsiText, RefusesBrokenPositions) {
  for (const char* text : {"", "start", "sfen", "sfen moves 7g7f", "startpos 7g7f",
                           "sfen a b c d e f", "startpos move 7g7f"}) {
    const auto command = ParsePosition(Words(text));
    ASSERT_FALSE(command.ok()) << text;
    EXPECT_EQ(ProblemOf(command.status()).code, "bad_position");
  }
}

TEST(UsiText, ReadsGo) {
  auto go = ParseGo(Words("btime 60000 wtime 50000 binc 1000 winc 2000"));
  ASSERT_TRUE(go.ok());
  EXPECT_TRUE(go->has_clock);
  EXPECT_EQ(go->clock.remaining[0], 60000);
  EXPECT_EQ(go->clock.remaining[1], 50000);
  EXPECT_EQ(go->clock.increment[1], 2000);
  go = ParseGo(Words("ponder btime -5 wtime 0 byoyomi 10000"));
  ASSERT_TRUE(go.ok());
  EXPECT_TRUE(go->ponder);
  EXPECT_EQ(go->clock.remaining[0], 0) << "a clock that has run out";
  EXPECT_EQ(go->clock.byoyomi, 10000);
  go = ParseGo(Words("nodes 2000 depth 9"));
  ASSERT_TRUE(go.ok());
  EXPECT_EQ(go->nodes, 2000u);
  EXPECT_EQ(go->depth, 9);
  EXPECT_TRUE(ParseGo(Words("mate infinite"))->mate);
  EXPECT_TRUE(ParseGo(Words("mate"))->mate);
  EXPECT_TRUE(ParseGo(Words("mate 60000"))->mate);
  EXPECT_EQ(ParseGo(Words("mate 60000"))->mate_ms, 60000);
  EXPECT_TRUE(ParseGo(Words("infinite"))->infinite);
  EXPECT_EQ(ParseGo(Words("nodes 5 searchmoves 7g7f 2g2f"))->search_moves.size(), 2u);
  EXPECT_TRUE(ParseGo({}).ok());
}

TEST(UsiText, RefusesBrokenGo) {
  for (const char* text :
       {"nodes", "nodes x", "nodes 0", "nodes -1", "depth 0", "depth 1000", "movetime 0", "btime",
        "btime 99999999999999999999", "fast", "searchmoves", "byoyomi 1.5"}) {
    const auto go = ParseGo(Words(text));
    ASSERT_FALSE(go.ok()) << text;
    EXPECT_EQ(ProblemOf(go.status()).code, "bad_go");
  }
}

TEST(UsiText, ReadsOptions) {
  auto option = ParseOption(Words("name USI_Hash value 32"));
  ASSERT_TRUE(option.ok());
  EXPECT_EQ(option->name, "USI_Hash");
  EXPECT_EQ(option->value, "32");
  EXPECT_EQ(ParseOption(Words("name A B value c d"))->value, "c d");
  EXPECT_FALSE(ParseOption(Words("")).ok());
  EXPECT_FALSE(ParseOption(Words("USI_Hash 3")).ok());
  EXPECT_FALSE(ParseOption(Words("name value 3")).ok());
}

TEST(UsiText, ChecksOptionValues) {
  Options options;
  EXPECT_TRUE(options.Set("USI_Hash", "32").ok());
  EXPECT_EQ(options.hash_mb, 32);
  for (const char* bad : {"0", "-1", "32769", "x", "", "1e3"}) {
    EXPECT_EQ(ProblemOf(options.Set("USI_Hash", bad)).code, "bad_option") << bad;
  }
  EXPECT_EQ(options.hash_mb, 32);
  EXPECT_TRUE(options.Set("USI_Ponder", "true").ok());
  EXPECT_TRUE(options.ponder);
  EXPECT_FALSE(options.Set("USI_Ponder", "yes").ok());
  EXPECT_EQ(ProblemOf(options.Set("Contempt", "2")).code, "unknown_option");
}

TEST(UsiText, WritesScores) {
  EXPECT_EQ(FormatScore(-35), "cp -35");
  EXPECT_EQ(FormatScore(MateIn(5)), "mate 5");
  EXPECT_EQ(FormatScore(MatedIn(4)), "mate -4");
}

TEST(UsiText, WritesBestMoves) {
  SearchResult result;
  EXPECT_EQ(FormatBestMove(result, true), "bestmove resign");
  result.best = Move::Board(59, 58);
  result.ponder = Move::Board(20, 21);
  EXPECT_EQ(FormatBestMove(result, false), "bestmove 7f7e");
  EXPECT_EQ(FormatBestMove(result, true), "bestmove 7f7e ponder 3c3d");
  result.declare = true;
  EXPECT_EQ(FormatBestMove(result, true), "bestmove win");
}

// Random lines, half of them near real ones: the readers answer or refuse, and a refusal is a
// problem.
TEST(UsiText, NoLineBreaksTheReaders) {
  const std::vector<std::string> vocabulary = {"startpos",
                                               "sfen",
                                               "moves",
                                               "7g7f",
                                               "go",
                                               "nodes",
                                               "1",
                                               "-1",
                                               "depth",
                                               "btime",
                                               "mate",
                                               "value",
                                               "name",
                                               "b",
                                               "-",
                                               "w",
                                               "byoyomi",
                                               "ponder",
                                               "infinite",
                                               "\t",
                                               "4k4/9/9/9/9/9/9/9/4K4",
                                               "99999999999999999999999",
                                               "\xff\xfe",
                                               std::string(1, '\0'),
                                               "+",
                                               "searchmoves"};
  Rng rng(20);
  for (int i = 0; i < 20000; ++i) {
    std::string line;
    for (uint64_t n = rng.Below(12); n > 0; --n) {
      if (rng.Below(10) == 0) {
        for (uint64_t k = rng.Below(6); k > 0; --k) line += static_cast<char>(rng.Below(256));
      } else {
        line += vocabulary[rng.Below(vocabulary.size())];
      }
      line += ' ';
    }
    const auto words = Words(line);
    for (const absl::Status& status :
         {ParsePosition(words).status(), ParseGo(words).status(), ParseOption(words).status()}) {
      if (!status.ok()) {
        EXPECT_FALSE(ProblemOf(status).expected.empty()) << line;
      }
    }
  }
}

}  // namespace
}  // namespace joseki::usi
