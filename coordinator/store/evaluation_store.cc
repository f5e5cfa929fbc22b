#include "coordinator/store/evaluation_store.h"

#include <SQLiteCpp/Column.h>
#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>

#include <algorithm>
#include <limits>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "book/database/sql.h"
#include "book/database/zstd.h"
#include "coordinator/model/slot_codec.h"
#include "coordinator/store/statements.h"
#include "engine/core/resignation.h"
#include "nlohmann/json.hpp"

namespace joseki::coordinator {
namespace {

absl::Status BadEvaluations(std::string found, std::string expected) {
  return MakeProblem(
      {.code = "bad_row", .found = std::move(found), .expected = std::move(expected)},
      absl::StatusCode::kDataLoss);
}

// Binds the row's score, NULL for none.
void BindScore(SQLite::Statement& statement, int index, const std::optional<int16_t>& score) {
  if (score) {
    statement.bind(index, static_cast<int>(*score));
  } else {
    statement.bind(index);
  }
}

// Binds the row's parameters from 19 on; for a search for priors they stay unbound, which is NULL.
void BindAlong(SQLite::Statement& insert, const AlongLine& along, const std::vector<Move>& found) {
  const auto bind = [&insert](int index, const std::string& bytes) {
    insert.bind(index, bytes.data(), static_cast<int>(bytes.size()));
  };
  bind(19, EncodeMoves(along.line));
  insert.bind(20, static_cast<int>(along.kind));
  if (along.kind == SlotKind::kReply) insert.bind(21, static_cast<int64_t>(along.searched_from));
  if (!along.excluded.empty()) bind(22, EncodeMoves(along.excluded));
  if (along.kind != SlotKind::kTrial) return;
  if (along.own) insert.bind(23, static_cast<int>(Index(*along.own)));
  bind(24, EncodeMoves(found));
  bind(25, EncodeScores(along.scores));
}

// Reads columns 16 to 22.
absl::Status ReadAlong(SQLite::Statement& select, EvaluationRow& row) {
  AlongLine& along = row.along.emplace();
  ASSIGN_OR_RETURN(along.line, DecodeMoves(select.getColumn(16).getString()));
  const int kind = select.getColumn(17).getInt();
  if (kind < 0 || kind > static_cast<int>(kLastSlotKind) ||
      !IsSearch(static_cast<SlotKind>(kind))) {
    return BadEvaluations(absl::StrCat("evaluation ", row.seq, " of kind ", kind),
                          "a kind of search");
  }
  along.kind = static_cast<SlotKind>(kind);
  along.searched_from = select.getColumn(18).getUInt();
  ASSIGN_OR_RETURN(along.excluded, DecodeMoves(select.getColumn(19).getString()));
  if (along.kind != SlotKind::kTrial) return absl::OkStatus();
  along.own = select.getColumn(20).getInt() == 0 ? Color::kFirst : Color::kSecond;
  ASSIGN_OR_RETURN(row.game.moves, DecodeMoves(select.getColumn(21).getString()));
  ASSIGN_OR_RETURN(along.scores, DecodeScores(select.getColumn(22).getString()));
  return absl::OkStatus();
}

// Columns 0 to 14 of a row.
constexpr char kColumns[] =
    "e.seq, e.run, e.lease, e.slot, e.worker, e.payload_hash, e.position, e.score, e.depth,"
    " e.attempt, e.result, e.termination, e.nodes, e.best, e.moves_hash";

absl::StatusOr<EvaluationRow> RowOf(SQLite::Statement& select) {
  EvaluationRow row;
  row.seq = static_cast<uint64_t>(select.getColumn(0).getInt64());
  row.game.run = static_cast<uint64_t>(select.getColumn(1).getInt64());
  row.game.lease = static_cast<uint64_t>(select.getColumn(2).getInt64());
  row.game.slot = select.getColumn(3).getUInt();
  row.game.worker = select.getColumn(4).getString();
  row.game.payload_hash = static_cast<uint64_t>(select.getColumn(5).getInt64());
  const SQLite::Column position = select.getColumn(6);
  const int64_t score = select.getColumn(7).isNull() ? 0 : select.getColumn(7).getInt64();
  const int64_t result = select.getColumn(10).getInt64();
  const int64_t termination = select.getColumn(11).getInt64();
  const auto bytes = static_cast<size_t>(position.getBytes());
  if (bytes != row.position.bytes.size() || score < std::numeric_limits<int16_t>::min() ||
      score > std::numeric_limits<int16_t>::max() || result < 0 ||
      result > static_cast<int64_t>(Result::kDraw) || termination < 0 ||
      termination > static_cast<int64_t>(Termination::kInterrupted)) {
    return BadEvaluations(absl::StrCat("evaluation ", row.seq, " with numbers out of range"),
                          "one that was stored");
  }
  std::copy_n(static_cast<const uint8_t*>(position.getBlob()), bytes, row.position.bytes.begin());
  if (!select.getColumn(7).isNull()) row.score = static_cast<int16_t>(score);
  row.depth = select.getColumn(8).getUInt();
  row.attempt = select.getColumn(9).getUInt();
  row.game.ending = {static_cast<Result>(result), static_cast<Termination>(termination)};
  row.game.nodes = static_cast<uint64_t>(select.getColumn(12).getInt64());
  row.game.moves_hash = static_cast<uint64_t>(select.getColumn(14).getInt64());
  if (const uint32_t best = select.getColumn(13).getUInt(); best != 0) {
    row.game.moves.push_back(Move(static_cast<uint16_t>(best)));
  }
  return row;
}

}  // namespace

EvaluationProfile ProfileOf(const RunSpec& spec, uint64_t nodes) {
  EvaluationProfile profile;
  profile.engine_id = spec.play.engine_id;
  profile.engine_name = spec.play.engine_name;
  profile.signature = spec.play.engine_signature;
  profile.weights_sha256 = spec.play.weights_sha256;
  profile.options = nlohmann::json(spec.play.engine_options)
                        .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  profile.nodes = nodes;
  return profile;
}

absl::StatusOr<int64_t> KeepProfile(book::Store& store, const EvaluationProfile& profile) {
  return book::GuardSql(store.path(), [&]() -> absl::StatusOr<int64_t> {
    const auto bind = [&profile](SQLite::Statement& statement) {
      statement.bind(1, profile.engine_id);
      statement.bind(2, profile.engine_name);
      statement.bind(3, book::Signed(profile.signature));
      statement.bind(4, profile.weights_sha256);
      statement.bind(5, profile.options);
      statement.bind(6, book::Signed(profile.nodes));
    };
    SQLite::Statement select(
        store.db(),
        "SELECT profile FROM evaluation_profiles WHERE engine_id = ? AND engine_name = ? AND"
        " signature = ? AND weights_sha256 = ? AND options = ? AND nodes = ?");
    bind(select);
    if (select.executeStep()) return select.getColumn(0).getInt64();
    SQLite::Statement insert(
        store.db(),
        "INSERT INTO evaluation_profiles (engine_id, engine_name, signature, weights_sha256,"
        " options, nodes) VALUES (?, ?, ?, ?, ?, ?)");
    bind(insert);
    insert.exec();
    return store.db().getLastInsertRowid();
  });
}

absl::StatusOr<InsertedEvaluation> InsertEvaluation(book::Store& store, const EvaluationRow& row,
                                                    const RunSpec& spec) {
  ASSIGN_OR_RETURN(const int64_t profile, KeepProfile(store, ProfileOf(spec, row.limit)));
  return book::GuardSql(store.path(), [&]() -> absl::StatusOr<InsertedEvaluation> {
    const GameRow& game = row.game;
    SQLite::Statement known(
        store.db(),
        "SELECT payload_hash FROM evaluations WHERE run = ? AND lease = ? AND slot = ?");
    known.bind(1, book::Signed(game.run));
    known.bind(2, book::Signed(game.lease));
    known.bind(3, static_cast<int64_t>(game.slot));
    if (known.executeStep()) {
      const bool same = known.getColumn(0).getInt64() == book::Signed(game.payload_hash);
      return InsertedEvaluation{same ? Inserted::kDuplicate : Inserted::kConflict, 0};
    }
    SQLite::Statement insert(
        store.db(),
        "INSERT INTO evaluations (run, lease, slot, worker, payload_hash, profile, position, score,"
        " best, depth, attempt, result, termination, stale, nodes, think_ms, accepted_ms, fault,"
        " line, kind, searched_from, excluded, own, played, scores, moves_hash) VALUES (?, ?, ?, ?,"
        " ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, nullif(?, ''), ?, ?, ?, ?, ?, ?, ?, ?)");
    insert.bind(1, book::Signed(game.run));
    insert.bind(2, book::Signed(game.lease));
    insert.bind(3, static_cast<int64_t>(game.slot));
    insert.bind(4, game.worker);
    insert.bind(5, book::Signed(game.payload_hash));
    insert.bind(6, profile);
    insert.bind(7, row.position.bytes.data(), static_cast<int>(row.position.bytes.size()));
    BindScore(insert, 8, row.score);
    const bool searched = game.ending.termination == Termination::kNone && !game.moves.empty();
    insert.bind(9, searched ? static_cast<int64_t>(game.moves.front().raw()) : int64_t{0});
    insert.bind(10, static_cast<int64_t>(row.depth));
    insert.bind(11, static_cast<int64_t>(row.attempt));
    insert.bind(12, static_cast<int64_t>(game.ending.result));
    insert.bind(13, static_cast<int64_t>(game.ending.termination));
    insert.bind(14, static_cast<int64_t>(game.stale));
    insert.bind(15, book::Signed(game.nodes));
    insert.bind(16, static_cast<int64_t>(game.think_ms));
    insert.bind(17, game.accepted_ms);
    insert.bind(18, game.fault);
    if (row.along) BindAlong(insert, *row.along, game.moves);
    insert.bind(26, book::Signed(game.moves_hash));
    insert.exec();
    return InsertedEvaluation{Inserted::kNew,
                              static_cast<uint64_t>(store.db().getLastInsertRowid())};
  });
}

absl::Status ForEachEvaluation(book::Store& store, RunId run, const RunSpec& spec, uint64_t shared,
                               const std::function<absl::Status(const EvaluationRow&)>& visit) {
  const EvaluationProfile profile = ProfileOf(spec, spec.priors.nodes);
  return book::GuardSql(store.path(), [&]() -> absl::Status {
    SQLite::Statement select(
        store.db(),
        absl::StrCat("SELECT ", kColumns,
                     ", p.engine_name <> ?4 OR p.signature <> ?5 OR p.weights_sha256 <> ?6 OR "
                     "p.options <> ?7"
                     "  OR p.nodes <> ?8"
                     " FROM evaluations e JOIN evaluation_profiles p USING (profile)"
                     " WHERE e.line IS NULL AND (e.run = ?1 OR (e.seq <= ?2 AND p.engine_id = ?3))"
                     " ORDER BY e.seq"));
    select.bind(1, book::Signed(run));
    select.bind(2, book::Signed(shared));
    select.bind(3, profile.engine_id);
    select.bind(4, profile.engine_name);
    select.bind(5, book::Signed(profile.signature));
    select.bind(6, profile.weights_sha256);
    select.bind(7, profile.options);
    select.bind(8, book::Signed(profile.nodes));
    while (select.executeStep()) {
      ASSIGN_OR_RETURN(EvaluationRow row, RowOf(select));
      row.other_profile = select.getColumn(15).getInt() != 0;
      RETURN_IF_ERROR(visit(row));
    }
    return absl::OkStatus();
  });
}

absl::Status ForEachLineSearch(book::Store& store, RunId run,
                               const std::function<absl::Status(const EvaluationRow&)>& visit) {
  return book::GuardSql(store.path(), [&]() -> absl::Status {
    // "+" keeps SQLite from the index by run, after which it would sort whole rows: they lie in the
    // order of seq. That index alone gives the first one and the last one, so that no rows of runs
    // before and after are read.
    SQLite::Statement select(
        store.db(), absl::StrCat("SELECT ", kColumns,
                                 ", p.nodes, e.line, e.kind, e.searched_from, e.excluded,"
                                 " e.own, e.played, e.scores, e.accepted_ms FROM evaluations e"
                                 " JOIN evaluation_profiles p USING (profile)"
                                 " WHERE +e.run = ?1 AND e.line IS NOT NULL AND e.seq BETWEEN"
                                 " (SELECT min(seq) FROM evaluations WHERE run = ?1) AND"
                                 " (SELECT max(seq) FROM evaluations WHERE run = ?1)"
                                 " ORDER BY e.seq"));
    select.bind(1, book::Signed(run));
    while (select.executeStep()) {
      ASSIGN_OR_RETURN(EvaluationRow row, RowOf(select));
      row.limit = static_cast<uint64_t>(select.getColumn(15).getInt64());
      row.game.accepted_ms = select.getColumn(23).getInt64();
      RETURN_IF_ERROR(InRow(ReadAlong(select, row), store.path(), "evaluations", row.seq));
      RETURN_IF_ERROR(visit(row));
    }
    return absl::OkStatus();
  });
}

absl::StatusOr<uint64_t> LastEvaluation(book::Store& store) {
  return book::GuardSql(store.path(), [&]() -> absl::StatusOr<uint64_t> {
    return static_cast<uint64_t>(
        store.db().execAndGet("SELECT coalesce(max(seq), 0) FROM evaluations").getInt64());
  });
}

absl::Status InsertImportedValues(book::Store& store, RunId run,
                                  const book::ImportedValues& values) {
  if (values.empty()) return absl::OkStatus();
  ASSIGN_OR_RETURN(const std::string bytes, book::Compress(Encode(values)));
  return book::GuardSql(store.path(), [&] {
    SQLite::Statement insert(store.db(), "INSERT INTO imported_values (run, bytes) VALUES (?, ?)");
    insert.bind(1, book::Signed(run));
    insert.bind(2, bytes.data(), static_cast<int>(bytes.size()));
    insert.exec();
  });
}

absl::StatusOr<book::ImportedValues> ReadImportedValues(book::Store& store, RunId run,
                                                        size_t edges) {
  std::string bytes;
  RETURN_IF_ERROR(book::GuardSql(store.path(), [&] {
    SQLite::Statement select(store.db(), "SELECT bytes FROM imported_values WHERE run = ?");
    select.bind(1, book::Signed(run));
    if (select.executeStep()) bytes = select.getColumn(0).getString();
  }));
  if (bytes.empty()) return book::ImportedValues();
  ASSIGN_OR_RETURN(bytes, book::Decompress(bytes, 8 * edges, store.path()));
  absl::StatusOr<book::ImportedValues> values = book::DecodeImportedValues(bytes, edges);
  if (!values.ok()) return At(values.status(), store.path());
  return values;
}

absl::Status InsertPriorSet(book::Store& store, const PriorSet& set) {
  return book::GuardSql(store.path(), [&] {
    SQLite::Statement insert(store.db(),
                             "INSERT INTO prior_sets (run, version, evaluations, shared,"
                             " trust_change, games_seq, games, scale, milli_games, positions,"
                             " imported_scale, imported_milli_games)"
                             " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    insert.bind(1, book::Signed(set.run));
    insert.bind(2, static_cast<int64_t>(set.version));
    insert.bind(3, book::Signed(set.evaluations));
    insert.bind(4, book::Signed(set.shared));
    insert.bind(5, book::Signed(set.trust_change));
    insert.bind(6, book::Signed(set.games_seq));
    insert.bind(7, book::Signed(set.games));
    insert.bind(8, static_cast<int64_t>(set.model.scale));
    insert.bind(9, static_cast<int64_t>(set.model.milli_games));
    insert.bind(10, static_cast<int64_t>(set.positions));
    insert.bind(11, static_cast<int64_t>(set.imported.scale));
    insert.bind(12, static_cast<int64_t>(set.imported.milli_games));
    insert.exec();
  });
}

absl::StatusOr<std::vector<PriorSet>> ReadPriorSets(book::Store& store, RunId run) {
  return book::GuardSql(store.path(), [&]() -> absl::StatusOr<std::vector<PriorSet>> {
    SQLite::Statement select(store.db(),
                             "SELECT version, evaluations, shared, trust_change, games_seq, games,"
                             " scale, milli_games, positions, imported_scale,"
                             " imported_milli_games FROM prior_sets WHERE run = ?"
                             " ORDER BY version");
    select.bind(1, book::Signed(run));
    std::vector<PriorSet> sets;
    while (select.executeStep()) {
      const auto number = [&select](int column) {
        return static_cast<uint64_t>(select.getColumn(column).getInt64());
      };
      PriorSet set;
      set.run = run;
      set.version = select.getColumn(0).getUInt();
      set.evaluations = number(1);
      set.shared = number(2);
      set.trust_change = number(3);
      set.games_seq = number(4);
      set.games = number(5);
      set.model = {select.getColumn(6).getUInt(), select.getColumn(7).getUInt()};
      set.positions = select.getColumn(8).getUInt();
      set.imported = {select.getColumn(9).getUInt(), select.getColumn(10).getUInt()};
      for (const book::PriorModel& model : {set.model, set.imported}) {
        if (model.scale >= book::PriorModel::kLeastScale &&
            model.scale <= book::PriorModel::kMostScale &&
            model.milli_games <= book::PriorModel::kMostMilliGames) {
          continue;
        }
        return BadEvaluations(absl::StrCat("priors ", set.version, " of run ", run, " of scale ",
                                           model.scale, " and ", model.milli_games),
                              "numbers in range");
      }
      sets.push_back(set);
    }
    return sets;
  });
}

}  // namespace joseki::coordinator
