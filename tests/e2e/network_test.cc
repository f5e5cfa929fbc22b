// Coordinator and workers on hosts of their own, over mutual TLS, with what goes wrong on a network
// between them.

#include "tests/e2e/network.h"

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/file.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/e2e/cluster.h"
#include "tests/e2e/small_run.h"

namespace joseki::testing {
namespace {

constexpr uint64_t kGames = 400;
constexpr absl::Duration kDelay = absl::Milliseconds(40);  // in each direction
// Hosts: two near ones, and one far away.
constexpr int kNear = 0;
constexpr int kOther = 1;
constexpr int kFar = 2;

class NetworkTest : public ::testing::Test {
 protected:
  // One network for all tests: it must be made before this process has a second thread.
  static void SetUpTestSuite() {
    auto network = Network::Make({{}, {}, {.delay = kDelay}});
    if (network.ok()) {
      network_ = network->release();
    } else {
      reason_ = new std::string(network.status().message());
    }
  }
  static void TearDownTestSuite() {
    delete network_;
    delete reason_;
    network_ = nullptr;
    reason_ = nullptr;
  }
  void SetUp() override {
    if (network_ == nullptr) GTEST_SKIP() << "no network of our own here: " << *reason_;
    ASSERT_EQ(network_->Heal(), absl::OkStatus());
  }

  // A coordinator with us, and each worker on the host that is named for it.
  void Start(const std::vector<int>& hosts, int lease_seconds) {
    TestCluster::Options options;
    options.workers = static_cast<int>(hosts.size());
    options.lease_seconds = lease_seconds;
    options.listen = Network::address() + ":0";
    options.mutual_tls = true;
    options.name_space = [hosts](int worker) {
      return network_->Namespace(hosts[static_cast<size_t>(worker)]);
    };
    workers_ = options.workers;
    cluster_ = std::make_unique<TestCluster>(ClusterFolder(), JOSEKI_BINARY_DIR, options);
    cluster_->StartCoordinator();
    const auto run = cluster_->CreateRun(SmallRun("over a network", kGames));
    ASSERT_TRUE(run.ok()) << run.status() << cluster_->Logs();
    run_ = *run;
    for (int worker = 0; worker < workers_; ++worker) cluster_->StartWorker(worker);
  }
  void AwaitGames(uint64_t games) {
    ASSERT_TRUE(cluster_->Await(run_, [&](const v1::RunStatus& status) {
      return status.games_done() >= games;
    })) << cluster_->Logs();
  }
  int64_t Leases(const std::string& of) const {
    return cluster_->Number("SELECT count(*) FROM leases WHERE " + of);
  }
  int Port() const {
    const std::string address = ReadFile(cluster_->File("address")).value();
    return std::stoi(address.substr(address.rfind(':') + 1));
  }
  void Finish() { FinishAndCount(*cluster_, run_, workers_, kGames); }

  static Network* network_;
  static std::string* reason_;
  std::unique_ptr<TestCluster> cluster_;
  int workers_ = 0;
  uint64_t run_ = 0;
};

Network* NetworkTest::network_ = nullptr;
std::string* NetworkTest::reason_ = nullptr;

TEST_F(NetworkTest, APartitionWithinTheLeaseCostsNothing) {
  Start({kNear, kOther}, 86'400);
  AwaitGames(20);
  ASSERT_EQ(network_->Cut(kNear), absl::OkStatus());
  AwaitGames(60);  // the other worker's
  ASSERT_EQ(network_->Heal(), absl::OkStatus());
  Finish();
  EXPECT_EQ(Leases("state = 2"), 0);
}

TEST_F(NetworkTest, WhatACutOffWorkerHeldIsPlayedByOthersAndItsGamesAreTakenLate) {
  Start({kNear, kOther}, 5);
  AwaitGames(20);
  ASSERT_EQ(network_->Cut(kNear), absl::OkStatus());
  ASSERT_TRUE(Eventually([&] { return Leases("worker = 'w0' AND state = 2") > 0; }))
      << cluster_->Logs();
  ASSERT_EQ(network_->Heal(), absl::OkStatus());
  // The worker has played its held work meanwhile.
  ASSERT_TRUE(cluster_->Await(run_, [](const v1::RunStatus& status) {
    return status.stale_accepted() > 0;
  })) << cluster_->Logs();
  Finish();
}

TEST_F(NetworkTest, AGameWhoseReplyWasLostCountsOnce) {
  Start({kNear}, 86'400);
  AwaitGames(20);
  const auto stored = [&] {
    return static_cast<size_t>(cluster_->Number("SELECT count(*) FROM games"));
  };
  const auto told = [&] { return cluster_->Acknowledged().size(); };
  // A first attempt may fail: a reply that was under way is still read.
  uint64_t twice = 0;
  ASSERT_TRUE(Eventually([&] {
    EXPECT_EQ(network_->CutReplies(kNear), absl::OkStatus());
    EXPECT_TRUE(Eventually([&] { return stored() > told(); })) << cluster_->Logs();
    EXPECT_EQ(network_->Reset(kNear), absl::OkStatus());
    EXPECT_TRUE(Eventually([&] { return Network::Count().value().reset > 0; })) << cluster_->Logs();
    EXPECT_EQ(network_->Heal(), absl::OkStatus());
    EXPECT_TRUE(Eventually([&, games = stored()] { return told() >= games; })) << cluster_->Logs();
    const auto status = cluster_->Status(run_);
    EXPECT_TRUE(status.ok()) << status.status();
    if (status.ok()) twice = status->duplicates();
    return HasFailure() || twice > 0;
  }));
  Finish();
}

TEST_F(NetworkTest, LosesNothingWhereEveryTenthPacketIsLost) {
  Start({kNear, kOther}, 60);
  for (const int host : {kNear, kOther}) ASSERT_EQ(network_->Lose(host, 0.1), absl::OkStatus());
  Finish();
  EXPECT_GT(Network::Count().value().lost, 0);
}

TEST_F(NetworkTest, LosesNothingFarAway) {
  Start({kFar, kFar}, 60);
  const auto took = network_->TimeToConnect(kFar, Port());
  ASSERT_TRUE(took.ok()) << took.status();
  EXPECT_GE(*took, 2 * kDelay);
  ASSERT_EQ(network_->Lose(kFar, 0.01), absl::OkStatus());
  Finish();
  EXPECT_GT(Network::Count().value().lost, 0);
}

}  // namespace
}  // namespace joseki::testing
