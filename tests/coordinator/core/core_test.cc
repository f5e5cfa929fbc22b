// The tables and what events mean for them, without thread, lock, SQL or clock.

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "coordinator/core/attend.h"
#include "coordinator/core/grant.h"
#include "coordinator/core/intake.h"
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
    tables_.runs.emplace(
        kRun,
        ActiveRun{.state = RunState(std::move(loaded), start, {}), .request_id = "", .rate = {}});
    tables_.shares.Set(kRun, run().state.row().spec.share);
  }

  ActiveRun& run() { return tables_.runs.at(kRun); }

  SessionId Join(const std::string& worker) {
    JoinInput input;
    input.worker = worker;
    input.protocol = kProtocol;
    input.seats = 4;
    input.engines = {{"toy-engine", "Toy", 77, "", "test"}};
    const absl::Status status = CheckJoin(tables_, input);
    EXPECT_TRUE(status.ok()) << status;
    SessionRow row;
    row.session = tables_.marks.session++;
    row.worker = worker;
    row.seats = input.seats;
    OpenSession(tables_, row, input);
    return row.session;
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
  std::string worker;
  std::vector<GamePlace> places;
  ASSERT_TRUE(TakeIn(tables_, input, "epoch", worker, places).ok());
  EXPECT_EQ(worker, "w");

  Submission submission;
  submission.work.input.session = session;
  for (size_t i = 0; i < input.games.size(); ++i) {
    auto item = Examine(rules_, worker, std::move(input.games[i]), std::move(places[i]), nullptr);
    ASSERT_TRUE(item.ok()) << item.status();
    ASSERT_EQ(item->kind, SubmittedItem::Kind::kNew) << item->reason;
    // State as the writer would leave it.
    item->insert = Inserted::kNew;
    item->row.commit_seq = i + 1;
    submission.items.push_back(*std::move(item));
  }
  std::vector<GameVerdict> verdicts;
  EXPECT_FALSE(ApplySome(tables_, submission, verdicts));
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
  std::string worker;
  std::vector<GamePlace> places;
  const absl::Status status = TakeIn(tables_, input, "epoch", worker, places);
  EXPECT_TRUE(absl::IsFailedPrecondition(status)) << status;
}

TEST_F(CoreTest, TheEndOfAnEventServesWhoWaits) {
  const SessionId session = Join("w");
  ASSERT_TRUE(run().state.SetState("paused", ""));
  Granting granting{.input = {session, 2}};
  EXPECT_FALSE(AcquireSome(tables_, granting, [](const auto&) {}));
  EXPECT_EQ(tables_.waiters.size(), 1u);
  ASSERT_TRUE(run().state.SetState("running", ""));
  EXPECT_TRUE(Close(tables_).work.empty()) << "the event did not ask for it";
  tables_.effects.serve = true;
  const Effects effects = Close(tables_);
  ASSERT_EQ(effects.work.size(), 1u);
  EXPECT_EQ(effects.work[0].granting.slots, 2u);
  EXPECT_EQ(tables_.waiters.size(), 0u);
  EXPECT_TRUE(Close(tables_).work.empty()) << "effects are taken once";
}

TEST_F(CoreTest, LeasesThatCannotBeWrittenAreAsIfNeverGranted) {
  const SessionId session = Join("w");
  const uint64_t before = run().state.Available();
  Granting granting{.input = {session, 3}};
  EXPECT_FALSE(AcquireSome(tables_, granting, nullptr)) << "all that it wanted came at once";
  ASSERT_EQ(tables_.effects.work.size(), 1u);
  EXPECT_EQ(run().state.open_slots(), 3u);
  TakeBack(tables_, tables_.effects.work[0].granting.leases);
  EXPECT_EQ(run().state.open_slots(), 0u);
  EXPECT_EQ(run().state.Available(), before);
  EXPECT_EQ(tables_.leases.LiveLeases(kRun), 0u);
}

TEST_F(CoreTest, ALeaseRunsOutByTheTimeThatIsHandedIn) {
  const Grants leases = Grant(Join("w"), 1);
  upkeep_.Tick(tables_);
  EXPECT_TRUE(tables_.ledger.Take().leases.empty());
  tables_.moment.now += absl::Hours(2);
  upkeep_.Tick(tables_);
  EXPECT_EQ(tables_.ledger.Take().leases.at(leases[0]->lease), LeaseState::kExpired);
  const Effects effects = Close(tables_);
  EXPECT_TRUE(effects.write);
  ASSERT_FALSE(effects.log.empty());
  EXPECT_EQ(effects.log[0].severity, Effects::Severity::kWarn);
  EXPECT_NE(effects.log[0].text.find("lease_expired lease=1 run=1 worker=w slots=1"),
            std::string::npos)
      << effects.log[0].text;
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
