#pragma once

#include <span>
#include <vector>

#include "absl/status/statusor.h"
#include "book/play_book.h"
#include "engine/core/rules.h"

// Agreement of two tuned books.
namespace joseki::book {

// An answer of a book and the probability that a game reaches it.
struct ReachedAnswer {
  Key position;
  Move answer;
  double reach = 0;  // above 0, at most 1
};

// The answers within the first `plies` plies from the start position. The book plays once as the
// first player and once as the second; the other side plays `others` by its shares. A line ends
// where the moving side's book has no move. Probabilities of lines that meet are added. Fails if
// `rules` refuse a position of the books.
absl::StatusOr<std::vector<ReachedAnswer>> AnswersOf(const Rules& rules, const PlayBook& book,
                                                     const PlayBook& others, int plies);

// Share of the answers, weighted by reach, that `other` gives too; a missing answer of `other`
// differs. 0 for no answers.
double ShareInCommon(std::span<const ReachedAnswer> answers, const PlayBook& other);

}  // namespace joseki::book
