#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "book/play_book.h"
#include "book/stats/series.h"
#include "cli/context.h"
#include "engine/core/rules.h"
#include "worker/play/play_spec.h"
#include "worker/play/player.h"
#include "worker/play/usi/engines_file.h"

namespace joseki::cli {

// One side of a match: an engine with its limits, and a book or none.
struct MatchSide {
  std::string name;                          // as the user wrote it
  worker::PlaySpec play;                     // engine, options, limits, jitter, rules
  std::string engine_name;                   // the engine's own name
  std::optional<worker::EngineEntry> entry;  // from an engines file; none: the embedded engine
  std::shared_ptr<const book::PlayBook> book;
  std::string book_name;
  std::string book_sha256;  // of structure, weights and answers, hex
  book::PlayRules rules;
};

// The start of a pair of games; both sides receive the moves.
struct MatchStart {
  std::string position = "startpos";
  std::vector<Move> line;
};

struct MatchStarts {
  std::string name;  // name of the file; empty: the start position
  std::string sha256;
  std::vector<MatchStart> lines;               // one is drawn for each pair; empty with a book
  std::shared_ptr<const book::PlayBook> book;  // lines are drawn from it, move by move, by share
  book::PlayRules rules;                       // of that book
};

// All settings that decide the games. With `seed` they determine every game of the match, bit for
// bit where engines are deterministic.
struct MatchSettings {
  std::array<MatchSide, 2> sides;  // by book::Side
  MatchStarts starts;
  uint64_t seed = 0;
  book::SeriesRules series;
};

// The settings in the match file's first line, without seed and number of pairs: equal objects mean
// the same match.
Json SettingsJson(const MatchSettings& settings);

// The start of a game and its seed, equal for both games of a pair.
MatchStart StartOf(const Rules& rules, const MatchSettings& settings, const book::SeriesGame& game);
uint64_t SeedOf(const MatchSettings& settings, const book::SeriesGame& game);

// A player for one side. An engine of a file is not started yet.
absl::StatusOr<std::unique_ptr<worker::Player>> MakePlayer(const MatchSide& side,
                                                           const Rules& rules);

// Reads starts, one per line: SFEN or FEN positions, "startpos moves ...", "position sfen ... moves
// ...", or moves alone. Empty lines and lines that begin with # are skipped. Errors have file and
// line.
absl::StatusOr<std::vector<MatchStart>> ParseStarts(const Rules& rules, std::string_view text,
                                                    std::string_view file);

}  // namespace joseki::cli
