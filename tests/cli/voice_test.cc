#include "cli/words/voice.h"

#include <map>
#include <string>

#include "book/formats/reader.h"
#include "cli/words/phrases.h"
#include "cli/words/words.h"
#include "coordinator/offline/export_style.h"
#include "engine/shogi/shogi_rules.h"
#include "engine/xiangqi/xiangqi_rules.h"
#include "gtest/gtest.h"

namespace joseki::cli {
namespace {

// The compiler rejects a phrase whose translation does not fit, for every phrase of the table.
TEST(Phrase, HasItsJapaneseWithTheSameValues) {
  static_assert(Phrase::Fit("$0 games", "$0 局"));
  static_assert(Phrase::Fit("$0 of $1", "$1 のうち $0"));
  static_assert(Phrase::Fit(".", "。"));
  static_assert(!Phrase::Fit("$0 games", ""));
  static_assert(!Phrase::Fit("$0 games", "$0 games"));
  static_assert(!Phrase::Fit("$0 games", "局"));
  static_assert(!Phrase::Fit("$0 games", "$1 局"));
  static_assert(!Phrase::Fit("$0 and $1", "$0 と $0"));
}

TEST(Voice, TakesTheLanguageOfTheLocale) {
  const auto language = [](std::map<std::string, std::string> locale) {
    return LanguageOfLocale([&](const char* name) {
      const auto at = locale.find(name);
      return at == locale.end() ? nullptr : at->second.c_str();
    });
  };
  EXPECT_EQ(language({}), Language::kEnglish);
  EXPECT_EQ(language({{"LANG", "ja_JP.UTF-8"}}), Language::kJapanese);
  EXPECT_EQ(language({{"LANG", "ja_JP.UTF-8"}, {"LC_ALL", "C"}}), Language::kEnglish);
  EXPECT_EQ(language({{"LANG", "de_DE.UTF-8"}, {"LC_MESSAGES", "ja"}}), Language::kJapanese);
  EXPECT_EQ(language({{"LANG", "ja"}, {"LC_ALL", ""}}), Language::kJapanese);
}

TEST(Voice, WritesMovesAsItsReadersExpect) {
  const Rules& shogi = shogi::ShogiRules();
  const Rules& xiangqi = xiangqi::XiangqiRules();
  const Move pawn = *shogi.MoveOf("7g7f");
  const Move cannon = *xiangqi.MoveOf("h2e2");
  EXPECT_EQ(Voice().MoveText(shogi, "startpos", pawn), "7g7f");
  EXPECT_EQ(Voice().MoveText(xiangqi, "startpos", cannon), "H2-E2");
  const Voice japanese(Language::kJapanese, "");
  EXPECT_EQ(japanese.MoveText(shogi, "startpos", pawn), "７六歩");
  EXPECT_EQ(japanese.MoveText(xiangqi, "startpos", cannon), "炮二平五");
  // By name; one of another game says nothing.
  EXPECT_EQ(Voice(Language::kJapanese, "en").MoveText(shogi, "startpos", pawn), "P-7f");
  EXPECT_EQ(Voice(Language::kJapanese, "en").MoveText(xiangqi, "startpos", cannon), "炮二平五");
  // Text that is no move in the position.
  EXPECT_EQ(japanese.MoveText(shogi, "startpos", *shogi.MoveOf("5e5d")), "5e5d");
  EXPECT_EQ(japanese.MoveText(shogi, "", pawn), "7g7f");
}

TEST(Voice, WritesLines) {
  const Rules& rules = shogi::ShogiRules();
  std::vector<Move> line;
  for (const char* const move : {"7g7f", "3c3d", "8h2b+", "3a2b"})
    line.push_back(*rules.MoveOf(move));
  const Voice japanese(Language::kJapanese, "");
  EXPECT_EQ(PlaceText(japanese, rules, line, "x"), "７六歩 ３四歩 ２二角成 同銀 まで");
  EXPECT_EQ(PlaceText(Voice(), rules, line, "x"), "after 7g7f 3c3d 8h2b+ 3a2b");
  EXPECT_EQ(PlaceText(Voice(), rules, std::vector<Move>(), "x"), "at the start");
  EXPECT_EQ(PlaceText(Voice(), rules, std::nullopt, "x"), "at x");
}

TEST(Voice, SaysWordsAndDurations) {
  const Voice japanese(Language::kJapanese, "");
  EXPECT_EQ(WordText(japanese, "running"), "実行中");
  EXPECT_EQ(WordText(Voice(), "running"), "running");
  EXPECT_EQ(WordText(japanese, "nothing known of"), "nothing known of");
  EXPECT_EQ(DurationText(Voice(), absl::Seconds(187)), "3 min 7 s");
  EXPECT_EQ(DurationText(japanese, absl::Minutes(72)), "1 時間 12 分");
}

TEST(Voice, TellsSentencesOfOtherRooms) {
  const Voice japanese(Language::kJapanese, "");
  EXPECT_EQ(SentenceText(Voice(), "the time is used up"), "the time is used up");
  EXPECT_EQ(SentenceText(japanese, "its value -5 is below BookEvalBlackLimit (0)"),
            "評価値 -5 が BookEvalBlackLimit (0) より小さい");
  EXPECT_EQ(SentenceText(japanese, "3 workers lack the engine yane; the time is used up"),
            "ワーカー 3 に足りないもの: エンジン yane。予定の時間を使い切った");
  EXPECT_EQ(SentenceText(japanese, "the engine's scores are all 0"), "エンジンの評価値がすべて 0");
  EXPECT_EQ(SentenceText(japanese, "the engine gives no scores"), "エンジンが評価値を返さない");
  EXPECT_EQ(SentenceText(japanese, "game 7 of w1: crash, exit status 3"),
            "w1 の対局 7: 異常終了、exit status 3");
  EXPECT_EQ(SentenceText(japanese, "running"), "実行中");
  EXPECT_EQ(SentenceText(japanese, "nobody said so"), "nobody said so");
  EXPECT_EQ(SentenceText(japanese, ""), "");
}

// Every message of readers and exports has a sentence.
TEST(Voice, KnowsWhatReadersAndExportsSay) {
  const Voice japanese(Language::kJapanese, "");
  const auto known = [&](const std::string& sentence) {
    EXPECT_NE(SentenceText(japanese, sentence), sentence) << sentence;
  };
  const Rules& shogi = shogi::ShogiRules();
  book::DbPosition position;
  position.packed = (*shogi.Start("startpos", MatchRules{}))->packed();
  position.ply = 1;
  for (const char* const move : {"7g7f", "2g2f"}) {
    position.moves.push_back({.move = *shogi.MoveOf(move)});
  }
  int said = 0;
  for (const int ply : {1, 99}) {
    for (const int value : {-2000, 0, 500}) {
      for (const int depth : {0, 32}) {
        position.ply = ply;
        position.moves[0].value = value;
        position.moves[0].depth = position.moves[1].depth = depth;
        position.moves[0].count = static_cast<uint64_t>(depth);
        for (const book::BookFormat format :
             {book::BookFormat::kYaneuraouDb, book::BookFormat::kApery, book::BookFormat::kSbk}) {
          for (const book::Reader reader : book::ReadersOf(format)) {
            const book::Probe probe = book::ProbeBy(reader, format, position);
            if (!probe.why.empty()) known(probe.why);
            for (const book::Probe::Choice& choice : probe.choices) {
              if (choice.why.empty()) continue;
              known(choice.why);
              ++said;
            }
          }
          for (const std::string& warning : coordinator::WarningsFor({position}, format)) {
            known(warning);
            ++said;
          }
        }
      }
    }
  }
  EXPECT_GT(said, 50);
  for (const std::string& warning : coordinator::WarningsFor({}, book::BookFormat::kApery)) {
    known(warning);
  }
  for (const std::string& name : coordinator::ExportStyleNames()) {
    for (const std::string& option : coordinator::OptionsFor(*coordinator::ExportStyleOf(name))) {
      known(option);
    }
  }
}

TEST(Voice, CountsColumns) {
  EXPECT_EQ(Columns("7g7f"), 4u);
  EXPECT_EQ(Columns("７六歩"), 6u);
  EXPECT_EQ(Columns("█·▁"), 3u);
  EXPECT_EQ(PaddedRight("歩", 4), "歩  ");
  EXPECT_EQ(PaddedLeft("歩", 4), "  歩");
  EXPECT_EQ(CutTo("７六歩", 5), "７六");
  EXPECT_EQ(CutTo("abc", 5), "abc");
}

}  // namespace
}  // namespace joseki::cli
