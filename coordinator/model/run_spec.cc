#include "coordinator/model/run_spec.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/json.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "coordinator/model/match_spec.h"
#include "coordinator/model/opponent_spec.h"
#include "nlohmann/json.hpp"

namespace joseki::coordinator {
namespace {

using Json = nlohmann::json;
using Options = std::map<std::string, std::string>;

constexpr size_t kMaxOptions = 100;
constexpr size_t kMaxOptionBytes = 1000;
constexpr uint64_t kMaxGames = uint64_t{1} << 62;

absl::Status BadRunField(std::string_view key, std::string found, std::string expected) {
  return MakeProblem({.code = "bad_run_spec",
                      .file = std::string(key),
                      .found = std::move(found),
                      .expected = std::move(expected)});
}

// Takes the keys of one JSON object, each once, and at the end finds what was not asked for.
class ObjectReader {
 public:
  ObjectReader(const Json& object, std::string_view name) : object_(object), name_(name) {
    if (!object.is_object()) problem_ = BadRunField(name, "no object", "an object");
  }

  void Take(const char* key, std::string& value) {
    const Json* json = Find(key);
    if (json == nullptr) return;
    if (!json->is_string()) return Fail(key, *json, "text");
    value = json->get<std::string>();
  }
  template <typename T>
  void TakeUnsigned(const char* key, T& value) {
    const Json* json = Find(key);
    if (json == nullptr) return;
    if (!json->is_number_unsigned() || json->get<uint64_t>() > std::numeric_limits<T>::max()) {
      return Fail(key, *json, "a whole number in range");
    }
    value = static_cast<T>(json->get<uint64_t>());
  }
  // Of a key that earlier versions did not write.
  bool Has(const char* key) const { return problem_.ok() && object_.contains(key); }

  void Take(const char* key, double& value) {
    const Json* json = Find(key);
    if (json == nullptr) return;
    if (!json->is_number()) return Fail(key, *json, "a number");
    value = json->get<double>();
  }
  // Of specifications written before the key was: `value` stays.
  void TakeIfThere(const char* key, double& value) {
    if (object_.contains(key)) Take(key, value);
  }
  void Take(const char* key, Options& value) {
    const Json* json = Find(key);
    if (json == nullptr) return;
    if (!json->is_object()) return Fail(key, *json, "an object of texts");
    for (const auto& [name, text] : json->items()) {
      if (!text.is_string()) return Fail(key, text, "text");
      value[name] = text.get<std::string>();
    }
  }
  void Take(const char* key, std::vector<RunId>& value) {
    const Json* json = Find(key);
    if (json == nullptr) return;
    if (!json->is_array()) return Fail(key, *json, "an array of numbers");
    for (const Json& number : *json) {
      if (!number.is_number_unsigned()) return Fail(key, number, "the number of a run");
      value.push_back(number.get<RunId>());
    }
  }
  void Take(const char* key, bool& value) {
    const Json* json = Find(key);
    if (json == nullptr) return;
    if (!json->is_boolean()) return Fail(key, *json, "true or false");
    value = json->get<bool>();
  }
  // A key that rows of an earlier version lack: `value` stays as it is.
  void TakeIfThere(const char* key, bool& value) {
    if (object_.contains(key)) Take(key, value);
  }
  template <typename T>
  void TakeUnsignedIfThere(const char* key, T& value) {
    if (object_.contains(key)) TakeUnsigned(key, value);
  }
  void TakeIfThere(const char* key, std::string& value) {
    if (object_.contains(key)) Take(key, value);
  }
  const Json* Find(const char* key) {
    if (!problem_.ok()) return nullptr;
    taken_.insert(key);
    const auto at = object_.find(key);
    if (at == object_.end()) {
      problem_ = BadRunField(absl::StrCat(name_, ".", key), "nothing", "the key");
      return nullptr;
    }
    return &*at;
  }
  absl::Status Finish() {
    RETURN_IF_ERROR(problem_);
    for (const auto& item : object_.items()) {
      if (taken_.count(item.key()) == 0) {
        return BadRunField(name_, absl::StrCat("key ", Quote(item.key())),
                           "the keys of this version");
      }
    }
    return absl::OkStatus();
  }

 private:
  void Fail(const char* key, const Json& found, std::string expected) {
    problem_ = BadRunField(absl::StrCat(name_, ".", key), Quote(found.dump()), std::move(expected));
  }

  const Json& object_;
  const std::string name_;
  std::set<std::string> taken_;
  absl::Status problem_;
};

absl::Status CheckOptions(std::string_view key, const Options& options) {
  if (options.size() > kMaxOptions) {
    return BadRunField(key, absl::StrCat(options.size(), " entries"), "at most 100");
  }
  for (const auto& [name, value] : options) {
    if (name.empty() || name.size() > kMaxOptionBytes || value.size() > kMaxOptionBytes) {
      return BadRunField(key, Quote(name), "a name and a value of at most 1000 bytes");
    }
  }
  return absl::OkStatus();
}

absl::Status InRange(std::string_view key, uint64_t value, uint64_t low, uint64_t high) {
  if (value >= low && value <= high) return absl::OkStatus();
  return BadRunField(key, absl::StrCat(value), absl::StrCat(low, " to ", high));
}

absl::Status CheckStop(const RunSpec& spec) {
  const StopRules& stop = spec.stop;
  // The comparisons are false for NaN, which is refused so.
  if (!(stop.settling.error >= 0 && stop.settling.error <= 0.5)) {
    return BadRunField("settle_error", absl::StrCat(stop.settling.error),
                       "0 (none is settled) to 0.5");
  }
  if (!(stop.settling.margin >= 0 && stop.settling.margin <= 1)) {
    return BadRunField("settle_margin", absl::StrCat(stop.settling.margin), "0 to 1");
  }
  if (!(stop.least_gain >= 0 && stop.least_gain <= 1)) {
    return BadRunField("stop_gain", absl::StrCat(stop.least_gain), "0 (never) to 1");
  }
  if (stop.least_gain > 0 && !stop.settling.on()) {
    return BadRunField("settle_error", "0",
                       "more than 0, as stop_gain is judged by settle_error's bounds");
  }
  if (!(stop.least_change >= 0 && stop.least_change <= 1)) {
    return BadRunField("stop_change", absl::StrCat(stop.least_change), "0 (never) to 1");
  }
  return absl::OkStatus();
}

Json ExtensionToJson(const Extension& extension) {
  return {{"games", extension.games},           {"seconds", extension.seconds},
          {"after", extension.after},           {"times", extension.times},
          {"regardless", extension.regardless}, {"request_id", extension.request_id}};
}

absl::StatusOr<Extension> ExtensionFromJson(const Json& json) {
  Extension extension;
  ObjectReader reader(json, "extension");
  reader.TakeUnsigned("games", extension.games);
  reader.TakeUnsigned("seconds", extension.seconds);
  reader.TakeUnsigned("after", extension.after);
  reader.TakeUnsigned("times", extension.times);
  reader.Take("regardless", extension.regardless);
  reader.Take("request_id", extension.request_id);
  RETURN_IF_ERROR(reader.Finish());
  return extension;
}

Json TakenOverToJson(const TakenOver& taken) {
  return {{"runs", taken.runs}, {"up_to", taken.up_to}, {"games", taken.games}};
}

absl::StatusOr<TakenOver> TakenOverFromJson(const Json& json) {
  TakenOver taken;
  ObjectReader reader(json, "taken_over");
  reader.Take("runs", taken.runs);
  reader.TakeUnsigned("up_to", taken.up_to);
  reader.TakeUnsigned("games", taken.games);
  RETURN_IF_ERROR(reader.Finish());
  return taken;
}

bool IsEngineId(std::string_view id) {
  return !id.empty() && id.size() <= 64 && std::all_of(id.begin(), id.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '_' || c == '-';
  });
}

}  // namespace

std::string SpecToJson(const RunSpec& spec) {
  const PlaySpec& play = spec.play;
  Json json = {
      {"name", spec.name},
      {"play",
       {{"game", play.game},
        {"engine_id", play.engine_id},
        {"engine_signature", play.engine_signature},
        {"engine_options", Json(play.engine_options)},
        {"nodes", play.nodes},
        {"jitter_percent", play.jitter_percent},
        {"max_plies", static_cast<uint64_t>(play.match.max_plies)},
        {"move_ms", play.move_ms},
        {"resign_below", play.resign.below},
        {"resign_moves", play.resign.moves},
        {"play_on_percent", play.resign.play_on_percent},
        {"keep_scores", play.keep_scores},
        {"engine_name", play.engine_name},
        {"weights_sha256", play.weights_sha256},
        {"declaration", static_cast<uint64_t>(play.match.declaration)},
        {"re_entry", play.re_entry},
        {"re_entry_games", play.re_entry_games}}},
      {"policy", spec.policy},
      {"policy_options", Json(spec.policy_options)},
      {"games", spec.games},
      {"seconds", spec.seconds},
      {"deviation", spec.deviation},
      {"seed", spec.seed},
      {"max_book_plies", spec.max_book_plies},
      {"start", spec.start},
      {"verify_percent", spec.verify_percent},
      {"priority", spec.share.priority},
      {"weight", spec.share.weight},
      {"required_labels", Json(spec.requirements.labels)},
      {"required_memory_mb", spec.requirements.memory_mb},
      {"required_cores", spec.requirements.cores},
      {"prior_nodes", spec.priors.nodes},
      {"prior_positions", spec.priors.positions},
      {"settle_error", spec.stop.settling.error},
      {"settle_margin", spec.stop.settling.margin},
      {"stop_gain", spec.stop.least_gain},
      {"stop_change", spec.stop.least_change},
  };
  if (spec.match) json["match"] = MatchToJson(*spec.match);
  if (spec.take_over) json["take_over"] = true;
  if (spec.taken_over) json["taken_over"] = TakenOverToJson(*spec.taken_over);
  if (spec.extension) json["extension"] = ExtensionToJson(*spec.extension);
  if (play.own_book) json["play"]["own_book"] = BookUseToJson(*play.own_book);
  if (play.opponent) json["play"]["opponent"] = OpponentToJson(*play.opponent);
  // Names are foreign text: what is no UTF-8 is replaced rather than thrown about.
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

absl::StatusOr<RunSpec> SpecFromJson(std::string_view text) {
  const Json json = ParseJson<Json>(text);
  if (json.is_discarded())
    return BadRunField("spec", Quote(text),
                       absl::StrCat("a JSON object, at most ", kDeepestJson, " deep"));
  RunSpec spec;
  ObjectReader run(json, "spec");
  run.Take("name", spec.name);
  run.Take("policy", spec.policy);
  run.Take("policy_options", spec.policy_options);
  run.TakeUnsigned("games", spec.games);
  run.TakeUnsigned("seconds", spec.seconds);
  run.Take("deviation", spec.deviation);
  run.TakeUnsigned("seed", spec.seed);
  run.TakeUnsigned("max_book_plies", spec.max_book_plies);
  run.Take("start", spec.start);
  spec.verify_percent = 0;
  run.TakeIfThere("verify_percent", spec.verify_percent);
  if (run.Has("priority")) {
    run.TakeUnsigned("priority", spec.share.priority);
    run.TakeUnsigned("weight", spec.share.weight);
    run.Take("required_labels", spec.requirements.labels);
    run.TakeUnsigned("required_memory_mb", spec.requirements.memory_mb);
    run.TakeUnsigned("required_cores", spec.requirements.cores);
  }
  run.TakeUnsignedIfThere("prior_nodes", spec.priors.nodes);
  run.TakeUnsignedIfThere("prior_positions", spec.priors.positions);
  run.TakeIfThere("settle_error", spec.stop.settling.error);
  run.TakeIfThere("settle_margin", spec.stop.settling.margin);
  run.TakeIfThere("stop_gain", spec.stop.least_gain);
  run.TakeIfThere("stop_change", spec.stop.least_change);
  if (run.Has("match")) {
    ASSIGN_OR_RETURN(spec.match, MatchFromJson(*run.Find("match")));
  }
  run.TakeIfThere("take_over", spec.take_over);
  if (run.Has("taken_over")) {
    ASSIGN_OR_RETURN(spec.taken_over, TakenOverFromJson(*run.Find("taken_over")));
  }
  if (run.Has("extension")) {
    ASSIGN_OR_RETURN(spec.extension, ExtensionFromJson(*run.Find("extension")));
  }
  const Json* play_json = run.Find("play");
  RETURN_IF_ERROR(run.Finish());
  ObjectReader play(*play_json, "play");
  play.Take("game", spec.play.game);
  play.Take("engine_id", spec.play.engine_id);
  play.TakeUnsigned("engine_signature", spec.play.engine_signature);
  play.Take("engine_options", spec.play.engine_options);
  play.TakeUnsigned("nodes", spec.play.nodes);
  play.TakeUnsigned("jitter_percent", spec.play.jitter_percent);
  uint16_t max_plies = 0;
  play.TakeUnsigned("max_plies", max_plies);
  uint8_t declaration = 0;
  play.TakeUnsigned("declaration", declaration);
  play.TakeIfThere("re_entry", spec.play.re_entry);
  play.TakeUnsignedIfThere("re_entry_games", spec.play.re_entry_games);
  play.TakeUnsignedIfThere("move_ms", spec.play.move_ms);
  play.TakeUnsignedIfThere("resign_below", spec.play.resign.below);
  play.TakeUnsignedIfThere("resign_moves", spec.play.resign.moves);
  play.TakeUnsignedIfThere("play_on_percent", spec.play.resign.play_on_percent);
  play.TakeIfThere("keep_scores", spec.play.keep_scores);
  play.TakeIfThere("engine_name", spec.play.engine_name);
  play.TakeIfThere("weights_sha256", spec.play.weights_sha256);
  if (play.Has("own_book")) {
    ASSIGN_OR_RETURN(spec.play.own_book, BookUseFromJson(*play.Find("own_book")));
  }
  if (play.Has("opponent")) {
    ASSIGN_OR_RETURN(spec.play.opponent, OpponentFromJson(*play.Find("opponent")));
  }
  RETURN_IF_ERROR(play.Finish());
  spec.play.match.max_plies = max_plies;
  RETURN_IF_ERROR(InRange("declaration", declaration, 0, static_cast<uint64_t>(Declaration::k24)));
  spec.play.match.declaration = static_cast<Declaration>(declaration);
  return spec;
}

Budget AskedBudget(const RunSpec& spec) {
  if (spec.extension) return {spec.extension->games, spec.extension->seconds};
  return {spec.games, spec.seconds};
}

std::string EvidenceProfile(const RunSpec& spec) {
  RunSpec profile;
  profile.play = spec.play;
  profile.play.snapshot.clear();
  profile.start = spec.start;
  return SpecToJson(profile);
}

absl::Status CheckSpec(const Rules& rules, const RunSpec& spec) {
  const PlaySpec& play = spec.play;
  if (spec.name.size() > 100) {
    return BadRunField("name", absl::StrCat(spec.name.size(), " bytes"), "at most 100 bytes");
  }
  if (play.game != rules.game()) {
    return BadRunField("game", Quote(play.game), Quote(rules.game()));
  }
  if (!IsEngineId(play.engine_id)) {
    return BadRunField("engine_id", Quote(play.engine_id), "1 to 64 of a-z 0-9 . _ -");
  }
  RETURN_IF_ERROR(CheckOptions("engine_options", play.engine_options));
  RETURN_IF_ERROR(CheckOptions("policy_options", spec.policy_options));
  RETURN_IF_ERROR(InRange("move_ms", play.move_ms, 0, 600'000));
  const bool timed = play.move_ms > 0;
  RETURN_IF_ERROR(InRange("nodes", play.nodes, timed ? 0 : 1, timed ? 0 : 1'000'000'000));
  const ResignRule& resign = play.resign;
  const bool resigns = resign.below > 0;
  RETURN_IF_ERROR(InRange("resign_below", resign.below, 0, 32'000));
  RETURN_IF_ERROR(InRange("resign_moves", resign.moves, resigns ? 1 : 0, resigns ? 100 : 0));
  RETURN_IF_ERROR(InRange("play_on_percent", resign.play_on_percent, 0, 100));
  if (resigns && !play.keep_scores) {
    return BadRunField("keep_scores", "false", "true, as resign_below is judged by scores");
  }
  RETURN_IF_ERROR(InRange("jitter_percent", play.jitter_percent, 0, 90));
  if (play.match.max_plies < 1 || play.match.max_plies > 2000) {
    return BadRunField("max_plies", absl::StrCat(play.match.max_plies), "1 to 2000");
  }
  RETURN_IF_ERROR(InRange("declaration", static_cast<uint64_t>(play.match.declaration), 0,
                          static_cast<uint64_t>(Declaration::k24)));
  RETURN_IF_ERROR(InRange("re_entry_games", play.re_entry_games, play.re_entry ? 1 : 0,
                          play.re_entry ? 1'000'000'000 : 0));
  RETURN_IF_ERROR(CheckMatch(spec));
  RETURN_IF_ERROR(CheckOpponent(play, spec.match.has_value()));
  if (!play.snapshot.empty()) {
    return BadRunField("snapshot", absl::StrCat(play.snapshot.size(), " bytes"),
                       "nothing: the book is frozen when the run is created");
  }
  if (spec.taken_over) {
    return BadRunField("taken_over", "runs",
                       "nothing: what is there is found when the run is created");
  }
  if (spec.extension) {
    return BadRunField("extension", "an extension", "nothing: a run is extended when it is there");
  }
  RETURN_IF_ERROR(InRange("games", spec.games, 0, kMaxGames));
  RETURN_IF_ERROR(InRange("seconds", spec.seconds, 0, kMaxGames / 1000));
  RETURN_IF_ERROR(InRange("max_book_plies", spec.max_book_plies, 0, 500));
  if (!(spec.deviation >= 0 && spec.deviation <= 1)) {
    return BadRunField("deviation", absl::StrCat(spec.deviation), "0 to 1");
  }
  if (!(spec.verify_percent >= 0 && spec.verify_percent <= 100)) {
    return BadRunField("verify_percent", absl::StrCat(spec.verify_percent), "0 to 100");
  }
  RETURN_IF_ERROR(CheckStop(spec));
  if (auto start = rules.Start(spec.start, play.match); !start.ok()) return start.status();
  RETURN_IF_ERROR(InRange("priors.nodes", spec.priors.nodes, 0, 1'000'000'000));
  ASSIGN_OR_RETURN(const std::shared_ptr<const book::Policy> policy, PolicyOf(spec));
  if (!spec.priors.wanted()) {
    if (spec.priors.positions > 0) {
      return BadRunField("priors.positions", absl::StrCat(spec.priors.positions),
                         "0 without priors.nodes");
    }
  } else if (play.opponent) {
    return BadRunField("priors", "evaluations in a run against an opponent",
                       "none: a search is of no side's book");
  } else if (policy->estimator() == nullptr) {
    return BadRunField("priors", absl::StrCat("evaluations for policy ", spec.policy),
                       "a policy that uses evaluations, as default and graph-puct do");
  }
  if (spec.stop.least_change > 0 && policy->stages().empty()) {
    return BadRunField("stop_change", absl::StrCat(spec.stop.least_change),
                       absl::StrCat("0: ", spec.policy, " has no stages"));
  }
  return absl::OkStatus();
}

absl::StatusOr<std::shared_ptr<const book::Policy>> PolicyOf(const RunSpec& spec) {
  ASSIGN_OR_RETURN(std::unique_ptr<const book::Policy> policy,
                   book::MakePolicy(spec.policy, spec.policy_options));
  if (!policy->stages().empty() && spec.games > 0 && spec.policy_options.count("games") == 0 &&
      spec.policy_options.count("total_games") == 0) {
    Options options = spec.policy_options;
    options["total_games"] = absl::StrCat(spec.games);
    return book::MakePolicy(spec.policy, options);
  }
  return policy;
}

}  // namespace joseki::coordinator
