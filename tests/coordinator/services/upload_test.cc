#include "coordinator/services/upload.h"

#include <string>

#include "base/problem.h"
#include "gtest/gtest.h"

namespace joseki::coordinator {
namespace {

std::string HashOf(const std::string& file) {
  const Sha256 sha256 = Sha256Of(file);
  return {sha256.begin(), sha256.end()};
}

TEST(Upload, IsAllOfTheFile) {
  Upload upload(10);
  EXPECT_FALSE(upload.promised());
  ASSERT_TRUE(upload.Promise(6, HashOf("abcdef")).ok());
  EXPECT_TRUE(upload.promised());
  EXPECT_TRUE(upload.Add("abc").ok());
  EXPECT_TRUE(upload.Add("").ok());
  EXPECT_TRUE(upload.Add("def").ok());
  EXPECT_EQ(upload.Finish().value(), "abcdef");
}

TEST(Upload, OrNothing) {
  Upload none(10);
  EXPECT_EQ(ProblemOf(none.Finish().status()).file, "data");
  EXPECT_EQ(ProblemOf(none.Promise(11, HashOf(""))).file, "size");
  EXPECT_EQ(ProblemOf(none.Promise(3, "short")).file, "sha256");
  EXPECT_FALSE(none.promised());
  Upload torn(10);
  ASSERT_TRUE(torn.Promise(6, HashOf("abcdef")).ok());
  ASSERT_TRUE(torn.Add("abcde").ok());
  EXPECT_EQ(ProblemOf(torn.Finish().status()).code, "torn_upload");
  Upload other(10);
  ASSERT_TRUE(other.Promise(6, HashOf("abcdef")).ok());
  ASSERT_TRUE(other.Add("abcdeX").ok());
  EXPECT_EQ(ProblemOf(other.Finish().status()).code, "torn_upload");
  EXPECT_EQ(ProblemOf(other.Add("more")).file, "data");
}

}  // namespace
}  // namespace joseki::coordinator
