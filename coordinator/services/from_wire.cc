#include "coordinator/services/from_wire.h"

#include <cmath>
#include <limits>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "base/hash.h"
#include "base/printable.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "coordinator/model/slot_codec.h"
#include "engine/core/outcome.h"
#include "proto/limits.h"

namespace joseki::coordinator {
namespace {

constexpr uint64_t kMaxCommitSeq = std::numeric_limits<int64_t>::max();  // the database's numbers
constexpr char kWorkerCharacters[] =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-";
constexpr char kIdCharacters[] = "abcdefghijklmnopqrstuvwxyz0123456789._-";

absl::Status CheckLength(const std::string& text, size_t most, const std::string& field) {
  if (text.size() <= most) return absl::OkStatus();
  return BadField(field, absl::StrCat(text.size(), " bytes"), absl::StrCat("at most ", most));
}

// Text that is shown to people: no control characters, so that it stays on its line of a log.
absl::Status CheckShown(const std::string& text, size_t most, const std::string& field) {
  RETURN_IF_ERROR(CheckLength(text, most, field));
  for (const char c : text) {
    if (static_cast<unsigned char>(c) < ' ' || c == 0x7f) {
      return BadField(field, Quote(text), "no control characters");
    }
  }
  return absl::OkStatus();
}

absl::Status CheckName(const std::string& text, const char* characters, const char* expected,
                       const std::string& field) {
  if (text.empty() || text.size() > 64 || text.find_first_not_of(characters) != std::string::npos) {
    return BadField(field, Quote(text), expected);
  }
  return absl::OkStatus();
}

absl::Status CheckWorker(const std::string& text, const std::string& field) {
  return CheckName(text, kWorkerCharacters, "1 to 64 of A-Z a-z 0-9 . _ -", field);
}

absl::Status CheckId(const std::string& text, const std::string& field) {
  return CheckName(text, kIdCharacters, "1 to 64 of a-z 0-9 . _ -", field);
}

absl::Status CheckRange(uint64_t value, uint64_t least, uint64_t most, const std::string& field) {
  if (value >= least && value <= most) return absl::OkStatus();
  return BadField(field, absl::StrCat(value), absl::StrCat(least, " to ", most));
}

absl::Status CheckHash(const std::string& bytes, const std::string& field) {
  if (bytes.size() == sizeof(Sha256)) return absl::OkStatus();
  return BadField(field, absl::StrCat(bytes.size(), " bytes"), "the 32 bytes of a SHA-256");
}

absl::Status CheckCount(int count, int most, const std::string& field) {
  if (count <= most) return absl::OkStatus();
  return BadField(field, absl::StrCat(count, " entries"), absl::StrCat("at most ", most));
}

template <typename WireMap>
absl::StatusOr<std::map<std::string, std::string>> OptionsFromWire(const WireMap& options,
                                                                   const std::string& field) {
  RETURN_IF_ERROR(CheckCount(static_cast<int>(options.size()), 100, field));
  std::map<std::string, std::string> result;
  for (const auto& option : options) {
    const std::string at = absl::StrCat(field, "[", Quote(option.first), "]");
    if (option.first.empty()) return BadField(at, "an empty name", "an option's name");
    RETURN_IF_ERROR(CheckShown(option.first, 100, at));
    RETURN_IF_ERROR(CheckShown(option.second, 1000, at));
    result.emplace(option.first, option.second);
  }
  return result;
}

absl::Status CheckSha256(const std::string& text, const std::string& field) {
  if (text.empty() ||
      (text.size() == 64 && text.find_first_not_of("0123456789abcdef") == std::string::npos)) {
    return absl::OkStatus();
  }
  return BadField(field, Quote(text), "nothing, or 64 of 0-9 a-f");
}

absl::StatusOr<Opponent> OpponentFromWire(const v1::Opponent& wire, const std::string& field) {
  if (!v1::Side_IsValid(wire.side()) || wire.side() == v1::SIDE_UNSPECIFIED) {
    return BadField(field + ".side", absl::StrCat(static_cast<int>(wire.side())),
                    "1 (black), 2 (white) or 3 (both)");
  }
  if (!wire.book().empty()) RETURN_IF_ERROR(CheckHash(wire.book(), field + ".book"));
  if (!v1::BookChoice_IsValid(wire.choice())) {
    return BadField(field + ".choice", absl::StrCat(static_cast<int>(wire.choice())),
                    "0 (answer), 1 (range) or 2 (share)");
  }
  if (!(wire.range() >= 0 && wire.range() <= 1000)) {
    return BadField(field + ".range", absl::StrCat(wire.range()), "0 to 1000");
  }
  RETURN_IF_ERROR(CheckId(wire.engine_id(), field + ".engine_id"));
  RETURN_IF_ERROR(CheckRange(wire.move_ms(), 0, kMaxMoveMs, field + ".move_ms"));
  const bool timed = wire.move_ms() > 0;
  RETURN_IF_ERROR(
      CheckRange(wire.nodes(), timed ? 0 : 1, timed ? 0 : 1'000'000'000, field + ".nodes"));
  RETURN_IF_ERROR(CheckShown(wire.engine_name(), 200, field + ".engine_name"));
  RETURN_IF_ERROR(CheckSha256(wire.weights_sha256(), field + ".weights_sha256"));
  Opponent opponent;
  ASSIGN_OR_RETURN(opponent.engine_options,
                   OptionsFromWire(wire.engine_options(), field + ".engine_options"));
  opponent.side = static_cast<Opponent::Side>(wire.side());
  opponent.book = wire.book();
  opponent.choice = static_cast<book::PlayRules::Choice>(wire.choice());
  opponent.range = wire.range();
  opponent.deviation = wire.deviation();
  opponent.max_book_plies = wire.max_book_plies();
  opponent.engine_id = wire.engine_id();
  opponent.engine_signature = wire.engine_signature();
  opponent.nodes = wire.nodes();
  opponent.move_ms = wire.move_ms();
  opponent.engine_name = wire.engine_name();
  opponent.weights_sha256 = wire.weights_sha256();
  return opponent;
}

absl::StatusOr<BookUse> BookUseFromWire(const v1::BookUse& wire, const std::string& field) {
  RETURN_IF_ERROR(CheckHash(wire.sha256(), field + ".sha256"));
  if (!v1::BookChoice_IsValid(wire.choice())) {
    return BadField(field + ".choice", absl::StrCat(static_cast<int>(wire.choice())),
                    "0 (answer), 1 (range) or 2 (share)");
  }
  RETURN_IF_ERROR(CheckRange(wire.max_book_plies(), 0, kMaxBookPlies, field + ".max_book_plies"));
  return BookUse{wire.sha256(),
                 {static_cast<book::PlayRules::Choice>(wire.choice()), wire.range(),
                  wire.deviation(), static_cast<int>(wire.max_book_plies())}};
}

MatchSpec MatchFromWire(const v1::MatchSpec& wire) {
  MatchSpec match;
  match.pairs = wire.pairs();
  if (wire.sequential()) {
    match.sprt =
        book::Sprt{wire.elo0(), wire.elo1(),
                   wire.normalised() ? book::EloModel::kNormalised : book::EloModel::kLogistic,
                   wire.alpha(), wire.beta()};
  }
  return match;
}

absl::StatusOr<PlaySpec> PlayFromWire(const v1::PlaySpec& wire, const std::string& field) {
  RETURN_IF_ERROR(CheckId(wire.game(), field + ".game"));
  RETURN_IF_ERROR(CheckId(wire.engine_id(), field + ".engine_id"));
  RETURN_IF_ERROR(CheckRange(wire.move_ms(), 0, kMaxMoveMs, field + ".move_ms"));
  // Nodes or time, never both.
  const bool timed = wire.move_ms() > 0;
  RETURN_IF_ERROR(
      CheckRange(wire.nodes(), timed ? 0 : 1, timed ? 0 : 1'000'000'000, field + ".nodes"));
  RETURN_IF_ERROR(CheckRange(wire.jitter_percent(), 0, 90, field + ".jitter_percent"));
  RETURN_IF_ERROR(CheckRange(wire.max_plies(), 1, kMaxGameMoves, field + ".max_plies"));
  if (!v1::Declaration_IsValid(wire.declaration())) {
    return BadField(field + ".declaration", absl::StrCat(static_cast<int>(wire.declaration())),
                    "0 (none), 1 (27 points) or 2 (24 points)");
  }
  const bool resigns = wire.resign_below() > 0;
  RETURN_IF_ERROR(CheckRange(wire.resign_below(), 0, kMaxScore, field + ".resign_below"));
  RETURN_IF_ERROR(
      CheckRange(wire.resign_moves(), resigns ? 1 : 0, resigns ? 100 : 0, field + ".resign_moves"));
  RETURN_IF_ERROR(CheckRange(wire.play_on_percent(), 0, 100, field + ".play_on_percent"));
  if (resigns && !wire.keep_scores()) {
    return BadField(field + ".keep_scores", "false", "true, as resign_below is judged by scores");
  }
  RETURN_IF_ERROR(CheckShown(wire.engine_name(), 200, field + ".engine_name"));
  RETURN_IF_ERROR(CheckSha256(wire.weights_sha256(), field + ".weights_sha256"));
  PlaySpec play;
  ASSIGN_OR_RETURN(play.engine_options,
                   OptionsFromWire(wire.engine_options(), field + ".engine_options"));
  play.game = wire.game();
  play.engine_id = wire.engine_id();
  play.engine_signature = wire.engine_signature();
  play.nodes = wire.nodes();
  play.move_ms = wire.move_ms();
  play.resign = {wire.resign_below(), wire.resign_moves(), wire.play_on_percent()};
  play.keep_scores = wire.keep_scores();
  play.engine_name = wire.engine_name();
  play.weights_sha256 = wire.weights_sha256();
  play.jitter_percent = wire.jitter_percent();
  play.match.max_plies = static_cast<int>(wire.max_plies());
  play.match.declaration = static_cast<Declaration>(wire.declaration());
  RETURN_IF_ERROR(CheckRange(wire.re_entry_games(), wire.re_entry() ? 1 : 0,
                             wire.re_entry() ? 1'000'000'000 : 0, field + ".re_entry_games"));
  if (!wire.snapshot().empty()) {
    return BadField(field + ".snapshot", absl::StrCat(wire.snapshot().size(), " bytes"),
                    "nothing: the book is frozen when the run is created");
  }
  play.re_entry = wire.re_entry();
  play.re_entry_games = wire.re_entry_games();
  if (wire.has_opponent()) {
    ASSIGN_OR_RETURN(play.opponent, OpponentFromWire(wire.opponent(), field + ".opponent"));
  }
  if (wire.has_own_book()) {
    ASSIGN_OR_RETURN(play.own_book, BookUseFromWire(wire.own_book(), field + ".own_book"));
  }
  return play;
}

absl::StatusOr<EngineIdentity> EngineFromWire(const v1::EngineIdentity& wire,
                                              const std::string& field) {
  RETURN_IF_ERROR(CheckId(wire.id(), field + ".id"));
  RETURN_IF_ERROR(CheckShown(wire.name(), 200, field + ".name"));
  RETURN_IF_ERROR(CheckShown(wire.build(), 200, field + ".build"));
  RETURN_IF_ERROR(CheckSha256(wire.weights_sha256(), field + ".weights_sha256"));
  return EngineIdentity{.id = wire.id(),
                        .name = wire.name(),
                        .signature = wire.signature(),
                        .weights_sha256 = wire.weights_sha256(),
                        .build = wire.build()};
}

template <typename WireMap>
absl::StatusOr<std::map<std::string, std::string>> LabelsFromWire(const WireMap& labels,
                                                                  const std::string& field) {
  RETURN_IF_ERROR(CheckCount(static_cast<int>(labels.size()), 16, field));
  std::map<std::string, std::string> result;
  for (const auto& label : labels) {
    const std::string at = absl::StrCat(field, "[", Quote(label.first), "]");
    RETURN_IF_ERROR(CheckId(label.first, at));
    RETURN_IF_ERROR(CheckShown(label.second, 64, at));
    result.emplace(label.first, label.second);
  }
  return result;
}

// An absent share is the default one.
absl::StatusOr<Share> ShareFromWire(const v1::RunSpec& spec) {
  Share share;
  if (!spec.has_share()) return share;
  const v1::Share& wire = spec.share();
  RETURN_IF_ERROR(CheckRange(wire.priority(), 0, Share::kMaxPriority, "spec.share.priority"));
  RETURN_IF_ERROR(CheckRange(wire.weight(), 0, Share::kMaxWeight, "spec.share.weight"));
  share.priority = wire.priority();
  if (wire.weight() != 0) share.weight = wire.weight();
  return share;
}

absl::StatusOr<Requirements> RequirementsFromWire(const v1::Requirements& wire) {
  Requirements result;
  ASSIGN_OR_RETURN(result.labels, LabelsFromWire(wire.labels(), "spec.requirements.labels"));
  RETURN_IF_ERROR(CheckRange(wire.memory_mb(), 0, kMaxMemoryMb, "spec.requirements.memory_mb"));
  RETURN_IF_ERROR(CheckRange(wire.cores(), 0, kMaxCores, "spec.requirements.cores"));
  result.memory_mb = wire.memory_mb();
  result.cores = wire.cores();
  return result;
}

// `value` is foreign: the comparison is false for NaN.
absl::Status CheckShare(double value, double most, const std::string& field) {
  if (value >= 0 && value <= most) return absl::OkStatus();
  return BadField(field, absl::StrCat(value), absl::StrCat("0 to ", most));
}

absl::StatusOr<StopRules> StopFromWire(const v1::RunSpec& wire) {
  RETURN_IF_ERROR(CheckShare(wire.settle_error(), 0.5, "spec.settle_error"));
  RETURN_IF_ERROR(CheckShare(wire.settle_margin(), 1, "spec.settle_margin"));
  RETURN_IF_ERROR(CheckShare(wire.stop_gain(), 1, "spec.stop_gain"));
  RETURN_IF_ERROR(CheckShare(wire.stop_change(), 1, "spec.stop_change"));
  return StopRules{.settling = {wire.settle_error(), wire.settle_margin()},
                   .least_gain = wire.stop_gain(),
                   .least_change = wire.stop_change()};
}

absl::StatusOr<SubmittedGame> GameFromWire(const v1::Game& wire, const std::string& field) {
  if (wire.moves().size() % 2 != 0 || wire.moves().size() > 2 * kMaxGameMoves) {
    return BadField(field + ".moves", absl::StrCat(wire.moves().size(), " bytes"),
                    absl::StrCat("an even number, at most ", 2 * kMaxGameMoves));
  }
  if (wire.scores().size() % 2 != 0 || wire.scores().size() > wire.moves().size()) {
    return BadField(field + ".scores", absl::StrCat(wire.scores().size(), " bytes"),
                    absl::StrCat("an even number, at most ", wire.moves().size()));
  }
  // Without a termination a position was searched; whether that was asked for, its slot says.
  const bool searched = wire.termination() == v1::TERMINATION_UNSPECIFIED &&
                        wire.result() == v1::RESULT_UNSPECIFIED && wire.scores().size() == 2;
  if (!searched && (wire.termination() == v1::TERMINATION_UNSPECIFIED ||
                    !v1::Termination_IsValid(wire.termination()))) {
    return BadField(field + ".termination", absl::StrCat(static_cast<int>(wire.termination())),
                    "a termination of joseki/v1/types.proto");
  }
  if (!v1::Result_IsValid(wire.result())) {
    return BadField(field + ".result", absl::StrCat(static_cast<int>(wire.result())), "0 to 3");
  }
  const auto termination = static_cast<Termination>(wire.termination());
  if (!IsFault(termination) && termination != Termination::kNone &&
      wire.result() == v1::RESULT_UNSPECIFIED) {
    return BadField(
        field + ".result", "no result",
        absl::StrCat("a result, as the game ended by ", std::string(Name(termination))));
  }
  RETURN_IF_ERROR(CheckLength(wire.fault(), 500, field + ".fault"));
  RETURN_IF_ERROR(CheckRange(wire.depth(), 0, kMaxDepth, field + ".depth"));
  SubmittedGame game;
  ASSIGN_OR_RETURN(game.moves, DecodeMoves(wire.moves()));
  game.run = wire.run();
  game.lease = wire.lease();
  game.slot = wire.slot();
  game.claim = {static_cast<Result>(wire.result()), termination};
  game.nodes = wire.nodes();
  game.think_ms = wire.think_ms();
  game.fault = Printable(wire.fault());
  ASSIGN_OR_RETURN(game.scores, DecodeScores(wire.scores()));
  game.depth = wire.depth();
  if (wire.used_size() != 0 && wire.used_size() != 2) {
    return BadField(field + ".used", absl::StrCat(wire.used_size(), " sides"), "two, or none");
  }
  for (int side = 0; side < wire.used_size(); ++side) {
    const v1::SideUse& use = wire.used(side);
    for (const uint64_t number : {use.moves(), use.book_moves(), use.nodes(), use.micros()}) {
      RETURN_IF_ERROR(CheckRange(number, 0, uint64_t{1} << 53, field + ".used"));
    }
    game.used[static_cast<size_t>(side)] = {use.moves(), use.book_moves(), use.nodes(),
                                            use.micros()};
  }
  return game;
}

absl::StatusOr<SlotRef> SlotFromWire(const v1::SlotRef& wire, const std::string& field) {
  RETURN_IF_ERROR(CheckRange(wire.slot(), 0, kMaxSlots - 1, field + ".slot"));
  return SlotRef{.lease = wire.lease(), .slot = wire.slot()};
}

}  // namespace

absl::Status BadField(std::string field, std::string found, std::string expected) {
  return MakeProblem({.code = "bad_field",
                      .file = std::move(field),
                      .found = std::move(found),
                      .expected = std::move(expected)});
}

absl::StatusOr<JoinInput> FromWire(const v1::JoinRequest& request) {
  RETURN_IF_ERROR(CheckWorker(request.worker(), "worker"));
  RETURN_IF_ERROR(CheckRange(request.slots(), 1, kMaxSlotsPerWorker, "slots"));
  RETURN_IF_ERROR(CheckCount(request.engines_size(), 32, "engines"));
  RETURN_IF_ERROR(CheckShown(request.build(), 200, "build"));
  JoinInput input;
  input.worker = request.worker();
  input.protocol = request.protocol();
  input.slots = request.slots();
  input.build = request.build();
  input.process = request.process();
  input.instance = request.instance();
  ASSIGN_OR_RETURN(input.labels, LabelsFromWire(request.labels(), "labels"));
  RETURN_IF_ERROR(CheckRange(request.memory_mb(), 0, kMaxMemoryMb, "memory_mb"));
  RETURN_IF_ERROR(CheckRange(request.cores(), 0, kMaxCores, "cores"));
  input.memory_mb = request.memory_mb();
  input.cores = request.cores();
  RETURN_IF_ERROR(CheckCount(request.kinds_size(), 16, "kinds"));
  for (const int kind : request.kinds()) {
    if (kind >= 0 && kind <= static_cast<int>(kLastSlotKind)) {
      input.kinds.Add(static_cast<SlotKind>(kind));
    }
  }
  for (int i = 0; i < request.engines_size(); ++i) {
    ASSIGN_OR_RETURN(EngineIdentity engine,
                     EngineFromWire(request.engines(i), absl::StrCat("engines[", i, "]")));
    input.engines.push_back(std::move(engine));
  }
  return input;
}

absl::StatusOr<AcquireInput> FromWire(const v1::AcquireRequest& request) {
  RETURN_IF_ERROR(CheckRange(request.want_slots(), 1, kMaxSlotsPerWorker, "want_slots"));
  RETURN_IF_ERROR(CheckCount(request.known_runs_size(), 1000, "known_runs"));
  AcquireInput input;
  input.session = request.session();
  input.want_slots = request.want_slots();
  input.known_runs.assign(request.known_runs().begin(), request.known_runs().end());
  if (request.has_after_lease()) input.after_lease = request.after_lease();
  return input;
}

absl::StatusOr<SubmitInput> FromWire(const v1::SubmitRequest& request) {
  RETURN_IF_ERROR(CheckShown(request.epoch(), 64, "epoch"));
  RETURN_IF_ERROR(CheckCount(request.games_size(), static_cast<int>(kMaxGamesPerSubmit), "games"));
  if (request.ByteSizeLong() > kMaxSubmitBytes) {
    return BadField("games", absl::StrCat(request.ByteSizeLong(), " bytes"),
                    absl::StrCat("at most ", kMaxSubmitBytes));
  }
  RETURN_IF_ERROR(CheckRange(request.want_slots(), 0, kMaxSlotsPerWorker, "want_slots"));
  RETURN_IF_ERROR(CheckCount(request.known_runs_size(), 1000, "known_runs"));
  SubmitInput input;
  input.want_slots = request.want_slots();
  input.known_runs.assign(request.known_runs().begin(), request.known_runs().end());
  if (request.has_after_lease()) input.after_lease = request.after_lease();
  input.session = request.session();
  input.epoch = request.epoch();
  input.games.reserve(static_cast<size_t>(request.games_size()));
  for (int i = 0; i < request.games_size(); ++i) {
    ASSIGN_OR_RETURN(SubmittedGame game,
                     GameFromWire(request.games(i), absl::StrCat("games[", i, "]")));
    input.games.push_back(std::move(game));
  }
  return input;
}

WorkerCost CostFromWire(const v1::BeatRequest& request) {
  return {.processor_ms = request.cost().processor_ms(), .search_ms = request.cost().search_ms()};
}

absl::StatusOr<std::vector<LeaseProgress>> FromWire(const v1::BeatRequest& request) {
  RETURN_IF_ERROR(CheckCount(request.leases_size(), 1024, "leases"));
  constexpr uint64_t kMostMs = uint64_t{1} << 53;
  RETURN_IF_ERROR(CheckRange(request.cost().processor_ms(), 0, kMostMs, "cost.processor_ms"));
  RETURN_IF_ERROR(
      CheckRange(request.cost().search_ms(), 0, request.cost().processor_ms(), "cost.search_ms"));
  std::vector<LeaseProgress> result;
  result.reserve(static_cast<size_t>(request.leases_size()));
  for (const v1::LeaseProgress& lease : request.leases()) {
    result.push_back({.lease = lease.lease(), .plies = lease.plies()});
  }
  return result;
}

absl::StatusOr<std::vector<SlotRef>> FromWire(const v1::LeaveRequest& request) {
  RETURN_IF_ERROR(CheckCount(request.unplayed_size(), 65536, "unplayed"));
  std::vector<SlotRef> result;
  result.reserve(static_cast<size_t>(request.unplayed_size()));
  for (int i = 0; i < request.unplayed_size(); ++i) {
    ASSIGN_OR_RETURN(const SlotRef slot,
                     SlotFromWire(request.unplayed(i), absl::StrCat("unplayed[", i, "]")));
    result.push_back(slot);
  }
  return result;
}

absl::StatusOr<RunSpec> FromWire(const v1::RunSpec& wire) {
  RETURN_IF_ERROR(CheckShown(wire.name(), 100, "spec.name"));
  if (!wire.has_play()) return BadField("spec.play", "nothing", "rules and limits of play");
  if (!wire.has_policy()) return BadField("spec.policy", "nothing", "a policy");
  RunSpec spec;
  ASSIGN_OR_RETURN(spec.play, PlayFromWire(wire.play(), "spec.play"));
  RETURN_IF_ERROR(CheckId(wire.policy().name(), "spec.policy.name"));
  ASSIGN_OR_RETURN(spec.policy_options,
                   OptionsFromWire(wire.policy().options(), "spec.policy.options"));
  RETURN_IF_ERROR(CheckRange(wire.games(), 0, RunSpec::kMaxGames, "spec.games"));
  RETURN_IF_ERROR(CheckRange(wire.seconds(), 0, RunSpec::kMaxSeconds, "spec.seconds"));
  if (!(wire.deviation() >= 0 && wire.deviation() <= 1)) {
    return BadField("spec.deviation", absl::StrCat(wire.deviation()), "0 to 1");
  }
  RETURN_IF_ERROR(CheckRange(wire.max_book_plies(), 0, kMaxBookPlies, "spec.max_book_plies"));
  if (wire.has_verify_percent() && !(wire.verify_percent() >= 0 && wire.verify_percent() <= 100)) {
    return BadField("spec.verify_percent", absl::StrCat(wire.verify_percent()), "0 to 100");
  }
  RETURN_IF_ERROR(CheckShown(wire.start(), 200, "spec.start"));
  spec.name = wire.name();
  spec.policy = wire.policy().name();
  spec.games = wire.games();
  spec.seconds = wire.seconds();
  spec.deviation = wire.deviation();
  spec.seed = wire.seed();
  spec.max_book_plies = wire.max_book_plies();
  if (wire.has_verify_percent()) spec.verify_percent = wire.verify_percent();
  spec.start = wire.start().empty() ? "startpos" : wire.start();
  ASSIGN_OR_RETURN(spec.share, ShareFromWire(wire));
  ASSIGN_OR_RETURN(spec.requirements, RequirementsFromWire(wire.requirements()));
  RETURN_IF_ERROR(CheckRange(wire.priors().nodes(), 0, 1'000'000'000, "spec.priors.nodes"));
  spec.priors = {wire.priors().nodes(), wire.priors().positions()};
  ASSIGN_OR_RETURN(spec.stop, StopFromWire(wire));
  if (wire.has_match()) spec.match = MatchFromWire(wire.match());  // CheckSpec knows its bounds
  spec.take_over = wire.take_over();
  if (wire.has_taken_over()) {
    const v1::TakenOver& from = wire.taken_over();
    spec.taken_over = {{from.runs().begin(), from.runs().end()}, from.up_to(), from.games()};
  }
  if (wire.has_extension()) {
    const v1::Extension& from = wire.extension();
    RETURN_IF_ERROR(CheckShown(from.request_id(), 100, "spec.extension.request_id"));
    spec.extension = {from.games(), from.seconds(),    from.after(),
                      from.times(), from.regardless(), from.request_id()};
  }
  return spec;
}

absl::Status Check(const v1::CreateRunRequest& request) {
  if (!request.has_spec()) return BadField("spec", "nothing", "a run's specification");
  return CheckShown(request.request_id(), 100, "request_id");
}

absl::Status Check(const v1::RunRequest& request) {
  if (request.run() != 0) return absl::OkStatus();
  return BadField("run", "0", "the number of a run");
}

absl::Status Check(const v1::GetSpendingRequest& request) {
  if (request.run() == 0) return BadField("run", "0", "the number of a run");
  return CheckRange(request.most(), 0, 10'000, "most");
}

absl::Status Check(const v1::BlockWorkerRequest& request) {
  RETURN_IF_ERROR(CheckWorker(request.worker(), "worker"));
  return CheckShown(request.reason(), 200, "reason");
}

absl::Status Check(const v1::UnblockWorkerRequest& request) {
  return CheckWorker(request.worker(), "worker");
}

absl::Status Check(const v1::DrainRequest& request) {
  if (request.worker().empty()) return absl::OkStatus();
  return CheckWorker(request.worker(), "worker");
}

absl::Status Check(const v1::SetPriorityRequest& request) {
  if (request.run() == 0) return BadField("run", "0", "the number of a run");
  RETURN_IF_ERROR(CheckRange(request.priority(), 0, Share::kMaxPriority, "priority"));
  return CheckRange(request.weight(), 0, Share::kMaxWeight, "weight");
}

absl::StatusOr<MoreToPlay> FromWire(const v1::ExtendRunRequest& request) {
  if (request.run() == 0) return BadField("run", "0", "the number of a run");
  RETURN_IF_ERROR(CheckRange(request.games(), 0, RunSpec::kMaxGames, "games"));
  RETURN_IF_ERROR(CheckRange(request.seconds(), 0, RunSpec::kMaxSeconds, "seconds"));
  if (request.games() == 0 && request.seconds() == 0) {
    return BadField("games", "0", "games or seconds to play");
  }
  RETURN_IF_ERROR(CheckShown(request.request_id(), 100, "request_id"));
  return MoreToPlay{request.games(), request.seconds(), request.same_book(), request.request_id()};
}

absl::StatusOr<std::optional<std::vector<Move>>> FromWire(const v1::FreeLinesRequest& request,
                                                          const Rules& rules) {
  if (request.run() == 0) return BadField("run", "0", "the number of a run");
  if (!request.has_line()) return std::optional<std::vector<Move>>();
  RETURN_IF_ERROR(CheckShown(request.line(), 8 * kMaxMoves, "line"));
  std::vector<Move> line;
  const std::vector<std::string> words = absl::StrSplit(request.line(), ' ', absl::SkipEmpty());
  for (const std::string& word : words) {
    const std::optional<Move> move = rules.MoveOf(word);
    if (!move || line.size() == kMaxMoves) {
      return BadField("line", Quote(word), "moves as text, separated by spaces");
    }
    line.push_back(*move);
  }
  return std::optional<std::vector<Move>>(std::move(line));
}

absl::Status CheckImportHeader(const v1::ImportRequest& first) {
  RETURN_IF_ERROR(CheckShown(first.file_name(), 1000, "file_name"));
  return CheckRange(first.plies(), 0, kMaxGameMoves, "plies");
}

absl::Status Check(const v1::WatchStatusRequest& request) {
  if (request.interval_ms() == 0) return absl::OkStatus();
  return CheckRange(request.interval_ms(), 200, 60000, "interval_ms");
}

absl::Status Check(const v1::GetPositionRequest& request) {
  return CheckShown(request.position(), 200, "position");
}

absl::Status Check(const v1::ListGamesRequest& request) {
  if (request.run() == 0) return BadField("run", "0", "the number of a run");
  RETURN_IF_ERROR(CheckRange(request.after_commit_seq(), 0, kMaxCommitSeq, "after_commit_seq"));
  return CheckRange(request.limit(), 0, kMaxGamesPerList, "limit");
}

absl::Status Check(const v1::ManifestRequest& request) {
  RETURN_IF_ERROR(CheckWorker(request.worker(), "worker"));
  switch (request.name_case()) {
    case v1::ManifestRequest::kSha256:
      return CheckHash(request.sha256(), "sha256");
    case v1::ManifestRequest::kWeights:
      RETURN_IF_ERROR(CheckRange(request.weights().run(), 1, INT64_MAX, "weights.run"));
      RETURN_IF_ERROR(CheckRange(request.weights().version(), 1, UINT32_MAX, "weights.version"));
      return CheckRange(request.weights().have(), 0, request.weights().version(), "weights.have");
    case v1::ManifestRequest::NAME_NOT_SET:
      break;
  }
  return BadField("name", "nothing", "sha256 or weights");
}

absl::Status Check(const v1::FetchRequest& request) {
  return CheckHash(request.sha256(), "sha256");
}

}  // namespace joseki::coordinator
