#include "worker/play/usi/engine_set.h"

#include <sched.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "engine/core/resignation.h"
#include "engine/games.h"
#include "worker/play/usi/usi_player.h"

namespace joseki::worker {
namespace {

constexpr uint32_t kTryMs = 100;  // of a search by time

// A hash of the engine's choices at the positions, each as a game of its own.
absl::StatusOr<uint64_t> SignatureOf(UsiPlayer& player, const Rules& rules,
                                     std::span<const char* const> positions) {
  std::string decisions;
  Limits limits;
  limits.nodes = kUsiSignatureNodes;
  for (const char* const position : positions) {
    RETURN_IF_ERROR(player.NewGame(0));
    ASSIGN_OR_RETURN(const Choice choice, player.Choose({position, {}}, limits));
    absl::StrAppend(&decisions, static_cast<int>(choice.kind), " ", rules.Text(choice.move), " ",
                    choice.words, " ", choice.score, " ", choice.nodes, "\n");
  }
  // Like the bench signature, it fits a JSON number, and 0 means none.
  constexpr uint64_t kMask = (uint64_t{1} << 48) - 1;
  return std::max<uint64_t>(1, Hash64(decisions) & kMask);
}

UsiPlayer::Options SignatureOptions(const std::function<void(const std::string&)>& note) {
  UsiPlayer::Options options;
  options.nodes = kUsiSignatureNodes;
  options.note = note;
  return options;
}

// Has the engine search the start of a game, so that one that cannot is found before any game is
// handed out.
absl::Status TryOut(UsiPlayer& player, const EngineEntry& entry, const Rules& rules,
                    const char* position, const std::function<void(const std::string&)>& note) {
  Limits limits;
  limits.nodes = kUsiSignatureNodes;
  if (!GoLine(entry.dialect, limits).ok()) {
    limits.nodes = 0;
    limits.move_ms = kTryMs;
  }
  RETURN_IF_ERROR(player.NewGame(0));
  ASSIGN_OR_RETURN(const Choice choice, player.Choose({position, {}}, limits));
  const auto say = [&](const char* oddity) {
    if (note) note(absl::StrCat("engine=", entry.id, " ", oddity));
  };
  if (choice.kind != Choice::Kind::kMove) {
    say("resigns_at_the_start");
    return absl::OkStatus();
  }
  ASSIGN_OR_RETURN(const std::unique_ptr<GameState> state, rules.Start(position, MatchRules{}));
  if (!state->Play(choice.move)) {
    return MakeProblem(
        {.code = "illegal_move",
         .found = choice.words.empty() ? rules.Text(choice.move) : Quote(choice.words),
         .expected = "a legal move at the start"});
  }
  if (choice.score == kNoScore) say("gives_no_scores");
  return absl::OkStatus();
}

std::vector<int> UsableCoreList() {
  std::vector<int> cores;
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) != 0) return cores;
  for (int core = 0; core < CPU_SETSIZE; ++core) {
    if (CPU_ISSET(static_cast<size_t>(core), &set)) cores.push_back(core);
  }
  return cores;
}

std::string IdentityWords(const EngineIdentity& identity) {
  return absl::StrCat(identity.id, " ", Quote(identity.name), ", signature ", identity.signature,
                      ", weights ",
                      identity.weights_sha256.empty() ? "none" : identity.weights_sha256);
}

}  // namespace

absl::StatusOr<EngineIdentity> Identify(const EngineEntry& entry, const Rules& rules,
                                        std::span<const char* const> positions,
                                        const std::function<void(const std::string&)>& note) {
  EngineIdentity identity;
  identity.id = entry.id;
  identity.game = entry.dialect.game;
  if (!entry.weights.empty()) {
    ASSIGN_OR_RETURN(const std::string weights, ReadFile(entry.weights));
    identity.weights_sha256 = Hex(Sha256Of(weights));
  }
  UsiPlayer player(entry, SignatureOptions(note), rules);
  RETURN_IF_ERROR(At(player.Start(), entry.id));
  // Proto strings are UTF-8, and log entries are lines.
  for (const char c : player.name()) identity.name += c >= ' ' && c < 0x7f ? c : '?';
  RETURN_IF_ERROR(At(TryOut(player, entry, rules, positions.front(), note), entry.id));
  if (!entry.deterministic) return identity;
  const auto say = [&](const std::string& why) {
    if (note) note(absl::StrCat("engine=", entry.id, " not_deterministic reason=", why));
  };
  if (!GoLine(entry.dialect, {.nodes = kUsiSignatureNodes}).ok()) {
    say("it takes no node limit");
    return identity;
  }
  UsiPlayer second(entry, SignatureOptions(nullptr), rules);
  std::vector<uint64_t> signatures;
  for (UsiPlayer* const who : {&player, &player, &second}) {
    ASSIGN_OR_RETURN(const uint64_t signature, SignatureOf(*who, rules, positions));
    signatures.push_back(signature);
  }
  if (signatures[0] == signatures[1] && signatures[0] == signatures[2]) {
    identity.signature = signatures[0];
  } else {
    say(signatures[0] == signatures[1] ? "another process decides otherwise"
                                       : "a second game decides otherwise");
  }
  return identity;
}

absl::Status CheckRun(const EngineEntry& entry, const PlaySpec& play) {
  if (play.game != entry.dialect.game) {
    return MakeProblem({.code = "other_game",
                        .file = entry.id,
                        .found = "an engine of " + entry.dialect.game,
                        .expected = "one of " + play.game});
  }
  for (const auto& [name, value] : play.engine_options) {
    const bool one_line = (name + value).find_first_of("\r\n") == std::string::npos;
    if (one_line && entry.allow_options.count(name) > 0) continue;
    return MakeProblem({.code = "option_not_allowed",
                        .file = entry.id,
                        .found = Quote(name),
                        .expected = "an option that allow_options of the engines file names"});
  }
  return GoLine(entry.dialect, {.nodes = play.nodes, .move_ms = play.move_ms}).status();
}

void EngineSet::Add(EngineEntry entry, EngineIdentity identity) {
  const std::string id = entry.id;
  engines_[id] = {std::move(entry), std::move(identity)};
}

std::vector<EngineIdentity> EngineSet::identities() const {
  std::vector<EngineIdentity> identities;
  for (const auto& [id, known] : engines_) identities.push_back(known.identity);
  return identities;
}

absl::StatusOr<std::unique_ptr<Player>> EngineSet::MakePlayer(const PlaySpec& play,
                                                              size_t seat) const {
  const auto at = engines_.find(play.engine_id);
  if (at == engines_.end() || play.game != at->second.entry.dialect.game) {
    return MakeProblem({.code = "unknown_engine",
                        .found = Quote(play.game + " " + play.engine_id),
                        .expected = "an engine that this worker has"});
  }
  const EngineEntry& entry = at->second.entry;
  const EngineIdentity& identity = at->second.identity;
  const bool other =
      (play.engine_signature != 0 && play.engine_signature != identity.signature) ||
      (!play.engine_name.empty() && play.engine_name != identity.name) ||
      (!play.weights_sha256.empty() && play.weights_sha256 != identity.weights_sha256);
  if (other) {
    EngineIdentity wanted = identity;
    if (play.engine_signature != 0) wanted.signature = play.engine_signature;
    if (!play.engine_name.empty()) wanted.name = play.engine_name;
    if (!play.weights_sha256.empty()) wanted.weights_sha256 = play.weights_sha256;
    return MakeProblem(
        {.code = "engine", .found = IdentityWords(identity), .expected = IdentityWords(wanted)},
        absl::StatusCode::kFailedPrecondition);
  }
  RETURN_IF_ERROR(CheckRun(entry, play));
  UsiPlayer::Options options;
  options.run_options = play.engine_options;
  options.nodes = play.nodes;
  options.jitter_percent = play.jitter_percent;
  options.note = note_;
  if (!stderr_folder_.empty()) {
    options.stderr_path = absl::StrCat(stderr_folder_, "/", entry.id, "-", seat, ".stderr");
  }
  if (entry.pin) options.cores = CoresOfSeat(UsableCoreList(), seat, entry.cores);
  ASSIGN_OR_RETURN(const Rules* const rules, RulesOf(play.game));
  return std::make_unique<UsiPlayer>(entry, std::move(options), *rules);
}

std::vector<int> CoresOfSeat(const std::vector<int>& usable, size_t seat, size_t cores) {
  std::vector<int> chosen;
  if (usable.empty()) return chosen;
  const size_t count = std::min(cores, usable.size());
  for (size_t i = 0; i < count; ++i) {
    chosen.push_back(usable[(seat * cores + i) % usable.size()]);
  }
  return chosen;
}

}  // namespace joseki::worker
