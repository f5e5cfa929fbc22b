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

// What a load test plays: a book made of seeded random lines, and for each line that a coordinator
// hands out whole legal games through it. A function of the options alone, so two tests with one
// seed send the same games.
//
// Games are found by line and variant and made when first asked for: Prepare makes those of the
// book's own lines before a clock runs. Lines that transpose between two of them come later, but
// there are few. Thread-safe.
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
    mutable std::atomic<bool> used = false;  // it was taken by Take
  };

  LoadPayload(const Rules& rules, Options options);

  // Draws the book's lines. To be called once, before BookText and Prepare.
  void DrawBook();
  const std::vector<std::vector<Move>>& book() const { return book_; }
  // The lines as USI records, one a line.
  std::string BookText() const;
  // Makes every game of the book's lines, on as many threads.
  void Prepare(int threads);

  // The game through a slot's line from `start`; `seed` chooses the variant. Null if the rules do
  // not allow the line.
  const Game* Take(const std::string& start, std::span<const Move> line, uint64_t seed);

  // Different games taken so far.
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
