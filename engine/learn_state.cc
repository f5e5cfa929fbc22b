#include "engine/learn_state.h"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/json.h"
#include "base/problem.h"
#include "base/status_macros.h"

namespace joseki {

using Json = nlohmann::ordered_json;

std::string HashOfSettings(const Json& settings) { return Hex(Sha256Of(settings.dump())); }

absl::StatusOr<Json> HashesOf(const std::vector<std::string>& files) {
  Json hashes = Json::array();
  for (const std::string& path : files) {
    ASSIGN_OR_RETURN(const Sha256 hash, HashOfFile(path));
    hashes.push_back(Hex(hash));
  }
  return hashes;
}

absl::Status CheckSettings(const std::string& path, const std::string& have,
                           const std::string& want) {
  if (have == want) return absl::OkStatus();
  return MakeProblem({.code = "other_settings",
                      .file = path,
                      .found = "the state of a command with other settings or files",
                      .expected = "the same ones to go on, or another file"},
                     absl::StatusCode::kFailedPrecondition);
}

absl::Status WriteLearnState(const std::string& path, const std::string& settings, Json head,
                             const std::string& learner) {
  head["settings"] = settings;
  return WriteFileAtomically(path, absl::StrCat(head.dump(), "\n", learner));
}

absl::StatusOr<std::optional<LearnState>> ReadLearnState(const std::string& path,
                                                         const std::string& settings) {
  const absl::StatusOr<std::string> bytes = ReadFile(path);
  if (absl::IsNotFound(bytes.status())) return std::optional<LearnState>();
  RETURN_IF_ERROR(bytes.status());
  const size_t end = std::min(bytes->find('\n'), bytes->size());
  LearnState state;
  state.head = ParseJson<Json>(std::string_view(*bytes).substr(0, end));
  if (!state.head.is_object() || !state.head.contains("settings") ||
      !state.head["settings"].is_string()) {
    return MakeProblem({.code = "bad_training_state",
                        .file = path,
                        .line = 1,
                        .expected = "a line with the settings of a training"});
  }
  RETURN_IF_ERROR(CheckSettings(path, state.head["settings"].get<std::string>(), settings));
  state.learner = bytes->substr(std::min(end + 1, bytes->size()));
  return std::optional(std::move(state));
}

}  // namespace joseki
