#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "base/rng.h"
#include "book/graph.h"
#include "book/tuning/repertoire_node.h"
#include "book/tuning/repertoire_rules.h"
#include "engine/core/types.h"

namespace joseki::book {

// Opinion of the game records: base weights of `book` are the frequencies of its players' moves.
// These deduct from candidates that are played rarely, and make the usual moves candidates. An
// opponent with a book plays by them. The user's opinion comes first: a forbidden move is no
// answer. Immutable.
class RecordOpinion {
 public:
  RecordOpinion(std::shared_ptr<const Graph> book, const RepertoireRules& rules);

  // The move of an opponent with a book, by weight or `evenly`; nullopt: the book has none here.
  std::optional<Move> BookMove(const Key& key, bool evenly, Rng& rng) const;

  // Whether our side may answer the position at all, and whether by this move.
  bool MayAnswer(const PackedPosition& position) const;
  bool MayAnswer(const PackedPosition& position, Move move) const;
  // The moves that the user has forbidden there.
  std::vector<Move> ForbiddenAt(const PackedPosition& position) const {
    return book_->ForbiddenAt(position);
  }
  bool IsForbidden(const PackedPosition& position, Move move) const {
    return book_->forbidden().contains({position, move});
  }
  // Makes the book's usual moves candidates, and applies what the records say to all of them.
  // `searched`: whether a trusted search was here; `best`: score of the best move by searches.
  void Apply(RepertoireNode& node, bool searched, std::optional<int> best) const;

 private:
  std::shared_ptr<const Graph> book_;
  RepertoireRules rules_;
};

}  // namespace joseki::book
