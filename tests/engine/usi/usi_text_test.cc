#include "engine/usi/usi_text.h"

#include <string>
#include <utility>
#include <vector>

#include "base/problem.h"
#include "base/rng.h"
#include "engine/shogi/sfen.h"
#include "engine/usi/common_options.h"
#include "engine/xiangqi/fen.h"
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

TEST(UsiText, PassesOverUnknownWordsOfGo) {
  auto go = ParseGo(Words("searchmoves 7g7f 2g2f nodes 1000"));
  ASSERT_TRUE(go.ok()) << go.status();
  EXPECT_EQ(go->search_moves, (std::vector<std::string>{"7g7f", "2g2f"}));
  EXPECT_EQ(go->nodes, 1000u);
  go = ParseGo(Words("soon 3 depth 2"));
  ASSERT_TRUE(go.ok()) << go.status();
  EXPECT_EQ(go->depth, 2);
  EXPECT_EQ(go->passed_over, (std::vector<std::string>{"soon", "3"}));
  EXPECT_FALSE(ParseGo(Words("soon 3")).ok()) << "it would never end";
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
  EXPECT_EQ(ParseOption(Words("name A  B value  two  blanks.db "))->value, "two  blanks.db");
  EXPECT_EQ(ParseOption(Words("name A  B value  two  blanks.db "))->name, "A B");
  EXPECT_EQ(ParseOption(Words("name A value"))->value, "");
  EXPECT_FALSE(ParseOption(Words("")).ok());
  EXPECT_FALSE(ParseOption(Words("USI_Hash 3")).ok());
  EXPECT_FALSE(ParseOption(Words("name value 3")).ok());
}

TEST(UsiText, ChecksOptionValues) {
  const Protocol& usi = DefaultProtocol();
  CommonOptions options;
  EXPECT_TRUE(options.Set(usi, "USI_Hash", "32", 593).ok());
  EXPECT_EQ(options.hash_mb, 32);
  for (const char* bad : {"0", "-1", "32769", "x", "", "1e3"}) {
    EXPECT_EQ(ProblemOf(options.Set(usi, "USI_Hash", bad, 593)).code, "bad_option") << bad;
  }
  EXPECT_EQ(options.hash_mb, 32);
  EXPECT_TRUE(options.Set(usi, "USI_Ponder", "true", 593).ok());
  EXPECT_TRUE(options.ponder);
  EXPECT_FALSE(options.Set(usi, "USI_Ponder", "yes", 593).ok());
  EXPECT_FALSE(CommonOptions::Has(usi, "Contempt"));
  EXPECT_FALSE(CommonOptions::Has(usi, "Hash"));
  EXPECT_FALSE(CommonOptions::Has(*ProtocolNamed("ucci"), "")) << "an option that it lacks";
}

TEST(UsiText, WritesScores) {
  EXPECT_EQ(FormatScore(-35, DefaultProtocol()), "cp -35");
  EXPECT_EQ(FormatScore(MateIn(5), DefaultProtocol()), "mate 5");
  EXPECT_EQ(FormatScore(MatedIn(4), DefaultProtocol()), "mate -4");
}

std::string BestMoveOf(const SearchResult& result, bool with_ponder) {
  return FormatBestMove(result, with_ponder, DefaultProtocol(), shogi::ToUsi);
}

TEST(UsiText, WritesBestMoves) {
  SearchResult result;
  EXPECT_EQ(BestMoveOf(result, true), "bestmove resign");
  result.best = Move::Board(59, 58);
  result.ponder = Move::Board(20, 21);
  EXPECT_EQ(BestMoveOf(result, false), "bestmove 7f7e");
  EXPECT_EQ(BestMoveOf(result, true), "bestmove 7f7e ponder 3c3d");
  result.declare = true;
  EXPECT_EQ(BestMoveOf(result, true), "bestmove win");
}

TEST(UsiText, WritesScoresAsTheProtocolHasThem) {
  const Protocol& uci = *ProtocolNamed("uci");
  EXPECT_EQ(FormatScore(-35, uci), "cp -35");
  for (const auto& [value, text] :
       std::vector<std::pair<Value, std::string>>{{MateIn(1), "mate 1"},
                                                  {MateIn(5), "mate 3"},
                                                  {MatedIn(2), "mate -1"},
                                                  {MatedIn(6), "mate -3"}}) {
    EXPECT_EQ(FormatScore(value, uci), text);
  }
  const Protocol& ucci = *ProtocolNamed("ucci");
  EXPECT_EQ(FormatScore(-35, ucci), "-35");
  EXPECT_EQ(FormatScore(MateIn(5), ucci), std::to_string(kValueMate - 5));
}

TEST(UsiText, WritesWhatIsFoundAsTheProtocolHasIt) {
  const Move line[] = {*xiangqi::MoveFromUcci("h2e2"), *xiangqi::MoveFromUcci("h9g7")};
  SearchInfo info;
  info.depth = 6;
  info.seldepth = 11;
  info.value = 4;
  info.nodes = 30000;
  info.elapsed_ms = 20;
  info.hashfull = 7;
  info.pv = line;
  EXPECT_EQ(FormatInfo(info, *ProtocolNamed("uci"), xiangqi::ToUcci),
            "info depth 6 seldepth 11 score cp 4 nodes 30000 nps 1500000 hashfull 7 time 20 pv "
            "h2e2 h9g7");
  EXPECT_EQ(FormatInfo(info, *ProtocolNamed("ucci"), xiangqi::ToUcci),
            "info time 20 nodes 30000\ninfo depth 6 score 4 pv h2e2 h9g7");
  const SearchResult none;
  EXPECT_EQ(FormatBestMove(none, true, *ProtocolNamed("uci"), xiangqi::ToUcci), "bestmove (none)");
  EXPECT_EQ(FormatBestMove(none, true, *ProtocolNamed("ucci"), xiangqi::ToUcci), "nobestmove");
}

TEST(UsiText, MovesRanks) {
  EXPECT_EQ(WithRanks("h9e9", 1), "h10e10");
  EXPECT_EQ(WithRanks("h10e1", -1), "h9e0");
  for (const char* text : {"", "he", "99999999999999999999"}) {
    EXPECT_EQ(WithRanks(text, -1), text);
  }
}

TEST(UsiText, ReadsGoOfUci) {
  const Protocol& uci = *ProtocolNamed("uci");
  const auto go = ParseGo(Words("wtime 60000 btime 50000 winc 1000 movestogo 12"), uci);
  ASSERT_TRUE(go.ok());
  EXPECT_EQ(go->clock.remaining[0], 60000) << "Red is White";
  EXPECT_EQ(go->clock.remaining[1], 50000);
  EXPECT_EQ(go->clock.increment[0], 1000);
  EXPECT_EQ(go->clock.moves_to_go, 12);
  EXPECT_EQ(ParseGo(Words("mate 3"), uci)->depth, 5);
  EXPECT_FALSE(ParseGo(Words("mate 3"), uci)->mate);
  for (const char* text : {"byoyomi 5", "time 5", "mate", "mate 0", "mate infinite", "movestogo -1",
                           "movestogo 1001"}) {
    EXPECT_EQ(ProblemOf(ParseGo(Words(text), uci).status()).code, "bad_go") << text;
  }
}

TEST(UsiText, ReadsGoOfUcci) {
  const Protocol& ucci = *ProtocolNamed("ucci");
  for (const Color mover : {Color::kFirst, Color::kSecond}) {
    const auto go =
        ParseGo(Words("draw time 9000 increment 100 opptime 70 oppincrement 10"), ucci, mover);
    ASSERT_TRUE(go.ok()) << go.status();
    EXPECT_TRUE(go->has_clock);
    EXPECT_EQ(go->clock.remaining[Index(mover)], 9000);
    EXPECT_EQ(go->clock.remaining[Index(~mover)], 0) << "the other's clock is no matter";
    EXPECT_EQ(go->clock.increment[Index(mover)], 100);
  }
  EXPECT_TRUE(ParseGo(Words("depth infinite"), ucci)->infinite);
  EXPECT_EQ(ParseGo(Words("depth 7"), ucci)->depth, 7);
  EXPECT_TRUE(ParseGo(Words("ponder time 9 movestogo 3"), ucci)->ponder);
  for (const char* text : {"wtime 5", "mate 3", "searchmoves h2e2", "depth", "time", "opptime"}) {
    EXPECT_EQ(ProblemOf(ParseGo(Words(text), ucci).status()).code, "bad_go") << text;
  }
}

TEST(UsiText, ReadsPositionsAndOptionsOfUcci) {
  const Protocol& ucci = *ProtocolNamed("ucci");
  const auto position =
      ParsePosition(Words("fen 4k4/9/9/9/9/9/9/9/9/3K5 w - - 0 1 moves d0d1"), ucci);
  ASSERT_TRUE(position.ok());
  EXPECT_EQ(position->start, "4k4/9/9/9/9/9/9/9/9/3K5 w - - 0 1");
  EXPECT_EQ(position->moves, (std::vector<std::string>{"d0d1"}));
  for (const char* text : {"sfen 9 b - 1", "fen", "fen a b c d e f g", "startpos h2e2"}) {
    EXPECT_EQ(ProblemOf(ParsePosition(Words(text), ucci).status()).code, "bad_position") << text;
  }
  auto option = ParseOption(Words("hashsize 16"), ucci);
  ASSERT_TRUE(option.ok());
  EXPECT_EQ(option->name, "hashsize");
  EXPECT_EQ(option->value, "16");
  option = ParseOption(Words("newgame"), ucci);
  ASSERT_TRUE(option.ok());
  EXPECT_EQ(option->value, "");
  EXPECT_EQ(ParseOption(Words("bookfiles a  b"), ucci)->value, "a  b");
  EXPECT_FALSE(ParseOption({}, ucci).ok());
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
                                               "searchmoves",
                                               "fen",
                                               "time",
                                               "opptime",
                                               "movestogo"};
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
    for (const std::string& name : ProtocolNames()) {
      const Protocol& protocol = *ProtocolNamed(name);
      for (const absl::Status& status :
           {ParsePosition(words, protocol).status(), ParseGo(words, protocol).status(),
            ParseOption(words, protocol).status()}) {
        if (!status.ok()) {
          EXPECT_FALSE(ProblemOf(status).expected.empty()) << line;
        }
      }
    }
  }
}

}  // namespace
}  // namespace joseki::usi
