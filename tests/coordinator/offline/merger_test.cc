#include "coordinator/offline/merger.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/problem.h"
#include "book/database/book_import.h"
#include "book/database/book_store.h"
#include "book/database/importer.h"
#include "coordinator/offline/exporter.h"
#include "coordinator/runs/run_load.h"
#include "coordinator/store/run_store.h"
#include "engine/shogi/shogi_rules.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/shogi_rules.h"
#include "tests/support/temp_folder.h"
#include "tests/support/toy_run.h"

namespace joseki::coordinator {
namespace {

using ::joseki::testing::Shogi;
using ::joseki::testing::UsiMove;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

PackedPosition StartPacked() { return (*Shogi().Start("startpos", MatchRules{}))->packed(); }

// Counts of every move, weights and marks, whatever sources they are from.
using Content = std::map<std::pair<PackedPosition, Move>, std::vector<int64_t>>;
Content ContentOf(const std::string& path) {
  const auto store = book::Store::Open(path, book::OpenMode::kReadOnly).value();
  Content content;
  EXPECT_TRUE(book::BookStore(*store)
                  .ForEach([&](const book::BookPosition& position) {
                    for (const book::BookMove& move : position.moves) {
                      const book::MoveCounts& c = move.counts[0];
                      content[{position.packed, move.move}] = {
                          c.games,   c.wins,           c.draws,
                          c.losses,  move.base_weight, move.book_count,
                          move.mark, position.ply,     move.value.value_or(-1)};
                    }
                    return absl::OkStatus();
                  })
                  .ok());
  return content;
}

class MergerTest : public ::testing::Test {
 protected:
  std::string Import(const std::string& name, const std::vector<std::string>& games) {
    const std::string path = folder_ / name;
    const auto store = book::Store::Open(path, book::OpenMode::kCreate).value();
    book::Importer importer(Shogi(), {});
    for (const std::string& game : games) importer.AddBytes(game, game + "\n");
    EXPECT_TRUE(importer.Commit(*store, "games").ok());
    return path;
  }
  void Weigh(const std::string& path, int64_t factor) {
    const auto store = book::Store::Open(path, book::OpenMode::kReadWrite).value();
    EXPECT_TRUE(
        book::BookStore(*store)
            .Weigh([&](const book::BookMove& move) { return factor * move.counts[0].games; })
            .ok());
  }
  absl::StatusOr<MergeReport> Merge(std::vector<MergeInput> inputs, const std::string& out,
                                    bool again = false) {
    return MergeBooks(Shogi(), inputs, out, again);
  }
  std::vector<std::string> Files() {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path())) {
      const std::string name = entry.path().filename().string();
      if (name.find("part") != std::string::npos) names.push_back(name);
    }
    return names;
  }

  testing::TempFolder folder_;
};

constexpr char kFirst[] = "startpos moves 7g7f 3c3d 2g2f";
constexpr char kSecond[] = "startpos moves 7g7f 8c8d";
constexpr char kThird[] = "startpos moves 2g2f 8c8d";

TEST_F(MergerTest, PartsTogetherAreTheWhole) {
  const std::string a = Import("a", {kFirst, kSecond});
  const std::string b = Import("b", {kThird});
  const std::string whole = Import("whole", {kFirst, kSecond, kThird});
  const auto report =
      Merge({{MergeLayer::kMaster, a, 0}, {MergeLayer::kMaster, b, 0}}, folder_ / "merged");
  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_EQ(report->counts.sources, 2);
  EXPECT_EQ(ContentOf(folder_ / "merged"), ContentOf(whole));
  const auto store = book::Store::Open(folder_ / "merged", book::OpenMode::kReadOnly).value();
  EXPECT_THAT(*book::BookStore(*store).Check(), IsEmpty());
  EXPECT_THAT(*book::BookStore(*store).ImportedFiles(), SizeIs(3));
  EXPECT_EQ(book::BookStore(*store).Totals()->games, 3);
  EXPECT_THAT(Files(), IsEmpty());
}

TEST_F(MergerTest, NothingIsCountedTwice) {
  const std::string a = Import("a", {kFirst, kSecond});
  Weigh(a, 1);
  const std::string twice = Import("b", {kSecond, kThird});
  const auto same =
      Merge({{MergeLayer::kMaster, a, 0}, {MergeLayer::kUser, a, 0}}, folder_ / "merged");
  ASSERT_TRUE(same.ok()) << same.status();
  EXPECT_EQ(same->counts.known_sources, 1);
  EXPECT_EQ(ContentOf(folder_ / "merged"), ContentOf(a));
  const std::vector<MergeInput> some = {{MergeLayer::kMaster, a, 0},
                                        {MergeLayer::kMaster, twice, 0}};
  const auto refused = Merge(some, folder_ / "other");
  EXPECT_EQ(ProblemOf(refused.status()).code, "counted_twice");
  EXPECT_FALSE(std::filesystem::exists(folder_ / "other"));
  EXPECT_THAT(Files(), IsEmpty());
  EXPECT_TRUE(Merge(some, folder_ / "other", /*again=*/true).ok());
  EXPECT_EQ(ProblemOf(Merge(some, folder_ / "other").status()).code, "file_exists");
}

TEST_F(MergerTest, ASourceWithoutFilesIsKnownByItsContent) {
  const auto add = [&](const std::string& name, int value) {
    const auto store = book::Store::Open(folder_ / name, book::OpenMode::kCreate).value();
    book::BookImport import(*store, "expand", "engine", "{}");
    book::DbPosition position;
    position.packed = StartPacked();
    position.moves.push_back({.move = UsiMove("7g7f"), .value = value, .has_value = true});
    EXPECT_TRUE(import.AddBook(position).ok());
    EXPECT_TRUE(import.Commit(0, 0).ok());
    return folder_ / name;
  };
  const std::string one = add("one", 10);
  const std::string copy = folder_ / "copy";
  std::filesystem::copy_file(one, copy);
  const std::string other = add("other", 20);
  const auto report = Merge({{MergeLayer::kMaster, other, 0},
                             {MergeLayer::kMaster, copy, 0},
                             {MergeLayer::kMaster, one, 0}},
                            folder_ / "merged");
  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_EQ(report->counts.sources, 2);
  EXPECT_EQ(report->counts.known_sources, 1);
  // The book that is named first is the newest.
  EXPECT_EQ(ContentOf(folder_ / "merged").begin()->second.back(), 20);
}

TEST_F(MergerTest, HigherLayersDecideTheirPositions) {
  const std::string master = Import("master", {kFirst, kSecond, kThird});
  Weigh(master, 100);
  const std::string user = Import("user", {"startpos moves 2g2f 3c3d", "startpos moves 2g2f"});
  Weigh(user, 3);
  {
    const auto store = book::Store::Open(user, book::OpenMode::kReadWrite).value();
    ASSERT_TRUE(book::BookStore(*store).Mark(StartPacked(), UsiMove("2g2f"), 0, "mine").ok());
    const auto other = book::Store::Open(master, book::OpenMode::kReadWrite).value();
    ASSERT_TRUE(book::BookStore(*other).Mark(StartPacked(), UsiMove("7g7f"), 1, "").ok());
  }
  ASSERT_TRUE(
      Merge({{MergeLayer::kMaster, master, 0}, {MergeLayer::kUser, user, 0}}, folder_ / "merged")
          .ok());
  const auto store = book::Store::Open(folder_ / "merged", book::OpenMode::kReadOnly).value();
  const auto start = *book::BookStore(*store).Find(StartPacked());
  ASSERT_THAT(start->moves, SizeIs(2));
  for (const book::BookMove& move : start->moves) {
    const bool users = move.move == UsiMove("2g2f");
    EXPECT_EQ(move.base_weight, users ? 6 : -1);
    EXPECT_EQ(move.note, users ? "mine" : "");
    EXPECT_EQ(move.mark, users ? 0 : 1);
    EXPECT_EQ(move.counts[0].games, users ? 3 : 2);
  }
  // The masters' weights stand where the user's book has nothing.
  const auto state = *Shogi().Start("startpos", MatchRules{});
  ASSERT_TRUE(state->Play(UsiMove("7g7f")));
  const auto reply = *book::BookStore(*store).Find(state->packed());
  EXPECT_EQ(reply->moves.at(0).base_weight, 100);
}

// Books that were never weighed count by how often their moves were played, beside others, too.
TEST_F(MergerTest, LayersWithoutWeightsCountByTheirGames) {
  const std::string master = Import("master", {kFirst, kSecond, kThird});
  const std::string user = Import("user", {"startpos moves 2g2f 3c3d", "startpos moves 2g2f"});
  ASSERT_TRUE(
      Merge({{MergeLayer::kMaster, master, 0}, {MergeLayer::kUser, user, 0}}, folder_ / "merged")
          .ok());
  const auto store = book::Store::Open(folder_ / "merged", book::OpenMode::kReadOnly).value();
  const auto graph = book::BookStore(*store).LoadGraph(Shogi()).value();
  const auto weights_of = [](const book::Graph& book, const PackedPosition& packed) {
    std::vector<int64_t> weights;
    for (const auto& edge : book.moves(book.FindPacked(packed)))
      weights.push_back(edge.base_weight);
    std::sort(weights.begin(), weights.end());
    return weights;
  };
  EXPECT_EQ(weights_of(graph, StartPacked()), (std::vector<int64_t>{-1, 2})) << "the user's first";
  const auto state = *Shogi().Start("startpos", MatchRules{});
  ASSERT_TRUE(state->Play(UsiMove("7g7f")));
  const auto alone = book::Store::Open(master, book::OpenMode::kReadOnly).value();
  EXPECT_EQ(weights_of(graph, state->packed()),
            weights_of(*book::BookStore(*alone).LoadGraph(Shogi()), state->packed()))
      << "where the user's book has nothing, the masters'";
}

// Databases with a run of ten games of the toy game each, or with a part of the same ones.
class RunMergerTest : public MergerTest {
 protected:
  std::string Write(const std::string& name, uint64_t first, uint64_t last,
                    const RunSpec& spec = testing::ToySpec(100)) {
    const auto store = book::Store::Open(folder_ / name, book::OpenMode::kCreate, "toy").value();
    RunStore rows(*store);
    LoadedRun loaded = testing::FreshRun(spec);
    const std::string bytes = loaded.graph->Serialize();
    loaded.row.snapshot = Sha256Of(bytes);
    EXPECT_TRUE(rows.runs().InsertSnapshot(loaded.row.snapshot, bytes, "").ok());
    EXPECT_TRUE(rows.runs().Insert(loaded.row).ok());
    const book::NodeId start = *StartNode(rules_, *loaded.graph, spec);
    RunState state(std::move(loaded), start, RunState::Options{});
    LeaseRow row;
    row.grant = {1, 1, "w", 1, 0, 0, absl::Seconds(90), state.Plan(1, 10)};
    EXPECT_TRUE(rows.leases().Insert(row.grant, row.state).ok());
    uint64_t number = 0;
    uint64_t seq = 0;
    for (const PlannedSlot& plan : row.grant.slots) {
      if (++number < first || number > last) continue;
      const GameRow game = testing::RowOf(plan, 0, testing::PlaySlot(1, 1, plan.slot), ++seq);
      EXPECT_EQ(*rows.games().Insert(game), Inserted::kNew);
    }
    return folder_ / name;
  }
  MergeReport MergeRuns(const std::vector<std::string>& paths, const std::string& out) {
    std::vector<MergeInput> inputs;
    for (const std::string& path : paths) inputs.push_back({MergeLayer::kTuned, path, 1});
    const auto report = MergeBooks(rules_, inputs, folder_ / out, false);
    EXPECT_TRUE(report.ok()) << report.status();
    return *report;
  }

  const testing::ToyRules rules_{};
};

TEST_F(RunMergerTest, HalvesOfARunAreTheWholeRun) {
  const std::string whole = Write("whole", 1, 10);
  const MergeReport of_whole = MergeRuns({whole}, "of_whole");
  // Some games are in both halves.
  const MergeReport of_halves = MergeRuns({Write("a", 1, 6), Write("b", 5, 10)}, "of_halves");
  EXPECT_EQ(of_halves.games, of_whole.games);
  EXPECT_EQ(of_halves.counts.sources, 2);
  const Content expected = ContentOf(folder_ / "of_whole");
  const Content found = ContentOf(folder_ / "of_halves");
  ASSERT_EQ(found.size(), expected.size());
  int64_t games = 0;
  for (const auto& [move, numbers] : expected) {
    const std::vector<int64_t>& others = found.at(move);
    EXPECT_THAT(std::vector<int64_t>(others.begin(), others.begin() + 4),
                ElementsAre(numbers[0], numbers[1], numbers[2], numbers[3]));
    games += numbers[0];
  }
  EXPECT_GT(games, 0);
  // And they are what the run itself counts.
  const auto store = book::Store::Open(whole, book::OpenMode::kReadOnly).value();
  const auto run = LoadRun(*store, rules_, 1);
  ASSERT_TRUE(run.ok()) << run.status();
  for (book::EdgeId edge = 0; edge < run->graph->edge_count(); ++edge) {
    const book::Graph::Edge& at = run->graph->edge(edge);
    const book::Evidence& evidence = run->tuner->arms()[edge].evidence;
    const std::vector<int64_t>& numbers = expected.at({run->graph->node(at.from).packed, at.move});
    EXPECT_THAT(std::vector<int64_t>(numbers.begin(), numbers.begin() + 4),
                ElementsAre(evidence.games(), evidence.wins, evidence.draws, evidence.losses));
  }
}

TEST_F(RunMergerTest, ARunBringsTheGamesThatItTookOver) {
  const std::string path = Write("two", 1, 10);
  const MergeReport of_first = MergeRuns({path}, "of_first");
  {
    const auto store = book::Store::Open(path, book::OpenMode::kReadWrite).value();
    RunStore rows(*store);
    RunRow second = rows.runs().Read(1).value();
    second.run = 2;
    second.spec.taken_over = TakenOver{.runs = {1},
                                       .up_to = 10,
                                       .games = 10,
                                       .searches_up_to = 0,
                                       .searches = 0,
                                       .games_only = {}};
    ASSERT_TRUE(rows.runs().Insert(second).ok());
  }
  const auto report =
      MergeBooks(rules_, {{MergeLayer::kTuned, path, 2}}, folder_ / "of_second", false);
  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_EQ(report->games, of_first.games);
  const auto counts_of = [&](const std::string& name) {
    Content content = ContentOf(folder_ / name);
    for (auto& [move, numbers] : content) numbers.resize(4);
    return content;
  };
  EXPECT_EQ(counts_of("of_second"), counts_of("of_first"));
  const auto both =
      MergeBooks(rules_, {{MergeLayer::kTuned, path, 1}, {MergeLayer::kTuned, path, 2}},
                 folder_ / "both", false);
  ASSERT_TRUE(both.ok()) << both.status();
  EXPECT_EQ(both->games, of_first.games) << "none counts twice";
}

// "F#R" in a merge plays what the run's export plays, marks of the user included.
TEST_F(RunMergerTest, ABookOfOneRunHasItsAnswersAndMarks) {
  for (const char* const policy : {"result-driven", "response", "graph-puct"}) {
    SCOPED_TRACE(policy);
    RunSpec spec = testing::ToySpec(100);
    spec.policy = policy;
    spec.policy_options.clear();
    const std::string path = Write(absl::StrCat("whole ", policy), 1, 10, spec);
    std::map<PackedPosition, Move> answers;
    std::pair<PackedPosition, Move> bad;
    {
      const auto store = book::Store::Open(path, book::OpenMode::kReadWrite).value();
      const auto answers_of = [&] {
        std::map<PackedPosition, Move> found;
        const ExportBook book = LoadExport(*store, rules_, 1).value();
        for (const ExportBook::Position& position : book.positions) {
          const ExportBook::Move* const answer = AnswerAmong(position.moves);
          if (answer == nullptr) continue;
          found[position.packed] = answer->move;
          if (position.moves.size() > 1) bad = {position.packed, answer->move};
        }
        return found;
      };
      answers_of();
      ASSERT_TRUE(bad.second);
      book::BookImport import(*store, "edit", "marks", "");
      book::DbPosition added;
      added.packed = bad.first;
      added.moves = {{.move = bad.second}};
      ASSERT_TRUE(import.AddBook(added).ok());
      ASSERT_TRUE(import.Commit(0, 0).ok());
      const auto marked = bad;
      ASSERT_TRUE(book::BookStore(*store).Mark(bad.first, bad.second, book::kBad, "").ok());
      answers = answers_of();
      bad = marked;
      ASSERT_TRUE(answers.contains(bad.first));
      ASSERT_NE(answers.at(bad.first), bad.second);
    }
    const std::string merged = absl::StrCat("merged ", policy);
    MergeRuns({path}, merged);
    const auto store = book::Store::Open(folder_ / merged, book::OpenMode::kReadOnly).value();
    int compared = 0;
    const ExportBook book = LoadExport(*store, rules_, 0).value();
    for (const ExportBook::Position& position : book.positions) {
      ASSERT_TRUE(answers.contains(position.packed));
      EXPECT_EQ(AnswerAmong(position.moves)->move, answers.at(position.packed));
      for (const ExportBook::Move& move : position.moves) {
        EXPECT_EQ(move.bad, std::pair(position.packed, move.move) == bad);
      }
      ++compared;
    }
    EXPECT_GT(compared, 2);
  }
}

TEST_F(RunMergerTest, EvidenceOfOtherEnginesIsRefused) {
  RunSpec other = testing::ToySpec(100);
  other.play.nodes += 1;
  const auto report = MergeBooks(rules_,
                                 {{MergeLayer::kTuned, Write("a", 1, 5), 1},
                                  {MergeLayer::kTuned, Write("b", 6, 10, other), 1}},
                                 folder_ / "out", false);
  EXPECT_EQ(ProblemOf(report.status()).code, "different_profiles");
  EXPECT_FALSE(std::filesystem::exists(folder_ / "out"));
}

}  // namespace
}  // namespace joseki::coordinator
