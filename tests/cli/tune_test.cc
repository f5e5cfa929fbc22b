// `joseki tune` and the commands that speak to a coordinator, as real processes.

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "base/file.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tests/e2e/child.h"
#include "tests/support/temp_folder.h"

namespace joseki::cli {
namespace {

using ::testing::HasSubstr;
using Json = nlohmann::json;
using joseki::testing::Child;
using joseki::testing::Eventually;

constexpr char kGames[] =
    "startpos moves 7g7f 3c3d 2g2f\nstartpos moves 7g7f 8c8d\nstartpos moves 2g2f 8c8d\n";

// The children of a process, by the names of their programs.
std::vector<pid_t> ChildrenOf(pid_t parent, const std::string& program) {
  std::ostringstream path;
  path << "/proc/" << parent << "/task/" << parent << "/children";
  std::ifstream list(path.str());
  std::vector<pid_t> children;
  for (pid_t child = 0; list >> child;) {
    char target[4096] = {};
    const std::string exe = "/proc/" + std::to_string(child) + "/exe";
    if (readlink(exe.c_str(), target, sizeof target - 1) < 0) continue;
    const std::string name(target);
    if (name.substr(name.rfind('/') + 1) == program) children.push_back(child);
  }
  return children;
}

bool IsAlive(pid_t process) {
  std::ifstream stat("/proc/" + std::to_string(process) + "/stat");
  std::string number;
  std::string name;
  std::string state;
  return stat >> number >> name >> state && state != "Z";
}

class TuneTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::ofstream(folder_ / "games.usi") << kGames;
    ASSERT_EQ(Joseki({"import", "--book", book_, folder_ / "games.usi"}), 0) << output_;
  }
  void TearDown() override {
    if (HasFailure()) std::system(("tail -n 20 " + book_ + ".logs/*.log").c_str());
  }

  // Runs a command to its end: its exit status; what it says is in output_ and, with --json, json_.
  int Joseki(const std::vector<std::string>& arguments) {
    std::string command = std::string(JOSEKI_BINARY_DIR) + "/joseki";
    for (const std::string& argument : arguments) command += " '" + argument + "'";
    const std::string out = folder_ / "out";
    const std::string err = folder_ / "err";
    const int status = std::system((command + " >" + out + " 2>" + err + " </dev/null").c_str());
    output_ = *ReadFile(out) + *ReadFile(err);
    json_ = Json::parse(*ReadFile(out), nullptr, false);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

  std::vector<std::string> Tune(const std::string& games,
                                const std::vector<std::string>& more = {}) const {
    std::vector<std::string> arguments = {
        "tune",        "--json",     "--book",      book_,       "--games",
        games,         "--nodes",    "30",          "--workers", "2",
        "--deviation", "0.1",        "--max-plies", "60",        "--slots-per-worker",
        "1",           "--no-search"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
  }
  std::unique_ptr<Child> StartTune(const std::string& games) {
    std::vector<std::string> arguments = Tune(games);
    arguments.insert(arguments.begin(), std::string(JOSEKI_BINARY_DIR) + "/joseki");
    unlink(std::string(folder_ / "tune.log").c_str());
    return std::make_unique<Child>(arguments, folder_ / "tune.log");
  }
  // Waits for it to end; the object that it printed last.
  Json End(Child& tune, int expected_status) {
    EXPECT_EQ(tune.Wait(), expected_status);
    std::istringstream lines(*ReadFile(folder_ / "tune.log"));
    std::string last;
    for (std::string line; std::getline(lines, line);) last = line;
    return Json::parse(last, nullptr, false);
  }
  std::string Address() const {
    auto address = ReadFile(book_ + ".logs/coordinator.address");
    if (!address.ok()) return "";
    return address->substr(0, address->find('\n'));
  }
  // Games that the running coordinator has; -1 if there is none.
  int GamesDone() {
    const std::string address = Address();
    if (address.empty() || Joseki({"status", "--json", "--coordinator", address}) != 0) return -1;
    int games = 0;
    for (const Json& run : json_["runs"]) {
      if (run["state"] == "running") games += run["games_done"].get<int>();
    }
    return games;
  }

  joseki::testing::TempFolder folder_;
  const std::string book_ = folder_ / "book.sqlite";
  std::string output_;
  Json json_;
};

TEST_F(TuneTest, TunesABookToTheEnd) {
  ASSERT_EQ(Joseki(Tune("6")), 0) << output_;
  EXPECT_EQ(json_["schema"], 1);
  EXPECT_EQ(json_["run"], 1);
  EXPECT_GE(json_["games"], 6);
  EXPECT_GT(json_["seconds"], 0);
  EXPECT_GT(json_["games_per_second"], 0);
  // A fifth of six games proves nothing, so nothing is played.
  EXPECT_EQ(json_["proof"]["budget_games"], 1);
  EXPECT_EQ(json_["proof"]["too_few"], true);
  EXPECT_GT(json_["proof"]["games_needed"], 1000);
  EXPECT_TRUE(json_["proof"]["matches"].empty());
  EXPECT_EQ(json_["interrupted"], false);
  EXPECT_EQ(json_["state"], "done");
  const Json& moves = json_["start"]["moves"];
  ASSERT_EQ(moves.size(), 2u) << output_;
  EXPECT_FALSE(json_["start"]["verdict"].get<std::string>().empty());
  EXPECT_NEAR(moves[0]["input_share"].get<double>() + moves[1]["input_share"].get<double>(), 1,
              1e-9);

  // Another one, as is asked for; beside its own run, and by #0, a book is itself.
  ASSERT_EQ(Joseki(Tune("6", {"--new"})), 0) << output_;
  EXPECT_EQ(json_["run"], 2);
  ASSERT_EQ(Joseki({"audit", "--json", "--book", book_}), 0) << output_;
  EXPECT_EQ(json_["mismatches"], 0);

  // Books are compared by their newest runs.
  const std::string other = folder_ / "other.sqlite";
  ASSERT_EQ(Joseki({"import", "--book", other, folder_ / "games.usi"}), 0) << output_;
  const auto runs = [&](const std::string& before, const std::string& after) {
    EXPECT_EQ(Joseki({"book", "diff", "--json", before, after}), 0) << output_;
    return json_["before_run"].dump() + " " + json_["after_run"].dump();
  };
  EXPECT_EQ(runs(other, book_), "null 2");
  EXPECT_EQ(runs(other, book_ + "#0"), "null null");
  EXPECT_EQ(json_["changed_moves"], 0);
  EXPECT_EQ(runs(book_, book_ + "#1"), "null 1");
  EXPECT_EQ(runs(book_ + "#1", book_ + "#2"), "1 2");
  ASSERT_EQ(Joseki({"book", "diff", other, book_}), 0) << output_;
  EXPECT_THAT(output_, HasSubstr("(run 2, 6 games; #0 is the book itself)"));
}

TEST_F(TuneTest, SearchesAlongLinesUnlessToldOtherwise) {
  std::vector<std::string> command = Tune("240");
  std::erase(command, "--no-search");
  // In so short a run neither worker has found much of the other's again.
  command.insert(command.end(), {"--verify", "0"});
  ASSERT_EQ(Joseki(command), 0) << output_;
  const Json searches = json_["line_searches"];
  // A search that was open at the end is paid for, but did not come back.
  EXPECT_GE(json_["games_done"].get<int>() + searches["games"].get<int>(), 238);
  EXPECT_GT(searches["answers"], 0);
  EXPECT_GT(searches["trials"], 0);
  EXPECT_GT(searches["in_answers"].get<int>() + searches["in_trials"].get<int>(), 0);
  EXPECT_EQ(searches["off"], "");
  ASSERT_TRUE(searches.contains("expected"));
  ASSERT_EQ(Joseki({"audit", "--book", book_}), 0) << output_;
  const std::string out = folder_ / "tuned.json";
  ASSERT_EQ(Joseki({"export", "--book", book_, "--run", "1", "--format", "json", "--out", out}), 0);
  // The book has grown, and says of each new move how it was found, in the file and in its table.
  std::string grown;
  const Json exported = Json::parse(*ReadFile(out));
  for (const Json& position : exported["positions"]) {
    for (const Json& move : position["moves"]) {
      if (move["answer"] == true && move["origin"] != "book") grown = position["position"];
    }
  }
  ASSERT_FALSE(grown.empty());
  ASSERT_EQ(Joseki({"book", "show", "--json", "--book", book_, "--run", "1", grown}), 0) << output_;
  EXPECT_THAT(json_["moves"][0]["origin"].get<std::string>(),
              ::testing::AnyOf("search", "candidate"));
  EXPECT_THAT(json_["moves"][0]["decided_by"].get<std::string>(),
              ::testing::AnyOf("engine", "trials", "searches"));
  ASSERT_EQ(Joseki({"book", "show", "--book", book_, "--run", "1", grown}), 0) << output_;
  EXPECT_THAT(output_, HasSubstr("found "));
  EXPECT_THAT(output_, HasSubstr("decided by "));
  // The report draws every answer that searches changed.
  const std::string page = folder_ / "report.html";
  ASSERT_EQ(Joseki({"report", "--json", "--book", book_, "--proof", "0", "--html", page}), 0);
  const Json from_rows = json_["line_searches"];
  EXPECT_EQ(from_rows, searches);
  const Json movers = json_["movers"]["top"];
  EXPECT_TRUE(std::any_of(movers.begin(), movers.end(), [](const Json& mover) {
    return mover["after"]["searched_nodes"] > 0;
  })) << movers;
  const std::string html = *ReadFile(page);
  size_t boards = 0;
  for (size_t at = html.find("<svg class=\"board\""); at != std::string::npos;
       at = html.find("<svg class=\"board\"", at + 1)) {
    ++boards;
  }
  EXPECT_EQ(boards, movers.size());
  const std::string spent =
      "answers " + from_rows["in_answers"].dump() + ", replies " + from_rows["in_replies"].dump();
  EXPECT_THAT(html, HasSubstr(spent));
  // The spending report names the same answers.
  for (const Json& at : json_["spending"]["top"]) {
    for (const Json& mover : movers) {
      if (mover["position"] != at["position"]) continue;
      EXPECT_EQ(at["answer"], mover["after"]["move"]);
    }
  }
  // More of the same goes on with what is known.
  *std::find(command.begin(), command.end(), "240") = "480";
  ASSERT_EQ(Joseki(command), 0) << output_;
  EXPECT_EQ(json_["extended"], true);
  EXPECT_GE(json_["line_searches"]["games"], searches["games"]);
  // Policies can be compared in a world that looks like this run.
  ASSERT_EQ(Joseki({"simulate", "--json", "--like", book_ + "#1", "--games", "20", "--books", "1"}),
            0)
      << output_;
  EXPECT_GE(json_["world"]["fitted_positions"], 10);
  EXPECT_GT(json_["world"]["mean_loss"], 0);
  EXPECT_GT(json_["checkpoints"].size(), 0u);
  EXPECT_EQ(Joseki({"simulate", "--json", "--like", book_ + "#9"}), 1);
  EXPECT_EQ(json_["error"]["code"], "unknown_run");
}

TEST_F(TuneTest, SaysOnceWhatSearchesAreLeftOut) {
  const auto times = [&](const std::string& text) {
    int count = 0;
    for (size_t at = output_.find(text); at != std::string::npos; at = output_.find(text, at + 1)) {
      ++count;
    }
    return count;
  };
  std::vector<std::string> small = Tune("2", {"--search-nodes", "2000"});
  std::erase(small, "--no-search");
  ASSERT_EQ(Joseki(small), 0) << output_;
  EXPECT_EQ(times("the budget pays for at most 1 searches, and the book has "), 1) << output_;
  std::vector<std::string> timed = Tune("2", {"--move-ms", "1"});
  for (const char* const other : {"--no-search", "--nodes", "30"}) std::erase(timed, other);
  ASSERT_EQ(Joseki(timed), 0) << output_;
  EXPECT_EQ(times("games alone: searches along lines need a limit of nodes (--nodes)"), 1)
      << output_;
}

TEST_F(TuneTest, ARunThatIsDoneGoesOnWithTheSameCommand) {
  ASSERT_EQ(Joseki(Tune("40")), 0) << output_;
  EXPECT_EQ(json_["extended"], false);
  EXPECT_EQ(json_["games_done"], 40);
  ASSERT_EQ(Joseki(Tune("40")), 0) << output_;
  EXPECT_EQ(json_["run"], 1);
  EXPECT_EQ(json_["extended"], true);
  EXPECT_EQ(json_["games"], 40);
  EXPECT_EQ(json_["games_done"], 80);
  EXPECT_EQ(json_["games_target"], 80);
  EXPECT_EQ(json_["state"], "done");
  EXPECT_EQ(json_["proof"]["budget_games"], 16) << "a fifth of all that the run has";
  EXPECT_THAT(output_, HasSubstr("run 1 goes on after 40 games for 40 games more: its options and "
                                 "the book are the same\n"));
  ASSERT_EQ(Joseki({"audit", "--json", "--book", book_}), 0) << output_;
  EXPECT_EQ(json_["mismatches"], 0);
  EXPECT_EQ(json_["games"], 80);
  ASSERT_EQ(Joseki({"report", "--json", "--book", book_, "--proof", "0"}), 0) << output_;
  EXPECT_THAT(output_, HasSubstr("80"));

  // Another limit makes another run, and so does a request for a new one.
  std::vector<std::string> other = Tune("2");
  *std::find(other.begin(), other.end(), "30") = "31";
  ASSERT_EQ(Joseki(other), 0) << output_;
  EXPECT_EQ(json_["run"], 2);
  EXPECT_EQ(json_["extended"], false);
  EXPECT_THAT(output_, HasSubstr("from nothing: run 1 has other options (nodes 31 instead of 30)"));
  ASSERT_EQ(Joseki(Tune("2", {"--new"})), 0) << output_;
  EXPECT_EQ(json_["run"], 3);
  EXPECT_EQ(json_["games_done"], 2);
  EXPECT_THAT(output_, HasSubstr("from nothing: --new asks for that"));
  // If several runs match, the newest is continued.
  ASSERT_EQ(Joseki(Tune("2")), 0) << output_;
  EXPECT_EQ(json_["run"], 3);
  EXPECT_EQ(json_["games_done"], 4);

  // A book with additional content is another book.
  std::ofstream(folder_ / "more.usi") << "startpos moves 1g1f 3c3d\n";
  ASSERT_EQ(Joseki({"import", "--book", book_, folder_ / "more.usi"}), 0) << output_;
  ASSERT_EQ(Joseki(Tune("2")), 0) << output_;
  EXPECT_EQ(json_["run"], 4);
  EXPECT_THAT(output_, HasSubstr("with what 84 games of runs 1, 3 say: the book has changed since "
                                 "run 3 began\n"));
  EXPECT_EQ(json_["games_done"], 2) << "of its own";
  int played = 0;
  for (const Json& move : json_["start"]["moves"]) played += move["games"].get<int>();
  EXPECT_GT(played, 60);
  ASSERT_EQ(Joseki({"audit", "--json", "--book", book_}), 0) << output_;
  EXPECT_EQ(json_["mismatches"], 0);
}

TEST_F(TuneTest, ARuleWithStagesBeginsAnew) {
  const std::vector<std::string> staged = {"--policy", "result-driven"};
  ASSERT_EQ(Joseki(Tune("10", staged)), 0) << output_;
  ASSERT_EQ(Joseki(Tune("10", staged)), 0) << output_;
  EXPECT_EQ(json_["run"], 2);
  EXPECT_THAT(output_, HasSubstr("from nothing: run 1 has played its 5 stages"));
}

TEST_F(TuneTest, AnExtensionThatIsKilledGoesOnWithTheSameCommand) {
  ASSERT_EQ(Joseki(Tune("8")), 0) << output_;
  std::unique_ptr<Child> tune = StartTune("1000000");
  ASSERT_TRUE(Eventually([&] { return GamesDone() > 8; }));
  std::vector<pid_t> children = ChildrenOf(tune->pid(), "joseki-worker");
  for (const pid_t child : ChildrenOf(tune->pid(), "joseki-coordinator")) {
    children.push_back(child);
    kill(child, SIGKILL);
  }
  tune->Kill();
  for (const pid_t child : children) {
    EXPECT_TRUE(Eventually([&] { return !IsAlive(child); })) << child;
  }
  ASSERT_EQ(Joseki({"audit", "--json", "--book", book_}), 0) << output_;
  EXPECT_EQ(json_["mismatches"], 0);
  const int kept = json_["games"];
  EXPECT_GT(kept, 8);

  tune = StartTune("1000000");
  ASSERT_TRUE(Eventually([&] { return GamesDone() > kept; }));
  tune->Signal(SIGINT);
  const Json ended = End(*tune, 130);
  EXPECT_EQ(ended["run"], 1);
  EXPECT_EQ(ended["state"], "running");
  EXPECT_EQ(ended["games_target"], 1000008);
  EXPECT_EQ(Joseki(Tune("8")), 1) << "it is not what was asked for last";
  EXPECT_THAT(output_, HasSubstr("games 8 instead of 1000000"));
  ASSERT_EQ(Joseki({"audit", "--json", "--book", book_}), 0) << output_;
  EXPECT_EQ(json_["mismatches"], 0);
}

TEST_F(TuneTest, SaysInWordsWhatTheGamesProve) {
  ASSERT_EQ(Joseki({"tune", "--book", book_, "--games", "4", "--nodes", "10"}), 0) << output_;
  EXPECT_THAT(output_, HasSubstr("95 % interval"));
  EXPECT_THAT(output_, HasSubstr("7g7f"));
  EXPECT_THAT(output_, HasSubstr("joseki export --book"));
  const size_t proof = output_.find("Too few games to prove anything");
  const size_t best = output_.find("best move");
  EXPECT_LT(proof, best) << output_;
  EXPECT_LT(best, output_.find("95 % interval")) << output_;
}

TEST_F(TuneTest, AnInterruptedRunGoesOnWithTheSameCommand) {
  std::unique_ptr<Child> tune = StartTune("1000000");
  ASSERT_TRUE(Eventually([&] { return GamesDone() > 0; }));
  tune->Signal(SIGINT);
  const Json first = End(*tune, 130);
  ASSERT_TRUE(first.is_object());
  EXPECT_EQ(first["interrupted"], true);
  EXPECT_EQ(first["state"], "running");
  const int kept = first["games_done"];
  EXPECT_GT(kept, 0);

  // Another run may not displace this one.
  EXPECT_EQ(Joseki(Tune("5")), 1);
  EXPECT_EQ(json_["error"]["code"], "unfinished_run");
  EXPECT_THAT(output_, HasSubstr("games 5 instead of 1000000"));

  tune = StartTune("1000000");
  ASSERT_TRUE(Eventually([&] { return GamesDone() > kept; }));
  tune->Signal(SIGTERM);
  const Json second = End(*tune, 130);
  EXPECT_EQ(second["run"], first["run"]);
  EXPECT_EQ(second["games_done"].get<int>(), kept + second["games"].get<int>());

  EXPECT_EQ(Joseki(Tune("5", {"--new"})), 0) << output_;
  EXPECT_EQ(json_["run"], 2);
  EXPECT_EQ(json_["state"], "done");
}

TEST_F(TuneTest, AKilledWorkerIsStartedAgain) {
  const std::unique_ptr<Child> tune = StartTune("1000000");
  ASSERT_TRUE(Eventually([&] { return GamesDone() > 0; }));
  const std::vector<pid_t> workers = ChildrenOf(tune->pid(), "joseki-worker");
  ASSERT_EQ(workers.size(), 2u);
  kill(workers[0], SIGKILL);
  EXPECT_TRUE(Eventually([&] {
    const std::vector<pid_t> now = ChildrenOf(tune->pid(), "joseki-worker");
    return now.size() == 2 && now != workers;
  }));
  tune->Signal(SIGINT);
  EXPECT_EQ(End(*tune, 130)["faults"], 0);
}

TEST_F(TuneTest, ASecondCommandOnTheSameBookTouchesNothing) {
  const std::unique_ptr<Child> tune = StartTune("1000000");
  ASSERT_TRUE(Eventually([&] { return GamesDone() > 5; }));
  const std::string address = Address();
  EXPECT_EQ(Joseki(Tune("1000000")), 1);
  EXPECT_EQ(json_["error"]["code"], "book_in_use") << output_;
  EXPECT_THAT(json_["error"]["expected"].get<std::string>(),
              HasSubstr("`joseki status --watch --coordinator " + address + "`"));
  EXPECT_EQ(Address(), address);
  EXPECT_THAT(*ReadFile(book_ + ".logs/coordinator.log"),
              ::testing::Not(HasSubstr("coordinator_running")));
  // By another name too.
  ASSERT_EQ(symlink(book_.c_str(), (folder_ / "link.sqlite").c_str()), 0);
  EXPECT_EQ(Joseki({"tune", "--json", "--book", folder_ / "link.sqlite", "--games", "5"}), 1);
  EXPECT_EQ(json_["error"]["code"], "book_in_use") << output_;
  EXPECT_NE(access((folder_ / "link.sqlite.logs").c_str(), F_OK), 0);
  // A worker that is restarted finds the first one's coordinator.
  const int games = GamesDone();
  for (const pid_t worker : ChildrenOf(tune->pid(), "joseki-worker")) kill(worker, SIGKILL);
  EXPECT_TRUE(Eventually([&] { return GamesDone() > games + 20; }));
  tune->Signal(SIGINT);
  EXPECT_EQ(End(*tune, 130)["faults"], 0);
}

TEST_F(TuneTest, AKilledCoordinatorEndsTheCommand) {
  const std::unique_ptr<Child> tune = StartTune("1000000");
  ASSERT_TRUE(Eventually([&] { return GamesDone() > 0; }));
  const std::vector<pid_t> workers = ChildrenOf(tune->pid(), "joseki-worker");
  const std::vector<pid_t> coordinators = ChildrenOf(tune->pid(), "joseki-coordinator");
  ASSERT_EQ(coordinators.size(), 1u);
  kill(coordinators[0], SIGKILL);
  const Json error = End(*tune, 1);
  ASSERT_TRUE(error.is_object());
  EXPECT_EQ(error["error"]["code"], "coordinator_ended");
  EXPECT_EQ(error["error"]["file"], book_ + ".logs/coordinator.log");
  for (const pid_t worker : workers) EXPECT_FALSE(IsAlive(worker));
}

TEST_F(TuneTest, NothingOutlivesAKilledCommand) {
  const std::unique_ptr<Child> tune = StartTune("1000000");
  ASSERT_TRUE(Eventually([&] { return GamesDone() > 0; }));
  std::vector<pid_t> children = ChildrenOf(tune->pid(), "joseki-worker");
  for (const pid_t child : ChildrenOf(tune->pid(), "joseki-coordinator")) children.push_back(child);
  ASSERT_EQ(children.size(), 3u);
  tune->Kill();
  for (const pid_t child : children) {
    EXPECT_TRUE(Eventually([&] { return !IsAlive(child); })) << child;
  }
  ASSERT_EQ(Joseki({"audit", "--json", "--book", book_}), 0) << output_;
  EXPECT_EQ(json_["mismatches"], 0);
}

TEST_F(TuneTest, CommandsSpeakToARunningCoordinator) {
  const std::unique_ptr<Child> tune = StartTune("1000000");
  ASSERT_TRUE(Eventually([&] { return GamesDone() > 3; }));
  const std::string address = Address();
  const auto ask = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), {"--json", "--coordinator", address});
    return Joseki(arguments);
  };
  const std::string more = folder_ / "more.usi";
  std::ofstream(more) << "startpos moves 7g7f 3c3d 6i7h\nstartpos moves 7g7f 7g7f\n";
  ASSERT_EQ(ask({"import", more}), 0) << output_;
  EXPECT_EQ(json_["games"], 1);
  EXPECT_EQ(json_["rejects"]["illegal_move"], 1);
  EXPECT_THAT(output_, HasSubstr("more.usi:2: illegal_move"));
  EXPECT_EQ(ask({"import", more}), 1);
  EXPECT_EQ(json_["error"]["code"], "already_imported");
  EXPECT_EQ(ask({"import", more, "--filter", "9/2"}), 2);
  EXPECT_EQ(json_["error"]["code"], "usage");
  ASSERT_EQ(ask({"status", "--run", "1"}), 0) << output_;
  ASSERT_EQ(json_["runs"].size(), 1u);
  for (const char* key : {"run", "state", "stage", "games_done", "games_target", "games_per_second",
                          "workers", "slots", "leases", "quarantined", "eta_seconds"}) {
    EXPECT_TRUE(json_["runs"][0].contains(key)) << key;
  }
  EXPECT_EQ(json_["runs"][0]["games_target"], 1000000);
  // One of them may have played before the other has joined.
  ASSERT_TRUE(Eventually([&] { return ask({"workers"}) == 0 && json_["workers"].size() == 2; }))
      << output_;
  EXPECT_TRUE(json_["workers"][0]["residuals"].contains("z"));
  const std::string worker = json_["workers"][0]["worker"];
  ASSERT_EQ(ask({"workers", "block", worker, "--reason", "bad memory"}), 0) << output_;
  ASSERT_EQ(ask({"workers"}), 0) << output_;
  EXPECT_EQ(json_["workers"][0]["state"], "quarantined");
  EXPECT_EQ(json_["workers"][0]["reason"], "bad memory");
  ASSERT_EQ(ask({"workers", "unblock", worker}), 0) << output_;
  ASSERT_EQ(ask({"workers", "unblock", worker}), 1) << output_;
  EXPECT_EQ(json_["error"]["code"], "not_blocked");
  ASSERT_EQ(ask({"run", "list"}), 0) << output_;
  EXPECT_EQ(json_["runs"].size(), 1u);
  ASSERT_EQ(ask({"run", "show", "1"}), 0) << output_;
  EXPECT_EQ(json_["nodes"], 30);
  EXPECT_EQ(json_["policy"], "response") << "without a word the best that is known";
  EXPECT_GT(json_["gain_left"], 0);
  EXPECT_TRUE(json_["answers_changed"].is_null());
  EXPECT_TRUE(json_["resting"].empty());
  ASSERT_EQ(ask({"run", "spending", "1", "--most", "2"}), 0) << output_;
  EXPECT_GT(json_["distinct_games"], 0);
  EXPECT_EQ(json_["settle_error"], 0.05);
  ASSERT_GE(json_["top"].size(), 1u);
  EXPECT_LE(json_["top"].size(), 2u);
  for (const char* key : {"position", "games", "distinct", "recent", "recent_share", "standing",
                          "answer", "expected_gain"}) {
    EXPECT_TRUE(json_["top"][0].contains(key)) << key;
  }
  EXPECT_EQ(ask({"run", "spending", "9"}), 1);
  EXPECT_EQ(json_["error"]["code"], "unknown_run");
  ASSERT_EQ(ask({"games", "--run", "1", "--limit", "3"}), 0) << output_;
  EXPECT_EQ(json_["games"].size(), 3u);
  ASSERT_EQ(ask({"export", "--run", "1", "--format", "yaneuraou-db", "--out", folder_ / "b.db"}), 0)
      << output_;
  EXPECT_THAT(*ReadFile(folder_ / "b.db"), HasSubstr("#YANEURAOU-DB2016"));
  ASSERT_EQ(ask({"run", "pause", "1"}), 0) << output_;
  EXPECT_EQ(json_["state"], "paused");
  ASSERT_EQ(ask({"run", "resume", "1"}), 0) << output_;
  ASSERT_EQ(ask({"run", "extend", "1", "--games", "5"}), 0) << output_;
  EXPECT_EQ(json_["state"], "running");
  EXPECT_EQ(json_["games_target"], 1000005);
  EXPECT_EQ(json_["regardless"], false);
  EXPECT_EQ(ask({"run", "extend", "1", "--hours", "1"}), 1);
  EXPECT_EQ(json_["error"]["code"], "no_limit");
  EXPECT_EQ(ask({"run", "extend", "1"}), 2);
  EXPECT_THAT(output_, HasSubstr("--games or --hours"));
  ASSERT_EQ(ask({"run", "priority", "1", "7", "--weight", "200"}), 0) << output_;
  EXPECT_EQ(json_["priority"], 7);
  EXPECT_EQ(json_["share"], 200);
  ASSERT_EQ(ask({"run", "show", "1"}), 0) << output_;
  EXPECT_EQ(json_["extension"]["times"], 1);
  EXPECT_FALSE(json_.contains("taken_over"));
  EXPECT_EQ(json_["priority"], 7);
  EXPECT_EQ(json_["servers"], 2);
  EXPECT_TRUE(json_["poisoned"].empty());
  ASSERT_EQ(ask({"run", "create", "--games", "5", "--priority", "1", "--require-label", "gpu=yes",
                 "--require-memory", "1", "--require-cores", "1", "--move-ms", "50"}),
            0)
      << output_;
  EXPECT_THAT(output_, HasSubstr("games alone: searches along lines need a limit of nodes"));
  ASSERT_EQ(ask({"run", "show", "2"}), 0) << output_;
  EXPECT_EQ(json_["servers"], 0) << "no worker has that label";
  EXPECT_EQ(json_["games_done"], 0);
  ASSERT_EQ(ask({"run", "stop", "2"}), 0) << output_;
  ASSERT_EQ(ask({"workers", "undrain", "--all"}), 0) << output_;
  EXPECT_EQ(json_["workers"], 0);
  EXPECT_EQ(json_["lifted"], false);
  for (const char* change : {"drain", "undrain"}) {
    ASSERT_EQ(ask({"workers", change, "nobody"}), 1) << output_;
    EXPECT_EQ(json_["error"]["code"], "unknown_worker") << change;
  }
  EXPECT_EQ(ask({"run", "show", "9"}), 1);
  EXPECT_EQ(json_["error"]["code"], "unknown_run");
  ASSERT_EQ(ask({"run", "stop", "1"}), 0) << output_;
  // Stopping the run ends the command.
  EXPECT_EQ(End(*tune, 0)["state"], "stopped");
  EXPECT_EQ(ask({"status"}), 1);
  EXPECT_EQ(json_["error"]["code"], "unreachable");
  EXPECT_EQ(json_["error"]["file"], address);
}

TEST_F(TuneTest, BadUseIsRefusedBeforeAnythingStarts) {
  EXPECT_EQ(Joseki({"tune", "--json", "--book", book_}), 2);
  EXPECT_EQ(json_["error"]["code"], "usage");
  EXPECT_THAT(output_, HasSubstr("--games or --hours"));
  EXPECT_EQ(Joseki(Tune("5", {"--policy", "lucky"})), 2);
  EXPECT_EQ(Joseki(Tune("5", {"--policy-option", "no-such=1"})), 2);
  EXPECT_THAT(output_, HasSubstr("no-such"));
  EXPECT_EQ(Joseki(Tune("5", {"--option", "hash_mb"})), 2);
  EXPECT_THAT(output_, HasSubstr("NAME=VALUE"));
  EXPECT_EQ(Joseki(Tune("5", {"--option", "contempt=1"})), 2);
  EXPECT_THAT(output_, HasSubstr("contempt"));
  EXPECT_EQ(Joseki({"tune", "--book", folder_ / "none.sqlite", "--games", "5"}), 1);
  EXPECT_THAT(output_, HasSubstr("none.sqlite"));
  EXPECT_NE(access((book_ + ".logs").c_str(), F_OK), 0);
}

}  // namespace
}  // namespace joseki::cli
