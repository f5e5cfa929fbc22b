#pragma once

#include <cstdlib>
#include <utility>
#include <vector>

#include "base/problem.h"
#include "book/formats/position.h"

namespace joseki::book {

// The positions that `read`, given a sink, finds in a file "f". Aborts if a position or a problem
// breaks the promises of readers, or on a problem where none is allowed.
template <typename Reader>
std::vector<DbPosition> PositionsOf(const Reader& read, bool may_reject) {
  std::vector<DbPosition> positions;
  DbSink sink;
  sink.accept = [&](DbPosition position) {
    if (position.moves.empty() || position.line < 1) std::abort();
    positions.push_back(std::move(position));
  };
  sink.reject = [&](absl::Status status) {
    const Problem problem = ProblemOf(status);
    if (!may_reject || problem.file != "f" || problem.line < 1) std::abort();
  };
  if (!read(sink).ok() && !may_reject) std::abort();
  return positions;
}

}  // namespace joseki::book
