// What one end of the wire says is what the other end understands. Coordinator and worker have each
// words of their own for it (docs/architecture.md says why); here they are held against each other,
// every field with a value that no default has.

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "coordinator/services/from_wire.h"
#include "coordinator/services/to_wire.h"
#include "gtest/gtest.h"
#include "worker/wire.h"

namespace joseki {
namespace {

// Every field of a message is set, nested ones too: whoever adds a field finds this test failing
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
  return engine;
}

TEST(BothEnds, Join) {
  worker::JoinInput said;
  said.worker = "node-1";
  said.slots = 3;
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
  EXPECT_EQ(heard->slots, said.slots);
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
  EXPECT_EQ(heard->engines[0].weights_sha256, said.engines[0].weights_sha256);
  EXPECT_EQ(heard->engines[0].build, said.engines[0].build);

  // Who does not say that it evaluates is not asked to; kinds of a later protocol are passed over.
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
  coordinator::PlaySpec play;
  play.engine_id = "gps";
  play.engine_signature = 77;
  play.engine_options = {{"Threads", "1"}};
  play.nodes = 1234;
  play.jitter_percent = 7;
  play.match.max_plies = 222;
  play.match.declaration = Declaration::k24;
  play.re_entry = true;
  play.re_entry_games = 10;
  play.snapshot = std::string(32, 's');
  play.resign.below = 900;
  play.resign.moves = 4;
  play.resign.play_on_percent = 12;
  play.keep_scores = true;
  play.engine_name = "GPSfish";
  play.weights_sha256 = std::string(64, 'a');
  coordinator::Opponent opponent;
  opponent.side = coordinator::Opponent::Side::kWhite;
  opponent.book = std::string(32, 'o');
  opponent.choice = book::PlayRules::Choice::kRange;
  opponent.range = 1.5;
  opponent.engine_id = "other";
  opponent.engine_signature = 78;
  opponent.engine_options = {{"Hash", "1"}};
  opponent.nodes = 99;
  opponent.engine_name = "Other 1";
  opponent.weights_sha256 = std::string(64, 'b');
  opponent.deviation = 0.25;
  opponent.max_book_plies = 40;
  play.opponent = opponent;
  play.own_book =
      coordinator::BookUse{std::string(32, 'w'), {book::PlayRules::Choice::kShare, 2.5, 0.125, 30}};
  coordinator::AcquireOutput work;
  work.leases = {{.lease = 8, .run = 2, .term = absl::Seconds(90), .slots = {slot}}};
  work.runs[2] = play;
  work.retry = absl::Milliseconds(150);
  work.drain = true;
  work.ahead = 3;
  return work;
}

void ExpectSame(const worker::AcquireOutput& heard, const coordinator::AcquireOutput& said) {
  ASSERT_EQ(heard.leases.size(), 1u);
  EXPECT_EQ(heard.leases[0].lease, said.leases[0].lease);
  EXPECT_EQ(heard.leases[0].run, said.leases[0].run);
  EXPECT_EQ(heard.leases[0].term, said.leases[0].term);
  ASSERT_EQ(heard.leases[0].slots.size(), 1u);
  const worker::Slot& slot = heard.leases[0].slots[0];
  const coordinator::Slot& told = said.leases[0].slots[0];
  EXPECT_EQ(slot.slot, told.slot);
  EXPECT_EQ(slot.start, told.start);
  EXPECT_EQ(slot.line, told.line);
  EXPECT_EQ(slot.excluded, told.excluded);
  EXPECT_EQ(slot.seed, told.seed);
  EXPECT_EQ(slot.weights_version, told.weights_version);
  EXPECT_EQ(slot.own, told.own);
  EXPECT_EQ(static_cast<int>(slot.kind), static_cast<int>(told.kind));
  EXPECT_EQ(slot.nodes, told.nodes);
  ASSERT_EQ(heard.runs.count(2), 1u);
  const worker::PlaySpec& play = heard.runs.at(2);
  const coordinator::PlaySpec& spec = said.runs.at(2);
  EXPECT_EQ(play.game, spec.game);
  EXPECT_EQ(play.engine_id, spec.engine_id);
  EXPECT_EQ(play.engine_signature, spec.engine_signature);
  EXPECT_EQ(play.engine_options, spec.engine_options);
  EXPECT_EQ(play.nodes, spec.nodes);
  EXPECT_EQ(play.move_ms, spec.move_ms);
  EXPECT_EQ(play.jitter_percent, spec.jitter_percent);
  EXPECT_EQ(play.match.max_plies, spec.match.max_plies);
  EXPECT_EQ(play.match.declaration, spec.match.declaration);
  EXPECT_EQ(play.re_entry, spec.re_entry);
  EXPECT_EQ(play.snapshot, spec.snapshot);
  EXPECT_EQ(play.resign.below, spec.resign.below);
  EXPECT_EQ(play.resign.moves, spec.resign.moves);
  EXPECT_EQ(play.resign.play_on_percent, spec.resign.play_on_percent);
  EXPECT_EQ(play.keep_scores, spec.keep_scores);
  EXPECT_EQ(play.engine_name, spec.engine_name);
  EXPECT_EQ(play.weights_sha256, spec.weights_sha256);
  ASSERT_TRUE(play.opponent && spec.opponent);
  EXPECT_EQ(play.opponent->book, spec.opponent->book);
  EXPECT_EQ(play.opponent->rules.choice, spec.opponent->choice);
  EXPECT_EQ(play.opponent->rules.range, spec.opponent->range);
  EXPECT_EQ(play.opponent->rules.deviation, spec.opponent->deviation);
  EXPECT_EQ(play.opponent->rules.max_plies, static_cast<int>(spec.opponent->max_book_plies));
  ASSERT_TRUE(play.own_book && spec.own_book);
  EXPECT_EQ(play.own_book->sha256, spec.own_book->sha256);
  EXPECT_EQ(play.own_book->rules, spec.own_book->rules);
  EXPECT_EQ(play.opponent->engine_id, spec.opponent->engine_id);
  EXPECT_EQ(play.opponent->engine_signature, spec.opponent->engine_signature);
  EXPECT_EQ(play.opponent->engine_options, spec.opponent->engine_options);
  EXPECT_EQ(play.opponent->nodes, spec.opponent->nodes);
  EXPECT_EQ(play.opponent->move_ms, spec.opponent->move_ms);
  EXPECT_EQ(play.opponent->engine_name, spec.opponent->engine_name);
  EXPECT_EQ(play.opponent->weights_sha256, spec.opponent->weights_sha256);
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
  ExpectFull(back.leases(0).slots(0));
  ExpectFull(back.runs(0));
  ExpectFull(back.runs(0).play(), {"move_ms"});  // stands in the place of nodes
  ExpectFull(back.runs(0).play().opponent(), {"move_ms"});
  const auto understood = worker::FromWire(back);
  ASSERT_TRUE(understood.ok()) << understood.status();
  ExpectSame(*understood, work);

  work.runs[2].nodes = 0;
  work.runs[2].move_ms = 400;
  work.runs[2].opponent->nodes = 0;
  work.runs[2].opponent->move_ms = 500;
  work.leases[0].slots[0].own = Color::kFirst;
  const auto timed = worker::FromWire(coordinator::ToWire(work));
  ASSERT_TRUE(timed.ok()) << timed.status();
  ExpectSame(*timed, work);
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
  EXPECT_EQ(heard->session, 5u);
  EXPECT_EQ(heard->epoch, said.epoch);
  EXPECT_EQ(heard->want_slots, said.work.want_slots);
  EXPECT_EQ(heard->known_runs, said.work.known_runs);
  EXPECT_EQ(heard->after_lease, said.work.after_lease);
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
  EXPECT_EQ(coordinator::CostFromWire(beat).processor_ms, 1200u);
  EXPECT_EQ(coordinator::CostFromWire(beat).search_ms, 1100u);

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
