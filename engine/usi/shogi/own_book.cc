#include "engine/usi/shogi/own_book.h"

#include "base/status_macros.h"
#include "engine/core/number_option.h"
#include "engine/usi/option_lines.h"

namespace joseki::usi {
namespace {

struct BookSpin {
  const char* name;
  int BookOptions::*field;
  int least;
  int most;
};
constexpr BookSpin kBookSpins[] = {
    {"BookMoves", &BookOptions::moves, 0, 10000},
    {"BookIgnoreRate", &BookOptions::ignore_percent, 0, 100},
    {"BookEvalDiff", &BookOptions::eval_diff, 0, 99999},
    {"BookEvalBlackLimit", &BookOptions::black_limit, -99999, 99999},
    {"BookEvalWhiteLimit", &BookOptions::white_limit, -99999, 99999},
    {"BookDepthLimit", &BookOptions::depth_limit, 0, 99999},
    {"Book_Seed", &BookOptions::seed, 0, 2'147'483'647},
};

struct BookCheck {
  const char* name;
  bool BookOptions::*field;
};
constexpr BookCheck kBookChecks[] = {
    {"USI_OwnBook", &BookOptions::use},
    {"ConsiderBookMoveCount", &BookOptions::by_count},
    {"IgnoreBookPly", &BookOptions::ignore_ply},
    {"FlippedBook", &BookOptions::flipped},
};

constexpr char kFile[] = "BookFile";

}  // namespace

bool IsBookOption(std::string_view name) {
  for (const BookSpin& spin : kBookSpins) {
    if (name == spin.name) return true;
  }
  for (const BookCheck& check : kBookChecks) {
    if (name == check.name) return true;
  }
  return name == kFile;
}

absl::Status SetBookOption(std::string_view name, std::string_view value, BookOptions& options) {
  for (const BookSpin& spin : kBookSpins) {
    if (name != spin.name) continue;
    ASSIGN_OR_RETURN(options.*spin.field, OptionNumber(name, value, false, spin.least, spin.most));
  }
  for (const BookCheck& check : kBookChecks) {
    if (name != check.name) continue;
    ASSIGN_OR_RETURN(const int number, OptionNumber(name, value, true, 0, 1));
    options.*check.field = number != 0;
  }
  if (name == kFile) options.file = value.empty() ? BookOptions().file : std::string(value);
  return absl::OkStatus();
}

std::string DeclareBookOptions(const Protocol& protocol) {
  const BookOptions defaults;
  std::string text;
  for (const BookCheck& check : kBookChecks) {
    text += CheckLine(protocol, check.name, defaults.*check.field);
  }
  text += FileLine(protocol, kFile, defaults.file);
  for (const BookSpin& spin : kBookSpins) {
    text += SpinLine(protocol, spin.name, defaults.*spin.field, spin.least, spin.most);
  }
  return text;
}

}  // namespace joseki::usi
