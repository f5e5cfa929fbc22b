#include "worker/play/usi/engine_set.h"

#include <map>
#include <string>
#include <vector>

#include "base/file.h"
#include "base/hash.h"
#include "base/problem.h"
#include "engine/shogi/shogi_rules.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/temp_folder.h"
#include "tests/worker/mock.h"

namespace joseki::worker {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr const char* kPositions[] = {"startpos", "4k4/9/4P4/9/9/9/9/9/4K4 b G 1",
                                      "4k4/9/4P4/9/9/9/9/9/4K4 w G 1"};

TEST(Identify, GivesADeterministicEngineASignature) {
  const testing::TempFolder folder;
  EngineEntry entry = MockEntry();
  entry.deterministic = true;
  entry.weights = folder / "nn.bin";
  ASSERT_TRUE(WriteFileAtomically(entry.weights, "weights").ok());
  const auto identity = Identify(entry, shogi::ShogiRules(), kPositions, nullptr);
  ASSERT_TRUE(identity.ok()) << identity.status();
  EXPECT_EQ(identity->id, "mock");
  EXPECT_EQ(identity->name, "Mock 1");
  EXPECT_NE(identity->signature, 0u);
  EXPECT_LT(identity->signature, uint64_t{1} << 48);
  EXPECT_EQ(identity->weights_sha256, Hex(Sha256Of("weights")));
  EXPECT_EQ(Identify(entry, shogi::ShogiRules(), kPositions, nullptr)->signature,
            identity->signature);
  entry.deterministic = false;
  EXPECT_EQ(Identify(entry, shogi::ShogiRules(), kPositions, nullptr)->signature, 0u);
}

TEST(Identify, SaysWhereDeterminismIsOnlyClaimed) {
  EngineEntry entry = MockEntry("moody");
  entry.deterministic = true;
  std::vector<std::string> notes;
  const auto identity = Identify(entry, shogi::ShogiRules(), kPositions,
                                 [&](const std::string& note) { notes.push_back(note); });
  ASSERT_TRUE(identity.ok()) << identity.status();
  EXPECT_EQ(identity->signature, 0u);
  EXPECT_THAT(notes, ElementsAre(HasSubstr("not_deterministic")));
}

TEST(Identify, SaysWhatCannotBeStarted) {
  EngineEntry entry = MockEntry("no-usiok");
  entry.start_limit = absl::Milliseconds(50);
  EXPECT_TRUE(
      absl::IsDeadlineExceeded(Identify(entry, shogi::ShogiRules(), kPositions, nullptr).status()));
  entry = MockEntry();
  entry.weights = "/no/such/file";
  EXPECT_FALSE(Identify(entry, shogi::ShogiRules(), kPositions, nullptr).ok());
}

TEST(Identify, FindsWhatCannotSearch) {
  for (const auto& [fault, found] : std::map<std::string, std::string>{
           {"crash", "signal 6"}, {"illegal", "5e5d"}, {"word", "(none)"}}) {
    const absl::Status status =
        Identify(MockEntry(fault), shogi::ShogiRules(), kPositions, nullptr).status();
    EXPECT_THAT(ProblemOf(status).file, HasSubstr("mock")) << status;
    EXPECT_THAT(ProblemOf(status).found, HasSubstr(found)) << status;
  }
  for (const auto& [fault, oddity] : std::map<std::string, std::string>{
           {"resign", "resigns_at_the_start"}, {"mute", "gives_no_scores"}}) {
    std::vector<std::string> notes;
    EXPECT_TRUE(Identify(MockEntry(fault), shogi::ShogiRules(), kPositions, [&](const auto& note) {
                  notes.push_back(note);
                }).ok());
    EXPECT_THAT(notes, ::testing::Contains(HasSubstr(oddity)));
  }
}

class EngineSetTest : public ::testing::Test {
 protected:
  EngineSetTest() : set_("", nullptr) {
    EngineEntry entry = MockEntry();
    entry.allow_options = {"MultiPV"};
    set_.Add(
        entry,
        {.id = "mock", .name = "Mock 1", .signature = 5, .weights_sha256 = "abc", .build = ""});
    play_.engine_id = "mock";
    play_.nodes = 10;
  }
  std::string CodeOf() {
    const auto player = set_.MakePlayer(play_, 0);
    return player.ok() ? "ok" : ProblemOf(player.status()).code;
  }

  EngineSet set_;
  PlaySpec play_;
};

TEST_F(EngineSetTest, MakesAPlayer) {
  auto player = set_.MakePlayer(play_, 0);
  ASSERT_TRUE(player.ok()) << player.status();
  ASSERT_TRUE((*player)->NewGame(1).ok());
  EXPECT_TRUE((*player)->Choose({"startpos", {}}, {.nodes = 10}).ok());
  EXPECT_EQ(set_.identities().size(), 1u);
}

TEST_F(EngineSetTest, TakesOnlyTheEngineThatTheRunWants) {
  play_.engine_signature = 5;
  play_.engine_name = "Mock 1";
  play_.weights_sha256 = "abc";
  EXPECT_EQ(CodeOf(), "ok");
  play_.engine_signature = 6;
  EXPECT_EQ(CodeOf(), "engine");
  play_.engine_signature = 0;
  play_.engine_name = "Mock 2";
  EXPECT_EQ(CodeOf(), "engine");
  play_.engine_name = "";
  play_.weights_sha256 = "def";
  EXPECT_EQ(CodeOf(), "engine");
  play_.weights_sha256 = "";
  play_.engine_id = "other";
  EXPECT_EQ(CodeOf(), "unknown_engine");
  play_.engine_id = "/bin/sh";
  EXPECT_EQ(CodeOf(), "unknown_engine");
}

TEST_F(EngineSetTest, ARunSetsOnlyWhatTheFileAllows) {
  play_.engine_options = {{"MultiPV", "2"}};
  EXPECT_EQ(CodeOf(), "ok");
  play_.engine_options = {{"MultiPV", "2\nsetoption name USI_Hash value 1"}};
  EXPECT_EQ(CodeOf(), "option_not_allowed");
  play_.engine_options = {{"USI_Hash", "1024"}};
  EXPECT_EQ(CodeOf(), "option_not_allowed");
}

TEST(CoresOfSeat, GivesEachSlotItsOwn) {
  EXPECT_THAT(CoresOfSeat({2, 3, 6, 7}, 0, 2), ElementsAre(2, 3));
  EXPECT_THAT(CoresOfSeat({2, 3, 6, 7}, 1, 2), ElementsAre(6, 7));
  EXPECT_THAT(CoresOfSeat({2, 3, 6, 7}, 2, 2), ElementsAre(2, 3));
  EXPECT_THAT(CoresOfSeat({2, 3, 6}, 1, 2), ElementsAre(6, 2));
  EXPECT_THAT(CoresOfSeat({4}, 5, 3), ElementsAre(4));
  EXPECT_THAT(CoresOfSeat({}, 0, 1), IsEmpty());
}

}  // namespace
}  // namespace joseki::worker
