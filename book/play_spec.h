#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "book/play_book.h"
#include "engine/core/outcome.h"
#include "engine/core/resignation.h"

// Settings of a run's games, known to coordinator and worker. The table of the fields is in
// book/play_fields.h.
namespace joseki::book {

// The engine that stands in every worker.
inline constexpr char kEmbeddedEngine[] = "embedded";

// The opponent that a run's book is tuned against, or that a match's own side plays. It plays from
// its own book while that has a move, then by its own engine.
struct Opponent {
  // The side that the run's book has; of kBoth, each in turn.
  enum class Side : uint8_t { kBlack = 1, kWhite = 2, kBoth = 3 };
  Side side = Side::kBoth;
  std::string book;  // SHA-256 of a shipped book (book/play_book.h), 32 bytes; empty: it has none
  PlayRules rules;   // deviation and max_plies of a match only
  std::string engine_id = kEmbeddedEngine;  // this and the rest as in PlaySpec
  uint64_t engine_signature = 0;
  std::map<std::string, std::string> engine_options;
  uint64_t nodes = 0;
  uint32_t move_ms = 0;
  std::string engine_name;
  std::string weights_sha256;
  bool operator==(const Opponent&) const = default;
};

// A shipped book (book/play_book.h), and how a side of a match plays from it.
struct BookUse {
  std::string sha256;  // 32 bytes
  PlayRules rules;
  bool operator==(const BookUse&) const = default;
};

// The rules and limits that every game of a run shares.
struct PlaySpec {
  std::string game = "shogi";
  std::string engine_id = kEmbeddedEngine;
  uint64_t engine_signature = 0;
  std::map<std::string, std::string> engine_options;
  uint64_t nodes = 0;
  uint32_t move_ms = 0;  // a time limit instead of nodes, which are 0 then
  uint32_t jitter_percent = 0;
  MatchRules match;
  bool re_entry = false;        // games follow the book again where they transpose back into it
  uint32_t re_entry_games = 0;  // without stages: the number of games between versions of the
                                // weights
  std::string snapshot;         // the book's SHA-256, 32 bytes; only in what workers are told
  ResignRule resign;
  bool keep_scores = false;
  std::string engine_name;           // empty: any
  std::string weights_sha256;        // empty: any
  std::optional<Opponent> opponent;  // with re-entry, or of a match
  std::optional<BookUse> own_book;   // of a match: what A plays from; none: its engine alone
  bool operator==(const PlaySpec&) const = default;
};

}  // namespace joseki::book
