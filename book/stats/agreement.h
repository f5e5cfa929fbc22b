#pragma once

#include <span>
#include <vector>

#include "absl/status/statusor.h"
#include "book/play_book.h"
#include "engine/core/rules.h"

// The extent to which two tuned books play the same.
namespace joseki::book {

// An answer of a book, and how likely games come to it.
struct ReachedAnswer {
  Key position;
  Move answer;
  double reach = 0;  // above 0, at most 1
};

// The answers within the first `plies` plies from the start position: once with the book as the
// first player and once as the second, the other side playing `others` by its shares. Where either
// side's book says nothing the line ends. Lines that come together add up. Fails where the rules
// refuse a position of the books.
absl::StatusOr<std::vector<ReachedAnswer>> AnswersOf(const Rules& rules, const PlayBook& book,
                                                     const PlayBook& others, int plies);

// Share of the answers, weighted by their reach, that `other` gives too; where it has no answer it
// does not. 0 for no answers.
double ShareInCommon(std::span<const ReachedAnswer> answers, const PlayBook& other);

}  // namespace joseki::book
