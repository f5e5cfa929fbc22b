#include "cli/book/leaf_expansion.h"

#include <optional>
#include <string>
#include <utility>

#include "base/status_macros.h"

namespace joseki::cli {
namespace {

using Leaf = book::ExpandingBook::Leaf;

constexpr int kMated = 32'000;

class LeafExpander {
 public:
  LeafExpander(const Rules& rules, book::ExpandingBook& book, worker::Player& player,
               const LeafExpansionOptions& options)
      : rules_(rules), book_(book), player_(player), options_(options) {}

  std::optional<Leaf> Next() {
    return options_.method == LeafExpansionOptions::Method::kPrincipal
               ? book_.PrincipalLeaf()
               : book_.DropOutLeaf(options_.per_centipawn);
  }

  absl::Status Expand(const Leaf& leaf) {
    ASSIGN_OR_RETURN(const book::DbPosition below,
                     Search(leaf.position, leaf.parent_ply + 1, 2, {}));
    if (below.moves.empty()) {
      // The line ends: the side to move has lost, or the engine has no move.
      book_.Close(leaf.parent, leaf.move, over_ ? kMated : 0);
    } else {
      RETURN_IF_ERROR(Take(below));
    }
    ASSIGN_OR_RETURN(const book::DbPosition beside,
                     Search(leaf.parent, leaf.parent_ply, 1, leaf.known));
    ++expansion_.expanded;
    return Take(beside);
  }

  LeafExpansion& expansion() { return expansion_; }

 private:
  // The engine's best moves, at most `width`, without the excluded ones.
  absl::StatusOr<book::DbPosition> Search(const PackedPosition& packed, int ply, size_t width,
                                          std::vector<Move> excluded) {
    book::DbPosition position;
    position.packed = packed;
    position.ply = ply;
    ASSIGN_OR_RETURN(const auto state, rules_.Start(packed, MatchRules{}));
    const size_t legal = state->LegalMoves().size();
    over_ = legal == 0;
    const std::string text = rules_.Text(packed, ply);
    while (position.moves.size() < width && excluded.size() < legal) {
      RETURN_IF_ERROR(player_.NewGame(0));
      ++expansion_.searches;
      ASSIGN_OR_RETURN(const worker::Choice choice,
                       player_.Choose({.start = text, .moves = {}},
                                      {.nodes = options_.nodes, .excluded = excluded}));
      if (choice.kind != worker::Choice::Kind::kMove) break;
      excluded.push_back(choice.move);
      book::DbMove& move = position.moves.emplace_back();
      move.move = choice.move;
      move.value = choice.score;
      move.has_value = true;
      move.count = 0;
    }
    return position;
  }

  absl::Status Take(const book::DbPosition& searched) {
    if (searched.moves.empty()) return absl::OkStatus();
    book::ExpandingBook::Entry entry{.packed = searched.packed, .ply = searched.ply, .moves = {}};
    for (const book::DbMove& move : searched.moves) entry.moves.push_back({move.move, move.value});
    RETURN_IF_ERROR(book_.Add(entry));
    expansion_.positions.push_back(searched);
    return absl::OkStatus();
  }

  const Rules& rules_;
  book::ExpandingBook& book_;
  worker::Player& player_;
  const LeafExpansionOptions& options_;
  LeafExpansion expansion_;
  bool over_ = false;  // at the position searched last
};

}  // namespace

absl::StatusOr<LeafExpansion> ExpandLeaves(const Rules& rules, book::ExpandingBook& book,
                                           worker::Player& player,
                                           const LeafExpansionOptions& options,
                                           const std::function<bool(int done, int of)>& stops) {
  LeafExpander expander(rules, book, player, options);
  expander.expansion().root_before = book.root_value();
  for (int done = 0; done < options.leaves; ++done) {
    const std::optional<Leaf> leaf = expander.Next();
    if (!leaf.has_value()) break;
    RETURN_IF_ERROR(expander.Expand(*leaf));
    if (stops(done + 1, options.leaves)) break;
  }
  expander.expansion().root_after = book.root_value();
  return std::move(expander.expansion());
}

}  // namespace joseki::cli
