#include "worker/play/embedded_player.h"

#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "base/problem.h"
#include "engine/games.h"
#include "engine/xiangqi/position.h"
#include "gtest/gtest.h"
#include "tests/support/address_limit.h"
#include "tests/support/shogi_game.h"
#include "worker/play/embedded_engine.h"

namespace joseki::worker {
namespace {

using Options = std::map<std::string, std::string>;

std::unique_ptr<ShogiPlayer> Make(const Options& options = {}) {
  auto player = ShogiPlayer::Create(options);
  EXPECT_TRUE(player.ok()) << player.status();
  return std::move(player).value();
}

TEST(EmbeddedPlayer, RefusesUnknownAndImpossibleOptions) {
  const auto unknown = ShogiPlayer::Create({{"threads", "2"}});
  ASSERT_FALSE(unknown.ok());
  EXPECT_EQ(ProblemOf(unknown.status()).code, "unknown_option");
  for (const char* value : {"0", "-4", "x", "", "70000"}) {
    const auto bad = ShogiPlayer::Create({{"hash_mb", value}});
    ASSERT_FALSE(bad.ok()) << value;
    EXPECT_EQ(ProblemOf(bad.status()).code, "bad_option");
  }
  EXPECT_FALSE(ShogiPlayer::Create({{"declaration", "24"}}).ok());
  EXPECT_TRUE(ShogiPlayer::Create({{"hash_mb", "1"}, {"declaration", "none"}}).ok());
}

TEST(EmbeddedPlayer, IsNotMadeWhereThereIsNoMemoryForItsTable) {
  if (!joseki::testing::AddressLimit::kLeavesRoom)
    GTEST_SKIP() << "a sanitizer needs the addresses";
  const Options options = {{"hash_mb", "32768"}};
  const joseki::testing::AddressLimit limit;
  const auto player = ShogiPlayer::Create(options);
  ASSERT_FALSE(player.ok());
  EXPECT_EQ(ProblemOf(player.status()).code, "no_memory");
  EXPECT_EQ(ProblemOf(player.status()).file, "hash_mb");
  // Code that only checks options for others needs no memory for a table.
  EXPECT_TRUE(ShogiPlayer::CheckOptions(options).ok());
  EXPECT_EQ(ProblemOf(ShogiPlayer::CheckOptions({{"hash_mb", "70000"}})).code, "bad_option");
}

// A game of the player against itself: every move and score.
std::vector<int> Game(ShogiPlayer& player, int plies) {
  std::vector<int> record;
  std::vector<Move> moves;
  shogi::Position position;
  EXPECT_TRUE(player.NewGame(1).ok());
  for (int ply = 0; ply < plies; ++ply) {
    const auto choice =
        player.Choose({.start = "startpos", .moves = moves}, {.nodes = 300, .excluded = {}});
    EXPECT_TRUE(choice.ok()) << choice.status();
    if (!choice.ok() || choice->kind != Choice::Kind::kMove) break;
    EXPECT_TRUE(position.IsLegal(choice->move));
    EXPECT_LE(choice->nodes, 300u);
    record.push_back(choice->move.raw());
    record.push_back(choice->score);
    shogi::Undo undo;
    position.Do(choice->move, undo);
    moves.push_back(choice->move);
  }
  return record;
}

TEST(EmbeddedPlayer, PlaysTheSameGameAgain) {
  const auto player = Make();
  const std::vector<int> first = Game(*player, 60);
  EXPECT_EQ(first.size(), 120u);
  EXPECT_EQ(Game(*player, 60), first);
  EXPECT_EQ(Game(*Make(), 60), first);
}

TEST(EmbeddedPlayer, PlaysXiangqiAsWell) {
  const auto record = [] {
    auto player = XiangqiPlayer::Create({}).value();
    std::vector<Move> moves;
    xiangqi::Position position;
    EXPECT_TRUE(player->NewGame(1).ok());
    for (int ply = 0; ply < 40; ++ply) {
      const auto choice =
          player->Choose({.start = "startpos", .moves = moves}, {.nodes = 300, .excluded = {}});
      EXPECT_TRUE(choice.ok()) << choice.status();
      if (!choice.ok() || choice->kind != Choice::Kind::kMove) break;
      EXPECT_TRUE(position.IsLegal(choice->move));
      xiangqi::Undo undo;
      position.Do(choice->move, undo);
      moves.push_back(choice->move);
    }
    return moves;
  };
  const std::vector<Move> first = record();
  EXPECT_EQ(first.size(), 40u);
  EXPECT_EQ(record(), first);
  EXPECT_EQ(ProblemOf(XiangqiPlayer::CheckOptions({{"declaration", "27"}})).code, "unknown_option");
}

TEST(EmbeddedPlayer, HasAnEngineForEachGame) {
  for (const std::string& game : GameNames()) {
    const EmbeddedEngine& engine = EmbeddedEngineOf(game);
    EXPECT_EQ(engine.game, game);
    const Rules& rules = **RulesOf(game);
    for (const char* const position : engine.bench()) {
      EXPECT_TRUE(rules.Start(position, MatchRules{}).ok()) << position;
    }
    EXPECT_TRUE(engine.make({}).ok());
  }
  EXPECT_EQ(ProblemOf(RulesOf("chess").status()).code, "unknown_game");
}

// Red is about to be mated and has only a rook that checks for ever. The match's rule decides
// between draw and loss.
TEST(EmbeddedPlayer, KnowsWhatTheMatchSaysOfRepetitions) {
  const auto score = [](RepetitionRule rule) {
    PlaySpec play;
    play.game = "xiangqi";
    play.match.repetition = rule;
    auto player = MakeEmbedded(play);
    EXPECT_TRUE(player.ok()) << player.status();
    const auto choice = (*player)->Choose({.start = "3k5/R8/9/9/7r1/9/9/9/8r/4K4 w", .moves = {}},
                                          {.nodes = 20'000, .excluded = {}});
    EXPECT_TRUE(choice.ok()) << choice.status();
    return choice->score;
  };
  EXPECT_EQ(score(RepetitionRule::kDraw), 0);
  EXPECT_LT(score(RepetitionRule::kAsian), -500);
  EXPECT_LT(score(RepetitionRule::kCheck), -500);
}

TEST(EmbeddedPlayer, FollowsAnotherGameWithoutBeingTold) {
  const auto player = Make();
  Game(*player, 10);
  const std::vector<Move> other = {*shogi::MoveFromUsi("2g2f"), *shogi::MoveFromUsi("8c8d")};
  const auto choice =
      player->Choose({.start = "startpos", .moves = other}, {.nodes = 200, .excluded = {}});
  ASSERT_TRUE(choice.ok());
  shogi::Position position;
  shogi::Play(position, "2g2f 8c8d");
  EXPECT_TRUE(position.IsLegal(choice->move));
}

TEST(EmbeddedPlayer, LeavesOutExcludedMoves) {
  const auto player = Make();
  const auto free =
      player->Choose({.start = "startpos", .moves = {}}, {.nodes = 500, .excluded = {}});
  ASSERT_TRUE(free.ok());
  const std::vector<Move> excluded = {free->move};
  const auto other =
      player->Choose({.start = "startpos", .moves = {}}, {.nodes = 500, .excluded = excluded});
  ASSERT_TRUE(other.ok());
  EXPECT_NE(other->move, free->move);
}

TEST(EmbeddedPlayer, ResignsAndDeclares) {
  const auto player = Make();
  const auto mated = player->Choose({.start = "k8/GR7/9/9/9/9/9/9/8K w - 1", .moves = {}},
                                    {.nodes = 100, .excluded = {}});
  ASSERT_TRUE(mated.ok());
  EXPECT_EQ(mated->kind, Choice::Kind::kResign);
  const GameLine camp = {.start = "KGGSS+N+N+L+L/RB7/9/9/9/9/9/9/4k4 b RB7P 1", .moves = {}};
  const auto win = player->Choose(camp, {.nodes = 100, .excluded = {}});
  ASSERT_TRUE(win.ok());
  EXPECT_EQ(win->kind, Choice::Kind::kDeclareWin);
  const auto plays_on =
      Make({{"declaration", "none"}})->Choose(camp, {.nodes = 100, .excluded = {}});
  ASSERT_TRUE(plays_on.ok());
  EXPECT_EQ(plays_on->kind, Choice::Kind::kMove);
}

TEST(EmbeddedPlayer, BelievesNobody) {
  const auto player = Make();
  const std::vector<Move> illegal = {*shogi::MoveFromUsi("9a9b")};
  EXPECT_FALSE(
      player->Choose({.start = "startpos", .moves = illegal}, {.nodes = 9, .excluded = {}}).ok());
  EXPECT_FALSE(
      player->Choose({.start = "nonsense", .moves = {}}, {.nodes = 9, .excluded = {}}).ok());
  EXPECT_FALSE(
      player->Choose({.start = "startpos", .moves = {}}, {.nodes = 0, .excluded = {}}).ok());
  EXPECT_TRUE(
      player->Choose({.start = "startpos", .moves = {}}, {.nodes = 9, .excluded = {}}).ok());
}

TEST(EmbeddedPlayer, TakesATimeLimit) {
  const auto player = Make();
  const auto choice =
      player->Choose({.start = "startpos", .moves = {}}, {.move_ms = 5, .excluded = {}});
  ASSERT_TRUE(choice.ok()) << choice.status();
  EXPECT_EQ(choice->kind, Choice::Kind::kMove);
}

TEST(EmbeddedPlayer, StopCancelsAndNewGameGoesOn) {
  const auto player = Make();
  absl::Status status;
  std::thread thread([&] {
    status = player
                 ->Choose({.start = "startpos", .moves = {}},
                          {.nodes = uint64_t{1} << 50, .excluded = {}})
                 .status();
  });
  player->Stop();  // before or during the search: both must end it
  thread.join();
  EXPECT_EQ(status.code(), absl::StatusCode::kCancelled);
  ASSERT_TRUE(player->NewGame(2).ok());
  EXPECT_TRUE(
      player->Choose({.start = "startpos", .moves = {}}, {.nodes = 9, .excluded = {}}).ok());
}

}  // namespace
}  // namespace joseki::worker
