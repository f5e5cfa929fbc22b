#include "coordinator/offline/exporter.h"

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/str_split.h"
#include "base/problem.h"
#include "book/database/book_store.h"
#include "book/database/importer.h"
#include "book/database/store.h"
#include "book/folding.h"
#include "book/formats/apery.h"
#include "book/formats/yaneuraou_db.h"
#include "book/formats/ybb.h"
#include "book/stats/interval.h"
#include "book/tuning/line.h"
#include "coordinator/offline/export_file.h"
#include "coordinator/runs/run_load.h"
#include "engine/shogi/shogi_rules.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tests/support/shogi_rules.h"
#include "tests/support/temp_folder.h"

namespace joseki::coordinator {
namespace {

using ::joseki::testing::Shogi;
using ::joseki::testing::UsiMove;
using ::testing::HasSubstr;
using ::testing::SizeIs;
using Json = nlohmann::json;

constexpr char kStart[] = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";

class ExporterTest : public ::testing::Test {
 protected:
  void Import(const std::string& name, const std::string& bytes) {
    book::Importer importer(Shogi(), {});
    importer.AddBytes(name, bytes);
    ASSERT_TRUE(importer.Commit(*store_, name).ok());
  }
  void ImportGames() {
    Import("g.usi",
           "startpos moves 7g7f 3c3d 2g2f\nstartpos moves 7g7f 3c3d\nstartpos moves 7g7f 8c8d\n"
           "startpos moves 2g2f 8c8d\n");
  }
  PackedPosition StartPacked() { return (*Shogi().Start("startpos", MatchRules{}))->packed(); }
  std::string Bytes(book::BookFormat format) {
    const auto file = ExportFile(*store_, Shogi(), {.format = format});
    EXPECT_TRUE(file.ok()) << file.status();
    return file->bytes;
  }
  // The moves of a position of a YANEURAOU-DB2016 text, as it stands there.
  std::vector<std::string> Lines(const std::string& text, const std::string& sfen) {
    std::vector<std::string> lines;
    bool inside = false;
    for (const auto piece : absl::StrSplit(text, '\n')) {
      const std::string line(piece);
      if (line.substr(0, 5) == "sfen ") {
        inside = line == "sfen " + sfen;
      } else if (inside && !line.empty()) {
        lines.push_back(line);
      }
    }
    return lines;
  }

  // A run on the present book with its first `games` games played, all with `move`. Every third is
  // lost, the others are won by the first player; the first one is repeated four more times.
  LoadedRun PlayRun(const char* policy, const char* move, int games) {
    LoadedRun run;
    run.row.run = 7;
    run.row.spec.policy = policy;
    run.graph = std::make_shared<book::Graph>(*book::BookStore(*store_).LoadGraph(Shogi()));
    run.policy = *book::MakePolicy(policy, {{"total_games", "1000"}});
    run.tuner = std::make_unique<book::Tuner>(run.graph, run.policy);
    const book::NodeId start = run.graph->Find((*Shogi().Start("startpos", MatchRules{}))->key());
    const std::vector<book::EdgeId> edges = {run.graph->FindMove(start, UsiMove(move))};
    for (int i = 0; i < games; ++i) {
      const Result result = i % 3 == 2 ? Result::kSecondWins : Result::kFirstWins;
      run.tuner->Apply({.edges = edges,
                        .ending = {result, Termination::kNoLegalMove},
                        .stage = 0,
                        .moves_hash = static_cast<uint64_t>(i)});
    }
    for (int i = 0; i < 4; ++i) {
      run.tuner->Apply({.edges = edges,
                        .ending = {Result::kFirstWins, Termination::kNoLegalMove},
                        .stage = 0,
                        .moves_hash = 0});
    }
    run.commit_seq = static_cast<uint64_t>(games);
    run.counters.games = static_cast<uint64_t>(games);
    run.tuner->ComputeValues();
    return run;
  }

  joseki::testing::TempFolder folder_;
  std::unique_ptr<book::Store> store_ =
      *book::Store::Open(folder_ / "book.sqlite", book::OpenMode::kCreate);
};

TEST_F(ExporterTest, WritesAnEmptyBook) {
  EXPECT_EQ(Bytes(book::BookFormat::kYaneuraouDb), "#YANEURAOU-DB2016 1.00\n");
  const Json json = Json::parse(Bytes(book::BookFormat::kJson));
  EXPECT_EQ(json["schema"], 1);
  EXPECT_TRUE(json["run"].is_null());
  EXPECT_THAT(json["positions"], SizeIs(0));
}

TEST_F(ExporterTest, PutsTheAnswerFirstAndClearOfTheOthers) {
  ImportGames();
  const std::vector<std::string> lines = Lines(Bytes(book::BookFormat::kYaneuraouDb), kStart);
  // No results are known: value 0 for the answer, which is the most played move. The ponder move is
  // the answer at the next position.
  EXPECT_THAT(lines, ::testing::ElementsAre("7g7f 3c3d 0 32 3", "2g2f 8c8d -31 32 1"));
}

TEST_F(ExporterTest, FollowsTheBaseWeightAndNeverABadOrForbiddenMove) {
  ImportGames();
  book::BookStore book(*store_);
  ASSERT_TRUE(book.Weigh([](const book::BookMove& move) {
                    return std::optional<int64_t>(move.move == UsiMove("2g2f") ? 9 : 1);
                  })
                  .ok());
  EXPECT_THAT(Lines(Bytes(book::BookFormat::kYaneuraouDb), kStart)[0], HasSubstr("2g2f "));
  ASSERT_TRUE(book.Mark(StartPacked(), UsiMove("2g2f"), 1, "").ok());
  EXPECT_THAT(Lines(Bytes(book::BookFormat::kYaneuraouDb), kStart),
              ::testing::ElementsAre(HasSubstr("7g7f ")));
  const Json json = Json::parse(Bytes(book::BookFormat::kJson));
  std::set<std::string> marks;
  for (const Json& position : json["positions"]) {
    for (const Json& move : position["moves"]) {
      if (move.contains("mark")) marks.insert(move["move"].get<std::string>());
    }
  }
  EXPECT_EQ(marks, std::set<std::string>{"2g2f"});
  ASSERT_TRUE(book.Mark(StartPacked(), UsiMove("2g2f"), 2, "").ok());
  const Json without = Json::parse(Bytes(book::BookFormat::kJson));
  for (const Json& position : without["positions"]) {
    if (position["position"] == kStart) {
      EXPECT_THAT(position["moves"], SizeIs(1));
    }
  }
}

TEST_F(ExporterTest, HandsAnImportedBookOnAsItIs) {
  const std::string book =
      "#YANEURAOU-DB2016 1.00\n"
      "sfen " +
      std::string(kStart) +
      "\n"
      "7g7f 3c3d 68 24 1203\n"
      "2g2f 8c8d 55 20 980\n";
  Import("book.db", book);
  EXPECT_EQ(Bytes(book::BookFormat::kYaneuraouDb), book);
}

// A book's own values stand beside games, and files of every format play the answer.
TEST_F(ExporterTest, TheAnswerOfAnImportedBookIsPlayedWhereValuesAreEqual) {
  Import("book.db", "#YANEURAOU-DB2016 1.00\nsfen " + std::string(kStart) +
                        "\n2g2f none 0 16 100\n7g7f none 0 16 900\n");
  for (const book::BookFormat format : {book::BookFormat::kApery, book::BookFormat::kSbk}) {
    for (const book::DbPosition& position : PositionsOf(*LoadExport(*store_, Shogi(), 0), format)) {
      ASSERT_THAT(position.moves, SizeIs(2));
      for (const book::DbMove& move : position.moves) {
        EXPECT_EQ(move.count, move.move == UsiMove("7g7f") ? 900u : 100u);
      }
    }
  }
}

// A program that plays the first move of a file plays the answer, which was counted most often.
TEST_F(ExporterTest, TheAnswerComesFirstWhateverTheDepthsOfEqualValues) {
  Import("book.db", "#YANEURAOU-DB2016 1.00\nsfen " + std::string(kStart) +
                        "\n7g7f 3c3d 0 32 99\n2g2f 3c3d 0 48 13\n");
  EXPECT_THAT(Lines(Bytes(book::BookFormat::kYaneuraouDb), kStart),
              ::testing::ElementsAre("7g7f 3c3d 0 32 99", "2g2f 3c3d -31 48 13"));
  // A .ybb has no counts.
  std::vector<book::DbMove> moves;
  ASSERT_TRUE(book::ReadYbb(Bytes(book::BookFormat::kYbb), "export",
                            {.accept = [&](const book::DbPosition& read) { moves = read.moves; },
                             .reject = nullptr})
                  .ok());
  ASSERT_THAT(moves, SizeIs(2));
  EXPECT_EQ(moves[0].move, UsiMove("7g7f"));
}

TEST_F(ExporterTest, AnAnswerByGamesComesFirstAmongEqualImportedValues) {
  Import("book.db", "#YANEURAOU-DB2016 1.00\nsfen " + std::string(kStart) +
                        "\n7g7f none 0 32 1\n2g2f none 0 32 50\n");
  ImportGames();
  const std::vector<std::string> lines = Lines(Bytes(book::BookFormat::kYaneuraouDb), kStart);
  EXPECT_THAT(lines, ::testing::ElementsAre("7g7f 3c3d 0 32 51", "2g2f 8c8d -31 32 51"));
}

TEST_F(ExporterTest, AnImportedValueStandsBesideGames) {
  Import("book.db", "#YANEURAOU-DB2016 1.00\nsfen " + std::string(kStart) +
                        "\n7g7f none 120 16 0\n2g2f none 100 16 0\n");
  ImportGames();
  const std::vector<std::string> lines = Lines(Bytes(book::BookFormat::kYaneuraouDb), kStart);
  EXPECT_THAT(lines, ::testing::ElementsAre("7g7f 3c3d 120 16 3", "2g2f 8c8d 100 16 1"));
}

TEST_F(ExporterTest, CanBeReadBack) {
  ImportGames();
  size_t positions = 0;
  book::DbSink sink;
  sink.accept = [&](const book::DbPosition&) { ++positions; };
  sink.reject = [](const absl::Status& problem) { ADD_FAILURE() << problem; };
  ASSERT_TRUE(book::ReadYaneuraouDb(Bytes(book::BookFormat::kYaneuraouDb), "export", sink).ok());
  EXPECT_EQ(positions, static_cast<size_t>(book::BookStore(*store_).Totals()->positions));
}

// Every engine that reads a binary book plays the answer: the first move, the best value, or the
// largest count.
TEST_F(ExporterTest, BinaryBooksPlayTheAnswerAndAreImportedByTheirContent) {
  ImportGames();
  book::BookStore book(*store_);
  ASSERT_TRUE(book.Weigh([](const book::BookMove& move) {
                    return std::optional<int64_t>(move.move == UsiMove("2g2f") ? 9 : 1);
                  })
                  .ok());
  for (const book::BookFormat format : {book::BookFormat::kYbb, book::BookFormat::kApery}) {
    const std::string bytes = Bytes(format);
    std::vector<book::DbMove> moves;
    book::DbSink sink;
    sink.accept = [&](const book::DbPosition& position) {
      if (position.packed == StartPacked()) moves = position.moves;
    };
    sink.reject = [](const absl::Status& problem) { ADD_FAILURE() << problem; };
    const absl::Status read =
        format == book::BookFormat::kYbb
            ? book::ReadYbb(bytes, "export", sink)
            : book::ReadApery(bytes, "export", {.roots = {}, .gap = 0}, sink, nullptr);
    ASSERT_TRUE(read.ok()) << read;
    ASSERT_THAT(moves, SizeIs(2));
    EXPECT_EQ(moves[0].move, UsiMove("2g2f"));
    EXPECT_GT(moves[0].value, moves[1].value);
    if (format == book::BookFormat::kApery) {
      EXPECT_GT(moves[0].count, moves[1].count);
    }

    book::Importer importer(Shogi(), {});
    importer.AddBytes("book", bytes);
    EXPECT_EQ(importer.report().book_positions, book::BookStore(*store_).Totals()->positions);
    EXPECT_EQ(importer.report().rejected, 0);
  }
}

TEST_F(ExporterTest, IsTheSameForTheSameBookHoweverItCameToBe) {
  ImportGames();
  const std::string db = Bytes(book::BookFormat::kYaneuraouDb);
  const std::string json = Bytes(book::BookFormat::kJson);
  store_ = *book::Store::Open(folder_ / "other.sqlite", book::OpenMode::kCreate);
  Import("a.usi", "startpos moves 2g2f 8c8d\nstartpos moves 7g7f 8c8d\n");
  Import("b.usi", "startpos moves 7g7f 3c3d\nstartpos moves 7g7f 3c3d 2g2f\n");
  EXPECT_EQ(Bytes(book::BookFormat::kYaneuraouDb), db);
  EXPECT_EQ(Bytes(book::BookFormat::kJson), json);
}

TEST_F(ExporterTest, WritesTheEvidenceOfARun) {
  ImportGames();
  const TunedRun tuned = *WithMarks(*store_, PlayRun("sample-average", "2g2f", 30));
  const LoadedRun& run = tuned.run;
  const Json json = Json::parse(FileOf(ExportOfRun(tuned), Shogi(), book::BookFormat::kJson).bytes);
  EXPECT_EQ(json["run"]["run"], 7);
  EXPECT_EQ(json["run"]["commit_seq"], 30);
  EXPECT_EQ(json["run"]["games"], 30);
  EXPECT_EQ(json["run"]["profile"]["engine"], "embedded");
  EXPECT_EQ(json["run"]["profile"]["nodes"], 2000);
  EXPECT_EQ(json["run"]["profile"]["pairing"], "self");
  EXPECT_EQ(json["run"]["spec"]["policy"], "sample-average");
  EXPECT_EQ(json["answer_rule"], run.policy->answer_rule());
  bool found = false;
  for (const Json& position : json["positions"]) {
    if (position["position"] != kStart) continue;
    for (const Json& move : position["moves"]) {
      if (move["move"] != "2g2f") {
        EXPECT_EQ(move["n"], 0);
        EXPECT_TRUE(move["decided_by"].is_null());
        EXPECT_EQ(move["low"], 0);
        EXPECT_EQ(move["high"], 1);
        continue;
      }
      found = true;
      EXPECT_EQ(move["n"], 34);
      EXPECT_EQ(move["wins"], 20);
      EXPECT_EQ(move["losses"], 10);
      EXPECT_EQ(move["draws"], 0);
      EXPECT_EQ(move["distinct"], 30);
      EXPECT_EQ(move["answer"], true);
      EXPECT_EQ(move["origin"], "book");
      EXPECT_EQ(move["decided_by"], "games");
      const book::Interval interval = book::Wilson(20, 30);
      EXPECT_DOUBLE_EQ(move["low"], interval.low);
      EXPECT_DOUBLE_EQ(move["high"], interval.high);
    }
  }
  EXPECT_TRUE(found);
}

TEST_F(ExporterTest, ATunedBookPlaysTheAnswerOfTheRun) {
  ImportGames();
  const TunedRun run = *WithMarks(*store_, PlayRun("sample-average", "2g2f", 30));
  ExportBook book = ExportOfRun(run);
  ASSERT_TRUE(AddExpectedReplies(Shogi(), book).ok());
  const std::vector<std::string> lines =
      Lines(FileOf(book, Shogi(), book::BookFormat::kYaneuraouDb).bytes, kStart);
  // 20 of 30 with 20 games of what the position scores: 30 of 50. So 600 ln(32 / 18) = 345.
  EXPECT_THAT(lines, ::testing::ElementsAre("2g2f 8c8d 345 32 30 #30 games, 66.7 % (48.8-80.8)",
                                            "7g7f 3c3d 243 32 0"));
}

TEST_F(ExporterTest, ACommentHasTheIntervalOfItsScore) {
  ExportBook book;
  book.run = ExportBook::Run();
  ExportBook::Position& position = book.positions.emplace_back();
  position.packed = StartPacked();
  ExportBook::Move& move = position.moves.emplace_back();
  move.move = UsiMove("2g2f");
  move.evidence = {10, 90, 0, 100};
  EXPECT_EQ(CommentsOf(book)(position.packed, move.move), "100 games, 55.0 % (45.2-64.4)");
}

TEST_F(ExporterTest, WhereNoGameCameAnImportedValueDecidesOrTheBaseWeight) {
  ImportGames();
  LoadedRun played = PlayRun("sample-average", "2g2f", 30);
  const book::NodeId after = [&] {
    const auto state = *Shogi().Start("startpos", MatchRules{});
    EXPECT_TRUE(state->Play(UsiMove("7g7f")));
    return played.graph->Find(state->key());
  }();
  book::ImportedValues values(played.graph->edge_count());
  values[played.graph->FindMove(after, UsiMove("8c8d"))] = {.score = 40, .depth = 20};
  played.imported = std::make_shared<const book::ImportedValues>(std::move(values));
  const TunedRun tuned = *WithMarks(*store_, std::move(played));
  std::map<DecidedBy, int> decided;
  for (const ExportBook::Position& position : ExportOfRun(tuned).positions) {
    const ExportBook::Move* const answer = AnswerAmong(position.moves);
    ASSERT_NE(answer, nullptr);
    ++decided[answer->decided_by.value()];
    if (answer->decided_by == DecidedBy::kValue) {
      EXPECT_EQ(answer->move, UsiMove("8c8d"));
    }
  }
  EXPECT_EQ(decided[DecidedBy::kGames], 1);
  EXPECT_EQ(decided[DecidedBy::kValue], 1);
  EXPECT_GT(decided[DecidedBy::kWeight], 0);
}

// Comments are passed over by every reader.
TEST_F(ExporterTest, AGrownMoveHasACommentThatReadersPassOver) {
  ImportGames();
  const TunedRun run = *WithMarks(*store_, PlayRun("sample-average", "2g2f", 30));
  ExportBook book = ExportOfRun(run);
  for (ExportBook::Position& position : book.positions) {
    if (position.packed != StartPacked()) continue;
    for (ExportBook::Move& move : position.moves) move.answer = false;
    position.moves.push_back({.move = UsiMove("5g5f"),
                              .expected = 0.5412,
                              .trials = 12,
                              .answer = true,
                              .origin = MoveOrigin::kCandidate,
                              .decided_by = DecidedBy::kTrials});
  }
  const std::string text = FileOf(book, Shogi(), book::BookFormat::kYaneuraouDb).bytes;
  EXPECT_THAT(Lines(text, kStart),
              ::testing::Contains(::testing::AllOf(
                  ::testing::StartsWith("5g5f none "),
                  ::testing::EndsWith(
                      " #found as a candidate; expected 54.1 %, 12 trials; decided by trials"))));
  book::Importer importer(Shogi(), {});
  importer.AddBytes("book.db", text);
  EXPECT_EQ(importer.report().rejected, 0);
  EXPECT_EQ(importer.report().book_positions, static_cast<int64_t>(book.positions.size()));
}

// User marks hold whatever the games say, and whenever they were made.
TEST_F(ExporterTest, NoTuningUndoesTheUsersMarks) {
  ImportGames();
  const auto lines_of = [&](const TunedRun& run) {
    return Lines(FileOf(ExportOfRun(run), Shogi(), book::BookFormat::kYaneuraouDb).bytes, kStart);
  };
  // Equal weights, as if both were played equally often: a rare move needs more evidence.
  ASSERT_TRUE(book::BookStore(*store_)
                  .Weigh([](const book::BookMove&) { return std::optional<int64_t>(1); })
                  .ok());
  for (const char* policy : {"sample-average", "result-driven", "response"}) {
    SCOPED_TRACE(policy);
    book::BookStore book(*store_);
    ASSERT_TRUE(book.Mark(StartPacked(), UsiMove("2g2f"), 0, "").ok());
    LoadedRun played = PlayRun(policy, "2g2f", 30);
    ASSERT_TRUE(book.Mark(StartPacked(), UsiMove("2g2f"), 1, "loses a pawn").ok());
    TunedRun run = *WithMarks(*store_, std::move(played));
    EXPECT_THAT(lines_of(run), ::testing::ElementsAre(HasSubstr("7g7f ")));
    EXPECT_EQ(
        (*book.Find(StartPacked()))->moves[0].note + (*book.Find(StartPacked()))->moves[1].note,
        "loses a pawn");
    // A bad move is exported so that it can be answered; a forbidden one is not.
    const Json json = Json::parse(FileOf(ExportOfRun(run), Shogi(), book::BookFormat::kJson).bytes);
    int bad = 0;
    for (const Json& position : json["positions"]) {
      for (const Json& move : position["moves"]) bad += move.value("mark", "") == "bad" ? 1 : 0;
    }
    EXPECT_EQ(bad, 1);
    ASSERT_TRUE(book.Mark(StartPacked(), UsiMove("2g2f"), 2, "").ok());
    run = *WithMarks(*store_, std::move(run.run));
    EXPECT_THAT(lines_of(run), ::testing::ElementsAre(HasSubstr("7g7f ")));
    EXPECT_THAT(FileOf(ExportOfRun(run), Shogi(), book::BookFormat::kJson).bytes,
                ::testing::Not(HasSubstr("bad")));
    // If all moves are bad, the best is played.
    ASSERT_TRUE(book.Mark(StartPacked(), UsiMove("2g2f"), 1, "").ok());
    ASSERT_TRUE(book.Mark(StartPacked(), UsiMove("7g7f"), 1, "").ok());
    run = *WithMarks(*store_, std::move(run.run));
    const book::NodeId start = run.run.graph->FindPacked(StartPacked());
    ASSERT_NE(start, book::kNoNode);
    EXPECT_EQ(run.run.graph->moves(start)[run.AnswerAt(start)].move, UsiMove("2g2f"));
    ASSERT_TRUE(book.Mark(StartPacked(), UsiMove("7g7f"), 0, "").ok());
  }
}

TEST_F(ExporterTest, NamesARunThatIsNotThere) {
  const auto file = ExportFile(*store_, Shogi(), {.run = 3});
  EXPECT_EQ(file.status().code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(ProblemOf(file.status()).code, "unknown_run");
}

// After 5h6h stands what stands after 8b4b, with the colours exchanged: Black has lost a move.
TEST_F(ExporterTest, TellsOfARunThatFoldsColoursWhatTheOtherOneSays) {
  Import("g.usi",
         "startpos moves 7g7f 3c3d 2h6h 8b4b 7i7h\nstartpos moves 7g7f 3c3d 2h5h 8b4b 5h6h 3a3b\n");
  const std::map<std::string, std::string> options = {{"fold", "yes"}};
  TunedRun tuned;
  LoadedRun& run = tuned.run;
  run.graph = std::make_shared<book::Graph>(*book::BookStore(*store_).LoadGraph(Shogi()));
  run.policy = *book::MakePolicy("sample-average", options);
  run.tuner = std::make_unique<book::Tuner>(run.graph, run.policy, nullptr,
                                            *book::OrbitsFor(Shogi(), *run.graph, options));
  const auto start = *Shogi().Start("startpos", MatchRules{});
  std::vector<Move> line;
  for (const char* move : {"7g7f", "3c3d", "2h5h", "8b4b", "5h6h", "3a3b"}) {
    line.push_back(UsiMove(move));
  }
  const std::vector<book::EdgeId> edges =
      book::EdgesOf(*run.graph, run.graph->Find(start->key()), line);
  ASSERT_THAT(edges, SizeIs(6));
  run.tuner->Apply({.edges = edges,
                    .ending = {Result::kSecondWins, Termination::kResign},
                    .stage = 0,
                    .moves_hash = 1});
  const auto state = *Shogi().Start("startpos", MatchRules{});
  for (const char* move : {"7g7f", "3c3d", "2h6h", "8b4b"}) ASSERT_TRUE(state->Play(UsiMove(move)));
  const auto position = ExportOfPosition(tuned, run.graph->Find(state->key()));
  ASSERT_THAT(position.moves, SizeIs(1));
  EXPECT_EQ(position.moves[0].move, UsiMove("7i7h"));
  EXPECT_EQ(position.moves[0].evidence, (book::Evidence{1, 0, 0, 0}));
  EXPECT_EQ(position.moves[0].turned, (book::Evidence{1, 0, 0, 0}));
  // Its own games are counted apart.
  EXPECT_EQ(run.tuner->arms(run.graph->Find(state->key()))[0].evidence, book::Evidence());
  const Json json = Json::parse(FileOf(ExportOfRun(tuned), Shogi(), book::BookFormat::kJson).bytes);
  int turned = 0;
  for (const Json& at : json["positions"]) {
    for (const Json& move : at["moves"]) turned += move["turned"]["wins"].get<int>();
  }
  EXPECT_EQ(turned, 1);
}

}  // namespace
}  // namespace joseki::coordinator
