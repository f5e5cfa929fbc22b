#include "engine/core/rules.h"

#include "base/status_macros.h"

namespace joseki {

absl::Status Rules::Expand(const PackedPosition& position, std::span<const Move> moves,
                           Expansion& expansion) const {
  // Default MatchRules: a book position may be past the ply cap or declarable, and only its moves
  // matter.
  const auto start = [&] { return Start(position, MatchRules()); };
  ASSIGN_OR_RETURN(const std::unique_ptr<GameState> state, start());
  expansion.key = state->key();
  expansion.packed = state->packed();
  expansion.to_move = state->side_to_move();
  expansion.legal_moves = state->LegalMoves().size();
  expansion.children.clear();
  for (const Move move : moves) {
    ASSIGN_OR_RETURN(const std::unique_ptr<GameState> child, start());
    std::optional<Expansion::Child>& found = expansion.children.emplace_back();
    if (child->Play(move)) found = {child->key(), child->packed()};
  }
  return absl::OkStatus();
}

}  // namespace joseki
