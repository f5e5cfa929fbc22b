#include "coordinator/page/page_server.h"

#include <SQLiteCpp/Database.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/time/clock.h"
#include "base/address.h"
#include "base/certificates/authority.h"
#include "base/file.h"
#include "base/problem.h"
#include "book/database/book_import.h"
#include "book/database/store.h"
#include "coordinator/coordinator.h"
#include "coordinator/page/page_password.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tests/support/http_client.h"
#include "tests/support/temp_folder.h"
#include "tests/support/toy_book.h"
#include "tests/support/toy_run.h"

namespace joseki::coordinator {
namespace {

using ::joseki::testing::HttpClient;
using ::joseki::testing::HttpReply;
using ::testing::HasSubstr;
using Json = nlohmann::json;

class PageServerTest : public ::testing::Test {
 protected:
  void SetUp() override {
    testing::WriteToyBook(path_, 5);
    Start();
  }

  void Start() {
    coordinator_ =
        Coordinator::Start({.db_path = path_, .acquire_wait = absl::ZeroDuration()}, rules_)
            .value();
    page_ = PageServer::Start(Options(), coordinator_->readers(), rules_, clock_).value();
    client_.emplace(ParseHostPort(page_->address()).value());
  }

  // Waits until the page looks again whether a kept reply is out of date.
  void LetRepliesAge() { clock_.Advance(absl::Hours(1)); }

  PageOptions Options() const { return {.listen = "127.0.0.1:0", .db_path = path_}; }

  Json Get(const std::string& path, int status = 200) {
    const HttpReply reply = client_->Get(path);
    EXPECT_EQ(reply.status, status) << path << reply.body;
    return Json::parse(reply.body, nullptr, false);
  }

  // A run of `games` games, all played by one worker; what they were.
  std::vector<SubmittedGame> Play(uint64_t games) {
    EXPECT_TRUE(
        coordinator_->operators().CreateRun(testing::ToySpec(games, "sample-average"), "").ok());
    JoinInput input;
    input.worker = "w";
    input.protocol = kProtocol;
    input.seats = 4;
    input.engines = {{"toy-engine", "Toy", testing::ToySpec(1).play.engine_signature, "", "test"}};
    std::promise<SessionId> joined;
    coordinator_->workers().Join(input,
                                 [&](auto output) { joined.set_value(output.value().session); });
    const SessionId session = joined.get_future().get();
    std::vector<SubmittedGame> played;
    while (true) {
      std::promise<std::vector<Lease>> reply;
      coordinator_->workers().Acquire({session, 4, {}},
                                      [&](auto output) { reply.set_value(output.value().leases); });
      const std::vector<Lease> leases = reply.get_future().get();
      if (leases.empty()) return played;
      SubmitInput submit{{session}, coordinator_->readers().GetStatus(0).epoch, {}};
      for (const Lease& lease : leases) {
        for (const Slot& slot : lease.slots) {
          submit.games.push_back(testing::PlaySlot(lease.run, lease.lease, slot));
          played.push_back(submit.games.back());
        }
      }
      std::promise<void> done;
      coordinator_->workers().Submit(std::move(submit), [&](auto output) {
        EXPECT_TRUE(output.ok()) << output.status();
        done.set_value();
      });
      done.get_future().get();
    }
  }

  const testing::ToyRules rules_{};
  testing::FakeClock clock_;  // the page's
  testing::TempFolder folder_;
  const std::string path_ = folder_ / "book.sqlite";
  std::unique_ptr<Coordinator> coordinator_;
  std::unique_ptr<PageServer> page_;
  std::optional<HttpClient> client_;
};

TEST_F(PageServerTest, ShowsThePage) {
  const HttpReply reply = client_->Get("/");
  EXPECT_EQ(reply.status, 200);
  EXPECT_THAT(reply.Header("Content-Type"), HasSubstr("text/html"));
  EXPECT_THAT(reply.Header("Content-Security-Policy"), HasSubstr("default-src 'none'"));
  EXPECT_EQ(reply.Header("X-Content-Type-Options"), "nosniff");
  EXPECT_EQ(reply.Header("Cache-Control"), "no-store");
  EXPECT_THAT(reply.body, HasSubstr("<title>Joseki</title>"));
}

TEST_F(PageServerTest, PacksForABrowser) {
  const HttpReply packed = client_->Get("/", {{"Accept-Encoding", "gzip, deflate, br"}});
  EXPECT_EQ(packed.status, 200);
  EXPECT_EQ(packed.Header("Content-Encoding"), "gzip");
  EXPECT_LT(packed.body.size(), 300'000U);
  const HttpReply plain = client_->Get("/", {{"Accept-Encoding", "identity"}});
  EXPECT_EQ(plain.Header("Content-Encoding"), "");
  EXPECT_THAT(plain.body, HasSubstr("<title>Joseki</title>"));
}

TEST_F(PageServerTest, TellsRunsAndWorkers) {
  Play(20);
  const Json status = Get("/api/status");
  EXPECT_EQ(status["runs"][0]["games_done"], 20);
  EXPECT_EQ(status["runs"][0]["state"], "done");
  EXPECT_EQ(status["workers"]["active"], 1);
  EXPECT_EQ(status["slots"], 4);
  EXPECT_EQ(status["game"], rules_.game());
  const Json workers = Get("/api/workers")["workers"];
  ASSERT_EQ(workers.size(), 1U);
  EXPECT_EQ(workers[0]["worker"], "w");
  EXPECT_EQ(workers[0]["games"], 20);
  EXPECT_EQ(Get("/api/workers?most=1&match=nobody")["matching"], 0);
  EXPECT_EQ(Get("/api/workers?most=x", 400)["error"]["code"], "bad_field");
}

TEST_F(PageServerTest, TellsTheEvidenceOfAPosition) {
  Play(40);
  const Json position = Get("/api/position?run=1");
  uint64_t games = 0;
  for (const Json& move : position["moves"]) {
    for (const char* key : {"wins", "draws", "losses", "repeats"}) games += move[key].get<int>();
    EXPECT_LE(move["score_low"], move["score_high"]);
    EXPECT_EQ(move["origin"], "book");
    EXPECT_EQ(move["decided_by"], move["answer"] == true ? Json("games") : Json(nullptr));
  }
  uint64_t exits = 0;
  const Json line = Get("/api/line?run=1");
  for (const Json& exit : line["exits"]) {
    for (const char* key : {"wins", "draws", "losses"}) exits += exit[key].get<int>();
  }
  EXPECT_EQ(games + exits, 40U) << position;
  EXPECT_GT(games, exits);
}

TEST_F(PageServerTest, TellsTheGamesOfALineAndItsExits) {
  const std::vector<SubmittedGame> played = Play(60);
  const std::string move = rules_.Text(played[0].moves[0]);
  uint64_t through = 0;
  for (const SubmittedGame& game : played) through += game.moves[0] == played[0].moves[0] ? 1 : 0;
  const Json whole = Get("/api/line?run=1");
  EXPECT_EQ(whole["looked_at"], 60);
  EXPECT_EQ(whole["passed"], 60);
  EXPECT_EQ(whole["games"].size(), 20U);
  EXPECT_GT(whole["games"][0]["commit_seq"], whole["games"][1]["commit_seq"]) << "newest first";
  const Json line = Get("/api/line?run=1&moves=" + move);
  EXPECT_EQ(line["passed"], through);
  for (const Json& game : line["games"]) {
    EXPECT_EQ(game["moves"].get<std::string>().substr(0, move.size()), move);
  }
  // The next move of a game that left the book is an exit.
  for (const Json& game : whole["games"]) {
    const std::vector<std::string> moves = absl::StrSplit(game["moves"].get<std::string>(), ' ');
    const size_t plies = game["book_plies"];
    if (moves.size() == plies) continue;
    const Json exits =
        Get("/api/line?run=1&moves=" +
            absl::StrJoin(moves.begin(), moves.begin() + static_cast<long>(plies), "%20"))["exits"];
    EXPECT_TRUE(std::any_of(exits.begin(), exits.end(),
                            [&](const Json& exit) { return exit["move"] == moves[plies]; }))
        << game << exits;
  }
}

TEST_F(PageServerTest, TellsTheGamesOfARunThatEndedLongAgo) {
  Play(60);
  Play(10);
  client_.reset();
  page_.reset();
  coordinator_.reset();  // writes the checkpoints
  {
    const auto store = book::Store::Open(path_, book::OpenMode::kReadWrite).value();
    store->db().exec("UPDATE games SET commit_seq = commit_seq + 100000 WHERE run = 2");
    store->db().exec("UPDATE runs SET evidence_seq = evidence_seq + 100000 WHERE run = 2");
  }
  Start();
  EXPECT_EQ(Get("/api/line?run=1")["looked_at"], 60);
  EXPECT_EQ(Get("/api/line?run=2")["looked_at"], 10);
}

TEST_F(PageServerTest, ShowsABookWithoutRuns) {
  const Json book = Get("/api/book");
  EXPECT_EQ(book["game"], rules_.game());
  EXPECT_GT(book["positions"], 0);
  EXPECT_GE(book["moves"], book["positions"]);
  EXPECT_EQ(book["sources"].size(), book["sources_all"]);
  const Json start = Get("/api/position?run=0");
  ASSERT_GT(start["moves"].size(), 1U);
  double all = 0;
  int answers = 0;
  for (const Json& move : start["moves"]) {
    all += move["weight"].get<double>();
    answers += move["answer"].get<bool>() ? 1 : 0;
  }
  EXPECT_NEAR(all, 1, 1e-9);
  EXPECT_EQ(answers, 1);
  EXPECT_TRUE(start["moves"][0]["answer"]) << "the best first";
  EXPECT_TRUE(start["opening"].is_null()) << "the toy has no names";
  const Json line = Get("/api/line?run=0&moves=" + start["moves"][0]["move"].get<std::string>());
  EXPECT_TRUE(line["games"].empty());
  EXPECT_EQ(Get("/api/line?run=0&moves=nonsense", 400)["error"]["code"].is_string(), true);
}

TEST_F(PageServerTest, CountsImportedGamesWithoutAResult) {
  {
    const auto store = book::Store::Open(path_, book::OpenMode::kReadWrite).value();
    book::BookImport import(*store, "games", "more", "{}");
    for (const Move move : testing::ToyMoves("a1 a2")) {
      ASSERT_TRUE(import
                      .AddPlayed(testing::ToyAt("startpos").packed(), 1, move, false,
                                 {.games = 50, .wins = 1})
                      .ok());
    }
    ASSERT_TRUE(import.Commit(100, 0).ok());
  }
  const Json moves = Get("/api/position?run=0")["moves"];
  for (const Json& move : moves) {
    if (move["move"] == "b1") continue;
    EXPECT_EQ(move["games"], 51);
    EXPECT_EQ(move["wins"], 2);
    EXPECT_EQ(move["draws"].get<int>() + move["losses"].get<int>(), 0);
  }
}

// As `joseki import` and `joseki book edit` do beside a page.
TEST_F(PageServerTest, ShowsWhatOthersWriteToTheBook) {
  const Json book = Get("/api/book");
  const Json same = Get("/api/diff?before=0&after=0")["same"];
  testing::WriteToyBook(path_, 6);
  LetRepliesAge();
  const Json now = Get("/api/book");
  EXPECT_EQ(now["sources_all"], book["sources_all"].get<int>() + 1);
  EXPECT_GT(now["positions"], book["positions"]);
  EXPECT_GT(Get("/api/diff?before=0&after=0")["same"], same);
}

TEST_F(PageServerTest, ReportsHowARunWent) {
  Play(60);
  const Json report = Get("/api/run?run=1");
  EXPECT_EQ(report["games"], 60);
  EXPECT_EQ(report["first_wins"].get<int>() + report["second_wins"].get<int>() +
                report["draws"].get<int>(),
            60);
  EXPECT_EQ(report["workers"], 1);
  EXPECT_GT(report["book"]["moves"], 0);
  ASSERT_FALSE(report["steps"].empty());
  const Json& last = report["steps"].back();
  EXPECT_EQ(last["games"], 60);
  EXPECT_EQ(last["searches"], 0);
  EXPECT_GT(last["positions"], 0) << "games came to them";
  EXPECT_LE(last["changed"], last["positions"]);
  EXPECT_EQ(last["changed"], report["changed"]);
  EXPECT_TRUE(report["match"].is_null());
  EXPECT_TRUE(report["proof"].empty());
  EXPECT_GT(report["spending"]["reached"], 0);
  for (const Json& top : report["spending"]["top"]) {
    // The toy's positions end with their ply; those of other games may end with another number.
    const std::string position = top["position"];
    EXPECT_EQ(absl::StrCat(top["ply"].get<int>()), position.substr(position.rfind(' ') + 1));
  }
  for (const Json& mover : report["movers"]) {
    EXPECT_NE(mover["before"]["move"], mover["after"]["move"]);
  }
  EXPECT_EQ(report["movers"].size(), std::min<size_t>(12, report["changed"]));
}

TEST_F(PageServerTest, ReportsEveryProofTheNewestFirst) {
  Play(20);
  std::filesystem::create_directories(path_ + ".logs");
  const auto write = [&](const std::string& name, const std::string& text) {
    ASSERT_TRUE(WriteFileAtomically(path_ + ".logs/" + name, text).ok());
    std::filesystem::last_write_time(path_ + ".logs/" + name,
                                     std::filesystem::file_time_type::clock::now());
  };
  const std::string lines =
      R"({"schema":1,"match":{}})"
      "\n"
      R"({"summary":{"pairs":1,"wins":2,"draws":0,"losses":0,"elo":null,"llr":0.1}})"
      "\n"
      R"({"summary":{"pairs":9,"wins":10,"draws":2,"losses":6,"elo":77.5,"elo_low":-10.0,)"
      R"("elo_high":165.0,"llr":1.25,"sprt":{"lower":-2.94,"upper":2.94}}})"
      "\n";
  write("proof-1-0123abcd-input-50.jsonl", lines);
  std::filesystem::last_write_time(
      path_ + ".logs/proof-1-0123abcd-input-50.jsonl",
      std::filesystem::file_time_type::clock::now() - std::chrono::hours(1));
  write("proof-1-89abcdef-input-50.jsonl", lines);
  write("proof-1-89abcdef-bookless-50.jsonl", "{\"summary\":");
  write("proof-2-89abcdef-input-50.jsonl", lines);
  const Json proof = Get("/api/run?run=1")["proof"];
  ASSERT_EQ(proof.size(), 2U) << proof;
  EXPECT_NEAR(proof[0]["played_ms"].get<double>() - proof[1]["played_ms"].get<double>(), 3'600'000,
              60'000)
      << "that of the book that was proved an hour before";
  EXPECT_EQ(proof[0]["opponent"], "input");
  EXPECT_EQ(proof[0]["limit"], 50);
  EXPECT_EQ(proof[0]["wins"], 10) << "the last summary";
  EXPECT_EQ(proof[0]["upper"], 2.94);
}

TEST_F(PageServerTest, ReportsAProofThatIsPlayedWhileOneLooks) {
  Play(20);
  EXPECT_TRUE(Get("/api/run?run=1")["proof"].empty());
  std::filesystem::create_directories(path_ + ".logs");
  const std::string file = path_ + ".logs/proof-1-0123abcd-input-50.jsonl";
  std::string lines = "{\"summary\":{\"pairs\":1}}\n";
  ASSERT_TRUE(WriteFileAtomically(file, lines).ok());
  LetRepliesAge();
  const Json proof = Get("/api/run?run=1")["proof"];
  ASSERT_EQ(proof.size(), 1U) << proof;
  EXPECT_EQ(proof[0]["pairs"], 1);
  lines += "{\"summary\":{\"pairs\":2}}\n";
  ASSERT_TRUE(WriteFileAtomically(file, lines).ok());
  LetRepliesAge();
  EXPECT_EQ(Get("/api/run?run=1")["proof"][0]["pairs"], 2);
}

TEST_F(PageServerTest, ComparesARunWithItsInputAndTheBook) {
  Play(60);
  const Json with_input = Get("/api/diff?before=input&after=1");
  EXPECT_EQ(with_input["positions"].size(), std::min<size_t>(60, with_input["changed"]));
  EXPECT_EQ(with_input["only_after"], 0);
  double reach = 1;
  for (const Json& at : with_input["positions"]) {
    EXPECT_NE(at["before"]["move"], at["after"]["move"]);
    EXPECT_LE(at["reach"].get<double>(), reach) << "what lines come to most first";
    reach = at["reach"];
  }
  // The toy's book has no values: its answers are those of its weights, as the book's own.
  const Json with_book = Get("/api/diff?before=0&after=1");
  EXPECT_EQ(with_book["changed"], with_input["changed"]);
  EXPECT_EQ(Get("/api/diff?before=1&after=1")["changed"], 0);
  EXPECT_EQ(Get("/api/diff?before=x&after=1", 400)["error"]["code"], "bad_field");
  EXPECT_EQ(Get("/api/diff?before=0&after=9", 404)["error"]["code"], "unknown_run");
}

TEST_F(PageServerTest, ComparesTwoFiles) {
  Play(60);
  const std::string other = folder_ / "other.sqlite";
  testing::WriteToyBook(other, 5);
  {
    // A second run of its own, that never plays.
    const auto second = Coordinator::Start({.db_path = other}, rules_).value();
    ASSERT_TRUE(second->operators().CreateRun(testing::ToySpec(20, "sample-average"), "").ok());
  }
  EXPECT_EQ(Get("/api/status")["with"], nullptr);
  EXPECT_EQ(Get("/api/files")["files"].size(), 1U);
  EXPECT_EQ(Get("/api/diff?before=0&after=with:0", 400)["error"]["code"], "bad_field");
  PageOptions options = Options();
  options.with = BookFile{other, "another"};
  const auto page = PageServer::Start(options, coordinator_->readers(), rules_).value();
  client_.emplace(ParseHostPort(page->address()).value());
  EXPECT_EQ(Get("/api/status")["with"], "another");
  const Json files = Get("/api/files")["files"];
  ASSERT_EQ(files.size(), 2U);
  EXPECT_EQ(files[0]["name"], "book.sqlite");
  EXPECT_EQ(files[0]["runs"][0]["run"], 1);
  EXPECT_EQ(files[1]["name"], "another");
  EXPECT_EQ(files[1]["runs"].size(), 1U);
  // The other file's book is what the run of this one began with.
  const Json changed = Get("/api/diff?before=input&after=1")["changed"];
  EXPECT_GT(changed, 0);
  EXPECT_EQ(Get("/api/diff?before=with:0&after=1")["changed"], changed);
  EXPECT_EQ(Get("/api/diff?before=with:input-1&after=1")["changed"], changed);
  EXPECT_EQ(Get("/api/diff?before=input&after=with:1")["changed"], 0);
  EXPECT_EQ(Get("/api/diff?before=input-1&after=with:0")["changed"], 0);
  EXPECT_EQ(Get("/api/diff?before=1&after=with:9", 404)["error"]["code"], "unknown_run");
  EXPECT_EQ(Get("/api/diff?before=input-0&after=1", 400)["error"]["code"], "bad_field");
}

TEST_F(PageServerTest, ARunThatNobodyPlaysIsUnfinished) {
  ASSERT_TRUE(coordinator_->operators().CreateRun(testing::ToySpec(20, "sample-average"), "").ok());
  EXPECT_EQ(Get("/api/status")["runs"][0]["state"], "running");
  PageOptions options = Options();
  options.nobody_plays = true;
  const auto page = PageServer::Start(options, coordinator_->readers(), rules_).value();
  client_.emplace(ParseHostPort(page->address()).value());
  EXPECT_EQ(Get("/api/status")["runs"][0]["state"], "unfinished");
}

TEST_F(PageServerTest, TellsMatchesFromRunsThatTune) {
  ASSERT_TRUE(coordinator_->operators().CreateRun(testing::ToySpec(20, "sample-average"), "").ok());
  RunSpec match = testing::ToySpec(0);
  match.match = MatchSpec{2, std::nullopt};
  match.play.opponent.emplace();
  match.play.opponent->engine_id = "rival";
  match.play.opponent->engine_signature = 78;
  match.play.opponent->nodes = 100;
  const absl::Status made = coordinator_->operators().CreateRun(match, "").status();
  ASSERT_TRUE(made.ok()) << made;
  const Json runs = Get("/api/status")["runs"];
  EXPECT_EQ(runs[0]["match"], false);
  EXPECT_EQ(runs[1]["match"], true);
}

TEST_F(PageServerTest, SaysWhatIsWrong) {
  Play(4);
  const auto code = [&](const std::string& path, int status) {
    return Get(path, status)["error"]["code"].get<std::string>();
  };
  EXPECT_EQ(code("/api/position?run=x", 400), "bad_field");
  EXPECT_EQ(code("/api/position", 400), "bad_field");
  EXPECT_EQ(code("/api/position?run=9", 404), "unknown_run");
  EXPECT_EQ(code("/api/line?run=9", 404), "unknown_run");
  EXPECT_EQ(code("/api/run?run=9", 404), "unknown_run");
  EXPECT_EQ(code("/api/run?run=0", 400), "bad_field");
  EXPECT_FALSE(code("/api/line?run=1&moves=%00%ff", 400).empty());
  EXPECT_FALSE(code("/api/position?run=1&position=nonsense", 400).empty());
  EXPECT_EQ(client_->Get("/etc/passwd").status, 404);
  EXPECT_EQ(client_->Post("/api/status", "x").status, 413);
}

// A name of another site that leads here must not read what its own visitors can.
TEST_F(PageServerTest, KnowsItsOwnHost) {
  EXPECT_EQ(client_->Get("/api/status", {{"Host", "rebound.example"}}).status, 421);
  EXPECT_EQ(client_->Get("/api/status", {{"Host", "localhost:1"}}).status, 200);
}

TEST_F(PageServerTest, ListensWhereItMay) {
  const auto code = [&](const std::string& listen, bool insecure) {
    PageOptions options = Options();
    options.listen = listen;
    options.insecure_network = insecure;
    const auto page = PageServer::Start(options, coordinator_->readers(), rules_);
    return page.ok() ? "" : ProblemOf(page.status()).code;
  };
  EXPECT_EQ(code("7461", false), "bad_address");
  EXPECT_EQ(code("0.0.0.0:0", false), "insecure_network");
  EXPECT_EQ(code("0.0.0.0:0", true), "");
  EXPECT_EQ(code("192.0.2.1:7461", true), "cannot_listen");
}

TEST_F(PageServerTest, AsksForItsPassword) {
  const std::string file = folder_ / "page.password";
  PageOptions options = Options();
  options.password_file = file;
  const auto page = PageServer::Start(options, coordinator_->readers(), rules_).value();
  EXPECT_EQ(std::filesystem::status(file).permissions(),
            std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  const std::string password = PagePassword(file).value();
  EXPECT_EQ(password.size(), 64u);
  HttpClient client(ParseHostPort(page->address()).value());
  for (const char* const path : {"/", "/api/status", "/api/none"}) {
    EXPECT_EQ(client.Get(path).status, 401) << path;
  }
  EXPECT_THAT(client.Get("/").Header("WWW-Authenticate"), HasSubstr("Basic"));
  client.SetPassword("anybody", password.substr(1));
  EXPECT_EQ(client.Get("/api/status").status, 401);
  client.SetPassword("anybody", "");
  EXPECT_EQ(client.Get("/api/status").status, 401);
  client.SetHeaders({{"Authorization", "Basic nonsense"}});
  EXPECT_EQ(client.Get("/").status, 401);
  client.SetPassword("anybody", password);
  EXPECT_EQ(client.Get("/").status, 200);
  EXPECT_EQ(client.Get("/api/status").status, 200);
}

TEST_F(PageServerTest, TakesNoPasswordThatOthersMayKnow) {
  PageOptions options = Options();
  options.password_file = folder_ / "page.password";
  ASSERT_TRUE(WriteFileAtomically(options.password_file, "a good long one\n", 0644).ok());
  EXPECT_EQ(ProblemOf(PageServer::Start(options, coordinator_->readers(), rules_).status()).code,
            "bad_password");
  ASSERT_TRUE(WriteFileAtomically(options.password_file, "short\n", 0600).ok());
  EXPECT_EQ(ProblemOf(PageServer::Start(options, coordinator_->readers(), rules_).status()).code,
            "bad_password");
  ASSERT_TRUE(WriteFileAtomically(options.password_file, "a good long one\r\nrest", 0600).ok());
  EXPECT_EQ(*PagePassword(options.password_file), "a good long one");
}

TEST_F(PageServerTest, IsServedOverHttpsOffLoopback) {
  ASSERT_TRUE(certificates::Authority::Create(folder_ / "certs", absl::Now()).ok());
  PageOptions options = Options();
  options.listen = "0.0.0.0:0";
  options.certificate_end = [] { return absl::FromUnixSeconds(2'000'000'000); };
  options.certificate = folder_ / "certs/cert.pem";
  options.key = folder_ / "certs/key.pem";
  EXPECT_EQ(ProblemOf(PageServer::Start(options, coordinator_->readers(), rules_).status()).code,
            "insecure_network");
  options.password_file = folder_ / "page.password";
  const auto page = PageServer::Start(options, coordinator_->readers(), rules_).value();
  EXPECT_STREQ(page->scheme(), "https");
  const int port = ParseHostPort(page->address())->port;
  HttpClient client({"127.0.0.1", port}, /*tls=*/true);
  EXPECT_EQ(client.Get("/api/status").status, 401);
  client.SetPassword("reader", PagePassword(options.password_file).value());
  const HttpReply status = client.Get("/api/status");
  EXPECT_EQ(status.status, 200);
  EXPECT_EQ(Json::parse(status.body)["certificate_end"], "2033-05-18T03:33:20Z");
  // A renewed certificate is served at the next connection.
  const std::string before = client.Certificate();
  ASSERT_TRUE(certificates::Authority::Open(folder_ / "certs")
                  ->RenewServer(absl::Now(), certificates::Authority::kLife)
                  .ok());
  EXPECT_NE(before, "");
  EXPECT_THAT(client.Certificate(), ::testing::AllOf(::testing::Ne(before), ::testing::Ne("")));
  EXPECT_EQ(client.Get("/api/status").status, 200);
  ASSERT_TRUE(WriteFileAtomically(options.certificate, "no certificate", 0644).ok());
  EXPECT_EQ(client.Get("/api/status").status, 200) << "by the one that it had";
  // Plain connections get no reply.
  EXPECT_EQ(HttpClient({"127.0.0.1", port}).Get("/api/status").status, 0);
  options.key = folder_ / "certs/ca.key";
  EXPECT_EQ(ProblemOf(PageServer::Start(options, coordinator_->readers(), rules_).status()).code,
            "tls_files");
}

}  // namespace
}  // namespace joseki::coordinator
