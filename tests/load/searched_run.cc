#include "tests/load/searched_run.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/time/time.h"
#include "base/rng.h"
#include "base/status_macros.h"
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

// The result that the slot brings.
absl::StatusOr<EvaluationRow> Searched(const Rules& rules, const RunSpec& spec,
                                       const PlannedSlot& plan, Rng& rng) {
  const Slot& slot = plan.slot;
  ASSIGN_OR_RETURN(const auto state, rules.Start(spec.start, spec.play.match));
  if (state->PlayAll(slot.line) < slot.line.size()) return absl::InternalError("an illegal line");
  EvaluationRow row;
  row.position = state->packed();
  row.limit = slot.nodes;
  row.along = AlongLine{.line = slot.line,
                        .kind = slot.kind,
                        .searched_from = slot.searched_from,
                        .excluded = slot.excluded,
                        .own = slot.own,
                        .scores = {}};
  const size_t wanted = slot.kind == SlotKind::kTrial ? slot.plies : 1;
  while (row.game.moves.size() < wanted && !state->ending()) {
    const std::optional<Move> move = MoveAt(*state, slot.excluded, rng);
    if (!move) break;
    row.game.moves.push_back(*move);
    state->Play(*move);
    if (slot.kind == SlotKind::kTrial) row.along->scores.push_back(Score(rng));
  }
  if (!row.game.moves.empty()) row.score = Score(rng);
  row.game.payload_hash = rng.Next();
  row.game.moves_hash = rng.Next();
  row.game.nodes = slot.nodes;
  return row;
}

}  // namespace

RunSpec WithLineSearches(RunSpec spec) {
  spec.policy = "response";
  spec.policy_options.clear();
  spec.line_searches.share = 50;
  spec.line_searches.nodes = 2 * spec.play.nodes;
  return spec;
}

absl::Status FillSearches(const Rules& rules, book::Store& store, RunStore& rows,
                          std::shared_ptr<const book::Graph> graph, const RunSpec& spec,
                          uint64_t searches) {
  ASSIGN_OR_RETURN(LineSearches state,
                   LineSearches::Make(rules, std::move(graph), spec, kEvaluationAttempts));
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
      std::optional<PlannedSlot> plan = state.Next(worker, rng);
      if (!plan) break;
      plan->slot.slot = static_cast<uint32_t>(row.grant.slots.size());
      plan->slot.start = spec.start;
      row.grant.slots.push_back(*std::move(plan));
    }
    if (row.grant.slots.empty()) return absl::InternalError("nothing is left to search");
    RETURN_IF_ERROR(rows.leases().Insert(row.grant, row.state));
    for (const PlannedSlot& plan : row.grant.slots) {
      ASSIGN_OR_RETURN(EvaluationRow found, Searched(rules, spec, plan, rng));
      found.seq = ++made;
      found.game.run = 1;
      found.game.lease = lease;
      found.game.slot = plan.slot.slot;
      found.game.worker = worker;
      found.game.accepted_ms = kGrantedMs + static_cast<int64_t>(made);
      RETURN_IF_ERROR(InsertEvaluation(store, found, spec).status());
      LineSearch heard{.line = plan.slot.line,
                       .best = std::nullopt,
                       .score = found.score,
                       .worker = worker,
                       .lease = lease};
      if (!found.game.moves.empty()) heard.best = found.game.moves.front();
      state.Add(plan, /*open=*/true, heard);
    }
    RETURN_IF_ERROR(rows.leases().SetState(lease, LeaseState::kFinished));
  }
  return rows.Commit();
}

}  // namespace joseki::coordinator
