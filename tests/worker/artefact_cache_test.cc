#include "worker/artefact_cache.h"

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "base/file.h"
#include "base/problem.h"
#include "base/rng.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/temp_folder.h"
#include "tests/worker/fake_artefacts.h"

namespace joseki::worker {
namespace {

using ::testing::ElementsAre;

std::string Bytes(size_t size, uint64_t seed = 1) {
  Rng rng(seed);
  std::string bytes(size, '\0');
  for (char& byte : bytes) byte = static_cast<char>(rng.Below(256));
  return bytes;
}

class ArtefactCacheTest : public ::testing::Test {
 protected:
  ArtefactCache::Options Options() const {
    return {.folder = folder_ / "cache", .look = absl::Milliseconds(1)};
  }
  absl::StatusOr<std::shared_ptr<const MappedFile>> Get(ArtefactCache& cache,
                                                        const ArtefactManifest& manifest) {
    return cache.Get(
        manifest, port_, [this] { ++progress_; }, stop_.get_token());
  }
  std::string PathOf(const ArtefactManifest& manifest) const {
    return Options().folder + "/" + Hex(manifest.sha256);
  }
  void ExpectWhole(ArtefactCache& cache, const ArtefactManifest& manifest,
                   const std::string& bytes) {
    const auto file = Get(cache, manifest);
    ASSERT_TRUE(file.ok()) << file.status();
    EXPECT_EQ((*file)->bytes(), bytes);
    EXPECT_EQ(*ReadFile(PathOf(manifest)), bytes);
    EXPECT_FALSE(std::filesystem::exists(PathOf(manifest) + ".part"));
  }

  testing::TempFolder folder_;
  FakeArtefacts port_;
  std::atomic<int> progress_ = 0;
  std::stop_source stop_;
};

TEST_F(ArtefactCacheTest, FetchesOnceAndKeeps) {
  const std::string bytes = Bytes(1050);
  const ArtefactManifest manifest = port_.Add(bytes);
  ArtefactCache cache(Options());
  EXPECT_EQ(cache.Find(manifest.sha256), nullptr);
  EXPECT_FALSE(std::filesystem::exists(Options().folder)) << "nothing was needed yet";
  ExpectWhole(cache, manifest, bytes);
  EXPECT_EQ(progress_, 11);
  const auto first = cache.Find(manifest.sha256);
  ASSERT_NE(first, nullptr);
  EXPECT_EQ(cache.Find(manifest.sha256), first) << "one mapping for all slots";
  ArtefactCache later(Options());
  ExpectWhole(later, manifest, bytes);
  EXPECT_THAT(port_.offsets, ElementsAre(0));
}

TEST_F(ArtefactCacheTest, TakesEmptyBytes) {
  const ArtefactManifest manifest = port_.Add("");
  ArtefactCache cache(Options());
  ExpectWhole(cache, manifest, "");
  EXPECT_THAT(port_.offsets, ElementsAre());
}

TEST_F(ArtefactCacheTest, GoesOnWhereATransferBrokeOff) {
  const std::string bytes = Bytes(1000);
  const ArtefactManifest manifest = port_.Add(bytes);
  ArtefactCache cache(Options());
  port_.on_chunk = [](int fetch, uint64_t offset) {
    return fetch < 3 && offset == 300u * static_cast<uint64_t>(fetch)
               ? absl::UnavailableError("lost")
               : absl::OkStatus();
  };
  EXPECT_TRUE(absl::IsUnavailable(Get(cache, manifest).status()));
  EXPECT_EQ(cache.Find(manifest.sha256), nullptr);
  EXPECT_TRUE(absl::IsUnavailable(Get(cache, manifest).status()));
  ExpectWhole(cache, manifest, bytes);
  EXPECT_THAT(port_.offsets, ElementsAre(0, 300, 600));
}

TEST_F(ArtefactCacheTest, GoesOnWhereAKilledProcessWas) {
  const std::string bytes = Bytes(1000);
  const ArtefactManifest manifest = port_.Add(bytes);
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    port_.on_chunk = [](int, uint64_t offset) {
      if (offset == 700) kill(getpid(), SIGKILL);
      return absl::OkStatus();
    };
    ArtefactCache cache(Options());
    Get(cache, manifest).IgnoreError();
    _exit(1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(std::filesystem::file_size(PathOf(manifest) + ".part"), 700u);
  ArtefactCache cache(Options());
  ExpectWhole(cache, manifest, bytes);
  EXPECT_THAT(port_.offsets, ElementsAre(700));
}

TEST_F(ArtefactCacheTest, OneOfSeveralProcessesFetches) {
  const std::string bytes = Bytes(5000);
  const ArtefactManifest manifest = port_.Add(bytes);
  const std::string log = folder_ / "fetches";
  std::vector<pid_t> children;
  for (int i = 0; i < 4; ++i) {
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      port_.on_chunk = [&](int, uint64_t offset) {
        if (offset == 0) std::ofstream(log, std::ios::app) << "fetch\n";
        return absl::OkStatus();
      };
      ArtefactCache cache(Options());
      const auto file = Get(cache, manifest);
      _exit(file.ok() && (*file)->bytes() == bytes ? 0 : 1);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  }
  EXPECT_EQ(*ReadFile(log), "fetch\n");
}

TEST_F(ArtefactCacheTest, OneOfSeveralSlotsFetchesAndAllSeeItsProgress) {
  const std::string bytes = Bytes(3000);
  const ArtefactManifest manifest = port_.Add(bytes);
  ArtefactCache caches[2] = {ArtefactCache(Options()), ArtefactCache(Options())};
  std::atomic<int> waiting = 0;
  std::atomic<int> told[8] = {};
  // The transfer goes on only when each of the others has seen it go on.
  thread_local int self = -1;
  port_.on_chunk = [&](int, uint64_t offset) {
    if (offset != 2000) return absl::OkStatus();
    for (int i = 0; i < 8; ++i) {
      while (i != self && told[i] == 0) std::this_thread::yield();
    }
    return absl::OkStatus();
  };
  std::vector<std::thread> slots;
  for (int i = 0; i < 8; ++i) {
    slots.emplace_back([&, i] {
      self = i;
      ++waiting;
      while (waiting < 8) std::this_thread::yield();
      const auto file = caches[i % 2].Get(
          manifest, port_, [&] { ++told[i]; }, stop_.get_token());
      ASSERT_TRUE(file.ok()) << file.status();
      EXPECT_EQ((*file)->bytes(), bytes);
    });
  }
  for (std::thread& slot : slots) slot.join();
  EXPECT_THAT(port_.offsets, ElementsAre(0));
}

TEST_F(ArtefactCacheTest, FetchesAgainWhatArrivesDamaged) {
  const std::string bytes = Bytes(1000);
  const ArtefactManifest manifest = port_.Add(bytes);
  port_.spoil = [](int fetch, std::string& sent) {
    if (fetch == 1) sent[555] = static_cast<char>(sent[555] ^ 1);
  };
  ArtefactCache cache(Options());
  ExpectWhole(cache, manifest, bytes);
  EXPECT_THAT(port_.offsets, ElementsAre(0, 0));
}

TEST_F(ArtefactCacheTest, GivesUpOnASourceThatIsWrongAgain) {
  const ArtefactManifest manifest = port_.Add(Bytes(1000));
  port_.spoil = [](int, std::string& sent) { sent[0] = static_cast<char>(sent[0] ^ 1); };
  ArtefactCache cache(Options());
  const auto file = Get(cache, manifest);
  EXPECT_TRUE(absl::IsDataLoss(file.status())) << file.status();
  EXPECT_EQ(ProblemOf(file.status()).code, "bad_artefact");
  EXPECT_FALSE(std::filesystem::exists(PathOf(manifest)));
  port_.spoil = nullptr;
  EXPECT_TRUE(Get(cache, manifest).ok());
}

TEST_F(ArtefactCacheTest, ASourceThatEndsTooSoonOrSendsTooMuchIsAnError) {
  const std::string bytes = Bytes(1000);
  const ArtefactManifest manifest = port_.Add(bytes);
  ArtefactCache cache(Options());
  port_.spoil = [](int, std::string& sent) { sent.resize(400); };
  EXPECT_TRUE(absl::IsUnavailable(Get(cache, manifest).status()));
  port_.spoil = [](int, std::string& sent) { sent += "more"; };
  EXPECT_EQ(ProblemOf(Get(cache, manifest).status()).code, "bad_answer");
  port_.spoil = nullptr;
  ExpectWhole(cache, manifest, bytes);
}

TEST_F(ArtefactCacheTest, BelievesNoPartOfOthersMaking) {
  const std::string bytes = Bytes(1000);
  const ArtefactManifest manifest = port_.Add(bytes);
  std::filesystem::create_directories(Options().folder);
  for (const size_t size : {400, 1000, 2000}) {
    ASSERT_TRUE(WriteFileAtomically(PathOf(manifest) + ".part", std::string(size, 'x')).ok());
    ArtefactCache cache(Options());
    ExpectWhole(cache, manifest, bytes);
    std::filesystem::remove(PathOf(manifest));
  }
}

TEST_F(ArtefactCacheTest, FetchesAgainWhatTheDiskHasDamaged) {
  const std::string bytes = Bytes(1000);
  const ArtefactManifest manifest = port_.Add(bytes);
  {
    ArtefactCache cache(Options());
    ExpectWhole(cache, manifest, bytes);
  }
  for (const std::string& damaged : {bytes.substr(0, 999), std::string(1000, '\0')}) {
    ASSERT_TRUE(WriteFileAtomically(PathOf(manifest), damaged).ok());
    ArtefactCache cache(Options());
    EXPECT_EQ(cache.Find(manifest.sha256), nullptr);
    ExpectWhole(cache, manifest, bytes);
  }
  EXPECT_THAT(port_.offsets, ElementsAre(0, 0, 0));
}

TEST_F(ArtefactCacheTest, RemovesWhatWasUsedLongestAgo) {
  ArtefactCache::Options options = Options();
  options.most_bytes = 3000;
  ArtefactCache cache(options);
  std::vector<ArtefactManifest> manifests;
  for (uint64_t i = 0; i < 3; ++i) {
    manifests.push_back(port_.Add(Bytes(1000, i)));
    ASSERT_TRUE(Get(cache, manifests.back()).ok());
    // An hour between the uses, the last one now.
    const auto used = std::filesystem::file_time_type::clock::now() - std::chrono::hours(3 - i);
    std::filesystem::last_write_time(PathOf(manifests.back()), used);
  }
  ASSERT_NE(ArtefactCache(options).Find(manifests[0].sha256), nullptr);  // used again
  const ArtefactManifest another = port_.Add(Bytes(900, 9));
  const auto kept = Get(cache, another);
  ASSERT_TRUE(kept.ok());
  EXPECT_TRUE(std::filesystem::exists(PathOf(manifests[0])));
  EXPECT_FALSE(std::filesystem::exists(PathOf(manifests[1])));
  EXPECT_TRUE(std::filesystem::exists(PathOf(manifests[2])));
  EXPECT_TRUE(std::filesystem::exists(PathOf(another)));
  // An artefact larger than the whole cache is kept while it is the newest.
  const ArtefactManifest large = port_.Add(Bytes(5000, 10));
  ASSERT_TRUE(Get(cache, large).ok());
  EXPECT_TRUE(std::filesystem::exists(PathOf(large)));
  EXPECT_FALSE(std::filesystem::exists(PathOf(another)));
  EXPECT_EQ((*kept)->bytes(), Bytes(900, 9)) << "a mapping outlives its file";
}

TEST_F(ArtefactCacheTest, EndsSoonWhenToldTo) {
  const ArtefactManifest manifest = port_.Add(Bytes(1000));
  port_.on_chunk = [this](int, uint64_t offset) {
    if (offset == 500) stop_.request_stop();
    return absl::OkStatus();
  };
  ArtefactCache cache(Options());
  EXPECT_TRUE(absl::IsCancelled(Get(cache, manifest).status()));
  ArtefactManifest late = manifest;
  late.start_after = absl::Hours(1);
  EXPECT_TRUE(absl::IsCancelled(Get(cache, late).status()));
}

TEST_F(ArtefactCacheTest, NamesAFolderThatCannotBe) {
  const ArtefactManifest manifest = port_.Add(Bytes(10));
  ArtefactCache cache({.folder = "/dev/null/cache"});
  const auto file = Get(cache, manifest);
  ASSERT_FALSE(file.ok());
  EXPECT_EQ(ProblemOf(file.status()).file, "/dev/null/cache");
}

}  // namespace
}  // namespace joseki::worker
