#include "book/formats/counted_moves.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "engine/shogi/packed.h"
#include "engine/shogi/position.h"
#include "engine/shogi/sfen.h"

namespace joseki::book {
namespace {

constexpr std::string_view kColumns[] = {"sfen", "move", "child_black_wins", "child_white_wins"};
constexpr size_t kNowhere = static_cast<size_t>(-1);

// Removes the text up to `end`, or all of it, from the front of `text`.
std::string_view Cut(std::string_view& text, char end) {
  const size_t at = std::min(text.find(end), text.size());
  const std::string_view piece = text.substr(0, at);
  text.remove_prefix(std::min(at + 1, text.size()));
  return piece;
}

std::string_view CutLine(std::string_view& text) {
  std::string_view line = Cut(text, '\n');
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  return line;
}

absl::StatusOr<int64_t> Count(std::string_view text) {
  constexpr int64_t kMost = 1'000'000'000;
  int64_t count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error != std::errc() || end != text.data() + text.size() || count < 0 || count > kMost) {
    return MakeProblem(
        {.code = "bad_count", .found = Quote(text), .expected = "a number of games"});
  }
  return count;
}

// For each of kColumns its index in the first line, or kNowhere.
std::vector<size_t> PlacesOf(std::string_view head) {
  std::vector<size_t> places(std::size(kColumns), kNowhere);
  for (size_t place = 0; !head.empty(); ++place) {
    const std::string_view name = Cut(head, '\t');
    const auto* const known = std::find(std::begin(kColumns), std::end(kColumns), name);
    if (known != std::end(kColumns)) places[known - std::begin(kColumns)] = place;
  }
  return places;
}

absl::StatusOr<CountedMove> MoveOf(const std::vector<std::string_view>& cells) {
  ASSIGN_OR_RETURN(const shogi::SfenPosition parsed, shogi::ParseSfen(cells[0]));
  if (parsed.position.king(shogi::kBlack) == shogi::kNoSquare ||
      parsed.position.king(shogi::kWhite) == shogi::kNoSquare) {
    return MakeProblem({.code = "no_king",
                        .found = Quote(cells[0]),
                        .expected = "a king of each side, as in a game"});
  }
  CountedMove counted;
  counted.packed = shogi::Pack(parsed.position);
  counted.ply = parsed.ply;
  ASSIGN_OR_RETURN(counted.move, shogi::ParseMove(parsed.position, cells[1]));
  ASSIGN_OR_RETURN(const int64_t black, Count(cells[2]));
  ASSIGN_OR_RETURN(const int64_t white, Count(cells[3]));
  const bool black_moves = parsed.position.side_to_move() == shogi::kBlack;
  counted.wins = black_moves ? black : white;
  counted.losses = black_moves ? white : black;
  return counted;
}

}  // namespace

bool IsCountedMoves(std::string_view text) {
  const std::vector<size_t> places = PlacesOf(CutLine(text));
  return std::find(places.begin(), places.end(), kNowhere) == places.end();
}

absl::Status ReadCountedMoves(std::string_view text, std::string_view file,
                              const std::function<void(const CountedMove&)>& accept,
                              const std::function<void(absl::Status)>& reject) {
  const std::string_view head = CutLine(text);
  const std::vector<size_t> places = PlacesOf(head);
  if (std::find(places.begin(), places.end(), kNowhere) != places.end()) {
    return MakeProblem({.code = "bad_table",
                        .file = std::string(file),
                        .line = 1,
                        .found = Quote(head),
                        .expected = "names of columns, divided by tabs: sfen, move, "
                                    "child_black_wins, child_white_wins"});
  }
  for (int number = 2; !text.empty(); ++number) {
    std::string_view line = CutLine(text);
    if (line.empty()) continue;
    std::vector<std::string_view> cells(places.size());
    for (size_t place = 0; !line.empty(); ++place) {
      const std::string_view cell = Cut(line, '\t');
      for (size_t i = 0; i < places.size(); ++i) {
        if (places[i] == place) cells[i] = cell;
      }
    }
    absl::StatusOr<CountedMove> counted = MoveOf(cells);
    if (counted.ok()) {
      counted->line = number;
      accept(*counted);
    } else {
      reject(At(counted.status(), file, number));
    }
  }
  return absl::OkStatus();
}

}  // namespace joseki::book
