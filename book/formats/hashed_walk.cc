#include "book/formats/hashed_walk.h"

#include <algorithm>
#include <deque>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"

namespace joseki::book {
namespace {

template <typename Form>
class Walker {
  using Position = typename Form::Position;

 public:
  Walker(const HashedBookOf<Form>& book, int gap, const std::function<void(DbPosition)>& accept)
      : book_(book), gap_(gap), accept_(accept) {}

  void Run(const std::vector<Position>& roots) {
    Arrive(Position(), 1, gap_);
    for (const Position& root : roots) Arrive(root, 1, gap_);
    while (!queue_.empty()) {
      const Waiting next = queue_.front();
      queue_.pop_front();
      Expand(next);
    }
  }

 private:
  struct Waiting {
    PackedPosition packed;
    int ply = 1;
    int gap = 0;              // plies that may still be played outside the book
    std::vector<Move> moves;  // book moves; empty at a position that the book lacks
  };

  // Adds a position if it is new, or if the walk may now go further from it.
  void Arrive(const Position& position, int ply, int gap) {
    if (!book_.knows(position)) {
      if (gap == 0) return;
      int& before = gaps_[position.key()];
      if (before >= gap) return;
      before = gap;
      queue_.push_back({Form::Pack(position), ply, gap, {}});
      return;
    }
    if (!seen_.insert(position.key()).second) return;
    DbPosition entry = book_.entry(position, ply);
    if (entry.moves.empty()) return;
    Waiting waiting{entry.packed, ply, gap_, {}};
    for (const DbMove& move : entry.moves) waiting.moves.push_back(move.move);
    queue_.push_back(std::move(waiting));
    accept_(std::move(entry));
  }

  void Expand(const Waiting& from) {
    absl::StatusOr<Position> position = Form::Unpack(from.packed);
    if (!position.ok()) return;
    const auto follow = [&](Move move, int gap) {
      typename Form::Undo undo;
      position->Do(move, undo);
      Arrive(*position, from.ply + 1, gap);
      position->TakeBack(move, undo);
    };
    for (const Move move : from.moves) follow(move, gap_);
    if (from.gap == 0) return;
    typename Form::MoveList legal;
    position->template Generate<GenType::kAll>(legal);
    for (const Move move : legal) {
      if (std::find(from.moves.begin(), from.moves.end(), move) == from.moves.end()) {
        follow(move, from.gap - 1);
      }
    }
  }

  const HashedBookOf<Form>& book_;
  const int gap_;
  const std::function<void(DbPosition)>& accept_;
  absl::flat_hash_set<Key, std::hash<Key>> seen_;  // positions with records
  // Other positions, with the largest remaining gap seen.
  absl::flat_hash_map<Key, int, std::hash<Key>> gaps_;
  std::deque<Waiting> queue_;
};

}  // namespace

template <typename Form>
void Walk(const HashedBookOf<Form>& book, const HashedWalkOf<Form>& walk,
          const std::function<void(DbPosition)>& accept) {
  Walker<Form>(book, walk.gap, accept).Run(walk.roots);
}

template void Walk(const HashedBook&, const HashedWalk&, const std::function<void(DbPosition)>&);
template void Walk(const HashedBookOf<XiangqiForm>&, const HashedWalkOf<XiangqiForm>&,
                   const std::function<void(DbPosition)>&);

}  // namespace joseki::book
