#include "worker/play/usi/engines_file.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "base/file.h"
#include "base/json.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "book/play_spec.h"
#include "engine/games.h"
#include "nlohmann/json.hpp"
#include "proto/limits.h"

namespace joseki::worker {
namespace {

using Json = nlohmann::json;

// A Join names the embedded engine and at most these.
constexpr size_t kMostEngines = 31;

absl::Status Bad(std::string_view key, std::string found, std::string expected) {
  return MakeProblem({.code = "bad_engines_file",
                      .file = std::string(key),
                      .found = std::move(found),
                      .expected = std::move(expected)});
}

// Reads the keys of one object, all optional, and at the end reports unknown ones. Stops at the
// first problem.
class Keys {
 public:
  Keys(const Json& object, std::string name) : object_(object), name_(std::move(name)) {
    if (!object.is_object()) problem_ = Bad(name_, Quote(object.dump()), "an object");
  }

  void Take(const char* key, std::string& value) {
    if (const Json* json = Find(key)) {
      if (!json->is_string()) return Fail(key, *json, "text");
      value = json->get<std::string>();
    }
  }
  void Take(const char* key, bool& value) {
    if (const Json* json = Find(key)) {
      if (!json->is_boolean()) return Fail(key, *json, "true or false");
      value = json->get<bool>();
    }
  }
  template <typename Number>
  void Take(const char* key, Number& value, uint64_t low, uint64_t high) {
    if (const Json* json = Find(key)) {
      if (!json->is_number_unsigned() || json->get<uint64_t>() < low ||
          json->get<uint64_t>() > high) {
        return Fail(key, *json, absl::StrCat("a whole number, ", low, " to ", high));
      }
      value = static_cast<Number>(json->get<uint64_t>());
    }
  }
  void Take(const char* key, absl::Duration& value) {
    if (const Json* json = Find(key)) {
      if (!json->is_number() || !(json->get<double>() > 0 && json->get<double>() <= 86'400)) {
        return Fail(key, *json, "seconds, above 0 and at most 86400");
      }
      value = absl::Seconds(json->get<double>());
    }
  }
  void Take(const char* key, std::vector<std::string>& value) {
    if (const Json* json = Find(key)) {
      value.clear();
      if (!json->is_array()) return Fail(key, *json, "a list of texts");
      for (const Json& item : *json) {
        if (!item.is_string()) return Fail(key, item, "text");
        value.push_back(item.get<std::string>());
      }
    }
  }
  void Take(const char* key, std::map<std::string, std::string>& value) {
    if (const Json* json = Find(key)) {
      if (!json->is_object()) return Fail(key, *json, "an object of texts");
      for (const auto& [name, text] : json->items()) {
        if (!text.is_string()) return Fail(key, text, "text");
        // A command to an engine is one line.
        if (name.find_first_of("\r\n") != std::string::npos ||
            text.get<std::string>().find_first_of("\r\n") != std::string::npos) {
          return Fail(key, text, "text of one line");
        }
        value[name] = text.get<std::string>();
      }
    }
  }
  const Json* Find(const char* key) {
    if (!problem_.ok()) return nullptr;
    taken_.insert(key);
    const auto at = object_.find(key);
    return at == object_.end() ? nullptr : &*at;
  }
  absl::Status Finish() {
    RETURN_IF_ERROR(problem_);
    for (const auto& item : object_.items()) {
      if (taken_.count(item.key()) == 0) {
        return Bad(name_, absl::StrCat("key ", Quote(item.key())),
                   absl::StrCat("keys of ", absl::StrJoin(taken_, ", ")));
      }
    }
    return absl::OkStatus();
  }
  void Fail(const char* key, const Json& found, std::string expected) {
    problem_ = Bad(absl::StrCat(name_, ".", key), Quote(found.dump()), std::move(expected));
  }

 private:
  const Json& object_;
  const std::string name_;
  std::set<std::string> taken_;
  absl::Status problem_;
};

absl::StatusOr<Dialect> DialectFrom(const Json& json, const std::string& name) {
  const std::string key = absl::StrCat("profiles.", name);
  Keys keys(json, key);
  std::string base = "generic";
  keys.Take("like", base);
  const Dialect* const like = BuiltInDialect(base);
  if (like == nullptr) {
    return Bad(key + ".like", Quote(base), absl::StrJoin(BuiltInDialectNames(), ", "));
  }
  Dialect dialect = *like;
  dialect.name = name;
  keys.Take("game", dialect.game);
  std::string protocol(dialect.protocol->name);
  keys.Take("protocol", protocol);
  keys.Take("ranks_from_one", dialect.ranks_from_one);
  keys.Take("go_time", dialect.go_time);
  keys.Take("go_nodes", dialect.go_nodes);
  keys.Take("go_movetime", dialect.go_movetime);
  keys.Take("go_byoyomi", dialect.go_byoyomi);
  keys.Take("arguments", dialect.arguments);
  keys.Take("restart_for_nodes", dialect.restart_for_nodes);
  keys.Take("hash_options", dialect.hash_options);
  keys.Take("thread_options", dialect.thread_options);
  keys.Take("multipv_options", dialect.multipv_options);
  keys.Take("options", dialect.options);
  std::string exclusion;
  keys.Take("exclusion", exclusion);
  std::string drop_sign(1, dialect.drop_sign);
  keys.Take("drop_sign", drop_sign);
  RETURN_IF_ERROR(keys.Finish());
  dialect.protocol = ProtocolNamed(protocol);
  if (dialect.protocol == nullptr) {
    return Bad(key + ".protocol", Quote(protocol), absl::StrJoin(ProtocolNames(), ", "));
  }
  if (const auto rules = RulesOf(dialect.game); !rules.ok()) {
    return Bad(key + ".game", Quote(dialect.game), absl::StrJoin(GameNames(), " or "));
  }
  if (drop_sign.size() != 1 || !absl::ascii_ispunct(static_cast<unsigned char>(drop_sign[0])) ||
      drop_sign == "+") {
    return Bad(key + ".drop_sign", Quote(drop_sign), "one mark, as * or @; + promotes");
  }
  dialect.drop_sign = drop_sign[0];
  using Exclusion = Dialect::Exclusion;
  const std::map<std::string, Exclusion> exclusions = {{"", dialect.exclusion},
                                                       {"searchmoves", Exclusion::kSearchMoves},
                                                       {"banmoves", Exclusion::kBanMoves},
                                                       {"multipv", Exclusion::kMultiPv},
                                                       {"each", Exclusion::kEach}};
  const auto at = exclusions.find(exclusion);
  if (at == exclusions.end()) {
    return Bad(key + ".exclusion", Quote(exclusion), "searchmoves, banmoves, multipv or each");
  }
  dialect.exclusion = at->second;
  return dialect;
}

std::string PathFrom(const std::string& folder, const std::string& path) {
  return (std::filesystem::path(folder) / path).lexically_normal().string();
}

absl::StatusOr<std::string> ProgramFrom(const std::string& command, const std::string& folder,
                                        std::string_view search_path, const std::string& key) {
  if (command.find('/') != std::string::npos) return PathFrom(folder, command);
  const absl::string_view places(search_path.data(), search_path.size());
  for (const absl::string_view place : absl::StrSplit(places, ':')) {
    const std::string path = absl::StrCat(place, "/", command);
    if (!place.empty() && !command.empty() && access(path.c_str(), X_OK) == 0) return path;
  }
  return Bad(key, Quote(command), "a program of PATH, or a path with a slash");
}

absl::StatusOr<EngineEntry> EntryFrom(const Json& json, const std::string& id,
                                      const std::map<std::string, Dialect>& dialects,
                                      const std::string& folder, std::string_view search_path) {
  const std::string key = absl::StrCat("engines.", id);
  if (!IsId(id) || id == book::kEmbeddedEngine) {
    return Bad("engines", Quote(id), absl::StrCat("an id of ", kIdWords, ", and not \"embedded\""));
  }
  EngineEntry entry;
  entry.id = id;
  Keys keys(json, key);
  std::string command;
  std::vector<std::string> arguments;
  std::string dialect = "generic";
  std::vector<std::string> allow_options;
  keys.Take("command", command);
  keys.Take("arguments", arguments);
  keys.Take("folder", entry.folder);
  keys.Take("profile", dialect);
  keys.Take("options", entry.options);
  keys.Take("weights", entry.weights);
  keys.Take("hash_mb", entry.hash_mb, 1, 1 << 20);
  keys.Take("threads", entry.threads, 1, 1024);
  keys.Take("deterministic", entry.deterministic);
  keys.Take("strict_options", entry.strict_options);
  keys.Take("pin", entry.pin);
  keys.Take("cores", entry.cores, 1, kMaxCores);
  keys.Take("memory_mb", entry.memory_mb, 0, 1 << 30);
  keys.Take("allow_options", allow_options);
  keys.Take("start_seconds", entry.start_limit);
  keys.Take("answer_seconds", entry.reply_limit);
  RETURN_IF_ERROR(keys.Finish());
  ASSIGN_OR_RETURN(const std::string program,
                   ProgramFrom(command, folder, search_path, key + ".command"));
  entry.arguments = {program};
  entry.arguments.insert(entry.arguments.end(), arguments.begin(), arguments.end());
  if (!entry.folder.empty()) entry.folder = PathFrom(folder, entry.folder);
  if (!entry.weights.empty()) entry.weights = PathFrom(folder, entry.weights);
  entry.allow_options = {allow_options.begin(), allow_options.end()};
  if (const auto own = dialects.find(dialect); own != dialects.end()) {
    entry.dialect = own->second;
  } else if (const Dialect* const built_in = BuiltInDialect(dialect)) {
    entry.dialect = *built_in;
  } else {
    return Bad(
        key + ".profile", Quote(dialect),
        absl::StrCat("a profile of this file, or ", absl::StrJoin(BuiltInDialectNames(), ", ")));
  }
  return entry;
}

}  // namespace

absl::StatusOr<EngineEntries> ParseEnginesFile(std::string_view text, const std::string& folder,
                                               std::string_view search_path) {
  // The file may contain comments.
  const Json json = ParseJson<Json>(text, nullptr, JsonComments::kIgnored);
  if (json.is_discarded()) {
    return Bad("", Quote(text), absl::StrCat("a JSON object, at most ", kDeepestJson, " deep"));
  }
  Keys keys(json, "file");
  const Json* const dialects_json = keys.Find("profiles");
  const Json* const engines_json = keys.Find("engines");
  RETURN_IF_ERROR(keys.Finish());
  if (engines_json == nullptr || !engines_json->is_object()) {
    return Bad("engines", engines_json == nullptr ? "nothing" : Quote(engines_json->dump()),
               "an object of engines by id");
  }
  if (engines_json->size() > kMostEngines) {
    return Bad("engines", absl::StrCat(engines_json->size(), " engines"), "at most 31");
  }
  std::map<std::string, Dialect> dialects;
  if (dialects_json != nullptr) {
    if (!dialects_json->is_object()) {
      return Bad("profiles", Quote(dialects_json->dump()), "an object of profiles by name");
    }
    for (const auto& item : dialects_json->items()) {
      ASSIGN_OR_RETURN(dialects[item.key()], DialectFrom(item.value(), item.key()));
    }
  }
  EngineEntries entries;
  for (const auto& item : engines_json->items()) {
    ASSIGN_OR_RETURN(entries[item.key()],
                     EntryFrom(item.value(), item.key(), dialects, folder, search_path));
  }
  return entries;
}

absl::StatusOr<EngineEntries> ReadEnginesFile(const std::string& path) {
  ASSIGN_OR_RETURN(const std::string text, ReadFile(path));
  const char* const search_path = std::getenv("PATH");
  const std::string folder = std::filesystem::absolute(path).parent_path().string();
  absl::StatusOr<EngineEntries> entries =
      ParseEnginesFile(text, folder, search_path == nullptr ? "" : search_path);
  if (entries.ok()) return entries;
  Problem problem = ProblemOf(entries.status());
  problem.file = problem.file.empty() ? path : absl::StrCat(path, " ", problem.file);
  return MakeProblem(std::move(problem));
}

}  // namespace joseki::worker
