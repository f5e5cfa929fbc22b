#include "book/simulation/standard_table.h"

#include <map>

namespace joseki::book {

WorldOptions WorldOf(const TableRow& row, WorldOptions world) {
  if (!row.evaluations) world.eval_games = 0;
  world.evals_in_weights = row.evals_in_weights;
  return world;
}

std::vector<TableRow> StandardTable() {
  const std::map<std::string, std::string> from_frequency = {{"start", "frequency"},
                                                             {"start_cap", "500"}};
  std::vector<TableRow> rows = {
      {"thesis, from zero", {"result-driven", {}}, false},
      {"thesis, from frequency", {"result-driven", from_frequency}, false},
      {"thesis, frequency and evaluations", {"result-driven", from_frequency}, false, 0.3},
  };
  for (const char* name : {"sample-average", "epsilon-greedy", "recency", "softmax", "optimistic",
                           "ucb1", "ucb1-tuned", "kl-ucb", "thompson", "puct"}) {
    rows.push_back({name, {name, {}}, false});
  }
  for (const char* name : {"graph-puct", "graph-thompson", "soft"}) {
    rows.push_back({name, {name, {}}, true});
  }
  for (const std::string_view goal : GoalNames()) {
    rows.push_back({std::string(goal), *PolicyOfGoal(goal), true});
  }
  rows.push_back({"default, no evaluations", *PolicyOfGoal("default"), false});
  return rows;
}

}  // namespace joseki::book
