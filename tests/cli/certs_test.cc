// `joseki certs` and the programs that use what it makes, as real processes.

#include <sys/wait.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/ascii.h"
#include "base/file.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tests/e2e/child.h"
#include "tests/support/temp_folder.h"

namespace joseki::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using Json = nlohmann::json;
using joseki::testing::Child;

class CertsTest : public ::testing::Test {
 protected:
  struct Outcome {
    int status = -1;
    std::string out;
    std::string err;
  };
  Outcome Run(const std::string& program, const std::vector<std::string>& arguments) {
    std::string command = std::string(JOSEKI_BINARY_DIR) + "/" + program;
    for (const std::string& argument : arguments) command += " '" + argument + "'";
    const std::string out = folder_ / ".out";
    const std::string err = folder_ / ".err";
    const int status = std::system((command + " >" + out + " 2>" + err + " </dev/null").c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, *ReadFile(out), *ReadFile(err)};
  }
  Json Certs(std::vector<std::string> arguments, int expected = 0) {
    arguments.insert(arguments.begin(), "certs");
    arguments.push_back("--json");
    const Outcome outcome = Run("joseki", arguments);
    EXPECT_EQ(outcome.status, expected) << outcome.out;
    return Json::parse(outcome.out, nullptr, false);
  }
  void Init() { ASSERT_EQ(Certs({"init", dir_})["files"].size(), 4U); }

  void StartCoordinator() {
    ASSERT_TRUE(WriteFileAtomically(folder_ / "games.usi",
                                    "startpos moves 7g7f 3c3d\nstartpos moves 2g2f\n")
                    .ok());
    ASSERT_EQ(
        Run("joseki", {"import", "--book", folder_ / "book.sqlite", folder_ / "games.usi"}).status,
        0);
    coordinator_ = std::make_unique<Child>(
        std::vector<std::string>{std::string(JOSEKI_BINARY_DIR) + "/joseki-coordinator", "--db",
                                 folder_ / "book.sqlite", "--listen", "127.0.0.1:0",
                                 "--address-file", folder_ / "address", "--tls", dir_,
                                 "--log-level", "debug"},
        folder_ / "coordinator.log");
    ASSERT_TRUE(joseki::testing::Eventually([this] {
      return std::filesystem::exists(folder_ / "address") || !coordinator_->Running();
    }));
    ASSERT_TRUE(coordinator_->Running()) << *ReadFile(folder_ / "coordinator.log");
    address_ = std::string(absl::StripAsciiWhitespace(*ReadFile(folder_ / "address")));
  }
  Outcome Status(const std::vector<std::string>& tls) {
    std::vector<std::string> arguments{"status", "--coordinator", address_};
    arguments.insert(arguments.end(), tls.begin(), tls.end());
    return Run("joseki", arguments);
  }

  joseki::testing::TempFolder folder_;
  const std::string dir_ = folder_ / "certs";
  std::string address_;
  std::unique_ptr<Child> coordinator_;
};

TEST_F(CertsTest, MakesListsAndRevokes) {
  Init();
  EXPECT_EQ(Certs({"init", dir_}, 1)["error"]["code"], "authority_exists");
  EXPECT_EQ(Certs({"worker", "node-1", "--dir", dir_})["files"][0], dir_ + "/workers/node-1");
  EXPECT_EQ(Certs({"revoke", "node-1", "--dir", dir_})["revoked"], 1);
  EXPECT_EQ(Certs({"revoke", "node-1", "--dir", dir_}, 1)["error"]["code"], "unknown_holder");
  EXPECT_EQ(Certs({"worker", "a/b", "--dir", dir_}, 1)["error"]["code"], "bad_name");
  EXPECT_EQ(Certs({"list", "--dir", folder_ / "no"}, 1)["error"]["code"], "no_authority");
  const Json list = Certs({"list", "--dir", dir_})["certificates"];
  ASSERT_EQ(list.size(), 4U);
  EXPECT_EQ(list[3]["name"], "node-1");
  EXPECT_EQ(list[3]["state"], "revoked");
  EXPECT_EQ(list[0]["role"], "operator");
  EXPECT_EQ(list[0]["state"], "valid");
}

TEST_F(CertsTest, RevokesAndListsWithoutTheKey) {
  Init();
  std::filesystem::rename(dir_ + "/ca.key", folder_ / "ca.key");
  EXPECT_EQ(Certs({"revoke", "worker-1", "--dir", dir_})["revoked"], 1);
  EXPECT_EQ(Certs({"list", "--dir", dir_})["certificates"].size(), 3U);
  EXPECT_EQ(Certs({"worker", "node-2", "--dir", dir_}, 1)["error"]["code"], "no_authority");
  std::filesystem::remove(dir_ + "/revoked");
  EXPECT_EQ(Certs({"revoke", "reader-1", "--role", "reader", "--dir", dir_}, 1)["error"]["code"],
            "no_revocations");
}

TEST_F(CertsTest, TheCommandsOfACoordinatorTakeThem) {
  Init();
  StartCoordinator();
  EXPECT_EQ(Status({"--tls", dir_ + "/readers/reader-1"}).status, 0);
  const std::string files = dir_ + "/operators/operator-1/";
  EXPECT_EQ(Status({"--tls-ca", files + "ca.pem", "--tls-cert", files + "cert.pem", "--tls-key",
                    files + "key.pem"})
                .status,
            0);
  EXPECT_THAT(Status({}).err, HasSubstr("--tls"));
  EXPECT_THAT(Status({"--tls-ca", files + "ca.pem"}).err, HasSubstr("no_certificate"));
  EXPECT_THAT(Status({"--tls", dir_ + "/workers/worker-1"}).err, HasSubstr("wrong_role"));
  EXPECT_THAT(Status({"--tls", folder_ / "nowhere"}).err, HasSubstr("nowhere/ca.pem"));
  const Outcome health = Run("joseki-coordinator", {"--health-check", address_, "--tls", dir_});
  EXPECT_EQ(health.status, 0) << health.err;
  // Port 1 is reserved, so no proxy listens there.
  ASSERT_EQ(setenv("grpc_proxy", "http://127.0.0.1:1", 1), 0);
  EXPECT_EQ(Status({"--tls", dir_ + "/readers/reader-1"}).status, 0);
  EXPECT_EQ(Status({"--http-proxy", "--tls", dir_ + "/readers/reader-1"}).status, 1);
  unsetenv("grpc_proxy");
}

// A worker asks with its own certificate, which shows nothing but that it may join.
TEST_F(CertsTest, TheDoctorTakesAWorkersCertificate) {
  Init();
  StartCoordinator();
  const auto coordinator = [this](const std::string& holder) {
    const Json told = Json::parse(
        Run("joseki", {"doctor", "--coordinator", address_, "--tls", dir_ + holder, "--json"}).out);
    for (const Json& check : told["checks"]) {
      if (check["check"] == "coordinator") return check;
    }
    return Json();
  };
  const Json worker = coordinator("/workers/worker-1");
  EXPECT_EQ(worker["state"], "good") << worker;
  EXPECT_THAT(worker["found"], HasSubstr("accepts the worker's certificate"));
  EXPECT_THAT(coordinator("/readers/reader-1")["found"], HasSubstr("its last commit"));
  EXPECT_EQ(Certs({"revoke", "worker-1", "--dir", dir_})["revoked"], 1);
  ASSERT_TRUE(joseki::testing::Eventually([this] {
    return ReadFile(folder_ / "coordinator.log")->find("event=revocations_read") !=
           std::string::npos;
  }));
  EXPECT_EQ(coordinator("/workers/worker-1")["state"], "bad");
}

// A node with nothing but a token's file plays, and neither program tells the secret.
TEST_F(CertsTest, AWorkerEnrolsAndPlays) {
  Init();
  const std::string token = Certs({"token", "--dir", dir_, "--count", "1"})["files"][0];
  StartCoordinator();
  ASSERT_EQ(Run("joseki", {"run", "create", "--coordinator", address_, "--tls",
                           dir_ + "/operators/operator-1", "--games", "2", "--nodes", "50"})
                .status,
            0);
  Child worker({std::string(JOSEKI_BINARY_DIR) + "/joseki-worker", "--coordinator", address_,
                "--tls", folder_ / "tls", "--token-file", token, "--name", "node-9", "--spool",
                folder_ / "spool", "--slots", "1", "--log-level", "debug"},
               folder_ / "worker.log");
  const auto said = [this] { return *ReadFile(folder_ / "worker.log"); };
  EXPECT_TRUE(joseki::testing::Eventually(
      [&] { return said().find("verdict=accepted") != std::string::npos || !worker.Running(); }));
  worker.Signal(SIGTERM);
  EXPECT_EQ(worker.Wait(), 0) << said();
  EXPECT_THAT(said(), HasSubstr("verdict=accepted"));
  const std::string text = *ReadFile(token);
  const std::string secret = text.substr(text.find("secret ") + 7, 64);
  ASSERT_EQ(secret.find_first_not_of("0123456789abcdef"), std::string::npos);
  EXPECT_THAT(said(), Not(HasSubstr(secret)));
  const std::string log = *ReadFile(folder_ / "coordinator.log");
  EXPECT_THAT(log, HasSubstr("event=enrolled worker=node-9"));
  EXPECT_THAT(log, Not(HasSubstr(secret)));
  EXPECT_THAT(log, Not(HasSubstr("PRIVATE KEY")));
  // Its certificate is its own: another name is refused before anything is sent.
  const Outcome other = Run("joseki-worker", {"--coordinator", address_, "--tls", folder_ / "tls",
                                              "--name", "node-8", "--spool", folder_ / "spool"});
  EXPECT_EQ(other.status, 1);
  EXPECT_THAT(other.err, HasSubstr("wrong_certificate"));
  // And once it is taken back, the worker ends and says why.
  EXPECT_EQ(Certs({"revoke", "node-9", "--dir", dir_})["revoked"], 1);
  ASSERT_TRUE(joseki::testing::Eventually([this] {
    return ReadFile(folder_ / "coordinator.log")->find("event=revocations_read") !=
           std::string::npos;
  }));
  const Outcome revoked = Run("joseki-worker", {"--coordinator", address_, "--tls", folder_ / "tls",
                                                "--spool", folder_ / "spool"});
  EXPECT_EQ(revoked.status, 1);
  EXPECT_THAT(revoked.err, HasSubstr("revoked"));
}

}  // namespace
}  // namespace joseki::cli
