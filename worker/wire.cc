#include "worker/wire.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/hash.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "book/play_fields.h"
#include "proto/limits.h"
#include "proto/wire_fields.h"

namespace joseki::worker {
namespace {

constexpr uint64_t kMostArtefactBytes = uint64_t{1} << 40;
constexpr uint32_t kMostStartMs = 60'000;
constexpr uint32_t kMostBeatSeconds = 600;
constexpr uint32_t kMostWaitSeconds = 600;
constexpr uint32_t kMostRetryMs = 600'000;
constexpr uint32_t kMostSpreadMs = 600'000;
constexpr uint32_t kMostAhead = 1 << 16;

constexpr FieldProblems kBadAnswer = {.code = "bad_answer", .status = absl::StatusCode::kDataLoss};

absl::Status Bad(const std::string& field, const std::string& found, const std::string& expected) {
  return kBadAnswer.At(field, found, expected);
}

absl::Status Check(bool good, const std::string& field, uint64_t found,
                   const std::string& expected) {
  return good ? absl::OkStatus() : Bad(field, absl::StrCat(found), expected);
}

std::string PackMoves(std::span<const Move> moves) {
  static_assert(std::endian::native == std::endian::little && sizeof(Move) == 2);
  return {reinterpret_cast<const char*>(moves.data()), 2 * moves.size()};
}

std::string PackScores(std::span<const int16_t> scores) {
  std::string bytes;
  bytes.reserve(2 * scores.size());
  for (const int16_t score : scores) {
    bytes += static_cast<char>(score & 0xff);
    bytes += static_cast<char>(score >> 8 & 0xff);
  }
  return bytes;
}

absl::StatusOr<std::vector<Move>> UnpackMoves(const std::string& field, const std::string& bytes,
                                              size_t most) {
  if (bytes.size() % 2 != 0 || bytes.size() / 2 > most) {
    return Bad(field, absl::StrCat(bytes.size(), " bytes"),
               absl::StrCat("two bytes a move, at most ", most, " moves"));
  }
  std::vector<Move> moves(bytes.size() / 2);
  if (!moves.empty()) std::memcpy(moves.data(), bytes.data(), bytes.size());
  return moves;
}

absl::StatusOr<PlaySpec> FromWire(const v1::PlaySpec& wire) {
  PlaySpec play;
  WireReader reader(wire, "", kBadAnswer);
  VisitFields(play, reader);
  RETURN_IF_ERROR(reader.status());
  if (play.snapshot.empty() == play.re_entry) {
    return Bad("snapshot", absl::StrCat(play.snapshot.size(), " bytes"),
               "32 with re-entry, or none");
  }
  return play;
}

absl::StatusOr<Lease> FromWire(const v1::Lease& wire) {
  Lease lease;
  lease.lease = wire.lease();
  lease.run = wire.run();
  for (const v1::Slot& wire_slot : wire.slots()) {
    Slot slot;
    slot.slot = wire_slot.slot();
    slot.start = wire_slot.start();
    ASSIGN_OR_RETURN(slot.line, UnpackMoves("line", wire_slot.line(), kMaxLineMoves));
    ASSIGN_OR_RETURN(slot.excluded, UnpackMoves("excluded", wire_slot.excluded(), kMaxExcluded));
    slot.seed = wire_slot.seed();
    slot.weights_version = wire_slot.weights_version();
    if (wire_slot.own_side() == v1::SIDE_BLACK) slot.own = Color::kFirst;
    if (wire_slot.own_side() == v1::SIDE_WHITE) slot.own = Color::kSecond;
    // Accept the kinds that this protocol version defines, and no others.
    RETURN_IF_ERROR(Check(v1::SlotKind_IsValid(wire_slot.kind()), "kind",
                          static_cast<uint64_t>(wire_slot.kind()), "0..4"));
    slot.kind = static_cast<SlotKind>(wire_slot.kind());
    const bool searches = slot.kind == SlotKind::kEvaluation || slot.kind == SlotKind::kReply;
    RETURN_IF_ERROR(Check(searches ? wire_slot.nodes() >= 1 && wire_slot.nodes() <= kMaxNodes
                                   : wire_slot.nodes() == 0,
                          "nodes", wire_slot.nodes(),
                          "1..1e9 of an evaluation or a reply, else 0"));
    slot.nodes = wire_slot.nodes();
    RETURN_IF_ERROR(
        Check(slot.kind == SlotKind::kReply ? wire_slot.searched_from() <= slot.line.size()
                                            : wire_slot.searched_from() == 0,
              "searched_from", wire_slot.searched_from(), "at most the line of a reply, else 0"));
    slot.searched_from = wire_slot.searched_from();
    RETURN_IF_ERROR(Check(slot.kind == SlotKind::kTrial
                              ? wire_slot.plies() >= 1 && wire_slot.plies() <= kMaxTrialPlies
                              : wire_slot.plies() == 0,
                          "plies", wire_slot.plies(), "1..500 of a trial, else 0"));
    slot.plies = wire_slot.plies();
    lease.slots.push_back(std::move(slot));
  }
  return lease;
}

}  // namespace

v1::JoinRequest ToWire(const JoinInput& input) {
  v1::JoinRequest wire;
  wire.set_worker(input.worker);
  wire.set_protocol(kProtocol);
  wire.set_slots(input.seats);
  for (const EngineIdentity& engine : input.engines) {
    v1::EngineIdentity& identity = *wire.add_engines();
    identity.set_id(engine.id);
    identity.set_name(engine.name);
    identity.set_signature(engine.signature);
    identity.set_weights_sha256(engine.weights_sha256);
    identity.set_build(engine.build);
    identity.set_game(engine.game);
  }
  wire.set_build(input.build);
  wire.set_process(input.process);
  wire.set_instance(input.instance);
  wire.mutable_labels()->insert(input.labels.begin(), input.labels.end());
  wire.set_memory_mb(input.memory_mb);
  wire.set_cores(input.cores);
  if (input.evaluates) {
    wire.add_kinds(v1::SLOT_KIND_EVALUATION);
    wire.add_kinds(v1::SLOT_KIND_REPLY);
    wire.add_kinds(v1::SLOT_KIND_TRIAL);
  }
  wire.add_kinds(v1::SLOT_KIND_MATCH);
  return wire;
}

v1::AcquireRequest ToWire(SessionId session, const AcquireInput& input) {
  v1::AcquireRequest wire;
  wire.set_session(session);
  wire.set_want_slots(input.want_slots);
  for (const RunId run : input.known_runs) wire.add_known_runs(run);
  if (input.after_lease) wire.set_after_lease(*input.after_lease);
  return wire;
}

v1::SubmitRequest ToWire(SessionId session, const SubmitInput& input) {
  v1::SubmitRequest wire;
  wire.set_session(session);
  wire.set_epoch(input.epoch);
  wire.set_want_slots(input.work.want_slots);
  for (const RunId run : input.work.known_runs) wire.add_known_runs(run);
  if (input.work.after_lease) wire.set_after_lease(*input.work.after_lease);
  for (const FinishedGame& game : input.games) {
    v1::Game& added = *wire.add_games();
    added.set_run(game.run);
    added.set_lease(game.lease);
    added.set_slot(game.slot);
    added.set_moves(PackMoves(game.moves));
    added.set_termination(static_cast<v1::Termination>(game.ending.termination));
    added.set_result(static_cast<v1::Result>(game.ending.result));
    added.set_nodes(game.nodes);
    added.set_think_ms(game.think_ms);
    // Proto strings are UTF-8; an engine's text may be any bytes.
    std::string fault = game.fault.substr(0, kMaxFaultBytes);
    std::replace_if(
        fault.begin(), fault.end(), [](char c) { return c < 0x20 || c >= 0x7f; }, '?');
    added.set_fault(fault);
    if (!game.scores.empty()) added.set_scores(PackScores(game.scores));
    added.set_depth(game.depth);
    if (game.used == std::array<book::SideUse, 2>()) continue;
    for (const book::SideUse& side : game.used) {
      v1::SideUse& use = *added.add_used();
      use.set_moves(side.moves);
      use.set_book_moves(side.book_moves);
      use.set_nodes(side.nodes);
      use.set_micros(side.micros);
    }
  }
  return wire;
}

v1::BeatRequest ToWire(SessionId session, const BeatInput& input) {
  v1::BeatRequest wire;
  wire.set_session(session);
  const auto ms = [](absl::Duration time) {
    return static_cast<uint64_t>(std::max<int64_t>(0, absl::ToInt64Milliseconds(time)));
  };
  if (input.cost.processor > absl::ZeroDuration()) {
    wire.mutable_cost()->set_processor_ms(ms(input.cost.processor));
    wire.mutable_cost()->set_search_ms(ms(std::min(input.cost.search, input.cost.processor)));
  }
  for (const LeaseProgress& progress : input.leases) {
    v1::LeaseProgress& added = *wire.add_leases();
    added.set_lease(progress.lease);
    added.set_plies(progress.plies);
  }
  return wire;
}

v1::LeaveRequest ToWire(SessionId session, std::span<const SlotRef> unplayed) {
  v1::LeaveRequest wire;
  wire.set_session(session);
  for (const SlotRef& slot : unplayed) {
    v1::SlotRef& added = *wire.add_unplayed();
    added.set_lease(slot.lease);
    added.set_slot(slot.slot);
  }
  return wire;
}

absl::StatusOr<Session> FromWire(const v1::JoinResponse& response) {
  RETURN_IF_ERROR(Check(response.session() != 0, "session", 0, "a session's number"));
  if (response.epoch().empty() || response.epoch().size() > 64) {
    return Bad("epoch", Quote(response.epoch()), "1..64 bytes");
  }
  Session session;
  session.session = response.session();
  session.epoch = response.epoch();
  session.beat = absl::Seconds(std::clamp(response.beat_seconds(), 1u, kMostBeatSeconds));
  session.wait = absl::Seconds(std::min(response.wait_seconds(), kMostWaitSeconds));
  session.spread = absl::Milliseconds(std::min(response.spread_ms(), kMostSpreadMs));
  return session;
}

absl::StatusOr<AcquireOutput> FromWire(const v1::AcquireResponse& response) {
  AcquireOutput output;
  size_t slots = 0;
  for (const v1::Lease& wire : response.leases()) {
    ASSIGN_OR_RETURN(Lease lease, FromWire(wire));
    slots += lease.slots.size();
    output.leases.push_back(std::move(lease));
  }
  RETURN_IF_ERROR(Check(slots <= kMaxSlotsPerWorker, "slots", slots,
                        absl::StrCat("at most ", kMaxSlotsPerWorker)));
  for (const v1::RunPlay& run : response.runs()) {
    ASSIGN_OR_RETURN(output.runs[run.run()], FromWire(run.play()));
  }
  output.retry = absl::Milliseconds(std::min(response.retry_ms(), kMostRetryMs));
  output.drain = response.drain();
  output.ahead = std::min(response.ahead(), kMostAhead);
  return output;
}

absl::StatusOr<SubmitOutput> FromWire(const v1::SubmitResponse& response) {
  SubmitOutput output;
  std::vector<GameVerdict>& verdicts = output.verdicts;
  verdicts.reserve(static_cast<size_t>(response.verdicts_size()));
  for (const v1::GameVerdict& wire : response.verdicts()) {
    RETURN_IF_ERROR(
        Check(wire.verdict() >= v1::VERDICT_ACCEPTED && wire.verdict() <= v1::VERDICT_REJECTED,
              "verdict", static_cast<uint64_t>(wire.verdict()), "a verdict"));
    verdicts.push_back({.lease = wire.lease(),
                        .slot = wire.slot(),
                        .verdict = static_cast<Verdict>(wire.verdict()),
                        .reason = wire.reason().substr(0, kMaxFaultBytes)});
  }
  if (response.has_work()) {
    ASSIGN_OR_RETURN(output.work, FromWire(response.work()));
  }
  return output;
}

BeatOutput FromWire(const v1::BeatResponse& response) {
  return {.cancelled = {response.cancelled().begin(), response.cancelled().end()},
          .drain = response.drain(),
          .beat = absl::Seconds(std::min(response.beat_seconds(), kMostBeatSeconds)),
          .spread = absl::Milliseconds(std::min(response.spread_ms(), kMostSpreadMs))};
}

absl::StatusOr<ArtefactManifest> FromWire(const v1::Manifest& wire) {
  ArtefactManifest manifest;
  RETURN_IF_ERROR(
      Check(wire.sha256().size() == sizeof(Sha256), "sha256", wire.sha256().size(), "32 bytes"));
  std::copy(wire.sha256().begin(), wire.sha256().end(), manifest.sha256.begin());
  RETURN_IF_ERROR(Check(wire.size() <= kMostArtefactBytes, "size", wire.size(), "at most 2^40"));
  manifest.size = wire.size();
  manifest.start_after = absl::Milliseconds(std::min(wire.start_after_ms(), kMostStartMs));
  return manifest;
}

}  // namespace joseki::worker
