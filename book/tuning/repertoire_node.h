#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "base/rng.h"
#include "book/tuning/line_task.h"
#include "book/tuning/repertoire_rules.h"
#include "engine/core/types.h"

namespace joseki::book {

// Knowledge of a repertoire about one position: searches, candidates of our side, and replies of
// the opponent. Counts of trials, samples and nodes are those of trusted sources; a source has the
// number of LineFinding. Not thread-safe.
struct RepertoireNode {
  // A search for our side's move.
  struct Search {
    Move move;
    std::optional<int> centipawns;
    uint64_t nodes = 0;
    uint32_t source = 0;
    bool widened = false;  // the search excluded other candidates
    bool distrusted = false;
  };

  // Scores of trials by source, and the sums over trusted sources.
  struct Tally {
    struct Part {
      uint32_t source = 0;
      double trials = 0;
      double sum = 0;
      double squares = 0;
    };
    double trials = 0;
    double sum = 0;
    double squares = 0;
    std::vector<Part> by_source;  // a source that returns late has another entry

    void Add(double score, uint32_t source);
    // Ignores these sources; replaces the set of the previous call.
    void Distrust(const std::function<bool(uint32_t source)>& distrusted);
    double mean() const { return trials > 0 ? sum / trials : 0; }
  };

  // A move that our side may play.
  struct Candidate {
    Move move;
    std::optional<int> centipawns;
    uint64_t nodes = 0;   // 0: no trusted source has found it
    uint32_t source = 0;  // of its score, if it has nodes
    bool usual = false;   // one of the book's usual moves
    double rarity = 0;    // deduction from its score for being rarely played
    Tally tally;          // of our side's scores

    bool counts() const { return nodes > 0 || usual; }
  };

  // The own moves of one kind of opponent.
  struct Replies {
    // A move and the number of its trusted samples.
    struct Times {
      Move move;
      uint32_t times = 0;
    };
    // A move and the source that saw it.
    struct Seen {
      Move move;
      uint32_t source = 0;
      uint32_t times = 0;
    };
    bool had_book = false;  // and has left it: it remembers other searches than one without
    uint64_t nodes = 0;     // its limit for each move
    uint32_t in_flight = 0;
    uint32_t trusted = 0;  // samples, summed over `moves`
    std::vector<Times> moves;
    std::vector<Seen> all;  // a source that returns late has another entry

    void Add(Move move, uint32_t source);
    // Ignores these sources; replaces the set of the previous call.
    void Distrust(const std::function<bool(uint32_t source)>& distrusted);
    // A move in proportion to its trusted samples; nullopt if there are none.
    std::optional<Move> Sample(Rng& rng) const;

   private:
    void Count(Move move, uint32_t times);
  };

  // The candidate with this move; null if there is none. Valid until candidates are added.
  Candidate* Find(Move move);
  // The candidate with this move; made if there is none.
  Candidate& FindOrAdd(Move move);
  // Replies of an opponent that has searched since this ply of the line, with so many nodes for
  // each move (LineTask). Valid until those of another are asked for.
  Replies& RepliesSince(uint32_t searched_from, uint64_t limit);
  // Counter of tasks of this kind in flight here; null if they are not counted.
  uint32_t* InFlight(const LineTask& task);

  size_t CountingCandidates() const;
  // Trials with all candidates.
  double trials() const;
  // Nodes that an answer here is worth now, by the lines and the trials through it. `patient`: on a
  // line with a patient opponent.
  uint64_t Worth(const RepertoireRules& rules, bool patient) const;
  // Numbers of samples and of candidates that the position deserves now.
  uint32_t WantedSamples(const RepertoireRules& rules, bool patient) const;
  uint32_t WantedCandidates(const RepertoireRules& rules) const;

  Key key;
  PackedPosition packed;
  uint16_t ply = 1;
  uint32_t lines = 0;   // lines with our side to move here
  uint32_t passed = 0;  // lines with the opponent to move here
  uint32_t in_flight = 0;
  uint64_t nodes = 0;  // of the deepest trusted search of all moves
  Move choice;         // of that search; none if it may not be an answer
  std::vector<Search> searches;
  std::vector<Candidate> candidates;
  std::vector<Replies> replies;
};

}  // namespace joseki::book
