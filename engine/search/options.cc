#include "engine/search/options.h"

namespace joseki {
namespace {

constexpr SearchOption kTable[] = {
    {"StableMove", &SearchOptions::stable_move, 0, 100,
     "percent of the usual time once four iterations have agreed on the move; "
     "0: off"},
    {"ScoreDrop", &SearchOptions::score_drop, 0, 1000,
     "a score lower by this than an iteration before may take twice the usual "
     "time; 0: off"},
    {"ScoreDropMoves", &SearchOptions::score_drop_moves, 0, 64,
     "in place of that: once the usual time is used up an iteration ends with its next root move, "
     "unless its best score has fallen by ScoreDrop; then with so many more, in as much time "
     "again"},
    {"ScoreDropGrowth", &SearchOptions::score_drop_growth, 0, 1000,
     "what ScoreDrop grows by in a hundred plies of the game; needs ScoreDropMoves"},
    {"ScoreDropTrouble", &SearchOptions::score_drop_trouble, 0, 3600,
     "seconds on the clock below which there are no more root moves; needs ScoreDropMoves"},
    {"Aspiration", &SearchOptions::aspiration, 0, 2000,
     "half width of the first window; 0: the full window"},
    {"OrderTable", &SearchOptions::order_table, 0, 1, "the table's move first"},
    {"OrderCaptures", &SearchOptions::order_captures, 0, 1,
     "captures by gain, losing ones last; else in the order of generation"},
    {"OrderKillers", &SearchOptions::order_killers, 0, 1, "two killers a ply"},
    {"OrderCounter", &SearchOptions::order_counter, 0, 1, "the last reply to the previous move"},
    {"OrderHistory", &SearchOptions::order_history, 0, 1, "quiet moves by history"},
    {"OrderButterflies", &SearchOptions::order_butterflies, 0, 1,
     "quiet moves by how often they refuted of how often they were tried, in place of the "
     "histories"},
    {"OrderGroups", &SearchOptions::order_groups, 0, 2,
     "all moves by YSS's groups (1); those of groups that do not belong where they are, by plies "
     "from the root and left, are skipped (2)"},
    {"OrderGroupLimits", &SearchOptions::order_group_limits, 0, 1,
     "OrderGroups with the most important moves of a group first, and no more of it than YSS "
     "keeps: "
     "five threats with four plies left, fifteen pawn drops, three to five flights"},
    {"CaptureHistory", &SearchOptions::capture_history, 0, 1, "captures also by history"},
    {"ContinuationHistory", &SearchOptions::continuation_history, 0, 3,
     "history behind the last move (1), the one before (2), both (3)"},
    {"InternalDeepening", &SearchOptions::iid, 0, 16,
     "from this depth a node without a table move is first searched less deep; "
     "0: never"},
    {"InternalDeepeningForm", &SearchOptions::iid_form, 0, 2,
     "it is one search, two plies less deep (0), one of each depth up to a ply less (1, YSS's), or "
     "the first in the principal variation alone (2, Bonanza's)"},
    {"InternalReduction", &SearchOptions::iir, 0, 16,
     "from this depth a node without a table move is searched a ply less; 0: "
     "never"},
    {"Corrections", &SearchOptions::corrections, 0, 1,
     "the evaluation is moved by what searches of like positions were worth"},
    {"NullMove", &SearchOptions::null_move, 0, 3,
     "1: reduced by depth; 2: by one ply, full window, not at the frontier; 3: "
     "there too"},
    {"NullMoveBase", &SearchOptions::null_move_base, 1, 6,
     "plies of NullMove 1's reduction, at least"},
    {"NullRecursion", &SearchOptions::null_recursion, 0, 8,
     "passes that one line may have; 0: no limit"},
    {"ReverseFutility", &SearchOptions::reverse_futility, 0, 1000,
     "margin a ply by which the evaluation must exceed beta near the leaves; "
     "0: off"},
    {"Futility", &SearchOptions::futility, 0, 3,
     "near the leaves quiet moves that cannot reach alpha are skipped: 1 by "
     "evaluation and depth, "
     "2 by evaluation and what the move gains, 3 by material"},
    {"Razoring", &SearchOptions::razoring, 0, 2000,
     "margin a ply below alpha at which quiescence decides; 0: off"},
    {"ProbCut", &SearchOptions::probcut, 0, 2000,
     "margin above beta that a capture must reach in a shallow search; 0: off"},
    {"LateMovePruning", &SearchOptions::late_move_pruning, 0, 32,
     "quiet moves a node has at depth 1, growing with the square of depth; 0: "
     "all"},
    {"LateMoveReduction", &SearchOptions::late_move_reduction, 0, 1, "late quiet moves"},
    {"ReductionPercent", &SearchOptions::reduction_percent, 0, 400,
     "how much less deep, in percent of ln(depth) ln(number) / 2.2"},
    {"ReductionNotImproving", &SearchOptions::reduction_not_improving, 0, 64,
     "32nds more where the side stands no better than two plies ago"},
    {"ReductionCutNode", &SearchOptions::reduction_cut_node, 0, 64,
     "32nds more where a move is expected to refute"},
    {"ReductionCaptures", &SearchOptions::reduction_captures, 0, 1,
     "late captures that lose material too"},
    {"CheckPruning", &SearchOptions::check_pruning, 0, 1000,
     "loss a ply from which a check near the leaves is skipped; 0: off"},
    {"SeePruning", &SearchOptions::see_pruning, 0, 1000,
     "loss a ply from which a move near the leaves is skipped; 0: off"},
    {"HistoryPruning", &SearchOptions::history_pruning, 0, 8192,
     "late quiet moves below minus this history a ply are skipped; 0: off"},
    {"DeltaMargin", &SearchOptions::delta_margin, 0, 4000,
     "what a capture in quiescence may lack of alpha"},
    {"QuiescenceChecks", &SearchOptions::quiescence_checks, 0, 4,
     "plies of quiescence in which checks are tried"},
    {"QuiescenceEvasions", &SearchOptions::quiescence_evasions, 0, 1,
     "in check quiescence tries every move; else it stands pat there too"},
    {"HandRepetition", &SearchOptions::hand_repetition, 0, 1,
     "a placement that comes back with more in hand is won"},
    {"MateInOne", &SearchOptions::mate_in_one, 0, 2,
     "a mate in one is looked for: 1 at the leaves, 2 in every node that the table does not know "
     "and no cut has left"},
    {"RootMateNodes", &SearchOptions::root_mate_nodes, 0, 1000000,
     "nodes of a mate search at the root, and after a move of it that is about to be the best; at "
     "most a sixteenth of a node limit and 50 a millisecond, four times that in all, and none "
     "where that is below 500; 0: off"},
    {"Mate_Nodes", &SearchOptions::mate_nodes, 0, 100000,
     "nodes of a mate search in each node of the last two plies"},
    {"MateNodesByDepth", &SearchOptions::mate_nodes_by_depth, 0, 1,
     "Mate_Nodes for each ply that is left, in every node"},
    {"MatePlies", &SearchOptions::mate_plies, 0, 31,
     "the search of Mate_Nodes goes by depth, one ply deeper each time, to so many; 0: by proof "
     "numbers"},
    {"MateCuts", &SearchOptions::mate_cuts, 0, 31,
     "what it leaves out then, a sum: 1 more given away than two rooks, 2 interpositions that are "
     "lost, 4 two pieces thrown away in a row, 8 drops from afar, 16 declined promotions"},
    {"CheckExtension", &SearchOptions::check_extension, 0, 2,
     "moves that give check are searched a ply deeper; 2: unless they lose "
     "material"},
    {"CheckExtensionParts", &SearchOptions::check_extension_parts, 1, 64,
     "32nds of a ply that CheckExtension 1 adds"},
    {"ExtensionCap", &SearchOptions::extension_cap, 1, 16,
     "no extensions beyond this multiple of the iteration's depth"},
    {"Singular", &SearchOptions::singular, 0, 16,
     "from this depth a table move far above all others is searched a ply "
     "deeper; 0: off"},
    {"MultiCut", &SearchOptions::multi_cut, 0, 1,
     "a node whose other moves reach beta too is cut; needs Singular"},
    {"SingularClassic", &SearchOptions::singular_classic, 0, 7,
     "any move far above all others a ply deeper, a sum: 1 in the principal variation, 2 where it "
     "fails high, 4 at the root too"},
    {"SingularMarginPv", &SearchOptions::singular_margin_pv, 1, 1000, "what far is, in the first"},
    {"SingularMarginCut", &SearchOptions::singular_margin_cut, 1, 1000, "and in the second"},
    {"SingularMemory", &SearchOptions::singular_memory, 0, 1,
     "a move that stood alone has its ply in the next iteration too, without a test; needs "
     "Singular or SingularClassic"},
    {"Recapture", &SearchOptions::recapture, 0, 2, "half plies for taking back on the same square"},
    {"RecaptureWindow", &SearchOptions::recapture_window, 0, 4000,
     "if material is then so near to the root's"},
    {"KingThreat", &SearchOptions::king_threat, 0, 4,
     "plies for a move after which enough squares beside the king are "
     "attacked: newly 1 or 2; "
     "whenever it is so 1 (3) or 2 (4)"},
    {"KingThreatSquares", &SearchOptions::king_threat_squares, 1, 8, "what enough is"},
    {"PieceEscape", &SearchOptions::piece_escape, 0, 2,
     "a ply for a rook or bishop that flees from the piece that moved (1), "
     "from any (2)"},
    {"ForcedMove", &SearchOptions::forced_move, 0, 2, "half plies for the only answer to a check"},
    {"HalfPly", &SearchOptions::half_ply, 0, 32,
     "32nds of a ply for the best move of the iteration before; 16 is YSS's "
     "half"},
    {"HalfPlyMoves", &SearchOptions::half_ply_moves, 1, 8,
     "so many of the first moves gain HalfPly where one is remembered"},
    {"HalfPlyPerfect", &SearchOptions::half_ply_perfect, 0, 1,
     "a new best move is searched again by as much deeper"},
    {"HorizonSacrifice", &SearchOptions::horizon_sacrifice, 0, 1,
     "two plies more where a sacrifice of the first two plies and its capture "
     "turn out well"},
    {"NoDeepSacrifice", &SearchOptions::no_deep_sacrifice, 0, 1,
     "from the third ply moves that lose material are skipped"},
    {"RegretMoves", &SearchOptions::regret_moves, 0, 3,
     "what meets the best reply to a pass is tried early: where a null move has passed (1); at "
     "every node with three plies left and at the root, with the line that would follow and every "
     "defence against it (2); at every node (3)"},
    {"Realization", &SearchOptions::realization, 0, 1,
     "a move costs depth by how likely masters play its category, not a ply"},
    {"EdgeAttack", &SearchOptions::edge_attack, 0, 2,
     "moves of an edge attack are searched deeper below its first one: where the root is ripe for "
     "it (1), always (2)"},
    {"EdgeAttackExtension", &SearchOptions::edge_attack_extension, 0, 32,
     "32nds of a ply for such a move"},
    {"KillerBrother", &SearchOptions::killer_brother, 0, 3,
     "best moves of the latest nodes of the same ply, so many"},
    {"KillerPass", &SearchOptions::killer_pass, 0, 1, "best move after the parent's pass"},
    {"KillerPremove", &SearchOptions::killer_premove, 0, 1, "best move after the same move"},
    {"KillerContext", &SearchOptions::killer_context, 0, 5,
     "best move after the same two moves: 1 hashed, 2 in exact buckets of "
     "four; 3: three moves; 4: the last but one; 5: four moves"},
    {"KillerMain", &SearchOptions::killer_main, 0, 1, "these killers in the main search"},
    {"KillerFirst", &SearchOptions::killer_first, 0, 2,
     "before captures, not before the other quiet moves (1); before the table's move too (2)"},
    {"KillerUnreduced", &SearchOptions::killer_unreduced, 0, 1, "they are not reduced"},
    {"KillerQuiescence", &SearchOptions::killer_quiescence, 0, 8,
     "plies of quiescence in which they are tried"},
    {"KillerLearnQuiescence", &SearchOptions::killer_learn_quiescence, 0, 1,
     "quiescence nodes teach them too"},
    {"KillerReplacement", &SearchOptions::killer_replacement, 0, 1,
     "a killer that was found more often than others since stays; else the latest"},
    {"KillerPromotion", &SearchOptions::killer_promotion, 0, 1,
     "a move that promotes is another one than the same without"},
    {"NullQuiescence", &SearchOptions::null_quiescence, 0, 8,
     "plies of null-move quiescence between the main search and captures"},
    {"NullQuiescenceSchedule", &SearchOptions::null_quiescence_schedule, 0, 4,
     "its depth stays (0), grows before the main depth (1), after the first plies of it (2), alone "
     "after those (3), by turns with the main depth (4)"},
    {"NullQuiescenceFullWidth", &SearchOptions::null_quiescence_full_width, 1, 8,
     "the first plies, by schedules 2 and 3"},
    {"NullQuiescenceMoveFirst", &SearchOptions::null_quiescence_move_first, 0, 1,
     "the move that the table knows comes before the pass"},
    {"NullQuiescenceChecks", &SearchOptions::null_quiescence_checks, 0, 1,
     "checks are extended in it"},
    {"NullQuiescenceDeepening", &SearchOptions::null_quiescence_deepening, 0, 1,
     "each of its roots is searched one ply deep, then two, .."},
    {"NullQuiescenceFutility", &SearchOptions::null_quiescence_futility, 0, 2,
     "quiet moves that cannot reach alpha by material are skipped in its last ply (1), everywhere "
     "in it (2)"},
    {"NullQuiescenceMaterial", &SearchOptions::null_quiescence_material, 0, 1,
     "below its root material alone changes the evaluation"},
    {"NullQuiescenceExtensions", &SearchOptions::null_quiescence_extensions, 0, 2,
     "extensions that are on act in it too (1), and moves that stand alone are deepened (2)"},
    {"PartialBookMoves", &SearchOptions::partial_book_moves, 1, 8,
     "moves that a node takes from the partial book, where there is one"},
    {"TableForgets", &SearchOptions::table_forgets, 0, 1, "each search begins with an empty table"},
    {"TableReplacement", &SearchOptions::table_replacement, 0, 7,
     "clusters by depth and age (0), deep, new, old, big1, bigAll, twoDeep, twoBig"},
    {"TableFull", &SearchOptions::table_full, 0, 100,
     "percent of the table from which it takes no more positions of a search; 0: it replaces"},
    {"TableFullStops", &SearchOptions::table_full_stops, 0, 1, "the search ends then"},
    {"TwoTables", &SearchOptions::two_tables, 0, 1,
     "a table for each search, the one before it is asked too"},
    {"TwoTablesPlies", &SearchOptions::two_tables_plies, 0, 128,
     "plies from the root in which the older one is asked; 0: all"},
    {"TwoTablesPonder", &SearchOptions::two_tables_ponder, 0, 1,
     "every answer that is pondered on, or comes then, has the table of the position before it as "
     "the older one"},
};

}  // namespace

std::span<const SearchOption> SearchOptionTable() { return kTable; }

}  // namespace joseki
