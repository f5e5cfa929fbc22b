#include <algorithm>
#include <utility>

#include "absl/cleanup/cleanup.h"
#include "absl/strings/str_cat.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "book/reentry.h"
#include "book/tuning/line.h"
#include "coordinator/run_store.h"

namespace joseki::coordinator {
namespace {

absl::Status DataLoss(std::string found, std::string expected) {
  return MakeProblem(
      {.code = "bad_row", .found = std::move(found), .expected = std::move(expected)},
      absl::StatusCode::kDataLoss);
}

// A game with the edges that it credits.
struct CreditedGame {
  std::vector<book::EdgeId> edges;
  Ending ending;
  int stage = 0;
  uint64_t moves_hash = 0;
  bool repeat = false;

  book::TunedGame view() const { return {edges, ending, stage, moves_hash, repeat}; }
};

}  // namespace

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

absl::StatusOr<book::NodeId> StartNode(const Rules& rules, const book::Graph& graph,
                                       const RunSpec& spec) {
  ASSIGN_OR_RETURN(const std::unique_ptr<GameState> start,
                   rules.Start(spec.start, spec.play.match));
  const book::NodeId node = graph.Find(start->key());
  if (node == book::kNoNode || graph.node(node).count == 0) {
    return MakeProblem({.code = "start_not_in_book",
                        .found = Quote(spec.start),
                        .expected = "a start position with book moves"},
                       absl::StatusCode::kFailedPrecondition);
  }
  return node;
}

absl::StatusOr<Trust> ReadTrust(RunStore& rows, uint64_t up_to) {
  Trust trust;
  if (up_to == 0) return trust;
  ASSIGN_OR_RETURN(const std::vector<TrustChange> changes, rows.ReadTrustChanges());
  if (changes.size() < up_to) {
    return DataLoss(absl::StrCat("evidence of change ", up_to, " of trust"),
                    absl::StrCat("a change up to ", changes.size()));
  }
  for (uint64_t i = 0; i < up_to; ++i) trust.Apply(changes[i]);
  return trust;
}

absl::StatusOr<LoadedRun> LoadRun(Store& store, const Rules& rules, RunId run) {
  RunStore rows(store);
  RETURN_IF_ERROR(rows.BeginRead());
  const auto end_read = absl::MakeCleanup([&rows] { rows.EndRead(); });

  // 1. The run, its frozen book and its policy.
  LoadedRun loaded;
  ASSIGN_OR_RETURN(loaded.row, rows.ReadRun(run));
  ASSIGN_OR_RETURN(const std::string bytes, rows.ReadSnapshot(loaded.row.snapshot));
  if (Sha256Of(bytes) != loaded.row.snapshot) {
    return DataLoss(absl::StrCat("another book in snapshot ", Hex(loaded.row.snapshot)),
                    "bytes of that hash");
  }
  ASSIGN_OR_RETURN(book::Graph graph, book::Graph::Parse(rules, bytes));
  loaded.graph = std::make_shared<const book::Graph>(std::move(graph));
  ASSIGN_OR_RETURN(loaded.policy, PolicyOf(loaded.row.spec));
  ASSIGN_OR_RETURN(const book::NodeId start, StartNode(rules, *loaded.graph, loaded.row.spec));

  // 2. The checkpoint.
  loaded.tuner = std::make_unique<book::Tuner>(loaded.graph, loaded.policy);
  ASSIGN_OR_RETURN(const std::vector<EvidenceRow> evidence, rows.ReadEvidence(run));
  for (const EvidenceRow& row : evidence) {
    if (row.edge >= loaded.graph->edge_count()) {
      return DataLoss(absl::StrCat("evidence for edge ", row.edge),
                      absl::StrCat("an edge below ", loaded.graph->edge_count()));
    }
    loaded.tuner->Load(row.edge, row.sum, row.evidence);
  }

  // 3. The games after it; and of a staged rule those that its selection must not know yet.
  const bool staged = !loaded.policy->stages().empty();
  std::vector<CreditedGame> unfrozen;
  loaded.commit_seq = loaded.row.evidence_seq;
  ASSIGN_OR_RETURN(loaded.trust, ReadTrust(rows, loaded.row.trust_change));
  RETURN_IF_ERROR(rows.ForEachGame(run, 0, [&](const GameRow& game) -> absl::Status {
    const bool excluded = loaded.trust.Excludes(game.worker, game.lease);
    Count(*loaded.policy, game, excluded, loaded.counters);
    loaded.commit_seq = std::max(loaded.commit_seq, game.commit_seq);
    if (IsFault(game.ending.termination)) {
      if (game.stage == loaded.row.stage) loaded.faults.push_back(game);
      return absl::OkStatus();
    }
    if (excluded) return absl::OkStatus();
    if (game.ending.result == Result::kNone || game.book_plies > game.moves.size()) {
      return DataLoss(absl::StrCat("game ", game.commit_seq, " without a result or a line"),
                      "a finished game");
    }
    const bool in_checkpoint = game.commit_seq <= loaded.row.evidence_seq;
    const bool frozen = !staged || game.commit_seq <= loaded.row.stage_seq;
    const bool repeat = loaded.tuner->Seen(game.moves_hash);
    if (in_checkpoint) loaded.tuner->LoadSeen(game.moves_hash);
    if (in_checkpoint && frozen) return absl::OkStatus();
    CreditedGame credited;
    credited.edges =
        book::EdgesOf(*loaded.graph, start, std::span(game.moves).first(game.book_plies));
    if (loaded.row.spec.play.re_entry) {
      ASSIGN_OR_RETURN(const std::vector<book::EdgeId> reentered,
                       book::ReenteredEdges(rules, *loaded.graph, loaded.row.spec.start, game.moves,
                                            game.book_plies));
      credited.edges.insert(credited.edges.end(), reentered.begin(), reentered.end());
    }
    credited.ending = game.ending;
    credited.stage = game.stage;
    credited.moves_hash = game.moves_hash;
    credited.repeat = repeat;
    if (!in_checkpoint) {
      loaded.tuner->Apply(credited.view());
      loaded.changed.insert(credited.edges.begin(), credited.edges.end());
    }
    if (!frozen) unfrozen.push_back(std::move(credited));
    return absl::OkStatus();
  }));
  if (staged) {
    std::vector<book::TunedGame> views;
    views.reserve(unfrozen.size());
    for (const CreditedGame& game : unfrozen) views.push_back(game.view());
    loaded.tuner->FreezeWithout(views);
  }
  return loaded;
}

}  // namespace joseki::coordinator
