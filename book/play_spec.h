#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "book/play_book.h"
#include "engine/core/outcome.h"
#include "engine/core/resignation.h"

// Settings of a run's games, known to coordinator and worker. book/play_fields.h has the table of
// the fields.
namespace joseki::book {

// Id of the engine that is built into every worker.
inline constexpr char kEmbeddedEngine[] = "embedded";

// The opponent that a run's book is tuned against, or that a match's own side plays. The opponent
// plays from its own book while that has a move, and by its own engine afterwards.
struct Opponent {
  // The side that plays the run's book; under kBoth the sides alternate.
  enum class Side : uint8_t { kBlack = 1, kWhite = 2, kBoth = 3 };
  Side side = Side::kBoth;
  std::string book;  // SHA-256 of a shipped book (book/play_book.h), 32 bytes; empty: no book
  PlayRules rules;   // deviation and max_plies apply to matches only
  std::string engine_id = kEmbeddedEngine;  // this and all below as in PlaySpec
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

// The rules and limits that all games of a run share.
struct PlaySpec {
  std::string game = "shogi";
  std::string engine_id = kEmbeddedEngine;
  uint64_t engine_signature = 0;
  std::map<std::string, std::string> engine_options;
  uint64_t nodes = 0;
  uint32_t move_ms = 0;  // time limit, ms; used instead of nodes, which is then 0
  uint32_t jitter_percent = 0;
  MatchRules match;
  bool re_entry = false;        // games follow the book again after transposing back into it
  uint32_t re_entry_games = 0;  // games between two versions of the weights; only without stages
  std::string snapshot;         // SHA-256 of the book, 32 bytes; set only in messages to workers
  ResignRule resign;
  bool keep_scores = false;
  std::string engine_name;           // empty: any
  std::string weights_sha256;        // empty: any
  std::optional<Opponent> opponent;  // of a run with re-entry, or of a match
  std::optional<BookUse> own_book;   // of a match: the book that A plays from; nullopt: engine only
  bool operator==(const PlaySpec&) const = default;
};

}  // namespace joseki::book
