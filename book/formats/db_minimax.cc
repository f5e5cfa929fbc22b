#include "book/formats/db_minimax.h"

#include <algorithm>

#include "absl/container/flat_hash_map.h"
#include "book/formats/game_form.h"
#include "book/formats/turned.h"
#include "book/minimax.h"

namespace joseki::book {
namespace {

using Index = absl::flat_hash_map<Key, uint32_t, std::hash<Key>>;

// Index of each position by its key and, if `turned`, also by the key of its turned image.
template <typename Form>
Index IndexOf(const std::vector<DbPosition>& positions, bool turned) {
  Index index;
  index.reserve(positions.size() * (turned ? 2 : 1));
  for (uint32_t i = 0; i < positions.size(); ++i) {
    for (const bool twin : {false, true}) {
      if (twin && !turned) continue;
      const auto position = Form::Unpack(twin ? Turned(positions[i]).packed : positions[i].packed);
      if (position.ok()) index.emplace(position->key(), i);
    }
  }
  return index;
}

// REQUIRES: canonical positions.
template <typename Form>
DbMinimaxReport MinimaxOf(std::vector<DbPosition>& positions, bool turned, int32_t draw,
                          bool add_moves) {
  DbMinimaxReport report;
  const Index index = IndexOf<Form>(positions, turned);
  MinimaxGraph graph;
  graph.first.push_back(0);
  for (DbPosition& entry : positions) {
    absl::StatusOr<typename Form::Position> position = Form::Unpack(entry.packed);
    std::vector<DbMove> added;
    if (position.ok() && add_moves) {
      typename Form::MoveList legal;
      position->template Generate<GenType::kAll>(legal);
      for (const Move move : legal) {
        const bool known = std::any_of(entry.moves.begin(), entry.moves.end(),
                                       [&](const DbMove& m) { return m.move == move; });
        if (known) continue;
        typename Form::Undo undo;
        position->Do(move, undo);
        if (index.contains(position->key())) {
          DbMove& leads = added.emplace_back();
          leads.move = move;
          leads.count = 0;
        }
        position->TakeBack(move, undo);
      }
    }
    report.transpositions += added.size();
    entry.moves.insert(entry.moves.end(), added.begin(), added.end());
    for (const DbMove& move : entry.moves) {
      int32_t to = kNoTarget;
      bool checks = false;
      if (position.ok()) {
        checks = !turned && position->GivesCheck(move.move);
        typename Form::Undo undo;
        position->Do(move.move, undo);
        if (const auto at = index.find(position->key()); at != index.end()) {
          to = static_cast<int32_t>(at->second);
        }
        position->TakeBack(move.move, undo);
      }
      graph.to.push_back(to);
      graph.value.push_back(std::clamp(move.value, kLostValue, -kLostValue));
      if (!turned) graph.checks.push_back(checks ? 1 : 0);
    }
    graph.second.push_back(!turned && SideToMove(entry.packed) == shogi::kWhite ? 1 : 0);
    graph.first.push_back(static_cast<uint32_t>(graph.to.size()));
  }
  const MinimaxValues values = Minimax(graph, turned ? 0 : draw);
  for (uint32_t i = 0; i < positions.size(); ++i) {
    for (uint32_t k = 0; k < positions[i].moves.size(); ++k) {
      DbMove& move = positions[i].moves[k];
      const uint32_t edge = graph.first[i] + k;
      const int32_t to = graph.to[edge];
      move.value = MoveValue(graph, values, edge);
      move.has_value = true;
      const uint32_t plies = to == kNoTarget ? 0 : values.plies[static_cast<size_t>(to)];
      move.depth = plies == MinimaxValues::kRepeats
                       ? kRepetitionDepth
                       : static_cast<int>(std::min<uint32_t>(plies, kRepetitionDepth - 3)) + 1;
      move.has_depth = true;
    }
  }
  Canonicalise(positions);
  report.circles = values.circles;
  report.largest = values.largest;
  return report;
}

}  // namespace

DbMinimaxReport MinimaxBook(std::vector<DbPosition>& positions, bool turned, int32_t draw,
                            bool add_moves) {
  Canonicalise(positions);
  // The packed forms of the two games differ.
  const bool xiangqi = !positions.empty() && XiangqiForm::Unpack(positions.front().packed).ok();
  return xiangqi ? MinimaxOf<XiangqiForm>(positions, turned, draw, add_moves)
                 : MinimaxOf<ShogiForm>(positions, turned, draw, add_moves);
}

}  // namespace joseki::book
