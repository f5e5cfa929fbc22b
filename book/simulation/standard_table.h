#pragma once

#include <string>
#include <vector>

#include "book/simulation/world.h"
#include "book/tuning/goals.h"

namespace joseki::book {

// One row of the table that compares policies.
struct TableRow {
  std::string name;
  NamedPolicy policy;
  bool evaluations = true;      // whether the policy sees the world's evaluations
  double evals_in_weights = 0;  // as in WorldOptions
};

// The world as the row's policy sees it.
WorldOptions WorldOf(const TableRow& row, WorldOptions world);

// Every policy, with constants chosen on seeds outside 1 to 1000.
std::vector<TableRow> StandardTable();

}  // namespace joseki::book
