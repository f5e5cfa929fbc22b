// Dialogues of the loop and xiangqi's engine in UCCI and UCI. Tests independent of the protocol are
// in usi_loop_test.cc.
#include <array>
#include <regex>
#include <string>
#include <vector>

#include "base/rng.h"
#include "engine/search/options.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/engine/usi/dialogue.h"

namespace joseki::usi {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

// Red mates by b7b9.
constexpr char kMateInOne[] = "4k4/R8/1R7/9/9/9/9/9/9/3K5 w - - 0 1";
// Red is mated.
constexpr char kMated[] = "3k5/9/9/9/9/9/9/9/r8/1r2K4 w - - 0 1";

std::string InXiangqi(const std::string& input) { return AnswerOf(XiangqiMaker(), input); }
std::string InUcci(const std::string& input) {
  const std::string answer = InXiangqi("ucci\n" + input);
  return answer.substr(answer.find("ucciok\n") + 7);
}
std::string InUci(const std::string& input) {
  const std::string answer = InXiangqi("uci\n" + input);
  return answer.substr(answer.find("uciok\n") + 6);
}

// Replaces numbers that depend on the search or the machine by N.
std::string WithoutCounts(const std::string& text) {
  return std::regex_replace(text, std::regex("(seldepth|nodes|nps|time) [0-9]+"), "$1 N");
}

TEST(UcciLoop, ShakesHands) {
  const std::string answer = InXiangqi("ucci\nisready\nquit\n");
  EXPECT_THAT(answer, StartsWith("id name Joseki\nid author the Joseki authors\n"
                                 "option hashsize type spin min 1 max 32768 default 64\n"
                                 "option threads type spin min 1 max 256 default 1\n"
                                 "option ponder type check default false\n"
                                 "option PonderReplies type spin min 0 max 8 default 0\n"
                                 "option PonderMs type spin min 1 max 600000 default 5000\n"
                                 "option RepetitionRule type combo var asian var check var draw "
                                 "default asian\n"));
  EXPECT_THAT(answer, EndsWith("\noption usemillisec type check default true\n"
                               "option newgame type button\nucciok\nreadyok\nbye\n"));
  EXPECT_THAT(answer, Not(HasSubstr("option name")));
  EXPECT_THAT(answer, Not(HasSubstr("MultiPV")));
}

TEST(UciLoop, ShakesHands) {
  const std::string answer = InXiangqi("uci\nisready\nquit\n");
  EXPECT_THAT(answer,
              StartsWith("id name Joseki\nid author the Joseki authors\n"
                         "option name Hash type spin default 64 min 1 max 32768\n"
                         "option name MultiPV type spin default 1 min 1 max 116\n"
                         "option name Threads type spin default 1 min 1 max 256\n"
                         "option name Ponder type check default false\n"
                         "option name PonderReplies type spin default 0 min 0 max 8\n"
                         "option name PonderMs type spin default 5000 min 1 max 600000\n"
                         "option name RepetitionRule type combo default asian var asian var "
                         "check var draw\n"));
  EXPECT_THAT(answer, EndsWith("\noption name RanksFromOne type check default false\nuciok\n"
                               "readyok\n"));
}

TEST(UcciLoop, RepliesExactly) {
  EXPECT_EQ(WithoutCounts(InUcci("setoption hashsize 2\nposition fen " + std::string(kMateInOne) +
                                 "\ngo depth 1\n")),
            "info time N nodes N\ninfo depth 1 score 31999 pv b7b9\nbestmove b7b9\n");
  EXPECT_EQ(InUcci("position fen " + std::string(kMated) + "\ngo nodes 100\n"), "nobestmove\n");
}

TEST(UciLoop, RepliesExactly) {
  EXPECT_EQ(WithoutCounts(InUci("setoption name Hash value 2\nucinewgame\nposition fen " +
                                std::string(kMateInOne) + "\ngo depth 1\n")),
            "info depth 1 seldepth N score mate 1 nodes N nps N hashfull 0 time N pv b7b9\n"
            "bestmove b7b9\n");
  EXPECT_EQ(InUci("position fen " + std::string(kMated) + "\ngo nodes 100\n"), "bestmove (none)\n");
}

TEST(UcciLoop, AHandshakeOfAnotherProtocolChangesTheEngine) {
  Dialogue gui(AnyMaker());
  gui.Say("position startpos moves 7g7f");
  gui.Say("go nodes 50");
  EXPECT_NE(gui.Await("bestmove "), "") << "shogi needs no handshake";
  for (const auto& [word, ok, moves] : std::vector<std::array<std::string, 3>>{
           {"ucci", "ucciok", "h2e2"}, {"usi", "usiok", "7g7f"}, {"uci", "uciok", "h2e2"}}) {
    gui.Say(word);
    EXPECT_EQ(gui.Await(ok), ok);
    gui.Say("position startpos moves " + moves);
    gui.Say("go nodes 50");
    EXPECT_NE(gui.Await("bestmove "), "");
    for (const std::string& line : gui.passed) EXPECT_THAT(line, StartsWith("info ")) << line;
    for (const std::string& line : gui.passed) EXPECT_THAT(line, Not(HasSubstr("_move:"))) << line;
  }
}

TEST(UcciLoop, ASearchEndsAtAnotherProtocolsHandshake) {
  Dialogue gui(AnyMaker());
  gui.Say("ucci");
  gui.Say("position startpos");
  gui.Say("go infinite");
  EXPECT_NE(gui.Await("info depth 2 "), "");
  gui.Say("uci");
  EXPECT_EQ(gui.Await("uciok"), "uciok");
  for (const std::string& line : gui.passed) EXPECT_THAT(line, Not(StartsWith("bestmove")));
}

TEST(UcciLoop, PlaysNoBannedMoveUntilTheNextPosition) {
  const std::string position = "position fen " + std::string(kMateInOne) + "\n";
  EXPECT_THAT(InUcci(position + "banmoves b7b9\ngo depth 2\n"), Not(HasSubstr("bestmove b7b9")));
  EXPECT_THAT(InUcci(position + "banmoves b7b9\n" + position + "go depth 2\n"),
              HasSubstr("bestmove b7b9"));
  EXPECT_THAT(InUcci(position + "banmoves b7b9 a0a1\ngo depth 2\n"),
              StartsWith("info message illegal_move"));
  // All of them: a king with one move.
  EXPECT_EQ(InUcci("position fen 4k4/9/9/9/9/9/9/9/9/3K5 w - - 0 1\nbanmoves d0d1\ngo depth 3\n"),
            "nobestmove\n");
}

TEST(UciLoop, SearchesOnlyTheMovesItIsGiven) {
  EXPECT_THAT(InUci("position startpos\ngo depth 2 searchmoves a0a1\n"),
              HasSubstr("bestmove a0a1"));
}

TEST(UciLoop, CountsRanksFromOneIfAskedTo) {
  const std::string ranks = "setoption name RanksFromOne value true\n";
  const std::string position = "position fen " + std::string(kMateInOne) + "\n";
  const std::string answer = InUci(ranks + position + "go depth 1\n");
  EXPECT_THAT(answer, HasSubstr(" pv b8b10\n"));
  EXPECT_THAT(answer, HasSubstr("bestmove b8b10\n"));
  EXPECT_THAT(InUci(ranks + "position startpos moves h3e3 h10g8\ngo depth 1 searchmoves h1g3\n"),
              HasSubstr("bestmove h1g3\n"));
  EXPECT_THAT(InUci(ranks + "position startpos moves h2e2\n"), HasSubstr("illegal_move"));
  EXPECT_THAT(InUci("setoption name RanksFromOne value 1\nsetoption name RanksFromOne value 2\n"),
              StartsWith("info string bad_option"));
  EXPECT_THAT(InUcci("setoption RanksFromOne true\n"), HasSubstr("unknown_option"));
}

TEST(UciLoop, NamesAPonderMoveIfAskedTo) {
  EXPECT_THAT(InUci("setoption name Ponder value true\nposition startpos\ngo depth 4\n"),
              HasSubstr(" ponder "));
  EXPECT_THAT(InUcci("setoption ponder true\nposition startpos\ngo depth 4\n"),
              HasSubstr(" ponder "));
  EXPECT_THAT(InUcci("position startpos\ngo depth 4\n"), Not(HasSubstr(" ponder ")));
}

TEST(UciLoop, TellsSeveralLinesApart) {
  const std::string answer =
      InUci("setoption name MultiPV value 2\nposition startpos\ngo depth 3\n");
  EXPECT_THAT(answer, HasSubstr(" multipv 2 pv "));
  EXPECT_THAT(answer, Not(HasSubstr(" multipv 3 ")));
}

TEST(UciLoop, DeclaresEveryOptionOfTheSearchAndAnswersWhatIsOutOfRange) {
  const std::string declared = InXiangqi("uci\n");
  std::string input;
  for (const SearchOption& option : SearchOptionTable()) {
    EXPECT_THAT(declared, HasSubstr(std::string("\noption name ") + option.name + " type "));
    input += std::string("setoption name ") + option.name + " value " +
             std::to_string(option.most + 1) + "\n";
  }
  const std::string answer = InUci(input + "position startpos\ngo nodes 300\n");
  size_t complaints = 0;
  for (size_t at = 0; (at = answer.find("info string bad_option", at)) != std::string::npos; ++at) {
    ++complaints;
  }
  EXPECT_EQ(complaints, SearchOptionTable().size());
  EXPECT_THAT(answer, HasSubstr("bestmove ")) << "and carries on";
}

TEST(UciLoop, SearchesByTheRepetitionRuleOfItsOption) {
  // Red can only give perpetual check, and is mated otherwise.
  const std::string search = "position fen 4k4/R8/9/9/9/9/9/4p4/3p1p3/4K4 w - - 0 1\ngo depth 10\n";
  const auto value = [&](const std::string& rule) {
    const std::string answer = InUci("setoption name RepetitionRule value " + rule + "\n" + search);
    const size_t last = answer.rfind(" score cp ");
    const size_t mate = answer.rfind(" score mate ");
    if (mate != std::string::npos && (last == std::string::npos || mate > last)) return -30000;
    return std::stoi(answer.substr(last + 10));
  };
  EXPECT_LT(value("asian"), -1000);
  EXPECT_LT(value("check"), -1000);
  EXPECT_EQ(value("draw"), 0);
  EXPECT_THAT(InUci("setoption name RepetitionRule value league\n"),
              StartsWith("info string bad_option"));
}

TEST(UcciLoop, SurvivesBadInput) {
  const std::vector<std::string> bad = {"hello",
                                        "usinewgame",
                                        "position",
                                        "position nowhere",
                                        "position sfen 9/9 b - 1",
                                        "position fen 9/9 w - - 0 1",
                                        "position startpos moves h2h2",
                                        "position startpos moves h2e2 h2e2",
                                        "position startpos moves zz",
                                        "banmoves zz",
                                        "go nodes",
                                        "go time",
                                        "go wtime 1000",
                                        "go sideways",
                                        "setoption",
                                        "setoption hashsize 0",
                                        "setoption hashsize 99999999",
                                        "setoption hashsize",
                                        "setoption usemillisec false",
                                        "setoption Nothing 1",
                                        "ponderhit",
                                        std::string(1 << 20, 'x'),
                                        "position fen " + std::string(1 << 20, 'k'),
                                        "go " + std::string(1 << 20, '9'),
                                        std::string("\0\xff\x80", 3)};
  for (const std::string& line : bad) {
    const std::string answer = InUcci(line + "\nisready\n");
    EXPECT_THAT(answer, StartsWith("info message ")) << line.substr(0, 60);
    EXPECT_THAT(answer, EndsWith("\nreadyok\n")) << line.substr(0, 60);
    EXPECT_LT(answer.size(), 1000u) << "a long line is not repeated";
  }
}

TEST(UciLoop, ReadsAMegabyteOfMoves) {
  std::string line = "position startpos moves";
  for (int i = 0; i < 55000; ++i) line += " a0a1 a9a8 a1a0 a8a9";
  EXPECT_GT(line.size(), size_t{1} << 20);
  EXPECT_EQ(InUci(line + "\nisready\n"), "readyok\n");
}

TEST(UcciLoop, ThereIsNoMoveAfterAPositionThatWasRefused) {
  const std::string refused =
      "position fen " + std::string(kMateInOne) + "\nposition startpos moves a0a9\ngo depth 1\n";
  EXPECT_THAT(InUcci(refused), AllOf(HasSubstr("illegal_move"), HasSubstr("\nnobestmove\n")));
  EXPECT_THAT(InUci(refused), HasSubstr("\nbestmove (none)\n"));
}

TEST(UcciLoop, StaysResponsiveDuringASearch) {
  Dialogue gui(XiangqiMaker());
  gui.Say("ucci");
  gui.Say("position startpos");
  gui.Say("go depth infinite");
  EXPECT_NE(gui.Await("info depth 2 "), "");
  for (const char* line : {"go nodes 10", "setoption hashsize 8", "setoption newgame"}) {
    gui.Say(line);
    EXPECT_THAT(gui.Await("info message "), HasSubstr("during a search")) << line;
  }
  gui.Say("stop");
  EXPECT_NE(gui.Await("bestmove "), "");
  gui.Say("setoption newgame");
  gui.Say("go nodes 500");
  EXPECT_NE(gui.Await("bestmove "), "");
}

TEST(UcciLoop, PonderhitSearchesOnWithTheClock) {
  Dialogue gui(XiangqiMaker());
  gui.Say("ucci");
  gui.Say("position startpos moves h2e2");
  gui.Say("go ponder time 1000 movestogo 10");
  EXPECT_NE(gui.Await("info depth 3 "), "");
  gui.Say("ponderhit draw");
  EXPECT_NE(gui.Await("bestmove "), "");
}

TEST(UciLoop, KeepsToItsClock) {
  Dialogue gui(XiangqiMaker());
  gui.Say("uci");
  gui.Say("position startpos");
  gui.Say("go wtime 400 btime 100000 movestogo 1");
  EXPECT_NE(gui.Await("bestmove "), "");
  gui.Say("go movetime 20");
  EXPECT_NE(gui.Await("bestmove "), "");
}

TEST(UcciLoop, NewGamesAreDeterministic) {
  Dialogue gui(XiangqiMaker());
  gui.Say("ucci");
  std::vector<std::string> answers;
  for (int game = 0; game < 2; ++game) {
    gui.Say("setoption newgame");
    for (const char* moves : {"", " moves h2e2 h9g7", " moves h2e2 h9g7 h0g2 i9h9"}) {
      gui.Say(std::string("position startpos") + moves);
      gui.Say("go nodes 2000");
      answers.push_back(gui.Await("bestmove "));
    }
  }
  for (size_t i = 0; i < 3; ++i) EXPECT_EQ(answers[i], answers[i + 3]);
}

// Random sequences of valid and broken lines of all three protocols: the loop ends, and every
// output line is well formed.
TEST(UcciLoop, SurvivesRandomDialogues) {
  const std::vector<std::string> lines = {"usi",
                                          "uci",
                                          "ucci",
                                          "isready",
                                          "ucinewgame",
                                          "setoption newgame",
                                          "position startpos",
                                          "position startpos moves h2e2 h9g7",
                                          "position fen " + std::string(kMated),
                                          "position fen " + std::string(kMateInOne),
                                          "banmoves b7b9",
                                          "banmoves",
                                          "go nodes 50",
                                          "go depth 2",
                                          "go infinite",
                                          "go ponder nodes 20",
                                          "go mate 1",
                                          "go time 50",
                                          "go draw time 20 increment 1",
                                          "go",
                                          "stop",
                                          "ponderhit draw",
                                          "setoption hashsize 2",
                                          "setoption name Hash value 2",
                                          "setoption ponder true",
                                          "setoption RepetitionRule draw",
                                          "go nodes x",
                                          "???",
                                          ""};
  Rng rng(5);
  for (int round = 0; round < 60; ++round) {
    std::string input;
    for (int i = 0; i < 30; ++i) input += lines[rng.Below(lines.size())] + "\n";
    if (rng.Below(2) == 0) input += "quit\n";
    AnswerOf(AnyMaker(), input);
  }
}

}  // namespace
}  // namespace joseki::usi
