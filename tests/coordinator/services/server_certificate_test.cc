#include "coordinator/services/server_certificate.h"

#include <spdlog/sinks/ostream_sink.h>
#include <spdlog/spdlog.h>

#include <memory>
#include <sstream>
#include <string>
#include <utility>

#include "base/certificates/authority.h"
#include "base/file.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/moment.h"
#include "tests/support/temp_folder.h"

namespace joseki::coordinator {
namespace {

using ::joseki::testing::kNow;
using ::testing::HasSubstr;

constexpr absl::Duration kDay = absl::Hours(24);

class ServerCertificateTest : public ::testing::Test {
 protected:
  void SetUp() override {
    before_ = spdlog::default_logger();
    spdlog::set_default_logger(std::make_shared<spdlog::logger>(
        "test", std::make_shared<spdlog::sinks::ostream_sink_mt>(log_)));
  }
  void TearDown() override { spdlog::set_default_logger(before_); }

  // The log output of one check.
  std::string LookAt(absl::Time now) {
    log_.str("");
    certificate_.Look(now);
    return log_.str();
  }

  std::ostringstream log_;
  std::shared_ptr<spdlog::logger> before_;
  joseki::testing::TempFolder folder_;
  const certificates::Authority authority_ =
      certificates::Authority::Create(folder_ / "certs", kNow).value();
  const certificates::TlsFiles files_ = certificates::TlsFiles::In(authority_.folder());
  ServerCertificate certificate_{ServerTls::Load(files_, kNow).value()};
};

TEST_F(ServerCertificateTest, TellsOnceADayThatItEnds) {
  const absl::Time end = kNow + certificates::Authority::kLife;
  EXPECT_EQ(LookAt(kNow), "");
  EXPECT_EQ(LookAt(end - 31 * kDay), "");
  EXPECT_THAT(LookAt(end - 20 * kDay), HasSubstr("event=certificate_ends"));
  EXPECT_EQ(LookAt(end - 20 * kDay + absl::Hours(23)), "");
  EXPECT_THAT(LookAt(end - 19 * kDay), HasSubstr("days=19"));
  EXPECT_THAT(LookAt(end + kDay), HasSubstr("event=certificate_ended"));
}

TEST_F(ServerCertificateTest, TellsWhatItTakesAndWhatItCannot) {
  ASSERT_TRUE(authority_.RenewServer(kNow, 400 * kDay).ok());
  EXPECT_THAT(LookAt(kNow), HasSubstr("event=certificate_read"));
  EXPECT_EQ(LookAt(kNow), "");
  ASSERT_TRUE(WriteFileAtomically(files_.certificate, "nonsense").ok());
  EXPECT_EQ(LookAt(kNow), "");
  EXPECT_THAT(LookAt(kNow), HasSubstr("event=certificate_unusable"));
  EXPECT_EQ(LookAt(kNow), "");
}

}  // namespace
}  // namespace joseki::coordinator
