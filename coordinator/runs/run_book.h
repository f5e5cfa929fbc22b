#pragma once

#include <memory>
#include <span>
#include <vector>

#include "book/database/imported_values.h"
#include "book/graph.h"
#include "book/play_book.h"
#include "book/tuning/line.h"
#include "book/tuning/policy.h"
#include "coordinator/runs/book_answer.h"

namespace joseki::coordinator {

// Book of a run, and the sides that play from it; constant for the run's life.
struct RunBook {
  std::shared_ptr<const book::Graph> graph;
  std::shared_ptr<const book::Policy> policy;
  std::shared_ptr<const book::PlayBook> opponent;  // null: no opponent, or one without a book
  std::shared_ptr<const book::ImportedValues> imported;
  book::NodeId start = book::kNoNode;  // start of the lines; kNoNode: of a match

  // Number of stages; 0 if the policy has none.
  int stages() const { return static_cast<int>(policy->stages().size()); }
  // Edges of a line from the start, up to the first move outside the book.
  std::vector<book::EdgeId> EdgesOf(std::span<const Move> line) const {
    return book::EdgesOf(*graph, start, line);
  }
  // Answers of the book with these evaluations (null: none). Valid as long as this object and they
  // are.
  BookAnswer AnswerBy(const Evaluations* evaluations) const {
    return {*graph, *policy, *imported, evaluations};
  }
};

}  // namespace joseki::coordinator
