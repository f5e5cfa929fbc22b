#include "coordinator/runs/game_replay.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/hash.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "coordinator/model/slot_codec.h"
#include "coordinator/runs/rejection.h"
#include "proto/limits.h"

namespace joseki::coordinator {
namespace {

std::string Ply(size_t index, const std::string& move) {
  return absl::StrCat(move, " at ply ", index + 1);
}

absl::Status CheckFields(const Slot& slot, const SubmittedGame& game) {
  if (game.moves.size() > kMaxGameMoves) {
    return Reject("bad_field", absl::StrCat(game.moves.size(), " moves"),
                  absl::StrCat("at most ", kMaxGameMoves));
  }
  if (game.fault.size() > kMaxFaultBytes) {
    return Reject("bad_field", absl::StrCat("a fault of ", game.fault.size(), " bytes"),
                  "at most 500");
  }
  // Scores are the engine's opinion: nothing but their number can be checked.
  if (!game.scores.empty() && slot.line.size() + game.scores.size() != game.moves.size()) {
    return Reject("bad_field", absl::StrCat(game.scores.size(), " scores"),
                  absl::StrCat("one for each of the ", game.moves.size(), " moves less the line's ",
                               slot.line.size()));
  }
  if (!TerminationOf(Name(game.claim.termination)) ||
      game.claim.termination == Termination::kNone) {
    return Reject("bad_field",
                  absl::StrCat("termination ", static_cast<int>(game.claim.termination)),
                  "a termination");
  }
  return absl::OkStatus();
}

// Determines the ending of the replayed game; `derived` is the ending by the rules at its last
// position.
absl::StatusOr<Ending> Judge(const std::optional<Ending>& derived, Color to_move, const Slot& slot,
                             const SubmittedGame& game) {
  if (IsFault(game.claim.termination)) return Ending{Result::kNone, game.claim.termination};
  if (derived) {
    if (game.claim == *derived) return *derived;
    return Reject("wrong_ending", Words(game.claim), Words(*derived));
  }
  if (game.moves.size() < slot.line.size()) {
    return Reject("wrong_line", absl::StrCat("the end after ", game.moves.size(), " plies"),
                  absl::StrCat("the whole line of ", slot.line.size()));
  }
  if (game.claim.termination != Termination::kResign) {
    return Reject("unfinished_game", Words(game.claim), "an ending by the rules, or a resignation");
  }
  const Ending resigned{WinFor(~to_move), Termination::kResign};
  if (game.claim == resigned) return resigned;
  return Reject("wrong_ending", Words(game.claim), Words(resigned));
}

bool IsIn(const std::vector<Move>& moves, Move move) {
  return std::find(moves.begin(), moves.end(), move) != moves.end();
}
bool AllIn(const std::vector<Move>& moves, const GameState& state) {
  const std::vector<Move> legal = state.LegalMoves();
  return std::all_of(legal.begin(), legal.end(), [&](Move move) { return IsIn(moves, move); });
}

// Plays `moves` up to the first one that the rules, or the book being followed, do not allow.
// Returns the number of moves played.
size_t PlayOn(GameState& state, std::span<const Move> moves,
              std::optional<book::Follower>& follower, std::optional<Move>& due) {
  if (!follower) return state.PlayAll(moves);
  size_t played = 0;
  while (played < moves.size() && !state.ending() && (!due || moves[played] == *due) &&
         state.Play(moves[played])) {
    follower->Played(moves[played]);
    due = follower->See(state.key());
    ++played;
  }
  return played;
}

}  // namespace

uint64_t PayloadHash(const SubmittedGame& game) {
  std::string bytes;
  bytes.reserve(128 + 2 * game.moves.size());
  absl::StrAppend(&bytes, game.run, " ", game.lease, " ", game.slot, " ");
  absl::StrAppend(&bytes, static_cast<int>(game.claim.termination), " ",
                  // A fault has no result, whatever was claimed.
                  IsFault(game.claim.termination) ? 0 : static_cast<int>(game.claim.result), " ");
  absl::StrAppend(&bytes, game.nodes, " ", game.moves.size(), " ");
  bytes += MoveBytes(game.moves);
  if (IsFault(game.claim.termination)) bytes += game.fault;
  // Games without scores keep the hash that they had before there were any.
  if (!game.scores.empty()) absl::StrAppend(&bytes, " ", EncodeScores(game.scores));
  if (game.depth > 0) absl::StrAppend(&bytes, " depth ", game.depth);
  return Hash64(bytes);
}

uint64_t MovesHash(const std::string& start, const std::vector<Move>& moves) {
  std::string bytes;
  bytes.reserve(start.size() + 1 + 2 * moves.size());
  bytes += start;
  bytes += '\n';
  bytes += MoveBytes(moves);
  return Hash64(bytes);
}

absl::StatusOr<CheckedGame> CheckGame(const Rules& rules, const MatchRules& match, const Slot& slot,
                                      const SubmittedGame& game, const book::AnswerBook* book) {
  RETURN_IF_ERROR(CheckFields(slot, game));
  ASSIGN_OR_RETURN(const std::unique_ptr<GameState> state, rules.Start(slot.start, match));
  std::optional<book::Follower> follower;
  if (book != nullptr) {
    std::optional<book::OwnSide> own;
    if (slot.own) own = book::OwnSide{*slot.own, slot.seed};
    follower.emplace(*book, slot.line.size(), own);
  }
  std::optional<Move> due;  // by the book
  if (follower) due = follower->See(state->key());
  const std::span<const Move> moves = game.moves;
  const auto [other, planned] =
      std::mismatch(moves.begin(), moves.end(), slot.line.begin(), slot.line.end());
  const auto agree = static_cast<size_t>(other - moves.begin());
  // 1. The line, as far as it was played.
  size_t played = PlayOn(*state, moves.first(agree), follower, due);
  CheckedGame checked;
  checked.chooser = state->side_to_move();
  // 2. The first move that is the engine's own, or another one than the line's.
  if (played == agree && agree < moves.size() && !state->ending()) {
    if (planned != slot.line.end()) {
      return Reject("wrong_line", Ply(agree, rules.Text(*other)), rules.Text(*planned));
    }
    // Exclusions that cover every legal move exclude none: the game must go on.
    if (IsIn(slot.excluded, *other) && !AllIn(slot.excluded, *state)) {
      return Reject("excluded_move", Ply(agree, rules.Text(*other)), "a move outside the book");
    }
    // 3. The rest.
    played += PlayOn(*state, moves.subspan(agree), follower, due);
  }
  const std::optional<Ending> ending = state->ending();
  if (played < moves.size()) {
    const std::string found = Ply(played, rules.Text(moves[played]));
    if (ending) {
      return Reject("moves_after_end", found, absl::StrCat("the end: ", Words(*ending)));
    }
    if (due && moves[played] != *due) {
      return Reject("wrong_reentry", found, absl::StrCat("the book's ", rules.Text(*due)));
    }
    return Reject("illegal_move", found, "a legal move");
  }
  if (due && !ending && !IsFault(game.claim.termination)) {
    return Reject("wrong_reentry", absl::StrCat("the end after ", moves.size(), " plies"),
                  absl::StrCat("the book's ", rules.Text(*due)));
  }
  ASSIGN_OR_RETURN(checked.ending, Judge(ending, state->side_to_move(), slot, game));
  checked.payload_hash = PayloadHash(game);
  checked.moves_hash = MovesHash(slot.start, game.moves);
  if (follower) checked.reentered = follower->edges();
  return checked;
}

}  // namespace joseki::coordinator
