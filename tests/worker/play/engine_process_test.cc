#include "worker/play/usi/engine_process.h"

#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <thread>

#include "absl/strings/numbers.h"
#include "absl/time/clock.h"
#include "base/file.h"
#include "base/problem.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/temp_folder.h"

namespace joseki::worker {
namespace {

using ::testing::HasSubstr;

EngineProcess::Options Shell(const std::string& script) {
  EngineProcess::Options options;
  options.arguments = {"/bin/sh", "-c", script};
  return options;
}

std::unique_ptr<EngineProcess> Start(const EngineProcess::Options& options) {
  auto engine = EngineProcess::Start(options);
  EXPECT_TRUE(engine.ok()) << engine.status();
  return engine.ok() ? *std::move(engine) : nullptr;
}

EngineProcess::Deadline Soon() { return EngineProcess::After(absl::Milliseconds(30)); }
EngineProcess::Deadline Late() { return EngineProcess::After(absl::Minutes(2)); }

// Whether the process is gone, or a zombie of another parent.
bool IsGone(pid_t pid) {
  if (kill(pid, 0) != 0) return true;
  const auto stat = ReadFile("/proc/" + std::to_string(pid) + "/stat");
  return !stat.ok() || stat->find(") Z ") != std::string::npos;
}
bool GoesAway(pid_t pid) {
  const EngineProcess::Deadline late = Late();
  while (!IsGone(pid) && std::chrono::steady_clock::now() < late)
    absl::SleepFor(absl::Milliseconds(5));
  return IsGone(pid);
}

TEST(EngineProcess, SpeaksByLines) {
  const auto engine = Start(Shell("while read line; do echo got $line; done"));
  EXPECT_TRUE(engine->Send("one", Late()).ok());
  EXPECT_TRUE(engine->Send("two", Late()).ok());
  EXPECT_EQ(*engine->Read(Late()), "got one");
  EXPECT_EQ(*engine->Read(Late()), "got two");
  EXPECT_TRUE(absl::IsNotFound(engine->Peek().status()));
}

TEST(EngineProcess, WaitsNoLongerThanTold) {
  const auto engine = Start(Shell("sleep 1000"));
  const absl::Status silent = engine->Read(Soon()).status();
  EXPECT_TRUE(absl::IsDeadlineExceeded(silent)) << silent;
  // Its pipe takes some, and then nothing more.
  absl::Status deaf;
  for (int i = 0; i < 100 && deaf.ok(); ++i) deaf = engine->Send(std::string(100'000, 'x'), Soon());
  EXPECT_TRUE(absl::IsDeadlineExceeded(deaf)) << deaf;
}

TEST(EngineProcess, WhoTalksWithoutEndIsLate) {
  const auto engine = Start(Shell("while :; do echo info; done"));
  const EngineProcess::Deadline deadline = Soon();
  absl::Status status;
  while (status.ok()) status = engine->Read(deadline).status();
  EXPECT_TRUE(absl::IsDeadlineExceeded(status)) << status;
}

TEST(EngineProcess, WhoTalksAndDoesNotListenFillsNoMemory) {
  const auto engine = Start(Shell("exec yes info"));
  absl::Status deaf;
  const EngineProcess::Deadline deadline = EngineProcess::After(absl::Milliseconds(300));
  while (deaf.ok()) deaf = engine->Send(std::string(100'000, 'x'), deadline);
  EXPECT_TRUE(absl::IsDeadlineExceeded(deaf)) << deaf;
  engine->Kill();
  size_t bytes = 0;
  for (auto line = engine->Peek(); line.ok(); line = engine->Peek()) bytes += line->size() + 1;
  EXPECT_GT(bytes, 0u);
  EXPECT_LE(bytes, (LineBuffer::kMostLongLines + 2) * EngineProcess::kMostLineBytes);
}

TEST(EngineProcess, TellsHowItEnded) {
  const auto engine = Start(Shell("echo last line; echo bad luck >&2; exit 3"));
  EXPECT_EQ(*engine->Read(Late()), "last line");
  const absl::Status ended = engine->Read(Late()).status();
  EXPECT_TRUE(absl::IsUnavailable(ended));
  EXPECT_EQ(ProblemOf(ended).code, "engine_ended");
  EXPECT_THAT(ProblemOf(ended).found, HasSubstr("exit status 3"));
  EXPECT_THAT(ProblemOf(ended).found, HasSubstr("bad luck"));
  EXPECT_TRUE(absl::IsUnavailable(engine->Send("more", Late())));
  const auto killed = Start(Shell("kill -6 $$"));
  EXPECT_THAT(ProblemOf(killed->Read(Late()).status()).found, HasSubstr("signal 6"));
}

TEST(EngineProcess, WritingToNobodyIsNoSignal) {
  const auto engine = Start(Shell("exec 0<&-; echo deaf; exec sleep 1000"));
  EXPECT_EQ(*engine->Read(Late()), "deaf");
  EXPECT_TRUE(absl::IsUnavailable(engine->Send("hello", Late())));
}

TEST(EngineProcess, SaysWhatCannotBeStarted) {
  EngineProcess::Options options;
  options.arguments = {"/no/such/engine"};
  const absl::Status missing = EngineProcess::Start(options).status();
  EXPECT_EQ(missing.code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(ProblemOf(missing).file, "/no/such/engine");
  options = Shell("true");
  options.folder = "/no/such/folder";
  EXPECT_FALSE(EngineProcess::Start(options).ok());
  options = Shell("true");
  options.stderr_path = "/no/such/folder/file";
  EXPECT_EQ(ProblemOf(EngineProcess::Start(options).status()).file, "/no/such/folder/file");
}

TEST(EngineProcess, KeepsStderrInAFileOfBoundedSize) {
  const testing::TempFolder folder;
  EngineProcess::Options options = Shell(
      "i=0; while [ $i -lt 1500 ]; do printf '%01000d\\n' $i >&2; i=$((i+1)); done; echo done");
  options.stderr_path = folder / "stderr";
  const auto engine = Start(options);
  EXPECT_EQ(*engine->Read(Late()), "done");
  EXPECT_FALSE(engine->Read(Late()).ok());  // to the end of both
  EXPECT_LE(std::filesystem::file_size(options.stderr_path), EngineProcess::kMostStderrFileBytes);
  EXPECT_LE(engine->last_words().size(), EngineProcess::kStderrTailBytes);
  EXPECT_THAT(engine->last_words(), HasSubstr("1499"));
}

TEST(EngineProcess, InterruptEndsARead) {
  const auto engine = Start(Shell("echo ready; sleep 1000"));
  EXPECT_EQ(*engine->Read(Late()), "ready");
  std::thread thread([&] { engine->Interrupt(); });
  EXPECT_TRUE(absl::IsCancelled(engine->Read(Late()).status()));
  thread.join();
  EXPECT_TRUE(absl::IsCancelled(engine->Read(Late()).status())) << "until it is cleared";
  engine->ClearInterrupt();
  EXPECT_TRUE(absl::IsDeadlineExceeded(engine->Read(Soon()).status()));
}

TEST(EngineProcess, LeavesNobodyBehind) {
  EngineProcess::Options options =
      Shell("sleep 1000 & echo $!; trap '' TERM HUP; while :; do wait; done");
  options.quit_grace = absl::Milliseconds(10);
  auto engine = Start(options);
  int child = 0;
  ASSERT_TRUE(absl::SimpleAtoi(*engine->Read(Late()), &child));
  const pid_t pid = engine->pid();
  engine.reset();
  EXPECT_TRUE(IsGone(pid)) << "it was waited for";
  EXPECT_TRUE(GoesAway(child));
}

TEST(EngineProcess, DiesWithWhoStartedIt) {
  int pipe_ends[2];
  ASSERT_EQ(pipe(pipe_ends), 0);
  const pid_t worker = fork();
  if (worker == 0) {
    auto engine = EngineProcess::Start(Shell("trap '' TERM HUP; while :; do sleep 1; done"));
    const pid_t pid = engine.ok() ? (*engine)->pid() : 0;
    if (write(pipe_ends[1], &pid, sizeof pid) != sizeof pid) _exit(1);
    for (;;) pause();
  }
  pid_t engine = 0;
  ASSERT_EQ(read(pipe_ends[0], &engine, sizeof engine), static_cast<ssize_t>(sizeof engine));
  ASSERT_GT(engine, 0);
  EXPECT_FALSE(IsGone(engine));
  kill(worker, SIGKILL);
  EXPECT_EQ(waitpid(worker, nullptr, 0), worker);
  EXPECT_TRUE(GoesAway(engine));
  close(pipe_ends[0]);
  close(pipe_ends[1]);
}

TEST(EngineProcess, RunsWhereAndOnWhatItIsTold) {
  EngineProcess::Options options =
      Shell("pwd; grep Cpus_allowed_list /proc/self/status; ulimit -d");
  options.folder = "/";
  cpu_set_t allowed;
  ASSERT_EQ(sched_getaffinity(0, sizeof(allowed), &allowed), 0);
  int first = 0;
  while (!CPU_ISSET(static_cast<size_t>(first), &allowed)) ++first;
  options.cores = {first};
  options.memory_bytes = uint64_t{64} << 20;
  const auto engine = Start(options);
  EXPECT_EQ(*engine->Read(Late()), "/");
  const std::string cores = *engine->Read(Late());
  EXPECT_EQ(cores.substr(cores.find_last_of("\t ") + 1), std::to_string(first));
  EXPECT_EQ(*engine->Read(Late()), "65536");
}

}  // namespace
}  // namespace joseki::worker
