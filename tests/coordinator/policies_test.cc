// Every policy under the coordinator: the stored state equals that computed from the games, after a
// restart, after a rebuild, and in the audit.
#include <algorithm>
#include <memory>
#include <ostream>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/problem.h"
#include "coordinator/offline/audit.h"
#include "coordinator/offline/stage_book.h"
#include "coordinator/runs/rebuild.h"
#include "coordinator/runs/run_load.h"
#include "coordinator/store/run_store.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/temp_folder.h"
#include "tests/support/toy_run.h"

namespace joseki::coordinator {
namespace {

// Arms, frozen arms, weights and answers: all that a policy says of a book.
struct Opinion {
  std::vector<int64_t> sums;
  std::vector<book::Evidence> evidence;
  std::vector<int64_t> frozen;
  std::vector<double> weights;
  std::vector<size_t> answers;
  bool operator==(const Opinion&) const = default;
};

Opinion OpinionOf(const book::Tuner& tuner) {
  Opinion opinion;
  for (book::EdgeId edge = 0; edge < tuner.graph().edge_count(); ++edge) {
    opinion.sums.push_back(tuner.arms()[edge].sum);
    opinion.evidence.push_back(tuner.arms()[edge].evidence);
    opinion.frozen.push_back(tuner.frozen(edge).sum);
  }
  for (book::NodeId node = 0; node < tuner.graph().node_count(); ++node) {
    const book::Choices at = tuner.choices(node);
    for (size_t i = 0; i < at.size(); ++i) opinion.weights.push_back(tuner.policy().Weight(at, i));
    opinion.answers.push_back(at.size() == 0 ? 0 : tuner.policy().Answer(at));
  }
  return opinion;
}

struct Case {
  std::string policy;
  bool fold = false;  // colours are folded
};
// The name alone: the bytes of a case hold addresses.
void PrintTo(const Case& test, std::ostream* out) { *out << test.policy; }

// A database with one run of the policy, 24 leases of up to five games, and a checkpoint in the
// middle.
class PoliciesTest : public ::testing::TestWithParam<Case> {
 protected:
  PoliciesTest()
      : store_(book::Store::Open(folder_ / "book.sqlite", book::OpenMode::kCreate).value()) {
    const auto& [policy, fold] = GetParam();
    RunSpec spec = testing::ToySpec(1000, policy);
    if (policy == "result-driven") spec.policy_options = {{"games", "45"}, {"rand", "8"}};
    if (fold) spec.policy_options["fold"] = "yes";
    RunStore rows(*store_);
    LoadedRun loaded = testing::FreshRun(spec);
    const std::string bytes = loaded.graph->Serialize();
    loaded.row.snapshot = Sha256Of(bytes);
    EXPECT_TRUE(rows.runs()
                    .InsertSnapshot(loaded.row.snapshot, bytes, loaded.graph->SerializeLinks())
                    .ok());
    EXPECT_TRUE(rows.runs().Insert(loaded.row).ok());
    const book::NodeId start = *StartNode(rules_, *loaded.graph, loaded.row.spec);
    state_ = std::make_unique<RunState>(std::move(loaded), start, RunState::Options{});
    uint64_t seq = 0;
    for (LeaseId lease = 1; lease <= 24; ++lease) {
      LeaseRow row;
      row.grant = {
          lease, 1, "w", 1, state_->row().stage, 0, absl::Seconds(90), state_->Plan(lease, 5)};
      EXPECT_TRUE(rows.leases().Insert(row.grant, row.state).ok());
      for (const PlannedSlot& plan : row.grant.slots) {
        const GameRow game =
            testing::RowOf(plan, row.grant.stage, testing::PlaySlot(1, lease, plan.slot), ++seq);
        EXPECT_EQ(*rows.games().Insert(game), Inserted::kNew);
        state_->Credit(game, plan, true);
        if (seq == 71) Save();
      }
      if (state_->Advance()) {
        EXPECT_TRUE(rows.runs().Update(state_->row()).ok());
      }
    }
    games_ = seq;
  }

  void Save() {
    RunStore rows(*store_);
    const UnwrittenChanges::Taken changes = state_->evidence().TakeChanges();
    std::vector<EvidenceRow> evidence;
    for (const book::EdgeId edge : changes.edges)
      evidence.push_back(state_->evidence().RowOf(edge));
    EXPECT_TRUE(rows.evidence().Save(1, evidence).ok());
    EXPECT_TRUE(rows.evidence().SaveCheckpoint(1, changes.checkpoint).ok());
  }

  const testing::SymmetricToyRules rules_{};
  testing::TempFolder folder_;
  std::unique_ptr<book::Store> store_;
  std::unique_ptr<RunState> state_;
  uint64_t games_ = 0;
};

TEST_P(PoliciesTest, TheAuditFindsWhatIsStored) {
  EXPECT_GE(games_, 100u);
  for (int round = 0; round < 2; ++round) {
    const AuditReport report = Audit(*store_, rules_).value();
    EXPECT_EQ(report.games, games_);
    EXPECT_THAT(report.first, ::testing::IsEmpty());
    Save();  // the second time of all games
  }
}

TEST_P(PoliciesTest, ARestartGivesWhatWasThere) {
  const auto loaded = LoadRun(*store_, rules_, 1);
  ASSERT_TRUE(loaded.ok()) << loaded.status();
  EXPECT_EQ(loaded->commit_seq, games_);
  EXPECT_TRUE(OpinionOf(*loaded->tuner) == OpinionOf(state_->evidence().tuner()));
}

TEST_P(PoliciesTest, TheGamesAloneGiveWhatWasThere) {
  const RebuildPoint point = state_->BeginRebuild({});
  const auto rebuilt = RebuildRun(*store_, rules_, point, std::stop_token());
  ASSERT_TRUE(rebuilt.ok()) << rebuilt.status();
  EXPECT_EQ(rebuilt->commit_seq, games_);
  EXPECT_TRUE(OpinionOf(rebuilt->evidence->tuner()) == OpinionOf(state_->evidence().tuner()));
}

TEST_P(PoliciesTest, TheBookAfterAStageIsWhatTheNextOneChoseBy) {
  const int over = state_->row().stage;
  for (const int none : {0, over + 1}) {
    const auto beyond = LoadRunAfterStages(*store_, rules_, 1, none);
    EXPECT_EQ(ProblemOf(beyond.status()).code, "no_such_stage");
  }
  if (over == 0) return;  // its rule has no stages
  const auto loaded = LoadRunAfterStages(*store_, rules_, 1, over);
  ASSERT_TRUE(loaded.ok()) << loaded.status();
  EXPECT_GE(loaded->counters.games, 45u * static_cast<uint64_t>(over));
  EXPECT_LT(loaded->counters.games, games_);
  for (book::EdgeId edge = 0; edge < loaded->graph->edge_count(); ++edge) {
    EXPECT_EQ(loaded->tuner->arms()[edge].sum, state_->evidence().tuner().frozen(edge).sum);
    EXPECT_EQ(loaded->tuner->arms()[edge].evidence,
              state_->evidence().tuner().frozen(edge).evidence);
  }
}

TEST_P(PoliciesTest, WhereColoursAreFoldedAPositionHasTheGamesOfBoth) {
  bool other = false;
  const book::Tuner& tuner = state_->evidence().tuner();
  for (book::EdgeId edge = 0; edge < tuner.graph().edge_count(); ++edge) {
    const uint32_t own = tuner.arms()[edge].evidence.played();
    EXPECT_GE(tuner.pooled()[edge].evidence.played(), own);
    other |= tuner.pooled()[edge].evidence.played() > own;
  }
  EXPECT_EQ(other, GetParam().fold);
}

std::vector<Case> Cases() {
  std::vector<Case> cases;
  for (const std::string_view name : book::PolicyNames()) cases.push_back({std::string(name)});
  // With stages, without, and with values.
  for (const char* name : {"result-driven", "thompson", "response"}) cases.push_back({name, true});
  return cases;
}
std::string NameOf(const ::testing::TestParamInfo<Case>& info) {
  std::string name = info.param.policy + (info.param.fold ? "_folded" : "");
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}
INSTANTIATE_TEST_SUITE_P(All, PoliciesTest, ::testing::ValuesIn(Cases()), NameOf);

}  // namespace
}  // namespace joseki::coordinator
