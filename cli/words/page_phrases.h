#pragma once

#include "cli/words/phrase.h"

// Phrases of the report as a page, beside those that it shares with the terminal.
namespace joseki::cli::phrase {

inline constexpr Phrase kPageTitle{"Run $0 of $1", "$1 のラン $0"};
inline constexpr Phrase kWhatIsProven{"What is proven", "証明されたこと"};
inline constexpr Phrase kWhatWasAsked{"What was asked", "条件"};
inline constexpr Phrase kWhatWasPlayed{"What was played", "対局"};
inline constexpr Phrase kWhatMoved{"What moved", "変わった採用手"};
inline constexpr Phrase kWhatWentWrong{"What went wrong", "異常"};
inline constexpr Phrase kHowToReproduce{"How to reproduce it", "再現のしかた"};

inline constexpr Phrase kGamesOverTime{"Games accepted over time", "時間ごとの対局数"};
inline constexpr Phrase kNewAndBefore{"$0: $1, before $2", "$0: $1、以前は $2"};
inline constexpr Phrase kNoAnswerMoved{"No answer of the book is another one than before.",
                                       "採用手はどれも以前と同じです。"};
inline constexpr Phrase kMoversMean{
    "$0 answers changed. Below those with the most games and trials: the new answer, blue on the "
    "board, and below it the old one. Worth: in centipawns, by searches and trials. Games: played, "
    "of which `different` are no repeats; score and bar: wins among the wins and losses, with the "
    "95 % interval, from 0 to 100 %.",
    "変わった採用手は $0。対局と試し指しの多いものを並べます。上が新しい採用手 (盤では青)、下が以前"
    "の採用手です。評価: 探索と試し指しによるセンチポーン。対局: 指した数、異なる: 同じ棋譜を除いた"
    "数。勝率と棒: 勝ち負けのうちの勝ちとその 95 % 区間 (0〜100 %)。"};
inline constexpr Phrase kWhere{"where", "局面"};
inline constexpr Phrase kBoard{"board", "盤"};
inline constexpr Phrase kWorthHead{"worth", "評価"};
inline constexpr Phrase kTrials{"trials", "試し指し"};
inline constexpr Phrase kWonDrawnLost{"won-drawn-lost", "勝-分-負"};
inline constexpr Phrase kNewAndOld{"new: $0, old: $1", "新: $0、旧: $1"};
inline constexpr Phrase kNoProof{
    "No proof was asked for: what the intervals below say is all that is known.",
    "証明は行っていません。わかっているのは以下の区間が示すことだけです。"};
inline constexpr Phrase kBarsReach{"Bars reach from -300 to +300 Elo.",
                                   "棒の範囲は -300〜+300 Elo です。"};
inline constexpr Phrase kExpectedGain{"Expected gain over the run", "ラン中に期待された向上"};
inline constexpr Phrase kExpectedGainIs{"Expected gain: $0", "期待される向上: $0"};
inline constexpr Phrase kExpectedGainMeans{
    "By the scores of trials, games that are broken off, with 95 % intervals. Moves are tried by "
    "chance meanwhile, so the book's answers are worth more; what they are worth stands under what "
    "is proven.",
    "途中で打ち切る対局 (試し指し) の勝率と 95 % 区間によります。その間は手を偶然にも選ぶので、定跡"
    "の採用手の価値はこれより高くなります。その価値は「証明されたこと」にあります。"};
inline constexpr Phrase kProvenGain{"Proven gain, from proof to proof", "証明ごとの向上"};
inline constexpr Phrase kTrialsCount{"$0 trials", "試し指し $0"};

inline constexpr Phrase kFaultsOf{"faults of engines and workers", "エンジンとワーカーの障害"};
inline constexpr Phrase kConflictsOf{"games that came under a taken key and were others",
                                     "同じ鍵で届いた別の対局"};
inline constexpr Phrase kCopiesOf{"games played again by a second worker",
                                  "別のワーカーが指し直した対局"};
inline constexpr Phrase kCopiesAre{"$0, of which $1 came out otherwise",
                                   "$0 (うち結果が異なる $1)"};
inline constexpr Phrase kExcludedOf{"games left out, of workers that are not trusted",
                                    "信頼しないワーカーのため除外した対局"};
inline constexpr Phrase kPoisonedOf{"lines that failed too often", "失敗の多い手順"};
inline constexpr Phrase kStaleOf{"games taken after their lease had ended",
                                 "リースの期限後に受け取った対局"};
inline constexpr Phrase kWhyState{"why the run is $0", "「$0」の理由"};

inline constexpr Phrase kLimitOfAMove{"limit of a move", "1 手の制限"};
inline constexpr Phrase kHoursLimit{"hours", "時間"};
inline constexpr Phrase kChanceToLeave{"chance to leave the book at a position",
                                       "局面ごとに定跡を離れる確率"};
inline constexpr Phrase kSeed{"seed", "シード"};
inline constexpr Phrase kState{"state", "状態"};
inline constexpr Phrase kGamesThatCount{"games that count", "数える対局"};
inline constexpr Phrase kNodesSpent{"nodes spent, in games", "ノードの使い道 (対局数に換算)"};
inline constexpr Phrase kDifferentGames{"different games", "異なる対局"};
inline constexpr Phrase kWonDrawnWon{"won by $0, drawn, won by $1", "$0の勝ち、引き分け、$1の勝ち"};
inline constexpr Phrase kFrom{"from", "開始"};
inline constexpr Phrase kTo{"to", "終了"};
inline constexpr Phrase kGamesAnHour{"games an hour", "1 時間の対局数"};
inline constexpr Phrase kHowGamesEnded{"How games ended", "終局"};
inline constexpr Phrase kWorkersHead{"Workers", "ワーカー"};
inline constexpr Phrase kWorker{"worker", "ワーカー"};
inline constexpr Phrase kFaultsHead{"faults", "障害"};
inline constexpr Phrase kNodesASecond{"nodes a second of its engine", "エンジンの毎秒ノード数"};
inline constexpr Phrase kCameTo{
    "Of $0 positions with a choice games came to $1, of which $2 are settled. $3",
    "選択のある $0 局面のうち $1 を通り、$2 が決着しました。$3"};
inline constexpr Phrase kProgram{"program", "プログラム"};
inline constexpr Phrase kSnapshot{"book before the run, SHA-256 of its snapshot",
                                  "ラン前の定跡 (スナップショットの SHA-256)"};
inline constexpr Phrase kEpoch{"epoch", "世代"};
inline constexpr Phrase kSignature{"engine's signature", "エンジンの署名"};
inline constexpr Phrase kWholeSpecification{"The whole specification", "指定のすべて"};

}  // namespace joseki::cli::phrase
