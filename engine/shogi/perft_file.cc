#include "engine/shogi/perft_file.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "base/problem.h"
#include "base/status_macros.h"
#include "engine/shogi/sfen.h"

namespace joseki::shogi {
namespace {

// The parts of `text` between each `divider`; one for an empty text.
std::vector<std::string_view> Split(std::string_view text, char divider) {
  std::vector<std::string_view> parts;
  while (true) {
    const size_t end = text.find(divider);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

absl::Status BadRow(std::string_view found, std::string expected) {
  return MakeProblem(
      {.code = "bad_perft_file", .found = Quote(found), .expected = std::move(expected)});
}

template <typename Number>
absl::StatusOr<Number> ParseNumber(std::string_view text, Number most, const char* expected) {
  Number number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || text[0] == '-' || error != std::errc() || end != text.data() + text.size() ||
      number > most) {
    return BadRow(text, expected);
  }
  return number;
}

struct Columns {
  size_t sfen = std::string_view::npos;
  size_t depth = std::string_view::npos;  // or npos, in a file of lists
  size_t nodes = std::string_view::npos;  // or of a list's length
  size_t moves = std::string_view::npos;  // or npos, in a file of counts
  size_t count = 0;
};

absl::StatusOr<Columns> ParseHeader(std::string_view line) {
  const std::vector<std::string_view> names = Split(line, '\t');
  auto place = [&](std::string_view name) {
    const auto at = std::find(names.begin(), names.end(), name);
    return at == names.end() ? std::string_view::npos : static_cast<size_t>(at - names.begin());
  };
  Columns columns{.sfen = place("sfen"), .depth = place("depth"), .nodes = place("nodes")};
  if (columns.depth == std::string_view::npos) {
    columns.nodes = place("n");
    columns.moves = place("moves");
  }
  columns.count = names.size();
  const bool known =
      columns.depth != std::string_view::npos || columns.moves != std::string_view::npos;
  if (columns.sfen == std::string_view::npos || columns.nodes == std::string_view::npos || !known) {
    return BadRow(line, "a header with the columns sfen, depth, nodes or sfen, n, moves");
  }
  return columns;
}

absl::StatusOr<PerftRow> ParseRow(std::string_view line, const Columns& columns) {
  const std::vector<std::string_view> fields = Split(line, '\t');
  if (fields.size() != columns.count) {
    return BadRow(std::to_string(fields.size()) + " columns",
                  std::to_string(columns.count) + " as in the header");
  }
  PerftRow row;
  row.sfen = fields[columns.sfen];
  ASSIGN_OR_RETURN(SfenPosition parsed, ParseSfen(row.sfen));
  row.position = std::move(parsed.position);
  ASSIGN_OR_RETURN(row.nodes,
                   ParseNumber(fields[columns.nodes], UINT64_MAX, "a count of nodes or moves"));
  if (columns.moves == std::string_view::npos) {
    ASSIGN_OR_RETURN(row.depth, ParseNumber(fields[columns.depth], 20, "a depth from 0 to 20"));
    return row;
  }
  for (const std::string_view word : Split(fields[columns.moves], ' ')) {
    if (word.empty()) continue;
    const std::optional<Move> move = MoveFromUsi(word);
    if (!move) return BadRow(word, "a USI move such as 7g7f, 8h2b+ or P*5e");
    row.moves.push_back(*move);
  }
  if (row.moves.size() != row.nodes) {
    return BadRow(std::to_string(row.moves.size()) + " moves",
                  "as many as the column n says: " + std::to_string(row.nodes));
  }
  return row;
}

}  // namespace

absl::StatusOr<PerftFile> ParsePerftFile(std::string_view text, std::string_view path) {
  PerftFile file;
  Columns columns;
  int number = 0;
  for (std::string_view line : Split(text, '\n')) {
    ++number;
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    if (number == 1) {
      absl::StatusOr<Columns> header = ParseHeader(line);
      if (!header.ok()) return At(header.status(), path, number);
      columns = *header;
      file.lists = columns.moves != std::string_view::npos;
      continue;
    }
    if (line.empty()) continue;
    absl::StatusOr<PerftRow> row = ParseRow(line, columns);
    if (!row.ok()) return At(row.status(), path, number);
    row->line = number;
    file.rows.push_back(*std::move(row));
  }
  if (file.rows.empty()) return At(BadRow("no row", "a position behind the header"), path, number);
  return file;
}

std::string FaultOfList(const PerftRow& row, bool checks) {
  auto listed = [&](Move move) {
    return std::find(row.moves.begin(), row.moves.end(), move) != row.moves.end();
  };
  for (const Move move : row.moves) {
    if (!row.position.IsLegal(move)) return ToUsi(move) + " is not legal";
    if (checks && !row.position.GivesCheck(move)) return ToUsi(move) + " gives no check";
    if (std::count(row.moves.begin(), row.moves.end(), move) > 1) {
      return ToUsi(move) + " is listed twice";
    }
  }
  MoveList moves;
  row.position.Generate<GenType::kAll>(moves);
  for (const Move move : moves) {
    if (listed(move) || (checks && !row.position.GivesCheck(move))) continue;
    const Move promotion(static_cast<uint16_t>(move.raw() | 1 << 15));
    const bool pointless = !move.is_drop() && !move.promotes() && listed(promotion);
    if (!pointless) return ToUsi(move) + " is missing";
  }
  return "";
}

}  // namespace joseki::shogi
