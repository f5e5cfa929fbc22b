#include "book/records/xiangqi_words.h"

#include "base/problem.h"
#include "base/status_macros.h"
#include "book/records/xiangqi_replay.h"
#include "engine/xiangqi/fen.h"

namespace joseki::book {

std::optional<End> EndOfResult(std::string_view word) {
  if (word == "1-0") return End::kFirstWon;
  if (word == "0-1") return End::kSecondWon;
  if (word == "1/2-1/2") return End::kDraw;
  if (word == "*") return End::kUnknown;
  return std::nullopt;
}

absl::Status CheckEvenStart(std::string_view fen) {
  ASSIGN_OR_RETURN(const xiangqi::FenPosition start, xiangqi::ParseFen(fen));
  if (xiangqi::Pack(start.position) == xiangqi::Pack(XiangqiReplay::Start())) {
    return absl::OkStatus();
  }
  return MakeProblem(
      {.code = "not_even_start", .found = Quote(fen, 120), .expected = "the even start position"});
}

}  // namespace joseki::book
