#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <memory>
#include <span>
#include <vector>

#include "engine/search/context_killers.h"
#include "engine/search/counts.h"
#include "engine/search/depth.h"
#include "engine/search/favours.h"
#include "engine/search/history.h"
#include "engine/search/move_picker.h"
#include "engine/search/options.h"
#include "engine/search/reductions.h"
#include "engine/search/search.h"
#include "engine/search/tt.h"

// What Search<G> is made of. Its parts are defined in files of their own
// (*_inl.h), one for each step of a node; search_inl.h brings them together.
//
// Below Run nothing allocates, locks, throws or calls through a pointer; what
// each node needs lies in frames_ or on the stack. A node is one Do.
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
    tt_.UseTwo(options.two_tables != 0);
    evaluator_.UseLearned(options.learned_evaluation != 0);
    evaluator_.UseTerms(EvaluationTerms(options));
  }
  const Counts& counts() const { return counts_; }
  void CountKillersIn(KillerRates* rates) { rates_ = rates; }
  void SetFavours(const Favours<G>* favours) { favours_ = favours; }
  typename G::Evaluator& evaluator() { return evaluator_; }

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
    Move regret[2];           // the best reply to a pass here, and what would follow it
    bool captures = false;    // `move` does
    bool gives_up = false;    // `move` loses material; known only where an option asks for it
    int passes = 0;           // of the line that led here
    // The least ply on whose position the value rests because of a repetition;
    // kIndependent if none.
    int depends = 0;
  };
  struct RootMove {
    Move move;
    Value value = -kValueInfinite;
    uint64_t nodes = 0;  // below it, in this iteration
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
    bool only_move = false;  // one legal answer to a check
    int stage = 0;           // of the game, where moves cost by their category
    int pressure = 0;        // squares beside the other king that the side to move attacks
    TtData known = {};

    int plies() const { return depth / kPly; }
  };
  // A move that is about to be searched.
  struct Candidate {
    Move move;
    int index;  // of the moves of its node
    bool quiet;
    int history = 0;         // of a quiet move
    int extension = 0;       // parts of a ply
    int cost = kPly;         // parts of a ply
    bool unreduced = false;  // searched again: its extension is all that it gets
  };

  // root_inl.h
  void CollectRootMoves(std::span<const Move> excluded);
  int64_t SoftLimit(int stable, Value drop) const;
  Value SearchWithAspiration(int depth, Value previous);
  Value SearchRoot(int depth, Value alpha, Value beta);
  void SortRootMoves();

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
  Value SearchFavoured(const Node& node, const Candidate& candidate, Value alpha, Value beta);

  // quiesce_inl.h
  Value Quiesce(int ply, int qply, Value alpha, Value beta);

  // ends_inl.h
  bool EndsHere(int ply, Value& value);
  Value RepetitionValue(int ply, Repetition repetition);
  bool FindsMate(const Node& node, Value& value);

  // cuts_inl.h
  bool CutsBeforeMoves(const Node& node, Value alpha, Value beta, Value& value);
  bool TryNullMove(const Node& node, Value alpha, Value beta, Value& value);
  bool TryProbCut(const Node& node, Value beta, Value& value);
  void FindRegrets(int ply);
  bool Skips(const Node& node, const Candidate& candidate, Value alpha, Value& best);

  // extensions_inl.h
  int ExtensionBefore(const Node& node, const Candidate& candidate, Value beta, Value& cut);
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
    return null_plies_ > 0 ? NullQuiesce(ply, null_plies_ * kPly, alpha, beta)
                           : Quiesce(ply, 0, alpha, beta);
  }
  Value NullQuiesce(int ply, int depth, Value alpha, Value beta);

  // killers_inl.h
  ContextKillers::Path PathTo(int ply) const;
  void AddKillers(int ply, MoveHints& hints);
  void TeachKillers(int ply, Move best);
  bool IsKiller(int ply, Move move) const;
  using KillerMoves = std::array<Move, ContextKillers::kKindCount>;
  KillerMoves LegalKillers(int ply) const;
  void CountKillers(const Node& node, const KillerMoves& killers, Move best, bool cut);
  bool Probe(int ply, const Key& key, TtData& data);

  // learn_inl.h
  MoveHints HintsFor(const Node& node);
  void Reward(const Node& node, Move best, std::span<const Move> quiets,
              std::span<const Move> captures);
  int HistoryOf(int ply, Move move) const;

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
  void Fire(Technique technique) { counts_.Fire(technique); }
  void Forget() {
    history_.Clear();
    counts_.Clear();
    killers_.Clear();
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
  History<G> history_;
  ContextKillers killers_;
  KillerRates* rates_ = nullptr;         // not ours; null: nothing is counted
  const Favours<G>* favours_ = nullptr;  // not ours; null: none
  Favoured favoured_[kFavourPlies];
  Counts counts_;
  std::atomic<bool> stop_requested_{false};

  // Of the present Run.
  Position pos_;
  SearchLimits limits_;
  Clock::time_point start_;
  uint64_t nodes_ = 0;
  bool stopped_ = false;
  int root_depth_ = 0;  // plies
  int null_plies_ = 0;  // of null-move quiescence in this iteration
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
