// Tests that both ends of the wire understand each other. Coordinator and worker have message types
// of their own (docs/reference/decisions.md says why). They are compared here, with a non-default
// value in every field.

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "coordinator/model/run_spec.h"
#include "coordinator/model/spec_fields.h"
#include "coordinator/services/from_wire.h"
#include "coordinator/services/to_wire.h"
#include "gtest/gtest.h"
#include "tests/support/field_filler.h"
#include "worker/wire.h"

namespace joseki {
namespace {

// Expects every field of a message to be set, including nested ones. A new field fails this test
// until both ends know it.
template <typename Message>
void ExpectFull(const Message& message, const std::set<std::string>& but = {}) {
  const auto* const descriptor = message.GetDescriptor();
  const auto* const reflection = message.GetReflection();
  for (int i = 0; i < descriptor->field_count(); ++i) {
    const auto* const field = descriptor->field(i);
    if (but.count(field->name()) != 0) continue;
    const bool set = field->is_repeated() ? reflection->FieldSize(message, field) > 0
                                          : reflection->HasField(message, field);
    EXPECT_TRUE(set) << field->full_name() << " goes over the wire untested";
  }
}

worker::EngineIdentity Engine() {
  worker::EngineIdentity engine;
  engine.id = "gps";
  engine.name = "GPSfish";
  engine.signature = 77;
  engine.weights_sha256 = std::string(64, 'a');
  engine.build = "clang";
  engine.game = "xiangqi";
  return engine;
}

TEST(BothEnds, Join) {
  worker::JoinInput said;
  said.worker = "node-1";
  said.seats = 3;
  said.engines = {Engine()};
  said.build = "g++";
  said.process = 9;
  said.instance = 11;
  said.labels = {{"room", "b"}};
  said.memory_mb = 2000;
  said.cores = 2;
  const v1::JoinRequest wire = worker::ToWire(said);
  ExpectFull(wire);
  ExpectFull(wire.engines(0));
  const auto heard = coordinator::FromWire(wire);
  ASSERT_TRUE(heard.ok()) << heard.status();
  EXPECT_EQ(heard->worker, said.worker);
  EXPECT_EQ(heard->protocol, coordinator::kProtocol);
  EXPECT_EQ(heard->protocol, worker::kProtocol);
  EXPECT_EQ(heard->seats, said.seats);
  EXPECT_EQ(heard->build, said.build);
  EXPECT_EQ(heard->process, said.process);
  EXPECT_EQ(heard->instance, said.instance);
  EXPECT_EQ(heard->labels, said.labels);
  EXPECT_EQ(heard->memory_mb, said.memory_mb);
  EXPECT_EQ(heard->cores, said.cores);
  EXPECT_TRUE(heard->kinds.Has(coordinator::SlotKind::kGame));
  EXPECT_TRUE(heard->kinds.Has(coordinator::SlotKind::kEvaluation));
  ASSERT_EQ(heard->engines.size(), 1u);
  EXPECT_EQ(heard->engines[0].id, said.engines[0].id);
  EXPECT_EQ(heard->engines[0].name, said.engines[0].name);
  EXPECT_EQ(heard->engines[0].signature, said.engines[0].signature);
  EXPECT_EQ(heard->engines[0].game, said.engines[0].game);
  EXPECT_EQ(heard->engines[0].weights_sha256, said.engines[0].weights_sha256);
  EXPECT_EQ(heard->engines[0].build, said.engines[0].build);

  // A worker that does not declare evaluations gets none; kinds of a later protocol are ignored.
  said.evaluates = false;
  v1::JoinRequest older = worker::ToWire(said);
  older.add_kinds(static_cast<v1::SlotKind>(15));
  EXPECT_FALSE(coordinator::FromWire(older)->kinds.Has(coordinator::SlotKind::kEvaluation));

  coordinator::JoinOutput answer;
  answer.session = 5;
  answer.epoch = "e";
  answer.beat = absl::Seconds(15);
  answer.wait = absl::Seconds(30);
  answer.spread = absl::Milliseconds(250);
  const v1::JoinResponse back = coordinator::ToWire(answer);
  ExpectFull(back);
  const auto understood = worker::FromWire(back);
  ASSERT_TRUE(understood.ok()) << understood.status();
  EXPECT_EQ(understood->session, answer.session);
  EXPECT_EQ(understood->epoch, answer.epoch);
  EXPECT_EQ(understood->beat, answer.beat);
  EXPECT_EQ(understood->wait, answer.wait);
  EXPECT_EQ(understood->spread, answer.spread);
}

coordinator::AcquireOutput Work() {
  coordinator::Slot slot;
  slot.slot = 4;
  slot.start = "startpos";
  slot.line = {Move(300), Move(301)};
  slot.excluded = {Move(302)};
  slot.seed = 99;
  slot.weights_version = 6;
  slot.own = Color::kSecond;
  slot.kind = coordinator::SlotKind::kEvaluation;
  slot.nodes = 40000;
  coordinator::AcquireOutput work;
  coordinator::Slot reply = slot;
  reply.kind = coordinator::SlotKind::kReply;
  reply.nodes = 4000;
  reply.searched_from = 1;
  coordinator::Slot trial = slot;
  trial.kind = coordinator::SlotKind::kTrial;
  trial.nodes = 0;
  trial.plies = 40;
  work.leases = {{.lease = 8, .run = 2, .term = absl::Seconds(90), .slots = {slot, reply, trial}}};
  work.runs[2] = testing::Filled<book::PlaySpec>();
  work.retry = absl::Milliseconds(150);
  work.drain = true;
  work.ahead = 3;
  return work;
}

void ExpectSame(const worker::AcquireOutput& heard, const coordinator::AcquireOutput& said) {
  ASSERT_EQ(heard.leases.size(), 1u);
  EXPECT_EQ(heard.leases[0].lease, said.leases[0].lease);
  EXPECT_EQ(heard.leases[0].run, said.leases[0].run);
  ASSERT_EQ(heard.leases[0].slots.size(), said.leases[0].slots.size());
  for (size_t i = 0; i < said.leases[0].slots.size(); ++i) {
    const worker::Slot& slot = heard.leases[0].slots[i];
    const coordinator::Slot& told = said.leases[0].slots[i];
    EXPECT_EQ(slot.slot, told.slot);
    EXPECT_EQ(slot.start, told.start);
    EXPECT_EQ(slot.line, told.line);
    EXPECT_EQ(slot.excluded, told.excluded);
    EXPECT_EQ(slot.seed, told.seed);
    EXPECT_EQ(slot.weights_version, told.weights_version);
    EXPECT_EQ(slot.own, told.own);
    EXPECT_EQ(static_cast<int>(slot.kind), static_cast<int>(told.kind));
    EXPECT_EQ(slot.nodes, told.nodes);
    EXPECT_EQ(slot.searched_from, told.searched_from);
    EXPECT_EQ(slot.plies, told.plies);
  }
  ASSERT_EQ(heard.runs.count(2), 1u);
  EXPECT_EQ(heard.runs.at(2), said.runs.at(2));
  EXPECT_EQ(heard.retry, said.retry);
  EXPECT_EQ(heard.drain, said.drain);
  EXPECT_EQ(heard.ahead, said.ahead);
}

TEST(BothEnds, Acquire) {
  const worker::AcquireInput said{.want_slots = 12, .known_runs = {3, 4}, .after_lease = 17};
  const v1::AcquireRequest wire = worker::ToWire(5, said);
  ExpectFull(wire);
  const auto heard = coordinator::FromWire(wire);
  ASSERT_TRUE(heard.ok()) << heard.status();
  EXPECT_EQ(heard->session, 5u);
  EXPECT_EQ(heard->want_slots, said.want_slots);
  EXPECT_EQ(heard->known_runs, said.known_runs);
  EXPECT_EQ(heard->after_lease, said.after_lease);

  coordinator::AcquireOutput work = Work();
  const v1::AcquireResponse back = coordinator::ToWire(work);
  ExpectFull(back);
  ExpectFull(back.leases(0));
  ExpectFull(back.leases(0).slots(0), {"searched_from", "plies"});
  ExpectFull(back.leases(0).slots(1), {"plies"});
  ExpectFull(back.leases(0).slots(2), {"nodes", "searched_from"});
  ExpectFull(back.runs(0));
  ExpectFull(back.runs(0).play(), {"nodes"});  // move_ms stands in their place
  ExpectFull(back.runs(0).play().opponent(), {"nodes"});
  ExpectFull(back.runs(0).play().own_book());
  const auto understood = worker::FromWire(back);
  ASSERT_TRUE(understood.ok()) << understood.status();
  ExpectSame(*understood, work);

  work.runs[2].nodes = 400;
  work.runs[2].move_ms = 0;
  work.runs[2].opponent->nodes = 500;
  work.runs[2].opponent->move_ms = 0;
  work.leases[0].slots[0].own = Color::kFirst;
  const auto by_nodes = worker::FromWire(coordinator::ToWire(work));
  ASSERT_TRUE(by_nodes.ok()) << by_nodes.status();
  ExpectSame(*by_nodes, work);
}

// Said by an operator and heard by the coordinator, or the other way round.
TEST(BothEnds, Specification) {
  auto said = testing::Filled<coordinator::RunSpec>();
  said.play.snapshot.clear();
  const v1::RunSpec wire = coordinator::ToWire(said);
  ExpectFull(wire);
  ExpectFull(wire.play(), {"nodes", "snapshot"});
  ExpectFull(wire.policy());
  ExpectFull(wire.share());
  ExpectFull(wire.requirements());
  ExpectFull(wire.priors());
  ExpectFull(wire.match());
  ExpectFull(wire.taken_over());
  ExpectFull(wire.extension());
  const auto heard = coordinator::FromWire(wire);
  ASSERT_TRUE(heard.ok()) << heard.status();
  EXPECT_EQ(coordinator::SpecToJson(*heard), coordinator::SpecToJson(said));
}

TEST(BothEnds, Submit) {
  std::vector<worker::FinishedGame> games(2);
  games[0].run = 2;
  games[0].lease = 8;
  games[0].slot = 4;
  games[0].moves = {Move(300), Move(301), Move(302)};
  games[0].ending = {Result::kSecondWins, Termination::kResign};
  games[0].nodes = 5000;
  games[0].think_ms = 70;
  games[0].scores = {-25};
  games[0].depth = 14;
  games[0].used = {{{1, 2, 3, 4}, {5, 6, 7, uint64_t{1} << 53}}};
  games[1].run = 2;
  games[1].lease = 9;
  games[1].slot = 1;
  games[1].moves = {Move(300)};
  games[1].ending = {Result::kNone, Termination::kCrash};
  games[1].fault = "gone";
  const worker::SubmitInput said{
      .epoch = "e",
      .games = games,
      .work = {.want_slots = 12, .known_runs = {3, 4}, .after_lease = 17}};
  const v1::SubmitRequest wire = worker::ToWire(5, said);
  ExpectFull(wire);
  ExpectFull(wire.games(0), {"fault"});
  const auto heard = coordinator::FromWire(wire);
  ASSERT_TRUE(heard.ok()) << heard.status();
  EXPECT_EQ(heard->work.session, 5u);
  EXPECT_EQ(heard->epoch, said.epoch);
  EXPECT_EQ(heard->work.want_slots, said.work.want_slots);
  EXPECT_EQ(heard->work.known_runs, said.work.known_runs);
  EXPECT_EQ(heard->work.after_lease, said.work.after_lease);
  ASSERT_EQ(heard->games.size(), games.size());
  for (size_t i = 0; i < games.size(); ++i) {
    const coordinator::SubmittedGame& game = heard->games[i];
    EXPECT_EQ(game.run, games[i].run);
    EXPECT_EQ(game.lease, games[i].lease);
    EXPECT_EQ(game.slot, games[i].slot);
    EXPECT_EQ(game.moves, games[i].moves);
    EXPECT_EQ(game.claim, games[i].ending);
    EXPECT_EQ(game.nodes, games[i].nodes);
    EXPECT_EQ(game.think_ms, games[i].think_ms);
    EXPECT_EQ(game.fault, games[i].fault);
    EXPECT_EQ(game.scores, games[i].scores);
    EXPECT_EQ(game.depth, games[i].depth);
    EXPECT_EQ(game.used, games[i].used);
  }

  coordinator::SubmitOutput answer;
  answer.verdicts = {{8, 4, coordinator::Verdict::kStaleAccepted, "late"},
                     {9, 1, coordinator::Verdict::kRejected, "no such slot"}};
  answer.work = Work();
  const v1::SubmitResponse back = coordinator::ToWire(answer);
  ExpectFull(back);
  ExpectFull(back.verdicts(0));
  const auto understood = worker::FromWire(back);
  ASSERT_TRUE(understood.ok()) << understood.status();
  ASSERT_EQ(understood->verdicts.size(), answer.verdicts.size());
  for (size_t i = 0; i < answer.verdicts.size(); ++i) {
    EXPECT_EQ(understood->verdicts[i].lease, answer.verdicts[i].lease);
    EXPECT_EQ(understood->verdicts[i].slot, answer.verdicts[i].slot);
    EXPECT_EQ(static_cast<int>(understood->verdicts[i].verdict),
              static_cast<int>(answer.verdicts[i].verdict));
    EXPECT_EQ(understood->verdicts[i].reason, answer.verdicts[i].reason);
  }
  ASSERT_TRUE(understood->work);
  ExpectSame(*understood->work, *answer.work);
}

TEST(BothEnds, BeatAndLeave) {
  const std::vector<worker::LeaseProgress> progress = {{.lease = 8, .plies = 30}};
  const v1::BeatRequest beat = worker::ToWire(
      5, worker::BeatInput{progress, {absl::Milliseconds(1200), absl::Milliseconds(1100)}});
  ExpectFull(beat);
  ExpectFull(beat.leases(0));
  ExpectFull(beat.cost());
  const auto told = coordinator::FromWire(beat);
  ASSERT_TRUE(told.ok()) << told.status();
  ASSERT_EQ(told->size(), 1u);
  EXPECT_EQ(told->front().lease, 8u);
  EXPECT_EQ(told->front().plies, 30u);
  EXPECT_EQ(coordinator::CostFromWire(beat)->processor_ms, 1200u);
  EXPECT_EQ(coordinator::CostFromWire(beat)->search_ms, 1100u);

  const std::vector<worker::SlotRef> unplayed = {{.lease = 8, .slot = 4}, {.lease = 9, .slot = 1}};
  const auto left = coordinator::FromWire(worker::ToWire(5, unplayed));
  ASSERT_TRUE(left.ok()) << left.status();
  EXPECT_EQ(*left, (std::vector<coordinator::SlotRef>{{8, 4}, {9, 1}}));

  coordinator::BeatOutput answer;
  answer.cancelled = {8};
  answer.drain = true;
  answer.beat = absl::Seconds(20);
  answer.spread = absl::Milliseconds(300);
  const v1::BeatResponse back = coordinator::ToWire(answer);
  ExpectFull(back);
  const worker::BeatOutput understood = worker::FromWire(back);
  EXPECT_EQ(understood.cancelled, answer.cancelled);
  EXPECT_EQ(understood.drain, answer.drain);
  EXPECT_EQ(understood.beat, answer.beat);
  EXPECT_EQ(understood.spread, answer.spread);
}

}  // namespace
}  // namespace joseki
