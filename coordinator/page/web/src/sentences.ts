// The coordinator's English sentences, in Japanese.
import type { Words } from "./words";

const japanese: [RegExp, string][] = [
  [/^the games are played$/, "予定の対局が終わりました"],
  [/^the time is used up$/, "予定の時間が過ぎました"],
  [/^the last stage is over$/, "最後の段階が終わりました"],
  [/^no position is left worth a game: .* worth (\S+) of the score, not more than (\S+)$/,
    "対局する価値のある局面が残っていません（残りの期待値 $1、基準 $2）"],
  [/^the answers are stable: stage (\d+) changed them for (\S+) of its moves, not more than (\S+)$/,
    "応手が安定しました（段階 $1 で変わった割合 $2、基準 $3）"],
  [/^waits: every line has failed .*$/, "どの手順も三つ以上のワーカーで失敗しました（joseki run free で再開できます）"],
  [/^the engine gives no scores$/, "エンジンが評価値を返しません"],
  [/^the start position is closed: its searches failed$/, "開始局面の探索が失敗したため、開始局面は閉じています"],
  [/^the engine's scores are all 0$/, "エンジンの評価値がすべて 0 です"],
  [/^results do not follow the engine's scores$/, "結果がエンジンの評価値に従いません"],
];

// The opponent of a run: "black against BOOK@ENGINE/SIGNATURE at 50 nodes", with the game's names
// of sides.
export function pairingFor(words: Words, text: string): string {
  const found = /^(black|white|both) against (.*)$/.exec(text);
  if (!found) return text;
  const side = { black: words.first, white: words.second, both: words.bothSides }[found[1]];
  return `${side} ${words.against} ${found[2]}`;
}

// The sentence itself if there is no translation.
export function sentenceFor(words: Words, text: string): string {
  if (words.code !== "ja") return text;
  const known = japanese.find(([pattern]) => pattern.test(text));
  return known ? text.replace(...known) : text;
}
