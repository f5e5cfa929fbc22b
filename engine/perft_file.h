#pragma once

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "engine/core/game.h"
#include "engine/core/types.h"

namespace joseki {

// Perft files of a game. Kit reads its positions and moves (engine/search/shogi/kit.h).
template <typename Kit>
class PerftFile {
 public:
  using Position = typename Kit::Game::Position;

  // One position with its known count or list.
  struct Row {
    int line = 0;
    std::string text;
    Position position;
    int depth = 1;
    uint64_t nodes = 0;       // under the full rules: in shogi every non-promotion counts
    std::vector<Move> moves;  // in a file of lists
  };

  // Reads tab-separated text with a header, in any order of columns: sfen (or fen), depth and
  // nodes; or sfen, n and moves (separated by blanks). Other columns are ignored. `path` serves
  // problems, which name the line. All rows are parsed before any is used.
  static absl::StatusOr<PerftFile> Parse(std::string_view text, std::string_view path) {
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
        file.lists_ = columns.moves != std::string_view::npos;
        continue;
      }
      if (line.empty()) continue;
      absl::StatusOr<Row> row = ParseRow(line, columns);
      if (!row.ok()) return At(row.status(), path, number);
      row->line = number;
      file.rows_.push_back(*std::move(row));
    }
    if (file.rows_.empty()) {
      return At(BadRow("no row", "a position behind the header"), path, number);
    }
    return file;
  }

  // True for lists of moves, which omit pointless non-promotions as many engines do; false for
  // counts.
  bool lists() const { return lists_; }
  const std::vector<Row>& rows() const { return rows_; }

  // The fault of the list of `row` under our rules, in words; "" if there is none. A legal move may
  // be missing if its promotion is listed. `checks`: the list contains checking moves only.
  static std::string FaultOfList(const Row& row, bool checks) {
    const auto times = [&](Move move) {
      return std::count(row.moves.begin(), row.moves.end(), move);
    };
    for (const Move move : row.moves) {
      if (!row.position.IsLegal(move)) return Kit::Text(move) + " is not legal";
      if (checks && !row.position.GivesCheck(move)) return Kit::Text(move) + " gives no check";
      if (times(move) > 1) return Kit::Text(move) + " is listed twice";
    }
    typename Kit::Game::MoveList moves;
    row.position.template Generate<GenType::kAll>(moves);
    for (const Move move : moves) {
      if (times(move) > 0 || (checks && !row.position.GivesCheck(move))) continue;
      const Move promotion(static_cast<uint16_t>(move.raw() | 1 << 15));
      const bool pointless = !move.is_drop() && !move.promotes() && times(promotion) > 0;
      if (!pointless) return Kit::Text(move) + " is missing";
    }
    return "";
  }

 private:
  struct Columns {
    size_t position = std::string_view::npos;
    size_t depth = std::string_view::npos;  // npos in a file of lists
    size_t nodes = std::string_view::npos;  // or the length of a list
    size_t moves = std::string_view::npos;  // npos in a file of counts
    size_t count = 0;
  };

  // Splits `text` at each `divider`; one part for an empty text.
  static std::vector<std::string_view> Split(std::string_view text, char divider) {
    std::vector<std::string_view> parts;
    while (true) {
      const size_t end = text.find(divider);
      parts.push_back(text.substr(0, end));
      if (end == std::string_view::npos) return parts;
      text.remove_prefix(end + 1);
    }
  }

  static absl::Status BadRow(std::string_view found, std::string expected) {
    return MakeProblem(
        {.code = "bad_perft_file", .found = Quote(found), .expected = std::move(expected)});
  }

  template <typename Number>
  static absl::StatusOr<Number> ParseNumber(std::string_view text, Number most,
                                            const char* expected) {
    Number number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (text.empty() || text[0] == '-' || error != std::errc() ||
        end != text.data() + text.size() || number > most) {
      return BadRow(text, expected);
    }
    return number;
  }

  static absl::StatusOr<Columns> ParseHeader(std::string_view line) {
    const std::vector<std::string_view> names = Split(line, '\t');
    auto place = [&](std::string_view name) {
      const auto at = std::find(names.begin(), names.end(), name);
      return at == names.end() ? std::string_view::npos : static_cast<size_t>(at - names.begin());
    };
    const std::string position = Kit::kPositionColumn;
    Columns columns{.position = place(position), .depth = place("depth"), .nodes = place("nodes")};
    if (columns.depth == std::string_view::npos) {
      columns.nodes = place("n");
      columns.moves = place("moves");
    }
    columns.count = names.size();
    const bool known =
        columns.depth != std::string_view::npos || columns.moves != std::string_view::npos;
    if (columns.position == std::string_view::npos || columns.nodes == std::string_view::npos ||
        !known) {
      return BadRow(line, "a header with the columns " + position + ", depth, nodes or " +
                              position + ", n, moves");
    }
    return columns;
  }

  static absl::StatusOr<Row> ParseRow(std::string_view line, const Columns& columns) {
    const std::vector<std::string_view> fields = Split(line, '\t');
    if (fields.size() != columns.count) {
      return BadRow(std::to_string(fields.size()) + " columns",
                    std::to_string(columns.count) + " as in the header");
    }
    Row row;
    row.text = fields[columns.position];
    ASSIGN_OR_RETURN(auto parsed, Kit::Parse(row.text));
    row.position = std::move(parsed.position);
    ASSIGN_OR_RETURN(row.nodes, ParseNumber<uint64_t>(fields[columns.nodes], UINT64_MAX,
                                                      "a count of nodes or moves"));
    if (columns.moves == std::string_view::npos) {
      ASSIGN_OR_RETURN(row.depth, ParseNumber(fields[columns.depth], 20, "a depth from 0 to 20"));
      return row;
    }
    for (const std::string_view word : Split(fields[columns.moves], ' ')) {
      if (word.empty()) continue;
      const std::optional<Move> move = Kit::rules().MoveOf(word);
      if (!move) return BadRow(word, Kit::kMoveExample);
      row.moves.push_back(*move);
    }
    if (row.moves.size() != row.nodes) {
      return BadRow(std::to_string(row.moves.size()) + " moves",
                    "as many as the column n says: " + std::to_string(row.nodes));
    }
    return row;
  }

  bool lists_ = false;
  std::vector<Row> rows_;
};

}  // namespace joseki
