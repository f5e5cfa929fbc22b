#include "coordinator/page/worker_list.h"

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace joseki::coordinator {
namespace {

using ::testing::ElementsAre;

WorkerStatus Worker(const std::string& name, const std::string& state, uint64_t games) {
  WorkerStatus worker;
  worker.worker = name;
  worker.state = state;
  worker.games = games;
  worker.build = "0.1.0 " + name;
  return worker;
}

class WorkerListTest : public ::testing::Test {
 protected:
  std::vector<std::string> Names(const std::string& match, size_t most) {
    const Json list = WorkerListJson(workers_, match, most);
    matching_ = list["matching"];
    std::vector<std::string> names;
    for (const Json& worker : list["workers"]) names.push_back(worker["worker"]);
    return names;
  }

  const std::vector<WorkerStatus> workers_ = {
      Worker("busy", "active", 90),  Worker("new", "active", 1),
      Worker("gone", "silent", 40),  Worker("leaving", "draining", 50),
      Worker("left", "drained", 95), Worker("liar", "quarantined", 3),
      Worker("odd", "refused", 0),   Worker("also-new", "active", 1),
  };
  size_t matching_ = 0;
};

TEST_F(WorkerListTest, WhoNeedsSomebodyComesFirst) {
  EXPECT_THAT(Names("", 100),
              ElementsAre("liar", "odd", "gone", "leaving", "left", "busy", "also-new", "new"));
  EXPECT_EQ(matching_, 8U);
}

TEST_F(WorkerListTest, ListsNoMoreThanAskedForAndSaysHowManyThereAre) {
  EXPECT_THAT(Names("", 2), ElementsAre("liar", "odd"));
  EXPECT_EQ(matching_, 8U);
}

TEST_F(WorkerListTest, LooksForATextInNameStateAndBuild) {
  EXPECT_THAT(Names("new", 100), ElementsAre("also-new", "new"));
  EXPECT_THAT(Names("drain", 1), ElementsAre("leaving"));
  EXPECT_EQ(matching_, 2U);
  EXPECT_THAT(Names("0.1.0 busy", 100), ElementsAre("busy"));
  EXPECT_THAT(Names("nobody", 100), ElementsAre());
  EXPECT_EQ(matching_, 0U);
}

}  // namespace
}  // namespace joseki::coordinator
