#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "coordinator/store/run_store.h"
#include "engine/core/rules.h"

namespace joseki::coordinator {

// The seal of an archive: sums over its games.
struct ArchiveTotals {
  uint64_t games = 0;  // faults included
  uint64_t first_wins = 0;
  uint64_t second_wins = 0;
  uint64_t draws = 0;
  uint64_t faults = 0;
  uint64_t plies = 0;
  void Add(const GameRow& game);
  bool operator==(const ArchiveTotals&) const = default;
};

// Games of one run as JSON lines (docs/reference/formats.md, "Archives of games"). There is a
// header that identifies the run, a line per game in commit order, and the seal. The seal has the
// totals and the SHA-256 of all lines before it.
struct ArchiveText {
  std::string epoch;  // of the book that accepted the games
  RunId run = 0;
  ArchiveTotals totals;
  std::vector<GameRow> games;
};

// `rules` turns moves into text for readers of other programs; reading uses the packed bits.
std::string WriteArchive(const std::string& epoch, const RunSpec& spec,
                         std::span<const GameRow> games, const Rules& rules);
// DataLoss "bad_archive" with file and line if the text is incomplete, or its seal does not match
// its games.
absl::StatusOr<ArchiveText> ParseArchive(std::string_view text, std::string_view file);

}  // namespace joseki::coordinator
