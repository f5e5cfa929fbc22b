#include "engine/shogi/mate/mate_search.h"

#include <algorithm>
#include <array>
#include <cassert>

#include "engine/shogi/attacks.h"
#include "engine/shogi/mate/mate_hands.h"
#include "engine/shogi/mate/mate_in_one.h"

namespace joseki::shogi {
namespace {

// Number of nodes between two checks of the other limits.
constexpr uint64_t kNodesBetweenLooks = 1024;

// A move is searched until it is a quarter harder than the next best. The search thus does not
// alternate between two of them (J. Pawlewicz and L. Lew, "Improving Depth-First PN-Search: 1 +
// epsilon Trick", 2006).
MateNumber Beyond(MateNumber second) { return std::min(second + second / 4 + 1, kInfiniteNumber); }

uint64_t Mix(uint64_t path, uint64_t position) {
  uint64_t x = path * 0x9e3779b97f4a7c15 ^ position;
  x ^= x >> 32;
  x *= 0xd6e8feb86659fd93;
  return x ^ x >> 29;
}

uint64_t KeyOf(uint64_t placement, MateHand hand) { return Mix(hand.bits(), placement); }

}  // namespace

void MateSearch::Begin(Color attacker) {
  attacker_ = attacker;
  table_.Clear();
  ++begun_;
  nodes_ = 0;
}

void MateSearch::SetLimits(uint64_t nodes, Time deadline, const std::atomic<bool>* stop) {
  node_limit_ = nodes;
  deadline_ = deadline;
  stop_ = stop;
  stopped_ = false;
}

MateVerdict MateSearch::Prove(Position& position, MateKnowledge& proof) {
  path_.clear();
  children_.clear();
  bool deepen = false;
  const Outcome outcome = Search(position, 0, kInfiniteNumber, kInfiniteNumber, deepen, true);
  const bool attacks = Attacks(position);
  const bool mate = (attacks ? outcome.win : outcome.loss) == 0;
  const bool no_mate = (attacks ? outcome.loss : outcome.win) == 0 && outcome.loop == kNoLoop;
  proof.plies = static_cast<uint16_t>(outcome.plies);
  proof.move = outcome.move;
  return mate ? MateVerdict::kMate : no_mate ? MateVerdict::kNoMate : MateVerdict::kUnknown;
}

bool MateSearch::CountNode() {
  if (stopped_) return false;
  if (nodes_ == node_limit_) {
    stopped_ = true;
    return false;
  }
  ++nodes_;
  if (nodes_ % kNodesBetweenLooks == 0) {
    stopped_ = (stop_ != nullptr && stop_->load(std::memory_order_relaxed)) ||
               (deadline_ != Time::max() && std::chrono::steady_clock::now() >= deadline_);
  }
  return !stopped_;
}

MateSearch::Outcome MateSearch::Search(Position& position, int ply, MateNumber win_limit,
                                       MateNumber loss_limit, bool& deepen, bool expanded) {
  const uint64_t before = nodes_;
  const bool attacks = Attacks(position);
  const MateHand hand(position.hand(attacker_));
  const uint64_t placement = position.placement_key();
  const uint64_t path_key = path_.empty() ? 0 : path_.back().key;
  path_.push_back({placement, hand, Mix(path_key, KeyOf(placement, hand))});
  const size_t first = children_.size();
  Expand(position, ply);

  Tally tally = Count(first);
  // A move that leads back towards the root makes the numbers grow without progress. One step is
  // then made beyond the limits (A. Kishimoto, "Dealing with Infinite Loops, Underestimation, and
  // Overestimation of Depth-First Proof-Number Search", 2010).
  deepen = tally.old || (deepen && expanded);
  bool extended = deepen;
  MateNumber most_win = win_limit;
  MateNumber most_loss = loss_limit;
  if (extended) {
    most_win = std::max(most_win, std::min(tally.win + 1, kInfiniteNumber));
    most_loss = std::max(most_loss, std::min(tally.loss + 1, kInfiniteNumber));
  }
  while (!stopped_ && tally.win != 0 && tally.loss != 0 && tally.win < most_win &&
         tally.loss < most_loss) {
    if (!CountNode()) break;
    const Move move = children_[tally.best].move;
    const bool known = children_[tally.best].expanded;
    const MateNumber win = std::min(most_win, Beyond(tally.second));
    const MateNumber loss = most_loss - (tally.open - 1);
    Undo undo;
    position.Do(move, undo);
    const Outcome after = Search(position, ply + 1, loss, win, deepen, known);
    position.TakeBack(move, undo);
    if (stopped_) break;
    Child& child = children_[tally.best];
    child.win = after.loss;
    child.loss = after.win;
    child.hand = after.hand;
    child.plies = static_cast<uint16_t>(after.plies);
    child.loop = after.loop;
    child.old = false;
    child.expanded = true;
    Release(position, first, tally.best, ply);
    tally = Count(first);
    if (extended) {
      extended = deepen = false;
      most_win = win_limit;
      most_loss = loss_limit;
    }
  }
  const Outcome outcome = Decide(position, first, tally, ply);
  const PathNode node = path_.back();
  path_.pop_back();
  children_.resize(first);
  // Not stored after an interruption: moves not yet examined would make the node seem easy.
  if (!stopped_ || outcome.win == 0 || outcome.loss == 0) {
    Keep(node, outcome, attacks, nodes_ - before, ply);
  }
  return outcome;
}

void MateSearch::Keep(const PathNode& node, const Outcome& outcome, bool attacks, uint64_t amount,
                      int ply) {
  const MateNumber proof = attacks ? outcome.win : outcome.loss;
  const MateNumber disproof = attacks ? outcome.loss : outcome.win;
  if (proof == 0) {
    table_.KeepProven(node.placement, outcome.hand, outcome.plies, outcome.move, amount);
  } else if (disproof != 0) {
    table_.KeepOpen(node.placement, node.hand, proof, disproof, amount, ply);
  } else if (outcome.loop == kNoLoop) {
    table_.KeepDisproven(node.placement, outcome.hand, amount);
  } else {
    loops_[node.key % kLoopEntries] = {node.key, begun_, outcome.loop};
  }
}

void MateSearch::Expand(Position& position, int ply) {
  const size_t first = children_.size();
  {
    MoveList moves;
    if (Attacks(position)) {
      position.Generate<GenType::kAllChecks>(moves);
    } else {
      position.Generate<GenType::kAll>(moves);
    }
    for (const Move move : moves) children_.emplace_back().move = move;
  }
  Chain(position, first);
  const size_t end = children_.size();
  for (size_t i = first; i < end && !stopped_; ++i) {
    if (children_[i].waits) continue;
    Meet(position, children_[i], ply);
    if (children_[i].win == 0 && children_[i].loop == kNoLoop) return;
  }
  for (size_t i = first; i < end && !stopped_; ++i) {
    if (!children_[i].waits) Release(position, first, i, ply);
  }
}

// Chains moves of similar effect: each waits for the one before it, and the chain counts as one
// move. Chained are a declined promotion to the promotion, and the defender's drops on one square.
// So are all its drops on unguarded squares, which usually only delay the mate.
void MateSearch::Chain(const Position& position, size_t first) {
  constexpr size_t kUnguarded = kSquareCount;
  const bool attacks = Attacks(position);
  std::array<size_t, kSquareCount + 1> last_drop{};  // index in children_ + 1
  std::array<uint8_t, kSquareCount> guarded{};       // 1: no, 2: yes
  auto append = [&](size_t after, size_t i) {
    children_[i].next = children_[after].next;
    children_[after].next = static_cast<uint16_t>(i - first);
    children_[i].waits = true;
  };
  for (size_t i = first; i < children_.size(); ++i) {
    const Move move = children_[i].move;
    const auto to = static_cast<size_t>(move.to());
    if (move.is_drop()) {
      if (attacks) continue;
      if (guarded[to] == 0) {
        guarded[to] = position.IsAttacked(~attacker_, move.to()) ? 2 : 1;
      }
      size_t& last = last_drop[guarded[to] == 2 ? to : kUnguarded];
      if (last != 0) append(last - 1, i);
      last = i + 1;
    } else if (move.promotes()) {
      const PieceType kind = TypeOf(position.piece(move.from()));
      if (kind == kSilver || kind == kKnight) continue;
      for (size_t j = first; j < children_.size(); ++j) {
        const Move other = children_[j].move;
        if (other.is_drop() || other.promotes() || other.from() != move.from()) continue;
        if (other.to() != move.to()) continue;
        if (kind == kLance && RelativeRank(position.side_to_move(), move.to()) > 2) continue;
        append(i, j);
      }
    }
  }
}

void MateSearch::Meet(Position& position, Child& child, int ply) {
  if (!CountNode()) return;
  const bool attacks = Attacks(position);
  Undo undo;
  position.Do(child.move, undo);
  const MateKnowledge known = Judge(position, ply + 1, child.loop);
  position.TakeBack(child.move, undo);
  child.win = attacks ? known.proof : known.disproof;
  child.loss = attacks ? known.disproof : known.proof;
  child.hand = known.hand;
  child.plies = known.plies;
  child.expanded = known.expanded;
  child.old = known.found && !known.solved() && known.nearest <= ply;
}

void MateSearch::Release(Position& position, size_t first, size_t child, int ply) {
  size_t i = child;
  while (!stopped_ && children_[i].loss == 0 && children_[i].next != 0) {
    i = first + children_[i].next;
    if (!children_[i].waits) return;
    children_[i].waits = false;
    Meet(position, children_[i], ply);
  }
}

MateKnowledge MateSearch::Judge(Position& position, int ply, int& loop) {
  const MateHand hand(position.hand(attacker_));
  const uint64_t placement = position.placement_key();
  // Step 1: the position occurred before on the path with no smaller hand. A mate from here would
  // then give a shorter one from there.
  for (int i = ply - 2; i >= 0; i -= 2) {
    const PathNode& past = path_[static_cast<size_t>(i)];
    if (past.placement == placement && past.hand.HasAllOf(hand)) {
      loop = i;
      return MateKnowledge::Disproven(hand);
    }
  }
  // Step 2: too far from the root. The line is given up; no result above depends on it.
  if (ply >= kMostPlies) {
    loop = -1;
    return MateKnowledge::Disproven(hand);
  }
  // Step 3: results of the tables.
  const MateKnowledge known = table_.Look(placement, hand);
  if (known.solved()) return known;
  const uint64_t key = Mix(path_.back().key, KeyOf(placement, hand));
  if (const LoopEntry& entry = loops_[key % kLoopEntries];
      entry.key == key && entry.begun == begun_) {
    loop = entry.loop;
    return MateKnowledge::Disproven(hand);
  }
  if (known.found) return known;
  // Step 4: a new position.
  const MateKnowledge judged =
      Attacks(position) ? JudgeAttack(position, known) : JudgeDefence(position, known);
  if (judged.proof == 0) {
    table_.KeepProven(placement, judged.hand, judged.plies, judged.move, 1);
  } else if (judged.disproof == 0) {
    table_.KeepDisproven(placement, judged.hand, 1);
  } else {
    table_.KeepOpen(placement, hand, judged.proof, judged.disproof, 1, ply);
  }
  return judged;
}

// Detects positions without checks and mates at once.
MateKnowledge MateSearch::JudgeAttack(Position& position, MateKnowledge open) {
  MoveList checks;
  position.Generate<GenType::kChecks>(checks);
  if (checks.empty()) {
    const MateHand hand = CutToHands(position, NoNewChecks(position, attacker_));
    return MateKnowledge::Disproven(hand);
  }
  const Move mate = MateInOne(position, checks);
  if (!mate) return open;
  Undo undo;
  position.Do(mate, undo);
  const MateHand after = HeldBack(position, attacker_);
  position.TakeBack(mate, undo);
  return MateKnowledge::Proven(ProofHandBefore(position, mate, after), 1, mate);
}

// Detects mate; otherwise the numbers follow from the count of moves.
MateKnowledge MateSearch::JudgeDefence(Position& position, MateKnowledge open) {
  MoveList moves;
  position.Generate<GenType::kAll>(moves);
  if (moves.empty()) {
    return MateKnowledge::Proven(HeldBack(position, attacker_), 0, Move());
  }
  Bitboard drops;
  MateNumber ways = 0;
  for (const Move move : moves) {
    if (move.is_drop()) {
      drops |= Bit(move.to());
    } else {
      ++ways;
    }
  }
  ways += static_cast<MateNumber>(drops.Count());
  open.proof = std::max(open.proof, ways);
  return open;
}

MateSearch::Tally MateSearch::Count(size_t first) const {
  Tally tally;
  for (size_t i = first; i < children_.size(); ++i) {
    const Child& child = children_[i];
    if (child.waits) continue;
    tally.old = tally.old || child.old;
    if (child.loss != 0) {
      ++tally.open;
      tally.loss = std::max(tally.loss, child.loss);
    }
    if (child.win < tally.win) {
      tally.second = tally.win;
      tally.win = child.win;
      tally.best = i;
    } else {
      tally.second = std::min(tally.second, child.win);
    }
  }
  if (tally.open > 1) {
    tally.loss = tally.loss >= kInfiniteNumber ? tally.loss : tally.loss + (tally.open - 1);
    tally.loss = std::min(tally.loss, tally.win == 0 ? kInfiniteNumber : kInfiniteNumber - 1);
  }
  return tally;
}

MateSearch::Outcome MateSearch::Decide(const Position& position, size_t first, const Tally& tally,
                                       int ply) const {
  Outcome outcome;
  if (tally.win == 0) {
    outcome = Win(position, first, tally.best);
  } else if (tally.loss == 0 && !stopped_) {
    outcome = Loss(position, first);
  } else {
    outcome.win = std::max(tally.win, MateNumber{1});
    outcome.loss = std::max(tally.loss, MateNumber{1});
    return outcome;
  }
  if (outcome.loop >= ply) outcome.loop = kNoLoop;  // depends on no position above this node
  return outcome;
}

MateSearch::Outcome MateSearch::Win(const Position& position, size_t first, size_t won) const {
  // Chooses a move that depends on no repetition, or on the latest one; then the shortest mate.
  size_t at = won;
  for (size_t i = first; i < children_.size(); ++i) {
    const Child& child = children_[i];
    if (child.waits || child.win != 0) continue;
    if (child.loop > children_[at].loop ||
        (child.loop == children_[at].loop && child.plies < children_[at].plies)) {
      at = i;
    }
  }
  const Child* const best = children_.data() + at;
  assert(best != nullptr);
  Outcome outcome{0, kInfiniteNumber, best->hand, best->plies + 1, best->loop, best->move};
  if (Attacks(position)) {
    outcome.hand = ProofHandBefore(position, best->move, best->hand);
    return outcome;
  }
  outcome.hand = CutToHands(position, best->hand);
  if (best->move.is_drop()) {
    // The defender must hold the piece, so the attacker may not hold all of the type.
    const auto kind = static_cast<PieceType>(best->move.dropped());
    const int both = position.hand(kBlack).Count(kind) + position.hand(kWhite).Count(kind);
    outcome.hand.Set(kind, std::min(outcome.hand.Count(kind), both - 1));
  }
  return outcome;
}

MateSearch::Outcome MateSearch::Loss(const Position& position, size_t first) const {
  const bool attacks = Attacks(position);
  Outcome outcome{kInfiniteNumber, 0, {}, 0, kNoLoop, Move()};
  outcome.hand = attacks ? NoNewChecks(position, attacker_) : HeldBack(position, attacker_);
  for (size_t i = first; i < children_.size(); ++i) {
    const Child& child = children_[i];
    outcome.loop = std::min(outcome.loop, child.loop);
    outcome.plies = std::max(outcome.plies, child.plies + 1);
    outcome.hand =
        attacks ? Intersection(outcome.hand, DisproofHandBefore(position, child.move, child.hand))
                : Union(outcome.hand, child.hand);
  }
  if (attacks) outcome.hand = CutToHands(position, outcome.hand);
  return outcome;
}

}  // namespace joseki::shogi
