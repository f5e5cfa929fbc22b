#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "book/play_book.h"
#include "engine/core/outcome.h"
#include "engine/core/resignation.h"
#include "engine/core/types.h"

// A game to be played, as plain values: its rules and limits, and what one slot of it asks for.
// Workers are told them by their coordinator, matches and expansion make their own.
namespace joseki::worker {

struct EngineIdentity {
  std::string id;
  std::string name;
  uint64_t signature = 0;
  std::string weights_sha256;
  std::string build;
};

// Against whom a run's book plays. It plays from its own book while that says something, then by
// its own engine.
struct Opponent {
  std::string book;  // SHA-256 of a shipped book (book/play_book.h), 32 bytes; empty: none
  book::PlayRules rules;
  std::string engine_id;  // this and the rest as in PlaySpec
  uint64_t engine_signature = 0;
  std::map<std::string, std::string> engine_options;
  uint64_t nodes = 0;
  uint32_t move_ms = 0;
  std::string engine_name;
  std::string weights_sha256;
  bool operator==(const Opponent&) const = default;
};

// A shipped book, and how a side of a match plays from it.
struct BookUse {
  std::string sha256;  // 32 bytes
  book::PlayRules rules;
  bool operator==(const BookUse&) const = default;
};

// The rules and limits that every game of a run shares.
struct PlaySpec {
  std::string game = "shogi";
  std::string engine_id = "embedded";
  uint64_t engine_signature = 0;
  std::map<std::string, std::string> engine_options;
  uint64_t nodes = 0;
  uint32_t move_ms = 0;  // a time limit instead of nodes, which are 0 then
  uint32_t jitter_percent = 0;
  MatchRules match;
  bool re_entry = false;  // follow the book again where the game transposes back into it
  std::string snapshot;   // that book's SHA-256, 32 bytes; empty without re-entry
  ResignRule resign;
  bool keep_scores = false;
  std::string engine_name;           // empty: any
  std::string weights_sha256;        // empty: any
  std::optional<Opponent> opponent;  // with re-entry, or of a match
  std::optional<BookUse> own_book;   // of a match: what the run's own side plays from
};

// What a slot asks for. Values are those of the wire.
enum class SlotKind : uint8_t {
  kGame = 0,
  kEvaluation = 1,  // one search of the position at the end of the line
  kMatch = 2,       // a game of a match: both sides play from their books
};

// A piece of work. With its run's PlaySpec it determines what comes back bit for bit.
struct Slot {
  uint32_t slot = 0;
  std::string start;
  std::vector<Move> line;
  std::vector<Move> excluded;
  uint64_t seed = 0;
  uint32_t weights_version = 0;   // by which the book answers on re-entry
  std::optional<Color> own = {};  // against an opponent: the side of the run's book
  SlotKind kind = SlotKind::kGame;
  uint64_t nodes = 0;  // of an evaluation's search
};

}  // namespace joseki::worker
