// Runs that are matches, from slot to audit: the games granted, the games counted, and the state
// after a restart.
#include <filesystem>
#include <future>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/problem.h"
#include "book/stats/series.h"
#include "coordinator/coordinator.h"
#include "coordinator/offline/archiver.h"
#include "coordinator/offline/audit.h"
#include "coordinator/offline/exporter.h"
#include "coordinator/offline/invariants.h"
#include "coordinator/runs/match_state.h"
#include "coordinator/runs/run_load.h"
#include "coordinator/store/run_store.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/temp_folder.h"
#include "tests/support/toy_run.h"

namespace joseki::coordinator {
namespace {

using ::testing::IsEmpty;
using State = book::Series::State;

class MatchRunTest : public ::testing::Test {
 protected:
  MatchRunTest() : path_(folder_ / "book.sqlite") {
    testing::WriteToyBook(path_, 4);
    Start();
  }

  static RunSpec Spec(uint32_t pairs) {
    RunSpec spec = testing::ToySpec(0);
    spec.match = MatchSpec{pairs, std::nullopt};
    Opponent opponent;
    opponent.engine_id = "rival";
    opponent.engine_signature = 78;
    opponent.nodes = 100;
    spec.play.opponent = opponent;
    return spec;
  }

  void Start() {
    Coordinator::Options options;
    options.db_path = path_;
    options.acquire_wait = absl::ZeroDuration();
    options.slots_per_lease = 4;
    auto coordinator = Coordinator::Start(options, rules_, clock_);
    ASSERT_TRUE(coordinator.ok()) << coordinator.status();
    coordinator_ = *std::move(coordinator);
    session_ = Join("w");
  }
  JoinOutput Join(const std::string& name, bool knows_matches = true) {
    std::promise<absl::StatusOr<JoinOutput>> joined;
    JoinInput input;
    input.worker = name;
    input.protocol = kProtocol;
    input.seats = 4;
    if (knows_matches) input.kinds.Add(SlotKind::kMatch);
    input.engines = {{"toy-engine", "Toy", 77, "", "test"}, {"rival", "Rival", 78, "", "test"}};
    coordinator_->workers().Join(input, [&](auto output) { joined.set_value(std::move(output)); });
    return joined.get_future().get().value();
  }
  RunId Create(const RunSpec& spec) {
    const auto created = coordinator_->operators().CreateRun(spec, "");
    EXPECT_TRUE(created.ok()) << created.status();
    return created.ok() ? created->run : 0;
  }
  std::vector<Lease> Acquire(const JoinOutput& session) {
    std::promise<absl::StatusOr<AcquireOutput>> reply;
    coordinator_->workers().Acquire({session.session, 4, {}},
                                    [&](auto output) { reply.set_value(std::move(output)); });
    return reply.get_future().get().value().leases;
  }
  std::vector<Verdict> Submit(const JoinOutput& session, std::vector<SubmittedGame> games) {
    std::promise<absl::StatusOr<SubmitOutput>> reply;
    coordinator_->workers().Submit({{session.session}, session.epoch, std::move(games)},
                                   [&](auto output) { reply.set_value(std::move(output)); });
    std::vector<Verdict> verdicts;
    const SubmitOutput output = reply.get_future().get().value();
    for (const GameVerdict& verdict : output.verdicts) {
      verdicts.push_back(verdict.verdict);
    }
    return verdicts;
  }
  static std::vector<SubmittedGame> Play(const Lease& lease) {
    std::vector<SubmittedGame> games;
    for (const Slot& slot : lease.slots) {
      games.push_back(testing::PlaySlot(lease.run, lease.lease, slot));
    }
    return games;
  }
  static std::vector<SubmittedGame> Break(const Lease& lease) {
    std::vector<SubmittedGame> games;
    for (const Slot& slot : lease.slots) {
      games.push_back(testing::FaultOf(lease.run, lease.lease, slot));
    }
    return games;
  }
  // Plays the available work, at most `most` leases.
  void Work(int most = 1'000'000) {
    for (int i = 0; i < most; ++i) {
      const std::vector<Lease> leases = Acquire(session_);
      if (leases.empty()) return;
      for (const Lease& lease : leases) {
        for (const Slot& slot : lease.slots) slots_.push_back(slot);
        for (const Verdict verdict : Submit(session_, Play(lease))) {
          EXPECT_EQ(verdict, Verdict::kAccepted);
        }
      }
    }
  }
  void LetLeasesEnd(RunId run) {
    clock_.Advance(absl::Seconds(91));
    while (Status(run).leases != 0) std::this_thread::yield();
  }
  // The series as the database's rows give it.
  book::Series Read(RunId run, uint32_t pairs) {
    auto store = book::Store::Open(path_, book::OpenMode::kReadOnly).value();
    book::Series series({.pairs = pairs});
    const LoadedRun loaded = LoadRun(*store, rules_, run).value();
    for (const book::PlayedGame& game : loaded.match) {
      series.Done(game.game, game.outcome);
    }
    return series;
  }
  RunStatus Status(RunId run) { return coordinator_->readers().GetStatus(run).runs.at(0); }
  void ExpectSound(uint64_t games) {
    coordinator_.reset();
    auto store = book::Store::Open(path_, book::OpenMode::kReadOnly).value();
    const AuditReport report = Audit(*store, rules_).value();
    EXPECT_EQ(report.games, games);
    EXPECT_THAT(report.first, IsEmpty());
    EXPECT_THAT(CheckInvariants(*store, rules_, {}).value().first, IsEmpty());
  }

  testing::TempFolder folder_;
  const std::string path_;
  const testing::ToyRules rules_{};
  testing::FakeClock clock_;
  std::unique_ptr<Coordinator> coordinator_;
  JoinOutput session_;
  std::vector<Slot> slots_;
};

TEST_F(MatchRunTest, GivesOutEachGameOfEachPairOnce) {
  const RunId run = Create(Spec(25));
  Work();
  EXPECT_EQ(Status(run).state, "done");
  EXPECT_EQ(Status(run).reason, "the match is done");
  EXPECT_EQ(Status(run).games_done, 50u);
  std::set<book::SeriesGame> games;
  for (const Slot& slot : slots_) {
    EXPECT_EQ(slot.kind, SlotKind::kMatch);
    const book::SeriesGame game{slot.pair, slot.attempt, slot.own == Color::kFirst};
    EXPECT_TRUE(games.insert(game).second);
    // The seed is that of a match on one machine, and equal for both games of a pair.
    EXPECT_EQ(slot.seed, book::SeedOf(Spec(25).seed, game));
    EXPECT_THAT(slot.line, IsEmpty());
  }
  EXPECT_EQ(games.size(), 50u);
  const book::Series series = Read(run, 25);
  EXPECT_EQ(series.state(), State::kDone);
  EXPECT_EQ(series.pairs_played(), 25u);
  EXPECT_EQ(series.tally().total().games() + 2 * series.tally().repeats, 50u);
  ExpectSound(50);
}

TEST_F(MatchRunTest, ALostGameIsPlayedAgainAndTheFirstToComeCounts) {
  const RunId run = Create(Spec(2));
  const std::vector<Lease> lost = Acquire(session_);
  ASSERT_EQ(lost.size(), 1u);
  ASSERT_EQ(lost[0].slots.size(), 4u);
  const JoinOutput other = Join("other");
  EXPECT_THAT(Acquire(other), IsEmpty());
  LetLeasesEnd(run);
  const std::vector<Lease> again = Acquire(other);
  ASSERT_EQ(again.size(), 1u);
  ASSERT_EQ(again[0].slots.size(), 4u);
  for (size_t i = 0; i < 4; ++i) EXPECT_EQ(again[0].slots[i].seed, lost[0].slots[i].seed);
  // The first two come late, and all the same before the others.
  std::vector<SubmittedGame> late = Play(lost[0]);
  late.resize(2);
  EXPECT_THAT(Submit(session_, late), ::testing::Each(Verdict::kStaleAccepted));
  EXPECT_THAT(Submit(other, Play(again[0])), ::testing::Each(Verdict::kAccepted));
  EXPECT_EQ(Status(run).state, "done");
  EXPECT_EQ(Read(run, 2).pairs_played(), 2u);
  EXPECT_EQ(Read(run, 2).voids(), 0u);
  ExpectSound(6);
}

TEST_F(MatchRunTest, AFaultVoidsItsPair) {
  const RunId run = Create(Spec(150));
  const std::vector<Lease> first = Acquire(session_);
  std::vector<SubmittedGame> games = Play(first.at(0));
  games[1] = testing::FaultOf(run, first[0].lease, first[0].slots[1]);
  EXPECT_THAT(Submit(session_, games), ::testing::Each(Verdict::kAccepted));
  Work();
  EXPECT_EQ(Status(run).state, "done");
  EXPECT_EQ(Status(run).faults, 1u);
  // The pair's two games come again with another seed.
  std::vector<uint64_t> seeds;
  for (const Slot& slot : slots_) {
    if (slot.attempt == 1) seeds.push_back(slot.seed);
  }
  EXPECT_THAT(
      seeds, ::testing::ElementsAre(book::SeedOf(5, {0, 1, true}), book::SeedOf(5, {0, 1, false})));
  const book::Series series = Read(run, 150);
  EXPECT_EQ(series.pairs_played(), 150u);
  EXPECT_EQ(series.voids(), 1u);
  ExpectSound(302);
}

TEST_F(MatchRunTest, AGameThatEndsItsWorkersVoidsItsPair) {
  const RunId run = Create(Spec(300));
  uint32_t slots = 0;
  for (int life = 0; life < 3; ++life) {
    const std::vector<Lease> leases = Acquire(session_);
    ASSERT_EQ(leases.size(), 1u);
    slots = static_cast<uint32_t>(leases[0].slots.size());
    for (const Slot& slot : leases[0].slots) EXPECT_EQ(slot.attempt, 0u);
    EXPECT_LT(leases[0].slots[0].pair, 2u);
    LetLeasesEnd(run);
    session_ = Join("w");
  }
  EXPECT_EQ(slots, 4u);
  Work(1);
  // Two pairs, each void once: their other games failed with them.
  EXPECT_THAT((std::set<std::pair<uint32_t, uint32_t>>{{slots_[0].pair, slots_[0].attempt},
                                                       {slots_[2].pair, slots_[2].attempt}}),
              ::testing::ElementsAre(std::pair(0u, 1u), std::pair(1u, 1u)));
  coordinator_.reset();
  Start();  // what was void is void
  Work();
  EXPECT_EQ(Status(run).state, "done");
  const book::Series series = Read(run, 300);
  EXPECT_EQ(series.pairs_played(), 300u);
  EXPECT_EQ(series.voids(), 2u);
  ExpectSound(600);
}

TEST_F(MatchRunTest, AWorkerThatBreaksItsGamesEndsNoMatchOfOthers) {
  const RunId run = Create(Spec(100));
  const JoinOutput bad = Join("bad");
  for (int i = 0; i < 4; ++i) {
    for (const Lease& lease : Acquire(bad)) Submit(bad, Break(lease));
  }
  EXPECT_EQ(Status(run).state, "running");
  EXPECT_GT(Status(run).faults, 2u);
  Work();
  EXPECT_EQ(Status(run).state, "done");
  EXPECT_EQ(Status(run).reason, "the match is done");
  EXPECT_EQ(Read(run, 100).state(), State::kDone);
}

TEST_F(MatchRunTest, AMatchThatOneWorkerEndedGoesOnWithoutIt) {
  const RunId run = Create(Spec(100));
  for (const Lease& lease : Acquire(session_)) Submit(session_, Break(lease));
  EXPECT_EQ(Status(run).state, "done");
  EXPECT_EQ(Status(run).reason, "the match is void");
  coordinator_.reset();
  Start();
  EXPECT_EQ(Status(run).reason, "the match is void");
  const JoinOutput good = Join("good");
  EXPECT_THAT(Acquire(good), IsEmpty());
  ASSERT_TRUE(coordinator_->operators().BlockWorker("w", "", /*unseen=*/false).ok());
  while (Status(run).state != "running") std::this_thread::yield();
  session_ = good;
  Work();
  EXPECT_EQ(Status(run).state, "done");
  EXPECT_EQ(Status(run).reason, "the match is done");
  EXPECT_EQ(Read(run, 100).voids(), 0u);
  ExpectSound(204);
}

TEST_F(MatchRunTest, GoesOnAfterARestart) {
  const RunId run = Create(Spec(12));
  Work(2);
  const std::vector<Lease> open = Acquire(session_);
  ASSERT_EQ(open.size(), 1u);
  coordinator_.reset();
  Start();
  EXPECT_EQ(Status(run).games_done, 8u);
  Work();  // less what is still out
  EXPECT_EQ(Status(run).state, "running");
  EXPECT_THAT(Submit(session_, Play(open[0])), ::testing::Each(Verdict::kAccepted));
  EXPECT_EQ(Status(run).state, "done");
  std::set<book::SeriesGame> games;
  for (const Slot& slot : slots_) {
    EXPECT_TRUE(games.insert({slot.pair, slot.attempt, slot.own == Color::kFirst}).second);
  }
  EXPECT_EQ(games.size(), 20u);
  EXPECT_EQ(Read(run, 12).pairs_played(), 12u);
  ExpectSound(24);
}

TEST_F(MatchRunTest, AfterItsEndTheCoordinatorStartsWithoutItsArchives) {
  const RunId run = Create(Spec(4));
  Work();
  ASSERT_EQ(Status(run).state, "done");
  coordinator_.reset();
  {
    const auto store = book::Store::Open(path_, book::OpenMode::kReadWrite).value();
    ASSERT_TRUE(MakeArchives(*store, rules_, {}).ok());
    ASSERT_EQ(DropArchived(*store, {}).value().games, 8u);
  }
  const std::string archives = path_ + ".archives";
  std::filesystem::rename(archives, archives + ".away");
  Start();
  EXPECT_EQ(Status(run).state, "done");
  EXPECT_EQ(Status(run).reason, "the match is done");
  EXPECT_EQ(Status(run).games_done, 8u);
  EXPECT_THAT(Acquire(session_), IsEmpty());
  std::filesystem::rename(archives + ".away", archives);
  EXPECT_EQ(Read(run, 4).pairs_played(), 4u);
  ExpectSound(8);
}

TEST_F(MatchRunTest, TheTestEndsIt) {
  RunSpec spec = Spec(1000);
  spec.match->sprt = book::Sprt{.elo0 = 0, .elo1 = 200};
  const RunId run = Create(spec);
  // A wins whatever its colour, by one of the games that the toy allows.
  for (;;) {
    const std::vector<Lease> leases = Acquire(session_);
    if (leases.empty()) break;
    std::vector<SubmittedGame> games;
    for (const Slot& slot : leases[0].slots) {
      Slot other = slot;
      SubmittedGame game = testing::PlaySlot(run, leases[0].lease, other);
      while (game.claim.result != WinFor(*slot.own)) {
        ++other.seed;
        game = testing::PlaySlot(run, leases[0].lease, other);
      }
      games.push_back(game);
    }
    EXPECT_THAT(Submit(session_, games), ::testing::Each(Verdict::kAccepted));
  }
  EXPECT_EQ(Status(run).state, "done");
  EXPECT_EQ(Status(run).reason, "the match is accepted");
  EXPECT_LT(Status(run).games_done, 500u);
}

TEST_F(MatchRunTest, GamesOfABlockedWorkerAreTakenOutAndPlayedAgain) {
  const RunRow row{.run = 1, .spec = Spec(4)};
  MatchState match(row.spec, 3, {});
  std::vector<Slot> slots(8);
  const auto game_of = [&](const Slot& slot, const std::string& worker) {
    GameRow game;
    game.worker = worker;
    game.lease = 1;
    game.ending = {Result::kFirstWins, Termination::kNoLegalMove};
    game.moves_hash = slot.seed + slot.pair + (slot.own == Color::kFirst ? 1 : 0);
    return game;
  };
  for (Slot& slot : slots) ASSERT_TRUE(match.Next(slot));
  EXPECT_EQ(match.Available(), 0u);
  for (size_t i = 0; i < 4; ++i) match.Done(slots[i], game_of(slots[i], "bad"));
  match.Done(slots[4], game_of(slots[4], "good"));
  EXPECT_EQ(match.series().pairs_played(), 2u);
  match.BeginRebuild();
  match.Done(slots[5], game_of(slots[5], "good"));
  match.Done(slots[6], game_of(slots[6], "bad"));
  Trust trust;
  trust.Apply({.change = 1, .worker = "bad", .action = TrustAction::kBlock, .lease = 9});
  match.Adopt({PlayedGameOf(slots[4], game_of(slots[4], "good"))}, trust);
  // The third pair counts when the first two do; one game is out, the bad one's are to be played.
  EXPECT_EQ(match.series().pairs_played(), 0u);
  EXPECT_EQ(match.Available(), 5u);
  for (size_t i = 0; i < 5; ++i) {
    Slot slot;
    ASSERT_TRUE(match.Next(slot));
    EXPECT_EQ(slot.seed, slots[i < 4 ? i : 6].seed);
    match.Done(slot, game_of(slot, "good"));
  }
  EXPECT_FALSE(match.over());
  match.Done(slots[7], game_of(slots[7], "good"));
  EXPECT_TRUE(match.over());
}

TEST_F(MatchRunTest, IsForWorkersThatKnowMatches) {
  Create(Spec(2));
  EXPECT_THAT(Acquire(Join("old", /*knows_matches=*/false)), IsEmpty());
}

TEST_F(MatchRunTest, RefusesWhatIsNoMatch) {
  const auto refused = [&](const RunSpec& spec) {
    const auto created = coordinator_->operators().CreateRun(spec, "");
    EXPECT_FALSE(created.ok());
    return ProblemOf(created.status()).file;
  };
  RunSpec spec = Spec(0);
  EXPECT_EQ(refused(spec), "match.pairs");
  spec = Spec(2);
  spec.play.opponent.reset();
  EXPECT_EQ(refused(spec), "match");
  spec = Spec(2);
  spec.games = 3;
  EXPECT_EQ(refused(spec), "games");
  spec = Spec(2);
  spec.match->sprt = book::Sprt{.elo0 = 5, .elo1 = 5};
  EXPECT_EQ(refused(spec), "match.elo0");
  spec = Spec(2);
  spec.play.own_book = BookUse{std::string(32, 'x'), {.range = -1}};
  EXPECT_EQ(refused(spec), "own_book.range");
  spec = testing::ToySpec(10);
  spec.play.own_book = BookUse{std::string(32, 'x'), {}};
  EXPECT_EQ(refused(spec), "own_book");
  // A book that was never uploaded.
  spec = Spec(2);
  spec.play.own_book = BookUse{std::string(32, 'x'), {}};
  EXPECT_TRUE(absl::IsNotFound(coordinator_->operators().CreateRun(spec, "").status()));
}

TEST_F(MatchRunTest, HasNoBookToExport) {
  const RunId run = Create(Spec(2));
  auto store = book::Store::Open(path_, book::OpenMode::kReadOnly).value();
  EXPECT_EQ(ProblemOf(LoadTunedRun(*store, rules_, run).status()).code, "match_run");
}

}  // namespace
}  // namespace joseki::coordinator
