#pragma once

#include "cli/words/phrase.h"

// Texts of `joseki run` about one run.
namespace joseki::cli::phrase {

inline constexpr Phrase kEngine{"engine", "エンジン"};
inline constexpr Phrase kEngineIs{"$0 (signature $1), $2 a move +- $3 %",
                                  "$0 (署名 $1)、1 手 $2 ±$3 %"};
inline constexpr Phrase kPolicy{"policy", "方策"};
inline constexpr Phrase kPolicyIs{"$0, deviation $1, seed $2", "$0、逸脱 $1、シード $2"};
inline constexpr Phrase kStart{"start", "開始局面"};
inline constexpr Phrase kStartPosition{"startpos", "平手"};
inline constexpr Phrase kOptions{"options", "オプション"};
inline constexpr Phrase kTakes{"takes over", "引き継ぎ"};
inline constexpr Phrase kExtended{"extended", "延長"};
inline constexpr Phrase kExtendedOnce{"1 time, last after $0 games; now it has $1 in all$2",
                                      "1 回、$0 局の後。今は全部で $1$2"};
inline constexpr Phrase kExtendedTimes{"$0 times, last after $1 games; now it has $2 in all$3",
                                       "$0 回、最後は $1 局の後。今は全部で $2$3"};
inline constexpr Phrase kPairing{"pairing", "組み合わせ"};
inline constexpr Phrase kPairingIs{"$0 against $1 at $2", "定跡は$0。相手 $1、1 手 $2"};
inline constexpr Phrase kPairingOptions{" with $0", "、オプション $0"};
inline constexpr Phrase kPairingByShare{", choice share", "、割合で選ぶ"};
inline constexpr Phrase kPairingInRange{", choice range $0", "、幅 $0 で選ぶ"};
inline constexpr Phrase kBothSides{"both", "両方"};
inline constexpr Phrase kReEntry{"re-entry", "復帰"};
inline constexpr Phrase kReEntryByStage{"by the book's answers, newer ones at each stage",
                                        "定跡の採用手に戻る。段階ごとに新しくする"};
inline constexpr Phrase kReEntryByGames{"by the book's answers, newer ones every $0 games",
                                        "定跡の採用手に戻る。$0 局ごとに新しくする"};
inline constexpr Phrase kWorkers{"workers", "ワーカー"};
inline constexpr Phrase kWorkersAre{"$0 can serve it; priority $1, weight $2",
                                    "受け持てるもの $0。優先度 $1、重み $2"};
inline constexpr Phrase kNeeds{"needs $0 = $1", "必要: $0 = $1"};
inline constexpr Phrase kNeedsMemory{"needs $0 MB a slot", "必要: スロットごとに $0 MB"};
inline constexpr Phrase kNeedsCores{"needs $0 cores a slot", "必要: スロットごとに $0 コア"};
inline constexpr Phrase kPriors{"priors", "事前評価"};
inline constexpr Phrase kPriorsAre{"$0 of $1 positions searched with $2 nodes",
                                   "$1 局面のうち $0 を $2 ノードで探索"};
inline constexpr Phrase kPriorsOlder{", $0 by another profile alone", "、別の設定のみ $0"};
inline constexpr Phrase kPriorsUnscored{", $0 without a score", "、評価なし $0"};
inline constexpr Phrase kPriorsFailed{", $0 failed", "、失敗 $0"};
inline constexpr Phrase kPriorsCount{"; an evaluation counts for $0 games, scale $1",
                                     "。評価 1 つを $0 局と数える。尺度 $1"};
inline constexpr Phrase kPlaying{"in play", "対局中"};
inline constexpr Phrase kPlayingIs{"$0 games in $1 leases", "$0 局 (リース $1)"};
inline constexpr Phrase kSetAside{"set aside", "除外"};
inline constexpr Phrase kSetAsideIs{
    "$0 draws, $1 faults, $2 conflicts, $3 lines that always failed",
    "引き分け $0、障害 $1、食い違い $2、必ず失敗する手順 $3"};
inline constexpr Phrase kResigning{"resigning", "投了"};
inline constexpr Phrase kResigningIs{
    "below -$0 for $1 moves; of $2 such games played on, $3 were not lost",
    "評価値 -$0 未満が $1 手続けば。指し継いだ $2 局のうち負けなかったもの $3"};
inline constexpr Phrase kSettling{"settling", "決着"};
inline constexpr Phrase kSettlingIs{
    "positions, wrongly with a chance of $0; moves within $1 count as equal",
    "局面ごと。誤りの確率 $0、差 $1 以内の手は同等"};
inline constexpr Phrase kToFind{"to find", "残る余地"};
inline constexpr Phrase kToFindIs{"at most $0 of the score a game; ends at $1",
                                  "1 局あたり勝率の最大 $0。$1 で終わる"};
inline constexpr Phrase kChanging{"changing", "変化"};
inline constexpr Phrase kChangingIs{"answers at $0 % of the stage's moves; ends at $1 %",
                                    "この段階の手の $0 % で採用手が変わった。$1 % で終わる"};
inline constexpr Phrase kResting{"resting", "休止"};
inline constexpr Phrase kRestingIs{"$0 (drawn $1 times in a row)", "$0 (続けて $1 回引き分け)"};
inline constexpr Phrase kLeftOutLine{"left out", "除外手順"};
inline constexpr Phrase kLeftOutLineIs{"$0 ($1 times: $2; with $3)", "$0 ($1 回: $2。$3 で)"};
inline constexpr Phrase kEndedByLabel{"ended by", "終局"};

// Changes to a run.
inline constexpr Phrase kRunTunes{"run $0 tunes $1 moves of $2 positions\n",
                                  "ラン $0 が $2 局面の $1 手を調整します\n"};
inline constexpr Phrase kRunEndless{"it has no limit: `joseki run stop $0` ends it\n",
                                    "制限はありません。`joseki run stop $0` で終わります\n"};
inline constexpr Phrase kNoRuns{"no runs\n", "ランはありません\n"};
inline constexpr Phrase kRunIs{"run $0 is $1\n", "ラン $0: $1\n"};
inline constexpr Phrase kRunIsWith{"run $0 is $1, with $2 in all$3\n",
                                   "ラン $0: $1、全部で $2$3\n"};
inline constexpr Phrase kRunPriority{"run $0 has priority $1, weight $2\n",
                                     "ラン $0: 優先度 $1、重み $2\n"};
inline constexpr Phrase kLineFreed{"run $0: 1 line is given out again\n",
                                   "ラン $0: 手順 1 つを再び配ります\n"};
inline constexpr Phrase kLinesFreed{"run $0: $1 lines are given out again\n",
                                    "ラン $0: 手順 $1 つを再び配ります\n"};

}  // namespace joseki::cli::phrase
