#include "coordinator/runs/run_load.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "absl/cleanup/cleanup.h"
#include "absl/strings/str_cat.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "book/database/store.h"
#include "book/folding.h"
#include "coordinator/model/run_spec.h"
#include "coordinator/runs/credited_moves.h"
#include "coordinator/runs/evaluation_load.h"
#include "coordinator/runs/line_searches.h"
#include "coordinator/runs/match_state.h"
#include "coordinator/runs/taken_over.h"
#include "coordinator/store/evaluation_store.h"
#include "coordinator/store/run_store.h"

namespace joseki::coordinator {
namespace {

absl::Status BadRun(RunStore& rows, std::string found, std::string expected) {
  return MakeProblem({.code = "bad_row",
                      .file = rows.store().path(),
                      .found = std::move(found),
                      .expected = std::move(expected)},
                     absl::StatusCode::kDataLoss);
}

class Stopwatch {
 public:
  // Time since the last call, or since construction.
  absl::Duration Lap() {
    const auto now = std::chrono::steady_clock::now();
    return absl::FromChrono(now - std::exchange(last_, now));
  }

 private:
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

absl::StatusOr<std::shared_ptr<const book::Graph>> LoadGraph(RunStore& rows, const Rules& rules,
                                                             const Sha256& snapshot,
                                                             Graphs& graphs) {
  std::shared_ptr<const book::Graph>& known = graphs[snapshot];
  if (known != nullptr) return known;
  ASSIGN_OR_RETURN(const std::string bytes, rows.runs().ReadSnapshot(snapshot));
  if (Sha256Of(bytes) != snapshot) {
    return BadRun(rows, absl::StrCat("another book in snapshot ", Hex(snapshot)),
                  "bytes of that hash");
  }
  ASSIGN_OR_RETURN(const std::string links, rows.runs().ReadLinks(snapshot));
  absl::StatusOr<book::Graph> graph = book::Graph::ParseWithLinks(rules, bytes, links);
  if (absl::IsNotFound(graph.status())) graph = book::Graph::Parse(rules, bytes);
  if (!graph.ok()) {
    return At(graph.status(), absl::StrCat(rows.store().path(), ": snapshots ", Hex(snapshot)));
  }
  known = std::make_shared<const book::Graph>(*std::move(graph));
  return known;
}

// Loads all hashes at once, so that the table is made once.
absl::Status LoadSeen(RunStore& rows, RunId run, book::Tuner& tuner) {
  std::vector<uint64_t> seen;
  RETURN_IF_ERROR(rows.evidence().ForEachSeen(run, [&](std::span<const uint64_t> hashes) {
    seen.insert(seen.end(), hashes.begin(), hashes.end());
  }));
  tuner.LoadSeen(seen);
  return absl::OkStatus();
}

// Loads the evaluations of a run, and the priors that its newest set makes of them.
absl::StatusOr<std::shared_ptr<const book::Priors>> LoadPriors(book::Store& store, RunStore& rows,
                                                               const Rules& rules,
                                                               book::NodeId start,
                                                               LoadedRun& loaded) {
  ASSIGN_OR_RETURN(const std::vector<PriorSet> sets, ReadPriorSets(store, loaded.row.run));
  if (sets.empty()) {
    return BadRun(rows, absl::StrCat("no priors of run ", loaded.row.run),
                  "those that it began with");
  }
  loaded.priors = sets.back();
  ASSIGN_OR_RETURN(Evaluations evaluations,
                   LoadEvaluations(store, rules, loaded.row, loaded.graph, start,
                                   loaded.priors.shared, loaded.imported));
  ASSIGN_OR_RETURN(const Trust trust, ReadTrust(rows, loaded.priors.trust_change));
  loaded.evaluations = std::make_shared<Evaluations>(std::move(evaluations));
  return loaded.evaluations->PriorsOf(loaded.priors, trust);
}

absl::StatusOr<std::shared_ptr<LineSearches>> LoadLineSearches(book::Store& store,
                                                               const Rules& rules,
                                                               const LoadedRun& loaded) {
  ASSIGN_OR_RETURN(LineSearches made,
                   LineSearches::Make(rules, loaded.graph, loaded.row.spec, kEvaluationAttempts));
  auto searches = std::make_shared<LineSearches>(std::move(made));
  RETURN_IF_ERROR(ReadLineSearches(store, loaded.row, Trust(), *searches));
  searches->SetTrust(loaded.trust);
  return searches;
}

// Measures by the games that the database holds. A checkpoint does not contain the measure, and no
// run may need its archives.
absl::StatusOr<RunCalibration> ReadCalibration(RunStore& rows, book::NodeId start,
                                               const LoadedRun& loaded) {
  RunCalibration calibration(loaded.row.spec, *loaded.graph, start);
  const auto add = [&](const GameRow& game) {
    const bool counts =
        !loaded.trust.Excludes(game.worker, game.lease) && !IsFault(game.ending.termination);
    if (counts) calibration.Add(game);
    return calibration.full() ? absl::CancelledError() : absl::OkStatus();
  };
  const std::optional<TakenOver>& earlier = loaded.row.spec.taken_over;
  const uint64_t before = earlier ? earlier->up_to : 0;  // games of this run came after these
  RETURN_IF_ERROR(ForEachStoredGame(rows.store(), loaded.row.run, before, add));
  return calibration;
}

// Adds the games after the checkpoint to a run that was loaded as of the checkpoint.
class Tail {
 public:
  // `rows`: the checkpoint's row of each edge, of whichever game.
  Tail(const Rules& rules, RunStore& store, LoadedRun& loaded, book::NodeId start,
       const std::vector<EvidenceRow>& rows)
      : loaded_(loaded),
        rows_(rows),
        credited_(rules, store, loaded.row.spec, *loaded.graph, start),
        staged_(!loaded.policy->stages().empty()),
        known_(loaded.graph->edge_count()) {
    for (const EvidenceRow& row : rows_) known_[row.edge] = row.seq;
  }

  absl::Status Add(const GameRow& game) {
    ++loaded_.times.games_read;
    if (!frozen_ && game.commit_seq > loaded_.row.stage_seq) Freeze();
    const bool excluded = loaded_.trust.Excludes(game.worker, game.lease);
    Count(*loaded_.policy, game, excluded, loaded_.counters);
    loaded_.commit_seq = game.commit_seq;
    if (excluded || IsFault(game.ending.termination)) return absl::OkStatus();
    ASSIGN_OR_RETURN(std::vector<book::EdgeId> edges, credited_.Of(game));
    loaded_.changed.insert(loaded_.changed.end(), edges.begin(), edges.end());
    // A row may be of a later game than the checkpoint, and contain this one already.
    std::erase_if(edges, [&](book::EdgeId edge) { return game.commit_seq <= known_[edge]; });
    if (!loaded_.tuner->Seen(game.moves_hash)) loaded_.seen.push_back(game.moves_hash);
    loaded_.tuner->Apply({edges, game.ending, game.stage, game.moves_hash});
    return absl::OkStatus();
  }

  // Call it after the last game.
  void Finish() {
    if (!frozen_) Freeze();
  }

 private:
  // Freezes the arms once every game up to the start of the run's stage is added.
  void Freeze() {
    frozen_ = true;
    if (!staged_) return;
    loaded_.tuner->Freeze();
    for (const EvidenceRow& row : rows_) {
      if (row.stage != loaded_.row.stage) continue;
      loaded_.tuner->LoadFrozen(row.edge, row.frozen_sum, row.frozen_evidence);
    }
  }

  LoadedRun& loaded_;
  const std::vector<EvidenceRow>& rows_;
  CreditedMoves credited_;
  const bool staged_;
  std::vector<uint64_t> known_;  // by edge: commit_seq that its row is of
  bool frozen_ = false;
};

}  // namespace

uint64_t LoadedRun::all_faults() const {
  return counters.faults + (line_searches == nullptr ? 0 : line_searches->faults());
}

void Count(const book::Policy& policy, const GameRow& game, bool excluded, RunCounters& counters) {
  if (excluded) {
    ++counters.excluded;
    return;
  }
  ++counters.terminations[game.ending.termination];
  counters.think_ms += game.think_ms;
  if (game.stale) ++counters.stale;
  if (IsFault(game.ending.termination)) {
    ++counters.faults;
    return;
  }
  ++counters.games;
  if (game.resign_check != ResignCheck::kNone) ++counters.resign_checked;
  if (game.resign_check == ResignCheck::kWrong) ++counters.resign_wrong;
  if (book::Counts(policy, game.ending)) {
    ++counters.counted[game.stage];
  } else {
    ++counters.draws;
  }
}

absl::Status CheckTunes(const RunRow& run) {
  if (!run.spec.match) return absl::OkStatus();
  return MakeProblem({.code = "match_run",
                      .found = absl::StrCat("run ", run.run, ", which is a match"),
                      .expected = "a run that tunes a book"},
                     absl::StatusCode::kFailedPrecondition);
}

absl::StatusOr<book::NodeId> StartNode(const Rules& rules, const book::Graph& graph,
                                       const RunSpec& spec) {
  ASSIGN_OR_RETURN(const std::unique_ptr<GameState> start,
                   rules.Start(spec.start, spec.play.match));
  // A match needs no position in a book of the run's.
  if (spec.match) return book::kNoNode;
  const book::NodeId node = graph.Find(start->key());
  if (node == book::kNoNode || graph.node(node).count == 0) {
    return MakeProblem({.code = "start_not_in_book",
                        .found = Quote(spec.start, 200),
                        .expected = "a start position with book moves"},
                       absl::StatusCode::kFailedPrecondition);
  }
  return node;
}

absl::StatusOr<std::shared_ptr<const book::PlayBook>> OpponentBook(RunStore& rows,
                                                                   const Rules& rules,
                                                                   const RunSpec& spec) {
  std::shared_ptr<const book::PlayBook> none;
  // The book of a match is played by its workers alone.
  if (!spec.play.opponent || spec.play.opponent->book.empty() || spec.match) return none;
  Sha256 sha256{};
  std::copy_n(spec.play.opponent->book.begin(), sha256.size(), sha256.begin());
  Graphs graphs;
  ASSIGN_OR_RETURN(std::shared_ptr<const book::Graph> shipped,
                   LoadGraph(rows, rules, sha256, graphs));
  return std::make_shared<const book::PlayBook>(book::PlayBookOf(std::move(shipped)));
}

absl::StatusOr<Trust> ReadTrust(RunStore& rows, uint64_t up_to) {
  Trust trust;
  if (up_to == 0) return trust;
  ASSIGN_OR_RETURN(const std::vector<TrustChange> changes, rows.trust().ReadAll());
  if (changes.size() < up_to) {
    return BadRun(rows, absl::StrCat("evidence of change ", up_to, " of trust"),
                  absl::StrCat("a change up to ", changes.size()));
  }
  for (uint64_t i = 0; i < up_to; ++i) trust.Apply(changes[i]);
  return trust;
}

absl::StatusOr<LoadedRun> LoadRun(book::Store& store, const Rules& rules, RunId run) {
  Graphs graphs;
  return LoadRun(store, rules, run, graphs);
}

absl::StatusOr<LoadedRun> LoadRun(book::Store& store, const Rules& rules, RunId run, Graphs& graphs,
                                  EndedMatch ended) {
  Stopwatch watch;
  RunStore rows(store);
  RETURN_IF_ERROR(rows.BeginRead());
  const auto end_read = absl::MakeCleanup([&rows] { rows.EndRead(); });

  // 1. The run, its frozen book and its policy.
  LoadedRun loaded;
  ASSIGN_OR_RETURN(loaded.row, rows.runs().Read(run));
  ASSIGN_OR_RETURN(loaded.graph, LoadGraph(rows, rules, loaded.row.snapshot, graphs));
  ASSIGN_OR_RETURN(loaded.policy, PolicyOf(loaded.row.spec));
  ASSIGN_OR_RETURN(loaded.opponent, OpponentBook(rows, rules, loaded.row.spec));
  ASSIGN_OR_RETURN(const book::NodeId start, StartNode(rules, *loaded.graph, loaded.row.spec));
  std::shared_ptr<const book::Priors> priors;
  ASSIGN_OR_RETURN(book::ImportedValues imported,
                   ReadImportedValues(store, run, loaded.graph->edge_count()));
  loaded.imported = std::make_shared<const book::ImportedValues>(std::move(imported));
  if (HasPriors(loaded.row.spec, *loaded.policy, *loaded.imported)) {
    ASSIGN_OR_RETURN(priors, LoadPriors(store, rows, rules, start, loaded));
  }
  ASSIGN_OR_RETURN(std::shared_ptr<const book::Orbits> orbits,
                   book::OrbitsFor(rules, *loaded.graph, loaded.row.spec.policy_options));
  loaded.tuner = std::make_unique<book::Tuner>(loaded.graph, loaded.policy, std::move(priors),
                                               std::move(orbits));
  loaded.times.book = watch.Lap();

  // 2. The checkpoint. Without one, every game of the run is after it.
  std::vector<EvidenceRow> evidence;
  ASSIGN_OR_RETURN(std::optional<RunCounters> counters, rows.evidence().ReadCounters(run));
  const bool from_games = !counters;
  if (counters) {
    loaded.counters = *std::move(counters);
    ASSIGN_OR_RETURN(evidence, rows.evidence().Read(run));
    if (!evidence.empty() && evidence.back().edge >= loaded.graph->edge_count()) {
      return BadRun(rows, absl::StrCat("evidence of run ", run, " for edge ", evidence.back().edge),
                    absl::StrCat("an edge below ", loaded.graph->edge_count()));
    }
    for (const EvidenceRow& row : evidence) loaded.tuner->Load(row.edge, row.sum, row.evidence);
    RETURN_IF_ERROR(LoadSeen(rows, run, *loaded.tuner));
  } else {
    loaded.row.evidence_seq = 0;
  }
  ASSIGN_OR_RETURN(loaded.faults, rows.games().ReadFaults(run, loaded.row.stage));
  loaded.times.checkpoint = watch.Lap();

  // 3. The games after it.
  loaded.commit_seq = loaded.row.evidence_seq;
  ASSIGN_OR_RETURN(loaded.trust, ReadTrust(rows, loaded.row.trust_change));
  if (loaded.evaluations != nullptr) loaded.evaluations->SetTrust(loaded.trust);
  if (loaded.row.spec.line_searches.wanted()) {
    ASSIGN_OR_RETURN(loaded.line_searches, LoadLineSearches(store, rules, loaded));
    ASSIGN_OR_RETURN(loaded.calibration, ReadCalibration(rows, start, loaded));
  }
  if (ended == EndedMatch::kRead || !loaded.row.over()) {
    ASSIGN_OR_RETURN(loaded.match, ReadMatch(rows, loaded.row, loaded.trust));
  }
  if (from_games) {
    RETURN_IF_ERROR(ForEachTakenOver(rows, rules, loaded.row.spec, *loaded.graph, start,
                                     loaded.trust, [&loaded](const book::TunedGame& game) {
                                       loaded.changed.insert(loaded.changed.end(),
                                                             game.edges.begin(), game.edges.end());
                                       if (!loaded.tuner->Seen(game.moves_hash))
                                         loaded.seen.push_back(game.moves_hash);
                                       loaded.tuner->Apply(game);
                                     }));
  }
  Tail tail(rules, rows, loaded, start, evidence);
  bool more = true;
  if (loaded.row.over()) {
    ASSIGN_OR_RETURN(more, rows.games().HasAfter(run, loaded.row.evidence_seq));
  }
  if (more) {
    RETURN_IF_ERROR(rows.games().ForEach(run, loaded.row.evidence_seq,
                                         [&](const GameRow& game) { return tail.Add(game); }));
  }
  tail.Finish();
  loaded.tuner->ComputeValues();
  loaded.times.games = watch.Lap();
  return loaded;
}

}  // namespace joseki::coordinator
