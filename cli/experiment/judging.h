#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "cli/match/game.h"
#include "engine/core/rules.h"
#include "worker/play/player.h"

// Games of a match, judged by searches of a few of their positions instead of by their results.
//
// A book's gain is on the board soon after the book ends; the rest of a game between equal engines
// is mostly chance. Expected results there vary a tenth to a fifth as much as results do
// (docs/laboratory/tuning.md), so that a few books tell methods apart. They are no proof.
namespace joseki::cli {

// The plies whose positions are searched. A game that ends before the first of them counts by its
// result.
inline constexpr std::array<size_t, 4> kJudgedPlies = {30, 34, 38, 42};

struct Judging {
  std::string file;    // what was found, by position: never searched again
  uint64_t nodes = 0;  // of one search
  int threads = 1;
  // A player for one thread; null: nothing is searched.
  std::function<absl::StatusOr<std::unique_ptr<worker::Player>>()> make_player;
  // Asked between searches; true: stop, and keep what was found.
  std::function<bool()> ended;
};

// The result that A may expect of each game, 0 to 1: the mean over its positions, with the scale of
// runs. Cancelled if `ended` said so, or if a search is missing and none is made. InvalidArgument
// "bad_scores" if the file is none of these nodes; FailedPrecondition "no_scores" if the engine
// gives none.
absl::StatusOr<std::vector<double>> JudgeGames(const Rules& rules, std::span<const MatchGame> games,
                                               const Judging& judging);

}  // namespace joseki::cli
