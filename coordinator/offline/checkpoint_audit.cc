#include "coordinator/offline/checkpoint_audit.h"

#include <algorithm>
#include <limits>
#include <span>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "coordinator/runs/run_load.h"

namespace joseki::coordinator {
namespace {

struct Value {
  int64_t sum = 0;
  book::Evidence evidence;
  bool operator==(const Value&) const = default;
};

Value ValueOf(const book::Arm& arm) { return {arm.sum, arm.evidence}; }

std::string Words(const Value& value) {
  return absl::StrCat("sum ", value.sum, " wins ", value.evidence.wins, " draws ",
                      value.evidence.draws, " losses ", value.evidence.losses, " repeats ",
                      value.evidence.repeats);
}

std::string Words(book::EdgeId edge, const char* what, const Value& stored,
                  const Value& games_say) {
  return absl::StrCat("edge ", edge, ": ", what, " ", Words(stored), ", the games say ",
                      Words(games_say));
}

}  // namespace

CheckpointAudit::CheckpointAudit(const RunRow& run, const book::Tuner& tuner,
                                 std::function<void(const std::string&)> report)
    : run_(run), tuner_(tuner), report_(std::move(report)), has_row_(tuner.arms().size()) {}

absl::Status CheckpointAudit::Read(RunStore& rows) {
  ASSIGN_OR_RETURN(counters_, rows.evidence().ReadCounters(run_.run));
  ASSIGN_OR_RETURN(const std::vector<EvidenceRow> evidence, rows.evidence().Read(run_.run));
  for (const EvidenceRow& row : evidence) {
    if (row.edge >= has_row_.size()) {
      report_(absl::StrCat("edge ", row.edge, " is not in the frozen book"));
      continue;
    }
    has_row_[row.edge] = true;
    evidence_.push_back(row);
  }
  std::stable_sort(evidence_.begin(), evidence_.end(),
                   [](const EvidenceRow& a, const EvidenceRow& b) { return a.seq < b.seq; });
  return rows.evidence().ForEachSeen(run_.run, [&](std::span<const uint64_t> hashes) {
    stored_seen_.insert(stored_seen_.end(), hashes.begin(), hashes.end());
  });
}

void CheckpointAudit::TakeOver(const book::TunedGame& game) {
  if (!tuner_.Seen(game.moves_hash)) seen_.push_back(game.moves_hash);
}

void CheckpointAudit::Before(const GameRow& game, bool excluded) {
  Reach(game.commit_seq - 1);
  if (game.commit_seq > run_.evidence_seq) return;
  Count(tuner_.policy(), game, excluded, games_say_);
  if (excluded || IsFault(game.ending.termination) || tuner_.Seen(game.moves_hash)) return;
  seen_.push_back(game.moves_hash);
}

void CheckpointAudit::End(uint64_t last) {
  if (run_.evidence_seq > last) {
    report_(
        absl::StrCat("the checkpoint is of game ", run_.evidence_seq, ", the last one is ", last));
  }
  if (!evidence_.empty() && evidence_.back().seq > last) {
    report_(absl::StrCat("edge ", evidence_.back().edge, " is of game ", evidence_.back().seq,
                         ", the last one is ", last));
  }
  Reach(std::numeric_limits<uint64_t>::max());
  for (const EvidenceRow& row : evidence_) {
    if (row.stage < 0 || row.stage != run_.stage) continue;
    const Value stored{row.frozen_sum, row.frozen_evidence};
    const Value games_say = ValueOf((*frozen_)[row.edge]);
    if (stored != games_say) report_(Words(row.edge, "frozen", stored, games_say));
  }
}

void CheckpointAudit::Reach(uint64_t seq) {
  for (; next_ < evidence_.size() && evidence_[next_].seq <= seq; ++next_) {
    CompareRow(evidence_[next_]);
  }
  if (seq >= run_.stage_seq && !frozen_) {
    frozen_.emplace(tuner_.arms().begin(), tuner_.arms().end());
  }
  if (seq >= run_.evidence_seq && !totals_compared_) {
    totals_compared_ = true;
    CompareTotals();
  }
}

void CheckpointAudit::CompareRow(const EvidenceRow& row) {
  const Value stored{row.sum, row.evidence};
  const Value games_say = ValueOf(tuner_.arms()[row.edge]);
  if (stored != games_say) report_(Words(row.edge, "stored", stored, games_say));
}

void CheckpointAudit::CompareTotals() {
  if (!counters_ && run_.evidence_seq == 0) return;  // there is no checkpoint
  for (size_t i = 0; i < has_row_.size(); ++i) {
    const Value games_say = ValueOf(tuner_.arms()[i]);
    if (has_row_[i] || games_say == Value()) continue;
    report_(Words(static_cast<book::EdgeId>(i), "stored", {}, games_say));
  }
  if (!counters_) return;  // from a version without counters: nothing relies on them
  if (*counters_ != games_say_) {
    report_(absl::StrCat("stored counters ", CountersToJson(*counters_), ", the games say ",
                         CountersToJson(games_say_)));
  }
  if (seen_ != stored_seen_) {
    report_(absl::StrCat("stored ", stored_seen_.size(),
                         " hashes of different games, the games say ", seen_.size(),
                         seen_.size() == stored_seen_.size() ? ", other ones" : ""));
  }
}

}  // namespace joseki::coordinator
