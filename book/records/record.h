#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "engine/core/outcome.h"
#include "engine/core/types.h"

namespace joseki::book {

// One game as a record file tells it, every move replayed by the rules.
struct GameRecord {
  int line = 1;             // where it begins in its file
  std::vector<Move> moves;  // from the even start position
  Result result = Result::kNone;
  std::string end;         // the file's own word for the end ("%TORYO"); empty if it has none
  std::string players[2];  // UTF-8; empty if unknown
  std::optional<int> ratings[2];
  std::string event;
  std::string date;  // as the file has it
};

enum class RecordFormat { kUnknown, kCsa, kKif, kUsi };

// By content, not by name: the first telling lines decide.
RecordFormat DetectRecordFormat(std::string_view bytes);

// Where a reader puts what it finds. Exactly one call for each game that the file holds.
struct RecordSink {
  std::function<void(GameRecord)> accept;
  // A problem with file, line, found, expected and a code, the reject's reason:
  //   unknown_format   no CSA, KIF or USI record
  //   bad_encoding     neither UTF-8 nor Shift_JIS (KIF)
  //   handicap         the even start position less pieces of White's
  //   not_even_start   another start position
  //   bad_position     a start position that cannot be read (CSA, KIF); for USI, ParseSfen's codes
  //   no_moves         nothing was played, or the file holds no game
  //   malformed_move   text that is no move of this format
  //   illegal_move     a move that the rules forbid, unless the record ends by saying so itself
  //   bad_move_number  a numbered move that is not the next one (KIF)
  //   bad_line         a line among the moves that is none of what may stand there (CSA, KIF)
  std::function<void(absl::Status)> reject;
};

// Read every game of one file's bytes. A broken game is rejected and the next one read. `file` is
// for messages. Thread-safe.
void ReadCsa(std::string_view bytes, std::string_view file, const RecordSink& sink);
void ReadKif(std::string_view bytes, std::string_view file, const RecordSink& sink);
void ReadUsi(std::string_view bytes, std::string_view file, const RecordSink& sink);
// Detects the format; rejects the file if it is none of them.
void ReadRecords(std::string_view bytes, std::string_view file, const RecordSink& sink);

}  // namespace joseki::book
