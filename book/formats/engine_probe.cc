#include "book/formats/engine_probe.h"

#include <algorithm>
#include <tuple>

#include "absl/strings/str_cat.h"

namespace joseki::book {
namespace {

// Shares the choices that nothing refuses out, equally or by counts.
void Share(const DbPosition& position, bool by_count, Probe& probe) {
  double total = 0;
  const auto part = [&](size_t i) {
    if (!probe.choices[i].option.empty()) return 0.0;
    return by_count ? static_cast<double>(position.moves[i].count) : 1.0;
  };
  for (size_t i = 0; i < probe.choices.size(); ++i) total += part(i);
  for (size_t i = 0; i < probe.choices.size(); ++i) {
    if (total > 0) probe.choices[i].share = part(i) / total;
  }
  if (total == 0 && by_count) Share(position, false, probe);
}

Probe Of(const DbPosition& position) {
  Probe probe;
  for (const DbMove& move : position.moves) probe.choices.push_back({.move = move.move});
  return probe;
}

void RefuseAll(std::string option, std::string why, Probe& probe) {
  for (Probe::Choice& choice : probe.choices) choice.option = option;
  probe.option = std::move(option);
  probe.why = std::move(why);
}

}  // namespace

Probe ProbeYaneuraou(const DbPosition& position, Color to_move, const YaneuraouOptions& options) {
  Probe probe = Of(position);
  if (position.moves.empty()) return probe;
  if (position.ply > options.moves) {
    RefuseAll("BookMoves",
              absl::StrCat("ply ", position.ply, " is beyond BookMoves (", options.moves, ")"),
              probe);
    return probe;
  }
  const DbMove& first = *std::min_element(
      position.moves.begin(), position.moves.end(), [](const DbMove& a, const DbMove& b) {
        return std::tuple(b.count, b.value) < std::tuple(a.count, a.value);
      });
  if (first.depth < options.depth_limit) {
    RefuseAll("BookDepthLimit",
              absl::StrCat("the first move's depth ", first.depth, " is below BookDepthLimit (",
                           options.depth_limit, ")"),
              probe);
    return probe;
  }
  const bool black = to_move == Color::kFirst;
  const int limit = black ? options.black_limit : options.white_limit;
  const char* const limit_name = black ? "BookEvalBlackLimit" : "BookEvalWhiteLimit";
  const int near = first.value - options.eval_diff;
  for (size_t i = 0; i < position.moves.size(); ++i) {
    const int value = position.moves[i].value;
    Probe::Choice& choice = probe.choices[i];
    if (value < limit) {
      choice.option = limit_name;
      choice.why = absl::StrCat("its value ", value, " is below ", limit_name, " (", limit, ")");
    } else if (value < near) {
      choice.option = "BookEvalDiff";
      choice.why = absl::StrCat("its value ", value, " is more than BookEvalDiff (",
                                options.eval_diff, ") below the first move's ", first.value);
    }
  }
  Share(position, options.by_count, probe);
  return probe;
}

Probe ProbeApery(const DbPosition& position, bool best) {
  Probe probe = Of(position);
  if (best && !position.moves.empty()) {
    const auto most =
        std::max_element(position.moves.begin(), position.moves.end(),
                         [](const DbMove& a, const DbMove& b) { return a.count < b.count; });
    for (size_t i = 0; i < position.moves.size(); ++i) {
      if (&position.moves[i] == &*most) continue;
      probe.choices[i].option = "Best_Book_Move";
      probe.choices[i].why = absl::StrCat("its count ", position.moves[i].count,
                                          " is not the largest (", most->count, ")");
    }
  }
  Share(position, /*by_count=*/true, probe);
  return probe;
}

Probe ProbeShogiGui(const DbPosition& position) {
  Probe probe = Of(position);
  for (size_t i = 0; i < position.moves.size(); ++i) {
    if (position.moves[i].count > 0) continue;
    probe.choices[i].option = "Weight";
    probe.choices[i].why = "its weight is 0";
  }
  if (std::all_of(position.moves.begin(), position.moves.end(),
                  [](const DbMove& move) { return move.count == 0; })) {
    return probe;
  }
  Share(position, /*by_count=*/true, probe);
  return probe;
}

}  // namespace joseki::book
