#pragma once

#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "nlohmann/json.hpp"

namespace joseki {

// The state of a training (joseki-engine learn train, learn moves) on disk: one line of JSON whose
// "settings" is the hash of all that the result depends on, then the learner's own bytes.
struct LearnState {
  nlohmann::ordered_json head;
  std::string learner;
};

std::string HashOfSettings(const nlohmann::ordered_json& settings);

// The SHA-256 of each file, in hexadecimal digits.
absl::StatusOr<nlohmann::ordered_json> HashesOf(const std::vector<std::string>& files);

// "other_settings" unless the state at `path` was made by a command of the same settings.
absl::Status CheckSettings(const std::string& path, const std::string& have,
                           const std::string& want);

// Replaces the file. `head` gets the settings.
absl::Status WriteLearnState(const std::string& path, const std::string& settings,
                             nlohmann::ordered_json head, const std::string& learner);

// The state at `path`, none if there is no such file. "bad_training_state" for another file,
// "other_settings" for the state of other settings.
absl::StatusOr<std::optional<LearnState>> ReadLearnState(const std::string& path,
                                                         const std::string& settings);

}  // namespace joseki
