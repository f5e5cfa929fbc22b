#include <algorithm>
#include <memory>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "base/option_choice.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "book/database/book_store.h"
#include "book/database/store.h"
#include "book/formats/obk.h"
#include "book/formats/turned.h"
#include "cli/boards/game_view.h"
#include "cli/commands.h"
#include "cli/open_book.h"
#include "cli/position_argument.h"
#include "cli/words/moves_option.h"
#include "cli/words/phrases.h"
#include "cli/words/words.h"
#include "coordinator/offline/export_style.h"
#include "coordinator/offline/exporter.h"

namespace joseki::cli {
namespace {

struct ExplainArguments {
  std::string book;
  std::string format;  // one of both; neither: yaneuraou-db
  std::string style;
  uint64_t run = 0;
  std::vector<std::string> position;
};

// A position as it is written to the file, and its reading by each program.
struct Explained {
  book::DbPosition written;
  std::vector<std::pair<book::Reader, book::Probe>> by;  // never empty
  std::vector<std::string> options;                      // that have to be set
};

// The position as the style writes it, perhaps turned, read by the style's program.
absl::StatusOr<Explained> ExplainStyle(const coordinator::ExportBook& book,
                                       coordinator::ExportStyle style, const GameState& state,
                                       const ExplainArguments& arguments) {
  const std::vector<book::DbPosition> positions = coordinator::PositionsFor(book, style);
  for (const bool turned : {false, true}) {
    if (turned && style != coordinator::ExportStyle::kPeta) continue;
    book::DbPosition wanted;
    wanted.packed = state.packed();
    if (turned) wanted = book::Turned(wanted);
    const auto at = std::lower_bound(
        positions.begin(), positions.end(), wanted,
        [](const book::DbPosition& a, const book::DbPosition& b) { return a.packed < b.packed; });
    if (at == positions.end() || at->packed != wanted.packed) continue;
    Explained explained{.written = turned ? book::Turned(*at) : *at,
                        .by = {},
                        .options = coordinator::OptionsFor(style)};
    book::SortMoves(explained.written.moves);
    explained.by.emplace_back(coordinator::ReaderFor(style),
                              coordinator::ProbeFor(explained.written, style));
    return explained;
  }
  return NotInBook(arguments.book, arguments.position);
}

// The position as the format writes it; a .obk may write the moves of its mirror image.
book::DbPosition WrittenAs(book::BookFormat format, const coordinator::ExportBook& book,
                           const coordinator::ExportBook::Position& position) {
  if (format != book::BookFormat::kObk) {
    return coordinator::DbOf(position, book.run.has_value(), format);
  }
  return book::AsWrittenToObk(coordinator::PositionsOf(
      book, format))[static_cast<size_t>(&position - book.positions.data())];
}

// That position, read by every program that takes the format.
absl::StatusOr<Explained> ExplainFormat(const coordinator::ExportBook& book,
                                        book::BookFormat format, const GameState& state,
                                        const ExplainArguments& arguments) {
  const coordinator::ExportBook::Position* const position =
      coordinator::PositionAt(book, state.packed());
  if (position == nullptr) return NotInBook(arguments.book, arguments.position);
  const book::DbPosition written = WrittenAs(format, book, *position);
  Explained explained{
      .written = written, .by = {}, .options = coordinator::WarningsFor({written}, format)};
  book::SortMoves(explained.written.moves);
  for (const book::Reader reader : book::ReadersOf(format)) {
    explained.by.emplace_back(reader, book::ProbeBy(reader, format, explained.written));
  }
  return explained;
}

// The choice in words: "6i7h", "7g7f 50 %, 2g2f 50 %", "nothing: ply 18 is beyond BookMoves (16)".
template <typename Text>
std::string WhatIsPlayed(const book::Probe& probe, const Text& text, const Voice& voice) {
  std::vector<std::string> moves;
  std::string why = probe.why;
  for (const book::Probe::Choice& choice : probe.choices) {
    if (choice.share <= 0) {
      if (why.empty()) why = choice.why;
      continue;
    }
    moves.push_back(choice.share == 1
                        ? text(choice.move)
                        : absl::StrFormat("%s %.0f %%", text(choice.move), 100 * choice.share));
  }
  return moves.empty() ? voice.Say(phrase::kNothingBecause, SentenceText(voice, why))
                       : absl::StrJoin(moves, ", ");
}

void Print(const Explained& explained, const GameState& state, Context& context) {
  const Voice& voice = context.voice();
  std::ostream& out = context.out();
  const auto text = [&](Move move) {
    return voice.MoveText(context.rules(), state.packed(), move);
  };
  const auto line = [&](const std::string& move, const std::string& played,
                        const std::string& value, const std::string& depth,
                        const std::string& count, const std::string& rest) {
    out << "  " << PaddedRight(move, 6) << " " << PaddedLeft(played, 8) << " "
        << PaddedLeft(value, 7) << " " << PaddedLeft(depth, 6) << " " << PaddedLeft(count, 11)
        << (rest.empty() ? "" : "  ") << rest << "\n";
  };
  const auto& [reader, probe] = explained.by.front();
  line(voice.Say(phrase::kMove), voice.Say(phrase::kPlayed), voice.Say(phrase::kCentipawns),
       voice.Say(phrase::kDepth), voice.Say(phrase::kCount),
       voice.Say(phrase::kByReader, std::string(book::Name(reader))));
  for (size_t i = 0; i < explained.written.moves.size(); ++i) {
    const book::DbMove& move = explained.written.moves[i];
    const book::Probe::Choice& choice = probe.choices[i];
    line(text(move.move), absl::StrFormat("%.1f %%", 100 * choice.share), absl::StrCat(move.value),
         absl::StrCat(move.depth), absl::StrCat(move.count), SentenceText(voice, choice.why));
  }
  if (!probe.why.empty()) {
    out << voice.Say(phrase::kNothingPlayed, SentenceText(voice, probe.why));
  }
  for (size_t i = 1; i < explained.by.size(); ++i) {
    out << book::Name(explained.by[i].first) << ": "
        << WhatIsPlayed(explained.by[i].second, text, voice) << "\n";
  }
  for (const std::string& option : explained.options) {
    out << SentenceText(voice, option) << "\n";
  }
  out << state.text() << "\n" << ViewOf(context.rules().game()).text(state.packed(), voice);
}

Json JsonOf(const Explained& explained, const Rules& rules) {
  Json moves = Json::array();
  const book::Probe& probe = explained.by.front().second;
  for (size_t i = 0; i < explained.written.moves.size(); ++i) {
    const book::DbMove& move = explained.written.moves[i];
    const book::Probe::Choice& choice = probe.choices[i];
    moves.push_back({{"move", rules.Text(move.move)},
                     {"share", choice.share},
                     {"value", move.value},
                     {"depth", move.depth},
                     {"count", move.count},
                     {"refused_by", choice.option},
                     {"why", choice.why}});
  }
  return moves;
}

// The format asked for; else the style's, if a style is; else the game's usual one.
absl::StatusOr<book::BookFormat> FormatOf(const ExplainArguments& arguments, const Rules& rules) {
  const book::BookFormat format =
      !arguments.format.empty() ? *coordinator::ExportFormatOf(arguments.format)
      : !arguments.style.empty()
          ? coordinator::DefaultFormat(*coordinator::ExportStyleOf(arguments.style))
          : *coordinator::ExportFormatOf(coordinator::UsualFormat(rules));
  RETURN_IF_ERROR(coordinator::CheckFormat(format, rules));
  return format;
}

// The error of a position that the export lacks. Of one that the book has it says why the engine
// finds nothing there.
absl::Status NotExported(book::Store& store, const GameState& state,
                         const ExplainArguments& arguments, const absl::Status& error) {
  if (ProblemOf(error).code != "not_in_book") return error;
  ASSIGN_OR_RETURN(const auto found, book::BookStore(store).Find(state.packed()));
  if (!found.has_value()) return error;
  return MakeProblem(
      {.code = "not_exported",
       .file = arguments.book,
       .found = absl::StrCat(ProblemOf(error).found, ", which the book has and the export has not"),
       .expected = arguments.run == 0 ? "a position with a move that may be played"
                                      : absl::StrCat("a position that run ", arguments.run,
                                                     " answers, or that was imported with values")},
      absl::StatusCode::kNotFound);
}

absl::Status RunExplain(const ExplainArguments& arguments, Context& context) {
  ASSIGN_OR_RETURN(const auto store, OpenBook(context, arguments.book, book::OpenMode::kReadOnly));
  ASSIGN_OR_RETURN(const auto state, StateOf(context.rules(), arguments.position));
  ASSIGN_OR_RETURN(const coordinator::ExportBook book,
                   coordinator::LoadExport(*store, context.rules(), arguments.run));
  ASSIGN_OR_RETURN(const book::BookFormat format, FormatOf(arguments, context.rules()));
  const absl::StatusOr<Explained> exported =
      arguments.style.empty()
          ? ExplainFormat(book, format, *state, arguments)
          : ExplainStyle(book, *coordinator::ExportStyleOf(arguments.style), *state, arguments);
  if (!exported.ok()) return NotExported(*store, *state, arguments, exported.status());
  const Explained& explained = *exported;
  if (context.json()) {
    Json object;
    object["position"] = state->text();
    object["profile"] = arguments.style;
    object["format"] = arguments.style.empty() ? Json(book::Name(format)) : Json();
    object["options"] = explained.options;
    object["refused_by"] = explained.by.front().second.option;
    object["moves"] = JsonOf(explained, context.rules());
    Json readers = Json::object();
    for (const auto& [reader, probe] : explained.by) {
      readers[std::string(book::Name(reader))] = WhatIsPlayed(
          probe, [&](Move move) { return context.rules().Text(move); }, Voice());
    }
    object["readers"] = std::move(readers);
    context.PrintJson(object);
  } else {
    Print(explained, *state, context);
  }
  return absl::OkStatus();
}

}  // namespace

void AddBookExplain(CLI::App& book, Context& context) {
  auto arguments = std::make_shared<ExplainArguments>();
  CLI::App* command = book.add_subcommand(
      "explain", "Tells what an engine would play at a position of the exported book, and why");
  AddBookOption(*command, arguments->book);
  CLI::Option* const format =
      command
          ->add_option("--format", arguments->format, "format of the exported book (yaneuraou-db)")
          ->check(OneOf(book::NamesOf([](const book::BookFormatRow& row) {
            return IsWritten(row) && !book::ReadersOf(row.format).empty();
          })));
  command->add_option("--profile", arguments->style, "profile of the export")
      ->check(OneOf(coordinator::ExportStyleNames()))
      ->excludes(format);
  command->add_option("--run", arguments->run, "the run to export")
      ->type_name("R")
      ->check(IsRunNumber());
  AddMovesOption(*command, context);
  AddPositionArgument(*command, arguments->position);
  command->callback([arguments, &context] { context.Finish(RunExplain(*arguments, context)); });
}

}  // namespace joseki::cli
