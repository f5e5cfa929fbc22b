#include "engine/game_lines.h"

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/shogi/sfen.h"
#include "engine/usi/usi_text.h"

namespace joseki {

GameLine ReplayLine(
    std::string_view line,
    const std::function<void(const shogi::Position& position, Move last, Move move)>& each) {
  std::vector<std::string_view> words = usi::Words(line);
  if (!words.empty() && words[0] == "position") words.erase(words.begin());
  if (words.empty()) return GameLine::kEmpty;
  const auto command = usi::ParsePosition(words);
  absl::StatusOr<shogi::SfenPosition> start =
      command.ok() ? shogi::ParseSfen(command->start) : command.status();
  if (!start.ok()) return GameLine::kBroken;
  shogi::Position& position = start->position;
  Move last;
  for (const std::string& text : command->moves) {
    const absl::StatusOr<Move> move = shogi::ParseMove(position, text);
    if (!move.ok()) return GameLine::kBroken;
    each(position, last, *move);
    shogi::Undo undo;
    position.Do(*move, undo);
    last = *move;
  }
  return GameLine::kWhole;
}

}  // namespace joseki
