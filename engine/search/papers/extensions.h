#pragma once

#include "engine/search/papers/papers.h"

namespace joseki {

// Changes of depth by move: C. Ye's extensions, YSS's half plies and its remedy for the horizon
// effect, the realisation probability (TACOS). Also calls the other techniques of its hook.
template <Game G>
class Search<G>::Papers::Extensions {
 public:
  explicit Extensions(Tree& tree) : tree_(tree) {}

  bool InUse() const;

  // Note what the nodes below need of the move that is about to be played, or of the pass.
  void OnPlay(int ply, Move move);
  void OnPass(int ply);

  // Finds what the extensions need of a node, before its moves.
  void Prepare(const Node& node);
  // Sets the candidate's extension and cost from what is known before the move is played.
  void ExtendBefore(const Node& node, Candidate& candidate);
  // The extension that needs no search.
  int KnownExtension(const Node& node, const Candidate& candidate);
  // The extension of a move that has been played, of which `extension` is the search's own. The sum
  // is at most a ply, or two if a move is searched again or a king is threatened.
  int ExtendAfter(const Node& node, const Candidate& candidate, int extension);
  // Changes the depth after a move, and the reduction of its first search.
  void ChangeDepth(const Node& node, const Candidate& candidate, int extension, int& child_depth,
                   int& reduction);

  // The value of a move that has beaten alpha, from a deeper re-search if a technique asks for one.
  // `others_known` becomes true if a test has shown all other moves to be worse.
  template <bool kPv>
  Value SearchAgain(const Node& node, Candidate& candidate, Value value, Value alpha, Value beta,
                    bool& others_known);
  // SearchAgain for a move of the root, with its bonus.
  Value SearchRootAgain(const Node& node, Candidate& candidate, Value value, Value alpha,
                        Value beta, Value bonus, bool& others_known);

  // Tries the quiet checks of a leaf that do not lose material, until `refutes` is true of one.
  template <typename Refutes>
  void TryChecks(int qply, Refutes&& refutes);

 private:
  // State of one ply of the line, written on the way down before a node below reads it.
  struct Ply {
    bool captures = false;   // the move does
    bool gives_up = false;   // it loses material; known for an option, of two plies alone
    bool only_move = false;  // one legal answer to a check
    int stage = 0;           // of the game, where moves cost by their category
    int pressure = 0;        // squares beside the other king that the side to move attacks
  };

  int ByPosition(const Node& node, const Candidate& candidate);
  int SearchedAgainBy(const Node& node, const Candidate& candidate);

  Tree& tree_;
  Ply plies_[kMaxPly + 1];
};

}  // namespace joseki
