// Runs the same cases for every player of this engine: inside this process, and as a USI program.

#include "worker/play/player.h"

#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "engine/shogi/shogi_rules.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "worker/play/embedded_player.h"
#include "worker/play/referee.h"
#include "worker/play/usi/usi_player.h"

namespace joseki::worker {
namespace {

using ::testing::Contains;
using ::testing::Not;

constexpr int kHashMb = 4;

std::unique_ptr<Player> Embedded() {
  auto player = ShogiPlayer::Create({{"hash_mb", std::to_string(kHashMb)}});
  EXPECT_TRUE(player.ok()) << player.status();
  return *std::move(player);
}

std::unique_ptr<Player> Usi() {
  EngineEntry entry;
  entry.id = "joseki";
  entry.arguments = {JOSEKI_BINARY_DIR "/joseki-engine"};
  entry.dialect = *BuiltInDialect("joseki");
  entry.hash_mb = kHashMb;
  entry.start_limit = absl::Minutes(2);
  entry.reply_limit = absl::Minutes(2);
  return std::make_unique<UsiPlayer>(entry, UsiPlayer::Options(), shogi::ShogiRules());
}

using Maker = std::unique_ptr<Player> (*)();

class PlayerTest : public ::testing::TestWithParam<Maker> {
 protected:
  std::unique_ptr<Player> player_ = GetParam()();
};

TEST_P(PlayerTest, ChoosesLegalMovesToTheEnd) {
  PlaySpec spec;
  spec.nodes = 200;
  Slot slot;
  slot.start = "startpos";
  const RefereedGame game =
      PlayGame(shogi::ShogiRules(), spec, slot, *player_, [](int) { return true; });
  EXPECT_FALSE(IsFault(game.ending.termination)) << game.fault;
  EXPECT_GT(game.moves.size(), 20u);
}

TEST_P(PlayerTest, PlaysTheSameGameAgain) {
  PlaySpec spec;
  spec.nodes = 300;
  spec.jitter_percent = 20;
  spec.match.max_plies = 60;
  spec.keep_scores = true;
  Slot slot;
  slot.start = "startpos";
  slot.seed = 9;
  const KeepGoing always = [](int) { return true; };
  const RefereedGame first = PlayGame(shogi::ShogiRules(), spec, slot, *player_, always);
  const RefereedGame second = PlayGame(shogi::ShogiRules(), spec, slot, *player_, always);
  EXPECT_EQ(first.moves, second.moves);
  EXPECT_EQ(first.scores, second.scores);
}

TEST_P(PlayerTest, LeavesOutExcludedMoves) {
  ASSERT_TRUE(player_->NewGame(1).ok());
  std::vector<Move> excluded;
  for (int i = 0; i < 5; ++i) {
    Limits limits{.nodes = 300};
    limits.excluded = excluded;
    const auto choice = player_->Choose({"startpos", {}}, limits);
    ASSERT_TRUE(choice.ok()) << choice.status();
    EXPECT_EQ(choice->kind, Choice::Kind::kMove);
    EXPECT_THAT(excluded, Not(Contains(choice->move)));
    excluded.push_back(choice->move);
  }
}

TEST_P(PlayerTest, ResignsWhereItIsMatedAndDeclaresWhereItMay) {
  ASSERT_TRUE(player_->NewGame(1).ok());
  const auto mated = player_->Choose({"k8/GR7/9/9/9/9/9/9/8K w - 1", {}}, {.nodes = 100});
  ASSERT_TRUE(mated.ok()) << mated.status();
  EXPECT_EQ(mated->kind, Choice::Kind::kResign);
  const auto win =
      player_->Choose({"KGGSS+N+N+L+L/RB7/9/9/9/9/9/9/4k4 b RB7P 1", {}}, {.nodes = 100});
  ASSERT_TRUE(win.ok()) << win.status();
  EXPECT_EQ(win->kind, Choice::Kind::kDeclareWin);
}

TEST_P(PlayerTest, TakesATimeLimit) {
  ASSERT_TRUE(player_->NewGame(1).ok());
  const auto choice = player_->Choose({"startpos", {}}, {.move_ms = 5});
  ASSERT_TRUE(choice.ok()) << choice.status();
  EXPECT_EQ(choice->kind, Choice::Kind::kMove);
}

TEST_P(PlayerTest, WantsALimit) {
  ASSERT_TRUE(player_->NewGame(1).ok());
  EXPECT_TRUE(absl::IsInvalidArgument(player_->Choose({"startpos", {}}, {}).status()));
  EXPECT_TRUE(player_->Choose({"startpos", {}}, {.nodes = 10}).ok()) << "and goes on";
}

TEST_P(PlayerTest, StopCancelsAndNewGameGoesOn) {
  ASSERT_TRUE(player_->NewGame(1).ok());
  absl::Status status;
  std::thread thread([&] {
    status = player_->Choose({"startpos", {}}, {.nodes = 1'000'000'000}).status();
  });
  player_->Stop();
  thread.join();
  EXPECT_TRUE(absl::IsCancelled(status)) << status;
  ASSERT_TRUE(player_->NewGame(2).ok());
  EXPECT_TRUE(player_->Choose({"startpos", {}}, {.nodes = 10}).ok());
}

INSTANTIATE_TEST_SUITE_P(Players, PlayerTest, ::testing::Values(&Embedded, &Usi),
                         [](const auto& test) { return test.index == 0 ? "Embedded" : "Usi"; });

TEST(Players, OneEngineIsOneEngineHoweverItIsSpokenTo) {
  PlaySpec spec;
  spec.nodes = 400;
  spec.jitter_percent = 20;
  spec.keep_scores = true;
  const auto embedded = Embedded();
  const auto usi = Usi();
  const KeepGoing always = [](int) { return true; };
  for (uint64_t seed = 1; seed <= 3; ++seed) {
    Slot slot;
    slot.start = "startpos";
    slot.line = {*shogi::ShogiRules().MoveOf("7g7f")};
    slot.excluded = {*shogi::ShogiRules().MoveOf("3c3d")};
    slot.seed = seed;
    const RefereedGame one = PlayGame(shogi::ShogiRules(), spec, slot, *embedded, always);
    const RefereedGame other = PlayGame(shogi::ShogiRules(), spec, slot, *usi, always);
    EXPECT_EQ(one.moves, other.moves);
    EXPECT_EQ(one.ending, other.ending) << other.fault;
  }
}

}  // namespace
}  // namespace joseki::worker
