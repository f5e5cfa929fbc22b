#include "coordinator/services/from_wire.h"

#include <limits>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/hash.h"
#include "base/printable.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "coordinator/model/run_spec.h"
#include "coordinator/model/slot_codec.h"
#include "coordinator/model/spec_fields.h"
#include "engine/core/outcome.h"
#include "proto/limits.h"
#include "proto/wire_fields.h"

namespace joseki::coordinator {
namespace {

constexpr uint64_t kMaxCommitSeq = std::numeric_limits<int64_t>::max();  // largest number of the
                                                                         // database
constexpr FieldProblems kBadField = {.code = "bad_field"};

absl::Status CheckText(const std::string& text, size_t most, const std::string& field) {
  return CheckShown(text, most, field, kBadField);
}

absl::Status CheckWorker(const std::string& text, const std::string& field) {
  return IsName(text) ? absl::OkStatus() : BadField(field, Quote(text), kNameWords);
}

absl::Status CheckId(const std::string& text, const std::string& field) {
  return IsId(text) ? absl::OkStatus() : BadField(field, Quote(text), kIdWords);
}

absl::Status CheckRange(uint64_t value, uint64_t least, uint64_t most, const std::string& field) {
  if (value >= least && value <= most) return absl::OkStatus();
  return BadField(field, absl::StrCat(value), absl::StrCat(least, " to ", most));
}

absl::Status CheckHash(const std::string& bytes, const std::string& field) {
  if (bytes.size() == sizeof(Sha256)) return absl::OkStatus();
  return BadField(field, absl::StrCat(bytes.size(), " bytes"), "the 32 bytes of a SHA-256");
}

absl::Status CheckCount(int count, size_t most, const std::string& field) {
  if (static_cast<size_t>(count) <= most) return absl::OkStatus();
  return BadField(field, absl::StrCat(count, " entries"), absl::StrCat("at most ", most));
}

absl::StatusOr<EngineIdentity> EngineFromWire(const v1::EngineIdentity& wire,
                                              const std::string& field) {
  RETURN_IF_ERROR(CheckId(wire.id(), field + ".id"));
  RETURN_IF_ERROR(CheckText(wire.name(), kMaxEngineNameBytes, field + ".name"));
  RETURN_IF_ERROR(CheckText(wire.build(), kMaxEngineNameBytes, field + ".build"));
  if (!wire.game().empty()) RETURN_IF_ERROR(CheckId(wire.game(), field + ".game"));
  if (!IsSha256OrNone(wire.weights_sha256())) {
    return BadField(field + ".weights_sha256", Quote(wire.weights_sha256()), kSha256Words);
  }
  return EngineIdentity{.id = wire.id(),
                        .name = wire.name(),
                        .signature = wire.signature(),
                        .weights_sha256 = wire.weights_sha256(),
                        .build = wire.build(),
                        .game = wire.game()};
}

absl::StatusOr<SubmittedGame> GameFromWire(const v1::Game& wire, const std::string& field) {
  if (wire.moves().size() % 2 != 0 || wire.moves().size() > 2 * size_t{kMaxGameMoves}) {
    return BadField(field + ".moves", absl::StrCat(wire.moves().size(), " bytes"),
                    absl::StrCat("an even number, at most ", 2 * kMaxGameMoves));
  }
  if (wire.scores().size() % 2 != 0 || wire.scores().size() > wire.moves().size()) {
    return BadField(field + ".scores", absl::StrCat(wire.scores().size(), " bytes"),
                    absl::StrCat("an even number, at most ", wire.moves().size()));
  }
  // Without a termination it is a search; its slot decides whether one was asked for.
  const bool searched = wire.termination() == v1::TERMINATION_UNSPECIFIED &&
                        wire.result() == v1::RESULT_UNSPECIFIED && !wire.scores().empty();
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
  if (wire.fault().size() > kMaxFaultBytes) {
    return BadField(field + ".fault", absl::StrCat(wire.fault().size(), " bytes"),
                    absl::StrCat("at most ", kMaxFaultBytes));
  }
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

// The slots that an Acquire or a Submit wants: `least` or more.
template <typename Request>
absl::StatusOr<AcquireInput> WantedFromWire(const Request& request, uint32_t least) {
  RETURN_IF_ERROR(CheckRange(request.want_slots(), least, kMaxSlotsPerWorker, "want_slots"));
  RETURN_IF_ERROR(CheckCount(request.known_runs_size(), kMaxKnownRuns, "known_runs"));
  AcquireInput input;
  input.session = request.session();
  input.want_slots = request.want_slots();
  input.known_runs.assign(request.known_runs().begin(), request.known_runs().end());
  if (request.has_after_lease()) input.after_lease = request.after_lease();
  return input;
}

}  // namespace

absl::Status BadField(std::string field, std::string found, std::string expected) {
  return kBadField.At(std::move(field), std::move(found), std::move(expected));
}

absl::StatusOr<JoinInput> FromWire(const v1::JoinRequest& request) {
  RETURN_IF_ERROR(CheckWorker(request.worker(), "worker"));
  RETURN_IF_ERROR(CheckRange(request.slots(), 1, kMaxSlotsPerWorker, "slots"));
  RETURN_IF_ERROR(CheckCount(request.engines_size(), kMaxEngines, "engines"));
  RETURN_IF_ERROR(CheckText(request.build(), 200, "build"));
  JoinInput input;
  input.worker = request.worker();
  input.protocol = request.protocol();
  input.seats = request.slots();
  input.build = request.build();
  input.process = request.process();
  input.instance = request.instance();
  input.labels.insert(request.labels().begin(), request.labels().end());
  constexpr Field kLabels = {
      .name = "labels", .bytes = kMaxLabelBytes, .rule = &book::kIdRule, .entries = kMaxLabels};
  RETURN_IF_ERROR(CheckField(kLabels, input.labels, "labels", kBadField));
  RETURN_IF_ERROR(CheckRange(request.memory_mb(), 0, kMaxMemoryMb, "memory_mb"));
  RETURN_IF_ERROR(CheckRange(request.cores(), 0, kMaxCores, "cores"));
  input.memory_mb = request.memory_mb();
  input.cores = request.cores();
  RETURN_IF_ERROR(CheckCount(request.kinds_size(), kMaxKinds, "kinds"));
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
  return WantedFromWire(request, /*least=*/1);
}

absl::StatusOr<SubmitInput> FromWire(const v1::SubmitRequest& request) {
  RETURN_IF_ERROR(CheckText(request.epoch(), 64, "epoch"));
  RETURN_IF_ERROR(CheckCount(request.games_size(), kMaxGamesPerSubmit, "games"));
  if (request.ByteSizeLong() > kMaxSubmitBytes) {
    return BadField("games", absl::StrCat(request.ByteSizeLong(), " bytes"),
                    absl::StrCat("at most ", kMaxSubmitBytes));
  }
  SubmitInput input;
  ASSIGN_OR_RETURN(input.work, WantedFromWire(request, /*least=*/0));
  input.epoch = request.epoch();
  input.games.reserve(static_cast<size_t>(request.games_size()));
  for (int i = 0; i < request.games_size(); ++i) {
    ASSIGN_OR_RETURN(SubmittedGame game,
                     GameFromWire(request.games(i), absl::StrCat("games[", i, "]")));
    input.games.push_back(std::move(game));
  }
  return input;
}

std::optional<WorkerCost> CostFromWire(const v1::BeatRequest& request) {
  if (!request.has_cost()) return std::nullopt;
  return WorkerCost{.processor_ms = request.cost().processor_ms(),
                    .search_ms = request.cost().search_ms()};
}

absl::StatusOr<std::vector<LeaseProgress>> FromWire(const v1::BeatRequest& request) {
  RETURN_IF_ERROR(CheckCount(request.leases_size(), kMaxBeatLeases, "leases"));
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
  RETURN_IF_ERROR(CheckCount(request.unplayed_size(), kMaxUnplayed, "unplayed"));
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
  if (!wire.has_play()) return BadField("spec.play", "nothing", "rules and limits of play");
  if (!wire.has_policy()) return BadField("spec.policy", "nothing", "a policy");
  RunSpec spec;
  WireReader reader(wire, "spec.", kBadField);
  VisitFields(spec, reader);
  RETURN_IF_ERROR(reader.status());
  RETURN_IF_ERROR(CheckPlay(spec.play, "spec.play.", kBadField));
  return spec;
}

absl::Status Check(const v1::CreateRunRequest& request) {
  if (!request.has_spec()) return BadField("spec", "nothing", "a run's specification");
  return CheckText(request.request_id(), kMaxRunNameBytes, "request_id");
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
  return CheckText(request.reason(), 200, "reason");
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
  RETURN_IF_ERROR(CheckRange(request.priority(), 0, kMaxPriority, "priority"));
  return CheckRange(request.weight(), 0, kMaxWeight, "weight");
}

absl::StatusOr<MoreToPlay> FromWire(const v1::ExtendRunRequest& request) {
  if (request.run() == 0) return BadField("run", "0", "the number of a run");
  RETURN_IF_ERROR(CheckRange(request.games(), 0, kMaxRunGames, "games"));
  RETURN_IF_ERROR(CheckRange(request.seconds(), 0, kMaxRunSeconds, "seconds"));
  if (request.games() == 0 && request.seconds() == 0) {
    return BadField("games", "0", "games or seconds to play");
  }
  RETURN_IF_ERROR(CheckText(request.request_id(), kMaxRunNameBytes, "request_id"));
  return MoreToPlay{request.games(), request.seconds(), request.same_book(), request.request_id()};
}

absl::StatusOr<std::optional<std::vector<Move>>> FromWire(const v1::FreeLinesRequest& request,
                                                          const Rules& rules) {
  if (request.run() == 0) return BadField("run", "0", "the number of a run");
  if (!request.has_line()) return std::optional<std::vector<Move>>();
  RETURN_IF_ERROR(CheckText(request.line(), 8 * kMaxMoves, "line"));
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
  RETURN_IF_ERROR(CheckText(first.file_name(), 1000, "file_name"));
  return CheckRange(first.plies(), 0, kMaxGameMoves, "plies");
}

absl::Status Check(const v1::WatchStatusRequest& request) {
  if (request.interval_ms() == 0) return absl::OkStatus();
  return CheckRange(request.interval_ms(), 200, 60000, "interval_ms");
}

absl::Status Check(const v1::GetPositionRequest& request) {
  return CheckText(request.position(), kMaxStartBytes, "position");
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
