#include "worker/play/usi/engine_line.h"

#include <cstdlib>
#include <string>

#include "base/rng.h"
#include "engine/core/value.h"
#include "gtest/gtest.h"
#include "worker/play/usi/line_buffer.h"

namespace joseki::worker {
namespace {

using Kind = EngineLine::Kind;

TEST(EngineLine, ReadsTheHandshake) {
  EngineLine line = ParseEngineLine("id name Some  Engine 3.1");
  EXPECT_EQ(line.kind, Kind::kName);
  EXPECT_EQ(line.text, "Some Engine 3.1");
  line = ParseEngineLine("option name Debug Log File type string default");
  EXPECT_EQ(line.kind, Kind::kOption);
  EXPECT_EQ(line.text, "Debug Log File");
  EXPECT_EQ(ParseEngineLine("usiok").kind, Kind::kOk);
  EXPECT_EQ(ParseEngineLine(" readyok \r").kind, Kind::kReadyOk);
  for (const char* text : {"", " ", "id", "id author x", "option name", "option name type spin",
                           "usiok now", "readyok?", "Usiok", "checkmate nomate"}) {
    EXPECT_EQ(ParseEngineLine(text).kind, Kind::kOther) << text;
  }
}

TEST(EngineLine, ReadsUciAndUcci) {
  EXPECT_EQ(ParseEngineLine("uciok").kind, Kind::kOk);
  EXPECT_EQ(ParseEngineLine("ucciok").kind, Kind::kOk);
  const EngineLine option = ParseEngineLine("option usebook type check default true");
  EXPECT_EQ(option.kind, Kind::kOption);
  EXPECT_EQ(option.text, "usebook");
  const EngineLine none = ParseEngineLine("nobestmove");
  EXPECT_EQ(none.kind, Kind::kBestMove);
  EXPECT_EQ(none.text, "resign");
  EXPECT_EQ(ParseEngineLine("info depth 6 score -24 pv h2e2 h9g7").info.score, -24);
  // Mate in two moves is mate in three plies; mated in two is after four.
  EXPECT_EQ(ParseEngineLine("info score mate 2", true).info.score, MateIn(3));
  EXPECT_EQ(ParseEngineLine("info score mate -2", true).info.score, MatedIn(4));
  EXPECT_EQ(ParseEngineLine("info score mate 3").info.score, MateIn(3));
}

TEST(EngineLine, ReadsWhatASearchSays) {
  const EngineInfo info =
      ParseEngineLine(
          "info depth 8 seldepth 10 multipv 2 score cp -182 lowerbound nodes 3005 "
          "nps 375625 time 8 pv 8c8d 2h7h")
          .info;
  EXPECT_EQ(info.multipv, 2);
  EXPECT_EQ(info.score, -182);
  EXPECT_EQ(info.nodes, 3005u);
  EXPECT_EQ(info.move, "8c8d");
  EXPECT_EQ(ParseEngineLine("info score mate 5").info.score, MateIn(5));
  EXPECT_EQ(ParseEngineLine("info score mate -4").info.score, MatedIn(4));
  EXPECT_EQ(ParseEngineLine("info score mate +").info.score, MateIn(kMaxPly));
  EXPECT_EQ(ParseEngineLine("info score mate -").info.score, MatedIn(kMaxPly));
  EXPECT_EQ(ParseEngineLine("info score cp 999999").info.score, 32767);
  EXPECT_EQ(ParseEngineLine("info score mate -99999").info.score, -30000);
}

TEST(EngineLine, LeavesOutWhatIsNoNumber) {
  const EngineInfo info =
      ParseEngineLine("info score cp nodes nodes -3 multipv x score mate ! score").info;
  EXPECT_EQ(info.score, std::nullopt);
  EXPECT_EQ(info.nodes, std::nullopt);
  EXPECT_EQ(info.multipv, 1);
  EXPECT_EQ(info.move, "");
  EXPECT_EQ(ParseEngineLine("info string score cp 5").info.score, std::nullopt);
}

TEST(EngineLine, ReadsAnswers) {
  EXPECT_EQ(ParseEngineLine("bestmove 7g7f ponder 3c3d").text, "7g7f");
  EXPECT_EQ(ParseEngineLine("bestmove resign").text, "resign");
  const EngineLine empty = ParseEngineLine("bestmove");
  EXPECT_EQ(empty.kind, Kind::kBestMove);
  EXPECT_EQ(empty.text, "");
}

TEST(EngineLine, TakesAnyBytes) {
  Rng rng(7);
  const char* const words[] = {"info ",        "score ",  "cp ",    "mate ",    "bestmove ",
                               "option name ", "pv ",     "nodes ", "multipv ", "-",
                               "99999999999 ", "id name "};
  for (int round = 0; round < 20'000; ++round) {
    std::string line;
    for (uint64_t i = rng.Below(12); i > 0; --i) {
      if (rng.Below(3) == 0) {
        line += static_cast<char>(rng.Below(256));
      } else {
        line += words[rng.Below(std::size(words))];
      }
    }
    const EngineLine parsed = ParseEngineLine(line);
    EXPECT_LE(parsed.text.size(), 200u);
    EXPECT_LE(std::abs(parsed.info.score.value_or(0)), 32767);
  }
}

TEST(LineBuffer, CutsLinesWhereverTheBytesEnd) {
  const std::string text = "one\r\n\ntwo\nthr";
  for (size_t cut = 0; cut <= text.size(); ++cut) {
    LineBuffer lines(100);
    lines.Add(text.substr(0, cut));
    lines.Add(text.substr(cut));
    EXPECT_EQ(lines.Next(), "one");
    EXPECT_EQ(lines.Next(), "");
    EXPECT_EQ(lines.Next(), "two");
    EXPECT_EQ(lines.Next(), std::nullopt);
    lines.Add("ee\n");
    EXPECT_EQ(lines.Next(), "three");
  }
}

TEST(LineBuffer, DropsTheRestOfALongLine) {
  LineBuffer lines(5);
  for (int i = 0; i < 1000; ++i) lines.Add("0123456789");
  lines.Add("\nnext\n");
  EXPECT_EQ(lines.Next(), "01234");
  EXPECT_EQ(lines.Next(), "next");
}

TEST(LineBuffer, IsFullOfSixteenLongLines) {
  LineBuffer lines(4);
  for (int i = 0; i < 15; ++i) lines.Add("abc\n");
  EXPECT_FALSE(lines.full());
  lines.Add("abc\n");
  EXPECT_TRUE(lines.full());
  lines.Next();
  EXPECT_FALSE(lines.full());
  lines.Add("a\nb");
  lines.Clear();
  EXPECT_EQ(lines.Next(), std::nullopt);
  lines.Add("c\n");
  EXPECT_EQ(lines.Next(), "bc") << "what has begun is kept";
  lines.Add("\n\n");
  EXPECT_FALSE(lines.full());
}

TEST(ByteTail, KeepsTheLast) {
  ByteTail tail(5);
  tail.Add("abc");
  EXPECT_EQ(tail.bytes(), "abc");
  tail.Add("def");
  EXPECT_EQ(tail.bytes(), "bcdef");
  tail.Add("0123456789");
  EXPECT_EQ(tail.bytes(), "56789");
}

}  // namespace
}  // namespace joseki::worker
