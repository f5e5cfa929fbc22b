#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "cli/boards/board_svg.h"
#include "cli/words/phrase.h"
#include "cli/words/voice.h"
#include "engine/core/rules.h"

namespace joseki::cli {

// A game as people see it and speak of it.
struct GameView {
  std::string_view game;
  std::string_view first;   // the side that moves first, as a word within a sentence: "black"
  std::string_view second;  // "white"
  Phrase first_phrase;      // `first` for people
  Phrase second_phrase;
  // The key by which `joseki book similar` compares positions: equal for similar ones; nullopt for
  // bits that are no position.
  std::optional<uint64_t> (*likeness)(const PackedPosition& position);
  // The board on a terminal; empty for bits that are no position.
  std::string (*text)(const PackedPosition& position, const Voice& voice);
  // The board as an SVG element with moves drawn on it; empty for bits that are no position.
  std::string (*svg)(const PackedPosition& position, std::span<const DrawnMove> moves,
                     std::string_view label);
};

// The view of a game: one of the places where a game is chosen. REQUIRES: engine/games.h knows
// `game`.
const GameView& ViewOf(std::string_view game);

// All names of sides in any game, "black" and "white" among them, for options that name a side.
std::vector<std::string> SideWords();
// The side that `word` names in the game of `rules`. InvalidArgument "usage", at `flag`, where the
// game has no such side.
absl::StatusOr<Color> SideNamed(const Rules& rules, std::string_view word, std::string_view flag);

}  // namespace joseki::cli
