#pragma once

// A whole coordinator without threads of its own, over the toy game and a real database: a test
// steps it and moves its clock. Also workers for such tests.

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "book/database/store.h"
#include "coordinator/coordinator.h"
#include "coordinator/offline/audit.h"
#include "gtest/gtest.h"
#include "spdlog/spdlog.h"
#include "tests/support/temp_folder.h"
#include "tests/support/toy_run.h"

namespace joseki::coordinator {

// A worker whose calls are answered while the test steps the coordinator.
class SteppedWorker {
 public:
  SteppedWorker(Coordinator& coordinator, std::string name, uint64_t process = 0)
      : coordinator_(coordinator) {
    introduction.worker = std::move(name);
    introduction.protocol = kProtocol;
    introduction.seats = 4;
    introduction.engines = {{"toy-engine", "Toy", 77, "", "test"}};
    introduction.process = process;
  }

  absl::Status TryJoin() {
    std::optional<absl::StatusOr<JoinOutput>> reply;
    coordinator_.workers().Join(introduction, [&reply](auto output) { reply = std::move(output); });
    StepUntil(reply);
    if (!reply->ok()) return reply->status();
    joined = **reply;
    return absl::OkStatus();
  }
  SteppedWorker& Join() {
    const absl::Status status = TryJoin();
    EXPECT_TRUE(status.ok()) << status;
    return *this;
  }

  using Held = std::shared_ptr<std::optional<absl::StatusOr<AcquireOutput>>>;
  Held AcquireLater(uint32_t want, std::optional<LeaseId> after = {}) {
    auto reply = std::make_shared<std::optional<absl::StatusOr<AcquireOutput>>>();
    coordinator_.workers().Acquire({joined.session, want, {}, after},
                                   [reply](auto output) { *reply = std::move(output); });
    return reply;
  }
  // The work available now; no leases if the call would be held.
  absl::StatusOr<AcquireOutput> Acquire(uint32_t want, std::optional<LeaseId> after = {}) {
    const Held reply = AcquireLater(want, after);
    coordinator_.Step();
    return reply->value_or(AcquireOutput());
  }
  std::vector<Lease> LeasesOf(uint32_t want) { return Acquire(want).value().leases; }
  std::shared_ptr<std::optional<absl::StatusOr<SubmitOutput>>> SubmitLater(
      std::vector<SubmittedGame> games, uint32_t want = 0) {
    auto reply = std::make_shared<std::optional<absl::StatusOr<SubmitOutput>>>();
    coordinator_.workers().Submit({{joined.session, want}, joined.epoch, std::move(games)},
                                  [reply](auto output) { *reply = std::move(output); });
    return reply;
  }
  absl::StatusOr<SubmitOutput> Submit(std::vector<SubmittedGame> games, uint32_t want = 0) {
    const auto reply = SubmitLater(std::move(games), want);
    StepUntil(*reply);
    return **reply;
  }
  absl::StatusOr<BeatOutput> Beat(const std::vector<LeaseProgress>& progress = {}) {
    return coordinator_.workers().Beat(joined.session, progress);
  }

  JoinInput introduction;
  JoinOutput joined;

 private:
  template <typename Reply>
  void StepUntil(std::optional<Reply>& reply) {
    for (int i = 0; i < 10 && !reply; ++i) coordinator_.Step();
    ASSERT_TRUE(reply.has_value());
  }

  Coordinator& coordinator_;
};

inline std::vector<SubmittedGame> Play(const Lease& lease) {
  std::vector<SubmittedGame> games;
  for (const Slot& slot : lease.slots)
    games.push_back(testing::PlaySlot(lease.run, lease.lease, slot));
  return games;
}

inline uint32_t SlotsOf(const AcquireOutput& work) {
  uint32_t slots = 0;
  for (const Lease& lease : work.leases) slots += static_cast<uint32_t>(lease.slots.size());
  return slots;
}

class SteppedTest : public ::testing::Test {
 protected:
  SteppedTest() : path_(folder_ / "book.sqlite") {
    spdlog::set_level(spdlog::level::warn);  // ten thousand workers join
    testing::WriteToyBook(path_);
  }

  void Start(Pressure::Options pressure = {}, std::optional<uint32_t> slots_per_lease = {}) {
    coordinator_.reset();
    Coordinator::Options options;
    if (slots_per_lease) options.slots_per_lease = *slots_per_lease;
    options.db_path = path_;
    options.batch_time = absl::Hours(1);  // the speed of the machine does not count
    options.storage_retry = absl::ZeroDuration();
    options.pressure = pressure;
    auto started = Coordinator::Open(options, rules_, clock_);
    ASSERT_TRUE(started.ok()) << started.status();
    coordinator_.reset(started->release());
  }
  RunId Create(const RunSpec& spec) {
    const auto created = coordinator_->operators().CreateRun(spec, "");
    EXPECT_TRUE(created.ok()) << created.status();
    return created.ok() ? created->run : 0;
  }
  RunId Create(Share share) {
    RunSpec spec = testing::ToySpec(100'000);
    spec.share = share;
    return Create(spec);
  }
  SteppedWorker Of(const std::string& name, uint64_t process = 0) {
    return SteppedWorker(*coordinator_, name, process);
  }
  RunStatus StatusOf(RunId run) { return coordinator_->readers().GetStatus(run).runs.at(0); }
  // Plays the run to its end. Leaves no held call behind, which would receive later work.
  void PlayOn(RunId run, SteppedWorker& worker) {
    while (StatusOf(run).state == "running") {
      const auto work = worker.Acquire(4);
      ASSERT_TRUE(work.ok()) << work.status();
      ASSERT_GT(SlotsOf(*work), 0u);
      for (const Lease& lease : work->leases) ASSERT_TRUE(worker.Submit(Play(lease)).ok());
    }
  }
  std::map<std::string, std::string> WorkerStates() {
    std::map<std::string, std::string> states;
    for (const WorkerStatus& worker : coordinator_->readers().GetStatus(0).workers) {
      states[worker.worker] = worker.state;
    }
    return states;
  }
  void Wait(absl::Duration time) {
    clock_.Advance(time);
    coordinator_->Step();
  }
  uint64_t CleanlyAuditedGames() {
    coordinator_.reset();
    const auto store = book::Store::Open(path_, book::OpenMode::kReadOnly).value();
    const AuditReport report = Audit(*store, rules_).value();
    EXPECT_EQ(report.mismatches, 0u);
    return report.games;
  }

  testing::TempFolder folder_;
  const std::string path_;
  const testing::ToyRules rules_{};
  testing::FakeClock clock_;
  std::unique_ptr<Coordinator> coordinator_;
};

}  // namespace joseki::coordinator
