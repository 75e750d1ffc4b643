// SPDX-License-Identifier: Apache-2.0
#include "comm/bootstrap/messages.h"

#include <gtest/gtest.h>

#include <random>

#include "comm/bootstrap/root_info.h"
#include "unit/bootstrap/ranks.h"

namespace tandem::bootstrap {
namespace {

std::string Body(const Message& message) { return Encode(message).substr(kFrameHeaderBytes); }

std::vector<Message> Examples() {
  Table table;
  table.table.name = "name";
  for (uint32_t rank = 0; rank < 3; ++rank) table.table.ranks.push_back(test::Record(rank));
  table.root_ranks = {0, 2};
  return {Hello{Random<16>(), Random<32>()},
          Challenge{Random<32>(), Random<32>()},
          RankProof{Random<32>()},
          Welcome{},
          JoinRequest{4, 1234, test::Record(3)},
          Waiting{"connected 0; missing 1"},
          table,
          Failure{Status::Error(Code::kTimeout, "text").WithId("EI0015")},
          Left{2},
          Lost{{1, false, "its process (pid 1 on x) ended"}},
          Knock{1, 77, {{"version", "1.0"}, {"the number of ranks", "2"}}},
          Key{Encode(RootInfo{.address = "127.0.0.1", .port = 1})}};
}

TEST(Messages, EveryKindComesBackAsItWas) {
  for (const Message& message : Examples()) {
    const std::string body = Body(message);
    const auto decoded = DecodeMessage(body);
    ASSERT_TRUE(decoded) << body << decoded.status().text();
    EXPECT_EQ(decoded->index(), message.index());
    EXPECT_EQ(Body(*decoded), body);
  }
}

TEST(Messages, LengthIsLittleEndianAndWithoutItself) {
  const std::string frame = Encode(Welcome{});
  std::array<unsigned char, 4> header{};
  std::copy_n(frame.begin(), 4, header.begin());
  EXPECT_EQ(FrameBytes(header), frame.size() - 4);
  EXPECT_EQ(FrameBytes({1, 2, 3, 4}), 0x04030201U);
}

TEST(Messages, TextThatIsNotUnicodeIsSentAllTheSame) {
  EXPECT_TRUE(DecodeMessage(Body(Waiting{"host \xff\xfe"})));
}

TEST(Messages, NumbersOutOfRangeAreRefused) {
  EXPECT_FALSE(DecodeMessage(R"({"type":"left","rank":4294967296})"));
  EXPECT_FALSE(DecodeMessage(R"({"type":"left","rank":-1})"));
  EXPECT_FALSE(DecodeMessage(R"({"type":"left","rank":1.5})"));
  EXPECT_FALSE(DecodeMessage(R"({"type":"left","rank":"1"})"));
  EXPECT_TRUE(DecodeMessage(R"({"type":"left","rank":4294967295})"));
}

TEST(Messages, JoinOfARankOutsideIsRefused) {
  EXPECT_FALSE(DecodeMessage(Body(JoinRequest{3, 1, test::Record(3)})));
  EXPECT_FALSE(DecodeMessage(Body(JoinRequest{kMaxRanks + 1, 1, test::Record(3)})));
}

TEST(Messages, TableOutOfOrderIsRefused) {
  Table table{{"name", {test::Record(1), test::Record(0)}}, {}};
  EXPECT_FALSE(DecodeMessage(Body(table)));
  EXPECT_FALSE(DecodeMessage(Body(Table{{"name", {test::Record(0)}}, {1}})));
}

// Bytes from nowhere and messages with some bytes changed: any answer but a crash, and what is accepted can
// be encoded.
TEST(Messages, AnyBytesAreSafe) {
  std::mt19937 random(20240611);
  const auto examples = Examples();
  for (int round = 0; round < 20000; ++round) {
    std::string body;
    if (round % 4 == 0) {
      body.resize(random() % 200);
      for (char& c : body) c = static_cast<char>(random());
    } else {
      body = Body(examples[random() % examples.size()]);
      for (size_t changes = 1 + random() % 3; changes > 0; --changes) {
        body[random() % body.size()] = static_cast<char>(random());
      }
      if (random() % 4 == 0) body.resize(random() % body.size());
    }
    const auto decoded = DecodeMessage(body);
    EXPECT_TRUE(!decoded || !Encode(*decoded).empty());
  }
}

}  // namespace
}  // namespace tandem::bootstrap
