#pragma once

#include "cli/words/phrase.h"

// All texts of the terminal in English and Japanese, room by room: tables of moves, positions,
// comparisons, runs, reports, proofs.
namespace joseki::cli::phrase {

inline constexpr Phrase kComma{", ", "、"};
inline constexpr Phrase kSemicolon{"; ", "、"};

// Moves of a position.
inline constexpr Phrase kMove{"move", "指し手"};
inline constexpr Phrase kInput{"input", "元"};
inline constexpr Phrase kShare{"share", "割合"};
inline constexpr Phrase kValue{"value", "評価"};
inline constexpr Phrase kWeight{"weight", "重み"};
inline constexpr Phrase kGames{"games", "対局"};
inline constexpr Phrase kDifferent{"different", "異なる"};
inline constexpr Phrase kWins{"wins", "勝"};
inline constexpr Phrase kDraws{"draws", "分"};
inline constexpr Phrase kLosses{"losses", "負"};
inline constexpr Phrase kScore{"score", "勝率"};
inline constexpr Phrase kInterval{"95 % interval", "95 % 区間"};
inline constexpr Phrase kRange{"$0 to $1 %", "$0〜$1 %"};
inline constexpr Phrase kValueMeans{
    "value: the score that searches and trials expect (-: of other moves alone), or else the "
    "policy",
    "評価: 探索と試し指しが期待する勝率（-: 他の手だけを調べた）、なければ方策の値"};
inline constexpr Phrase kPointsMean{"weight: the points that the policy has added up",
                                    "重み: 方策が積み上げた点"};
inline constexpr Phrase kRunLegend{
    "* the answer, which the exported book plays; input: the share in the book that the run began "
    "with; $0\n  games: played, of which `different` are no repeats; score and interval: wins "
    "among "
    "the wins and losses\n",
    "* 書き出した定跡が指す手。元: ラン開始時の定跡での割合。$0\n"
    "  対局: 指した数、異なる: 同じ棋譜を除いた数。勝率と区間: 勝ち負けのうちの勝ち\n"};
inline constexpr Phrase kBookLegend{
    "* the answer, which the exported book plays; share: of the games and imported counts here; "
    "weight: the base weight\n  games: imported; score and interval: wins among the wins and "
    "losses\n",
    "* 書き出した定跡が指す手。割合: ここでの対局数と取り込んだ回数のうち。重み: 基本の重み\n"
    "  対局: 取り込んだ数。勝率と区間: 勝ち負けのうちの勝ち\n"};
inline constexpr Phrase kNoDecidedGame{"no decided game", "勝負のついた対局なし"};
inline constexpr Phrase kScoreOfOne{"$0 % of 1 decided game ($1 to $2 %)",
                                    "勝負のついた 1 局の $0 % ($1〜$2 %)"};
inline constexpr Phrase kScoreOf{"$0 % of $1 decided games ($2 to $3 %)",
                                 "勝負のついた $1 局の $0 % ($2〜$3 %)"};

// The facts that a book holds of a position.
inline constexpr Phrase kFoundBySearch{"found by search", "探索が見つけた手"};
inline constexpr Phrase kFoundAsCandidate{"found as a candidate", "候補として見つけた手"};
inline constexpr Phrase kDecidedBy{"decided by $0", "決め手: $0"};
inline constexpr Phrase kSearches{"searches", "探索"};
inline constexpr Phrase kImportedValue{"imported value $0", "取り込んだ評価値 $0"};
inline constexpr Phrase kInBooks{"$0 in books", "定跡に $0 回"};
inline constexpr Phrase kEvaluated{"evaluated $0", "評価値 $0"};
inline constexpr Phrase kTurned{"$0 of them turned", "うち反転 $0"};
inline constexpr Phrase kBad{"bad", "悪手"};
inline constexpr Phrase kNoteOn{"note on $0: $1\n", "$0 の注釈: $1\n"};
inline constexpr Phrase kForbidden{"forbidden: $0\n", "禁止: $0\n"};
inline constexpr Phrase kSources{"sources:\n", "出典:\n"};
inline constexpr Phrase kSourceValue{"  value $0, depth $1", "  評価値 $0、深さ $1"};
inline constexpr Phrase kSourceCount{"  count $0", "  回数 $0"};
inline constexpr Phrase kGoesOn{"goes on in the book: $0\n", "定跡の続き: $0\n"};
inline constexpr Phrase kOneMove{"$0 (1 move)", "$0 (1 手)"};
inline constexpr Phrase kMoves{"$0 ($1 moves)", "$0 ($1 手)"};
inline constexpr Phrase kByColour{"by colour, the turned position included:\n",
                                  "手番の色別 (反転した局面を含む):\n"};
inline constexpr Phrase kEqualScores{"; equal scores: p $0", "; 勝率が等しい確率 p $0"};
inline constexpr Phrase kLedToBy{"led to by:\n", "ここに至る手:\n"};
inline constexpr Phrase kMoveIn{"  $0 in $1\n", "  $1 の $0\n"};

// A comparison of two books.
inline constexpr Phrase kBefore{"before", "前"};
inline constexpr Phrase kAfter{"after", "後"};
inline constexpr Phrase kBeforeIs{"before: $0 ($1)\n", "前: $0 ($1)\n"};
inline constexpr Phrase kAfterIs{"after:  $0 ($1)\n", "後: $0 ($1)\n"};
inline constexpr Phrase kTheBookItself{"the book itself", "定跡そのもの"};
inline constexpr Phrase kRunOfGames{"run $0, $1 games", "ラン $0、$1 局"};
inline constexpr Phrase kZeroIsTheBook{"$0; #0 is the book itself", "$0、#0 は定跡そのもの"};
inline constexpr Phrase kOtherProgram{"a book of another program", "他のプログラムの定跡"};
inline constexpr Phrase kDiffCounts{
    "$0 positions are the same, $1 are only in the first, $2 only in the second; $3 answers and $4 "
    "moves of others changed\n",
    "同じ局面 $0、前だけ $1、後だけ $2。変わった採用手 $3、その他の局面で変わった手 $4\n"};
inline constexpr Phrase kNewPosition{"new position", "新しい局面"};
inline constexpr Phrase kPositionGone{"position taken away", "なくなった局面"};
inline constexpr Phrase kAnotherAnswer{"another answer", "別の採用手"};
inline constexpr Phrase kSameAnswer{"same answer", "同じ採用手"};
inline constexpr Phrase kReach{"; $0 % of the lines come here", "。手順の $0 % がここに至る"};
inline constexpr Phrase kApart{", and the answers are $0 % of the score apart",
                               "。採用手の勝率の差 $0 %"};
inline constexpr Phrase kDiffLegend{
    "\n* the answer, which the exported book plays; in brackets the 95 % interval\n",
    "\n* 書き出した定跡が指す手。括弧内は 95 % 区間\n"};
inline constexpr Phrase kMorePositions{"$0 more positions (--limit)\n",
                                       "ほかに $0 局面 (--limit)\n"};
inline constexpr Phrase kOneGame{"1 game", "1 局"};
inline constexpr Phrase kSomeGames{"$0 games", "$0 局"};
inline constexpr Phrase kValueIs{"value $0 %", "評価 $0 %"};
inline constexpr Phrase kWeightIs{"weight $0", "重み $0"};
inline constexpr Phrase kNothingKnown{"nothing known", "不明"};

// A program's choice from an exported book, and the file.
inline constexpr Phrase kPlayed{"played", "指す割合"};
inline constexpr Phrase kCentipawns{"value", "評価値"};
inline constexpr Phrase kDepth{"depth", "深さ"};
inline constexpr Phrase kCount{"count", "回数"};
inline constexpr Phrase kByReader{"by $0", "$0 の場合"};
inline constexpr Phrase kNothingPlayed{"nothing is played: $0\n", "何も指しません: $0\n"};
inline constexpr Phrase kNothingBecause{"nothing: $0", "なし: $0"};
inline constexpr Phrase kWrote{"wrote $0: $1 positions, $2 bytes\n",
                               "$0 を書き出しました ($1 局面、$2 バイト)\n"};

// The place of a position.
inline constexpr Phrase kAtPosition{"at $0", "局面 $0"};
inline constexpr Phrase kAtTheStart{"at the start", "開始局面"};
inline constexpr Phrase kAfterMoves{"after $0", "$0 まで"};

// Runs.
inline constexpr Phrase kRun{"run $0", "ラン $0"};
inline constexpr Phrase kRunning{"running", "実行中"};
inline constexpr Phrase kPaused{"paused", "一時停止"};
inline constexpr Phrase kDone{"done", "完了"};
inline constexpr Phrase kStopped{"stopped", "停止"};
inline constexpr Phrase kFailed{"failed", "失敗"};
inline constexpr Phrase kActive{"active", "稼働"};
inline constexpr Phrase kSilent{"silent", "応答なし"};
inline constexpr Phrase kDraining{"draining", "終了中"};
inline constexpr Phrase kDrained{"drained", "終了"};
inline constexpr Phrase kQuarantined{"quarantined", "隔離"};
inline constexpr Phrase kFaulty{"faulty", "障害"};
inline constexpr Phrase kRefused{"refused", "拒否"};
inline constexpr Phrase kGamesPlayed{"the games are played", "予定の対局を終えた"};
inline constexpr Phrase kStage{", stage $0 of $1", "、段階 $0/$1"};
inline constexpr Phrase kGamesDone{"$0 games", "$0 局"};
inline constexpr Phrase kGamesOf{"$0 of $1 games ($2 %)", "$0 / $1 局 ($2 %)"};
inline constexpr Phrase kGamesAndSearches{"$0 games and searches worth $1",
                                          "$0 局と $1 局分の探索"};
inline constexpr Phrase kGamesAndSearchesOf{"$0 games and searches worth $1 of $2 games ($3 %)",
                                            "$0 局と $1 局分の探索 / $2 局 ($3 %)"};
inline constexpr Phrase kRate{", $0 games/s", "、毎秒 $0 局"};
inline constexpr Phrase kASecond{", $0 a second", "、毎秒 $0"};
inline constexpr Phrase kLeft{", $0 left", "、残り $0"};
inline constexpr Phrase kExpectedScore{"expected score $0 % ($1 Elo)", "期待勝率 $0 % ($1 Elo)"};
inline constexpr Phrase kSpent{"games $0, answers $1, replies $2, trials $3",
                               "対局 $0、応手 $1、相手の応手 $2、試し指し $3"};
inline constexpr Phrase kSpentOn{"spent on $0", "使い道: $0"};
inline constexpr Phrase kGamesAlone{"games alone from now on: $0", "以後は対局だけ: $0"};
inline constexpr Phrase kScores{"scores", "評価値"};
inline constexpr Phrase kNoTrials{"no trials at present: $0", "現在は試し指しなし: $0"};
inline constexpr Phrase kScoresWorth{"slope of results on scores $0 [$1, $2] by $3 games",
                                     "評価値に対する結果の傾き $0 [$1, $2] ($3 局)"};
inline constexpr Phrase kSearchesNeedNodes{
    "games alone: searches along lines need a limit of nodes (--nodes), and these moves have one "
    "of "
    "time\n",
    "対局だけです: 手順に沿った探索にはノード数の制限 (--nodes) "
    "が要りますが、持ち時間の制限です\n"};
inline constexpr Phrase kFewSearches{
    "the budget pays for at most $0 searches, and the book has $1 positions; where no search "
    "comes, "
    "the tuned book ends\n",
    "予算で探索できるのは多くて $0 局面、定跡は $1 局面です。探索のない局面で定跡は終わります\n"};
inline constexpr Phrase kNotServed{"no worker can serve it: $0",
                                   "割り当てられるワーカーがない: $0"};
inline constexpr Phrase kNoServer{"no worker can serve it: see `joseki run show $0`",
                                  "割り当てられるワーカーがない: `joseki run show $0` を参照"};
inline constexpr Phrase kSeconds{"$0 s", "$0 秒"};
inline constexpr Phrase kMinutes{"$0 min $1 s", "$0 分 $1 秒"};
inline constexpr Phrase kHours{"$0 h $1 min", "$0 時間 $1 分"};
inline constexpr Phrase kCoordinatorUp{
    "coordinator up $0; $1 workers with $2 slots; $3 games wait for the disk, last commit $4 ms\n",
    "コーディネーター稼働 $0、ワーカー $1 (スロット $2)、書き込み待ち $3 局、直近のコミット $4 "
    "ミリ秒\n"};
inline constexpr Phrase kCertificateEnds{
    "the coordinator's certificate ends at $0: renew it with `joseki certs server`\n",
    "コーディネーターの証明書は $0 に切れます。`joseki certs server` で更新してください\n"};
inline constexpr Phrase kRunCounts{
    "    $0 games in play, $1 draws thrown away, $2 faults, $3 conflicts\n",
    "    対局中 $0、数えない引き分け $1、障害 $2、食い違い $3\n"};
inline constexpr Phrase kAskingAgain{"the coordinator does not answer ($0); asking again\n",
                                     "コーディネーターが応答しません ($0)。再び問い合わせます\n"};
inline constexpr Phrase kAnswersAgain{"the coordinator answers again\n",
                                      "コーディネーターが再び応答しました\n"};

// The screen of status --watch.
inline constexpr Phrase kScreenHead{
    "joseki  $0  coordinator up $1; $2 games wait for the disk, last commit $3 ms",
    "joseki  $0  コーディネーター稼働 $1、書き込み待ち $2 局、直近のコミット $3 ミリ秒"};
inline constexpr Phrase kScreenLost{
    "joseki  $0  the coordinator does not answer; asking again",
    "joseki  $0  コーディネーターが応答しません。再び問い合わせます"};
inline constexpr Phrase kWorkersLine{"workers  $0", "ワーカー  $0"};
inline constexpr Phrase kNone{"none", "なし"};
inline constexpr Phrase kSeats{"; $0 games at once, $1 handed out", "。同時に $0 局、配布済み $1"};
inline constexpr Phrase kGamesLine{"games    $0 a second  $1", "対局      毎秒 $0  $1"};
inline constexpr Phrase kInPlay{"  $0 in play, $1 draws thrown away",
                                "  対局中 $0、数えない引き分け $1"};
inline constexpr Phrase kFaults{", $0 faults", "、障害 $0"};
inline constexpr Phrase kBroken{
    "$0 games or searches broke off, the last by: $1; the workers' logs in $2 have all\n",
    "対局や探索が $0 回中断しました。最後の原因: $1。すべてはワーカーのログ ($2) にあります\n"};
inline constexpr Phrase kConflicts{", $0 conflicts", "、食い違い $0"};
inline constexpr Phrase kMismatches{", $0 games that differed", "、再現しない対局 $0"};
inline constexpr Phrase kWorkersQuarantined{", $0 workers quarantined", "、隔離中のワーカー $0"};
inline constexpr Phrase kGamesLeftOut{", $0 games left out", "、除外した対局 $0"};
inline constexpr Phrase kPoisonedLines{", $0 poisoned lines", "、除外された手順 $0"};
inline constexpr Phrase kWhereGamesGo{"where the games go", "対局の行き先"};
inline constexpr Phrase kAnswer{"answer", "採用手"};
inline constexpr Phrase kScore95{"score (95 %)", "勝率 (95 %)"};
inline constexpr Phrase kPosition{"position", "局面"};
inline constexpr Phrase kOfLateShare{"$0 % of late", "最近の $0 %"};
inline constexpr Phrase kFromTo{"$0 to $1", "$0〜$1"};
inline constexpr Phrase kChangedTo{"$0 to $1", "$0 → $1"};
inline constexpr Phrase kChangedIn{"* changed in the last $0: $1",
                                   "* この $0 に変わった採用手: $1"};
inline constexpr Phrase kLinesMore{"... $0 lines more: a taller window, or --run",
                                   "... ほかに $0 行。画面を高くするか --run"};

// A report.
inline constexpr Phrase kReportHead{
    "Run $0: $1, $2 games by $3 at $4 a move, policy $5, seed $6\n",
    "ラン $0: $1、$2 局、エンジン $3、1 手 $4、方策 $5、シード $6\n"};
inline constexpr Phrase kEndedBy{"  ended by     $0; $1 faults\n", "  終局         $0。障害 $1\n"};
inline constexpr Phrase kBookLine{"  book         $0 positions with a choice; games came to $1\n",
                                  "  定跡         選択のある局面 $0、対局が通った局面 $1\n"};
inline constexpr Phrase kSpentLine{"  spent on     $0 (in games)\n",
                                   "  使い道       $0 (対局数に換算)\n"};
inline constexpr Phrase kScoresLine{"  scores       $0\n", "  評価値       $0\n"};
inline constexpr Phrase kExpectedLine{"  expected     $0\n", "  期待         $0\n"};
inline constexpr Phrase kProvenLine{"  proven       against $0, from proof to proof: $1\n",
                                    "  証明         $0 に対して、証明ごとに: $1\n"};
inline constexpr Phrase kWhereMostGames{"Where most games went, $0:\n",
                                        "最も多く通った局面、$0:\n"};
inline constexpr Phrase kWonBy{"Won by $0 $1, drawn $2, by $3 $4, by $5 workers\n",
                               "$0の勝ち $1、引き分け $2、$3の勝ち $4、ワーカー $5\n"};
inline constexpr Phrase kAnswersChanged{"Answers changed: $0\n", "変わった採用手: $0\n"};
inline constexpr Phrase kAnswersChangedTop{
    "Answers changed: $0, those with the most games and trials:\n",
    "変わった採用手: $0。対局と試し指しの多いもの:\n"};
inline constexpr Phrase kMover{"  $0: $1; before $2\n", "  $0: $1。以前は $2\n"};
inline constexpr Phrase kWorth{", worth $0 with $1 trials", "、評価 $0、試し指し $1"};
inline constexpr Phrase kWentWrong{
    "Went wrong: $0 faults, $1 conflicts, $2 of $3 games came out otherwise when they were played "
    "again, $4 games left out, $5 lines that failed too often\n",
    "異常: 障害 $0、食い違い $1、指し直した $3 局のうち結果の異なるもの $2、除外した対局 $4、"
    "失敗の多い手順 $5\n"};
inline constexpr Phrase kReproduce{"To reproduce it, from snapshot $0 with $1:\n",
                                   "再現するには、スナップショット $0、$1 で:\n"};
inline constexpr Phrase kCourse{"$0 Elo in $1 equal parts of $2 trials, +- $3 the last",
                                "$0 Elo ($2 回の試し指しを $1 等分、最後の誤差 ±$3)"};
inline constexpr Phrase kGainCourse{"$0; the last $1", "$0。最後は $1"};
inline constexpr Phrase kWhereTheGamesGo{
    "Where the games go: $0 different games; of $1 positions with a choice they came to $2, of "
    "which $3 are settled (wrongly with a chance of at most $4 each, moves within $5 count as "
    "equal)\n",
    "対局の行き先: 異なる $0 局。選択のある $1 局面のうち $2 を通り、$3 が決着 (誤りの確率は各 $4 "
    "以下、差 $5 以内の手は同等)\n"};
inline constexpr Phrase kLeftToFind{"What is left to find: $0 % of the score a game is expected",
                                    "まだ見つかる余地: 1 局あたり勝率の $0 % と期待される"};
inline constexpr Phrase kAtMost{", $0 % at most", "、最大 $0 %"};
inline constexpr Phrase kFullStop{".", "。"};
inline constexpr Phrase kOfLate{"of late", "最近"};
inline constexpr Phrase kInAll{"in all", "合計"};
inline constexpr Phrase kStanding{"standing", "状態"};
inline constexpr Phrase kExpected{"expected", "期待"};
inline constexpr Phrase kOpen{"open", "未決"};
inline constexpr Phrase kBest{"best", "最善"};
inline constexpr Phrase kEquivalent{"equivalent", "同等"};

// The terminations of games.
inline constexpr Phrase kNoLegalMove{"no_legal_move", "詰み"};
inline constexpr Phrase kRepetition{"repetition", "千日手"};
inline constexpr Phrase kPerpetualCheck{"perpetual_check", "連続王手の千日手"};
inline constexpr Phrase kDeclaration{"declaration", "宣言勝ち"};
inline constexpr Phrase kMaxPlies{"max_plies", "手数制限"};
inline constexpr Phrase kPerpetualChase{"perpetual_chase", "長捉"};
inline constexpr Phrase kNoCapture{"no_capture", "長い間取りなし"};
inline constexpr Phrase kNoAttackers{"no_attackers", "攻め駒なし"};
inline constexpr Phrase kResign{"resign", "投了"};
inline constexpr Phrase kIllegalMove{"illegal_move", "反則手"};
inline constexpr Phrase kCrash{"crash", "異常終了"};
inline constexpr Phrase kStall{"stall", "応答停止"};
inline constexpr Phrase kDisconnect{"disconnect", "切断"};
inline constexpr Phrase kTimeForfeit{"time_forfeit", "時間切れ"};
inline constexpr Phrase kInterrupted{"interrupted", "中断"};

// Sides of the games.
inline constexpr Phrase kBlackFirst{"black", "先手"};
inline constexpr Phrase kWhiteSecond{"white", "後手"};
inline constexpr Phrase kRedFirst{"red", "紅"};
inline constexpr Phrase kBlackSecond{"black", "黒"};

// Boards.
inline constexpr Phrase kNoHand{"none", "なし"};
inline constexpr Phrase kBlackHolds{"Black holds: $0\n", "先手の持駒: $0\n"};
inline constexpr Phrase kWhiteHolds{"White holds: $0\n", "後手の持駒: $0\n"};
inline constexpr Phrase kBlackToMove{"Black to move\n", "先手番\n"};
inline constexpr Phrase kWhiteToMove{"White to move\n", "後手番\n"};
inline constexpr Phrase kRedsMove{"Red to move\n", "紅の手番\n"};
inline constexpr Phrase kBlacksMove{"Black to move\n", "黒の手番\n"};

// Tuning.
inline constexpr Phrase kTuned{"$0 games in $1 ($2 games/s); $3\n",
                               "$1で $0 局 (毎秒 $2 局)。$3\n"};
inline constexpr Phrase kMovesAt{"Moves $0, by $1 at $2 a move:\n",
                                 "$0の手、エンジン $1、1 手 $2:\n"};
inline constexpr Phrase kBrokenOff{
    "Interrupted; everything is kept. The same command continues the run.\n",
    "中断しました。すべて保存されています。同じコマンドで続きます。\n"};
inline constexpr Phrase kRunBegins{"run $0 begins: $1 moves of $2 positions",
                                   "ラン $0 を始めます: $2 局面の $1 手"};
inline constexpr Phrase kTakesOver{", with $0: $1", "、$0 を引き継ぎます: $1"};
inline constexpr Phrase kFromNothing{", from nothing: $0", "、白紙から: $0"};
inline constexpr Phrase kGoesOnFor{
    "run $0 goes on after $1 games for $2 more: its options and the book are the same$3\n",
    "ラン $0 は $1 局の後、さらに $2 続けます: オプションも定跡も同じです$3\n"};
inline constexpr Phrase kGoesOnAfter{"run $0 goes on after $1 games\n",
                                     "ラン $0 は $1 局の後、続けます\n"};
inline constexpr Phrase kStoppedForGood{"run $0 is stopped for good\n",
                                        "ラン $0 を終わりにしました\n"};
inline constexpr Phrase kStopping{
    "stopping: games are finished or given back (again to break them off)\n",
    "止めています: 対局を終えるか返します (もう一度で打ち切り)\n"};
inline constexpr Phrase kNewAsked{"--new asks for that", "--new の指定による"};
inline constexpr Phrase kOtherOptions{"run $0 has other options ($1)",
                                      "ラン $0 は別のオプション ($1)"};
inline constexpr Phrase kForGood{"run $0 is $1 for good", "ラン $0 は$1のまま終わり"};
inline constexpr Phrase kNoMoreStages{"run $0 has played its $1 stages, and $2 has no more",
                                      "ラン $0 は $1 段階を終え、$2 にはその先がない"};
inline constexpr Phrase kBookChanged{"the book has changed since run $0 began",
                                     "ラン $0 の後に定跡が変わった"};
inline constexpr Phrase kGamesDropped{"games of run $0 are in archives alone",
                                      "ラン $0 の対局は保管庫だけにある"};
inline constexpr Phrase kBudgetGames{"$0 games", "$0 局"};
inline constexpr Phrase kNoLimit{"no limit", "制限なし"};
inline constexpr Phrase kOr{" or ", " または "};
inline constexpr Phrase kWhatGamesSay{"what $0 games of run $1 say", "ラン $1 の $0 局の結果"};
inline constexpr Phrase kWhatGamesOfRunsSay{"what $0 games of runs $1 say",
                                            "ラン $1 の $0 局の結果"};
inline constexpr Phrase kAndSearchesSay{", and $0 searches along lines",
                                        "と、手順に沿った $0 回の探索"};
inline constexpr Phrase kSearchesLeftOut{
    ", without searches of run $0, which had other limits (--search-nodes, --fixed-book, "
    "--max-book-plies) or are not wanted now",
    "。ラン $0 の探索は引き継ぎません: 制限 (--search-nodes、--fixed-book、--max-book-plies) "
    "が違うか、今回は探索しません"};
inline constexpr Phrase kRegardless{
    "; nothing was left worth a game, and it plays them regardless of --stop-gain",
    "。指す価値のある対局は残っていませんが、--stop-gain によらず指します"};
inline constexpr Phrase kTheTunedBook{"The tuned book: $0\n", "調整した定跡: $0\n"};
inline constexpr Phrase kNodes{"$0 nodes", "$0 ノード"};
inline constexpr Phrase kMilliseconds{"$0 ms", "$0 ミリ秒"};
inline constexpr Phrase kAnswerBefore{"the answer before", "以前の採用手"};
inline constexpr Phrase kNoMoveHere{"The book has no move at this position.",
                                    "この局面に定跡の手はありません。"};
inline constexpr Phrase kOneMoveHere{"The book has one move here: there was nothing to choose.",
                                     "この局面の定跡の手は 1 つです。選ぶものはありませんでした。"};
inline constexpr Phrase kExpectedOnly{
    "Not proven that $0 is the best move: searches and $1 trials expect $2 % of it.",
    "$0 が最善とは未証明: 探索と $1 回の試し指しの期待は $2 %。"};
inline constexpr Phrase kNoGameOfBest{
    "Not proven that $0 is the best move: it has no decided game.",
    "$0 が最善とは未証明: 勝負のついた対局がありません。"};
inline constexpr Phrase kOverlap{
    "Not proven that $0 is the best move: the intervals of $1, and $2, overlap.",
    "$0 が最善とは未証明: $1 と $2 の区間が重なります。"};
inline constexpr Phrase kSomeWithoutGames{
    "Not proven that $0 is the best move: $1, lies above the others with games, but $2 of $3 moves "
    "have none.",
    "$0 が最善とは未証明: $1 は対局のある他の手より上ですが、$3 手のうち $2 "
    "手に対局がありません。"};
inline constexpr Phrase kProvenBest{
    "Proven under this engine and limit: $0, lies above all other moves.",
    "このエンジンと制限で証明: $0 は他のすべての手より上です。"};
inline constexpr Phrase kMoveIs{"$0, $1", "$0 ($1)"};

// A proof.
inline constexpr Phrase kTooFew{
    "Too few games to prove anything: $0 % of this run's $1 are $2, and it takes $3 to show $4 "
    "Elo; "
    "$5 more games of the run would do.",
    "証明には対局が足りません: このランの $1 局の $0 % は $2 局で、$4 Elo を示すには $3 "
    "局が必要です。"
    "ランがあと $5 局あれば足ります。"};
inline constexpr Phrase kProofAgainst{"proof against $0", "$0との証明対戦"};
inline constexpr Phrase kPairsSoFar{"A $0-$1-$2, $3 Elo", "A の勝-分-負 $0-$1-$2、$3 Elo"};
inline constexpr Phrase kRatioSoFar{", LLR $0 of $1..$2", "、LLR $0 ($1〜$2)"};
inline constexpr Phrase kNoMatch{"Not proven: no match was played.",
                                 "未証明: 対戦がありませんでした。"};
inline constexpr Phrase kStronger{"Proven: the tuned book is stronger than $0: $1.",
                                  "証明: 調整した定跡は $0 より強い: $1。"};
inline constexpr Phrase kWeaker{"Proven: the tuned book is WEAKER than $0: $1.",
                                "証明: 調整した定跡は $0 より【弱い】: $1。"};
inline constexpr Phrase kNotShown{"Not proven that the tuned book is stronger than $0: $1.",
                                  "調整した定跡が $0 より強いとは未証明: $1。"};
inline constexpr Phrase kVoidMatch{"Not proven: the match against $0 is void, $1.",
                                   "未証明: $0 との対戦は無効、$1。"};
inline constexpr Phrase kNotPlayed{"Not proven: no game against $0 was played.",
                                   "未証明: $0 との対局がありませんでした。"};
inline constexpr Phrase kAlike{"Nothing to prove: the tuned book answers as $0 does, everywhere.",
                               "証明するものなし: 調整した定跡の採用手は $0 とどこでも同じです。"};
inline constexpr Phrase kNoneShown{
    "Not proven: in none of $0 matches is the tuned book shown to be stronger, or weaker.",
    "未証明: $0 つの対戦のどれでも、調整した定跡が強いとも弱いとも示されませんでした。"};
inline constexpr Phrase kShown{"Proven: the tuned book is $0 of $1 matches.",
                               "証明: 調整した定跡は $1 つの対戦のうち $0。"};
inline constexpr Phrase kStrongerIn{"stronger in $0", "$0 つで強い"};
inline constexpr Phrase kWeakerIn{"WEAKER in $0", "$0 つで【弱い】"};
inline constexpr Phrase kAnd{" and ", "、"};
inline constexpr Phrase kAgainst{"against", "相手"};
inline constexpr Phrase kEloInterval{"Elo, 95 % interval", "Elo、95 % 区間"};
inline constexpr Phrase kAgainstIs{"Against $0: $1.", "$0: $1。"};
inline constexpr Phrase kItemStronger{"proven stronger, $0", "強いと証明、$0"};
inline constexpr Phrase kItemWeaker{"proven WEAKER, $0", "【弱い】と証明、$0"};
inline constexpr Phrase kItemOpen{"not proven, $0", "未証明、$0"};
inline constexpr Phrase kItemVoid{"void, $0", "無効、$0"};
inline constexpr Phrase kItemNotPlayed{"not played", "対局なし"};
inline constexpr Phrase kItemAlike{"it answers alike everywhere, nothing to play",
                                   "採用手がどこでも同じで、指すものなし"};
inline constexpr Phrase kLeftOut{
    "Left out, as what was left of $0 games could not show $1 Elo there: $2.",
    "残りの対局 ($0 局のうち) では $1 Elo を示せないため省略: $2。"};
inline constexpr Phrase kProofInterrupted{
    "Interrupted; `joseki report` with the same options continues the proof.\n",
    "中断しました。同じオプションの `joseki report` が証明を続けます。\n"};
inline constexpr Phrase kPairsWithFaults{"$0 pairs had a fault", "$0 組に障害"};
inline constexpr Phrase kAfterGames{"$0, after $1 games$2", "$0、$1 局の後$2"};
inline constexpr Phrase kAfterBothGames{"$0, after $1 and $2 games", "$0、$1 局と $2 局の後"};
inline constexpr Phrase kNoNewGames{
    "; no new games come any more (more --jitter or --deviation)",
    "。新しい対局がもう出ません (--jitter か --deviation を大きく)"};
inline constexpr Phrase kTestEnded{"; its test ended against $0", "。検定は $0 を否定して終了"};
inline constexpr Phrase kWouldHaveShown{"; $0 would have shown", "。$0 なら示せたはず"};
inline constexpr Phrase kMoreWouldShow{"; about $0 more would show $1",
                                       "。あと約 $0 局で $1 を示せる"};
inline constexpr Phrase kOpponentAt{"$0 at $1", "$0 (各手 $1)"};
inline constexpr Phrase kInputAgainstOpponent{
    "the input book, each against the run's opponent at $0", "元の定跡 (どちらもランの相手と、$0)"};
inline constexpr Phrase kInputBook{"the input book", "元の定跡"};
inline constexpr Phrase kInputFrequency{"the input book's most frequent moves",
                                        "元の定跡の最多の手"};
inline constexpr Phrase kBookless{"the engine without a book", "定跡なしのエンジン"};
inline constexpr Phrase kRunsOpponent{"the run's opponent", "ランの相手"};
inline constexpr Phrase kRunsOpponentByInput{"the run's opponent, by the input book",
                                             "ランの相手 (元の定跡で)"};
inline constexpr Phrase kEveryGameWon{"every game won", "全勝"};
inline constexpr Phrase kEveryGameLost{"every game lost", "全敗"};
inline constexpr Phrase kEloBetween{"$0, between $1 and $2", "$0 ($1〜$2)"};
inline constexpr Phrase kEloAtLeast{"$0, $1 at least", "$0 ($1 以上)"};
inline constexpr Phrase kEloAtMost{"$0, $1 at most", "$0 ($1 以下)"};
inline constexpr Phrase kEloUnsure{"$0, by too few games to say how sure that is",
                                   "$0 (確かさを言うには対局が少なすぎる)"};

}  // namespace joseki::cli::phrase
