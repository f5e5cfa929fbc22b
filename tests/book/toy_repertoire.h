#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "base/rng.h"
#include "book/tuning/repertoire.h"
#include "gtest/gtest.h"
#include "tests/support/toy_book.h"

namespace joseki::book {

using joseki::testing::ToyMoves;
using joseki::testing::ToyPosition;
using joseki::testing::ToyRules;

inline GraphInput Input(std::string_view position,
                        const std::vector<std::pair<std::string, int64_t>>& moves) {
  GraphInput input;
  input.packed = ToyPosition::Of(position).value().first.packed();
  for (const auto& [move, weight] : moves) {
    input.moves.push_back({ToyRules().MoveOf(move).value(), weight});
  }
  return input;
}

// Two book moves of either side at the start: players choose a1 three times of four.
inline std::vector<GraphInput> SmallBook() { return {Input("startpos", {{"a1", 3}, {"b1", 1}})}; }

// Far from the end of the game, so that lines find new positions for long.
inline constexpr char kFar[] = "90-95 b 1";
// Without the influence of records, deep searches and patient opponents, which has tests of its
// own.
inline constexpr RepertoireRules kWide = {
    .least_nodes = 1000, .patient = 0, .most_plies = 20, .unchosen = 0, .rarity = 0, .usual = 2};
inline constexpr RepertoireRules kRules = {
    .least_nodes = 1000, .patient = 0, .most_plies = 8, .unchosen = 0, .rarity = 0, .usual = 2};

// All opponents play as the book is weighed, or none has a book.
inline RepertoireRules WithBook(RepertoireRules rules) {
  rules.by_weight = 1;
  return rules;
}
inline RepertoireRules WithoutBook(RepertoireRules rules) {
  rules.by_weight = 0;
  rules.evenly = 0;
  return rules;
}

inline LineTask Reply(std::vector<Move> line, uint32_t searched_from = 0) {
  return {.line = std::move(line),
          .kind = TaskKind::kReply,
          .nodes = kRules.reply_nodes,
          .searched_from = searched_from};
}
inline LineTask Answer(std::vector<Move> line, uint64_t nodes) {
  return {.line = std::move(line), .kind = TaskKind::kAnswer, .nodes = nodes};
}
inline LineTask Trial(std::vector<Move> line, Color own) {
  return {.line = std::move(line), .kind = TaskKind::kTrial, .own = own};
}

// Outlives every repertoire.
inline const Rules& Toy() {
  static const ToyRules rules;
  return rules;
}

class RepertoireTest : public ::testing::Test {
 protected:
  static Repertoire Make(const RepertoireRules& rules = kRules,
                         const std::vector<GraphInput>& book = SmallBook(),
                         const std::string& start = "startpos") {
    auto graph = std::make_shared<const Graph>(Graph::Build(ToyRules(), book).value());
    return Repertoire::Create(Toy(), start, graph, rules).value();
  }

  // Result of an engine without knowledge: a legal move and a score by the position. As an opponent
  // it plays by `chance`, also along the line.
  static LineFinding Searched(LineTask task, uint64_t chance,
                              const std::string& start = "startpos") {
    auto state = ToyRules().Start(start, MatchRules{}).value();
    if (task.kind == TaskKind::kReply && chance % 5 == 0) task.line.resize(task.searched_from);
    state->PlayAll(task.line);
    std::vector<Move> legal = state->LegalMoves();
    if (task.kind == TaskKind::kAnswer) chance = Hash64(state->text());
    std::erase_if(legal, [&](Move move) {
      return std::find(task.excluded.begin(), task.excluded.end(), move) != task.excluded.end();
    });
    if (legal.empty()) legal = state->LegalMoves();
    return {task, legal[chance % legal.size()], static_cast<int>(chance % 200) - 100};
  }

  static std::vector<LineFinding> Grow(Repertoire& repertoire, int tasks, uint64_t seed,
                                       const std::string& start = "startpos",
                                       int trials_of_ten = 0) {
    std::vector<LineFinding> findings;
    Rng rng(seed);
    while (static_cast<int>(findings.size()) < tasks) {
      const bool trial = static_cast<int>(findings.size() % 10) < trials_of_ten;
      auto task = repertoire.Next(trial, rng);
      if (!task && trials_of_ten > 0) task = repertoire.Next(!trial, rng);
      if (!task) break;
      findings.push_back(Searched(*task, rng.Next(), start));
      EXPECT_TRUE(repertoire.Add(findings.back(), &*task).ok());
    }
    return findings;
  }

  // A change of trust at once.
  static void Distrust(Repertoire& repertoire, std::function<bool(uint32_t source)> distrusted) {
    repertoire.Distrust(std::move(distrusted));
    repertoire.Renew(SIZE_MAX);
  }

  // The repertoire's next task for each of `seeds` seeds; the repertoire stays unchanged.
  static std::vector<LineTask> TasksOf(const Repertoire& repertoire, uint64_t seeds) {
    std::vector<LineTask> tasks;
    for (uint64_t seed = 1; seed <= seeds; ++seed) {
      Repertoire copy = repertoire;
      Rng rng(seed);
      if (const auto task = copy.Next(false, rng)) tasks.push_back(*task);
    }
    return tasks;
  }

  static std::map<std::string, std::string> Answers(const Repertoire& repertoire) {
    std::map<std::string, std::string> answers;
    repertoire.ForEachAnswer(
        [&](const Key&, const PackedPosition& at, int, const Repertoire::Answer& answer) {
          answers[ToyRules().Text(at, 1)] =
              ToyRules().Text(answer.move) + " " + std::to_string(answer.centipawns.value_or(0)) +
              " " + std::to_string(answer.nodes) + " " + std::to_string(answer.lines) + " " +
              std::to_string(answer.trials) + " " + std::to_string(answer.value);
        });
    return answers;
  }

  static Key KeyOf(std::string_view position) {
    return ToyPosition::Of(position).value().first.key();
  }
};

}  // namespace joseki::book
