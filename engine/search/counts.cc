#include "engine/search/counts.h"

#include <iterator>

namespace joseki {
namespace {

constexpr const char* kNames[] = {
    "table_cut",
    "null_cut",
    "reverse_futility",
    "futility",
    "razoring",
    "probcut",
    "late_move_pruning",
    "late_move_reduction",
    "reduction_repeated",
    "see_pruning",
    "history_pruning",
    "check_pruning",
    "delta",
    "quiescence_check",
    "hand_repetition",
    "mate_in_one",
    "root_mate",
    "root_refuted",
    "mate_search",
    "mate_verdict",
    "mate_found",
    "internal_deepening",
    "internal_reduction",
    "check_extension",
    "singular_test",
    "singular_extension",
    "multi_cut",
    "classic_singular",
    "singular_memory",
    "recapture",
    "king_threat",
    "piece_escape",
    "forced_move",
    "half_ply",
    "half_ply_perfect",
    "horizon_sacrifice",
    "deep_sacrifice",
    "regret_move",
    "killer",
    "killer_quiescence",
    "null_quiescence_node",
    "null_quiescence_cut",
    "older_table",
    "realization",
    "order_group",
    "group_skipped",
    "edge_attack",
    "edge_attack_extension",
    "killer_kept",
    "null_quiescence_deepening",
    "null_quiescence_futility",
    "null_quiescence_material",
    "null_quiescence_extension",
    "null_quiescence_singular",
    "partial_book",
    "table_stop",
};
static_assert(std::size(kNames) == kTechniqueCount);

}  // namespace

std::span<const char* const> TechniqueNames() { return kNames; }

}  // namespace joseki
