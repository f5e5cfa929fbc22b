// Field numbers of the wire: one that was used once must never mean something else.
#include <google/protobuf/descriptor.h>

#include <algorithm>
#include <string>

#include "gtest/gtest.h"
#include "joseki/v1/artefact.pb.h"
#include "joseki/v1/enroll.pb.h"
#include "joseki/v1/operator.pb.h"
#include "joseki/v1/reader.pb.h"
#include "joseki/v1/worker.pb.h"

namespace joseki {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::FileDescriptor;

void ExpectNoGaps(const Descriptor& message) {
  int most = 0;
  for (int i = 0; i < message.field_count(); ++i) {
    most = std::max(most, message.field(i)->number());
  }
  for (int number = 1; number <= most; ++number) {
    EXPECT_TRUE(message.FindFieldByNumber(number) != nullptr || message.IsReservedNumber(number))
        << message.full_name() << " " << number << " is neither a field nor reserved";
  }
  for (int i = 0; i < message.nested_type_count(); ++i) ExpectNoGaps(*message.nested_type(i));
}

TEST(FieldNumbers, ThoseOutOfUseAreReserved) {
  for (const FileDescriptor* const file :
       {v1::Manifest::descriptor()->file(), v1::EnrollRequest::descriptor()->file(),
        v1::DrainRequest::descriptor()->file(), v1::Status::descriptor()->file(),
        v1::JoinRequest::descriptor()->file(), v1::Game::descriptor()->file()}) {
    ASSERT_GT(file->message_type_count(), 0);
    for (int i = 0; i < file->message_type_count(); ++i) ExpectNoGaps(*file->message_type(i));
  }
  // Were fields before.
  EXPECT_TRUE(v1::Game::descriptor()->IsReservedNumber(11));
  EXPECT_TRUE(v1::RunPlay::descriptor()->IsReservedNumber(3));
}

}  // namespace
}  // namespace joseki
