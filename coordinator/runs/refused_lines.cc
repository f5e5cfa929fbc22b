#include "coordinator/runs/refused_lines.h"

#include <utility>

namespace joseki::coordinator {

std::optional<book::Line> RefusedLines::Choose(const std::string& worker, Rng& rng,
                                               const Chooser& choose) {
  std::optional<book::Line> line = Try(worker, rng, choose);
  if (line) return line;
  // A worker without failures is refused poisoned lines alone.
  Rng another = rng;
  if (Try(/*worker=*/"", another, choose)) {
    idle_.insert(worker);
  } else {
    exhausted_ = true;
  }
  return std::nullopt;
}

std::optional<book::Line> RefusedLines::Try(const std::string& worker, Rng& rng,
                                            const Chooser& choose) const {
  if (resting_.count() > 0) {
    std::optional<book::Line> line = choose(rng, [&](const book::Line& some) {
      return lost_.Refuses(some.moves, worker) || resting_.Rests(some.moves);
    });
    if (line) return line;
  }
  if (!lost_.refuses_any()) return choose(rng, nullptr);
  return choose(rng, [&](const book::Line& some) { return lost_.Refuses(some.moves, worker); });
}

void RefusedLines::Played(const std::vector<Move>& line) {
  if (lost_.Played(line)) idle_.clear();
}

void RefusedLines::BeginStage() {
  lost_.ForgetAll();
  idle_.clear();
  resting_.Clear();
}

bool RefusedLines::Reconsider() {
  idle_.clear();
  return std::exchange(exhausted_, false);
}

}  // namespace joseki::coordinator
