#pragma once

#include "engine/core/game.h"
#include "engine/search/move_picker.h"
#include "engine/search/node.h"
#include "engine/search/search.h"

namespace joseki {

// Steps of a node at which a technique of this room acts in the present search. None is set by
// default, and an unset step costs one comparison.
struct PaperHooks {
  bool order = false;   // which move is tried when, and lessons of a finished node
  bool cut = false;     // nodes and moves that are left without a search
  bool extend = false;  // depth that a move gains or loses, and the path that it depends on
  bool value = false;   // bonuses of moves inside the search
  bool table = false;   // other tables and keys
};

// Techniques of the papers that are off by default. Each part is a class with a header of its own:
// its state, and its share in the steps of a node. The search calls a member of a part only where
// Begin has set the part's hook, unless the member says otherwise. Depths and extensions are in
// fractions of a ply, values for the side to move. Members that cut set `value`, which the node
// then returns.
template <Game G>
struct Search<G>::Papers {
  static_assert(Knowledge<G>, "GameDefaults answers for what a game does not know");

  using Node = search_internal::Node;
  using Frame = search_internal::Frame;
  using Candidate = search_internal::Candidate;
  using Position = typename G::Position;
  using Undo = typename G::Undo;

  explicit Papers(Tree& tree);

  // Any hooks. Begin prepares a search, its root being the present position, and finds its hooks.
  // BeginIteration prepares an iteration, which counts from 1, and returns the plies of its main
  // search.
  void SetOptions();
  void Forget();
  void ShareBooksOf(const Papers& other);
  PaperHooks Begin();
  int BeginIteration(int iteration);

  // Note the move, or the pass, that is about to be played at `ply`. Hook `extend`. Not inlined:
  // the search's own step would become too large to be inlined into its callers.
  [[gnu::noinline]] void OnPlay(int ply, Move move);
  [[gnu::noinline]] void OnPass(int ply);

  // Hook `order`: J. Hashimoto's killers, YSS's regret moves, other orders of moves.
  class Killers;
  class Regrets;
  class Order;
  // Hook `cut`: mates that nodes look for, other null moves, other cuts.
  class Mates;
  class Passes;
  class Cuts;
  // Hook `extend`: moves that stand alone, edge attacks (TACOS), other extensions.
  class Singular;
  class EdgeAttack;
  class Extensions;
  // Hook `value`: DEEP BLUE's extended book.
  class Bonuses;
  // Hook `table`: two tables in turn (TACOS), C. Ye's null-move quiescence, which is at `cut` too.
  class Tables;
  class NullQuiescence;

  Killers killers;
  Regrets regrets;
  Order order;
  Mates mates;
  Passes passes;
  Cuts cuts;
  Singular singular;
  EdgeAttack edge_attack;
  Extensions extensions;
  Bonuses bonuses;
  Tables tables;
  NullQuiescence null_quiescence;
};

}  // namespace joseki
