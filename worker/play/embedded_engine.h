#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "absl/status/statusor.h"
#include "worker/play/play_spec.h"
#include "worker/play/player.h"

namespace joseki::worker {

using EngineOption = std::pair<std::string, std::string>;  // name, value

// This project's engine for one game.
struct EmbeddedEngine {
  std::string_view game;
  uint64_t (*signature)() = nullptr;          // signature of its bench
  std::string (*weights_sha256)() = nullptr;  // hash of its learned network; empty: it has none
  // Positions that tell engines of the game apart, as text.
  std::span<const char* const> (*bench)() = nullptr;
  // Options of EmbeddedPlayer (worker/play/embedded_player.h).
  absl::StatusOr<std::unique_ptr<Player>> (*make)(
      const std::map<std::string, std::string>& options) = nullptr;
  absl::Status (*check_options)(const std::map<std::string, std::string>& options) = nullptr;
  // The option that sets the match's rules of the end of a game.
  EngineOption (*rule)(const MatchRules& match) = nullptr;
};

std::span<const EmbeddedEngine> EmbeddedEngines();
// REQUIRES: engine/games.h knows `game`.
const EmbeddedEngine& EmbeddedEngineOf(std::string_view game);

// A player for games of a run or match, with its options and those of its rules that the engine
// supports.
absl::StatusOr<std::unique_ptr<Player>> MakeEmbedded(const PlaySpec& play);

}  // namespace joseki::worker
