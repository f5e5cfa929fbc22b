// Whole tuned books, written in every format and for every style. They are read back as other
// programs read them, and compared with what those programs play by default
// (book/formats/reader.h).

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/file.h"
#include "base/rng.h"
#include "book/database/book_store.h"
#include "book/database/importer.h"
#include "book/database/store.h"
#include "book/formats/book_file.h"
#include "book/formats/reader.h"
#include "book/formats/turned.h"
#include "book/tuning/line.h"
#include "coordinator/offline/export_file.h"
#include "coordinator/offline/export_style.h"
#include "coordinator/offline/exporter.h"
#include "coordinator/runs/run_load.h"
#include "engine/shogi/shogi_rules.h"
#include "gtest/gtest.h"
#include "tests/support/data.h"
#include "tests/support/shogi_rules.h"
#include "tests/support/temp_folder.h"

namespace joseki::coordinator {
namespace {

using book::BookFormat;
using book::DbPosition;
using book::Reader;
using ::joseki::testing::Shogi;

constexpr book::BookFormat kFormats[] = {book::BookFormat::kYaneuraouDb, book::BookFormat::kYbb,
                                         book::BookFormat::kApery,       book::BookFormat::kSbk,
                                         book::BookFormat::kProbe,       book::BookFormat::kJson};

using ByPosition = std::map<PackedPosition, DbPosition>;

// The positions that a program has in memory after reading the file.
ByPosition ReadBack(BookFormat format, const std::string& bytes) {
  ByPosition positions;
  const absl::Status read = book::ReadBook(
      format, bytes, "export",
      {.accept = [&](DbPosition position) { positions[position.packed] = std::move(position); },
       .reject = [](const absl::Status&) {}});
  EXPECT_TRUE(read.ok()) << read;
  return positions;
}

// Probability that the reader plays `answer`, at a ply where BookMoves has no effect.
double ShareOf(Reader reader, BookFormat format, DbPosition position, Move answer) {
  position.ply = 1;
  const book::Probe probe = book::ProbeBy(reader, format, position);
  for (const book::Probe::Choice& choice : probe.choices) {
    if (choice.move == answer) return choice.share;
  }
  return 0;
}

// A run on the database's book in which `games` lines were played with any result.
TunedRun Play(book::Store& store, const char* policy, int games, uint64_t seed) {
  LoadedRun run;
  run.row.run = 1;
  run.row.spec.policy = policy;
  run.graph = std::make_shared<book::Graph>(*book::BookStore(store).LoadGraph(Shogi()));
  run.imported = std::make_shared<const book::ImportedValues>(
      *book::BookStore(store).ReadImportedValues(*run.graph));
  run.policy = *book::MakePolicy(policy, {{"total_games", "1000"}});
  run.tuner = std::make_unique<book::Tuner>(run.graph, run.policy);
  const book::NodeId start = run.graph->Find((*Shogi().Start("startpos", MatchRules{}))->key());
  Rng rng(seed);
  for (int i = 0; i < games; ++i) {
    std::vector<book::EdgeId> edges;
    for (book::NodeId node = start; node != book::kNoNode && edges.size() < 40;) {
      const book::Graph::Node& at = run.graph->node(node);
      if (at.count == 0) break;
      edges.push_back(at.first + static_cast<book::EdgeId>(rng.Below(at.count)));
      node = run.graph->target(edges.back());
    }
    const auto result = static_cast<Result>(1 + rng.Below(3));
    run.tuner->Apply({.edges = edges,
                      .ending = {result, Termination::kNoLegalMove},
                      .stage = 0,
                      .moves_hash = static_cast<uint64_t>(i) + 1});
  }
  run.counters.games = static_cast<uint64_t>(games);
  run.tuner->ComputeValues();
  return *WithMarks(store, std::move(run));
}

class ReadersTest : public ::testing::Test {
 protected:
  void Import(const std::string& name, const std::string& bytes) {
    book::Importer importer(Shogi(), {});
    importer.AddBytes(name, bytes);
    ASSERT_TRUE(importer.Commit(*store_, name).ok());
  }

  // Positions of the run's book at which a reader of a format does not play the answer.
  static void ExpectAnswers(const TunedRun& run) {
    const ExportBook book = ExportOfRun(run);
    for (const book::BookFormat format : kFormats) {
      const BookFormat as = format;
      const ByPosition read = ReadBack(as, FileOf(book, Shogi(), format).bytes);
      // Hashed books are read by walking, which does not come everywhere.
      const bool walked = format == book::BookFormat::kApery || format == book::BookFormat::kSbk;
      std::map<Reader, int> wrong;
      int missing = 0;
      for (const ExportBook::Position& position : book.positions) {
        const auto answer = std::find_if(position.moves.begin(), position.moves.end(),
                                         [](const ExportBook::Move& move) { return move.answer; });
        if (answer == position.moves.end()) continue;
        const auto at = read.find(position.packed);
        if (at == read.end()) {
          missing += walked ? 0 : 1;
          continue;
        }
        for (const Reader reader : book::ReadersOf(as)) {
          wrong[reader] += ShareOf(reader, as, at->second, answer->move) == 1 ? 0 : 1;
        }
      }
      EXPECT_EQ(missing, 0) << Name(format);
      EXPECT_FALSE(read.empty()) << Name(format);
      for (const auto& [reader, count] : wrong) {
        EXPECT_EQ(count, 0) << Name(format) << " by " << book::Name(reader);
      }
    }
  }

  // The answer alone, or no move more often than it.
  static void ExpectStyles(const TunedRun& run) {
    const ExportBook book = ExportOfRun(run);
    for (const std::string& name : ExportStyleNames()) {
      const ExportStyle style = *ExportStyleOf(name);
      const bool turned = style == ExportStyle::kPeta;
      const bool mixes =
          style != ExportStyle::kYoSingle && !turned && style != ExportStyle::kDlshogi;
      const std::vector<DbPosition> positions = PositionsFor(book, style);
      const BookFormat as = DefaultFormat(style);
      const ByPosition read = ReadBack(as, book::WriteBook(DefaultFormat(style), positions));
      int wrong = 0;
      for (const ExportBook::Position& position : book.positions) {
        const auto answer = std::find_if(position.moves.begin(), position.moves.end(),
                                         [](const ExportBook::Move& move) { return move.answer; });
        if (answer == position.moves.end()) continue;
        DbPosition here{.packed = position.packed, .moves = {{.move = answer->move}}};
        auto at = read.find(here.packed);
        if (at == read.end() && turned) {
          here = book::Turned(here);
          at = read.find(here.packed);
        }
        if (at == read.end()) continue;
        const book::Probe probe = ProbeFor(at->second, style);
        double share = 0;
        double most = 0;
        for (const book::Probe::Choice& choice : probe.choices) {
          if (choice.move == here.moves.front().move) share = choice.share;
          most = std::max(most, choice.share);
        }
        // If two positions are turned images of each other, one answer represents both.
        if (turned && share == 0 && most == 1) continue;
        wrong += (mixes ? share == most && share > 0 : share == 1) ? 0 : 1;
      }
      EXPECT_EQ(wrong, 0) << name;
    }
  }

  joseki::testing::TempFolder folder_;
  std::unique_ptr<book::Store> store_ =
      *book::Store::Open(folder_ / "book.sqlite", book::OpenMode::kCreate);
};

constexpr char kGames[] =
    "startpos moves 7g7f 3c3d 2g2f 4a3b 2f2e\nstartpos moves 7g7f 3c3d 6g6f 8c8d\n"
    "startpos moves 7g7f 8c8d 2h6h\nstartpos moves 2g2f 8c8d 2f2e 8d8e 7g7f\n"
    "startpos moves 2g2f 3c3d 7g7f 4c4d\nstartpos moves 5g5f 8c8d\nstartpos moves 9g9f 3c3d\n";

TEST_F(ReadersTest, APlayedBookIsPlayedAsItWasTuned) {
  Import("g.usi", kGames);
  for (const char* policy : {"response", "result-driven", "thompson", "recency"}) {
    for (const int games : {0, 1, 20, 400}) {
      SCOPED_TRACE(absl::StrCat(policy, " ", games));
      const TunedRun run = Play(*store_, policy, games, static_cast<uint64_t>(games) + 7);
      ExpectAnswers(run);
      ExpectStyles(run);
    }
  }
}

// Values of mates, of lost positions, of none at all; depths that BookDepthLimit refuses; counts
// larger than any game's.
TEST_F(ReadersTest, AnImportedBookIsPlayedAsItWasTuned) {
  Import("b.db",
         "#YANEURAOU-DB2016 1.00\n"
         "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\n"
         "7g7f 3c3d -1364 0 18446744073709551615\n2g2f 8c8d -31999 40 3\n"
         "9g9f none none none 7\n5g5f none 31995 2 1\n"
         "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2\n"
         "3c3d none -900 1 1\n8c8d none -905 30 900\n"
         "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/4P4/PPPP1PPPP/1B5R1/LNSGKGSNL w - 2\n"
         "8c8d none 0 0 1\n3c3d none 0 0 2\n");
  for (const int games : {0, 1, 30}) {
    SCOPED_TRACE(games);
    const TunedRun run = Play(*store_, "response", games, 3);
    ExpectAnswers(run);
    ExpectStyles(run);
  }
}

// A run begins with the values of books (docs/reference/tuning.md, "Evaluations").
TEST_F(ReadersTest, OfBooksThatContradictEachOtherTheDeeperStands) {
  const auto db = [](const std::string& moves) {
    return absl::StrCat("#YANEURAOU-DB2016 1.00\n",
                        "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\n",
                        moves);
  };
  Import("deep.db", db("7g7f none 100 30 9223372036854775808\n2g2f none 20 30 5\n"
                       "9g9f none 0 0 1\n"));
  Import("shallow.db", db("7g7f none -500 8 9223372036854775808\n2g2f none 25 30 5\n"
                          "5g5f none 40000 12 1\n1g1f none -32768 9 1\n"));
  book::BookStore book(*store_);
  const book::Graph graph = *book.LoadGraph(Shogi());
  const book::ImportedValues values = *book.ReadImportedValues(graph);
  const book::NodeId start = graph.Find((*Shogi().Start("startpos", MatchRules{}))->key());
  const auto value = [&](const char* move) {
    return values[graph.FindMove(start, *Shogi().MoveOf(move))];
  };
  EXPECT_EQ(value("7g7f"), (book::ImportedValue{100, 30})) << "the deeper one";
  EXPECT_EQ(value("2g2f"), (book::ImportedValue{25, 30})) << "the newer one";
  EXPECT_EQ(value("9g9f"), (book::ImportedValue{0, 0}));
  EXPECT_EQ(value("5g5f"), (book::ImportedValue{32'000, 12})) << "held";
  EXPECT_FALSE(value("1g1f").known());
  // Counts add up, and go no further than they can.
  const TunedRun run = Play(*store_, "response", 0, 1);
  EXPECT_EQ(graph.moves(start)[run.AnswerAt(start)].move, *Shogi().MoveOf("5g5f"));
  ExpectAnswers(run);
}

TEST_F(ReadersTest, WholeBooksOfTheSharedDataArePlayedAsTheyWereTuned) {
  JOSEKI_REQUIRE_SHARED_DATA(joseki::testing::SharedData("books"));
  for (const char* name :
       {"gps_master_joseki.db", "honeywaffle_user_book2.db", "handicappedrook_standard_book.db"}) {
    SCOPED_TRACE(name);
    store_ = *book::Store::Open(folder_ / absl::StrCat(name, ".sqlite"), book::OpenMode::kCreate);
    const absl::StatusOr<std::string> bytes =
        ReadFile(joseki::testing::SharedData(absl::StrCat("books/", name)).string());
    ASSERT_TRUE(bytes.ok()) << bytes.status();
    Import(name, *bytes);
    const TunedRun run = Play(*store_, "response", 2000, 11);
    ExpectAnswers(run);
    ExpectStyles(run);
  }
}

}  // namespace
}  // namespace joseki::coordinator
