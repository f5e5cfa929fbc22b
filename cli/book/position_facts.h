#pragma once

#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "book/database/book_sources.h"
#include "book/database/book_store.h"
#include "book/database/store.h"
#include "cli/context.h"
#include "coordinator/offline/exporter.h"
#include "engine/core/rules.h"

namespace joseki::cli {

// Facts that a book holds of a position beside the evidence of its moves. They are the sources of
// that evidence, the counts with colours exchanged, and the book moves that lead here and onward.
struct PositionFacts {
  // A move that leads to another position of the book.
  struct Onward {
    Move move;
    int ply = 0;         // the smallest at which that position occurred
    size_t answers = 0;  // number of the book's moves there
  };
  // A book move that leads here.
  struct Inward {
    PackedPosition from;
    int ply = 0;
    Move move;
  };
  // The games of a move by the colour that played it, here and in the position's images.
  struct ByColour {
    Move move;               // as played here
    book::MoveCounts first;  // each from the side that moved
    book::MoveCounts second;
    // The p-value of equal scores: chi-square, one degree of freedom, decided games. nullopt where
    // there are too few.
    std::optional<double> chance;
  };

  std::vector<book::MoveSource> sources;
  std::vector<std::pair<Move, std::string>> notes;
  std::vector<Move> forbidden;
  std::vector<Onward> onward;
  std::vector<ByColour> by_colour;  // with `fold`
  std::vector<Inward> inward;       // with `transpositions`
};

// Collects the facts. `fold` adds the counts of the position's images, from the games of `run` if
// that is not null; `transpositions` reads the whole book.
absl::StatusOr<PositionFacts> FactsOf(book::Store& store, const Rules& rules,
                                      const GameState& state, const coordinator::TunedRun* run,
                                      bool fold, bool transpositions);

// Prints the facts; `sources` adds the sources, which are many lines.
void PrintFacts(const PositionFacts& facts, const GameState& state, const Rules& rules,
                const Voice& voice, bool sources, std::ostream& out);
// Adds the facts as keys to the object that `book show` prints of the position.
void AddFacts(const PositionFacts& facts, const Rules& rules, bool fold, bool transpositions,
              Json& object);

}  // namespace joseki::cli
