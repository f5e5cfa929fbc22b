// Feeds words as USI moves from the start position. Each is refused, or is a generated move that
// reads back as itself and is played.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "base/problem.h"
#include "engine/shogi/sfen.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace joseki::shogi;  // NOLINT(google-build-using-namespace)
  std::string_view rest(reinterpret_cast<const char*>(data), size);
  Position position;
  while (!rest.empty()) {
    const size_t end = std::min(rest.find(' '), rest.size());
    const std::string_view word = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    const auto form = MoveFromUsi(word);
    if (form && ToUsi(*form) != word) std::abort();
    const auto move = ParseMove(position, word);
    MoveList moves;
    position.Generate<joseki::GenType::kAll>(moves);
    const bool generated = form && std::find(moves.begin(), moves.end(), *form) != moves.end();
    if (move.ok() != generated) std::abort();
    if (!move.ok()) {
      const joseki::Problem problem = joseki::ProblemOf(move.status());
      if (problem.code != (form ? "illegal_move" : "malformed_move")) std::abort();
      if (problem.expected.empty()) std::abort();
      continue;
    }
    Undo undo;
    position.Do(*move, undo);
    if (*position.Flaw() != '\0' || position.key() != position.ComputeKey()) std::abort();
  }
  return 0;
}
