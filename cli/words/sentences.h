#pragma once

#include "cli/words/phrase.h"

// English sentences that other rooms write to databases and JSON, with their translations. They say
// why a run ended or waits, why a program skips a move, or what to set in it. The first match
// counts: a longer sentence stands before a shorter one that it contains.
namespace joseki::cli::phrase {

inline constexpr Phrase kSentences[] = {
    // Reasons why a run has ended or waits.
    {"the time is used up", "予定の時間を使い切った"},
    {"the last stage is over", "最後の段階を終えた"},
    {"no position is left worth a game: what could still be found is worth $0 of the score, not "
     "more than $1",
     "指す価値のある局面が残っていない (まだ見つかる余地は勝率の $0、基準は $1)"},
    {"the answers are stable: stage $0 changed them for $1 of its moves, not more than $2",
     "採用手が安定した (段階 $0 で変わった割合 $1、基準 $2)"},
    {"waits: every line has failed with three workers or more (`joseki run free` gives them out "
     "again)",
     "待機: どの手順も 3 つ以上のワーカーで失敗した (`joseki run free` で再び配る)"},
    {"the match is done", "対戦の予定を終えた"},
    {"the match is accepted", "対戦の検定が採択された"},
    {"the match is rejected", "対戦の検定が棄却された"},
    {"the match is exhausted", "対戦に新しい対局がもう出ない"},
    {"the match is void", "対戦は無効"},

    // Reasons why a run makes no more searches.
    {"the engine gives no scores", "エンジンが評価値を返さない"},
    {"the engine's scores are all 0", "エンジンの評価値がすべて 0"},
    {"the start position is closed: its searches failed",
     "開始局面の探索が失敗したため、開始局面は閉じている"},
    // The reason why it makes no more trials.
    {"results do not follow the engine's scores", "結果がエンジンの評価値に従わない"},

    // Reasons why a run is not served.
    {"1 worker lacks $0", "ワーカー 1 に足りないもの: $0"},
    {"$0 workers lack $1", "ワーカー $0 に足りないもの: $1"},
    {"a line that has not failed with them time after time", "何度も失敗していない手順"},
    {"trust: they are blocked", "信頼 (締め出されている)"},
    {"a sound engine: $0", "正常なエンジン: $0"},
    {"what it takes: $0", "必要なもの: $0"},
    {"memory for its tables (`joseki workers` says how much they have)",
     "ハッシュ表のメモリ (`joseki workers` が量を示す)"},
    {"the opponent's engine $0", "相手のエンジン $0"},
    {"the engine $0", "エンジン $0"},

    // Faults of games.
    {"game $0 of $1: $2, $3", "$1 の対局 $0: $2、$3"},
    {"game $0 of $1: $2", "$1 の対局 $0: $2"},
    {"search $0 of $1: $2, $3", "$1 の探索 $0: $2、$3"},
    {"search $0 of $1: $2", "$1 の探索 $0: $2"},

    // Reasons why a program does not play a move.
    {"it is not the first in the file", "ファイルの先頭の手ではない"},
    {"another has a larger score", "得点のもっと大きい手がある"},
    {"ply $0 is beyond BookMoves ($1)", "$0 手目は BookMoves ($1) を超える"},
    {"the first move's depth $0 is below $1 ($2)", "先頭の手の深さ $0 が $1 ($2) より小さい"},
    {"its value $0 is more than $1 ($2) below the first move's $3",
     "評価値 $0 は先頭の手の $3 より $1 ($2) を超えて低い"},
    {"its value $0 is below $1 ($2)", "評価値 $0 が $1 ($2) より小さい"},
    {"its count $0 is not the largest ($1), or not the last of these",
     "回数 $0 が最大 ($1) でないか、最大の手のうち最後でない"},
    {"its weight is 0", "重みが 0"},

    // Settings of a program, and differences between a file and the games.
    {"set in YaneuraOu: ConsiderBookMoveCount true (not in versions with BOOK_OPTIONS V2)",
     "やねうら王の設定: ConsiderBookMoveCount true (BOOK_OPTIONS V2 の版にはない)"},
    {"set in YaneuraOu: BookEvalDiff 0 (V2 has it so)",
     "やねうら王の設定: BookEvalDiff 0 (V2 では初めからそうなっている)"},
    {"set in YaneuraOu: FlippedBook true, IgnoreBookPly true",
     "やねうら王の設定: FlippedBook true、IgnoreBookPly true"},
    {"set in dlshogi or Apery: Best_Book_Move true for the answer alone, false to play by counts",
     "dlshogi か Apery の設定: 採用手だけを指すなら Best_Book_Move true、回数で選ぶなら false"},
    {"set in $0: $1 (its defaults refuse 1 position)",
     "$0 の設定: $1 (既定値では 1 局面を指さない)"},
    {"set in $0: $1 (its defaults refuse $2 positions)",
     "$0 の設定: $1 (既定値では $2 局面を指さない)"},
    {"at 1 position values and counts are fitted, so that programs play the answer by default; "
     "what games say of the moves stands in the comments, all that is known in --format json",
     "1 局面の評価値と回数は、既定値のソフトが採用手を指すように整えてある。対局の結果はコメント"
     "に、わかっていることのすべては --format json にある"},
    {"at $0 positions values and counts are fitted, so that programs play the answer by default; "
     "what games say of the moves stands in the comments, all that is known in --format json",
     "$0 局面の評価値と回数は、既定値のソフトが採用手を指すように整えてある。対局の結果はコメント"
     "に、わかっていることのすべては --format json にある"},
    {"at 1 position values and counts are fitted, so that programs play the answer by default; "
     "what games say of the moves stands in --format json",
     "1 局面の評価値と回数は、既定値のソフトが採用手を指すように整えてある。対局の結果は "
     "--format json にある"},
    {"at $0 positions values and counts are fitted, so that programs play the answer by default; "
     "what games say of the moves stands in --format json",
     "$0 局面の評価値と回数は、既定値のソフトが採用手を指すように整えてある。対局の結果は "
     "--format json にある"},
    {"at 1 position the answer is that of the mirror image, which the run knows better: a .obk has "
     "one for both",
     "1 局面の採用手は、ランがよりよく知る左右対称の局面の手になる (.obk では両方で同じ)"},
    {"at $0 positions the answer is that of the mirror image, which the run knows better: a .obk "
     "has one for both",
     "$0 局面の採用手は、ランがよりよく知る左右対称の局面の手になる (.obk では両方で同じ)"},
    {"the file has no positions: no move is played from it",
     "ファイルに局面がない。この定跡からは何も指されない"},
};

}  // namespace joseki::cli::phrase
