// The loop and shogi's engine, by dialogues in USI.
#include <atomic>
#include <fstream>
#include <memory>
#include <regex>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/rng.h"
#include "engine/search/options.h"
#include "engine/shogi/eval/network.h"
#include "engine/shogi/eval/options.h"
#include "engine/shogi/types.h"
#include "gtest/gtest.h"
#include "tests/engine/usi/dialogue.h"
#include "tests/support/address_limit.h"
#include "tests/support/temp_folder.h"

namespace joseki::usi {
namespace {

// The loop's answer to all of `input` at once.
std::string Answer(const std::string& input) { return AnswerOf(ShogiMaker(), input); }

// A loop with an engine whose books are as given.
std::string AnswerWith(ShogiBooks books, const std::string& input) {
  return AnswerOf(ShogiMaker(std::move(books)), input);
}

TEST(UsiLoop, KeepsItsTableWhereThereIsNoMemoryForAnother) {
  if (!joseki::testing::AddressLimit::kLeavesRoom)
    GTEST_SKIP() << "a sanitizer needs the addresses";
  const joseki::testing::AddressLimit limit;
  const std::string answer =
      Answer("setoption name USI_Hash value 32768\nisready\nposition startpos\ngo nodes 100\n");
  EXPECT_TRUE(Contains(answer, "info string USI_Hash: no_memory: found a table of 32768 MiB"))
      << answer;
  EXPECT_TRUE(Contains(answer, "readyok")) << answer;
  EXPECT_TRUE(Contains(answer, "bestmove ")) << answer;
}

TEST(UsiLoop, ShakesHands) {
  const std::string answer = Answer("usi\nisready\n");
  EXPECT_EQ(answer.rfind("id name ", 0), 0u) << answer;
  EXPECT_TRUE(Contains(answer, "\nid author "));
  EXPECT_TRUE(Contains(answer, "\noption name USI_Hash type spin default 64 min 1 max 32768\n"));
  EXPECT_TRUE(Contains(answer, "\noption name USI_Ponder type check default false\n"));
  EXPECT_TRUE(Contains(answer, "\noption name PonderReplies type spin default 0 min 0 max 8\n"));
  EXPECT_TRUE(Contains(answer, "\nusiok\nreadyok\n"));
}

// Speaks for 9g9f at the start, as long as the game is young.
class EdgeBook : public ExtendedBookPort {
 public:
  absl::Status Open(const std::string& /*file*/) override { return absl::OkStatus(); }
  bool Fade(const ExtendedBookOptions& options, int ply) override { return ply < options.plies; }
  size_t At(const shogi::Position& position, std::span<Favour> favours) const override {
    if (position.key() != shogi::Position().key()) return 0;
    favours[0] = {Move::Board(shogi::MakeSquare(9, 7), shogi::MakeSquare(9, 6)), 500};
    return 1;
  }
};

TEST(UsiLoop, TakesBonusesOfAnExtendedBookIntoItsSearch) {
  const std::string answer =
      AnswerWith({.extended = std::make_unique<EdgeBook>()}, "usi\ngo nodes 3000\n");
  EXPECT_TRUE(Contains(answer, "\noption name ExtendedBook type filename default no_book\n"));
  EXPECT_TRUE(
      Contains(answer, "\noption name ExtendedBookPlies type spin default 60 min 1 max 1000\n"));
  EXPECT_TRUE(Contains(answer, "\nbestmove 9g9f")) << answer;
}

// Counts how often it is asked, from whatever thread.
class AskedBook : public PartialBookPort {
 public:
  AskedBook(std::atomic<int>& asked, bool empty) : asked_(asked), empty_(empty) {}
  absl::Status Open(const std::string& file) override {
    return file == "none" ? absl::NotFoundError("no such file") : absl::OkStatus();
  }
  bool empty() const override { return empty_; }
  size_t At(const shogi::Position& /*position*/, std::span<Move> /*moves*/) const override {
    ++asked_;
    return 0;
  }

 private:
  std::atomic<int>& asked_;
  bool empty_;
};

TEST(UsiLoop, AsksAPartialBookInItsNodesIfThereIsOne) {
  for (const bool empty : {false, true}) {
    std::atomic<int> asked = 0;
    const std::string answer = AnswerWith(
        {.partial = std::make_unique<AskedBook>(asked, empty)},
        "usi\nsetoption name PartialBook value none\nsetoption name PartialBook value F\n"
        "go nodes 3000\n");
    EXPECT_TRUE(Contains(answer, "\noption name PartialBook type filename default no_book\n"));
    EXPECT_TRUE(Contains(answer, "info string no such file\n"));
    EXPECT_EQ(asked > 10, !empty);
    EXPECT_TRUE(Contains(answer, "\nbestmove "));
  }
}

TEST(UsiLoop, SearchesUnderANodeLimitAndGoesBeforeIsready) {
  const std::string answer = Answer("position startpos moves 7g7f 3c3d\ngo nodes 3000\n");
  EXPECT_TRUE(Contains(answer, "info depth 1 seldepth "));
  EXPECT_TRUE(Contains(answer, " score cp "));
  EXPECT_TRUE(Contains(answer, " hashfull "));
  EXPECT_TRUE(Contains(answer, " pv "));
  EXPECT_TRUE(Contains(answer, "\nbestmove "));
  EXPECT_FALSE(Contains(answer, " ponder ")) << "not asked for";
}

// The last report is of the whole search, though its nodes end within an iteration.
TEST(UsiLoop, ReportsWhatItAnswers) {
  for (const int nodes : {40, 500, 3000, 10'000}) {
    for (const char* const moves : {"", " moves 7g7f", " moves 7g7f 3c3d 2g2f 8c8d 2f2e 8d8e"}) {
      const std::string answer =
          Answer(absl::StrCat("position startpos", moves, "\ngo nodes ", nodes, "\n"));
      const std::string last = answer.substr(answer.rfind("info depth"));
      EXPECT_TRUE(Contains(last, absl::StrCat(" nodes ", nodes, " "))) << last;
      const std::string best = last.substr(last.find("bestmove ") + 9, 4);
      EXPECT_TRUE(Contains(last, absl::StrCat(" pv ", best))) << last;
    }
  }
}

TEST(UsiLoop, NamesAPonderMoveIfAskedTo) {
  EXPECT_TRUE(Contains(
      Answer("setoption name USI_Ponder value true\nposition startpos\ngo depth 4\n"), " ponder "));
}

TEST(UsiLoop, AnswersMateHonestly) {
  EXPECT_EQ(Answer("position startpos\ngo mate 60000\n"), "checkmate nomate\n");
  EXPECT_EQ(Answer("position sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1\ngo mate 60000\n"),
            "checkmate G*5b\n");
  EXPECT_TRUE(Contains(Answer("go mate 0\n"), "info string "));
  EXPECT_TRUE(Contains(Answer("go depth 3 mate 100\n"), "info string "));
  EXPECT_TRUE(Contains(Answer("go mate 100 200\n"), "info string "));
}

TEST(UsiLoop, AnswersMateInfiniteOnceItIsKnownAndStopWithTimeout) {
  Dialogue dialogue(ShogiMaker());
  dialogue.Say("position sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1");
  dialogue.Say("go mate infinite");
  EXPECT_EQ(dialogue.Await("checkmate"), "checkmate G*5b");
  // Takes millions of nodes.
  dialogue.Say("position sfen 9/9/9/9/4k4/9/9/9/4K4 b 2R2B4g4s4n4l18p 1");
  dialogue.Say("go mate infinite");
  dialogue.Say("stop");
  EXPECT_EQ(dialogue.Await("checkmate"), "checkmate timeout");
}

TEST(UsiLoop, LooksForMatesNearTheHorizonIfAskedTo) {
  EXPECT_TRUE(
      Contains(Answer("usi\n"), "\noption name Mate_Nodes type spin default 0 min 0 max 100000\n"));
  const std::string answer =
      Answer("setoption name Mate_Nodes value 50\nposition startpos\ngo nodes 2000\n");
  EXPECT_TRUE(Contains(answer, "bestmove ")) << answer;
}

TEST(UsiLoop, SearchesByAsManyThreadsAsItIsTold) {
  EXPECT_TRUE(
      Contains(Answer("usi\n"), "\noption name Threads type spin default 1 min 1 max 256\n"));
  const std::string answer = Answer(
      "setoption name Threads value 3\nsetoption name USI_Hash value 2\nposition startpos\n"
      "go nodes 3000\nsetoption name Threads value 0\n");
  EXPECT_TRUE(Contains(answer, "bestmove ")) << answer;
  EXPECT_TRUE(Contains(answer, "info string ")) << answer;
}

TEST(UsiLoop, DeclaresEveryOptionOfTheEngineAndAnswersWhatIsOutOfRange) {
  const std::string declared = Answer("usi\n");
  std::string input;
  const auto exceed = [&](const auto& table) {
    for (const auto& option : table) {
      EXPECT_TRUE(Contains(declared, std::string("\noption name ") + option.name + " type " +
                                         (option.is_switch() ? "check " : "spin ")))
          << option.name;
      input += std::string("setoption name ") + option.name + " value " +
               std::to_string(option.most + 1) + "\n";
    }
    return table.size();
  };
  const size_t options = exceed(shogi::EvaluationOptionTable()) + exceed(SearchOptionTable());
  const std::string answer = Answer(input + "position startpos\ngo nodes 300\n");
  size_t complaints = 0;
  for (size_t at = 0; (at = answer.find("info string ", at)) != std::string::npos; ++at) {
    ++complaints;
  }
  EXPECT_EQ(complaints, options);
  EXPECT_TRUE(Contains(answer, "bestmove ")) << "and carries on";
}

TEST(UsiLoop, EvaluatesByTheWeightsItIsGivenAndRefusesUnsoundOnesByName) {
  const testing::TempFolder folder;
  shogi::Weights hopeful;  // the plain evaluation and five pawns more
  hopeful.plain.fill(shogi::kPlainUnit);
  hopeful.bias.fill(500 * shogi::kUnit * shogi::kOutputUnit / shogi::kOutputPoints);
  const std::string sound = shogi::WriteWeights(hopeful);
  auto file = [&](const std::string& name, const std::string& bytes) {
    std::ofstream(folder / name, std::ios::binary) << bytes;
    return folder / name;
  };
  std::string version = sound;
  version[8] = static_cast<char>(version[8] + 1);
  std::string flipped = sound;
  flipped.back() = static_cast<char>(flipped.back() ^ 1);
  // To the same depth the same nodes, moves and scores; how fast is the machine's affair.
  auto found = [](const std::string& answer) {
    return std::regex_replace(answer, std::regex(" (nps|time) [0-9]+"), "");
  };
  const std::string search = "usinewgame\nposition startpos\ngo nodes 500\n";
  const std::string learned = "setoption name LearnedEvaluation value true\n";
  auto use = [](const std::string& path) {
    return "setoption name WeightsFile value " + path + "\n";
  };

  const std::string built_in = found(Answer(learned + search));
  const std::string other = found(Answer(learned + use(file("sound", sound)) + search));
  EXPECT_NE(other, built_in);
  EXPECT_EQ(found(Answer(learned + use(folder / "sound") + use("built_in") + search)), built_in);
  for (const auto& [name, bytes, word] :
       {std::tuple{"cut", sound.substr(0, sound.size() - 1), "weights_truncated"},
        std::tuple{"version", version, "weights_version"},
        std::tuple{"sum", flipped, "weights_checksum"},
        std::tuple{"text", std::string("no weights"), "bad_weights"}}) {
    const std::string path = file(name, bytes);
    const std::string answer = Answer(learned + use(folder / "sound") + use(path) + search);
    EXPECT_TRUE(Contains(answer, "info string " + path)) << answer;
    EXPECT_TRUE(Contains(answer, word)) << answer;
    // The previous weights stay.
    EXPECT_EQ(found(answer.substr(answer.find('\n') + 1)), other);
  }
  EXPECT_TRUE(Contains(Answer(use(folder / "none")), (folder / "none").c_str()));
}

TEST(UsiLoop, TellsSeveralLinesApart) {
  const std::string answer =
      Answer("setoption name MultiPV value 3\nposition startpos\ngo depth 3\n");
  for (const char* line : {" multipv 1 pv ", " multipv 2 pv ", " multipv 3 pv "}) {
    EXPECT_TRUE(Contains(answer, line)) << answer;
  }
  EXPECT_FALSE(Contains(answer, " multipv 4 ")) << answer;
  EXPECT_FALSE(Contains(Answer("position startpos\ngo depth 2\n"), "multipv"));
}

TEST(UsiLoop, ReportsAMate) {
  const std::string answer = Answer("position sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1\ngo depth 3\n");
  EXPECT_TRUE(Contains(answer, "score mate 1 ")) << answer;
  EXPECT_TRUE(Contains(answer, "bestmove G*5b")) << answer;
}

TEST(UsiLoop, ResignsWithoutALegalMoveAndDeclaresAWin) {
  EXPECT_EQ(Answer("position sfen k8/GR7/9/9/9/9/9/9/8K w - 1\ngo nodes 100\n"),
            "bestmove resign\n");
  EXPECT_EQ(Answer("position sfen KGGSS+N+N+L+L/RB7/9/9/9/9/9/9/4k4 b RB7P 1\ngo nodes 100\n"),
            "bestmove win\n");
}

TEST(UsiLoop, SearchesOnlyTheMovesItIsGiven) {
  EXPECT_TRUE(
      Contains(Answer("position startpos\ngo depth 2 searchmoves 9g9f\n"), "bestmove 9g9f\n"));
}

TEST(UsiLoop, AnswersBadInputAndCarriesOn) {
  const std::vector<std::string> bad = {"hello",
                                        "position",
                                        "position nowhere",
                                        "position sfen 9/9 b - 1",
                                        "position startpos moves 7g7e",
                                        "position startpos moves 7g7f 7g7f",
                                        "position startpos moves zz",
                                        "go nodes",
                                        "go nodes -3",
                                        "go sideways",
                                        "go searchmoves 9a9b",
                                        "setoption",
                                        "setoption name USI_Hash value 0",
                                        "setoption name USI_Hash value 99999999",
                                        "setoption name USI_Hash",
                                        "setoption name Nothing value 1",
                                        "ponderhit",
                                        std::string(1 << 20, 'x'),
                                        "position sfen " + std::string(1 << 20, 'k'),
                                        "go " + std::string(1 << 20, '9'),
                                        std::string("\0\xff\x80", 3)};
  for (const std::string& line : bad) {
    const std::string answer = Answer(line + "\nisready\n");
    EXPECT_EQ(answer.rfind("info string ", 0), 0u) << line.substr(0, 60) << ": " << answer;
    EXPECT_TRUE(Contains(answer, "\nreadyok\n")) << line.substr(0, 60);
    EXPECT_LT(answer.size(), 1000u) << "a long line is not repeated";
  }
}

TEST(UsiLoop, AMegabyteOfMovesIsNoTrouble) {
  std::string line = "position startpos moves";
  for (int i = 0; i < 27000; ++i) line += " 2h3h 8b7b 3h2h 7b8b 5i5h 5a5b 5h5i 5b5a";
  EXPECT_GT(line.size(), size_t{1} << 20);
  EXPECT_EQ(Answer(line + "\nisready\n"), "readyok\n");
}

// A move of the position before could be illegal on the GUI's board.
TEST(UsiLoop, ThereIsNoMoveAfterAPositionThatWasRefused) {
  const std::string mate = "position sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1\n";
  const std::string refused = mate + "position startpos moves 9a9b\n";
  const std::string answer = Answer(refused + "go depth 1\n");
  EXPECT_TRUE(Contains(answer, "illegal_move")) << answer;
  EXPECT_TRUE(Contains(answer, "bestmove resign\n")) << answer;
  EXPECT_FALSE(Contains(answer, "G*5b")) << answer;
  EXPECT_TRUE(Contains(Answer(refused + "go mate 100\n"), "\ncheckmate timeout\n"));
  EXPECT_TRUE(Contains(Answer(refused + mate + "go depth 1\n"), "bestmove G*5b"));
}

TEST(UsiLoop, ARefusedGoIsAnswered) {
  for (const char* const go : {"go nodes x", "go sideways", "go searchmoves 9a9b", "go byoyomi"}) {
    EXPECT_TRUE(Contains(Answer(std::string(go) + "\n"), "\nbestmove resign\n")) << go;
  }
  EXPECT_TRUE(Contains(Answer("go mate 0\n"), "\ncheckmate timeout\n"));
  const std::string answer = Answer("go soon 3 depth 2\n");
  EXPECT_TRUE(Contains(answer, "info string go: passed over 'soon 3'\n")) << answer;
  EXPECT_TRUE(Contains(answer, "\nbestmove ")) << answer;
}

TEST(UsiLoop, StopEndsAnInfiniteSearch) {
  Dialogue gui(ShogiMaker());
  gui.Say("position startpos");
  gui.Say("go infinite");
  EXPECT_NE(gui.Await("info depth 3 "), "");
  gui.Say("stop");
  EXPECT_NE(gui.Await("bestmove "), "");
}

TEST(UsiLoop, AnInfiniteSearchThatIsDoneWaitsForStop) {
  Dialogue gui(ShogiMaker());
  gui.Say("position sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1");
  gui.Say("go infinite");
  EXPECT_NE(gui.Await("info depth 1 "), "");
  gui.Say("isready");
  EXPECT_EQ(gui.Await("readyok"), "readyok");
  for (const std::string& line : gui.passed) EXPECT_NE(line.rfind("bestmove", 0), 0u) << line;
  gui.Say("stop");
  EXPECT_EQ(gui.Await("bestmove ").rfind("bestmove G*5b", 0), 0u);
}

TEST(UsiLoop, StaysResponsiveAndRefusesWhatMustWait) {
  Dialogue gui(ShogiMaker());
  gui.Say("position startpos");
  gui.Say("go infinite");
  gui.Await("info depth 2 ");
  for (const char* line : {"go nodes 10", "setoption name USI_Hash value 8", "usinewgame"}) {
    gui.Say(line);
    EXPECT_TRUE(Contains(gui.Await("info string "), "during a search")) << line;
  }
  gui.Say("stop");
  gui.Await("bestmove ");
  gui.Say("usinewgame");
  gui.Say("setoption name USI_Hash value 8");
  gui.Say("go nodes 500");
  EXPECT_NE(gui.Await("bestmove "), "");
}

TEST(UsiLoop, PonderhitSearchesOnWithTheClock) {
  Dialogue gui(ShogiMaker());
  gui.Say("position startpos moves 7g7f");
  gui.Say("go ponder btime 1000 wtime 1000 byoyomi 0");
  EXPECT_NE(gui.Await("info depth 3 "), "");
  gui.Say("ponderhit");
  EXPECT_NE(gui.Await("bestmove "), "");
}

TEST(UsiLoop, APonderSearchIsStoppedWithAnAnswer) {
  Dialogue gui(ShogiMaker());
  gui.Say("position startpos moves 7g7f");
  gui.Say("go ponder btime 1000 wtime 1000 byoyomi 1000");
  gui.Await("info depth 2 ");
  gui.Say("stop");
  EXPECT_NE(gui.Await("bestmove "), "");
}

TEST(UsiLoop, PondersOnFurtherReplies) {
  Dialogue gui(ShogiMaker());
  const std::string said = "info string pondering on ";
  gui.Say("setoption name PonderReplies value 2");
  gui.Say("setoption name PonderMs value 600000");
  gui.Say("position startpos moves 7g7f 3c3d");
  gui.Say("go ponder depth 6");  // without a clock, so that the searches are always the same
  const std::string first = gui.Await(said).substr(said.size());
  EXPECT_FALSE(gui.passed.empty()) << "the expected one before";
  const std::string second = gui.Await(said).substr(said.size());
  EXPECT_TRUE(gui.passed.empty()) << "lines of other positions are not shown";
  EXPECT_EQ(std::set<std::string>({"3c3d", first, second}).size(), 3u);
  EXPECT_NE(gui.Await("info depth 4 "), "") << "the expected one has the rest";
  for (const std::string& line : gui.passed) EXPECT_FALSE(Contains(line, "pondering")) << line;
  gui.Say("stop");
  gui.Await("bestmove ");
  // The table knows these replies: the same searches in a new game need more nodes. That holds
  // where they go deeper than pondering did.
  const auto nodes = [&](const std::string& reply) {
    gui.Say("position startpos moves 7g7f " + reply);
    gui.Say("go depth 8");
    const std::string line = gui.Await("info depth 8 ");
    gui.Await("bestmove ");
    return std::stoll(line.substr(line.find(" nodes ") + 7));
  };
  const long long known = nodes(first) + nodes(second);
  gui.Say("usinewgame");
  const long long fresh = nodes(first) + nodes(second);
  EXPECT_LT(known, fresh);
}

TEST(UsiLoop, PondersOnOneReplyWithoutTheOption) {
  Dialogue gui(ShogiMaker());
  gui.Say("setoption name PonderMs value 1");
  gui.Say("position startpos moves 7g7f 3c3d");
  gui.Say("go ponder btime 600000 wtime 600000 byoyomi 0");
  EXPECT_NE(gui.Await("info depth 6 "), "");
  for (const std::string& line : gui.passed) EXPECT_FALSE(Contains(line, "pondering")) << line;
  gui.Say("stop");
  gui.Await("bestmove ");
}

TEST(UsiLoop, KeepsToByoyomiAndMovetime) {
  Dialogue gui(ShogiMaker());
  gui.Say("position startpos");
  gui.Say("go btime 0 wtime 0 byoyomi 200");
  EXPECT_NE(gui.Await("bestmove "), "");
  gui.Say("go movetime 20");
  EXPECT_NE(gui.Await("bestmove "), "");
}

TEST(UsiLoop, QuitAndGameoverEndASearchWithoutAnswer) {
  EXPECT_FALSE(Contains(Answer("position startpos\ngo infinite\nquit\n"), "bestmove"));
  const std::string answer = Answer("position startpos\ngo infinite\ngameover win\nisready\n");
  EXPECT_FALSE(Contains(answer, "bestmove"));
  EXPECT_TRUE(Contains(answer, "readyok"));
}

TEST(UsiLoop, TheEndOfTheInputEndsAnInfiniteSearch) {
  EXPECT_TRUE(Contains(Answer("position startpos\ngo infinite\n"), "bestmove "));
}

TEST(UsiLoop, NewGamesAreTheSame) {
  Dialogue gui(ShogiMaker());
  std::vector<std::string> answers;
  for (int game = 0; game < 2; ++game) {
    gui.Say("usinewgame");
    for (const char* moves : {"", " moves 7g7f 3c3d", " moves 7g7f 3c3d 2g2f 8c8d"}) {
      gui.Say(std::string("position startpos") + moves);
      gui.Say("go nodes 2000");
      answers.push_back(gui.Await("bestmove "));
    }
  }
  for (size_t i = 0; i < 3; ++i) EXPECT_EQ(answers[i], answers[i + 3]);
}

// Random sequences of valid and broken lines: the loop ends, and every output line is well formed.
TEST(UsiLoop, SurvivesRandomDialogues) {
  const std::vector<std::string> lines = {"usi",
                                          "isready",
                                          "usinewgame",
                                          "position startpos",
                                          "position startpos moves 7g7f 3c3d 8h2b+",
                                          "position sfen k8/GR7/9/9/9/9/9/9/8K w - 1",
                                          "position startpos moves 7g7f 7g7f",
                                          "go nodes 50",
                                          "go depth 2",
                                          "go infinite",
                                          "go ponder nodes 20",
                                          "go mate 10",
                                          "go",
                                          "stop",
                                          "ponderhit",
                                          "gameover lose",
                                          "setoption name USI_Hash value 1",
                                          "setoption name USI_Hash value 2",
                                          "setoption name USI_Ponder value true",
                                          "go nodes x",
                                          "???",
                                          ""};
  Rng rng(4);
  for (int round = 0; round < 60; ++round) {
    std::string input;
    for (int i = 0; i < 30; ++i) input += lines[rng.Below(lines.size())] + "\n";
    if (rng.Below(2) == 0) input += "quit\n";
    Answer(input);
  }
}

}  // namespace
}  // namespace joseki::usi
