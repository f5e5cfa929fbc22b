#include "coordinator/runs/evaluation_intake.h"

#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/hash.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "book/tuning/trial.h"
#include "coordinator/model/slot_codec.h"
#include "coordinator/runs/game_replay.h"
#include "coordinator/runs/rejection.h"
#include "engine/core/resignation.h"
#include "proto/limits.h"

namespace joseki::coordinator {
namespace {

absl::Status WrongLine(size_t moves, size_t line) {
  return Reject("wrong_line", absl::StrCat(moves, " moves"),
                absl::StrCat("the ", line, " of the line"));
}

// Score of a finished game for the side to move.
int16_t ScoreOf(const Ending& ending, Color to_move) {
  if (ending.result == Result::kDraw) return 0;
  return ending.result == WinFor(to_move) ? kWonScore : static_cast<int16_t>(-kWonScore);
}

absl::Status CheckNumbers(const Slot& slot, const SubmittedGame& game) {
  if (game.fault.size() > kMaxFaultBytes) {
    return Reject("bad_field", absl::StrCat("a fault of ", game.fault.size(), " bytes"),
                  "at most 500");
  }
  if (game.depth > kMaxDepth) {
    return Reject("bad_field", absl::StrCat("depth ", game.depth), "at most 1000");
  }
  const size_t line = slot.line.size();
  const size_t after = game.moves.size() - std::min(game.moves.size(), line);
  if (slot.kind != SlotKind::kTrial) {
    const bool searched = game.claim.termination == Termination::kNone;
    if (game.scores.size() == (searched ? 1U : 0U)) return absl::OkStatus();
    return Reject("bad_field", absl::StrCat(game.scores.size(), " scores"),
                  "one where the position was searched, else none");
  }
  if (IsFault(game.claim.termination)) return absl::OkStatus();
  if (after <= slot.plies && game.scores.size() == after) return absl::OkStatus();
  return Reject("bad_field", absl::StrCat(game.scores.size(), " scores of ", after, " moves"),
                absl::StrCat("a score for each of at most ", slot.plies, " moves"));
}

// Number of the line's moves before the result. WrongLine if the game left the line without
// permission.
absl::StatusOr<size_t> Followed(const Slot& slot, const SubmittedGame& game) {
  const size_t line = slot.line.size();
  const size_t moves = game.moves.size();
  const size_t agree = static_cast<size_t>(
      std::mismatch(slot.line.begin(), slot.line.end(), game.moves.begin(), game.moves.end())
          .first -
      slot.line.begin());
  const bool searched = game.claim.termination == Termination::kNone;
  const size_t most = line + (slot.kind == SlotKind::kTrial ? slot.plies : searched ? 1 : 0);
  if (IsFault(game.claim.termination)) {
    if (moves <= most && agree == std::min(moves, line)) return line;
    return WrongLine(moves, line);
  }
  if (moves <= most && agree == line && (!searched || moves > line)) return line;
  // An opponent may leave the line, or resign on it, at positions that it searches.
  const bool theirs = agree >= slot.searched_from && (line - agree) % 2 == 0;
  const bool left = moves == agree + (searched ? 1 : 0);
  if (slot.kind == SlotKind::kReply && theirs && left) return agree;
  return WrongLine(moves, line);
}

uint64_t FoundHash(const std::string& start, const SubmittedGame& game) {
  return Hash64(absl::StrCat(MovesHash(start, game.moves), " ", EncodeScores(game.scores)));
}

}  // namespace

std::optional<int16_t> TrialScore(std::span<const int16_t> scores) {
  constexpr int kMost = 3000;  // a won position counts no more than this
  int sum = 0;
  int count = 0;
  for (size_t i = scores.size() - std::min(scores.size(), book::kTrialWindow); i < scores.size();
       ++i) {
    if (scores[i] == kNoScore) continue;
    const int score = std::clamp<int>(scores[i], -kMost, kMost);
    sum += i % 2 == 0 ? score : -score;
    ++count;
  }
  if (count == 0) return std::nullopt;
  return static_cast<int16_t>(sum / count);
}

absl::StatusOr<CheckedEvaluation> CheckEvaluation(const Rules& rules, const MatchRules& match,
                                                  const Slot& slot, const SubmittedGame& game) {
  const Ending& claim = game.claim;
  RETURN_IF_ERROR(CheckNumbers(slot, game));
  CheckedEvaluation checked;
  ASSIGN_OR_RETURN(checked.followed, Followed(slot, game));
  ASSIGN_OR_RETURN(const std::unique_ptr<GameState> state, rules.Start(slot.start, match));
  for (const Move move : std::span<const Move>(slot.line).first(checked.followed)) {
    if (!state->Play(move)) {
      return Reject("illegal_move", rules.Text(move), "a line of legal moves");
    }
  }
  checked.position = state->packed();
  checked.payload_hash = PayloadHash(game);
  checked.found_hash = FoundHash(slot.start, game);
  if (IsFault(claim.termination)) {
    checked.ending = {Result::kNone, claim.termination};
    return checked;
  }
  const Color asked = state->side_to_move();
  const bool searched = claim.termination == Termination::kNone;
  // A search's move is reported, not played: the game may be over after it.
  const bool trial = slot.kind == SlotKind::kTrial;
  if (trial) {
    for (const Move move : std::span<const Move>(game.moves).subspan(checked.followed)) {
      if (const std::optional<Ending> over = state->ending()) {
        return Reject("wrong_ending", Words(claim), Words(*over));
      }
      if (!state->Play(move)) return Reject("illegal_move", rules.Text(move), "legal moves");
    }
  }
  if (const std::optional<Ending> derived = state->ending()) {
    if (claim != *derived) return Reject("wrong_ending", Words(claim), Words(*derived));
    checked.ending = *derived;
    checked.score = ScoreOf(*derived, asked);
    return checked;
  }
  if (!searched) {
    const Ending resigned{WinFor(~state->side_to_move()), Termination::kResign};
    if (claim != resigned) {
      return Reject("wrong_ending", Words(claim), "a search, a resignation or a fault");
    }
    checked.ending = resigned;
    checked.score = ScoreOf(resigned, asked);
    return checked;
  }
  checked.ending = {Result::kNone, Termination::kNone};
  if (trial) {
    if (game.scores.size() != slot.plies) {
      return Reject("bad_field", absl::StrCat(game.scores.size(), " plies of a game that goes on"),
                    absl::StrCat(slot.plies));
    }
    checked.score = TrialScore(game.scores);
    return checked;
  }
  const Move best = game.moves.back();
  if (std::find(slot.excluded.begin(), slot.excluded.end(), best) != slot.excluded.end() ||
      !state->Play(best)) {
    return Reject("illegal_move", rules.Text(best), "a legal best move that is not excluded");
  }
  if (game.scores[0] != kNoScore) checked.score = game.scores[0];
  return checked;
}

}  // namespace joseki::coordinator
