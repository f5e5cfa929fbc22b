#include "worker/play/usi/usi_player.h"

#include <algorithm>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/file.h"
#include "base/problem.h"
#include "engine/core/value.h"
#include "engine/shogi/shogi_rules.h"
#include "engine/xiangqi/xiangqi_rules.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/temp_folder.h"
#include "tests/worker/mock.h"
#include "worker/play/referee.h"

namespace joseki::worker {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

PlaySpec Spec() {
  PlaySpec spec;
  spec.engine_id = "mock";
  spec.nodes = 10;
  spec.match.max_plies = 12;
  spec.keep_scores = true;
  return spec;
}

Slot StartSlot() {
  Slot slot;
  slot.start = "startpos";
  slot.line = {*shogi::ShogiRules().MoveOf("7g7f"), *shogi::ShogiRules().MoveOf("3c3d")};
  slot.seed = 3;
  return slot;
}

RefereedGame Play(UsiPlayer& player, const Slot& slot = StartSlot()) {
  return PlayGame(shogi::ShogiRules(), Spec(), slot, player, [](int) { return true; });
}

TEST(UsiPlayer, PlaysAGame) {
  UsiPlayer player(MockEntry(), {}, shogi::ShogiRules());
  const RefereedGame game = Play(player);
  EXPECT_EQ(game.ending, (Ending{Result::kDraw, Termination::kMaxPlies})) << game.fault;
  EXPECT_EQ(game.moves.size(), 12u);
  EXPECT_EQ(game.nodes, 100u);
  EXPECT_EQ(game.scores, std::vector<int16_t>(10, 7));
  EXPECT_EQ(player.name(), "Mock 1");
  EXPECT_EQ(Play(player).moves, game.moves) << "and another one";
  EXPECT_GT(player.thought(), absl::ZeroDuration());
}

// An engine of UCCI that offers `options` and writes what it is told to `log`.
EngineEntry UcciEntry(const joseki::testing::TempFolder& folder, const std::string& options) {
  EngineEntry entry = MockEntry();
  const std::string script = folder / "ucci.sh";
  EXPECT_TRUE(WriteFileAtomically(script, absl::StrCat("while read -r line; do\n"
                                                       "echo \"$line\" >>",
                                                       folder / "log",
                                                       "\n"
                                                       "case $line in\n"
                                                       "ucci) echo '",
                                                       options,
                                                       "'; echo ucciok ;;\n"
                                                       "isready) echo readyok ;;\n"
                                                       "go*) echo bestmove h2e2 ;;\n"
                                                       "quit) exit ;;\n"
                                                       "esac\n"
                                                       "done\n"))
                  .ok());
  entry.arguments = {"/bin/sh", script};
  entry.dialect = *BuiltInDialect("elephanteye");
  return entry;
}

TEST(UsiPlayer, TellsAnEngineOfUcciOfEachGameAndOfItsClock) {
  const joseki::testing::TempFolder folder;
  const std::string options =
      "option usemillisec type check default false\noption newgame type button";
  UsiPlayer player(UcciEntry(folder, options), {}, xiangqi::XiangqiRules());
  for (int game = 0; game < 2; ++game) {
    ASSERT_TRUE(player.NewGame(1).ok());
    ASSERT_TRUE(player.Choose({}, {.move_ms = 1500}).ok());
  }
  const std::vector<std::string> told = absl::StrSplit(ReadFile(folder / "log").value(), '\n');
  EXPECT_EQ(std::count(told.begin(), told.end(), "setoption usemillisec true"), 1);
  EXPECT_EQ(std::count(told.begin(), told.end(), "setoption newgame"), 2);
  EXPECT_EQ(std::count(told.begin(), told.end(), "go time 1500 movestogo 1"), 2);
}

TEST(UsiPlayer, TellsAnEngineOfUcciWithoutMillisecondsTheSeconds) {
  const joseki::testing::TempFolder folder;
  UsiPlayer player(UcciEntry(folder, ""), {}, xiangqi::XiangqiRules());
  ASSERT_TRUE(player.NewGame(1).ok());
  ASSERT_TRUE(player.Choose({}, {.move_ms = 1500}).ok());
  const std::string told = ReadFile(folder / "log").value();
  EXPECT_THAT(told, HasSubstr("\ngo time 2 movestogo 1\n"));
  EXPECT_THAT(told, Not(HasSubstr("setoption newgame")));
}

TEST(UsiPlayer, WritesAndReadsDropsAsTheEngineDoes) {
  EngineEntry entry = MockEntry("at-drops");
  entry.dialect.drop_sign = '@';
  UsiPlayer player(entry, {}, shogi::ShogiRules());
  Slot slot = StartSlot();
  for (const char* const move : {"8h2b+", "3a2b"})
    slot.line.push_back(*shogi::ShogiRules().MoveOf(move));
  const RefereedGame game = Play(player, slot);
  EXPECT_EQ(game.ending, (Ending{Result::kDraw, Termination::kMaxPlies})) << game.fault;
  ASSERT_EQ(game.moves.size(), 12u);
  EXPECT_EQ(shogi::ShogiRules().Text(game.moves[4]).substr(0, 2), "B*");
  EXPECT_EQ(shogi::ShogiRules().Text(game.moves[5]).substr(0, 2), "B*");
}

// The referee's verdict on a fault at the sixth ply. The engine is restarted, and the next game is
// unaffected.
TEST(UsiPlayer, EveryMisbehaviourHasItsEnd) {
  const struct {
    const char* fault;
    Termination termination;
    const char* text;
    bool impatient = false;
  } cases[] = {
      {"", Termination::kMaxPlies, ""},
      {"late", Termination::kMaxPlies, ""},
      {"garbage", Termination::kMaxPlies, ""},
      {"huge-line", Termination::kMaxPlies, ""},
      {"stderr", Termination::kMaxPlies, ""},
      {"illegal", Termination::kIllegalMove, "illegal move"},
      {"empty", Termination::kIllegalMove, "bestmove"},
      {"word", Termination::kIllegalMove, "(none)"},
      {"resign", Termination::kResign, ""},
      {"win", Termination::kIllegalMove, "declared a win"},
      {"crash", Termination::kCrash, "signal 6"},
      {"exit", Termination::kCrash, "out of ideas"},
      {"close-stdout", Termination::kCrash, "killed by us"},
      {"two-bestmoves", Termination::kCrash, "unasked"},
      {"talks-on", Termination::kCrash, "lines unasked"},
      {"stall", Termination::kStall, "deadline", true},
      {"after-stop", Termination::kStall, "deadline", true},
      {"deaf", Termination::kStall, "deadline", true},
      {"flood", Termination::kStall, "deadline", true},
      {"no-readyok", Termination::kStall, "deadline", true},
      {"no-usiok", Termination::kStall, "deadline", true},
  };
  for (const auto& test : cases) {
    SCOPED_TRACE(test.fault);
    // Only the replies that never come may be waited for in vain: the first one, after the line.
    const size_t ply = test.impatient ? 2 : 6;
    EngineEntry entry = MockEntry(test.fault, static_cast<int>(ply));
    const bool starts = std::string(test.fault).substr(0, 3) != "no-";
    if (test.impatient) entry.reply_limit = absl::Milliseconds(100);
    if (!starts) entry.start_limit = absl::Milliseconds(100);
    UsiPlayer player(entry, {}, shogi::ShogiRules());
    for (int game = 0; game < 2; ++game) {
      const RefereedGame record = Play(player);
      EXPECT_EQ(record.ending.termination, test.termination) << record.fault;
      EXPECT_THAT(record.fault, HasSubstr(test.text));
      EXPECT_EQ(record.moves.size() >= ply, starts);
    }
  }
}

TEST(UsiPlayer, ComesBackFromAnEngineThatIsNotThere) {
  EngineEntry entry = MockEntry();
  entry.arguments[0] = "/no/such/engine";
  UsiPlayer player(entry, {}, shogi::ShogiRules());
  EXPECT_FALSE(player.Start().ok());
  EXPECT_EQ(Play(player).ending.termination, Termination::kCrash);
}

TEST(UsiPlayer, StopEndsASearchAndTheNextGameIsPlayed) {
  UsiPlayer player(MockEntry("after-stop", 3), {}, shogi::ShogiRules());
  ASSERT_TRUE(player.Start().ok());
  const RefereedGame game =
      PlayGame(shogi::ShogiRules(), Spec(), StartSlot(), player, [&](int plies) {
        // Before the search that never answers; what comes before the game is not the game's.
        if (plies == 3) std::thread([&] { player.Stop(); }).join();
        return true;
      });
  EXPECT_EQ(game.ending.termination, Termination::kInterrupted);
  Slot slot = StartSlot();
  slot.line.resize(1);
  ASSERT_TRUE(player.NewGame(1).ok());
  const std::vector<Move> moves = slot.line;
  EXPECT_TRUE(player.Choose({"startpos", moves}, {.nodes = 10}).ok());
}

TEST(UsiPlayer, StopDuringASearchCancelsIt) {
  UsiPlayer player(MockEntry("stall"), {}, shogi::ShogiRules());
  ASSERT_TRUE(player.NewGame(1).ok());
  absl::Status status;
  std::thread thread([&] { status = player.Choose({"startpos", {}}, {.nodes = 10}).status(); });
  player.Stop();
  thread.join();
  EXPECT_TRUE(absl::IsCancelled(status)) << status;
}

TEST(UsiPlayer, StopDuringTheStartCancelsIt) {
  UsiPlayer player(MockEntry("no-usiok"), {}, shogi::ShogiRules());
  absl::Status status;
  std::thread thread([&] { status = player.Start(); });
  player.Stop();
  thread.join();
  EXPECT_TRUE(absl::IsCancelled(status)) << status;
}

TEST(UsiPlayer, EndsWhoDoesNotQuit) {
  for (const char* fault : {"ignore-quit", "child"}) {
    UsiPlayer player(MockEntry(fault), {}, shogi::ShogiRules());
    EXPECT_EQ(Play(player).ending.termination, Termination::kMaxPlies);
  }  // and the test ends
}

std::vector<Move> MovesOf(std::initializer_list<const char*> texts) {
  std::vector<Move> moves;
  for (const char* const text : texts) moves.push_back(*shogi::ShogiRules().MoveOf(text));
  return moves;
}

TEST(UsiPlayer, ExcludesMovesInEveryWay) {
  using Exclusion = Dialect::Exclusion;
  for (const Exclusion how : {Exclusion::kSearchMoves, Exclusion::kMultiPv, Exclusion::kEach}) {
    EngineEntry entry = MockEntry();
    entry.dialect.exclusion = how;
    UsiPlayer player(entry, {}, shogi::ShogiRules());
    ASSERT_TRUE(player.NewGame(1).ok());
    const auto free = player.Choose({"startpos", {}}, {.nodes = 10});
    ASSERT_TRUE(free.ok()) << free.status();
    std::vector<Move> excluded = {free->move};
    for (int i = 0; i < 3; ++i) {
      Limits limits{.nodes = 10};
      limits.excluded = excluded;
      const auto other = player.Choose({"startpos", {}}, limits);
      ASSERT_TRUE(other.ok()) << other.status();
      EXPECT_THAT(excluded, Not(Contains(other->move)));
      EXPECT_NE(other->score, kNoScore);
      excluded.push_back(other->move);
    }
    const auto again = player.Choose({"startpos", {}}, {.nodes = 10});
    ASSERT_TRUE(again.ok());
    EXPECT_EQ(again->move, free->move) << "excluded only while it is asked for";
  }
}

TEST(UsiPlayer, TellsAMoveThatGivesMateByTrying) {
  // Gold at 5b or 5c-b mates; the mock resigns for the mated side.
  EngineEntry entry = MockEntry();
  entry.dialect.exclusion = Dialect::Exclusion::kEach;
  UsiPlayer player(entry, {}, shogi::ShogiRules());
  ASSERT_TRUE(player.NewGame(1).ok());
  const std::vector<Move> excluded = MovesOf({"5i5h"});
  Limits limits{.nodes = 1000};
  limits.excluded = excluded;
  const auto choice = player.Choose({"4k4/9/4P4/9/9/9/9/9/4K4 b G 1", {}}, limits);
  ASSERT_TRUE(choice.ok()) << choice.status();
  EXPECT_EQ(shogi::ShogiRules().Text(choice->move), "G*5b");
  EXPECT_EQ(choice->score, 32767);
}

TEST(UsiPlayer, ASmallMultiPvIsNotEnough) {
  EngineEntry entry = MockEntry();
  entry.dialect.exclusion = Dialect::Exclusion::kMultiPv;
  entry.dialect.multipv_options = {"no such option"};
  UsiPlayer player(entry, {}, shogi::ShogiRules());
  ASSERT_TRUE(player.NewGame(1).ok());
  const auto free = player.Choose({"startpos", {}}, {.nodes = 10});
  const std::vector<Move> excluded = {free->move};
  Limits limits{.nodes = 10};
  limits.excluded = excluded;
  const absl::Status none = player.Choose({"startpos", {}}, limits).status();
  EXPECT_EQ(ProblemOf(none).code, "no_other_move");
}

TEST(UsiPlayer, SetsOptionsAndTellsOfUnknownOnes) {
  const testing::TempFolder folder;
  EngineEntry entry = MockEntry();
  entry.hash_mb = 33;
  entry.dialect.options = {{"Own Book", "false"}, {"Other Book", "false"}};
  entry.options = {{"Colour", "red"}, {"MultiPV", "2"}};
  std::vector<std::string> notes;
  UsiPlayer::Options options;
  options.note = [&](const std::string& note) { notes.push_back(note); };
  options.run_options = {{"MultiPV", "3"}};
  options.stderr_path = folder / "stderr";
  {
    UsiPlayer player(entry, options, shogi::ShogiRules());
    ASSERT_TRUE(player.Start().ok());
  }
  const std::string said = *ReadFile(options.stderr_path);
  EXPECT_THAT(said, HasSubstr("set USI_Hash=33"));
  EXPECT_THAT(said, HasSubstr("set Own Book=false"));
  EXPECT_THAT(said, HasSubstr("set MultiPV=3"));
  EXPECT_THAT(said, Not(HasSubstr("Colour")));
  EXPECT_THAT(notes, ::testing::ElementsAre(HasSubstr("Colour")));

  entry.strict_options = true;
  UsiPlayer strict(entry, options, shogi::ShogiRules());
  EXPECT_EQ(ProblemOf(strict.Start()).code, "unknown_option");
  entry.strict_options = false;
  options.run_options = {{"Contempt", "3"}};
  UsiPlayer of_run(entry, options, shogi::ShogiRules());
  EXPECT_EQ(ProblemOf(of_run.Start()).code, "unknown_option");
}

TEST(UsiPlayer, DrawsTheNodesOfACommandLineOnceAGame) {
  const testing::TempFolder folder;
  EngineEntry entry = MockEntry();
  entry.arguments = {"/bin/sh", "-c",
                     "echo nodes $0 >> " + (folder / "starts") + "; exec " +
                         JOSEKI_BINARY_DIR "/tests/mock_engine"};
  entry.dialect.go_nodes = false;
  entry.dialect.arguments = {"{nodes}"};
  UsiPlayer::Options options;
  options.nodes = 1000;
  options.jitter_percent = 20;
  UsiPlayer player(entry, options, shogi::ShogiRules());
  for (const uint64_t seed : {1, 1, 2}) {
    ASSERT_TRUE(player.NewGame(seed).ok());
    ASSERT_TRUE(player.Choose({"startpos", {}}, {.nodes = 900}).ok());
  }
  const std::string file = folder / "starts";
  const std::string starts = *ReadFile(file);
  EXPECT_EQ(std::count(starts.begin(), starts.end(), '\n'), 2) << starts;
  EXPECT_THAT(starts, Not(HasSubstr("{nodes}")));

  entry.dialect.restart_for_nodes = false;
  UsiPlayer steady(entry, options, shogi::ShogiRules());
  for (const uint64_t seed : {1, 2, 3}) ASSERT_TRUE(steady.NewGame(seed).ok());
  EXPECT_EQ(*ReadFile(file), starts + "nodes 1000\n");
}

}  // namespace
}  // namespace joseki::worker
