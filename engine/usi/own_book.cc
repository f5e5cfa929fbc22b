#include "engine/usi/own_book.h"

#include <array>

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
  std::string_view name;
  bool BookOptions::*field;
};

std::array<BookCheck, 5> ChecksOf(const Protocol& protocol) {
  return {{{protocol.own_book_option, &BookOptions::use},
           {"ConsiderBookMoveCount", &BookOptions::by_count},
           {"IgnoreBookPly", &BookOptions::ignore_ply},
           {"FlippedBook", &BookOptions::flipped},
           {"BookAvoidLosses", &BookOptions::avoid_losses}}};
}

}  // namespace

bool IsBookOption(const Protocol& protocol, std::string_view name) {
  for (const BookSpin& spin : kBookSpins) {
    if (name == spin.name) return true;
  }
  for (const BookCheck& check : ChecksOf(protocol)) {
    if (name == check.name) return true;
  }
  return name == protocol.book_file_option;
}

absl::Status SetBookOption(const Protocol& protocol, std::string_view name, std::string_view value,
                           BookOptions& options) {
  for (const BookSpin& spin : kBookSpins) {
    if (name != spin.name) continue;
    ASSIGN_OR_RETURN(options.*spin.field, OptionNumber(name, value, false, spin.least, spin.most));
  }
  for (const BookCheck& check : ChecksOf(protocol)) {
    if (name != check.name) continue;
    ASSIGN_OR_RETURN(const int number, OptionNumber(name, value, true, 0, 1));
    options.*check.field = number != 0;
  }
  if (name == protocol.book_file_option) {
    options.file = value.empty() ? BookOptions().file : std::string(value);
  }
  return absl::OkStatus();
}

std::string DeclareBookOptions(const Protocol& protocol) {
  const BookOptions defaults;
  std::string text;
  for (const BookCheck& check : ChecksOf(protocol)) {
    text += CheckLine(protocol, check.name, defaults.*check.field);
  }
  text += FileLine(protocol, protocol.book_file_option, defaults.file);
  for (const BookSpin& spin : kBookSpins) {
    text += SpinLine(protocol, spin.name, defaults.*spin.field, spin.least, spin.most);
  }
  return text;
}

}  // namespace joseki::usi
