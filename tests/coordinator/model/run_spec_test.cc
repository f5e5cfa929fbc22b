#include "coordinator/model/run_spec.h"

#include <cmath>
#include <string>

#include "base/problem.h"
#include "coordinator/model/spec_fields.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tests/support/field_filler.h"
#include "tests/support/toy_run.h"

namespace joseki::coordinator {
namespace {

RunSpec Full() {
  RunSpec spec = testing::ToySpec(123456789012, "result-driven");
  spec.name = "caf\xc3\xa9 \"quoted\"";
  spec.play.engine_signature = 0xfedcba9876543210;
  spec.play.engine_options = {{"hash_mb", "16"}};
  spec.play.nodes = 999;
  spec.play.jitter_percent = 0;
  spec.play.resign = {.below = 900, .moves = 4, .play_on_percent = 10};
  spec.play.keep_scores = true;
  spec.play.engine_name = "Some Engine 3";
  spec.play.weights_sha256 = std::string(64, 'a');
  spec.play.match = {250, Declaration::k24, RepetitionRule::kCheck};
  spec.play.re_entry = true;
  spec.play.re_entry_games = 500;
  Opponent opponent;
  opponent.side = Opponent::Side::kWhite;
  opponent.book = std::string(32, '\xfe');
  opponent.rules.choice = book::PlayRules::Choice::kRange;
  opponent.rules.range = 1.5;
  opponent.engine_id = "rival";
  opponent.engine_signature = 0xfedcba9876543211;
  opponent.engine_options = {{"Hash", "2"}};
  opponent.nodes = 77;
  opponent.engine_name = "Rival";
  opponent.weights_sha256 = std::string(64, 'b');
  spec.play.opponent = opponent;
  spec.policy_options = {{"delta", "4,2"}};
  spec.seconds = 77;
  spec.deviation = 0.008;
  spec.seed = 0xffffffffffffffff;
  spec.max_book_plies = 30;
  spec.verify_percent = 2.5;
  spec.stop = {
      .settling = {.error = 0.04, .margin = 0.03}, .least_gain = 0.002, .least_change = 0.1};
  spec.start = "5-7 b 1";
  return spec;
}

std::string Key(const absl::Status& status) { return ProblemOf(status).file; }

TEST(RunSpecJson, KeepsEveryField) {
  RunSpec full = Full();
  full.priors = {.nodes = 12'000, .positions = 300};
  full.extension = Extension{40, 50, 60, 2, true, "request"};
  full.take_over = true;
  full.taken_over = TakenOver{{1, 4}, 900, 800, 70, 60, {4}};
  const auto spec = SpecFromJson(SpecToJson(full));
  ASSERT_TRUE(spec.ok()) << spec.status();
  EXPECT_EQ(SpecToJson(*spec), SpecToJson(full));
  EXPECT_EQ(spec->name, Full().name);
  EXPECT_EQ(spec->play.engine_signature, Full().play.engine_signature);
  EXPECT_EQ(spec->play.engine_options, Full().play.engine_options);
  EXPECT_EQ(spec->play.match.max_plies, 250);
  EXPECT_EQ(spec->play.resign, Full().play.resign);
  EXPECT_TRUE(spec->play.keep_scores);
  EXPECT_EQ(spec->play.engine_name, "Some Engine 3");
  EXPECT_EQ(spec->play.match.declaration, Declaration::k24);
  EXPECT_EQ(spec->play.match.repetition, RepetitionRule::kCheck);
  EXPECT_TRUE(spec->play.re_entry);
  EXPECT_EQ(spec->play.re_entry_games, 500u);
  EXPECT_EQ(spec->play.opponent, Full().play.opponent);
  EXPECT_EQ(spec->policy_options, Full().policy_options);
  EXPECT_EQ(spec->deviation, 0.008);
  EXPECT_EQ(spec->seed, Full().seed);
  EXPECT_EQ(spec->verify_percent, 2.5);
  EXPECT_EQ(spec->stop, Full().stop);
  EXPECT_EQ(spec->start, Full().start);
  EXPECT_EQ(spec->priors, full.priors);
  EXPECT_EQ(spec->extension, full.extension);
  EXPECT_TRUE(spec->take_over);
  EXPECT_EQ(spec->taken_over, full.taken_over);
}

TEST(RunSpecJson, KeepsEveryRowOfTheTable) {
  auto filled = testing::Filled<RunSpec>();
  const auto spec = SpecFromJson(SpecToJson(filled));
  ASSERT_TRUE(spec.ok()) << spec.status();
  EXPECT_EQ(SpecToJson(*spec), SpecToJson(filled));
  filled.play.snapshot.clear();  // sent to workers only
  EXPECT_EQ(spec->play, filled.play);
  EXPECT_EQ(spec->match, filled.match);
  EXPECT_EQ(spec->extension, filled.extension);
}

TEST(RunSpecJson, OnlyARunThatIsThereIsExtended) {
  RunSpec spec = testing::ToySpec(10);
  EXPECT_TRUE(CheckSpec(testing::ToyRules(), spec).ok());
  EXPECT_EQ(AskedBudget(spec).games, 10u);
  spec.extension = Extension{.games = 4, .after = 6, .times = 1, .request_id = {}};
  EXPECT_EQ(Key(CheckSpec(testing::ToyRules(), spec)), "extension");
  EXPECT_EQ(AskedBudget(spec).games, 4u);
  spec.extension.reset();
  spec.take_over = true;
  EXPECT_TRUE(CheckSpec(testing::ToyRules(), spec).ok());
  spec.taken_over = TakenOver{.runs = {1}, .up_to = 5, .games = 5};
  EXPECT_EQ(Key(CheckSpec(testing::ToyRules(), spec)), "taken_over");
}

TEST(RunSpecJson, KeepsAMatch) {
  RunSpec match = Full();
  match.match = MatchSpec{77, book::Sprt{-1.5, 4, book::EloModel::kNormalised, 0.01, 0.1}};
  match.play.opponent->rules.deviation = 0.25;
  match.play.opponent->rules.max_plies = 33;
  match.play.own_book =
      BookUse{std::string(32, '\xfc'), {book::PlayRules::Choice::kRange, 1.5, 0.008, 40}};
  const auto spec = SpecFromJson(SpecToJson(match));
  ASSERT_TRUE(spec.ok()) << spec.status();
  EXPECT_EQ(spec->match, match.match);
  EXPECT_EQ(spec->play.own_book, match.play.own_book);
  EXPECT_EQ(spec->play.opponent, match.play.opponent);
  match.match->sprt.reset();
  EXPECT_EQ(SpecFromJson(SpecToJson(match))->match, match.match);
  EXPECT_EQ(SpecFromJson(SpecToJson(Full()))->match, std::nullopt);
}

TEST(RunSpecJson, WritesEveryKeyAndWantsThemAll) {
  const RunSpec usual;
  const nlohmann::json json = nlohmann::json::parse(SpecToJson(usual));
  EXPECT_FALSE(json.contains("match"));
  EXPECT_FALSE(json["play"].contains("opponent"));
  EXPECT_FALSE(json["play"].contains("snapshot"));
  EXPECT_EQ(json["take_over"], false);
  for (const auto& item : json.items()) {
    nlohmann::json less = json;
    less.erase(item.key());
    EXPECT_EQ(Key(SpecFromJson(less.dump()).status()), "spec." + item.key());
  }
  for (const auto& item : json["play"].items()) {
    nlohmann::json less = json;
    less["play"].erase(item.key());
    EXPECT_EQ(Key(SpecFromJson(less.dump()).status()), "play." + item.key());
  }
}

TEST(RunSpecJson, RefusesWhatItDidNotWrite) {
  EXPECT_FALSE(SpecFromJson("").ok());
  EXPECT_FALSE(SpecFromJson("[]").ok());
  EXPECT_FALSE(SpecFromJson("{}").ok());
  const std::string json = SpecToJson(Full());
  const auto changed = [&](const std::string& from, const std::string& to) {
    std::string text = json;
    const size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    text.replace(at, from.size(), to);
    return SpecFromJson(text).status();
  };
  EXPECT_EQ(Key(changed("\"nodes\":999", "\"nodes\":-1")), "play.nodes");
  EXPECT_EQ(Key(changed("\"nodes\":999", "\"nodes\":\"999\"")), "play.nodes");
  EXPECT_EQ(Key(changed("\"re_entry\":true", "\"re_entry\":1")), "play.re_entry");
  EXPECT_EQ(Key(changed("\"seed\":", "\"sead\":")), "spec.seed");
  EXPECT_EQ(Key(changed("\"seconds\":77", "\"seconds\":77,\"more\":1")), "spec");
  EXPECT_EQ(Key(changed("\"jitter_percent\":0", "\"jitter_percent\":4294967296")),
            "play.jitter_percent");
  EXPECT_EQ(Key(changed("\"declaration\":2", "\"declaration\":3")), "declaration");
  EXPECT_EQ(Key(changed("\"repetition\":\"check\"", "\"repetition\":\"cheque\"")),
            "play.repetition");
}

TEST(RunSpecJson, RefusesWhatIsTooDeep) {
  const std::string deep = std::string(200'000, '[') + std::string(200'000, ']');
  for (const std::string& text : {deep, R"({"name":)" + deep + "}", R"({"match":)" + deep + "}",
                                  R"({"play":{"opponent":)" + deep + "}}"}) {
    EXPECT_EQ(ProblemOf(SpecFromJson(text).status()).code, "bad_run_spec");
  }
}

TEST(CheckSpec, HoldsEveryFieldToItsBounds) {
  const testing::ToyRules rules;
  ASSERT_TRUE(CheckSpec(rules, Full()).ok()) << CheckSpec(rules, Full());
  const auto key_of = [&](auto change) {
    RunSpec spec = Full();
    change(spec);
    return Key(CheckSpec(rules, spec));
  };
  EXPECT_EQ(key_of([](RunSpec& s) { s.name = std::string(101, 'x'); }), "name");
  EXPECT_EQ(key_of([](RunSpec& s) { s.play.game = "chess"; }), "game");
  EXPECT_EQ(key_of([](RunSpec& s) { s.play.engine_id = "../x"; }), "engine_id");
  EXPECT_EQ(key_of([](RunSpec& s) { s.play.engine_id = ""; }), "engine_id");
  EXPECT_EQ(key_of([](RunSpec& s) { s.play.nodes = 0; }), "nodes");
  EXPECT_EQ(key_of([](RunSpec& s) { s.play.jitter_percent = 91; }), "jitter_percent");
  EXPECT_EQ(key_of([](RunSpec& s) { s.play.match.max_plies = 0; }), "max_plies");
  EXPECT_EQ(key_of([](RunSpec& s) { s.play.re_entry_games = 0; }), "re_entry_games");
  EXPECT_EQ(key_of([](RunSpec& s) { s.play.re_entry = false; }), "re_entry_games");
  EXPECT_EQ(key_of([](RunSpec& s) { s.play.snapshot = "x"; }), "snapshot");
  EXPECT_EQ(key_of([](RunSpec& s) { s.deviation = 1.5; }), "deviation");
  EXPECT_EQ(key_of([](RunSpec& s) { s.deviation = std::nan(""); }), "deviation");
  EXPECT_EQ(key_of([](RunSpec& s) { s.max_book_plies = 501; }), "max_book_plies");
  EXPECT_EQ(key_of([](RunSpec& s) { s.verify_percent = 100.5; }), "verify_percent");
  EXPECT_EQ(key_of([](RunSpec& s) { s.policy_options[""] = "1"; }), "policy_options");
  EXPECT_EQ(key_of([](RunSpec& s) { s.stop.settling.error = 0.6; }), "settle_error");
  EXPECT_EQ(key_of([](RunSpec& s) { s.stop.settling.error = 0; }), "settle_error")
      << "least_gain is judged by it";
  EXPECT_EQ(key_of([](RunSpec& s) { s.stop.settling.margin = std::nan(""); }), "settle_margin");
  EXPECT_EQ(key_of([](RunSpec& s) { s.stop.least_gain = -1; }), "stop_gain");
  EXPECT_EQ(key_of([](RunSpec& s) { s.stop.least_change = 1.5; }), "stop_change");
  EXPECT_EQ(key_of([](RunSpec& s) {
              s.policy = "ucb1";
              s.policy_options.clear();
            }),
            "stop_change")
      << "a policy without stages";
  RunSpec spec = Full();
  spec.start = "nowhere";
  EXPECT_EQ(ProblemOf(CheckSpec(rules, spec)).code, "malformed_position");
  spec = Full();
  spec.policy = "guess";
  EXPECT_FALSE(CheckSpec(rules, spec).ok());
}

TEST(PolicyOf, SharesTheGamesOutUnlessStagesSayOtherwise) {
  RunSpec spec = testing::ToySpec(10, "result-driven");
  spec.policy_options = {{"delta", "4,2"}};
  EXPECT_EQ((*PolicyOf(spec))->stages()[0].games, 5u);
  spec.policy_options["games"] = "7,8";
  EXPECT_EQ((*PolicyOf(spec))->stages()[1].games, 8u);
}

}  // namespace
}  // namespace joseki::coordinator
