#include "tests/load/searched_run.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/time/time.h"
#include "base/rng.h"
#include "base/status_macros.h"
#include "coordinator/runs/evaluation_intake.h"
#include "coordinator/runs/evaluation_load.h"
#include "coordinator/runs/line_searches.h"
#include "coordinator/store/evaluation_store.h"

namespace joseki::coordinator {
namespace {

constexpr uint32_t kSlotsPerLease = 32;
constexpr int64_t kGrantedMs = 1'700'000'000'000;

// One of the few moves that the position is known by; nullopt if it has none that may be played.
std::optional<Move> MoveAt(const GameState& state, const std::vector<Move>& excluded, Rng& rng) {
  constexpr uint64_t kKnown = 3;
  std::vector<Move> moves = state.LegalMoves();
  std::erase_if(moves, [&](Move move) {
    return std::find(excluded.begin(), excluded.end(), move) != excluded.end();
  });
  if (moves.empty()) return std::nullopt;
  const uint64_t first = std::hash<Key>()(state.key());
  return moves[(first + rng.Below(kKnown)) % moves.size()];
}

int16_t Score(Rng& rng) {
  int score = -600;
  for (int i = 0; i < 4; ++i) score += static_cast<int>(rng.Below(301));
  return static_cast<int16_t>(score);
}

// The result that the slot brings, of `lease` of run 1.
absl::StatusOr<SubmittedGame> Searched(const Rules& rules, const RunSpec& spec, const Slot& slot,
                                       LeaseId lease, Rng& rng) {
  ASSIGN_OR_RETURN(const auto state, rules.Start(spec.start, spec.play.match));
  if (state->PlayAll(slot.line) < slot.line.size()) return absl::InternalError("an illegal line");
  SubmittedGame game;
  game.run = 1;
  game.lease = lease;
  game.slot = slot.slot;
  game.moves = slot.line;
  game.nodes = slot.nodes;
  const bool trial = slot.kind == SlotKind::kTrial;
  const size_t wanted = slot.line.size() + (trial ? slot.plies : 1);
  while (game.moves.size() < wanted && !state->ending()) {
    const std::optional<Move> move = MoveAt(*state, slot.excluded, rng);
    if (!move) {
      game.claim = {WinFor(~state->side_to_move()), Termination::kResign};
      return game;
    }
    game.moves.push_back(*move);
    game.scores.push_back(Score(rng));
    state->Play(*move);
  }
  if (trial) game.claim = state->ending().value_or(Ending{});
  return game;
}

// The row of a result that intake accepts.
absl::StatusOr<EvaluationRow> RowOf(const Rules& rules, const RunSpec& spec,
                                    const PlannedSlot& plan, const SubmittedGame& game) {
  const Slot& slot = plan.slot;
  ASSIGN_OR_RETURN(const CheckedEvaluation checked,
                   CheckEvaluation(rules, spec.play.match, slot, game));
  EvaluationRow row;
  row.game.run = game.run;
  row.game.lease = game.lease;
  row.game.slot = game.slot;
  row.game.payload_hash = checked.payload_hash;
  row.game.moves_hash = checked.found_hash;
  row.game.ending = checked.ending;
  row.game.nodes = game.nodes;
  row.game.moves.assign(game.moves.begin() + static_cast<std::ptrdiff_t>(checked.followed),
                        game.moves.end());
  row.position = checked.position;
  row.score = checked.score;
  row.attempt = plan.failures + 1;
  row.limit = slot.nodes;
  row.along = AlongLine{.line = slot.line,
                        .kind = slot.kind,
                        .searched_from = slot.searched_from,
                        .excluded = slot.excluded,
                        .own = slot.own,
                        .scores = {}};
  if (slot.kind == SlotKind::kTrial) row.along->scores = game.scores;
  return row;
}

GrownBook Grown(const book::Repertoire& repertoire, const book::Graph& graph) {
  GrownBook grown{repertoire.positions(), repertoire.answers(), 0};
  repertoire.ForEachAnswer([&](const Key& key, const PackedPosition& at, int,
                               const book::Repertoire::Answer&) {
    const book::NodeId node = graph.FindPacked(at);
    for (const book::Repertoire::Answer& candidate : repertoire.CandidatesAt(key)) {
      grown.moves += node == book::kNoNode || graph.FindMove(node, candidate.move) == book::kNoEdge;
    }
  });
  return grown;
}

}  // namespace

RunSpec WithLineSearches(RunSpec spec) {
  spec.policy = "response";
  spec.policy_options.clear();
  spec.line_searches.share = 50;
  spec.line_searches.nodes = 2 * spec.play.nodes;
  return spec;
}

absl::StatusOr<GrownBook> FillSearches(const Rules& rules, book::Store& store, RunStore& rows,
                                       std::shared_ptr<const book::Graph> graph,
                                       const RunSpec& spec, uint64_t searches) {
  ASSIGN_OR_RETURN(LineSearches state, LineSearches::Make(rules, graph, spec, kEvaluationAttempts));
  const std::string worker = "w1";
  Rng rng(2);
  RETURN_IF_ERROR(rows.Begin());
  RETURN_IF_ERROR(rows.sessions().Insert({1, worker, kSlotsPerLease, "bench", kGrantedMs}));
  uint64_t made = 0;
  for (LeaseId lease = 1; made < searches; ++lease) {
    LeaseRow row;
    row.grant.lease = lease;
    row.grant.run = 1;
    row.grant.worker = worker;
    row.grant.session = 1;
    row.grant.term = absl::Seconds(90);
    row.grant.granted_ms = kGrantedMs;
    while (row.grant.slots.size() < kSlotsPerLease) {
      std::optional<PlannedSlot> plan = state.Next(/*trials=*/true, worker, rng);
      if (!plan) break;
      plan->slot.slot = static_cast<uint32_t>(row.grant.slots.size());
      plan->slot.start = spec.start;
      row.grant.slots.push_back(*std::move(plan));
    }
    if (row.grant.slots.empty()) return absl::InternalError("nothing is left to search");
    RETURN_IF_ERROR(rows.leases().Insert(row.grant, row.state));
    for (const PlannedSlot& plan : row.grant.slots) {
      ASSIGN_OR_RETURN(const SubmittedGame game, Searched(rules, spec, plan.slot, lease, rng));
      ASSIGN_OR_RETURN(EvaluationRow found, RowOf(rules, spec, plan, game));
      found.seq = ++made;
      found.game.worker = worker;
      found.game.accepted_ms = kGrantedMs + static_cast<int64_t>(made);
      RETURN_IF_ERROR(InsertEvaluation(store, found, spec).status());
      LineSearch heard{.line = plan.slot.line,
                       .best = std::nullopt,
                       .score = found.score,
                       .over = found.game.ending.termination != Termination::kNone,
                       .worker = worker,
                       .lease = lease};
      if (!found.game.moves.empty()) heard.best = found.game.moves.front();
      state.Add(plan, /*open=*/true, heard);
    }
    RETURN_IF_ERROR(rows.leases().SetState(lease, LeaseState::kFinished));
  }
  RETURN_IF_ERROR(rows.Commit());
  return Grown(state.repertoire(), *graph);
}

}  // namespace joseki::coordinator
