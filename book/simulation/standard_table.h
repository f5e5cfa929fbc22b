#pragma once

#include <string>
#include <vector>

#include "book/simulation/world.h"
#include "book/tuning/goals.h"

namespace joseki::book {

// One line of the table that compares policies.
struct TableRow {
  std::string name;
  NamedPolicy policy;
  bool evaluations = true;      // whether the policy is given the world's evaluations
  double evals_in_weights = 0;  // as of WorldOptions
};

// The world as the policy of the row is given it.
WorldOptions WorldOf(const TableRow& row, WorldOptions world);

// Every policy, with constants that were chosen on other seeds than 1 to 1000.
std::vector<TableRow> StandardTable();

}  // namespace joseki::book
