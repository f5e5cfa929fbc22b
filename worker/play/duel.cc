#include "worker/play/duel.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "base/problem.h"
#include "base/status_macros.h"
#include "engine/core/resignation.h"
#include "worker/play/referee.h"

namespace joseki::worker {
namespace {

// The seed's stream for book choices, separate from that of node limits.
constexpr uint64_t kBookStream = 0x626f6f6b;

}  // namespace

PlaySpec OpponentPlay(const PlaySpec& play) {
  const Opponent& opponent = *play.opponent;
  PlaySpec other = play;
  other.engine_id = opponent.engine_id;
  other.engine_signature = opponent.engine_signature;
  other.engine_options = opponent.engine_options;
  other.nodes = opponent.nodes;
  other.move_ms = opponent.move_ms;
  other.engine_name = opponent.engine_name;
  other.weights_sha256 = opponent.weights_sha256;
  other.opponent.reset();
  return other;
}

Duel::Duel(const Rules& rules, DuelSide first, DuelSide second)
    : rules_(rules), sides_{std::move(first), std::move(second)} {}

absl::Status Duel::NewGame(uint64_t seed) {
  seed_ = seed;
  for (const Color color : {Color::kFirst, Color::kSecond}) {
    asked_ = color;
    RETURN_IF_ERROR(sides_[Index(color)].player->NewGame(seed));
  }
  return absl::OkStatus();
}

absl::StatusOr<Choice> Duel::Choose(const GameLine& game, const Limits& limits) {
  RETURN_IF_ERROR(Follow(game));
  const Color color = state_->side_to_move();
  DuelSide& side = sides_[Index(color)];
  book::SideUse& used = used_[Index(color)];
  asked_ = color;
  const int ply = static_cast<int>(game.moves.size());
  std::vector<Move> excluded(limits.excluded.begin(), limits.excluded.end());
  if (side.book != nullptr) {
    Rng rng = Rng(seed_).Split(kBookStream).Split(static_cast<uint64_t>(ply));
    const book::BookWord word =
        book::AskBook(*side.book, side.rules, state_->key(), ply, seen_before_, rng);
    if (word.move && std::find(excluded.begin(), excluded.end(), word.move) == excluded.end()) {
      ++used.book_moves;
      Choice choice;
      choice.move = word.move;
      choice.score = kNoScore;
      return choice;
    }
    for (const book::Graph::Edge& edge : word.excluded) excluded.push_back(edge.move);
  }
  if (!left_at_[Index(color)]) left_at_[Index(color)] = static_cast<uint32_t>(ply);
  Limits own = LimitsFor(*side.play, side.play->nodes, seed_, ply);
  own.excluded = excluded;
  const auto began = std::chrono::steady_clock::now();
  absl::StatusOr<Choice> choice = side.player->Choose(game, own);
  used.micros += static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::microseconds>(
                                           std::chrono::steady_clock::now() - began)
                                           .count());
  RETURN_IF_ERROR(choice.status());
  ++used.moves;
  used.nodes += choice->nodes;
  if (choice->kind == Choice::Kind::kMove &&
      std::find(excluded.begin(), excluded.end(), choice->move) != excluded.end()) {
    // The referee does not know our books: report the move as none at all.
    choice->words = rules_.Text(choice->move) + ", which was excluded";
    choice->move = Move();
  }
  return choice;
}

std::optional<absl::Duration> Duel::EngineTime() const {
  std::optional<absl::Duration> sum;
  for (const DuelSide& side : sides_) {
    const std::optional<absl::Duration> time = side.player->EngineTime();
    if (time) sum = sum.value_or(absl::ZeroDuration()) + *time;
  }
  return sum;
}

void Duel::Stop() {
  for (const DuelSide& side : sides_) side.player->Stop();
}

absl::Status Duel::Follow(const GameLine& game) {
  const auto see = [this] { seen_before_ = !seen_.insert(state_->key()).second; };
  if (state_ == nullptr) {
    ASSIGN_OR_RETURN(state_, rules_.Start(game.start, MatchRules{}));
    see();
  }
  for (; followed_ < game.moves.size(); ++followed_) {
    if (!state_->Play(game.moves[followed_])) {
      return MakeProblem({.code = "illegal_move",
                          .found = rules_.Text(game.moves[followed_]),
                          .expected = "a legal move in " + state_->text()});
    }
    see();
  }
  return absl::OkStatus();
}

}  // namespace joseki::worker
