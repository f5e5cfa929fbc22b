// Verification, quarantine and evidence without a worker's games, with a coordinator that is
// stepped: nothing here depends on threads.

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/problem.h"
#include "book/database/store.h"
#include "coordinator/coordinator.h"
#include "coordinator/offline/audit.h"
#include "coordinator/store/run_store.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/temp_folder.h"
#include "tests/support/toy_run.h"

namespace joseki::coordinator {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::PlaySlot;
using testing::ToySpec;

constexpr uint64_t kSignature = 77;

RunSpec Verified(uint64_t games, double percent = 100) {
  RunSpec spec = ToySpec(games);
  spec.verify_percent = percent;
  return spec;
}

RunSpec VerifiedStages(uint64_t games) {
  RunSpec spec = ToySpec(games, "result-driven");
  spec.policy_options = {{"delta", "4,2"}, {"rand", "8"}};
  spec.verify_percent = 100;
  return spec;
}

// The slot's game, resigned where its line ends unless the rules have ended it by then.
SubmittedGame ResignAfterLine(SubmittedGame game, const Slot& slot) {
  const auto state = testing::ToyRules().Start(slot.start, MatchRules{}).value();
  for (const Move move : slot.line) {
    if (state->ending() || !state->Play(move)) return game;
  }
  if (state->ending()) return game;
  game.moves = slot.line;
  game.claim = {WinFor(~state->side_to_move()), Termination::kResign};
  return game;
}

class QuarantineTest : public ::testing::Test {
 protected:
  struct Player {
    std::string name;
    bool honest = true;
    SessionId session = 0;
    int accepted = 0;
  };

  QuarantineTest() : path_(folder_ / "book.sqlite") { testing::WriteToyBook(path_); }

  void Start(double quarantine_outliers = 0) {
    coordinator_.reset();
    Coordinator::Options options;
    options.db_path = path_;
    options.acquire_wait = absl::ZeroDuration();
    options.slots_per_lease = 4;
    options.batch_time = absl::Hours(1);  // the speed of the machine does not count
    options.storage_retry = absl::ZeroDuration();
    options.quarantine_outliers = quarantine_outliers;
    auto started = Coordinator::Open(options, rules_, clock_);
    ASSERT_TRUE(started.ok()) << started.status();
    coordinator_.reset(started->release());
    epoch_ = coordinator_->readers().GetStatus(0).epoch;
  }
  RunId Create(const RunSpec& spec) {
    const auto created = coordinator_->operators().CreateRun(spec, "");
    EXPECT_TRUE(created.ok()) << created.status();
    return created.ok() ? created->run : 0;
  }

  template <typename T>
  T Answered(const std::optional<T>& reply) {
    for (int step = 0; step < 10 && !reply; ++step) coordinator_->Step();
    EXPECT_TRUE(reply);
    return *reply;
  }
  absl::StatusOr<JoinOutput> TryJoin(const std::string& name, uint64_t signature = kSignature) {
    JoinInput input;
    input.worker = name;
    input.protocol = kProtocol;
    input.seats = 4;
    input.engines = {{"toy-engine", "Toy", signature, "", "test"}};
    std::optional<absl::StatusOr<JoinOutput>> reply;
    coordinator_->workers().Join(input, [&](auto output) { reply = std::move(output); });
    return Answered(reply);
  }
  Player Joined(const std::string& name, bool honest = true) {
    const auto output = TryJoin(name);
    EXPECT_TRUE(output.ok()) << output.status();
    return {name, honest, output.ok() ? output->session : 0};
  }
  std::vector<Lease> Acquire(const Player& player, uint32_t want = 4) {
    std::optional<absl::StatusOr<AcquireOutput>> reply;
    coordinator_->workers().Acquire({player.session, want, {}},
                                    [&](auto output) { reply = std::move(output); });
    const auto output = Answered(reply);
    EXPECT_TRUE(output.ok()) << output.status();
    return output.ok() ? output->leases : std::vector<Lease>();
  }
  std::vector<GameVerdict> Submit(const Player& player, std::vector<SubmittedGame> games) {
    std::optional<absl::StatusOr<SubmitOutput>> reply;
    coordinator_->workers().Submit({{player.session}, epoch_, std::move(games)},
                                   [&](auto output) { reply = std::move(output); });
    const auto output = Answered(reply);
    EXPECT_TRUE(output.ok()) << output.status();
    return output.ok() ? output->verdicts : std::vector<GameVerdict>();
  }
  // The player's games for a lease; a lying player plays games other than the slots'.
  static std::vector<SubmittedGame> Play(const Player& player, const Lease& lease) {
    std::vector<SubmittedGame> games;
    for (Slot slot : lease.slots) {
      if (!player.honest) slot.seed ^= 0x5555;
      games.push_back(PlaySlot(lease.run, lease.lease, slot));
    }
    return games;
  }
  // One lease's work; whether there was any.
  bool Work(Player& player, uint32_t want = 4) {
    const std::vector<Lease> leases = Acquire(player, want);
    for (const Lease& lease : leases) {
      for (const GameVerdict& verdict : Submit(player, Play(player, lease))) {
        EXPECT_THAT(verdict.verdict, ::testing::AnyOf(Verdict::kAccepted, Verdict::kStaleAccepted))
            << verdict.reason;
        ++player.accepted;
      }
    }
    return !leases.empty();
  }
  // Lets the players work in turn until none gets anything.
  void WorkAll(std::vector<Player*> players) {
    for (bool any = true; any;) {
      any = false;
      for (Player* player : players) any |= Work(*player);
    }
  }

  RunStatus StatusOf(RunId run) { return coordinator_->readers().GetStatus(run).runs.at(0); }
  WorkerStatus WorkerOf(const std::string& name) {
    for (const WorkerStatus& worker : coordinator_->readers().GetStatus(0).workers) {
      if (worker.worker == name) return worker;
    }
    ADD_FAILURE() << "no worker " << name;
    return {};
  }
  // All weights that can be reached from the start in one move.
  std::vector<MoveEvidence> Weights(RunId run) {
    const auto position = coordinator_->readers().GetPosition(run, "");
    EXPECT_TRUE(position.ok()) << position.status();
    return position.ok() ? position->moves : std::vector<MoveEvidence>();
  }
  static std::vector<std::pair<uint16_t, book::Evidence>> Evidence(
      const std::vector<MoveEvidence>& moves) {
    std::vector<std::pair<uint16_t, book::Evidence>> result;
    for (const MoveEvidence& move : moves) result.emplace_back(move.move.raw(), move.evidence);
    std::sort(result.begin(), result.end(),
              [](const auto& a, const auto& b) { return a.first < b.first; });
    return result;
  }
  void Checkpoint() {
    clock_.Advance(absl::Seconds(6));
    coordinator_->Step();
    coordinator_->Step();
  }
  // Audits the present state of the database, even while it is open elsewhere.
  AuditReport Audited() {
    auto store = book::Store::Open(path_, book::OpenMode::kReadOnly).value();
    return Audit(*store, rules_).value();
  }
  void ExpectCleanAudit() {
    const AuditReport report = Audited();
    EXPECT_EQ(report.mismatches, 0u);
    EXPECT_THAT(report.first, IsEmpty());
  }

  testing::TempFolder folder_;
  const std::string path_;
  const testing::ToyRules rules_{};
  testing::FakeClock clock_;
  std::string epoch_;
  std::unique_ptr<Coordinator> coordinator_;
};

TEST_F(QuarantineTest, HonestWorkersAgree) {
  Start();
  const RunId run = Create(Verified(40));
  Player a = Joined("a");
  Player b = Joined("b");
  WorkAll({&a, &b});
  const RunStatus status = StatusOf(run);
  EXPECT_EQ(status.state, "done");
  EXPECT_EQ(status.games_done, 40u) << "copies are not counted";
  EXPECT_GT(status.copies, 20u);
  EXPECT_EQ(static_cast<uint64_t>(a.accepted + b.accepted), 40 + status.copies);
  EXPECT_EQ(status.mismatches, 0u);
  EXPECT_EQ(status.quarantined, 0u);
  EXPECT_EQ(status.verify_off, "");
  EXPECT_GT(WorkerOf("a").copies, 0u);
  coordinator_.reset();
  ExpectCleanAudit();
  EXPECT_EQ(Audited().games, 40u);
}

TEST_F(QuarantineTest, CopiesLookLikeOtherSlots) {
  Start();
  Create(Verified(100));
  Player a = Joined("a");
  const Player b = Joined("b");
  const std::vector<Lease> first = Acquire(a);
  ASSERT_EQ(first.size(), 1u);
  Submit(a, Play(a, first[0]));
  bool met = false;
  for (const Lease& lease : Acquire(b)) {
    for (size_t i = 0; i < lease.slots.size(); ++i) {
      const Slot& slot = lease.slots[i];
      EXPECT_EQ(slot.slot, i) << "numbered like all";
      for (Slot known : first[0].slots) {
        if (known.seed != slot.seed) continue;
        met = true;
        known.slot = slot.slot;
        EXPECT_EQ(known, slot);
      }
    }
  }
  EXPECT_TRUE(met);
}

TEST_F(QuarantineTest, ALonelyWorkerIsVerifiedByItsNextSession) {
  Start();
  const RunId run = Create(Verified(100));
  Player a = Joined("a");
  Work(a);
  Work(a);
  EXPECT_EQ(StatusOf(run).copies, 0u);
  Player again = Joined("a");
  Work(again);
  EXPECT_GT(StatusOf(run).copies, 0u);
}

TEST_F(QuarantineTest, TheOddOneOutIsQuarantinedAndItsGamesReplaced) {
  Start();
  const RunId run = Create(Verified(200, 1.5));
  Player a = Joined("a");
  Player liar = Joined("liar", false);
  Player b = Joined("b");
  WorkAll({&a, &liar, &b});
  const RunStatus status = StatusOf(run);
  EXPECT_EQ(status.state, "done");
  EXPECT_EQ(status.games_done, 200u);
  EXPECT_EQ(status.quarantined, 1u);
  EXPECT_GT(status.games_excluded, 0u);
  EXPECT_GT(status.mismatches, 0u);
  EXPECT_EQ(WorkerOf("liar").state, "quarantined");
  EXPECT_THAT(WorkerOf("liar").reason, HasSubstr("is not the one that others play"));
  EXPECT_GT(WorkerOf("liar").mismatches, 0u);
  EXPECT_EQ(WorkerOf("a").state, "active");
  EXPECT_EQ(WorkerOf("a").mismatches, 0u);
  EXPECT_EQ(WorkerOf("b").mismatches, 0u);
  EXPECT_LT(liar.accepted, 30) << "it is found out early";
  EXPECT_THAT(Acquire(liar), IsEmpty());
  coordinator_.reset();
  ExpectCleanAudit();
  EXPECT_EQ(Audited().games, 200 + status.games_excluded);
}

TEST_F(QuarantineTest, AStagedRunGetsItsNumbersBack) {
  Start();
  const RunId run = Create(VerifiedStages(60));
  Player liar = Joined("liar", false);
  for (int i = 0; i < 3; ++i) Work(liar);
  Player a = Joined("a");
  Player b = Joined("b");
  WorkAll({&a, &b, &liar});
  const RunStatus status = StatusOf(run);
  EXPECT_EQ(status.state, "done");
  EXPECT_EQ(status.games_done, 60u);
  EXPECT_GE(status.games_excluded, 12u);
  coordinator_.reset();
  ExpectCleanAudit();
}

TEST_F(QuarantineTest, OfTwoWorkersNeitherIsBlamed) {
  Start();
  const RunId run = Create(Verified(1000));
  Player a = Joined("a");
  Player liar = Joined("liar", false);
  Work(a);
  Work(liar);
  Work(a);
  EXPECT_GT(StatusOf(run).mismatches, 0u);
  EXPECT_EQ(StatusOf(run).quarantined, 0u);
  EXPECT_THAT(WorkerOf("a").reason, HasSubstr("that of liar differ: a third worker"));
  EXPECT_THAT(WorkerOf("liar").reason, HasSubstr("that of a differ"));

  Start();  // it is remembered
  EXPECT_EQ(StatusOf(run).quarantined, 0u);
  Player third = Joined("third");
  for (int i = 0; i < 4; ++i) Work(third);
  EXPECT_EQ(StatusOf(run).quarantined, 1u);
  EXPECT_EQ(WorkerOf("liar").state, "quarantined");
  coordinator_.reset();
  ExpectCleanAudit();
}

// The process ends between the game that decides and the block.
TEST_F(QuarantineTest, AVerdictAfterARestartEndsTheLeasesOfAllRuns) {
  Start();
  const RunId run = Create(Verified(1000));
  Player a = Joined("a");
  Player liar = Joined("liar", false);
  for (Player* player : {&a, &liar, &a}) Work(*player);
  ASSERT_GT(StatusOf(run).mismatches, 0u);
  const RunId later = Create(ToySpec(1000));
  for (int i = 0; i < 4; ++i) Acquire(liar);
  ASSERT_GT(StatusOf(later).slots_in_flight, 0u);
  const Player third = Joined("third");
  while (StatusOf(run).quarantined == 0) {
    const std::vector<Lease> leases = Acquire(third, 1);
    ASSERT_FALSE(leases.empty());
    Submit(third, Play(third, leases[0]));
    for (const char* part : {"", "-wal"}) {
      std::filesystem::copy_file(path_ + part, path_ + ".killed" + part,
                                 std::filesystem::copy_options::overwrite_existing);
    }
  }
  coordinator_.reset();
  for (const char* part : {"", "-wal"}) {
    std::filesystem::rename(path_ + ".killed" + part, path_ + part);
  }
  {
    const auto store = book::Store::Open(path_, book::OpenMode::kReadOnly).value();
    ASSERT_THAT(RunStore(*store).trust().ReadAll().value(), IsEmpty());
  }
  Start();
  EXPECT_EQ(WorkerOf("liar").state, "quarantined");
  EXPECT_EQ(StatusOf(later).slots_in_flight, 0u);
  coordinator_.reset();
  ExpectCleanAudit();
}

TEST_F(QuarantineTest, ACopyIsAcknowledgedLikeAGame) {
  Start();
  const RunId run = Create(Verified(1000));
  Player a = Joined("a");
  const Player b = Joined("b");
  const std::vector<Lease> first = Acquire(a);
  Submit(a, Play(a, first[0]));
  const std::vector<Lease> second = Acquire(b);
  ASSERT_FALSE(second.empty());
  const std::vector<SubmittedGame> games = Play(b, second[0]);
  for (const GameVerdict& verdict : Submit(b, games)) {
    EXPECT_EQ(verdict.verdict, Verdict::kAccepted);
  }
  EXPECT_EQ(StatusOf(run).copies, 1u);
  for (const GameVerdict& verdict : Submit(b, games)) {
    EXPECT_EQ(verdict.verdict, Verdict::kDuplicate);
  }
  std::vector<SubmittedGame> others = games;
  for (SubmittedGame& game : others) ++game.nodes;
  for (const GameVerdict& verdict : Submit(b, others)) {
    EXPECT_EQ(verdict.verdict, Verdict::kConflict);
  }
  EXPECT_EQ(WorkerOf("b").residuals.conflicts, others.size());
  EXPECT_EQ(StatusOf(run).copies, 1u);
  Start();
  const Player back = Joined("b");
  for (const GameVerdict& verdict : Submit(back, games)) {
    EXPECT_EQ(verdict.verdict, Verdict::kDuplicate) << "after a restart too";
  }
  EXPECT_EQ(StatusOf(run).copies, 1u);
}

TEST_F(QuarantineTest, ACopyInPlaySurvivesARestart) {
  Start();
  const RunId run = Create(Verified(1000));
  Player a = Joined("a");
  Player b = Joined("b");
  Work(a);
  const std::vector<Lease> leases = Acquire(b);
  Start();
  b = Joined("b");
  for (const Lease& lease : leases) {
    for (const GameVerdict& verdict : Submit(b, Play(b, lease))) {
      EXPECT_EQ(verdict.verdict, Verdict::kAccepted);
    }
  }
  EXPECT_EQ(StatusOf(run).copies, 1u);
  EXPECT_EQ(StatusOf(run).games_done, 4 + 3u);
  EXPECT_EQ(StatusOf(run).slots_in_flight, 0u);
}

TEST_F(QuarantineTest, ALostCopyIsGivenToAnother) {
  Start();
  const RunId run = Create(Verified(1000));
  Player a = Joined("a");
  const Player b = Joined("b");
  Player c = Joined("c");
  Work(a, 1);
  ASSERT_FALSE(Acquire(b, 1).empty());
  clock_.Advance(absl::Seconds(100));
  coordinator_->Step();
  Work(c, 1);
  EXPECT_EQ(StatusOf(run).copies, 1u);
}

class BlockTest : public QuarantineTest, public ::testing::WithParamInterface<const char*> {
 protected:
  RunSpec Spec() {
    RunSpec spec = ToySpec(0, GetParam());
    if (spec.policy == "result-driven") {
      spec.policy_options = {{"delta", "4,2"}, {"rand", "8"}, {"games", "30,300"}};
    }
    return spec;
  }
  // Until three workers have played some games each.
  RunId PlayFor(int rounds) {
    Start();
    const RunId run = Create(Spec());
    for (const char* name : {"a", "b", "c"}) players_.push_back(Joined(name));
    for (int round = 0; round < rounds; ++round) {
      for (Player& player : players_) Work(player);
    }
    return run;
  }
  std::vector<Player> players_;
};

TEST_P(BlockTest, UnblockingGivesTheWeightsAsIfItHadNeverBeen) {
  const RunId run = PlayFor(10);
  Checkpoint();
  ExpectCleanAudit();
  const auto before = Evidence(Weights(run));
  const uint64_t games = StatusOf(run).games_done;
  const auto of_b = static_cast<uint64_t>(players_[1].accepted);
  EXPECT_GT(of_b, 20u);

  ASSERT_TRUE(
      coordinator_->operators().BlockWorker("b", "its memory is bad", /*unseen=*/false).ok());
  ExpectCleanAudit();
  coordinator_->Step();
  ExpectCleanAudit();
  EXPECT_EQ(StatusOf(run).games_done, games - of_b);
  EXPECT_EQ(StatusOf(run).games_excluded, of_b);
  EXPECT_EQ(WorkerOf("b").state, "quarantined");
  EXPECT_EQ(WorkerOf("b").reason, "its memory is bad");
  EXPECT_NE(Evidence(Weights(run)), before);
  Checkpoint();
  ExpectCleanAudit();

  ASSERT_TRUE(coordinator_->operators().UnblockWorker("b", false).ok());
  ExpectCleanAudit();
  coordinator_->Step();
  EXPECT_EQ(StatusOf(run).games_done, games);
  EXPECT_EQ(StatusOf(run).games_excluded, 0u);
  EXPECT_EQ(Evidence(Weights(run)), before);
  EXPECT_EQ(WorkerOf("b").state, "active");
  Checkpoint();
  ExpectCleanAudit();
  Start();
  EXPECT_EQ(Evidence(Weights(run)), before);
  Player again = Joined("b");
  EXPECT_TRUE(Work(again)) << "and it goes on";
}

TEST_P(BlockTest, SurvivesAKillAtAnyMoment) {
  const RunId run = PlayFor(10);
  Checkpoint();
  ASSERT_TRUE(coordinator_->operators().BlockWorker("b", "", /*unseen=*/false).ok());
  // State before the evidence was recomputed; nothing is written afterwards.
  std::filesystem::copy_file(path_, folder_ / "killed.sqlite");
  std::filesystem::copy_file(path_ + "-wal", folder_ / "killed.sqlite-wal");
  coordinator_->Step();
  const auto blocked = Evidence(Weights(run));
  coordinator_.reset();
  ExpectCleanAudit();
  Start();
  EXPECT_EQ(Evidence(Weights(run)), blocked);
  EXPECT_EQ(StatusOf(run).games_excluded, static_cast<uint64_t>(players_[1].accepted));
  EXPECT_EQ(WorkerOf("b").state, "quarantined");
  coordinator_.reset();

  std::filesystem::rename(folder_ / "killed.sqlite", path_);
  std::filesystem::rename(folder_ / "killed.sqlite-wal", path_ + "-wal");
  ExpectCleanAudit();
  Start();
  coordinator_->Step();
  EXPECT_EQ(Evidence(Weights(run)), blocked);
  EXPECT_EQ(StatusOf(run).games_done,
            static_cast<uint64_t>(players_[0].accepted + players_[2].accepted));
  coordinator_.reset();
  ExpectCleanAudit();
}

TEST_P(BlockTest, LateGamesOfABlockedWorkerAreKeptAndStayOut) {
  const RunId run = PlayFor(2);
  const uint64_t games = StatusOf(run).games_done;
  const std::vector<Lease> leases = Acquire(players_[1]);
  ASSERT_EQ(leases.size(), 1u);
  const uint64_t late = leases[0].slots.size();
  const auto ended = coordinator_->operators().BlockWorker("b", "", /*unseen=*/false);
  ASSERT_TRUE(ended.ok()) << ended.status();
  EXPECT_EQ(*ended, 1);
  EXPECT_EQ(StatusOf(run).slots_in_flight, 0u);
  for (const GameVerdict& verdict : Submit(players_[1], Play(players_[1], leases[0]))) {
    EXPECT_EQ(verdict.verdict, Verdict::kStaleAccepted);
  }
  coordinator_->Step();
  const auto before = static_cast<uint64_t>(players_[1].accepted);
  EXPECT_EQ(StatusOf(run).games_done, games - before);
  EXPECT_EQ(StatusOf(run).games_excluded, before + late);
  EXPECT_THAT(Acquire(players_[1]), IsEmpty());
  EXPECT_TRUE(Work(players_[0])) << "somebody else plays those slots";
  Checkpoint();
  ExpectCleanAudit();
}

TEST_P(BlockTest, AMendedWorkersEarlierGamesMayStayOut) {
  const RunId run = PlayFor(2);
  const uint64_t games = StatusOf(run).games_done;
  const auto before = static_cast<uint64_t>(players_[1].accepted);
  ASSERT_TRUE(coordinator_->operators().BlockWorker("b", "", /*unseen=*/false).ok());
  ASSERT_TRUE(coordinator_->operators().UnblockWorker("b", true).ok());
  coordinator_->Step();
  EXPECT_EQ(StatusOf(run).games_excluded, before);
  EXPECT_EQ(StatusOf(run).games_done, games - before);
  EXPECT_TRUE(Work(players_[1]));
  const auto since = static_cast<uint64_t>(players_[1].accepted) - before;
  EXPECT_GT(since, 0u);
  EXPECT_EQ(StatusOf(run).games_done, games - before + since);
  EXPECT_EQ(StatusOf(run).games_excluded, before);
  Checkpoint();
  ExpectCleanAudit();
  ASSERT_TRUE(coordinator_->operators().UnblockWorker("b", false).ok());
  coordinator_->Step();
  EXPECT_EQ(StatusOf(run).games_done, games + since);
  const absl::Status again = coordinator_->operators().UnblockWorker("b", false);
  EXPECT_EQ(ProblemOf(again).code, "not_blocked");
}

INSTANTIATE_TEST_SUITE_P(Rules, BlockTest, ::testing::Values("sample-average", "result-driven"));

TEST_F(QuarantineTest, AWrongEngineIsRefusedAndSaysWhy) {
  Start();
  Create(ToySpec(100));
  const auto refused = TryJoin("w", kSignature + 1);
  EXPECT_EQ(refused.status().code(), absl::StatusCode::kFailedPrecondition);
  const Problem problem = ProblemOf(refused.status());
  EXPECT_EQ(problem.code, "engine");
  EXPECT_THAT(problem.found, HasSubstr("toy-engine with signature 78"));
  EXPECT_THAT(problem.expected, HasSubstr("signature 77, as run 1 has it"));
  EXPECT_EQ(WorkerOf("w").state, "refused");
  EXPECT_THAT(WorkerOf("w").reason, HasSubstr("signature 78"));
  Joined("w");
  EXPECT_EQ(WorkerOf("w").state, "active");
  EXPECT_EQ(coordinator_->readers().GetStatus(0).workers.size(), 1u);
}

TEST_F(QuarantineTest, AWrongEngineForOneRunMayServeAnother) {
  Start();
  Create(ToySpec(100));
  RunSpec other = ToySpec(100);
  other.play.engine_signature = kSignature + 1;
  const RunId second = Create(other);
  const auto joined = TryJoin("w", kSignature + 1);
  ASSERT_TRUE(joined.ok()) << joined.status();
  EXPECT_EQ(WorkerOf("w").reason,
            "cannot serve run 1: engine toy-engine with signature 78, expected 77");
  for (const Lease& lease : Acquire({"w", true, joined->session})) EXPECT_EQ(lease.run, second);
}

TEST_F(QuarantineTest, OutliersAreQuarantinedWhereWanted) {
  for (const bool wanted : {false, true}) {
    Start(wanted ? 1e-4 : 0);
    RunSpec spec = ToySpec(0);
    spec.play.engine_signature = 0;
    const RunId run = Create(spec);
    EXPECT_EQ(StatusOf(run).verify_off, "not wanted");
    std::vector<Player> players{Joined("a"), Joined("b"), Joined("resigner")};
    for (int round = 0; round < 80; ++round) {
      for (Player& player : players) {
        for (const Lease& lease : Acquire(player)) {
          if (lease.run != run) continue;
          std::vector<SubmittedGame> games = Play(player, lease);
          for (size_t i = 0; i < games.size(); ++i) {
            if (player.name == "resigner") games[i] = ResignAfterLine(games[i], lease.slots[i]);
          }
          Submit(player, games);
        }
      }
    }
    const WorkerResiduals residuals = WorkerOf("resigner").residuals;
    Checkpoint();
    EXPECT_EQ(residuals.games > 0 && residuals.p < 1e-4, true) << residuals.z;
    EXPECT_GT(WorkerOf("a").residuals.p, 1e-4);
    EXPECT_EQ(WorkerOf("resigner").state == "quarantined", wanted);
    EXPECT_EQ(WorkerOf("a").state, "active");
    if (wanted) {
      ASSERT_TRUE(coordinator_->operators().UnblockWorker("resigner", false).ok());
      Checkpoint();
      EXPECT_EQ(WorkerOf("resigner").state, "active") << "it is judged by what it plays from now";
    }
    coordinator_->operators().StopRun(run).IgnoreError();
  }
}

}  // namespace
}  // namespace joseki::coordinator
