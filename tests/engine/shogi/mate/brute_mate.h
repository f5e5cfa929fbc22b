#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <vector>

#include "base/rng.h"
#include "engine/shogi/position.h"

namespace joseki::shogi {

// Whether the side to move mates by checks alone within `plies`, by trying every check and reply
// without a table. Each check decrements `budget`; once it is used up the answer is meaningless.
inline bool MatesWithin(Position& position, int plies, int64_t& budget) {
  if (plies < 1 || budget <= 0) return false;
  MoveList moves;
  position.Generate<GenType::kAll>(moves);
  for (const Move move : moves) {
    Undo undo;
    position.Do(move, undo);
    bool mates = position.InCheck();
    if (mates) {
      --budget;
      MoveList replies;
      position.Generate<GenType::kAll>(replies);
      mates = replies.empty() || plies >= 3;
      for (const Move reply : replies) {
        if (!mates) break;
        Undo below;
        position.Do(reply, below);
        mates = MatesWithin(position, plies - 2, budget);
        position.TakeBack(reply, below);
      }
    }
    position.TakeBack(move, undo);
    if (mates) return budget > 0;
  }
  return false;
}

// Whether the side to move mates by checks alone in any number of moves. Collects every position
// that checks and replies reach, at most `most` (else nullopt), and finds the won ones backwards
// from the mates. Independent of paths, so repetitions cannot mislead it.
inline std::optional<bool> MatesAtAll(const Position& root, size_t most) {
  struct Node {
    Position position;
    bool attacks;
    int open = 0;  // replies not yet known to lose
    bool won = false;
    std::vector<size_t> from = {};
  };
  std::deque<Node> nodes = {{root, true}};
  std::map<Key, size_t> seen = {{root.key(), 0}};
  std::vector<size_t> won;
  for (size_t i = 0; i < nodes.size(); ++i) {
    int64_t moves_of_one_ply = 1000;
    if (nodes[i].attacks && MatesWithin(nodes[i].position, 1, moves_of_one_ply)) {
      nodes[i].won = true;
      won.push_back(i);
      continue;
    }
    MoveList moves;
    nodes[i].position.Generate<GenType::kAll>(moves);
    for (const Move move : moves) {
      Position after = nodes[i].position;
      Undo undo;
      after.Do(move, undo);
      if (nodes[i].attacks && !after.InCheck()) continue;
      const auto [place, added] = seen.emplace(after.key(), nodes.size());
      if (added) nodes.push_back({after, !nodes[i].attacks});
      nodes[place->second].from.push_back(i);
      ++nodes[i].open;
    }
    if (nodes.size() > most) return std::nullopt;
    if (!nodes[i].attacks && nodes[i].open == 0) {
      nodes[i].won = true;
      won.push_back(i);
    }
  }
  while (!won.empty()) {
    const size_t i = won.back();
    won.pop_back();
    for (const size_t before : nodes[i].from) {
      Node& node = nodes[before];
      if (node.won || (!node.attacks && --node.open > 0)) continue;
      node.won = true;
      won.push_back(before);
    }
  }
  return nodes[0].won;
}

// A random position near a mate. A white king is in Black's zone with some of its pieces, black
// ones around it, and each hand has up to `kinds` piece types. Black is to move, possibly without a
// king. Flaw() is "".
inline Position RandomAttack(Rng& rng, int kinds = 3) {
  auto below = [&rng](int n) { return static_cast<int>(rng.Below(static_cast<uint64_t>(n))); };
  while (true) {
    PositionBuilder builder;
    int left[kHandTypeCount] = {0, 18, 4, 4, 4, 2, 2, 4};
    const int file = 1 + below(9);
    const int rank = 1 + below(4);
    bool taken[kSquareCount] = {};
    auto put = [&](Square s, Piece piece) {
      taken[s] = true;
      builder.Put(s, piece);
    };
    put(MakeSquare(file, rank), MakePiece(kWhite, kKing));
    if (below(2) == 0) put(MakeSquare(1 + below(9), 9), MakePiece(kBlack, kKing));
    const int pieces = 3 + below(8);
    for (int i = 0; i < pieces; ++i) {
      const int f = file + below(7) - 3;
      const int r = rank + below(6) - 2;
      if (f < 1 || f > 9 || r < 1 || r > 9 || taken[MakeSquare(f, r)]) continue;
      const auto kind = static_cast<PieceType>(kPawn + below(7));
      if (left[kind] == 0) continue;
      --left[kind];
      const bool promoted = CanPromote(kind) && below(4) == 0;
      put(MakeSquare(f, r),
          MakePiece(below(2) == 0 ? kBlack : kWhite, promoted ? Promoted(kind) : kind));
    }
    for (const Color c : {kBlack, kWhite}) {
      const int held = below(kinds + 1);
      for (int i = 0; i < held; ++i) {
        const auto kind = static_cast<PieceType>(kPawn + below(7));
        const int count = std::min(left[kind], 1 + below(2));
        left[kind] -= count;
        builder.Hold(c, kind, count);
      }
    }
    Position position = builder.Build();
    if (*position.Flaw() == '\0') return position;
  }
}

}  // namespace joseki::shogi
