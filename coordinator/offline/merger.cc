#include "coordinator/offline/merger.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <system_error>
#include <utility>

#include "absl/cleanup/cleanup.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "base/file.h"
#include "base/problem.h"
#include "base/rng.h"
#include "base/status_macros.h"
#include "book/database/book_import.h"
#include "coordinator/model/run_spec.h"
#include "coordinator/offline/merged_searches.h"
#include "coordinator/runs/credited_moves.h"
#include "coordinator/runs/run_load.h"
#include "coordinator/store/evaluation_store.h"
#include "coordinator/store/run_store.h"

namespace joseki::coordinator {
namespace {

constexpr double kWeightScale = 1000;  // a policy's weights become base weights in thousandths
constexpr double kMostWeight = 1e11;

void RemoveDatabase(const std::string& path) {
  for (const char* suffix : {"", "-wal", "-shm", "-journal", ".lock"}) {
    std::error_code error;
    std::filesystem::remove(path + suffix, error);
  }
}

// The runs of one merge as a book: each is a source; shared games belong to the first alone.
class TunedBook {
 public:
  TunedBook(const Rules& rules, const MergedSearches& searches, book::Store& out)
      : rules_(rules), searches_(searches), out_(out) {}

  absl::Status Add(const MergeInput& input) {
    ASSIGN_OR_RETURN(const auto store,
                     book::Store::Open(input.path, book::OpenMode::kReadOnly, rules_.game()));
    ASSIGN_OR_RETURN(const LoadedRun run, LoadRun(*store, rules_, input.run));
    const std::string profile =
        absl::StrCat(run.row.spec.policy, " ", EvidenceProfile(run.row.spec));
    if (profile_.value_or(profile) != profile) {
      return MakeProblem({.code = "different_profiles",
                          .file = absl::StrCat(input.path, "#", input.run),
                          .found = "a run of another engine, limit, start or policy",
                          .expected = "runs of one profile: their games are one body of evidence"},
                         absl::StatusCode::kFailedPrecondition);
    }
    profile_ = profile;
    ASSIGN_OR_RETURN(const std::vector<book::MoveCounts> counts, CountGames(*store, run));
    return Write(input, run, counts);
  }

  absl::Status Finish() { return book::SetBaseWeights(out_, WeightsOfAll()); }
  int64_t games() const { return static_cast<int64_t>(seen_.size()); }

 private:
  struct Weight {
    double sum = 0;
    double games = 0;
  };

  // The evidence of each edge, by the run's own rules.
  absl::StatusOr<std::vector<book::MoveCounts>> CountGames(book::Store& store,
                                                           const LoadedRun& run) {
    const book::Graph& graph = *run.graph;
    const RunSpec& spec = run.row.spec;
    std::vector<book::MoveCounts> counts(graph.edge_count());
    RunStore rows(store);
    ASSIGN_OR_RETURN(const book::NodeId start, StartNode(rules_, graph, spec));
    CreditedMoves credited(rules_, rows, spec, graph, start);
    RETURN_IF_ERROR(rows.games().ForEach(run.row.run, 0, [&](const GameRow& game) -> absl::Status {
      if (game.commit_seq > run.commit_seq || IsFault(game.ending.termination) ||
          run.trust.Excludes(game.worker, game.lease) || !seen_.insert(game.moves_hash).second) {
        return absl::OkStatus();
      }
      ASSIGN_OR_RETURN(std::vector<book::EdgeId> edges, credited.Of(game));
      std::sort(edges.begin(), edges.end());
      edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
      for (const book::EdgeId edge : edges) {
        book::MoveCounts& count = counts[edge];
        const Color mover = graph.edge(edge).mover;
        ++count.games;
        count.wins += game.ending.result == WinFor(mover);
        count.losses += game.ending.result == WinFor(~mover);
        count.draws += game.ending.result == Result::kDraw;
      }
      return absl::OkStatus();
    }));
    return counts;
  }

  absl::Status Write(const MergeInput& input, const LoadedRun& run,
                     const std::vector<book::MoveCounts>& counts) {
    const book::Graph& graph = *run.graph;
    run.tuner->ComputeValues();
    book::BookImport import(out_, "run", absl::StrCat(input.path, "#", input.run),
                            SpecToJson(run.row.spec));
    for (book::NodeId node = 0; node < graph.node_count(); ++node) {
      const Graph::Node& at = graph.node(node);
      const bool imported = book::BestImported(graph, *run.imported, node) != book::kNoEdge;
      if (at.count == 0 || !(HasAnswer(at.key) || imported)) continue;
      const book::Choices choices = run.tuner->choices(node);
      for (size_t i = 0; i < at.count; ++i) {
        const book::EdgeId edge = at.first + static_cast<book::EdgeId>(i);
        const book::MoveCounts& count = counts[edge];
        RETURN_IF_ERROR(import.AddPlayed(at.packed, at.ply, graph.edge(edge).move, false, count));
        // The weight of a move without games counts as if it had kUnplayed.
        Weight& weight = weights_[at.packed][graph.edge(edge).move];
        const double games = std::max(kUnplayed, static_cast<double>(count.games));
        weight.sum += games * run.policy->Weight(choices, i);
        weight.games += games;
      }
    }
    RETURN_IF_ERROR(AddAnswers(import));
    return import.Commit(static_cast<int64_t>(run.counters.games), 0).status();
  }

  // Whether the merged book has an answer there. With searches along lines it ends at positions
  // without an answer of theirs, as the export of one run does.
  bool HasAnswer(const Key& key) const {
    const book::Repertoire* const found = searches_.repertoire();
    return found == nullptr || found->AnswerAt(key).nodes > 0;
  }

  // Adds the searches' answers, once, above all other moves of their positions.
  absl::Status AddAnswers(book::BookImport& import) {
    if (std::exchange(answered_, true)) return absl::OkStatus();
    absl::Status status;
    searches_.ForEachAnswer(
        [&](const PackedPosition& packed, int ply, const book::Repertoire::Answer& answer) {
          book::DbPosition position;
          position.packed = packed;
          position.ply = ply;
          book::DbMove& move = position.moves.emplace_back();
          move.move = answer.move;
          move.has_value = answer.centipawns.has_value();
          move.value = answer.centipawns.value_or(0);
          status.Update(import.AddBook(position));
          answers_.emplace(packed, answer.move);
        });
    return status;
  }

  book::BaseWeights WeightsOfAll() const {
    book::BaseWeights all;
    for (const auto& [packed, moves] : weights_) {
      for (const auto& [move, weight] : moves) {
        const double mean = kWeightScale * weight.sum / weight.games;
        all[packed][move] =
            std::isnan(mean) ? 0 : std::llround(std::clamp(mean, -kMostWeight, kMostWeight));
      }
    }
    for (const auto& [packed, answer] : answers_) {
      std::map<Move, int64_t>& weights = all[packed];
      auto most = static_cast<int64_t>(kWeightScale);
      for (const auto& [move, weight] : weights) most = std::max(most, weight);
      weights[answer] = 2 * most;
    }
    return all;
  }

  using Graph = book::Graph;
  static constexpr double kUnplayed = 1e-6;

  const Rules& rules_;
  const MergedSearches& searches_;  // of all runs
  book::Store& out_;
  std::optional<std::string> profile_;
  bool answered_ = false;
  std::map<PackedPosition, Move> answers_;
  absl::flat_hash_set<uint64_t> seen_;
  std::map<PackedPosition, std::map<Move, Weight>> weights_;
};

// Hash of a run's games and searches, in their order.
absl::StatusOr<uint64_t> HashOf(const Rules& rules, const MergeInput& input) {
  ASSIGN_OR_RETURN(const auto store,
                   book::Store::Open(input.path, book::OpenMode::kReadOnly, rules.game()));
  RunStore rows(*store);
  uint64_t hash = 0;
  const auto add = [&hash](const GameRow& game) {
    hash = Rng(hash ^ game.payload_hash).Next();
    return absl::OkStatus();
  };
  RETURN_IF_ERROR(rows.games().ForEach(input.run, 0, add));
  RETURN_IF_ERROR(ForEachLineSearch(*store, input.run,
                                    [&](const EvaluationRow& row) { return add(row.game); }));
  return hash;
}

// Sorts runs by what they contain, so that the user's order has no influence: what several runs
// share belongs to the first.
absl::Status Sort(const Rules& rules, std::vector<MergeInput>& runs) {
  std::vector<std::pair<uint64_t, size_t>> order;
  for (size_t i = 0; i < runs.size(); ++i) {
    ASSIGN_OR_RETURN(const uint64_t hash, HashOf(rules, runs[i]));
    order.emplace_back(hash, i);
  }
  std::sort(order.begin(), order.end());
  std::vector<MergeInput> sorted;
  for (const auto& [hash, i] : order) sorted.push_back(runs[i]);
  runs = std::move(sorted);
  return absl::OkStatus();
}

absl::Status AddRuns(const Rules& rules, std::vector<MergeInput> runs, book::Store& out,
                     int64_t& games) {
  RETURN_IF_ERROR(Sort(rules, runs));
  ASSIGN_OR_RETURN(const MergedSearches searches, MergedSearches::Read(rules, runs));
  TunedBook tuned(rules, searches, out);
  for (const MergeInput& run : runs) RETURN_IF_ERROR(tuned.Add(run));
  games += tuned.games();
  return tuned.Finish();
}

}  // namespace

absl::StatusOr<MergeReport> MergeBooks(const Rules& rules, const std::vector<MergeInput>& inputs,
                                       const std::string& out, bool again) {
  std::error_code error;
  if (std::filesystem::exists(out, error)) {
    return MakeProblem({.code = "file_exists",
                        .file = out,
                        .found = "a file of that name",
                        .expected = "a new name for the merged book"},
                       absl::StatusCode::kAlreadyExists);
  }
  const std::string part = out + ".part";
  const std::string runs_part = out + ".runs.part";
  RemoveDatabase(part);  // of a merge that was killed
  RemoveDatabase(runs_part);
  const auto clean_up = absl::MakeCleanup([&] {
    RemoveDatabase(part);
    RemoveDatabase(runs_part);
  });
  MergeReport report;
  {
    ASSIGN_OR_RETURN(const auto store,
                     book::Store::Open(part, book::OpenMode::kCreate, rules.game()));
    std::optional<MergeLayer> below;
    const auto add = [&](const std::string& path, MergeLayer layer) -> absl::Status {
      const bool over = below.has_value() && *below != layer;
      ASSIGN_OR_RETURN(const book::MergeCounts counts,
                       book::MergeBook(*store, path, {.over = over, .again = again}));
      report.counts.sources += counts.sources;
      report.counts.known_sources += counts.known_sources;
      report.counts.positions += counts.positions;
      report.counts.moves += counts.moves;
      below = layer;
      return absl::OkStatus();
    };
    // From the lowest layer up, and within a layer from the last named: later books override
    // earlier ones.
    for (const MergeLayer layer : {MergeLayer::kMaster, MergeLayer::kTuned, MergeLayer::kUser}) {
      std::vector<MergeInput> runs;
      for (auto input = inputs.rbegin(); input != inputs.rend(); ++input) {
        if (input->layer != layer) continue;
        if (input->run != 0) {
          runs.insert(runs.begin(), *input);
        } else {
          RETURN_IF_ERROR(add(input->path, layer));
        }
      }
      if (runs.empty()) continue;
      RemoveDatabase(runs_part);
      {
        ASSIGN_OR_RETURN(const auto tuned,
                         book::Store::Open(runs_part, book::OpenMode::kCreate, rules.game()));
        RETURN_IF_ERROR(AddRuns(rules, runs, *tuned, report.games));
      }
      RETURN_IF_ERROR(add(runs_part, layer));
    }
  }
  RETURN_IF_ERROR(SyncFile(part));
  RETURN_IF_ERROR(RenameFile(part, out));
  return report;
}

}  // namespace joseki::coordinator
