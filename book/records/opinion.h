#pragma once

#include <string_view>
#include <vector>

#include "book/records/record.h"

namespace joseki::book {

// Engines' evaluations in comments, all written from Black's side.

// Reads a comment of KIF, KI2 or JKF on the move at `ply`, in UTF-8 without its first '*'. Known
// forms are ShogiGUI's "*対局 候補1 ... 深さ 24/31 ... 評価値 67 読み筋 ..." and the lines
// 評価値=67 and 深さ=24 of other programs. Of ShogiGUI only the first candidate counts, and only
// with a depth: without one it was a book move. A mate in n plies is 32000 - n. Adds to `opinions`,
// or the depth to the last one.
void TakeOpinion(std::string_view comment, int ply, std::vector<Opinion>& opinions);

// Reads Floodgate's comment in CSA, without its first sign: "** 31 -8485FU +1716FU".
void TakeCsaOpinion(std::string_view comment, int ply, std::vector<Opinion>& opinions);

}  // namespace joseki::book
