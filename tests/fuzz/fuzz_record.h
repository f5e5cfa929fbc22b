#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "base/problem.h"
#include "book/formats/game_form.h"
#include "book/records/encoding.h"
#include "book/records/record.h"

namespace joseki::book {

// Reads arbitrary bytes as a record and checks the promises of every reader. Games have legal moves
// from the even start, headers are UTF-8, problems have their place, and there is at least one game
// or problem.
template <typename Form = ShogiForm, typename Reader>
void FuzzRecord(Reader reader, const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  bool told = false;
  RecordSink sink;
  sink.positions = 30;
  sink.accept = [&](GameRecord game) {
    told = true;
    if (game.moves.empty() || game.line < 1) std::abort();
    if (game.positions.size() != std::min<size_t>(30, game.moves.size())) std::abort();
    typename Form::Position position;
    for (size_t i = 0; i < game.moves.size(); ++i) {
      if (!position.IsLegal(game.moves[i])) std::abort();
      if (i < game.positions.size() && game.positions[i] != Form::Pack(position)) std::abort();
      typename Form::Undo undo;
      position.Do(game.moves[i], undo);
    }
    if (!IsUtf8(game.players[0]) || !IsUtf8(game.players[1]) || !IsUtf8(game.event)) std::abort();
  };
  sink.reject = [&](absl::Status status) {
    told = true;
    const Problem problem = ProblemOf(status);
    if (problem.code.empty() || problem.file != "f" || problem.line < 1) std::abort();
    if (!IsUtf8(problem.found) || problem.found.find('\n') != std::string::npos) std::abort();
  };
  sink.variation = [&](Variation variation) {
    if (variation.line < 1 || variation.first < 1) std::abort();
    if (variation.moves.size() < static_cast<size_t>(variation.first)) std::abort();
    typename Form::Position position;
    for (const Move move : variation.moves) {
      if (!position.IsLegal(move)) std::abort();
      typename Form::Undo undo;
      position.Do(move, undo);
    }
  };
  reader(bytes, "f", sink);
  if (!told) std::abort();
  (void)DetectRecordFormat(bytes);
}

}  // namespace joseki::book
