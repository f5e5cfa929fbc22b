#include <algorithm>
#include <optional>

#include "book/records/move_list.h"
#include "book/records/xiangqi_replay.h"
#include "book/records/xiangqi_words.h"
#include "engine/xiangqi/fen.h"

namespace joseki::book {
namespace {

struct UcciList {
  using Replay = XiangqiReplay;
  static constexpr std::string_view kPositionWord = "fen";
  static constexpr char kExample[] = "startpos moves h2e2";

  static std::string_view ListOf(std::string_view line) { return line; }

  static absl::Status TakePosition(std::string_view& rest) {
    const size_t moves = std::min(rest.find(" moves"), rest.size());
    RETURN_IF_ERROR(CheckEvenStart(Trimmed(rest.substr(0, moves))));
    rest.remove_prefix(moves);
    return absl::OkStatus();
  }

  // A line may have the result after its moves, as in PGN.
  static std::optional<End> EndOf(std::string_view word) { return EndOfResult(word); }

  static std::optional<Move> MoveOf(std::string_view word) { return xiangqi::MoveFromUcci(word); }
  static absl::StatusOr<Move> Parse(const xiangqi::Position& position, std::string_view word) {
    return xiangqi::ParseMove(position, word);
  }
};

}  // namespace

void ReadUcci(std::string_view bytes, std::string_view file, const RecordSink& sink) {
  MoveListReader<UcciList>(bytes, file, sink).Read();
}

}  // namespace joseki::book
