#include "worker/play/usi/usi_player.h"

#include <algorithm>
#include <chrono>
#include <limits>
#include <optional>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "base/problem.h"
#include "base/rng.h"
#include "base/status_macros.h"
#include "engine/core/resignation.h"
#include "engine/usi/usi_text.h"
#include "worker/play/cost.h"

namespace joseki::worker {
namespace {

using Kind = EngineLine::Kind;

// No engine is expected to be slower than this.
constexpr uint64_t kSlowestNodesPerSecond = 1000;
// Smallest limit of a move where a limit is divided among all moves tried.
constexpr uint64_t kFewestNodes = 50;
constexpr uint32_t kFewestMs = 10;

absl::Status OutOfStep(const std::string& path, const std::string& found) {
  return MakeProblem({.code = "engine_out_of_step",
                      .file = path,
                      .found = found,
                      .expected = "one answer to each question"},
                     absl::StatusCode::kUnavailable);
}

bool Contains(std::span<const Move> moves, Move move) {
  return std::find(moves.begin(), moves.end(), move) != moves.end();
}

}  // namespace

UsiPlayer::UsiPlayer(EngineEntry entry, Options options, const Rules& rules)
    : entry_(std::move(entry)),
      options_(std::move(options)),
      rules_(rules),
      nodes_(options_.nodes) {}

void UsiPlayer::Note(const std::string& text) const {
  if (options_.note) options_.note(absl::StrCat("engine=", entry_.id, " ", text));
}

void UsiPlayer::Discard() {
  std::unique_ptr<EngineProcess> gone;
  {
    const ScopedLock lock(mutex_);
    gone = std::move(process_);
  }
  if (gone != nullptr) gone->Kill();
  thinking_ = false;
}

std::optional<absl::Duration> UsiPlayer::EngineTime() const {
  // Only this thread changes process_, so reading it needs no mutex.
  if (process_ == nullptr || process_->pid() <= 0) return std::nullopt;
  return ProcessorTimeOfProcess(process_->pid());
}

void UsiPlayer::Stop() {
  const ScopedLock lock(mutex_);
  stopped_ = true;
  if (process_ != nullptr) process_->Interrupt();
}

// ---- Getting the engine ready ----

absl::Status UsiPlayer::Start() {
  if (process_ != nullptr) return absl::OkStatus();
  const absl::Status status = Launch();
  if (!status.ok()) Discard();
  return status;
}

absl::Status UsiPlayer::Launch() {
  EngineProcess::Options process;
  process.arguments = entry_.arguments;
  for (const std::string& argument : ArgumentsFor(entry_.dialect, nodes_)) {
    process.arguments.push_back(argument);
  }
  process.folder = entry_.folder;
  process.stderr_path = options_.stderr_path;
  process.cores = options_.cores;
  process.memory_bytes = uint64_t{entry_.memory_mb} << 20;
  ASSIGN_OR_RETURN(std::unique_ptr<EngineProcess> started, EngineProcess::Start(process));
  {
    const ScopedLock lock(mutex_);
    process_ = std::move(started);
    if (stopped_) process_->Interrupt();
  }
  started_nodes_ = nodes_;
  RETURN_IF_ERROR(Handshake());
  RETURN_IF_ERROR(SetOptions());
  return Ready();
}

absl::Status UsiPlayer::Handshake() {
  const EngineProcess::Deadline deadline = EngineProcess::After(entry_.start_limit);
  RETURN_IF_ERROR(process_->Send(std::string(entry_.dialect.protocol->name), deadline));
  offered_.clear();
  name_.clear();
  for (;;) {
    ASSIGN_OR_RETURN(const std::string text, process_->Read(deadline));
    EngineLine line = ParseEngineLine(text, entry_.dialect.protocol->mates_in_moves);
    if (line.kind == Kind::kOk) return absl::OkStatus();
    if (line.kind == Kind::kName) name_ = std::move(line.text);
    constexpr size_t kMostOptions = 10'000;
    if (line.kind == Kind::kOption && offered_.size() < kMostOptions) {
      offered_.insert(std::move(line.text));
    }
  }
}

absl::Status UsiPlayer::SetOptions() {
  RETURN_IF_ERROR(SetFirstOf(entry_.dialect.hash_options, entry_.hash_mb));
  RETURN_IF_ERROR(SetFirstOf(entry_.dialect.thread_options, entry_.threads));
  const std::string milliseconds(entry_.dialect.protocol->milliseconds_option);
  RETURN_IF_ERROR(SetOption(milliseconds, "true").status());
  for (const auto& [name, value] : entry_.dialect.options) {
    RETURN_IF_ERROR(SetOption(name, value).status());
  }
  const auto set_all = [this](const std::map<std::string, std::string>& options,
                              bool strict) -> absl::Status {
    for (const auto& [name, value] : options) {
      ASSIGN_OR_RETURN(const bool offered, SetOption(name, value));
      if (offered) continue;
      if (strict) {
        return MakeProblem({.code = "unknown_option",
                            .file = entry_.id,
                            .found = Quote(name),
                            .expected = "an option that the engine offers"});
      }
      Note(absl::StrCat("unknown_option name=", Quote(name)));
    }
    return absl::OkStatus();
  };
  RETURN_IF_ERROR(set_all(entry_.options, entry_.strict_options));
  return set_all(options_.run_options, /*strict=*/true);
}

absl::StatusOr<bool> UsiPlayer::SetOption(const std::string& name, const std::string& value) {
  if (offered_.count(name) == 0) return false;
  const std::string line = entry_.dialect.protocol->named_options
                               ? absl::StrCat("setoption name ", name, " value ", value)
                               : absl::StrCat("setoption ", name, " ", value);
  RETURN_IF_ERROR(process_->Send(line, EngineProcess::After(entry_.start_limit)));
  return true;
}

absl::Status UsiPlayer::SetFirstOf(const std::vector<std::string>& names, int value) {
  for (const std::string& name : names) {
    ASSIGN_OR_RETURN(const bool offered, SetOption(name, absl::StrCat(value)));
    if (offered) break;
  }
  return absl::OkStatus();
}

absl::StatusOr<EngineLine> UsiPlayer::Await(Kind kind, EngineProcess::Deadline deadline) {
  for (;;) {
    ASSIGN_OR_RETURN(const std::string text, process_->Read(deadline));
    EngineLine line = ParseEngineLine(text, entry_.dialect.protocol->mates_in_moves);
    if (line.kind == kind) return line;
    if (line.kind == Kind::kBestMove) {
      return OutOfStep(entry_.arguments.front(), absl::StrCat(Quote(text), " unasked"));
    }
  }
}

absl::Status UsiPlayer::Ready() {
  const EngineProcess::Deadline deadline = EngineProcess::After(entry_.start_limit);
  RETURN_IF_ERROR(process_->Send("isready", deadline));
  return Await(Kind::kReadyOk, deadline).status();
}

absl::Status UsiPlayer::NewGame(uint64_t seed) {
  {
    const ScopedLock lock(mutex_);
    stopped_ = false;
    if (process_ != nullptr) process_->ClearInterrupt();
  }
  const Dialect& dialect = entry_.dialect;
  if (dialect.nodes_by_command_line() && dialect.restart_for_nodes && options_.nodes > 0) {
    const uint64_t jitter = options_.jitter_percent;
    nodes_ = std::max<uint64_t>(
        1, options_.nodes * (100 - jitter + Rng(seed).Below(2 * jitter + 1)) / 100);
    if (nodes_ != started_nodes_) Discard();
  }
  // A new engine is ready sooner than one that is still thinking.
  if (thinking_) Discard();
  absl::Status status = Start();
  if (status.ok()) status = Ready();
  if (status.ok()) status = TellOfNewGame();
  if (!status.ok()) Discard();
  return status;
}

absl::Status UsiPlayer::TellOfNewGame() {
  const usi::Protocol& protocol = *entry_.dialect.protocol;
  std::string line(protocol.new_game);
  const std::string option(protocol.new_game_option);
  if (offered_.contains(option)) line = absl::StrCat("setoption ", option);
  if (line.empty()) return absl::OkStatus();
  return process_->Send(line, EngineProcess::After(entry_.start_limit));
}

// ---- Playing ----

absl::StatusOr<std::string> UsiPlayer::Go(const Limits& limits) const {
  const std::string milliseconds(entry_.dialect.protocol->milliseconds_option);
  return GoLine(entry_.dialect, limits,
                /*clock_in_seconds=*/!milliseconds.empty() && !offered_.contains(milliseconds));
}

std::string UsiPlayer::TextFor(Move move) const {
  std::string text = rules_.Text(move);
  std::replace(text.begin(), text.end(), '*', entry_.dialect.drop_sign);
  return entry_.dialect.ranks_from_one ? usi::WithRanks(text, 1) : text;
}

std::optional<Move> UsiPlayer::MoveOf(std::string word) const {
  std::replace(word.begin(), word.end(), entry_.dialect.drop_sign, '*');
  return rules_.MoveOf(entry_.dialect.ranks_from_one ? usi::WithRanks(word, -1) : word);
}

std::string UsiPlayer::PositionLine(const GameLine& game) const {
  std::string line = "position ";
  if (game.start != "startpos") {
    line += entry_.dialect.protocol->position;
    line += ' ';
  }
  line += game.start;
  if (!game.moves.empty()) line += " moves";
  for (const Move move : game.moves) absl::StrAppend(&line, " ", TextFor(move));
  return line;
}

EngineProcess::Deadline UsiPlayer::ReplyDeadline(const Limits& limits) const {
  return EngineProcess::After(entry_.reply_limit + absl::Milliseconds(limits.move_ms) +
                              absl::Seconds(limits.nodes / kSlowestNodesPerSecond));
}

absl::Status UsiPlayer::CheckSilence() {
  // An engine that goes on writing after its "bestmove" would keep us here for ever.
  constexpr int kMostLate = 10'000;
  for (int late = 0; late < kMostLate; ++late) {
    const absl::StatusOr<std::string> text = process_->Peek();
    if (absl::IsNotFound(text.status())) return absl::OkStatus();
    RETURN_IF_ERROR(text.status());
    // A stale "bestmove" would be taken as the reply to the next search.
    if (ParseEngineLine(*text, entry_.dialect.protocol->mates_in_moves).kind == Kind::kBestMove) {
      return OutOfStep(entry_.arguments.front(), absl::StrCat(Quote(*text), " unasked"));
    }
  }
  return OutOfStep(entry_.arguments.front(), absl::StrCat(kMostLate, " lines unasked"));
}

absl::StatusOr<UsiPlayer::Reply> UsiPlayer::Search(std::string_view position, const std::string& go,
                                                   const Limits& limits) {
  RETURN_IF_ERROR(CheckSilence());
  const auto began = std::chrono::steady_clock::now();
  const EngineProcess::Deadline deadline = ReplyDeadline(limits);
  RETURN_IF_ERROR(process_->Send(
      absl::StrCat(absl::string_view(position.data(), position.size()), "\n", go), deadline));
  thinking_ = true;
  Reply reply;
  for (;;) {
    ASSIGN_OR_RETURN(const std::string text, process_->Read(deadline));
    EngineLine line = ParseEngineLine(text, entry_.dialect.protocol->mates_in_moves);
    if (line.kind == Kind::kInfo) {
      if (line.info.nodes) reply.last.nodes = line.info.nodes;
      if (line.info.depth) reply.last.depth = line.info.depth;
      if (line.info.multipv == 1 && line.info.score) reply.last.score = line.info.score;
      if (!line.info.move.empty()) reply.lines[line.info.multipv] = std::move(line.info);
    } else if (line.kind == Kind::kBestMove) {
      thinking_ = false;
      thought_ += absl::FromChrono(std::chrono::steady_clock::now() - began);
      reply.word = std::move(line.text);
      return reply;
    }
  }
}

Choice UsiPlayer::ChoiceOf(const Reply& reply) const {
  Choice choice;
  choice.score = reply.last.score.value_or(kNoScore);
  choice.nodes = reply.last.nodes.value_or(0);
  choice.depth = reply.last.depth.value_or(0);
  if (reply.word == "resign") {
    choice.kind = Choice::Kind::kResign;
  } else if (reply.word == "win") {
    choice.kind = Choice::Kind::kDeclareWin;
  } else if (const std::optional<Move> move = MoveOf(reply.word)) {
    choice.move = *move;
  } else {
    choice.words = reply.word.empty() ? "bestmove" : reply.word;
  }
  return choice;
}

absl::StatusOr<Choice> UsiPlayer::Choose(const GameLine& game, const Limits& limits) {
  {
    const ScopedLock lock(mutex_);
    if (stopped_) return absl::CancelledError("stopped");
  }
  const auto choose = [&]() -> absl::StatusOr<Choice> {
    RETURN_IF_ERROR(Start());
    ASSIGN_OR_RETURN(std::string go, Go(limits));
    if (!limits.excluded.empty()) {
      switch (entry_.dialect.exclusion) {
        case Dialect::Exclusion::kMultiPv:
          return ChooseByLines(game, limits);
        case Dialect::Exclusion::kEach:
          return ChooseByTrying(game, limits);
        case Dialect::Exclusion::kBanMoves:
        case Dialect::Exclusion::kSearchMoves:
          break;
      }
      if (entry_.dialect.exclusion == Dialect::Exclusion::kBanMoves) {
        std::string ban = "banmoves";
        for (const Move move : limits.excluded) absl::StrAppend(&ban, " ", TextFor(move));
        go = absl::StrCat(ban, "\n", go);
      } else {
        ASSIGN_OR_RETURN(const std::vector<Move> allowed, Allowed(game, limits));
        go += " searchmoves";
        for (const Move move : allowed) absl::StrAppend(&go, " ", TextFor(move));
      }
    }
    ASSIGN_OR_RETURN(const Reply reply, Search(PositionLine(game), go, limits));
    return ChoiceOf(reply);
  };
  absl::StatusOr<Choice> choice = choose();
  if (!choice.ok() && !absl::IsInvalidArgument(choice.status())) Discard();
  return choice;
}

absl::StatusOr<std::vector<Move>> UsiPlayer::Allowed(const GameLine& game,
                                                     const Limits& limits) const {
  ASSIGN_OR_RETURN(const std::unique_ptr<GameState> state, rules_.Start(game.start, MatchRules{}));
  for (const Move move : game.moves) {
    if (state->Play(move)) continue;
    return MakeProblem({.code = "illegal_move",
                        .found = rules_.Text(move),
                        .expected = "a legal move in " + state->text()});
  }
  std::vector<Move> allowed;
  for (const Move move : state->LegalMoves()) {
    if (!Contains(limits.excluded, move)) allowed.push_back(move);
  }
  return allowed;
}

absl::StatusOr<Choice> UsiPlayer::ChooseByLines(const GameLine& game, const Limits& limits) {
  ASSIGN_OR_RETURN(const std::string go, Go(limits));
  const int lines = static_cast<int>(limits.excluded.size()) + 1;
  RETURN_IF_ERROR(SetFirstOf(entry_.dialect.multipv_options, lines));
  ASSIGN_OR_RETURN(const Reply reply, Search(PositionLine(game), go, limits));
  RETURN_IF_ERROR(SetFirstOf(entry_.dialect.multipv_options, 1));
  const Choice best = ChoiceOf(reply);
  if (best.kind != Choice::Kind::kMove || !Contains(limits.excluded, best.move)) return best;
  for (const auto& [number, info] : reply.lines) {
    const std::optional<Move> move = MoveOf(info.move);
    if (!move || Contains(limits.excluded, *move)) continue;
    Choice choice;
    choice.move = *move;
    choice.score = info.score.value_or(kNoScore);
    choice.nodes = best.nodes;
    return choice;
  }
  return MakeProblem(
      {.code = "no_other_move",
       .file = entry_.id,
       .found = absl::StrCat(reply.lines.size(), " lines, all of excluded moves"),
       .expected = absl::StrCat(lines, " lines: another \"exclusion\" in the profile")},
      absl::StatusCode::kFailedPrecondition);
}

// Scores every other move, by a search from the opponent's side after it.
absl::StatusOr<Choice> UsiPlayer::ChooseByTrying(const GameLine& game, const Limits& limits) {
  ASSIGN_OR_RETURN(const std::vector<Move> allowed, Allowed(game, limits));
  Limits share;
  if (limits.nodes > 0) share.nodes = std::max(kFewestNodes, limits.nodes / allowed.size());
  if (limits.move_ms > 0) {
    share.move_ms = std::max(kFewestMs, static_cast<uint32_t>(limits.move_ms / allowed.size()));
  }
  ASSIGN_OR_RETURN(const std::string go, Go(share));
  std::vector<Move> moves(game.moves.begin(), game.moves.end());
  moves.emplace_back();
  Choice best;
  int best_score = std::numeric_limits<int>::min();
  uint64_t nodes = 0;
  for (const Move move : allowed) {
    moves.back() = move;
    ASSIGN_OR_RETURN(const Reply reply, Search(PositionLine({game.start, moves}), go, share));
    nodes += reply.last.nodes.value_or(0);
    constexpr int kWon = std::numeric_limits<int16_t>::max();
    int score = -reply.last.score.value_or(0);
    if (reply.word == "resign") score = kWon;
    if (reply.word == "win") score = -kWon;
    if (score <= best_score) continue;
    best_score = score;
    best.move = move;
    best.score = reply.last.score || reply.word == "resign" ? score : kNoScore;
  }
  best.nodes = nodes;
  return best;
}

}  // namespace joseki::worker
