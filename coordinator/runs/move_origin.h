#pragma once

#include <span>
#include <string_view>

#include "book/graph.h"
#include "book/tuning/policy.h"
#include "book/tuning/repertoire.h"
#include "coordinator/runs/book_answer.h"

// Origins of the moves of a tuned book, in the words of exports, of `joseki book show` and of the
// page (docs/reference/formats.md).
namespace joseki::coordinator {

// Origin of a move. Replies of opponents are no moves of a book: they lead to positions that the
// book answers.
enum class MoveOrigin {
  kBook,       // the run's input book has it
  kSearch,     // the position's deepest search chose it
  kCandidate,  // a further candidate, of another search
};

// The reason why a move is its position's answer.
enum class DecidedBy {
  kEngine,    // the engine's own choice: that of the position's deepest search
  kTrials,    // trials and searches preferred it to that choice
  kSearches,  // searches and the records preferred it, without a trial
  kGames,     // the policy, by the run's games
  kValue,     // imported value
  kWeight,    // base weight
};

std::string_view Name(MoveOrigin origin);
std::string_view Name(DecidedBy decided);

// The origin of a move that the run's input book lacks.
MoveOrigin OriginOf(const book::Repertoire::Answer& candidate);
// REQUIRES: `candidates` are those of one position, best first, and at least one.
DecidedBy DecidedAmong(std::span<const book::Repertoire::Answer> candidates);
// The reason of an answer that BookAnswer gives, without candidates.
DecidedBy DecidedAt(const BookAnswer& answer, book::NodeId node, const book::Choices& choices);

}  // namespace joseki::coordinator
