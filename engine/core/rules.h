#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/core/outcome.h"
#include "engine/core/types.h"

namespace joseki {

// One game in progress under the rules, with its history: what a referee, an importer and the
// coordinator's replay need to know of a game, and no more. Not for the search, which is a
// template. Not thread-safe. One virtual call a ply.
class GameState {
 public:
  virtual ~GameState() = default;

  // Plays `move` if it is legal here; otherwise returns false and nothing changes.
  // The caller stops at ending(): Play does not look at it.
  virtual bool Play(Move move) = 0;

  // Plays `moves` in order up to the first that is not legal, or that comes after ending(); how
  // many were played. Play and ending() in turn, but one virtual call for a whole game.
  virtual size_t PlayAll(std::span<const Move> moves) {
    size_t played = 0;
    while (played < moves.size() && !ending() && Play(moves[played])) ++played;
    return played;
  }

  // Why the game is over now, before the side to move plays; nullopt while it goes on. In this
  // order: no legal move, what a repeated position and the like decide, declaration, ply cap.
  virtual std::optional<Ending> ending() const = 0;

  virtual Color side_to_move() const = 0;
  virtual int plies() const = 0;  // played since the start position
  virtual Key key() const = 0;
  virtual PackedPosition packed() const = 0;
  virtual std::string text() const = 0;  // SFEN or FEN, with the ply

  virtual std::vector<Move> LegalMoves() const = 0;

  // The move that `text` names, if it is well formed and legal here; otherwise an InvalidArgument
  // problem "malformed_move" or "illegal_move" that says which rule is broken.
  virtual absl::StatusOr<Move> ParseMove(std::string_view text) const = 0;
};

// The rules' facts of one position and of some moves in it.
struct Expansion {
  struct Child {
    Key key;
    PackedPosition packed;
  };

  Key key;
  PackedPosition packed;  // canonical, which the one asked for need not be
  Color to_move = Color::kFirst;
  size_t legal_moves = 0;
  std::vector<std::optional<Child>> children;  // where each move leads; nullopt: it is illegal
};

// A game's rules: makes states and turns moves into text. Stateless and thread-safe.
class Rules {
 public:
  virtual ~Rules() = default;

  virtual std::string_view game() const = 0;  // "shogi", "xiangqi"

  // A game at `position`: "startpos", or the game's position text. InvalidArgument if malformed or
  // if the position cannot occur.
  virtual absl::StatusOr<std::unique_ptr<GameState>> Start(std::string_view position,
                                                           const MatchRules& match) const = 0;

  // A game at a packed position, no history. InvalidArgument if the bits are no position.
  virtual absl::StatusOr<std::unique_ptr<GameState>> Start(const PackedPosition& position,
                                                           const MatchRules& match) const = 0;

  // Fills `expansion` in for a position with no history and `moves` in it; its room is used again.
  // Cheaper than Start and Play in turn: for readers of whole books. InvalidArgument if the bits
  // are no position; the expansion is then unspecified.
  virtual absl::Status Expand(const PackedPosition& position, std::span<const Move> moves,
                              Expansion& expansion) const;

  // Position text of a packed position, with `ply` as its last field. REQUIRES: it is one.
  virtual std::string Text(const PackedPosition& position, int ply) const = 0;

  // "7g7f", "P*5e", "8h2b+". The move need not be legal anywhere.
  virtual std::string Text(Move move) const = 0;

  // The inverse of Text(Move), by form alone; nullopt if malformed.
  virtual std::optional<Move> MoveOf(std::string_view text) const = 0;
};

// Finds the rules of a game by its word; an error where there are none.
using RulesFinder = std::function<absl::StatusOr<const Rules*>(std::string_view game)>;

}  // namespace joseki
