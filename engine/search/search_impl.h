#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <memory>
#include <span>
#include <vector>

#include "engine/search/corrections.h"
#include "engine/search/counts.h"
#include "engine/search/depth.h"
#include "engine/search/history.h"
#include "engine/search/move_picker.h"
#include "engine/search/options.h"
#include "engine/search/papers/alike.h"
#include "engine/search/papers/context_killers.h"
#include "engine/search/papers/favours.h"
#include "engine/search/papers/mate_verdicts.h"
#include "engine/search/reductions.h"
#include "engine/search/search.h"
#include "engine/search/tt.h"

// What Search<G> is made of. Its parts are defined in files of their own
// (*_inl.h), one for each step of a node; search_inl.h brings them together.
//
// Below Run nothing allocates, locks, throws or calls through a pointer; what
// each node needs lies in frames_ or on the stack. A node is one Do that is searched.
namespace joseki {
namespace search_internal {

// A perpetual check is won or lost only when the game gets there: near a mate,
// but not one.
inline constexpr Value kValueRepetitionWin = kValueMateInMaxPly - 1;

// Pieces gained for nothing, which can be done again: above every evaluation,
// below what is forced.
inline constexpr Value kValueHandGain = 25000;

// Frame::depends of a value that holds whatever led to its position.
inline constexpr int kIndependent = kMaxPly + 1;

inline constexpr Reductions kReductions;

constexpr bool Has(Bound bound, Bound part) {
  return (static_cast<int>(bound) & static_cast<int>(part)) != 0;
}

}  // namespace search_internal

template <Game G>
class Search<G>::Impl {
 public:
  using Position = typename G::Position;
  using Undo = typename G::Undo;

  explicit Impl(size_t tt_bytes) : tt_(tt_bytes) { Forget(); }

  void NewGame() {
    tt_.Clear();
    Forget();
  }
  void ResizeTable(size_t tt_bytes) {
    tt_.Resize(tt_bytes);
    Forget();
  }
  void SetOptions(const SearchOptions& options) {
    options_ = options;
    verdicts_ = options.mate_nodes > 0 ? std::make_unique<MateVerdicts>() : nullptr;
    tt_.UseTwo(options.two_tables != 0 && helpers_.empty());
    tt_.UseReplacement(static_cast<Replacement>(options.table_replacement));
    tt_.RefuseFrom(options.table_full);
    killers_.UseStrength(options.killer_replacement != 0);
    if (mates_ != nullptr) {
      mates_->Use(options.mate_plies, static_cast<unsigned>(options.mate_cuts));
    }
  }
  const Counts& counts() const { return counts_; }
  void CountKillers(bool counts) {
    rates_ = counts ? std::make_unique<KillerRates>() : nullptr;
    killers_.KeepContexts(counts);
  }
  const KillerRates& killer_rates() const { return *rates_; }
  void SetFavours(const Favours<G>* favours) { favours_ = favours; }
  void SetAlike(const AlikeMoves<G>* alike) { alike_ = alike; }
  void CountTableIn(TableStatistics* statistics) { tt_.CountIn(statistics); }
  typename G::Evaluator& evaluator() { return evaluator_; }

  // threads_inl.h
  void SetThreads(int threads);
  SearchResult RunWithHelpers(const Position& position, const SearchLimits& limits,
                              const SearchObserver& observer);

  // root_inl.h
  SearchResult Run(const Position& position, const SearchLimits& limits,
                   const SearchObserver& observer);

  void Stop() { stop_requested_.store(true, std::memory_order_relaxed); }
  void ClearStop() { stop_requested_.store(false, std::memory_order_relaxed); }

 private:
  using Clock = std::chrono::steady_clock;

  // What a node shares with its parent and children.
  struct Frame {
    Key key;
    Move move;      // being searched here; Move() for a pass
    int piece = 0;  // that makes it
    Move killers[2];
    Move excluded;            // a singular test: not to be searched here
    uint32_t code = 0;        // of `move` in History; 0: a pass
    Value eval = kValueNone;  // kValueNone in check
    Move regret[4];           // the best reply to a pass here, and the line that would follow it
    bool captures = false;    // `move` does
    bool gives_up = false;    // `move` loses material; known for an option, of two plies alone
    bool cut = false;         // the node is expected to fail high
    bool attacks = false;     // in an edge attack, which the root's side began above
    int passes = 0;           // of the line that led here
    // The least ply on whose position the value rests because of a repetition;
    // kIndependent if none.
    int depends = 0;
  };
  struct RootMove {
    Move move;
    Value value = -kValueInfinite;
    uint64_t nodes = 0;    // below it, in this iteration
    Value bonus = 0;       // of its value, as the first move of a line
    bool doubted = false;  // a mate that answers it was looked for
    int mated_in = 0;      // plies, with it, of the mate that was found; 0: none
  };
  // What the steps of a node know of it.
  struct Node {
    int ply;
    int depth;  // in parts of a ply
    bool pv;
    bool in_check = false;
    bool improving = false;  // the side to move stands better than two plies ago
    bool hit = false;        // the table knows the position
    Value eval = kValueNone;
    Value raw_eval = kValueNone;     // without corrections, as the table keeps it
    bool only_move = false;          // one legal answer to a check
    int stage = 0;                   // of the game, where moves cost by their category
    int pressure = 0;                // squares beside the other king that the side to move attacks
    Value passed = -kValueInfinite;  // what the side to move has at least, by C. Ye's null move
    int passed_depends = search_internal::kIndependent;  // Frame::depends of that value
    TtData known = {};

    int plies() const { return depth / kPly; }
  };
  // A move that is about to be searched.
  struct Candidate {
    Move move;
    int index;  // of the moves of its node
    bool quiet;
    bool loses = false;  // material, so that it comes last
    int history = 0;     // of a quiet move
    int group = 0;       // Game's, where groups may be skipped; 0: remembered, before all groups
    int extension = 0;   // parts of a ply
    int cost = kPly;     // parts of a ply
    bool unreduced = false;  // searched again: its extension is all that it gets
  };

  // root_inl.h
  void CollectRootMoves(std::span<const Move> excluded);
  int64_t SoftLimit(int stable, Value drop) const;
  Value SearchWithAspiration(int depth, Value previous);
  Value SearchRoot(int depth, Value alpha, Value beta);
  void SortRootMoves();

  // root_mates_inl.h
  void AllotMateNodes();
  bool HasNodesForMates() const;
  MateProbe DoubtPosition();
  bool MatesAtRoot(SearchResult& result, const SearchObserver& observer);
  void LookForRefutation(RootMove& root);
  void LeaveIfRefuted(SearchResult& result);

  // node_inl.h
  template <bool kPv>
  Value SearchNode(int ply, int depth, Value alpha, Value beta);
  template <bool kPv>
  Value SearchMove(const Node& node, const Candidate& candidate, Value alpha, Value beta);
  template <bool kPv>
  void FindTableMove(Node& node, Value alpha, Value beta);
  int ReductionOf(const Node& node, const Candidate& candidate, int child_depth,
                  bool gives_check) const;

  // favours_inl.h
  void AskFavours(int ply);
  template <bool kPv>
  Value SearchFavoured(const Node& node, const Candidate& candidate, Value alpha, Value beta,
                       Value bonus = 0);

  // root_knowledge_inl.h
  void RecogniseEdgeAttack();
  void ChooseParts();
  void FollowEdgeAttack(int ply, Move move);

  // quiesce_inl.h
  Value Quiesce(int ply, int qply, Value alpha, Value beta);

  // ends_inl.h
  bool EndsHere(int ply, Value& value);
  Value RepetitionValue(int ply, Repetition repetition);
  bool MatesInOne(int ply, Value& value);
  MateProbe SearchMate(uint64_t most, bool by_proof_numbers);
  bool FindsMate(const Node& node, Value& value);

  // cuts_inl.h
  bool CutsBeforeMoves(Node& node, Value alpha, Value beta, Value& value);
  bool TryNullMove(Node& node, Value alpha, Value beta, Value& value);
  bool TryProbCut(const Node& node, Value beta, Value& value);
  void FindRegrets(int ply);
  bool IsTooLate(const Node& node, const Candidate& candidate);
  bool Skips(const Node& node, const Candidate& candidate, Value alpha, Value& best);
  bool SkipsMore(const Node& node, const Candidate& candidate);

  // extensions_inl.h
  int ExtensionBefore(const Node& node, const Candidate& candidate, Value beta, Value& cut);
  int KnownExtension(const Node& node, const Candidate& candidate);
  int ExtensionAfter(const Node& node, const Candidate& candidate, bool gives_check);
  void Prepare(Node& node);
  int SearchAgain(const Node& node, const Candidate& candidate);

  // singular_inl.h
  bool StandsAlone(const Node& node, Move move, int depth, Value low);
  template <bool kPv>
  Value DeepenSingular(const Node& node, Candidate candidate, Value value, Value alpha, Value beta,
                       bool& others_known);

  // null_quiescence_inl.h
  Value Leaf(int ply, Value alpha, Value beta) {
    return null_plies_ > 0 ? NullQuiescenceRoot(ply, alpha, beta) : Quiesce(ply, 0, alpha, beta);
  }
  Value NullQuiescenceRoot(int ply, Value alpha, Value beta);
  Value NullQuiesce(int ply, int depth, Value alpha, Value beta);
  Value SearchNullQuiescenceMove(const Node& node, const Candidate& candidate, Value alpha,
                                 Value beta);
  bool SkipsInNullQuiescence(const Node& node, Move move, Value alpha, Value& best);
  bool StandsAloneInNullQuiescence(const Node& node, Move move, Value value, Value beta);
  Value EvaluateLeaf(bool hit, const TtData& known);
  Value EvaluateByMaterial() const;

  // killers_inl.h
  ContextKillers::Path PathTo(int ply) const;
  void AddKillers(int ply, MoveHints& hints);
  void TeachKillers(int ply, Move best);
  bool IsKiller(int ply, Move move) const;
  using KillerMoves = std::array<Move, ContextKillers::kKindCount>;
  KillerMoves LegalKillers(int ply) const;
  void RateKillers(const Node& node, const KillerMoves& killers, Move best, bool cut);
  bool Probe(int ply, const Key& key, TtData& data);
  Move KnownMove(int ply, const Key& key);
  bool AsksOlder(int ply) const {
    return options_.two_tables != 0 &&
           (options_.two_tables_plies == 0 || ply < options_.two_tables_plies);
  }
  // Of what the main search finds. While null-move quiescence is less deep than it will be, that
  // holds for this depth alone (C. Ye's table keeps both depths in an entry).
  Key MainKey(const Key& key) const { return {key.hi ^ phase_, key.lo}; }

  // learn_inl.h
  MoveHints HintsFor(const Node& node);
  void AddMoreHints(int ply, MoveHints& hints);
  void Reward(const Node& node, Move best, std::span<const Move> quiets,
              std::span<const Move> captures);
  int HistoryOf(int ply, Move move) const;
  Value Corrected(Value eval) const;
  void LearnCorrection(const Node& node, Move best, Value value, Bound bound);

  void Play(int ply, Move move, Undo& undo);
  void Pass(int ply, Undo& undo);
  void RecordPv(int ply, Move move);
  bool CountNode();
  void Poll();
  int64_t ElapsedMs() const {
    return std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - start_).count();
  }
  Frame& FrameAt(int ply) { return frames_[ply + kBefore]; }
  const Frame& FrameAt(int ply) const { return frames_[ply + kBefore]; }
  void Fire(Technique technique, uint64_t times = 1) { counts_.Fire(technique, times); }
  void Forget() {
    history_.Clear();
    corrections_.Clear();
    counts_.Clear();
    killers_.Clear();
    if (verdicts_ != nullptr) verdicts_->Clear();
    for (const std::unique_ptr<Impl>& helper : helpers_) helper->Forget();
  }

  // Of a node near the root that is being searched.
  static constexpr int kFavourPlies = 4;
  static constexpr size_t kMostFavours = 16;
  struct Favoured {
    std::array<Favour, kMostFavours> moves;
    size_t count = 0;
  };

  static constexpr int kBefore = 3;  // frames before the root's, so that it has forebears

  SearchOptions options_;
  TranspositionTable tt_;
  typename G::Evaluator evaluator_;
  std::unique_ptr<typename G::MateFinder> mates_;  // made when it is first wanted
  std::unique_ptr<MateVerdicts> verdicts_;         // of Mate_Nodes; null without it
  History<G> history_;
  Corrections corrections_;
  ContextKillers killers_;
  std::unique_ptr<KillerRates> rates_;    // null: nothing is counted
  const Favours<G>* favours_ = nullptr;   // not ours; null: none
  const AlikeMoves<G>* alike_ = nullptr;  // not ours; null: none
  Favoured favoured_[kFavourPlies];
  Counts counts_;
  std::atomic<bool> stop_requested_{false};
  std::vector<std::unique_ptr<Impl>> helpers_;  // of other threads
  int first_depth_ = 1;                         // of a helper: its first iteration

  // Of the present Run.
  Position pos_;
  SearchLimits limits_;
  Clock::time_point start_;
  uint64_t nodes_ = 0;
  bool stopped_ = false;
  bool skips_more_ = false;        // an option of SkipsMore is on
  bool extends_before_ = false;    // one of ExtensionBefore
  bool hints_more_ = false;        // one of AddMoreHints
  int root_depth_ = 0;             // plies
  bool doubting_ = false;          // this iteration looks for mates that answer moves of the root
  uint64_t doubt_nodes_ = 0;       // of a mate search there; 0: none
  uint64_t doubt_nodes_left_ = 0;  // for all of them
  int null_plies_ = 0;             // of null-move quiescence in this iteration
  uint64_t phase_ = 0;             // what marks its entries in the table (MainKey)
  uint64_t phase_before_ = 0;      // the same of the iteration before
  bool by_material_ = false;       // below a root of null-move quiescence, by its option
  Value position_value_ = 0;  // there: what its evaluation has besides material, for the first side
  bool edge_attack_ = false;  // the root is ripe for one
  uint64_t credited_ = 0;     // nodes behind hits of the table, where they count
  Value root_material_ = 0;
  Color root_side_ = Color::kFirst;
  int seldepth_ = 0;
  Value window_alpha_ = -kValueInfinite;  // of the root search that ran last
  std::vector<RootMove> root_moves_;
  size_t root_first_ = 0;  // those before it are the lines that this iteration has found
  Frame frames_[kMaxPly + kBefore + 1];
  Move pv_[kMaxPly + 1][kMaxPly + 1];
  int pv_length_[kMaxPly + 1] = {};
};

}  // namespace joseki
