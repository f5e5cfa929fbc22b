#include "coordinator/offline/audit.h"

#include <SQLiteCpp/Database.h>

#include <memory>
#include <string>

#include "coordinator/runs/run_load.h"
#include "coordinator/store/run_store.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/temp_folder.h"
#include "tests/support/toy_run.h"

namespace joseki::coordinator {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// A database with one run, two leases, ten games, and a checkpoint of the first six.
class AuditTest : public ::testing::Test {
 protected:
  AuditTest()
      : store_(book::Store::Open(folder_ / "book.sqlite", book::OpenMode::kCreate).value()) {
    RunStore rows(*store_);
    LoadedRun loaded = testing::FreshRun(testing::ToySpec(100));
    const std::string bytes = loaded.graph->Serialize();
    loaded.row.snapshot = Sha256Of(bytes);
    EXPECT_TRUE(rows.runs()
                    .InsertSnapshot(loaded.row.snapshot, bytes, loaded.graph->SerializeLinks())
                    .ok());
    EXPECT_TRUE(rows.runs().Insert(loaded.row).ok());
    const book::NodeId start = *StartNode(rules_, *loaded.graph, loaded.row.spec);
    RunState state(std::move(loaded), start, RunState::Options{});
    uint64_t seq = 0;
    for (const LeaseId lease : {1, 2}) {
      LeaseRow row;
      row.grant = {lease, 1, "w", 1, 0, 0, absl::Seconds(90), state.Plan(lease, 5)};
      EXPECT_TRUE(rows.leases().Insert(row.grant, row.state).ok());
      for (const PlannedSlot& plan : row.grant.slots) {
        const GameRow game = testing::RowOf(plan, 0, testing::PlaySlot(1, lease, plan.slot), ++seq);
        EXPECT_EQ(*rows.games().Insert(game), Inserted::kNew);
        state.Credit(game, plan, true);
        if (seq == 6) {
          Save(state);
        }
      }
    }
    edges_ = state.book().graph->edge_count();
  }

  void Save(RunState& state) {
    RunStore rows(*store_);
    const UnwrittenChanges::Taken changes = state.evidence().TakeChanges();
    std::vector<EvidenceRow> evidence;
    for (const book::EdgeId edge : changes.edges) evidence.push_back(state.evidence().RowOf(edge));
    EXPECT_TRUE(rows.evidence().Save(1, evidence).ok());
    EXPECT_TRUE(rows.evidence().SaveCheckpoint(1, changes.checkpoint).ok());
  }
  AuditReport Run() { return Audit(*store_, rules_).value(); }
  void Tamper(const std::string& sql) { ASSERT_GT(store_->db().exec(sql), 0) << sql; }
  void ExpectFound(const std::string& what) {
    const AuditReport report = Run();
    EXPECT_GE(report.mismatches, 1u);
    EXPECT_THAT(report.first, ::testing::Contains(HasSubstr(what)));
  }

  const testing::ToyRules rules_{};
  testing::TempFolder folder_;
  std::unique_ptr<book::Store> store_;
  size_t edges_ = 0;
};

TEST_F(AuditTest, FindsNothingWhereNothingIsWrong) {
  const AuditReport report = Run();
  EXPECT_EQ(report.games, 10u);
  EXPECT_EQ(report.weights, edges_);
  EXPECT_EQ(report.mismatches, 0u);
  EXPECT_THAT(report.first, IsEmpty());
}

TEST_F(AuditTest, LoadRunReplaysTheTail) {
  const auto loaded = LoadRun(*store_, rules_, 1);
  ASSERT_TRUE(loaded.ok()) << loaded.status();
  EXPECT_EQ(loaded->commit_seq, 10u);
  EXPECT_EQ(loaded->counters.games, 10u);
  // Without the checkpoint all games are replayed, with the same result.
  Tamper("UPDATE runs SET counters = ''");
  const auto replayed = LoadRun(*store_, rules_, 1);
  ASSERT_TRUE(replayed.ok());
  for (size_t i = 0; i < edges_; ++i) {
    EXPECT_EQ(loaded->tuner->arms()[i].sum, replayed->tuner->arms()[i].sum);
    EXPECT_EQ(loaded->tuner->arms()[i].evidence, replayed->tuner->arms()[i].evidence);
  }
}

TEST_F(AuditTest, LoadRunReadsNoGameOfTheCheckpoint) {
  const auto whole = LoadRun(*store_, rules_, 1);
  ASSERT_TRUE(whole.ok());
  Tamper("DELETE FROM games WHERE commit_seq <= 6");
  const auto loaded = LoadRun(*store_, rules_, 1);
  ASSERT_TRUE(loaded.ok()) << loaded.status();
  EXPECT_EQ(loaded->times.games_read, 4u);
  EXPECT_EQ(loaded->counters, whole->counters);
  EXPECT_EQ(loaded->tuner->distinct_games(), whole->tuner->distinct_games());
  for (size_t i = 0; i < edges_; ++i) {
    EXPECT_EQ(loaded->tuner->arms()[i].sum, whole->tuner->arms()[i].sum);
    EXPECT_EQ(loaded->tuner->arms()[i].evidence, whole->tuner->arms()[i].evidence);
  }
}

TEST_F(AuditTest, TheFirstCheckpointAfterARestartCoversTheTail) {
  auto loaded = LoadRun(*store_, rules_, 1);
  ASSERT_TRUE(loaded.ok());
  const book::NodeId start = *StartNode(rules_, *loaded->graph, loaded->row.spec);
  RunState state(*std::move(loaded), start, RunState::Options{});
  ASSERT_TRUE(state.evidence().unwritten().any());
  Save(state);
  EXPECT_FALSE(state.evidence().unwritten().any());
  EXPECT_EQ(state.evidence().seq(), 10u);
  EXPECT_EQ(Run().mismatches, 0u);
}

TEST_F(AuditTest, FindsAChangedWeight) {
  Tamper("UPDATE evidence SET wins = wins + 1 WHERE edge = (SELECT min(edge) FROM evidence)");
  const AuditReport report = Run();
  EXPECT_EQ(report.mismatches, 1u);
  EXPECT_THAT(report.first, ElementsAre(HasSubstr("the games say")));
}

TEST_F(AuditTest, FindsAMissingWeight) {
  Tamper("DELETE FROM evidence WHERE edge = (SELECT min(edge) FROM evidence)");
  EXPECT_EQ(Run().mismatches, 1u);
}

TEST_F(AuditTest, FindsAWeightOfNoMove) {
  Tamper(
      "INSERT INTO evidence (run, edge, sum, wins, draws, losses, repeats)"
      " VALUES (1, 999999, 0, 0, 0, 0, 0)");
  ExpectFound("edge 999999 is not in the frozen book");
}

TEST_F(AuditTest, FindsAWrongWatermark) {
  Tamper("UPDATE runs SET evidence_seq = 5");
  EXPECT_GE(Run().mismatches, 1u);
  Tamper("UPDATE runs SET evidence_seq = 11");
  ExpectFound("the last one is 10");
}

TEST_F(AuditTest, FindsWrongCounters) {
  Tamper("UPDATE runs SET counters = replace(counters, '\"games\":6', '\"games\":7')");
  ExpectFound("stored counters {");
}

TEST_F(AuditTest, FindsWrongHashes) {
  Tamper("UPDATE seen_games SET hashes = zeroblob(length(hashes))");
  ExpectFound("hashes of different games");
  Tamper("DELETE FROM seen_games");
  ExpectFound("stored 0 hashes of different games");
}

TEST_F(AuditTest, FindsWrongLinks) {
  Tamper("UPDATE snapshots SET links = zeroblob(length(links))");
  ExpectFound("links");
}

TEST_F(AuditTest, FindsARowOfALaterGameThanItIs) {
  // Games 7 to 10 went through some of the edges.
  Tamper("UPDATE evidence SET seq = 10");
  ExpectFound("stored sum");
}

TEST_F(AuditTest, FindsAnotherResult) {
  Tamper("UPDATE games SET result = 3 - result WHERE commit_seq = 8");
  ExpectFound("game 8");
  ExpectFound("wrong_ending");
}

TEST_F(AuditTest, FindsAnotherMove) {
  Tamper("UPDATE games SET moves = substr(moves, 1, length(moves) - 2) WHERE commit_seq = 3");
  ExpectFound("game 3");
}

TEST_F(AuditTest, FindsALostGame) {
  Tamper("DELETE FROM games WHERE commit_seq = 2");
  ExpectFound("the games say");
}

TEST_F(AuditTest, FindsAnotherStageWorkerOrHash) {
  Tamper("UPDATE games SET stage = 1 WHERE commit_seq = 7");
  Tamper("UPDATE games SET worker = 'other' WHERE commit_seq = 8");
  Tamper("UPDATE games SET payload_hash = 1 WHERE commit_seq = 9");
  Tamper("UPDATE games SET moves_hash = 1 WHERE commit_seq = 10");
  EXPECT_EQ(Run().mismatches, 4u);
  ExpectFound("game 7 (lease 2, slot 1): its stage is not that of its lease");
  ExpectFound("its worker is not that of its lease");
  ExpectFound("its payload hash is another one");
  ExpectFound("its moves hash is another one");
}

TEST_F(AuditTest, FindsAGameWithoutALease) {
  Tamper("DELETE FROM leases WHERE lease = 2");
  const AuditReport report = Run();
  EXPECT_THAT(report.first, ::testing::Contains(HasSubstr("its lease is not there")));
}

TEST_F(AuditTest, FindsARowThatNoCoordinatorWrites) {
  Tamper("UPDATE games SET termination = 77 WHERE commit_seq = 4");
  ExpectFound("commit_seq 4: bad_row");
}

TEST_F(AuditTest, FindsAnotherBook) {
  Tamper("UPDATE snapshots SET bytes = zeroblob(length(bytes))");
  ExpectFound("holds other bytes");
}

}  // namespace
}  // namespace joseki::coordinator
