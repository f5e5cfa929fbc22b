#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <string>

#include "engine/search/search.h"
#include "tests/engine/search/tree_game.h"

namespace joseki {

extern template class Search<TreeGame>;  // tree_searcher.cc

using Tree = TreeGame::Tree;

// Alpha-beta and the table, in the order of generation.
inline constexpr SearchOptions kBare = {.aspiration = 0,
                                        .order_killers = 0,
                                        .order_counter = 0,
                                        .order_history = 0,
                                        .capture_history = 0,
                                        .continuation_history = 0,
                                        .iir = 0,
                                        .corrections = 0,
                                        .null_move = 0,
                                        .reverse_futility = 0,
                                        .futility = 0,
                                        .late_move_pruning = 0,
                                        .late_move_reduction = 0,
                                        .check_pruning = 0,
                                        .see_pruning = 0,
                                        .root_mate_nodes = 0,
                                        .check_extension = 0,
                                        .singular = 0,
                                        .multi_cut = 0,
                                        .regret_moves = 0};

// Adds a line of nodes name, name', name'' .. with these values, each the only child of the one
// before.
inline void AddLine(Tree& tree, const std::string& name, std::initializer_list<Value> values) {
  std::string node = name;
  for (auto value = values.begin(); value != values.end(); ++value) {
    const std::string next = node + "'";
    tree.nodes[node] = {.value = *value, .children = {}};
    if (std::next(value) != values.end()) tree.nodes[node].children = {next};
    node = next;
  }
}

class Searcher {
 public:
  explicit Searcher(const SearchOptions& options) : search_(size_t{1} << 16) {
    search_.SetOptions(options);
  }
  SearchResult Run(const Tree& tree, int depth, const std::string& root = "root",
                   Color side = Color::kFirst) {
    SearchLimits limits;
    limits.depth = depth;
    return search_.Run({.tree = &tree, .node = root, .side = side}, limits);
  }
  SearchResult Run(const Tree& tree, const SearchLimits& limits, const std::string& root = "root",
                   Color side = Color::kFirst) {
    return search_.Run({.tree = &tree, .node = root, .side = side}, limits);
  }
  uint64_t Acted(Technique technique) const { return search_.counts()[technique]; }

 private:
  Search<TreeGame> search_;
};

inline SearchResult Searched(const Tree& tree, int depth, const SearchOptions& options) {
  return Searcher(options).Run(tree, depth);
}

// The root's first two moves, where the second may fail.
inline constexpr Move kSafe = TreeGame::Nth(0);
inline constexpr Move kRisky = TreeGame::Nth(1);

// The first answer seems to refute the root's second move as far as the test sees, and so does the
// other answer. At the full depth of five plies neither does, and the move is the better one.
// `known` is the table's value of the first answer, for the side that gives it.
inline Tree SeemsRefuted(Value known, std::initializer_list<Value> other) {
  Tree tree;
  tree.nodes["root"].children = {"safe", "risky"};
  AddLine(tree, "safe", {50});
  tree.nodes["risky"].children = {"first", "other"};
  AddLine(tree, "first", {-known, -known, -known, -known, 200});
  AddLine(tree, "other", other);
  return tree;
}

}  // namespace joseki
