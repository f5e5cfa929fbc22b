// Makes distinct legal games and books for measuring imports and conversions, and measures lookups
// in a book. Run by hand; docs/laboratory/books.md has the figures.
//
//   book_bench selfplay --games 200000 --out games.usi     (resumes where it was interrupted)
//   book_bench games --from games.usi --format csa --out games.csa
//   book_bench games --format csa --games 200000 --plies 120 --out random.csa
//   book_bench db --positions 5000000 --out book.db
//   book_bench probe --positions 1000000 --folder /tmp
//   book_bench snapshot --positions 1000000

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "CLI/CLI.hpp"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"
#include "base/file.h"
#include "base/problem.h"
#include "base/rng.h"
#include "base/status_macros.h"
#include "book/database/book_import.h"
#include "book/database/book_store.h"
#include "book/database/store.h"
#include "book/formats/probe_file.h"
#include "book/formats/yaneuraou_db.h"
#include "book/graph.h"
#include "engine/shogi/packed.h"
#include "engine/shogi/position.h"
#include "engine/shogi/sfen.h"
#include "engine/shogi/shogi_rules.h"
#include "tests/load/self_play.h"

namespace joseki {
namespace {

constexpr const char* kCsaNames[] = {"",   "FU", "KY", "KE", "GI", "KA", "HI", "KI",
                                     "OU", "TO", "NY", "NK", "NG", "UM", "RY"};
constexpr const char* kKifNames[] = {"",   "歩", "香",   "桂",   "銀",   "角", "飛", "金",
                                     "玉", "と", "成香", "成桂", "成銀", "馬", "龍"};
constexpr const char* kWideDigits[] = {"", "１", "２", "３", "４", "５", "６", "７", "８", "９"};
constexpr const char* kKanjiDigits[] = {"", "一", "二", "三", "四", "五", "六", "七", "八", "九"};

// Legal games of some length that are all different: random moves, with captures three times as
// often. The side to move resigns in the end.
class GameMaker {
 public:
  GameMaker(uint64_t seed, int plies) : rng_(seed), plies_(plies) {}

  // Calls `each` with the position before every move, the move and its ply.
  void Make(const std::function<void(const shogi::Position&, Move, int)>& each) {
    shogi::Position position;
    // 80 to 120 percent of the mean.
    const int length =
        plies_ * 8 / 10 +
        static_cast<int>(rng_.Below(static_cast<uint64_t>(std::max(1, plies_ * 4 / 10)) + 1));
    for (int ply = 1; ply <= length; ++ply) {
      shogi::MoveList legal;
      position.Generate<GenType::kAll>(legal);
      if (legal.size() == 0) return;
      Move move = legal[rng_.Below(legal.size())];
      for (int again = 0; again < 2 && !TakesSomething(position, move); ++again) {
        move = legal[rng_.Below(legal.size())];
      }
      each(position, move, ply);
      shogi::Undo undo;
      position.Do(move, undo);
    }
  }

 private:
  static bool TakesSomething(const shogi::Position& position, Move move) {
    return !move.is_drop() && position.piece(move.to()) != shogi::kNoPiece;
  }

  Rng rng_;
  const int plies_;
};

shogi::PieceType MovedBefore(const shogi::Position& position, Move move) {
  return move.is_drop() ? static_cast<shogi::PieceType>(move.dropped())
                        : shogi::TypeOf(position.piece(move.from()));
}

void AppendCsa(const shogi::Position& position, Move move, std::string& out) {
  shogi::PieceType type = MovedBefore(position, move);
  if (move.promotes()) type = shogi::Promoted(type);
  out += position.side_to_move() == shogi::kBlack ? '+' : '-';
  const int from =
      move.is_drop() ? 0 : shogi::FileOf(move.from()) * 10 + shogi::RankOf(move.from());
  absl::StrAppendFormat(&out, "%02d%d%d%s\n", from, shogi::FileOf(move.to()),
                        shogi::RankOf(move.to()), kCsaNames[type]);
}

void AppendKif(const shogi::Position& position, Move move, int ply, std::string& out) {
  absl::StrAppendFormat(&out, "%4d %s%s%s", ply, kWideDigits[shogi::FileOf(move.to())],
                        kKanjiDigits[shogi::RankOf(move.to())],
                        kKifNames[MovedBefore(position, move)]);
  if (move.is_drop()) {
    out += "打\n";
  } else {
    absl::StrAppendFormat(&out, "%s(%d%d)\n", move.promotes() ? "成" : "",
                          shogi::FileOf(move.from()), shogi::RankOf(move.from()));
  }
}

struct Arguments {
  std::string format = "csa";
  std::string from;
  std::string out;
  std::string folder = ".";
  uint64_t games = 200'000;
  uint64_t positions = 1'000'000;
  uint64_t questions = 200'000;
  uint64_t seed = 1;
  int plies = 120;
};

absl::Status Wrong(const std::string& file, std::string found, std::string expected) {
  return MakeProblem({.code = "file_error",
                      .file = file,
                      .found = std::move(found),
                      .expected = std::move(expected)});
}

// Writes one game on each line as USI. Games that the file already has are not played again.
absl::Status WriteSelfPlay(const Arguments& arguments) {
  uint64_t games = 0;
  if (std::ifstream in(arguments.out); in) {
    uint64_t whole = 0;  // bytes of whole lines: the last may have been broken off
    for (std::string line; std::getline(in, line) && !in.eof(); ++games) whole += line.size() + 1;
    in.close();
    std::error_code error;
    std::filesystem::resize_file(arguments.out, whole, error);
    if (error) return Wrong(arguments.out, error.message(), "a file that can be written");
  }
  std::ofstream out(arguments.out, std::ios::binary | std::ios::app);
  SelfPlay play({.seed = arguments.seed});
  for (; games < arguments.games; ++games) {
    std::string line = "startpos moves";
    for (const Move move : play.Play(games)) absl::StrAppend(&line, " ", shogi::ToUsi(move));
    out << line << "\n";
  }
  out.flush();
  return out.good() ? absl::OkStatus()
                    : Wrong(arguments.out, "an error of the disk", "a file that can be written");
}

using Replay = std::function<void(const shogi::Position&, Move, int)>;

// Replays a line of `file`, which holds one game a line. REQUIRES: legal moves, as from
// WriteSelfPlay.
absl::Status ReplayLine(const std::string& line, const std::string& file, const Replay& each) {
  shogi::Position position;
  int ply = 0;
  for (const absl::string_view word : absl::StrSplit(line, ' ', absl::SkipEmpty())) {
    if (word == "startpos" || word == "moves") continue;
    ASSIGN_OR_RETURN(const Move move,
                     shogi::ParseMove(position, std::string_view(word.data(), word.size())));
    each(position, move, ++ply);
    shogi::Undo undo;
    position.Do(move, undo);
  }
  return ply > 0 ? absl::OkStatus() : Wrong(file, "a line without moves", "a game on every line");
}

absl::Status WriteGames(const Arguments& arguments) {
  std::ofstream out(arguments.out, std::ios::binary);
  std::ifstream in;
  if (!arguments.from.empty()) {
    in.open(arguments.from);
    if (!in) return Wrong(arguments.from, "no such file", "games, one a line");
  }
  GameMaker maker(arguments.seed, arguments.plies);
  uint64_t plies = 0;
  uint64_t games = 0;
  const bool kif = arguments.format == "kif";
  std::string text;
  for (std::string line; games < arguments.games; ++games) {
    text = kif ? "手合割：平手\n手数----指手---------消費時間--\n" : "V2.2\nPI\n+\n";
    int last = 0;
    const Replay append = [&](const shogi::Position& position, Move move, int ply) {
      last = ply;
      if (kif) {
        AppendKif(position, move, ply, text);
      } else {
        AppendCsa(position, move, text);
      }
    };
    if (arguments.from.empty()) {
      maker.Make(append);
    } else {
      if (!std::getline(in, line)) break;
      RETURN_IF_ERROR(ReplayLine(line, arguments.from, append));
    }
    plies += static_cast<uint64_t>(last);
    if (kif) {
      absl::StrAppendFormat(&text, "%4d 投了\n\n", last + 1);
    } else {
      text += "%TORYO\n/\n";
    }
    out << text;
  }
  if (!out.good()) {
    return Wrong(arguments.out, "an error of the disk", "a file that can be written");
  }
  std::cout << games << " games, "
            << static_cast<double>(plies) / static_cast<double>(std::max<uint64_t>(1, games))
            << " plies in the mean\n";
  return absl::OkStatus();
}

// Positions of such games, each once, with one to four moves.
std::vector<book::DbPosition> MakeBook(uint64_t positions, uint64_t seed) {
  std::vector<book::DbPosition> book;
  book.reserve(positions);
  absl::flat_hash_set<Key, std::hash<Key>> seen;
  Rng rng(seed + 1);
  GameMaker maker(seed, 100);
  while (book.size() < positions) {
    maker.Make([&](const shogi::Position& position, Move move, int ply) {
      if (book.size() == positions || !seen.insert(position.key()).second) return;
      book::DbPosition& entry = book.emplace_back();
      entry.packed = shogi::Pack(position);
      entry.ply = ply;
      shogi::MoveList legal;
      position.Generate<GenType::kAll>(legal);
      for (uint64_t i = 1 + rng.Below(4); i > 0; --i) {
        const Move other = legal[rng.Below(legal.size())];
        book::DbMove added;
        added.move = i == 1 ? move : other;
        if (std::any_of(entry.moves.begin(), entry.moves.end(),
                        [&](const book::DbMove& known) { return known.move == added.move; })) {
          continue;
        }
        added.value = static_cast<int>(rng.Below(801)) - 400;
        added.has_value = true;
        added.depth = 1 + static_cast<int>(rng.Below(40));
        added.has_depth = true;
        entry.moves.push_back(added);
      }
    });
  }
  return book;
}

absl::Status WriteBook(const Arguments& arguments) {
  return WriteFileAtomically(arguments.out,
                             book::WriteYaneuraouDb(MakeBook(arguments.positions, arguments.seed)));
}

// Nanoseconds of one of `count` calls.
template <typename Call>
double Each(uint64_t count, Call&& call) {
  const auto begin = std::chrono::steady_clock::now();
  for (uint64_t i = 0; i < count; ++i) call(i);
  const std::chrono::duration<double, std::nano> taken = std::chrono::steady_clock::now() - begin;
  return taken.count() / static_cast<double>(count);
}

// Makes the system forget the pages of a file.
void DropPages(const std::string& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return;
  fdatasync(file);
  posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
  close(file);
}

absl::Status Probe(const Arguments& arguments) {
  const std::vector<book::DbPosition> book = MakeBook(arguments.positions, arguments.seed);
  const std::string path = arguments.folder + "/bench.probe";
  const std::string database = arguments.folder + "/bench.sqlite";
  const std::string bytes = book::WriteProbeFile(book);
  RETURN_IF_ERROR(WriteFileAtomically(path, bytes));
  unlink(database.c_str());
  {
    ASSIGN_OR_RETURN(const auto store, book::Store::Open(database, book::OpenMode::kCreate));
    book::BookImport import(*store, "book", "bench", "{}");
    for (const book::DbPosition& position : book) RETURN_IF_ERROR(import.AddBook(position));
    RETURN_IF_ERROR(import.Commit(0, 0).status());
  }
  Rng rng(7);
  std::vector<PackedPosition> asked;
  for (uint64_t i = 0; i < arguments.questions; ++i) {
    asked.push_back(book[rng.Below(book.size())].packed);
  }
  uint64_t found = 0;
  ASSIGN_OR_RETURN(const book::ProbeView view, book::ProbeView::Of(bytes, path));
  const auto ask = [&](const book::ProbeView& of, const PackedPosition& position) {
    const auto hit = of.Find(position);
    if (hit.has_value()) found += of.MoveAt(*hit, 0).move.raw() != 0;
  };
  const double memory = Each(asked.size(), [&](uint64_t i) { ask(view, asked[i]); });
  ASSIGN_OR_RETURN(const book::ProbeFile mapped, book::ProbeFile::Open(path));
  const double warm = Each(asked.size(), [&](uint64_t i) { ask(mapped.view(), asked[i]); });
  // Opens the file for each lookup: with its pages in the system's cache, and without.
  absl::Status failed;
  const auto open_and_ask = [&](uint64_t i) {
    const auto file = book::ProbeFile::Open(path);
    if (file.ok()) {
      ask(file->view(), asked[i]);
    } else {
      failed = file.status();
    }
  };
  const uint64_t opens = std::min<uint64_t>(2000, asked.size());
  const double opened = Each(opens, open_and_ask);
  double cold = 0;
  const uint64_t colds = std::min<uint64_t>(50, asked.size());
  for (uint64_t i = 0; i < colds; ++i) {
    DropPages(path);
    cold += Each(1, [&](uint64_t) { open_and_ask(asked.size() - 1 - i); });
  }
  RETURN_IF_ERROR(failed);
  ASSIGN_OR_RETURN(const auto store, book::Store::Open(database, book::OpenMode::kReadOnly));
  book::BookStore rows(*store);
  const uint64_t lookups = std::min<uint64_t>(20'000, asked.size());
  const double sqlite = Each(lookups, [&](uint64_t i) {
    const auto position = rows.Find(asked[i]);
    found += position.ok() && position->has_value();
  });
  std::cout << absl::StreamFormat(
      "%d positions, %d bytes, %d of the answers found\n"
      "in memory            %8.0f ns\n"
      "mapped, warm         %8.0f ns\n"
      "opened and asked     %8.2f us\n"
      "the same, not cached %8.2f us\n"
      "SQLite, warm         %8.2f us\n",
      book.size(), bytes.size(), found, memory, warm, opened / 1000,
      cold / static_cast<double>(colds) / 1000, sqlite / 1000);
  unlink(path.c_str());
  unlink(database.c_str());
  return absl::OkStatus();
}

// Measures loading the structure of a run's book: by the rules, as the first time, and by the links
// stored beside it from then on.
absl::Status Snapshot(const Arguments& arguments) {
  std::vector<book::GraphInput> positions;
  for (const book::DbPosition& from : MakeBook(arguments.positions, arguments.seed)) {
    book::GraphInput& position =
        positions.emplace_back(book::GraphInput{from.packed, from.ply, {}});
    for (const book::DbMove& move : from.moves) position.moves.push_back({move.move, move.value});
  }
  const Rules& rules = shogi::ShogiRules();
  ASSIGN_OR_RETURN(const book::Graph graph, book::Graph::Build(rules, std::move(positions)));
  const std::string bytes = graph.Serialize();
  const std::string links = graph.SerializeLinks();
  absl::Status failed;
  const double parsed =
      Each(1, [&](uint64_t) { failed.Update(book::Graph::Parse(rules, bytes).status()); });
  const double linked = Each(1, [&](uint64_t) {
    failed.Update(book::Graph::ParseWithLinks(rules, bytes, links).status());
  });
  RETURN_IF_ERROR(failed);
  std::cout << absl::StreamFormat(
      "%d positions, %d moves, %d bytes and %d of links\n"
      "by the rules     %8.3f s\n"
      "by the links     %8.3f s\n",
      graph.node_count(), graph.edge_count(), bytes.size(), links.size(), parsed / 1e9,
      linked / 1e9);
  return absl::OkStatus();
}

int Main(int argc, char** argv) {
  Arguments arguments;
  std::function<absl::Status()> work;
  CLI::App app("Games and books to measure with, and what a question to a book costs");
  app.require_subcommand(1);
  CLI::App* selfplay = app.add_subcommand(
      "selfplay", "Games of the engine against itself, one a line; goes on where it was");
  selfplay->add_option("--games", arguments.games);
  selfplay->add_option("--seed", arguments.seed);
  selfplay->add_option("--out", arguments.out)->required();
  selfplay->callback([&] { work = [&] { return WriteSelfPlay(arguments); }; });
  CLI::App* games = app.add_subcommand("games", "Distinct legal games of one format");
  games->add_option("--from", arguments.from, "take them from a file of self-play");
  games->add_option("--format", arguments.format)->check(CLI::IsMember({"csa", "kif"}));
  games->add_option("--games", arguments.games);
  games->add_option("--plies", arguments.plies, "mean length")->check(CLI::Range(10, 400));
  games->add_option("--seed", arguments.seed);
  games->add_option("--out", arguments.out)->required();
  games->callback([&] { work = [&] { return WriteGames(arguments); }; });
  CLI::App* db = app.add_subcommand("db", "A YANEURAOU-DB2016 book");
  db->add_option("--positions", arguments.positions);
  db->add_option("--seed", arguments.seed);
  db->add_option("--out", arguments.out)->required();
  db->callback([&] { work = [&] { return WriteBook(arguments); }; });
  CLI::App* probe = app.add_subcommand("probe", "Questions to a probe file and to SQLite");
  probe->add_option("--positions", arguments.positions);
  probe->add_option("--questions", arguments.questions);
  probe->add_option("--folder", arguments.folder, "where the files may lie");
  probe->callback([&] { work = [&] { return Probe(arguments); }; });
  CLI::App* snapshot = app.add_subcommand("snapshot", "Taking in the structure of a run's book");
  snapshot->add_option("--positions", arguments.positions);
  snapshot->add_option("--seed", arguments.seed);
  snapshot->callback([&] { work = [&] { return Snapshot(arguments); }; });
  CLI11_PARSE(app, argc, argv);
  const absl::Status done = work();
  if (done.ok()) return 0;
  std::cerr << "book_bench: " << done.message() << "\n";
  return 1;
}

}  // namespace
}  // namespace joseki

int main(int argc, char** argv) { return joseki::Main(argc, argv); }
