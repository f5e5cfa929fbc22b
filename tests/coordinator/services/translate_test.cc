#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "base/problem.h"
#include "coordinator/services/from_wire.h"
#include "coordinator/services/to_wire.h"
#include "tests/support/toy_book.h"
#include "tests/support/toy_rules.h"

namespace joseki::coordinator {
namespace {

// A message that is right, one change that makes it wrong, and the field that is to blame.
template <typename Message>
struct BadCase {
  std::string field;
  std::function<void(Message&)> spoil;
};

template <typename Message, typename Translate>
void ExpectRefused(const Message& good, const std::vector<BadCase<Message>>& cases,
                   const Translate& translate) {
  ASSERT_TRUE(translate(good).ok()) << translate(good);
  for (const BadCase<Message>& bad : cases) {
    Message message = good;
    bad.spoil(message);
    const absl::Status status = translate(message);
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << bad.field;
    if (status.ok()) continue;
    const Problem problem = ProblemOf(status);
    EXPECT_EQ(problem.code, "bad_field");
    EXPECT_EQ(problem.file, bad.field);
    EXPECT_FALSE(problem.found.empty()) << bad.field;
    EXPECT_FALSE(problem.expected.empty()) << bad.field;
  }
}

const auto kTranslate = [](const auto& message) { return FromWire(message).status(); };
const auto kCheck = [](const auto& message) { return Check(message); };

v1::JoinRequest GoodJoin() {
  v1::JoinRequest request;
  request.set_worker("node-7.Example_1");
  request.set_protocol(1);
  request.set_slots(1024);
  v1::EngineIdentity& engine = *request.add_engines();
  engine.set_id("embedded");
  engine.set_name("Joseki");
  engine.set_signature(77);
  engine.set_weights_sha256(std::string(64, 'a'));
  engine.set_build(std::string(200, 'b'));
  return request;
}

TEST(Translate, JoinCarriesEveryField) {
  const absl::StatusOr<JoinInput> input = FromWire(GoodJoin());
  ASSERT_TRUE(input.ok());
  EXPECT_EQ(input->worker, "node-7.Example_1");
  EXPECT_EQ(input->protocol, 1u);
  EXPECT_EQ(input->seats, 1024u);
  ASSERT_EQ(input->engines.size(), 1u);
  EXPECT_EQ(input->engines[0].id, "embedded");
  EXPECT_EQ(input->engines[0].signature, 77u);
  EXPECT_EQ(input->engines[0].weights_sha256, std::string(64, 'a'));
}

// A worker's text about its faults is printed on people's terminals.
TEST(Translate, AFaultsTextHasNoControlCharacters) {
  v1::SubmitRequest request;
  v1::Game& game = *request.add_games();
  game.set_termination(v1::TERMINATION_CRASH);
  game.set_fault("a\x1b[31mred\nline\x7f \xc2\x9b[0m\xe9\xa7\x92");
  const absl::StatusOr<SubmitInput> input = FromWire(request);
  ASSERT_TRUE(input.ok()) << input.status();
  EXPECT_EQ(input->games.at(0).fault, "a [31mred line   [0m\xe9\xa7\x92");
}

TEST(Translate, JoinIsBounded) {
  using M = v1::JoinRequest;
  ExpectRefused<M>(
      GoodJoin(),
      {
          {"worker", [](M& m) { m.clear_worker(); }},
          {"worker", [](M& m) { m.set_worker(std::string(65, 'a')); }},
          {"worker", [](M& m) { m.set_worker("a/b"); }},
          {"worker", [](M& m) { m.set_worker("a\nb"); }},
          {"slots", [](M& m) { m.set_slots(0); }},
          {"slots", [](M& m) { m.set_slots(1025); }},
          {"build", [](M& m) { m.set_build(std::string(201, 'b')); }},
          {"build", [](M& m) { m.set_build("two\nlines"); }},
          {"build", [](M& m) { m.set_build("one \xc2\x9b[0m line"); }},
          {"engines",
           [](M& m) {
             const v1::EngineIdentity engine = m.engines(0);
             while (m.engines_size() <= 32) *m.add_engines() = engine;
           }},
          {"engines[0].id", [](M& m) { m.mutable_engines(0)->set_id("../engine"); }},
          {"engines[0].id", [](M& m) { m.mutable_engines(0)->set_id("Embedded"); }},
          {"engines[0].name", [](M& m) { m.mutable_engines(0)->set_name(std::string(201, 'n')); }},
          {"engines[0].weights_sha256",
           [](M& m) { m.mutable_engines(0)->set_weights_sha256("abc"); }},
          {"engines[0].weights_sha256",
           [](M& m) { m.mutable_engines(0)->set_weights_sha256(std::string(64, 'A')); }},
          {"engines[0].build", [](M& m) { m.mutable_engines(0)->set_build("a\x1b[31m"); }},
      },
      kTranslate);
}

TEST(Translate, JoinSaysWhatTheNodeHas) {
  using M = v1::JoinRequest;
  M good;
  good.set_worker("w");
  good.set_slots(1);
  good.set_process(~uint64_t{0});
  good.set_memory_mb(1 << 24);
  good.set_cores(1024);
  for (int i = 0; i < 16; ++i) (*good.mutable_labels())["l" + std::to_string(i)] = "v 1";
  const absl::StatusOr<JoinInput> input = FromWire(good);
  ASSERT_TRUE(input.ok()) << input.status();
  EXPECT_EQ(input->process, ~uint64_t{0});
  EXPECT_EQ(input->memory_mb, 1u << 24);
  EXPECT_EQ(input->cores, 1024u);
  EXPECT_EQ(input->labels.size(), 16u);
  EXPECT_EQ(input->labels.at("l3"), "v 1");
  const auto label = [](const std::string& name, const std::string& value) {
    return [=](M& m) {
      m.clear_labels();
      (*m.mutable_labels())[name] = value;
    };
  };
  ExpectRefused<M>(good,
                   {
                       {"labels", [](M& m) { (*m.mutable_labels())["one-more"] = ""; }},
                       {"labels['A']", label("A", "")},
                       {"labels['']", label("", "")},
                       {"labels['a']", label("a", std::string(65, 'v'))},
                       {"labels['a']", label("a", "\n")},
                       {"memory_mb", [](M& m) { m.set_memory_mb((1 << 24) + 1); }},
                       {"cores", [](M& m) { m.set_cores(1025); }},
                   },
                   kTranslate);
}

TEST(Translate, WhatWasReceivedLastIsToldOrNot) {
  v1::AcquireRequest acquire;
  acquire.set_want_slots(1);
  EXPECT_FALSE(FromWire(acquire)->after_lease.has_value());
  acquire.set_after_lease(0);
  EXPECT_EQ(FromWire(acquire)->after_lease, 0u);
  v1::SubmitRequest submit;
  submit.set_epoch("e");
  EXPECT_EQ(FromWire(submit)->work.want_slots, 0u);
  EXPECT_FALSE(FromWire(submit)->work.after_lease.has_value());
  submit.set_want_slots(1024);
  submit.add_known_runs(3);
  submit.set_after_lease(9);
  EXPECT_EQ(FromWire(submit)->work.want_slots, 1024u);
  EXPECT_EQ(FromWire(submit)->work.known_runs, (std::vector<RunId>{3}));
  EXPECT_EQ(FromWire(submit)->work.after_lease, 9u);
  using M = v1::SubmitRequest;
  ExpectRefused<M>(submit,
                   {
                       {"want_slots", [](M& m) { m.set_want_slots(1025); }},
                       {"known_runs",
                        [](M& m) {
                          while (m.known_runs_size() <= 1000) m.add_known_runs(1);
                        }},
                   },
                   kTranslate);
}

TEST(Translate, SharesAndRequirementsAreBounded) {
  using M = v1::RunSpec;
  RunSpec spec;
  spec.share = {.priority = 9, .weight = 1000};
  spec.requirements = {.labels = {{"gpu", "yes"}}, .memory_mb = 100, .cores = 2};
  spec.priors = {.nodes = 20'000, .positions = 50};
  spec.extension = Extension{40, 50, 60, 2, true, "request"};
  spec.take_over = true;
  spec.taken_over = TakenOver{{1, 4}, 900, 800, 70, 60, {4}};
  const M good = ToWire(spec);
  EXPECT_EQ(FromWire(good)->extension, spec.extension);
  EXPECT_TRUE(FromWire(good)->take_over);
  EXPECT_EQ(FromWire(good)->taken_over, spec.taken_over);
  EXPECT_EQ(FromWire(good)->share, spec.share);
  EXPECT_EQ(FromWire(good)->requirements, spec.requirements);
  EXPECT_EQ(FromWire(good)->priors, spec.priors);
  M absent = good;
  absent.clear_share();
  absent.clear_requirements();
  EXPECT_EQ(FromWire(absent)->share, Share());
  EXPECT_EQ(FromWire(absent)->requirements, Requirements());
  ExpectRefused<M>(
      good,
      {
          {"spec.share.priority", [](M& m) { m.mutable_share()->set_priority(10); }},
          {"spec.priors.nodes", [](M& m) { m.mutable_priors()->set_nodes(1'000'000'001); }},
          {"spec.extension.request_id",
           [](M& m) { m.mutable_extension()->set_request_id(std::string(101, 'r')); }},
          {"spec.share.weight", [](M& m) { m.mutable_share()->set_weight(1001); }},
          {"spec.requirements.labels['X']",
           [](M& m) { (*m.mutable_requirements()->mutable_labels())["X"] = ""; }},
          {"spec.requirements.cores", [](M& m) { m.mutable_requirements()->set_cores(1025); }},
          {"spec.requirements.memory_mb",
           [](M& m) { m.mutable_requirements()->set_memory_mb((1 << 24) + 1); }},
      },
      kTranslate);
}

TEST(Translate, AcquireIsBounded) {
  using M = v1::AcquireRequest;
  M good;
  good.set_session(5);
  good.set_want_slots(1);
  for (uint64_t run = 1; run <= 1000; ++run) good.add_known_runs(run);
  EXPECT_EQ(FromWire(good)->known_runs.size(), 1000u);
  ExpectRefused<M>(good,
                   {
                       {"want_slots", [](M& m) { m.set_want_slots(0); }},
                       {"want_slots", [](M& m) { m.set_want_slots(1025); }},
                       {"known_runs", [](M& m) { m.add_known_runs(1); }},
                   },
                   kTranslate);
}

v1::SubmitRequest GoodSubmit() {
  v1::SubmitRequest request;
  request.set_session(3);
  request.set_epoch("0123abcd");
  v1::Game& game = *request.add_games();
  game.set_run(1);
  game.set_lease(2);
  game.set_slot(3);
  game.set_moves(std::string("\x01\x02\x03\x84", 4));
  game.set_termination(v1::TERMINATION_RESIGN);
  game.set_result(v1::RESULT_SECOND_WINS);
  game.set_nodes(99);
  game.set_think_ms(12);
  game.set_scores(std::string("\x2c\x01\x00\x80", 4));
  return request;
}

TEST(Translate, SubmitCarriesEveryField) {
  const absl::StatusOr<SubmitInput> input = FromWire(GoodSubmit());
  ASSERT_TRUE(input.ok());
  EXPECT_EQ(input->work.session, 3u);
  EXPECT_EQ(input->epoch, "0123abcd");
  ASSERT_EQ(input->games.size(), 1u);
  const SubmittedGame& game = input->games[0];
  EXPECT_EQ(game.run, 1u);
  EXPECT_EQ(game.lease, 2u);
  EXPECT_EQ(game.slot, 3u);
  EXPECT_EQ(game.moves, (std::vector<Move>{Move(0x0201), Move(0x8403)}));
  EXPECT_EQ(game.claim, (Ending{Result::kSecondWins, Termination::kResign}));
  EXPECT_EQ(game.nodes, 99u);
  EXPECT_EQ(game.think_ms, 12u);
  EXPECT_EQ(game.scores, (std::vector<int16_t>{300, kNoScore}));
}

TEST(Translate, SubmitIsBounded) {
  using M = v1::SubmitRequest;
  const auto game = [](M& m) { return m.mutable_games(0); };
  ExpectRefused<M>(
      GoodSubmit(),
      {
          {"epoch", [](M& m) { m.set_epoch(std::string(65, 'a')); }},
          {"games",
           [](M& m) {
             const v1::Game one = m.games(0);
             while (m.games_size() <= 512) *m.add_games() = one;
           }},
          {"games",
           [](M& m) {
             v1::Game one = m.games(0);
             one.set_moves(std::string(4000, '\0'));
             while (m.games_size() < 300) *m.add_games() = one;
           }},
          {"games[0].moves", [=](M& m) { game(m)->set_moves("abc"); }},
          {"games[0].moves", [=](M& m) { game(m)->set_moves(std::string(4002, '\0')); }},
          {"games[0].scores", [=](M& m) { game(m)->set_scores("abc"); }},
          {"games[0].scores", [=](M& m) { game(m)->set_scores("abcdef"); }},
          {"games[0].termination",
           [=](M& m) { game(m)->set_termination(v1::TERMINATION_UNSPECIFIED); }},
          {"games[0].termination",
           [=](M& m) { game(m)->set_termination(static_cast<v1::Termination>(9)); }},
          {"games[0].result", [=](M& m) { game(m)->set_result(static_cast<v1::Result>(4)); }},
          {"games[0].result", [=](M& m) { game(m)->set_result(v1::RESULT_UNSPECIFIED); }},
          {"games[0].fault", [=](M& m) { game(m)->set_fault(std::string(501, 'f')); }},
      },
      kTranslate);
}

TEST(Translate, AFaultNeedsNoResult) {
  v1::SubmitRequest request = GoodSubmit();
  request.mutable_games(0)->set_termination(v1::TERMINATION_CRASH);
  request.mutable_games(0)->set_result(v1::RESULT_UNSPECIFIED);
  request.mutable_games(0)->set_fault("the engine ended with signal 11");
  const absl::StatusOr<SubmitInput> input = FromWire(request);
  ASSERT_TRUE(input.ok());
  EXPECT_EQ(input->games[0].claim.termination, Termination::kCrash);
  EXPECT_EQ(input->games[0].fault, "the engine ended with signal 11");
}

TEST(Translate, BeatAndLeaveAreBounded) {
  v1::BeatRequest beat;
  for (int i = 0; i < 1024; ++i) beat.add_leases()->set_plies(7);
  EXPECT_EQ(FromWire(beat)->at(1023).plies, 7u);
  ExpectRefused<v1::BeatRequest>(beat, {{"leases", [](v1::BeatRequest& m) { m.add_leases(); }}},
                                 kTranslate);
  v1::LeaveRequest leave;
  leave.add_unplayed()->set_slot(4095);
  EXPECT_EQ(FromWire(leave)->at(0).slot, 4095u);
  ExpectRefused<v1::LeaveRequest>(
      leave,
      {{"unplayed[0].slot", [](v1::LeaveRequest& m) { m.mutable_unplayed(0)->set_slot(4096); }},
       {"unplayed",
        [](v1::LeaveRequest& m) {
          while (m.unplayed_size() <= 65536) m.add_unplayed();
        }}},
      kTranslate);
}

RunSpec SomeSpec() {
  RunSpec spec;
  spec.name = "night";
  spec.play.engine_signature = 4711;
  spec.play.engine_options = {{"hash_mb", "8"}};
  spec.play.nodes = 300;
  spec.play.resign = {.below = 900, .moves = 4, .play_on_percent = 10};
  spec.play.keep_scores = true;
  spec.play.engine_name = "Some Engine 3";
  spec.play.weights_sha256 = std::string(64, 'a');
  spec.play.jitter_percent = 10;
  spec.play.match = {
      .max_plies = 256, .declaration = Declaration::k24, .repetition = RepetitionRule::kDraw};
  spec.play.re_entry = true;
  spec.play.re_entry_games = 700;
  spec.policy = "epsilon-greedy";
  spec.policy_options = {{"epsilon", "0.1"}};
  spec.games = 1000;
  spec.seconds = 3600;
  spec.deviation = 0.25;
  spec.seed = 9;
  spec.max_book_plies = 40;
  spec.verify_percent = 12.5;
  spec.stop = {
      .settling = {.error = 0.04, .margin = 0.03}, .least_gain = 0.002, .least_change = 0.1};
  spec.start = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
  return spec;
}

TEST(Translate, RunSpecComesBack) {
  const absl::StatusOr<RunSpec> back = FromWire(ToWire(SomeSpec()));
  ASSERT_TRUE(back.ok()) << back.status();
  EXPECT_EQ(ToWire(*back).SerializeAsString(), ToWire(SomeSpec()).SerializeAsString());
  EXPECT_EQ(back->play.match.declaration, Declaration::k24);
  EXPECT_EQ(back->play.match.repetition, RepetitionRule::kDraw);
  EXPECT_EQ(back->play.match.max_plies, 256);
  EXPECT_TRUE(back->play.re_entry);
  EXPECT_EQ(back->play.re_entry_games, 700u);
  EXPECT_EQ(back->play.resign, SomeSpec().play.resign);
  EXPECT_EQ(back->play.engine_name, "Some Engine 3");
  EXPECT_EQ(back->play.weights_sha256, std::string(64, 'a'));
  EXPECT_EQ(back->policy_options, SomeSpec().policy_options);
  EXPECT_EQ(back->verify_percent, 12.5);
  EXPECT_EQ(back->stop, SomeSpec().stop);
  v1::RunSpec without_start = ToWire(SomeSpec());
  without_start.clear_start();
  EXPECT_EQ(FromWire(without_start)->start, "startpos");
  v1::RunSpec unverified = ToWire(SomeSpec());
  unverified.set_verify_percent(0);
  EXPECT_EQ(FromWire(unverified)->verify_percent, 0);
  unverified.clear_verify_percent();
  EXPECT_EQ(FromWire(unverified)->verify_percent, 1.5) << "unless it says otherwise";
}

TEST(Translate, ARunMayLimitMovesByTime) {
  RunSpec spec = SomeSpec();
  spec.play.nodes = 0;
  spec.play.move_ms = 600'000;
  const absl::StatusOr<RunSpec> back = FromWire(ToWire(spec));
  ASSERT_TRUE(back.ok()) << back.status();
  EXPECT_EQ(back->play.move_ms, 600'000u);
  EXPECT_EQ(back->play.nodes, 0u);
}

TEST(Translate, RunSpecIsBounded) {
  using M = v1::RunSpec;
  const auto play = [](M& m) { return m.mutable_play(); };
  ExpectRefused<M>(
      ToWire(SomeSpec()),
      {
          {"spec.name", [](M& m) { m.set_name(std::string(101, 'n')); }},
          {"spec.name", [](M& m) { m.set_name("a\tb"); }},
          {"spec.settle_error", [](M& m) { m.set_settle_error(0.6); }},
          {"spec.settle_margin", [](M& m) { m.set_settle_margin(std::nan("")); }},
          {"spec.stop_gain", [](M& m) { m.set_stop_gain(-0.1); }},
          {"spec.stop_change", [](M& m) { m.set_stop_change(2); }},
          {"spec.play", [](M& m) { m.clear_play(); }},
          {"spec.policy", [](M& m) { m.clear_policy(); }},
          {"spec.play.game", [=](M& m) { play(m)->clear_game(); }},
          {"spec.play.engine_id", [=](M& m) { play(m)->set_engine_id("/bin/sh"); }},
          {"spec.play.engine_options",
           [=](M& m) {
             for (int i = 0; i < 100; ++i) {
               (*play(m)->mutable_engine_options())[std::to_string(i)] = "v";
             }
           }},
          {"spec.play.engine_options['hash_mb']",
           [=](M& m) { (*play(m)->mutable_engine_options())["hash_mb"] = std::string(1001, '1'); }},
          {"spec.play.nodes", [=](M& m) { play(m)->set_nodes(0); }},
          {"spec.play.re_entry_games", [=](M& m) { play(m)->set_re_entry_games(0); }},
          {"spec.play.re_entry_games", [=](M& m) { play(m)->set_re_entry(false); }},
          {"spec.play.snapshot", [=](M& m) { play(m)->set_snapshot(std::string(32, 's')); }},
          {"spec.play.nodes", [=](M& m) { play(m)->set_nodes(1'000'000'001); }},
          {"spec.play.nodes", [=](M& m) { play(m)->set_move_ms(100); }},
          {"spec.play.move_ms", [=](M& m) { play(m)->set_move_ms(600'001); }},
          {"spec.play.resign_below", [=](M& m) { play(m)->set_resign_below(32'001); }},
          {"spec.play.resign_moves", [=](M& m) { play(m)->set_resign_moves(0); }},
          {"spec.play.resign_moves", [=](M& m) { play(m)->set_resign_moves(101); }},
          {"spec.play.resign_moves", [=](M& m) { play(m)->set_resign_below(0); }},
          {"spec.play.play_on_percent", [=](M& m) { play(m)->set_play_on_percent(101); }},
          {"spec.play.keep_scores", [=](M& m) { play(m)->set_keep_scores(false); }},
          {"spec.play.engine_name", [=](M& m) { play(m)->set_engine_name("a\nb"); }},
          {"spec.play.weights_sha256", [=](M& m) { play(m)->set_weights_sha256("A"); }},
          {"spec.play.jitter_percent", [=](M& m) { play(m)->set_jitter_percent(91); }},
          {"spec.play.max_plies", [=](M& m) { play(m)->set_max_plies(0); }},
          {"spec.play.max_plies", [=](M& m) { play(m)->set_max_plies(2001); }},
          {"spec.play.declaration",
           [=](M& m) { play(m)->set_declaration(static_cast<v1::Declaration>(3)); }},
          {"spec.play.repetition",
           [=](M& m) { play(m)->set_repetition(static_cast<v1::RepetitionRule>(3)); }},
          {"spec.policy.name", [](M& m) { m.mutable_policy()->clear_name(); }},
          {"spec.policy.options['epsilon']",
           [](M& m) { (*m.mutable_policy()->mutable_options())["epsilon"] = "0\n1"; }},
          {"spec.games", [](M& m) { m.set_games(1'000'000'000'001); }},
          {"spec.seconds", [](M& m) { m.set_seconds(1'000'000'001); }},
          {"spec.deviation", [](M& m) { m.set_deviation(1.01); }},
          {"spec.deviation", [](M& m) { m.set_deviation(-0.1); }},
          {"spec.deviation", [](M& m) { m.set_deviation(std::nan("")); }},
          {"spec.max_book_plies", [](M& m) { m.set_max_book_plies(501); }},
          {"spec.start", [](M& m) { m.set_start(std::string(201, '9')); }},
          {"spec.verify_percent", [](M& m) { m.set_verify_percent(100.5); }},
          {"spec.verify_percent", [](M& m) { m.set_verify_percent(std::nan("")); }},
      },
      kTranslate);
}

TEST(Translate, RequestsWithoutTranslationAreBounded) {
  v1::CreateRunRequest create;
  create.mutable_spec();
  ExpectRefused<v1::CreateRunRequest>(
      create,
      {{"spec", [](auto& m) { m.clear_spec(); }},
       {"request_id", [](auto& m) { m.set_request_id(std::string(101, 'i')); }}},
      kCheck);
  v1::RunRequest run;
  run.set_run(1);
  ExpectRefused<v1::RunRequest>(run, {{"run", [](auto& m) { m.clear_run(); }}}, kCheck);
  v1::ExtendRunRequest extend;
  extend.set_run(1);
  extend.set_games(1'000'000'000'000);
  extend.set_seconds(1'000'000'000);
  extend.set_same_book(true);
  extend.set_request_id("id");
  EXPECT_EQ(FromWire(extend)->games, 1'000'000'000'000u);
  EXPECT_EQ(FromWire(extend)->seconds, 1'000'000'000u);
  EXPECT_TRUE(FromWire(extend)->same_book);
  EXPECT_EQ(FromWire(extend)->request_id, "id");
  ExpectRefused<v1::ExtendRunRequest>(
      extend,
      {{"run", [](auto& m) { m.clear_run(); }},
       {"games", [](auto& m) { m.set_games(1'000'000'000'001); }},
       {"games",
        [](auto& m) {
          m.clear_games();
          m.clear_seconds();
        }},
       {"seconds", [](auto& m) { m.set_seconds(1'000'000'001); }},
       {"request_id", [](auto& m) { m.set_request_id(std::string(101, 'r')); }}},
      kTranslate);
  v1::BlockWorkerRequest block;
  block.set_worker("w1");
  ExpectRefused<v1::BlockWorkerRequest>(
      block,
      {{"worker", [](auto& m) { m.clear_worker(); }},
       {"worker", [](auto& m) { m.set_worker("a b"); }},
       {"reason", [](auto& m) { m.set_reason(std::string(201, 'r')); }}},
      kCheck);
  v1::UnblockWorkerRequest unblock;
  unblock.set_worker("w1");
  ExpectRefused<v1::UnblockWorkerRequest>(unblock, {{"worker", [](auto& m) { m.clear_worker(); }}},
                                          kCheck);
  ExpectRefused<v1::DrainRequest>({}, {{"worker", [](auto& m) { m.set_worker("a b"); }}}, kCheck);
  v1::WatchStatusRequest watch;
  watch.set_interval_ms(200);
  ExpectRefused<v1::WatchStatusRequest>(
      watch,
      {{"interval_ms", [](auto& m) { m.set_interval_ms(199); }},
       {"interval_ms", [](auto& m) { m.set_interval_ms(60001); }}},
      kCheck);
  ExpectRefused<v1::GetPositionRequest>(
      {}, {{"position", [](auto& m) { m.set_position(std::string(201, 'p')); }}}, kCheck);
  v1::ListGamesRequest list;
  list.set_run(1);
  ExpectRefused<v1::ListGamesRequest>(
      list,
      {{"run", [](auto& m) { m.clear_run(); }},
       {"after_commit_seq", [](auto& m) { m.set_after_commit_seq(uint64_t{1} << 63); }},
       {"limit", [](auto& m) { m.set_limit(100001); }}},
      kCheck);
  ExpectRefused<v1::ImportRequest>({},
                                   {{"file_name", [](auto& m) { m.set_file_name("a\nb"); }},
                                    {"plies", [](auto& m) { m.set_plies(2001); }}},
                                   [](const v1::ImportRequest& m) { return CheckImportHeader(m); });
}

TEST(Translate, AnswersCarryEveryField) {
  const v1::JoinResponse join =
      ToWire(JoinOutput{.session = 4, .epoch = "e", .beat = absl::Milliseconds(100), .wait = {}});
  EXPECT_EQ(join.session(), 4u);
  EXPECT_EQ(join.beat_seconds(), 1u) << "rounded up";

  AcquireOutput output;
  output.leases.push_back({.lease = 8,
                           .run = 2,
                           .term = absl::Seconds(90),
                           .slots = {{.slot = 1,
                                      .start = "startpos",
                                      .line = {Move(0x1234)},
                                      .excluded = {Move(1), Move(2)},
                                      .seed = 6,
                                      .weights_version = 3}}});
  output.runs[2] = SomeSpec().play;
  output.runs[2].snapshot = std::string(32, 's');
  output.retry = absl::Milliseconds(250);
  output.drain = true;
  const v1::AcquireResponse acquire = ToWire(output);
  ASSERT_EQ(acquire.leases_size(), 1);
  EXPECT_EQ(acquire.leases(0).seconds(), 90u);
  EXPECT_EQ(acquire.leases(0).slots(0).line(), std::string("\x34\x12", 2));
  EXPECT_EQ(acquire.leases(0).slots(0).excluded(), std::string("\1\0\2\0", 4));
  EXPECT_EQ(acquire.leases(0).slots(0).seed(), 6u);
  EXPECT_EQ(acquire.leases(0).slots(0).weights_version(), 3u);
  EXPECT_TRUE(acquire.runs(0).play().re_entry());
  EXPECT_EQ(acquire.runs(0).play().snapshot(), std::string(32, 's'));
  EXPECT_EQ(acquire.runs(0).run(), 2u);
  EXPECT_EQ(acquire.runs(0).play().nodes(), 300u);
  EXPECT_EQ(acquire.retry_ms(), 250u);
  EXPECT_TRUE(acquire.drain());

  const v1::SubmitResponse submit = ToWire(SubmitOutput{
      .verdicts = {{.lease = 1, .slot = 2, .verdict = Verdict::kConflict, .reason = "why"}}});
  EXPECT_EQ(submit.verdicts(0).verdict(), v1::VERDICT_CONFLICT);
  EXPECT_EQ(submit.verdicts(0).reason(), "why");

  PositionEvidence position{.position = "9-12 b 1", .moves = {}, .commit_seq = 5};
  position.moves.push_back({.move = Move::Board(0, 2),
                            .weight = 1.5,
                            .evidence = {.wins = 3, .draws = 1, .losses = 2, .repeats = 4},
                            .score_low = 0.2,
                            .score_high = 0.8,
                            .base_weight = -7,
                            .in_flight = 1,
                            .answer = true,
                            .origin = "search",
                            .decided_by = "trials"});
  const v1::PositionEvidence wire = ToWire(position, joseki::testing::ToyRules());
  EXPECT_EQ(wire.commit_seq(), 5u);
  EXPECT_EQ(wire.moves(0).move(), "a2");
  EXPECT_EQ(wire.moves(0).wins(), 3u);
  EXPECT_EQ(wire.moves(0).repeats(), 4u);
  EXPECT_EQ(wire.moves(0).prior(), -7);
  EXPECT_TRUE(wire.moves(0).answer());
  EXPECT_EQ(wire.moves(0).origin(), "search");
  EXPECT_EQ(wire.moves(0).decided_by(), "trials");
}

TEST(Translate, StatusCarriesCounters) {
  ClusterStatus status;
  RunStatus& run = status.runs.emplace_back();
  run.run = 3;
  run.spec = SomeSpec();
  run.reason = "disk full";
  run.terminations[Termination::kPerpetualCheck] = 12;
  run.games_done = 40;
  run.resign_checked = 30;
  run.resign_wrong = 2;
  run.last_fault = "ply 3: engine_ended";
  run.quarantined = 2;
  run.games_excluded = 33;
  run.gain_left = 0.25;
  run.line_searches = {.games = 7, .off = "the engine gives no scores"};
  run.line_searches->calibration = {.games = 300, .slope = 0.9, .low = 0.7, .high = 1.1};
  run.line_searches->trials_off = "a reason";
  run.resting_lines = 1;
  run.resting = {{joseki::testing::ToyMoves("a1 b1"), 4}};
  WorkerStatus& worker = status.workers.emplace_back();
  worker.last_seen = absl::Milliseconds(1500);
  worker.reason = "its games are others";
  worker.residuals.z = -4.5;
  const v1::Status wire = ToWire(status, joseki::testing::ToyRules());
  EXPECT_EQ(wire.runs(0).games_target(), 1000u);
  run.spec.games = 0;
  run.spec.match.emplace().pairs = 30;
  EXPECT_EQ(ToWire(status, joseki::testing::ToyRules()).runs(0).games_target(), 60u);
  EXPECT_EQ(wire.runs(0).games_done(), 40u);
  EXPECT_EQ(wire.runs(0).resign_checked(), 30u);
  EXPECT_EQ(wire.runs(0).resign_wrong(), 2u);
  EXPECT_EQ(wire.runs(0).reason(), "disk full");
  EXPECT_EQ(wire.runs(0).terminations().at("perpetual_check"), 12u);
  EXPECT_EQ(wire.runs(0).last_fault(), "ply 3: engine_ended");
  EXPECT_EQ(wire.runs(0).quarantined(), 2u);
  EXPECT_EQ(wire.runs(0).games_excluded(), 33u);
  EXPECT_EQ(wire.runs(0).gain_left(), 0.25);
  EXPECT_FALSE(wire.runs(0).has_answers_changed());
  EXPECT_EQ(wire.runs(0).line_searches().off(), "the engine gives no scores");
  EXPECT_EQ(wire.runs(0).line_searches().calibration().games(), 300u);
  EXPECT_EQ(wire.runs(0).line_searches().calibration().high(), 1.1);
  EXPECT_EQ(wire.runs(0).line_searches().trials_off(), "a reason");
  EXPECT_EQ(wire.runs(0).resting_lines(), 1u);
  EXPECT_EQ(wire.runs(0).resting(0).line(), "a1 b1");
  EXPECT_EQ(wire.runs(0).resting(0).draws(), 4u);
  EXPECT_DOUBLE_EQ(wire.workers(0).last_seen_seconds(), 1.5);
  EXPECT_EQ(wire.workers(0).reason(), "its games are others");
  EXPECT_EQ(wire.workers(0).residuals().z(), -4.5);
}

}  // namespace
}  // namespace joseki::coordinator
