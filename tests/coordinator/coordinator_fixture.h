#pragma once

// Fixture of the tests of the whole coordinator. It has a coordinator with its own threads over the
// toy game and a real database, and a worker that waits for each reply.

#include <cstdint>
#include <future>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "book/database/store.h"
#include "coordinator/coordinator.h"
#include "coordinator/offline/audit.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/temp_folder.h"
#include "tests/support/toy_run.h"

namespace joseki::coordinator {

inline constexpr uint64_t kToySignature = 77;

// Turns calls with a callback into calls that return the reply.
class CallingWorker {
 public:
  CallingWorker(Coordinator& coordinator, std::string name)
      : coordinator_(coordinator), name_(name) {}

  JoinInput Introduction() const {
    JoinInput input;
    input.worker = name_;
    input.protocol = kProtocol;
    input.seats = 4;
    input.engines = {{"toy-engine", "Toy", kToySignature, "", "test"}};
    return input;
  }
  absl::StatusOr<JoinOutput> TryJoin(JoinInput input) {
    auto reply = std::make_shared<std::promise<absl::StatusOr<JoinOutput>>>();
    auto result = reply->get_future();
    coordinator_.workers().Join(std::move(input),
                                [reply](auto output) { reply->set_value(std::move(output)); });
    return result.get();
  }
  void Join() {
    const auto output = TryJoin(Introduction());
    ASSERT_TRUE(output.ok()) << output.status();
    session = output->session;
    epoch = output->epoch;
  }
  std::future<absl::StatusOr<AcquireOutput>> AcquireLater(uint32_t want = 4) {
    auto reply = std::make_shared<std::promise<absl::StatusOr<AcquireOutput>>>();
    auto result = reply->get_future();
    coordinator_.workers().Acquire({session, want, {}},
                                   [reply](auto output) { reply->set_value(std::move(output)); });
    return result;
  }
  absl::StatusOr<AcquireOutput> Acquire(uint32_t want = 4) { return AcquireLater(want).get(); }
  absl::StatusOr<SubmitOutput> SubmitAsking(std::vector<SubmittedGame> games, uint32_t want) {
    auto reply = std::make_shared<std::promise<absl::StatusOr<SubmitOutput>>>();
    auto result = reply->get_future();
    coordinator_.workers().Submit({{session, want}, epoch, std::move(games)},
                                  [reply](auto output) { reply->set_value(std::move(output)); });
    return result.get();
  }
  absl::StatusOr<std::vector<GameVerdict>> Submit(std::vector<SubmittedGame> games) {
    absl::StatusOr<SubmitOutput> output = SubmitAsking(std::move(games), 0);
    if (!output.ok()) return output.status();
    return std::move(output->verdicts);
  }
  Verdict SubmitOne(const SubmittedGame& game) {
    const auto verdicts = Submit({game});
    EXPECT_TRUE(verdicts.ok()) << verdicts.status();
    return verdicts.ok() ? verdicts->at(0).verdict : Verdict::kRejected;
  }
  absl::Status Leave(std::vector<SlotRef> unplayed) {
    auto reply = std::make_shared<std::promise<absl::Status>>();
    auto result = reply->get_future();
    coordinator_.workers().Leave(session, std::move(unplayed), [reply](absl::Status status) {
      reply->set_value(std::move(status));
    });
    return result.get();
  }
  static std::vector<SubmittedGame> Play(const Lease& lease) {
    std::vector<SubmittedGame> games;
    for (const Slot& slot : lease.slots)
      games.push_back(testing::PlaySlot(lease.run, lease.lease, slot));
    return games;
  }
  // Plays until nothing is left to do; sends every game twice, as after a lost reply.
  int Work() {
    int accepted = 0;
    for (;;) {
      const auto work = Acquire();
      if (!work.ok() || work->leases.empty()) return accepted;
      for (const Lease& lease : work->leases) {
        const auto games = Play(lease);
        const auto verdicts = Submit(games);
        EXPECT_TRUE(verdicts.ok()) << verdicts.status();
        if (!verdicts.ok()) return accepted;
        for (const GameVerdict& verdict : *verdicts) {
          EXPECT_EQ(verdict.verdict, Verdict::kAccepted) << verdict.reason;
          ++accepted;
        }
        const auto again = Submit(games);
        EXPECT_TRUE(again.ok()) << again.status();
        if (!again.ok()) return accepted;
        for (const GameVerdict& verdict : *again) {
          EXPECT_EQ(verdict.verdict, Verdict::kDuplicate) << verdict.reason;
        }
      }
    }
  }

  SessionId session = 0;
  std::string epoch;

 private:
  Coordinator& coordinator_;
  const std::string name_;
};

class CoordinatorTest : public ::testing::Test {
 protected:
  CoordinatorTest() : path_(folder_ / "book.sqlite") { testing::WriteToyBook(path_); }

  void Start(absl::Duration acquire_wait = absl::Hours(1)) {
    Coordinator::Options options;
    options.db_path = path_;
    options.acquire_wait = acquire_wait;
    options.lease_term = absl::Seconds(90);
    options.slots_per_lease = 4;
    options.checkpoint_rows = 7;
    auto coordinator = Coordinator::Start(options, rules_, clock_);
    ASSERT_TRUE(coordinator.ok()) << coordinator.status();
    coordinator_ = *std::move(coordinator);
  }
  RunId Create(const RunSpec& spec, const std::string& request = "") {
    const auto created = coordinator_->operators().CreateRun(spec, request);
    EXPECT_TRUE(created.ok()) << created.status();
    return created.ok() ? created->run : 0;
  }
  CallingWorker Joined(const std::string& name) {
    CallingWorker worker(*coordinator_, name);
    worker.Join();
    return worker;
  }
  RunStatus StatusOf(RunId run) { return coordinator_->readers().GetStatus(run).runs.at(0); }
  AuditReport Audited() {
    auto store = book::Store::Open(path_, book::OpenMode::kReadOnly).value();
    return Audit(*store, rules_).value();
  }
  void ExpectCleanAudit(uint64_t games) {
    const AuditReport report = Audited();
    EXPECT_EQ(report.games, games);
    EXPECT_EQ(report.mismatches, 0u);
    EXPECT_THAT(report.first, ::testing::IsEmpty());
  }

  testing::TempFolder folder_;
  const std::string path_;
  const testing::ToyRules rules_{};
  testing::FakeClock clock_;
  std::unique_ptr<Coordinator> coordinator_;
};

}  // namespace joseki::coordinator
