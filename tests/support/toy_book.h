#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

#include "book/graph.h"
#include "tests/support/toy_rules.h"

namespace joseki::testing {

// Parses a list such as "a1 b2 x". REQUIRES: all words are toy moves.
inline std::vector<Move> ToyMoves(std::string_view text) {
  std::vector<Move> moves;
  while (!text.empty()) {
    const size_t end = std::min(text.find(' '), text.size());
    moves.push_back(ToyRules().MoveOf(text.substr(0, end)).value());
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return moves;
}

// The toy position of a text.
inline ToyPosition ToyAt(std::string_view text) { return ToyPosition::Of(text).value().first; }

// A book position with its moves, all of this base weight.
inline book::GraphInput ToyInput(std::string_view position, std::string_view moves,
                                 int64_t weight = 1) {
  book::GraphInput input;
  input.packed = ToyAt(position).packed();
  for (const Move move : ToyMoves(moves)) input.moves.push_back({move, weight});
  return input;
}

// A book of every position within `plies` plies of `start` by the legal ones of `moves`. Each move
// has its own base weight between 0 and 9. The book has transpositions. With a1 and b1 every line
// is `plies` long; with a2 longer lines reach some positions too; with x there are cycles.
inline std::vector<book::GraphInput> ToyBook(int plies, std::string_view moves = "a1 a2 b1",
                                             std::string_view start = "startpos") {
  const std::vector<Move> choices = ToyMoves(moves);
  std::map<PackedPosition, book::GraphInput> book;
  std::vector<ToyPosition> frontier = {ToyPosition::Of(start).value().first};
  for (int ply = 1; ply <= plies; ++ply) {
    std::vector<ToyPosition> next;
    for (const ToyPosition& position : frontier) {
      book::GraphInput& input = book[position.packed()];
      if (!input.moves.empty()) continue;
      input.packed = position.packed();
      input.ply = ply;
      for (const Move move : choices) {
        if (!position.Legal(move)) continue;
        input.moves.push_back({move, static_cast<int64_t>((position.key().lo ^ move.raw()) % 10)});
        next.push_back(position);
        next.back().Do(move);
      }
    }
    frontier = std::move(next);
  }
  std::vector<book::GraphInput> result;
  for (const auto& [packed, input] : book) result.push_back(input);
  return result;
}

}  // namespace joseki::testing
