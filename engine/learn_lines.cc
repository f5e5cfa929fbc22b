#include "engine/learn_lines.h"

#include <utility>

#include "absl/strings/str_split.h"
#include "base/file.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "engine/shogi/sfen.h"
#include "engine/usi/usi_text.h"

namespace joseki {

absl::StatusOr<PlayedLine> ReadPlayedLine(std::string_view text) {
  std::vector<std::string_view> words = usi::Words(text);
  if (!words.empty() && words[0] == "position") words.erase(words.begin());
  ASSIGN_OR_RETURN(const usi::PositionCommand command, usi::ParsePosition(words));
  ASSIGN_OR_RETURN(shogi::SfenPosition start, shogi::ParseSfen(command.start));
  PlayedLine line{.start = start.position, .moves = {}};
  for (const std::string& word : command.moves) {
    ASSIGN_OR_RETURN(const Move move, shogi::ParseMove(start.position, word));
    shogi::Undo undo;
    start.position.Do(move, undo);
    line.moves.push_back(move);
  }
  return line;
}

absl::StatusOr<std::vector<PlayedLine>> ReadPlayedLines(const std::vector<std::string>& files) {
  std::vector<PlayedLine> lines;
  for (const std::string& file : files) {
    ASSIGN_OR_RETURN(const std::string text, ReadFile(file));
    int number = 0;
    const std::vector<std::string> rows = absl::StrSplit(text, '\n');
    for (const std::string& row : rows) {
      ++number;
      if (row.empty()) continue;
      absl::StatusOr<PlayedLine> line = ReadPlayedLine(row);
      if (!line.ok()) return At(line.status(), file, number);
      lines.push_back(*std::move(line));
    }
  }
  return lines;
}

}  // namespace joseki
