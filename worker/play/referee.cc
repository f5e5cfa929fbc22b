#include "worker/play/referee.h"

#include <algorithm>
#include <chrono>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "base/problem.h"
#include "base/rng.h"
#include "proto/limits.h"
#include "worker/play/cost.h"

namespace joseki::worker {
namespace {

constexpr uint32_t kMostDepth = 1000;

Termination FaultOf(const absl::Status& status) {
  switch (status.code()) {
    case absl::StatusCode::kDeadlineExceeded:
      return Termination::kStall;
    case absl::StatusCode::kCancelled:
      return Termination::kInterrupted;
    default:
      return Termination::kCrash;
  }
}

bool Contains(std::span<const Move> moves, Move move) {
  return std::find(moves.begin(), moves.end(), move) != moves.end();
}

class GameInProgress {
 public:
  GameInProgress(const Rules& rules, const PlaySpec& spec, const Slot& slot, Player& player,
                 const KeepGoing& keep_going, const book::AnswerBook* book)
      : rules_(rules), spec_(spec), slot_(slot), player_(player), keep_going_(keep_going) {
    if (book == nullptr) return;
    std::optional<book::OwnSide> own;
    if (slot.own) own = book::OwnSide{*slot.own, slot.seed};
    follower_.emplace(*book, slot.line.size(), own);
  }

  RefereedGame Play() {
    if (!Begin()) return Finished();
    if (slot_.kind == SlotKind::kReply) {
      FindReply();
      return Finished();
    }
    if (!PlayLine()) return Finished();
    if (slot_.kind == SlotKind::kEvaluation) {
      Evaluate();
      return Finished();
    }
    while (PlayChoice()) {
      if (slot_.kind != SlotKind::kTrial) continue;
      if (record_.moves.size() - slot_.line.size() == slot_.plies) break;
    }
    return Finished();
  }

 private:
  using Steady = std::chrono::steady_clock;

  RefereedGame Finished() {
    record_.think_ms = static_cast<uint32_t>(
        std::min<int64_t>(std::chrono::duration_cast<std::chrono::milliseconds>(thought_).count(),
                          std::numeric_limits<uint32_t>::max()));
    return std::move(record_);
  }

  // Steps of the game; each returns whether the game goes on.
  bool Begin() {
    auto state = rules_.Start(slot_.start, spec_.match);
    if (!state.ok()) {
      return Refuse(absl::StrCat(
          "start refused: ", state.status().ToString(absl::StatusToStringMode::kWithNoExtraData)));
    }
    state_ = std::move(state).value();
    if (const absl::Status status = player_.NewGame(slot_.seed); !status.ok()) {
      return Fault(
          FaultOf(status),
          absl::StrCat("new game: ", status.ToString(absl::StatusToStringMode::kWithNoExtraData)));
    }
    if (follower_) due_ = follower_->See(state_->key());
    return GoesOn();
  }

  bool PlayLine() {
    for (const Move move : slot_.line) {
      if (!PlayOfLine(move)) return false;
    }
    return true;
  }

  bool PlayOfLine(Move move) {
    if (!state_->Play(move)) {
      return Refuse(absl::StrCat("line refused: illegal move ", Text(move), " at ply ",
                                 record_.moves.size() + 1));
    }
    Note(move);
    return GoesOn();
  }

  bool PlayChoice() {
    if (due_) return PlayBook(*due_);
    Limits limits = LimitsNow(spec_.nodes);
    limits.excluded = Excluded();
    const std::optional<Choice> choice = Ask(limits);
    if (!choice) return false;
    const Color side = state_->side_to_move();
    if (!PlayOf(*choice)) return false;
    const int16_t score = ClampScore(choice->score);
    if (watch_.Add(side, score) && !PlaysOn(spec_.resign, slot_.seed)) {
      record_.ending = {WinFor(~side), Termination::kResign};
      return false;
    }
    if (spec_.keep_scores || slot_.kind == SlotKind::kTrial) record_.scores.push_back(score);
    Note(choice->move);
    return GoesOn();
  }

  // Searches the position at the end of the line, once.
  void Evaluate() {
    Limits limits;
    limits.nodes = slot_.nodes;
    limits.excluded = Excluded();
    if (const std::optional<Choice> choice = Ask(limits)) NoteEvaluation(*choice);
  }

  // Asks the player along the line, in each position where it is to move.
  void FindReply() {
    for (size_t ply = 0; ply < slot_.line.size(); ++ply) {
      if (ply >= slot_.searched_from && (slot_.line.size() - ply) % 2 == 0) {
        const std::optional<Choice> choice = Ask(LimitsNow(slot_.nodes));
        if (!choice) return;
        if (choice->move != slot_.line[ply]) return NoteEvaluation(*choice);
      }
      if (!PlayOfLine(slot_.line[ply])) return;
    }
    if (const std::optional<Choice> choice = Ask(LimitsNow(slot_.nodes))) NoteEvaluation(*choice);
  }

  // The limit of the next move, if that is `nodes` without jitter.
  Limits LimitsNow(uint64_t nodes) const {
    return LimitsFor(spec_, nodes, slot_.seed, static_cast<int>(record_.moves.size()));
  }

  // The player's choice; nullopt: the game is over, and the record says why.
  std::optional<Choice> Ask(const Limits& limits) {
    const int ply = static_cast<int>(record_.moves.size());
    const GameLine line{slot_.start, record_.moves};
    const Steady::time_point began = Steady::now();
    const std::optional<absl::Duration> engine_before = player_.EngineTime();
    const absl::Duration thread_before = ProcessorTimeOfThread();
    const absl::StatusOr<Choice> choice = player_.Choose(line, limits);
    NoteSearch(engine_before, thread_before);
    thought_ += Steady::now() - began;
    if (!choice.ok()) {
      Fault(FaultOf(choice.status()),
            absl::StrCat("ply ", ply + 1, ": ",
                         choice.status().ToString(absl::StatusToStringMode::kWithNoExtraData)));
      return std::nullopt;
    }
    record_.nodes += choice->nodes;
    switch (choice->kind) {
      case Choice::Kind::kResign:
        record_.ending = {WinFor(~state_->side_to_move()), Termination::kResign};
        return std::nullopt;
      case Choice::Kind::kDeclareWin:
        // A declaration that the rules grant has already ended the game.
        Fault(Termination::kIllegalMove,
              absl::StrCat("ply ", ply + 1, ": declared a win without the right to"));
        return std::nullopt;
      case Choice::Kind::kMove:
        break;
    }
    if (Contains(limits.excluded, choice->move)) {
      Fault(Termination::kIllegalMove,
            absl::StrCat("ply ", ply + 1, ": chose the excluded move ", Text(choice->move)));
      return std::nullopt;
    }
    return *choice;
  }

  // Plays the choice on the board, without recording it.
  bool PlayOf(const Choice& choice) {
    if (state_->Play(choice.move)) return true;
    return Fault(Termination::kIllegalMove,
                 absl::StrCat("ply ", record_.moves.size() + 1, ": chose the illegal move ",
                              WordsOf(choice)));
  }

  void NoteEvaluation(const Choice& choice) {
    if (!PlayOf(choice)) return;
    record_.scores.push_back(ClampScore(choice.score));
    record_.depth = std::min(choice.depth, kMostDepth);
    record_.moves.push_back(choice.move);
    record_.ending = {Result::kNone, Termination::kNone};
  }

  // Adds the search's processor time. All time of an engine started during the search counts.
  void NoteSearch(std::optional<absl::Duration> engine_before, absl::Duration thread_before) {
    const std::optional<absl::Duration> engine = player_.EngineTime();
    if (!engine && !engine_before) {
      record_.search += ProcessorTimeOfThread() - thread_before;
    } else if (engine) {
      const absl::Duration before = engine_before.value_or(absl::ZeroDuration());
      record_.search += *engine >= before ? *engine - before : *engine;
    }
  }

  bool PlayBook(Move move) {
    const Color side = state_->side_to_move();
    if (!state_->Play(move)) {
      return Refuse(absl::StrCat("book refused: illegal move ", Text(move), " at ply ",
                                 record_.moves.size() + 1));
    }
    Note(move);
    // A book move has no score.
    watch_.Add(side, kNoScore);
    if (spec_.keep_scores) record_.scores.push_back(kNoScore);
    return GoesOn();
  }

  // Records a move that was played on the board.
  void Note(Move move) {
    record_.moves.push_back(move);
    if (!follower_) return;
    follower_->Played(move);
    due_ = follower_->See(state_->key());
  }

  // The moves that may not be chosen now.
  std::span<const Move> Excluded() const {
    if (slot_.excluded.empty() || record_.moves.size() != slot_.line.size()) return {};
    for (const Move move : state_->LegalMoves()) {
      if (!Contains(slot_.excluded, move)) return slot_.excluded;
    }
    return {};
  }

  bool GoesOn() {
    if (const std::optional<Ending> ending = state_->ending()) {
      record_.ending = *ending;
      return false;
    }
    if (!keep_going_(static_cast<int>(record_.moves.size()))) {
      return Fault(Termination::kInterrupted, "broken off");
    }
    return true;
  }

  // The rules of this build do not know the slot: the run's slots are for other workers.
  bool Refuse(const std::string& why) {
    return Fault(Termination::kInterrupted, absl::StrCat(std::string(kCannotPlay), why));
  }

  bool Fault(Termination termination, const std::string& text) {
    record_.ending = {Result::kNone, termination};
    record_.fault = text.substr(0, kMaxFaultBytes);
    return false;
  }

  std::string WordsOf(const Choice& choice) const {
    return choice.words.empty() ? Text(choice.move) : Quote(choice.words);
  }
  std::string Text(Move move) const { return move ? rules_.Text(move) : "none"; }

  const Rules& rules_;
  const PlaySpec& spec_;
  const Slot& slot_;
  Player& player_;
  const KeepGoing& keep_going_;

  std::unique_ptr<GameState> state_;
  std::optional<book::Follower> follower_;  // if there is re-entry
  std::optional<Move> due_;                 // the book's next move
  RefereedGame record_;
  ResignWatch watch_{spec_.resign};
  Steady::duration thought_{};
};

}  // namespace

Limits LimitsFor(const PlaySpec& spec, uint64_t nodes, uint64_t seed, int ply) {
  const uint64_t jitter = spec.jitter_percent;
  Rng rng = Rng(seed).Split(static_cast<uint64_t>(ply));
  const uint64_t percent = 100 - jitter + rng.Below(2 * jitter + 1);
  Limits limits;
  if (spec.move_ms > 0) {
    limits.move_ms = static_cast<uint32_t>(std::max<uint64_t>(1, spec.move_ms * percent / 100));
  } else {
    limits.nodes = std::max<uint64_t>(1, nodes * percent / 100);
  }
  return limits;
}

RefereedGame PlayGame(const Rules& rules, const PlaySpec& spec, const Slot& slot, Player& player,
                      const KeepGoing& keep_going, const book::AnswerBook* book) {
  return GameInProgress(rules, spec, slot, player, keep_going, book).Play();
}

}  // namespace joseki::worker
