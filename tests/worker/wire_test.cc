#include "worker/wire.h"

#include <functional>
#include <utility>

#include "base/problem.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace joseki::worker {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

v1::AcquireResponse GoodWork() {
  v1::AcquireResponse response;
  v1::Lease& lease = *response.add_leases();
  lease.set_lease(5);
  lease.set_run(2);
  lease.set_seconds(90);
  v1::Slot& slot = *lease.add_slots();
  slot.set_slot(3);
  slot.set_start("startpos");
  slot.set_line(std::string("\x01\x02\xff\xfe", 4));
  slot.set_excluded(std::string("\x03\x00", 2));
  slot.set_seed(99);
  v1::RunPlay& run = *response.add_runs();
  run.set_run(2);
  run.mutable_play()->set_game("shogi");
  run.mutable_play()->set_engine_id("embedded");
  run.mutable_play()->set_nodes(60);
  run.mutable_play()->set_jitter_percent(20);
  run.mutable_play()->set_max_plies(300);
  run.mutable_play()->set_declaration(v1::DECLARATION_24);
  (*run.mutable_play()->mutable_engine_options())["hash_mb"] = "4";
  run.mutable_play()->set_resign_below(900);
  run.mutable_play()->set_resign_moves(4);
  run.mutable_play()->set_play_on_percent(10);
  run.mutable_play()->set_keep_scores(true);
  response.set_retry_ms(250);
  return response;
}

TEST(Wire, ReadsWork) {
  const auto work = FromWire(GoodWork());
  ASSERT_TRUE(work.ok()) << work.status();
  ASSERT_THAT(work->leases, SizeIs(1));
  const Lease& lease = work->leases[0];
  EXPECT_EQ(lease.lease, 5u);
  EXPECT_EQ(lease.run, 2u);
  ASSERT_THAT(lease.slots, SizeIs(1));
  EXPECT_EQ(lease.slots[0].slot, 3u);
  EXPECT_THAT(lease.slots[0].line, ElementsAre(Move(0x0201), Move(0xfeff)));
  EXPECT_THAT(lease.slots[0].excluded, ElementsAre(Move(3)));
  EXPECT_EQ(lease.slots[0].seed, 99u);
  const PlaySpec& play = work->runs.at(2);
  EXPECT_EQ(play.nodes, 60u);
  EXPECT_EQ(play.match.max_plies, 300);
  EXPECT_EQ(play.match.declaration, Declaration::k24);
  EXPECT_EQ(play.engine_options.at("hash_mb"), "4");
  EXPECT_EQ(play.resign, (ResignRule{.below = 900, .moves = 4, .play_on_percent = 10}));
  EXPECT_TRUE(play.keep_scores);
  EXPECT_EQ(work->retry, absl::Milliseconds(250));
  EXPECT_FALSE(work->drain);
}

TEST(Wire, RefusesWorkOutOfItsBounds) {
  const std::pair<std::string, std::function<void(v1::AcquireResponse&)>> cases[] = {
      {"line", [](auto& r) { r.mutable_leases(0)->mutable_slots(0)->set_line("abc"); }},
      {"line",
       [](auto& r) { r.mutable_leases(0)->mutable_slots(0)->set_line(std::string(1002, 'a')); }},
      {"excluded",
       [](auto& r) {
         r.mutable_leases(0)->mutable_slots(0)->set_excluded(std::string(1282, 'a'));
       }},
      {"nodes", [](auto& r) { r.mutable_runs(0)->mutable_play()->set_nodes(0); }},
      {"nodes", [](auto& r) { r.mutable_runs(0)->mutable_play()->set_nodes(1'000'000'001); }},
      {"nodes", [](auto& r) { r.mutable_runs(0)->mutable_play()->set_move_ms(5); }},
      {"move_ms", [](auto& r) { r.mutable_runs(0)->mutable_play()->set_move_ms(600'001); }},
      {"resign_below",
       [](auto& r) { r.mutable_runs(0)->mutable_play()->set_resign_below(32'001); }},
      {"resign_moves", [](auto& r) { r.mutable_runs(0)->mutable_play()->set_resign_moves(0); }},
      {"play_on_percent",
       [](auto& r) { r.mutable_runs(0)->mutable_play()->set_play_on_percent(101); }},
      {"jitter_percent",
       [](auto& r) { r.mutable_runs(0)->mutable_play()->set_jitter_percent(91); }},
      {"max_plies", [](auto& r) { r.mutable_runs(0)->mutable_play()->set_max_plies(0); }},
      {"max_plies", [](auto& r) { r.mutable_runs(0)->mutable_play()->set_max_plies(2001); }},
      {"declaration",
       [](auto& r) {
         r.mutable_runs(0)->mutable_play()->set_declaration(static_cast<v1::Declaration>(7));
       }},
      {"slots",
       [](auto& r) {
         for (int i = 0; i < 1024; ++i) r.mutable_leases(0)->add_slots();
       }},
  };
  for (const auto& [field, spoil] : cases) {
    v1::AcquireResponse response = GoodWork();
    spoil(response);
    const auto work = FromWire(response);
    ASSERT_FALSE(work.ok()) << field;
    EXPECT_EQ(ProblemOf(work.status()).code, "bad_answer");
    EXPECT_EQ(ProblemOf(work.status()).file, field);
  }
}

TEST(Wire, WritesAGame) {
  FinishedGame game;
  game.run = 2;
  game.lease = 5;
  game.slot = 3;
  game.moves = {Move(0x0201), Move(0xfeff)};
  game.ending = {Result::kNone, Termination::kCrash};
  game.nodes = 77;
  game.think_ms = 8;
  game.scores = {300, kNoScore};
  game.fault = "odd \xff\n bytes" + std::string(600, 'x');
  const std::vector<FinishedGame> games{game};
  const v1::SubmitRequest request = ToWire(9, {"epoch", games, {}});
  EXPECT_EQ(request.session(), 9u);
  EXPECT_EQ(request.epoch(), "epoch");
  ASSERT_EQ(request.games_size(), 1);
  const v1::Game& wire = request.games(0);
  EXPECT_EQ(wire.lease(), 5u);
  EXPECT_EQ(wire.slot(), 3u);
  EXPECT_EQ(wire.moves(), std::string("\x01\x02\xff\xfe", 4));
  EXPECT_EQ(wire.scores(), std::string("\x2c\x01\x00\x80", 4));
  EXPECT_EQ(wire.termination(), v1::TERMINATION_CRASH);
  EXPECT_EQ(wire.result(), v1::RESULT_UNSPECIFIED);
  EXPECT_EQ(wire.fault().substr(0, 12), "odd ?? bytes");
  EXPECT_EQ(wire.fault().size(), 500u);
  std::string bytes;
  EXPECT_TRUE(request.SerializeToString(&bytes));
}

TEST(Wire, ReadsASession) {
  v1::JoinResponse response;
  EXPECT_FALSE(FromWire(response).ok());
  response.set_session(4);
  EXPECT_FALSE(FromWire(response).ok());
  response.set_epoch("ab12");
  response.set_beat_seconds(0);
  response.set_wait_seconds(4'000'000'000);
  const auto session = FromWire(response);
  ASSERT_TRUE(session.ok());
  EXPECT_EQ(session->beat, absl::Seconds(1));
  EXPECT_EQ(session->wait, absl::Seconds(600));
}

TEST(Wire, ReadsVerdicts) {
  v1::SubmitResponse response;
  v1::GameVerdict& verdict = *response.add_verdicts();
  verdict.set_lease(5);
  verdict.set_slot(3);
  verdict.set_verdict(v1::VERDICT_STALE_ACCEPTED);
  const auto output = FromWire(response);
  ASSERT_TRUE(output.ok());
  EXPECT_EQ(output->verdicts[0].verdict, Verdict::kStaleAccepted);
  EXPECT_FALSE(output->work.has_value());
  verdict.set_verdict(v1::VERDICT_UNSPECIFIED);
  EXPECT_FALSE(FromWire(response).ok());
  verdict.set_verdict(static_cast<v1::Verdict>(6));
  EXPECT_FALSE(FromWire(response).ok());
}

TEST(Wire, WritesTheOtherRequests) {
  const v1::JoinRequest join = ToWire(JoinInput{
      .worker = "w", .seats = 4, .engines = {{"embedded", "e", 12, "", "b"}}, .build = "b"});
  EXPECT_EQ(join.protocol(), kProtocol);
  EXPECT_EQ(join.engines(0).signature(), 12u);
  const v1::AcquireRequest acquire = ToWire(1, AcquireInput{.want_slots = 3, .known_runs = {8}});
  EXPECT_EQ(acquire.want_slots(), 3u);
  EXPECT_THAT(acquire.known_runs(), ElementsAre(8u));
  const std::vector<LeaseProgress> progress{{5, 60}};
  EXPECT_EQ(ToWire(1, BeatInput{.leases = progress, .cost = {}}).leases(0).plies(), 60u);
  const std::vector<SlotRef> unplayed{{5, 2}};
  EXPECT_EQ(ToWire(1, unplayed).unplayed(0).slot(), 2u);
  v1::BeatResponse beat;
  beat.add_cancelled(7);
  EXPECT_THAT(FromWire(beat).cancelled, ElementsAre(7u));
  EXPECT_THAT(FromWire(v1::BeatResponse()).cancelled, IsEmpty());
}

}  // namespace
}  // namespace joseki::worker
