#include "engine/shogi/mate/depth_mate_search.h"

#include <algorithm>
#include <bit>
#include <cstdlib>

#include "engine/shogi/attacks.h"

namespace joseki::shogi {
namespace {

constexpr int kMostPlies = 99;  // fits the field of an entry

// Value of a piece for its captor, by YSS's table; a king cannot be captured.
constexpr int kWorth[kPieceTypeCount] = {0, 100, 430, 450, 640, 890,  1040, 690,
                                         0, 420, 630, 640, 670, 1150, 1300};
constexpr int kTwoRooks = 2 * kWorth[kRook];

int WorthOf(Piece piece) { return piece == kNoPiece ? 0 : kWorth[TypeOf(piece)]; }

int Distance(Square a, Square b) {
  return std::max(std::abs(FileOf(a) - FileOf(b)), std::abs(RankOf(a) - RankOf(b)));
}

// The rest of a limit in milliseconds that began at `start`; at least one. 0: no limit.
int64_t LeftOf(int64_t ms, std::chrono::steady_clock::time_point start) {
  if (ms == 0) return 0;
  const auto used = std::chrono::duration_cast<std::chrono::milliseconds>(
      std::chrono::steady_clock::now() - start);
  return std::max<int64_t>(ms - used.count(), 1);
}

}  // namespace

DepthMateSearch::DepthMateSearch(size_t table_bytes)
    : table_(std::bit_floor(std::max<size_t>(table_bytes / sizeof(Entry), 1))) {}

void DepthMateSearch::Begin(const MateLimits& limits, const std::atomic<bool>* stop) {
  nodes_ = 0;
  node_limit_ = limits.nodes;
  deadline_ = limits.ms > 0 ? Clock::now() + std::chrono::milliseconds(limits.ms)
                            : Clock::time_point::max();
  stop_ = stop;
  stopped_ = false;
}

bool DepthMateSearch::CountNode() {
  constexpr uint64_t kNodesBetweenLooks = 1024;
  if (stopped_) return false;
  if (node_limit_ != 0 && nodes_ == node_limit_) {
    stopped_ = true;
    return false;
  }
  ++nodes_;
  if (nodes_ % kNodesBetweenLooks == 0) {
    stopped_ = (stop_ != nullptr && stop_->load(std::memory_order_relaxed)) ||
               (deadline_ != Clock::time_point::max() && Clock::now() >= deadline_);
  }
  return !stopped_;
}

MateProbe DepthMateSearch::Find(Position& position, int plies, unsigned cuts,
                                const MateLimits& limits, const std::atomic<bool>* stop) {
  Begin(limits, stop);
  ++begun_;
  cuts_ = cuts;
  MateProbe probe;
  for (int depth = 1; depth <= std::min(plies, kMostPlies) && !stopped_; depth += 2) {
    probe.plies = Attack(position, depth, Path(), probe.move);
    if (probe.plies > 0) break;
  }
  if (probe.plies == 0) probe.move = Move();
  probe.nodes = nodes_;
  return probe;
}

MateResult DepthMateSearch::Solve(const Position& position, int plies, unsigned cuts,
                                  const MateLimits& limits) {
  const Clock::time_point start = Clock::now();
  Position now = position;
  MateResult result;
  MateProbe probe = Find(now, plies, cuts, limits);
  result.nodes = probe.nodes;
  bool sound = probe.plies > 0;
  while (sound) {
    result.line.push_back(probe.move);
    Undo undo;
    now.Do(probe.move, undo);
    MoveList defences;
    now.Generate<GenType::kAll>(defences);
    if (defences.empty()) break;
    // Chooses the longest defence. The search above has found a mate after each, unless a cut left
    // it out.
    const int left = probe.plies - 2;
    Move longest;
    MateProbe after;
    for (const Move defence : defences) {
      Undo defence_undo;
      now.Do(defence, defence_undo);
      const MateProbe next = Find(now, left, cuts, {.nodes = 0, .ms = LeftOf(limits.ms, start)});
      now.TakeBack(defence, defence_undo);
      if (next.plies == 0) {
        sound = false;
        break;
      }
      if (next.plies <= after.plies) continue;
      after = next;
      longest = defence;
    }
    if (!sound) break;
    result.line.push_back(longest);
    Undo longest_undo;
    now.Do(longest, longest_undo);
    probe = after;
  }
  result.verdict = sound ? MateVerdict::kMate : MateVerdict::kUnknown;
  if (!sound) result.line.clear();
  result.ms = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - start).count();
  return result;
}

// The key includes the path's costs, because they decide which moves are cut.
uint64_t DepthMateSearch::KeyFor(const Position& position, const Path& path) const {
  uint64_t key = position.key().hi ^ position.key().lo;
  if ((cuts_ & kTooMuchGiven) != 0) {
    key ^= static_cast<uint64_t>(path.given + 100000) * 0x9e3779b97f4a7c15u;
  }
  if ((cuts_ & kTwoThrownAway) != 0 && path.was_thrown) key ^= 0xd6e8feb86659fd93u;
  return key;
}

int DepthMateSearch::Attack(Position& position, int depth, const Path& path, Move& best) {
  if ((cuts_ & kTooMuchGiven) != 0 && path.given > kTwoRooks) return 0;
  const uint64_t key = KeyFor(position, path);
  Entry& entry = table_[key & (table_.size() - 1)];
  if (entry.begun == begun_ && entry.check == key) {
    if (entry.mate > 0 && entry.mate <= depth) {
      best = entry.move;
      return entry.mate;
    }
    if (entry.none >= depth) return 0;
  }
  MoveList checks;
  if ((cuts_ & kDeclinedPromotions) != 0) {
    position.Generate<GenType::kChecks>(checks);
  } else {
    position.Generate<GenType::kAllChecks>(checks);
  }
  int found = 0;
  for (const Move check : checks) {
    const bool thrown = (cuts_ & kTwoThrownAway) != 0 && IsThrownAway(position, check);
    if (LeavesOut(position, check, thrown, path)) continue;
    if (!CountNode()) return 0;
    Path after = path;
    after.given -= WorthOf(position.piece(check.to()));
    Undo undo;
    position.Do(check, undo);
    const int plies = Defend(position, depth - 1, after, check.to(), thrown);
    position.TakeBack(check, undo);
    if (stopped_) return 0;
    if (plies < 0) continue;
    found = plies + 1;
    best = check;
    break;  // smaller depths found none
  }
  const bool known = entry.begun == begun_ && entry.check == key;
  if (!known) entry = {.check = key, .begun = begun_, .none = 0, .mate = 0, .move = Move()};
  if (found > 0) {
    entry.mate = static_cast<uint8_t>(found);
    entry.move = best;
  } else {
    entry.none = static_cast<uint8_t>(std::max<int>(entry.none, depth));
  }
  return found;
}

int DepthMateSearch::Defend(Position& position, int depth, const Path& path, Square checker,
                            bool thrown) {
  if (depth == 0) return position.HasLegalMove() ? -1 : 0;
  MoveList all;
  position.Generate<GenType::kAll>(all);
  // Captures of the checking piece come first, above all by the king: they usually refute.
  const Square king = position.king(position.side_to_move());
  auto rank = [&](Move move) {
    if (move.is_drop()) return 3;
    if (move.to() == checker) return move.from() == king ? 0 : 1;
    return 2;
  };
  std::stable_sort(all.begin(), all.end(), [&](Move a, Move b) { return rank(a) < rank(b); });
  int longest = 0;
  for (const Move defence : all) {
    if ((cuts_ & kLostInterpositions) != 0 && IsLostInterposition(position, defence, checker)) {
      continue;
    }
    if (!CountNode()) return -1;
    Path after = path;
    after.given += WorthOf(position.piece(defence.to()));
    after.was_thrown = thrown && defence.to() == checker;
    Undo undo;
    position.Do(defence, undo);
    Move best;
    const int plies = Attack(position, depth - 1, after, best);
    position.TakeBack(defence, undo);
    if (plies == 0 || stopped_) return -1;
    longest = std::max(longest, plies + 1);
  }
  return longest;
}

bool DepthMateSearch::LeavesOut(const Position& position, Move check, bool thrown,
                                const Path& path) const {
  if ((cuts_ & kTwoThrownAway) != 0 && path.was_thrown && thrown) return true;
  if ((cuts_ & kDropsFromAfar) == 0 || !check.is_drop()) return false;
  constexpr int kAfar = 4;
  const auto kind = static_cast<PieceType>(check.dropped());
  return (kind == kRook || kind == kBishop || kind == kLance) &&
         Distance(check.to(), position.king(~position.side_to_move())) > kAfar;
}

bool DepthMateSearch::IsThrownAway(const Position& position, Move check) {
  const Color us = position.side_to_move();
  if (!position.IsAttacked(~us, check.to())) return false;
  Bitboard guards = position.Attackers(us, check.to(), position.occupied());
  if (!check.is_drop()) guards = guards - Bit(check.from());
  return !guards;
}

bool DepthMateSearch::IsLostInterposition(const Position& position, Move defence, Square checker) {
  const Color us = position.side_to_move();
  const Square king = position.king(us);
  if (!(Between(checker, king) & Bit(defence.to()))) return false;
  Bitboard guards = position.Attackers(us, defence.to(), position.occupied());
  if (!defence.is_drop()) guards = guards - Bit(defence.from());
  return !guards;
}

}  // namespace joseki::shogi
