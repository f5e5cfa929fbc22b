#include "worker/loop/crew.h"

#include <cstdint>
#include <optional>
#include <stop_token>
#include <utility>

#include "base/status_macros.h"
#include "worker/play/duel.h"
#include "worker/play/referee.h"

namespace joseki::worker {

namespace {

absl::Status StartUnless(const std::stop_token& stop, Player& player) {
  const std::stop_callback on_stop(stop, [&player] { player.Stop(); });
  return player.Start();
}

}  // namespace

absl::StatusOr<std::unique_ptr<Player>> Crew::Make(const PlaySpec& play, size_t number) {
  ASSIGN_OR_RETURN(std::unique_ptr<Player> player, shared_.make_player(play, number));
  RETURN_IF_ERROR(StartUnless(shared_.life.At(Phase::kFinishPlaying), *player));
  return player;
}

absl::Status Crew::Prepare(const std::shared_ptr<const PlaySpec>& play) {
  if (player_ != nullptr && play_ == play) return absl::OkStatus();
  Dismiss();
  ASSIGN_OR_RETURN(std::unique_ptr<Player> player, Make(*play, seat_));
  if (play->opponent) {
    opponent_play_ = OpponentPlay(*play);
    // A number beyond those of the seats keeps the engines' stderr files apart.
    ASSIGN_OR_RETURN(opponent_, Make(opponent_play_, seat_ + shared_.options.join.seats));
  }
  player_ = std::move(player);
  play_ = play;
  return absl::OkStatus();
}

void Crew::Dismiss() {
  player_.reset();
  opponent_.reset();
  // The engine has ended and counts among the children.
  shared_.meter.Add(seat_, absl::ZeroDuration(), absl::ZeroDuration());
}

FinishedGame Crew::Play(const Assignment& assignment, const book::AnswerBook* book) {
  // The game is known: its player was made.
  const Rules& rules = **shared_.rules_of(play_->game);
  const Color own = assignment.slot.own.value_or(Color::kFirst);
  std::optional<Duel> duel;
  if (opponent_ != nullptr) {
    DuelSide ours{player_.get(), play_.get(), book->own, {}};
    if (const auto& use = play_->own_book) ours.rules = use->rules;
    const DuelSide theirs{opponent_.get(), &opponent_play_, book->opponent, play_->opponent->rules};
    duel.emplace(rules, own == Color::kFirst ? ours : theirs, own == Color::kFirst ? theirs : ours);
  }
  Player& player = duel ? static_cast<Player&>(*duel) : *player_;
  const std::stop_token broken_off = shared_.life.At(Phase::kBreakOff);
  const auto stop = [&player] { player.Stop(); };
  const std::stop_callback on_break_off(broken_off, stop);
  const std::stop_callback on_abandon(assignment.state->abandon.get_token(), stop);
  uint32_t reported = 0;
  const KeepGoing keep_going = [&](int plies) {
    assignment.state->plies += static_cast<uint32_t>(plies) - reported;
    reported = static_cast<uint32_t>(plies);
    return !broken_off.stop_requested() && !assignment.abandoned();
  };
  const bool match = assignment.slot.kind == SlotKind::kMatch;  // the duel has its books
  FinishedGame game{
      PlayGame(rules, *play_, assignment.slot, player, keep_going, match ? nullptr : book),
      assignment.epoch, assignment.run, assignment.lease, assignment.slot.slot};
  shared_.meter.Add(seat_, game.search, player.EngineTime().value_or(absl::ZeroDuration()));
  if (match && duel) game.used = {duel->used(own), duel->used(~own)};
  return game;
}

}  // namespace joseki::worker
