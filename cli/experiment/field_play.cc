#include "cli/experiment/field_play.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "book/stats/agreement.h"
#include "cli/experiment/field_folder.h"
#include "cli/match/book.h"
#include "cli/match/report.h"

namespace joseki::cli {
namespace {

Json MatchDataOf(const PlayedMatch& played) {
  Json json;
  json["seed"] = played.settings.seed;
  json["file"] = played.file;
  json["result"] = MatchJson(played.settings, played.series);
  return json;
}

class FieldPlay {
 public:
  FieldPlay(Laboratory& lab, FieldResult& result) : lab_(lab), result_(result) {}

  absl::Status Go() {
    size_t most = 0;
    for (const FieldRow& row : result_.rows) most = std::max(most, row.books.size());
    for (size_t i = 0; i < most; ++i) {
      for (FieldRow& row : result_.rows) {
        if (i < row.books.size()) RETURN_IF_ERROR(Play(row, i));
      }
    }
    for (size_t column = 0; column < result_.columns.size(); ++column) {
      if (result_.columns[column].league) RETURN_IF_ERROR(PlayLeague(column));
    }
    return Compare();
  }

 private:
  absl::Status Play(FieldRow& row, size_t i) {
    FieldBook& book = row.books[i];
    if (const absl::Status made = MakeBook(lab_, book); !made.ok()) {
      return lab_.arguments().show && absl::IsCancelled(made) ? absl::OkStatus() : made;
    }
    for (size_t column = 0; column < result_.columns.size(); ++column) {
      if (result_.columns[column].league) continue;
      ASSIGN_OR_RETURN(
          const PlannedMatch match,
          lab_.Play(MatchOfBook(lab_, book, result_.columns[column], result_.judge_nodes)));
      FieldCell& cell = row.cells[i][column];
      cell.data = MatchDataOf(match.played);
      cell.left_out = match.played.left_out();
      if (!cell.left_out.empty()) continue;
      cell.score = book::ClusterByLine(match.pairs[Index(book::Side::kA)]);
      cell.judged = book::ClusterByLine(match.judged);
      AddSlope(match, result_.slopes[column]);
    }
    return absl::OkStatus();
  }

  static void AddSlope(const PlannedMatch& match, book::Calibration& slope) {
    for (size_t i = 0; i < match.judged.size(); ++i) {
      const book::PairedGames& expected = match.judged[i];
      const book::PairedGames& results = match.pairs[Index(book::Side::kA)][i];
      for (const size_t colour : {0, 1}) {
        slope.Add(expected.line[colour], expected.score[colour], results.score[colour]);
      }
    }
  }

  // A book of the league.
  struct Member {
    size_t row;
    size_t number;
    const FieldBook* book;
    FieldCell* cell;  // null: of no row, an opponent alone
    std::vector<book::PairedGames> pairs;
  };

  // The rows' books come first.
  std::vector<Member> MembersOf(size_t column) {
    std::vector<Member> members;
    for (size_t row = 0; row < result_.rows.size(); ++row) {
      FieldRow& of = result_.rows[row];
      for (size_t i = 0; i < of.books.size(); ++i) {
        if (of.books[i].name.empty()) continue;
        members.push_back({row, i, &of.books[i], &of.cells[i][column], {}});
      }
    }
    for (size_t other = 0; other < result_.others.size(); ++other) {
      const FieldRow& of = result_.others[other];
      for (size_t i = 0; i < of.books.size(); ++i) {
        members.push_back({result_.rows.size() + other, i, &of.books[i], nullptr, {}});
      }
    }
    return members;
  }

  // Plays each book of a row against each other book of the folder. A book's matches together have
  // the pairs of one column.
  absl::Status PlayLeague(size_t column) {
    ASSIGN_OR_RETURN(result_.others, OtherBooks(lab_, result_.rows));
    std::vector<Member> members = MembersOf(column);
    const auto opponents = static_cast<uint32_t>(std::max<size_t>(2, members.size()) - 1);
    const uint32_t pairs = (lab_.arguments().pairs + opponents - 1) / opponents;
    absl::Status status;
    for (size_t i = 0; i < members.size() && members[i].cell != nullptr; ++i) {
      for (size_t j = i + 1; j < members.size() && status.ok(); ++j) {
        status = PlayPair(members[i], members[j], pairs);
      }
    }
    for (Member& member : members) {
      if (member.cell != nullptr) member.cell->score = book::ClusterByLine(member.pairs);
    }
    return status;
  }

  // Two books have one match, whichever of them a command is about.
  absl::Status PlayPair(Member& one, Member& other, uint32_t pairs) {
    const bool in_order = one.book->word < other.book->word;
    const std::array<Member*, 2> sides = {in_order ? &one : &other, in_order ? &other : &one};
    MatchPlan plan;
    plan.name = absl::StrCat("league--", sides[0]->book->word, "--", sides[1]->book->word);
    for (const size_t side : {0, 1}) {
      plan.sides[side] = {sides[side]->book->label, lab_.Played(sides[side]->book->name)};
    }
    plan.nodes = lab_.arguments().nodes;
    plan.pairs = pairs;
    plan.all_pairs = true;
    ASSIGN_OR_RETURN(const PlannedMatch match, lab_.Play(plan));
    if (const std::string why = match.played.left_out(); !why.empty()) {
      result_.league_left_out.push_back(
          absl::StrCat(plan.sides[0].label, " against ", plan.sides[1].label, " (", why, ")"));
      return absl::OkStatus();
    }
    // Matches of times when the folder had fewer books have more pairs. Opponents weigh alike, so a
    // book's own score counts the first of them.
    const std::vector<book::CountedPair>& counted = match.played.series.counted();
    for (const size_t side : {0, 1}) {
      for (size_t i = 0; i < counted.size() && counted[i].pair < pairs; ++i) {
        sides[side]->pairs.push_back(match.pairs[side][i]);
      }
    }
    if (match.pairs[0].empty()) return absl::OkStatus();
    result_.league.push_back({sides[0]->row, sides[0]->number, sides[1]->row, sides[1]->number,
                              book::ClusterByLine(match.pairs[0]).score});
    return absl::OkStatus();
  }

  // Measures how far the books of each row agree.
  absl::Status Compare() {
    ASSIGN_OR_RETURN(const std::string path, lab_.TypeBook("type2"));
    ASSIGN_OR_RETURN(const LoadedBook input, LoadBook(lab_.rules(), path));
    for (FieldRow& row : result_.rows) {
      std::vector<LoadedBook> books;
      std::vector<std::vector<book::ReachedAnswer>> answers;
      for (const FieldBook& book : row.books) {
        if (book.name.empty()) continue;
        ASSIGN_OR_RETURN(books.emplace_back(),
                         LoadBook(lab_.rules(), book.name, FileWeights::kReader));
        ASSIGN_OR_RETURN(answers.emplace_back(), book::AnswersOf(lab_.rules(), *books.back().book,
                                                                 *input.book, kComparedPlies));
      }
      if (books.size() < 2) continue;
      double sum = 0;
      for (size_t i = 0; i < books.size(); ++i) {
        for (size_t j = 0; j < books.size(); ++j) {
          if (i != j) sum += book::ShareInCommon(answers[i], *books[j].book);
        }
      }
      row.agreement = sum / static_cast<double>(books.size() * (books.size() - 1));
    }
    return absl::OkStatus();
  }

  Laboratory& lab_;
  FieldResult& result_;
};

}  // namespace

absl::Status PlayField(Laboratory& lab, FieldResult& result) { return FieldPlay(lab, result).Go(); }

}  // namespace joseki::cli
