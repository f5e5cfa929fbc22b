// Runs that begin with what earlier ones know.

#include <SQLiteCpp/SQLiteCpp.h>

#include <map>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/coordinator/stepped_fixture.h"
#include "tests/support/toy_run.h"

namespace joseki::coordinator {
namespace {

using ::testing::ElementsAre;
using testing::ToySpec;

class TakeOverTest : public SteppedTest {
 protected:
  RunId Done(const RunSpec& spec, const std::string& by = "w") {
    const RunId run = Create(spec);
    SteppedWorker worker = Of(by).Join();
    PlayOn(run, worker);
    EXPECT_EQ(StatusOf(run).state, "done");
    return run;
  }
  // Evidence of each move of the start position.
  std::map<uint16_t, book::Evidence> At(RunId run) {
    std::map<uint16_t, book::Evidence> known;
    const auto position = coordinator_->readers().GetPosition(run, "");
    EXPECT_TRUE(position.ok()) << position.status();
    for (const MoveEvidence& move : position->moves) known[move.move.raw()] = move.evidence;
    return known;
  }
  static uint32_t Played(const std::map<uint16_t, book::Evidence>& known) {
    uint32_t played = 0;
    for (const auto& [move, evidence] : known) played += evidence.played();
    return played;
  }
  static RunSpec Taking(uint64_t games, std::string policy = "kl-ucb") {
    RunSpec spec = ToySpec(games, std::move(policy));
    spec.seed = 9;
    spec.take_over = true;
    return spec;
  }
};

TEST_F(TakeOverTest, AnotherRunOfTheProfileBeginsWithWhatIsKnown) {
  Start();
  const RunId first = Done(ToySpec(30));
  RunSpec other = ToySpec(10);
  other.play.nodes += 1;
  Done(other);
  testing::WriteToyBook(path_, /*plies=*/5);  // there is more in it now
  const RunId second = Create(Taking(12));
  const RunStatus status = StatusOf(second);
  ASSERT_TRUE(status.spec.taken_over.has_value());
  EXPECT_THAT(status.spec.taken_over->runs, ElementsAre(first));
  EXPECT_EQ(status.spec.taken_over->up_to, 40u);
  EXPECT_EQ(status.spec.taken_over->games, 30u);
  EXPECT_EQ(status.games_done, 0u) << "of its own";
  EXPECT_EQ(At(second), At(first));
  // A restart restores this knowledge: before a checkpoint, with one, and after an orderly end.
  for (int restart = 0; restart < 2; ++restart) {
    Start();
    EXPECT_EQ(At(second), At(first));
  }
  SteppedWorker worker = Of("w2").Join();
  const auto work = worker.Acquire(4);
  ASSERT_TRUE(worker.Submit(Play(work->leases.at(0))).ok());
  const auto now = At(second);
  EXPECT_GT(Played(now), Played(At(first)));
  Start();
  EXPECT_EQ(At(second), now);
  SteppedWorker again = Of("w3").Join();
  PlayOn(second, again);
  EXPECT_EQ(StatusOf(second).games_done, 12u);
  // A third one takes over both, each with its own games.
  const RunId third = Create(Taking(5));
  EXPECT_THAT(StatusOf(third).spec.taken_over->runs, ElementsAre(first, second));
  EXPECT_EQ(At(third), At(second));
  EXPECT_EQ(CleanlyAuditedGames(), 52u);
}

TEST_F(TakeOverTest, ItFollowsFromTheGamesAlone) {
  Start();
  const RunId first = Done(ToySpec(20));
  const RunId second = Done(Taking(10));
  const auto known = At(second);
  coordinator_.reset();
  {
    const auto store = book::Store::Open(path_, book::OpenMode::kReadWrite).value();
    RunStore rows(*store);
    for (const RunId run : {first, second})
      ASSERT_TRUE(rows.evidence().DropCheckpoint(run, 0).ok());
  }
  Start();
  EXPECT_EQ(At(second), known);
  // Later games of the first run do not reach the second.
  ASSERT_TRUE(coordinator_->operators().ExtendRun(first, {.games = 8, .request_id = {}}).ok());
  SteppedWorker worker = Of("w2").Join();
  PlayOn(first, worker);
  EXPECT_EQ(StatusOf(first).games_done, 28u);
  Start();
  EXPECT_EQ(At(second), known);
  EXPECT_EQ(CleanlyAuditedGames(), 38u);
}

TEST_F(TakeOverTest, GamesOfABlockedWorkerLeaveHereToo) {
  Start();
  const RunId first = Create(ToySpec(20));
  SteppedWorker bad = Of("bad").Join();
  SteppedWorker good = Of("good").Join();
  ASSERT_TRUE(bad.Submit(Play(bad.LeasesOf(4).at(0))).ok());
  PlayOn(first, good);
  const RunId second = Create(Taking(10));
  PlayOn(second, good);
  const auto before = At(second);
  ASSERT_TRUE(coordinator_->operators().BlockWorker("bad", "", /*unseen=*/false).ok());
  coordinator_->Step();
  EXPECT_LT(Played(At(second)), Played(before));
  EXPECT_LT(Played(At(first)), Played(At(second)));
  const auto without = At(second);
  Start();
  EXPECT_EQ(At(second), without);
  ASSERT_TRUE(coordinator_->operators().UnblockWorker("bad", /*keep_games_out=*/false).ok());
  coordinator_->Step();
  EXPECT_EQ(At(second), before);
  // A run created while the worker is blocked lacks its games from the start.
  ASSERT_TRUE(coordinator_->operators().BlockWorker("bad", "", /*unseen=*/false).ok());
  coordinator_->Step();
  const RunId third = Create(Taking(3));
  EXPECT_EQ(At(third), without);
  EXPECT_EQ(CleanlyAuditedGames(), 30u);
}

TEST_F(TakeOverTest, NothingIsTakenOverThatDoesNotFit) {
  Start();
  const RunId first = Done(ToySpec(10));
  EXPECT_FALSE(StatusOf(Create(ToySpec(5))).spec.taken_over) << "nobody asked";
  ASSERT_TRUE(coordinator_->operators().StopRun(2).ok());
  RunSpec staged = Taking(5, "result-driven");
  EXPECT_FALSE(StatusOf(Create(staged)).spec.taken_over);
  RunSpec other = Taking(5);
  other.play.engine_options = {{"Hash", "2"}};
  EXPECT_FALSE(StatusOf(Create(other)).spec.taken_over);
  // An unfinished run cannot be taken over, nor one with missing games.
  EXPECT_THAT(StatusOf(Create(Taking(5))).spec.taken_over->runs, ElementsAre(first));
  {
    SQLite::Database db(path_, SQLite::OPEN_READWRITE);
    db.exec(
        "INSERT INTO archives (run, first_seq, last_seq, games, first_wins, second_wins, draws,"
        " faults, plies, file, sha256, bytes, dropped)"
        " VALUES (1, 1, 5, 5, 0, 0, 5, 0, 0, 'f', zeroblob(32), 1, 1)");
  }
  EXPECT_FALSE(StatusOf(Create(Taking(5))).spec.taken_over);
}

}  // namespace
}  // namespace joseki::coordinator
