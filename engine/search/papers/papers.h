#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "engine/core/game.h"
#include "engine/search/move_hints.h"
#include "engine/search/node.h"
#include "engine/search/options.h"
#include "engine/search/papers/alike.h"
#include "engine/search/papers/butterflies.h"
#include "engine/search/papers/context_killers.h"
#include "engine/search/papers/favours.h"
#include "engine/search/papers/mate_verdicts.h"
#include "engine/search/papers/singular_memory.h"
#include "engine/search/search.h"
#include "engine/search/tt.h"

namespace joseki {

// Steps of a node at which a technique of this room has something to do in the present search. None
// has by default, and such a step costs one comparison.
struct PaperHooks {
  bool order = false;   // which move is tried when, and lessons of a finished node
  bool cut = false;     // nodes and moves that are left without a search
  bool extend = false;  // depth that a move gains or loses, and the path that it depends on
  bool value = false;   // bonuses of moves inside the search
  bool table = false;   // other tables and keys
};

// Techniques of the papers that are off by default: their state, and their part in each step of a
// node. The search calls a member only where Begin has set its hook, unless the member says
// otherwise. Depths and extensions are in parts of a ply, values for the side to move.
template <Game G>
class Search<G>::Papers {
 public:
  using Node = search_internal::Node;
  using Frame = search_internal::Frame;
  using Candidate = search_internal::Candidate;
  using Position = typename G::Position;
  using Undo = typename G::Undo;

  explicit Papers(Impl& search) : search_(search) {}

  // papers_inl.h; any hooks. Begin prepares a search, its root being the present position.
  void SetOptions();
  void Forget();
  void CountKillers(bool counts);
  const KillerRates& killer_rates() const { return *rates_; }
  void SetFavours(const Favours<G>* favours) { favours_ = favours; }
  void SetAlike(const AlikeMoves<G>* alike) { alike_ = alike; }
  void ShareBooksOf(const Papers& other);
  PaperHooks Begin();

  // The plies of the main search in an iteration, which counts from 1. Any hooks.
  int BeginIteration(int iteration);
  // Key of the main search's entries; null_plies() is the depth of an iteration's leaves. Any
  // hooks. While null-move quiescence is less deep than it will be, an entry holds for this depth
  // alone (C. Ye's table keeps both depths in an entry).
  Key MainKey(const Key& key) const { return {key.hi ^ phase_, key.lo}; }
  int null_plies() const { return null_plies_; }

  // Hook `order`: order_inl.h.
  void OrderRoot();
  void OrderRootByRegrets(int depth);
  template <bool kPv>
  void FindTableMove(Node& node, Value alpha, Value beta);
  void FindFurtherRegrets(int ply);
  void AddKillers(int ply, MoveHints& hints);
  void AddHints(const Node& node, MoveHints& hints);
  void AddQuiescenceHints(int ply, int qply, MoveHints& hints);
  void BeforeMoves(const Node& node);
  void OnNodeDone(const Node& node, Move best, bool cut, std::span<const Move> quiets);
  void OnQuiescenceDone(int ply, Move best);

  // Hook `cut`: cut_inl.h; mates_inl.h; pass_inl.h. Members that cut set `value`, which the node
  // then returns.
  bool EndsHere(int ply, Value& value);
  bool CutsFirst(const Node& node, Value alpha, Value& value);
  bool CutsLast(const Node& node, Value beta, Value& value);
  bool PassesOtherwise() const;
  bool TryPass(Node& node, Value alpha, Value beta, Value& value);
  bool HasPassedEnough(int ply) const;
  bool SkipsFirst(const Node& node, const Candidate& candidate, Value alpha, Value& best);
  bool SkipsLast(const Node& node, const Candidate& candidate);
  bool MatesAtLeaf(int ply, int qply, Value& value);
  bool by_material() const { return by_material_; }
  Value EvaluateByMaterial() const;

  // Hook `extend`: extend_inl.h, singular_inl.h, edge_attack_inl.h.
  void Prepare(const Node& node);
  void OnPlay(int ply, Move move);
  void OnPass(int ply);
  void ExtendBefore(const Node& node, Candidate& candidate);
  void KeepAlone(const Node& node, Move move);
  int ExtendAfter(const Node& node, const Candidate& candidate, int extension);
  void ChangeDepth(const Node& node, const Candidate& candidate, int extension, int& child_depth,
                   int& reduction);
  template <bool kPv>
  Value SearchAgain(const Node& node, Candidate& candidate, Value value, Value alpha, Value beta,
                    bool& others_known);
  Value SearchRootAgain(const Node& node, Candidate& candidate, Value value, Value alpha,
                        Value beta, Value bonus, bool& others_known);
  template <typename Refutes>
  void TryChecks(int qply, Refutes&& refutes);

  // Hook `value`: favours_inl.h.
  void AskFavours(int ply);
  template <bool kPv>
  Value SearchFavoured(const Node& node, const Candidate& candidate, Value alpha, Value beta,
                       Value bonus = 0);

  // Hook `table`: table_inl.h. BeginTable with its option alone.
  bool BeginTable();
  bool ProbeOlder(int ply, const Key& key, TtData& data);
  void RecallMove(Node& node);
  void OnTableCut(const TtData& known);

  // null_quiescence_inl.h; where null_plies() is not 0.
  Value NullQuiescenceRoot(int ply, Value alpha, Value beta);

 private:
  static_assert(Knowledge<G>, "GameDefaults answers for what a game does not know");

  using KillerMoves = std::array<Move, ContextKillers::kKindCount>;

  static constexpr int kSingularAtRoot = 4;  // of SingularClassic

  // The line after a pass, the other side's moves first, as far as the table knew it.
  static constexpr size_t kRegretPlies = 12;
  struct RegretLine {
    std::array<Move, kRegretPlies> moves{};
  };

  // State of one ply beside the search's own Frame.
  struct PaperFrame {
    RegretLine regret;       // after a pass here
    KillerMoves killers{};   // legal ones, whose rates are counted
    bool captures = false;   // the move does
    bool gives_up = false;   // it loses material; known for an option, of two plies alone
    bool attacks = false;    // in an edge attack, which the root's side began above
    int passes = 0;          // of the line that led here
    bool only_move = false;  // one legal answer to a check
    int stage = 0;           // of the game, where moves cost by their category
    int pressure = 0;        // squares beside the other king that the side to move attacks
  };
  PaperFrame& FrameAt(int ply) { return frames_[ply + kBefore]; }
  const PaperFrame& FrameAt(int ply) const { return frames_[ply + kBefore]; }

  const SearchOptions& options() const { return search_.options_; }
  template <typename Place>
  void SortRoot(size_t first, Place&& place);
  void OrderRootByGroups();
  bool UsesKillers() const;
  ContextKillers::Form form() const {
    return static_cast<ContextKillers::Form>(options().killer_context);
  }
  ContextKillers::Path PathTo(int ply) const;
  void AddAllKillers(int ply, MoveHints& hints);
  std::span<const Move> AlikeHere(std::span<Move, MoveHints::kMaxLate> room);
  bool IsKiller(int ply, Move move) const;
  void TeachKillers(int ply, Move best);
  KillerMoves LegalKillers(int ply) const;
  uint32_t KillerCodeOf(const Frame& frame) const;
  void CountButterflies(const Node& node, Move best, bool cut, std::span<const Move> quiets);
  void RateKillers(const Node& node, Move best, bool cut);

  bool MatesInOne(int ply, Value& value);
  bool FindsMate(const Node& node, Value& value);
  bool TryProbCut(const Node& node, Value beta, Value& value);

  int KnownExtension(const Node& node, const Candidate& candidate);
  int ExtensionByPosition(const Node& node, const Candidate& candidate);
  bool StoodAlone(const Node& node, Move move);
  int SearchedAgainBy(const Node& node, const Candidate& candidate);
  bool StandsAlone(const Node& node, Move move, int depth, Value low);
  template <bool kPv>
  Value DeepenSingular(const Node& node, Candidate candidate, Value value, Value alpha, Value beta,
                       bool& others_known);
  void FollowEdgeAttack(int ply, Move move);

  Value NullQuiesce(int ply, int depth, Value alpha, Value beta);
  Value PassInNullQuiescence(int ply, Value alpha, Value beta);
  Value SearchNullQuiescenceMove(const Node& node, const Candidate& candidate, Value alpha,
                                 Value beta);
  bool SkipsInNullQuiescence(const Node& node, Move move, Value alpha, Value& best);
  bool StandsAloneInNullQuiescence(const Node& node, Move move, Value value, Value beta);

  static constexpr int kFavourPlies = 4;  // nodes nearer to the root than this ask
  static constexpr size_t kMostFavours = 16;
  struct Favoured {
    std::array<Favour, kMostFavours> moves;
    size_t count = 0;
  };

  static constexpr int kBefore = 3;  // frames before the root's, as the search has them

  Impl& search_;
  std::unique_ptr<MateVerdicts> verdicts_;    // of Mate_Nodes; null without it
  std::unique_ptr<SingularMemory> alone_;     // of SingularMemory; null without it
  std::unique_ptr<Butterflies> butterflies_;  // of OrderButterflies; null without it
  ContextKillers killers_;
  std::unique_ptr<KillerRates> rates_;    // null: nothing is counted
  const Favours<G>* favours_ = nullptr;   // not ours; null: none
  const AlikeMoves<G>* alike_ = nullptr;  // not ours; null: none
  Favoured favoured_[kFavourPlies];

  std::optional<Key> guessed_;  // root of the last search, if it pondered

  // State of the present search.
  PaperFrame frames_[kMaxPly + kBefore + 1];
  int passed_depth_ = 0;       // the last iteration before which the root has passed
  int null_plies_ = 0;         // of null-move quiescence in this iteration
  uint64_t phase_ = 0;         // marks its entries in the table (MainKey)
  uint64_t phase_before_ = 0;  // the same of the iteration before
  bool by_material_ = false;   // below a root of null-move quiescence, by its option
  Value position_value_ = 0;   // there: the evaluation without material, for the first side
  bool edge_attack_ = false;   // the root is ripe for one
};

}  // namespace joseki
