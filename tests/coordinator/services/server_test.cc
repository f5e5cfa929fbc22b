#include "coordinator/services/server.h"

#include <memory>
#include <string>

#include "absl/time/time.h"
#include "base/problem.h"
#include "coordinator/coordinator.h"
#include "coordinator/services/server_health.h"
#include "engine/shogi/shogi_rules.h"
#include "gtest/gtest.h"
#include "tests/support/temp_folder.h"

namespace joseki::coordinator {
namespace {

class ServerTest : public ::testing::Test {
 protected:
  void SetUp() override {
    auto coordinator = Coordinator::Start({.db_path = folder_ / "book.sqlite"}, rules_);
    ASSERT_TRUE(coordinator.ok()) << coordinator.status();
    coordinator_ = *std::move(coordinator);
  }

  ServerOptions Options() const {
    return {.listen = "127.0.0.1:0", .db_path = folder_ / "book.sqlite"};
  }

  const Rules& rules_ = shogi::ShogiRules();
  testing::TempFolder folder_;
  std::unique_ptr<Coordinator> coordinator_;
};

TEST_F(ServerTest, IsHealthyWhileItServes) {
  auto server = Server::Start(Options(), *coordinator_, rules_);
  ASSERT_TRUE(server.ok()) << server.status();
  const std::string address = (*server)->address();
  EXPECT_EQ(CheckHealth(address, absl::Seconds(10)), absl::OkStatus());
  (*server)->Shutdown();
  const absl::Status after = CheckHealth(address, absl::Seconds(10));
  ASSERT_FALSE(after.ok());
  EXPECT_EQ(ProblemOf(after).code, "not_serving");
  EXPECT_EQ(ProblemOf(after).file, address);
}

TEST_F(ServerTest, ListensOffLoopbackOnlyOnDemand) {
  ServerOptions options = Options();
  options.listen = "0.0.0.0:0";
  const auto refused = Server::Start(options, *coordinator_, rules_);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(ProblemOf(refused.status()).code, "insecure_network");
  options.insecure_network = true;
  EXPECT_TRUE(Server::Start(options, *coordinator_, rules_).ok());
}

TEST_F(ServerTest, RefusesAMalformedAddress) {
  for (const char* listen :
       {"7460", "127.0.0.1", "127.0.0.1:port", "127.0.0.1:70000", "::1:7460"}) {
    ServerOptions options = Options();
    options.listen = listen;
    const auto server = Server::Start(options, *coordinator_, rules_);
    ASSERT_FALSE(server.ok()) << listen;
    EXPECT_EQ(server.status().code(), absl::StatusCode::kInvalidArgument) << server.status();
  }
}

}  // namespace
}  // namespace joseki::coordinator
