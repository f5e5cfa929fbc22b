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

// A game in progress with its history: all that a referee, an importer and the coordinator's replay
// need to know of a game. The search uses templates instead. Not thread-safe. One virtual call a
// ply.
class GameState {
 public:
  virtual ~GameState() = default;

  // Plays `move` if it is legal; otherwise returns false without any change. Play ignores ending();
  // the caller stops there.
  virtual bool Play(Move move) = 0;

  // Plays `moves` in order up to the first that is illegal or comes after ending(); returns the
  // number played. Equivalent to alternating Play and ending(), with one virtual call for a whole
  // game.
  virtual size_t PlayAll(std::span<const Move> moves) {
    size_t played = 0;
    while (played < moves.size() && !ending() && Play(moves[played])) ++played;
    return played;
  }

  // Why the game is over before the side to move plays; nullopt while it goes on. Checked in this
  // order: no legal move; repetition and similar rules; declaration; ply cap.
  virtual std::optional<Ending> ending() const = 0;

  virtual Color side_to_move() const = 0;
  virtual int plies() const = 0;  // since the start position
  virtual Key key() const = 0;
  virtual PackedPosition packed() const = 0;
  virtual std::string text() const = 0;  // SFEN or FEN, with ply

  virtual std::vector<Move> LegalMoves() const = 0;

  // The move that `text` names, if it is well formed and legal here. InvalidArgument
  // "malformed_move" or "illegal_move" that says which rule is broken.
  virtual absl::StatusOr<Move> ParseMove(std::string_view text) const = 0;
};

// Facts of one position and of some moves in it, under the rules.
struct Expansion {
  struct Child {
    Key key;
    PackedPosition packed;
  };

  Key key;
  PackedPosition packed;  // canonical, which the argument need not be
  Color to_move = Color::kFirst;
  size_t legal_moves = 0;
  std::vector<std::optional<Child>> children;  // by move; nullopt: the move is illegal
};

// A game's rules: creates states and converts moves to text. Stateless and thread-safe.
class Rules {
 public:
  virtual ~Rules() = default;

  virtual std::string_view game() const = 0;  // "shogi", "xiangqi"

  // Starts a game at `position`: "startpos", or the game's position text. InvalidArgument if it is
  // malformed or cannot occur.
  virtual absl::StatusOr<std::unique_ptr<GameState>> Start(std::string_view position,
                                                           const MatchRules& match) const = 0;

  // Starts a game at a packed position without history. InvalidArgument if the bits are no
  // position.
  virtual absl::StatusOr<std::unique_ptr<GameState>> Start(const PackedPosition& position,
                                                           const MatchRules& match) const = 0;

  // Fills `expansion` for a position without history and for `moves` in it, reusing its memory.
  // Cheaper than Start and Play, for readers of whole books. InvalidArgument if the bits are no
  // position; `expansion` is then unspecified.
  virtual absl::Status Expand(const PackedPosition& position, std::span<const Move> moves,
                              Expansion& expansion) const;

  // Position text of a packed position, with `ply` as its last field. REQUIRES: the bits are a
  // position.
  virtual std::string Text(const PackedPosition& position, int ply) const = 0;

  // Text of a move: "7g7f", "P*5e", "8h2b+". The move need not be legal anywhere.
  virtual std::string Text(Move move) const = 0;

  // The inverse of Text(Move), by form alone; nullopt if malformed.
  virtual std::optional<Move> MoveOf(std::string_view text) const = 0;
};

// Finds the rules of a game by its name; an error if there are none.
using RulesFinder = std::function<absl::StatusOr<const Rules*>(std::string_view game)>;

}  // namespace joseki
