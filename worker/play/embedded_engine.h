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
  uint64_t (*signature)() = nullptr;          // of its bench
  std::string (*weights_sha256)() = nullptr;  // of a learned network; empty: it has none
  // Positions that tell engines of the game apart, as text.
  std::span<const char* const> (*bench)() = nullptr;
  // Options of EmbeddedPlayer (worker/play/embedded_player.h).
  absl::StatusOr<std::unique_ptr<Player>> (*make)(
      const std::map<std::string, std::string>& options) = nullptr;
  absl::Status (*check_options)(const std::map<std::string, std::string>& options) = nullptr;
  // The option that tells it what ends the games of a match.
  EngineOption (*rule)(const MatchRules& match) = nullptr;
};

std::span<const EmbeddedEngine> EmbeddedEngines();
// REQUIRES: a game that engine/games.h knows.
const EmbeddedEngine& EmbeddedEngineOf(std::string_view game);

// A player for games of a run or match: its options, and its match's rules where the engine knows
// them.
absl::StatusOr<std::unique_ptr<Player>> MakeEmbedded(const PlaySpec& play);

}  // namespace joseki::worker
