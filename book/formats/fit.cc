#include "book/formats/fit.h"

#include <algorithm>

#include "book/formats/reader.h"
#include "book/formats/turned.h"

namespace joseki::book {

int LeastValue(Color side) {
  const YaneuraouOptions options;
  return side == Color::kFirst ? options.black_limit : options.white_limit;
}

void FitFor(BookFormat format, Move answer, DbPosition& position) {
  const bool counts_decide = format == BookFormat::kApery || format == BookFormat::kSbk ||
                             format == BookFormat::kEleeye || format == BookFormat::kObk;
  DbMove& best = *std::find_if(position.moves.begin(), position.moves.end(),
                               [&](const DbMove& move) { return move.move == answer; });
  best.has_value = best.has_depth = true;
  best.value = std::max(best.value, LeastValue(SideToMove(position.packed)));
  best.depth = std::max(best.depth, YaneuraouOptions().depth_limit);
  if (counts_decide) best.count = std::max<uint64_t>(best.count, 1);
  for (DbMove& move : position.moves) {
    if (&move == &best) continue;
    move.has_value = true;
    move.value = std::min(move.value, best.value - kAnswerMargin);
    if (counts_decide) {
      move.count = 0;
    } else {
      best.count = std::max(best.count, move.count);
    }
  }
}

}  // namespace joseki::book
