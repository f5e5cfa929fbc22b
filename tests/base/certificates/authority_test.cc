#include "base/certificates/authority.h"

#include <sys/stat.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "base/certificates/revocations.h"
#include "base/certificates/table.h"
#include "base/certificates/tls_files.h"
#include "base/certificates/token.h"
#include "base/file.h"
#include "base/problem.h"
#include "gtest/gtest.h"
#include "tests/support/moment.h"
#include "tests/support/problem_code.h"
#include "tests/support/temp_folder.h"

namespace joseki::certificates {
namespace {

using ::joseki::testing::CodeOf;
using ::joseki::testing::kNow;

constexpr absl::Duration kDay = absl::Hours(24);

mode_t ModeOf(const std::string& path) {
  struct stat info {};
  EXPECT_EQ(stat(path.c_str(), &info), 0) << path;
  return info.st_mode & 0777;
}

class AuthorityTest : public ::testing::Test {
 protected:
  std::string Secret(const std::string& worker, absl::Duration life = kDay) {
    const std::string path = folder_ / "a.token";
    EXPECT_TRUE(WriteFileAtomically(
                    path, authority_.MakeTokens(worker, 1, kNow, life).value().front(), 0600)
                    .ok());
    return ReadToken(path).value().secret;
  }
  std::string Enroll(const std::string& secret, const std::string& worker, const std::string& key,
                     absl::Time now = kNow) {
    return CodeOf(authority_.Enroll(secret, worker, MakeRequest(key).value(), now).status());
  }

  joseki::testing::TempFolder folder_;
  const std::string dir_ = folder_ / "made/certs";
  const Authority authority_ = Authority::Create(dir_, kNow).value();
  const std::string key_ = MakeKey().value();
  const std::string other_key_ = MakeKey().value();
};

TEST_F(AuthorityTest, MakesACoordinatorAndItsClients) {
  const TlsFiles server = TlsFiles::In(dir_);
  EXPECT_TRUE(CheckCertificate(*ReadFile(server.authority), *ReadFile(server.certificate),
                               *ReadFile(server.key), End::kServer, kNow, "f")
                  .ok());
  const auto made = authority_.Issue(Role::kReader, "anna", kNow, kDay);
  ASSERT_TRUE(made.ok()) << made.status();
  EXPECT_EQ(*made, dir_ + "/readers/anna");
  const TlsFiles client = TlsFiles::In(*made);
  EXPECT_TRUE(CheckCertificate(*ReadFile(server.authority), *ReadFile(client.certificate),
                               *ReadFile(client.key), End::kClient, kNow, "f")
                  .ok());
  EXPECT_EQ(*ReadFile(client.authority), *ReadFile(server.authority));
}

TEST_F(AuthorityTest, KeepsItsSecretsToItsOwner) {
  const std::string anna = authority_.Issue(Role::kReader, "anna", kNow, kDay).value();
  Secret("");
  for (const std::string& path : {dir_ + "/ca.key", dir_ + "/key.pem", dir_ + "/tokens",
                                  dir_ + "/issued", anna + "/key.pem"}) {
    EXPECT_EQ(ModeOf(path), 0600U) << path;
  }
  EXPECT_EQ(ModeOf(dir_), 0700U);
  EXPECT_EQ(ModeOf(anna), 0700U);
  EXPECT_EQ(ModeOf(anna + "/cert.pem"), 0644U);
}

TEST_F(AuthorityTest, IsNotMadeTwice) {
  EXPECT_EQ(CodeOf(Authority::Create(dir_, kNow).status()), "authority_exists");
  EXPECT_EQ(CodeOf(Authority::Open(dir_).status()), "ok");
  EXPECT_EQ(CodeOf(Authority::Open(folder_ / "empty").status()), "no_authority");
  std::filesystem::remove(dir_ + "/ca.key");
  EXPECT_EQ(CodeOf(Authority::Open(dir_).status()), "no_authority");
}

TEST_F(AuthorityTest, RefusesNamesThatAreFolders) {
  for (const std::string& name : {std::string(), std::string(".."), std::string("a/b"),
                                  std::string("a b"), std::string(65, 'a')}) {
    EXPECT_EQ(CodeOf(authority_.Issue(Role::kWorker, name, kNow, kDay).status()), "bad_name");
    EXPECT_EQ(Enroll(Secret(""), name, key_), "bad_name");
  }
}

TEST_F(AuthorityTest, RevokesOneNameOfOneRole) {
  for (const Role role : {Role::kWorker, Role::kReader}) {
    ASSERT_TRUE(authority_.Issue(role, "anna", kNow, kDay).ok());
  }
  ASSERT_TRUE(authority_.Issue(Role::kWorker, "anna", kNow, kDay).ok());
  ASSERT_TRUE(authority_.Issue(Role::kWorker, "bert", kNow, kDay).ok());
  const auto revocations = Revocations::Load(dir_ + "/revoked");
  ASSERT_TRUE(revocations.ok()) << revocations.status();
  EXPECT_EQ(authority_.Revoke(Role::kWorker, "anna", kNow).value(), 2);
  EXPECT_TRUE((*revocations)->Refresh().value());
  EXPECT_FALSE((*revocations)->Refresh().value());
  const std::vector<Authority::Issued> issued = authority_.List().value();
  for (const Authority::Issued& one : issued) {
    const bool revoked = one.identity.name == "anna" && one.identity.role == Role::kWorker;
    EXPECT_EQ(one.revoked, revoked) << UriOf(one.identity);
    EXPECT_EQ((*revocations)->Contains(one.identity.serial), revoked) << UriOf(one.identity);
  }
  EXPECT_EQ(CodeOf(authority_.Revoke(Role::kWorker, "anna", kNow).status()), "unknown_holder");
}

TEST_F(AuthorityTest, AListThatIsGoneIsNotBegunAnew) {
  ASSERT_TRUE(authority_.Issue(Role::kWorker, "anna", kNow, kDay).ok());
  ASSERT_TRUE(authority_.Issue(Role::kWorker, "bert", kNow, kDay).ok());
  ASSERT_TRUE(authority_.Revoke(Role::kWorker, "anna", kNow).ok());
  std::filesystem::remove(dir_ + "/revoked");
  EXPECT_EQ(CodeOf(authority_.Revoke(Role::kWorker, "bert", kNow).status()), "no_revocations");
  EXPECT_FALSE(std::filesystem::exists(dir_ + "/revoked"));
  EXPECT_EQ(CodeOf(authority_.List().status()), "no_revocations");
}

TEST_F(AuthorityTest, AListThatIsEmptiedOrCutGivesNobodyHisRightsBack) {
  for (const char* const name : {"anna", "bert", "carl"}) {
    ASSERT_TRUE(authority_.Issue(Role::kWorker, name, kNow, kDay).ok());
  }
  const std::string list = dir_ + "/revoked";
  ASSERT_TRUE(authority_.Revoke(Role::kWorker, "anna", kNow).ok());
  ASSERT_TRUE(authority_.Revoke(Role::kWorker, "bert", kNow).ok());
  EXPECT_EQ(authority_.List()->size(), 3u) << "those that were revoked are listed once";
  const std::string whole = *ReadFile(list);
  const std::string one = whole.substr(0, whole.find('\n') + 1);
  const auto running = Revocations::Load(list);
  ASSERT_TRUE(running.ok()) << running.status();
  for (const std::string& text : {std::string(), one}) {
    ASSERT_TRUE(WriteFileAtomically(list, text).ok());
    EXPECT_EQ(CodeOf(authority_.Revoke(Role::kWorker, "carl", kNow).status()), "lost_revocations");
    EXPECT_EQ(*ReadFile(list), text);
    EXPECT_EQ(CodeOf(authority_.List().status()), "lost_revocations");
    EXPECT_EQ(CodeOf((*running)->Refresh().status()), "lost_revocations");
    // A new process does not know the previous list, only the issued certificates.
    EXPECT_EQ(CodeOf(Revocations::Load(list).status()), "lost_revocations");
  }
  ASSERT_TRUE(WriteFileAtomically(list, whole).ok());
  EXPECT_TRUE((*running)->Refresh().value());
  EXPECT_EQ(authority_.Revoke(Role::kWorker, "carl", kNow).value(), 1);
}

TEST_F(AuthorityTest, AListThatIsNoneIsNotRewritten) {
  ASSERT_TRUE(authority_.Issue(Role::kWorker, "anna", kNow, kDay).ok());
  const std::string text = "Mon: see ticket 17\n";
  ASSERT_TRUE(WriteFileAtomically(dir_ + "/revoked", text).ok());
  const absl::Status status = authority_.Revoke(Role::kWorker, "anna", kNow).status();
  EXPECT_EQ(CodeOf(status), "bad_revocations");
  EXPECT_EQ(ProblemOf(status).line, 1);
  EXPECT_EQ(*ReadFile(dir_ + "/revoked"), text);
}

TEST_F(AuthorityTest, WhatPeopleWroteIntoTheListStays) {
  ASSERT_TRUE(authority_.Issue(Role::kWorker, "anna", kNow, kDay).ok());
  const std::string text = "# ticket 17\n" + std::string(32, 'b') + " by hand";
  ASSERT_TRUE(WriteFileAtomically(dir_ + "/revoked", text).ok());
  EXPECT_EQ(authority_.Revoke(Role::kWorker, "anna", kNow).value(), 1);
  const std::string list = *ReadFile(dir_ + "/revoked");
  EXPECT_EQ(list.rfind(text + "\n", 0), 0u) << list;
  EXPECT_EQ(std::count(list.begin(), list.end(), '\n'), 3);
  EXPECT_TRUE(Revocations::Load(dir_ + "/revoked").value()->Contains(std::string(32, 'b')));
}

TEST_F(AuthorityTest, RevokesWhereItsKeyIsKeptElsewhere) {
  ASSERT_TRUE(authority_.Issue(Role::kWorker, "anna", kNow, kDay).ok());
  std::filesystem::remove(dir_ + "/ca.key");
  EXPECT_EQ(CodeOf(Authority::Open(dir_).status()), "no_authority");
  const auto records = Authority::OpenRecords(dir_);
  ASSERT_TRUE(records.ok()) << records.status();
  EXPECT_EQ(records->Revoke(Role::kWorker, "anna", kNow).value(), 1);
  EXPECT_TRUE(records->List()->back().revoked);
  std::filesystem::remove(dir_ + "/issued");
  EXPECT_EQ(CodeOf(Authority::OpenRecords(dir_).status()), "no_authority");
}

TEST_F(AuthorityTest, RevokesTheTokenThatWaitsForAWorker) {
  const std::string secret = Secret("node");
  EXPECT_EQ(authority_.Revoke(Role::kWorker, "node", kNow).value(), 0);
  EXPECT_EQ(Enroll(secret, "node", key_), "bad_token");
}

TEST_F(AuthorityTest, ATokenIsGoodForOneKey) {
  const std::string secret = Secret("node");
  EXPECT_EQ(Enroll(secret, "other", key_), "bad_token");
  EXPECT_EQ(Enroll(secret, "node", key_), "ok");
  EXPECT_EQ(Enroll(secret, "node", key_), "ok");  // the answer was lost
  EXPECT_EQ(Enroll(secret, "node", other_key_), "bad_token");
}

TEST_F(AuthorityTest, ATokenForAnybodyIsGoodForOneNewName) {
  const std::string first = Secret("");
  const std::string second = Secret("");
  EXPECT_EQ(Enroll(first, "node", key_), "ok");
  EXPECT_EQ(Enroll(first, "node", key_), "ok");
  EXPECT_EQ(Enroll(first, "other", key_), "bad_token");
  EXPECT_EQ(Enroll(second, "node", other_key_), "name_taken");
  EXPECT_EQ(Enroll(second, "other", other_key_), "ok");
}

TEST_F(AuthorityTest, ATokenEnds) {
  const std::string secret = Secret("node");
  EXPECT_EQ(Enroll(secret, "node", key_, kNow + kDay + absl::Seconds(1)), "bad_token");
  EXPECT_EQ(Enroll(secret, "node", key_, kNow + kDay - absl::Seconds(1)), "ok");
}

TEST_F(AuthorityTest, KeepsNoSecretOfAToken) {
  const std::string secret = Secret("node");
  const std::string kept = ReadFile(dir_ + "/tokens").value();
  EXPECT_EQ(kept.find(secret), std::string::npos);
  EXPECT_NE(kept.find(HashOfSecret(secret)), std::string::npos);
}

TEST_F(AuthorityTest, OneTokenMakesOneWorkerHoweverManyAskAtOnce) {
  const std::string secret = Secret("");
  std::atomic<int> enrolled = 0;
  std::vector<std::thread> nodes;
  for (int i = 0; i < 4; ++i) {
    nodes.emplace_back([&, i] {
      const std::string name = "node-" + std::to_string(i);
      if (Enroll(secret, name, MakeKey().value()) == "ok") ++enrolled;
    });
  }
  for (std::thread& node : nodes) node.join();
  EXPECT_EQ(enrolled, 1);
}

// Ten thousand nodes enrol in a morning, so no change may rewrite existing content.
TEST_F(AuthorityTest, ItsTablesGrowAtTheirEnds) {
  const auto grows = [&](const std::string& name, size_t rows, const auto& change) {
    const std::string before = ReadFile(dir_ + "/" + name).value();
    struct stat was {};
    struct stat is {};
    EXPECT_EQ(stat((dir_ + "/" + name).c_str(), &was), 0);
    change();
    EXPECT_EQ(stat((dir_ + "/" + name).c_str(), &is), 0);
    const std::string after = ReadFile(dir_ + "/" + name).value();
    EXPECT_EQ(was.st_ino, is.st_ino) << name << " was replaced";
    EXPECT_EQ(after.substr(0, before.size()), before);
    const std::string added = after.substr(before.size());
    EXPECT_EQ(static_cast<size_t>(std::count(added.begin(), added.end(), '\n')), rows) << added;
    EXPECT_EQ(ModeOf(dir_ + "/" + name), 0600u);
  };
  for (int i = 0; i < 3; ++i) {
    grows("issued", 1, [&] {
      EXPECT_TRUE(authority_.Issue(Role::kWorker, "w" + std::to_string(i), kNow, kDay).ok());
    });
  }
  std::string secret;
  grows("tokens", 1, [&] { secret = Secret("node"); });
  grows("tokens", 50, [&] { EXPECT_EQ(authority_.MakeTokens("", 50, kNow, kDay)->size(), 50u); });
  grows("tokens", 1,
        [&] { grows("issued", 1, [&] { EXPECT_EQ(Enroll(secret, "node", key_), "ok"); }); });
  EXPECT_EQ(Enroll(secret, "node", other_key_), "bad_token") << "the later row is right";
}

TEST_F(AuthorityTest, ALineThatACrashCutOffIsNone) {
  ASSERT_TRUE(authority_.Issue(Role::kWorker, "one", kNow, kDay).ok());
  const std::string secret = Secret("node");
  for (const char* const name : {"issued", "tokens"}) {
    std::ofstream(dir_ + "/" + name, std::ios::app) << "0123456789abcdef wor";
  }
  EXPECT_EQ(authority_.List()->size(), 1u);
  EXPECT_EQ(Enroll(secret, "node", key_), "ok");
  ASSERT_TRUE(authority_.Issue(Role::kWorker, "two", kNow, kDay).ok());
  const std::vector<Authority::Issued> issued = authority_.List().value();
  ASSERT_EQ(issued.size(), 3u);
  EXPECT_EQ(issued[0].identity.name, "one");
  EXPECT_EQ(issued[1].identity.name, "node");
  EXPECT_EQ(issued[2].identity.name, "two");
  EXPECT_EQ(ReadFile(dir_ + "/issued")->find("wor\n"), std::string::npos);
  EXPECT_EQ(authority_.Revoke(Role::kWorker, "two", kNow).value(), 1);
  EXPECT_EQ(Enroll(secret, "node", other_key_), "bad_token");
}

TEST_F(AuthorityTest, ForgetsTokensThatHaveEnded) {
  ASSERT_TRUE(authority_.MakeTokens("", 20, kNow, kDay).ok());
  ASSERT_TRUE(authority_.MakeTokens("", 2, kNow + 2 * kDay, kDay).ok());
  const std::string left = ReadFile(dir_ + "/tokens").value();
  EXPECT_EQ(std::count(left.begin(), left.end(), '\n'), 2);
}

TEST(TableTest, CutsATornLineOffHoweverLongItIs) {
  joseki::testing::TempFolder folder;
  const std::string path = folder / "table";
  for (const size_t size : {0, 1, 511, 512, 513, 2000}) {
    for (const std::string& whole :
         {std::string(), std::string("a b\n"), std::string("a b\nc d\n")}) {
      ASSERT_TRUE(WriteFileAtomically(path, whole + std::string(size, 'x')).ok());
      ASSERT_TRUE(AppendToTable(path, {{"e", "f"}, {"g", "h"}}, 0600).ok());
      EXPECT_EQ(*ReadFile(path), whole + "e f\ng h\n") << size;
    }
  }
  ASSERT_TRUE(WriteFileAtomically(path, "one line\n\n# a word\nshort\n").ok());
  const Problem problem = ProblemOf(ReadTable(path, 2).status());
  EXPECT_EQ(problem.code, "bad_table");
  EXPECT_EQ(problem.line, 4);
  EXPECT_EQ(ReadTable(path, 2, "line")->size(), 1u);
}

TEST(TokenTest, SaysNothingOfAFileThatIsNone) {
  joseki::testing::TempFolder folder;
  const std::string secret(64, 'a');
  const std::string path = folder / "bad.token";
  ASSERT_TRUE(WriteFileAtomically(path, "secret " + secret + "\nno certificate\n").ok());
  const absl::Status status = ReadToken(path).status();
  EXPECT_EQ(CodeOf(status), "bad_token");
  EXPECT_EQ(ProblemOf(status).file, path);
  EXPECT_EQ(status.ToString().find(secret), std::string::npos);
}

TEST(RevocationsTest, AreReadStrictlyAndKeptWhenTheFileIsDamaged) {
  joseki::testing::TempFolder folder;
  const std::string path = folder / "revoked";
  const std::string serial(32, 'b');
  EXPECT_FALSE(Revocations::Load(path).ok());  // none
  ASSERT_TRUE(WriteFileAtomically(path, "# those\n" + serial + " worker anna\n").ok());
  const auto revocations = Revocations::Load(path);
  ASSERT_TRUE(revocations.ok()) << revocations.status();
  EXPECT_TRUE((*revocations)->Contains(serial));
  ASSERT_TRUE(WriteFileAtomically(path, "\nanna\n").ok());
  const absl::Status damaged = (*revocations)->Refresh().status();
  EXPECT_EQ(CodeOf(damaged), "bad_revocations");
  EXPECT_EQ(ProblemOf(damaged).line, 2);
  EXPECT_TRUE((*revocations)->Contains(serial));
  EXPECT_FALSE((*revocations)->Refresh().value());  // told once
  std::filesystem::remove(path);
  EXPECT_FALSE((*revocations)->Refresh().ok());
  EXPECT_TRUE((*revocations)->Contains(serial));
  ASSERT_TRUE(WriteFileAtomically(path, "").ok());
  EXPECT_EQ(CodeOf((*revocations)->Refresh().status()), "lost_revocations");
  EXPECT_TRUE((*revocations)->Contains(serial));
  // New entries of a list are revoked even if the list lacks older ones.
  ASSERT_TRUE(WriteFileAtomically(path, std::string(32, 'c') + "\n").ok());
  EXPECT_EQ(CodeOf((*revocations)->Refresh().status()), "lost_revocations");
  EXPECT_TRUE((*revocations)->Contains(serial));
  EXPECT_TRUE((*revocations)->Contains(std::string(32, 'c')));
}

}  // namespace
}  // namespace joseki::certificates
