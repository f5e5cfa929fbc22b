// Tests the harm that one worker with a valid name can do to a run of honest workers, in real
// processes. It breaks all its games as fast as it can, or submits other games for played slots.

#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "absl/time/clock.h"
#include "base/file.h"
#include "engine/search/shogi/bench.h"
#include "gmock/gmock.h"
#include "grpcpp/grpcpp.h"
#include "gtest/gtest.h"
#include "joseki/v1/worker.grpc.pb.h"
#include "tests/e2e/child.h"
#include "tests/e2e/cluster.h"
#include "tests/e2e/small_run.h"

namespace joseki::testing {
namespace {

using ::testing::HasSubstr;

// A worker that says what it likes.
class Liar {
 public:
  Liar(const std::string& address, const std::string& name)
      : stub_(v1::WorkerService::NewStub(
            grpc::CreateChannel(address, grpc::InsecureChannelCredentials()))) {
    v1::JoinRequest request;
    request.set_worker(name);
    request.set_protocol(1);
    request.set_slots(64);
    v1::EngineIdentity& engine = *request.add_engines();
    engine.set_id("embedded");
    engine.set_signature(BenchSignature());
    grpc::ClientContext context;
    const grpc::Status status = stub_->Join(&context, request, &session_);
    EXPECT_TRUE(status.ok()) << status.error_message();
  }

  // Slots, for at most as long as a call that is held would wait here.
  std::vector<v1::Lease> Acquire(uint32_t want) {
    v1::AcquireRequest request;
    request.set_session(session_.session());
    request.set_want_slots(want);
    v1::AcquireResponse response;
    grpc::ClientContext context;
    context.set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(1));
    if (!stub_->Acquire(&context, request, &response).ok()) return {};
    return {response.leases().begin(), response.leases().end()};
  }
  static v1::Game FaultOf(const v1::Lease& lease, const v1::Slot& slot, uint64_t nodes = 0) {
    v1::Game game;
    game.set_run(lease.run());
    game.set_lease(lease.lease());
    game.set_slot(slot.slot());
    game.set_moves(slot.line());
    game.set_termination(v1::TERMINATION_CRASH);
    game.set_fault("\x1b[2J it is gone");
    game.set_nodes(nodes);
    return game;
  }
  std::vector<v1::GameVerdict> Submit(const std::vector<v1::Game>& games) {
    v1::SubmitRequest request;
    request.set_session(session_.session());
    request.set_epoch(session_.epoch());
    for (const v1::Game& game : games) *request.add_games() = game;
    v1::SubmitResponse response;
    grpc::ClientContext context;
    context.set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(60));
    const grpc::Status status = stub_->Submit(&context, request, &response);
    EXPECT_TRUE(status.ok()) << status.error_message();
    return {response.verdicts().begin(), response.verdicts().end()};
  }

 private:
  const std::unique_ptr<v1::WorkerService::Stub> stub_;
  v1::JoinResponse session_;
};

class WorkerFloods : public ::testing::Test {
 protected:
  WorkerFloods()
      : cluster_(ClusterFolder(), JOSEKI_BINARY_DIR, {.workers = 1, .wide_book = true}) {}

  void Start(uint64_t games) {
    cluster_.StartCoordinator();
    const auto run = cluster_.CreateRun(SmallRun("floods", games));
    ASSERT_TRUE(run.ok()) << run.status();
    run_ = *run;
  }
  std::string Address() const {
    std::string address = *ReadFile(cluster_.File("address"));
    while (!address.empty() && address.back() == '\n') address.pop_back();
    return address;
  }

  TestCluster cluster_;
  uint64_t run_ = 0;
};

TEST_F(WorkerFloods, FaultsPoisonNothingAndEndTheWorkerAlone) {
  ASSERT_NO_FATAL_FAILURE(Start(200));
  std::atomic<bool> over = false;
  std::atomic<uint64_t> faults = 0;
  std::thread flood([&] {
    Liar liar(Address(), "liar");
    while (!over) {
      for (const v1::Lease& lease : liar.Acquire(64)) {
        std::vector<v1::Game> games;
        for (const v1::Slot& slot : lease.slots()) games.push_back(Liar::FaultOf(lease, slot));
        faults += games.size();
        liar.Submit(games);
      }
    }
  });
  cluster_.StartWorker(0);
  const bool done = cluster_.Await(
      run_, [](const v1::RunStatus& status) { return status.state() == "done"; },
      std::chrono::seconds(120));
  over = true;
  flood.join();
  EXPECT_TRUE(done) << cluster_.Logs();
  const auto status = cluster_.Status(run_);
  ASSERT_TRUE(status.ok());
  EXPECT_EQ(status->games_done(), 200u);
  EXPECT_EQ(status->poisoned_lines(), 0u);
  EXPECT_EQ(status->quarantined(), 0u) << "what it had played would stay";
  EXPECT_LT(faults, 1'000u) << "what was out when it was found out, and no more";
  EXPECT_EQ(cluster_.StopWorker(0), 0);
  EXPECT_EQ(cluster_.StopCoordinator(), 0);
  const TestCluster::Stored stored = cluster_.Read();
  EXPECT_EQ(stored.mismatches, 0u) << stored.first_mismatch;
  EXPECT_EQ(stored.faults, faults.load());
}

TEST_F(WorkerFloods, ConflictsAreBoundedAndCostWhatTheFirstDid) {
  ASSERT_NO_FATAL_FAILURE(Start(1'000'000));
  Liar liar(Address(), "liar");
  Liar other(Address(), "other");
  std::vector<v1::Lease> leases;
  ASSERT_TRUE(Eventually([&] { return !(leases = liar.Acquire(8)).empty(); }));
  std::vector<v1::Game> own;
  for (const v1::Slot& slot : leases[0].slots()) own.push_back(Liar::FaultOf(leases[0], slot));
  liar.Submit(own);
  uint64_t nodes = 1;
  const auto flood = [&](Liar& worker, int calls) {
    const absl::Time began = absl::Now();
    for (int call = 0; call < calls; ++call) {
      std::vector<v1::Game> games;
      for (int i = 0; i < 256; ++i) {
        games.push_back(Liar::FaultOf(leases[0], leases[0].slots(0), ++nodes));
      }
      for (const v1::GameVerdict& verdict : worker.Submit(games)) {
        EXPECT_EQ(verdict.verdict(),
                  &worker == &liar ? v1::VERDICT_CONFLICT : v1::VERDICT_REJECTED);
      }
    }
    return absl::ToDoubleSeconds(absl::Now() - began);
  };
  const double first = flood(liar, 10);
  flood(liar, 20);
  const double last = flood(liar, 10);
  EXPECT_LT(last, 5 * first + 1) << "2,560 conflicts took " << first << " s at first";
  flood(other, 1);
  EXPECT_EQ(cluster_.Number("SELECT count(*) FROM conflicts"), 1) << "one of a slot";
  EXPECT_EQ(cluster_.StopCoordinator(), 0);
  EXPECT_EQ(cluster_.Read().mismatches, 0u);
}

}  // namespace
}  // namespace joseki::testing
