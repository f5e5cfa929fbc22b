#include "engine/xiangqi/mate/mate_finder.h"

#include <algorithm>

namespace joseki::xiangqi {
namespace {

constexpr uint32_t kInfinite = uint32_t{1} << 28;
// Marks a position that the line has met before: no mate this way, but perhaps another way.
constexpr uint32_t kRepeats = uint32_t{1} << 24;

// Nodes for finding shorter mates: a multiple of those for the first one, and a minimum.
constexpr uint64_t kShorteningTimes = 8;
constexpr uint64_t kLeastShortening = 50;

}  // namespace

MateProbe MateFinder::Find(Position& position, uint64_t nodes, const std::atomic<bool>* stop) {
  return Run(position, plies_ == 0 ? kMostPlies : std::min(plies_, kMostPlies), nodes, stop);
}

MateProbe MateFinder::Prove(Position& position, uint64_t nodes, const std::atomic<bool>* stop) {
  return Run(position, kMostPlies, nodes, stop);
}

MateProbe MateFinder::Run(Position& position, int most_plies, uint64_t nodes,
                          const std::atomic<bool>* stop) {
  if (table_ == nullptr) table_ = std::make_unique<std::array<Entry, kEntries>>();
  nodes_ = 0;
  most_nodes_ = nodes;
  stop_ = stop;
  MateProbe found;
  // The first proof may take a detour. Shorter mates are searched while that costs at most a few
  // times as much.
  for (most_plies_ = most_plies; most_plies_ > 0; most_plies_ = found.plies - 2) {
    ++search_;
    over_ = false;
    const Numbers numbers = Visit(position, 0, kRepeats, kInfinite);
    if (numbers.proof != 0) break;
    if (!found.move) most_nodes_ = std::min(nodes, (nodes_ + kLeastShortening) * kShorteningTimes);
    found.move = numbers.move;
    found.plies = numbers.plies;
  }
  found.nodes = nodes_;
  return found;
}

bool MateFinder::CountNode() {
  if (over_ || nodes_ >= most_nodes_) {
    over_ = true;
    return false;
  }
  if ((nodes_++ & 255) == 0 && stop_ != nullptr && stop_->load(std::memory_order_relaxed)) {
    over_ = true;
    return false;
  }
  return true;
}

Key MateFinder::Marked(Key key, int ply) const {
  if (most_plies_ < kMostPlies) key.hi ^= static_cast<uint64_t>(ply) * 0x9E3779B97F4A7C15u;
  return key;
}

MateFinder::Numbers MateFinder::Known(Key key, int ply) const {
  key = Marked(key, ply);
  const Entry& entry = (*table_)[key.lo % kEntries];
  const bool found = entry.search == search_ && entry.lock == static_cast<uint32_t>(key.hi >> 32);
  return found ? entry.numbers : Numbers();
}

void MateFinder::Keep(Key key, int ply, const Numbers& numbers) {
  key = Marked(key, ply);
  (*table_)[key.lo % kEntries] = {search_, static_cast<uint32_t>(key.hi >> 32), numbers};
}

bool MateFinder::IsOnPath(Key key, int ply) const {
  for (int earlier = ply - 2; earlier >= 0; earlier -= 2) {
    if (path_[static_cast<size_t>(earlier)] == key.lo) return true;
  }
  return false;
}

MateFinder::Numbers MateFinder::Visit(Position& position, int ply, uint32_t most_proof,
                                      uint32_t most_disproof) {
  const bool attacks = ply % 2 == 0;
  const Key key = position.key();
  path_[static_cast<size_t>(ply)] = key.lo;
  MoveList moves;
  if (attacks) {
    if (ply < most_plies_) position.Generate<GenType::kChecks>(moves);
  } else {
    position.Generate<GenType::kAll>(moves);
  }
  Numbers numbers;
  if (moves.empty()) {
    numbers.proof = attacks ? kInfinite : 0;
    numbers.disproof = attacks ? 0 : kInfinite;
    Keep(key, ply, numbers);
    return numbers;
  }
  Key keys[MoveList::kCapacity];
  for (int i = 0; i < moves.size(); ++i) keys[i] = position.KeyAfter(moves[i]);

  while (true) {
    // "Ours" is the number that the side to move wants to be low. For the other number the maximum
    // over the children counts, plus one for each further child: a sum would count shared lines
    // repeatedly.
    uint32_t ours = kInfinite;
    uint32_t second = kInfinite;
    uint32_t theirs = 0;
    uint32_t open = 0;
    int best = 0;
    int plies = attacks ? kMostPlies : 0;
    Move mates;
    for (int i = 0; i < moves.size(); ++i) {
      Numbers child = Known(keys[i], ply + 1);
      if (child.proof != 0 && child.disproof != 0 && IsOnPath(keys[i], ply + 1)) {
        child.proof = kRepeats;
        child.disproof = 1;
      }
      const uint32_t own = attacks ? child.proof : child.disproof;
      const uint32_t other = attacks ? child.disproof : child.proof;
      if (own < ours) {
        second = ours;
        ours = own;
        best = i;
      } else {
        second = std::min(second, own);
      }
      if (other != 0) ++open;
      theirs = std::max(theirs, other);
      if (child.proof != 0) continue;
      if (!attacks) {
        plies = std::max(plies, child.plies + 1);
      } else if (child.plies + 1 < plies) {
        plies = child.plies + 1;
        mates = moves[i];
      }
    }
    if (ours == 0) {
      theirs = kInfinite;
    } else if (theirs > 0 && theirs < kRepeats) {
      theirs = std::min(theirs + open - 1, kRepeats - 1);
    }
    numbers.proof = attacks ? ours : theirs;
    numbers.disproof = attacks ? theirs : ours;
    if (numbers.proof == 0) {
      numbers.move = mates;
      numbers.plies = static_cast<uint8_t>(plies);
    }
    if (numbers.proof >= most_proof || numbers.disproof >= most_disproof || over_) break;

    const uint32_t most_ours = attacks ? most_proof : most_disproof;
    const uint32_t most_theirs = attacks ? most_disproof : most_proof;
    const uint32_t for_ours = std::min(most_ours, second + 1);
    // The bound for one child such that all children together reach the node's bound.
    const uint32_t for_theirs = most_theirs >= kRepeats ? most_theirs : most_theirs - (open - 1);
    if (!CountNode()) break;
    Undo undo;
    position.Do(moves[best], undo);
    Visit(position, ply + 1, attacks ? for_ours : for_theirs, attacks ? for_theirs : for_ours);
    position.TakeBack(moves[best], undo);
    path_[static_cast<size_t>(ply)] = key.lo;
  }
  Keep(key, ply, numbers);
  return numbers;
}

}  // namespace joseki::xiangqi
