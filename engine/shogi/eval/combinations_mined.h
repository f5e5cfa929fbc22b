#pragma once

// Made by `joseki-engine learn combine` from 714507 quiet positions of self-play.

#include "engine/shogi/eval/combinations.h"

namespace joseki::shogi {

// Value and pieces; the comment: positions, and the value in standard errors.
// clang-format off
inline constexpr Combination kMinedCombinations[] = {
    {-60, {{kPawn, 2, 6}, {kBishop, 5, 5}}},  // 3181, -17
    {-60, {{kSilver, 7, 7}, {kBishop, 8, 8}}},  // 2354, -16
    {-57, {{kKnight, 8, 5}, {kSilver, 3, 9}}},  // 3279, -16
    {13, {{kPawn, 8, 7}, {kBishop, 8, 8}}},  // 96403, 16
    {-60, {{kKnight, 8, 5}, {kRook, 2, 8}}},  // 2087, -16
    {-53, {{kKnight, 8, 5}, {kGold, 6, 9}}},  // 2845, -14
    {49, {{kBishop, 5, 6}, {kGold, 6, 9}}},  // 3261, 14
    {51, {{kPawn, 8, 6}, {kBishop, 5, 6}}},  // 2704, 14
    {13, {{kSilver, 6, 8}, {kRook, 8, 8}}},  // 73421, 14
    {-33, {{kPawn, 8, 7}, {kKnight, 6, 5}}},  // 9936, -14
    {20, {{kPawn, 2, 7}, {kSilver, 7, 7}}},  // 31167, 14
    {42, {{kKnight, 7, 7}, {kBishop, 5, 6}}},  // 4690, 13
    {-47, {{kKnight, 8, 5}, {kKing, 5, 9}}},  // 3115, -13
    {17, {{kGold, 7, 8}, {kKing, 5, 9}}},  // 38278, 13
    {6, {{kPawn, 8, 7}, {kKnight, 8, 9}}},  // 378222, 13
    {-38, {{kKnight, 6, 5}, {kKing, 5, 9}}},  // 5929, -13
    {8, {{kKnight, 8, 9}, {kKing, 5, 9}}},  // 201531, 13
    {21, {{kRook, 2, 8}, {kGold, 7, 8}}},  // 23481, 13
    {-46, {{kPawn, 2, 5}, {kLance, 9, 7}}},  // 2729, -13
    {39, {{kBishop, 5, 6}, {kKing, 5, 9}}},  // 4353, 12
    {-41, {{kKnight, 6, 5}, {kRook, 2, 8}}},  // 3847, -12
    {37, {{kSilver, 4, 8}, {kSilver, 5, 9}}},  // 5115, 12
    {-22, {{kLance, 9, 8}, {kKnight, 7, 7}}},  // 18083, -12
    {-37, {{kBishop, 5, 5}, {kRook, 2, 8}}},  // 4755, -12
    {19, {{kSilver, 7, 7}, {kKing, 5, 9}}},  // 23295, 12
    {7, {{kKnight, 8, 9}, {kGold, 6, 9}}},  // 182466, 12
    {37, {{kBishop, 5, 6}, {kRook, 8, 8}}},  // 4677, 12
    {-35, {{kKnight, 6, 5}, {kGold, 6, 9}}},  // 5409, -11
    {-33, {{kSilver, 3, 9}, {kBishop, 5, 5}}},  // 6058, -11
    {-7, {{kPawn, 2, 7}, {kKing, 5, 9}}},  // 153099, -11
    {-41, {{kPawn, 2, 5}, {kBishop, 2, 8}}},  // 2635, -11
    {12, {{kPawn, 7, 7}, {kSilver, 7, 9}}},  // 51843, 11
    {16, {{kPawn, 8, 7}, {kSilver, 7, 7}}},  // 31118, 11
    {30, {{kSilver, 8, 8}, {kRook, 2, 8}}},  // 6630, 11
    {14, {{kKnight, 8, 9}, {kSilver, 7, 7}}},  // 40850, 11
    {-28, {{kKnight, 3, 7}, {kBishop, 2, 8}}},  // 7593, -11
    {-10, {{kPawn, 8, 7}, {kKnight, 7, 7}}},  // 83426, -11
    {-13, {{kBishop, 8, 8}, {kGold, 5, 8}}},  // 45630, -11
    {-39, {{kLance, 9, 7}, {kRook, 2, 8}}},  // 2592, -11
    {-21, {{kBishop, 8, 8}, {kGold, 3, 8}}},  // 15304, -11
    {19, {{kSilver, 3, 9}, {kGold, 6, 8}}},  // 18962, 11
    {15, {{kGold, 6, 8}, {kKing, 5, 9}}},  // 32830, 10
    {10, {{kKnight, 7, 7}, {kRook, 8, 8}}},  // 77374, 10
    {-30, {{kBishop, 8, 8}, {kKing, 3, 9}}},  // 6248, -10
    {-32, {{kPawn, 3, 5}, {kSilver, 2, 8}}},  // 4828, -10
    {37, {{kLance, 1, 6}, {kKnight, 3, 7}}},  // 2931, 10
    {11, {{kBishop, 8, 8}, {kGold, 6, 9}}},  // 58739, 10
    {19, {{kKnight, 3, 7}, {kBishop, 7, 7}}},  // 17533, 10
};
// clang-format on

}  // namespace joseki::shogi
