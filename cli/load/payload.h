#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/core/outcome.h"
#include "engine/core/rules.h"
#include "engine/core/types.h"

namespace joseki::cli {

// The games of a load test: a book of seeded random lines, and whole legal games through each line
// that a coordinator hands out. They depend on the options alone, so tests with one seed submit the
// same games.
//
// A game is identified by line and variant and made at its first use; Prepare makes those of the
// book's own lines before a clock runs. Lines that pass from one of them to another by a
// transposition are made later, but are few. Thread-safe.
class LoadPayload {
 public:
  struct Options {
    uint64_t seed = 1;
    size_t lines = 6000;  // of the book
    int line_plies = 24;  // of each
    size_t variants = 4;  // different games through one line
    MatchRules match;
  };
  // A whole game from the start position, ended by the rules.
  struct Game {
    std::vector<Move> moves;
    Ending ending;
    mutable std::atomic<bool> used = false;  // whether Take has returned it
  };

  LoadPayload(const Rules& rules, Options options);

  // Draws the book's lines. To be called once, before BookText and Prepare.
  void DrawBook();
  const std::vector<std::vector<Move>>& book() const { return book_; }
  // The book's lines as USI records, one per line of text.
  std::string BookText() const;
  // Makes every game of the book's lines on `threads` threads.
  void Prepare(int threads);

  // The game through a slot's line from `start`; `seed` selects the variant. Null if the rules
  // forbid the line.
  const Game* Take(const std::string& start, std::span<const Move> line, uint64_t seed);

  // The number of different games taken so far.
  uint64_t taken() const;

 private:
  struct Shard {
    std::mutex mutex;
    std::unordered_map<uint64_t, std::unique_ptr<Game>> games;  // by hash of line and variant
  };
  static constexpr size_t kShards = 64;

  std::unique_ptr<Game> Play(const std::string& start, std::span<const Move> line,
                             uint64_t seed) const;
  const Game* Find(const std::string& start, std::span<const Move> line, uint64_t variant);

  const Rules& rules_;
  const Options options_;
  std::vector<std::vector<Move>> book_;
  Shard shards_[kShards];
};

}  // namespace joseki::cli
