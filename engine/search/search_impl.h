#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "engine/search/corrections.h"
#include "engine/search/counts.h"
#include "engine/search/depth.h"
#include "engine/search/history.h"
#include "engine/search/move_picker.h"
#include "engine/search/node.h"
#include "engine/search/options.h"
#include "engine/search/papers/papers.h"
#include "engine/search/reductions.h"
#include "engine/search/search.h"
#include "engine/search/thinking_time.h"
#include "engine/search/tt.h"

// Declarations of Search<G>'s parts, which *_inl.h files define, one for each step of a node.
// search_inl.h includes them all.
//
// Below Run nothing allocates, locks, throws or calls through a pointer. A node's data lies in
// frames_ or on the stack. A node is one Do that is searched.
namespace joseki {

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
    tt_.UseTwo(options.two_tables != 0 && helpers_.empty());
    tt_.UseReplacement(static_cast<Replacement>(options.table_replacement));
    tt_.RefuseFrom(options.table_full);
    papers_.SetOptions();
  }
  const Counts& counts() const { return counts_; }
  Papers& papers() { return papers_; }
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
  bool stopping() const { return stop_requested_.load(std::memory_order_relaxed); }

 private:
  friend Papers;
  using Clock = std::chrono::steady_clock;
  using Frame = search_internal::Frame;
  using RootMove = search_internal::RootMove;
  using Node = search_internal::Node;
  using Candidate = search_internal::Candidate;

  // root_inl.h
  void CollectRootMoves(std::span<const Move> excluded);
  Value SearchWithAspiration(int depth, Value previous);
  Value SearchRoot(int depth, Value alpha, Value beta);
  void SortRootMoves();

  // root_mates_inl.h
  typename G::MateFinder& MakeMateFinder();
  void AllotMateNodes();
  bool HasNodesForMates() const;
  MateProbe DoubtPosition();
  bool MatesAtRoot(SearchResult& result, const SearchObserver& observer);
  void LookForRefutation(RootMove& root);
  void LeaveIfRefuted(SearchResult& result);
  template <typename Find>
  MateProbe SearchMate(uint64_t most, Find&& find);

  // node_inl.h
  template <bool kPv>
  Value SearchNode(int ply, int depth, Value alpha, Value beta);
  template <bool kPv>
  Value SearchMove(const Node& node, const Candidate& candidate, Value alpha, Value beta);
  bool MayExtend(int ply) const;
  int CheckExtension(const Node& node, bool gives_check);
  int ReductionOf(const Node& node, const Candidate& candidate, int child_depth,
                  bool gives_check) const;
  void Play(int ply, Move move, Undo& undo);
  void Pass(int ply, Undo& undo);
  void RecordPv(int ply, Move move);
  bool CountNode();
  void Poll();

  // singular_inl.h
  int SingularExtension(const Node& node, const Candidate& candidate, Value beta, Value& cut);

  // quiesce_inl.h
  Value Quiesce(int ply, int qply, Value alpha, Value beta);
  Value Leaf(int ply, Value alpha, Value beta) {
    counts_.Leaf(ply);
    return papers_.null_quiescence.plies() > 0
               ? papers_.null_quiescence.SearchLeaf(ply, alpha, beta)
               : Quiesce(ply, 0, alpha, beta);
  }

  // ends_inl.h
  bool EndsHere(int ply, Value& value);
  Value RepetitionValue(int ply, Repetition repetition);

  // cuts_inl.h
  bool CutsBeforeMoves(Node& node, Value alpha, Value beta, Value& value);
  bool PassesByEval(const Node& node, Value beta) const;
  bool MayPass(int ply) const;
  int PassDepth(const Node& node, Value beta) const;
  template <bool kPv>
  Value SearchPass(int ply, int depth, Value low, Value beta);
  bool CutByPass(int ply, Value beta, Value& value);
  void FindRegrets(int ply);
  bool IsTooLate(const Node& node, const Candidate& candidate);
  bool Skips(const Node& node, const Candidate& candidate, Value alpha, Value& best);

  // learn_inl.h
  MoveHints HintsFor(const Node& node);
  void Reward(const Node& node, Move best, std::span<const Move> quiets,
              std::span<const Move> captures);
  int HistoryOf(int ply, Move move) const;
  Value Corrected(Value eval) const;
  void LearnCorrection(const Node& node, Move best, Value value, Bound bound);

  bool Probe(int ply, const Key& key, TtData& data) {
    return tt_.Probe(key, data) || (hooks_.table && papers_.tables.ProbeOlder(ply, key, data));
  }
  // The table's move for the position; Move() if it has none.
  Move KnownMove(int ply, const Key& key) {
    TtData data;
    if (tt_.Probe(key, data) && data.move) return data.move;
    return hooks_.table && papers_.tables.ProbeOlder(ply, key, data) ? data.move : Move();
  }

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
    papers_.Forget();
    for (const std::unique_ptr<Impl>& helper : helpers_) helper->Forget();
  }

  static constexpr int kBefore = 3;  // frames before the root's, so that the root has ancestors

  SearchOptions options_;
  TranspositionTable tt_;
  typename G::Evaluator evaluator_;
  std::unique_ptr<typename G::MateFinder> mates_;  // created on first use
  History<G> history_;
  Corrections corrections_;
  Counts counts_;
  std::atomic<bool> stop_requested_{false};
  std::vector<std::unique_ptr<Impl>> helpers_;  // searches on other threads
  int first_depth_ = 1;                         // for a helper: its first iteration

  // State of the current Run.
  Position pos_;
  SearchLimits limits_;
  Clock::time_point start_;
  uint64_t nodes_ = 0;
  bool stopped_ = false;
  PaperHooks hooks_;
  int root_depth_ = 0;             // in plies
  bool doubting_ = false;          // this iteration searches for mates that refute root moves
  uint64_t doubt_nodes_ = 0;       // for each such mate search; 0: none
  uint64_t doubt_nodes_left_ = 0;  // for all of them together
  uint64_t credited_ = 0;          // nodes behind table hits, if these are counted
  Value root_material_ = 0;
  Color root_side_ = Color::kFirst;
  int seldepth_ = 0;
  std::optional<ThinkingTime> thinking_;
  Value window_alpha_ = -kValueInfinite;  // of the last root search
  std::vector<RootMove> root_moves_;
  std::vector<RootShare> root_shares_;  // for an observer
  size_t root_first_ = 0;  // root moves before it are the lines that this iteration has found
  Frame frames_[kMaxPly + kBefore + 1];
  Move pv_[kMaxPly + 1][kMaxPly + 1];
  int pv_length_[kMaxPly + 1] = {};
  Papers papers_{*this};
};

}  // namespace joseki
