#pragma once

#include <span>

#include "engine/core/number_option.h"

namespace joseki {

// Settings of the search. All fields are numbers; a switch is 0 or 1. The defaults performed best
// in games; docs/laboratory/engine.md has the figures. With them and a node limit a search is the
// same on every machine. options.cc has the table of names, ranges and meanings. An evaluation has
// a table of its own.
struct SearchOptions {
  // The clock.
  int stable_move = 0;
  int score_drop = 0;
  int score_drop_moves = 0;
  int score_drop_growth = 0;
  int score_drop_trouble = 300;  // seconds

  // Windows and order.
  int aspiration = 40;  // half width of the first window; 0: the full window
  int order_table = 1;
  int order_captures = 1;
  int order_killers = 1;
  int order_counter = 1;
  int order_history = 1;
  int order_butterflies = 0;
  int order_groups = 0;
  int order_group_limits = 0;
  int capture_history = 1;
  int continuation_history = 3;
  int iid = 0;
  int iid_form = 0;
  int iir = 4;

  // Cuts.
  int corrections = 1;
  int null_move = 1;
  int null_move_base = 4;
  int null_recursion = 0;
  int reverse_futility = 80;
  int futility = 1;
  int futility_base = 60;
  int futility_ply = 70;
  int razoring = 0;
  int probcut = 0;
  int late_move_pruning = 6;
  int late_move_reduction = 1;
  int reduction_percent = 130;
  int reduction_not_improving = 24;  // fractions of a ply
  int reduction_cut_node = 24;       // fractions of a ply
  int reduction_captures = 1;
  int check_pruning = 100;
  int see_pruning = 100;
  int prune_reduced = 1;
  int history_pruning = 0;
  int delta_margin = 150;
  int quiescence_checks = 0;
  int quiescence_evasions = 1;
  int hand_repetition = 0;
  int mate_in_one = 0;
  int root_mate_nodes = 4000;
  int mate_nodes = 0;
  int mate_nodes_by_depth = 0;
  int mate_plies = 0;
  int mate_cuts = 0;

  // Extensions.
  int check_extension = 1;
  int check_extension_parts = 16;  // fractions of a ply
  int extension_cap = 2;
  int singular = 6;
  int multi_cut = 1;
  int singular_classic = 0;
  int singular_margin_pv = 25;
  int singular_margin_cut = 75;
  int singular_memory = 0;
  int recapture = 0;
  int recapture_window = 300;
  int king_threat = 0;
  int king_threat_squares = 3;
  int piece_escape = 0;
  int forced_move = 0;
  int half_ply = 0;
  int half_ply_moves = 1;
  int half_ply_perfect = 0;
  int horizon_sacrifice = 0;
  int no_deep_sacrifice = 0;
  int regret_moves = 1;
  int realization = 0;
  int edge_attack = 0;
  int edge_attack_extension = 16;

  // Killers of J. Hashimoto's thesis.
  int killer_brother = 0;
  int killer_pass = 0;
  int killer_premove = 0;
  int killer_context = 0;
  int killer_main = 1;
  int killer_first = 0;
  int killer_unreduced = 0;
  int killer_quiescence = 0;
  int killer_learn_quiescence = 0;
  int killer_replacement = 0;
  int killer_promotion = 0;

  // Null-move quiescence.
  int null_quiescence = 0;
  int null_quiescence_schedule = 0;
  int null_quiescence_full_width = 2;
  int null_quiescence_move_first = 0;
  int null_quiescence_checks = 0;
  int null_quiescence_deepening = 0;
  int null_quiescence_futility = 0;
  int null_quiescence_material = 0;
  int null_quiescence_extensions = 0;

  // Books used by the search.
  int partial_book_moves = 4;

  // The transposition table.
  int table_forgets = 0;
  int table_replacement = 0;
  int table_full = 0;
  int table_full_stops = 0;
  int two_tables = 0;
  int two_tables_plies = 0;
  int two_tables_ponder = 0;
};

using SearchOption = NumberOption<SearchOptions>;

// All fields, in the order in which they are declared to a user.
std::span<const SearchOption> SearchOptionTable();

}  // namespace joseki
