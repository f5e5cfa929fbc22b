// Many workers and an operator at once, on a coordinator with threads of its own.

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <future>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/rng.h"
#include "book/database/store.h"
#include "coordinator/coordinator.h"
#include "coordinator/offline/audit.h"
#include "gtest/gtest.h"
#include "tests/support/temp_folder.h"
#include "tests/support/toy_run.h"

namespace joseki::coordinator {
namespace {

using testing::PlaySlot;
using testing::ToySpec;

// Everything at once, on separate threads: workers that play, restart, leave and come back; an
// operator who changes shares, pauses, drains; readers. Nothing is lost, nothing counted twice. For
// the thread sanitizer.
TEST(SchedulingHammer, NothingIsLostOrCountedTwice) {
  const testing::TempFolder folder;
  const std::string path = folder / "book.sqlite";
  testing::WriteToyBook(path);
  const testing::ToyRules rules;
  const testing::FakeClock clock;
  Coordinator::Options options;
  options.db_path = path;
  options.acquire_wait = absl::ZeroDuration();
  options.slots_per_lease = 3;
  options.pressure = {.no_readers = 4, .no_acquires = 12, .no_beats = 20, .no_submits = 24};
  auto coordinator = Coordinator::Start(options, rules, clock).value();
  std::vector<RunId> runs;
  for (const uint32_t priority : {4, 5, 5}) {
    RunSpec spec = ToySpec(150);
    spec.share.priority = priority;
    runs.push_back(coordinator->operators().CreateRun(spec, "").value().run);
  }

  std::atomic<bool> over = false;
  std::atomic<uint64_t> accepted = 0;
  const auto done = [&] {
    for (const RunStatus& run : coordinator->readers().GetStatus(0).runs) {
      if (run.state != "done") return false;
    }
    return true;
  };
  const auto work = [&](uint64_t number) {
    Rng rng(number);
    std::vector<SubmittedGame> spool;
    while (!over) {
      JoinInput input;
      input.worker = "w" + std::to_string(number);
      input.protocol = kProtocol;
      input.seats = 4;
      input.engines = {{"toy-engine", "Toy", 77, "", "test"}};
      input.process = rng.Next();
      std::promise<absl::StatusOr<JoinOutput>> joining;
      coordinator->workers().Join(input,
                                  [&](auto output) { joining.set_value(std::move(output)); });
      const auto joined = joining.get_future().get();
      if (!joined.ok()) continue;
      LeaseId newest = 0;
      for (int round = 0; round < 20 && !over; ++round) {
        std::promise<absl::StatusOr<SubmitOutput>> submitting;
        coordinator->workers().Submit(
            {{joined->session, 3, {}, newest}, joined->epoch, spool},
            [&](auto output) { submitting.set_value(std::move(output)); });
        const auto output = submitting.get_future().get();
        if (!output.ok()) {
          EXPECT_TRUE(absl::IsResourceExhausted(output.status())) << output.status();
          continue;
        }
        for (const GameVerdict& verdict : output->verdicts) {
          EXPECT_TRUE(verdict.verdict == Verdict::kAccepted ||
                      verdict.verdict == Verdict::kStaleAccepted)
              << verdict.reason;
          ++accepted;
        }
        spool.clear();
        AcquireOutput next = *output->work;
        if (next.leases.empty()) {
          std::promise<absl::StatusOr<AcquireOutput>> acquiring;
          coordinator->workers().Acquire({joined->session, 3, {}, newest}, [&](auto reply) {
            acquiring.set_value(std::move(reply));
          });
          const auto reply = acquiring.get_future().get();
          if (reply.ok()) next = *reply;
          // Asked only when there is nothing to do, because asking takes the lock.
          if (next.leases.empty() && done()) over = true;
        }
        std::vector<LeaseProgress> progress;
        for (const Lease& lease : next.leases) {
          newest = std::max(newest, lease.lease);
          progress.push_back({lease.lease, 1});
          // Some of a lease is never played: its worker ends before.
          for (const Slot& slot : lease.slots) {
            if (rng.Below(8) > 0) spool.push_back(PlaySlot(lease.run, lease.lease, slot));
          }
        }
        EXPECT_TRUE(coordinator->workers().Beat(joined->session, progress).ok());
      }
      // The worker is killed, or it leaves; its next life submits the finished games.
      if (rng.Below(2) == 0) {
        std::promise<void> leaving;
        coordinator->workers().Leave(joined->session, {},
                                     [&](const absl::Status&) { leaving.set_value(); });
        leaving.get_future().get();
      }
    }
  };
  std::vector<std::thread> threads;
  for (uint64_t number = 0; number < 4; ++number) threads.emplace_back(work, number);
  threads.emplace_back([&] {
    Rng rng(99);
    while (!over) {
      const RunId run = runs[rng.Below(runs.size())];
      coordinator->operators()
          .SetPriority(run, static_cast<uint32_t>(rng.Below(10)), 1 + run)
          .status()
          .IgnoreError();
      coordinator->operators().PauseRun(run).status().IgnoreError();
      coordinator->operators().Drain("w1");
      coordinator->readers().GetStatus(run);
      coordinator->readers().Admit().IgnoreError();
      coordinator->operators().Undrain("").IgnoreError();
      coordinator->operators().ResumeRun(run).status().IgnoreError();
    }
  });
  for (std::thread& thread : threads) thread.join();
  uint64_t counted = 0;
  for (const RunStatus& run : coordinator->readers().GetStatus(0).runs) {
    EXPECT_EQ(run.slots_in_flight, 0u);
    counted += run.games_done + run.faults;
  }
  EXPECT_EQ(counted, accepted);
  coordinator.reset();
  const auto store = book::Store::Open(path, book::OpenMode::kReadOnly).value();
  const AuditReport report = Audit(*store, rules).value();
  EXPECT_EQ(report.games, accepted);
  EXPECT_EQ(report.mismatches, 0u);
}

}  // namespace
}  // namespace joseki::coordinator
