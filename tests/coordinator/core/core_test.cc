// The tables and what events mean for them, without thread, lock, SQL or clock.

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/problem.h"
#include "coordinator/core/attend.h"
#include "coordinator/core/close.h"
#include "coordinator/core/grant.h"
#include "coordinator/core/intake.h"
#include "coordinator/core/orders.h"
#include "coordinator/core/upkeep.h"
#include "coordinator/core/verify.h"
#include "gtest/gtest.h"
#include "tests/support/toy_run.h"

namespace joseki::coordinator {
namespace {

constexpr RunId kRun = 1;
const absl::Time kBegan = absl::UnixEpoch() + absl::Hours(1);

class CoreTest : public ::testing::Test {
 protected:
  CoreTest()
      : tables_(rules_,
                {.acquire_wait = absl::Seconds(45),
                 .lease_term = absl::Minutes(1),
                 .slots_per_lease = 256,
                 .pressure = {}},
                kBegan),
        upkeep_(kBegan, absl::Seconds(5)) {
    LoadedRun loaded = testing::FreshRun(testing::ToySpec(1000));
    const book::NodeId start = loaded.graph->Find(testing::ToyPosition().key());
    tables_.runs.emplace(kRun,
                         ActiveRun{.state = RunState(std::move(loaded), start, {}), .rate = {}});
    tables_.serving.shares.Set(kRun, run().state.row().spec.share);
  }

  ActiveRun& run() { return tables_.runs.at(kRun); }

  SessionId Join(const std::string& worker) {
    JoinInput input;
    input.worker = worker;
    input.protocol = kProtocol;
    input.seats = 4;
    input.engines = {{"toy-engine", "Toy", 77, "", "test"}};
    const absl::StatusOr<SessionRow> row = AdmitWorker(tables_, input);
    EXPECT_TRUE(row.ok()) << row.status();
    OpenSession(tables_, *row, input, [](const JoinOutput&) {});
    return row->session;
  }

  // Granted, and written.
  Grants Grant(SessionId session, uint32_t want) {
    Granting granting{.input = {session, want}};
    while (AcquireSome(tables_, granting, nullptr)) {
    }
    EXPECT_EQ(tables_.effects.work.size(), 1u);
    const Grants leases = std::move(tables_.effects.work.back().granting.leases);
    tables_.effects.work.clear();
    HandedOut(tables_, leases);
    return leases;
  }

  testing::ToyRules rules_;
  Tables tables_;
  Upkeep upkeep_;
};

TEST_F(CoreTest, AGameGoesFromGrantToReply) {
  const SessionId session = Join("w");
  const Grants leases = Grant(session, 2);
  ASSERT_EQ(leases.size(), 1u);
  const LeaseGrant& grant = *leases[0];
  ASSERT_EQ(grant.slots.size(), 2u);

  SubmitInput input;
  input.work.session = session;
  input.epoch = "epoch";
  for (const PlannedSlot& plan : grant.slots) {
    input.games.push_back(testing::PlaySlot(kRun, grant.lease, plan.slot));
  }
  absl::StatusOr<TakenIn> taken = TakeIn(tables_, input, "epoch");
  ASSERT_TRUE(taken.ok()) << taken.status();
  EXPECT_EQ(taken->worker, "w");

  Submission submission;
  submission.work.input.session = session;
  for (size_t i = 0; i < input.games.size(); ++i) {
    auto item = Examine(rules_, taken->worker, std::move(input.games[i]),
                        std::move(taken->places[i]), nullptr);
    ASSERT_TRUE(item.ok()) << item.status();
    ASSERT_EQ(item->kind, SubmittedItem::Kind::kNew) << item->reason;
    // State as the writer would leave it.
    item->insert = Inserted::kNew;
    item->row.commit_seq = i + 1;
    submission.items.push_back(*std::move(item));
  }
  std::vector<GameVerdict> verdicts;
  EXPECT_FALSE(ApplySome(tables_, submission, verdicts));
  Close(tables_);
  std::vector<SubmitReply> replies;
  Conclude(tables_, submission, std::move(verdicts), replies);
  ASSERT_EQ(replies.size(), 1u);
  ASSERT_EQ(replies[0].output.verdicts.size(), 2u);
  for (const GameVerdict& verdict : replies[0].output.verdicts) {
    EXPECT_EQ(verdict.verdict, Verdict::kAccepted) << verdict.reason;
  }
  EXPECT_EQ(run().state.evidence().counters().games, 2u);
  EXPECT_EQ(tables_.ledger.Take().leases.at(grant.lease), LeaseState::kFinished);
}

TEST_F(CoreTest, GamesOfAnotherEpochAreRefused) {
  SubmitInput input;
  input.work.session = Join("w");
  input.epoch = "earlier";
  const absl::Status status = TakeIn(tables_, input, "epoch").status();
  EXPECT_TRUE(absl::IsFailedPrecondition(status)) << status;
}

TEST_F(CoreTest, TheEndOfAnEventServesWhoWaits) {
  const SessionId session = Join("w");
  ASSERT_TRUE(run().state.SetState("paused", ""));
  Granting granting{.input = {session, 2}};
  EXPECT_FALSE(AcquireSome(tables_, granting, [](const auto&) {}));
  EXPECT_EQ(tables_.serving.waiters.size(), 1u);
  ASSERT_TRUE(run().state.SetState("running", ""));
  EXPECT_TRUE(Close(tables_).work.empty()) << "the event did not ask for it";
  tables_.notes.serve = true;
  const Effects effects = Close(tables_);
  ASSERT_EQ(effects.work.size(), 1u);
  EXPECT_EQ(effects.work[0].granting.slots, 2u);
  EXPECT_EQ(tables_.serving.waiters.size(), 0u);
  EXPECT_TRUE(Close(tables_).work.empty()) << "effects are taken once";
}

TEST_F(CoreTest, TheEndOfAnEventCountsWhoServes) {
  const SessionId session = Join("w");
  Close(tables_);
  EXPECT_EQ(tables_.servers.Of(kRun), 1u);
  EXPECT_NE(Join("w"), session) << "the same worker again";
  Close(tables_);
  EXPECT_EQ(tables_.servers.Of(kRun), 1u);
  EXPECT_TRUE(CloseSession(tables_, tables_.sessions.FindWorker("w")->id, {}).ok());
  Close(tables_);
  EXPECT_EQ(tables_.servers.Of(kRun), 0u);
}

TEST_F(CoreTest, TheEndOfAnEventAdvancesTheRunsThatItTouched) {
  Grant(Join("w"), 1);
  tables_.ledger.Take();
  run().state.AddPlayedMs(1);
  Close(tables_);
  EXPECT_TRUE(tables_.ledger.Take().runs.empty());
  tables_.TouchRow(kRun);
  Close(tables_);
  EXPECT_EQ(tables_.ledger.Take().runs.count(kRun), 1u);
}

TEST_F(CoreTest, LeasesThatCannotBeWrittenAreAsIfNeverGranted) {
  const SessionId session = Join("w");
  const uint64_t before = run().state.Available();
  Granting granting{.input = {session, 3}};
  EXPECT_FALSE(AcquireSome(tables_, granting, nullptr)) << "all that it wanted came at once";
  ASSERT_EQ(tables_.effects.work.size(), 1u);
  EXPECT_EQ(run().state.open_slots(), 3u);
  const Grants leases = tables_.effects.work[0].granting.leases;
  EXPECT_TRUE(absl::IsInternal(TakeBack(tables_, leases, absl::InternalError("the disk"))));
  EXPECT_EQ(run().state.open_slots(), 0u);
  EXPECT_EQ(run().state.Available(), before);
  EXPECT_EQ(tables_.leases.LiveLeases(kRun), 0u);
}

TEST_F(CoreTest, ALeaseRunsOutByTheTimeThatIsHandedIn) {
  const Grants leases = Grant(Join("w"), 1);
  Close(tables_);
  upkeep_.BeginTick(tables_);
  EXPECT_TRUE(tables_.ledger.Take().leases.empty());
  tables_.moment.now += absl::Hours(2);
  upkeep_.BeginTick(tables_);
  EXPECT_EQ(tables_.ledger.Take().leases.at(leases[0]->lease), LeaseState::kExpired);
  const Effects effects = Close(tables_);
  EXPECT_TRUE(effects.write);
  ASSERT_FALSE(effects.log.empty());
  EXPECT_EQ(effects.log[0].severity, Effects::Severity::kWarn);
  EXPECT_NE(effects.log[0].text.find("lease_expired lease=1 run=1 worker=w slots=1"),
            std::string::npos)
      << effects.log[0].text;
}

TEST_F(CoreTest, AStoppedRunLosesItsLeases) {
  const Grants leases = Grant(Join("w"), 2);
  EXPECT_TRUE(SetRunState(tables_, kRun, "stopped").ok());
  EXPECT_TRUE(EndSomeLeases(tables_, kRun));
  EXPECT_FALSE(EndSomeLeases(tables_, kRun)) << "it has no other";
  Close(tables_);
  const Debt debt = tables_.ledger.Take();
  EXPECT_EQ(debt.leases.at(leases[0]->lease), LeaseState::kGivenBack);
  EXPECT_EQ(debt.runs.at(kRun).state, "stopped");
  EXPECT_TRUE(absl::IsFailedPrecondition(SetRunState(tables_, kRun, "running")));
  EXPECT_TRUE(absl::IsNotFound(SetRunState(tables_, kRun + 1, "paused")));
}

TEST_F(CoreTest, ADrainingWorkerIsToldSo) {
  const SessionId session = Join("w");
  EXPECT_EQ(Drain(tables_, "other"), 0);
  EXPECT_EQ(Drain(tables_, "w"), 1);
  Granting granting{.input = {session, 2}};
  bool drains = false;
  EXPECT_FALSE(AcquireSome(tables_, granting, [&](const auto& reply) { drains = reply->drain; }));
  const Effects effects = Close(tables_);
  EXPECT_TRUE(effects.work.empty());
  for (const std::function<void()>& reply : effects.replies) reply();
  EXPECT_TRUE(drains);
  EXPECT_EQ(Undrain(tables_, "w")->workers, 1);
  EXPECT_EQ(Grant(session, 2).size(), 1u);
}

TEST_F(CoreTest, AnEndOfADrainSaysWhetherThereWasOne) {
  Join("w");
  EXPECT_FALSE(Undrain(tables_, "")->lifted);
  EXPECT_FALSE(Undrain(tables_, "w")->lifted) << "it is here, and does not drain";
  EXPECT_EQ(ProblemOf(Undrain(tables_, "typo").status()).code, "unknown_worker");
  EXPECT_EQ(Drain(tables_, "w"), 1);
  EXPECT_TRUE(Undrain(tables_, "w")->lifted);
  // A worker that has gone meanwhile.
  tables_.holds.draining.insert("gone");
  const auto gone = Undrain(tables_, "gone");
  ASSERT_TRUE(gone.ok()) << gone.status();
  EXPECT_TRUE(gone->lifted);
  EXPECT_EQ(gone->workers, 0);
  EXPECT_EQ(ProblemOf(Undrain(tables_, "gone").status()).code, "unknown_worker");
  // One worker cannot leave a drain of all.
  EXPECT_EQ(Drain(tables_, ""), 1);
  const absl::Status refused = Undrain(tables_, "w").status();
  EXPECT_TRUE(absl::IsFailedPrecondition(refused)) << refused;
  EXPECT_EQ(ProblemOf(refused).code, "all_drain");
  EXPECT_TRUE(Undrain(tables_, "")->lifted);
}

TEST_F(CoreTest, ARunThatWasMadeDuringAChangeOfTrustIsRebuilt) {
  for (const bool changes : {false, true}) {
    LoadedRun loaded = testing::FreshRun(testing::ToySpec(1000));
    tables_.marks.run = changes ? 3 : 2;
    NumberRun(tables_, loaded);
    if (changes) Quarantine(tables_, "w", "a test", /*automatic=*/false);
    Close(tables_);
    const book::NodeId start = loaded.graph->Find(testing::ToyPosition().key());
    EnterRun(tables_, RunState(std::move(loaded), start, {}), {});
    EXPECT_EQ(Close(tables_).rebuild, changes);
  }
}

TEST_F(CoreTest, ALeaseOutlivesAMoveOfItsGames) {
  const auto term = [](uint64_t nodes, uint32_t move_ms) {
    RunSpec spec = testing::ToySpec(1000);
    spec.play.nodes = nodes;
    spec.play.move_ms = move_ms;
    const testing::ToyRules rules;
    Tables tables(rules,
                  {.acquire_wait = absl::Seconds(45),
                   .lease_term = absl::Minutes(1),
                   .slots_per_lease = 256,
                   .pressure = {}},
                  kBegan);
    LoadedRun loaded = testing::FreshRun(spec);
    const book::NodeId start = loaded.graph->Find(testing::ToyPosition().key());
    tables.marks.run = kRun;
    NumberRun(tables, loaded);
    EnterRun(tables, RunState(std::move(loaded), start, {}), {});
    JoinInput input;
    input.worker = "w";
    input.protocol = kProtocol;
    input.seats = 4;
    input.engines = {{"toy-engine", "Toy", 77, "", "test"}};
    const absl::StatusOr<SessionRow> row = AdmitWorker(tables, input);
    EXPECT_TRUE(row.ok()) << row.status();
    OpenSession(tables, *row, input, [](const JoinOutput&) {});
    Granting granting{.input = {row->session, 1}};
    while (GrantSome(tables, granting)) {
    }
    return granting.leases.at(0)->term;
  };
  EXPECT_EQ(term(400, 0), absl::Minutes(1));
  EXPECT_EQ(term(0, 90'000), absl::Minutes(3));
  EXPECT_EQ(term(10'000'000, 0), absl::Seconds(1000)) << "at 20,000 nodes a second";
}

TEST_F(CoreTest, AQuarantineEndsLeasesAndAsksForARebuild) {
  const Grants leases = Grant(Join("w"), 1);
  EXPECT_EQ(Quarantine(tables_, "w", "a test", /*automatic=*/false), 1);
  EXPECT_EQ(Quarantine(tables_, "w", "again", /*automatic=*/false), 0);
  const Debt debt = tables_.ledger.Take();
  EXPECT_EQ(debt.leases.at(leases[0]->lease), LeaseState::kGivenBack);
  ASSERT_EQ(debt.trust.size(), 1u);
  EXPECT_EQ(debt.trust[0].change, 1u);
  EXPECT_TRUE(Close(tables_).rebuild);
}

}  // namespace
}  // namespace joseki::coordinator
