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
#include "book/database/book_store.h"
#include "coordinator/model/run_spec.h"
#include "coordinator/offline/exporter.h"
#include "coordinator/offline/merged_searches.h"
#include "coordinator/runs/credited_moves.h"
#include "coordinator/runs/run_load.h"
#include "coordinator/runs/taken_over.h"
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
    ASSIGN_OR_RETURN(LoadedRun loaded, LoadRun(*store, rules_, input.run));
    ASSIGN_OR_RETURN(const TunedRun tuned, WithMarks(*store, std::move(loaded)));
    const LoadedRun& run = tuned.run;
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
    ++runs_;
    ASSIGN_OR_RETURN(const std::vector<book::MoveCounts> counts, CountGames(*store, run));
    return Write(input, tuned, counts);
  }

  absl::Status Finish() {
    RETURN_IF_ERROR(book::SetBaseWeights(out_, WeightsOfAll()));
    book::BookStore book(out_);
    for (const auto& [packed, move] : bad_) {
      RETURN_IF_ERROR(book.Mark(packed, move, book::kBad, ""));
    }
    return absl::OkStatus();
  }
  int64_t games() const { return static_cast<int64_t>(seen_.size()); }

 private:
  struct Weight {
    double sum = 0;
    double games = 0;
  };

  // The evidence of each edge, by the run's own rules: of the games that it took over, and its own.
  absl::StatusOr<std::vector<book::MoveCounts>> CountGames(book::Store& store,
                                                           const LoadedRun& run) {
    const book::Graph& graph = *run.graph;
    const RunSpec& spec = run.row.spec;
    std::vector<book::MoveCounts> counts(graph.edge_count());
    RunStore rows(store);
    ASSIGN_OR_RETURN(const book::NodeId start, StartNode(rules_, graph, spec));
    const auto add = [&](std::vector<book::EdgeId> edges, const Ending& ending) {
      std::sort(edges.begin(), edges.end());
      edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
      for (const book::EdgeId edge : edges) {
        book::MoveCounts& count = counts[edge];
        const Color mover = graph.edge(edge).mover;
        ++count.games;
        count.wins += ending.result == WinFor(mover);
        count.losses += ending.result == WinFor(~mover);
        count.draws += ending.result == Result::kDraw;
      }
    };
    RETURN_IF_ERROR(ForEachTakenOver(rows, rules_, spec, graph, start, run.trust,
                                     [&](const book::TunedGame& game) {
                                       if (seen_.insert(game.moves_hash).second) {
                                         add({game.edges.begin(), game.edges.end()}, game.ending);
                                       }
                                     }));
    CreditedMoves credited(rules_, rows, spec, graph, start);
    RETURN_IF_ERROR(rows.games().ForEach(run.row.run, 0, [&](const GameRow& game) -> absl::Status {
      if (game.commit_seq > run.commit_seq || IsFault(game.ending.termination) ||
          run.trust.Excludes(game.worker, game.lease) || !seen_.insert(game.moves_hash).second) {
        return absl::OkStatus();
      }
      ASSIGN_OR_RETURN(std::vector<book::EdgeId> edges, credited.Of(game));
      add(std::move(edges), game.ending);
      return absl::OkStatus();
    }));
    return counts;
  }

  absl::Status Write(const MergeInput& input, const TunedRun& tuned,
                     const std::vector<book::MoveCounts>& counts) {
    const LoadedRun& run = tuned.run;
    const book::Graph& graph = *run.graph;
    run.tuner->ComputeValues();
    book::BookImport import(out_, "run", absl::StrCat(input.path, "#", input.run),
                            SpecToJson(run.row.spec));
    for (book::NodeId node = 0; node < graph.node_count(); ++node) {
      const Graph::Node& at = graph.node(node);
      const bool imported = book::BestImported(graph, *run.imported, node) != book::kNoEdge;
      if (at.count == 0 || !(HasAnswer(at.key) || imported)) continue;
      const book::Choices choices = run.tuner->choices(node);
      own_answers_.emplace(at.packed, graph.moves(node)[tuned.AnswerAt(node)].move);
      for (size_t i = 0; i < at.count; ++i) {
        const book::EdgeId edge = at.first + static_cast<book::EdgeId>(i);
        const book::MoveCounts& count = counts[edge];
        const int mark = tuned.MarkOf(at.packed, graph.edge(edge).move);
        if (mark > book::kBad) continue;
        if (mark == book::kBad) bad_.emplace(at.packed, graph.edge(edge).move);
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
    // The answer of one run need not be its policy's largest weight. Of several runs the averaged
    // weights decide.
    if (runs_ == 1) {
      for (const auto& [packed, answer] : own_answers_) {
        if (answers_.contains(packed)) continue;
        std::map<Move, int64_t>& weights = all[packed];
        for (const auto& [move, weight] : weights) {
          if (move != answer) weights[answer] = std::max(weights[answer], weight + 1);
        }
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
  std::map<PackedPosition, Move> answers_;  // of searches
  int runs_ = 0;
  std::map<PackedPosition, Move> own_answers_;     // of the first run, by its policy
  std::set<std::pair<PackedPosition, Move>> bad_;  // moves that a user has marked
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

void Add(const book::MergeCounts& counts, book::MergeCounts& sum) {
  sum.sources += counts.sources;
  sum.known_sources += counts.known_sources;
  sum.positions += counts.positions;
  sum.moves += counts.moves;
}

// Adds the books of one layer, the last named first: later books override earlier ones. `runs_part`
// is a name for a database of the runs among them.
absl::StatusOr<book::MergeCounts> MergeLayerInto(book::Store& store, const Rules& rules,
                                                 const std::vector<MergeInput>& books,
                                                 const std::string& runs_part, bool again,
                                                 int64_t& games) {
  book::MergeCounts sum;
  const auto add = [&](const std::string& path) -> absl::Status {
    ASSIGN_OR_RETURN(const book::MergeCounts counts,
                     book::MergeBook(store, path, {.over = false, .again = again}));
    Add(counts, sum);
    return absl::OkStatus();
  };
  std::vector<MergeInput> runs;
  for (auto input = books.rbegin(); input != books.rend(); ++input) {
    if (input->run != 0) {
      runs.insert(runs.begin(), *input);
    } else {
      RETURN_IF_ERROR(add(input->path));
    }
  }
  if (runs.empty()) return sum;
  RemoveDatabase(runs_part);
  {
    ASSIGN_OR_RETURN(const auto tuned,
                     book::Store::Open(runs_part, book::OpenMode::kCreate, rules.game()));
    RETURN_IF_ERROR(AddRuns(rules, runs, *tuned, games));
  }
  RETURN_IF_ERROR(add(runs_part));
  return sum;
}

// Weighs a book that was never weighed by how often its moves were played. Other layers set weights
// at some of its positions, and without weights of its own the others would then count for nothing.
absl::Status WeighByPlay(book::Store& store) {
  book::BookStore book(store);
  ASSIGN_OR_RETURN(const bool weighed, book.IsWeighed());
  if (weighed) return absl::OkStatus();
  return book.Weigh([](const book::BookMove& move) { return std::optional(TimesPlayed(move)); })
      .status();
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
  const std::string layer_part = out + ".layer.part";
  const std::string runs_part = out + ".runs.part";
  const auto remove_parts = [&] {
    for (const std::string& path : {part, layer_part, runs_part}) RemoveDatabase(path);
  };
  remove_parts();  // of a merge that was killed
  const auto clean_up = absl::MakeCleanup(remove_parts);
  MergeReport report;
  std::map<MergeLayer, std::vector<MergeInput>> layers;  // the lowest first
  for (const MergeInput& input : inputs) layers[input.layer].push_back(input);
  for (const auto& [layer, books] : layers) {
    const bool lowest = layer == layers.begin()->first;
    const std::string& path = lowest ? part : layer_part;
    RemoveDatabase(path);
    book::MergeCounts counts;
    {
      ASSIGN_OR_RETURN(const auto store,
                       book::Store::Open(path, book::OpenMode::kCreate, rules.game()));
      ASSIGN_OR_RETURN(counts,
                       MergeLayerInto(*store, rules, books, runs_part, again, report.games));
      if (layers.size() > 1) RETURN_IF_ERROR(WeighByPlay(*store));
    }
    if (!lowest) {
      const int64_t known = counts.known_sources;
      ASSIGN_OR_RETURN(const auto store,
                       book::Store::Open(part, book::OpenMode::kReadWrite, rules.game()));
      ASSIGN_OR_RETURN(counts, book::MergeBook(*store, layer_part, {.over = true, .again = again}));
      counts.known_sources += known;
    }
    Add(counts, report.counts);
  }
  RETURN_IF_ERROR(SyncFile(part));
  RETURN_IF_ERROR(RenameFile(part, out));
  return report;
}

}  // namespace joseki::coordinator
