#include "coordinator/offline/archiver.h"

#include <SQLiteCpp/Column.h>
#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/file.h"
#include "base/problem.h"
#include "book/database/zstd.h"
#include "coordinator/offline/invariants.h"
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

constexpr int kGames = 10;

// A book with one run of ten games that is over; all of them are in its checkpoint.
class ArchiverTest : public ::testing::Test {
 protected:
  ArchiverTest() {
    RunStore rows(*store_);
    LoadedRun loaded = testing::FreshRun(testing::ToySpec(kGames));
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
      row.grant = {lease, 1, "w", 1, 0, 0, absl::Seconds(90), state.Plan(lease, kGames / 2)};
      EXPECT_TRUE(rows.leases().Insert(row.grant, row.state).ok());
      for (const PlannedSlot& plan : row.grant.slots) {
        const GameRow game = testing::RowOf(plan, 0,
                                            seq == 4 ? testing::FaultOf(1, lease, plan.slot)
                                                     : testing::PlaySlot(1, lease, plan.slot),
                                            seq + 1);
        ++seq;
        EXPECT_EQ(*rows.games().Insert(game), Inserted::kNew);
        state.Credit(game, plan, true);
      }
    }
    const UnwrittenChanges::Taken changes = state.evidence().TakeChanges();
    std::vector<EvidenceRow> evidence;
    for (const book::EdgeId edge : changes.edges) evidence.push_back(state.evidence().RowOf(edge));
    EXPECT_TRUE(rows.evidence().Save(1, evidence).ok());
    EXPECT_TRUE(rows.evidence().SaveCheckpoint(1, changes.checkpoint).ok());
    store_->db().exec("UPDATE runs SET state = 'done'");
    whole_ = Games();
    options_.games_per_file = 4;
    options_.record = [](const RunSpec&, const GameRow& game) {
      return absl::StrCat("game ", game.commit_seq, "\n");
    };
    options_.record_suffix = ".txt";
    options_.record_separator = "/\n";
  }

  // All games of the run as archive lines: every column.
  std::string Games() {
    std::vector<GameRow> games;
    EXPECT_TRUE(RunStore(*store_)
                    .games()
                    .ForEach(1, 0,
                             [&](const GameRow& game) {
                               games.push_back(game);
                               return absl::OkStatus();
                             })
                    .ok());
    EXPECT_EQ(games.size(), static_cast<size_t>(kGames));
    return WriteArchive("", testing::ToySpec(kGames), games, rules_);
  }
  int64_t Count(const std::string& table) {
    return store_->db().execAndGet("SELECT count(*) FROM " + table).getInt64();
  }
  uint64_t Violations() { return CheckInvariants(*store_, rules_, {}).value().violations; }
  std::string Path(const std::string& file) { return ArchiveFolder(path_) + "/" + file; }

  const testing::ToyRules rules_{};
  testing::TempFolder folder_;
  const std::string path_ = folder_ / "book.sqlite";
  std::unique_ptr<book::Store> store_ = book::Store::Open(path_, book::OpenMode::kCreate).value();
  std::string whole_;
  ArchiveOptions options_;
};

TEST_F(ArchiverTest, MakesSealedFilesOnce) {
  const ArchiveReport report = MakeArchives(*store_, rules_, options_).value();
  EXPECT_EQ(report.archives, 3u);
  EXPECT_EQ(report.games, 10u);
  const std::vector<ArchiveRow> archives = ReadArchives(*store_, 1).value();
  ASSERT_EQ(archives.size(), 3u);
  EXPECT_EQ(archives[1].file, "run1-000000000005-000000000008.jsonl.zst");
  EXPECT_EQ(archives[1].totals.games, 4u);
  EXPECT_EQ(archives[1].totals.faults, 1u);
  EXPECT_EQ(archives[2].last_seq, 10u);
  EXPECT_FALSE(archives[2].dropped);
  EXPECT_EQ(*book::Decompress(*ReadFile(Path("run1-000000000009-000000000010.txt.zst")), 1000, "x"),
            "game 9\n/\ngame 10\n");
  EXPECT_EQ(MakeArchives(*store_, rules_, options_)->archives, 0u);
  EXPECT_EQ(Violations(), 0u);
}

TEST_F(ArchiverTest, OfARunThatGoesOnOnlyWholeFiles) {
  store_->db().exec("UPDATE runs SET state = 'running'");
  EXPECT_EQ(MakeArchives(*store_, rules_, options_)->archives, 2u);
  EXPECT_EQ(ProblemOf(DropArchived(*store_, {.run = 1}).status()).code, "run_goes_on");
  EXPECT_EQ(DropArchived(*store_, options_)->archives, 0u);
  EXPECT_EQ(Count("games"), kGames);
}

TEST_F(ArchiverTest, DroppedGamesStayAllThatTheyWere) {
  const LoadedRun before = LoadRun(*store_, rules_, 1).value();
  GameRow known;
  EXPECT_TRUE(RunStore(*store_)
                  .games()
                  .ForEach(1, 2,
                           [&](const GameRow& game) {
                             known = game;
                             return absl::CancelledError();
                           })
                  .ok());
  ASSERT_TRUE(MakeArchives(*store_, rules_, options_).ok());
  const ArchiveReport report = DropArchived(*store_, options_).value();
  EXPECT_EQ(report.archives, 3u);
  EXPECT_EQ(report.games, 10u);
  EXPECT_EQ(Count("games"), 0);
  EXPECT_EQ(Count("archived_games"), kGames);
  EXPECT_EQ(Games(), whole_);
  EXPECT_EQ(Violations(), 0u);
  RunStore rows(*store_);
  EXPECT_EQ(rows.ReadMarks()->commit_seq, 10u);
  EXPECT_THAT(rows.leases().ReadFilledSlots(1, 2).value(), ElementsAre(0, 1, 2, 3, 4));
  // A known game is a duplicate, and another one under its key is refused.
  EXPECT_EQ(*rows.games().Insert(known), Inserted::kDuplicate);
  known.payload_hash ^= 1;
  EXPECT_EQ(*rows.games().Insert(known), Inserted::kConflict);
  // The evidence rebuilt from the files alone.
  store_->db().exec("UPDATE runs SET counters = ''");
  const LoadedRun after = LoadRun(*store_, rules_, 1).value();
  EXPECT_EQ(after.times.games_read, 10u);
  EXPECT_EQ(after.counters, before.counters);
  for (size_t i = 0; i < before.tuner->arms().size(); ++i) {
    EXPECT_EQ(after.tuner->arms()[i].evidence, before.tuner->arms()[i].evidence);
  }
}

TEST_F(ArchiverTest, PutsThemBack) {
  ASSERT_TRUE(MakeArchives(*store_, rules_, options_).ok());
  ASSERT_TRUE(DropArchived(*store_, options_).ok());
  ASSERT_TRUE(Shrink(*store_).ok());
  EXPECT_EQ(PutBackArchived(*store_, options_)->games, 10u);
  EXPECT_EQ(Count("games"), kGames);
  EXPECT_EQ(Count("archived_games"), 0);
  EXPECT_EQ(Games(), whole_);
  EXPECT_EQ(Violations(), 0u);
}

TEST_F(ArchiverTest, DropsNothingThatItsFileDoesNotHold) {
  ASSERT_TRUE(MakeArchives(*store_, rules_, options_).ok());
  const std::string file = Path("run1-000000000001-000000000004.jsonl.zst");
  const std::string bytes = *ReadFile(file);
  std::filesystem::remove(file);
  EXPECT_EQ(ProblemOf(DropArchived(*store_, options_).status()).code, "archive_missing");
  EXPECT_GT(Violations(), 0u);
  std::string damaged = bytes;
  damaged[damaged.size() / 2] ^= 1;
  ASSERT_TRUE(WriteFileAtomically(file, damaged).ok());
  EXPECT_EQ(ProblemOf(DropArchived(*store_, options_).status()).code, "bad_archive");
  EXPECT_GT(Violations(), 0u);
  ASSERT_TRUE(WriteFileAtomically(file, bytes).ok());
  store_->db().exec("UPDATE games SET think_ms = think_ms + 1 WHERE commit_seq = 3");
  EXPECT_EQ(ProblemOf(DropArchived(*store_, options_).status()).code, "other_games");
  EXPECT_EQ(Count("games"), kGames);
  store_->db().exec("UPDATE games SET think_ms = think_ms - 1 WHERE commit_seq = 3");
  store_->db().exec("UPDATE runs SET evidence_seq = 3");
  EXPECT_EQ(ProblemOf(DropArchived(*store_, options_).status()).code, "no_checkpoint");
  EXPECT_EQ(Count("games"), kGames);
}

TEST_F(ArchiverTest, AMissingArchiveIsNamed) {
  ASSERT_TRUE(MakeArchives(*store_, rules_, options_).ok());
  ASSERT_TRUE(DropArchived(*store_, options_).ok());
  std::filesystem::remove(Path("run1-000000000005-000000000008.jsonl.zst"));
  // Operations that need no old game work without them.
  EXPECT_TRUE(LoadRun(*store_, rules_, 1).ok());
  const absl::Status audit = CheckInvariants(*store_, rules_, {}).status();
  EXPECT_EQ(ProblemOf(audit).code, "archive_missing");
  EXPECT_THAT(std::string(audit.message()), HasSubstr("run1-000000000005-000000000008.jsonl.zst"));
}

// A process that dies at any point leaves a book that is whole, and the same commands go on.
TEST_F(ArchiverTest, SurvivesADeathAtEveryPoint) {
  store_.reset();
  std::vector<std::string> died_at;
  for (int death = 1;; ++death) {
    std::filesystem::copy(path_, folder_ / "copy.sqlite");
    int pipe_ends[2];
    ASSERT_EQ(pipe(pipe_ends), 0);
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      int left = death;
      options_.at = [&](std::string_view point) {
        if (--left > 0) return;
        (void)!write(pipe_ends[1], point.data(), point.size());
        _exit(9);
      };
      const auto store =
          book::Store::Open(folder_ / "copy.sqlite", book::OpenMode::kReadWrite).value();
      const bool done = MakeArchives(*store, rules_, options_).ok() &&
                        DropArchived(*store, options_).ok() &&
                        PutBackArchived(*store, options_).ok();
      _exit(done ? 0 : 1);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    char name[64] = {};
    close(pipe_ends[1]);
    (void)!read(pipe_ends[0], name, sizeof(name) - 1);
    close(pipe_ends[0]);
    ASSERT_TRUE(WIFEXITED(status));
    ASSERT_NE(WEXITSTATUS(status), 1);
    died_at.emplace_back(name);
    {
      auto store = book::Store::Open(folder_ / "copy.sqlite", book::OpenMode::kReadWrite).value();
      EXPECT_EQ(CheckInvariants(*store, rules_, {})->violations, 0u) << name;
      ASSERT_TRUE(MakeArchives(*store, rules_, options_).ok()) << name;
      ASSERT_TRUE(DropArchived(*store, options_).ok()) << name;
      const InvariantReport report = CheckInvariants(*store, rules_, {}).value();
      EXPECT_EQ(report.games, static_cast<uint64_t>(kGames)) << name;
      EXPECT_EQ(report.violations, 0u) << name;
    }
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path())) {
      if (entry.path().filename().string().starts_with("copy")) {
        std::filesystem::remove_all(entry.path());
      }
    }
    if (WEXITSTATUS(status) == 0) break;
  }
  for (const char* const point : {"records written", "archive written", "archive known",
                                  "archive read", "games dropped", "games put back"}) {
    EXPECT_THAT(died_at, ::testing::Contains(point));
  }
}

TEST_F(ArchiverTest, AnyDamageIsFound) {
  ASSERT_TRUE(ParseArchive(whole_, "f").ok());
  for (size_t i = 0; i < whole_.size(); i += 41) {
    std::string damaged = whole_;
    damaged[i] ^= 1;
    const auto read = ParseArchive(damaged, "f");
    ASSERT_FALSE(read.ok()) << i;
    EXPECT_EQ(ProblemOf(read.status()).code, "bad_archive");
  }
  for (size_t size = 0; size < whole_.size(); size += 97) {
    EXPECT_FALSE(ParseArchive(std::string_view(whole_).substr(0, size), "f").ok()) << size;
  }
  EXPECT_EQ(ProblemOf(ParseArchive(whole_ + whole_, "f").status()).code, "bad_archive");
}

TEST(Zstd, GoesThereAndBack) {
  const std::string text(100'000, 'x');
  const std::string packed = book::Compress(text).value();
  EXPECT_LT(packed.size(), 1000u);
  EXPECT_EQ(*book::Decompress(packed, text.size(), "f"), text);
  EXPECT_EQ(ProblemOf(book::Decompress(packed, text.size() - 1, "f").status()).code, "bad_archive");
  EXPECT_EQ(ProblemOf(book::Decompress("plain", 100, "f").status()).code, "bad_archive");
  EXPECT_EQ(
      ProblemOf(book::Decompress(packed.substr(0, packed.size() / 2), 1 << 20, "f").status()).code,
      "bad_archive");
}

}  // namespace
}  // namespace joseki::coordinator
