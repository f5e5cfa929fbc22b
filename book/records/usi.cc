#include <algorithm>
#include <optional>

#include "book/records/move_list.h"
#include "book/records/replay.h"
#include "engine/shogi/sfen.h"

namespace joseki::book {
namespace {

struct UsiList {
  using Replay = book::Replay;
  static constexpr std::string_view kPositionWord = "sfen";
  static constexpr char kExample[] = "startpos moves 7g7f";

  // Removes additions of some book makers after the moves: ", book_extend_ply=20".
  static std::string_view ListOf(std::string_view line) { return line.substr(0, line.find(',')); }

  static absl::Status TakePosition(std::string_view& rest) {
    // The fields are board, side, hands and ply; the ply may be missing.
    rest.remove_prefix(std::min(rest.find_first_not_of(" \t"), rest.size()));
    size_t length = 0;
    for (int field = 0; field < 4; ++field) {
      std::string_view after = rest.substr(length);
      const std::string_view value = NextWord(after);
      if (value.empty() || value == "moves" || (field == 3 && value[0] > '9')) break;
      if (field == 3 && value.size() > 2 && shogi::MoveFromUsi(value)) break;
      length = rest.size() - after.size();
    }
    const std::string_view sfen = rest.substr(0, length);
    ASSIGN_OR_RETURN(const shogi::SfenPosition start, shogi::ParseSfen(sfen));
    if (shogi::ToSfen(start.position, 1) != shogi::kStartSfen) {
      return MakeProblem({.code = "not_even_start",
                          .found = Quote(sfen, 120),
                          .expected = "the even start position"});
    }
    rest.remove_prefix(length);
    return absl::OkStatus();
  }

  static std::optional<End> EndOf(std::string_view word) {
    if (word == "resign") return End::kSideToMoveLost;
    if (word == "win") return End::kSideToMoveWon;
    return std::nullopt;
  }

  static std::optional<Move> MoveOf(std::string_view word) { return shogi::MoveFromUsi(word); }
  static absl::StatusOr<Move> Parse(const shogi::Position& position, std::string_view word) {
    return shogi::ParseMove(position, word);
  }
};

}  // namespace

void ReadUsi(std::string_view bytes, std::string_view file, const RecordSink& sink) {
  MoveListReader<UsiList>(bytes, file, sink).Read();
}

}  // namespace joseki::book
